"""Steps of an estimator and wrong samples in a log: the energy is that of the same log without them."""

import math
from pathlib import Path

import independent_boat as other
import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.assemble import Source, assembled
from usv_energy.logs.motion.step_gate import sharpened, steps_of
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions

NAMES = ('x', 'y', 'yaw', 'u', 'v', 'r')
STILL = AnalysisOptions(current=UniformFlow(), wind=UniformFlow())
LUTRA = other.LUTRA._replace(lag=0.3)
GPS_NOISE = other.Noise(0.05, math.radians(0.5), 0.05, math.radians(0.5))


@pytest.fixture(scope='module')
def lanes():
    """Return the truth of a boat that mows lanes for 60 s at 1 m/s."""
    return other.simulated(LUTRA, other.Lawnmower(1.0), 60.0)


def series_of(truth, rate, noise=GPS_NOISE, seed=0):
    """Return stamps, s, and noisy series by name, at a rate, Hz."""
    time, motion = other.sampled(truth, rate, 0.0, seed)
    motion = other.noisy(time, motion, noise, seed)
    return time, dict(zip(NAMES, motion.T))


def energy_and_codes(time, series):
    """Return the energy of the log of some series, J, and the codes of its notes."""
    log = assembled(Source('steps', Path('steps')), time, series)
    return analysed_log(log, read_boat('lutra_prop'), STILL).energy.total, [note.code for note in log.notes]


def without(series, *names):
    return {name: values for name, values in series.items() if name not in names}


@pytest.mark.parametrize('rate', (1.0, 5.0, 10.0, 50.0))
@pytest.mark.parametrize('seed', (0, 1))
def test_a_log_without_steps_keeps_every_sample(lanes, rate, seed):
    time, series = series_of(lanes, rate, seed=seed)
    log = assembled(Source('steps', Path('steps')), time, series)
    assert not [note.code for note in log.notes if 'step' in note.code or 'outlier' in note.code]
    np.testing.assert_array_equal(log.x, series['x'])


def test_values_that_are_held_between_measurements_are_no_faults():
    """A boat that stops and goes at 1.2 m/s; all of it measured at 1 Hz, and repeated in rows at 10 Hz."""
    truth = other.simulated(LUTRA, other.stop_and_go(1.2), 60.0)
    time, series = series_of(truth, 10.0)
    rows = np.arange(time.size) // 10 * 10
    log = assembled(Source('held', Path('held')), time, {name: values[rows] for name, values in series.items()})
    assert not [note.code for note in log.notes if any(word in note.code for word in ('step', 'outlier', 'excursion'))]


@pytest.mark.parametrize('rate', (1.0, 5.0, 10.0))
def test_places_alone_without_steps_keep_every_sample(lanes, rate):
    time, series = series_of(lanes, rate)
    log = assembled(Source('steps', Path('steps')), time, without(series, 'u', 'v', 'r'))
    np.testing.assert_array_equal(log.x, series['x'])


@pytest.mark.parametrize(('rate', 'size'), [(1.0, 2.0), (1.0, 10.0), (5.0, 1.0), (10.0, 1.0), (10.0, 1000.0),
                                            (50.0, 1.0)])
def test_a_lasting_step_of_the_position_costs_nothing(lanes, rate, size):
    time, series = series_of(lanes, rate)
    expected, _ = energy_and_codes(time, series)
    later = time > 41.3
    energy, codes = energy_and_codes(time, {**series, 'x': series['x'] + size * later * 0.6,
                                            'y': series['y'] - size * later * 0.8})
    assert energy == pytest.approx(expected, rel=0.01)
    assert 'position_steps' in codes


@pytest.mark.parametrize(('rate', 'size'), [(1.0, 20.0), (1.0, 3.0), (5.0, 20.0), (5.0, 1.5), (10.0, 20.0)])
def test_a_step_in_places_alone_costs_nothing(lanes, rate, size):
    """At 1 m/s and 1 Hz a short leg between two corners looks like 1.4 m, by the median velocity around it."""
    time, series = series_of(lanes, rate)
    series = without(series, 'u', 'v')
    expected, _ = energy_and_codes(time, series)
    energy, codes = energy_and_codes(time, {**series, 'x': series['x'] + size * (time > 41.3)})
    assert energy == pytest.approx(expected, rel=0.02)
    assert 'position_steps' in codes


