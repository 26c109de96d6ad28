"""What a boat file amounts to, against closed forms."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_remarks import ASSUMED, LACKS
from usv_energy.boats.numbers import BOAT_NUMBERS
from usv_energy.boats.vessel import Inertia
from usv_energy.cli.main import main
from usv_energy.files.locate import names
from usv_energy.studies.check.boat_check import available_thrust, boat_check
from usv_energy.studies.check.boat_check_text import (
    boat_check_figures,
    boat_check_text,
    boat_number_rows,
    boat_number_text,
    inertia_text,
    shipped_entries,
    shipped_text,
)

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


FIGURES = {
    'boat': 'b', 'kind': 'a boat', 'known_by_power_curve': False, 'thrusters': 1, 'foils': 1,
    'top_speed_ahead_m_s': 1.25, 'top_speed_astern_m_s': None,
    'bollard_ahead': {'thrust_n': 10.0, 'power_w': 55.5}, 'bollard_astern': {'thrust_n': 0.0, 'power_w': None},
    'cheapest_speed': None, 'over_speed': [], 'turning_circle': {
        'varied': 'throttle', 'angles_deg': [-30.0],
        'circles': [{'share': 0.5, 'speed_m_s': 0.8, 'radius_m': 4.0, 'rate_deg_s': 11.0, 'drift_deg': None},
                    {'share': 0.55, 'speed_m_s': 0.9, 'radius_m': 4.0, 'rate_deg_s': 12.0, 'drift_deg': 7.0}]},
    'coasting': {'from_m_s': 1.25, 'to_m_s': 0.125, 'time_s': None, 'way_m': None}, 'full_astern': None,
    'remarks': [{'kind': ASSUMED, 'key': 'x', 'text': 'y'}, {'kind': LACKS, 'key': 'battery', 'text': 'none'}]}


def test_what_there_is_stands_there_and_what_there_is_not_is_said():
    assert boat_check_text(FIGURES).splitlines() == [
        'b: a boat', '',
        'Top speed     1.250 m/s ahead, none astern',
        'Bollard pull  10.00 N for 55.5 W ahead, 0.00 N astern',
        'Coasting      from 1.250 to 0.125 m/s with thrusters off: it does not within the time that is looked at', '',
        'Steady turns to port at full angle (-30 deg), by share of the throttle:',
        'share  speed, m/s  radius, m  yaw rate, deg/s  drift, deg',
        ' 0.50       0.800       4.00            11.00           -', '',
        'What the file leaves out:', '  - battery: none', '', 'What is assumed:', '  - x: y']


def test_a_boat_without_thrusters_is_sent_to_its_polar_diagram():
    lines = boat_check_text({**FIGURES, 'thrusters': 0, 'turning_circle': None}).splitlines()
    assert lines[2] == 'Top speed  that of its sails in the wind, which usv-energy map polar has; it has no thrusters'
    assert lines[3:5] == ['', 'What the file leaves out:']


def test_every_shipped_file_is_listed_with_what_it_says_of_itself():
    entries = shipped_entries()
    assert [entry['name'] for entry in entries['boats']] == names('boats')
    assert all(entry['description'] for entry in entries['boats']) and all(entry['title'] for entry in
                                                                           entries['scenarios'])
    blocks = shipped_text(entries).split('\n\n')
    assert [block.splitlines()[0] for block in blocks] == ['Scenarios', 'Boats', 'Sensors']
    assert [len(block.splitlines()) - 1 for block in blocks] == [len(rows) for rows in entries.values()]


def test_every_number_of_a_boat_file_is_listed_with_unit_and_limits(capsys):
    head, *lines = boat_number_text().splitlines()
    assert head.split() == ['number', 'unit', 'limits', 'left', 'out', 'meaning']
    assert [line.split()[0] for line in lines] == list(BOAT_NUMBERS) == [row['path'] for row in boat_number_rows()]
    assert main(['list', '--boat-numbers']) == 0
    assert capsys.readouterr().out == boat_number_text() + '\n'


def test_every_number_says_what_it_means():
    assert [row['path'] for row in boat_number_rows() if not (row['meaning'] and row['unit'])] == []


def test_an_estimate_names_its_source_and_what_it_is_of():
    text = inertia_text(Inertia(9.75, 10.3641, 1.15772), {'mass': 9.7, 'thruster_distance': 0.16})
    assert 'mass 9.7, thruster distance 0.16' in text
    assert '  m33: {value: 1.1577, unit: kg m^2, source: "estimated after Touzout (2021), (5.3)"}' in text
