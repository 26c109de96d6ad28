"""A file given where another kind is wanted is named, with the command that reads it."""

import time
from pathlib import Path

import east_files
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.locate import share_folder
from usv_energy.files.what_file import FIRST, LAND, refuse_other, refuse_other_file
from usv_energy.flow.readers import recognise
from usv_energy.logs.file_kind import kind_of
from usv_energy.missions.mission_file import read_mission

WANTED = {'log': kind_of, 'mission': read_mission, 'flow': recognise, 'boat': lambda path: read_boat(str(path)),
          'land': lambda path: refuse_other_file(path, LAND)}
CONFIG = share_folder() / 'config'
EVER = 'log mission flow boat land'
ANALYZE, MISSION, FLOW = 'usv-energy analyze reads it', 'usv-energy mission reads it', 'give it by --current or --wind'
# What a file begins with, what it is called, what it is, as what it is wanted wrongly, and what reads it.
GIVEN = {
    'a.bin': (b'\xa3\x95\x80\x80', 'a log of ArduPilot', 'mission flow boat land', ANALYZE),
    'a.ulg': (b'ULog\x01\x12\x35', 'a log of PX4', 'mission flow boat land', ANALYZE),
    'a.bag': (b'#ROSBAG V2.0\n', 'a bag of ROS 1', 'mission flow boat land', ANALYZE),
    'a.mcap': (b'\x89MCAP0\r\n', 'a bag (MCAP)', 'mission flow boat land', ANALYZE),
    'a.csv': (b'Date,Time,Latitude,Longitude\n', 'a table', 'mission flow boat land', ANALYZE),
    'a.waypoints': (b'QGC WPL 110\n', 'a mission (waypoints of ArduPilot)', 'log flow boat land', MISSION),
    'a.plan': (b'{"fileType": "Plan"}', 'a mission (plan of QGroundControl)', 'log flow boat land', MISSION),
    'a.lnw': (b'LNS 1\nLIN 2\n', 'a mission (lines of HYPACK)', 'log flow boat land', MISSION),
    'a.rtz': (b'<?xml version="1.0"?>\n<route xmlns="http://www.cirm.org/RTZ/1/1">',
              'a mission (route of an ECDIS, RTZ)', 'log flow boat land', MISSION),
    'a.nc': (b'CDF\x01', 'a netCDF file', 'log mission boat land', FLOW),
    'a.grb': (b'GRIB\x00', 'a GRIB file', 'log mission boat land', FLOW),
    'a.asc': (b'NCOLS 2\nNROWS 2\n', 'a raster (ESRI ASCII)', 'log mission boat land', FLOW),
    'a.tif': (b'II*\x00', 'a raster (GeoTIFF)', 'log mission boat land', FLOW),
    'a.shp': (b'\x00\x00\x27\x0a', 'a shapefile', 'log mission flow boat', 'give it by --land'),
    'a.blf': (b'LOGG\x90\x00', 'a CAN log of Vector (BLF)', EVER, 'write it as ASC'),
    'a.mkv': (b'\x1aE\xdf\xa3', 'a video (Matroska)', EVER, 'the log of the boat'),
    'a.mp4': (b'\x00\x00\x00\x18ftypmp42', 'a video', EVER, 'the log of the boat'),
    'a.sl2': (b'\x02\x00\x00\x00\xb2\x07\x00\x00', 'a sonar log of a Lowrance', EVER, 'GPX or CSV'),
    'a.dat': (b'\x03\x00\x01\x00\x80\x0c\x00\x00', 'a sonar log of a Lowrance', EVER, 'GPX or CSV'),
    'a.usr': (b'\x06\x00\x00\x00\x0a\x00\x00\x00', 'waypoints and trails of a Lowrance plotter',
              EVER, 'gpsbabel'),
    'a.alog': (b'%% LOG FILE: x.alog\n', 'a log of MOOS (.alog)', 'mission flow boat land', ANALYZE),
    'a.000': (b'000013LE1 0900073   6604', 'a chart cell (S-57)', EVER, 'ogr2ogr'),
    'a.html': (b'<!DOCTYPE html>\n<html>', 'a web page (HTML)', EVER, 'give a '),
    'lfs.csv': (b'version https://git-lfs.github.com/spec/v1\n', 'a pointer of Git LFS', EVER, 'git lfs pull'),
    'a.yaml': (b'base: lutra_prop\nname: b\n', 'a boat file, a scenario or a flow file on top of another',
               'log land', '--boat'),
    'a.pdf': (b'%PDF-1.4\n', 'a PDF document', EVER, ''),
    'a.xlsx': (b'PK\x03\x04', 'a ZIP archive or a spreadsheet (.xlsx)', 'log flow boat', 'save the sheet as CSV'),
    'le.csv': ('Zeit;Breite\n1;2\n3;4\n'.encode('utf-16-le'), 'text in UTF-16 without its mark',
               'log mission flow boat', 'save it as UTF-8'),
    'be.csv': ('time,sog\n1,2\n3,4\n'.encode('utf-16-be'), 'text in UTF-16 without its mark',
               'log mission flow boat', 'save it as UTF-8')}


@pytest.mark.parametrize(('name', 'wanted'), [
    (name, wanted) for name, row in GIVEN.items() for wanted in row[2].split()])
def test_a_file_of_another_kind_is_named_with_what_reads_it(tmp_path, name, wanted):
    begin, what, _, remedy = GIVEN[name]
    (tmp_path / name).write_bytes(begin)
    with pytest.raises(InputError) as caught:
        WANTED[wanted](tmp_path / name)
    said = str(caught.value)
    assert said.startswith(f'{tmp_path / name}: is {what}, which is no {wanted}')
    assert remedy in said and '\n' not in said


@pytest.mark.parametrize(('folder', 'file', 'what', 'remedy'), [
    ('boats', 'lutra_prop', 'a boat file', 'give it by --boat'), ('flows', 'sea', 'a flow file', FLOW),
    ('scenarios', '1', 'a scenario', 'usv-energy run and mission read it')])
def test_files_of_our_own_are_no_logs(folder, file, what, remedy):
    with pytest.raises(InputError, match=rf'{file}\.yaml: is {what}, which is no log that is read here; {remedy}'):
        kind_of(CONFIG / folder / f'{file}.yaml')


@pytest.mark.parametrize('folder', ['boats', 'scenarios', 'flows'])
def test_files_of_our_own_are_what_they_are(folder):
    wanted = {'boats': 'boat', 'scenarios': 'scenario', 'flows': 'flow'}[folder]
    for path in (CONFIG / folder).glob('*.yaml'):
        refuse_other(path, path.read_bytes(), wanted)


@pytest.mark.parametrize('name', east_files.FILES)
def test_no_log_is_refused_as_a_log_and_none_is_a_flow_or_a_boat(tmp_path, name):
    path = tmp_path / name
    east_files.FILES[name](path)
    assert kind_of(path)
    for wanted in ('flow', 'boat'):
        with pytest.raises(InputError):
            WANTED[wanted](path)


@pytest.mark.parametrize('begin', [b'time,' + b'1,' * 40_000, b'time,' * 16_000, b'time ' * 16_000, b'<!---->' * 9_000],
                         ids=['a long line', 'many times', 'no separator', 'comments'])
def test_what_a_long_line_is_takes_no_time(begin):
    """By steps that go back it took 24 s for 65 kB of `1,`, and for 40 comments for ever."""
    start = time.process_time()
    refuse_other(Path('a.csv'), begin[:FIRST], 'log')
    assert time.process_time() - start < 1.0
