"""Errors of a sensor's quantity: their size, their correlation, and that each draws numbers of its own."""

import math

import numpy as np
import pytest

from usv_energy.boats.sensor import SensorErrors
from usv_energy.sim.sensors.sensor_suite import ErrorProcess, stream_of


def readings(errors, number, step, seed=7, value=0.0):
    process = ErrorProcess(errors, 2, seed, 'sensor', 'quantity')
    return np.array([process.on(step * k, (value, value)) for k in range(number)])


def test_white_noise_has_its_standard_deviation_and_no_correlation():
    found = readings(SensorErrors(noise=0.3), 5000, 0.1)
    assert found.std(axis=0) == pytest.approx([0.3, 0.3], rel=0.05)
    for column in found.T:
        assert abs(np.corrcoef(column[1:], column[:-1])[0, 1]) < 4.0 / math.sqrt(5000)
    assert abs(np.corrcoef(*found.T)[0, 1]) < 4.0 / math.sqrt(5000)


@pytest.mark.parametrize('step', [3.0, 10.0])
def test_slow_noise_is_a_gauss_markov_process_at_any_step(step):
    found = readings(SensorErrors(slow_noise=2.0, slow_time=10.0), 20_000, step)
    assert found.std() == pytest.approx(2.0, rel=0.05)
    # The correlation after a step is exp(-step / slow_time): its logarithm gives the time back.
    correlation = np.mean([np.corrcoef(column[1:], column[:-1])[0, 1] for column in found.T])
    assert -step / math.log(correlation) == pytest.approx(10.0, rel=0.05)


def test_a_random_walk_grows_with_the_root_of_time():
    ends = np.array([readings(SensorErrors(walk=0.1), 41, 0.25, seed)[[4, 40]] for seed in range(1500)])
    assert ends[:, 0].std() == pytest.approx(0.1, rel=0.05)
    assert ends[:, 1].std() == pytest.approx(0.1 * math.sqrt(10.0), rel=0.05)


def test_bias_and_scale_are_drawn_once_a_seed():
    errors = SensorErrors(bias=1.0, bias_std=0.5, scale_std=0.01)
    biases = np.array([readings(errors, 2, 1.0, seed) for seed in range(2000)])
    np.testing.assert_array_equal(biases[:, 0], biases[:, 1])
    assert biases[:, 0].mean() == pytest.approx(1.0, abs=4.0 * 0.5 / math.sqrt(4000))
    assert biases[:, 0].std() == pytest.approx(0.5, rel=0.05)
    scales = [(readings(errors, 1, 1.0, seed, 10.0) - readings(errors, 1, 1.0, seed)) / 10.0 for seed in range(2000)]
    assert np.std(scales) == pytest.approx(0.01, rel=0.05)
    assert np.mean(scales) == pytest.approx(1.0, abs=1e-3)


def test_readings_come_in_steps_of_the_resolution():
    found = readings(SensorErrors(noise=1.0, resolution=0.25), 2000, 1.0)
    np.testing.assert_array_equal(found, 0.25 * np.rint(found / 0.25))
    # Rounding adds a twelfth of the square of its step to the variance.
    assert found.var() == pytest.approx(SensorErrors(noise=1.0, resolution=0.25).variance, rel=0.1)


def test_each_kind_of_error_has_numbers_of_its_own():
    white = readings(SensorErrors(noise=0.3), 50, 1.0)
    both = readings(SensorErrors(noise=0.3, slow_noise=2.0, slow_time=5.0, bias_std=1.0), 50, 1.0)
    slow = readings(SensorErrors(slow_noise=2.0, slow_time=5.0, bias_std=1.0), 50, 1.0)
    np.testing.assert_allclose(both, white + slow, atol=1e-12)


def test_a_stream_depends_on_its_names():
    first = stream_of(3, 'gps', 'position').random(4)
    assert (first == stream_of(3, 'gps', 'position').random(4)).all()
    assert not (first == stream_of(3, 'gps', 'velocity').random(4)).any()
    assert not (first == stream_of(4, 'gps', 'position').random(4)).any()
