import math
from dataclasses import replace

import numpy as np
import pytest
from analyze_files import BOAT, straight
from scipy.integrate import trapezoid

from usv_energy.files.errors import InputError
from usv_energy.logs.log import WARNING, Note
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.doubts import UNSEEN
from usv_energy.studies.analyze.gap_energy import OF_MEAN, OFF, OFF_BLIND, OFF_STRAINED
from usv_energy.studies.analyze.log_interval import estimated_off
from usv_energy.studies.analyze.log_report import integrated, log_report, report_figures
from usv_energy.studies.analyze.log_text import log_text

RECORDED = AnalysisOptions(motion='recorded')


def without(log, begin, end):
    """Return a log without the samples from `begin` to before `end`, s."""
    return log.part((log.time < begin) | (log.time >= end))


def circling(rate=0.2, speed=1.0, number=400):
    """Return a boat that goes round at a constant yaw rate, rad/s, for 20 s."""
    time = 0.05 * np.arange(number)
    radius = speed / rate
    return straight(number, speed, yaw=rate * time, r=np.full(number, rate), x=radius * np.sin(rate * time),
                    y=radius * (1.0 - np.cos(rate * time)))


def speeding_up(number=400):
    """Return a boat that gathers 0.05 m/s each second."""
    time = 0.05 * np.arange(number)
    way = 0.5 * time + 0.025 * time * time
    return straight(number, heading=0.0, u=0.5 + 0.05 * time, x=way, y=0.0 * way)


@pytest.mark.parametrize('motion', ['recorded', 'estimated'])
def test_a_hole_on_a_straight_way_has_the_energy_of_the_whole(motion):
    whole = straight(2000)
    holed = without(whole, 20.0, 60.0)
    options = AnalysisOptions(motion=motion)
    energy, found = analysed_log(whole, BOAT, options).energy.total, analysed_log(holed, BOAT, options)
    assert found.energy.total == pytest.approx(energy, rel=1e-3 if motion == 'estimated' else 1e-9)
    assert found.estimated == pytest.approx((energy * 40.05 / 99.95, 40.05), rel=1e-3)
    assert (found.energy.gaps, found.energy.duration) == (0, pytest.approx(99.95)) and len(found.crossed) == 1


@pytest.mark.parametrize('whole', [circling(), speeding_up()])
def test_a_short_hole_in_a_turn_or_while_the_boat_gathers_way_has_the_energy_of_the_whole(whole):
    """The error of a cubic way across an arc of 0.6 rad, and of one speed between samples, is well below 1 %."""
    wanted = analysed_log(whole, BOAT, RECORDED)
    found = analysed_log(without(whole, 8.0, 11.0), BOAT, RECORDED)
    assert found.energy.total == pytest.approx(wanted.energy.total, rel=2e-3)
    so_far = wanted.integral.so_far()
    assert found.estimated[0] == pytest.approx(float(so_far[220] - so_far[159]), rel=0.02)


@pytest.mark.parametrize(('shift', 'crossed'), [(0.0, 1), (5.0, 1), (-12.0, 0), (12.0, 0)])
def test_nothing_is_estimated_where_places_and_speeds_do_not_fit(shift, crossed):
    """Of 40 m in 40 s a boat at 1 m/s may lack 6 m; 12 m less were a detour, and 12 m more another speed."""
    whole = straight(2000, heading=0.0)
    moved = without(replace(whole, x=whole.x + shift * (whole.time >= 60.0)), 20.0, 60.0)
    found = analysed_log(moved, BOAT, RECORDED)
    assert (len(found.crossed), found.energy.gaps) == (crossed, 1 - crossed)
    turned = replace(moved, yaw=np.where(moved.time >= 60.0, 1.2, 0.0))
    assert not analysed_log(turned, BOAT, RECORDED).crossed, 'it came out of the hole on another course'
    unplaced = replace(moved, x=np.full(len(moved), math.nan), y=np.full(len(moved), math.nan))
    assert not analysed_log(unplaced, BOAT, RECORDED).crossed, 'nothing says how far it went'
    other = moved.noted(Note(WARNING, 'clock_set', 'the clock was set', {'between_s': 40.0}))
    parted = analysed_log(other, BOAT, RECORDED)
    assert not parted.crossed, 'the hole is of no real time'
    report = log_report(parted)
    assert report.integrated_share > 0.99 and 'gaps' not in {note.code for note in report.notes}


