"""Where stretches are cut into blocks, and what is told of a block, of logs that are put in by hand."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import trapezoid

from usv_energy.studies.identify.seas import wave_legs

LINEAR, QUADRATIC = 12.0, 30.0
PARTS = ('inertia', 'damping', 'wind', 'foils', 'side_force')


@pytest.mark.parametrize(('seconds', 'edges'), [
    (11.0, []), (12.0, [0, 12]), (29.0, [0, 29]), (31.0, [0, 16, 31]), (100.0, [0, 20, 40, 60, 80, 100])])
def test_a_stretch_is_cut_into_equal_blocks_of_about_twenty_seconds(seconds, edges):
    """None is shorter than 12 s; here a sample each second, 7 before the stretch."""
    time = 50.0 + np.arange(200.0)
    found = wave_legs._cut(time, 7, 7 + round(seconds))
    assert found == [(7 + begin, 7 + end) for begin, end in itertools.pairwise(edges)]
    assert wave_legs._cut(time, 200, 199) == [], 'a turn just before the end of a log leaves no stretch'


def test_a_stretch_ends_where_a_heading_is_more_than_a_fifth_of_a_radian_from_any_other_of_it():
    yaw = np.array([9.0, 0.0, 0.15, -0.05, -0.06, 0.0])
    assert wave_legs._end_of_stretch(yaw, 1, 6) == 4, 'from 0.15 to -0.05 are just 0.2'
    assert wave_legs._end_of_stretch(yaw, 1, 4) == 4 and wave_legs._end_of_stretch(yaw, 3, 6) == 6
    yaw[1] = np.nan
    assert wave_legs._end_of_stretch(yaw, 1, 6) == 2, 'an unknown heading is a stretch of its own'


def test_blocks_begin_with_a_piece_or_four_seconds_after_a_turn(monkeypatch):
    """39 s and, less 4 s, 55 s on either side of a turn at 40 s; a second piece, from 120 s on, in one block."""
    time = np.arange(150.0)
    yaw = np.where(time < 40.0, 0.0, 1.0)
    log = SimpleNamespace(time=time, pieces=lambda: [slice(0, 100), slice(120, 150)])
    widths = []

    def as_it_is(given, values, width):
        widths.append(width)
        return values

    monkeypatch.setattr(wave_legs, 'without_oscillation', as_it_is)
    found = wave_legs._blocks(SimpleNamespace(log=log, motion=SimpleNamespace(yaw=yaw)))
    assert found == [(0, 20), (20, 39), (44, 63), (63, 81), (81, 99), (120, 149)] and widths == [2.0]


@pytest.fixture
def analysed(rng):
    """Return 31 samples at uneven steps with every part of the power drawn, on about 1 m/s."""
    time = 100.0 + np.cumsum(rng.uniform(0.5, 1.5, 31))
    power = {name: rng.normal(0.0, 5.0, 31) for name in ('thrust', *PARTS)}
    damping = SimpleNamespace(d11=LINEAR, d11_q=QUADRATIC, wave=None)
    return SimpleNamespace(
        log=SimpleNamespace(time=time), motion=SimpleNamespace(yaw=rng.normal(3.0, 0.1, 31)),
        power=SimpleNamespace(u_r=rng.uniform(0.8, 1.2, 31), **power),
        actuators=SimpleNamespace(known=np.ones(31, bool)),
        boat=SimpleNamespace(vessel=SimpleNamespace(damping=damping)),
        waves=SimpleNamespace(sea=SimpleNamespace(height=0.3, period=2.5, direction=0.5)))


def test_the_force_of_a_block_is_the_work_over_the_way_of_what_nothing_else_explains(analysed):
    """Powers hold since the sample before; the way by trapezoids of the speed through the water."""
    first, last = 4, 25
    power, time = analysed.power, analysed.log.time
    legs = wave_legs.WaveLegs(*wave_legs._block(analysed, first, last, 3))
    way = trapezoid(power.u_r[first:last + 1], time[first:last + 1])
    work = {name: sum(getattr(power, name)[k] * (time[k] - time[k - 1]) for k in range(first + 1, last + 1))
            for name in ('thrust', *PARTS)}
    seconds = time[last] - time[first]
    assert legs.force == pytest.approx((work['thrust'] - sum(work[name] for name in PARTS)) / way)
    assert legs.drag == pytest.approx(work['damping'] / way) and legs.duration == pytest.approx(seconds)
    assert legs.speed == pytest.approx(way / seconds)
    assert legs.slope == pytest.approx(LINEAR + 2.0 * QUADRATIC * way / seconds), 'of d11 u + d11_q u^2'
    yaw = analysed.motion.yaw[first + 1:last + 1]
    assert legs.yaw == pytest.approx(math.atan2(np.sin(yaw).mean(), np.cos(yaw).mean()))
    assert (legs.height, legs.period, legs.log, legs.begin) == (0.3, 2.5, 3.0, time[first])
    assert legs.off_bow == pytest.approx(math.acos(-math.cos(legs.yaw - 0.5))), 'towards 0.5 rad: from the other side'
    analysed.waves = None
    assert wave_legs.WaveLegs(*wave_legs._block(analysed, first, last, 3))[3:6] == (0.0, 1.0, 0.0)


def test_samples_that_are_not_known_are_left_out_of_work_and_way_up_to_a_twentieth(analysed):
    """Of 20 samples one; where actuators are not known a sample counts as unknown, but has its work."""
    analysed.power.thrust[10] = np.nan
    power, time = analysed.power, analysed.log.time
    beyond = power.thrust - sum(getattr(power, name) for name in PARTS)
    rows = [k for k in range(6, 26) if k != 10]
    step = {k: time[k] - time[k - 1] for k in rows}
    way = sum(0.5 * (power.u_r[k] + power.u_r[k - 1]) * step[k] for k in rows)
    legs = wave_legs.WaveLegs(*wave_legs._block(analysed, 5, 25, 0))
    assert legs.force == pytest.approx(sum(beyond[k] * step[k] for k in rows) / way)
    assert legs.duration == pytest.approx(sum(step.values())) and legs.speed == pytest.approx(way / legs.duration)
    analysed.actuators.known[[5, 26]] = False
    assert wave_legs._block(analysed, 5, 25, 0) is not None
    analysed.actuators.known[25] = False
    assert wave_legs._block(analysed, 5, 25, 0) is None


@pytest.mark.parametrize(('speed', 'taken'), [(0.201, True), (0.199, False), (-1.0, False)])
def test_a_boat_slower_than_a_fifth_of_a_metre_a_second_drifts(analysed, speed, taken):
    analysed.power.u_r = np.full(31, speed)
    assert (wave_legs._block(analysed, 5, 25, 0) is not None) is taken
