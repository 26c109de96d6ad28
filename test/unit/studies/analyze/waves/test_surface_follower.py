import math

import numpy as np
import pytest

from usv_energy.boats.vessel import Damping
from usv_energy.studies.analyze.waves.waves_along_log import (
    FELT_DRIFT,
    SurfaceFollower,
    drift_at,
    estimated_resistance,
    mean_square_with_sign,
)

DRAG = Damping(d11=10.0, d22=0.0, d33=0.0, d11_q=4.0, d22_q=0.0, d33_q=0.0)


def test_the_mean_of_a_square_with_its_sign_is_that_of_the_definition():
    # Held to the plain mean over many equally likely values of a normal distribution, by its own quantiles.
    from scipy.stats import norm
    normal = norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    for mean, scatter in ((1.0, 0.2), (0.3, 0.5), (-0.7, 1.0), (0.0, 2.0)):
        u = mean + scatter * normal
        assert mean_square_with_sign(np.array(mean), scatter) == pytest.approx(np.mean(np.abs(u) * u), abs=2e-4)


def test_it_is_the_square_of_the_mean_and_half_that_of_the_amplitude_while_the_sign_stays():
    # A sinusoid of amplitude a about a mean of more than a: mean of u^2, mean^2 + a^2 / 2, by calculus.
    amplitude = 0.3
    assert mean_square_with_sign(np.array(2.0), amplitude / math.sqrt(2.0)) == pytest.approx(4.0 + 0.5 * amplitude ** 2)
    assert mean_square_with_sign(np.array(-2.0), 0.0) == pytest.approx(-4.0)
    assert mean_square_with_sign(np.array(0.0), 0.0) == 0.0


def test_drift_is_that_of_the_books():
    # T = 3 s, a = 0.2 m, deep: 0.03746 m/s at the surface (issue 18, A), less by exp(-2 k z) below it.
    frequency = np.array([2.0 * math.pi / 3.0])
    surface = drift_at(frequency, np.array([0.5 * 0.2 ** 2]))
    assert surface == pytest.approx(0.03746, rel=1e-3)
    number = 2.0 * math.pi / 14.052
    assert drift_at(frequency, np.array([0.02]), 1.0) == pytest.approx(surface * math.exp(-2.0 * number), rel=1e-3)


def test_the_estimate_is_drag_in_half_the_drift():
    linear = DRAG._replace(d11_q=0.0)
    head, beam, following = estimated_resistance(np.ones(3), np.radians([180.0, 90.0, 0.0]), 0.04, 0.1, linear)
    assert head == pytest.approx(10.0 * FELT_DRIFT * 0.04)
    assert beam == pytest.approx(0.0, abs=1e-12)
    assert following == pytest.approx(-head)


def test_quadratic_drag_grows_by_the_square_of_the_scatter():
    without = estimated_resistance(np.array(2.0), np.array(0.5 * math.pi), 0.04, 0.0, DRAG)
    scattered = estimated_resistance(np.array(2.0), np.array(0.5 * math.pi), 0.04, 0.3, DRAG)
    assert scattered - without == pytest.approx(4.0 * 0.3 ** 2, rel=1e-6)


def test_a_point_goes_with_the_surface():
    # Elevation a cos(k x - omega t): the slope is a quarter of a period behind; FLU: bow up is a negative pitch.
    frequency, ahead = np.array([2.0]), np.array([0.0])
    motion = SurfaceFollower(0.0, 0.0, 0.0).motion(frequency, ahead)
    number = 4.0 / 9.81
    assert motion.heave[0] == pytest.approx(1.0)
    assert motion.pitch[0] == pytest.approx(-1j * number)
    assert motion.roll[0] == pytest.approx(0.0)
    to_port = SurfaceFollower(0.0, 0.0, 0.0).motion(frequency, np.array([0.5 * math.pi]))
    assert to_port.roll[0] == pytest.approx(1j * number)  # Port side up


def test_a_wave_as_long_as_the_boat_moves_it_not():
    number = 2.0 * math.pi / 3.0
    motion = SurfaceFollower(3.0, 1.0, 0.0).motion(np.array([math.sqrt(9.81 * number)]), np.array([math.pi]))
    assert abs(motion.heave[0]) < 1e-12
