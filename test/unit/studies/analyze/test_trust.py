"""One list of doubts, the interval that they leave together, and the verdict."""

import math
from dataclasses import replace
from textwrap import wrap

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.log import WARNING, Note
from usv_energy.logs.motion.energy_interval import EnergyInterval
from usv_energy.logs.quality import checked_log
from usv_energy.physics.motion import Flow
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import FROM_THRUSTS, AnalysisOptions
from usv_energy.studies.analyze.doubts import (
    KNOWN_FROM,
    MEASURED,
    SLOW,
    UNSTATED,
    closure_doubt,
    numbers_doubt,
    off_by_speed,
    unstated_share,
)
from usv_energy.studies.analyze.log_interval import Interval
from usv_energy.studies.analyze.log_report import log_report, report_figures
from usv_energy.studies.analyze.log_text import log_text
from usv_energy.studies.analyze.trust import TURNS, UNSEEN_TURNS, trust_of

STILL = {'current': UniformFlow(), 'wind': UniformFlow()}


@pytest.fixture
def report():
    """Return the report of a straight way in water and air that are said to be still."""
    return log_report(analysed_log(straight(), BOAT, AnalysisOptions(motion='recorded', **STILL)))


def doubts_of(report):
    return {doubt.name: doubt for doubt in report.trust.doubts}


def with_noise(report, low, high, **more):
    """Return a report with an interval by noise from shares below to above the energy."""
    total = report.analysed.energy.total
    return report._replace(interval=EnergyInterval(low * total, high * total, 1.0, 0.0, 0.0, **more))


def test_without_a_look_at_the_noise_there_is_no_interval(report):
    trust = report.trust
    assert trust.interval is None
    assert trust.verdict.startswith('No interval can be given (noise')
    assert trust.doubts[0].name.startswith('noise') and '--motion recorded' in trust.doubts[0].advice
    figures = report_figures(report)
    assert figures['energy_low_j'] is None and figures['verdict'] == trust.verdict


@pytest.mark.parametrize(('low', 'high', 'useless'), [(0.0, 2.1, True), (0.0, 1.9, False), (0.9, 1.1, False)])
def test_an_energy_that_noise_leaves_open_by_more_than_itself_is_not_to_be_used(report, low, high, useless):
    trust = with_noise(report, low, high).trust
    assert trust.useless == useless == ('too coarse' in trust.verdict)


def test_a_log_that_contradicts_itself_by_its_own_note_is_not_to_be_used(report):
    """Velocities in axes of the earth read as the body's. Times of too few digits leave a sample every two minutes."""
    time = 0.05 * np.arange(400)
    wrong = checked_log(straight(x=time, y=0.0 * time))
    found = log_report(analysed_log(wrong, BOAT, AnalysisOptions(**STILL))).trust
    assert found.useless and found.interval is None
    assert 'contradicts itself: surge and sway do not follow the positions' in found.verdict
    few = (Note(WARNING, 'times_repeated', '', {'rows': 1795}), Note(WARNING, 'period', ''))
    assert 'too few digits' in report._replace(notes=few).trust.verdict
    assert not report._replace(notes=few[:1]).trust.useless and not report._replace(notes=few[1:]).trust.useless


@pytest.mark.parametrize(('current', 'wind', 'codes', 'useless'), [
    (1.0, 0.0, ['thrusts_beyond_limits'], True), (0.1, 16.0, ['thrusts_beyond_limits'], True),
    (0.8, 14.0, ['thrusts_beyond_limits'], False), (1.0, 16.0, [], False)])
def test_thrusts_beyond_the_limits_that_an_unusual_flow_explains_are_of_another_unit(report, current, wind, codes,
                                                                                     useless):
    flow = Flow(np.full(400, -current), np.zeros(400), np.zeros(400), np.full(400, wind))
    there = replace(report.analysed, flow=flow, flow_sources={'current': FROM_THRUSTS, 'wind': FROM_THRUSTS})
    trust = report._replace(analysed=there, notes=[Note(WARNING, code, '') for code in codes]).trust
    assert trust.useless == useless == ('look at their unit' in trust.verdict)


def test_independent_doubts_add_as_squares(report):
    total = report.analysed.energy.total
    trust = with_noise(report, 0.96, 1.02)._replace(parameters=Interval(0.97 * total, 1.05 * total),
                                                    without_std=()).trust
    assert trust.interval.low == pytest.approx(total * (1.0 - math.hypot(0.04, 0.03)), rel=1e-9)
    assert trust.interval.high == pytest.approx(total * (1.0 + math.hypot(0.02, 0.05)), rel=1e-9)
    assert trust.verdict.startswith('In 95 of 100 cases')


