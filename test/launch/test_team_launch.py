"""team.launch.py by `ros2 launch`: several boats and their quadcopters, each in its namespace."""

import json
import re

import pytest
import yaml
from launched import assert_quiet

from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import run_team
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

pytestmark = [pytest.mark.ros2cli, pytest.mark.usefixtures('ros2_tools')]
LAUNCH = ('ros2', 'launch', 'usv_energy', 'team.launch.py')


@pytest.mark.parametrize(('argument', 'message'), [
    ('team:=three_boat', "no team named 'three_boat'. Did you mean 'three_boats'?"),
    ('team:=windy', 'has waves, which lift the decks of boats in the plane'),
    ('pace:=fast', "parameter pace is 'fast'; must be 'lockstep'"),
    ('teem:=box', "no argument 'teem'. Did you mean 'team'?")])
def test_a_wrong_argument_ends_the_launch_with_its_reason(start, argument, message):
    process = start(*LAUNCH, argument, 'record:=false')
    assert process.exit_code() == 1
    assert message in process.output() and 'Traceback' not in process.output()


def test_a_flight_that_its_battery_does_not_hold_ends_the_launch_before_anything_starts(start, tmp_path):
    path = tmp_path / 'far.yaml'
    path.write_text(yaml.safe_dump({
        'title': 'Too long a flight', 'boats': [{'name': 'alpha', 'scenario': 'uav_usv/box'}],
        'quadcopters': [{'name': 'bee', 'deck': 'alpha', 'quadcopter': 'ar_drone',
                         'flight': {'take_off': 2.0, 'land': 2000.0}}]}))
    process = start(*LAUNCH, f'team:={path}', 'record:=false')
    assert process.exit_code() == 1
    assert 'flight of bee' in process.output() and 'Wh' in process.output()
    assert 'process started' not in process.output()


def test_three_boats_reach_their_goals_and_both_quadcopters_land_on_their_decks(start, tmp_path):
    """Those of `usv-energy team`; a boat without a quadcopter takes what it takes alone, the others within 1 %."""
    launch = start(*LAUNCH, 'team:=three_boats', 'bag:=false', 'plots:=false', f'out:={tmp_path}')
    assert launch.exit_code() == 0, launch.output()
    output = launch.output()
    assert_quiet(output)
    plan = read_team('three_boats')
    for boat in run_team(plan).boats:
        name = boat.scenario.name
        summary = json.loads((tmp_path / f'{name}_rep103/summary.json').read_text())
        assert summary['outcome'] == boat.outcome == 'reached'
        assert summary['energy_j'] == pytest.approx(boat.energy.total, rel=0.01)  # On a graph it feels no deck load.
        alone = run_scenario(read_scenario(str(tmp_path / f'{name}.yaml'))).energy.total
        assert summary['energy_j'] == pytest.approx(alone, rel=1e-9)
    for craft in plan.crafts:
        said = rf'\[{craft.name}\.quadcopter_simulator\]: '
        stages = re.findall(said + '(on deck|take-off|follow|approach|landing|landed)', output)
        assert [stage for number, stage in enumerate(stages) if stage not in stages[:number]] == [
            'on deck', 'take-off', 'follow', 'approach', 'landing', 'landed'], output
        error, speed = re.search(said + r'landed: ([\d.]+) m .* ([\d.]+) m/s', output).groups()
        assert float(error) < 0.10 and float(speed) < 1.0
