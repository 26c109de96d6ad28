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

from usv_energy.analysis.analysed_log import analysed_log
from usv_energy.analysis.flow_along_log import ALLOCATED, AnalysisOptions
from usv_energy.analysis.log_actuators import LONGEST_LINE, actuators_of
from usv_energy.analysis.log_report import log_report
from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.read_log import read_log
from usv_energy.show.text.log_text import log_text

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
    assert log_report(analysed).allocation_share > 0.3
