"""What the searches hand to the polish: ways from start to goal in time, and the speeds that they are made for."""

import math

import numpy as np
import pytest
from route_flows import Disc, four_vortices
from search_cases import problem_of
from test_label_search import sluice

from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.hop_search import rough_ways_by_hops
from usv_energy.studies.route.search.rough_ways import (
    SearchOptions,
    different_ways,
    hausdorff_distance,
    rough_ways_by_labels,
    usual_speed,
    valleys,
)


@pytest.mark.parametrize('search, settings', [
    (rough_ways_by_labels, {}),
    (rough_ways_by_hops, {'objective': 'energy', 'speed': None, 'cost': PowerLaw(1.0, 3.0, 1.0, 3.0)})])
def test_ways_lead_from_start_to_goal_in_rising_time(search, settings):
    problem = problem_of(four_vortices, goal=(6.0, 2.0), **settings)
    rough = search(problem, SearchOptions(points=3000, hop_points=2000), 40.0)
    assert len(rough.ways) >= 2 and not rough.ended
    for time, x, y in rough.ways:
        assert (np.diff(time) > 0.0).all() and time[0] == 0.0
        assert math.dist((x[0], y[0]), (0.0, 0.0)) < 1e-9 and math.dist((x[-1], y[-1]), (6.0, 2.0)) < 1e-9
    best = rough.ways[0][0][-1] if search is rough_ways_by_labels else rough.cost
    assert best == pytest.approx(rough.cost, rel=1e-6)


def test_usual_speeds():
    law = PowerLaw(1.0, 3.0, 1.0, 4.0)
    assert usual_speed(problem_of()) == 1.0
    assert usual_speed(problem_of(speed=None, cost=law)) == 4.0
    free = problem_of(speed=None, cost=law, objective='energy')
    assert usual_speed(free) == pytest.approx(0.5 ** (1 / 3), rel=0.01)
    assert usual_speed(free._replace(arrive_by=0.5)) == pytest.approx(2.0)


def test_the_race_is_waited_for():
    """In a strait that a race sweeps, the way lies still before it until it is over (see test_label_search)."""
    rough = rough_ways_by_labels(problem_of(sluice, extent=(-0.3, -0.15, 1.3, 0.15)), SearchOptions(points=1500), 4.0)
    time, x, y = rough.ways[0]
    still = (np.diff(x) == 0.0) & (np.diff(y) == 0.0)
    assert 0.3 < np.diff(time)[still].sum() < 1.2 and (x[:-1][still] < 0.36).all()


@pytest.mark.parametrize('line, height, places', [
    ([3, 1, 3, 2, 4], 0.5, [1, 3]), ([3, 1, 1.2, 1.1, 4], 0.5, [1]), ([3, 2, 2.2, 1, 4], 0.5, [3]),
    ([np.inf, 5, np.inf, 6, np.inf], 0.5, [1, 3]), ([4, 3, 2, 1], 0.5, [3]), ([np.inf, np.inf], 1.0, [])])
def test_valleys_of_a_row(line, height, places):
    assert valleys(np.array(line, dtype=float), height) == places


def test_ways_are_as_far_apart_as_their_farthest_points():
    time, x = np.zeros(50), np.linspace(0.0, 1.0, 50)
    one, bowed = (time, x, 0.0 * x), (time, x, 0.2 * np.sin(np.pi * x))
    assert hausdorff_distance(one, bowed) == pytest.approx(0.2, rel=0.01) and hausdorff_distance(one, one) == 0.0
    ways = [one, bowed, (time, x, 0.01 * np.sin(np.pi * x))]
    assert different_ways([0, 1, 2], ways.__getitem__, 1.0, 5) == ways[:2]
    assert different_ways([0, 1, 2], ways.__getitem__, 1.0, 1) == ways[:1]


def test_both_sides_of_an_island_are_found_the_shorter_one_first():
    disc = Disc(0.5, 0.05, 0.2)
    rough = rough_ways_by_labels(problem_of(barriers=disc), SearchOptions(points=4000, slack=1.3), 10.0)
    assert len(rough.ways) == 2
    below, above = (float(np.interp(0.5, way[1], way[2])) for way in rough.ways)
    assert below == pytest.approx(-0.15, abs=0.04) and above == pytest.approx(0.25, abs=0.04)
    assert rough.cost == pytest.approx(disc_below(disc), rel=0.02)


def disc_below(disc):
    """Return the shortest way round below: of the mirrored disc, the way above."""
    return Disc(disc.x, -disc.y, disc.radius).shortest((0.0, 0.0), (1.0, 0.0))
