"""HDF5 files that lead to other files, claim what they do not hold, or go round in a circle."""

import h5py
import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.formats.hdf_file import check_hdf
from usv_energy.flow.readers import open_flow


@pytest.fixture
def path(tmp_path):
    return tmp_path / 'a.hdf'


def test_a_link_to_another_file_is_refused_and_not_followed(path, tmp_path):
    with h5py.File(tmp_path / 'secret.h5', 'w') as file:
        file['x'] = np.arange(3.0)
    with h5py.File(path, 'w') as file:
        file['Geometry/2D Flow Areas'] = h5py.ExternalLink(str(tmp_path / 'secret.h5'), '/x')
    for read in (check_hdf, lambda path: open_flow(path, {}), lambda path: open_flow(path, {}, 'hecras')):
        with pytest.raises(InputError, match=r"/Geometry/2D Flow Areas is a link to the file '.*secret\.h5'"):
            read(path)


def test_values_in_another_file_are_refused(path, tmp_path):
    (tmp_path / 'raw').write_bytes(bytes(80))
    with h5py.File(path, 'w') as file:
        file.create_dataset('external', (10,), 'f8', external=[(str(tmp_path / 'raw'), 0, 80)])
    with pytest.raises(InputError, match='/external has its values in other files'):
        check_hdf(path)
    with h5py.File(path, 'w') as file:
        layout = h5py.VirtualLayout((10,), 'f8')
        layout[:] = h5py.VirtualSource(str(tmp_path / 'raw.h5'), 'x', (10,))
        file.create_virtual_dataset('virtual', layout)
    with pytest.raises(InputError, match='/virtual has its values in other files'):
        check_hdf(path)


def test_a_series_of_which_nothing_is_stored_is_refused_and_a_compressed_one_is_read(path):
    with h5py.File(path, 'w') as file:
        file.create_dataset('series', (6_000_000_000,), 'f8', chunks=(1000,))
    with pytest.raises(InputError, match=r'/series has 48\.0 GB, of which 0\.0 MB are stored'):
        check_hdf(path)
    with h5py.File(path, 'w') as file:
        file.create_dataset('zeros', data=np.zeros(1_000_000), compression='gzip')
    check_hdf(path)


def test_groups_in_a_circle_end(path):
    with h5py.File(path, 'w') as file:
        file['a/b/x'] = 1.0
        file['a/b/again'] = file['a']
        file['soft'] = h5py.SoftLink('/a/b')
    check_hdf(path)


@pytest.mark.parametrize('wrong', [0, 2**64 - 16])
def test_a_heap_of_texts_that_never_ends_is_refused(path, wrong):
    """HDF5 2.2 goes round for ever at a free part of 0 bytes, and at a text whose length leads back to itself."""
    with h5py.File(path, 'w', libver='latest') as file:
        file.create_group('a').attrs['units'] = np.array(['m/s', 'm'], dtype=h5py.string_dtype())
    check_hdf(path)
    data = bytearray(path.read_bytes())
    part = data.index(b'GCOL') + 16
    while not wrong and any(data[part:part + 2]):
        part += 16 + (int.from_bytes(data[part + 8:part + 16], 'little') + 7) // 8 * 8
    data[part + 8:part + 16] = wrong.to_bytes(8, 'little')
    path.write_bytes(data)
    with pytest.raises(InputError, match=f'a part of its texts at byte {part} has {wrong} bytes'):
        check_hdf(path)


def test_links_that_lead_to_one_another_are_no_data(tmp_path):
    path = tmp_path / 'a.nc'
    with h5py.File(path, 'w') as file:
        file['a'], file['b'] = h5py.SoftLink('/b'), h5py.SoftLink('/a')
    with pytest.raises(InputError):
        open_flow(path)
