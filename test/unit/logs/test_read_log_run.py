"""What stands beside the samples of a run is part of its log, in the log's own time; and which reader takes what."""

import math

import numpy as np
import pytest
from rotor_twin import FOLDER_MAP, write_folder
from table_files import MAP, circle_ned, mapped, write_columns

from usv_energy.boats.sensor import Sensor, SensorErrors
from usv_energy.files.errors import InputError
from usv_energy.logs.bags.sensor_recording import write_sensor_bag
from usv_energy.logs.log import HEAVE, PITCH, ROLL
from usv_energy.logs.read_log import read_log
from usv_energy.logs.tables.column_map import read_columns
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.power import Power
from usv_energy.sim.plants.plant import HullAttitude
from usv_energy.sim.record import Row
from usv_energy.sim.run_files import (
    CellsSample,
    HomeSample,
    LegBegin,
    write_attitude,
    write_battery,
    write_home,
    write_samples,
)
from usv_energy.sim.sensors.sensor_suite import SensorSuite, TrueState

START = 10.0


def row(time, attitude=None):
    return Row(time, time, 0.0, Motion(0.0, 1.0 + 0.1 * time, *[0.0] * 5), Flow(*[0.0] * 4), Power(*[0.0] * 17), 0.0,
               0.0, 0.0, 0, attitude=attitude)


@pytest.fixture
def run(tmp_path):
    """The folder of a run whose samples begin at 10 s, with all that can stand beside them."""
    folder = tmp_path / 'two_lanes'
    folder.mkdir()
    write_samples([row(START + 0.5 * k) for k in range(9)], folder / 'samples.csv')
    (folder / 'legs.csv').write_text('leg,begin_s\na,10.0\nb,12.5\n')
    write_home([HomeSample(START + k, 'pier', 1.0, 2.0, 3.0, *[4.0 + k] * 7, False, 0) for k in range(3)],
               folder / 'home.csv')
    write_battery([CellsSample(START + k, 16.0 - k, 2.0, 0.9, 293.15) for k in range(3)], folder / 'battery.csv')
    write_attitude([row(START + k, HullAttitude(0.0, 0.0, 0.1 * k, 0.2 * k, -0.3 * k, *[0.0] * 7)) for k in (1, 3)],
                   folder / 'attitude.csv')
    (folder / 'commands.csv').write_text(
        'time_s,thrust_left_n,angle_left_rad,thrust_right_n,angle_rudder_rad,thrust_left_percent,force_n\n'
        '10,1,0.1,3,0.5,7,8\n12,2,0.2,4,0.6,7,8\n')
    return folder


@pytest.mark.parametrize('whole', [True, False], ids=['folder', 'samples'])
def test_a_run_is_read_with_all_that_stands_beside_its_samples(run, whole):
    log = read_log(run if whole else run / 'samples.csv')
    assert log.name == 'two_lanes' and log.start == START and log.time.tolist() == [0.5 * k for k in range(9)]
    assert log.legs == (LegBegin(0.0, 'a'), LegBegin(2.5, 'b'))
    assert log.home.time.tolist() == [0.0, 1.0, 2.0] and log.home.energy_left.tolist() == [4.0, 5.0, 6.0]
    assert log.cells.time.tolist() == [0.0, 1.0, 2.0] and log.cells.voltage.tolist() == [16.0, 15.0, 14.0]
    inside = (log.time >= 1.0) & (log.time <= 3.0)
    for name, slope in ((HEAVE, 0.1), (ROLL, 0.2), (PITCH, -0.3)):  # Straight lines between what was written.
        np.testing.assert_allclose(log.extra[name], np.where(inside, slope * log.time, math.nan), atol=1e-12)
    assert 'energy_j' in log.extra
    assert log.thrusters == ('left', 'right') and log.foils == ('rudder',)
    assert log.thrust[[0, 3, 4]].tolist() == [[1.0, 3.0], [1.0, 3.0], [2.0, 4.0]]  # Held from 12 s on.
    assert log.angle[[0, -1], 0].tolist() == [0.1, 0.2] and np.isnan(log.angle[:, 1]).all()
    assert log.foil_angle[[0, -1], 0].tolist() == [0.5, 0.6]
    assert np.isnan(log.command).all() and np.isnan(log.neutral).all() and len(log.neutral) == 2


