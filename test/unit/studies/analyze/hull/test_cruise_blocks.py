"""Steady stretches: their means are those of the samples, and turns, holes and changes of speed are in none."""

import math

import pytest

from usv_energy.studies.analyze.hull.hull_response import (
    LEAST_SAMPLES,
    SWING,
    TURN,
    CruiseBlock,
    CruiseBlocks,
    CruiseSample,
    joined_blocks,
)

SAMPLE = CruiseSample(0.0, 0.3, 1.0, 0.1, 0.2, -0.1, 2.0, 1.0, 40.0, 5.0)


def blocks_of(samples, slowest=0.3):
    blocks = CruiseBlocks(slowest)
    return [block for sample in samples if (block := blocks.add(sample)) is not None]


def cruise(seconds, step=0.5, **change):
    """Return samples; `change`: functions of time."""
    times = [step * k for k in range(round(seconds / step) + 1)]
    return [SAMPLE._replace(time=time, **{name: value(time) for name, value in change.items()}) for time in times]


def test_a_block_holds_means_and_the_slope_of_the_speed():
    found = blocks_of(cruise(10.0, u=lambda time: 1.0 + 0.005 * time, watts=lambda time: 40.0 + time))
    assert len(found) == 1
    block = found[0]
    assert (block.time, block.yaw, block.v) == pytest.approx((10.0, 0.3, 0.1))
    assert (block.u, block.watts, block.u_dot) == pytest.approx((1.025, 45.0, 0.005))
    assert block[4:8] == pytest.approx(SAMPLE[4:8])


def test_headings_are_averaged_across_the_turn_of_their_sign():
    found = blocks_of(cruise(10.0, yaw=lambda time: math.remainder(math.pi + 0.05 * math.cos(2 * math.pi * time),
                                                                   2 * math.pi)))
    assert abs(found[0].yaw) == pytest.approx(math.pi, abs=0.01)


@pytest.mark.parametrize('change', [
    {'yaw': lambda time: 0.05 * time}, {'yaw': lambda time: 0.0 if time < 5.0 else 0.25},
    {'u': lambda time: 1.0 + 0.02 * time}, {'u': lambda time: 0.3}, {'u': lambda time: -1.0},
    {'watts': lambda time: math.nan if time == 5.0 else 40.0}])
def test_no_block_of_a_turn_a_change_of_speed_a_drift_or_with_a_hole(change):
    assert blocks_of(cruise(10.0, **change)) == []


def test_a_gap_begins_anew_and_so_does_time_that_goes_back():
    first, second = cruise(8.0), cruise(8.0)
    later = [sample._replace(time=sample.time + 12.0) for sample in second]
    assert blocks_of(first + later) == []
    assert len(blocks_of(first + cruise(10.0))) == 1
    assert blocks_of(cruise(30.0, step=5.0)) == [], 'too few samples'


def test_the_least_samples_limits_of_turn_swing_and_speed_and_who_cruises():
    """Four samples in 10 s; 8 degrees of turn, 15 of swing, a tenth of the speed, 0.3 m/s through the water."""
    three = [SAMPLE._replace(time=time) for time in (0.0, 2.5, 5.0, 10.1)]
    assert LEAST_SAMPLES == 4 and blocks_of(cruise(9.0, step=3.0)) == []
    assert len(blocks_of([SAMPLE._replace(time=time) for time in (0.0, 3.0, 6.0, 9.0, 12.0)])) == 1
    assert blocks_of(three) == [], 'a step of more than 3 s begins anew'
    short = CruiseBlocks(0.3)
    short._samples = [SAMPLE._replace(time=float(k)) for k in range(3)]
    short._turned = [0.0] * 3
    assert short._block() is None
    short._samples.append(SAMPLE._replace(time=3.0))
    short._turned.append(0.0)
    assert short._block() is not None
    for rate, steady in ((0.99 * TURN / 10.0, True), (1.01 * TURN / 10.0, False), (-1.01 * TURN / 10.0, False)):
        assert bool(blocks_of(cruise(10.0, yaw=lambda time, rate=rate: rate * time))) is steady
    for swing, steady in ((0.99 * SWING, True), (1.01 * SWING, False), (-1.01 * SWING, False)):
        assert bool(blocks_of(cruise(10.0, yaw=lambda time, swing=swing: swing * (time == 5.0)))) is steady
    for change, steady in ((0.0099, True), (-0.0099, True), (0.0101, False), (-0.0101, False)):
        assert bool(blocks_of(cruise(10.0, u=lambda time, change=change: 1.0 + change * (time - 5.0)))) is steady
    still = {'current_x': lambda time: 0.0, 'current_y': lambda time: 0.0, 'v': lambda time: 0.0}
    for speed, steady in ((0.3, True), (0.299, False)):
        assert bool(blocks_of(cruise(10.0, u=lambda time, speed=speed: speed, **still))) is steady
    carried = {'yaw': lambda time: 0.3, 'u': lambda time: 1.0, 'v': lambda time: 0.0}
    for left, steady in ((0.31, True), (0.29, False)):
        current = {'current_x': lambda time, left=left: (1.0 - left) * math.cos(0.3),
                   'current_y': lambda time, left=left: (1.0 - left) * math.sin(0.3)}
        assert bool(blocks_of(cruise(10.0, **carried, **current))) is steady


def test_blocks_that_follow_each_other_are_joined_to_their_mean():
    def block(time, yaw, watts):
        return CruiseBlock(time, yaw, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, watts, 0.0, 0.0)

    blocks = [block(10.0, 3.14, 10.0), block(20.5, -3.14, 14.0), block(31.0, 3.14, 18.0),
              block(41.5, 3.14, 20.0), block(70.0, 3.14, 20.0), block(80.5, 2.0, 20.0)]
    joined = joined_blocks(blocks, 3)
    assert [number for _, number in joined] == [3, 1, 1, 1]  # as many as may be; a pause; another heading
    first = joined[0][0]
    assert first.time == 31.0 and first.watts == pytest.approx(14.0)
    assert math.cos(first.yaw) == pytest.approx(-1.0, abs=1e-5)
    assert [one for one, _ in joined_blocks(blocks, 1)] == blocks
