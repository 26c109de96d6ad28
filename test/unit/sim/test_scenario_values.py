import math
from dataclasses import replace

import numpy as np
import pytest
from vessel_numbers import vessel_numbers

from usv_energy.boats.boat_file import boat_from
from usv_energy.boats.vessel import Losses
from usv_energy.files.errors import InputError
from usv_energy.sim.scenario import read_scenario
from usv_energy.sim.scenario_values import checked_values, parameter_paths, scenario_with

SIX = read_scenario('6')


def with_values(scenario, number, **overrides):
    """Return the scenario of the last of so many runs, its values checked."""
    values = checked_values(scenario, number, overrides, frozenset())
    return scenario_with(scenario, {path: float(value[-1]) for path, value in values.items()})


def test_every_parameter_that_is_listed_changes_the_scenario_and_it_alone():
    """None may be named, taken and lost."""
    for path, quantity in parameter_paths(SIX).items():
        value = 0.123 if quantity.limits.get('maximum') == 1 else 7.31
        changed = scenario_with(SIX, {path: value})
        assert changed != SIX, path
        assert scenario_with(changed, {path: value}) == changed, path


def test_a_boat_parameter_is_that_of_the_boats_file():
    """What an override gives is what the file with that number gives, derived numbers included."""
    from usv_energy.files import checked
    document = checked.read_with_base('boats', SIX.boat.path)
    document['thrusters'] = [{**t, 'y': y, 'tilt_deg': 10.0} for t, y in zip(document['thrusters'], (0.3, -0.3))]
    document['thrusters'][0]['max_thrust'] = 12.0
    document['damping']['quadratic']['d22'] = 3.0
    wanted = boat_from(document, SIX.boat.path).vessel
    given = with_values(SIX, 2, **{
        'boat.thrusters.0.y': 0.3, 'boat.thrusters.1.y': -0.3, 'boat.thrusters.*.tilt_deg': 10.0,
        'boat.thrusters.0.max_thrust': 12.0, 'boat.damping.quadratic.d22': 3.0})
    assert given.boat is given.plant
    np.testing.assert_allclose(vessel_numbers(given.boat.vessel), vessel_numbers(wanted), rtol=1e-14)


def test_a_scenario_parameter_is_that_of_the_scenarios_file():
    changed = with_values(SIX, 1, **{
        'current.speed': 0.2, 'current.direction_deg': 90.0, 'start.heading_deg': 180.0, 'waypoints.0.y': 99.0,
        'controller.speed.ki': 3.0, 'guidance.lookahead': 5.0, 'stop.timeout': 9.0, 'speed.target': 0.7})
    assert (changed.current.x, changed.current.y) == pytest.approx((0.0, 0.2), abs=1e-16)
    assert changed.start[2] == math.pi and changed.waypoints == ((270.0, 99.0),)
    assert (changed.gains.speed_ki, changed.lookahead, changed.timeout, changed.speed) == (3.0, 5.0, 9.0, 0.7)
    only_direction = with_values(SIX, 1, **{'current.direction_deg': 0.0})
    assert (only_direction.current.x, only_direction.current.y) == pytest.approx((0.3, 0.0))
    assert with_values(read_scenario('1'), 1, **{'speed.target': 0.7}).speed == 0.7


@pytest.mark.parametrize('overrides, words', [
    ({'curent.speed': 0.1}, r"no parameter 'curent\.speed' to vary; did you mean current\.speed"),
    ({'boat.dampin.linear.d11': 1.0}, r'did you mean boat\.damping\.linear\.d11'),
    ({'plant.static_load': 1.0}, r'did you mean boat\.static_load'),
    ({'simulation.step': 0.1}, 'no parameter'),
    ({'speed.target': -1.0}, r'speed\.target goes from -1 to -1 m/s; must be greater than 0'),
    ({'boat.losses.efficiency': [0.5, 1.2]}, 'must be at most 1'),
    ({'speed.target': math.nan}, r'nan in run 0; must be a finite number'),
    ({'speed.target': [1.0, 1.0, 1.0]}, r'the shape \(3,\); must be \(2,\)'),
    ({'speed.target': 'fast'}, "'fast'; must be a number"),
    ({'boat.thrusters.0.y': [0.3, -0.3]}, 'no longer a pair in every run: the first must be to port of the other'),
    ({'boat.thrusters.*.max_thrust': -12.0},
     r'^boat\.thrusters\.0\.min_thrust is -11\.5; must be less than max_thrust, -12\.0'),
    ({'boat.inertia.m23': 9.0},
     r'^boat\.inertia\.m23 is 9\.0; its square must be less than m22 m33, 12\.00\d* \(run 0\)$'),
    ({'boat.damping.linear.d23': 90.0}, 'would drive the boat')])
def test_what_is_wrong_is_named(overrides, words):
    with pytest.raises(InputError, match=words):
        with_values(SIX, 2, **overrides)


def test_a_current_without_direction_cannot_get_a_speed_only():
    with pytest.raises(InputError, match=r'current\.speed varies, but .*1\.yaml has no current'):
        with_values(read_scenario('1'), 2, **{'current.speed': 0.1})
    with_values(read_scenario('1'), 2, **{'current.speed': 0.1, 'current.direction_deg': 0.0})


def test_a_plant_of_its_own_has_parameters_of_its_own():
    scenario = SIX.with_options(plant='lutra_prop_usvsim')
    changed = with_values(scenario, 1, **{'boat.inertia.m11': 20.0, 'plant.inertia.m11': 30.0})
    assert (changed.boat.vessel.inertia.m11, changed.plant.vessel.inertia.m11) == (20.0, 30.0)


def test_an_efficiency_does_not_go_with_a_map():
    boat = replace(SIX.boat, vessel=SIX.boat.vessel._replace(
        losses=Losses(1.0, 1.0, np.array([-20.0, 20.0]), np.array([0.0, 9.0]))))
    with pytest.raises(InputError, match=r'^boat\.losses\.efficiency is 0\.5 beside a map'):
        with_values(replace(SIX, boat=boat, plant=boat), 1, **{'boat.losses.efficiency': 0.5})


def test_a_wind_that_varies_is_the_one_at_its_height(tmp_path):
    path = tmp_path / 'windy.yaml'
    path.write_text('base: "1"\nwind: {speed: 8.0, direction_deg: 90.0, height: 10.0}\n')
    scenario = read_scenario(str(path))
    assert 'wind.speed' in parameter_paths(scenario) and 'wind.height' not in parameter_paths(scenario)
    changed = scenario_with(scenario, {'wind.speed': 4.0})
    assert changed.wind.y == pytest.approx(0.5 * scenario.wind.y, rel=1e-12)
    turned = scenario_with(scenario, {'wind.direction_deg': 0.0})
    assert turned.wind == pytest.approx((scenario.wind.y, 0.0), abs=1e-12)
