"""What a fit takes from a log: where windows may start, thrusters in the boat's order, thinned samples."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE

from usv_energy.files.errors import InputError
from usv_energy.identify.rollout.tracks import track_of
from usv_energy.identify.rollout.twin_log import twin_log


def test_windows_do_not_span_gaps_and_holes():
    log = twin_log(LUTRA, np.random.default_rng(12), 'gap', 60.0)
    u = np.where((log.time > 40.0) & (log.time < 41.0), np.nan, log.u)
    track = track_of(replace(log, time=np.where(log.time > 20.0, log.time + 5.0, log.time), u=u), LUTRA)
    starts = track.starts(100, 1.0)
    assert track.breaks == (201,)
    assert not np.any((starts <= 200) & (starts + 100 >= 201))
    assert np.isfinite(track.motion[starts]).all()


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
