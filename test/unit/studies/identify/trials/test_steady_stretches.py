from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.log import INFO, Log, Note
from usv_energy.studies.identify.trials.speed_power import BLOCK, steady_blocks


def test_what_is_steady_counts_and_turns_and_speeding_up_do_not():
    """A minute east at 1 m/s, ten seconds to 2 m/s, a minute at 2 m/s, a quarter turn, a minute north at 2 m/s."""
    time = np.arange(0.0, 200.0, 0.5)
    u = np.interp(time, [0.0, 60.0, 70.0], [1.0, 1.0, 2.0])
    yaw = np.interp(time, [130.0, 140.0], [0.0, 0.5 * np.pi])
    log = Log('log', Path('log.csv'), time, u=u, v=0.0 * u, yaw=yaw, electrical_power=10.0 * u)
    found = steady_blocks([log])
    assert found.begin.tolist() == [0, 10, 20, 30, 40, 50, 70, 80, 90, 100, 110, 120, 140, 150, 160, 170, 180]
    assert np.hypot(found.vx, found.vy) == pytest.approx(np.where(found.begin < 60.0, 1.0, 2.0), abs=1e-9)
    assert found.power == pytest.approx(10.0 * np.hypot(found.vx, found.vy))
    assert np.unique(found.stretch).size == 3
    assert BLOCK == 10.0


def log_of(u, yaw=0.0, power=10.0, step=0.5):
    u = np.asarray(u, dtype=float)
    time = step * np.arange(len(u))
    return Log('log', Path('log.csv'), time, u=u, v=0.0 * u, yaw=yaw + 0.0 * u, electrical_power=power + 0.0 * u)


def halves(first, second):
    """Return two values for ten samples each, and one more: a block of 10 s at half a second."""
    return np.array([first] * 10 + [second] * 11)


@pytest.mark.parametrize(('u', 'steady'), [
    (halves(1.0, 1.0599), True), (halves(1.0, 1.0601), False),
    (halves(1.0, 0.9401), True), (halves(1.0, 0.9399), False),
    (halves(0.2, 0.2299), True), (halves(0.2, 0.2301), False),          # Less than 3 cm/s is none.
    (halves(0.1501, 0.1501), True), (halves(0.1499, 0.16), False), (halves(0.16, 0.1499), False)])
def test_a_block_is_steady_whose_speed_changes_by_6_percent_or_3_cm_a_second(u, steady):
    assert len(steady_blocks([log_of(u)]).vx) == steady


@pytest.mark.parametrize(('turn', 'steady'), [(0.199, True), (-0.199, True), (0.201, False), (-0.201, False)])
def test_a_block_is_steady_whose_halves_differ_by_a_fifth_of_a_radian_in_course(turn, steady):
    """Also across the course of half a turn."""
    for course in (0.0, np.pi - 0.1, -np.pi + 0.1):
        found = steady_blocks([log_of(halves(1.0, 1.0), halves(course, course + turn))])
        assert len(found.vx) == steady


def test_a_block_needs_four_fifths_of_its_samples_and_is_the_mean_of_these():
    for lost, steady in ((4, True), (5, False)):
        log = log_of(np.ones(21), 0.3, np.arange(21.0))
        log.electrical_power[1:2 * lost:2] = np.nan
        found = steady_blocks([log])
        assert len(found.vx) == steady
        if steady:
            known = log.electrical_power[:20]
            assert found.power[0] == pytest.approx(np.nanmean(known)) and found.yaw[0] == pytest.approx(0.3)
            assert (found.vx[0], found.vy[0]) == pytest.approx((np.cos(0.3), np.sin(0.3)))


def test_a_mean_heading_is_that_of_directions_and_unknown_without_a_compass():
    """179 and -179 degrees are 180 in the mean; positions alone tell no heading."""
    yaw = np.radians(np.where(np.arange(21) % 2 == 0, 179.0, -179.0))
    assert abs(steady_blocks([log_of(np.ones(21), yaw)]).yaw[0]) == pytest.approx(np.pi)
    time = 0.5 * np.arange(41)
    blind = Log('log', Path('log.csv'), time, x=0.6 * time, y=-0.8 * time, electrical_power=5.0 + 0.0 * time)
    found = steady_blocks([blind])
    assert np.isnan(found.yaw).tolist() == [True, True]
    assert found.vx == pytest.approx([0.6, 0.6]) and found.vy == pytest.approx([-0.8, -0.8])


def test_stretches_are_told_by_logs_gaps_turns_and_unsteady_blocks():
    """A block each: two on one course, 0.3 rad further, a rest, again; then a second log."""
    course = np.repeat([0.0, 0.0, 0.3, 0.3, 0.3], 20)
    speed = np.repeat([1.0, 1.0, 1.0, 0.0, 1.0], 20)
    one = log_of(np.append(speed, 1.0), np.append(course, 0.3))
    found = steady_blocks([one, log_of(np.ones(21))])
    assert found.begin.tolist() == [0.0, 10.0, 20.0, 40.0, 0.0] and found.log.tolist() == [0, 0, 0, 0, 1]
    assert [int(one - found.stretch[0]) for one in found.stretch] == [0, 0, 1, 2, 4]
    seldom = log_of(np.ones(5), step=4.0)
    assert len(steady_blocks([seldom]).vx) == 0, 'three samples are too few for a block'
    often = log_of(np.ones(9), step=2.5)
    assert len(steady_blocks([often]).vx) == 2


def test_what_says_no_speed_or_no_watts_is_refused():
    time = np.arange(0.0, 30.0, 0.5)
    with pytest.raises(InputError, match='neither a velocity with a heading'):
        steady_blocks([Log('log', Path('log.csv'), time, u=1.0 + 0.0 * time, electrical_power=time)])
    with pytest.raises(InputError, match='neither a velocity with a heading'):
        steady_blocks([Log('log', Path('log.csv'), time[:2], x=time[:2], y=time[:2], electrical_power=time[:2])])
    silent = Log('log', Path('log.csv'), time, x=time, y=time)
    with pytest.raises(InputError, match='electrical_power'):
        steady_blocks([silent])
    dead = silent.noted(Note(INFO, 'sensor_dead', 'the current sensor is always 0'))
    with pytest.raises(InputError, match=r'always 0.*needs a current sensor that measures'):
        steady_blocks([dead])


def test_blocks_begin_with_their_piece_and_have_four_samples_at_least():
    """A hole of 100 s, and 35 s after it: three blocks, that begin with it; of 5 s a sample they have two each."""
    whole = log_of(np.ones(71))
    late = replace(whole, time=whole.time + 100.0)
    time = np.concatenate([whole.time, late.time + 35.0])
    both = log_of(np.ones(142))
    begins = steady_blocks([replace(both, time=time)]).begin
    assert begins.tolist() == [0.0, 10.0, 20.0, 135.0, 145.0, 155.0]
    assert steady_blocks([log_of(np.ones(40), step=2.5)]).begin.size == 9
    assert steady_blocks([log_of(np.ones(30), step=5.0)]).begin.size == 0
