"""Loads that vary: duty cycles against a count of their seconds in whole numbers, speeds against closed forms."""

import math
from fractions import Fraction

import numpy as np
import pytest

from usv_energy.boats.load import Duty, Load, SpeedSwitch
from usv_energy.powering.loads import long_run_powers, mean_load_powers, mean_power_of_loads, with_loads
from usv_energy.powering.power import Power

TENTH = Load(20.0, Duty(0.1, 60.0))
HOUR = 3600.0


def seconds_on(begin: Fraction, end: Fraction, share: Fraction, period: Fraction, phase: Fraction) -> Fraction:
    """Return for how long a duty cycle is on between two times, s: each of its periods cut with them, exactly."""
    number, on = (begin + phase) // period, Fraction(0)
    while number * period - phase < end:
        switched = number * period - phase
        on += max(min(end, switched + share * period) - max(begin, switched), Fraction(0))
        number += 1
    return on


@pytest.mark.parametrize('step', [0.05, 0.1, 1.0, 7.0, 59.0, 61.0, 1800.0, HOUR])
def test_a_tenth_of_20_w_is_2_wh_in_an_hour_whatever_the_step(step):
    times = np.append(np.arange(0.0, HOUR, step), HOUR)
    energy = sum(mean_load_powers((TENTH,), begin, end, 0.0, 0.0)[0] * (end - begin)
                 for begin, end in zip(times.tolist(), times[1:].tolist()))
    assert energy / 3600.0 == pytest.approx(2.0, rel=1e-12)


@pytest.mark.parametrize(('share', 'period', 'phase'), [(Fraction(1, 10), 60, 0), (Fraction(1, 3), 7, 2),
                                                        (Fraction(9, 10), Fraction(1, 2), Fraction(1, 3)),
                                                        (Fraction(1), 5, 1), (Fraction(0), 5, 1),
                                                        (Fraction(1, 4), 10, 105), (Fraction(1, 4), 10, -3)])
def test_the_mean_over_any_step_is_the_share_of_its_seconds(share, period, phase, rng):
    period, phase = Fraction(period), Fraction(phase)
    load = Load(1.0, Duty(float(share), float(period), float(phase)))
    for begin, length in rng.integers(1, 400, (60, 2)).tolist():
        begin, end = Fraction(begin, 8), Fraction(begin + length, 8)
        wanted = seconds_on(begin, end, share, period, phase) / (end - begin)
        found, = mean_load_powers((load,), float(begin), float(end), 1.0, 1.0)
        assert found == pytest.approx(float(wanted), abs=1e-12)


def test_a_duty_cycle_keeps_its_digits_after_a_week():
    """A week of 0.1 s: the last steps are as exact as the first, to what a float of the time itself has."""
    week = 7 * 24 * HOUR
    assert mean_load_powers((TENTH,), week, week + 0.1, 0.0, 0.0)[0] == pytest.approx(20.0, rel=1e-6)
    assert mean_load_powers((TENTH,), week - 0.1, week, 0.0, 0.0)[0] == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize(('switch', 'speed', 'share'), [
    (SpeedSwitch(above=0.5), 0.4, 0.0), (SpeedSwitch(above=0.5), 0.6, 1.0), (SpeedSwitch(above=0.5), 0.5, 0.0),
    (SpeedSwitch(below=0.5), 0.5, 0.0), (SpeedSwitch(below=0.5), 0.4, 1.0), (SpeedSwitch(below=0.5), 0.6, 0.0),
    (SpeedSwitch(0.2, 0.5), 0.1, 0.0), (SpeedSwitch(0.2, 0.5), 0.3, 1.0), (SpeedSwitch(0.2, 0.5), 0.7, 0.0),
    (SpeedSwitch(speeds=(0.5, 1.0, 2.0), shares=(0.2, 1.0, 0.0)), 0.0, 0.2),
    (SpeedSwitch(speeds=(0.5, 1.0, 2.0), shares=(0.2, 1.0, 0.0)), 0.75, 0.6),
    (SpeedSwitch(speeds=(0.5, 1.0, 2.0), shares=(0.2, 1.0, 0.0)), 1.5, 0.5),
    (SpeedSwitch(speeds=(0.5, 1.0, 2.0), shares=(0.2, 1.0, 0.0)), 3.0, 0.0)])
def test_a_load_by_speed(switch, speed, share):
    load = Load(30.0, speed=switch)
    assert mean_load_powers((load,), 0.0, 1.0, speed, speed)[0] == pytest.approx(30.0 * share, abs=1e-12)
    assert long_run_powers((load,), speed)[0] == pytest.approx(30.0 * share, abs=1e-12)


def test_between_two_speeds_a_step_has_the_mean_of_both():
    load = Load(10.0, speed=SpeedSwitch(speeds=(0.0, 2.0), shares=(0.0, 1.0)))
    assert mean_load_powers((load,), 0.0, 1.0, 0.4, 1.2)[0] == pytest.approx(4.0)


def test_what_switches_a_load_multiplies():
    load = Load(40.0, Duty(0.25, 8.0), SpeedSwitch(above=0.5), share=0.5)
    assert long_run_powers((load,), 1.0) == (5.0,)
    assert long_run_powers((load,), 0.1) == (0.0,)
    assert mean_load_powers((load,), 0.0, 2.0, 1.0, 1.0) == (20.0,)


def test_floats_and_arrays_are_the_same(rng):
    loads = (TENTH, Load(5.0), Load(7.0, Duty(0.3, 3.0, 1.0), SpeedSwitch(0.2, 0.9)),
             Load(9.0, speed=SpeedSwitch(speeds=(0.0, 0.5, 1.0), shares=(0.0, 0.2, 1.0))))
    begin = rng.uniform(0.0, 500.0, 200)
    end, before, now = begin + rng.uniform(0.01, 40.0, 200), rng.uniform(0.0, 1.5, 200), rng.uniform(0.0, 1.5, 200)
    arrays = [np.broadcast_to(one, 200) for one in mean_load_powers(loads, begin, end, before, now)]
    for row in range(200):
        at = [float(values[row]) for values in (begin, end, before, now)]
        assert mean_load_powers(loads, *at) == pytest.approx([one[row] for one in arrays], rel=1e-14, abs=1e-14)
        assert mean_power_of_loads(loads, *at) == pytest.approx(sum(one[row] for one in arrays), rel=1e-13)


def test_a_step_without_a_length_has_no_power():
    for begin, end in ((math.nan, 1.0), (1.0, 1.0), (2.0, 1.0)):
        assert math.isnan(mean_load_powers((TENTH,), begin, end, math.nan, 1.0)[0])


def test_loads_are_in_the_total_and_nowhere_else():
    power = Power(*(float(number) for number in range(len(Power._fields))))._replace(loads=0.0)
    found = with_loads(power, 12.5)
    assert (found.loads, found.total) == (12.5, power.total + 12.5)
    assert found._replace(loads=0.0, total=power.total) == power
    assert with_loads(power._replace(static_load=0.0), 12.5).loads == 12.5
    unknown = with_loads(power._replace(static_load=math.nan, total=math.nan), 12.5)
    assert math.isnan(unknown.loads) and math.isnan(unknown.total)
