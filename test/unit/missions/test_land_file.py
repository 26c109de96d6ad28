"""Land of files lies where it should, on both sides of the dateline; what is wrong in a file is named."""

import json
import struct

import numpy as np
import pytest

from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.flow.on_earth import PlacedPlane
from usv_energy.missions.land_file import read_land

NEEDS = ('shapely',)
ORIGIN = Place(46.2, 6.15)
FRAME = LocalPlane(ORIGIN)
LOCAL = {'type': 'name', 'properties': {'name': 'local'}}


def ring(west, south, east, north):
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def polygon(*rings):
    return {'type': 'Polygon', 'coordinates': list(rings)}


def written(folder, geometry, name='land.geojson', **more):
    path = folder / name
    path.write_text(json.dumps({'type': 'Feature', 'properties': {}, 'geometry': geometry, **more}))
    return path


def bounds(shapes):
    import shapely
    return shapely.total_bounds(np.array(shapes))


def test_a_square_of_degrees_lies_in_the_metres_of_the_mission(tmp_path):
    shapes = read_land(written(tmp_path, polygon(ring(6.15, 46.2, 6.16, 46.21))), FRAME)
    east, north = FRAME.to_local(np.array([46.2, 46.2, 46.21]), np.array([6.15, 6.16, 6.15]))
    assert bounds(shapes)[:2] == pytest.approx([0.0, 0.0], abs=0.5)  # The far corners lie nearer to the meridian.
    assert bounds(shapes)[2] == pytest.approx(east[1], abs=0.5)
    assert bounds(shapes)[3] == pytest.approx(north[2], abs=0.5)


def test_the_worlds_metres_where_the_file_or_the_user_says_so(tmp_path):
    square = polygon(ring(100.0, 50.0, 130.0, 80.0))
    for path, metres in ((written(tmp_path, square, crs=LOCAL), False), (written(tmp_path, square, 'b.json'), True)):
        np.testing.assert_array_equal(bounds(read_land(path, None, metres)), [100.0, 50.0, 130.0, 80.0])


def test_land_on_both_sides_of_the_dateline_is_one_coast(tmp_path):
    frame = PlacedPlane(Place(-17.0, 180.0))
    cut = {'type': 'MultiPolygon', 'coordinates': [[ring(179.9, -17.1, 180.0, -16.9)],
                                                   [ring(-180.0, -17.1, -179.8, -16.9)]]}
    going_on = polygon(ring(179.9, -17.1, 180.2, -16.9))
    degree = 10.0 * frame.to_local(np.array([-16.9]), np.array([-179.9]))[0][0]  # Of the side nearer to the equator.
    for geometry in (cut, going_on):
        found = bounds(read_land(written(tmp_path, geometry), frame))
        np.testing.assert_allclose(found[[0, 2]], [-0.1 * degree, 0.2 * degree], rtol=1e-6)


def test_an_area_that_jumps_over_the_dateline_is_named(tmp_path):
    path = written(tmp_path, polygon([[179.9, -17.1], [-179.8, -17.1], [-179.8, -16.9], [179.9, -16.9],
                                      [179.9, -17.1]]))
    with pytest.raises(InputError, match=r'land.geojson: an edge goes from longitude 179.9 to -179.8, over the date'):
        read_land(path, PlacedPlane(Place(-17.0, 180.0)))


def test_only_what_lies_in_the_region_counts(tmp_path):
    path = written(tmp_path, polygon(ring(-179.0, -89.0, 179.0, 89.0)))
    found = bounds(read_land(path, FRAME, region=(-5000.0, -5000.0, 5000.0, 5000.0)))
    assert (np.abs(found) >= 5000.0).all()
    assert (np.abs(found) < 7000.0).all()


def test_a_shapefile_by_its_projection(tmp_path):
    geopandas, shapely = pytest.importorskip('geopandas'), pytest.importorskip('shapely')
    table = geopandas.GeoSeries([shapely.box(6.15, 46.2, 6.16, 46.21)], crs='EPSG:4326')
    expected = bounds(read_land(written(tmp_path, polygon(ring(6.15, 46.2, 6.16, 46.21))), FRAME))
    for crs in ('EPSG:4326', 'EPSG:2056'):
        table.to_crs(crs).to_file(tmp_path / 'land.shp')
        np.testing.assert_allclose(bounds(read_land(tmp_path / 'land.shp', FRAME)), expected, atol=0.5)
    (tmp_path / 'land.prj').unlink()
    with pytest.raises(InputError, match='does not say in which coordinates it is'):
        read_land(tmp_path / 'land.shp', FRAME)


def test_files_that_are_none(tmp_path):
    with pytest.raises(InputError, match='there is no such file'):
        read_land(tmp_path / 'no.geojson', FRAME)
    with pytest.raises(InputError, match=r"ends with '.dwg'; must be one of .geojson"):
        (tmp_path / 'a.dwg').write_text('')
        read_land(tmp_path / 'a.dwg', FRAME)
    (tmp_path / 'a.json').write_text('{"type": ')
    with pytest.raises(InputError, match=r'a.json: line 1 is wrong JSON'):
        read_land(tmp_path / 'a.json', FRAME)
    (tmp_path / 'a.shp').write_text('nothing')
    with pytest.raises(InputError, match=r'a.shp: cannot be read'):
        read_land(tmp_path / 'a.shp', FRAME)


