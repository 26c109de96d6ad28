"""Thrusts, rates and angles of a log in place of the cheapest way: energies against a boat that shares no code."""

import math
from dataclasses import replace

import numpy as np
import pytest
import yaml
from analyze_files import straight
from independent_boat import LUTRA, Lawnmower, sampled, simulated, stop_and_go
from independent_log import log_of
from places import DATA

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.read_log import read_log
from usv_energy.physics.motion import Relative
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import ALLOCATED, AnalysisOptions
from usv_energy.studies.analyze.log_actuators import (
    LONGEST_LINE,
    LogActuators,
    _filled,
    actuators_of,
    without_silent_thrusts,
)
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.log_request import analysed_in_current
from usv_energy.studies.analyze.log_text import log_text
from usv_energy.studies.analyze.trust import OFF_THERE, _drifts

BOAT, RUDDER, FERRY = (read_boat(name) for name in ('lutra_prop', 'lutra_rudder', 'milliampere'))
DRAG = 16.296  # N s/m


def with_thrusts(log, *thrusts, names=('left', 'right'), **more):
    columns = np.column_stack([np.broadcast_to(one, len(log)) for one in thrusts]).astype(float)
    return replace(log, thrust=columns, thrusters=names, neutral=(), places=(), **more)


@pytest.fixture(scope='module')
def in_line(tmp_path_factory):
    """Return a boat with an ideal thruster at the bow and one at the stern."""
    path = tmp_path_factory.mktemp('boat') / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'in_line', 'thrusters': [
        {'name': name, 'x': x, 'y': 0.0, 'min_thrust': -40.0, 'max_thrust': 40.0}
        for name, x in (('bow', 0.4), ('stern', -0.4))]}))
    boat = read_boat(str(path))
    return replace(boat, vessel=boat.vessel._replace(windage=boat.vessel.windage._replace(air_density=0.0)))


@pytest.mark.parametrize('order', [('bow', 'stern'), ('stern', 'bow')])
def test_opposed_thrusters_on_a_straight_way_spend_the_opposed_thrust_times_the_way(in_line, order):
    """-5 N at the bow at 1 m/s for 19.95 s: 5 N times the way, and nothing else changes."""
    thrusts = {'bow': -5.0, 'stern': DRAG + 5.0}
    log = with_thrusts(straight(), *(thrusts[name] for name in order), names=order)
    analysed = analysed_log(log, in_line)
    assert analysed.energy.allocation == pytest.approx(5.0 * 19.95, rel=1e-6)
    assert analysed.energy.residual == pytest.approx(0.0, abs=1e-6)
    cheapest = analysed_log(log, in_line, AnalysisOptions(actuators=ALLOCATED)).energy
    assert analysed.energy.total - cheapest.total == pytest.approx(5.0 * 19.95, rel=1e-6)
    assert (cheapest.allocation, cheapest.residual) == (0.0, 0.0)
    report = log_report(analysed)
    assert report.allocation_share == pytest.approx(5.0 / DRAG, rel=1e-6)
    assert f'allocation: {100.0 * 5.0 / DRAG:.1f} % beyond the cheapest way' in log_text(report)


@pytest.mark.parametrize('pilot', [Lawnmower(0.5, length=8.0, apart=3.0, legs=3), stop_and_go(1.0, on=8.0, off=6.0)],
                         ids=['lawnmower', 'stop and go'])
