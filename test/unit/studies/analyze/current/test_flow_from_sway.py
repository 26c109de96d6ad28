import math
from dataclasses import replace

import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.energy import Energy
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.current.flow_from_sway import LONGEST, flows_from_sway, found_note, pushes_aside
from usv_energy.studies.analyze.current.unknown_flow import Explanation
from usv_energy.studies.analyze.doubts import SIDEWAYS, side_force_share
from usv_energy.studies.analyze.log_interval import log_interval
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.thrusters.thruster import Azimuth

STILL = AnalysisOptions(current=UniformFlow(), wind=UniformFlow())


@pytest.fixture(scope='session')
def unknown(independent):
    """Return a function: the log of a boat that shares no code with ours, without its flows, and its work, J."""
    def made(name, seed=3, rate=10.0, velocity=0.03):
        log, work = independent(name, rate, velocity, seed)
        nothing = np.full(len(log), math.nan)
        return replace(log, current_x=nothing, current_y=nothing, wind_x=nothing, wind_y=nothing), work
    return made


def turned(log, angle, compass=0.0):
    """Return a log in axes that are turned by an angle, rad; and its boat's by that which a compass is off."""
    c, s, cc, ss = math.cos(angle), math.sin(angle), math.cos(compass), math.sin(compass)
    return replace(log, x=c * log.x - s * log.y, y=s * log.x + c * log.y, yaw=log.yaw + angle + compass,
                   u=cc * log.u + ss * log.v, v=cc * log.v - ss * log.u)


def test_a_cross_current_that_nobody_knows_is_found_and_the_energy_is_that_of_the_thrusters(unknown):
    log, work = unknown('cross_current')
    found, still = analysed_log(log, BOAT), analysed_log(log, BOAT, STILL)
    taken = found.explanations[0]
    assert taken.name == 'current' and found.flow_sources['current'] == 'found from the side force'
    np.testing.assert_allclose(taken.flow[:2], (0.0, 0.3), atol=0.02)
    assert abs(found.energy.total / work - 1.0) < 0.015 and still.energy.total / work - 1.0 < -0.05
    note, = (note for note in found.warnings if note.code == 'flow_from_side_force')
    assert note.figures['energy_with_j'] == found.energy.total
    assert note.figures['energy_without_j'] == pytest.approx(still.energy.total, rel=1e-12)
    codes = {note.code for note in found.notes}
    assert 'current_assumed_none' not in codes and 'wind_assumed_none' in codes
    interval = log_interval(found)
    assert interval.low <= work <= interval.high and interval.high - interval.low < 0.06 * work


def test_a_beam_wind_that_nobody_knows_is_taken_for_no_current(unknown):
    log, work = unknown('beam_wind')
    found, still = analysed_log(log, BOAT), analysed_log(log, BOAT, STILL)
    assert found.explanations[0].name == 'wind'
    np.testing.assert_allclose(found.explanations[0].flow[2:], (0.0, 6.0), atol=0.8)
    assert abs(found.energy.total / work - 1.0) < 0.015 and still.energy.total / work - 1.0 < -0.02


@pytest.mark.parametrize(('left', 'words'), [(-0.01, ' explains it and is taken'),
                                             (-0.48, ' explains its sway best, leaves 48.0 %, and is taken')])
def test_a_flow_that_leaves_a_side_force_is_not_said_to_explain_it(left, words):
    taken = Explanation('wind', Flow(0.0, 0.0, 3.0, 0.0), np.eye(2), 10.0, 0.02, True)
    still, there = (Energy(thrust=100.0, side_force=100.0 * share, total=120.0) for share in (-0.65, left))
    text = found_note([taken], [there.total], still, there).text
    assert '65.0 % of the thrust energy is a side force' in text and words in text


def test_on_one_course_nothing_is_taken_and_the_side_force_is_said(unknown):
    log, work = unknown('heading_in_wind')
    found = analysed_log(log, BOAT)
    assert found.explanations == () and found.energy == analysed_log(log, BOAT, STILL).energy
    assert side_force_share(found.energy) < -SIDEWAYS and abs(found.energy.total / work - 1.0) < 0.02


def test_where_the_heading_turns_a_little_a_wind_is_taken_and_the_current_named_that_looks_alike(unknown):
    log, work = unknown('lane_in_wind')
    found = analysed_log(log, BOAT)
    assert [one.name for one in found.explanations] == ['wind', 'current']
    assert abs(found.energy.total / work - 1.0) < 0.02
    note, = (note for note in found.warnings if note.code == 'flow_from_side_force')
    assert 'a steady current of 0.' in note.text and 'would explain it, too' in note.text
    least, most = (note.figures[f'energy_{name}_j'] for name in ('least', 'most'))
    assert least == found.energy.total and f'So it is {least:.1f} to {most:.1f} J' in note.text


