"""Why a log's thrusts and its motion differ: each fault that is put into a log is named, with its size."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.log import Log
from usv_energy.studies.analyze import log_request
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.current_estimate import CurrentEstimate
from usv_energy.studies.analyze.current.flow_along_log import ASSUMED_STILL, FROM_THRUSTS, AnalysisOptions
from usv_energy.studies.analyze.log_report import log_report, report_figures
from usv_energy.studies.analyze.log_request import analysed_in_current
from usv_energy.studies.analyze.what_if import replayed

DRAG = 'damping.linear.d11'


def driven(current=(0.0, 0.0)):
    """Return what the boat does in a current with thrusts that change every half minute, and turn it."""
    time = np.arange(0.0, 240.0, 0.2)
    leg = (time // 30.0).astype(int)
    base = 6.0 + 1.5 * (leg % 3)
    side = np.where(time % 30.0 < 4.0, np.where(leg % 4 < 2, 2.0, -2.0), 0.0)
    known = {name: np.full(time.size, value) for name, value in
             (('current_x', current[0]), ('current_y', current[1]), ('wind_x', 0.0), ('wind_y', 0.0))}
    zero = np.zeros(time.size)
    log = Log('driven', Path('driven'), time, x=zero, y=zero, yaw=zero, u=zero + 0.5, v=zero, r=zero,
              thrust=np.column_stack([base - side, base + side]), thrusters=BOAT.thruster_names, **known)
    return replayed(log, BOAT)


def report_of(log, boat=BOAT, current=(0.0, 0.0)):
    return log_report(analysed_log(log, boat, AnalysisOptions(
        motion='recorded', current=UniformFlow(*current), wind=UniformFlow())))


def turned(log, angle):
    """Return a log whose heading is off by an angle, rad, and whose velocities over ground are right."""
    c, s = math.cos(angle), math.sin(angle)
    return replace(log, yaw=log.yaw - angle, u=c * log.u - s * log.v, v=s * log.u + c * log.v)


def test_nothing_is_left_over_where_nothing_is_wrong():
    found = report_of(driven())
    assert found.mismatch.net == pytest.approx(0.0, abs=1e-3)
    assert found.mismatch.surge_causes == found.mismatch.yaw_causes == ()
    assert 'do not fit' not in found.trust.verdict
    in_flow = report_of(driven((0.2, 0.1)), current=(0.2, 0.1))
    assert in_flow.mismatch.net == pytest.approx(0.0, abs=1e-3)


CASES = {
    'thrusts': (lambda log: replace(log, thrust=1.2 * log.thrust), {}, 'thrusts that are read 20 % too large'),
    'drag': (lambda log: log, {DRAG: 1.3 * 16.296}, "a drag in the boat's file that is 30 % too large"),
    'one thruster': (lambda log: replace(log, thrust=log.thrust * (0.8, 1.0)), {}, 'thrusters that are read unequal'),
    'heading': (lambda log: turned(log, 0.14), {}, 'a sway, or a heading, that is off'),
}


@pytest.mark.parametrize('name', CASES)
def test_a_fault_is_named_with_its_size(name):
    fault, numbers, words = CASES[name]
    mismatch = report_of(fault(driven()), checked_boat_with(BOAT, numbers)).mismatch
    causes = mismatch.yaw_causes if name in ('one thruster', 'heading') else mismatch.surge_causes
    assert causes[0].words.startswith(words) and causes[0].explained > 0.9


def test_a_current_that_nobody_says_is_named():
    """Its part along the courses shows: 0.2 m/s; what goes across them does not."""
    mismatch = report_of(driven((0.2, 0.1))).mismatch
    words = mismatch.surge_causes[0].words
    assert words.startswith('a steady current of 0.2')


def test_the_residual_is_that_of_the_energy_and_the_verdict_names_the_cause():
    found = report_of(replace(driven(), thrust=1.2 * driven().thrust))
    assert found.mismatch.net == pytest.approx(found.analysed.energy.residual / found.thruster_energy, abs=2e-3)
    verdict = found.trust.verdict
    assert 'Thrusts and motion do not fit: +16 % of the work is left over' in verdict
    assert 'thrusts that are read 20 % too large' in verdict
    figures = report_figures(found)['thrust_mismatch']
    assert figures['surge_relative'] == found.mismatch.surge
    assert figures['surge_causes'][0]['explained'] > 0.9


def test_what_no_boat_has_is_no_cause():
    """Thrusts read four times too small: a factor of more than two is not offered as a scale."""
    mismatch = report_of(replace(driven(), thrust=0.25 * driven().thrust)).mismatch
    assert mismatch.net < -1.0
    assert all('read' not in cause.words for cause in mismatch.surge_causes)


def test_without_thrusts_there_is_nothing_to_compare():
    log = driven()
    assert report_of(replace(log, thrust=np.full_like(log.thrust, np.nan))).mismatch is None


@pytest.fixture
def in_current(monkeypatch):
    """Return a function that analyses a log in a current that is said to be found from its thrusts."""
    def analyse(log, x, y):
        full = np.ones(len(log))
        found = CurrentEstimate(x * full, y * full, 0.01, 0.01, np.zeros(1), 0.1, 100, (), 0.0, 10.0)
        monkeypatch.setattr(log_request, 'current_of_thrusts', lambda *given: found)
        return analysed_in_current(log, BOAT, AnalysisOptions(motion='recorded', wind=UniformFlow()))
    return analyse


def flowing(current):
    """Return `driven` in a current that the log does not have."""
    log = driven(current)
    unknown = np.full(len(log), np.nan)
    return replace(log, current_x=unknown, current_y=unknown)


def test_a_current_is_taken_in_which_the_thrusts_fit_the_motion(in_current):
    analysed, estimate = in_current(flowing((0.2, 0.1)), 0.2, 0.1)
    assert estimate is not None and analysed.flow_sources['current'] == FROM_THRUSTS


def test_a_current_that_explains_a_wrong_heading_only_is_not_taken(in_current):
    """The heading of the log is off by 8 degrees: a current fits its sway, and lets the thrusts ahead fit worse."""
    analysed, estimate = in_current(turned(flowing((0.0, 0.0)), 0.14), 0.1, -0.1)
    assert estimate is None and analysed.flow_sources['current'] == ASSUMED_STILL
