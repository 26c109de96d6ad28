import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.logs.motion import energy_interval
from usv_energy.logs.motion.jerk_prior import Knots
from usv_energy.logs.motion.measured_series import KNOT_STEP
from usv_energy.logs.motion.motion_estimate import MotionValues
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_interval import log_interval


def test_the_interval_holds_the_work_of_the_thrusters(independent):
    """Twelve logs; two may be outside (95 of 100 inside: the chance of three outside is 2 %)."""
    held = 0
    for seed in range(200, 212):
        log, work = independent('lawnmower', 5.0, 0.05, seed)
        found = log_interval(analysed_log(log, BOAT))
        held += found.low < work < found.high
        assert found.high - found.low < 0.03 * work, 'and says something'
    assert held >= 10


def test_more_noise_is_a_wider_interval(independent):
    spread = [log_interval(analysed_log(independent('lawnmower', 5.0, noise)[0], BOAT)).noise for noise in (0.02, 0.2)]
    assert spread[1] > 1.5 * spread[0]


def test_what_lies_between_samples_widens_the_interval(independent):
    lost = [log_interval(analysed_log(independent('stop_and_go', rate, 0.02)[0], BOAT)).lost for rate in (10.0, 1.0)]
    assert lost[1] > 2.0 * lost[0] > 0.0


@pytest.mark.parametrize('rate', [50.0, 10.0])
def test_thrusts_that_jump_are_in_the_interval(rate, independent):
    """Thrusters without lag, turned astern at once: the knots round off what they gave until then."""
    held, rounded = 0, []
    for seed in range(6):
        log, work = independent('jumps', rate, 0.02, seed)
        found = log_interval(analysed_log(log, BOAT))
        held += found.low < work < found.high
        rounded.append(found.rounded / work)
        assert found.high - found.low < 0.025 * work
    slow = log_interval(analysed_log(independent('stop_and_go', rate, 0.02)[0], BOAT))
    assert held >= 5 and np.mean(rounded) > 2.0 * slow.rounded / independent('stop_and_go', rate, 0.02)[1]


def test_an_average_over_a_knot_leaves_a_line_and_adds_its_variance_to_a_square():
    """Weights 1/4, 1/2, 1/4 at -h, 0, h have the variance h^2 / 2; ends of a stretch stay as they are."""
    time = np.concatenate([np.arange(0.0, 2.0, energy_interval.STEP), np.arange(9.0, 11.0, energy_interval.STEP)])
    motion = MotionValues(*(time * time if name == 'u' else time for name in MotionValues._fields))
    found = energy_interval._averaged(motion, time)
    np.testing.assert_allclose(found.x, time, atol=1e-12)
    change = found.u - motion.u
    ends = np.array([0, 1, 38, 39, 40, 41, 78, 79])
    np.testing.assert_allclose(change[ends], 0.0, atol=1e-12)
    np.testing.assert_allclose(np.delete(change, ends), 0.5 * KNOT_STEP ** 2, rtol=1e-9)


def test_stretches_stand_for_the_whole(independent, monkeypatch):
    log, _ = independent('lawnmower', 5.0, 0.05)
    analysed = analysed_log(log, BOAT)
    whole = log_interval(analysed)
    monkeypatch.setattr(energy_interval, 'STRETCH_KNOTS', 120)  # of 250
    part = log_interval(analysed)
    assert 0.4 < part.noise / whole.noise < 2.5
    assert 0.4 < (part.high - part.low) / (whole.high - whole.low) < 2.5


def test_the_same_log_has_the_same_interval(independent):
    analysed = analysed_log(independent('lawnmower', 5.0, 0.05)[0], BOAT)
    assert log_interval(analysed) == log_interval(analysed)


def test_energy_is_integrated_over_even_times_of_each_stretch_no_further_apart_than_a_step():
    """Two stretches of several knots; a single knot between two gaps has no duration, and no time."""
    knots = Knots(np.array([0.0, 0.1, 0.2, 5.0, 9.0, 9.12]), np.array([True, True, False, False, True]))
    wanted = [0.0, 0.05, 0.1, 0.15, 0.2, 9.0, 9.04, 9.08, 9.12]
    np.testing.assert_allclose(energy_interval._times(knots), wanted, atol=1e-12)
    alone = Knots(np.array([3.0]), np.zeros(0, dtype=bool))
    assert energy_interval._times(alone).tolist() == [3.0]
