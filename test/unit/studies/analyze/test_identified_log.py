"""What a boat's file says of its logs' thrusts and headings is what analysis reads in them."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from analyze_files import straight

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import LogMeaning
from usv_energy.logs.log import Log
from usv_energy.logs.thruster_readings import with_thrust_of_pulses
from usv_energy.physics.frames import to_body
from usv_energy.physics.motion import STILL
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_actuators import as_identified
from usv_energy.studies.analyze.log_interval import numbers_without_std, parameter_interval, scale_std
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.plan.steady_motion import steady_state

MEANING = {'full_ahead_n': 40.0, 'full_astern_n': 20.0, 'scale': {'value': 0.9, 'unit': '-', 'std': 0.05},
           'astern': {'value': 1.2, 'unit': '-', 'std': 0.1}, 'asymmetry': {'value': 0.1, 'unit': '-', 'std': 0.05},
           'exponent': {'value': 1.5, 'unit': '-', 'std': 0.1}}
COMPASS = {'constant': {'value': 0.05, 'unit': 'rad', 'std': 0.01},
           'cosine': {'value': -0.1, 'unit': 'rad', 'std': 0.01}}


def boat_that_says(tmp_path, **rollout):
    path = tmp_path / 'identified.yaml'
    path.write_text(yaml.safe_dump({'base': 'blueboat', 'name': 'mine', 'identification': {'rollout': rollout}}))
    return read_boat(str(path))


def log_of(thrust, **more):
    """Return 20 s straight ahead at 2 m/s."""
    time = np.arange(0.0, 20.0, 0.1)
    still = np.zeros(time.size)
    columns = {'yaw': still, 'u': still + 2.0, 'v': still, 'r': still} | more
    return Log('log', Path('log'), time, x=2.0 * time, y=still, thrust=np.tile(thrust, (time.size, 1)),
               thrusters=('left', 'right'), **columns)


def test_thrusts_stand_for_the_power_of_their_share_of_full_thrust_each_way(tmp_path):
    boat = boat_that_says(tmp_path, thrust_of_log=MEANING)
    found = as_identified(log_of([20.0, -10.0]), boat)
    # 40 N x (1/2)^1.5 ahead and 20 N x (1/2)^1.5 astern, left 5 % more, right 5 % less, scale 0.9, astern 1.2.
    np.testing.assert_allclose(found.thrust[0], [0.9 * 1.05 * 40.0 * 0.5 ** 1.5, -0.9 * 0.95 * 1.2 * 20.0 * 0.5 ** 1.5])
    assert as_identified(found, boat) is found


def test_the_energy_of_a_log_is_that_of_the_thrusts_that_the_boat_s_file_makes_of_it(tmp_path):
    still = AnalysisOptions(find_flow=False)
    boat, plain = boat_that_says(tmp_path, thrust_of_log=MEANING), read_boat('blueboat')
    log = log_of([20.0, 20.0])
    meant = replace(log, thrust=boat.log_meaning.thrusts(log.thrust))
    energy = [analysed_log(one, whose, still).energy.total
              for one, whose in ((log, boat), (meant, plain), (log, plain))]
    assert energy[0] == pytest.approx(energy[1], rel=1e-12) and energy[0] < 0.8 * energy[2]


@pytest.mark.parametrize('of_pulses', [False, True])
def test_newtons_and_pulses_are_read_as_those_of_the_fit_were(tmp_path, of_pulses):
    boat = boat_that_says(tmp_path, thrust_of_log={**MEANING, 'of_pulses': of_pulses})
    newtons = log_of([20.0, 20.0])
    told = replace(newtons, thrust=np.full_like(newtons.thrust, np.nan), neutral=(1500.0, 1500.0),
                   command=np.full(newtons.thrust.shape, 1700.0))
    pulses = with_thrust_of_pulses(told, boat)
    changed = [not np.array_equal(as_identified(log, boat).thrust, log.thrust) for log in (newtons, pulses)]
    assert changed == [not of_pulses, of_pulses]
    given = replace(newtons, thrust_given=True)
    assert as_identified(given, boat) is given


def test_a_heading_that_deviates_is_put_right_with_the_velocities_that_hang_on_it(tmp_path):
    boat = boat_that_says(tmp_path, thrust_of_log=MEANING, compass=COMPASS)
    yaw = np.linspace(0.0, 6.0, 200)
    east, north = 2.0 * np.cos(yaw), 2.0 * np.sin(yaw)
    deviation = boat.log_meaning.deviation(yaw)
    np.testing.assert_allclose(deviation, 0.05 - 0.1 * np.cos(yaw))
    u, v = to_body(east, north, np.cos(yaw), np.sin(yaw))
    found = as_identified(log_of([0.0, 0.0], yaw=yaw, u=u, v=v), boat)
    np.testing.assert_allclose(found.yaw, yaw - deviation)
    # What the velocity over ground is does not change.
    back = to_body(east, north, np.cos(found.yaw), np.sin(found.yaw))
    np.testing.assert_allclose((found.u, found.v), back, atol=1e-12)


def test_commands_beyond_full_throttle_are_full_throttle_and_said(tmp_path):
    boat = read_boat('blueboat')
    full = boat.vessel.thrusters[0].max_thrust
    still = AnalysisOptions(find_flow=False)
    beyond, at_full = (analysed_log(log_of([one, one]), boat, still) for one in (1.2 * full, full))
    assert beyond.energy.total == pytest.approx(at_full.energy.total, rel=1e-12)
    assert 'thrusts_beyond_limits' in {note.code for note in beyond.warnings}
    assert 'thrusts_beyond_limits' not in {note.code for note in at_full.notes}


def test_a_boat_that_says_nothing_leaves_a_log_as_it_is():
    log = log_of([1.0, 1.0])
    assert as_identified(log, read_boat('blueboat')) is log and math.isclose(LogMeaning(1.0, 1.0).exponent, 1.0)


def test_a_scale_of_thrusts_that_is_known_to_six_percent_is_in_the_interval(tmp_path):
    """By thrusts the energy is that of the scale, and not of the drag: its ends are those of 1.96 deviations."""
    still = AnalysisOptions(find_flow=False)
    told = {**MEANING, 'scale': {'value': 0.9, 'unit': '-', 'std': 0.054}}
    analysed = analysed_log(log_of([20.0, 20.0]), boat_that_says(tmp_path, thrust_of_log=told), still)
    assert scale_std(analysed) == pytest.approx(0.06)
    energies = []
    for scale in (0.9 - 1.96 * 0.054, 0.9 + 1.96 * 0.054):
        other = {**MEANING, 'scale': {'value': scale, 'unit': '-', 'std': 0.054}}
        energies.append(analysed_log(log_of([20.0, 20.0]), boat_that_says(tmp_path, thrust_of_log=other),
                                     still).energy.total)
    low, high = parameter_interval(analysed)
    assert low < 1.01 * energies[0] and high > 0.99 * energies[1]  # The file's other numbers widen it.
    row = next(one for one in log_report(analysed).trust.doubts if one.name == 'numbers of the boat')
    assert row.advice != 'small'


def test_a_scale_without_a_std_and_numbers_without_are_not_known_to_be_exact(tmp_path):
    boat = boat_that_says(tmp_path, thrust_of_log={**MEANING, 'scale': 0.9})
    analysed = analysed_log(log_of([20.0, 20.0]), boat, AnalysisOptions(find_flow=False))
    assert 'thrust_of_log.scale' in numbers_without_std(analysed)
    row = next(one for one in log_report(analysed).trust.doubts if one.name == 'numbers of the boat')
    assert 'no std of thrust_of_log.scale' in row.advice


@pytest.mark.parametrize(('times', 'doubted'), [(1.0, False), (20.0, True)])
def test_thrusts_that_do_not_fit_the_motion_are_a_doubt(times, doubted):
    """Two thrusts that give what a steady speed takes, and the same of a log whose drag is 20 times that."""
    boat = read_boat('lutra_prop')
    drag = float(steady_state(boat.vessel, 0.0, 1.0, STILL).power.thrust)  # W at 1 m/s, and so N.
    report = log_report(analysed_log(replace(straight(), thrusters=tuple(boat.thruster_names), thrust_given=True,
                                             thrust=np.full((400, 2), 0.5 * drag / times)), boat))
    row = next(one for one in report.trust.doubts if one.name == "motion against the thrusters' own work")
    assert report.closure_relative == pytest.approx(times - 1.0, abs=0.04 * times)  # Air drag, too.
    assert (row.advice != 'small') == doubted
    assert ('closure' in {note.code for note in report.notes}) == doubted
