from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.studies.identify.trials.coast_down import glides_of

TRIAL = read_boat('lutra_prop_trial')
BOAT = read_boat('lutra_prop')
TIME = np.arange(0.0, 60.0, 0.1)


def log_of(**series):
    """Return a log of two glides, from 20 and 50 s on, after runs at 1.2 m/s; u falls by 0.1 m/s a second."""
    since = np.where(TIME < 40.0, TIME - 20.0, TIME - 50.0)
    u = np.clip(1.2 - 0.1 * np.clip(since, 0.0, None), 0.0, None)
    thrust = np.where(since < 0.0, 8.0, 0.0)
    given = {'u': u, 'yaw': 0.0 * TIME, 'thrust': np.column_stack([thrust, thrust]), 'thrusters': ('left', 'right')}
    return Log('log', Path('log.csv'), TIME, **{**given, **series})


def test_glides_begin_with_the_thrust_s_end_and_end_at_rest_or_at_the_next_thrust():
    first, second = glides_of(log_of(), BOAT, 3.0)
    assert (first.begin, second.begin) == pytest.approx((20.0, 50.0)) and first.extra == 3.0
    assert first.speed[0] == pytest.approx(1.2) and first.time[0] == 0.0
    assert first.time[-1] == pytest.approx(11.4, abs=0.11)   # 5 % of 1.2 m/s is 0.06 m/s
    assert second.time[-1] == pytest.approx(9.9, abs=0.11)   # the end of the log


def test_thrusters_with_a_lag_are_waited_for():
    slow = TRIAL.vessel._replace(thrusters=tuple(one._replace(lag=0.4) for one in TRIAL.vessel.thrusters))
    assert glides_of(log_of(), replace(TRIAL, vessel=slow))[0].begin == pytest.approx(22.0)


def test_commands_in_the_dead_band_of_the_curve_or_near_neutral_are_no_thrust():
    drive = log_of().thrust > 0.0
    commands = log_of(thrust=np.array([]), command=np.where(drive, 1650.0, 1500.0))
    assert len(glides_of(commands, TRIAL)) == 2
    with pytest.raises(InputError, match='neutral command of left is not known, and the boat lutra_prop does not say'):
        glides_of(commands, BOAT)
    near = replace(commands, command=np.where(drive, 1650.0, 1520.0), neutral=(1500.0, 1500.0))
    assert len(glides_of(near, BOAT)) == 2
    assert not glides_of(near, TRIAL)  # whose curve gives 3.2 N there


def test_what_is_no_glide_is_left_out():
    drift = log_of(u=np.where(TIME == 0.0, 8.0, log_of().u))
    assert not glides_of(drift, BOAT)
    turning = log_of(yaw=np.linspace(0.0, 12.0, len(TIME)))
    slow = log_of(u=1.0 - 0.001 * TIME)
    gone = log_of(u=np.where(np.abs(TIME - 25.0) < 0.2, np.nan, log_of().u))
    assert not glides_of(turning, BOAT) and not glides_of(slow, BOAT)
    assert [glide.begin for glide in glides_of(gone, BOAT)] == pytest.approx([50.0])


def test_a_span_is_looked_at_alone_and_needed_without_thrusts():
    bare = log_of(thrust=np.array([]), thrusters=())
    with pytest.raises(InputError, match=r'neither thrusts nor commands.*--from and --to'):
        glides_of(bare, BOAT)
    only, = glides_of(bare, BOAT, span=(21.0, 29.0))
    assert only.begin == pytest.approx(21.0) and only.time[-1] == pytest.approx(8.0)
    assert [glide.begin for glide in glides_of(log_of(), BOAT, span=(45.0, 60.0))] == pytest.approx([50.0])


def test_a_recorded_current_is_taken_off():
    """Heading east in a current of 0.3 m/s to the east."""
    with_current = log_of(u=log_of().u + 0.3, current_x=0.3 + 0.0 * TIME, current_y=0.0 * TIME)
    np.testing.assert_allclose(glides_of(with_current, BOAT)[0].speed, glides_of(log_of(), BOAT)[0].speed, atol=1e-12)


