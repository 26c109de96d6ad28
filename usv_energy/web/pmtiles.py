"""Pictures of a PMTiles file, version 3: a map in one file, https://github.com/protomaps/PMTiles/blob/main/spec/v3."""

import struct
import zlib
from pathlib import Path
from typing import BinaryIO, NamedTuple

from usv_energy.files.errors import InputError

HEADER = 127                    # Bytes.
MAGIC = b'PMTiles\x03'
NONE, GZIP = 1, 2               # Compressions.
PICTURES = (2, 3, 4)            # Types of tiles: PNG, JPEG, WebP.
DIRECTORY_BYTES = 4 << 20       # Of one directory, unpacked.
TILE_BYTES = 4 << 20
DIRECTORIES = 4                 # In one another, at most.


class _Entry(NamedTuple):
    """Tiles in a row with one content: the first id, how many, and where it lies; 0 of them: a directory lies there."""

    tile: int
    run: int
    offset: int
    length: int


def read_pmtile(path: Path, z: int, x: int, y: int) -> bytes | None:
    """
    Return a picture of a PMTiles file; None if it has none there.

    :param z: Zoom; `x` and `y`: column from the west and row from the north.
    :raises InputError: If it is no such file, holds no pictures, or is damaged.
    """
    try:
        with path.open('rb') as file:
            return _tile(file, path.name, tile_id(z, x, y))
    except (struct.error, zlib.error, IndexError, OSError, OverflowError) as error:
        raise InputError(f'{path.name}: is a damaged PMTiles file: {error}') from None


def corners_of_pmtiles(path: Path) -> list[tuple[float, float]]:
    """Return the south-western and the north-eastern corner that the header says, degrees north and east."""
    with path.open('rb') as file:
        head = file.read(HEADER)
    if not head.startswith(MAGIC) or len(head) < HEADER:
        raise InputError(f'{path.name}: is no PMTiles file of version 3')
    west, south, east, north = (value / 1e7 for value in struct.unpack('<4i', head[102:118]))
    return [(south, west), (north, east)]


def tile_id(z: int, x: int, y: int) -> int:
    """Return a tile's number: those of all lower zooms, then along the Hilbert curve of its zoom."""
    number = ((1 << 2 * z) - 1) // 3
    side = 1 << z >> 1
    while side:
        right, low = int(bool(x & side)), int(bool(y & side))
        number += side * side * (3 * right ^ low)
        if not low:
            if right:
                x, y = side - 1 - x, side - 1 - y
            x, y = y, x
        side >>= 1
    return number


def _tile(file: BinaryIO, name: str, wanted: int) -> bytes | None:
    head = file.read(HEADER)
    if not head.startswith(MAGIC):
        raise InputError(f'{name}: is no PMTiles file of version 3')
    root, root_length, _, _, leaves, _, tiles, _ = struct.unpack('<8Q', head[8:72])
    packing, tile_packing, kind = head[97], head[98], head[99]
    if kind not in PICTURES or tile_packing not in (0, NONE):
        raise InputError(f'{name}: holds vectors; must hold pictures: PNG, JPEG or WebP')
    place, length = root, root_length
    for _ in range(DIRECTORIES):
        entry = _entry_of(_directory(_read(file, place, length, DIRECTORY_BYTES, name), packing, name), wanted)
        if entry is None:
            return None
        if entry.run:
            return _read(file, tiles + entry.offset, entry.length, TILE_BYTES, name)
        place, length = leaves + entry.offset, entry.length
    raise InputError(f'{name}: its directories lie more than {DIRECTORIES} deep in one another')


def _read(file: BinaryIO, place: int, length: int, most: int, name: str) -> bytes:
    if length > most:
        raise InputError(f'{name}: a part of it has {length / 1e6:.0f} MB; must be at most {most / 1e6:.0f} MB')
    file.seek(place)
    return file.read(length)


def _directory(content: bytes, packing: int, name: str) -> list[_Entry]:
    """Return the entries of a directory: their ids, runs, lengths and offsets, column by column, as varints."""
    if packing == GZIP:
        unpacked = zlib.decompressobj(zlib.MAX_WBITS | 16)
        content = unpacked.decompress(content, DIRECTORY_BYTES)
        if unpacked.unconsumed_tail:
            raise InputError(f'{name}: a directory of it unpacks to more than {DIRECTORY_BYTES / 1e6:.0f} MB')
    elif packing != NONE:
        raise InputError(f'{name}: its directories are packed in a way that is not read; must be gzip, or none')
    numbers = _varints(content)
    count = numbers[0]
    if len(numbers) < 1 + 4 * count:
        raise InputError(f'{name}: a directory of it ends early')
    steps, runs, lengths, offsets = (numbers[1 + part * count:1 + (part + 1) * count] for part in range(4))
    entries: list[_Entry] = []
    tile = 0
    for step, run, length, offset in zip(steps, runs, lengths, offsets):
        tile += step
        follows = offset == 0 and bool(entries)     # Right behind the one before.
        entries.append(_Entry(tile, run, entries[-1].offset + entries[-1].length if follows else offset - 1, length))
    return entries


def _varints(content: bytes) -> list[int]:
    """Return numbers of seven bits a byte, the lowest first; a byte from 128 on has a next one."""
    found, number, shift = [], 0, 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(number)
            number, shift = 0, 0
        elif shift > 63:
            raise IndexError('a number of it has no end')
    return found


def _entry_of(entries: list[_Entry], wanted: int) -> _Entry | None:
    """Return the entry that holds a tile, or the directory in which it may be."""
    before = [entry for entry in entries if entry.tile <= wanted]
    if not before or (before[-1].run and wanted >= before[-1].tile + before[-1].run):
        return None
    return before[-1]
