"""A heading that was set anew in a gap of a log: found by the drift on both sides, or told as a doubt."""

import math
from pathlib import Path

import independent_boat as other
import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.assemble import Source, assembled
from usv_energy.logs.heading_across_gaps import HeadingChange, changes_across_gaps, notes_on_gaps
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_report import log_report

STILL = AnalysisOptions(current=UniformFlow(), wind=UniformFlow())
NOISE = other.Noise(0.05, math.radians(0.5), 0.05, math.radians(0.5))
NAMES = ('x', 'y', 'yaw', 'u', 'v', 'r')


@pytest.fixture(scope='module')
def lanes():
    """Return stamps, s, and noisy series at 10 Hz of a boat that mows lanes for 90 s at 1 m/s."""
    truth = other.simulated(other.LUTRA._replace(lag=0.3), other.Lawnmower(1.0), 90.0)
    time, motion = other.sampled(truth, 10.0, 0.0, 0)
    return time, dict(zip(NAMES, other.noisy(time, motion, NOISE, 0).T))


def with_hole(time, series, begin, length, degrees):
    """Return stamps, s, and series without those of a hole, after which an estimator's heading is off."""
    angle = math.radians(degrees) * (time > begin)
    c, s = np.cos(angle), np.sin(angle)
    series = {**series, 'yaw': series['yaw'] + angle, 'u': c * series['u'] + s * series['v'],
              'v': c * series['v'] - s * series['u']}
    kept = (time < begin) | (time > begin + length)
    return time[kept], {name: values[kept] for name, values in series.items()}


def report_of(time, series):
    log = assembled(Source('hole', Path('hole')), time, series)
    return log_report(analysed_log(log, read_boat('lutra_prop'), STILL), None)


@pytest.mark.parametrize(('length', 'degrees', 'left_out'), [(1.5, 25.0, ()), (5.0, -15.0, ()), (2.0, 25.0, ('r',))])
def test_the_energy_is_that_without_the_step(lanes, length, degrees, left_out):
    """Left as it is, 25 degrees cost 10 % of the energy."""
    time, series = lanes
    series = {name: values for name, values in series.items() if name not in left_out}
    plain, turned = (report_of(*with_hole(time, series, 40.0, length, one)) for one in (0.0, degrees))
    assert turned.analysed.energy.total == pytest.approx(plain.analysed.energy.total, rel=0.01)
    codes = [[note.code for note in one.notes] for one in (plain, turned)]
    assert 'heading_steps_in_gaps' not in codes[0] and 'heading_steps_in_gaps' in codes[1]
    assert 'steps of the heading in gaps' in [doubt.name for doubt in turned.trust.doubts]


def way_of(time, heading, current):
    """Return places, m, of a boat that goes 0.8 m/s through the water along its heading, rad, (n,), in a current."""
    rng = np.random.default_rng(4)
    velocity = 0.8 * np.exp(1j * heading) + current
    place = np.cumsum(velocity) * np.median(np.diff(time)) + 0.02 * (rng.standard_normal((2, time.size)).T @ [1.0, 1j])
    return {'x': place.real, 'y': place.imag}


def test_on_new_courses_a_current_that_nobody_says_may_be_all_of_a_change():
    """East before and north after, in 0.3 m/s to the north: the drift is 21 degrees, then 0; that is no step."""
    time = np.arange(0.0, 120.0, 0.2)
    heading = np.where(time < 60.0, 0.0, 0.5 * math.pi)
    kept = (time < 60.0) | (time > 63.0)
    known = {name: values[kept] for name, values in way_of(time, heading, 0.3j).items()}
    change, = changes_across_gaps(known, time[kept], heading[kept], 1.0)
    assert abs(change.size) > math.radians(10.0) and change.std > math.radians(10.0) and not change.is_step
    told = {**known, 'current_x': np.zeros(kept.sum()), 'current_y': np.full(kept.sum(), 0.3)}
    change, = changes_across_gaps(told, time[kept], heading[kept], 1.0)
    assert abs(change.size) < math.radians(1.0)