def test_a_boat_without_std_is_right_to_a_stated_share(report):
    doubt = doubts_of(report)['numbers of the boat']
    total = report.analysed.energy.total
    assert (doubt.low, doubt.high) == pytest.approx((UNSTATED * total, UNSTATED * total))
    assert f'{100 * UNSTATED:.2g} %' in doubt.amount and 'identify' in doubt.advice
    some = report._replace(parameters=Interval(total, total), without_std=('damping.linear.d11',))
    doubt = doubts_of(some)['numbers of the boat']
    assert doubt.low == pytest.approx(UNSTATED * total) and 'no std of damping.linear.d11' in doubt.advice


@pytest.mark.parametrize(('share', 'small'), [(0.02, True), (0.2, False)])
def test_wide_doubts_ask_for_something_and_stand_first(report, share, small):
    trust = with_noise(report, 1.0 - share, 1.0 + 0.5 * share).trust
    noise = next(doubt for doubt in trust.doubts if doubt.name.startswith('noise'))
    assert noise.amount == f'{-100 * share:+.1f} % to {50 * share:+.1f} % (95 %)'
    assert (noise.advice == 'small') is small
    assert (trust.doubts[0] is noise) is not small


def test_a_flow_that_nobody_says_widens_the_interval_and_both_are_told():
    """On one course nothing shows of a current along it: the prior of 0.3 m/s alone is 30 % of the speed."""
    report = with_noise(log_report(analysed_log(straight(), BOAT, AnalysisOptions(motion='recorded'))), 0.99, 1.01)
    trust, total = report.trust, report.analysed.energy.total
    assert trust.doubts[0].name == 'current and wind: not said, taken as still'
    assert trust.interval.low < 0.6 * total and trust.interval.high > 1.5 * total
    assert 'in still water and air' in trust.verdict and 'nobody says' in trust.verdict


def test_a_side_force_and_holes_say_what_to_look_at():
    hole = straight(v=np.full(400, 0.3))
    hole = replace(hole, time=np.where(hole.time > 10.0, hole.time + 15.0, hole.time))
    report = log_report(analysed_log(hole, BOAT, AnalysisOptions(motion='recorded', **STILL)))
    side, time = (doubts_of(report)[name] for name in ('side force that no thruster gives', 'time that was integrated'))
    assert side.amount.startswith('-') and side.advice == 'look at heading, current, wind or sway drag'
    assert float(time.amount.split()[0]) == pytest.approx(100.0 * 19.9 / 34.95, abs=0.1)
    assert '--max-gap' in time.advice
    assert 'How far to trust it' in log_text(report)
    thesis = log_report(analysed_log(straight(), BOAT, AnalysisOptions('as_published', motion='recorded')))
    assert doubts_of(thesis)['side force that no thruster gives'].amount == '-'


def test_an_energy_that_the_thrusters_contradict_is_not_to_be_used(report):
    wrong = report._replace(thruster_energy=0.04 * report.analysed.energy.total)
    assert wrong.trust.useless and wrong.trust.interval is None
    assert wrong.trust.verdict.startswith('Not to be used: ')
    assert log_text(wrong).splitlines()[4] == wrap(wrong.trust.verdict, 120)[0]
    assert report_figures(wrong)['usable'] is False


def measured_as(factor, **more):
    """Return the report of a boat whose battery is measured to give so many times what the model says."""
    power = log_report(analysed_log(straight(), BOAT, AnalysisOptions(motion='recorded', **STILL))).analysed.power.total
    log = straight(electrical_power=factor * np.nan_to_num(power, nan=float(np.nanmean(power))), **more)
    return log_report(analysed_log(log, BOAT, AnalysisOptions(motion='recorded', **STILL)))


@pytest.mark.parametrize(('factor', 'low', 'high'), [(1.2, 0.0, 0.2), (0.8, 0.2, 0.0)])
def test_the_interval_reaches_to_what_was_measured(factor, low, high):
    found = measured_as(factor)
    doubt, total = doubts_of(found)[MEASURED], found.analysed.energy.total
    assert doubt.low == pytest.approx(low * total, abs=2e-3 * total)
    assert doubt.high == pytest.approx(high * total, abs=2e-3 * total)
    assert doubt.advice != 'small' and not found.trust.useless