@pytest.mark.parametrize('lag', [0.0, 0.3])
def test_with_the_thrusts_of_a_boat_that_shares_no_code_the_energy_is_its_work(pilot, lag):
    """At 50 Hz, held where they jump: the work to 0.2 %, whatever the model's drag; residual is the drag's error."""
    truth = simulated(LUTRA._replace(lag=lag), pilot, 40.0)
    time, motion = sampled(truth, 50.0)
    thrusts = [np.interp(time, truth.time, column) for column in truth.thrust.T]
    still = {name: np.zeros(time.size) for name in ('current_x', 'current_y', 'wind_x', 'wind_y')}
    log = with_thrusts(log_of(time, motion, **still), *thrusts, thrust_given=lag > 0.0)
    work = float(np.interp(time[-1], truth.time, truth.work) - np.interp(time[0], truth.time, truth.work))
    for drag in (1.0, 1.3):
        damping = BOAT.vessel.damping
        boat = replace(BOAT, vessel=BOAT.vessel._replace(damping=damping._replace(d11=drag * damping.d11)))
        analysed = analysed_log(log, boat, AnalysisOptions(motion='recorded'))
        energy = analysed.energy
        assert energy.total == pytest.approx(work, rel=0.002)
        assert energy.thrust == pytest.approx(energy.inertia + energy.damping + energy.wind + energy.side_force
                                              + energy.residual, rel=1e-9)
        wanted = -(drag - 1.0) / drag * energy.damping
        assert energy.residual == pytest.approx(wanted, abs=0.02 * work), 'near all of this damping is surge'
        closure = log_report(analysed).closure_relative
        assert closure == pytest.approx(0.0, abs=0.01) if drag == 1.0 else closure > 0.1, 'by the motion alone'


@pytest.mark.parametrize('unknown', [np.s_[200:], np.s_[:100], np.s_[1::2]], ids=['ended', 'began late', 'every other'])
def test_thrusts_that_are_known_in_part_are_compared_with_the_motion_of_that_part(unknown):
    thrust = np.full(400, 0.5 * DRAG)
    thrust[unknown] = math.nan
    report, whole = (log_report(analysed_log(with_thrusts(straight(), one, one), BOAT, AnalysisOptions(
        motion='recorded'))) for one in (thrust, 0.5 * DRAG))
    assert report.closure_relative == pytest.approx(whole.closure_relative, abs=1e-3) and not report.trust.useless


def test_thrusts_of_0_of_a_boat_that_goes_on_are_left_out_and_those_of_one_that_drifts_are_not():
    """At 1 m/s by 16.3 N: the stream ends after 30 of 60 s; or it drifts on at 0.3 m/s, or is moored, in a current."""
    thrust = np.where(np.arange(600) < 300, 0.5 * DRAG, 0.0)

    def after(speed):
        u = 1.0 + (speed - 1.0) * -np.expm1(-np.maximum(0.1 * np.arange(600) - 30.0, 0.0) / 1.8)
        return without_silent_thrusts(with_thrusts(straight(600, period=0.1, u=u), thrust, thrust), BOAT)

    note, = (note for note in after(1.0).warnings if note.code == 'thrusts_silent')
    assert note.figures['share'] == 0.5 and 'from 30.0 s on' in note.text
    assert np.isnan(after(1.0).thrust[300:]).all() and (after(1.0).thrust[:300] == 0.5 * DRAG).all()
    assert (after(0.3).thrust[:, 0] == thrust).all() and (after(0.0).thrust[:, 0] == thrust).all()


@pytest.mark.parametrize('told', [False, True])
def test_thrusts_of_0_of_a_boat_that_coasts_into_a_tide_that_turns_stay(told):
    """At 1 m/s against a current of 0.7 m/s, which turns after the thrusts went to 0: as fast over ground."""
    time = 0.1 * np.arange(1200)
    thrust, tide = np.where(time < 30.0, 0.5 * DRAG, 0.0), 0.7 * np.cos(np.clip((time - 40.0) / 20.0, 0.0, math.pi))
    log = straight(1200, period=0.1, u=np.exp(-np.maximum(time - 30.0, 0.0) / 1.8) - tide)
    flow = {'current_x': -tide, 'current_y': 0.0 * tide} if told else {}
    log = replace(with_thrusts(log, thrust, thrust), **flow)
    assert without_silent_thrusts(log, BOAT) is log


def test_thrusts_of_0_that_a_log_begins_with_stay_where_the_boat_is_then_set_going():
    """It drifts at 0.3 m/s for 30 s, or goes at 1 m/s all along: then the stream of the thrusts began late."""
    thrust = np.where(np.arange(600) < 300, 0.0, 0.5 * DRAG)
    u = 0.3 + 0.7 * -np.expm1(-np.maximum(0.1 * np.arange(600) - 30.0, 0.0) / 1.8)
    log = with_thrusts(straight(600, period=0.1, u=u), thrust, thrust)
    assert without_silent_thrusts(log, BOAT) is log