def test_a_table_of_another_name_and_a_run_with_nothing_beside_it_have_none_of_that(run):
    (run / 'samples.csv').rename(run / 'copy.csv')
    other = read_log(run / 'copy.csv')
    (run / 'alone').mkdir()
    write_samples([row(0.5 * k) for k in range(9)], run / 'alone' / 'samples.csv')
    for log in (other, read_log(run / 'alone')):
        assert not log.legs and log.home is None and log.cells is None and HEAVE not in log.extra
        assert not log.thrusters and not log.foils
    assert other.name == 'copy'


def test_commands_of_rudders_alone_and_an_attitude_of_no_time(run):
    (run / 'commands.csv').write_text('time_s,angle_rudder_rad\n10,0.5\n')
    write_attitude([], run / 'attitude.csv')
    log = read_log(run)
    assert log.thrusters == () and log.foils == ('rudder',) and (log.foil_angle == 0.5).all()
    assert HEAVE not in log.extra


def test_a_table_s_own_thrusters_go_before_commands_beside_it(tmp_path):
    path = write_columns(tmp_path / 'samples.csv', {**circle_ned(), 'f': np.linspace(1.0, 2.0, 400)})
    (tmp_path / 'commands.csv').write_text('time_s,thrust_other_n\n0,5\n')
    columns = mapped(tmp_path, MAP, thrusters=[{'name': 'own', 'thrust': {'column': 'f', 'unit': 'N'}}])
    assert read_log(path, columns).thrusters == ('own',)


def test_a_longer_gap_may_be_asked_of_a_table(tmp_path):
    path, columns = write_columns(tmp_path / 'a.csv', circle_ned()), mapped(tmp_path, MAP)
    assert read_log(path, columns, max_gap=7, progress=print).max_gap == 7.0
    assert read_log(path, columns).max_gap < 7.0


def test_a_table_without_a_map_shows_a_dozen_of_its_columns_at_most(tmp_path):
    path = write_columns(tmp_path / 'a.csv', {f'c{k}': [0.0] for k in range(14)})
    shown = ', '.join(f"'c{k}'" for k in range(12))
    with pytest.raises(InputError, match=rf'no column is known for the time. There are: {shown}, \.\.\.\. Write'):
        read_log(path)


def fixes(path):
    """Write a bag of a GPS that stays at one place."""
    gps = Sensor('gps', 'gnss', 1.0, errors={'position': SensorErrors()})
    suite = SensorSuite((gps,), 1)
    path.parent.mkdir(parents=True)
    write_sensor_bag([one for k in range(20) for one in suite.observe(TrueState(float(k), 0.0, 0.0))], (51.0, -30.0),
                     'boat', path)


def test_a_bag_is_read_from_its_file_its_folder_or_the_folder_of_its_run(tmp_path):
    """With a map of a folder of tables, too, which is for such folders only."""
    (tmp_path / 'map.yaml').write_text(FOLDER_MAP)
    fixes(tmp_path / 'evening' / 'bag' / 'part_0.mcap')
    run = tmp_path / 'evening'
    for path, name in ((run / 'bag' / 'part_0.mcap', 'part_0'), (run / 'bag', 'evening'), (run, 'evening')):
        for columns in (None, tmp_path / 'map.yaml'):
            log = read_log(path, columns)
            assert (len(log), log.name) == (20, name)
    with pytest.raises(InputError, match=r'--system does not go with this kind of log$'):
        read_log(tmp_path / 'evening', system=1)


def test_a_folder_of_tables_needs_a_map_of_its_files(tmp_path, rng):
    (tmp_path / 'map.yaml').write_text(FOLDER_MAP)
    write_folder(tmp_path / 'run', rng)
    log = read_log(tmp_path / 'run', tmp_path / 'map.yaml', progress=print)
    assert len(read_log(tmp_path / 'run', read_columns(tmp_path / 'map.yaml'))) == len(log) > 0
    for columns in (None, mapped(tmp_path, MAP)):
        with pytest.raises(InputError, match='holds no bag'):
            read_log(tmp_path / 'run', columns)


def test_a_choice_that_is_for_another_kind_is_refused_with_a_hint(tmp_path):
    path, columns = write_columns(tmp_path / 'a.csv', circle_ned()), mapped(tmp_path, MAP)
    with pytest.raises(InputError, match=r'--axes, --odom does not go .*; its frames stand in the column map$'):
        read_log(path, columns, odom='/odom', axes='ned', twist=None)
