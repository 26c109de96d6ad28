"""What a run's picture shows of its way: patches and crosses where the obstacles and the collisions are."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from usv_energy.sim.obstacle import Obstacle
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.runs.run_picture import draw_planned_path, path_words

BUOY = Obstacle('buoy', ((250.0, 95.0),), 0.5)
PIER = Obstacle('pier', ((255.0, 99.0), (258.0, 99.0), (258.0, 104.0)))


@pytest.fixture(scope='module')
def run():
    return run_scenario(replace(read_scenario('1'), obstacles=(BUOY, PIER)))


def drawn(run):
    axes = Figure().subplots()
    draw_planned_path(axes, run)
    return axes


def test_obstacles_lie_where_they_are_and_a_cross_where_one_is_hit(run):
    axes = drawn(run)
    disc, polygon = axes.patches
    assert isinstance(disc, Circle) and (disc.center, disc.radius) == (BUOY.outline[0], 0.5)
    assert isinstance(polygon, Polygon)
    np.testing.assert_array_equal(polygon.get_xy()[:3], PIER.outline)
    (cross,) = axes.get_lines()
    assert cross.get_label() == '1 collision'
    # The bow, 0.53 m ahead, is at the buoy's edge.
    assert cross.get_xdata()[0] == pytest.approx(250.0 - 0.5 - 0.53, abs=0.03)


def test_the_planned_path_is_drawn_where_it_has_several_legs(run):
    clear = replace(run.scenario, obstacles=(), waypoints=((260.0, 95.0), (260.0, 110.0)))
    (planned,) = drawn(run._replace(scenario=clear)).get_lines()
    assert planned.get_label() == 'planned'
    np.testing.assert_array_equal(planned.get_xydata(), [(240.0, 95.0), (260.0, 95.0), (260.0, 110.0)])
    assert not drawn(run._replace(scenario=read_scenario('1'))).get_lines()


def test_the_title_has_deviation_and_room_where_they_say_something(run):
    assert path_words(run) == 'off its path by 0.00 m (rms), 0.00 m (most); least room to an obstacle 0.00 m'
    assert path_words(run._replace(scenario=read_scenario('1'))) == ''
    assert path_words(run._replace(rows=[])) == ''
