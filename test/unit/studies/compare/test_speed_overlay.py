"""Closed forms of errors, shares and shifts of traces."""

from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.studies.compare.comparison import SpeedTrace, overlay_of, trace_of

TIME = np.arange(0.0, 60.0, 0.1)
RISE = 1.4 * (1.0 - np.exp(-TIME / 3.0))
SIMULATED = SpeedTrace('simulated', TIME, RISE)
RNG = np.random.default_rng(2)


def test_errors_are_simulated_less_measured():
    """A sine of 0.1 m/s about a bias of 0.05: mean 0.05, std 0.1 / sqrt(2); within one std for half of the time."""
    wave = 0.05 + 0.1 * np.sin(2.0 * np.pi * TIME / 6.0)
    found = overlay_of([SpeedTrace('log', TIME, RISE - wave)], [SIMULATED], align=False)
    error, = found.errors
    assert error == found.all and error.samples == len(TIME)
    assert (error.bias, error.std) == pytest.approx((0.05, 0.1 / 2.0 ** 0.5), rel=2e-3)
    assert error.share == pytest.approx(0.5, abs=0.02) and error.largest == pytest.approx(0.15, rel=1e-3)
    whole = np.mean(np.abs(0.05 + 0.1 * np.sin(np.linspace(0.0, 2.0 * np.pi, 200_001))))
    assert error.mae == pytest.approx(whole, rel=5e-3)
    assert np.isnan(found.sigma) and found.shifts == (0.0,)


def test_a_few_errors_by_hand():
    """-0.2, 0, 0.5 m/s: mean 0.1, deviation sqrt(0.26 / 2), two of three within it; one run has no repeats."""
    time = np.array([1.0, 2.0, 3.0])
    log = SpeedTrace('log', time, 1.0 - np.array([-0.2, 0.0, 0.5]))
    flat = SpeedTrace('simulated', time, 1.0 + 0.0 * time)
    found = overlay_of([log], [flat], align=False)
    error = found.all
    assert (error.samples, error.mae, error.bias, error.largest) == pytest.approx((3, 0.7 / 3.0, 0.1, 0.5))
    assert error.std == pytest.approx((0.26 / 2.0) ** 0.5) and error.share == pytest.approx(2.0 / 3.0)
    assert np.isnan(found.sigma) and np.isnan(found.share_in_sigma)


def test_normal_errors_lie_within_one_deviation_in_68_percent():
    found = overlay_of([SpeedTrace('log', TIME, RISE + RNG.normal(0.0, 0.07, len(TIME)))], [SIMULATED], align=False)
    assert found.all.share == pytest.approx(0.6827, abs=0.05)
    assert found.all.mae == pytest.approx(0.07 * (2.0 / np.pi) ** 0.5, rel=0.08)


def test_clocks_that_began_apart_are_laid_over_each_other():
    """The same rise 7.3 s later on a clock of its own, at another rate."""
    own = np.arange(0.0, 50.0, 0.25)
    late = SpeedTrace('log', own, np.where(own < 7.3, 0.0, 1.4 * (1.0 - np.exp(-(own - 7.3) / 3.0))))
    found = overlay_of([late], [SIMULATED], align=True)
    assert found.shifts[0] == pytest.approx(-7.3, abs=0.01) and found.all.mae < 1e-3
    with pytest.raises(InputError, match=r'log: does not rise through 0\.35 m/s.*--no-align'):
        overlay_of([late._replace(speed=0.1 * late.speed)], [SIMULATED], align=True)


def test_repeats_say_how_well_a_speed_was_measured():
    """Four repeats with 0.05 m/s of noise, about a right simulation: that sigma, and 68 % of the samples within it."""
    repeats = [SpeedTrace(str(n), TIME + 0.02 * n, RISE + RNG.normal(0.0, 0.05, len(TIME))) for n in range(4)]
    found = overlay_of(repeats, [SIMULATED], align=False)
    assert found.sigma == pytest.approx(0.05, rel=0.05)
    assert found.share_in_sigma == pytest.approx(0.6827, abs=0.03)
    wrong = overlay_of(repeats, [SIMULATED._replace(speed=RISE + 0.15)], align=False)
    assert wrong.sigma == pytest.approx(found.sigma) and wrong.share_in_sigma < 0.05
    assert found.all.samples == sum(error.samples for error in found.errors)


def test_each_log_may_have_a_simulation_of_its_own():
    found = overlay_of([SIMULATED, SIMULATED], [SIMULATED, SIMULATED._replace(speed=RISE + 0.1)], align=False)
    assert [error.bias for error in found.errors] == pytest.approx([0.0, 0.1]) and np.isnan(found.sigma)


def test_traces_without_a_common_time_and_logs_without_speed_are_named():
    with pytest.raises(InputError, match=r'log \(100\.0 to 159\.9 s\) and simulated \(0\.0 to 59\.9 s\) have'):
        overlay_of([SIMULATED._replace(name='log', time=TIME + 100.0)], [SIMULATED], align=False)
    log = Log('log', Path('log.csv'), TIME, u=3.0 + 0.0 * TIME, v=4.0 + 0.0 * TIME)
    assert trace_of(log).speed[0] == 5.0 and len(trace_of(log, 10.0, 20.0).time) == 101
    with pytest.raises(InputError, match=r'2 samples with a speed from 0 to 0\.1 s'):
        trace_of(log, 0.0, 0.1)
    assert len(trace_of(log, 0.0, 0.2).time) == 3


def test_a_clock_is_laid_by_the_first_rise_of_a_log_that_began_under_way():
    """From 1 m/s down to rest by 5 s, and up through 0.5 m/s at 12.5 s, a quarter of the simulated top speed."""
    time = np.arange(0.0, 30.0, 1.0)
    speed = np.interp(time, [0.0, 5.0, 10.0, 15.0], [1.0, 0.0, 0.0, 1.0])
    rise = SpeedTrace('simulated', time, np.interp(time, [0.0, 4.0], [0.0, 2.0]))
    assert overlay_of([SpeedTrace('log', time, speed)], [rise], align=True).shifts == (pytest.approx(1.0 - 12.5),)


def test_repeats_need_more_than_three_steps_of_common_time():
    for late, common in ((59.5, True), (59.8, False), (70.0, False)):
        pair = [SIMULATED._replace(name='a'), SIMULATED._replace(name='b', time=TIME + late)]
        if common:
            assert overlay_of(pair, [SIMULATED._replace(time=np.arange(0.0, 180.0, 0.3))], align=False).sigma >= 0.0
        else:
            with pytest.raises(InputError, match='a, b have no time in common, so they are no repeats'):
                overlay_of(pair, [SIMULATED._replace(time=np.arange(0.0, 180.0, 0.3))], align=False)