@pytest.mark.parametrize('sizes', [(20.0, 0.0), (20.0, -30.0), (0.0, 0.0)])
def test_on_the_same_courses_each_step_is_found_in_a_current_that_nobody_says(sizes):
    """There and back every 40 s, with gaps at 90 and 150 s; within 1.5 degrees."""
    time = np.arange(0.0, 240.0, 0.2)
    heading = np.where(time % 40.0 < 20.0, 0.0, math.pi)
    kept = ~(((time > 90.0) & (time < 93.0)) | ((time > 150.0) & (time < 160.0)))
    false = math.radians(sizes[0]) * (time > 91.0) + math.radians(sizes[1]) * (time > 155.0)
    known = {name: values[kept] for name, values in way_of(time, heading, 0.2 + 0.2j).items()}
    found = changes_across_gaps(known, time[kept], (heading + false)[kept], 1.0)
    assert [one.is_step for one in found] == [size != 0.0 for size in sizes]
    np.testing.assert_allclose([math.degrees(one.size) for one in found], sizes, atol=1.5)


def test_too_little_on_one_side_says_nothing():
    time = np.arange(0.0, 60.0, 0.2)
    kept = (time < 50.0) | (time > 53.0)
    known = {name: values[kept] for name, values in way_of(time, 0.0 * time, 0.0).items()}
    change, = changes_across_gaps(known, time[kept], 0.4 * (time[kept] > 51.0), 1.0)
    assert change.std == math.inf and not (change.is_step or change.is_doubtful)
    assert changes_across_gaps({}, time[kept], 0.0 * time[kept], 1.0) == [], 'no places, no course'


def test_what_a_change_may_cost_goes_with_its_square_and_the_shorter_part():
    """0.15 rad and twice 0.05 rad more, in a quarter of the log: 1.25 times a quarter of 0.25 squared."""
    time = np.arange(0.0, 100.5, 1.0)
    doubtful, step, nothing = HeadingChange(25, 0.15, 0.05), HeadingChange(50, -0.5, 0.02), HeadingChange(75, 0.02, 0.3)
    turned = -0.5 * (time < 50.0)
    notes = {note.code: note.figures for note in notes_on_gaps([doubtful, step, nothing], time, turned, 0.5)}
    assert notes['heading_changes_in_gaps']['off_relative'] == pytest.approx(1.25 * 0.25 * 0.25 ** 2)
    assert notes['heading_steps_in_gaps'] == pytest.approx({
        'steps': 1, 'first_s': 50.0, 'largest_deg': math.degrees(0.5), 'other_rad': 0.5, 'open_rad': 0.04,
        'open_s': 50.0, 'of_later': 0.0})
    assert notes_on_gaps([nothing], time, turned, 0.0) == []


@pytest.mark.parametrize(('before', 'after', 'taken', 'is_open'), [(0.0, 25.0, 0, False), (-10.0, 15.0, 1, True)])
def test_the_interval_reaches_to_the_heading_of_the_other_side(lanes, before, after, taken, is_open):
    """Where that is nearer to the course, but not by half of 25 degrees, and the last one was taken."""
    alike = [with_hole(*lanes, -1.0, 0.0, degrees) for degrees in (before, after)]
    energies = [report_of(*with_hole(*one, 40.0, 2.0, 0.0)).analysed.energy.total for one in alike]
    report = report_of(*with_hole(*alike[0], 40.0, 2.0, after - before))
    assert report.analysed.energy.total == pytest.approx(energies[taken], rel=0.01)
    low, high = report.by_heading
    assert (0.99 * low < energies[1 - taken] < 1.01 * high) == is_open


@pytest.mark.parametrize('hidden', [0.2, 0.8, 10.0])
def test_no_boat_turns_on_the_spot_where_a_clock_was_set(hidden):
    """The drift changes by 60 degrees in a gap of the stamps alone, or of time: only then the boat may have turned."""
    time = np.arange(0.0, 120.0, 0.2)
    heading = np.where(time < 60.0, 0.0, math.radians(60.0))
    known = way_of(time, heading, 0.0j)
    kept = (time < 60.0) | (time >= 60.0 - 0.2 + hidden)
    known = {name: values[kept] for name, values in known.items()}
    changes = changes_across_gaps(known, time[kept] + 5.0 * (time[kept] >= 60.0), np.zeros(kept.sum()), 1.0)
    assert len(changes) == (hidden > 0.2) and all(abs(one.size) > math.radians(45.0) for one in changes)
