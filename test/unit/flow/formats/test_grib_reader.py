"""GRIB of winds and currents: what ecCodes wrote is what is read, on the clock that it holds for."""

import os
import sys

import numpy as np
import pytest
from grib_files import wind, winds, write_grib, write_projected, write_reduced
from netcdf_files import ORIGIN, metres

from usv_energy.files.errors import InputError
from usv_energy.files.work import forked
from usv_energy.flow.formats import grib_reader
from usv_energy.flow.readers import open_flow, recognise

NEEDS = ('cfgrib', 'eccodes', 'xarray')


def assert_wind(source, rng, hours=(0.0, 1.0, 3.0, 5.9), member=0, scale=1.0):
    longitude, latitude = rng.uniform(-5.9, -3.1, 200), rng.uniform(47.6, 49.4, 200)
    for hour in hours:
        vx, vy, inside = source.velocity(3600.0 * hour, *metres(longitude, latitude))
        assert inside.all()
        expected = wind(hour, longitude, latitude, member)
        np.testing.assert_allclose((vx, vy), scale * np.array(expected), atol=2e-6)  # 24 bits of some m/s


def opened(path, **options):
    return open_flow(path, {'origin': list(ORIGIN), **options})


@pytest.mark.parametrize('edition', [1, 2])
def test_a_forecast_of_the_wind_at_10_m(tmp_path, rng, edition):
    source = opened(write_grib(tmp_path / 'wind.grib', winds(), edition=edition))
    assert_wind(source, rng)
    told = source.describe()
    assert [told[key] for key in ('reader', 'medium', 'variables', 'height_m')] == ['grib', 'air', ['u10', 'v10'], 10.0]
    assert source.times.tolist() == [0.0, 10800.0, 21600.0] and told['start'] == '2026-05-01T06:00:00+00:00'
    assert sorted(file.name for file in tmp_path.iterdir()) == ['wind.grib']  # no index beside it


def test_its_content_tells_it(tmp_path):
    assert recognise(write_grib(tmp_path / 'no_suffix', winds())).name == 'grib'


def test_of_many_fields_the_wind_at_10_m_is_taken(tmp_path, rng):
    others = [('2t', lambda lon, lat: 280.0 + 0.0 * lon, {'step': hour}) for hour in (0, 3, 6)]
    others += winds(names=('100u', '100v'))
    others += [(name, lambda lon, lat: 20.0 + 0.0 * lon, {'step': 0, 'typeOfLevel': 'isobaricInhPa', 'level': level})
               for level in (500, 850) for name in ('u', 'v')]
    path = write_grib(tmp_path / 'gfs.grib', winds() + others)
    assert_wind(opened(path), rng)
    high = opened(path, variables=['u100', 'v100'])
    assert high.height == 100.0
    assert_wind(high, rng)


def test_an_ensemble(tmp_path, rng):
    path = write_grib(tmp_path / 'ens.grib', winds(hours=(0, 3, 6), members=(0, 1, 2)))
    told = opened(path).describe()
    assert (told['member'], told['members']) == (0, [0, 1, 2])
    assert_wind(opened(path, member=2), rng, member=2)
    with pytest.raises(InputError, match='member is 7; must be one of: 0, 1, 2'):
        opened(path, member=7)


def test_forecasts_of_several_runs_are_asked_about(tmp_path, rng):
    path = write_grib(tmp_path / 'runs.grib', [*winds(), *winds(dataTime=1200)])
    with pytest.raises(InputError, match=r'holds forecasts of 2 runs; choose one with the option select: \{time: 0\}'):
        opened(path)
    source = opened(path, select={'time': 1})
    assert source.describe()['start'] == '2026-05-01T12:00:00+00:00'
    assert_wind(source, rng)


def test_a_single_time_is_steady(tmp_path, rng):
    source = opened(write_grib(tmp_path / 'one.grib', winds(hours=(0,))))
    assert source.times.tolist() == [0.0]
    assert_wind(source, rng, hours=(0.0,))


def test_nodes_without_a_value_are_none(tmp_path):
    source = opened(write_grib(tmp_path / 'sea.grib', winds(), missing=(4, 6)))
    x, y = metres(np.array([-4.5, -4.75]), np.array([48.5, 48.5]))
    assert source.velocity(0.0, x, y)[2].tolist() == [False, True]


@pytest.mark.parametrize('cut', [1, 100, 1000])
def test_a_file_cut_short_is_refused(tmp_path, cut):
    path = write_grib(tmp_path / 'wind.grib', winds())
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(InputError, match=r'is truncated or damaged: its message at byte \d+ has \d+ bytes'):
        opened(path)


@pytest.mark.parametrize('more', [b'and then something else', b'GRIB'])
def test_what_is_no_message_is_refused(tmp_path, more):
    path = write_grib(tmp_path / 'wind.grib', winds())
    path.write_bytes(path.read_bytes() + more)
    with pytest.raises(InputError, match=r'is damaged: at byte \d+ a message should begin'):
        opened(path)


