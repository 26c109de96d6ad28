"""The polish slides along the edges of obstacles: shortest ways round them, to a thousandth."""

import numpy as np
import pytest
from route_flows import Box, Disc, bowed

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.route_problem import PowerLaw, Route, RouteProblem

STILL = UniformFlow()
START, GOAL = (-1.0, 0.01), (2.0, -0.02)


def problem(barriers, start, goal, **more):
    return RouteProblem(start, goal, PowerLaw(1.0), STILL, STILL, barriers, **more)


def via(*places):
    points = np.array(places)
    time = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    return Route(time, points[:, 0], points[:, 1], np.ones(len(points) - 1), np.zeros(len(points)))


def meets(barriers, route):
    return barriers.crossed(route.x[:-1], route.y[:-1], route.x[1:], route.y[1:]).any()


@pytest.mark.parametrize('radius', [0.5, 0.05])
def test_the_shortest_way_round_a_disc(radius):
    disc = Disc(0.5, 0.0, radius)
    found = polished_route(problem(disc, START, GOAL, objective='time', speed=1.0), bowed(START, GOAL, 3.0, 0.3))
    assert found.cost == pytest.approx(disc.shortest(START, GOAL), rel=1e-3)
    assert found.cost < found.before
    assert not meets(disc, found.route)


def test_the_least_energy_round_a_disc_goes_evenly():
    disc = Disc(0.5, 0.0, 0.5)
    found = polished_route(problem(disc, START, GOAL, arrive_by=3.0), bowed(START, GOAL, 3.0, 0.3))
    length = disc.shortest(START, GOAL)
    assert found.cost == pytest.approx(length ** 3 / 3.0 ** 2, rel=1e-3)
    np.testing.assert_allclose(found.route.speed, length / 3.0, rtol=3e-3)


@pytest.mark.parametrize('box', [(1.0, -1.0, 3.0, 0.5), (1.9, -1.0, 2.1, 1.0), (1.99, -1.0, 2.0, 1.0)],
                         ids=['pier', 'mole', 'wall'])
def test_the_shortest_way_round_corners(box):
    barriers, (left, _, right, top) = Box(*box), box
    rough = via((0.0, 0.0), (left - 0.1, top + 0.5), (right + 0.1, top + 0.4), (4.0, 0.0))
    fastest = problem(barriers, (0.0, 0.0), (4.0, 0.0), objective='time', speed=1.0)
    found = polished_route(fastest, rough, most_parts=256)
    exact = np.hypot(left, top) + right - left + np.hypot(4.0 - right, top)
    assert found.cost == pytest.approx(exact, rel=1e-3)
    assert not meets(barriers, found.route)
