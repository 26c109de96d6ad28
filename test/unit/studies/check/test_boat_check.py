"""What a boat file amounts to, against closed forms."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.check.boat_check import available_thrust, boat_check
from usv_energy.studies.check.boat_check_text import boat_check_figures

TILT = math.cos(math.radians(15.0))
LINEAR = """
base: lutra_prop
name: linear
static_load: 5.0
losses: {efficiency: 0.5}
windage: {frontal_area: 0.0, lateral_area: 0.0}
thrusters:
  - {name: left, x: -0.4, y: 0.08, min_thrust: -4.0, max_thrust: 11.5, tilt_deg: 15}
  - {name: right, x: -0.4, y: -0.08, min_thrust: -4.0, max_thrust: 11.5, tilt_deg: 15}
"""


@pytest.fixture
def check_of(tmp_path):
    """Return a function that checks the boat of a text."""
    def made(text):
        path = tmp_path / 'mine.yaml'
        path.write_text(text)
        return boat_check(read_boat(str(path)))
    return made


def test_a_boat_without_thrusters_has_no_thrust_at_any_speed():
    figures = boat_check_figures(boat_check(read_boat('lutra_sail')))
    assert figures['curves'] and all(row['available_thrust_n'] == 0.0 for row in figures['curves'])


def test_speeds_of_a_boat_with_linear_drag(check_of):
    """The top speed is F / d11, ahead and astern with the thrust that there is."""
    check = check_of(LINEAR)
    d11 = check.boat.vessel.damping.d11
    assert check.top_ahead == pytest.approx(2.0 * 11.5 * TILT / d11, rel=1e-9)
    assert check.top_astern == pytest.approx(2.0 * 4.0 * TILT / d11, rel=1e-9)
    assert check.bollard_ahead.thrust == pytest.approx(23.0 * TILT, rel=1e-12)
    assert check.bollard_astern.thrust == pytest.approx(-8.0 * TILT, rel=1e-12)
    assert math.isnan(check.bollard_ahead.power), 'an efficiency says nothing of standstill'


def test_curves_of_a_boat_with_linear_drag(check_of):
    """Drag d11 u, power d11 u^2 over the efficiency, and the hotel load, up to the top speed and no further."""
    check = check_of(LINEAR)
    d11 = check.boat.vessel.damping.d11
    for curves in (check.curves, check.table):
        np.testing.assert_allclose(curves.drag, d11 * curves.speed, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(curves.available, 23.0 * TILT, rtol=1e-12)
        some = curves.speed <= check.top_ahead
        np.testing.assert_allclose(curves.power[some], 5.0 + d11 * curves.speed[some] ** 2 / 0.5, rtol=1e-9)
        assert np.isnan(curves.power[~some]).all()
    assert check.curves.speed[-1] > check.top_ahead == check.table.speed[-1]


def test_the_cheapest_speed_with_linear_drag_and_a_hotel_load(check_of):
    """(P0 + d u^2 / eta) / u is least at u^2 = P0 eta / d; range is the battery's energy over the cost there."""
    check = check_of(LINEAR)
    d11, battery = check.boat.vessel.damping.d11, check.boat.battery
    speed = math.sqrt(5.0 * 0.5 / d11)
    assert check.best.speed == pytest.approx(speed, rel=1e-5)
    assert check.best.range == pytest.approx(battery.capacity_wh * 3600.0 * speed / 10.0, rel=1e-6)


def test_a_map_has_watts_at_the_pier(check_of):
    check = check_of(LINEAR.replace('efficiency: 0.5', 'efficiency: null, map: [[-11.5, 90], [0, 0], [11.5, 60]]'))
    assert check.bollard_ahead.power == pytest.approx(120.0, rel=1e-9)
    assert check.bollard_astern.power == pytest.approx(2.0 * 90.0 * 4.0 / 11.5, rel=1e-9)


def test_all_thrusters_count_whatever_their_sizes(check_of):
    """2 x 20 N + 2 x 5 N: the available thrust is their 50 N, and it falls where a propeller knows of the speed."""
    check = check_of("""
base: lutra_prop
name: four
thrusters:
  - {name: a, x: -0.4, y: 0.2, min_thrust: -20, max_thrust: 20}
  - {name: b, x: -0.4, y: -0.2, min_thrust: -20, max_thrust: 20}
  - {name: c, x: -0.4, y: 0.1, min_thrust: -5, max_thrust: 5}
  - {name: d, x: -0.4, y: -0.1, min_thrust: -5, max_thrust: 5}
""")
    np.testing.assert_allclose(check.curves.available, 50.0, rtol=1e-6)


def test_thrust_falls_under_way_as_the_correction_has_it(check_of):
    """T = B - c sqrt(B) v."""
    propeller = 'propeller: {map: [[-11.5, 90], [0, 0], [11.5, 60]], inflow: {coefficient: 1.5, torque_ratio: 0.9}}'
    check = check_of(LINEAR.replace('tilt_deg: 15', propeller))
    speed = np.array([0.0, 0.4, 0.8])
    np.testing.assert_allclose(available_thrust(check.boat.vessel, speed, 1.0),
                               2.0 * (11.5 - 1.5 * math.sqrt(11.5) * speed), rtol=1e-9)
    assert check.top_ahead == pytest.approx(
        23.0 / (check.boat.vessel.damping.d11 + 3.0 * math.sqrt(11.5)), rel=1e-6)


def _headwind(vessel, speed):
    """Return the drag of the air that a boat meets by its own speed, N."""
    windage = vessel.windage
    return 0.5 * windage.air_density * windage.c_x * windage.frontal_area * speed ** 2


def test_a_boat_that_only_sails_has_drag_and_no_thrust():
    check = boat_check(read_boat('lutra_sail'))
    assert math.isnan(check.top_ahead) and math.isnan(check.top_astern)
    vessel = check.boat.vessel
    keel, sail, rudder = (next(foil for foil, name in zip(vessel.foils, check.boat.foil_names) if name == key)
                          for key in ('keel', 'sail', 'rudder'))
    assert keel.drag0 == sail.drag0 == rudder.drag0 == 0.0, 'no foil has drag along its chord'
    np.testing.assert_allclose(check.curves.drag, vessel.damping.d11 * check.curves.speed
                               + vessel.damping.d11_q * check.curves.speed ** 2 + _headwind(vessel, check.curves.speed))
    assert (check.bollard_ahead.thrust, check.best, check.turning, check.coasting) == (0.0, None, None, None)


def test_a_boat_that_holds_no_course_has_no_speed(check_of):
    """One thruster off the centre line turns the boat: nothing balances it."""
    check = check_of('base: lutra_prop\nname: lame\n'
                     'thrusters: [{name: a, x: 0, y: 0.2, min_thrust: -5, max_thrust: 9}]')
    assert math.isnan(check.top_ahead)
    assert (check.best, check.turning, check.coasting, check.crash_stop) == (None, None, None, None)
