"""Where nodes lie: across the date line, around the Earth, near the poles, on curves; wrong places are refused."""

import numpy as np
import pytest
from needs import NEEDS_XARRAY
from netcdf_files import LATITUDE, ORIGIN, TIME, X, Y, dataset, metres, u_of, written

from usv_energy.earth import metres_per_degree
from usv_energy.files.errors import InputError
from usv_energy.flow.readers import open_flow

pytestmark = NEEDS_XARRAY
EAST_OF_FIJI = np.array([178.0, 178.5, 179.0, 179.5, 180.0, 180.5, 181.0])


def eastward(longitude, latitude=(-18.0, -17.5, -17.0)):
    """Return a file: m/s to the east, a tenth of the degrees east of 178; to the north, the latitude + 17."""
    east, north = np.meshgrid(0.1 * ((longitude - 178.0) % 360.0), np.asarray(latitude) + 17.0)
    import xarray
    return xarray.Dataset({name: (('lat', 'lon'), side, {'units': 'm/s'}) for name, side in
                           (('uo', east), ('vo', north))},
                          coords={'lat': ('lat', np.asarray(latitude), Y), 'lon': ('lon', longitude, X)})


@pytest.mark.parametrize('longitude', [
    EAST_OF_FIJI, (EAST_OF_FIJI + 180.0) % 360.0 - 180.0, np.sort((EAST_OF_FIJI + 180.0) % 360.0 - 180.0),
    EAST_OF_FIJI[::-1], EAST_OF_FIJI - 360.0])
@pytest.mark.parametrize('origin', [180.0, -180.0, 179.0, -179.2, None])
def test_the_date_line_makes_no_difference(tmp_path, longitude, origin):
    options = {} if origin is None else {'origin': [origin, -17.5]}
    source = open_flow(written(tmp_path, eastward(longitude)), options)
    told = source.describe()
    width, height = metres_per_degree(told['origin_latitude_deg'])
    where = np.array([178.1, 179.7, 180.0, 180.2, 180.9])
    x = ((where - told['origin_longitude_deg'] + 180.0) % 360.0 - 180.0) * width
    vx, vy, inside = source.velocity(0.0, x, np.full(5, 0.2 * height))
    assert inside.all()
    np.testing.assert_allclose(vx, 0.1 * (where - 178.0), atol=1e-9)
    np.testing.assert_allclose(vy, told['origin_latitude_deg'] + 17.2, atol=1e-9)
    assert source.extent[2] - source.extent[0] == pytest.approx(3.0 * width)


@pytest.mark.parametrize('first', [0.0, -180.0, -179.5])
@pytest.mark.parametrize('origin', [0.3, 179.9, -120.0])
def test_a_field_around_the_earth_is_whole_about_any_origin(tmp_path, first, origin):
    source = open_flow(written(tmp_path, eastward(first + 0.5 * np.arange(720))), {'origin': [origin, -17.5]})
    off = np.array([-20.0, -0.6, 0.0, 0.1, 35.0])
    vx, _, inside = source.velocity(0.0, off * metres_per_degree(-17.5)[0], np.zeros(5))
    assert inside.all()
    where = (origin + off - 178.0) % 360.0
    smooth = where < 359.0  # at 178 degrees the values themselves jump
    np.testing.assert_allclose(vx[smooth], 0.1 * where[smooth], atol=1e-8)


def test_0_and_360_degrees_are_one_column(tmp_path):
    source = open_flow(written(tmp_path, eastward(np.arange(0.0, 360.5, 0.5))), {'origin': [10.0, -17.5]})
    assert source.describe()['columns'] == 720


def test_an_origin_that_is_elsewhere_is_refused(tmp_path):
    with pytest.raises(InputError, match=r'origin is \[0.0, -17.5\], 178 degrees of longitude .*must be at most 60'):
        open_flow(written(tmp_path, eastward(EAST_OF_FIJI)), {'origin': [0.0, -17.5]})


def test_poles(tmp_path):
    path = written(tmp_path, eastward(EAST_OF_FIJI, np.arange(80.0, 90.5, 1.0)))
    source = open_flow(path, {'origin': [179.0, 81.0]})
    told = source.describe()
    assert told['rows'] == 6 and any('beyond 85 degrees of latitude is left out' in note for note in told['notes'])
    height = metres_per_degree(81.0)[1]
    assert source.velocity(0.0, np.zeros(2), height * np.array([3.9, 4.1]))[2].tolist() == [True, False]
    with pytest.raises(InputError, match='near a pole, where a plane of metres east and north is none'):
        open_flow(path, {'origin': [179.0, 88.0]})
    with pytest.raises(InputError, match='lies beyond 85 degrees of latitude: near a pole'):
        open_flow(written(tmp_path, eastward(EAST_OF_FIJI, np.arange(-90.0, -86.5, 0.5)), name='pole.nc'))