def test_a_step_behind_a_hole_has_its_own_size():
    """On at 2 m/s, 10 m back in a hole of 100 s, on, and a step of 20 m aside a sample later: not 200 m more."""
    time = np.concatenate([np.arange(100.0), np.arange(200.0, 300.0)])
    noise = 0.02 * np.random.default_rng(5).standard_normal(time.size)
    places = {'x': 2.0 * time - 210.0 * (time > 150.0) + noise, 'y': 20.0 * (time > 200.5)}
    log = assembled(Source('hole', Path('hole')), time, places)
    note = next(note for note in log.notes if note.code == 'position_steps')
    assert (note.figures['steps'], note.figures['largest_m']) == (1, pytest.approx(20.0, abs=0.5))
    assert np.ptp(log.y) < 0.5


@pytest.mark.parametrize('size', (0.0, 3.0))
def test_a_boat_that_lies_still_most_of_the_time_keeps_its_start(size):
    """20 s at 0.8 m/s amid 200 s at rest, at 1 Hz: the speed under way counts, not that of all the time."""
    time = np.arange(200.0)
    gone = 0.8 * np.clip(time - 100.0, 0.0, 20.0) + 0.02 * np.random.default_rng(5).standard_normal(time.size)
    places = {'x': gone + size * (time > 150.0), 'y': 0.02 * np.random.default_rng(6).standard_normal(time.size)}
    log = assembled(Source('start', Path('start')), time, places)
    assert ('position_steps' in [note.code for note in log.notes]) == (size > 0.0)
    assert log.x[-1] - log.x[0] == pytest.approx(16.0, abs=0.1)


def test_a_step_that_a_reader_interpolated_is_found(lanes):
    """Fixes at 1 Hz on straight lines between them, in rows at 20 Hz."""
    time, series = series_of(lanes, 20.0)
    fixes = np.arange(0.0, time[-1], 1.0)
    placed = {name: np.interp(fixes, time, series[name]) for name in ('x', 'y')}
    expected, _ = energy_and_codes(time, {**series, **{name: np.interp(time, fixes, values)
                                                       for name, values in placed.items()}})
    placed['x'] = placed['x'] + 10.0 * (fixes > 30.5)
    energy, codes = energy_and_codes(time, {**series, **{name: np.interp(time, fixes, values)
                                                         for name, values in placed.items()}})
    assert energy == pytest.approx(expected, rel=0.01)
    assert 'position_steps' in codes


@pytest.mark.parametrize('number', (1, 2, 5))
def test_single_wrong_places_are_not_used(lanes, number):
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, series)
    wrong = np.zeros(time.size, dtype=bool)
    wrong[300:300 + number] = True
    shift = 20.0 * wrong * (1.0 + 0.5 * np.arange(time.size) % 3)
    energy, codes = energy_and_codes(time, {**series, 'y': series['y'] + shift})
    assert energy == pytest.approx(expected, rel=0.01)
    assert 'position_outliers' in codes
    assert 'position_steps' not in codes


@pytest.mark.parametrize('number', (3, 4, 5))
def test_wrong_values_in_a_row_that_come_back_are_one_run_and_no_steps(lanes, number):
    """Three that agree look like a lasting step, until the next one is back."""
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, series)
    wrong = slice(300, 300 + number)
    for name, off, code in (('y', 8.0, 'position'), ('yaw', 0.6, 'heading')):
        values = series[name].copy()
        values[wrong] += off
        log = assembled(Source('run', Path('run')), time, {**series, name: values})
        notes = {note.code: note for note in log.notes}
        assert notes[f'{code}_outliers'].figures['samples'] == number
        assert f'{code}_steps' not in notes
        assert analysed_log(log, read_boat('lutra_prop'), STILL).energy.total == pytest.approx(expected, rel=0.01)


