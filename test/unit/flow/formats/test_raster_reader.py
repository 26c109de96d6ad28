"""Pairs of rasters: what the numbers mean is stated, never guessed; half cells at the edge; series of steps."""

import json
import math
import tracemalloc
from datetime import datetime

import numpy as np
import places
import pytest
from raster_files import COMPONENTS, centres, write_components, write_grid, write_tiff

from usv_energy.files.errors import InputError
from usv_energy.flow import readers
from usv_energy.flow.formats.raster_reader import UNITS, is_raster, open_raster

DATA = places.DATA / 'windninja'


WIND = {'kind': 'speed_direction', 'unit': 'm/s', 'direction': 'from', 'partner': 'direction.asc'}


@pytest.fixture
def components(tmp_path):
    """The first of a pair of components, a linear field."""
    return write_components(tmp_path)


def winds(folder, speed, direction):
    write_grid(folder / 'direction.asc', direction)
    return write_grid(folder / 'speed.asc', speed)


def test_components_are_bilinear_between_cell_centres(components):
    flow = open_raster(components, COMPONENTS)
    x, y = np.random.default_rng(1).uniform((105.0, 205.0), (145.0, 235.0), (500, 2)).T
    vx, vy, inside = flow.velocity(0.0, x, y)
    assert inside.all()
    np.testing.assert_allclose(vx, 0.01 * x - 0.03 * y, atol=1e-13)
    np.testing.assert_allclose(vy, 1.0 + 0.02 * y, atol=1e-13)


def test_the_outermost_half_cells_hold_and_beyond_there_is_nothing(components):
    flow = open_raster(components, COMPONENTS)
    assert flow.extent == (100.0, 200.0, 150.0, 240.0)
    vx, _, inside = flow.velocity(0.0, np.array([100.0, 150.0, 99.99, 150.01]), np.full(4, 205.0))
    assert inside.tolist() == [True, True, False, False]
    np.testing.assert_allclose(vx[:2], [1.05 - 6.15, 1.45 - 6.15])
    assert np.isnan(vx[2:]).all()


@pytest.mark.parametrize(('direction', 'sense', 'expected'), [
    (0.0, 'to', (0.0, 2.0)), (90.0, 'to', (2.0, 0.0)), (180.0, 'to', (0.0, -2.0)), (270.0, 'to', (-2.0, 0.0)),
    (0.0, 'from', (0.0, -2.0)), (90.0, 'from', (-2.0, 0.0)), (225.0, 'from', (math.sqrt(2.0), math.sqrt(2.0)))])
def test_directions_are_of_the_compass_from_or_to(tmp_path, direction, sense, expected):
    path = winds(tmp_path, np.full((3, 3), 2.0), np.full((3, 3), direction))
    vx, vy, _ = open_raster(path, WIND | {'direction': sense}).velocity(0.0, np.array([111.0]), np.array([212.0]))
    np.testing.assert_allclose((vx[0], vy[0]), expected, atol=1e-15)


def test_across_north_the_vectors_are_interpolated_not_the_angles(tmp_path):
    path = winds(tmp_path, np.ones((2, 2)), [[350.0, 10.0], [350.0, 10.0]])
    vx, vy, _ = open_raster(path, WIND | {'direction': 'to'}).velocity(0.0, np.array([110.0]), np.array([210.0]))
    np.testing.assert_allclose((vx[0], vy[0]), (0.0, math.cos(math.radians(10.0))), atol=1e-15)


@pytest.mark.parametrize(('unit', 'expected'), [('m/s', 1.0), ('km/h', 1000.0 / 3600.0), ('mph', 1609.344 / 3600.0),
                                                ('kn', 1852.0 / 3600.0), ('ft/s', 0.3048)])
def test_units_become_metres_a_second(components, unit, expected):
    _, vy, _ = open_raster(components, COMPONENTS | {'unit': unit}).velocity(0.0, np.array([125.0]), np.array([225.0]))
    assert vy[0] == pytest.approx(5.5 * expected, rel=1e-12)


