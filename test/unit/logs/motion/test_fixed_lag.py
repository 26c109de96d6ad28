import contextlib
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.logs.motion import fixed_lag
from usv_energy.logs.motion.fixed_lag import EAGER, LEAST_HISTORY, MEMORY, FixedLag, _into_earth
from usv_energy.logs.motion.measured_series import KNOT_STEP, Measured
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions


def given_out(log, lag, estimate=None, longest=1.0):
    """Return what comes out of a log that is told sample by sample, by the place of each sample."""
    estimate = estimate or FixedLag(lag)
    found = []
    for row in range(len(log)):
        due = estimate.add(log.time[row], (log.x[row], log.y[row], math.remainder(log.yaw[row], 2.0 * math.pi)),
                           (log.u[row], log.v[row], log.r[row]), row, longest)
        assert all(state.time <= log.time[row] - lag or log.time[row] - log.time[row - 1] > longest for state in due)
        found += due
    return found + estimate.rest()


@pytest.mark.parametrize(('name', 'rate'), [('lawnmower', 10.0), ('lawnmower', 5.0), ('stop_and_go', 10.0)])
def test_the_energy_of_what_is_given_out_is_the_work_of_the_thrusters(independent, name, rate):
    """0.05 m/s of noise, a lag of 1 s; the noise is not known before: the bound holds from the first sample on."""
    log, work = independent(name, rate, 0.05, seed=300)
    states = given_out(log, 1.0)
    u, v, r = np.array([state.velocity for state in states]).T
    smooth = replace(log, yaw=np.unwrap([state.pose[2] for state in states]), u=u, v=v, r=r)
    assert abs(analysed_log(smooth, BOAT, AnalysisOptions(motion='recorded')).energy.total / work - 1.0) < 0.03