@pytest.mark.parametrize('late', [True, False], ids=['first', 'last'])
def test_a_boat_that_was_towed_and_one_whose_thrusts_came_late_are_both_in_the_interval(late):
    """1 m/s for 60 s, thrusts known for 30 s: 16.3 W of them, or all the time; first, the thrusts of 0 stay."""
    thrust = np.where((np.arange(600) < 300) == late, 0.0, 0.5 * DRAG)
    log = without_silent_thrusts(with_thrusts(straight(600, period=0.1), thrust, thrust), BOAT)
    still = dict.fromkeys(('current_x', 'current_y', 'wind_x', 'wind_y'), np.zeros(600))
    analysed, _ = analysed_in_current(replace(log, **still), BOAT, AnalysisOptions(motion='recorded'))
    trust, half, idle = log_report(analysed).trust, 30.0 * DRAG, analysed.energy.static_load
    doubt, = (doubt for doubt in trust.doubts if doubt.name == 'thrusts of 0 under way')
    taken, left = (doubt.high, doubt.low) if late else (doubt.low, doubt.high)
    assert (taken, left) == (pytest.approx(OFF_THERE * half, rel=0.05), 0.0) and 'towed' in doubt.advice
    assert analysed.energy.total - idle == pytest.approx(half if late else 2.0 * half, rel=0.05)


@pytest.mark.parametrize(('off', 'drifting'), [(1.5, False), (12.0, True)], ids=['pulses', 'rests'])
def test_a_boat_drifts_where_its_thrusters_stand_still_for_longer_than_it_coasts(off, drifting):
    """At 1 m/s it coasts for 1.8 s; off for 1.5 of 5 s, or for 12 of 40 s."""
    log = straight(800, period=0.1)
    thrust = np.where(log.time % (off / 0.3) < off, 0.0, 0.5 * DRAG)
    assert _drifts(analysed_log(with_thrusts(log, thrust, thrust), BOAT)) == drifting


def test_commands_are_held_and_a_lag_is_put_in():
    """A step of 10 N at 1 s: at once, or as 1 - exp(-t / lag)."""
    log = straight()
    command = np.where(log.time < 1.0, 0.0, 10.0)
    found, _ = actuators_of(with_thrusts(log, command, command), BOAT)
    assert found.asked and found.held and found.thrusts[0].tolist() == command.tolist()
    slow = replace(BOAT, vessel=BOAT.vessel._replace(thrusters=tuple(
        one._replace(lag=0.5) for one in BOAT.vessel.thrusters)))
    found, _ = actuators_of(with_thrusts(log, command, command), slow)
    since = np.maximum(log.time - 1.0, 0.0)
    np.testing.assert_allclose(found.thrusts[0], 10.0 * -np.expm1(-since / 0.5), atol=1e-9)
    assert not found.held


def test_what_was_asked_under_way_is_less_what_the_water_takes():
    """A ferry's thruster that is asked for 100 N at 1 m/s: 100 - 4.7 sqrt(100) N; a given thrust is itself."""
    log = straight()
    angle = np.zeros((len(log), 4))
    for given, wanted in ((False, 100.0 - 47.0), (True, 100.0)):
        told = with_thrusts(log, *[100.0] * 4, names=FERRY.thruster_names, angle=angle, thrust_given=given)
        analysed = analysed_log(told, FERRY)
        assert analysed.energy.thrust == pytest.approx(4.0 * wanted * 19.95, rel=1e-6)


def test_rates_go_before_thrusts_and_their_power_between_readings_in_a_line():
    log = straight(number=200, period=0.1)
    rates = np.full((200, 4), np.nan)
    rates[0], rates[50], rates[199] = 0.0, 10.0, 10.0
    told = with_thrusts(log, *[55.0] * 4, names=FERRY.thruster_names, angle=np.zeros((200, 4)), revolutions=rates)
    found, notes = actuators_of(told, FERRY)
    assert found.rates[0][25] == pytest.approx(10.0 * 0.5 ** (1.0 / 3.0)) and found.thrusts[0] is None
    assert np.isnan(found.rates[0][51:199]).all() and LONGEST_LINE < 14.9
    note, = notes
    assert note.code == 'actuators_partly' and note.figures['share'] == pytest.approx(52.0 / 200.0)


