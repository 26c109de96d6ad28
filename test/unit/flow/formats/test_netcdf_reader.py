"""CF netCDF and zarr: what is read is what was written, in m, s and m/s; what is not said is asked for, not guessed."""

import sys

import numpy as np
import pytest
from needs import NEEDS_XARRAY
from netcdf_files import LATITUDE, LONGITUDE, assert_linear, dataset, metres, opened, u_of, with_levels, written

from usv_energy.files.errors import InputError
from usv_energy.flow.flow_file import read_flow
from usv_energy.flow.readers import open_flow, recognise

pytestmark = NEEDS_XARRAY


@pytest.mark.parametrize('form', ['NETCDF4', 'NETCDF3_CLASSIC', 'NETCDF3_64BIT'])
def test_a_linear_field_is_reproduced(tmp_path, rng, form):
    pytest.importorskip('netCDF4')
    assert_linear(opened(written(tmp_path, dataset(), format=form, engine='netcdf4')), rng)


def test_zarr(tmp_path, rng):
    pytest.importorskip('zarr')
    dataset().to_zarr(tmp_path / 'store', consolidated=False)
    assert_linear(opened(tmp_path / 'store'), rng)


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
    assert source.describe().get('height_m') == (10.0 if medium == 'air' else None)
    assert source.height == (10.0 if medium == 'air' else None)


@pytest.mark.parametrize(('speed', 'direction', 'turned', 'unit', 'medium'), [
    ('sea_water_speed', 'direction_of_sea_water_velocity', 0.0, 'degree', 'water'),
    ('sea_water_speed', 'sea_water_velocity_to_direction', 0.0, 'rad', 'water'),
    ('sea_water_speed', 'sea_water_velocity_from_direction', 180.0, 'degree', 'water'),
    ('wind_speed', 'wind_from_direction', 180.0, 'degree', 'air')])
def test_speed_and_direction_of_cf_are_components(tmp_path, rng, speed, direction, turned, unit, medium):
    data = dataset()
    east, north = (np.asarray(data[name], dtype=float) for name in data.data_vars)
    towards = np.degrees(np.arctan2(east, north))
    values = np.mod(towards + turned, 360.0) * (1.0 if unit == 'degree' else np.pi / 180.0)
    first = next(iter(data.data_vars))
    of = data[first].dims
    made = data.drop_vars(list(data.data_vars)).assign(
        vel=(of, np.hypot(east, north), {'standard_name': speed, 'units': 'm s-1'}),
        dir=(of, values, {'standard_name': direction, 'units': unit}))
    source = opened(written(tmp_path, made))
    assert_linear(source, rng)
    assert source.describe()['medium'] == medium
    both = made.merge(dataset(names=('u10', 'v10') if medium == 'air' else ('uo', 'vo')))
    both = written(tmp_path, both, 'both.nc')
    assert opened(both).describe()['variables'] != ['vel', 'dir']
    made['dir'].attrs['units'] = 'furlong'
    with pytest.raises(InputError, match='dir is in furlong; must be in degrees or radians'):
        opened(written(tmp_path, made, 'furlong.nc'))


def test_the_height_of_a_wind_is_known_where_its_variables_are_said_too(tmp_path):
    path = written(tmp_path, dataset(names=('u100', 'v100')).merge(dataset(names=('u10', 'v10'))))
    assert opened(path, variables='u100, v100').height == 100.0
    assert opened(path).height == 10.0


def test_a_field_without_time_is_steady(tmp_path):
    source = opened(written(tmp_path, dataset().isel(time=0, drop=True)))
    assert source.times.tolist() == [0.0]
    assert source.start is None
    assert source.velocity(0.0, np.zeros(1), np.zeros(1))[0][0] == pytest.approx(0.3)


def test_outside_the_times_and_the_grid_nothing_is_inside(tmp_path):
    source = opened(written(tmp_path, dataset()))
    east = source.extent[2]
    for t, x in ((-1.0, 0.0), (10801.0, 0.0), (0.0, east + 1.0)):
        vx, vy, inside = source.velocity(t, np.array([x]), np.zeros(1))
        assert not inside[0]
        assert np.isnan([vx[0], vy[0]]).all()


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


def test_components_on_two_grids_are_refused(tmp_path):
    data = dataset()
    other = dataset(LONGITUDE[:-1] + 0.01).rename(lon='lon_v', uo='unused')
    with pytest.raises(InputError, match=r'both must lie on the same grid'):
        opened(written(tmp_path, data.drop_vars('vo').merge(other)))


