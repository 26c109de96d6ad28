"""Which rival accounts there are: how they leave the base, and which of too many go."""

import math

import numpy as np
import pytest
from drag_rivals import DOUBT, LUTRA, with_rivals

from usv_energy.studies.analyze.current.flow_from_sway import STATES
from usv_energy.studies.analyze.hull.drag_filters import (
    BASE,
    CHANGE,
    CHANGE_SPREAD,
    DRAG_SPREAD,
    LONGEST,
    OTHER_BOTH,
    OTHER_CURRENT,
    OTHER_DRAG,
    PRIORS,
    TIMES,
    DragFilters,
)
from usv_energy.studies.analyze.hull.hull_response import CURRENT, DRAG, UNKNOWNS, WIND


def test_rivals_begin_with_the_base_and_what_may_have_changed():
    filters = DragFilters(LUTRA, DOUBT)
    filters.mean[0, :UNKNOWNS] = 0.1, 0.2, 0.3, 0.4, 0.5, 0.01
    before, yaw = filters.covariance[0].copy(), 0.6
    filters._branch(100.0, yaw)
    assert filters.kind.tolist() == [BASE, OTHER_CURRENT, OTHER_CURRENT, OTHER_DRAG, OTHER_BOTH]
    assert filters.born.tolist() == [0.0, *[100.0] * 4] and filters.evidence[1:] == pytest.approx(np.log(PRIORS))
    assert pytest.approx([10.0 / 1200.0, 10.0 / 1200.0, 1.0, 1.0]) == PRIORS  # Of blocks: every 20 min.
    shift = np.zeros((5, STATES))
    shift[3, DRAG] = CHANGE
    np.testing.assert_array_equal(filters.mean, np.tile(filters.mean[0], (5, 1)) + shift)
    more = filters.covariance - before
    any_flow, along, drag, both = np.zeros((4, STATES, STATES))
    any_flow[CURRENT, CURRENT], any_flow[WIND, WIND] = 0.04 * np.eye(2), 0.64 * np.eye(2)
    ahead = np.array([math.cos(yaw), math.sin(yaw)])
    along[CURRENT, CURRENT] = 0.04 * np.outer(ahead, ahead)
    drag[DRAG, DRAG], both[DRAG, DRAG] = CHANGE_SPREAD ** 2, DRAG_SPREAD ** 2
    both[CURRENT, CURRENT] = 0.04 * np.eye(2)
    np.testing.assert_allclose(more[1:], [any_flow, along, drag, both], atol=1e-15)


def test_rivals_are_dropped_that_are_too_old_or_too_close_in_age():
    filters = with_rivals(0.0, 1000.0)
    filters._thin(LONGEST)
    assert np.unique(filters.born[1:]).tolist() == [0.0, 1000.0]
    filters._thin(LONGEST + 0.1)
    assert np.unique(filters.born[1:]).tolist() == [1000.0] and filters.born[0] == 0.0
    births = [100.0 * n for n in range(TIMES)]
    full = with_rivals(*births)
    assert np.unique(full.born[1:]).tolist() == births, 'the last came after the others were thinned'
    full.evidence = np.where(full.born > 1500.0, 1.0, 0.0)
    full._thin(2000.0)
    ages = 2000.0 - np.array(births)
    closest = 1 + int(np.argmin((ages[:-2] - ages[2:]) / ages[1:-1]))
    assert np.unique(full.born[1:]).tolist() == [one for one in births if one != births[closest]]
    assert closest == 1, 'the older the sparser: 200 s are the least part of the age of the second'


def test_rivals_that_are_likely_are_not_dropped():
    """The three times whose changed drag is likeliest stay; the next in line by its age goes, and one is too few."""
    births = [100.0 * n for n in range(TIMES)]
    for likely, dropped in (((100.0, 200.0, 300.0), 400.0), ((100.0, 300.0, 400.0), 200.0),
                            ((200.0, 700.0, 900.0), 100.0)):
        full = with_rivals(*births)
        full.evidence = np.where((full.kind == OTHER_DRAG) & np.isin(full.born, likely), 5.0, 0.0)
        full._thin(2000.0)
        assert np.unique(full.born[1:]).tolist() == [one for one in births if one != dropped]
        assert full.kind.tolist() == [BASE, *[OTHER_CURRENT, OTHER_CURRENT, OTHER_DRAG, OTHER_BOTH] * (TIMES - 1)]


def test_of_rivals_in_the_middle_the_one_closest_to_its_neighbours_goes():
    """Ages of four fifths, but for two close together: the one whose neighbours are least apart for its age."""
    ages = np.sort(np.array([6000.0 * 0.8 ** n for n in range(TIMES - 1)] + [1600.0]))[::-1]
    filters = with_rivals(*(7000.0 - ages))
    filters.evidence = np.where(filters.born > 6500.0, 1.0, 0.0)
    filters._thin(7000.0)
    left = [age for age in ages if age != 6000.0 * 0.8 ** 6]
    np.testing.assert_allclose(np.unique(7000.0 - filters.born[1:])[::-1], left, rtol=1e-12)
