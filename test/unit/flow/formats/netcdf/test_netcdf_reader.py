"""CF netCDF and zarr: what is read is what was written, in m, s and m/s; what is not said is asked for, not guessed."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.formats.netcdf import cf
from usv_energy.flow.geodesy import metres_per_degree
from usv_energy.flow.readers import open_flow, recognise
from usv_energy.flow.samples.sample_files import write_bay

xarray = pytest.importorskip('xarray', reason='netCDF is read with xarray')

LONGITUDE, LATITUDE = np.linspace(-4.6, -4.4, 5), np.linspace(48.2, 48.4, 6)
ORIGIN = (-4.5, 48.3)
TIME = {'units': 'hours since 2024-05-01 06:00:00', 'standard_name': 'time'}
X = {'units': 'degrees_east', 'standard_name': 'longitude'}
Y = {'units': 'degrees_north', 'standard_name': 'latitude'}


def u_of(t, x, y):
    """Return a velocity that is linear in each of time, s, and place, degrees: a grid reproduces it exactly."""
    return 0.3 + 1e-5 * t + 0.5 * (x + 4.5) - 0.7 * (y - 48.3) + 2.0 * (x + 4.5) * (y - 48.3)


def dataset(longitude=LONGITUDE, latitude=LATITUDE, hours=(0.0, 1.0, 3.0), units='m s-1', names=('uo', 'vo'), **time):
    hours = np.array(hours)
    t, y, x = np.meshgrid(3600.0 * hours, latitude, (longitude + 180.0) % 360.0 - 180.0, indexing='ij')
    east = u_of(t, x, y)
    attributes = {} if units is None else {'units': units}
    return xarray.Dataset(
        {name: (('time', 'lat', 'lon'), factor * east, attributes) for name, factor in zip(names, (1.0, -2.0))},
        coords={'time': ('time', hours, {**TIME, **time}), 'lat': ('lat', latitude, Y), 'lon': ('lon', longitude, X)})


def written(tmp_path, data, name='flow.nc', **options):
    path = tmp_path / name
    data.to_netcdf(path, **options)
    return path


def metres(longitude, latitude):
    east, north = metres_per_degree(ORIGIN[1])
    return (np.asarray(longitude) - ORIGIN[0]) * east, (np.asarray(latitude) - ORIGIN[1]) * north


def assert_linear(source, rng, times=(0.0, 1800.0, 7000.0, 10800.0), scale=1.0):
    longitude, latitude = rng.uniform(-4.59, -4.41, 200), rng.uniform(48.21, 48.39, 200)
    for t in times:
        vx, vy, inside = source.velocity(t, *metres(longitude, latitude))
        assert inside.all()
        np.testing.assert_allclose(vx, scale * u_of(t, longitude, latitude), atol=1e-9)
        np.testing.assert_allclose(vy, -2.0 * vx, atol=1e-9)


def opened(path, **options):
    return open_flow(Path(path), {'origin': list(ORIGIN), **options})


# ---- what is there comes back -------------------------------------------------------------------


@pytest.mark.parametrize('form', ['NETCDF4', 'NETCDF3_CLASSIC', 'NETCDF3_64BIT'])
def test_a_linear_field_is_reproduced(tmp_path, rng, form):
    pytest.importorskip('netCDF4')
    assert_linear(opened(written(tmp_path, dataset(), format=form, engine='netcdf4')), rng)


def test_zarr(tmp_path, rng):
    pytest.importorskip('zarr')
    dataset().to_zarr(tmp_path / 'store', consolidated=False)
    assert_linear(opened(tmp_path / 'store'), rng)


def test_rows_from_north_to_south_and_longitudes_to_360(tmp_path, rng):
    assert_linear(opened(written(tmp_path, dataset(LONGITUDE + 360.0, LATITUDE[::-1]))), rng)


def test_a_grid_across_the_date_line(tmp_path):
    data = dataset(np.array([179.8, 179.9, -180.0, -179.9]), np.array([0.0, 0.1, 0.2]), (0.0,))
    values = np.broadcast_to(np.arange(4.0), (1, 3, 4))
    data['uo'], data['vo'] = data['uo'] * 0.0 + values, data['vo'] * 0.0
    data['uo'].attrs = data['vo'].attrs = {'units': 'm/s'}
    source = open_flow(written(tmp_path, data), {'origin': [180.0, 0.1]})
    width = 0.1 * metres_per_degree(0.1)[0]
    vx, _, inside = source.velocity(0.0, width * np.array([-1.5, 0.0, 0.5]), np.zeros(3))
    assert inside.all()
    np.testing.assert_allclose(vx, [0.5, 2.0, 2.5], atol=1e-6)


def test_without_an_origin_the_middle_of_the_grid_is_one_and_is_told(tmp_path):
    told = open_flow(written(tmp_path, dataset())).describe()
    assert (told['origin_longitude_deg'], told['origin_latitude_deg']) == pytest.approx(ORIGIN)
    assert any('from the middle of the grid, longitude -4.5' in note for note in told['notes'])


def test_a_plane_too_large_to_be_flat_says_so(tmp_path):
    path = written(tmp_path, dataset(latitude=np.linspace(46.0, 50.0, 6)))
    assert any('far from flat' in note for note in opened(path).describe()['notes'])


def test_projected_coordinates_in_kilometres(tmp_path):
    data = dataset().rename(lon='x', lat='y')
    data = data.assign_coords(x=('x', np.arange(5.0), {'units': 'km', 'standard_name': 'projection_x_coordinate'}),
                              y=('y', 10.0 + np.arange(6.0), {'units': 'km', 'axis': 'Y'}))
    source = open_flow(written(tmp_path, data))
    assert source.extent == (0.0, 10_000.0, 4_000.0, 15_000.0)
    assert source.velocity(0.0, np.array([1000.0]), np.array([11_000.0]))[0][0] == data['uo'].values[0, 1, 1]


@pytest.mark.parametrize(('unit', 'scale'), [('cm s-1', 0.01), ('knots', 1852.0 / 3600.0), ('m s**-1', 1.0),
                                             ('km/h', 1.0 / 3.6), ('meter second-1', 1.0)])
def test_units_of_velocity(tmp_path, rng, unit, scale):
    assert_linear(opened(written(tmp_path, dataset(units=unit))), rng, scale=scale)


def test_variables_are_found_by_standard_names(tmp_path, rng):
    data = dataset(names=('east', 'north'))
    data['east'].attrs['standard_name'] = 'eastward_wind'
    data['north'].attrs['standard_name'] = 'northward_wind'
    source = opened(written(tmp_path, data))
    assert_linear(source, rng)
    assert source.describe()['medium'] == 'air'


@pytest.mark.parametrize(('names', 'medium'), [(('uo', 'vo'), 'water'), (('u10', 'v10'), 'air')])
def test_variables_are_found_by_usual_names(tmp_path, rng, names, medium):
    source = opened(written(tmp_path, dataset(names=names)))
    assert_linear(source, rng)
    assert (source.describe()['medium'], source.describe()['variables']) == (medium, list(names))


def test_a_field_without_time_is_steady(tmp_path):
    source = opened(written(tmp_path, dataset().isel(time=0, drop=True)))
    assert source.times.tolist() == [0.0]
    assert source.start is None
    assert source.velocity(0.0, np.zeros(1), np.zeros(1))[0][0] == pytest.approx(0.3)


# ---- time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(('units', 'calendar', 'seconds'), [
    ('hours since 2024-05-01 06:00:00', 'standard', 3600.0), ('seconds since 2024-05-01T06:00:00Z', 'gregorian', 1.0),
    ('minutes since 2024-05-01 06:00', 'proleptic_gregorian', 60.0),
    ('days since 2024-05-01 06:00:00', 'noleap', 86400.0)])
def test_units_of_time(tmp_path, units, calendar, seconds):
    if calendar == 'noleap':
        pytest.importorskip('cftime')
    source = opened(written(tmp_path, dataset(units='m/s', hours=(0.0, 1.0, 3.0)).assign_coords(
        time=('time', [0.0, 1.0, 3.0], {'units': units, 'calendar': calendar}))))
    np.testing.assert_allclose(source.times, seconds * np.array([0.0, 1.0, 3.0]), rtol=1e-12)
    assert source.start == datetime(2024, 5, 1, 6, tzinfo=UTC)


def test_a_model_calendar_over_the_end_of_february(tmp_path):
    """360_day has a 30 February, noleap no 29: seconds are the calendar's own."""
    pytest.importorskip('cftime')
    data = dataset(hours=(0.0, 1.0)).assign_coords(
        time=('time', [0.0, 1.0], {'units': 'days since 2024-02-30', 'calendar': '360_day'}))
    source = opened(written(tmp_path, data))
    assert source.times.tolist() == [0.0, 86400.0]
    assert source.start is None


