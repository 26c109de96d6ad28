"""Series that stand still, or are 0, while the boat moves on."""

import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.assemble import Source, assembled
from usv_energy.logs.frozen import _between_borders
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions

TIME = 0.1 * np.arange(1200)
RATE = 0.1   # rad/s
BOAT = read_boat('lutra_prop')


def circle(rng):
    """Return the series of a boat that goes round at 1 m/s, with little noise."""
    yaw = RATE * TIME
    series = {'x': np.sin(yaw) / RATE + 100.0, 'y': -np.cos(yaw) / RATE, 'yaw': np.remainder(yaw + 3.0, math.tau) - 3.0,
              'u': 1.0 + 0.0 * TIME, 'v': 0.0 * TIME, 'r': RATE + 0.0 * TIME}
    noise = {'x': 0.02, 'y': 0.02, 'yaw': 0.005, 'u': 0.02, 'v': 0.02, 'r': 0.005}
    return {name: values + noise[name] * rng.standard_normal(TIME.size) for name, values in series.items()}


def energy_of(series):
    log = assembled(Source('twin', Path('twin')), TIME, series)
    return analysed_log(log, BOAT, AnalysisOptions(find_flow=False)).energy, {note.code: note for note in log.notes}


@pytest.fixture
def whole(rng):
    series = circle(rng)
    return series, energy_of(series)[0].total


def held(values, begin, end):
    return np.where((begin < TIME) & (end > TIME), values[np.searchsorted(TIME, begin)], values)


def test_a_heading_that_is_held_in_a_turn_is_that_of_the_yaw_rate(whole):
    series, expected = whole
    energy, codes = energy_of({**series, 'yaw': held(series['yaw'], 40.0, 60.0)})
    assert 'heading_held' in codes and 'heading_steps' not in codes
    assert energy.total == pytest.approx(expected, rel=0.01)


def test_velocities_of_0_under_way_are_not_used(whole):
    series, expected = whole
    gone = (TIME > 40.0) & (TIME < 55.0)
    energy, codes = energy_of({**series, 'u': np.where(gone, 0.0, series['u']), 'v': np.where(gone, 0.0, series['v'])})
    assert 'velocity_zero' in codes and 'position_steps' not in codes
    assert energy.total == pytest.approx(expected, rel=0.02)


def test_zeros_before_the_first_position_are_no_motion(whole):
    series, expected = whole
    early = TIME < 30.0
    energy, codes = energy_of({name: np.where(early & (name in 'xyuv'), 0.0, values)
                               for name, values in series.items()})
    assert 'series_not_begun' in codes
    assert energy.duration == pytest.approx(TIME[-1] - 30.0, abs=0.2)
    assert energy.total / energy.duration == pytest.approx(expected / TIME[-1], rel=0.02)


def test_series_that_stand_still_together_in_a_turn_are_a_hole(whole):
    series, expected = whole
    energy, codes = energy_of({name: held(values, 40.0, 45.0) for name, values in series.items()})
    assert 'series_frozen' in codes
    assert energy.total == pytest.approx(expected, rel=0.02) and energy.duration == pytest.approx(TIME[-1], abs=0.3)
    assert energy.invalid_samples > 40, 'its time is estimated, not measured'


@pytest.mark.parametrize('kept', ['xy', ('x', 'y', 'yaw', 'r'), ('x', 'y', 'yaw', 'u', 'v', 'r')])
def test_places_that_stand_still_and_then_jump_are_a_hole(whole, kept):
    """Without velocities, alone and beside a heading, and with velocities that are held as long."""
    series, _ = whole
    series = {name: series[name] for name in kept}
    expected = energy_of(series)[0].total
    energy, codes = energy_of({name: held(values, 40.0, 43.0) if name in 'xyuv' else values
                               for name, values in series.items()})
    assert 'position_held' in codes and 'position_steps' not in codes
    assert energy.total == pytest.approx(expected, rel=0.02)


def test_a_boat_that_stops_is_not_held_by_its_places():
    way = np.minimum(TIME, 40.0) + np.maximum(TIME - 60.0, 0.0)
    _, codes = energy_of({'x': way, 'y': 0.0 * TIME})
    assert 'position_held' not in codes
    _, codes = energy_of({'x': np.round(0.7 * way), 'y': 0.0 * TIME})
    assert 'position_held' not in codes, 'places in steps of 1 m'


@pytest.mark.parametrize('told', [True, False], ids=['of speed 0', 'of no told speed'])
def test_places_that_a_receiver_pins_at_a_mooring_are_not_old_ones(rng, told):
    rests = (TIME > 40.0) & (TIME < 80.0)
    pins = 2.0 * rng.standard_normal(TIME.size)[np.searchsorted(TIME, 10.0 * np.floor(TIME / 10.0) - 1e-6)]
    way = np.minimum(TIME, 40.0) + np.maximum(TIME - 80.0, 0.0)
    speed = {'speed': 1.0 - rests} if told else {}
    _, codes = energy_of({'x': way + rests * pins, 'y': 0.5 * rests * pins, **speed})
    assert 'position_held' not in codes


