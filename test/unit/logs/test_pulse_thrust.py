"""Commands in pulses become thrusts by the boat's curve, whichever log they come from."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dataflash_files import circle, write_dataflash
from needs import NEEDS_PYMAVLINK

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.log import Log
from usv_energy.logs.maneuver_log import maneuver_log
from usv_energy.logs.read_log import read_log
from usv_energy.logs.thruster_readings import with_thrust_of_pulses
from usv_energy.sim.maneuver import read_maneuver, run_maneuver
from usv_energy.studies.identify.steady.steady_states import damping_estimates, steady_phases
from usv_energy.thrusters.thruster_sheet import read_thruster

TRIAL = read_boat('lutra_prop_trial')
TIME = np.arange(6.0)
PULSES = np.column_stack([[1500.0, 1553.0, 1600.0, 1650.0, 1700.0, np.nan], [1500.0] * 5 + [1700.0]])


def log_of(command=PULSES, names=('left', 'right'), **given):
    return Log('log', Path('log.bin'), TIME, command=command, thrusters=names, **given)


def test_pulses_are_the_thrusts_of_the_boat_s_table():
    """[S] table 3, of each of two thrusters at 15 degrees, and the straight line between two rows."""
    found = with_thrust_of_pulses(log_of(neutral=(1500.0, 1500.0)), TRIAL)
    np.testing.assert_allclose(found.thrust[:, 0], [0.0, 8.52, 9.281, 0.5 * (9.281 + 11.668), 11.668, np.nan])
    assert found.thrust[5, 1] == 11.668
    note, = found.notes
    assert note.code == 'thrust_of_pulses' and '[S] table 3' in note.text


def test_thrusters_are_matched_by_name_or_in_order(tmp_path):
    path = tmp_path / 'two.yaml'
    path.write_text('base: lutra_prop_trial\nname: two\nthrusters:\n'
                    '  - {name: left, x: 0, y: 0.1, pwm: {table: [[1500, 0], [1700, 2]]}}\n'
                    '  - {name: right, x: 0, y: -0.1, pwm: {table: [[1500, 0], [1700, 4]]}}\n')
    boat = read_boat(str(path))
    both = np.full((6, 2), 1700.0)
    assert with_thrust_of_pulses(log_of(both), boat).thrust[0].tolist() == [2.0, 4.0]
    assert with_thrust_of_pulses(log_of(both, ('right', 'left')), boat).thrust[0].tolist() == [4.0, 2.0]
    assert with_thrust_of_pulses(log_of(both, ('a', 'b')), boat).thrust[0].tolist() == [2.0, 4.0]


def test_a_log_stays_as_it_is_where_nothing_is_to_be_done():
    for log, boat in ((log_of(thrust=PULSES), TRIAL), (log_of(), read_boat('lutra_prop')),
                      (log_of(PULSES[:, :1], ('left',)), TRIAL), (Log('log', Path('log'), TIME), TRIAL)):
        assert with_thrust_of_pulses(log, boat) is log


def test_pulses_beyond_the_curve_and_a_neutral_that_drives_are_named():
    found = with_thrust_of_pulses(log_of(PULSES + 60.0, neutral=(1530.0, np.nan)), TRIAL)
    codes = {note.code: note for note in found.warnings}
    assert set(codes) == {'pulses_beyond_curve', 'neutral_drives'}
    assert codes['pulses_beyond_curve'].figures == pytest.approx({'left_share': 0.4, 'right_share': 1.0 / 6.0})
    assert 'the neutral of left, 1530 us, gives 4.82 N' in codes['neutral_drives'].text


def test_mirrored_pulses_are_mirrored_about_the_curve_s_own_dead_band():
    """Sent 1300 us, mirrored about a trim of 1511 us in the log: 1722 there, 1700 to a controller with 1500."""
    sent = np.full((6, 2), 1300.0)
    log = log_of(2.0 * 1511.0 - sent, neutral=(1511.0, 1511.0), mirrored=(True, True))
    assert with_thrust_of_pulses(log, TRIAL).thrust[0].tolist() == [11.668, 11.668]
    plain = with_thrust_of_pulses(log_of(np.full((6, 2), 1700.0), neutral=(1511.0, 1511.0)), TRIAL)
    assert plain.thrust[0].tolist() == [11.668, 11.668]


def test_steady_states_are_found_from_pulses_as_from_thrusts():
    """The same run, once with newtons and once with the pulses that give them."""
    maneuver = read_maneuver('straight').with_pulses([1600.0])
    log = maneuver_log(maneuver, *run_maneuver(maneuver, TRIAL, TRIAL), TRIAL)
    pulses = replace(log, thrust=np.full_like(log.thrust, np.nan), command=np.full_like(log.thrust, 1600.0))
    air = 0.5 * 1.184 * 0.08 * 0.68 * 1.256 ** 2
    values = [damping_estimates(steady_phases(one, TRIAL), TRIAL.vessel)[0].value for one in (log, pulses)]
    assert values[0] == pytest.approx(values[1], rel=1e-12)
    assert values[0] == pytest.approx((17.93 - air) / 1.256, rel=1e-3)


@NEEDS_PYMAVLINK
def test_pulses_of_an_ardupilot_log_by_a_sheet_of_the_library(tmp_path):
    """RCOU of a DataFlash file, with outputs named by parameters, by the T200's sheet at 16 V."""
    write_dataflash(tmp_path / 'log.bin', circle())
    log = read_log(tmp_path / 'log.bin')
    path = tmp_path / 'boat.yaml'
    path.write_text('base: blueboat_start\nname: mine\nthrusters:\n' + ''.join(
        f'  - {{name: {name}, x: -0.4, y: {y}, propeller: {{model: t200, voltage: 16}}}}\n'
        for name, y in (('left', 0.3), ('right', -0.3))))
    found = with_thrust_of_pulses(log, read_boat(str(path)))
    sheet = read_thruster('t200').at_voltage(16.0, '')
    assert log.mirrored == (True, False)  # sent: 1400 us, which is 1600 mirrored about 1500, and 1600 us
    np.testing.assert_allclose(found.thrust, np.interp(1600.0, sheet.pulses, sheet.thrusts))


def test_thrusters_are_named_whose_pulses_lie_beyond_the_curve_in_more_than_a_hundredth_of_the_samples():
    """1 in 100 of one, and as many or 2 of the other."""
    for number, named in ((1, False), (2, True)):
        pulses = np.full((100, 2), 1600.0)
        pulses[0, 0], pulses[:number, 1] = 2500.0, 2500.0
        log = Log('log', Path('log.bin'), np.arange(100.0), command=pulses, thrusters=('left', 'right'))
        notes = {note.code: note.text for note in with_thrust_of_pulses(log, TRIAL).notes}
        assert ('pulses_beyond_curve' in notes) is named
        assert not named or 'curve: right 2 % of the samples' in notes['pulses_beyond_curve']