@pytest.mark.parametrize('factor', [0.01, 3.0])
def test_an_energy_that_the_battery_contradicts_is_not_to_be_used(factor):
    found = measured_as(factor)
    assert found.trust.useless and found.trust.interval is None
    assert f'{1.0 / factor:.3g} times as much' in found.trust.verdict


def at_rest():
    """Return the report of a boat that lies still, with a little noise."""
    rng = np.random.default_rng(5)
    noise = {name: scale * rng.standard_normal(400) for name, scale in
             (('x', 0.02), ('y', 0.02), ('u', 0.02), ('v', 0.02), ('r', 0.005), ('yaw', 0.005))}
    return log_report(analysed_log(checked_log(straight(speed=0.0, **noise)), BOAT, AnalysisOptions(**STILL)))


def test_a_boat_at_rest_is_said_to_be_so_in_joules_and_not_in_per_cent():
    found = at_rest()
    assert found.at_rest and found.trust.verdict.startswith('At rest: ')
    assert '%' not in found.trust.verdict
    noise = next(doubt for doubt in found.trust.doubts if doubt.name.startswith('noise'))
    assert noise.amount.endswith(' J (95 %)')
    text = log_text(found)
    assert ', at rest, mean power' in text and 'What if' not in text and 'J/m' not in text


def test_what_nobody_says_of_a_flow_changes_little_where_the_log_tells_the_thrusts(report):
    """Gusts and tides change the motion's energy; that of thrusts as they were is what it is."""
    thrust = np.full((400, 2), 8.148 + 0.05)
    told = log_report(analysed_log(straight(thrust=thrust, thrusters=BOAT.thruster_names), BOAT,
                                   AnalysisOptions(motion='recorded')))
    assert told.analysed.by_thrusts
    by_flow = doubts_of(told)['current and wind: not said, taken as still']
    unsaid = doubts_of(log_report(analysed_log(straight(), BOAT, AnalysisOptions(motion='recorded'))))
    assert by_flow.high < 0.5 * unsaid['current and wind: not said, taken as still'].high


@pytest.mark.parametrize(('scatter', 'share'), [(0.02, 0.02 * TURNS), (0.05, 0.05 * TURNS), (math.nan, UNSEEN_TURNS)])
def test_a_flow_that_changes_shows_in_the_scatter_of_the_sway(scatter, share):
    """At 1 m/s through the water, beside what a steady flow leaves open; added as squares."""
    name, evidence = 'current and wind: not said, taken as still', log_report(
        analysed_log(straight(), BOAT, AnalysisOptions(motion='recorded'))).evidence
    steady, changing = (next(doubt for doubt in trust_of(evidence._replace(analysed=replace(
        evidence.analysed, open_flow=evidence.analysed.open_flow._replace(scatter=one)))).doubts if doubt.name == name)
        for one in (0.0, scatter))
    added = share * evidence.energy
    assert changing.high == pytest.approx(math.hypot(steady.high, added)) and added > 0.0
    assert changing.low == pytest.approx(min(math.hypot(steady.low, added), evidence.energy))


def test_the_worst_doubt_shows_the_width_that_it_is_ranked_by():
    found = log_report(analysed_log(straight(), BOAT, AnalysisOptions(motion='recorded')))
    doubt, total = doubts_of(found)['current and wind: not said, taken as still'], found.analysed.energy.total
    assert doubt.amount == f'{-100.0 * doubt.low / total:+.1f} % to {100.0 * doubt.high / total:+.1f} % (95 %)'


@pytest.mark.parametrize(('by_thrusts', 'leg_by_leg', 'off'), [(0.0, False, 3.0), (1.0, False, 0.6), (1.0, True, 1.4),
                                                               (0.5, True, 2.2)])
def test_an_energy_by_thrusts_hangs_on_the_drag_where_its_current_goes_from_leg_to_leg(by_thrusts, leg_by_leg, off):
    doubt = numbers_doubt(100.0, None, (), UNSTATED, by_thrusts, leg_by_leg)
    assert (doubt.low, doubt.high) == pytest.approx((off, off))


def test_a_closure_that_makes_the_widest_doubt_is_not_called_small():
    assert closure_doubt(100.0, 100.0, 0.09, 0.01).advice != 'small'
    assert closure_doubt(100.0, 20.0, 0.09, 0.01).advice == 'small'
    assert closure_doubt(100.0, 20.0, 0.01, -0.2).advice != 'small', 'what each gives fits, but not together'


