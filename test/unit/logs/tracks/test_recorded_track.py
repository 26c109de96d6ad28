"""Tracks with times, and those without."""

import json
import zipfile

import east_files
import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log
from usv_energy.logs.tracks.track_file import read_track

KINDS = {name: write for name, write in east_files.FILES.items() if name.split('.')[1] in ('gpx', 'kml', 'geojson',
                                                                                           'json',
                                                                                           'tcx')}


@pytest.mark.parametrize('name', KINDS)
def test_places_and_times_come_out(tmp_path, name):
    KINDS[name](tmp_path / name)
    log = read_track(tmp_path / name)
    np.testing.assert_allclose(log.time, east_files.TIME)
    np.testing.assert_allclose(log.x, east_files.TIME, atol=0.01)
    np.testing.assert_allclose(log.y, 0.0, atol=0.01)
    assert log.start == pytest.approx(east_files.BEGIN.timestamp())


def test_a_letter_of_latin_1_in_xml_that_says_utf_8_is_read(tmp_path):
    east_files.gpx(tmp_path / 'a.gpx')
    text = (tmp_path / 'a.gpx').read_text()
    end = text.index('<trk>') + len('<trk>')
    (tmp_path / 'b.gpx').write_bytes(f'{text[:end]}<name>Köln</name>{text[end:]}'.encode('latin-1'))
    np.testing.assert_array_equal(read_track(tmp_path / 'b.gpx').x, read_track(tmp_path / 'a.gpx').x)


def test_a_kmz_is_its_kml(tmp_path):
    east_files.kml(tmp_path / 'doc.kml')
    with zipfile.ZipFile(tmp_path / 'a.kmz', 'w') as archive:
        archive.write(tmp_path / 'doc.kml', 'doc.kml')
    np.testing.assert_array_equal(read_track(tmp_path / 'a.kmz').x, read_track(tmp_path / 'doc.kml').x)


def test_times_may_stand_as_fourth_coordinates(tmp_path):
    start = east_files.BEGIN.timestamp()
    line = [[float(east), float(north), 0.0, start + time] for time, north, east in zip(
        east_files.TIME, east_files.LATITUDE, east_files.LONGITUDE)]
    (tmp_path / 'a.json').write_text(json.dumps({'type': 'LineString', 'coordinates': line}))
    np.testing.assert_allclose(read_track(tmp_path / 'a.json').time, east_files.TIME)


def test_points_without_a_time_are_left_out_and_a_route_is_named(tmp_path):
    path = tmp_path / 'a.gpx'
    east_files.gpx(path)
    text = path.read_text()
    path.write_text(text.replace('<time>2024-05-01T23:59:05.000Z</time>', ''))
    log = read_track(path)
    assert len(log) == east_files.TIME.size - 1
    assert next(note for note in log.warnings if note.code == 'points_without_time').figures == {'points': 1}
    path.write_text(text.replace('<time>', '<name>').replace('</time>', '</name>'))
    with pytest.raises(InputError, match=r'121 points, none of which has a time.*usv-energy mission'):
        read_track(path)
    path.write_text('<gpx></gpx>')
    with pytest.raises(InputError, match='no point of a track'):
        read_track(path)


@pytest.mark.parametrize('tag', ['rtept', 'wpt'])
def test_routes_and_waypoints_with_times_are_a_track_where_there_is_no_other(tmp_path, tag):
    path = tmp_path / 'a.gpx'
    east_files.gpx(path)
    path.write_text(path.read_text().replace('<trkpt', f'<{tag}').replace('</trkpt', f'</{tag}'))
    np.testing.assert_allclose(read_track(path).x, east_files.TIME, atol=0.01)


@pytest.mark.parametrize(('tag', 'guid', 'degrees', 'what'), [
    ('rtept', '<opencpn:guid>5290d801</opencpn:guid>', '45.60', 'none of which has a time of a boat there'),
    ('rtept', '', '55.60', "whose times are no boat's"), ('trkpt', '', '55.60', "whose times are no boat's")])
def test_a_route_whose_marks_have_times_of_making_is_named(tmp_path, tag, guid, degrees, what):
    path = tmp_path / 'a.gpx'
    path.write_text('<gpx xmlns:opencpn="http://www.opencpn.org">' + ''.join(
        f'<{tag} lat="{place}" lon="9.5"><time>2024-05-01T09:00:0{second}Z</time>{guid}</{tag}>'
        for second, place in enumerate(['45.6001', degrees, '45.6003'])) + '</gpx>')
    with pytest.raises(InputError, match=f'3 points,? {what}.*usv-energy mission'):
        read_track(path)


def test_xml_of_another_kind_and_a_track_with_too_few_times_are_named(tmp_path):
    path = tmp_path / 'a.kml'
    path.write_text('<svg></svg>')
    with pytest.raises(InputError, match="is XML of 'svg'"):
        read_track(path)
    path.write_text('<kml><Track><when>2024-05-01T00:00:00Z</when></Track></kml>')
    with pytest.raises(InputError, match='1 times and 0 places'):
        read_track(path)


def test_a_gpx_that_was_cut_off_gives_its_whole_points(tmp_path):
    points = ''.join(f'<trkpt lat="45.0" lon="{9.0 + 1e-5 * k:.5f}"><time>2024-05-01T09:00:{k:02d}Z</time></trkpt>'
                     for k in range(40))
    path = tmp_path / 'a.gpx'
    path.write_text(f'<?xml version="1.0"?><gpx version="1.1"><trk><trkseg>{points}</trkseg></trk></gpx>'[:-60])
    log = read_track(path)
    assert len(log) == 39 and 'track_cut_off' in {note.code for note in log.warnings}


def test_the_heading_of_a_point_of_geojson_is_one(tmp_path):
    path = tmp_path / 'a.geojson'
    path.write_text(json.dumps({'type': 'FeatureCollection', 'features': [
        {'type': 'Feature', 'properties': {'time': f'2024-05-01T09:00:{k:02d}Z', 'heading': 60},
         'geometry': {'type': 'Point', 'coordinates': [9.0 + 1e-5 * k, 45.0]}} for k in range(40)]}))
    np.testing.assert_allclose(np.degrees(read_track(path).yaw), 30.0)


@pytest.mark.parametrize(('name', 'point', 'mark'), [
    ('a.geojson', '{{"type": "Feature", "properties": {{"time": "{}"}}, "geometry": {{"type": "Point", "coordinates": '
     '[{}, 0.0]}}}}', '\n'),
    ('a.kml', '<Placemark><TimeSpan><begin>{}</begin></TimeSpan><Point><coordinates>{},0.0</coordinates></Point>'
     '</Placemark>', '')])
def test_a_feature_a_line_and_marks_with_spans_of_time_are_tracks(tmp_path, name, point, mark):
    text = mark.join(point.format(f'2024-05-01T12:00:{k:02d}Z', 9.0 + 1e-5 * k) for k in range(30))
    path = tmp_path / name
    path.write_text(f'<kml><Document>{text}</Document></kml>' if name.endswith('kml') else text)
    np.testing.assert_allclose(read_log(path).x, 1.1131949 * np.arange(30.0), atol=1e-4)
    path.write_text('\n' + text.replace('"2024-05-01T12:00:20Z"', '20:"', 1))
    if name.endswith('geojson'):
        with pytest.raises(InputError, match='line 22 is wrong JSON'):
            read_log(path)
