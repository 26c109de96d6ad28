"""
A log from an .alog file of MOOS-IvP: time, variable, node and value on a line.

Source: MOOS-IvP, the alog toolbox (https://oceanai.mit.edu/ivpman), and pLogger's files.
"""

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from usv_energy.earth import towards_of
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import open_text
from usv_energy.logs.assemble import Source
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.streams import Stream, gathered, log_of_streams

# Variables by what they are; the first of several that a file has is taken. Headings are degrees clockwise from north;
# a NAV_YAW is in radians, counter-clockwise from north.
VARIABLES = {
    'x': ('NAV_X',), 'y': ('NAV_Y',), 'longitude': ('NAV_LONG', 'NAV_LON', 'GPS_LONGITUDE'),
    'latitude': ('NAV_LAT', 'GPS_LATITUDE'), 'speed': ('NAV_SPEED_OVER_GROUND', 'NAV_SPEED', 'GPS_SPEED'),
    'course': ('NAV_HEADING_OVER_GROUND', 'NAV_COG', 'GPS_HEADING'),
    'yaw': ('NAV_HEADING', 'COMPASS_HEADING', 'NAV_YAW'),
    'volts': ('BATTERY_VOLTAGE', 'M200_BATT_VOLTAGE', 'BATT_VOLTAGE', 'VOLTAGE'),
    'amperes': ('BATTERY_CURRENT', 'BATT_CURRENT', 'CURRENT_AMPS'),
    'wind_speed': ('WIND_SPEED', 'TRUE_WIND_SPEED'), 'wind_direction': ('WIND_DIR', 'WIND_DIRECTION', 'TRUE_WIND_DIR')}
KEPT = {'desired_thrust_percent': 'DESIRED_THRUST', 'desired_rudder_deg': 'DESIRED_RUDDER',
        'desired_speed_m_s': 'DESIRED_SPEED', 'desired_heading_deg': 'DESIRED_HEADING'}
TURNED = {'yaw': towards_of, 'course': towards_of, 'wind_direction': lambda degrees: towards_of(degrees, True)}
START = re.compile(r'%%\s*LOGSTART\s+([0-9.]+)')
LINE = re.compile(r'\s*(-?[0-9.]+)\s+(\S+)\s+(\S+)\s+(-?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*$')
OF_GPS = re.compile(r'\w*GPS\w*_(?:HEADING|COG|COURSE|TRACK)\w*|GPS_HEADING')  # A course over ground, whatever it says.
SAME = 0.9  # Share of the headings that a GPS said from which on they are its courses.
NAMES = 12


def is_alog(begin: bytes) -> bool:
    """Return whether the first bytes of a file are those of an .alog."""
    return begin.lstrip().startswith(b'%%') and b'LOG' in begin[:2000]


def read_alog(path: Path, max_gap: float | None = None,
              progress: Callable[[int], None] = lambda lines: None) -> Log:
    """
    Return the log in an .alog file.

    :param path: The file.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param progress: Called now and then with the number of lines read.
    :raises InputError: If it has no position and no speed.
    """
    rows, nodes, start, lines = _variables(path, progress)
    if not lines:
        raise InputError(f'{path}: is no .alog of MOOS: no line has time, variable, node and a number')
    chosen = {name: found for name, names in VARIABLES.items() if (found := next((one for one in names if one in rows),
                                                                                 None)) is not None}
    notes = [Note(INFO, 'variables', 'variables of MOOS: ' + ', '.join(
        f'{variable} of {nodes[variable]}' for variable in chosen.values()))]
    if 'yaw' in chosen and (receiver := _receiver_of(chosen['yaw'], rows)):
        notes.append(Note(WARNING, 'heading_is_course', f'{chosen["yaw"]} is {receiver}, a course over ground: it is '
                          'taken as such, and no heading was recorded'))
        heading = chosen.pop('yaw')
        chosen.setdefault('course', heading)
    turned = {**TURNED, 'yaw': lambda yaw: yaw + 0.5 * math.pi} if chosen.get('yaw') == 'NAV_YAW' else TURNED
    streams = gathered({name: rows[variable] for name, variable in chosen.items()}, turned)
    streams = {name: Stream(one.time + start, one.values, chosen[name]) for name, one in streams.items()}
    extra = {name: Stream(one.time + start, one.values) for name, one in
             gathered({name: rows[variable] for name, variable in KEPT.items() if variable in rows}).items()}
    if not streams:
        raise InputError(f'{path}: has neither NAV_X, NAV_LAT nor NAV_SPEED. There are: '
                         f'{", ".join(sorted(rows)[:NAMES])}{" ..." if len(rows) > NAMES else ""}')
    return log_of_streams(streams, Source(path.stem, path, max_gap, tuple(notes)), extra=extra)


def _receiver_of(heading: str, rows: Mapping[str, list[tuple[float, float]]]) -> str:
    """Return the variable of a GPS whose courses a heading repeats; empty where it is one of its own."""
    values = [value for _, value in rows[heading]]
    for name, said in rows.items():
        courses = {value for _, value in said}
        if name != heading and OF_GPS.fullmatch(name) and (
                sum(value in courses for value in values) > SAME * len(values)):
            return name
    return ''


def _variables(path: Path, progress: Callable[[int], None],
               ) -> tuple[dict[str, list[tuple[float, float]]], dict[str, str], float, int]:
    """Return times and values of the wanted variables, the nodes that wrote them, when the log began, and its lines."""
    wanted = frozenset(name for names in VARIABLES.values() for name in names) | frozenset(KEPT.values())
    rows: dict[str, list[tuple[float, float]]] = {}
    nodes: dict[str, str] = {}
    start, count = 0.0, 0
    with open_text(path) as file:
        for line in file:
            if line.startswith('%'):
                if (found := START.match(line)) is not None:
                    start = float(found[1]) if found[1].count('.') < 2 else 0.0
                continue
            if (said := LINE.match(line)) is None:
                continue
            count += 1
            if count % 100_000 == 0:
                progress(count)
            if said[2] in wanted or OF_GPS.fullmatch(said[2]):
                try:
                    rows.setdefault(said[2], []).append((float(said[1]), float(said[4])))
                except ValueError:
                    continue
                nodes[said[2]] = said[3]
            else:
                rows.setdefault(said[2], [])
    return {name: found for name, found in rows.items() if found or name not in wanted}, nodes, start, count