def test_a_boat_that_crabs_along_a_lane_by_a_held_speed_through_the_water_shows_the_current(unknown):
    """Its sway would be that of a wind as well; its thrust would not be steady in that."""
    log, work = unknown('lane_in_current')
    found = analysed_log(log, BOAT)
    assert found.explanations[0].name == 'current'
    note, = (note for note in found.warnings if note.code == 'flow_from_side_force')
    assert note.figures['energy_least_j'] == note.figures['energy_most_j'] == found.energy.total
    np.testing.assert_allclose(found.explanations[0].flow[:2], (0.0, 0.3), atol=0.03)
    assert abs(found.energy.total / work - 1.0) < 0.02


def test_where_the_speed_over_ground_was_held_no_log_parts_current_and_wind_and_the_interval_says_so(unknown):
    """On a lane each sway is that of a current or of a wind, and the thrust is steady in neither or both."""
    log, work = unknown('lane_by_ground_speed')
    found = analysed_log(log, BOAT)
    assert [one.name for one in found.explanations] == ['wind', 'current']
    note, = (note for note in found.warnings if note.code == 'flow_from_side_force')
    least, most = (note.figures[f'energy_{name}_j'] for name in ('least', 'most'))
    report = log_report(found)
    low, high = report.trust.interval
    assert low < least and most < high and low <= work <= high
    assert report.by_flow.high >= most and report.interval.high < 1.05 * least, 'a flow is counted once'
    assert work / least - 1.0 > 0.05 and abs(work / most - 1.0) < 0.02, 'the one that is not taken is the right one'


def test_axes_that_are_turned_turn_what_is_found_and_a_compass_that_is_off_changes_it_little(unknown):
    log, _ = unknown('cross_current')
    one, other = (analysed_log(each, BOAT).explanations[0] for each in (log, turned(log, math.pi / 2.0)))
    x, y = one.flow[:2]
    np.testing.assert_allclose(other.flow[:2], (-y, x), atol=2e-3)
    assert other.evidence == pytest.approx(one.evidence, abs=0.3)
    off = analysed_log(turned(log, 0.0, math.radians(3.0)), BOAT).explanations[0]
    assert off.name == 'current'
    np.testing.assert_allclose(off.flow[:2], one.flow[:2], atol=0.01)


@pytest.mark.parametrize(('name', 'velocity'), [('lawnmower', None), ('lawnmower', 0.05), ('stop_and_go', 0.05),
                                                ('opposed', 0.02), ('moored', 0.05)])
def test_in_still_water_nothing_is_found_and_nothing_changes(name, velocity, unknown):
    log, _ = unknown(name, velocity=velocity)
    nobody, known = analysed_log(log, BOAT), analysed_log(log, BOAT, STILL)
    assert nobody.explanations == () and nobody.energy == known.energy
    misaligned = turned(log, 0.0, math.radians(3.0))
    assert analysed_log(misaligned, BOAT).explanations == (), 'a compass that is off is no current'


def test_flows_that_are_known_and_the_thesis_formulas_are_left_alone(unknown):
    log, _ = unknown('cross_current')
    assert analysed_log(log, BOAT, STILL).explanations == ()
    assert analysed_log(log, BOAT, AnalysisOptions('as_published')).explanations == ()
    assert analysed_log(log, BOAT, AnalysisOptions(find_flow=False)).explanations == ()
    still = np.zeros(len(log))
    sensor = replace(log, current_x=still, current_y=still)
    assert all(one.name == 'wind' for one in analysed_log(sensor, BOAT).explanations)


def squares(duration, vessel):
    """Return what explains a boat at 1 m/s that turns by 90 deg every 50 s in a current of (0.2, 0.1) m/s."""
    time = np.arange(0.0, duration, 1.0)
    zero, yaw = np.zeros(time.size), 0.5 * math.pi * np.floor(time / 50.0)
    motion = Motion(yaw, 1.0 + 0.2 * np.cos(yaw) + 0.1 * np.sin(yaw), 0.1 * np.cos(yaw) - 0.2 * np.sin(yaw), zero,
                    zero, zero, zero)
    return flows_from_sway(time, motion, None, Flow(zero, zero, zero, zero), 3.0, vessel, ('current',))


def test_no_flow_is_one_and_the_same_for_more_than_an_hour():
    taken, = squares(600.0, BOAT.vessel)
    np.testing.assert_allclose(taken.flow[:2], (0.2, 0.1), atol=0.02)
    assert squares(LONGEST + 10.0, BOAT.vessel) == []


def test_a_boat_that_can_push_itself_to_the_side_tells_nothing():
    one, other = BOAT.vessel.thrusters
    turning = BOAT.vessel._replace(thrusters=(one, other._replace(azimuth=Azimuth(-math.pi, math.pi, 0.5))))
    assert pushes_aside(turning) and not pushes_aside(BOAT.vessel) and not pushes_aside(read_boat('wamv').vessel)
    assert squares(600.0, turning) == []
    aside = one._replace(axis=(0.0, 1.0))
    assert squares(600.0, BOAT.vessel._replace(thrusters=(*BOAT.vessel.thrusters, aside))) == []