def glide_of(u, step=0.5, yaw=0.0):
    """Return the glides of a log: a second of thrust at the first speed but a tenth more, then these speeds."""
    u = np.concatenate([[1.1 * u[0]] * 2, u])
    time = step * np.arange(len(u))
    thrust = np.where(time < 2.0 * step, 8.0, 0.0)[:, None] * np.ones(2)
    return glides_of(Log('log', Path('log.csv'), time, u=u, yaw=yaw + 0.0 * u, thrust=thrust,
                         thrusters=('left', 'right'), max_gap=9.0), BOAT)


def falling(first, last, number=9):
    return np.linspace(first, last, number)


def test_a_glide_has_eight_samples_three_seconds_and_loses_a_third_nearly():
    """The medians of the first and of the last three samples: 30 % less at least."""
    assert len(glide_of(falling(1.0, 0.3, 8))) == 1 and not glide_of(falling(1.0, 0.3, 7))
    assert len(glide_of(falling(1.0, 0.3, 9), 0.375)) == 1 and not glide_of(falling(1.0, 0.3, 9), 0.37)
    for last, glides in ((0.6999, True), (0.7001, False)):
        assert bool(glide_of(np.array([1.0] * 5 + [last] * 5))) is glides


def test_a_glide_ends_at_a_twentieth_of_its_start_or_2_cm_a_second():
    fast, = glide_of(np.array([1.0] * 4 + [0.5] * 6 + [0.0501] * 3 + [0.0499] * 3))
    assert fast.speed[-1] == 0.0501 and fast.time.size == 13
    slow, = glide_of(np.array([0.2] * 4 + [0.1] * 6 + [0.0201] * 3 + [0.0199] * 3))
    assert slow.speed[-1] == 0.0201 and slow.time.size == 13


@pytest.mark.parametrize(('turn', 'glides'), [(0.499, True), (-0.499, True), (0.501, False)])
def test_a_glide_turns_by_half_a_radian_at_most(turn, glides):
    yaw = np.append(np.zeros(2), np.linspace(0.0, turn, 12))
    assert bool(glide_of(falling(1.0, 0.3, 12), yaw=yaw)) is glides


@pytest.mark.parametrize(('share', 'glides'), [(0.201, True), (0.199, False)])
def test_what_begins_below_a_fifth_of_the_fastest_is_a_drift(share, glides):
    log = log_of()
    u = np.where(TIME < 40.0, 1.0, np.clip(share - 0.02 * (TIME - 50.0), 0.0, share))
    assert bool(glides_of(replace(log, u=u), BOAT)) is glides


@pytest.mark.parametrize(('rest', 'glides'), [(0.1599, 2), (0.1601, 0)])
def test_thrust_below_a_fiftieth_of_the_largest_is_none(rest, glides):
    thrust = np.where(log_of().thrust > 0.0, 8.0, -rest)
    assert len(glides_of(log_of(thrust=thrust), BOAT)) == glides


@pytest.mark.parametrize(('off', 'glides'), [(25.0, 2), (-25.0, 2), (25.5, 0), (-25.5, 0)])
def test_pulses_up_to_25_us_from_neutral_are_none(off, glides):
    drive = log_of().thrust > 0.0
    commands = log_of(thrust=np.array([]), command=np.where(drive, 1650.0, 1500.0 + off), neutral=(1500.0, 1500.0))
    assert len(glides_of(commands, BOAT)) == glides


@pytest.mark.parametrize('start', [0.6, 2.0])
@pytest.mark.parametrize(('lost', 'glides'), [(0.29, 0), (0.33, 1)])
def test_a_glide_loses_three_tenths_of_its_speed_by_its_last_samples(start, lost, glides):
    """Evenly in 6 s, then the thrusters push again."""
    since = np.clip(TIME - 20.0, 0.0, 6.0)
    thrust = np.where((TIME >= 20.0) & (TIME < 26.0), 0.0, 8.0)
    log = log_of(u=start * (1.0 - lost * since / 6.0), thrust=np.column_stack([thrust, thrust]))
    assert len(glides_of(log, BOAT)) == glides


def test_glides_after_a_hole_in_a_log_are_where_they_are():
    """Half a minute is lost between the two."""
    log = log_of()
    first, second = glides_of(replace(log, time=TIME + np.where(TIME < 40.0, 0.0, 30.0)), BOAT)
    assert (first.begin, second.begin) == pytest.approx((20.0, 80.0))
    assert (first.speed[0], second.speed[0]) == pytest.approx((1.2, 1.2))
