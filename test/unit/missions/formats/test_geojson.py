import json

import pytest
from mission_files import HOME, some_waypoints

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.documents import mission_of_map
from usv_energy.missions.formats.geojson import geojson_content, geojson_text
from usv_energy.missions.itinerary import Itinerary, Waypoint, itinerary_of
from usv_energy.missions.mission import LocalPlace


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a document."""
    return lambda document: geojson_content(document, tmp_path / 'a.geojson')


def geometry(kind, coordinates):
    return {'type': kind, 'coordinates': coordinates}


def feature(kind, coordinates, **properties):
    return {'type': 'Feature', 'geometry': geometry(kind, coordinates), 'properties': properties}


def lines(found):
    return [(line.kind, line.name, [tuple(point.place) for point in line.points]) for line in found.lines]


@pytest.mark.parametrize(('kind', 'coordinates', 'found'), [
    ('LineString', [[9, 45], [9.1, 45.1, 7]], ('line', 'n', [(45.0, 9.0), (45.1, 9.1)])),
    ('MultiLineString', [[[9, 45]], [[9.1, 45.1]]], ('line', 'n', [(45.0, 9.0), (45.1, 9.1)])),
    ('Polygon', [[[9, 45], [9, 46], [9, 45]], [[1, 1]]], ('ring', 'n', [(45.0, 9.0), (46.0, 9.0), (45.0, 9.0)]))])
def test_longitudes_come_first(read, kind, coordinates, found):
    made = read(feature(kind, coordinates, name='n'))
    assert lines(made) == [found]
    assert [len(line.holes) for line in made.lines] == [1 if kind == 'Polygon' else 0]


def test_collections_in_collections(read):
    inner = {'type': 'GeometryCollection', 'geometries': [geometry('LineString', [[9, 45]]),
                                                          geometry('MultiPolygon', [[[[9, 45]]], [[[8, 45]]]])]}
    found = read({'type': 'FeatureCollection', 'features': [
        {'type': 'Feature', 'geometry': inner, 'properties': None}, {'type': 'Feature', 'geometry': None},
        feature('MultiPoint', [[1, 2], [3, 4]], name='n')]})
    assert len(found.lines) == 3
    assert list(found.remarks) == []
    assert [(tuple(point.place), point.name) for point in found.points] == [((2.0, 1.0), 'n'), ((4.0, 3.0), 'n')]


@pytest.mark.parametrize(('document', 'says'), [
    ({'type': 'Topology'}, r'\$.type is "Topology"; must be one of FeatureCollection, Feature'),
    ([], r'\$ is \[\]; must be a mapping'),
    ({'type': 'FeatureCollection'}, r'\$.features is null; must be a list'),
    (geometry('LineString', [[9]]), r'\$.coordinates\[0\] is \[9\]; must be \[longitude, latitude\]'),
    (geometry('LineString', [[9, 95]]), r'\$.coordinates\[0\]: the latitude is 95'),
    (geometry('Point', [9, '45']), r'\$.coordinates\[0\] is "45"; must be a finite number'),
    (geometry('Polygon', 3), r'\$.coordinates is 3; must be a list')])
def test_what_is_wrong_is_named(read, document, says):
    with pytest.raises(InputError, match=rf'a\.geojson: {says}'):
        read(document)


def test_collections_without_end_are_refused(read):
    document = {'type': 'LineString', 'coordinates': []}
    for _ in range(200):
        document = {'type': 'GeometryCollection', 'geometries': [document]}
    with pytest.raises(InputError, match='must be one of'):
        read(document)


@pytest.mark.parametrize('seed', range(30))
def test_what_is_written_is_read_again(tmp_path, seed):
    waypoints, path = some_waypoints(seed), tmp_path / 'a.geojson'
    text = geojson_text(Itinerary('n', HOME, True, waypoints, speed=1.25))
    again = itinerary_of(mission_of_map(geojson_content(json.loads(text), path), path))
    assert (again.start, again.has_home, again.speed) == (HOME, True, 1.25)
    assert [waypoint.heading for waypoint in again.waypoints] == pytest.approx(
        [waypoint.heading for waypoint in waypoints], abs=1e-12)
    assert [waypoint._replace(heading=None, item=0) for waypoint in again.waypoints] == [
        waypoint._replace(heading=None, item=0) for waypoint in waypoints]


def test_a_mission_of_one_place_is_a_point():
    text = json.loads(geojson_text(Itinerary('n', HOME, True, (Waypoint(Place(45.0, 9.0), 1),))))
    assert text['features'][0]['geometry'] == {'type': 'Point', 'coordinates': [9.0, 45.0]}


def test_local_metres_are_refused():
    with pytest.raises(InputError, match='local metres'):
        geojson_text(Itinerary('m', LocalPlace(0.0, 0.0), False, (Waypoint(LocalPlace(1.0, 2.0), 1),)))
