import json
import zipfile

import pytest
from mission_files import some_mission

from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import itinerary_of, local_track
from usv_energy.missions.mission import LocalPlace
from usv_energy.missions.mission_file import read_mission, write_mission

LINE = '<Placemark><LineString><coordinates>9,45 9.1,45</coordinates></LineString></Placemark>'
KML = f'<kml><Document>{LINE}</Document></kml>'
FILES = {
    'a.gpx': '<gpx><rte><rtept lat="45" lon="9"/><rtept lat="45" lon="9.1"/></rte></gpx>', 'b.kml': KML,
    'c.geojson': '{"type": "LineString", "coordinates": [[9, 45], [9.1, 45]]}',
    'd.waypoints': 'QGC WPL 110\n0 1 0 16 0 0 0 0 0 0 0 1\n1 0 3 16 0 0 0 0 45 9 0 1\n2 0 3 16 0 0 0 0 45 9.1 0 1\n',
    'e.plan': json.dumps({'fileType': 'Plan', 'mission': {'items': [
        {'type': 'SimpleItem', 'command': 16, 'params': [0, 0, 0, 0, 45, east, 0]} for east in (9, 9.1)]}})}


@pytest.mark.parametrize('name', FILES)
@pytest.mark.parametrize('ending', [None, 'dat'])
@pytest.mark.parametrize('mark', ['', '\ufeff'])
def test_the_content_says_the_format(tmp_path, name, ending, mark):
    """7884.7 m: a tenth of a degree of the parallel of 45 degrees north; the geodesic is 0.04 mm less."""
    path = tmp_path / (name if ending is None else f'{name}.{ending}')
    path.write_text(mark + FILES[name], encoding='utf-8')
    done = itinerary_of(read_mission(path))
    assert local_track(done).length.tolist() == pytest.approx([0.0, 7884.68], abs=0.1)


def test_a_kmz(tmp_path):
    with zipfile.ZipFile(tmp_path / 'a.kmz', 'w', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('doc.kml', KML)
    assert len(read_mission(tmp_path / 'a.kmz').items) == 2


def test_utf_16_as_windows_writes_it(tmp_path):
    gpx = f'<?xml version="1.0" encoding="utf-16"?>{FILES["a.gpx"]}'
    for name, text in (('a.gpx', gpx), ('e.plan', FILES['e.plan'])):
        (tmp_path / name).write_text(text, encoding='utf-16')
        assert len(read_mission(tmp_path / name).items) == 2


def test_a_plan_of_windows_with_a_sign_of_xml(tmp_path):
    (tmp_path / 'e.plan').write_text(FILES['e.plan'].replace('Plan"', 'Plan", "name": "<a>"', 1), encoding='utf-16')
    assert len(read_mission(tmp_path / 'e.plan').items) == 2


def test_a_shipped_scenario_by_its_name():
    mission = read_mission('1')
    assert (mission.home, mission.items[-1].place) == (LocalPlace(240.0, 95.0), LocalPlace(270.0, 95.0))


PLAN = json.loads(FILES['e.plan'])
ALTITUDES = {'fileType': 'Plan', 'mission': {'items': [
    {'type': 'SimpleItem', 'command': 16, 'params': [0, 0, 0, None, None, None, 50]}]}}


@pytest.mark.parametrize(('name', 'content', 'says'), [
    ('a.plan', FILES['e.plan'][:-20], 'line 1 is wrong JSON'),
    ('a.plan', json.dumps(ALTITUDES), 'no item has a place to go to'),
    ('a.plan', FILES['e.plan'].replace('45', '145'), r'mission.items\[0\]: the latitude is 145'),
    ('a.plan', FILES['e.plan'] + FILES['e.plan'], 'Extra data'),
    ('a.plan', '{"fileType": "Plan", "geoFence": {}}', 'mission is null; must be a mapping'),
    ('a.plan', '{"geoFence": {}}', "has no key 'mission'; a fence alone is no mission"),
    ('a.mission', '{"MAV_AUTOPILOT": 3, "items": []}', 'is a mission of QGroundControl before 3.2'),
    ('a.json', '{"x": 1}', r'is JSON with \["x"\]; must be a plan of QGroundControl'),
    ('a.json', '[1]', 'is JSON with a list; must be'),
    ('a.waypoints', FILES['d.waypoints'] * 2, 'a second mission begins; must be one, of one vehicle'),
    ('a.waypoints', FILES['d.waypoints'] + '3 0 2 177 1 -1 0 0 0 0 0 1\n', 'jumps to 1 for ever'),
    ('a.gpx', FILES['a.gpx'].replace('</gpx>', FILES['a.gpx'][5:]), 'holds 2 lines: 1 .*; choose one with --part'),
    ('a.svg', '<svg/>', "is a file of 'svg'; must be"),
    ('a.txt', 'hello', "begins with 'hello', which is no mission; must be"),
    ('a.txt', '', 'is empty; must be a plan')])
def test_what_is_wrong_is_named(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=rf'{name}: .*{says}') as caught:
        itinerary_of(read_mission(path))
    assert str(caught.value).count(name) >= 1


def test_no_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(InputError, match=r'nothing\.plan: there is no such file'):
        read_mission(tmp_path / 'nothing.plan')
    with pytest.raises(InputError, match='is a folder; must be a file'):
        read_mission(tmp_path)
    with pytest.raises(InputError, match="no scenario named 'nothing'"):
        read_mission('nothing')


@pytest.mark.parametrize('ending', ['plan', 'waypoints', 'gpx', 'geojson'])
def test_a_hundred_thousand_waypoints_are_refused(tmp_path, ending):
    """MAVLink has numbers for 65 535; in docs/missions.md stands how long that takes."""
    point = {'plan': '{"type": "SimpleItem", "command": 16, "params": [0, 0, 0, 0, 45, 9, 0]}',
             'waypoints': '1\t0\t3\t16\t0\t0\t0\t0\t45\t9\t0\t1\n', 'gpx': '<rtept lat="45" lon="9"/>',
             'geojson': '[9, 45]'}[ending]
    many = (', ' if ending in ('plan', 'geojson') else '').join([point] * 100_000)
    path = tmp_path / f'a.{ending}'
    path.write_text({'plan': f'{{"fileType": "Plan", "mission": {{"items": [{many}]}}}}',
                     'waypoints': f'QGC WPL 110\n{many}', 'gpx': f'<gpx><rte>{many}</rte></gpx>',
                     'geojson': f'{{"type": "LineString", "coordinates": [{many}]}}'}[ending])
    with pytest.raises(InputError, match=r'holds .* items; must be at most 65535'):
        read_mission(path)


@pytest.mark.parametrize('ending', ['plan', 'waypoints'])
def test_what_is_written_is_read_again(tmp_path, ending):
    mission = some_mission(7)
    write_mission(mission, tmp_path / f'a.{ending}')
    assert read_mission(tmp_path / f'a.{ending}').items == mission.items
