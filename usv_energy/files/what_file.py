"""What a file is that was given where another is wanted, by its first bytes, and which command reads it."""

import codecs
import re
from pathlib import Path

from usv_energy.files.errors import InputError

FIRST = 1 << 16  # Bytes that are looked at.
LOG, MISSION, FLOW, LAND, BOAT, SCENARIO = 'log', 'mission', 'flow', 'land', 'boat', 'scenario'
COMMANDS = {LOG: 'usv-energy analyze reads it', MISSION: 'usv-energy mission reads it',
            FLOW: 'give it by --current or --wind', LAND: 'give it by --land', BOAT: 'give it by --boat',
            SCENARIO: 'usv-energy run and mission read it'}
SERIES = 'a netCDF file', 'a file of HDF5 (netCDF 4, HEC-RAS, MATLAB 7.3, a sweep)'  # Flows, or any series.
# What files begin with that a command reads: a pattern, what they are, and as what they are read.
READ: tuple[tuple[bytes, str, tuple[str, ...]], ...] = (
    (rb'\xa3\x95', 'a log of ArduPilot', (LOG,)), (rb'ULog', 'a log of PX4', (LOG,)),
    (rb'#ROSBAG V', 'a bag of ROS 1', (LOG,)), (rb'\x89MCAP0\r\n', 'a bag (MCAP)', (LOG,)),
    (rb'SQLite format 3', 'a database of SQLite (a bag of ROS 2, a GeoPackage)', (LOG, LAND)),
    (rb'CDF[\x01\x02\x05]', SERIES[0], (FLOW,)), (rb'\x89HDF', SERIES[1], (FLOW,)),
    (rb'GRIB', 'a GRIB file', (FLOW,)), (rb'II\*\x00|MM\x00\*', 'a raster (GeoTIFF)', (FLOW,)),
    (rb'\x00\x00\x27\x0a', 'a shapefile', (LAND,)),
    (rb'(?i)ncols\s+\d+\s+nrows\s', 'a raster (ESRI ASCII)', (FLOW,)),
    (rb'# vtk DataFile', 'a file of VTK', (FLOW,)),
    (rb'(?i)<(?:!doctype html|html|head|body)\b', 'a web page (HTML)', ()),
    (rb'QGC WPL', 'a mission (waypoints of ArduPilot)', (MISSION,)),
    (rb'LN[SW] +[\d.]+\s', 'a mission (lines of HYPACK)', (MISSION,)),
    (rb'(?s)\{(?=.{0,4000}"fileType"\s*:\s*"Plan")', 'a mission (plan of QGroundControl)', (MISSION,)),
    (rb'(?s)(?:<\?xml[^>]*>\s*|<!--(?:(?!-->).){0,2000}-->\s*)*<(?:\w+:)?route\b[^>]*RTZ',
     'a mission (route of an ECDIS, RTZ)', (MISSION,)),
    (rb'(?:<\?xml[^>]*>\s*)?<(?:gpx|kml)\b', 'a map (GPX, KML)', (LOG, MISSION)),
    (rb'(?:<\?xml[^>]*>\s*)?<TrainingCenterDatabase', 'a track of a watch (TCX)', (LOG,)),
    (rb'(?s)\{(?=.{0,4000}"type"\s*:\s*"Feature)', 'a map (GeoJSON)', (LOG, MISSION, LAND)),
    (rb'(?s)\{(?=.{0,4000}"updates"\s*:)', 'a log (deltas of Signal K)', (LOG,)),
    (rb'[$!][A-Z]{2}[A-Z]{3},', 'a log (sentences of NMEA 0183)', (LOG,)),
    (rb'(?s)%%.{0,2000}?LOG', 'a log of MOOS (.alog)', (LOG,)),
    (rb'\(\d+\.\d+\) +\w*can\d', 'a log of a CAN bus (candump)', (LOG,)),
    (rb'FMT, ?\d+, ?\d+', 'a log of ArduPilot in text', (LOG,)),
    (rb'(?i)!boat,utc,', 'a log of Expedition', (LOG,)),
    (rb'(?s)(?:[\w#].{0,4000}?\n)??(?:thrusters|damping|hull|battery):', 'a boat file', (BOAT,)),
    (rb'(?s)(?:[\w#].{0,4000}?\n)??(?:waypoints|guidance|controller|plant|start|published):', 'a scenario',
     (SCENARIO,)),
    (rb'(?s)(?:[\w#].{0,4000}?\n)??(?:analytic|reader|medium):', 'a flow file', (FLOW,)),
    (rb'base: ', 'a boat file, a scenario or a flow file on top of another', (BOAT, SCENARIO, FLOW)),
    # The first time, the first separator after it: a look ahead is not tried again, so that a long line is read once.
    (rb'(?i)(?=([^\n]*?\b(?:time|date|timestamp)\b))\1(?=([^\n,;\t]*[,;\t]))\2[^\n]*?'
     rb'\b(?:lat|sog|speed|heading|voltage)', 'a table', (LOG,)))