def test_a_short_hole_in_which_the_boat_turned_or_stopped_has_a_share_of_the_mean_power():
    """10 m less than 8 m in 8 s were a detour: what thrusts take there is 0.8 of that on both sides, within 75 %."""
    whole = straight(2000, heading=0.0)
    moved = replace(whole, x=whole.x - 10.0 * (whole.time >= 48.0))
    found = analysed_log(without(moved, 40.0, 48.0), BOAT, RECORDED)
    way, = found.crossed
    power, loads = (analysed_log(whole, BOAT, RECORDED).power._asdict()[name][100] for name in ('total', 'static_load'))
    assert way.motion is None and way.off == OFF_BLIND
    assert found.gap_energies[0] == pytest.approx(8.05 * (loads + OF_MEAN * (power - loads)), rel=1e-6)
    assert found.energy.total == pytest.approx(sum(getattr(found.energy, name) for name in (
        'thrust', 'unrecovered', 'losses', 'allocation', 'static_load', 'loads')))
    note, = (note for note in log_report(found).notes if note.code == 'gaps_estimated')
    assert 'of 1, in which the boat turned or stopped, by the mean power beside it' in note.text
    assert not analysed_log(without(moved, 38.0, 49.0), BOAT, RECORDED).crossed, 'longer, anything may have been'


def test_what_was_estimated_is_told_apart_and_has_its_share_of_the_interval():
    holed = without(straight(2000), 20.0, 60.0)
    report = log_report(analysed_log(holed, BOAT, RECORDED))
    figures = report_figures(report)
    energy = figures['energy_j']
    assert figures['energy_estimated_j'] == pytest.approx(0.4007 * energy, rel=1e-3)
    assert figures['energy_integrated_j'] == pytest.approx(energy - figures['energy_estimated_j'], rel=1e-12)
    assert figures['estimated_duration_s'] == pytest.approx(40.05) and figures['gaps'] == 0
    assert figures['integrated_share'] == pytest.approx(59.9 / 99.95)
    doubt, = (one for one in report.trust.doubts if one.name == UNSEEN)
    assert doubt.low == doubt.high == pytest.approx(OFF * figures['energy_estimated_j'], rel=1e-6)
    assert 'estimated in 40.0 s without data' in log_text(report)
    note, = (note for note in report.notes if note.code == 'gaps_estimated')
    assert note.text.startswith('energy of 40.0 s without data (1 hole) was estimated: ')


def test_a_way_that_is_strained_may_be_more_off():
    whole = straight(400, heading=0.0)
    moved = without(replace(whole, x=whole.x - 1.0 * (whole.time >= 10.0)), 6.0, 10.0)
    way, = analysed_log(moved, BOAT, RECORDED).crossed
    assert way.strained == pytest.approx(1.0 / 4.05) and way.off == pytest.approx(OFF + OFF_STRAINED / 4.05)
    assert (way.motion.u[0], way.motion.u[-1]) == pytest.approx((1.0, 1.0))
    assert float(trapezoid(way.motion.u, way.time)) == pytest.approx(3.05, rel=1e-3), 'the way that it went'


def test_a_log_is_no_log_of_a_trip_where_less_than_half_of_it_has_data():
    with pytest.raises(InputError, match=r'only 39\.9 of 100\.0 s'):
        integrated(analysed_log(without(straight(2000), 20.0, 80.0), BOAT, RECORDED))


def test_a_flow_is_held_back_and_may_have_changed_as_it_did_later():
    """The first value is that of 5 s; a steady current leaves nothing open, one that grows by 0.05 m/s does."""
    late = np.where(np.arange(400) < 100, math.nan, 1.0)
    time = 0.05 * np.arange(400)
    steady, grows = (straight(heading=0.0, current_x=late * one, current_y=0.0 * late)
                     for one in (np.full(400, 0.2), 0.2 + 0.02 * np.maximum(time - 5.0, 0.0)))
    same = analysed_log(straight(heading=0.0, current_x=np.full(400, 0.2), current_y=np.zeros(400)), BOAT, RECORDED)
    found, growing = (analysed_log(log, BOAT, RECORDED) for log in (steady, grows))
    assert found.energy.total == pytest.approx(same.energy.total, rel=1e-9)
    assert found.estimated == pytest.approx((same.energy.total * 5.0 / 19.95, 5.0), rel=1e-6)
    assert estimated_off(found) == pytest.approx(0.0, abs=1e-9)
    slower = straight(heading=0.0, current_x=np.full(400, 0.15), current_y=np.zeros(400))
    before = float(analysed_log(slower, BOAT, RECORDED).integral.so_far()[100])
    assert estimated_off(growing) == pytest.approx(before - growing.early_energy, rel=1e-3)
    assert 'flow_held_back' in {note.code for note in log_report(growing).notes}
