"""What kind of log a file is, by its first bytes, and what to do with one that is none."""

import json
import re
from pathlib import Path
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.files.what_file import FIRST, LOG, refuse_other, without_utf_16
from usv_energy.logs.autopilots.dataflash import is_text_log
from usv_energy.logs.marine.moos import is_alog
from usv_energy.logs.marine.nmea0183 import SENTENCE, has_sentences
from usv_energy.logs.marine.nmea2000 import BINARY, is_bus_dump
from usv_energy.logs.marine.signal_k import is_delta, is_history

(BAG, ROS1_BAG, DATAFLASH, TELEMETRY, ULOG, NMEA, NMEA_2000, SIGNAL_K, MOOS, TRACK, RECORDS, TABLE) = (
    'bag', 'bag of ROS 1', 'dataflash', 'telemetry', 'ulog', 'nmea', 'nmea2000', 'signal_k', 'moos', 'track', 'records',
    'table')
BY_NAME = {'.tlog': TELEMETRY}
DATAFLASH_BEGIN, ULOG_BEGIN, ROS1_BEGIN, MCAP = b'\xa3\x95', b'ULog', b'#ROSBAG V', b'\x89MCAP0\r\n'
SQLITE = b'SQLite format 3'
ANALYZER = re.compile(rb'\d{4}-\d\d-\d\d[T-][\d:.]+Z? +\d +\d+ +\d+ +\d{5,6} ')
IN_SENTENCES = re.compile(rb'\$(?:PCDIN|MXPGN),')  # NMEA 2000 in NMEA 0183.
IGC = re.compile(rb'A[A-Z0-9]{3}[^\n]*\n(?:[A-Z][^\n]*\n){0,60}HFDTE')
INFLUX = re.compile(rb'\S+ [^\s=]+=[^\n]* \d{10,19}\s*\n')  # A measurement, its fields, and the time.
MAVLOGDUMP = re.compile(rb'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [A-Z0-9_]+ \{')


def kind_of(path: Path) -> str:
    """
    Return the kind of a log that is a file and no bag: one of the names at the head of this module.

    :raises InputError: If it cannot be read, is empty, or is what nobody reads here: what it is, and what to do.
    """
    try:
        with path.open('rb') as file:
            begin = file.read(FIRST)
    except OSError as error:
        raise InputError(f'{path}: cannot be read: {error.strerror}') from None
    suffix = path.suffix.lower()
    if suffix in BY_NAME:
        return BY_NAME[suffix]
    for mark, kind in ((DATAFLASH_BEGIN, DATAFLASH), (ULOG_BEGIN, ULOG), (ROS1_BEGIN, ROS1_BAG),
                       (MCAP, BAG), (BINARY, NMEA_2000)):
        if begin.startswith(mark):
            return kind
    if suffix in ('.bin', '.ulg'):
        refuse_other(path, begin, LOG)
        return DATAFLASH if suffix == '.bin' else ULOG
    if suffix == '.kmz':
        return TRACK
    if begin.startswith(SQLITE):
        raise InputError(f'{path}: is a database of SQLite; if it is a bag of ROS 2, its name must end in .db3')
    if suffix == '.db':
        raise InputError(f'{path}: is a database; write its series as a table (CSV)')
    refuse_other(path, begin, LOG)
    if (plain := without_utf_16(begin)) is None:
        return _kind_of_text(path, begin)
    if (kind := _kind_of_text(path, plain)) == NMEA:
        raise InputError(f'{path}: holds sentences of NMEA 0183 in UTF-16; save it as UTF-8')
    return kind


def _kind_of_text(path: Path, begin: bytes) -> str:
    """Return the kind of a log in text."""
    text = begin.lstrip(b'\xef\xbb\xbf \t\r\n')
    lines = text.split(b'\n')
    if IN_SENTENCES.search(begin) and SENTENCE.search(begin) is None:
        return NMEA_2000
    if has_sentences(begin) and _json(lines[0]) is None and (
            sum(map(has_sentences, lines[:200])) * 2 > len(lines[:200]) - 2):
        return NMEA
    if text.startswith(b'<'):
        root = re.search(rb'<([A-Za-z:]+)[\s>]', text.split(b'?>')[-1])
        if root and root[1].split(b':')[-1] in (b'gpx', b'kml', b'TrainingCenterDatabase'):
            return TRACK
        shown = root[1].decode('ascii', 'replace')[:40] if root else '?'
        raise InputError(f'{path}: is XML of {shown!r}, which is no log that is read here; of XML tracks are read: '
                         'gpx, kml, tcx')
    if is_text_log(begin):
        return DATAFLASH
    if is_alog(begin):
        return MOOS
    if text[:1] in (b'{', b'['):
        return _kind_of_json(path, text)
    if any(b'{"' in line and b'"updates"' in line for line in lines[:50]):
        return SIGNAL_K
    if is_bus_dump(text[:4000]):
        return NMEA_2000
    if MAVLOGDUMP.search(text[:4000]):
        raise InputError(f'{path}: is what mavlogdump prints of a log; give the log itself (.bin, .tlog), or its CSV')
    if INFLUX.match(text):
        raise InputError(f'{path}: holds lines of InfluxDB; export it as CSV with a column for each field (pivot() in '
                         'Flux)')
    if IGC.match(text):
        raise InputError(f'{path}: is a flight log (IGC), which is no log that is read here; export it as GPX')
    if ANALYZER.match(text) or text[:10].lower() == b'!boat,utc,':
        return RECORDS
    return TABLE


def _json(line: bytes) -> Any:
    """Return the value of a line; None where it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _kind_of_json(path: Path, text: bytes) -> str:
    """Return the kind of a log in JSON: a whole document, or a value a line."""
    one, second = (_json(line) for line in [*text.split(b'\n', 2), b''][:2])
    if is_delta(one) or is_delta(second) or is_history(text) or (one is None and b'"updates"' in text[:4000]):
        return SIGNAL_K
    head = text[:4000]
    if re.search(rb'"type"\s*:\s*"(Feature|FeatureCollection|LineString|Point|MultiLineString|GeometryCollection)"',
                 head):
        return TRACK
    return RECORDS