def test_a_file_without_velocities_says_what_there_is(tmp_path):
    path = write_grib(tmp_path / 'air.grib', [('2t', lambda lon, lat: 280.0 + 0.0 * lon, {'step': 0})])
    with pytest.raises(InputError, match=r'holds no velocity that this reader knows. There are: t2m'):
        opened(path)
    with pytest.raises(InputError, match='holds no velocity that this reader knows'):
        opened(path, variables='u, v')


def test_without_cfgrib_it_says_what_to_install(tmp_path, monkeypatch):
    path = write_grib(tmp_path / 'wind.grib', winds())
    monkeypatch.setitem(sys.modules, 'cfgrib', None)
    with pytest.raises(InputError, match=r"GRIB: the library cfgrib is needed.*pip install 'usv_energy\[flow\]'"):
        opened(path)


@pytest.mark.parametrize('filling', [1, 7, 16, 23, 90])
def test_messages_may_be_filled_up_to_blocks_of_any_size(tmp_path, rng, filling):
    """ERA5's files as MARS gives them have zeros after each message, not in whole words of 16."""
    whole = write_grib(tmp_path / 'wind.grib', winds()).read_bytes()
    parts = [b'GRIB' + part for part in whole.split(b'7777GRIB')]
    parts = [part.removeprefix(b'GRIB') if number == 0 else part for number, part in enumerate(parts)]
    filled = (b'7777' + b'\x00' * filling).join(parts) + b'\x00' * filling
    (tmp_path / 'filled.grib').write_bytes(filled)
    assert len(parts) == 6
    assert_wind(opened(tmp_path / 'filled.grib'), rng)


@pytest.mark.parametrize('edition', [1, 2])
def test_a_mercator_grid_across_the_date_line(tmp_path, edition):
    """cfgrib has no rows for edition 1; the wind's first node is that of the values, and the rows go north."""
    values = np.arange(96.0)
    path = write_projected(tmp_path / 'm.grb', 'mercator', edition, stands={'10u': values, '10v': 0.0 * values})
    source = open_flow(path, {'origin': [178.9, 45.0]})
    told = source.describe()
    assert (told['columns'], told['rows'], told['height_m']) == (12, 8, 10.0)
    vx, vy, inside = source.velocity(0.0, np.array([1.0]), np.array([1.0]))
    assert inside.all() and vx[0] == pytest.approx(0.0, abs=2e-3) and vy[0] == pytest.approx(0.0, abs=1e-3)
    east, north = (float(part) for part in np.array(told['extent_m'][2:]) - 1.0)  # Its last node, at 180.3 E.
    vx, _, inside = source.velocity(0.0, np.array([east]), np.array([north]))
    assert inside.all() and vx[0] == pytest.approx(95.0, abs=2e-2)


def test_a_wind_along_a_lambert_grid_is_turned_to_the_east(tmp_path):
    """The map's columns lean by (longitude - 185) sin(45) at a place, Snyder (1987), equation (15-3)."""
    source = open_flow(write_projected(tmp_path / 'l.grb', 'lambert', along_grid=True, first=(44.7, 178.9)),
                       {'origin': [179.3, 44.9]})
    vx, vy, inside = source.velocity(0.0, np.zeros(1), np.zeros(1))
    turn = np.radians((179.3 - 185.0) * np.sin(np.radians(45.0)))
    assert inside.all()
    east, north = 3.0 * np.cos(turn) + 4.0 * np.sin(turn), 4.0 * np.cos(turn) - 3.0 * np.sin(turn)
    np.testing.assert_allclose((vx[0], vy[0]), (east, north), atol=2e-3)


def test_a_grid_without_rows_of_one_length_is_refused_by_its_type(tmp_path):
    with pytest.raises(InputError, match='its grid is of the type reduced_gg, which is not read; must be one of'):
        open_flow(write_reduced(tmp_path / 'r.grb'))


def test_a_file_that_ends_the_process_which_reads_it_is_refused_in_a_line(tmp_path, monkeypatch, capfd):
    """EcCodes aborts for some damage; what stands for it here is the reading of headers that aborts."""
    path = write_grib(tmp_path / 'wind.grib', winds())
    monkeypatch.setattr(grib_reader, '_headers', abort)
    with pytest.raises(InputError, match=r'wind\.grib: is damaged: ecCodes ended the process that read it'):
        opened(path)
    monkeypatch.undo()
    assert opened(path).describe()['reader'] == 'grib', 'a new process reads the next file'
    assert capfd.readouterr().err == ''


def abort(path):
    os.abort()


def test_values_are_read_in_a_worker_by_a_process_of_its_own(tmp_path, rng):
    source = opened(write_grib(tmp_path / 'wind.grib', winds()))
    source.velocity(0.0, np.zeros(1), np.zeros(1))
    place = metres(np.array([-4.0]), np.array([48.5]))
    expected = np.array(source.velocity(3600.0, *place)[:2])
    for _, found in forked(lambda number: np.array(source.velocity(3600.0 * (1 + number % 2), *place)[:2]), 4, 2):
        assert np.isfinite(found).all()
    np.testing.assert_array_equal(np.array(source.velocity(3600.0, *place)[:2]), expected)