def test_a_file_of_nothing_is_named(tmp_path):
    with pytest.raises(InputError, match='holds no area, line or point'):
        read_land(written(tmp_path, None), FRAME)


def test_degrees_without_a_place_on_the_earth_are_refused(tmp_path):
    with pytest.raises(InputError, match=r'nobody says where on the Earth.*--origin'):
        read_land(written(tmp_path, polygon(ring(6.15, 46.2, 6.16, 46.21))), None)


@pytest.mark.parametrize(('parts', 'corners', 'words'), [
    (1, 5, 'holds a shape that is none'), (2**31 - 1, 2**31 - 1, '1 of 1 shape cannot be read: the file is damaged'),
    (-1, -5, '1 of 1 shape cannot be read')])
def test_a_ring_that_is_open_or_damaged_is_refused(tmp_path, parts, corners, words):
    pytest.importorskip('pyogrio')
    ring_of_five = struct.pack('<i4d2i', 5, 9, 45, 10, 46, parts, corners) + bytes(4) + struct.pack(
        '<10d', 9, 45, 9.1, 45, 9.1, 45.1, 9, 45.1, 9, 45.05)
    head = struct.pack('<2i', 1000, 5) + struct.pack('<8d', 9, 45, 10, 46, 0, 0, 0, 0)
    size = len(ring_of_five) // 2
    (tmp_path / 'a.shp').write_bytes(struct.pack('>7i', 9994, 0, 0, 0, 0, 0, 54 + size) + head
                                     + struct.pack('>2i', 1, size) + ring_of_five)
    (tmp_path / 'a.shx').write_bytes(struct.pack('>7i', 9994, 0, 0, 0, 0, 0, 54) + head + struct.pack('>2i', 50, size))
    with pytest.raises(InputError, match=words):
        read_land(tmp_path / 'a.shp', FRAME)


def test_a_ring_that_crosses_itself_is_repaired_and_a_comb_of_crossings_is_refused(tmp_path):
    bow = polygon([[6.15, 46.2], [6.16, 46.21], [6.16, 46.2], [6.15, 46.21], [6.15, 46.2]])
    found = read_land(written(tmp_path, bow), FRAME)
    half = read_land(written(tmp_path, polygon(ring(6.15, 46.2, 6.16, 46.21))), FRAME)
    assert sum(one.area for one in found) == pytest.approx(0.5 * sum(one.area for one in half), rel=1e-3)
    comb = [[6.1 + 0.1 * (number % 2), 46.2 + number * 7919 % 1000 / 1e4] for number in range(1000)]
    with pytest.raises(InputError, match='so many of its 1000 edges cross'):
        read_land(written(tmp_path, polygon([*comb, comb[0]])), FRAME)


def test_edges_of_several_shapes_may_cross_so_often_as_coasts_do(tmp_path):
    """A comb of 40 teeth across one that is turned: each of 80 sides crosses 80. 80 teeth are too many."""
    def combs(teeth):
        corners = [(-1, -1), *((0.1 * side, tooth / teeth + 0.4 * (side > 1) / teeth) for tooth in range(teeth)
                               for side in (0, 10, 10, 0)), (-1, 2), (-1, -1)]
        return [[[6.15 + 0.01 * x, 46.2 + 0.01 * y] for x, y in one] for one in
                (corners, [(y, x) for x, y in corners])]
    whole = {'type': 'MultiPolygon', 'coordinates': [[one] for one in combs(40)]}
    found = read_land(written(tmp_path, whole), FRAME)
    assert len(found) >= 1
    whole['coordinates'] = [[one] for one in combs(80)]
    with pytest.raises(InputError, match='so many of its 644 edges cross'):
        read_land(written(tmp_path, whole), FRAME)


def test_rings_within_rings_are_no_coast(tmp_path):
    """Their repair takes the time of the square of their number: five seconds for 2500."""
    def rings(number):
        return polygon(*(ring(6.15 - side, 46.2 - side, 6.15 + side, 46.2 + side)
                         for side in 0.01 * (1.0 - np.arange(number) / number)))
    assert len(read_land(written(tmp_path, rings(10)), FRAME)) == 1
    with pytest.raises(InputError, match='so many of its 1500 rings lie within one another'):
        read_land(written(tmp_path, rings(1500)), FRAME)


def test_a_table_without_a_layer_or_a_shape_is_refused(tmp_path):
    pytest.importorskip('pyogrio')
    (tmp_path / 'a.fgb').write_bytes(b'fgb\x03fgb\x00' + b'\xff' * 500)
    with pytest.raises(InputError, match=r'a\.fgb: cannot be read: it has no layer of shapes'):
        read_land(tmp_path / 'a.fgb', FRAME)
    (tmp_path / 'a.gml').write_text(
        '<o:FeatureCollection xmlns:o="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">'
        '<gml:featureMember><o:l><o:n>1</o:n></o:l></gml:featureMember></o:FeatureCollection>')
    with pytest.raises(InputError, match=r'a\.gml: holds no area, line or point'):
        read_land(tmp_path / 'a.gml', FRAME)