def test_a_thruster_whose_angle_nobody_tells_is_not_used_and_the_note_says_why():
    told = with_thrusts(straight(), *[50.0] * 4, names=FERRY.thruster_names)
    analysed = analysed_log(told, FERRY)
    assert analysed.energy.allocation == analysed.energy.residual == 0.0
    note, = (note for note in analysed.warnings if note.code == 'actuators_unusable')
    assert 'no angle of bow_port' in note.text
    assert analysed.energy == analysed_log(told, FERRY, AnalysisOptions(actuators=ALLOCATED)).energy


def test_holes_in_the_thrusts_are_filled_by_the_cheapest_way(in_line):
    log = with_thrusts(straight(), -5.0, DRAG + 5.0, names=('bow', 'stern'))
    log.thrust[200:] = math.nan
    energy = analysed_log(log, in_line).energy
    assert energy.allocation == pytest.approx(5.0 * 199 * 0.05, rel=0.01)
    assert energy.duration == pytest.approx(19.95)


def test_a_rudders_angle_counts_without_thrusts():
    """Hard over on a straight way: its drag is in the thrust that the motion then needs."""
    log = straight()
    over = replace(log, foils=('rudder',), foil_angle=np.full((len(log), 1), 0.5))
    plain, told = analysed_log(log, RUDDER), analysed_log(over, RUDDER)
    assert told.energy.foils > plain.energy.foils + 5.0 and told.energy.thrust > plain.energy.thrust + 5.0
    assert told.energy.allocation == told.energy.residual == 0.0


def test_the_thesis_knows_nothing_of_measured_thrusts(in_line):
    log = with_thrusts(straight(), -5.0, DRAG + 5.0, names=('bow', 'stern'))
    energy = analysed_log(log, in_line, AnalysisOptions('as_published')).energy
    assert energy.allocation == energy.residual == 0.0


@pytest.mark.parametrize(('run', 'joules'), [('nlp1', 127196.0), ('qp1', 106186.0)])
def test_a_ferrys_rates_and_angles_give_its_measured_joules(run, joules):
    """
    Within 10 % of amperes times volts of its four thrusters, on lines of at most 30 s between readings.

    Its map of power was fitted to these two runs (config/boats/milliampere.yaml, [F]): this is that map, used.
    """
    folder = DATA / 'milliampere' / run
    if not folder.is_dir():
        pytest.skip('needs the data of milliAmpere')
    analysed = analysed_log(read_log(folder, 'milliampere'), FERRY)
    assert analysed.energy.total == pytest.approx(joules, rel=0.1)
    energy = analysed.energy
    assert energy.allocation > 0.3 * (energy.thrust + energy.unrecovered + energy.losses), 'beyond the cheapest way'


def at_rest(number):
    """Return the Relative of a boat that lies still, at so many times."""
    return Relative(*(np.zeros(number) for _ in Relative._fields))


def told_of(boat, time, **more):
    nothing = (None,) * len(boat.vessel.thrusters)
    plain = {'thrusts': nothing, 'rates': nothing, 'angles': nothing, 'foils': (), 'asked': False, 'held': False,
             'source': 'thrusts'}
    return LogActuators(time, **{**plain, **more})


