"""Logs of every kind with faults in them: read, or refused by name; neither with a traceback nor slowly."""

import east_files
import numpy as np
import pytest
from bag_files import battery, circle, joints, write_bag
from dataflash_files import circle as dataflash_circle
from dataflash_files import write_dataflash
from fuzz import assert_survives
from needs import NEEDS_PYMAVLINK, NEEDS_PYULOG, NEEDS_ROSBAGS
from table_files import MAP, NED, circle_ned, mapped, write_columns
from telemetry_files import Station, vehicle
from ulog_files import circle as ulog_circle

from usv_energy.logs.read_log import read_log
from usv_energy.sim.run_files import read_samples, write_samples
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario


@pytest.fixture
def mutated(tmp_path):
    (tmp_path / 'mutated').mkdir()
    return tmp_path / 'mutated'


def test_tables_with_a_column_map(tmp_path, mutated, fuzz_seeds):
    columns = mapped(tmp_path, MAP, frames=NED, thrusters=[
        {'name': 'left', 'thrust': {'column': 'Kraft (°)', 'unit': 'N'}},
        {'name': 'right', 'thrust': {'column': 'force', 'unit': 'N'}}])
    circle = circle_ned()
    table = {**circle, 'Kraft (°)': np.cos(circle['n']), 'force': np.sin(circle['n'])}
    plain = write_columns(tmp_path / 'a.csv', table)
    wide, quoted = tmp_path / 'wide.csv', tmp_path / 'quoted.csv'
    wide.write_text(plain.read_text(), encoding='utf-16')
    quoted.write_text(plain.read_text().replace(',', '";"').replace('\n', '"\r\n"')[:-1], encoding='cp1252')
    read_log(wide, columns)
    assert_survives(lambda path: read_log(path, columns), [plain, wide, quoted], mutated, fuzz_seeds)


def test_tables_without_a_column_map(tmp_path, mutated, fuzz_seeds):
    circle = circle_ned()
    table = {'time': circle['t'], 'x_ned': circle['n'], 'y_ned': circle['e'], 'heading': circle['psi'],
             'speed': circle['surge'], 'yaw_rate': circle['rate'], 'battery voltage': np.cos(circle['n'])}
    plain = write_columns(tmp_path / 'a.csv', table)
    dated = tmp_path / 'dated.csv'
    lines = plain.read_text().splitlines()
    dated.write_text('\n'.join([lines[0], *(f'2024-10-27T00:59:{row % 60:02d}Z,{line.partition(",")[2]}'
                                            for row, line in enumerate(lines[1:]))]))
    assert_survives(read_log, [plain, dated], mutated, fuzz_seeds)


KINDS = {'nmea': ('rmc.nmea', 'gga.txt'), 'nmea2000': ('candump.log', 'bus.raw', 'bus.ebl', 'trace.asc'),
         'signal_k': ('deltas.jsonl', 'history.jsonl'), 'moos': ('boat.alog',),
         'dataflash': ('ardupilot.log',), 'compounds': ('compound.csv', 'solution.pos'),
         'records': ('cockpit.clog', 'cockpit.ass', 'records.jsonl', 'analyzer.txt', 'expedition.txt',
                     'columns.txt'),
         'tracks': ('track.gpx', 'speed.gpx', 'track.kml', 'points.kml', 'track.geojson', 'points.json', 'track.tcx')}


@pytest.mark.parametrize('kind', KINDS)
def test_files_of_loggers(tmp_path, mutated, fuzz_seeds, kind):
    for name in KINDS[kind]:
        east_files.FILES[name](tmp_path / name)
        read_log(tmp_path / name)
    seeds = fuzz_seeds * (2 if kind == 'tracks' else 1)
    assert_survives(read_log, [tmp_path / name for name in KINDS[kind]], mutated, seeds)


def test_every_kind_of_logger_is_here():
    assert {name for names in KINDS.values() for name in names} == {
        name for name in east_files.FILES if not name.endswith('.csv') or name == 'compound.csv'}


def test_tables_of_runs(tmp_path, mutated, fuzz_seeds):
    path = tmp_path / 'samples.csv'
    write_samples(run_scenario(read_scenario('3')).rows[:200], path)
    commands = 'time_s,thrust_left_n,thrust_right_n\n0.0,1.0,2.0\n1.0,2.0,3.0\n'
    (mutated / 'commands.csv').write_text(commands)
    assert_survives(read_log, [path], mutated, fuzz_seeds)
    assert_survives(read_samples, [path], mutated, fuzz_seeds)


@NEEDS_ROSBAGS
@pytest.mark.parametrize('plugin', ['MCAP', 'SQLITE3'])
def test_bags(tmp_path, mutated, fuzz_seeds, plugin):
    times = np.arange(4.9, 26.0, 0.5)
    bag = write_bag(tmp_path / 'bag', {
        '/boat/odom': circle(seconds=10.0),
        '/boat/thruster_command': [(t, joints(t, ['left', 'right'], [3.0, t])) for t in times],
        '/boat/battery': [(t, battery(t, 16.0, -2.0)) for t in times]}, plugin)
    file, = (path for path in bag.iterdir() if path.name != 'metadata.yaml')
    assert_survives(read_log, [file], mutated, fuzz_seeds)
    (mutated / file.name).write_bytes(file.read_bytes())
    assert_survives(lambda path: read_log(path.parent), [bag / 'metadata.yaml'], mutated, fuzz_seeds // 4)


@NEEDS_ROSBAGS
def test_bags_of_ros_1_and_of_px4(tmp_path, mutated, fuzz_seeds):
    import east_bags
    east_bags.ros1_odometry(tmp_path / 'a.bag')
    east_bags.bag_of_px4(tmp_path / 'px4')
    assert_survives(read_log, [tmp_path / 'a.bag', tmp_path / 'px4' / 'px4.mcap'], mutated, 2 * fuzz_seeds)


@NEEDS_ROSBAGS
def test_mcap_files_with_json(tmp_path, mutated, fuzz_seeds):
    import east_bags
    east_bags.bag_of_foxglove(tmp_path / 'a.mcap')
    east_bags.bag_of_blueos(tmp_path / 'b.mcap')
    assert_survives(read_log, [tmp_path / 'a.mcap', tmp_path / 'b.mcap'], mutated, 2 * fuzz_seeds)


@NEEDS_PYMAVLINK
def test_logs_of_ardupilot(tmp_path, mutated, fuzz_seeds):
    write_dataflash(tmp_path / 'a.bin', dataflash_circle(seconds=4))
    assert_survives(read_log, [tmp_path / 'a.bin'], mutated, fuzz_seeds)


@NEEDS_PYMAVLINK
def test_logs_of_ground_stations(tmp_path, mutated, fuzz_seeds):
    station = Station()
    vehicle(station, seconds=4)
    assert_survives(read_log, [station.write(tmp_path / 'a.tlog')], mutated, fuzz_seeds)


@NEEDS_PYULOG
def test_logs_of_px4(tmp_path, mutated, fuzz_seeds):
    assert_survives(read_log, [ulog_circle(seconds=4).write(tmp_path / 'a.ulg')], mutated, fuzz_seeds)
