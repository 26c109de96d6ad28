"""Missions of several legs and among obstacles on the real graph: the same track, figures and hits as without ROS."""

import json

import pytest
import yaml
from harness import DEADLINE, at_ten_hertz

from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.sim.run_files import write_track
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.sim.track_figures import whole_summary

FIGURES = ('path_deviation_rms_m', 'path_deviation_max_m', 'peak_speed_over_ground_m_s', 'peak_speed_through_water_m_s',
           'mean_speed_over_ground_m_s', 'distance_over_ground_m', 'duration_s', 'energy_j', 'first_collision_s',
           'first_collision_x_m', 'first_collision_y_m', 'least_clearance_m')


def summary_on_graph(scenario, out):
    specs = scenario_nodes(scenario, ScenarioOptions(out=str(out), bag=False, plots=False))
    with Composition(specs, '/diffboat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
    return json.loads((out / f'{scenario.name}_rep103/summary.json').read_text())


def assert_same(summary, plain):
    assert summary['outcome'] == plain['outcome'] == 'reached'
    for key in FIGURES:
        if plain[key] is None:
            assert summary[key] is None, key
        else:
            assert summary[key] == pytest.approx(plain[key], rel=1e-9, abs=1e-9), key
    for key in ('obstacles', 'collisions', 'first_collision_with', 'waypoints'):
        assert summary[key] == plain[key], key


@pytest.mark.parametrize('name', ['box', 'sweep'])
def test_box_and_sweep_of_the_uav_and_its_boat(ros, tmp_path, name):
    """[V] 6.1: every waypoint is reached within the circle of acceptance, 0.5 m."""
    scenario = read_scenario(at_ten_hertz(f'uav_usv/{name}', tmp_path))
    plain = run_scenario(scenario)
    assert_same(summary_on_graph(scenario, tmp_path), whole_summary(plain, 'usv-energy'))
    for x, y in scenario.waypoints:
        assert min((row.x - x) ** 2 + (row.y - y) ** 2 for row in plain.rows) < 0.5 ** 2


def test_hits_are_counted_on_the_graph_as_without_it(ros, tmp_path):
    path = tmp_path / 'harbour.yaml'
    path.write_text(yaml.safe_dump({
        'base': '3', 'published': None, 'waypoints': [{'x': 255.0, 'y': 95.0}, {'x': 255.0, 'y': 105.0}],
        'obstacles': [{'name': 'buoy', 'x': 250.0, 'y': 95.0, 'radius': 0.4},
                      {'name': 'pier', 'corners': [{'x': 256, 'y': 97}, {'x': 262, 'y': 97}, {'x': 262, 'y': 99}]}]}))
    scenario = read_scenario(str(path))
    plain = run_scenario(scenario)
    figures = whole_summary(plain, 'usv-energy')
    assert_same(summary_on_graph(scenario, tmp_path), figures)
    assert (figures['collisions'], figures['first_collision_with']) == (1, 'buoy')
    write_track(plain, tmp_path / 'plain.csv')
    one, other = (
        [[float(cell) for cell in line.split(',')] for line in table.read_text().splitlines()[1:]]
        for table in (tmp_path / 'plain.csv', tmp_path / 'harbour_rep103/track.csv'))
    assert len(one) == len(other) == len(plain.rows)
    for mine, theirs in zip(one, other):
        assert theirs == pytest.approx(mine, rel=1e-9, abs=1e-9)