def test_a_step_of_half_a_metre_is_told(lanes):
    time, series = series_of(lanes, 10.0, other.Noise(0.02, math.radians(0.5), 0.02, math.radians(0.5)))
    log = assembled(Source('half', Path('half')), time, {**series, 'x': series['x'] + 0.5 * (time > 41.3)})
    note = next(note for note in log.notes if note.code == 'position_steps')
    assert note.figures['largest_m'] == pytest.approx(0.5, abs=0.1)


def test_a_yaw_rate_without_a_number_is_made_of_the_heading(lanes):
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, without(series, 'r'))
    energy, codes = energy_and_codes(time, {**series, 'r': np.full(time.size, np.nan)})
    assert energy == expected
    assert 'motion_from_places' not in codes and 'yaw_rate_derived' in codes


def aligning(time, rate=0.0):
    """Return the series of a boat that lies still, turning at a rate, rad/s, while its heading is not aligned yet."""
    rng = np.random.default_rng(7)
    wander = 1.3 * np.sin(0.05 * time) + 0.8 * np.sin(0.21 * time + 1.0)
    series = {name: 0.003 * rng.standard_normal(time.size) for name in NAMES}
    return {**series, 'yaw': rate * time + wander + series['yaw'], 'r': rate + 0.2 * series['r']}


def test_a_heading_that_wanders_at_rest_costs_nothing():
    """An estimator that aligns itself at the pier turns the heading by a half circle, and the gyro says no turn."""
    time = np.arange(0.0, 180.0, 0.25)
    energy, codes = energy_and_codes(time, aligning(time))
    assert 'heading_wanders' in codes
    assert energy < 1.0
    _, codes = energy_and_codes(time, {**aligning(time), 'yaw': np.zeros(time.size)})
    assert 'heading_wanders' not in codes


def test_headings_that_jump_to_and_fro_at_a_mooring_cost_nothing():
    """Without a yaw rate: 8 degrees off for one to three samples of 0.2 s; a swing by 15 degrees in 20 s stays."""
    time, rng = np.arange(0.0, 300.0, 0.2), np.random.default_rng(3)
    noise = dict(zip(('x', 'y', 'velocity_x', 'velocity_y', 'yaw'), rng.standard_normal((5, time.size))))
    series = {name: size * noise[name] for name, size in (('x', 0.02), ('y', 0.02), ('velocity_x', 0.02),
                                                          ('velocity_y', 0.02), ('yaw', math.radians(0.3)))}
    series['yaw'] = series['yaw'] + math.radians(15.0) * np.sin(math.pi * time / 20.0)
    expected, codes = energy_and_codes(time, series)
    assert 'heading_outliers' not in codes
    rows = [200, 201, 202, 500, 900, 901, 1200]
    jumps = math.radians(8.0) * np.isin(np.arange(time.size), rows)
    energy, codes = energy_and_codes(time, {**series, 'yaw': series['yaw'] + jumps})
    assert energy == pytest.approx(expected, rel=0.05) and 'heading_outliers' in codes


def test_a_boat_that_turns_at_its_mooring_keeps_its_heading():
    """It swings by a half circle, as its yaw rate says, which has a bias besides."""
    time = np.arange(0.0, 180.0, 0.25)
    swing = 1.5 * np.sin(0.03 * time)
    series = {**aligning(time), 'yaw': swing, 'r': 0.045 * np.cos(0.03 * time) + 0.002}
    log = assembled(Source('swing', Path('swing')), time, series)
    assert 'heading_wanders' not in [note.code for note in log.notes]
    np.testing.assert_allclose(log.yaw, swing, atol=1e-12)


def turned_until(series, time, until, degrees):
    """Return series whose heading is off by so much until a time, s, and the velocity with it, as an estimator's."""
    angle = math.radians(degrees) * (time < until)
    c, s = np.cos(angle), np.sin(angle)
    return {**series, 'yaw': series['yaw'] + angle, 'u': c * series['u'] + s * series['v'],
            'v': c * series['v'] - s * series['u']}