def test_between_samples_thrusts_hold_or_go_in_a_line_and_angles_the_shorter_way():
    """At a quarter of a step of 2 s, at the samples, and outside of them; from 170 to -170 deg it is 20 deg."""
    time, asked = np.array([4.0, 6.0, 7.0]), np.array([3.0, 4.0, 4.5, 6.0, 6.25, 7.0, 9.0])
    thrust, angle = np.array([10.0, 20.0, -4.0]), np.radians([170.0, -170.0, -90.0])
    four = tuple(thrust + n for n in range(4))
    for held, wanted in ((True, [10.0, 10.0, 10.0, 20.0, 20.0, -4.0, -4.0]),
                         (False, [10.0, 10.0, 12.5, 20.0, 14.0, -4.0, -4.0])):
        told = told_of(FERRY, time, thrusts=four, angles=(angle,) * 4, held=held)
        found = told.measured(asked, at_rest(asked.size), FERRY)
        for n, one in enumerate(found.thrusts):
            np.testing.assert_allclose(one, np.array(wanted) + n)
        turned = np.exp(1j * found.angles[0])[1:6]
        np.testing.assert_allclose(turned, np.exp(1j * np.radians([170.0, 175.0, -170.0, -150.0, -90.0])), atol=1e-12)
    rudder = told_of(RUDDER, time, foils=(angle,))
    np.testing.assert_allclose(rudder.measured(np.array([5.0]), at_rest(1), RUDDER).foils[0], math.pi)
    single = told_of(RUDDER, time[:1], foils=(angle[:1],))
    np.testing.assert_allclose(single.measured(np.array([3.0, 5.0]), at_rest(2), RUDDER).foils[0], math.radians(170.0))
    same = told_of(RUDDER, np.array([4.0, 4.0]), foils=(np.array([0.1, 0.2]),))
    assert np.isfinite(same.measured(np.array([3.0, 4.0, 5.0]), at_rest(3), RUDDER).foils[0]).all()


def test_columns_go_by_their_names_or_else_by_their_order_and_others_are_none_of_the_boats(in_line):
    log = straight()
    for names, first in ((('bow', 'stern'), 1.0), (('stern', 'bow'), 2.0), (('a', 'b'), 1.0), (('bow', 'b'), 1.0)):
        found, _ = actuators_of(with_thrusts(log, 1.0, 2.0, names=names), in_line)
        assert found.thrusts[0][0] == first
    assert actuators_of(with_thrusts(log, 1.0, names=('bow',)), in_line) == (None, [])
    assert actuators_of(log, in_line) == (None, [])
    assert actuators_of(with_thrusts(log, math.nan, math.nan, names=('bow', 'stern')), in_line) == (None, [])


def test_rates_are_used_where_the_file_says_of_each_propeller_what_they_stand_for():
    """Of a boat whose file does not, the thrusts are: given already, without a lag of their own, and in a line."""
    log, rates = straight(), np.full((len(straight()), 4), 5.0)
    told = with_thrusts(log, *[30.0] * 4, names=FERRY.thruster_names, angle=np.zeros((len(log), 4)), revolutions=rates)
    found, _ = actuators_of(told, FERRY)
    assert found.rates[0][7] == 5.0 and (found.asked, found.held) == (False, False)
    assert found.source == 'rates of turning and angles'
    for propellers in ((), (*FERRY.propellers[:3], None)):
        found, _ = actuators_of(told, replace(FERRY, propellers=propellers))
        assert found.rates == (None,) * 4 and found.thrusts[0][7] == 30.0
        assert (found.asked, found.held) == (True, False)
    step = np.where(log.time < 1.0, 0.0, 10.0)
    slow = replace(BOAT, propellers=(), vessel=BOAT.vessel._replace(thrusters=tuple(
        one._replace(lag=0.5) for one in BOAT.vessel.thrusters)))
    for more, lagged in (({}, True), ({'revolutions': rates[:, :2]}, False), ({'thrust_given': True}, False)):
        found, _ = actuators_of(with_thrusts(log, step, step, **more), slow)
        assert (found.thrusts[0].tolist() == step.tolist()) is not lagged


def filled(times, rates, period=0.5, end=40.0):
    """Return a ferry's rate along a log, from readings at some times, s."""
    log = straight(number=round(end / period) + 1, period=period)
    readings = np.full((len(log), 4), np.nan)
    for time, rate in zip(times, rates):
        readings[round(time / period)] = rate
    told = with_thrusts(log, *[1.0] * 4, names=FERRY.thruster_names, angle=np.zeros((len(log), 4)),
                        revolutions=readings)
    return log.time, actuators_of(told, FERRY)[0].rates[0]