def test_time_in_plain_hours(tmp_path):
    source = opened(written(tmp_path, dataset().assign_coords(time=('time', [5.0, 6.0, 8.0], {'units': 'h'}))))
    assert source.times.tolist() == [0.0, 3600.0, 10800.0]
    assert source.start is None


def test_time_without_a_unit_is_asked_for(tmp_path):
    path = written(tmp_path, dataset().assign_coords(time=('time', [0.0, 1.0, 3.0])))
    with pytest.raises(InputError, match=r'time is in no unit.*the option time_unit does'):
        opened(path)
    assert opened(path, time_unit='h').times.tolist() == [0.0, 3600.0, 10800.0]


@pytest.mark.parametrize('units', ['hours since yesterday', 'fortnights since 2024-05-01'])
def test_a_wrong_unit_of_time_is_named(tmp_path, units):
    with pytest.raises(InputError, match=r"time.units is '.* since .*'.*must be as"):
        opened(written(tmp_path, dataset(units='m/s').assign_coords(time=('time', [0.0, 1.0, 3.0], {'units': units}))))


def test_times_that_do_not_rise_are_refused(tmp_path):
    with pytest.raises(InputError, match=r'must rise'):
        opened(written(tmp_path, dataset(hours=(0.0, 3.0, 1.0))))