@pytest.mark.parametrize('degrees', (-30.0, 35.0))
def test_a_heading_and_a_place_that_are_set_anew_together_are_both_taken_out(lanes, degrees):
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, series)
    changed = turned_until(series, time, 20.0, degrees)
    energy, codes = energy_and_codes(time, {**changed, 'y': changed['y'] + 8.0 * (time > 20.4)})
    assert energy == pytest.approx(expected, rel=0.01)
    assert {'heading_steps', 'position_steps'} <= set(codes)


def test_a_heading_that_is_set_anew_in_a_turn_that_the_yaw_rate_tells_is_a_step():
    """Round at 3.6 deg/s: the course over 4 s turns by more than half of the step, and all of that by the gyro."""
    time, rate = np.arange(0.0, 60.0, 0.1), math.radians(-3.6)
    rng = np.random.default_rng(1)
    series = {'x': np.sin(rate * time) / rate, 'y': (1.0 - np.cos(rate * time)) / rate, 'yaw': rate * time,
              'u': np.ones(time.size), 'v': np.zeros(time.size), 'r': np.full(time.size, rate)}
    noisy = {name: values + 0.005 * rng.standard_normal(time.size) for name, values in series.items()}
    log = assembled(Source('round', Path('round')), time, turned_until(noisy, time, 19.0, 12.0))
    assert 'heading_steps' in [note.code for note in log.notes]
    np.testing.assert_allclose(log.yaw, rate * time, atol=0.03)
    deaf = assembled(Source('round', Path('round')), time, {**noisy, 'r': 0.0 * time, 'yaw': np.rint(
        noisy['yaw'] / 0.25) * 0.25})
    assert 'heading_steps' not in [note.code for note in deaf.notes], 'the way turned, and the gyro says nothing'


@pytest.mark.parametrize(('until', 'degrees'), [(23.0, -12.0), (26.0, 12.0)])
def test_a_heading_that_is_set_anew_in_a_corner_is_a_step_by_the_gyro_of_all_other_corners(lanes, until, degrees):
    """In the corner the course turns, too; a yaw rate that told each other turn would have told this one."""
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, series)
    energy, codes = energy_and_codes(time, turned_until(series, time, until, degrees))
    assert 'heading_steps' in codes
    assert energy == pytest.approx(expected, rel=3e-3)


def test_headings_that_are_set_anew_at_the_end_of_each_turn_are_steps(lanes):
    """In the way of the turn: the course of the seconds around it turns by as much, and by the gyro."""
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, series)
    turns = np.flatnonzero(np.diff((np.abs(series['r']) > 0.3).astype(int)) < 0)
    ends = time[turns[np.diff(time[turns], prepend=0.0) > 4.0]][:3]
    changed = series
    for at in ends:
        sense = np.sign(np.median(series['r'][(time > at - 1.0) & (time < at)]))
        changed = turned_until(changed, time, at - 0.5, -15.0 * sense)
    energy, codes = energy_and_codes(time, changed)
    assert len(ends) == 3 and 'heading_steps' in codes
    assert energy == pytest.approx(expected, rel=0.01)


def test_a_sample_after_wrong_ones_is_used_only_at_the_level_before_them():
    """A step by 9 of a tolerance of 8.4, and samples that fall back to just below it: no single wrong sample."""
    changes = np.array([0.3, -9.3, 0.9, -1.2, -0.2, 0.6, 0.0])[:, None]
    found = steps_of(changes, np.full(7, 8.4))
    assert found.rows.tolist() == [2] and not found.wrong.any()
    assert steps_of(np.array([0.3, -9.3, 6.0, 0.0, 0.0])[:, None], np.full(5, 8.4)).wrong.tolist() == [
        False, False, True, False, False, False]


