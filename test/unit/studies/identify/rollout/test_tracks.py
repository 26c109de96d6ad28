"""What a fit takes from a log: where windows may start, thrusters in the boat's order, thinned samples."""

import math
from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE
from twin_log import twin_log

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.rollout.tracks import COMMAND_SPAN, NEUTRAL, _thinned, settling_time, track_of


def test_windows_do_not_span_gaps_and_holes():
    log = twin_log(LUTRA, np.random.default_rng(12), 'gap', 60.0)
    u = np.where((log.time > 40.0) & (log.time < 41.0), np.nan, log.u)
    track = track_of(replace(log, time=np.where(log.time > 20.0, log.time + 5.0, log.time), u=u), LUTRA)
    starts = track.starts(100, 1.0)
    assert track.breaks == (201,)
    assert not np.any((starts <= 200) & (starts + 100 >= 201))
    assert np.isfinite(track.motion[starts]).all()


def test_a_thousandth_of_an_unknown_start_is_left_at_the_longest_likely_lag_when_windows_start():
    """Prior of the lag 0 +- 0.3 s, the default: 0.6 s; a boat with a lag of 0.5 s: 1.5 s."""
    slow = LUTRA.vessel._replace(thrusters=tuple(one._replace(lag=0.5) for one in LUTRA.vessel.thrusters))
    assert math.exp(-settling_time(LUTRA.vessel) / 0.6) == pytest.approx(1e-3)
    assert math.exp(-settling_time(slow) / 1.5) == pytest.approx(1e-3)


def test_windows_start_when_thrusters_settled_after_the_beginning_a_gap_and_a_hole_in_the_thrust():
    """They settle within 4.14 s: of 10 samples a second the 42nd is the first one after that."""
    log = twin_log(LUTRA, np.random.default_rng(16), 'gaps', 80.0)
    thrust = log.thrust.copy()
    thrust[500:503, 0] = np.nan
    track = track_of(replace(log, time=np.where(log.time > 25.0, log.time + 5.0, log.time), thrust=thrust), LUTRA)
    assert track.breaks == (251,)
    starts = track.starts(50, 0.1)
    np.testing.assert_array_equal(starts, [*range(42, 201), *range(251 + 42, 450), *range(503 + 42, 751)])
    assert not track.starts_unsettled(50)


def test_windows_start_at_once_where_a_stretch_begins_at_rest_and_nothing_is_asked_for():
    """Both are needed: thrusters asked for much may not give it yet, and a boat that moves was driven just before."""
    log = twin_log(LUTRA, np.random.default_rng(18), 'quay', 30.0)
    thrust, still = np.where(log.time[:, None] < 2.0, 0.02, log.thrust), np.where(log.time < 2.0, 0.01, log.u)
    at_rest = replace(log, thrust=thrust, u=still, v=np.where(log.time < 2.0, 0.0, log.v))
    firsts = [track_of(one, LUTRA).starts(50, 0.1)[0] for one in (
        at_rest, replace(at_rest, thrust=np.where(log.time[:, None] < 2.0, 4.0, log.thrust)),
        replace(at_rest, u=np.where(log.time < 2.0, 0.5, log.u)))]
    assert firsts == [0, 42, 42]


def test_a_log_too_short_for_thrusters_to_settle_is_taken_from_its_beginning():
    log = twin_log(LUTRA, np.random.default_rng(17), 'short', 12.0)
    track = track_of(log, LUTRA)
    np.testing.assert_array_equal(track.starts(100, 1.0), [0, 10, 20])
    assert track.starts_unsettled(100) and not track.starts_unsettled(130)


@pytest.mark.parametrize('clock', [1.0, 1.0005])
def test_a_log_of_one_sample_a_second_is_one_stretch_until_more_than_two_are_lost(rng, clock):
    log = twin_log(LUTRA, np.random.default_rng(12), 'slow', 60.0)
    seldom = replace(log.part(slice(0, None, 10)), max_gap=np.nan)
    time = clock * seldom.time + rng.normal(0.0, 0.005, len(seldom))
    assert track_of(replace(seldom, time=time, max_gap=np.nan), LUTRA).breaks == ()
    late = np.where(seldom.time > 20.5, time + 3.0, time)
    assert track_of(replace(seldom, time=late, max_gap=np.nan), LUTRA).breaks == (21,)


def test_thrusters_that_are_not_the_boats_are_refused():
    log = twin_log(LUTRA, np.random.default_rng(13), 'one', 20.0)
    alone = replace(log, thrust=log.thrust[:, :1], thrusters=('middle',), command=log.command[:, :1], neutral=())
    with pytest.raises(InputError, match='has the thrusters middle; the boat lutra_prop has left, right'):
        track_of(alone, LUTRA)
    swapped = replace(log, thrust=log.thrust[:, ::-1], thrusters=('right', 'left'))
    np.testing.assert_array_equal(track_of(swapped, LUTRA).thrust, log.thrust)


def test_commands_alone_stand_for_shares_of_the_base_boats_thrust():
    log = twin_log(LUTRA, np.random.default_rng(14), 'pwm', 30.0, noise=NO_NOISE)
    command = 1500.0 + 400.0 * log.thrust / 11.5
    track = track_of(replace(log, thrust=np.full_like(log.thrust, np.nan), command=command, neutral=(1500.0, 1500.0)),
                     LUTRA)
    assert track.nominal
    np.testing.assert_allclose(track.thrust, log.thrust, atol=1e-9)