def test_outside_the_times_and_the_grid_nothing_is_inside(tmp_path):
    source = opened(written(tmp_path, dataset()))
    east = source.extent[2]
    for t, x in ((-1.0, 0.0), (10801.0, 0.0), (0.0, east + 1.0)):
        vx, vy, inside = source.velocity(t, np.array([x]), np.zeros(1))
        assert not inside[0]
        assert np.isnan([vx[0], vy[0]]).all()


# ---- no value -----------------------------------------------------------------------------------


@pytest.mark.parametrize('encoding', [
    {'_FillValue': np.float32(1e20), 'dtype': 'f4'}, {'_FillValue': -9999.0}, {'missing_value': -999.0},
    {'_FillValue': np.int16(-32767), 'dtype': 'i2', 'scale_factor': 0.001, 'add_offset': 0.5}, {'_FillValue': np.nan}])
def test_fill_values_are_no_velocities(tmp_path, encoding):
    data = dataset()
    data['uo'][:, :3, :2] = np.nan
    source = opened(written(tmp_path, data, encoding={'uo': encoding, 'vo': encoding}))
    land, sea = metres(LONGITUDE[0], LATITUDE[0]), metres(LONGITUDE[3], LATITUDE[4])
    x, y = (np.array([float(a), float(b)]) for a, b in zip(land, sea))
    vx, vy, inside = source.velocity(3600.0, x, y)
    assert inside.tolist() == [False, True]
    assert np.isnan([vx[0], vy[0]]).all()
    assert vx[1] == pytest.approx(u_of(3600.0, LONGITUDE[3], LATITUDE[4]), abs=1e-3)