def test_a_hole_that_max_gap_bridges_may_be_off_by_all_that_it_takes():
    """10 s of a steady way of 20 s, bridged: half of the energy, and the doubt is as much."""
    whole = straight()
    rows = np.flatnonzero((whole.time <= 5.0) | (whole.time >= 15.0))
    log = replace(whole.part(rows), max_gap=11.0)
    report = log_report(analysed_log(log, BOAT, AnalysisOptions(motion='recorded', **STILL)))
    doubt = doubts_of(report)['holes bridged by --max-gap']
    assert doubt.low == doubt.high == pytest.approx(report.analysed.energy.total * 10.0 / 19.95, rel=1e-3)


def test_a_thrust_that_no_thruster_has_is_not_to_be_used():
    report = log_report(analysed_log(straight(speed=15.0), BOAT, AnalysisOptions(motion='recorded', **STILL)))
    assert report.trust.useless and report.trust.verdict.startswith('Not to be used: the motion asks for')
    line, verdict = log_text(report).splitlines()[2:4]
    assert line.startswith('No energy: ') and ' J' not in line and verdict.startswith('Not to be used: the motion')


def test_a_boat_that_turns_on_the_spot_asks_for_no_impossible_thrust():
    """Its thrusters go round it, though it hardly moves."""
    time = 0.05 * np.arange(400)
    log = straight(speed=0.01, r=np.full(400, 0.8), yaw=np.remainder(0.8 * time + math.pi, math.tau) - math.pi)
    report = log_report(analysed_log(log, BOAT, AnalysisOptions(motion='recorded', **STILL)))
    assert report.analysed.energy.thrust > 0.0 and 'the motion asks for' not in report.trust.verdict


def test_places_alone_may_have_lost_more_the_rarer_they_are():
    """3.6 % of the energy for each second between places, upwards only."""
    log = straight(number=60, period=0.5)
    log = replace(log, **{name: np.full(len(log), math.nan) for name in ('yaw', 'u', 'v', 'r')})
    report = log_report(analysed_log(log, BOAT, AnalysisOptions(**STILL)))
    doubt = doubts_of(report)['heading']
    assert doubt.high - doubt.low == pytest.approx(0.5 * 0.036 * report.analysed.energy.total, rel=1e-9)


@pytest.mark.parametrize('size', (0.0, 0.3))
def test_places_alone_that_wander_may_cost_nothing(size):
    """2 min at 0.5 m/s take 16.3 x 0.5^2 x 120 J. A fix that goes astray by 0.3 m in 10 s looks like 1.4 times that."""
    log, rng = straight(number=600, period=0.2, speed=0.5), np.random.default_rng(8)
    true = analysed_log(log, BOAT, AnalysisOptions(motion='recorded', **STILL)).energy.total
    keep = math.exp(-0.2 / 10.0)
    wander, drawn = np.zeros((600, 2)), size * math.sqrt(1.0 - keep * keep) * rng.standard_normal((600, 2))
    for row in range(1, 600):
        wander[row] = keep * wander[row - 1] + drawn[row]
    places = np.column_stack([log.x, log.y]) + wander + 0.02 * rng.standard_normal((600, 2))
    unknown = dict.fromkeys(('yaw', 'u', 'v', 'r', 'u_dot', 'v_dot', 'r_dot'), np.full(600, math.nan))
    report = log_report(analysed_log(replace(log, x=places[:, 0], y=places[:, 1], **unknown), BOAT,
                                     AnalysisOptions(**STILL)))
    found = report.trust
    low, total = doubts_of(report)['places that wander'].low, report.analysed.energy.total
    assert (low > 0.06 * total) == ('The places wander' in found.verdict) == (size > 0.0)
    assert found.interval.low < true < found.interval.high
    assert 0.0 < low < 0.03 * total if size == 0.0 else low > total - true
    assert (report.analysed.energy.total > 1.2 * true) == (size > 0.0)


@pytest.mark.parametrize(('said', 'flow'), [({}, {'current': UniformFlow(-0.3, 0.0), 'wind': UniformFlow()}),
                                            ({'current': UniformFlow()}, {'wind': UniformFlow(-6.0, 0.0)})])
