"""Mission files on the graph: driven, powered and recorded as without ROS, in the water and wind that are given."""

import json

import pytest
from harness import DEADLINE

from usv_energy.files.errors import InputError
from usv_energy.ros.graph.compose import Composition, graph_of, is_done, parser
from usv_energy.sim.record import summary_of
from usv_energy.sim.runner import run_scenario
from usv_energy.studies.mission.scenario_to_run import RunChoice, scenario_to_run

WAYPOINTS = """QGC WPL 110
0\t1\t0\t16\t0\t0\t0\t0\t45.6073\t9.5524\t0\t1
1\t0\t3\t178\t1\t0.8\t0\t0\t0\t0\t0\t1
2\t0\t3\t16\t0\t0\t0\t0\t45.6073\t9.5526\t0\t1
3\t0\t3\t16\t8\t0\t0\t0\t45.6074\t9.5526\t0\t1
"""
GIVEN = {'boat': 'lutra_prop', 'speed': 0.6, 'current': '0.2,90', 'wind': '3,200', 'wind_height': 10.0}


@pytest.fixture
def mission(tmp_path):
    path = tmp_path / 'harbour.waypoints'
    path.write_text(WAYPOINTS)
    return path


def nodes(mission, out, given):
    words = ['scenario', f'--scenario={mission}', f'--out={out}', '--no-bag', '--no-plots',
             *(f'--{name.replace("_", "-")}={value}' for name, value in given.items())]
    return graph_of(parser().parse_args(words), words, False)


def test_a_mission_on_the_graph_is_the_one_without_ros(ros, mission, tmp_path):
    with Composition(nodes(mission, tmp_path, GIVEN), '/diffboat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
    summary = json.loads((tmp_path / 'harbour_rep103' / 'summary.json').read_text())
    plain = summary_of(run_scenario(scenario_to_run(str(mission), RunChoice(**GIVEN))), 'usv-energy')
    assert summary['outcome'] == 'reached'
    assert summary['energy_j'] == pytest.approx(plain['energy_j'], rel=1e-9)
    assert [leg['leg'] for leg in summary['legs']] == ['item 2', 'item 3', 'hold at item 3']
    for ours, other in zip(summary['legs'], plain['legs'], strict=True):
        assert ours.pop('leg') == other.pop('leg')
        assert ours == pytest.approx(other, rel=1e-9, abs=1e-9)


def test_a_flow_that_is_given_wins_over_params_files_and_the_boats_speed_is_no_flows(ros, mission, tmp_path):
    specs = {spec.name: spec for spec in nodes(mission, tmp_path, GIVEN)}
    assert {'mode', 'speed', 'direction_deg'} <= specs['current_client'].overrides().keys()
    assert specs['scenario_driver'].overrides()['speed'] == 0.6
    specs = {spec.name: spec for spec in nodes(mission, tmp_path, {'boat': 'lutra_prop', 'speed': 0.6})}
    assert 'speed' in specs['current_client'].defaults()


@pytest.mark.parametrize(('given', 'fault'), [
    ({}, 'is a mission, which says nothing of its boat: give a boat'),
    ({'boat': 'lutra_prop', 'current': '0.2'}, "current is '0.2'; must be `0.5 kn set 090`"),
    ({'boat': 'lutra_prop', 'speed': -1.0}, 'speed is -1; must be above 0')])
def test_what_is_missing_or_wrong_is_said_by_name(ros, mission, tmp_path, given, fault):
    with pytest.raises(InputError, match=fault):
        nodes(mission, tmp_path, given)