@pytest.mark.parametrize('fill', [-9999.0, 1e20, 9.969209968386869e36])
def test_a_fill_value_that_the_file_does_not_declare_is_no_velocity_either(tmp_path, fill):
    data = dataset()
    data['vo'][:, 0, 0] = fill
    source = opened(written(tmp_path, data, encoding={'vo': {'_FillValue': None}}))
    x, y = metres(LONGITUDE[0], LATITUDE[0])
    assert not source.velocity(0.0, np.array([x]), np.array([y]))[2][0]
    assert any('above 200 m/s were taken for fill values' in note for note in source.describe()['notes'])


def test_all_missing(tmp_path):
    data = dataset()
    data['uo'][:] = np.nan
    source = opened(written(tmp_path, data))
    assert not source.velocity(0.0, np.zeros(1), np.zeros(1))[2].any()
    assert any('no node has a value' in note for note in source.describe()['notes'])


# ---- levels and other dimensions ----------------------------------------------------------------


def with_levels(values, **attributes):
    data = dataset()
    factor = xarray.DataArray(np.arange(1.0, 1.0 + len(values)), dims='depth')
    deep = data * factor
    for name in deep.data_vars:
        deep[name] = deep[name].transpose('time', 'depth', 'lat', 'lon')
        deep[name].attrs = data[name].attrs
    return deep.assign_coords(depth=('depth', np.array(values, dtype=float), attributes))


@pytest.mark.parametrize(('options', 'level'), [({}, 1), ({'depth': 9.0}, 2), ({'depth': 1}, 1), ({'level': 0}, 0)])
def test_depth_is_chosen_or_the_surface(tmp_path, rng, options, level):
    source = opened(written(tmp_path, with_levels([50.0, 0.5, 10.0], units='m', positive='down')), **options)
    assert_linear(source, rng, scale=1.0 + level)
    assert source.describe()['level'] == level
    assert source.describe()['level_depth_m'] == [50.0, 0.5, 10.0][level]


def test_pressure_levels_are_chosen_by_number(tmp_path, rng):
    path = written(tmp_path, with_levels([850.0, 1000.0], units='hPa', axis='Z'))
    with pytest.raises(InputError, match=r'are not in metres .hPa.; choose one with the option level, 0 to 1'):
        opened(path)
    assert_linear(opened(path, level=1), rng, scale=2.0)


@pytest.mark.parametrize(('options', 'words'), [
    ({'level': 2}, 'level is 2; must be a whole number from 0 to 1'), ({'level': 'top'}, "level is 'top'"),
    ({'depth': 'deep'}, "depth is 'deep'; must be a number in m")])
def test_wrong_levels_are_refused(tmp_path, options, words):
    with pytest.raises(InputError, match=words):
        opened(written(tmp_path, with_levels([0.0, 5.0], units='m', positive='down')), **options)


def test_levels_of_a_file_without_any_are_refused(tmp_path):
    with pytest.raises(InputError, match=r'uo has no levels'):
        opened(written(tmp_path, dataset()), depth=1.0)


def test_an_ensemble_is_chosen_from(tmp_path, rng):
    path = written(tmp_path, with_levels([0.0, 1.0]).drop_vars('depth').rename(depth='member'))
    with pytest.raises(InputError, match=r"'member' has 2 entries .* select: \{member: 0\} up to 1"):
        opened(path)
    assert_linear(opened(path, select={'member': 1}), rng, scale=2.0)


# ---- what is missing or wrong -------------------------------------------------------------------


def test_a_missing_variable_is_named_with_what_there_is(tmp_path):
    path = written(tmp_path, dataset().rename(vo='salinity'))
    with pytest.raises(InputError, match=r'holds no velocity that this reader knows.*There are: uo, salinity'):
        opened(path)
    with pytest.raises(InputError, match=r'variables is .*must be two of: uo, salinity'):
        opened(path, variables=['uo', 'vo'])


def test_two_velocities_are_not_chosen_between(tmp_path, rng):
    both = dataset().merge(dataset(names=('u10', 'v10')))
    path = written(tmp_path, both)
    with pytest.raises(InputError, match=r'holds 2 velocities: \[uo, vo\]; \[u10, v10\]'):
        opened(path)
    assert_linear(opened(path, variables='u10, v10'), rng)


