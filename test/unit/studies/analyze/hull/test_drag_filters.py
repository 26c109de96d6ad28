"""Rival accounts: what data without noise ask for, and what one heading cannot tell."""

import math
from copy import deepcopy

import numpy as np
import pytest
from drag_rivals import DOUBT, LUTRA, with_rivals

from usv_energy.studies.analyze.current.flow_from_sway import STATES, with_scatter
from usv_energy.studies.analyze.hull import drag_filters
from usv_energy.studies.analyze.hull.drag_filters import (
    BASE,
    CHANGE,
    CHANGE_SPREAD,
    CLIP,
    CURRENT_DRIFT,
    DRAG_DRIFT,
    DRAG_SPREAD,
    GUST,
    GUSTS,
    LONGEST,
    MOST_NOISE,
    NOISE_MEMORY,
    OTHER_BOTH,
    OTHER_CURRENT,
    OTHER_DRAG,
    PRIORS,
    RELATIVE_NOISE,
    SPEED_NOISE,
    TIMES,
    TOLD,
    WIND_TIME,
    DragFilters,
    FlowSpread,
)
from usv_energy.studies.analyze.hull.hull_response import CURRENT, DRAG, TURNED, UNKNOWNS, WIND, CruiseBlock

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


@pytest.fixture(scope='module')
def after_half_an_hour():
    filters = DragFilters(LUTRA, FlowSpread())
    assert taken(filters, 0.0, 1800.0, lanes, current=(0.2, 0.1)) == []
    return filters


@pytest.fixture
def settled(after_half_an_hour):
    """Return filters of the test's own that have seen half an hour of lanes in a current."""
    return deepcopy(after_half_an_hour)


def test_lanes_tell_drag_and_current(settled):
    assert settled.mean[0, DRAG] == pytest.approx(0.0, abs=0.01)
    assert settled.mean[0, CURRENT] == pytest.approx([0.2, 0.1], abs=0.02)


def test_a_changed_drag_is_believed_on_the_second_heading(settled):
    found = taken(settled, 1800.0, 2400.0, lanes, drag=1.25, current=(0.2, 0.1))
    assert len(found) == 1 and 1860.0 <= found[0] <= 1980.0
    assert settled.mean[0, DRAG] == pytest.approx(math.log(1.25), abs=0.02)


@pytest.mark.parametrize('begin', [1800.0, 1810.0, 1820.0])
def test_the_likeliest_change_is_the_one_that_began_with_the_first_fouled_block(settled, begin):
    assert taken(settled, 1800.0, begin, lanes, current=(0.2, 0.1)) == []
    assert taken(settled, begin, begin + 30.0, lanes, drag=1.25, current=(0.2, 0.1)) == []
    drags = np.flatnonzero(settled.kind == OTHER_DRAG)
    assert settled.born[drags[np.argmax(settled.evidence[drags])]] == begin


def test_a_changed_current_is_none_of_drag(settled):
    assert taken(settled, 1800.0, 3600.0, lanes, current=(-0.1, 0.1)) == []
    assert settled.mean[0, DRAG] == pytest.approx(0.0, abs=0.03)
    assert settled.mean[0, CURRENT] == pytest.approx([-0.1, 0.1], abs=0.03)


@pytest.mark.parametrize('drag', [1.2, 1.5, 2.0])
def test_on_one_heading_more_power_is_never_believed_to_be_drag(settled, drag):
    assert taken(settled, 1800.0, 9000.0, east, drag=drag, current=(0.2, 0.1)) == []
    assert settled.sum < 2160.0


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
    assert mean == pytest.approx(settled.mean[0, :UNKNOWNS], abs=0.03)
    assert covariance[DRAG, DRAG] >= 0.9 * settled.covariance[0, DRAG, DRAG]