# What other files begin with that nothing reads: bytes, at which place, what they are, and what to do.
UNREAD: tuple[tuple[bytes, int, str, str], ...] = (
    (b'\x1f\x8b', 0, 'compressed by gzip', 'unpack it first: gunzip'),
    (b'BZh', 0, 'compressed by bzip2', 'unpack it first: bunzip2'),
    (b'\xfd7zXZ', 0, 'compressed by xz', 'unpack it first: unxz'),
    (b'\x28\xb5\x2f\xfd', 0, 'compressed by zstd', 'unpack it first: zstd -d'),
    (b'7z\xbc\xaf', 0, 'an archive of 7-Zip', 'unpack it first'), (b'Rar!', 0, 'an archive of RAR', 'unpack it first'),
    (b'PK\x03\x04', 0, 'a ZIP archive or a spreadsheet (.xlsx)', 'unpack it, or save the sheet as CSV'),
    (b'\xd0\xcf\x11\xe0', 0, 'an old spreadsheet or document of Office', 'save the sheet as CSV'),

    (b'3LE1 ', 5, 'a chart cell (S-57)', 'write its land as GeoPackage: ogr2ogr land.gpkg FILE LNDARE'),
    (b'version https://git-lfs.', 0, 'a pointer of Git LFS', 'fetch the file itself: git lfs pull'),
    (b'MATLAB', 0, 'a file of MATLAB', 'write its series as a table: writetable'),
    (b'PAR1', 0, 'a Parquet file', 'write it as CSV'), (b'ARROW1', 0, 'an Arrow file', 'write it as CSV'),
    (b'\x93NUMPY', 0, 'a NumPy array', 'write it as a table (CSV) with a header'),
    (b'.FIT', 8, 'a FIT file of a watch', 'export it as GPX or TCX'),
    (b'ustar', 257, 'an archive (tar)', 'unpack it first: tar -xf'),
    (b'\x80\x04\x95', 0, 'a pickle of Python', 'write it as CSV (to_csv of pandas)'),
    (b'\xd4\xc3\xb2\xa1', 0, 'a capture of a network', 'write the messages in it to a file of their own'),
    (b'\x0a\x0d\x0d\x0a', 0, 'a capture of a network', 'write the messages in it to a file of their own'),
    (b'LOGG', 0, 'a CAN log of Vector (BLF)', 'write it as ASC: can_logconvert of python-can'),
    (b'\x1aE\xdf\xa3', 0, 'a video (Matroska)', 'the log of the boat is another file'),
    (b'ftyp', 4, 'a video', 'the log of the boat is another file'), (b'\x7fELF', 0, 'a program', ''),
    (b'\x89PNG', 0, 'a PNG picture', ''), (b'\xff\xd8\xff', 0, 'a JPEG picture', ''),
    (b'%PDF', 0, 'a PDF document', ''), (b'GIF8', 0, 'a GIF picture', ''),
    (b'\xaa\x44\x12', 0, 'the binary messages of a NovAtel receiver', 'convert it to NMEA 0183 or GPX'),
    (b'\xd3\x00', 0, 'corrections of a base station (RTCM 3)', 'the log of the boat is another file'),
    (b'$@', 0, 'the binary messages of a Septentrio receiver', 'convert it to NMEA 0183 or GPX'),
    (b'OziExplorer Track', 0, 'a track of OziExplorer', 'export it as GPX'),
    (b'header:\n', 0, 'what `ros2 topic echo` prints', 'record a bag (ros2 bag record)'),
    (b'\xb5\x62', 0, 'the binary messages of a u-blox receiver', 'convert it to NMEA 0183 or GPX: gpsbabel, or '
     'u-center'))
