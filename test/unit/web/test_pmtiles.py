"""PMTiles: numbers of tiles as published, and a file written here after the specification."""

import gzip
import struct
from itertools import pairwise

import pytest

from usv_energy.files.errors import InputError
from usv_energy.web.pmtiles import read_pmtile, tile_id


@pytest.mark.parametrize(('place', 'number'), [
    ((0, 0, 0), 0), ((1, 0, 0), 1), ((1, 0, 1), 2), ((1, 1, 1), 3), ((1, 1, 0), 4), ((2, 0, 0), 5),
    ((12, 3423, 1763), 19078479)])
def test_tiles_are_numbered_as_the_specification_says(place, number):
    """The table of the specification, version 3, section 4.1."""
    assert tile_id(*place) == number


@pytest.mark.parametrize('z', [1, 2, 5])
def test_the_numbers_of_a_zoom_are_a_curve_through_all_its_tiles(z):
    """Each number once, and each tile beside the one before: Hilbert's."""
    order = sorted((tile_id(z, x, y), x, y) for x in range(1 << z) for y in range(1 << z))
    assert [number for number, _, _ in order] == list(range((4 ** z - 1) // 3, (4 ** (z + 1) - 1) // 3))
    assert all(abs(x - a) + abs(y - b) == 1 for (_, x, y), (_, a, b) in pairwise(order))


def varint(number):
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def directory(entries):
    """Return a packed directory of (id, run, length, offset)."""
    ids = [entry[0] for entry in entries]
    columns = [[b - a for a, b in zip([0, *ids], ids)], *([entry[part] + (part == 3) for entry in entries]
                                                          for part in (1, 2, 3))]
    return gzip.compress(b''.join([varint(len(entries)), *(varint(value) for column in columns for value in column)]))


def written(path, root, leaves=b'', tiles=b'', kind=2, magic=b'PMTiles\x03'):
    head = magic + struct.pack('<8Q', 127, len(root), 0, 0, 127 + len(root), len(leaves),
                               127 + len(root) + len(leaves), len(tiles))
    path.write_bytes(head.ljust(97, b'\0') + bytes([2, 1, kind]) + b'\0' * 27 + root + leaves + tiles)
    return path


def test_a_tile_is_found_by_way_of_a_leaf_and_in_a_run(tmp_path):
    leaf = directory([(tile_id(2, 0, 0), 3, 4, 3), (tile_id(2, 3, 3), 1, 3, 0)])
    root = directory([(0, 1, 3, 0), (tile_id(2, 0, 0), 0, len(leaf), 0)])
    path = written(tmp_path / 'lake.pmtiles', root, leaf, b'onefour')
    assert read_pmtile(path, 0, 0, 0) == b'one' == read_pmtile(path, 2, 3, 3)
    assert {read_pmtile(path, 2, *place) for place in ((0, 0), (1, 0), (1, 1))} == {b'four'}
    assert read_pmtile(path, 2, 0, 1) is None and read_pmtile(path, 1, 0, 0) is None


@pytest.mark.parametrize(('change', 'sentence'), [
    ({'magic': b'PMTiles\x02'}, 'of version 3'), ({'kind': 1}, 'holds vectors'), ({'root': b'no gzip'}, 'damaged'),
    ({'root': gzip.compress(varint(9))}, 'ends early'), ({'root': gzip.compress(b'\xff' * 20)}, 'damaged'),
    ({'root': gzip.compress(bytes(5 << 20))}, 'unpacks to more than'), ({'root': b''}, 'damaged'),
    ({'root': directory([(0, 1, 5 << 20, 0)])}, 'must be at most'),
    ({'root': (loop := directory([(0, 0, 27, 0)])), 'leaves': loop}, '.')])
def test_what_is_no_map_of_pictures_is_refused(tmp_path, change, sentence):
    with pytest.raises(InputError, match=sentence):
        read_pmtile(written(tmp_path / 'x.pmtiles', **{'root': directory([(0, 1, 3, 0)]), 'tiles': b'one', **change}),
                    0, 0, 0)