def test_what_is_known_fades_to_what_was_doubted_at_first(settled):
    """An Ornstein-Uhlenbeck process each: after a long time the spread of FlowSpread, means 0, the drag's kept."""
    filters = DragFilters(LUTRA, DOUBT)
    filters.mean[0] = 0.1, 0.2, 0.3, 0.4, 0.5, 0.01, 0.03, 0.04, 0.05, 0.06
    filters.covariance[0] = np.diag([0.01, 0.001, 0.002, 0.003, 0.004, 1e-4, *[0.0] * 4])
    strength = filters._water.strength
    filters._predict(60.0)
    slow = 2.0 * 0.2 ** 2 / CURRENT_DRIFT ** 2
    current, wind = math.exp(-60.0 / slow), math.exp(-60.0 / WIND_TIME)
    eddy, odometry = math.exp(-60.0 / 60.0), math.exp(-60.0 / 30.0)
    keep = np.array([1.0, current, current, wind, wind, 1.0, eddy, eddy, odometry, odometry])
    assert filters.mean[0] == pytest.approx(keep * (0.1, 0.2, 0.3, 0.4, 0.5, 0.01, 0.03, 0.04, 0.05, 0.06), rel=1e-12)
    added = [DRAG_DRIFT ** 2 * 60.0, *[0.04 * (1.0 - current ** 2)] * 2, *[0.64 * (1.0 - wind ** 2)] * 2, 0.0,
             *[(0.02 * strength) ** 2 * (1.0 - eddy ** 2)] * 2, *[(0.015 * strength) ** 2 * (1.0 - odometry ** 2)] * 2]
    assert np.diag(filters.covariance[0]) == pytest.approx(
        keep ** 2 * (0.01, 0.001, 0.002, 0.003, 0.004, 1e-4, *[0.0] * 4) + added, rel=1e-12)
    in_a_second = 0.04 * (1.0 - math.exp(-2.0 / slow))
    assert in_a_second == pytest.approx(CURRENT_DRIFT ** 2, rel=1e-3)
    filters._predict(1e9)
    assert np.diag(filters.covariance[0])[1:5] == pytest.approx([0.04, 0.04, 0.64, 0.64])
    known = DragFilters(LUTRA, FlowSpread(1e-4, 0.8))
    known.mean[0, CURRENT] = 1.0
    known._predict(60.0)
    assert known.mean[0, CURRENT] == pytest.approx([math.exp(-1.0)] * 2), 'a minute at least'


def test_the_noise_of_a_block_is_that_of_speed_gusts_and_power():
    slopes = np.zeros((1, 2, UNKNOWNS))
    slopes[0, 0, CURRENT], slopes[0, 0, WIND], slopes[0, 1, CURRENT] = (3.0, 4.0), (0.5, 1.2), (1.0, 0.0)
    filters = DragFilters(LUTRA, DOUBT)
    for wind, gust in (((0.0, 0.0), GUST), ((3.0, 4.0), 0.6), ((0.0, 1.0), GUST)):
        found = filters._noise(block(0.0, 0.0)._replace(wind_x=wind[0], wind_y=wind[1]), slopes)
        assert found[0] == pytest.approx([25.0 * SPEED_NOISE ** 2 + 1.69 * gust ** 2 + RELATIVE_NOISE ** 2,
                                          SPEED_NOISE ** 2])
    assert pytest.approx(0.6) == GUSTS * 5.0


def test_the_scatter_follows_squares_of_surprises_from_1_to_9():
    filters = DragFilters(LUTRA, DOUBT)
    filters._follow_scatter(0, 4.0)
    assert filters._scatter.tolist() == [pytest.approx(1.0 + 3.0 / NOISE_MEMORY), 1.0]
    filters._follow_scatter(1, 1e9)
    assert filters._scatter[1] == pytest.approx(1.0 + (CLIP ** 2 - 1.0) / NOISE_MEMORY)
    for _ in range(100):
        filters._follow_scatter(0, 100.0)
        filters._follow_scatter(1, 0.0)
    assert filters._scatter.tolist() == [MOST_NOISE, 1.0]


@pytest.mark.parametrize(('deviation', 'change', 'anyhow', 'told'), [
    (0.1, 0.3, 0.2, True), (0.1, -0.3, -0.2, True), (0.1, 0.3, -0.2, False), (0.1, -0.3, 0.2, False),
    (0.1, 0.3, 0.09, False), (TOLD + 1e-9, 0.3, 0.2, False), (TOLD + 1e-9, 0.3, 0.05, False),
    (TOLD - 1e-9, 0.3, 0.2, True), (0.1, 0.3, 0.12, True), (0.1, 5.0, 0.12, True), (0.0625, 0.25, 0.0625, False)])
