"""
Limits of what is read from files and taken from other processes, and text made safe to show.

Every reader takes its limits from here. A limit is far above what a boat, a mission or a day of logging needs, and low
enough that no file ends a reader by its time (10 s for what is refused) or its memory (1 GB).
"""

import lzma
import re
import stat
import unicodedata
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from usv_energy.files.errors import InputError

YAML_BYTES = 8 << 20            # Of a YAML file, which people write.
YAML_NODES = 250_000            # Keys, values and lists of a YAML file, each alias counted as what it stands for.
DOCUMENT_BYTES = 128 << 20      # Of a JSON or XML file.
DOCUMENT_ELEMENTS = 8_000_000   # Commas, lists and mappings of JSON.
XML_ELEMENTS, XML_ATTRIBUTES = 1_000_000, 1000     # Of a file, and of one of its elements.
DEPTH = 64                      # Lists and mappings in one another, and elements of XML.
BASES = 20                      # Files of which each is the base of the one before.
DIGITS = 18                     # Of a whole number: as many as a stamp in nanoseconds has.
LARGEST, SMALLEST = 1e15, 1e-30     # Magnitudes of numbers in a file that people write, in SI units; 0 is allowed.
RASTER_CELLS = 1 << 26       # Of one band of a GeoTIFF.
NETCDF_VARIABLES = 2000         # A model writes some hundred.
PROJECTION_BYTES = 1_000_000    # Of a .prj file.
PART_BYTES = 64 << 20           # Of one part of a file after it is decompressed.
# What zipfile raises for damaged and encrypted archives, and for unknown compression methods.
ARCHIVE_ERRORS = (BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError)
UNPACKED_BYTES, UNPACKED_RATIO = 256 << 20, 100     # Of all parts together: as many, or this many times the packed.
SECONDS = 10.0 * 365.25 * 86400.0   # Of a run, a plan and a log, s.
LOGGED = 1e9    # Magnitude of a value in a log, an odometry, a request and a node's parameter, in SI units and degrees.
MANEUVER_STEPS = 150_000    # Of its integration, which take 10 s.
SHORTEST_STEP = 1e-4            # Of a simulation, s.
PERIOD = 600.0                  # Between the samples of a log, s.
LOGGED_PARAMETERS = 50_000      # Names of a log of ArduPilot; a vehicle has some 1500.
# Points of one request to a service: each is answered in half a second, after which others are served.
FLOW_POINTS, SURFACE_POINTS_ASKED = 100_000, 5_000
PICTURE_ACROSS, SURFACE_ACROSS = 1000, 200     # Points across a cloud that is published once, or again and again.
MOST_HOMES = 100                # Places of a request of set_home.
MOST_PARAMETERS = 1000          # Of a request to a node's parameters.
ULOG_FIELDS = 65_535            # Of a message of PX4, which has no more bytes.
NAME = 200                      # Characters of a name that are shown.

# Largest magnitudes of a boat's and a scenario's numbers by their unit; a supertanker has less.
RANGES: Mapping[str, float] = {
    'm': 1e7, 'm^2': 1e6, 'm^3': 1e7, 'm/s': 100.0, 'm/rad': 1e4, 'rad': 1e3, 'deg': 3600.0, 's': SECONDS,
    'kg': 1e9, 'kg m': 1e12, 'kg m^2': 1e14, 'kg/m^3': 1e5, 'N': 1e9, 'N m': 1e12, 'W': 1e9, 'Wh': 1e10, 'J': 1e14,
    'V': 1e6, 'A': 1e6, 'Ah': 1e8, 'Ohm': 1e6, 'degC': 1000.0, 'Hz': 1e9,
    'N s/m': 1e9, 'N s^2/m^2': 1e9, 'N s/rad': 1e11, 'N s': 1e11, 'N m s/rad': 1e14, 'N m s^2/rad^2': 1e14,
    'N s^2/(m rad)': 1e11, 'N s^2/m': 1e11, 'N s^2/rad': 1e14, 'N m/rad': 1e12, 'N/m': 1e9}
CURRENT_SPEED, WIND_SPEED = 20.0, 120.0     # m/s, of what flows; no sea and no storm has more.
BOAT_SPEED = 0.001, 100.0                   # m/s, ordered.
MOST_CELLS = 100_000                        # In a string of a battery, and strings side by side.
TURN = 720.0                                # deg, of a direction on the command line.

# Control characters but tab and line ends, half surrogates, and marks that change the direction of text.
_UNSAFE = re.compile('[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]')
_NOT_SHOWN = re.compile(rf'{_UNSAFE.pattern}|[\u061c\u200e\u200f\u2028\u2029]|\r(?!\n)')
_FORMULA = ('=', '+', '-', '@', '\t', '\r')


