
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from png_files import png_size
from scipy.stats import t as student

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import WaveMaking
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.studies.identify.trials.speed_power import (
    Steady,
    _check,
    _current_of_pairs,
    _drawn,
    _has_opposite_courses,
    _priors,
    _residuals,
    _speeds_by_pairs,
    speed_power,
    speed_power_boat,
)
from usv_energy.studies.identify.trials.trial_report import speed_power_panels, speed_power_summary, speed_power_text

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
    assert found.has_current.tolist() == [False, True]
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


def blocks_of(courses, speeds=1.0, powers=30.0, logs=0, stretches=None):
    """Return blocks on courses, rad, at speeds over ground, m/s, with powers, W."""
    courses = np.atleast_1d(np.asarray(courses, dtype=float))
    whole = [one + 0.0 * courses for one in (speeds, powers)]
    numbers = np.arange(len(courses)) if stretches is None else np.asarray(stretches)
    return Steady(whole[0] * np.cos(courses), whole[0] * np.sin(courses), courses, whole[1],
                  (logs + 0 * courses).astype(int), numbers, 10.0 * np.arange(len(courses)))


@pytest.mark.parametrize('turn', [0.0, 2.0, 3.0])
def test_courses_more_than_100_degrees_apart_tell_a_current(turn):
    for apart, tells in ((101.0, True), (99.0, False), (-101.0, True), (259.0, True), (261.0, False)):
        assert _has_opposite_courses(blocks_of([turn, turn + math.radians(apart), turn])) is tells
    assert not _has_opposite_courses(blocks_of([turn])) and not _has_opposite_courses(blocks_of([]))


def test_a_curve_needs_four_stretches_speeds_of_1_3_to_1_and_powers_of_1_1_to_1():
    good = blocks_of([0.0] * 4, [1.0, 1.1, 1.2, 1.3], [30.0, 31.0, 32.0, 33.01])
    _check(good, 'log')
    for changed, words in (
            (good._replace(stretch=np.array([0, 1, 2, 2])), '3 stretches of steady motion'),
            (blocks_of([0.0] * 4, [1.0, 1.1, 1.2, 1.299], good.power), 'm/s; the fastest must be 1.3 times'),
            (good._replace(power=np.array([30.0, 31.0, 32.0, 33.0])), 'is 30 to 33 W at all speeds'),
            (good._replace(power=np.array([0.0, 0.0, 0.0, 0.0])), 'is 0 to 0 W at all speeds')):
        with pytest.raises(InputError, match=words):
            _check(changed, 'log')
    _check(good._replace(power=np.array([-1.0, 0.0, 0.0, 0.1])), 'log')


def test_the_current_of_a_way_there_and_back_is_half_the_difference():
    """Of pairs whose powers differ by less than 15 % in their logarithm, and whose courses by more than 100 degrees."""
    current = np.array([0.2, -0.1])
    heads = np.array([0.3, 0.3 + math.pi, 1.0, 1.0 + math.pi])
    power = np.array([30.0, 30.0 * math.exp(0.149), 60.0, 60.0 * math.exp(0.151)])
    own = blocks_of(heads, 1.0, power)
    own = own._replace(vx=own.vx + current[0], vy=own.vy + current[1])
    np.testing.assert_allclose(_current_of_pairs(own), current, atol=1e-12)
    np.testing.assert_allclose(_speeds_by_pairs(own, True), 1.0, atol=1e-12)
    np.testing.assert_allclose(_speeds_by_pairs(own, False), np.hypot(own.vx, own.vy))
    assert _current_of_pairs(blocks_of([0.0, 1.0])).tolist() == [0.0, 0.0]