def test_a_changed_drag_is_told_where_it_is_so_beside_a_changed_current(deviation, change, anyhow, told):
    """By the account of both that left at that time: known to 0.12, and off by more than its deviation that way."""
    filters = with_rivals(0.0, 100.0)
    drag, both = (int(np.flatnonzero((filters.kind == kind) & (filters.born == 100.0))[0])
                  for kind in (OTHER_DRAG, OTHER_BOTH))
    filters.mean[0, DRAG] = 0.0625  # Exact in binary: equal is equal.
    filters.mean[drag, DRAG], filters.mean[both, DRAG] = 0.0625 + change, 0.0625 + anyhow
    filters.covariance[both, DRAG, DRAG] = deviation ** 2
    assert filters._is_changed(drag) is told


def test_the_mixture_is_that_of_the_accounts_by_their_likelihood():
    """A changed drag is one block of 2160 (6 h) beforehand; of drag and current together is no account of its own."""
    filters = with_rivals(0.0)
    filters.evidence = np.log([2.0, 1.0, 1.0, 4.0 * 2160.0, 1e9])
    filters.mean = np.arange(5.0)[:, None] * np.ones(STATES)
    filters.covariance = (1.0 + np.arange(5.0))[:, None, None] * np.eye(STATES)
    weight = np.array([2.0, 1.0, 1.0, 4.0]) / 8.0
    mean, covariance = filters.mixture()
    middle = weight @ np.arange(4.0)
    assert mean == pytest.approx([middle] * UNKNOWNS)
    apart = weight @ (np.arange(4.0) - middle) ** 2
    np.testing.assert_allclose(covariance, apart + (weight @ (1.0 + np.arange(4.0))) * np.eye(UNKNOWNS))
    assert filters.base_drag == (0.0, 1.0) and TURNED == UNKNOWNS - 1


def test_a_changed_current_becomes_the_base_at_twenty_to_one():
    for ratio, taken_over in ((19.9, False), (20.1, True)):
        filters = with_rivals(0.0)
        filters.mean[1, CURRENT] = 0.7
        filters.evidence = np.array([0.3, 0.3 + math.log(ratio), 0.0, -9.0, -9.0])
        assert not filters._decide(10.0)
        assert (filters.mean[0, CURRENT] == 0.7).all() == taken_over
        assert filters.evidence[0] == 0.0
        assert filters.evidence[1] == pytest.approx(0.0 if taken_over else math.log(ratio))


def test_time_that_jumps_back_leaves_the_base_alone(settled):
    mean, covariance = settled.mean[0].copy(), settled.covariance[0].copy()
    settled.forget_time()
    assert settled.kind.tolist() == [BASE] and settled.sum == 0.0
    assert settled.take(block(5.0, 0.0, current=(0.2, 0.1))) is False
    assert settled.mean[0] == pytest.approx(mean, abs=0.02) and settled.kind.size == 5
    assert np.all(np.diag(settled.covariance[0]) <= np.diag(covariance) + 1e-12)


def test_rivals_leave_the_base_with_every_block():
    filters, numbers = DragFilters(LUTRA, FlowSpread()), []
    for time in (0.0, 9.9, 19.8, 40.0):
        filters.take(block(time, 0.3))
        numbers.append(filters.kind.size)
    assert numbers == [5, 9, 13, 17]


def test_a_filter_begins_with_the_doubts_of_its_flow_and_three_hundredths_of_a_radian():
    found = DragFilters(LUTRA, DOUBT).covariance
    np.testing.assert_allclose(found, [np.diag(np.square(
        [0.25, 0.2, 0.2, 0.8, 0.8, 0.03, 0.02, 0.02, 0.015, 0.015]))])