def curved(turn_deg=0.0, names=('uo', 'vo'), standard=True, lost=(), shift=0.0):
    """Return a file on a curvilinear grid as NEMO writes it: nav_lon, nav_lat on y and x, which have no coordinates."""
    row, column = np.mgrid[0:20, 0:26].astype(float)
    turn = np.radians(turn_deg)
    along, across = 900.0 * (column - 12.5), 1100.0 * (row - 9.5)
    width, height = metres_per_degree(ORIGIN[1])
    longitude = ORIGIN[0] + (np.cos(turn) * along - np.sin(turn) * across + 0.02 * across) / width
    latitude = ORIGIN[1] + (np.sin(turn) * along + np.cos(turn) * across) / height
    east = np.array([0.3 + 0.5 * (longitude + 4.5) - 0.7 * (latitude - 48.3) + 1e-5 * t for t in (0.0, 3600.0)])
    north = -2.0 * east
    if not standard:
        east, north = (np.cos(turn) * east + np.sin(turn) * north, np.cos(turn) * north - np.sin(turn) * east)
    kinds = ('eastward_sea_water_velocity', 'northward_sea_water_velocity') if standard else \
        ('sea_water_x_velocity', 'sea_water_y_velocity')
    for at in lost:
        longitude[at], latitude[at] = 0.0, 0.0
    import xarray
    return xarray.Dataset(
        {name: (('time_counter', 'y', 'x'), side, {'units': 'm/s', 'standard_name': kind})
         for name, side, kind in zip(names, (east, north), kinds)},
        coords={'nav_lon': (('y', 'x'), longitude + shift, X), 'nav_lat': (('y', 'x'), latitude, Y),
                'time_counter': ('time_counter', [0.0, 1.0], TIME)})


def linear(t, longitude, latitude):
    return 0.3 + 0.5 * (longitude + 4.5) - 0.7 * (latitude - 48.3) + 1e-5 * t


@pytest.mark.parametrize('options', [{}, {'turn_deg': 40.0}, {'turn_deg': 40.0, 'standard': False}, {'shift': 360.0},
                                     {'turn_deg': -130.0, 'standard': False}])
def test_a_curvilinear_grid(tmp_path, rng, options):
    source = open_flow(written(tmp_path, curved(**options)), {'origin': list(ORIGIN)})
    longitude, latitude = rng.uniform(-4.55, -4.45, 300), rng.uniform(48.27, 48.33, 300)
    tolerance = 0.012 if options.get('standard') is False else 1e-9  # its columns are 0.02 rad from square to rows
    for t in (0.0, 1800.0):
        vx, vy, inside = source.velocity(t, *metres(longitude, latitude))
        assert inside.all()
        np.testing.assert_allclose(vx, linear(t, longitude, latitude), atol=tolerance)
        np.testing.assert_allclose(vy, -2.0 * linear(t, longitude, latitude), atol=tolerance)
    assert source.describe()['grid'] == 'curvilinear'


def test_times_on_a_dimension_of_another_name_as_wrf_writes_them(tmp_path, rng):
    data = curved(names=('U10', 'V10'), standard=False).rename(
        time_counter='Time', y='south_north', x='west_east', nav_lon='XLONG', nav_lat='XLAT').drop_vars('Time')
    data = data.assign_coords(XTIME=('Time', [0.0, 60.0], {'units': 'minutes since 2024-05-01 06:00:00'}))
    for name in ('XLONG', 'XLAT'):
        data[name] = data[name].expand_dims(Time=2)
    for name in ('U10', 'V10'):
        data[name].attrs = {'units': 'm s-1', 'description': f'{name[0]} at 10 M'}
    source = open_flow(written(tmp_path, data), {'origin': list(ORIGIN)})
    assert source.times.tolist() == [0.0, 3600.0] and source.height == 10.0
    longitude, latitude = rng.uniform(-4.55, -4.45, 30), rng.uniform(48.27, 48.33, 30)
    np.testing.assert_allclose(source.velocity(1800.0, *metres(longitude, latitude))[0],
                               linear(1800.0, longitude, latitude), atol=0.012)