def test_every_sample_comes_out_once_in_order_and_no_later_than_the_lag(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    estimate = FixedLag(0.5)
    found = []
    for row in range(len(log)):
        due = estimate.add(log.time[row], (log.x[row], log.y[row], log.yaw[row]), (log.u[row], log.v[row], log.r[row]),
                           row, 1.0)
        found += due
        assert row - len(found) < 8, 'half a second at 10 Hz, and a sample or two'
    assert [state.token for state in found + estimate.rest()] == list(range(len(log)))
    assert estimate.rest() == []


def test_it_finds_the_noise(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    estimate = FixedLag(1.0)
    given_out(log, 1.0, estimate)
    assert estimate.noise['u'] == pytest.approx(0.05, rel=0.3)
    assert estimate.noise['x'] == pytest.approx(0.02, rel=0.3)
    assert estimate.noise['r'] == pytest.approx(math.radians(0.5), rel=0.4)


def test_an_exact_motion_comes_out_as_it_is():
    """A circle at a steady speed; the acceleration of its body velocities is nothing."""
    time = 0.1 * np.arange(300)
    estimate = FixedLag(1.0)
    found = []
    for t in time:
        yaw = 0.2 * t
        found += estimate.add(t, (5.0 * math.sin(yaw), -5.0 * math.cos(yaw), math.remainder(yaw, 2.0 * math.pi)),
                              (1.0, 0.0, 0.2), None, 1.0)
    last = found[-1]
    np.testing.assert_allclose(last.velocity, (1.0, 0.0, 0.2), atol=2e-3)
    np.testing.assert_allclose(last.acceleration, 0.0, atol=5e-3)
    assert math.remainder(last.pose[2] - 0.2 * last.time, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-3)


def test_a_gap_or_a_step_back_gives_out_all_that_waits_and_starts_anew(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    for after in (30.0, -30.0):
        estimate = FixedLag(1.0)
        found = []
        for shift in (0.0, after):
            for row in range(100):
                found += estimate.add(log.time[row] + shift, (log.x[row] + shift, log.y[row], log.yaw[row]),
                                      (log.u[row], log.v[row], log.r[row]), (shift, row), 1.0)
                if shift and row == 0:
                    assert len(found) == 100, 'nothing of the first part is kept back'
        found += estimate.rest()
        assert [state.token for state in found] == [(shift, row) for shift in (0.0, after) for row in range(100)]
        assert max(math.hypot(*state.velocity[:2]) for state in found) < 1.5, 'and nothing is joined across it'


def test_what_is_not_known_is_not_made_up(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    estimate, found = FixedLag(1.0), []
    for row in range(200):
        lost = 100 <= row < 105
        velocity = (math.nan,) * 3 if lost else (log.u[row], log.v[row], log.r[row])
        found += estimate.add(log.time[row], (log.x[row], log.y[row], log.yaw[row]), velocity, row, 1.0)
    assert [state.token for state in found if math.isnan(state.velocity[0])] == list(range(100, 105))


def test_a_stamp_again_changes_nothing():
    estimate = FixedLag(1.0)
    estimate.add(0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 'first', 1.0)
    assert estimate.add(0.0, (9.0, 9.0, 0.0), (9.0, 0.0, 0.0), 'again', 1.0) == []
    assert [state.token for state in estimate.rest()] == ['first']


def test_later_on_it_looks_for_the_noise_of_one_thing_at_a_time(rng):
    """
    A boat at rest whose sensors get ten times as noisy after the eager begin.

    Both noises are found anew, and in no knot are both tried: the work of a sample stays a small portion.
    """
    estimate, changes = FixedLag(0.5), []
    for row in range(2 * EAGER + 300):
        noise = 0.02 if row <= EAGER else 0.2
        place, turn = noise * rng.standard_normal(4), 0.1 * noise * rng.standard_normal(2)
        before = estimate.noise
        estimate.add(0.1 * row, (place[0], place[1], turn[0]), (place[2], place[3], turn[1]), row, 1.0)
        changes.append([before[name] != estimate.noise[name] for name in ('yaw', 'r', 'x', 'u')])
    later = np.array(changes[EAGER + 1:])
    turned, moved = later[:, :2].any(axis=1), later[:, 2:].any(axis=1)
    assert turned.sum() > 10 and moved.sum() > 10
    assert not (turned & moved).any()


def test_a_cell_holds_means_with_their_mean_time_after_the_knot():
    """Three samples about the second knot, one without a place, one without a velocity; numbers are its weights."""
    estimate = FixedLag(1.0)
    estimate._first, estimate._place = 10.0, 1
    knot = 10.0 + KNOT_STEP
    nan = math.nan
    estimate._open = [(knot - 0.01, 1.0, 2.0, 0.1, 0.5, 0.0, 0.2), (knot, nan, 2.0, 0.2, 0.7, 0.1, 0.3),
                      (knot + 0.04, 3.0, 5.0, 0.3, nan, 0.1, nan)]
    estimate._close_cell()
    cell = estimate._cells[-1]
    assert cell.time == knot and not cell.joined and cell.weights.tolist() == [3.0, 2.0, 2.0, 2.0]
    assert cell.means == pytest.approx([2.0, 3.5, 0.2, 0.6, 0.05, 0.25])
    assert cell.offsets == pytest.approx([0.01, -0.005, 0.015, -0.005])
    estimate._open, estimate._place = [(knot + 9.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)], 1 + round(9.0 / KNOT_STEP)
    estimate._close_cell()
    assert [one.joined for one in estimate._cells] == [True], 'what is older than lag and memory is gone'
    assert len(estimate._history) == 2


@pytest.mark.parametrize(('age', 'kept'), [(MEMORY + 0.9, 2), (MEMORY + 1.1, 1)])
def test_a_window_reaches_back_by_lag_and_memory(age, kept):
    estimate = FixedLag(1.0)
    estimate._first = 0.0
    for place in (0, round(age / KNOT_STEP)):
        estimate._open, estimate._place = [(KNOT_STEP * place, *[0.0] * 6)], place
        estimate._close_cell()
    assert len(estimate._cells) == kept


def test_velocities_are_turned_by_the_heading_at_their_own_time():
    """A quarter turn at the knot, 0.1 rad/s, measured half a second later: half a tenth of a radian further."""
    place = Measured(0, np.zeros((1, 2)), np.zeros(1), np.ones(1))
    velocity = Measured(1, np.array([[2.0, -1.0]]), np.array([0.5]), np.ones(1))
    same, turned = _into_earth([place, velocity], np.array([[[0.5 * math.pi], [0.1], [0.0]]]))
    heading = 0.5 * math.pi + 0.05
    assert same is place
    assert turned.values[0] == pytest.approx([2.0 * math.cos(heading) + math.sin(heading),
                                              2.0 * math.sin(heading) - math.cos(heading)])


def test_headings_are_followed_over_the_seam_and_given_out_within_half_a_turn():
    estimate, found = FixedLag(0.5), []
    for row in range(60):
        yaw = 3.0 + 0.01 * row
        found += estimate.add(0.1 * row, (0.0, 0.0, math.remainder(yaw, math.tau)), (0.0, 0.0, 0.1), row, 1.0)
    assert estimate._yaw == pytest.approx(3.0 + 0.59)
    for one in found:
        assert one.pose[2] == pytest.approx(math.remainder(3.0 + 0.01 * one.token, math.tau), abs=5e-3)


@pytest.mark.parametrize('number', [90, 104, 118])
def test_odometry_without_any_noise_that_jumps_back_and_on_again_is_estimated_on(number):
    """Two publishers of one topic: noise found as small as the numbers allow, then windows of a sample or two."""
    estimate, found = FixedLag(1.0), []
    times = [*range(number), 0, 1, *range(number, number + 60)]
    for place, time in enumerate(times):
        found += estimate.add(0.05 * (1 + time), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), place, 0.5)
    found += estimate.rest()
    assert [state.token for state in found] == list(range(len(times)))
    assert max(abs(state.pose[2]) for state in found) < 1e-9


@pytest.mark.parametrize(('seen', 'looks'), [(LEAST_HISTORY - 1, False), (LEAST_HISTORY, True)])
def test_levels_are_looked_for_from_twenty_samples_on(monkeypatch, seen, looks):
    asked = []
    monkeypatch.setattr(fixed_lag, '_measurements', lambda history: (asked.append(history), None, None))
    search = SimpleNamespace(try_once=lambda *given: None, levels=None)
    with contextlib.suppress(AttributeError):  # of what follows, which is not looked at here
        FixedLag._look_for_levels(SimpleNamespace(_seen=seen, _history='all', _turn=search))
    assert asked == ['all'] * looks and LEAST_HISTORY == 20


def test_a_boat_that_lay_still_is_followed_as_it_sets_off():
    """Positions and velocities in whole cm, which at rest have no noise; 1.2 m/s in some seconds. It lost 2.5 %."""
    estimate, found = FixedLag(1.7), []
    for row in range(420):
        under_way = max(0.1 * row - 30.0, 0.0)
        speed, way = 1.2 * (1.0 - math.exp(-under_way)), 1.2 * (under_way - 1.0 + math.exp(-under_way))
        found += estimate.add(0.1 * row, (round(way, 2), 0.0, 0.0), (round(speed, 2), 0.0, 0.0), speed, 1.0)
    off = np.array([one.velocity[0] - one.token for one in found])
    assert len(off) > 380 and np.abs(off).max() < 0.1
    assert sum(one.velocity[0] ** 3 for one in found) == pytest.approx(sum(one.token ** 3 for one in found), rel=0.01)