LOWRANCE = re.compile(rb'[\x01-\x03]\x00[\x00-\x02]\x00(?:\xb2\x07|\x80\x0c)')
# What is known by its name alone, where the content is bytes: what it is, and what to do.
NAMED = {'.usr': ('waypoints and trails of a Lowrance plotter', 'write it as GPX: gpsbabel -t -i lowranceusr -o gpx'),
         **dict.fromkeys(('.sl2', '.sl3', '.slg'), ('a sonar log of a Lowrance', 'export its track as GPX or CSV'))}


def refuse_other(path: Path, begin: bytes, wanted: str) -> None:
    """
    Refuse a file that is of another kind than is wanted; one that nobody knows passes.

    :param begin: Its first bytes, FIRST of them.
    :param wanted: LOG, MISSION, FLOW, LAND, BOAT or SCENARIO.
    :raises InputError: What it is, and which command reads it, or what to do.
    """
    for mark, at, what, remedy in UNREAD:
        if begin[at:at + len(mark)] == mark:
            raise InputError(_refused(path, what, wanted, remedy))
    binary = b'\0' in begin[:64]
    what, remedy = NAMED.get(path.suffix.lower(), NAMED['.sl2'])
    if LOWRANCE.match(begin) or (binary and path.suffix.lower() in NAMED):
        raise InputError(_refused(path, what, wanted, remedy))
    for plain in (begin, without_utf_16(begin) or b''):
        text = plain.lstrip(b'\xef\xbb\xbf \t\r\n') if plain[:1] in b'\xef \t\r\n' else plain
        for pattern, what, roles in READ:
            if re.match(pattern, text):
                if wanted not in roles:
                    remedy = '; '.join(COMMANDS[role] for role in roles)
                    if wanted == LOG and what in SERIES:
                        remedy = f'if it is a flow, {remedy}; else write its series as a table (CSV)'
                    raise InputError(_refused(path, what, wanted, remedy))
                return
    zeros = [begin[side:400:2].count(0) * 2.5 > len(begin[side:400:2]) for side in (0, 1)]
    if zeros[0] != zeros[1] and without_utf_16(begin) is None and len(begin) > 20:
        raise InputError(_refused(path, 'text in UTF-16 without its mark', wanted, 'save it as UTF-8'))


def refuse_other_file(path: Path, wanted: str) -> None:
    """Refuse a file as `refuse_other`; one that cannot be read passes."""
    try:
        with path.open('rb') as file:
            refuse_other(path, file.read(FIRST), wanted)
    except OSError:
        return


def without_utf_16(begin: bytes) -> bytes | None:
    """Return the beginning of a text in UTF-16 as UTF-8; None where no mark says that it is UTF-16."""
    if not begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None
    return begin.decode('utf-16', 'ignore').encode()


def _refused(path: Path, what: str, wanted: str, remedy: str) -> str:
    read = f'no {wanted} that is read here' if wanted == LOG else f'no {wanted}'
    return f'{path}: is {what}, which is {read}' + (f'; {remedy}' if remedy else f'; give a {wanted}')