def test_the_size_of_a_step_is_as_sure_as_the_samples_around_it():
    """Of ten samples before and after, each 2 cm off, the medians differ by 1.1 cm (1.25 / sqrt(10) 2 cm, twice)."""
    rng, time = np.random.default_rng(1), np.arange(0.0, 10.0, 0.1)
    off = []
    for _ in range(40):
        places = np.column_stack([5.0 * (time > 5.05), 0.0 * time]) + 0.02 * rng.standard_normal((time.size, 2))
        changes = np.diff(places, axis=0)
        found = sharpened(steps_of(changes, np.full(time.size - 1, 0.5)), changes, time)
        assert found.rows.tolist() == [51]
        off += (found.sizes[0] - [5.0, 0.0]).tolist()
    assert np.sqrt(np.mean(np.square(off))) == pytest.approx(0.0112, rel=0.25)


@pytest.mark.parametrize(('north', 'until', 'degrees'), [(0.3, 9.0, 17.0), (-0.3, 30.0, 25.0), (-0.3, 9.0, 17.0)])
def test_a_false_heading_that_a_cross_current_hides_on_one_course_is_not_believed(north, until, degrees):
    """The boat crabs by 17 degrees; off by as much, its first heading is the course, and lanes there and back tell."""
    truth = other.simulated(LUTRA, other.Lawnmower(1.0, length=12.0, apart=4.0), 60.0, current=(0.0, north))
    time, series = series_of(truth, 10.0)
    flow = AnalysisOptions(current=UniformFlow(0.0, north), wind=UniformFlow())
    plain, turned = (assembled(Source('crab', Path('crab')), time, one)
                     for one in (series, turned_until(series, time, until, degrees)))
    np.testing.assert_allclose(turned.yaw, plain.yaw, atol=0.02)
    energies = [analysed_log(log, read_boat('lutra_prop'), flow).energy.total for log in (plain, turned)]
    assert energies[1] == pytest.approx(energies[0], rel=0.01)


@pytest.mark.parametrize('turned', (-150.0, 20.0))
def test_a_heading_that_is_set_anew_turns_the_headings_before(lanes, turned):
    """An estimator turns its velocity over ground by its own heading, right or wrong."""
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, series)
    angle = math.radians(turned) * (time < 20.0)
    c, s = np.cos(angle), np.sin(angle)
    energy, codes = energy_and_codes(time, {
        **series, 'yaw': series['yaw'] + angle, 'u': c * series['u'] + s * series['v'],
        'v': c * series['v'] - s * series['u']})
    assert energy == pytest.approx(expected, rel=0.01)
    assert 'heading_steps' in codes


@pytest.fixture(scope='module')
def straight():
    """Return the truth of a boat that goes straight on at 1 m/s for 60 s."""
    return other.simulated(LUTRA, lambda time, state, hull: other.pair(
        hull.d11 + 2.0 * hull.d11 * (1.0 - state[3]), -hull.d33 * state[2] - 0.3 * hull.d33 * state[5], hull), 60.0)


@pytest.mark.parametrize('turned', (-60.0, 12.0, 30.0))
@pytest.mark.parametrize('false', ('first', 'last'))
@pytest.mark.parametrize('by_estimator', (False, True))
def test_the_heading_is_believed_that_the_positions_fit(straight, turned, false, by_estimator):
    """Whether the false heading comes first or last, and whether the velocities were turned with it or measured."""
    time, series = series_of(straight, 10.0)
    expected, _ = energy_and_codes(time, series)
    angle = math.radians(turned) * (time < 15.0 if false == 'first' else time > 45.0)
    changed = {'yaw': series['yaw'] + angle}
    if by_estimator:
        c, s = np.cos(angle), np.sin(angle)
        changed |= {'u': c * series['u'] + s * series['v'], 'v': c * series['v'] - s * series['u']}
    energy, codes = energy_and_codes(time, {**series, **changed})
    assert energy == pytest.approx(expected, rel=0.01)
    assert 'heading_steps' in codes


def test_velocities_of_a_log_of_the_bottom_stay_when_the_heading_is_turned(lanes):
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, series)
    energy, codes = energy_and_codes(time, {**series, 'yaw': series['yaw'] + math.radians(40.0) * (time < 30.0)})
    assert energy == pytest.approx(expected, rel=0.01)
    assert 'heading_steps' in codes


