"""A scenario with another boat: that boat's gains, no figures of the scenario's own boat, a title that says which."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.sim.control.control import course_gains
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import are_versions, read_scenario
from usv_energy.studies.mission.scenario_to_run import RunChoice, scenario_to_run


@pytest.fixture
def over_5(tmp_path):
    """Return a function that reads a scenario of a file over scenario 5."""
    def read(text):
        path = tmp_path / 'mine.yaml'
        path.write_text(f'base: "5"\n{text}\n')
        return read_scenario(str(path))
    return read


def straight_to_the_end(scenario):
    """Assert that a run of 30 m goes there by the straight way, and comes to an end within its time."""
    run = run_scenario(scenario)
    assert run.outcome == 'reached' and run.duration < scenario.timeout
    (x, y), radius = scenario.waypoints[-1], scenario.radius
    straight = math.hypot(x - scenario.start[0], y - scenario.start[1])
    assert run.energy.distance_over_ground < 1.05 * straight
    assert math.hypot(run.rows[-1].x - x, run.rows[-1].y - y) <= radius + 0.1


@pytest.mark.parametrize('boat', ['milliampere', 'wamv', 'otter', 'kayak', 'blueboat'])
def test_a_file_s_other_boat_goes_straight_with_its_own_gains_and_a_title_of_its_own(over_5, boat):
    five, other = read_scenario('5'), over_5(f'boat: {boat}')
    length = read_boat(boat).hull.length
    assert other.gains == course_gains(other.plant.vessel, 1.0, 3.0 * length)[0] != five.gains
    assert other.title == f'{five.title}, {boat}' and math.isnan(other.published.energy)
    straight_to_the_end(other)


@pytest.mark.parametrize(('name', 'boat'), [('6', 'wamv'), ('1', 'milliampere'), ('7', 'kayak')])
def test_so_does_one_that_is_asked_for_on_the_command_line(name, boat):
    asked, own = scenario_to_run(name, RunChoice(boat)), read_scenario(name)
    assert asked.title == f'{own.title}, {boat}' and asked.gains != own.gains
    assert math.isnan(asked.published.energy) and not asked.published.source
    straight_to_the_end(asked)


def test_what_the_file_says_itself_stays(over_5, tmp_path):
    gains = 'controller: {heading: {kp: 900.0, kd: 2000.0}, speed: {kp: 700.0, ki: 300.0}}'
    own = over_5(f'boat: milliampere\ntitle: mine\n{gains}\nguidance: {{lookahead: 12.0}}\nstop: {{radius: 4.0}}')
    assert own.title == 'mine' and own.gains[:4] == (900.0, 2000.0, 700.0, 300.0)
    assert (own.lookahead, own.radius) == (12.0, 4.0)
    over = tmp_path / 'over.yaml'
    over.write_text('base: mine.yaml\nwind: {speed: 1.0, direction_deg: 90.0}\n')
    assert read_scenario(str(over)).gains == own.gains


def test_a_file_over_such_a_file_has_its_boat_s_gains_too(over_5, tmp_path):
    below = over_5('boat: milliampere')
    over = tmp_path / 'over.yaml'
    over.write_text('base: mine.yaml\nspeed: {target: 1.0}\n')
    assert read_scenario(str(over)).gains == below.gains


def test_versions_of_a_boat_keep_the_gains_that_were_set_for_it(over_5):
    five = read_scenario('5')
    for boat in ('lutra_prop_usvsim', 'lutra_prop_eq57', 'lutra_rudder'):
        assert over_5(f'boat: {boat}').gains == five.gains == five.with_options(boat=boat).gains
    assert are_versions(read_boat('otter_parts'), read_boat('otter'))
    assert not are_versions(read_boat('otter'), read_boat('wamv'))
