"""Records of JSON, whatever wrote them."""

import json

import east_files
import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log
from usv_energy.logs.tables.records import flat, log_of_topics, read_records


def test_cockpit_s_texts_with_units_are_numbers(tmp_path):
    path = tmp_path / 'a.clog'
    east_files.cockpit(path)
    log = read_records(path)
    np.testing.assert_allclose(log.time, east_files.TIME)
    np.testing.assert_allclose(log.x, east_files.TIME, atol=1e-2)
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-12)
    np.testing.assert_allclose(log.volts, 15.9)
    np.testing.assert_allclose(log.electrical_power, 33.4)


def test_angles_of_expedition_from_magnetic_north_are_turned_as_the_places_say(tmp_path):
    path = tmp_path / 'a.csv'
    east_files.expedition_of_columns(path)
    log = read_log(path)
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-4)
    np.testing.assert_allclose(log.x, east_files.TIME, atol=1e-2)
    assert next(note for note in log.notes if note.code == 'magnetic_heading').figures['turn_rad'] == pytest.approx(
        np.radians(-10.0), abs=1e-4)
    path.write_text(path.read_text().replace(',80.0,', ',89.0,'))    # less than is believed
    assert 'magnetic_heading' not in [note.code for note in read_log(path).notes]


@pytest.mark.parametrize('form', ['text', 'json'])
def test_what_canboat_s_analyzer_prints_is_read(tmp_path, form):
    path = tmp_path / 'a'
    lines = [json.dumps({'version': '6.0.0', 'units': 'std'})] if form == 'json' else []
    for time, north, east in zip(east_files.TIME, east_files.LATITUDE, east_files.LONGITUDE):
        for number, name, fields in (
                (129025, 'Position, Rapid Update', {'Latitude': f'{north:.7f}', 'Longitude': f'{east:.7f}'}),
                (129026, 'COG & SOG, Rapid Update', {'SID': '1', 'COG Reference': 'True', 'COG': '90.0 deg',
                                                     'SOG': '1.00 m/s'}),
                (127250, 'Vessel Heading', {'Heading': '60.0 deg', 'Reference': 'True'}),
                (127508, 'Battery Status', {'Voltage': '14.80 V', 'Current': f'{2.0 + time % 2.0} A'})):
            if form == 'text':
                said = '; '.join(f'{key} = {value}' for key, value in fields.items())
                lines.append(f'{east_files.moment(time):%Y-%m-%d-%H:%M:%S}.000 2  35 255 {number} {name}:  {said}')
            else:
                values = {key: float(value.split()[0]) if value[0].isdigit() else value
                          for key, value in fields.items()}
                lines.append(json.dumps({'timestamp': east_files.iso(time), 'prio': 2, 'src': 35, 'dst': 255,
                                         'pgn': number, 'description': name, 'fields': values}))
    if form == 'text':      # A line without fields takes time by its length, not by its square.
        lines.append(f'2024-05-01-23:59:00.000 2  35 255 127251 Rate of Turn:  {200_000 * "x"}')
    path.write_text('\n'.join(lines) + '\n')
    log = read_log(path)
    np.testing.assert_allclose(log.x, east_files.TIME, atol=1e-2)
    np.testing.assert_allclose(log.yaw, np.radians(30.0), atol=1e-6)
    np.testing.assert_allclose((log.volts, log.amperes), (0.0 * log.time + 14.8, 2.0 + log.time % 2.0))
    assert log.start == pytest.approx(east_files.BEGIN.timestamp())


def test_records_a_line_with_damaged_ones(tmp_path):
    path = tmp_path / 'a.jsonl'
    east_files.json_lines(path)
    lines = path.read_text().split('\n')
    lines[7] = lines[7][:-3]
    path.write_text('\n'.join(lines))
    log = read_records(path)
    np.testing.assert_allclose(log.x, np.delete(east_files.TIME, 7), atol=1e-2)
    np.testing.assert_allclose(log.u, 1.0, atol=1e-3)  # knots, as the key says
    assert next(note for note in log.notes if note.code == 'lines_damaged').figures == {'lines': 1}