def test_velocities_that_no_boat_has_are_not_used(lanes):
    time, series = series_of(lanes, 10.0)
    expected, _ = energy_and_codes(time, series)
    wild = np.where((np.arange(time.size) >= 400) & (np.arange(time.size) < 420), 1e6, series['u'])
    energy, codes = energy_and_codes(time, {**series, 'u': wild})
    assert energy == pytest.approx(expected, rel=0.01)
    assert 'velocity_outliers' in codes


@pytest.mark.parametrize('number', (1, 20))
def test_velocities_that_jump_away_and_come_back_are_not_used(straight, number):
    """25 m/s for up to 2 s, which a boat could reach, but not within a tenth of a second: the positions are right."""
    time, series = series_of(straight, 10.0)
    expected, _ = energy_and_codes(time, series)
    rows = np.arange(time.size)
    wild = np.where((rows >= 300) & (rows < 300 + number), 25.0, series['u'])
    energy, codes = energy_and_codes(time, {**series, 'u': wild})
    assert energy == pytest.approx(expected, rel=0.01)
    assert 'velocity_excursions' in codes and 'position_outliers' not in codes


def test_series_that_contradict_each_other_are_left_to_the_checks(lanes):
    """A yaw rate of the wrong sign is no string of resets."""
    time, series = series_of(lanes, 1.0)
    _, codes = energy_and_codes(time, {**series, 'r': -series['r']})
    assert 'heading_steps' not in codes


@pytest.mark.parametrize(('apart', 'aboard'), [((0.4, -0.3), False), ((1.0, 0.0), True)])
def test_places_of_two_receivers_in_turns_are_moved_to_the_middle_between_them(lanes, apart, aboard):
    """Their places differ by a fixed way of the earth, or of the boat, whose middle lies half of it from the first."""
    time, series = series_of(lanes, 10.0)
    turned = series['yaw'] if aboard else 0.0 * time
    c, s = np.cos(turned), np.sin(turned)
    away = np.array([c * apart[0] - s * apart[1], s * apart[0] + c * apart[1]])
    second = np.arange(time.size) % 2
    log = assembled(Source('turns', Path('turns')), time, {
        **series, 'x': series['x'] + second * away[0], 'y': series['y'] + second * away[1]})
    note, = (note for note in log.notes if note.code == 'two_receivers')
    assert note.figures['distance_m'] == pytest.approx(math.hypot(*apart), rel=0.1)
    middle = series['x'] + 0.5 * away[0], series['y'] + 0.5 * away[1]
    errors = np.hypot(log.x - middle[0], log.y - middle[1])
    assert np.median(errors) < 0.1 and not {'position_steps', 'position_outliers'} & {one.code for one in log.notes}
    held = assembled(Source('held', Path('held')), time, {
        name: values[np.arange(time.size) // 2 * 2] for name, values in series.items()})
    assert 'two_receivers' not in {one.code for one in held.notes}


@pytest.mark.parametrize('beside', ((), ('velocity_x', 'velocity_y')))
def test_a_last_place_that_was_cut_is_not_used(beside):
    """1 m/s, whose last row broke off in its longitude: 1000 km away, without what stands after it."""
    time = np.arange(120.0)
    series = {'x': time.copy(), 'y': 0.0 * time} | dict(zip(beside, (1.0 + 0.0 * time, 0.0 * time)))
    whole, _ = energy_and_codes(time, series)
    series = {name: np.append(one[:-1], math.nan if name in beside else one[-1]) for name, one in series.items()}
    series['x'][-1] = -1e6
    energy, codes = energy_and_codes(time, series)
    assert energy == pytest.approx(whole, rel=0.02) and 'position_outliers' in codes


def test_a_last_place_that_a_boat_may_reach_is_used():
    """0.3 m/s, and 1.8 m/s in the last 10 s alone: it has set off."""
    time = 10.0 * np.arange(17.0)
    x = 0.3 * time
    x[-1] += 15.0
    assert 'position_outliers' not in energy_and_codes(time, {'x': x, 'y': 0.0 * time})[1]
