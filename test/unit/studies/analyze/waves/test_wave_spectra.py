import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow
from usv_energy.studies.analyze.waves.wave_spectra import log_spectra, wave_series

TIME = np.arange(0.0, 100.0, 0.05)


def log_of(extra, yaw=0.3, u=1.0, time=TIME):
    n = time.size
    return Log('log', Path('log'), time, yaw=np.broadcast_to(yaw, n) + 0.0, u=np.full(n, u), v=np.zeros(n),
               r=np.zeros(n), extra=extra)


def spectra_of(log, current=(0.0, 0.0)):
    n = len(log)
    return log_spectra(log, Flow(np.full(n, current[0]), np.full(n, current[1]), np.zeros(n), np.zeros(n)))


def test_the_densities_hold_the_variance_and_the_phase():
    heave = 0.2 * np.cos(2.0 * math.pi * 0.4 * TIME)
    pitch = 0.05 * np.sin(2.0 * math.pi * 0.4 * TIME)
    found, why = spectra_of(log_of({'heave_m': heave, 'pitch_rad': pitch}))
    assert found is not None and not why
    step = found.frequency[1] - found.frequency[0]
    whole = 2.0 * step * np.mean([one.density for one in found.windows], axis=0).sum(axis=0)
    assert whole[0, 0].real == pytest.approx(0.5 * 0.2 ** 2, rel=0.02)  # Parseval
    assert whole[0, 1].imag == pytest.approx(0.5 * 0.2 * 0.05, rel=0.02)  # A quarter of a period apart
    assert abs(whole[0, 1].real) < 0.01 * abs(whole[0, 1].imag)
    assert np.mean([one.variance for one in found.windows]) == pytest.approx(0.02, rel=0.05)


def test_speed_is_through_the_water():
    heave = 0.2 * np.cos(2.0 * TIME)
    found, _ = spectra_of(log_of({'heave_m': heave}, yaw=0.5 * math.pi), (5.0, 0.3))
    assert all(one.speed == pytest.approx(0.7) and one.heading == pytest.approx(0.5 * math.pi) for one in found.windows)


@pytest.mark.parametrize('extra, said', [
    ({}, 'no heave'), ({'heave_m': 0.001 * np.cos(2.0 * TIME)}, 'calm water'),
    ({'pitch_rad': np.full(TIME.size, 0.4)}, 'calm water')])
def test_a_log_that_shows_nothing_says_why(extra, said):
    found, why = spectra_of(log_of(extra))
    assert found is None and said in why


def test_samples_too_far_apart_and_turns_show_none():
    slow = np.arange(0.0, 300.0, 1.0)
    assert 'too far' in spectra_of(log_of({'heave_m': np.cos(2.0 * slow)}, time=slow))[1]
    assert 'course' in spectra_of(log_of({'heave_m': np.cos(2.0 * TIME)}, yaw=0.5 * TIME))[1]


def test_heave_goes_before_acceleration():
    values = np.zeros(TIME.size)
    log = log_of({'heave_m': values, 'vertical_acceleration_m_s2': values, 'roll_rad': values, 'status': values})
    assert set(wave_series(log)) == {'heave_m', 'roll_rad'}