def test_a_boat_that_holds_its_place_in_a_flow_that_nobody_says_gives_no_energy_to_use(said, flow):
    """Against 0.3 m/s, or a wind of 6 m/s, it takes many times what the log says: the interval holds that, too."""
    held = straight(speed=0.02)
    log = analysed_log(held, BOAT, AnalysisOptions(motion='recorded', **said))
    trust = with_noise(log_report(log), 0.99, 1.01).trust
    assert trust.useless and trust.verdict.startswith('Not to be used: it holds its place (0.02 m/s over ground)')
    assert trust.verdict.endswith(f'say it: {"--wind" if said else "--current, --wind"}')
    against = AnalysisOptions(motion='recorded', **{**said, **flow})
    assert trust.interval.low == 0.0 and trust.interval.high > analysed_log(held, BOAT, against).energy.total


@pytest.mark.parametrize('current', [0.0, -0.3])
def test_a_boat_that_holds_its_place_in_a_flow_that_is_said_has_an_energy(current):
    options = AnalysisOptions(motion='recorded', current=UniformFlow(current, 0.0), wind=UniformFlow())
    assert not with_noise(log_report(analysed_log(straight(speed=0.02), BOAT, options)), 0.99, 1.01).trust.useless


@pytest.mark.parametrize('speed', [0.1, 0.2, 0.5])
def test_a_drag_without_std_is_known_less_at_slow_speeds(speed):
    found = log_report(analysed_log(straight(speed=speed), BOAT, AnalysisOptions(motion='recorded', **STILL)))
    energy, doubt = found.analysed.energy, doubts_of(found)['numbers of the boat']
    driven = energy.total - energy.static_load - energy.loads
    more = SLOW * max(1.0 - speed / KNOWN_FROM, 0.0) * driven
    assert doubt.high == pytest.approx(UNSTATED * energy.total + more, rel=1e-6)
    assert ('at speeds below 0.3 m/s' in doubt.amount) == (more > UNSTATED * energy.total)


@pytest.mark.parametrize(('speeds', 'share'), [((1.0, 1.0, 1.0), 1.0), ((0.5, 1.0, 2.0), 1.0 / math.sqrt(3.0)),
                                               ((0.0, 0.0, 0.0), 1.0 + SLOW / UNSTATED)])
def test_errors_of_a_drag_at_unlike_speeds_average_out(speeds, share):
    """Three that have nothing to do with each other add as squares. Loads have no speed, and stay as they are."""
    off = off_by_speed(np.array(speeds), np.full(3, 10.0))
    assert unstated_share(off, 0.0, 30.0) == pytest.approx(share * UNSTATED)
    assert unstated_share(off, 30.0, 60.0) == pytest.approx(0.5 * (1.0 + share) * UNSTATED)
    assert unstated_share(0.0 * off, 0.0, 0.0) == UNSTATED


@pytest.mark.parametrize(('factor', 'low', 'high'), [(0.96, 0.0, 0.08), (1.04, 0.08, 0.0)])
def test_a_clock_that_is_off_widens_the_interval_to_its_side(report, factor, low, high):
    note = Note(WARNING, 'pace', '', {'factor': factor, 'off_relative': 0.08})
    total, evidence = report.evidence.energy, report.evidence
    doubt = next(one for one in trust_of(evidence._replace(notes=(note,))).doubts if one.name.startswith('clock'))
    assert (doubt.low, doubt.high) == pytest.approx((low * total, high * total))


def test_an_interval_to_the_figure_of_the_motion_holds_what_that_is_off_itself():
    assert closure_doubt(100.0, 100.0, -0.13, 0.13).low == pytest.approx(13.0 + 100.0 * UNSTATED)
    assert closure_doubt(100.0, 100.0, -0.01, 0.01).low == pytest.approx(1.0)


def test_a_boat_may_have_rested_within_the_first_and_the_last_coarse_step():
    """1 m/s for 29.5 s, of which 4 s and 5.5 s are outside: so much of what drives it, downwards."""
    log = straight(number=60, period=0.5)
    note = Note(WARNING, 'coarse_places', '', {'step_m': 1.0, 'first_s': 4.1, 'last_s': 24.0})
    report = log_report(analysed_log(replace(log, notes=(*log.notes, note)), BOAT, AnalysisOptions(**STILL)))
    doubt, energy = doubts_of(report)['positions in coarse steps'], report.analysed.energy
    assert doubt.low == pytest.approx((energy.total - energy.static_load - energy.loads) * 9.5 / 29.5, rel=0.05)