@pytest.mark.parametrize('beside', [('yaw', 'r'), ()], ids=['beside a heading', 'alone'])
def test_places_in_steps_of_a_metre_at_10_hz_have_the_energy_of_fine_ones(rng, beside):
    """Degrees with five decimals, without velocities, of a boat of 0.4 to 1.6 m/s: no sprints."""
    way, (noise, more) = TIME + 3.0 * np.sin(0.2 * TIME), 0.02 * rng.standard_normal((2, TIME.size))
    turns = {'yaw': math.atan2(0.6, 0.8) + 0.1 * noise, 'r': 0.1 * more}
    fine = {'x': 0.8 * way + noise, 'y': 0.6 * way + more, **{name: turns[name] for name in beside}}
    energy, codes = energy_of({**fine, 'x': 0.78 * np.round(fine['x'] / 0.78), 'y': 1.11 * np.round(fine['y'] / 1.11)})
    assert 'coarse_places' in codes and energy.total == pytest.approx(energy_of(fine)[0].total, rel=0.03)
    ends = codes['coarse_places'].figures
    assert 0.0 < ends['first_s'] < 2.5 and TIME[-1] - 2.5 < ends['last_s'] < TIME[-1]


def test_a_spline_by_borders_does_not_sway_with_the_times_at_which_samples_tell_them():
    """1.13 m/s, 2 Hz, cells of 1 m: the mean cube of the speed; through all borders it is 36 % too high."""
    time = np.arange(0.0, 200.0, 0.5)
    speed = np.diff(_between_borders(time, np.round(1.13 * time), 1.0))[5:-5] / 0.5
    assert np.mean(speed ** 3) == pytest.approx(1.13 ** 3, rel=0.08)


def test_a_boat_under_way_goes_on_before_the_first_border_and_after_the_last():
    """0.5 m/s in cells of 7 m, which it enters and leaves within; one that rested there does not leave its cell."""
    time = np.arange(0.0, 87.0)
    values = 7.0 * np.round(0.5 * time / 7.0)
    np.testing.assert_allclose(_between_borders(time, values, 7.0), 0.5 * time, atol=0.6)
    rested = _between_borders(np.append(np.arange(-50.0, 0.0), time), np.append(np.zeros(50), values), 7.0)
    np.testing.assert_allclose(rested[:40], -3.5)


def test_places_in_steps_of_a_metre_keep_corners_outliers_and_steps(whole):
    """A circle of 20 m with one place elsewhere, and a receiver's lasting step of 30 m."""
    series, _ = whole
    fine = {name: series[name] for name in ('x', 'y', 'yaw', 'r')}
    elsewhere, later = 15.0 * (np.arange(TIME.size) == 300), 30.0 * (TIME > 70.0)
    energy, _ = energy_of({**fine, 'x': np.round(fine['x'] + elsewhere + later), 'y': np.round(fine['y'])})
    assert energy.total == pytest.approx(energy_of(fine)[0].total, rel=0.03)


@pytest.mark.parametrize('every', [5, 10], ids=['at 2 Hz', 'at 1 Hz'])
def test_a_boat_that_rests_and_then_goes_on_has_no_coarse_places(every):
    time = TIME[::every]
    way = 1.1 * np.maximum(time - 80.0, 0.0)
    log = assembled(Source('twin', Path('twin')), time, {'x': way, 'y': 0.0 * time, 'yaw': 0.0 * time})
    assert 'coarse_places' not in {note.code for note in log.notes}


@pytest.mark.parametrize('rest', [20.0, 40.0])
def test_places_in_steps_of_a_metre_after_a_mooring_have_the_energy_of_the_way(rest):
    """At an even speed the cells change as evenly as those of a slow source; at rest, nothing changes."""
    way = 1.2 * np.maximum(TIME - rest, 0.0)
    fine = {'x': 0.8 * way, 'y': 0.5 * way, 'yaw': math.atan2(0.5, 0.8) + 0.0 * TIME}
    energy, codes = energy_of({**fine, 'x': np.round(fine['x']), 'y': np.round(fine['y'])})
    assert 'coarse_places' in codes and energy.total == pytest.approx(energy_of(fine)[0].total, rel=0.1)


def test_a_boat_at_rest_and_a_simulator_without_noise_are_left_as_they_are():
    zero = 0.0 * TIME
    rest = {name: zero for name in ('x', 'y', 'yaw', 'u', 'v', 'r')}
    assert not {code for code in energy_of(rest)[1] if code.startswith(('series', 'velocity_zero', 'heading_held'))}
    begins = np.maximum(TIME - 20.0, 0.0)
    _, codes = energy_of({**rest, 'x': begins, 'u': (TIME > 20.0) * 1.0})
    assert not {code for code in codes if code.startswith(('series', 'velocity_zero', 'heading_held'))}
