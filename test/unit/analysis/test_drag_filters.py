"""Rival accounts: what data without noise ask for, and what one heading cannot tell."""

import math

import numpy as np
import pytest

from usv_energy.analysis.cruise_blocks import CruiseBlock
from usv_energy.analysis.drag_filters import BASE, DRAG_DRIFT, ODDS, OTHER_DRAG, TIMES, DragFilters, FlowSpread
from usv_energy.analysis.hull_response import CURRENT, DRAG
from usv_energy.boats.boat_file import read_boat

LUTRA = read_boat('lutra_prop').vessel
D11 = 16.296


def block(time, yaw, drag=1.0, current=(0.0, 0.0)):
    """Return a block at 1 m/s over ground with the air going along; the graph knows of no current."""
    c, s = math.cos(yaw), math.sin(yaw)
    ahead, port = current[0] * c + current[1] * s, current[1] * c - current[0] * s
    return CruiseBlock(time, yaw, 1.0, port, 0.0, 0.0, c - port * s, s + port * c, drag * D11 * (1.0 - ahead) ** 2, 0.0,
                       0.0)


def taken(filters, begin, end, yaw, **truth):
    """Return when a changed drag was believed within a time, s; `yaw` a function of the time."""
    found = []
    for time in np.arange(begin, end, 10.0):
        if filters.take(block(time, yaw(time), **truth)):
            found.append(time)
    return found


def lanes(time):
    return math.pi * (time // 60.0 % 2)


def east(time):
    return 0.0


@pytest.fixture
def settled():
    """Return filters that have seen half an hour of lanes in a current."""
    filters = DragFilters(LUTRA, FlowSpread())
    assert taken(filters, 0.0, 1800.0, lanes, current=(0.2, 0.1)) == []
    return filters


def test_lanes_tell_drag_and_current(settled):
    assert settled.mean[0, DRAG] == pytest.approx(0.0, abs=0.01)
    assert settled.mean[0, CURRENT] == pytest.approx([0.2, 0.1], abs=0.02)


def test_a_changed_drag_is_believed_on_the_second_heading(settled):
    found = taken(settled, 1800.0, 2400.0, lanes, drag=1.25, current=(0.2, 0.1))
    assert len(found) == 1 and 1860.0 <= found[0] <= 1980.0
    assert settled.mean[0, DRAG] == pytest.approx(math.log(1.25), abs=0.02)


def test_a_changed_current_is_none_of_drag(settled):
    assert taken(settled, 1800.0, 3600.0, lanes, current=(-0.1, 0.1)) == []
    assert settled.mean[0, DRAG] == pytest.approx(0.0, abs=0.03)
    assert settled.mean[0, CURRENT] == pytest.approx([-0.1, 0.1], abs=0.03)


@pytest.mark.parametrize('drag', [1.2, 1.5, 2.0])
def test_on_one_heading_more_power_is_never_believed_to_be_drag(settled, drag):
    assert taken(settled, 1800.0, 9000.0, east, drag=drag, current=(0.2, 0.1)) == []
    assert settled.sum < ODDS


def test_a_current_that_is_known_leaves_only_drag_on_one_heading():
    filters = DragFilters(LUTRA, FlowSpread(0.02, 0.3))
    assert taken(filters, 0.0, 1800.0, east) == []
    assert len(taken(filters, 1800.0, 2400.0, east, drag=1.25)) == 1


def test_the_deviation_grows_with_time_as_the_drag_drifts(settled):
    settled._predict(3600.0)
    before = settled.covariance[0, DRAG, DRAG]
    settled._predict(3600.0)
    assert settled.covariance[0, DRAG, DRAG] - before == pytest.approx(DRAG_DRIFT ** 2 * 3600.0)


def test_rivals_are_few_and_covariances_stay_so(settled):
    assert np.unique(settled.born[settled.kind != BASE]).size <= TIMES
    assert np.linalg.eigvalsh(settled.covariance).min() > 0.0
    np.testing.assert_allclose(settled.covariance, np.swapaxes(settled.covariance, 1, 2), atol=1e-12)


def test_the_sum_adds_the_evidence_of_all_times(settled):
    drag = settled.evidence[settled.kind == OTHER_DRAG]
    assert settled.sum == pytest.approx(np.exp(drag - settled.evidence[settled.kind != OTHER_DRAG].max()).sum())


def test_the_mixture_is_at_least_as_wide_as_the_base(settled):
    mean, covariance = settled.mixture()
    assert mean == pytest.approx(settled.mean[0], abs=0.03)
    assert covariance[DRAG, DRAG] >= 0.9 * settled.covariance[0, DRAG, DRAG]
