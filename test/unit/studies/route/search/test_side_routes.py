"""Valleys of a row of numbers, distances between ways, and the ways around both sides of an island."""

import numpy as np
import pytest
from route_flows import Disc
from search_cases import problem_of

from usv_energy.studies.route.search.rough_ways import (
    SearchOptions,
    different_ways,
    hausdorff_distance,
    rough_ways_by_labels,
    valleys,
)


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
