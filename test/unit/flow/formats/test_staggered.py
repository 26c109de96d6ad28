"""ROMS and CROCO: velocities on the faces of cells of a turned grid come out to the east and north, in the cells."""

import numpy as np
import pytest
from needs import NEEDS_XARRAY
from netcdf_files import ORIGIN, metres, written

from usv_energy.earth import metres_per_degree
from usv_energy.files.errors import InputError
from usv_energy.flow.readers import open_flow

pytestmark = NEEDS_XARRAY
TURN = np.radians(25.0)
ROWS, COLUMNS, LEVELS = 24, 31, 4
FILL = np.float32(1e37)


def places(row, column):
    """Longitudes and latitudes of rows and columns (0 is the first cell) of a grid of 500 m turned by TURN."""
    along, across = 500.0 * (column - 15.0), 500.0 * (row - 12.0)
    east, north = metres_per_degree(ORIGIN[1])
    return (ORIGIN[0] + (np.cos(TURN) * along - np.sin(TURN) * across) / east,
            ORIGIN[1] + (np.sin(TURN) * along + np.cos(TURN) * across) / north)


def velocity(t, longitude, latitude):
    """Return a velocity to the east and north, m/s, linear in time, s, and place."""
    x, y = metres(longitude, latitude)
    return 0.2 + 2e-5 * x - 1e-5 * y + 1e-6 * t, -0.1 + 3e-5 * y + 2e-6 * t


def along_grid(t, row, column):
    east, north = velocity(t, *places(row, column))
    return np.cos(TURN) * east + np.sin(TURN) * north, np.cos(TURN) * north - np.sin(TURN) * east


def roms(seconds=(0.0, 3600.0), dry=(), angle='radians', mask=True, land=FILL):
    """Return a file as ROMS writes it; the header is that of ROMS history files (ncdump -h), cut to what matters."""
    import xarray
    row, column = np.mgrid[0:ROWS, 0:COLUMNS].astype(float)
    wet = np.ones((ROWS, COLUMNS))
    for at in dry:
        wet[at] = 0.0
    u, v = [], []
    for t in seconds:
        u.append(along_grid(t, row[:, :-1], column[:, :-1] + 0.5)[0])
        v.append(along_grid(t, row[:-1] + 0.5, column[:-1])[1])
    depth = np.linspace(0.4, 1.0, LEVELS)[np.newaxis, :, np.newaxis, np.newaxis]  # only at the surface the whole
    u, v = (np.array(side)[:, np.newaxis] * depth for side in (u, v))
    u[..., wet[:, 1:] * wet[:, :-1] == 0.0] = land
    v[..., wet[1:] * wet[:-1] == 0.0] = land
    rho, lon, lat = ('eta_rho', 'xi_rho'), *places(row, column)
    degrees = {'units': 'degree_east', 'standard_name': 'longitude'}, {'units': 'degree_north',
                                                                       'standard_name': 'latitude'}
    data = xarray.Dataset(
        {'u': (('ocean_time', 's_rho', 'eta_u', 'xi_u'), u.astype('f4'),
               {'long_name': 'u-momentum component', 'units': 'meter second-1', 'time': 'ocean_time',
                'location': 'edge1', 'field': 'u-velocity, scalar, series'}),
         'v': (('ocean_time', 's_rho', 'eta_v', 'xi_v'), v.astype('f4'),
               {'long_name': 'v-momentum component', 'units': 'meter second-1', 'time': 'ocean_time'}),
         'ubar': (('ocean_time', 'eta_u', 'xi_u'), 0.5 * u[:, -1], {
             'long_name': 'vertically integrated u-momentum component', 'units': 'meter second-1'}),
         'vbar': (('ocean_time', 'eta_v', 'xi_v'), 0.5 * v[:, -1], {
             'long_name': 'vertically integrated v-momentum component', 'units': 'meter second-1'}),
         'h': (rho, np.full((ROWS, COLUMNS), 20.0), {'units': 'meter'})},
        coords={'lon_rho': (rho, lon, degrees[0]), 'lat_rho': (rho, lat, degrees[1]),
                's_rho': ('s_rho', np.linspace(-0.875, -0.125, LEVELS), {
                    'valid_min': -1.0, 'valid_max': 0.0, 'positive': 'up', 'standard_name': 'ocean_s_coordinate_g2'}),
                'ocean_time': ('ocean_time', np.array(seconds), {
                    'units': 'seconds since 2006-01-01 00:00:00', 'calendar': 'proleptic_gregorian',
                    'field': 'time, scalar, series'})})
    if mask:
        data['mask_rho'] = rho, wet, {'flag_values': [0.0, 1.0], 'flag_meanings': 'land water'}
    if angle:
        value = TURN if angle == 'radians' else np.degrees(TURN)
        data['angle'] = rho, np.full((ROWS, COLUMNS), value), {'units': angle}
    return data