def test_the_longest_list_of_a_mapping_holds_the_records(tmp_path):
    (tmp_path / 'a.json').write_text(json.dumps({'boat': 'x', 'samples': [
        {'t': float(k), 'position': {'x': float(k), 'y': 0.0}} for k in range(20)]}))
    np.testing.assert_allclose(read_records(tmp_path / 'a.json').x, np.arange(20.0))


COLUMNS = {'t': [float(k) for k in range(20)], 'x': [float(k) for k in range(20)], 'y': [0.0] * 20}


@pytest.mark.parametrize('document', [
    COLUMNS, {name: {str(k): value for k, value in enumerate(values)} for name, values in COLUMNS.items()},
    {'meta': {'n': [1, 2]}, 'data': {'points': [dict(zip(COLUMNS, row)) for row in zip(*COLUMNS.values())]}}])
def test_records_may_be_columns_as_pandas_writes_them_or_lie_deeper(tmp_path, document):
    (tmp_path / 'a.json').write_text(json.dumps(document))
    np.testing.assert_allclose(read_records(tmp_path / 'a.json').x, np.arange(20.0))


def test_a_record_is_flat_and_only_numbers_and_texts_stay():
    assert flat({'a': {'b': 1, 'c': '2.5 m/s'}, 'd': [1, 2], 'e': True, 'f': 'on', 'g': None}) == {
        'a.b': 1.0, 'a.c [m/s]': 2.5, 'f': 'on'}


def test_of_another_topic_the_last_message_before_holds_and_not_for_long(tmp_path):
    places = [('/gps', float(k), {'latitude': 45.0, 'longitude': 9.0 + 1e-5 * k}) for k in range(60)]
    headings = [('/compass', 0.5 * k, {'heading_deg': 70.0 + k}) for k in range(40)]
    log = log_of_topics([*places, *headings], tmp_path / 'a.mcap', None, [])
    north = np.degrees(0.5 * np.pi - log.yaw)
    np.testing.assert_allclose(north[:20], 70.0 + 2.0 * np.arange(20.0))
    assert np.isnan(north[40:]).all()


@pytest.mark.parametrize(('content', 'says'),
                         [('{"a": 1}', 'no column is known for the time'), ('[1, 2]', 'no list of records'),
                                               ('{"a": ', 'wrong JSON'), ('[{"time": 1}]',
                                                                          'no column is known for the motion')])
def test_what_is_no_log_is_refused(tmp_path, content, says):
    (tmp_path / 'a.json').write_text(content)
    with pytest.raises(InputError, match=says):
        read_records(tmp_path / 'a.json')


def test_topics_without_a_boat_are_named(tmp_path):
    with pytest.raises(InputError, match=r'no message of JSON says what a boat did. There are: /log'):
        log_of_topics([('/log', 0.0, {'message': 'hello'})], tmp_path / 'a.mcap', None, [])


def test_gpsd_s_places_are_those_of_its_tpv(tmp_path):
    """SKY has the same time and comes first; GST has errors in metres as lat and lon; other classes add to them."""
    rows = [row for k in range(40) for row in (
        {'class': 'SKY', 'time': 1e9 + k, 'hdop': 0.9}, {'class': 'GST', 'time': 1e9 + k, 'lat': 3.1, 'lon': 2.2},
        {'class': 'TPV', 'time': 1e9 + k, 'lat': 0.0001, 'lon': 9.0 + 1e-5 * k},
        {'class': 'BATT', 'time': 1e9 + k, 'volts': 14.0, 'amps': 2.0 + 0.1 * (k % 3)})]
    path = tmp_path / 'a.json'
    path.write_text('\n'.join(map(json.dumps, rows)) + '\n')
    log = read_log(path)
    np.testing.assert_allclose(log.x, 1.1131949 * np.arange(40.0), atol=1e-4)
    np.testing.assert_allclose(log.electrical_power, 14.0 * (2.0 + 0.1 * (np.arange(40) % 3)))