@pytest.mark.parametrize('unit', [None, 'furlong/fortnight', 'degree'])
def test_an_unknown_unit_of_velocity_is_refused(tmp_path, unit):
    with pytest.raises(InputError, match=r'uo is in .*; must be in one of: m/s, cm/s'):
        opened(written(tmp_path, dataset(units=unit)))


def test_a_unit_that_the_file_lacks_is_an_option(tmp_path, rng):
    assert_linear(opened(written(tmp_path, dataset(units=None)), unit='cm/s'), rng, scale=0.01)


def test_curvilinear_grids_are_refused(tmp_path):
    data = dataset().drop_vars(['lat', 'lon']).rename(lat='j', lon='i').assign_coords(
        nav_lat=(('j', 'i'), np.ones((6, 5)), Y))
    with pytest.raises(InputError, match=r"dimension 'j' has 6 entries|regrid"):
        opened(written(tmp_path, data))


def test_components_on_two_grids_are_refused(tmp_path):
    data = dataset()
    other = dataset(LONGITUDE[:-1] + 0.01).rename(lon='lon_v', uo='unused')
    with pytest.raises(InputError, match=r'both must lie on the same grid'):
        opened(written(tmp_path, data.drop_vars('vo').merge(other)))


@pytest.mark.parametrize('origin', [[0.0], 'here', [0.0, 95.0], None, [np.nan, 1.0]])
def test_a_wrong_origin_is_refused(tmp_path, origin):
    with pytest.raises(InputError, match=r'origin is .*longitude, latitude'):
        open_flow(written(tmp_path, dataset()), {'origin': origin})


@pytest.mark.parametrize('share', [0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize('form', ['NETCDF4', 'NETCDF3_CLASSIC'])
def test_a_truncated_file_is_an_error_and_never_zeros(tmp_path, form, share):
    """The netCDF library reads zeros beyond the end of a classic file."""
    pytest.importorskip('netCDF4')
    path = written(tmp_path, dataset(hours=np.arange(50.0)), format=form, engine='netcdf4')
    path.write_bytes(path.read_bytes()[:int(share * path.stat().st_size)])
    with pytest.raises(InputError, match=r'truncated|whole'):
        open_flow(path, {}, 'netcdf')


def test_the_made_bay_is_the_closed_form_at_its_nodes(tmp_path):
    write_bay(tmp_path / 'bay.nc')
    source = opened(tmp_path / 'bay.nc', depth=5.0)
    y = np.array([0.00035 * 20 * metres_per_degree(48.3)[1]])
    plain_y = 0.00035 * 20 * 111200.0
    vx, _, inside = source.velocity(1800.0, np.zeros(1), y)
    assert inside[0]
    tide = 0.8 * np.cos(2.0 * np.pi * 0.5 / 12.42)
    assert vx[0] == pytest.approx(0.85 * tide * (1.0 + (260.0 / plain_y) ** 2), abs=0.0006)  # packed in mm/s
    assert not source.velocity(1800.0, np.zeros(1), np.zeros(1))[2][0]


def test_without_xarray_it_says_what_to_install(tmp_path, monkeypatch):
    path = written(tmp_path, dataset())
    monkeypatch.setitem(sys.modules, 'xarray', None)
    with pytest.raises(InputError, match=r'the library xarray is needed, .*pip install'):
        open_flow(path)


def test_content_tells_not_the_name(tmp_path):
    assert recognise(written(tmp_path, dataset(), 'flow.dat')).name == 'netcdf'


@pytest.mark.parametrize(('name', 'attributes', 'axis'), [
    ('nav_lon', {}, 'LON'), ('x', {'units': 'degrees_east'}, 'LON'), ('lat', {'units': 'degrees'}, 'LAT'),
    ('x', {'units': 'm'}, 'X'), ('northing', {'axis': 'Y', 'units': 'm'}, 'Y'),
    ('t', {'units': 'days since 1950-01-01'}, 'T'), ('s_rho', {'positive': 'up'}, 'Z'), ('member', {}, '')])
def test_axes(name, attributes, axis):
    assert cf.axis_of(name, attributes) == axis
