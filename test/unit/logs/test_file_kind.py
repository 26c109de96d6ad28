"""What a file is by its content, and what is said of one that is no log."""

import json

import east_files
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs import file_kind
from usv_energy.logs.file_kind import kind_of

KINDS = {**dict.fromkeys(('candump.log', 'raw', 'ebl', 'asc'), file_kind.NMEA_2000),
         'analyzer.txt': file_kind.RECORDS, 'pos': file_kind.TABLE, 'records.jsonl': file_kind.RECORDS,
         'expedition.txt': file_kind.RECORDS, 'columns.txt': file_kind.RECORDS,
         'cockpit.clog': file_kind.RECORDS, 'ass': file_kind.RECORDS, 'csv': file_kind.TABLE,
         'nmea': file_kind.NMEA, 'txt': file_kind.NMEA, 'jsonl': file_kind.SIGNAL_K,
         'alog': file_kind.MOOS, 'log': file_kind.DATAFLASH, **dict.fromkeys(('gpx', 'kml', 'geojson', 'json', 'tcx'),
                                                                              file_kind.TRACK)}


@pytest.mark.parametrize('name', east_files.FILES)
def test_the_content_decides_whatever_a_file_is_called(tmp_path, name):
    path = tmp_path / 'a.dat'
    east_files.FILES[name](path)
    assert kind_of(path) == KINDS.get(name, KINDS.get(name.split('.')[1]))


@pytest.mark.parametrize(('content', 'kind'), [(b'\xa3\x95\x80\x80', file_kind.DATAFLASH), (b'ULog\x01\x12\x35',
                                                                                            file_kind.ULOG),
                                               (b'#ROSBAG V2.0\n', file_kind.ROS1_BAG), (b'a,b\n1,2\n',
                                                                                         file_kind.TABLE)])
def test_binary_logs_are_known_by_their_first_bytes(tmp_path, content, kind):
    (tmp_path / 'a').write_bytes(content)
    assert kind_of(tmp_path / 'a') == kind


@pytest.mark.parametrize(('content', 'says'), [
    (b'\x1f\x8b\x08', 'is compressed by gzip.*gunzip'), (b'PK\x03\x04', r'a ZIP archive or a spreadsheet.*as CSV'),
    (b'\x89HDF\r\n', 'a file of HDF5'), (b'CDF\x01', 'a netCDF file.*--current'), (b'GRIB\x00', 'a GRIB file'),
    (b'MATLAB 5.0 MAT-file', 'a file of MATLAB'), (b'PAR1',
                                                   'a Parquet file.*as CSV'), (b'\x0e\x10\x00\x00\x00\x00\x00\x00.FIT',
     'a FIT file of a watch.*GPX'), (b'\x00\x00\x00\x18ftypmp42', 'a video'), (b'SQLite format 3\x00',
                                                                               r'SQLite.*\.db3'),
    (b'<html><body>', 'a web page'), (b'<?xml version="1.0"?><svg>', "XML of 'svg'"), (b'QGC WPL 110\n', 'a mission'),
    (b'\xaa\x44\x12\x1c', 'of a NovAtel receiver'), (b'\xd3\x00\x13', 'corrections'), (b'$@\x00', 'of a Septentrio'),
    (b'a.csv'.ljust(257, b'\0') + b'ustar\x0000', 'an archive .tar.*tar -xf'),
    (b'\x80\x04\x95\x10', 'a pickle of Python'),
    (b'OziExplorer Track Point File', 'export it as GPX'), (b'header:\n  stamp:\n', 'ros2 bag record'),
    (b'AXXX123\r\nHFDTE010524\r\nB090000', r'flight log \(IGC\).*GPX'),
    (b'2024-01-01 00:00:00.00: ATTITUDE {roll : 0.1}\n', 'mavlogdump'),
    (b'boat,host=a lat=45.6,lon=9.5 1714564800000000000\n', r'lines of InfluxDB.*CSV'),
    (json.dumps({'fileType': 'Plan', 'mission': {}}).encode(), 'usv-energy mission')])
def test_what_is_no_log_is_named_with_what_to_do(tmp_path, content, says):
    (tmp_path / 'a').write_bytes(content)
    with pytest.raises(InputError, match=says):
        kind_of(tmp_path / 'a')


@pytest.mark.parametrize('begin', [b'[2024-05-01 09:00:00] ', b'<09:00:00> ', b'[INFO] [1714554000.1]: ', b'{1} '])
def test_sentences_may_have_a_logger_s_brackets_before_them(tmp_path, begin):
    (tmp_path / 'a').write_bytes(b''.join(begin + b'$GPRMC,090000.00,A,4536.0,N,00930.0,E,1.9,90.0,010524,,,A\n'
                                          for _ in range(3)))
    assert kind_of(tmp_path / 'a') == file_kind.NMEA
    (tmp_path / 'b').write_bytes(b'{"time": 1, "raw": "$GPRMC,0,A"}\n' * 3)
    assert kind_of(tmp_path / 'b') == file_kind.RECORDS


def test_utf_16_is_a_track_or_named(tmp_path):
    (tmp_path / 'a').write_text('<?xml version="1.0"?><gpx></gpx>', encoding='utf-16')
    assert kind_of(tmp_path / 'a') == file_kind.TRACK
    (tmp_path / 'b').write_text('$GPRMC,090000.00,A,4536.0,N\n', encoding='utf-16')
    with pytest.raises(InputError, match='in UTF-16; save it as UTF-8'):
        kind_of(tmp_path / 'b')