def test_nodes_without_a_place_are_left_out(tmp_path):
    """NEMO writes longitude and latitude 0 where a whole part of the domain is land; NaN and 1e20 are seen, too."""
    data = curved()
    data['nav_lon'].values[2:5, 3:6] = np.nan
    data['nav_lat'].values[10, 10] = 1e20
    source = open_flow(written(tmp_path, data), {'origin': list(ORIGIN)})
    x = 900.0 * (np.array([4.0, 10.0, 15.0]) - 12.5) + 0.02 * 1100.0 * (np.array([3.0, 10.0, 15.0]) - 9.5)
    y = 1100.0 * (np.array([3.0, 10.0, 15.0]) - 9.5)
    assert source.velocity(0.0, x, y)[2].tolist() == [False, False, True]


def test_a_grid_without_places_is_refused(tmp_path):
    with pytest.raises(InputError, match='no longitudes and latitudes on two of these'):
        open_flow(written(tmp_path, curved().drop_vars(['nav_lon', 'nav_lat'])))
    mesh = dataset().stack(node=('lat', 'lon')).reset_index('node', drop=True)  # as FVCOM and SCHISM: one dimension
    with pytest.raises(InputError, match='Unstructured grids need the nodes of their faces'):
        open_flow(written(tmp_path, mesh, name='mesh.nc'), {'select': {'node': 0}})
    empty = curved()
    empty['nav_lat'].values[:] = np.nan
    with pytest.raises(InputError, match='has no longitudes'):
        open_flow(written(tmp_path, empty, name='empty.nc'))


def test_projected_curves_in_kilometres(tmp_path):
    data = curved().rename(nav_lon='x_rho', nav_lat='y_rho')
    row, column = np.mgrid[0:20, 0:26].astype(float)
    kilometres = {'units': 'km'}
    data = data.assign_coords(
        x_rho=(('y', 'x'), column + 0.1 * row, {**kilometres, 'standard_name': 'projection_x_coordinate'}),
        y_rho=(('y', 'x'), row, {**kilometres, 'standard_name': 'projection_y_coordinate'}))
    source = open_flow(written(tmp_path, data))
    assert source.extent == (0.0, 0.0, 26_900.0, 19_000.0)
    assert source.velocity(0.0, np.array([5200.0]), np.array([2000.0]))[0][0] == pytest.approx(
        float(data['uo'][0, 2, 5]))
    with pytest.raises(InputError, match='origin goes with longitude'):
        open_flow(tmp_path / 'flow.nc', {'origin': [0.0, 0.0]})


def test_rectilinear_axes_are_read_as_before(tmp_path, rng):
    source = open_flow(written(tmp_path, dataset(latitude=LATITUDE[::-1])), {'origin': list(ORIGIN)})
    longitude, latitude = rng.uniform(-4.59, -4.41, 50), rng.uniform(48.21, 48.39, 50)
    np.testing.assert_allclose(source.velocity(0.0, *metres(longitude, latitude))[0], u_of(0.0, longitude, latitude),
                               atol=1e-9)


def unstructured(mesh, cells='nele'):
    """Return a current on seven triangles; `mesh`: as UGRID has it."""
    import xarray
    own = {'mesh': 'Mesh2D', 'location': 'face'} if mesh else {}
    sides = {name: (('time', cells), np.full((2, 7), 0.3), {'units': 'm/s', **own}) for name in ('uo', 'vo')}
    places = {'lonc': (cells, np.linspace(9.0, 9.1, 7), X), 'latc': (cells, np.linspace(45.0, 45.1, 7), Y)}
    more = {'Mesh2D': ((), 0, {'cf_role': 'mesh_topology', 'topology_dimension': 2})} if mesh else {}
    return xarray.Dataset({**sides, **more}, {'time': ('time', [0.0, 1.0], TIME), **places})


@pytest.mark.parametrize(('mesh', 'cells', 'named'), [
    (True, 'faces', r"UGRID, mesh 'Mesh2D'\) along the dimension 'faces' of 7"),
    (False, 'nele', r"FVCOM\) along the dimension 'nele' of 7"),
    (False, 'station', r"each of its places stands by itself\) along the dimension 'station' of 7")])
def test_an_unstructured_grid_is_refused_by_its_name(tmp_path, mesh, cells, named):
    with pytest.raises(InputError,
                       match=f'uo lies on an unstructured grid \\({named}; the nodes of its faces are not in the file'):
        open_flow(written(tmp_path, unstructured(mesh, cells)))
