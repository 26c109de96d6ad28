"""Closed cells block what lies in them, and their sides are those between closed and open."""

from pathlib import Path

import numpy as np
import pytest
from raster_files import write_grid

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.flow.on_earth import PlacedPlane
from usv_energy.missions.land_file import FileMap
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.barriers.cell_barriers import Cells, cell_barriers, depth_barriers, dry_barriers

NEEDS = ('shapely',)
SAME = FileMap(Path('cells'), None, None)
CLOSED = np.array([[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 0]], dtype=bool)
CELLS = Cells(np.array([0.0, 10.0, 20.0, 30.0, 40.0]), np.array([0.0, 5.0, 10.0, 15.0]), CLOSED)


def test_the_sides_of_an_area_of_three_cells():
    edges = CELLS.edges(1)
    assert edges.shape == (8, 2, 2)     # An L of three cells has eight sides, of which two pairs are in one line.
    assert CELLS.edges().shape == (6, 2, 2)
    np.testing.assert_allclose(np.abs(np.diff(CELLS.edges(), axis=1)).sum(), 60.0)
    assert float(np.abs(np.diff(edges, axis=1)).sum()) == 2 * (20.0 + 10.0)  # Its rectangle's perimeter.


def test_places_in_closed_cells_are_blocked_and_around_the_cells_none_is():
    barrier = cell_barriers(CELLS, SAME)
    x, y = np.array([15.0, 25.0, 25.0, -3.0, 500.0]), np.array([12.0, 7.0, 12.0, 7.0, 7.0])
    np.testing.assert_array_equal(barrier.blocked(x, y), [True, True, False, False, False])
    np.testing.assert_allclose(barrier.distance(x, y), [-3.0, -2.0, 2.0, 13.0, 470.0])


def test_a_way_through_a_corner_of_a_cell_is_crossed():
    barrier, one = cell_barriers(CELLS, SAME), np.ones(1)
    assert barrier.crossed(28.0 * one, 4.0 * one, 31.0 * one, 6.0 * one).all()
    assert not barrier.crossed(29.0 * one, 3.0 * one, 32.0 * one, 6.0 * one).any()
    assert cell_barriers(CELLS, SAME, 2.0).crossed(29.0 * one, 3.0 * one, 32.0 * one, 6.0 * one).all()


def test_cells_that_are_all_open_are_open_water():
    assert isinstance(cell_barriers(CELLS._replace(closed=np.zeros((3, 4), bool)), SAME), NoBarriers)


def test_a_closed_cell_at_the_rim_has_all_its_sides():
    """A boat must not come in from outside the cells either."""
    barrier = cell_barriers(CELLS._replace(closed=np.ones((3, 4), bool)), SAME)
    one = np.ones(1)
    assert barrier.crossed(-5.0 * one, 7.0 * one, 45.0 * one, 7.0 * one).all()
    assert float(barrier.distance(-5.0 * one, 7.0 * one)[0]) == 5.0


EXTENT = (0.0, 0.0, 100.0, 50.0)


class River:
    """Water between y = 10 and y = `high(t)`."""

    def __init__(self, high):
        self.high = high

    def velocity(self, t, x, y):
        inside = (y > 10.0) & (y < self.high(t))
        return np.where(inside, 1.0, np.nan), np.where(inside, 0.0, np.nan), inside


def test_a_clearance_from_the_banks():
    barrier = dry_barriers(River(lambda t: 40.0), EXTENT, [0.0], 5.0, spacing=1.0)
    x = np.full(5, 50.0)
    y = np.array([12.0, 14.9, 15.1, 30.0, 36.0])
    np.testing.assert_array_equal(barrier.blocked(x, y), [True, True, False, False, True])
    np.testing.assert_allclose(barrier.distance(x, y), [-3.0, -0.1, 0.1, 5.0, -1.0], atol=1e-9)


def test_the_end_of_the_field_is_kept_off_as_a_bank_is():
    barrier = dry_barriers(River(lambda t: 60.0), EXTENT, [0.0], 5.0, spacing=1.0)
    np.testing.assert_allclose(barrier.distance(np.array([50.0, 97.0, 50.0]), np.array([43.0, 30.0, 50.5])),
                               [2.0, -2.0, -5.5], atol=1e-9)


def test_only_what_is_dry_at_all_times_is_a_barrier():
    """With the tide between 20 and 40 the flat between has water at times."""
    barrier = dry_barriers(River(lambda t: 20.0 + 20.0 * (t > 50.0)), EXTENT, [0.0, 100.0], 0.0, spacing=1.0)
    np.testing.assert_array_equal(barrier.blocked(np.full(2, 50.0), np.array([30.0, 45.0])), [False, True])


def test_a_field_without_end_has_no_dry_place():
    infinite = (-np.inf, -np.inf, np.inf, np.inf)
    assert isinstance(dry_barriers(River(lambda t: 40.0), infinite, [0.0], 5.0), NoBarriers)


def test_a_field_without_water_is_named():
    with pytest.raises(InputError, match='has no water at t = 7 s'):
        dry_barriers(River(lambda t: 0.0), EXTENT, [7.0], 5.0)


# Rows from the south: 3 x 4 cells of 10 m from (100, 200).
DEPTH = np.array([[5.0, 5.0, 5.0, 5.0], [5.0, 0.3, 0.8, 5.0], [5.0, -9999.0, 5.0, 5.0]])


@pytest.fixture
def raster(tmp_path):
    return write_grid(tmp_path / 'depth.asc', DEPTH)


