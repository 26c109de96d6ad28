"""GeoJSON as shapes, holes included; each fault is named with its place in the file."""

import json

import pytest

from usv_energy.files.errors import InputError
from usv_energy.missions.land_file import read_geojson

NEEDS = ('shapely',)


def ring(west, south, east, north):
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def polygon(*rings):
    return {'type': 'Polygon', 'coordinates': list(rings)}


def written(folder, geometry, **more):
    path = folder / 'land.geojson'
    path.write_text(json.dumps({'type': 'Feature', 'properties': {}, 'geometry': geometry, **more}))
    return path


def test_holes_lines_points_and_collections(tmp_path):
    found = read_geojson(written(tmp_path, {'type': 'GeometryCollection', 'geometries': [
        polygon(ring(0.0, 0.0, 10.0, 10.0), ring(2.0, 2.0, 4.0, 4.0)),
        {'type': 'Point', 'coordinates': [1.0, 2.0, 9.0]},
        {'type': 'LineString', 'coordinates': [[0.0, 0.0], [3.0, 4.0]]},
        {'type': 'MultiPolygon', 'coordinates': [[ring(20.0, 0.0, 22.0, 2.0)]]}]},
        crs={'type': 'name', 'properties': {'name': 'local'}}))
    assert found.crs == 'local'
    assert [shape.area for shape in found.shapes] == [96.0, 0.0, 0.0, 4.0]
    assert found.shapes[2].length == 5.0


BAD = [
    ({'type': 'Poligon'}, r'\$.geometry.type is "Poligon"; must be one of FeatureCollection'),
    (polygon([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]]), r'coordinates\[0\]: 3 positions; must be at least 4'),
    (polygon([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), 'must end where it begins'),
    (polygon([[0.0, 0.0], [1.0, 'x'], [1.0, 1.0], [0.0, 0.0]]), r'\[0\]\[1\]\[1\] is "x"; must be a finite number'),
    (polygon([[0.0, 0.0], [1.0], [1.0, 1.0], [0.0, 0.0]]), r'\[1\] is \[1.0\]; must be \[longitude, latitude\]'),
]


@pytest.mark.parametrize(('geometry', 'message'), BAD)
def test_bad_files_are_named(tmp_path, geometry, message):
    with pytest.raises(InputError, match=f'land.geojson.*{message}'):
        read_geojson(written(tmp_path, geometry))


def test_a_coordinate_system_that_is_none_is_named(tmp_path):
    with pytest.raises(InputError, match=r'land.geojson: crs is 4326; must be'):
        read_geojson(written(tmp_path, polygon(ring(0, 0, 1, 1)), crs=4326))


def test_a_feature_without_place_holds_nothing(tmp_path):
    assert read_geojson(written(tmp_path, None)).shapes == []