@pytest.mark.parametrize('key', ['kind', 'unit', 'direction'])
def test_what_the_numbers_mean_is_never_guessed(tmp_path, key):
    path = winds(tmp_path, np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(InputError, match=rf'speed.asc: option {key} is missing: .*never guessed; allowed: ') as error:
        open_raster(path, {name: value for name, value in WIND.items() if name != key})
    allowed = {'kind': 'speed_direction', 'unit': ', '.join(UNITS), 'direction': 'from, to'}[key]
    assert allowed in str(error.value)


@pytest.mark.parametrize(('change', 'message'), [
    ({'kind': 'polar'}, "option kind: 'polar'; allowed: components, speed_direction"),
    ({'unit': 'knots'}, "option unit: 'knots'; allowed: m/s, km/h"),
    ({'direction': 'towards'}, "option direction: 'towards'; allowed: from, to"),
    ({'kind': 'components'}, "option direction: 'from' with kind components"),
    ({'partner': None}, 'option partner is missing'),
    ({'partner': 'no.asc'}, 'no.asc: there is no such file'),
    ({'bands': [1, 3]}, 'option bands: 3; allowed: 1 to 1'),
    ({'bands': 'all'}, "option bands: 'all'; allowed"),
    ({'start': 'noon'}, "option start: 'noon'; allowed"),
    ({'series': [{'time': 0.0, 'file': 'speed.asc', 'partner': 'direction.asc'}]}, 'time: 0.0 after 0; allowed'),
    ({'series': [{'time': 5.0}]}, 'option series: .*allowed'),
    ({'series': 'b.asc'}, 'option series: .*allowed'),
])
def test_wrong_options_are_refused_by_name(tmp_path, change, message):
    path = winds(tmp_path, np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(InputError, match=message):
        open_raster(path, WIND | change)


@pytest.mark.parametrize(('speed', 'direction', 'message'), [
    (-1.0, 0.0, r'speed.asc: speed: -1, as 1 value\(s\); allowed: 0 or more'),
    (1.0, 4500.0, r'direction.asc: direction: 4500, .*allowed: degrees')])
def test_numbers_that_cannot_be_what_is_stated_are_refused(tmp_path, speed, direction, message):
    path = winds(tmp_path, [[1.0, speed], [1.0, 1.0]], [[1.0, direction], [1.0, 1.0]])
    with pytest.raises(InputError, match=message):
        open_raster(path, WIND).velocity(0.0, np.array([110.0]), np.array([210.0]))


@pytest.mark.parametrize('fill', [-9999.0, math.nan, math.inf])
def test_a_cell_without_value_in_either_file_is_outside(tmp_path, fill):
    speed, direction = np.ones((3, 3)), np.ones((3, 3))
    speed[0, 0] = direction[2, 2] = fill
    flow = open_raster(winds(tmp_path, speed, direction), WIND)
    x, y = centres((3, 3))
    vx, vy, inside = flow.velocity(0.0, x.ravel(), y.ravel())
    assert inside.reshape(3, 3).sum() == 7 and not inside[0] and not inside[8]
    assert np.isnan(vx[[0, 8]]).all() and np.isnan(vy[[0, 8]]).all()


def test_all_nodata_is_said(tmp_path):
    flow = open_raster(winds(tmp_path, np.full((3, 3), -9999.0), np.full((3, 3), -9999.0)), WIND)
    assert not flow.velocity(0.0, np.array([110.0]), np.array([210.0]))[2].any()
    assert any('dry' in note for note in flow.describe()['notes'])


def test_a_series_is_linear_in_time(tmp_path, components):
    x, _ = centres()
    write_grid(tmp_path / 'vx2.asc', 2.0 + 0.0 * x)
    options = COMPONENTS | {'series': [{'time': 600, 'file': 'vx2.asc', 'partner': 'vy.asc'}],
                            'start': '2013-07-11T12:00:00'}
    flow = open_raster(components, options)
    assert flow.times.tolist() == [0.0, 600.0] and flow.start == datetime(2013, 7, 11, 12)
    at = np.array([125.0]), np.array([215.0])
    first = 1.25 - 6.45
    assert [float(flow.velocity(t, *at)[0][0]) for t in (0.0, 150.0, 600.0)] == pytest.approx(
        [first, 0.75 * first + 0.5, 2.0])
    assert not flow.velocity(600.1, *at)[2].any()


def test_memory_does_not_grow_with_the_number_of_steps(tmp_path, monkeypatch):
    """The peak of going through 40 steps against that of 6: the cache holds 4 in both."""
    monkeypatch.setattr('usv_energy.flow.grids.node_steps.BUDGET', 0)     # Else these steps seem small.
    x, _ = centres((100, 100))
    write_grid(tmp_path / 'vy.asc', 0.0 * x)
    first = write_grid(tmp_path / 'vx.asc', x)

    def peak(steps):
        series = [{'time': float(step), 'file': 'vx.asc', 'partner': 'vy.asc'} for step in range(1, steps)]
        flow = open_raster(first, COMPONENTS | {'series': series})
        tracemalloc.start()
        for t in np.arange(0.0, steps - 1.0, 0.5):
            flow.velocity(float(t), np.array([500.0]), np.array([500.0]))
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    assert peak(40) < 1.05 * peak(6)


def test_grids_that_differ_are_refused(tmp_path, components):
    write_grid(tmp_path / 'vy.asc', np.ones((4, 5)), west=101.0)
    with pytest.raises(InputError, match=r'vy.asc: its grid, .*101.* differs from that of .*vx.asc'):
        open_raster(components, COMPONENTS)


def test_description(components):
    told = json.loads(json.dumps(open_raster(components, COMPONENTS).describe(), allow_nan=False))
    assert told['reader'] == 'raster' and told['units'] == {'speed': 'm/s'}
    assert told['columns'] == 5 and told['rows'] == 4 and told['spacing_m'] == [10.0, 10.0]
    assert 'projection' in told['missing'] and 'start' in told['missing']


def test_geotiff_of_two_bands_equals_the_ascii_pair(tmp_path, components):
    x, y = centres()
    path = write_tiff(tmp_path / 'v.tif', [0.01 * x - 0.03 * y, 1.0 + 0.02 * y], crs='EPSG:32612')
    assert is_raster(path)
    options = {'kind': 'components', 'unit': 'm/s'}
    flow, same = open_raster(path, options), open_raster(components, COMPONENTS)
    at = np.random.default_rng(2).uniform((90.0, 190.0), (160.0, 250.0), (500, 2)).T
    for one, other in zip(flow.velocity(0.0, *at), same.velocity(0.0, *at)):
        np.testing.assert_allclose(one, other, atol=1e-13)
    assert 'UTM zone 12N' in flow.describe()['projection']


@pytest.mark.skipif(not DATA.is_dir(), reason=f'no real data at {DATA} (USV_ENERGY_DATA)')
def test_windninja_winds():
    """Four times of the Mackay run: cell values found by hand in the files, directions from, miles an hour."""
    stem = 'mackay_07-11-2013_{}_393m_{}.asc'
    series = [{'time': 10800.0 * step, 'file': stem.format(hour, 'vel'), 'partner': stem.format(hour, 'ang')}
              for step, hour in ((1, 1500), (2, 1800), (3, 2100))]
    options = {'kind': 'speed_direction', 'unit': 'mph', 'direction': 'from', 'partner': stem.format(1200, 'ang'),
               'series': series, 'start': '2013-07-11T12:00:00'}
    flow = readers.open_flow(DATA / stem.format(1200, 'vel'), options)
    told = flow.describe()
    assert (told['columns'], told['rows'], told['steps']) == (57, 71, 4)
    assert 'UTM zone 12N' in told['projection']
    x, y = 279635.0 + 0.5 * 393.466398, 4850745.0 + 70.5 * 393.466398  # the first number: north-west
    for t, speed, angle in ((0.0, 15.41, 221.0), (10800.0, 11.78, 254.0), (32400.0, 7.39, 214.0)):
        vx, vy, inside = flow.velocity(t, np.array([x]), np.array([y]))
        assert inside[0]
        assert math.hypot(vx[0], vy[0]) == pytest.approx(speed * 0.44704, rel=1e-9)
        assert math.degrees(math.atan2(-vx[0], -vy[0])) % 360.0 == pytest.approx(angle, abs=1e-6)
        assert vx[0] > 0.0 and vy[0] > 0.0  # out of the south-west, so towards the north-east
    assert not flow.velocity(0.0, np.array([x - 197.0]), np.array([y]))[2][0]
    with pytest.raises(InputError, match='option direction is missing'):
        readers.open_flow(DATA / stem.format(1200, 'vel'), {key: options[key] for key in ('kind', 'unit', 'partner')})