def test_a_line_between_readings_is_12_s_at_most_and_ends_at_them():
    time, rate = filled((2.0, 14.0, 26.5), (3.0, -4.0, 5.0))
    within = (time >= 2.0) & (time <= 14.0)
    assert (np.isfinite(rate) == (within | (time == 26.5))).all()
    np.testing.assert_allclose(rate[within] ** 3, np.interp(time[within], [2.0, 14.0], [27.0, -64.0]))
    time, rate = filled((2.0,), (3.0,))
    assert rate[time == 2.0] == 3.0 and np.isfinite(rate).sum() == 1
    time, rate = filled((2.0, 3.0), (3.0, 3.0))
    np.testing.assert_allclose(rate[(time >= 2.0) & (time <= 3.0)], 3.0)
    assert np.isfinite(rate).sum() == 3


def test_without_two_readings_there_is_no_line():
    for readings in ((), (3,)):
        rate = np.full(400, math.nan)
        rate[list(readings)] = 7.0
        np.testing.assert_array_equal(_filled(straight(), rate), rate)


def test_notes_say_how_much_is_known_and_which_angles_nobody_tells(in_line):
    log = straight()
    for known, code in ((1.0, 'actuators_used'), (0.98, 'actuators_used'), (0.97, 'actuators_partly')):
        thrust = np.where(np.arange(len(log)) < round(known * len(log)), 5.0, np.nan)
        _, (note,) = actuators_of(with_thrusts(log, thrust, thrust, names=('bow', 'stern')), in_line)
        assert note.code == code and f'in {100.0 * known:.1f} % of the samples' in note.text
    angle = np.zeros((len(log), 4))
    angle[:, [1, 3]] = np.nan
    _, (note,) = actuators_of(with_thrusts(log, *[50.0] * 4, names=FERRY.thruster_names, angle=angle), FERRY)
    missing = [FERRY.thruster_names[n] for n in (1, 3)]
    assert note.code == 'actuators_unusable' and f'no angle of {", ".join(missing)}:' in note.text
    apart = np.where(np.arange(len(log)) % 2, 5.0, np.nan)
    _, (note,) = actuators_of(with_thrusts(log, apart, apart[::-1], names=('bow', 'stern')), in_line)
    assert 'never all of them at once' in note.text
    foiled = replace(log, foils=('rudder',), foil_angle=np.full((len(log), 1), 0.5))
    found, (note,) = actuators_of(foiled, RUDDER)
    assert note.code == 'foil_angles' and not found.tells_thrusts and found.source == 'angles of foils'


@pytest.mark.parametrize('wind', [{}, {'wind_x': 0.0, 'wind_y': 0.0}], ids=['nobody says', 'said'])
def test_a_drift_in_a_wind_that_nobody_says_leaves_still_water_open_on_one_course(rng, wind):
    """At 1 m/s by 16.3 N for 60 s; then the thrusters rest, and the boat goes on at 0.3 m/s, by water or wind."""
    time = 0.2 * np.arange(600)
    thrust = np.where(time < 60.0, 0.5 * DRAG, 0.0)
    u = 0.3 + 0.7 * np.exp(-np.maximum(time - 60.0, 0.0) / 1.8) + 0.02 * rng.standard_normal(600)
    log = straight(600, period=0.2, u=u, yaw=0.5 + 0.01 * rng.standard_normal(600), r=0.01 * rng.standard_normal(600))
    log = replace(with_thrusts(log, thrust, thrust), **{name: np.full(600, value) for name, value in wind.items()})
    report = log_report(*analysed_in_current(log, BOAT, AnalysisOptions(motion='recorded')))
    note, = (note for note in report.notes if 'energy_still_j' in note.figures)
    doubt = next(one for one in report.trust.doubts if one.name.startswith('current: not said, found from the thrusts'))
    energy, still = report.analysed.energy.total, note.figures['energy_still_j']
    assert (energy - doubt.low < still < energy + doubt.high) == (not wind)