@pytest.mark.parametrize('share', [0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize('form', ['NETCDF4', 'NETCDF3_CLASSIC'])
def test_a_truncated_file_is_an_error_and_never_zeros(tmp_path, form, share):
    """The netCDF library reads zeros beyond the end of a classic file."""
    pytest.importorskip('netCDF4')
    path = written(tmp_path, dataset(hours=np.arange(50.0)), format=form, engine='netcdf4')
    path.write_bytes(path.read_bytes()[:int(share * path.stat().st_size)])
    with pytest.raises(InputError, match=r'truncated|whole'):
        open_flow(path, {}, 'netcdf')


def test_without_xarray_it_says_what_to_install(tmp_path, monkeypatch):
    path = written(tmp_path, dataset())
    monkeypatch.setitem(sys.modules, 'xarray', None)
    with pytest.raises(InputError, match=r'the library xarray is needed, .*pip install'):
        open_flow(path)


def test_content_tells_not_the_name(tmp_path):
    assert recognise(written(tmp_path, dataset(), 'flow.dat')).name == 'netcdf'


def test_of_water_and_air_in_one_file_the_medium_decides(tmp_path, rng):
    wind = dataset(names=('u10', 'v10'), units='km/h')  # 3.6 of these to 1 m/s
    path = written(tmp_path, dataset().merge(wind))
    with pytest.raises(InputError, match=r'holds 2 velocities.*option medium, water or air, or name two variables'):
        opened(path)
    assert_linear(opened(path, medium='water'), rng)
    assert_linear(opened(path, medium='air'), rng, scale=1.0 / 3.6)
    with pytest.raises(InputError, match="medium is 'fire'; must be one of: water, air"):
        opened(path, medium='fire')
    (tmp_path / 'wind.yaml').write_text(
        'medium: air\nfile: {path: flow.nc, options: {origin: [-4.5, 48.3]}}\ntime: {mode: end}\n')
    flow = read_flow(tmp_path / 'wind.yaml')
    assert flow.source.describe()['variables'] == ['u10', 'v10'] and flow.height == 10.0


def test_the_total_current_of_copernicus_is_taken_and_its_parts_are_named(tmp_path, rng):
    """Layout of cmems_mod_glo_phy_anfc_merged-uv_PT1H-i: Eulerian, tide, Stokes drift and their sum in one file."""
    parts = dataset(names=('uo', 'vo')).merge(dataset(names=('utide', 'vtide'))).merge(
        dataset(names=('utotal', 'vtotal')))
    for name, kind in (('uo', 'eastward_sea_water_velocity'), ('vo', 'northward_sea_water_velocity'),
                       ('utotal', 'surface_sea_water_x_velocity'), ('vtotal', 'surface_sea_water_y_velocity')):
        parts[name].attrs['standard_name'] = kind
    for name in ('utotal', 'vtotal'):
        parts[name] = (3.0 * parts[name]).assign_attrs(parts[name].attrs)
    source = opened(written(tmp_path, parts))
    assert_linear(source, rng, scale=3.0)
    assert any('the total current, not its parts: [uo, vo] left out' in note for note in source.describe()['notes'])
    assert_linear(opened(tmp_path / 'flow.nc', variables='uo, vo'), rng)


@pytest.mark.parametrize('names', [
    ('UGRD_10maboveground', 'VGRD_10maboveground'), ('ugrd10m', 'vgrd10m'), ('10u', '10v'), ('u_10m', 'v_10m'),
    ('U10M', 'V10M'), ('Uwind', 'Vwind')])
def test_winds_at_10_m_of_the_services(tmp_path, rng, names):
    source = opened(written(tmp_path, dataset(names=names, units='m/s')))
    assert_linear(source, rng)
    assert (source.describe()['medium'], source.height) == ('air', 10.0)


def test_the_height_of_a_wind_by_its_level(tmp_path):
    """As THREDDS gives GFS: three heights, the lowest of which is taken."""
    names = [f'{side}-component_of_wind_height_above_ground' for side in 'uv']
    data = with_levels([10.0, 80.0, 100.0], units='m', positive='up').rename(
        uo=names[0], vo=names[1], depth='height_above_ground')
    path = written(tmp_path, data)
    assert opened(path).height == 10.0
    assert opened(path, level=1).height == 80.0
