"""A part of a stored velocity is that part, in m/s; stores of chunks are read by these, and hardly more."""

import numpy as np
import pytest
from needs import NEEDS_XARRAY
from netcdf_files import TIME, X, Y

from usv_energy.flow.formats.netcdf_store import Side, StoredVelocity, chunks_of, opened_store
from usv_energy.flow.readers import open_flow

pytestmark = NEEDS_XARRAY
SHAPE, CHUNKS = (6, 60, 80), (2, 20, 40)
ORDERS = [('time', 'lat', 'lon'), ('lon', 'time', 'lat'), ('time', 'depth', 'lat', 'lon')]


def values_of():
    rng = np.random.default_rng(3)
    both = rng.integers(-900, 900, (2, *SHAPE)) / 1000.0
    both[:, :, 30:33, 5:9] = np.nan
    both[0, 2, 3, 4] = np.nan
    return both


def store_of(folder, kind='nc', order=ORDERS[0], packed=True, chunks=CHUNKS):
    """Write a store of chunks, as packed as Copernicus Marine's: 16 bit, scale and offset, a fill value."""
    import xarray
    east, north = values_of()
    plain = ('time', 'lat', 'lon')
    data = xarray.Dataset({name: (plain, side, {'units': 'm s-1'}) for name, side in (('uo', east), ('vo', north))},
                          coords={'time': ('time', np.arange(6.0), TIME),
                                  'lat': ('lat', 48.0 - 0.01 * np.arange(60), Y),
                                  'lon': ('lon', 355.0 + 0.01 * np.arange(80), X)})
    if 'depth' in order:
        data = data.expand_dims(depth=[0.494]).copy()
        data['depth'].attrs = {'units': 'm', 'positive': 'down', 'standard_name': 'depth'}
    data = data.transpose(*order)
    size = {'depth': 1, **dict(zip(plain, chunks))} if chunks else None
    short = {'dtype': 'i2', 'scale_factor': 0.001, 'add_offset': 0.1, '_FillValue': np.int16(-32767)}
    encoding = short if packed else {}
    if kind == 'zarr':
        each = {**encoding, **({'chunks': tuple(size[name] for name in order)} if size else {})}
        data.to_zarr(folder / 'store', encoding={'uo': each, 'vo': each}, consolidated=False)
        return folder / 'store'
    each = {**encoding, **({'chunksizes': tuple(size[name] for name in order), 'zlib': True} if size else {})}
    data.to_netcdf(folder / 'store.nc', encoding={'uo': each, 'vo': each})
    return folder / 'store.nc'


@pytest.mark.parametrize('kind', ['nc', 'zarr'])
@pytest.mark.parametrize('order', ORDERS)
@pytest.mark.parametrize('packed', [True, False])
def test_at_its_nodes_a_store_gives_what_was_put_into_it(tmp_path, kind, order, packed):
    pytest.importorskip('zarr' if kind == 'zarr' else 'netCDF4')
    source = open_flow(store_of(tmp_path, kind, order, packed))
    x, y = np.meshgrid(source.axes[0], source.axes[1][::-1])  # its rows go from the north to the south
    known = values_of()
    known[:, np.isnan(known).any(axis=0)] = np.nan
    for step, t in enumerate(source.times.tolist()):
        vx, vy, inside = source.velocity(t, x.ravel(), y.ravel())
        assert (inside == np.isfinite(known[0, step].ravel())).all()
        np.testing.assert_allclose((vx, vy), known[:, step].reshape(2, -1), atol=1e-7)
    source.close()


@pytest.mark.parametrize('kind', ['nc', 'zarr'])
@pytest.mark.parametrize('order', ORDERS)
def test_the_chunks_of_a_file_are_known(tmp_path, kind, order):
    pytest.importorskip('zarr' if kind == 'zarr' else 'netCDF4')
    store = opened_store(store_of(tmp_path, kind, order))
    side = Side(store['uo'], ('time', 'lat', 'lon'), 1.0)
    assert chunks_of(side) == CHUNKS and side.shape == SHAPE
    store.close()


def test_a_file_without_chunks_has_none(tmp_path):
    store = opened_store(store_of(tmp_path, chunks=None, packed=False))
    assert chunks_of(Side(store['uo'], ('time', 'lat', 'lon'), 1.0)) is None


def test_a_window_is_a_part_turned_and_scaled_without_fill_values(tmp_path):
    store = opened_store(store_of(tmp_path, packed=False))
    sides = [Side(store[name], ('time', 'lat', 'lon'), 100.0) for name in ('uo', 'vo')]
    notes = []
    quarter = np.zeros((60, 80)), np.ones((60, 80))  # the first component flows to the north
    window = slice(1, 3), slice(10, 40), slice(0, 20)
    got = StoredVelocity(sides, tmp_path, notes).read(window)
    expected = 100.0 * values_of()[(slice(None), *window)]
    expected[:, np.isnan(expected).any(axis=0)] = np.nan
    np.testing.assert_allclose(got, expected, rtol=1e-12)
    turned = StoredVelocity(sides, tmp_path, notes, quarter).read(window)
    np.testing.assert_allclose(turned, np.stack((-expected[1], expected[0])), rtol=1e-12)
    assert not notes
    StoredVelocity([side._replace(scale=1e4) for side in sides], tmp_path, notes).read(window)
    assert notes == ['values above 200 m/s were taken for fill values that the file does not declare']


def test_chunks_that_are_too_large_are_told(tmp_path):
    import xarray
    data = xarray.Dataset({name: (('time', 'lat', 'lon'), np.zeros((3, 1600, 1600), 'f4'), {'units': 'm/s'})
                           for name in ('uo', 'vo')},
                          coords={'lat': ('lat', 40.0 + 1e-3 * np.arange(1600), Y),
                                  'time': ('time', np.arange(3.0), TIME),
                                  'lon': ('lon', 1e-3 * np.arange(1600), X)})
    whole = {'chunksizes': (3, 1600, 1600), 'zlib': True, 'complevel': 1}
    data.to_netcdf(tmp_path / 'large.nc', encoding={'uo': whole, 'vo': whole})
    told = open_flow(tmp_path / 'large.nc').describe()
    assert any('its chunks of 3 x 1600 x 1600 (times, rows, columns) take 61 MB' in note for note in told['notes'])
    assert 8 * np.prod(told['page']) <= 8 * 2 ** 20