def test_an_update_is_that_of_kalman_for_power_and_sway_at_once(rng, monkeypatch):
    """
    The two numbers one after the other are both together: K = P H' (H P H' + R)^-1, the evidence its Gaussian.

    R is that of the block by the scatter that was followed; derivatives are taken at the speed of 30 blocks.
    """
    filters, speeds, shown = with_rivals(0.0), [], []
    number = filters.kind.size
    slopes = rng.normal(size=(number, 2, UNKNOWNS))
    half = rng.normal(size=(number, STATES, STATES))
    filters.covariance = 0.01 * (half @ np.swapaxes(half, 1, 2))
    filters.mean, filters.evidence = rng.normal(size=(number, STATES)), np.array([0.0, 9.0, -5.0, -5.0, -5.0])
    filters._sway, filters._scatter = True, np.array([2.0, 3.0])
    one = block(0.0, 0.3)._replace(watts=50.0, loads=10.0)
    noise = filters._noise(one, slopes) * [2.0, 3.0]
    error = np.sqrt(noise) * rng.uniform(0.2, 0.4, size=(number, 2))
    expected = np.array([math.log(40.0), 0.0]) - error

    all_slopes = with_scatter(slopes, 0.3)

    def response(block, speed, mean, vessel, sway, at):
        speeds.append(speed)
        shown.append(at)
        np.testing.assert_array_equal(mean, filters.mean[:, :UNKNOWNS])
        return expected, slopes

    monkeypatch.setattr(drag_filters, 'linear_response', response)
    mean, covariance, evidence = filters.mean, filters.covariance, filters.evidence
    filters._update(one)
    for n in range(number):
        known = all_slopes[n] @ covariance[n] @ all_slopes[n].T + np.diag(noise[n])
        gain = covariance[n] @ all_slopes[n].T @ np.linalg.inv(known)
        assert filters.mean[n] == pytest.approx(mean[n] + gain @ error[n])
        np.testing.assert_allclose(filters.covariance[n], covariance[n] - gain @ known @ gain.T, atol=1e-12)
        likely = -0.5 * (error[n] @ np.linalg.solve(known, error[n]) + math.log(np.linalg.det(known)))
        assert filters.evidence[n] - evidence[n] == pytest.approx(likely)
        if n == 1:  # The likeliest: its surprises are followed.
            first = error[n, 0] ** 2 / known[0, 0]
            then = error[n] @ np.linalg.solve(known, error[n]) - first
    assert filters._scatter == pytest.approx([2.0 * (1.0 + (first - 1.0) / 60.0), 3.0 * (1.0 + (then - 1.0) / 60.0)])
    c, s = math.cos(0.3), math.sin(0.3)
    current = mean[:, 1:3] + mean[:, 6:8] + np.column_stack(
        [c * mean[:, 8] - s * mean[:, 9], s * mean[:, 8] + c * mean[:, 9]])
    np.testing.assert_allclose(shown[0][:, CURRENT], current, rtol=1e-12)
    np.testing.assert_array_equal(np.delete(shown[0], CURRENT, axis=1), np.delete(mean[:, :6], CURRENT, axis=1))
    filters._update(one._replace(u=1.6))
    assert speeds == [pytest.approx(1.0), pytest.approx(1.0 + 0.6 / 30.0)]


def test_a_block_that_is_far_off_counts_as_one_of_three_deviations(monkeypatch):
    """Of nine deviations: three times three; its variance is nine times as large."""
    slopes = np.zeros((1, 2, UNKNOWNS))
    slopes[0, 0, DRAG] = 1.0
    for off, far in ((9.0, 9.0), (-9.0, 9.0), (3.0, 1.0), (6.0, 4.0)):
        filters = DragFilters(LUTRA, DOUBT)
        filters._sway = False
        variance = 0.25 ** 2 + float(filters._noise(block(0.0, 0.0), slopes)[0, 0])
        seen = math.log(D11)
        expected = np.array([[seen - off * math.sqrt(variance), 0.0]])
        monkeypatch.setattr(drag_filters, 'linear_response', lambda *_, expected=expected: (expected, slopes))
        filters._update(block(0.0, 0.0))
        assert filters.mean[0, DRAG] == pytest.approx(0.25 ** 2 / (far * variance) * off * math.sqrt(variance))
        assert filters.covariance[0, DRAG, DRAG] == pytest.approx(0.25 ** 2 - 0.25 ** 4 / (far * variance))
        assert filters.evidence[0] == pytest.approx(-0.5 * (off ** 2 / far + math.log(far * variance)))


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