def test_shallow_cells_and_cells_without_value_are_closed(raster):
    x, y = np.array([115.0, 125.0, 115.0, 125.0, 95.0]), np.array([215.0, 215.0, 225.0, 225.0, 215.0])
    for needed, closed in ((0.5, [True, False, True, False, False]), (1.0, [True, True, True, False, False]),
                           (0.1, [False, False, True, False, False])):
        barrier = depth_barriers(raster, 'depth', needed, None, metres=True)
        np.testing.assert_array_equal(barrier.blocked(x, y), closed)


def test_a_rise_of_the_water_opens_cells(raster):
    at = np.array([115.0]), np.array([215.0])
    assert not depth_barriers(raster, 'depth', 0.5, None, metres=True, water_level=0.4).blocked(*at).any()
    assert depth_barriers(raster, 'depth', 0.5, None, metres=True, water_level=0.1).blocked(*at).all()


def test_the_height_of_a_bed_is_upwards(tmp_path):
    bed = write_grid(tmp_path / 'bed.asc', np.where(DEPTH == -9999.0, -9999.0, 400.0 - DEPTH))
    x, y = RNG.uniform(100.0, 140.0, 500), RNG.uniform(200.0, 230.0, 500)
    by_bed = depth_barriers(bed, 'bed', 0.5, None, metres=True, water_level=400.0)
    by_depth = depth_barriers(write_grid(tmp_path / 'depth.asc', DEPTH), 'depth', 0.5, None, metres=True)
    np.testing.assert_array_equal(by_bed.blocked(x, y), by_depth.blocked(x, y))


RNG = np.random.default_rng(5)


def test_a_file_that_is_read_the_wrong_way_round_is_named(tmp_path):
    path = write_grid(tmp_path / 'bed.asc', np.full((3, 4), -20.0))
    with pytest.raises(InputError, match=r'no cell is 0.5 m deep; read as --depth, its values are -20 to -20 m'):
        depth_barriers(path, 'depth', 0.5, None, metres=True)


def netcdf(folder, **attributes):
    xarray = pytest.importorskip('xarray')
    longitude, latitude = np.array([179.95, 180.05, 180.15]), np.array([-17.05, -16.95])
    store = xarray.Dataset({'elevation': (('lat', 'lon'), [[-5.0, 3.0, -5.0], [-5.0, -5.0, -5.0]], attributes)}, {
        'lon': ('lon', longitude, {'units': 'degrees_east'}), 'lat': ('lat', latitude, {'units': 'degrees_north'})})
    store.to_netcdf(folder / 'bed.nc')
    return folder / 'bed.nc'


def test_a_grid_of_degrees_over_the_dateline(tmp_path):
    frame = PlacedPlane(Place(-17.0, -180.0))
    path = netcdf(tmp_path, units='m', standard_name='height_above_mean_sea_level')
    barrier = depth_barriers(path, 'bed', 0.5, frame)
    x, y = frame.to_local(np.full(3, -17.05), np.array([179.95, -179.95, -179.85]))
    np.testing.assert_array_equal(barrier.blocked(x, y), [False, True, False])
    side = frame.to_local(np.array([-17.05]), np.array([-179.9]))[0]
    # The island's eastern side is at 180.1 degrees; its meridian leans by 5e-4 rad there.
    np.testing.assert_allclose(barrier.distance(x[2:], y[2:]), x[2] - side, rtol=1e-5)


def test_a_standard_name_that_says_otherwise_is_named(tmp_path):
    path = netcdf(tmp_path, units='m', standard_name='height_above_mean_sea_level')
    with pytest.raises(InputError, match='elevation is height_above_mean_sea_level; give the file as --bed'):
        depth_barriers(path, 'depth', 0.5, PlacedPlane(Place(-17.0, 180.0)))


def test_a_unit_that_is_no_length_is_named(tmp_path):
    with pytest.raises(InputError, match='elevation is in fathom; must be in m'):
        depth_barriers(netcdf(tmp_path, units='fathom'), 'bed', 0.5, PlacedPlane(Place(-17.0, 180.0)))


def test_a_geotiff_in_degrees(tmp_path):
    rasterio = pytest.importorskip('rasterio')
    from rasterio.transform import from_origin
    frame = PlacedPlane(Place(46.2, 6.15))
    with rasterio.open(tmp_path / 'd.tif', 'w', driver='GTiff', width=4, height=3, count=1, dtype='float64',
                       nodata=-1.0, crs='EPSG:4326', transform=from_origin(6.14, 46.215, 0.005, 0.005)) as file:
        file.write(np.where(DEPTH < 0.0, -1.0, DEPTH)[::-1], 1)
    barrier = depth_barriers(tmp_path / 'd.tif', 'depth', 0.5, frame)
    x, y = frame.to_local(np.array([46.2075, 46.2075, 46.2125]), np.array([6.1475, 6.1525, 6.1475]))
    np.testing.assert_array_equal(barrier.blocked(x, y), [True, False, True])


def test_what_is_no_raster_is_named(tmp_path):
    (tmp_path / 'x.txt').write_text('hello')
    with pytest.raises(InputError, match='is no raster that is read here'):
        depth_barriers(tmp_path / 'x.txt', 'depth', 0.5, None)
    with pytest.raises(InputError, match='there is no such file'):
        depth_barriers(tmp_path / 'y.tif', 'depth', 0.5, None)


def test_a_raster_without_projection_needs_a_word(raster):
    with pytest.raises(InputError, match='does not say in which coordinates it is'):
        depth_barriers(raster, 'depth', 0.5, None)