def safe_text(text: str) -> str:
    r"""
    Return a text with nothing that a terminal or a page would obey: control characters are shown as `\\x1b`.

    Tabs and line ends stay. Half surrogates, which cannot be encoded, marks that change the direction of text and a
    carriage return within a line, which would let the rest overwrite it, are shown by their numbers, too.
    """
    return _NOT_SHOWN.sub(lambda found: found[0].encode('unicode_escape').decode(), text)


def safe_name(text: str) -> str:
    """Return a name from a file or a message as one short line, as `safe_text`."""
    name = ' '.join(safe_text(text).split())
    return name if len(name) <= NAME else f'{name[:NAME - 3]}...'


def safe_cell(text: str) -> str:
    """Return a text as a cell of a table that no spreadsheet takes for a formula: after an apostrophe if it must be."""
    cell = safe_text(text)
    return f"'{cell}" if cell.lstrip(' \n').startswith(_FORMULA) else cell


def check_text(text: str, source: object) -> None:
    """
    Check that a text has no control characters but tabs and line ends.

    :param source: The file, and perhaps the key.
    :raises InputError: If it has one: which.
    """
    if found := _UNSAFE.search(text):
        code = ord(found[0])
        kind = 'half a character' if unicodedata.category(found[0]) == 'Cs' else 'the control character'
        raise InputError(f'{source} has {kind} U+{code:04X} in {safe_name(text[:40])!r}; must be plain text')


def check_has_end(path: Path) -> None:
    """
    Check that a path is no device, pipe or socket: these give bytes for ever, or none for ever, and only once.

    :param path: A file or a folder, or a path where there is neither.
    :raises InputError: If it is.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return      # Whoever opens it says why.
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        kind = 'pipe' if stat.S_ISFIFO(mode) else 'socket' if stat.S_ISSOCK(mode) else 'device'
        raise InputError(f'{path}: is a {kind}; must be a file: save what comes out of it as one')


def check_bytes(path: Path, most: int, kind: str) -> None:
    """
    Check the size of a file before it is read whole.

    :param most: Largest number of bytes.
    :param kind: What it is, for the message: `a mission`.
    :raises InputError: If it is larger, or is no file; if it cannot be read: the system's reason.
    """
    check_has_end(path)
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(f'{path}: cannot be read: {error.strerror}') from None
    if size > most:
        raise InputError(f'{path}: has {size / 1e6:.0f} MB; {kind} may have {most / 1e6:.0f} MB at most')


def check_magnitude(value: float, where: str) -> None:
    """
    Check that a number of a file is 0 or of a magnitude that a quantity has.

    :param where: File and key, for the message.
    :raises InputError: If it is not finite, too large or too small.
    """
    size = abs(value)
    if SMALLEST <= size <= LARGEST or value == 0:
        return
    if isinstance(value, int):
        digits = len(str(size)) if size < 10**4000 else 'thousands of'
        raise InputError(f'{where} is a whole number of {digits} digits; must be at most {LARGEST:g}')
    if size == size and size != float('inf'):
        raise InputError(f'{where} is {value:g}; must be 0, or from {SMALLEST:g} to {LARGEST:g} in magnitude')
    raise InputError(f'{where} is {value}; must be a finite number')


def check_depth(document: Any, source: object) -> None:
    """Raise InputError if lists and mappings lie in one another more than DEPTH deep."""
    level = [document]
    for _ in range(DEPTH + 1):
        level = [inner for node in level if isinstance(node, dict | list)
                 for inner in (node.values() if isinstance(node, dict) else node) if isinstance(inner, dict | list)]
        if not level:
            return
    raise InputError(f'{source}: lists and mappings lie more than {DEPTH} deep in one another')


class Unpacked:
    """Counts what is unpacked of a file, and refuses parts and sums that only a bomb has."""

    def __init__(self, path: Path) -> None:
        """Take the file's path, for errors."""
        self._path = path
        self._packed = self._unpacked = 0

    def check(self, packed: int, unpacked: int) -> None:
        """
        Check one part before it is unpacked, or when its size is known.

        :param packed: Bytes in the file.
        :param unpacked: Bytes after decompression, as the file says or as was found.
        :raises InputError: If the part, or all parts together, are too large.
        """
        self._packed += packed
        self._unpacked += unpacked
        if unpacked > PART_BYTES:
            raise InputError(f'{self._path}: a part of it has {unpacked / 1e6:.0f} MB unpacked; must be at most '
                             f'{PART_BYTES / 1e6:.0f} MB')
        if self._unpacked > max(UNPACKED_BYTES, UNPACKED_RATIO * self._packed):
            raise InputError(f'{self._path}: unpacks to more than {UNPACKED_RATIO} times its size, '
                             f'{self._unpacked / 1e6:.0f} MB so far; no recording does')
