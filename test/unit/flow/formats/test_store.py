"""Files are recognised by what is in them; opening one reads its header, and no values."""

import numpy as np
import pytest
from needs import NEEDS_XARRAY
from netcdf_files import dataset, written

from usv_energy.files.errors import InputError
from usv_energy.flow.formats.netcdf_store import opened_store, recognises

pytestmark = NEEDS_XARRAY


@pytest.mark.parametrize('name', ['flow.nc', 'flow.grb', 'no_suffix'])
def test_the_name_does_not_matter(tmp_path, name):
    path = written(tmp_path, dataset(), name=name)
    assert recognises(path)
    assert set(opened_store(path).data_vars) == {'uo', 'vo'}


def test_a_store_is_a_folder_with_zarrs_marks(tmp_path):
    assert not recognises(tmp_path)
    (tmp_path / 'zarr.json').write_text('{')
    assert recognises(tmp_path)
    with pytest.raises(InputError, match='cannot be read; is the file whole'):
        opened_store(tmp_path)


def test_values_are_read_when_they_are_asked_for(tmp_path):
    store = opened_store(written(tmp_path, dataset()))
    assert not any(store[name].variable._in_memory for name in ('uo', 'vo'))
    part = store['uo'].isel(time=slice(1, 2), lat=slice(0, 2)).values
    np.testing.assert_array_equal(part, dataset()['uo'].values[1:2, 0:2])
    assert not store['uo'].variable._in_memory


def test_a_classic_file_cut_short_is_refused(tmp_path):
    path = written(tmp_path, dataset(), format='NETCDF3_CLASSIC', engine='scipy')
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match='truncated or damaged'):
        opened_store(path)
