"""Check an HDF5 file (netCDF4, HEC-RAS) before anything of it is read: it may lead to other files, or be a bomb."""

import mmap
from pathlib import Path

import h5py

from usv_energy.files.errors import InputError

MOST_OBJECTS = 10_000       # Groups and data sets of a file.
HEAP = b'GCOL\x01'          # How a heap of attributes' texts begins.
HEAPS_WITHIN = 64 << 20     # Bytes at both ends of a file in which heaps are looked for.
CLAIMED_BYTES, CLAIMED_RATIO = 1 << 30, 1000    # A data set may be as large, or as many times what is stored of it.


def check_hdf(path: Path) -> None:
    """
    Check that all data of an HDF5 file are in it, and that it does not claim more than it holds.

    Links to other files are refused, since they would be followed to any file of this machine, and so are data sets
    whose values stand in other files.

    :raises InputError: If it is not so: file and object. If the file is damaged.
    :raises OSError: If HDF5 cannot open it.
    """
    with h5py.File(path, 'r') as file:
        try:
            if file.id.get_create_plist().get_sizes()[1] == 8:
                _check_heaps(path)
            _check_objects(file, path)
        except (RuntimeError, KeyError, ValueError, TypeError, OSError) as error:   # By the damage.
            raise InputError(f'{path}: is a damaged HDF5 file: {error}') from None


def _check_heaps(path: Path) -> None:
    """Check the heaps of attributes' texts: HDF5 2.2 goes round for ever where one's next part is no further on."""
    with path.open('rb') as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for begin, end in ((0, HEAPS_WITHIN), (max(HEAPS_WITHIN, len(data) - HEAPS_WITHIN), len(data))):
            at = begin - 1
            while (at := data.find(HEAP, at + 1, end)) >= 0:
                here, last = at + 16, min(len(data), at + int.from_bytes(data[at + 8:at + 16], 'little'))
                while here + 16 <= last:
                    used, length = any(data[here:here + 2]), int.from_bytes(data[here + 8:here + 16], 'little')
                    if (length == 0 and not used) or length >= 1 << 63:
                        raise ValueError(f'a part of its texts at byte {here} has {length} bytes')
                    here += 16 + (length + 7) // 8 * 8 if used else length


def _check_objects(file: h5py.File, path: Path) -> None:
    waiting: list[tuple[str, h5py.Group]] = [('', file['/'])]
    seen = {h5py.h5o.get_info(file['/'].id).addr}
    while waiting:
        where, group = waiting.pop()
        for name in group:
            place = f'{where}/{name}'
            link = group.get(name, getlink=True)
            if isinstance(link, h5py.ExternalLink):
                raise InputError(f'{path}: {place} is a link to the file {link.filename!r}; must be in this file')
            if not isinstance(link, h5py.HardLink):
                continue    # A soft link leads to an object of this file, or to an external link, which is refused.
            item = group[name]
            address = h5py.h5o.get_info(item.id).addr
            if address in seen:
                continue
            seen.add(address)
            if len(seen) > MOST_OBJECTS:
                raise InputError(f'{path}: has more than {MOST_OBJECTS} groups and data sets')
            if isinstance(item, h5py.Group):
                waiting.append((place, item))
            elif isinstance(item, h5py.Dataset):
                _check_data(item, place, path)


def _check_data(data: h5py.Dataset, place: str, path: Path) -> None:
    if data.is_virtual or data.external:
        raise InputError(f'{path}: {place} has its values in other files; must be in this file')
    claimed, stored = (data.size or 0) * data.dtype.itemsize, data.id.get_storage_size()
    if claimed > CLAIMED_BYTES and claimed > CLAIMED_RATIO * stored:
        raise InputError(f'{path}: {place} has {claimed / 1e9:.1f} GB, of which {stored / 1e6:.1f} MB are stored; is '
                         'the file whole?')