def test_residuals_are_relative_and_priors_hold_currents_small_and_the_bow_first():
    """A twentieth of the most power is the least that an error is held against; 0.5 m/s, and 0.15 m/s across."""
    blocks = blocks_of([0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [12.0, 40.0, 1.0])._replace(yaw=np.array([0.0, 0.1, np.nan]))
    found = np.array([2.0, 10.0, 2.0, 0.5, 0.0])
    told = np.array([True])
    curve = 2.0 + 10.0 * np.array([0.5, 1.5, 0.5]) ** 2.0
    np.testing.assert_allclose(_residuals(found, blocks, told), (curve - blocks.power) / [12.0, 40.0, 2.0])
    whole = 2.0 + 10.0 * np.array([1.0, 2.0, 0.0]) ** 2.0
    np.testing.assert_allclose(_residuals(found, blocks, ~told), (whole - blocks.power) / [12.0, 40.0, 2.0])
    slant = blocks_of([0.3], 1.0)._replace(yaw=np.array([0.5]))
    drift = math.sin(0.3 - 0.5) - (0.2 * math.cos(0.5) + 0.1 * math.sin(0.5))  # Across the bow, less the current's.
    assert _priors(np.array([1.0, 1.0, 2.0, -0.1, 0.2]), slant) == pytest.approx([-0.2, 0.4, drift / 0.15])
    small, none, *across = _priors(found, blocks)
    assert (small, none) == (1.0, 0.0)
    assert across == pytest.approx([0.0, -1.5 * math.sin(0.1) / 0.15 / 3.0 ** 0.5, 0.0])


def test_a_log_left_out_errs_by_its_own_share():
    """Three logs of one curve without noise, the last one's watts a tenth more: it errs by -1/11, the others hardly."""
    logs = [outings(seed, name=f'log{seed}')[0] for seed in range(3)]
    logs[2] = replace(logs[2], electrical_power=1.1 * logs[2].electrical_power)
    found = speed_power(logs)
    assert found.left_out[2] == pytest.approx(1.0 / 1.1 - 1.0, abs=2e-3)
    assert found.left_out[:2] == pytest.approx([0.03, 0.03], abs=0.04) and (found.left_out[:2] > 0.0).all()
    assert np.isnan(speed_power(logs[:1]).left_out).all()


@pytest.mark.parametrize('told', [True, False])
def test_curves_are_drawn_from_the_t_distribution_of_least_squares_over_stretches(rng, told):
    """
    (J' J + P' P)^-1 s^2 over the means of stretches, by differences of what is written out here.

    `J` of the relative errors, `P` of the priors, that count by the scatter; as many degrees of freedom as there are
    stretches beyond the three numbers and, where it is told, the current. 1000 draws: a quantile is good to 10 %.
    """
    counts = np.array([1, 7, 2, 6, 3, 5, 4, 4, 7, 1, 6, 2])
    speeds = np.repeat(np.linspace(0.5, 2.0, 12), counts)
    courses = np.repeat(np.arange(12) * 2.5, counts)
    powers = (9.0 + 22.0 * speeds ** 2.7) * (1.0 + 0.02 * rng.normal(size=48))
    blocks = blocks_of(courses, speeds, powers, stretches=np.repeat(np.arange(12), counts))
    blocks = blocks._replace(log=np.zeros(48, dtype=int))
    found, scatter, flags = np.array([9.0, 22.0, 2.7, 0.0, 0.0]), 0.02, np.array([told])

    def means(numbers):
        through = np.hypot(blocks.vx - numbers[3], blocks.vy - numbers[4])
        error = (numbers[0] + numbers[1] * through ** numbers[2]) / powers - 1.0
        across = -numbers[4] * np.cos(courses) + numbers[3] * np.sin(courses)
        known = np.concatenate([numbers[3:] / 0.5, across / 0.15 / math.sqrt(48.0)])
        mean = np.add.reduceat(error, np.append(0, np.cumsum(counts)[:-1])) / counts
        return np.concatenate([mean, scatter * known / 2.0])  # sqrt of four blocks, the mean number

    free = 5 if told else 3
    slopes = np.column_stack([(means(found + step) - means(found - step)) / 2e-6 for step in 1e-6 * np.eye(5)[:free]])
    variance = np.sum(means(found)[:12] ** 2) / (12 - free)
    error = np.sqrt(np.diag(np.linalg.inv(slopes.T @ slopes) * variance))[:3]
    drawn = _drawn(found, blocks, flags, scatter)
    assert np.median(drawn, axis=0) == pytest.approx(found[:3], abs=0.1 * error.max(), rel=0.05)
    reach = np.diff(np.percentile(drawn, (2.5, 97.5), axis=0), axis=0)[0] / 2.0
    np.testing.assert_allclose(reach[1:], student.ppf(0.975, 12 - free) * error[1:], rtol=0.15)


def test_the_scatter_is_the_mean_square_of_what_is_left_beyond_the_numbers_fitted():
    """Three numbers of the curve, and two of the current."""
    log, _ = outings(3, 1.0)
    found = speed_power([log])
    power = found.blocks.power
    error = (found.power(found.speeds) - power) / np.maximum(power, 0.05 * power.max())
    assert found.scatter == pytest.approx(math.sqrt(np.sum(error ** 2) / (power.size - 5)), rel=1e-9)
    low, high = found.band(np.array([1.2]))
    drawn = [curve[0] + curve[1] * 1.2 ** curve[2] for curve in found.draws]
    assert [low[0], high[0]] == pytest.approx(np.percentile(drawn, [2.5, 97.5])) and low < found.power(1.2) < high


MANY = np.linspace(0.6, 2.2, 9)
WAVES = WaveMaking(1.0, (0.8, 1.2, 1.4, 1.6, 2.0, 2.4), (0.5, 1.5, 6.0, 12.0, 10.0, 8.0))


def humped(speed):
    """Return the power with waves that rise steeply between 1.2 and 1.6 m/s, W, at an efficiency of 0.4."""
    return HOTEL + 12.0 * speed ** 2.8 + speed ** 3 * np.interp(speed, WAVES.speed, WAVES.coefficient) / 0.4


def with_power(log, power):
    """Return a log whose watts are a function of its speed through water; noise as that of the log."""
    truth = HOTEL + FACTOR * np.repeat(MANY, 480) ** EXPONENT
    return replace(log, electrical_power=log.electrical_power / truth * np.repeat(power(MANY), 480))


def test_the_form_is_chosen_by_evidence():
    """The law where that is the truth; else the table, or the waves of the hull where the boat's file has them."""
    boat = read_boat('lutra_prop')
    damping = boat.vessel.damping._replace(wave=WAVES)
    known = replace(boat, vessel=boat.vessel._replace(damping=damping), hull=boat.hull._replace(length=1.2))
    laws = [speed_power([outings(seed, 1.0, speeds=MANY)[0]], known).curve.name for seed in range(12)]
    assert laws.count('law') >= 11
    for seed in range(3):
        log = with_power(outings(seed, 1.0, speeds=MANY)[0], humped)
        found, alone = speed_power([log], known), speed_power([log])
        assert (found.curve.name, alone.curve.name) == ('law and waves', 'table')
        at = np.array([0.9, 1.2, 1.5, 2.0])
        assert found.power(at) == pytest.approx(humped(at), rel=0.06)
        assert found.numbers[3] == pytest.approx(2.5, rel=0.25), 'one over the efficiency'
        assert alone.power(at) == pytest.approx(humped(at), rel=0.25)
        assert 'form: law and waves, the simplest' in speed_power_text(found)
        assert speed_power_boat(alone, 'mine', {})['power_curve'][0][1] == pytest.approx(alone.hotel, rel=1e-5)
        assert speed_power_summary(alone)['exponent'] is None and speed_power_summary(found)['criteria']['law'] > 6.0


def test_a_hull_that_planes_is_refused_by_its_length():
    """1.06 m: Froude 1 is 3.224 m/s."""
    log, _ = outings(speeds=[0.8, 1.5, 2.5, 3.3])
    with pytest.raises(InputError, match=r'up to 3.30 m/s through the water, and above 3.22 m/s \(Froude 1\) a hull of '
                                         r'1.06 m \(.*lutra_prop.yaml\) planes'):
        speed_power([log], read_boat('lutra_prop'))
    assert speed_power([log]).exponent == pytest.approx(EXPONENT, rel=1e-4)


def test_it_is_a_picture_of_its_size(tmp_path):
    speed, course = np.repeat([(one, to) for one in (1.0, 1.5, 2.0) for to in (0.0, np.pi)], 80, axis=0).T
    log = Log('log', Path('log.csv'), 0.5 * np.arange(speed.size), u=speed, v=0.0 * speed, yaw=course,
              electrical_power=20.0 + 5.0 * speed ** 3)
    speed_power_panels(speed_power([log])).write(tmp_path / 'a.png')
    width, height = png_size(tmp_path / 'a.png')
    assert width / height == 1.6


def outing(courses):
    """Return a log of 20 + 5 v^3 W at three speeds on courses, rad, in still water."""
    legs = [(speed, course) for speed in (1.0, 1.5, 2.0) for course in courses]
    speed, course = np.repeat(legs, 80, axis=0).T
    return Log('log', Path('log.csv'), 0.5 * np.arange(speed.size), u=speed, v=0.0 * speed, yaw=course,
               electrical_power=20.0 + 5.0 * speed ** 3)


def test_figures_have_units_and_the_law_and_a_log_of_one_course_is_warned_of():
    both = speed_power_summary(speed_power([outing((0.0, np.pi))]))
    assert (both['hotel_w'], both['factor_w'], both['exponent']) == pytest.approx((20.0, 5.0, 3.0), rel=1e-4)
    assert both['curve'][-1]['power_w'] == pytest.approx(60.0, rel=1e-4)
    assert both['logs'][0]['speed_is'] == 'through water'
    assert both['logs'][0]['power_error_of_the_others_percent'] is None
    one = speed_power([outing((0.0, 0.3))])
    assert speed_power_summary(one)['logs'][0]['speed_is'] == 'over ground'
    assert 'Go there and back' in speed_power_text(one)
    assert 'Go there and back' not in speed_power_text(speed_power([outing((0.0, np.pi))]))
