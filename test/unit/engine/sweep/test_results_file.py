"""Files of results: boxes of an array, in order; what cannot be written."""

import numpy as np
import pytest
import xarray

from usv_energy.engine.sweep.results_file import boxes, check_suffix, open_results, write_dataset
from usv_energy.files.errors import InputError

NEEDS = ('xarray', 'netCDF4')


def test_boxes_cover_a_range_once_and_in_order(rng):
    for _ in range(300):
        shape = tuple(rng.integers(1, 5, rng.integers(1, 5)))
        number = int(np.prod(shape))
        first, last = sorted(rng.integers(0, number + 1, 2))
        if first == last:
            continue
        index = np.arange(number).reshape(shape)
        found = list(boxes(int(first), int(last), shape))
        np.testing.assert_array_equal(np.concatenate([index[box].ravel() for box in found]), np.arange(first, last))
        assert len(found) <= 2 * len(shape) - 1


@pytest.mark.parametrize('suffix', ['.nc', '.zarr'])
def test_a_dataset_is_read_as_it_was_written_and_replaces_what_was_there(tmp_path, suffix):
    if suffix == '.zarr':
        pytest.importorskip('zarr')
    path = tmp_path / f'a{suffix}'
    for number in (3, 2):
        values = np.arange(2.0 * number).reshape(2, number)
        values[0, 0] = np.nan
        write_dataset(xarray.Dataset({'e': (('x', 'y'), values, {'units': 'J'})}, {'y': np.arange(number)},
                                     {'title': 'T'}), path)
    with open_results(path) as found:
        np.testing.assert_array_equal(found['e'].values, values)
        assert (found['e'].attrs['units'], found.attrs['title']) == ('J', 'T')
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(('name', 'words'), [
    ('a.csv', 'must end in .nc'), ('none/a.nc', 'there is no folder'), ('folder.nc', 'is a folder already'),
    ('file.zarr', 'is a file already')])
def test_a_name_that_cannot_be_written_to_is_refused(tmp_path, name, words):
    (tmp_path / 'folder.nc').mkdir()
    (tmp_path / 'file.zarr').write_text('')
    with pytest.raises(InputError, match=words):
        check_suffix(tmp_path / name)


def test_on_python_3_10_no_zarr_is_asked_for(tmp_path, monkeypatch):
    """For which there is no zarr 3."""
    with monkeypatch.context() as old, pytest.raises(InputError, match=r'from Python 3\.11 on\); or take \.nc'):
        old.setattr('sys.version_info', (3, 10, 13))
        check_suffix(tmp_path / 'a.zarr')


def test_what_is_no_file_of_results_is_said(tmp_path):
    (tmp_path / 'a.nc').write_text('no netCDF')
    with pytest.raises(InputError, match=r'a\.nc: cannot be read as results'):
        open_results(tmp_path / 'a.nc')
