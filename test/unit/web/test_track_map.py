"""A track's lines by levels of power cover all of it, once, and break at gaps."""

from itertools import pairwise

import numpy as np
import pytest

from usv_energy.show.page.page_parts import LEVELS
from usv_energy.web.track_map import degrees_of_track, lines_by_level

NEEDS = ('nicegui',)


def test_each_step_is_drawn_once_in_its_level():
    rng = np.random.default_rng(5)
    places, power = np.cumsum(rng.normal(size=(400, 2)), axis=0), rng.gamma(2.0, 30.0, 399)
    power[100:103] = np.nan
    lines, edges = lines_by_level(places, [None if np.isnan(one) else one for one in power])
    drawn = {}
    for level, found in enumerate(lines):
        for line in found:
            for step in pairwise(line):
                assert tuple(map(tuple, step)) not in drawn
                drawn[tuple(map(tuple, step))] = level
    assert len(drawn) == 399 - 3 and len(edges) == LEVELS + 1
    for number in np.flatnonzero(np.isfinite(power)):
        level = drawn[tuple(places[number]), tuple(places[number + 1])]
        assert level in (0, LEVELS - 1) or edges[level] <= power[number] <= edges[level + 1]


@pytest.mark.parametrize('power', [[5.0, 5.0, 5.0], [0.0, 0.0, 0.0], [None, None, None]])
def test_one_power_has_levels_about_it(power):
    lines, edges = lines_by_level(np.arange(8.0).reshape(4, 2), power)
    assert edges == sorted(edges) and edges[0] < edges[-1]
    assert sum(map(bool, lines)) == (power[0] is not None)


def test_local_metres_keep_their_shape():
    found = degrees_of_track({'x_m': [0.0, 100.0, 100.0], 'y_m': [0.0, 0.0, 100.0]})
    sides = np.diff(found, axis=0)
    assert sides[0, 0] == pytest.approx(0.0, abs=1e-9) and sides[1, 1] == pytest.approx(0.0, abs=1e-9)
    assert sides[0, 1] == pytest.approx(sides[1, 0], rel=0.01)   # Near the equator; of an ellipsoid.
    np.testing.assert_array_equal(degrees_of_track({'latitude_deg': [1.0], 'longitude_deg': [2.0]}), [[1.0, 2.0]])