def inside_points(rng, number=400):
    return places(rng.uniform(1.1, ROWS - 2.1, number), rng.uniform(1.1, COLUMNS - 2.1, number))


def opened(path, **options):
    return open_flow(path, {'origin': list(ORIGIN), **options})


@pytest.mark.parametrize('options', [{}, {'angle': 'degrees'}, {'angle': ''}, {'mask': False}])
def test_a_linear_velocity_comes_out_to_the_east_and_north(tmp_path, rng, options):
    source = opened(written(tmp_path, roms(**options)))
    longitude, latitude = inside_points(rng)
    for t in (0.0, 1000.0, 3600.0):
        vx, vy, inside = source.velocity(t, *metres(longitude, latitude))
        assert inside.all()
        tolerance = 2e-5 if options == {'angle': ''} else 1e-6  # geometry: as exact as the plane is conformal
        np.testing.assert_allclose((vx, vy), velocity(t, longitude, latitude), atol=tolerance)


def test_what_is_taken_is_said(tmp_path):
    told = opened(written(tmp_path, roms())).describe()
    assert (told['medium'], told['variables'], told['grid']) == ('water', ['u', 'v'], 'curvilinear')
    assert (told['level'], told['rows'], told['columns']) == (LEVELS - 1, ROWS - 2, COLUMNS - 2)
    assert told['level_s_rho_no_unit'] == pytest.approx(-0.125)  # the one nearest the surface
    assert told['spacing_m'] == pytest.approx([500.0, 500.0], rel=1e-9)
    assert told['start'] == '2006-01-01T00:00:00+00:00'
    for words in ('not the mean over depth: [ubar, vbar] left out', "by the file's angle", 'on the faces of cells'):
        assert any(words in note for note in told['notes'])


@pytest.mark.parametrize('options', [{}, {'mask': False}, {'land': 0.0}])  # CROCO writes zeros on land
def test_a_dry_cell_is_dry_and_its_neighbours_have_a_wall(tmp_path, options):
    source = opened(written(tmp_path, roms(dry=[(10, 12)], **options)))
    longitude, latitude = places(np.array([10.0, 10.3, 10.0, 10.7]), np.array([12.0, 12.3, 13.0, 12.0]))
    vx, vy, inside = source.velocity(0.0, *metres(longitude, latitude))
    assert inside.tolist() == [False, False, True, True]
    beside = along_grid(0.0, np.array([10.0, 9.5, 10.5]), np.array([13.5, 13.0, 13.0]))
    along, across = 0.5 * beside[0][0], 0.5 * (beside[1][1] + beside[1][2])  # nothing through the western face
    assert vx[2] == pytest.approx(np.cos(TURN) * along - np.sin(TURN) * across, abs=1e-6)
    assert vy[2] == pytest.approx(np.sin(TURN) * along + np.cos(TURN) * across, abs=1e-6)


def test_outside_the_cells_there_is_none(tmp_path):
    source = opened(written(tmp_path, roms()))
    longitude, latitude = places(np.array([0.5, 12.0, 12.0]), np.array([15.0, 0.8, COLUMNS - 1.8]))
    assert not source.velocity(0.0, *metres(longitude, latitude))[2].any()


def test_a_level_by_its_number(tmp_path, rng):
    source = opened(written(tmp_path, roms()), level=0)
    longitude, latitude = inside_points(rng, 20)
    vx, _, _ = source.velocity(0.0, *metres(longitude, latitude))
    np.testing.assert_allclose(vx, 0.4 * velocity(0.0, longitude, latitude)[0], atol=1e-6)
    with pytest.raises(InputError, match='depth is 5'):
        opened(tmp_path / 'flow.nc', depth=5.0)


def test_without_the_places_of_the_cells_it_says_where_these_are(tmp_path):
    path = written(tmp_path, roms().drop_vars(['lon_rho', 'lat_rho']))
    with pytest.raises(InputError, match=r'lacks lon_rho and lat_rho .* ncks -A'):
        opened(path)


def test_eastward_velocities_of_the_same_file_are_preferred(tmp_path, rng):
    data = roms()
    row, column = np.mgrid[0:ROWS, 0:COLUMNS].astype(float)
    east, north = velocity(0.0, *places(row, column))
    dims = ('ocean_time', 's_rho', 'eta_rho', 'xi_rho')
    for name, side in (('u_eastward', east), ('v_northward', north)):
        data[name] = dims, np.broadcast_to(side, (2, LEVELS, ROWS, COLUMNS)).copy(), {'units': 'meter second-1'}
    source = opened(written(tmp_path, data))
    assert source.describe()['variables'] == ['u_eastward', 'v_northward']
    longitude, latitude = inside_points(rng, 50)
    np.testing.assert_allclose(source.velocity(0.0, *metres(longitude, latitude))[:2],
                               velocity(0.0, longitude, latitude), atol=1e-9)
