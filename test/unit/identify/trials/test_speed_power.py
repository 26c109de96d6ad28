import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.identify.trials.speed_power import speed_power
from usv_energy.logs.log import Log

HOTEL, FACTOR, EXPONENT = 9.0, 22.0, 2.7
SPEEDS = np.array([0.6, 0.9, 1.2, 1.5, 1.8])
TRUTH = HOTEL + FACTOR * SPEEDS ** EXPONENT


def outings(seed=0, noise=0.0, current=0.3, wind=0.0, courses=(0.0, math.pi), speeds=SPEEDS, name='log'):
    """
    Return a log of minutes at speeds through water on courses, some 10 s apart, and the current, m/s (ENU).

    Power is HOTEL + FACTOR s^EXPONENT and what wind on 0.1 m^2 adds to it at an efficiency of 0.4. Noise 1 is 3 cm/s, 2
    W, 0.6 degrees a sample, and 2 % of the power of a whole stretch.
    """
    rng = np.random.default_rng(seed)
    flows = [size * np.array([math.cos(to), math.sin(to)]) for size, to in zip((current, wind),
                                                                               rng.uniform(0.0, math.tau, 2))]
    rows, begin, north = [], 0.0, rng.uniform(0.0, math.tau)
    for number, speed in enumerate(speeds):
        for course in courses:
            heading = north + course + 0.5 * math.pi * (number % 2) * (len(courses) > 1)
            bow = np.array([math.cos(heading), math.sin(heading)])
            velocity, count = speed * bow + flows[0], 240
            air, own = flows[1] - velocity, -speed * bow
            push = 0.06 * (np.hypot(*air) * air - np.hypot(*own) * own) @ bow if wind else 0.0
            watts = (HOTEL + FACTOR * speed ** EXPONENT - push * speed / 0.4) * (1.0 + 0.02 * noise * rng.normal())
            yaw = heading + 0.01 * noise * rng.normal(size=count)
            vx, vy = (one + 0.03 * noise * rng.normal(size=count) for one in velocity)
            rows.append((begin + 0.25 * np.arange(count), vx * np.cos(yaw) + vy * np.sin(yaw),
                         vy * np.cos(yaw) - vx * np.sin(yaw), yaw, watts + 2.0 * noise * rng.normal(size=count)))
            begin += 70.0
    time, u, v, yaw, power = (np.concatenate(part) for part in zip(*rows))
    return Log(name, Path(f'{name}.csv'), time, u=u, v=v, yaw=yaw, electrical_power=power, max_gap=1.0), flows[0]


def test_without_noise_the_law_and_the_current_are_exact():
    log, current = outings()
    found = speed_power([log])
    assert (found.hotel, found.factor, found.exponent) == pytest.approx((HOTEL, FACTOR, EXPONENT), rel=1e-6)
    assert found.currents[0] == pytest.approx(current, abs=1e-6)
    assert found.power(SPEEDS) == pytest.approx(TRUTH, rel=1e-9)


def test_the_truth_lies_in_the_interval_in_90_to_99_percent_of_seeds_and_the_curve_is_near():
    """Noise, a current of 0.3 m/s and a wind of 1 m/s, from anywhere, in 120 seeds."""
    inside, errors = [], []
    for seed in range(120):
        found = speed_power([outings(seed, 1.0, wind=1.0, courses=(0.0, math.pi))[0]])
        low, high = found.band(SPEEDS)
        inside.append((low <= TRUTH) & (high >= TRUTH))
        errors.append(found.power(SPEEDS) / TRUTH - 1.0)
    assert 0.90 <= np.mean(inside) <= 0.99
    assert np.sqrt(np.mean(np.square(errors), axis=0)).max() < 0.03


def test_one_direction_is_said_to_be_over_ground_and_two_logs_judge_each_other():
    one_way, _ = outings(1, current=0.0, courses=(0.0,), name='one_way')
    there_and_back, current = outings(2)
    found = speed_power([one_way, there_and_back])
    assert found.told.tolist() == [False, True]
    assert found.currents[0].tolist() == [0.0, 0.0] and found.currents[1] == pytest.approx(current, abs=1e-5)
    assert found.left_out == pytest.approx([0.0, 0.0], abs=0.01)


def test_positions_alone_do_as_well_as_velocities():
    log, current = outings()
    vx, vy = (log.u * np.cos(log.yaw) - log.v * np.sin(log.yaw), log.u * np.sin(log.yaw) + log.v * np.cos(log.yaw))
    step = np.diff(log.time, prepend=log.time[0])
    gps = Log('gps', Path('gps.csv'), log.time, x=np.cumsum(vx * step), y=np.cumsum(vy * step),
              electrical_power=log.electrical_power, max_gap=1.0)
    found = speed_power([gps])
    assert found.power(SPEEDS) == pytest.approx(TRUTH, rel=0.01)
    assert found.currents[0] == pytest.approx(current, abs=0.01)


def test_what_is_missing_is_said_by_name():
    log, _ = outings()
    with pytest.raises(InputError, match=r'log\.csv: has no electrical_power \(or volts and amperes\)'):
        speed_power([replace(log, electrical_power=np.full(len(log), np.nan))])
    with pytest.raises(InputError, match=r'log\.csv: has neither a velocity .*no GPS was recorded'):
        speed_power([replace(log, u=np.full(len(log), np.nan))])
    with pytest.raises(InputError, match='2 stretches of steady motion'):
        speed_power([outings(speeds=SPEEDS[:1])[0]])
    with pytest.raises(InputError, match='all steady speeds are between 0'):
        speed_power([outings(speeds=[0.9, 0.9, 0.9], current=0.0)[0]])
    with pytest.raises(InputError, match='the current sensor does not see the thrusters'):
        speed_power([replace(log, electrical_power=np.full(len(log), 12.0))])
