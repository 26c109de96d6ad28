import csv
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.sim.obstacle import Obstacle
from usv_energy.sim.run_files import has_track_file, write_track
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.sim.track_figures import track_of, track_summary


@pytest.fixture(scope='module')
def run():
    scenario = replace(read_scenario('1'), waypoints=((260.0, 95.0), (260.0, 105.0)))
    return run_scenario(replace(scenario, obstacles=(Obstacle('buoy', ((262.0, 101.0),), 0.5),)))


def read(path):
    with path.open(encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def test_the_table_has_the_figures_of_the_summary(run, tmp_path):
    write_track(run, tmp_path / 'track.csv')
    rows, figures = read(tmp_path / 'track.csv'), track_summary(run)
    assert len(rows) == len(run.rows)
    assert max(float(row['path_deviation_m']) for row in rows) == figures['path_deviation_max_m']
    assert max(float(row['speed_over_ground_m_s']) for row in rows) == figures['peak_speed_over_ground_m_s']
    assert min(float(row['clearance_m']) for row in rows) == figures['least_clearance_m']
    assert sorted({row['leg'] for row in rows}) == ['1', '2']
    np.testing.assert_array_equal([float(row['x_m']) for row in rows], track_of(run).x)


def test_without_obstacles_there_is_no_such_column(run, tmp_path):
    clear = run._replace(scenario=replace(run.scenario, obstacles=()))
    write_track(clear, tmp_path / 'track.csv')
    assert 'clearance_m' not in read(tmp_path / 'track.csv')[0]


def test_one_leg_in_open_water_has_no_table(run):
    assert has_track_file(run)
    assert has_track_file(run._replace(scenario=replace(run.scenario, waypoints=((260.0, 95.0),))))
    assert has_track_file(run._replace(scenario=replace(run.scenario, obstacles=())))
    assert not has_track_file(run._replace(scenario=read_scenario('1')))
