"""The folder of a team: scenarios as files, summary last, what is refused."""

import json

from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import run_team
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.team.team_page import write_scenarios, write_team


def test_scenarios_are_written_as_run_takes_them(tmp_path):
    """What is read back is the plan's scenario, but for the file that it says it is from."""
    plan = read_team('three_boats')
    for boat, path in zip(plan.boats, write_scenarios(plan, tmp_path)):
        back = read_scenario(str(path))
        assert path.name == f'{boat.name}.yaml' and back.name == boat.name
        for key in ('start', 'waypoints', 'speed', 'current', 'wind', 'gains', 'radius', 'timeout', 'step', 'period'):
            assert getattr(back, key) == getattr(boat.scenario, key), key
        assert back.boat.path == boat.scenario.boat.path
    assert write_scenarios(read_team('box'), tmp_path) == [read_scenario('uav_usv/box').path]


def test_all_that_is_named_is_there_and_the_summary_is_whole(tmp_path):
    run = run_team(read_team('box'))
    for path in write_team(run, tmp_path / 'out'):
        assert path.stat().st_size > 0
    summary = json.loads((tmp_path / 'out' / 'summary.json').read_text())
    boat = json.loads((tmp_path / 'out' / 'boat_rep103' / 'summary.json').read_text())
    assert summary['boats']['boat']['own_j'] == boat['energy_j']
