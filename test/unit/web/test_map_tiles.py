"""Tiles come from the sets of the served folder, and from nowhere else."""

import sqlite3
import struct

import pytest

from usv_energy.files.errors import InputError
from usv_energy.web.folder import offer

NEEDS = ('nicegui',)
PNG, JPEG = b'\x89PNG tile', b'\xff\xd8\xff tile'


@pytest.fixture
def tiles(tmp_path):
    """Return the module, with a served folder that holds a set as MBTiles and one as a folder, and a file beside it."""
    from usv_energy.web import map_tiles
    folder = tmp_path / 'served'
    (folder / 'chart' / '3' / '4').mkdir(parents=True)
    (folder / 'chart' / '3' / '4' / '2.png').write_bytes(PNG)
    (folder / 'chart' / '3' / '4' / '1.png').symlink_to(tmp_path / 'secret.png')
    (folder / 'logs' / 'june').mkdir(parents=True)
    (tmp_path / 'secret.png').write_bytes(PNG)
    with sqlite3.connect(folder / 'lake.mbtiles') as base:
        base.execute('CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB)')
        base.execute('INSERT INTO tiles VALUES (3, 4, 5, ?)', (JPEG,))     # The row counts from the south: 7 - 2.
        base.execute('CREATE TABLE metadata (name TEXT, value TEXT)')
        base.execute("INSERT INTO metadata VALUES ('bounds', '9.5,45.6,9.6,45.7')")
    (folder / 'broken.mbtiles').write_bytes(b'no base')
    offer(folder.resolve())
    yield map_tiles
    offer(tmp_path / 'none')


def test_sets_are_found(tiles):
    assert tiles.tile_sets() == ['broken.mbtiles', 'lake.mbtiles', 'chart']


def test_the_corners_of_a_set_are_those_that_it_says(tiles):
    header = b'PMTiles\x03'.ljust(102, b'\0') + struct.pack('<4i', -700000000, 400000000, -699000000, 401000000)
    (tiles.offered_folder('') / 'sea.pmtiles').write_bytes(header.ljust(127, b'\0'))
    (tiles.offered_folder('') / 'short.pmtiles').write_bytes(header)
    (tiles.offered_folder('') / 'silent.pmtiles').write_bytes(b'PMTiles\x03'.ljust(127, b'\0'))
    assert tiles.corners_of_tiles('lake.mbtiles') == [(45.6, 9.5), (45.7, 9.6)]
    assert tiles.corners_of_tiles('sea.pmtiles') == [(40.0, -70.0), (40.1, -69.9)]
    for name in ('chart', 'broken.mbtiles', 'short.pmtiles', 'silent.pmtiles', 'gone.mbtiles', '../lake.mbtiles'):
        assert tiles.corners_of_tiles(name) == []


def test_rows_count_from_the_north_in_both(tiles):
    assert tiles.read_tile('lake.mbtiles', 3, 4, 2) == JPEG
    assert tiles.read_tile('chart', 3, 4, 2) == PNG
    assert tiles.read_tile('lake.mbtiles', 3, 4, 5) is None and tiles.read_tile('chart', 3, 4, 3) is None


@pytest.mark.parametrize(('name', 'place'), [
    ('../lake.mbtiles', (3, 4, 2)), ('..', (3, 4, 2)), ('logs', (3, 4, 2)), ('chart/3', (3, 4, 2)), ('', (3, 4, 2)),
    ('/etc', (3, 4, 2)), ('broken.mbtiles', (3, 4, 2)), ('chart', (3, 8, 2)), ('chart', (-1, 0, 0)),
    ('chart', (99, 0, 0))])
def test_nothing_else_is_a_tile(tiles, name, place):
    with pytest.raises(InputError):
        tiles.read_tile(name, *place)


def test_a_link_that_leads_out_is_no_tile(tiles):
    assert tiles.read_tile('chart', 3, 4, 1) is None
