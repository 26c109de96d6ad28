"""The axes of a netCDF file: places in m, levels, and times in s."""

from datetime import datetime, timedelta, timezone

import numpy as np
import pytest
from needs import NEEDS_XARRAY
from netcdf_files import (
    LATITUDE,
    LONGITUDE,
    ORIGIN,
    Y,
    assert_linear,
    dataset,
    opened,
    with_levels,
    written,
)

from usv_energy.earth import metres_per_degree
from usv_energy.files.errors import InputError
from usv_energy.flow.readers import open_flow

pytestmark = NEEDS_XARRAY
FIRST = datetime(2024, 5, 1, 6, tzinfo=timezone.utc)


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
    path = written(tmp_path, dataset(latitude=np.linspace(35.0, 60.0, 6)))
    assert any('far from flat' in note for note in opened(path).describe()['notes'])


def test_projected_coordinates_in_kilometres(tmp_path):
    data = dataset().rename(lon='x', lat='y')
    data = data.assign_coords(x=('x', np.arange(5.0), {'units': 'km', 'standard_name': 'projection_x_coordinate'}),
                              y=('y', 10.0 + np.arange(6.0), {'units': 'km', 'axis': 'Y'}))
    source = open_flow(written(tmp_path, data))
    assert source.extent == (0.0, 10_000.0, 4_000.0, 15_000.0)
    assert source.velocity(0.0, np.array([1000.0]), np.array([11_000.0]))[0][0] == data['uo'].values[0, 1, 1]


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
    assert source.start == FIRST


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
    told = opened(path).describe()
    assert (told['member'], told['members']) == (0, [0, 1])
    assert 'an ensemble: member 0 of 2 is taken; the option member names another' in told['notes']
    assert_linear(opened(path), rng)
    for options in ({'member': 1}, {'select': {'member': 1}}):
        assert_linear(opened(path, **options), rng, scale=2.0)
    with pytest.raises(InputError, match='member is 2; must be one of: 0, 1'):
        opened(path, member=2)
    with pytest.raises(InputError, match=r'select\.member is 2; must be a whole number from 0 to 1'):
        opened(path, select={'member': 2})
    with pytest.raises(InputError, match='uo is no ensemble; leave out the option member'):
        opened(written(tmp_path, dataset(), name='one.nc'), member=0)


def test_curvilinear_grids_are_refused(tmp_path):
    data = dataset().drop_vars(['lat', 'lon']).rename(lat='j', lon='i').assign_coords(
        nav_lat=(('j', 'i'), np.ones((6, 5)), Y))
    with pytest.raises(InputError, match=r"dimension 'j' has 6 entries|regrid"):
        opened(written(tmp_path, data))


@pytest.mark.parametrize('origin', [[0.0], 'here', [0.0, 95.0], None, [np.nan, 1.0]])
def test_a_wrong_origin_is_refused(tmp_path, origin):
    with pytest.raises(InputError, match=r'origin is .*longitude, latitude'):
        open_flow(written(tmp_path, dataset()), {'origin': origin})


def gfs(scalar_first, named=True):
    """Return a wind on levels of 10, 80 and 100 m beside a temperature at 2 m, as THREDDS has GFS."""
    import xarray
    places = {'latitude': ('latitude', LATITUDE, {'units': 'degrees_north'}),
              'longitude': ('longitude', LONGITUDE, {'units': 'degrees_east'})}
    heights = {'units': 'm', 'positive': 'up'}
    shape = (3, LATITUDE.size, LONGITUDE.size)
    levels = {'height_above_ground': ('height_above_ground', [10.0, 80.0, 100.0], heights)}
    scalar = {'height_above_ground4': ((), 2.0, heights)}
    wind = {f'{side}-component_of_wind_height_above_ground': (
        ('height_above_ground', 'latitude', 'longitude'), np.full(shape, 8.0), {'units': 'm/s'}) for side in 'uv'}
    warm = {'temperature': (('latitude', 'longitude'), np.full(shape[1:], 290.0), {'units': 'K'})}
    data = xarray.Dataset({**warm, **wind}, {**scalar, **levels, **places} if scalar_first else {
        **levels, **places, **scalar})
    if named:
        data['temperature'].encoding['coordinates'] = 'height_above_ground4'
    return data


@pytest.mark.parametrize('scalar_first', [True, False])
@pytest.mark.parametrize(('options', 'height'), [({}, 10.0), ({'level': 1}, 80.0), ({'depth': 100}, 100.0)])
def test_the_height_of_a_wind_is_that_of_its_own_level(tmp_path, scalar_first, options, height):
    source = open_flow(written(tmp_path, gfs(scalar_first)), {'medium': 'air', **options})
    assert source.describe()['height_m'] == height


def test_a_scalar_height_that_another_variable_names_is_not_the_wind_s(tmp_path):
    data = gfs(True).isel(height_above_ground=0, drop=True)
    for side in 'uv':
        data[f'{side}-component_of_wind_height_above_ground'].encoding['coordinates'] = 'latitude longitude'
    source = open_flow(written(tmp_path, data), {'medium': 'air'})
    assert 'height_m' not in source.describe()
    source.close()
    own = gfs(True).isel(height_above_ground=0)
    for side in 'uv':
        own[f'{side}-component_of_wind_height_above_ground'].encoding['coordinates'] = 'height_above_ground'
    assert open_flow(written(tmp_path, own), {'medium': 'air'}).describe()['height_m'] == 10.0


@pytest.mark.parametrize(('calendar', 'start'), [
    ('gregorian_proleptic', FIRST), ('gregorian', FIRST), ('julian', FIRST + timedelta(days=13)), ('360_day', FIRST),
    ('noleap', FIRST), ('366_day', FIRST)])
def test_times_of_all_calendars(tmp_path, calendar, start):
    """The Julian calendar is 13 days behind from 1900 to 2100."""
    data = dataset()
    hours = np.asarray(data['time'].values)
    data['time'].attrs['calendar'] = calendar
    source = open_flow(written(tmp_path, data))
    assert source.start == start
    np.testing.assert_allclose(source.times, 3600.0 * (hours - hours[0]))


def test_an_unknown_calendar_is_named(tmp_path):
    data = dataset()
    data['time'].attrs['calendar'] = 'martian'
    with pytest.raises(InputError, match=r"time\.calendar is 'martian'; must be one of: gregorian_proleptic, "):
        open_flow(written(tmp_path, data))


@pytest.mark.parametrize(('places', 'words'), [
    ((LONGITUDE, np.where(np.arange(LATITUDE.size) == 1, np.nan, LATITUDE)), 'entry 1 of .*lat.* is nan; must be'),
    ((np.where(np.arange(LONGITUDE.size) == 2, 1e308, LONGITUDE), LATITUDE), r'entry 2 of .*lon.* is 1e\+308')])
def test_an_axis_with_a_damaged_place_is_refused(tmp_path, places, words):
    """The row was left out, and the flow of its neighbours stood in its place."""
    with pytest.raises(InputError, match=words):
        open_flow(written(tmp_path, dataset(*places)))


def test_a_file_of_variables_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr('usv_energy.flow.formats.netcdf_store.NETCDF_VARIABLES', 4)
    with pytest.raises(InputError, match=r'has \d variables; must be at most 4'):
        open_flow(written(tmp_path, dataset(LONGITUDE, LATITUDE)))
