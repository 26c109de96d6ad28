"""A speed that a scenario wants and its boat cannot hold is said by name."""

import pytest
from planning_boats import LUTRA

from usv_energy.flow.analytic import UniformFlow
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.plan.steady_motion import top_speed
from usv_energy.studies.plan.steady_range import unreachable_speed


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