def test_fast_logs_are_thinned_and_keep_the_impulse():
    log = twin_log(LUTRA, np.random.default_rng(15), 'fast', 20.0)
    fast = replace(log, time=log.time / 10.0)
    track = track_of(fast, LUTRA)
    assert track.steps[0] == pytest.approx(0.05)
    np.testing.assert_allclose(track.thrust[:40].mean(axis=0), log.thrust[:200].mean(axis=0), rtol=1e-12)


def test_a_log_of_one_sample_has_a_second_and_windows_of_one_sample():
    log = twin_log(LUTRA, np.random.default_rng(19), 'one', 20.0)
    one, all_of_it = track_of(log.part(slice(0, 1)), LUTRA), track_of(log, LUTRA)
    assert (one.period, one.samples_in(10.0)) == (1.0, 1)
    assert (all_of_it.period, all_of_it.samples_in(10.0), all_of_it.samples_in(0.0)) == (pytest.approx(0.1), 100, 1)


@pytest.fixture
def plain():
    """Return a track of 100 samples a tenth of a second apart, at 1 m/s with 5 N of each thruster."""
    track = track_of(twin_log(LUTRA, np.random.default_rng(20), 'plain', 20.0), LUTRA)
    time = 0.1 * np.arange(100)
    return replace(track, time=time, motion=np.tile([0.0, 1.0, 0.0, 0.0], (100, 1)), thrust=np.full((100, 2), 5.0),
                   flow=np.zeros((100, 4)), breaks=(), turning=np.zeros((100, 0)), turned=np.zeros((100, 0)),
                   settling=0.0)


def test_parts_of_a_track_are_cut_one_after_the_other_with_their_gaps(plain):
    parts = replace(plain, breaks=(20, 50, 75)).parts(4)
    assert [part.name for part in parts] == [f'plain [{number}/4]' for number in (1, 2, 3, 4)]
    assert [len(part.time) for part in parts] == [25] * 4
    assert [part.breaks for part in parts] == [(20,), (), (), ()], 'a gap where a part begins is none within it'
    assert np.concatenate([part.time for part in parts]).tolist() == plain.time.tolist()
    assert replace(plain, breaks=(30, 60)).parts(2)[1].breaks == (10,)


def test_a_window_is_under_way_with_a_thrust_in_it_or_fast_at_its_start(plain):
    """The thrust of any thruster, from its first sample on and before its last; the speed of surge and sway."""
    thrust = np.zeros((100, 2))
    thrust[30, 1] = -5.0
    still = replace(plain, thrust=thrust, motion=np.zeros((100, 4)))
    starts = np.array([19, 20, 21, 30, 31])
    assert still.under_way(starts, 10, 4.9, 0.1).tolist() == [False, False, True, True, False]
    assert not still.under_way(starts, 10, 5.0, 0.1).any()
    moving = replace(still, thrust=np.zeros((100, 2)), motion=np.where(
        np.arange(100)[:, None] == 20, [0.0, 0.3, -0.4, 0.0], 0.0))
    assert moving.under_way(starts, 10, 1.0, 0.4999).tolist() == [False, True, False, False, False]
    assert not moving.under_way(starts, 10, 1.0, 0.5).any()


def test_windows_start_every_so_often_and_end_within_their_stretch(plain):
    assert plain.starts(30, 2.0).tolist() == [0, 20, 40, 60] and plain.starts(99, 2.0).tolist() == [0]
    assert plain.starts(100, 2.0).tolist() == []
    assert replace(plain, settling=0.35).starts(50, 2.0).tolist() == [4, 24, 44]
    unknown = plain.motion.copy()
    unknown[20, 3] = np.nan
    assert replace(plain, motion=unknown).starts(30, 2.0).tolist() == [0, 40, 60]
    assert plain.runs == [(0, 100)] and replace(plain, breaks=(40,)).runs == [(0, 40), (40, 100)]


def test_commands_are_shares_of_the_span_about_neutral_and_of_each_way_s_limit():
    """COMMAND_SPAN us are all of it, and more is no more; thrusters that push less astern do so."""
    port, starboard = LUTRA.vessel.thrusters
    boat = replace(LUTRA, vessel=LUTRA.vessel._replace(thrusters=(port._replace(min_thrust=-4.0), starboard)))
    log = twin_log(LUTRA, np.random.default_rng(14), 'pwm', 30.0, noise=NO_NOISE)
    command = np.tile([NEUTRAL - 0.5 * COMMAND_SPAN, NEUTRAL + 2.0 * COMMAND_SPAN], (len(log), 1))
    blind = replace(log, thrust=np.full_like(log.thrust, np.nan), command=command, neutral=(np.nan, 1510.0))
    assert track_of(blind, boat).thrust[0] == pytest.approx([-2.0, 11.5])
    near = replace(blind, command=np.tile([NEUTRAL, 1510.0 + 0.1 * COMMAND_SPAN], (len(log), 1)))
    assert track_of(near, boat).thrust[0] == pytest.approx([0.0, 1.15])


@pytest.mark.parametrize(('period', 'kept'), [(0.0376, 1), (0.0374, 1), (0.03, 2), (0.01, 5), (0.1, 1)])
def test_logs_are_thinned_to_a_twentieth_of_a_second(period, kept):
    """Where samples come faster than three quarters of that; thrusts are the means until the next one kept."""
    time = period * np.arange(20)
    keep, thrust = _thinned(time, np.arange(20.0)[:, None])
    assert np.unique(np.diff(keep)).tolist() == [kept]
    assert thrust[:3, 0].tolist() == [kept * k + 0.5 * (kept - 1) for k in range(3)]
    assert _thinned(time[:1], np.ones((1, 2)))[0].tolist() == [0]
