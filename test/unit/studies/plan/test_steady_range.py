"""Range and endurance against closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest
from planning_boats import LUTRA

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.batteries.cell import Battery
from usv_energy.physics.motion import STILL
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.plan.steady_motion import top_speed
from usv_energy.studies.plan.steady_range import (
    DRIFT,
    FASTEST,
    INSIDE,
    NO_HEADWAY,
    SLOWER_IS_BETTER,
    BatteryUse,
    best_speed,
    fastest,
    polar,
    round_speeds,
    speed_curve,
    unreachable_speed,
)

BOAT = read_boat('lutra_prop')
LINEAR, QUADRATIC = 16.3, 11.3
ENERGY = 3.6e5
THRUST = sum(thruster.max_thrust * thruster.efficiency_of_tilt for thruster in BOAT.vessel.thrusters)


def vessel_of(drag, static_load, windage=False):
    vessel = BOAT.vessel
    damping = vessel.damping._replace(d11=LINEAR if drag == 'linear' else 0.0,
                                      d11_q=QUADRATIC if drag == 'quadratic' else 0.0)
    air = vessel.windage if windage else vessel.windage._replace(frontal_area=0.0, lateral_area=0.0)
    return vessel._replace(damping=damping, windage=air, static_load=static_load)


def along(current, course=0.3):
    return course, STILL._replace(current_x=current * math.cos(course), current_y=current * math.sin(course))


def best_through_water(drag, static_load, current):
    """The minimum of P(u) / (u + c): P'(u) (u + c) = P(u), a quadratic or a cubic equation."""
    if drag == 'linear':
        return -current + math.sqrt(current ** 2 + static_load / LINEAR)
    roots = np.roots([2.0 * QUADRATIC, 3.0 * QUADRATIC * current, 0.0, -static_load])
    return max(root.real for root in roots if abs(root.imag) < 1e-9)


def power_of(drag, static_load, u):
    return static_load + (LINEAR * u ** 2 if drag == 'linear' else QUADRATIC * abs(u) ** 3)


@pytest.mark.parametrize('drag', ['linear', 'quadratic'])
@pytest.mark.parametrize('static_load', [0.5, 5.0])
@pytest.mark.parametrize('current', [0.0, 0.3, -0.3])
def test_best_speed_and_range_are_the_closed_form_in_still_following_and_head_water(drag, static_load, current):
    best = best_speed(vessel_of(drag, static_load), ENERGY, *along(current))
    u = best_through_water(drag, static_load, current)
    wanted = ENERGY * (u + current) / power_of(drag, static_load, u)
    assert best.kind == INSIDE
    assert best.speed - current == pytest.approx(u, rel=1e-6), 'asked for: 1e-3'
    assert best.range == pytest.approx(wanted, rel=1e-9)
    assert best.endurance == pytest.approx(wanted / (u + current), rel=1e-6)


def test_still_water_has_the_textbook_speeds():
    assert best_speed(vessel_of('linear', 4.0), ENERGY, *along(0.0)).speed == pytest.approx(
        math.sqrt(4.0 / LINEAR), rel=1e-6)
    assert best_speed(vessel_of('quadratic', 4.0), ENERGY, *along(0.0)).speed == pytest.approx(
        (4.0 / (2.0 * QUADRATIC)) ** (1.0 / 3.0), rel=1e-6)


def test_a_head_current_sets_a_best_speed_even_without_a_static_load():
    """Linear drag: u = 2 c through the water; quadratic: 1.5 c."""
    assert best_speed(vessel_of('linear', 0.0), ENERGY, *along(-0.3)).through_water == pytest.approx(0.6, rel=1e-6)
    assert best_speed(vessel_of('quadratic', 0.0), ENERGY, *along(-0.3)).through_water == pytest.approx(0.45, rel=1e-6)


def test_where_there_is_no_best_speed_it_is_said_which_way():
    still, following = (best_speed(vessel_of('linear', 0.0), ENERGY, *along(c)) for c in (0.0, 0.3))
    assert still.kind == SLOWER_IS_BETTER
    assert (following.kind, following.range) == (DRIFT, math.inf)
    assert following.speed == pytest.approx(0.3)
    assert best_speed(vessel_of('linear', 500.0), ENERGY, *along(0.0)).kind == FASTEST
    against = best_speed(vessel_of('linear', 5.0), ENERGY, *along(-3.0))
    assert against.kind == NO_HEADWAY
    assert math.isnan(against.speed)
    assert round_speeds(fastest(vessel_of('linear', 5.0), *along(-3.0))).size == 0


def test_the_fastest_speed_is_thrust_over_drag_plus_the_current():
    assert fastest(vessel_of('linear', 0.0), *along(0.4)) == pytest.approx(THRUST / LINEAR + 0.4, rel=1e-6)
    assert fastest(vessel_of('quadratic', 0.0), *along(-0.4)) == pytest.approx(
        math.sqrt(THRUST / QUADRATIC) - 0.4, rel=1e-6)


def test_a_curve_says_nan_where_the_thrusters_cannot():
    speeds = np.array([0.5, 1.0, 1.3, 1.5])
    told = speed_curve(vessel_of('linear', 2.0), ENERGY, *along(0.0), speeds)
    np.testing.assert_allclose(told.power[:3], 2.0 + LINEAR * speeds[:3] ** 2, rtol=1e-9)
    np.testing.assert_allclose(told.endurance[:3], ENERGY / told.power[:3])
    np.testing.assert_allclose(told.range[:3], ENERGY / told.energy_per_meter[:3])
    assert np.isnan(told.range[3])


def test_a_polar_in_still_water_is_a_circle_and_in_a_current_an_egg():
    courses = np.radians(np.arange(0.0, 360.0, 45.0))
    still = polar(vessel_of('linear', 5.0), STILL, courses)
    np.testing.assert_allclose(still.energy_per_meter, still.energy_per_meter[0], rtol=1e-9)
    egg = polar(vessel_of('linear', 5.0), STILL._replace(current_x=0.3), courses)
    assert np.argmin(egg.energy_per_meter) == 0
    assert np.argmax(egg.energy_per_meter) == 4
    np.testing.assert_allclose(egg.energy_per_meter[1], egg.energy_per_meter[-1], rtol=1e-6)
    held = polar(vessel_of('linear', 5.0), STILL, courses, 0.8)
    np.testing.assert_allclose(held.energy_per_meter, (5.0 + LINEAR * 0.64) / 0.8, rtol=1e-9)


def test_the_energy_to_use_is_the_battery_s_less_the_reserve_or_what_is_given():
    boat = replace(BOAT, battery=Battery(100.0, 14.8, 0.9))
    assert BatteryUse().energy_of(boat) == pytest.approx(90.0 * 3600.0)
    assert BatteryUse(0.5, 0.2).energy_of(boat) == pytest.approx(30.0 * 3600.0)
    assert BatteryUse(0.1, 0.2).energy_of(boat) == 0.0
    assert BatteryUse(energy=5.0).energy_of(replace(BOAT, battery=None)) == 5.0
    with pytest.raises(InputError, match='has no battery'):
        BatteryUse().energy_of(replace(BOAT, battery=None))


@pytest.fixture
def scenario_of(tmp_path):
    """Return a function that writes a scenario over the thesis's first one, and reads it."""
    def made(text):
        path = tmp_path / 'mine.yaml'
        path.write_text(f'base: "1"\npublished: null\n{text}\n')
        return read_scenario(str(path))
    return made


def wanted(speed):
    return f'speed: {{mode: over_ground, target: {speed!r}}}'


def test_the_border_is_the_top_speed(scenario_of):
    top = top_speed(LUTRA)
    assert unreachable_speed(scenario_of(wanted(0.9999 * top))) == ''
    assert unreachable_speed(scenario_of(wanted(1.0001 * top))) == (
        f'speed.target is {1.0001 * top:g} m/s over ground; towards waypoint 1 the boat lutra_prop can hold at most '
        '1.36 m/s there, so it goes at full thrust')


def test_a_current_carries_or_holds_back(scenario_of):
    """The way is to the east: with the current the boat goes faster over ground by just that, against it slower."""
    scenario = scenario_of(wanted(1.5) + '\ncurrent: {speed: 0.3, direction_deg: 0}')
    assert scenario.current == UniformFlow(0.3, 0.0) and unreachable_speed(scenario) == ''
    against = unreachable_speed(scenario_of(wanted(1.1) + '\ncurrent: {speed: 0.3, direction_deg: 180}'))
    assert 'can hold at most 1.06 m/s there' in against
    assert 'can hold no speed at all' in unreachable_speed(
        scenario_of(wanted(0.5) + '\ncurrent: {speed: 2.0, direction_deg: 180}'))


def test_the_leg_that_is_too_much_is_named(scenario_of):
    legs = '\nwaypoints: [{x: 270, y: 95}, {x: 240, y: 95}]\ncurrent: {speed: 0.3, direction_deg: 0}'
    assert 'towards waypoint 2 ' in unreachable_speed(scenario_of(wanted(1.2) + legs))


def test_full_thrust_wants_no_speed(scenario_of):
    assert unreachable_speed(scenario_of('speed: {mode: full_thrust}')) == ''


def test_the_shipped_scenarios_can_be_run():
    assert [unreachable_speed(read_scenario(name)) for name in ('5', '6', '7')] == ['', '', '']
