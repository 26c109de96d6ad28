"""
What the columns of a table hold, by the words of its header and by the motion that they record.

What a header does not say (knots or m/s, degrees or radians, clockwise from north or counter-clockwise from east, to
port or to starboard) is told by the other columns: positions say how fast and whereto the boat went. What nothing tells
is not taken, and named; where the energy needs it, it is asked for.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import metres_per_degree
from usv_energy.files.errors import InputError, counted
from usv_energy.logs.derive import unwrapped, yaw_of_quaternions
from usv_energy.logs.log import INFO, WARNING, Note
from usv_energy.logs.tables.column_map import APPARENT, CALENDAR, FROM_BOW, QUANTITIES, UNITS
from usv_energy.logs.tables.csv_log import NO_HEADING, seconds_of_texts
from usv_energy.logs.tables.header_words import OF_MAVLINK, YAW_OF_MAVLINK, Meaning
from usv_energy.logs.tables.ways import ALIKE, Ways, are_exchanged, ways_of

NAMED, VALUES, MOTION, CUSTOM = 'the header says so', 'its values say so', 'the motion says so', 'by custom'
# Least time since 1970 in units, s below; counts of 100 ns are since 1601 (FILETIME) or the year 1 (.NET).
EARTH_EPOCHS = ((7e17, 'ns'), (1e17, '100ns'), (1e14, 'us'), (1e11, 'ms'))
EXCEL_DAYS = (2e4, 8e4)   # Days since 1900, of the years 1954 to 2119, that a spreadsheet writes for a date.
LONGEST_PERIOD = 60.0     # s: between samples of a log.
IN_A_TURN = 2.02 * math.pi  # rad: larger angles are degrees, or go on after a turn.
LEAST_SENT = 1000.0   # mV: of a battery; less are V.
SPEEDS = ('m/s', 'kn', 'km/h', 'mph', 'cm/s', 'mm/s')
TURNED = 0.3          # rad: the least that a heading must turn in all for its yaw rate's unit and sign to show.
FITS = 0.8            # Mean cosine between a heading and the way made good from which on they go together.
# What says the same as a wind that is counted from the bow, or is not counted along axes.
RIVAL_OF = {'wind_speed': 'wind_x', 'current_speed': 'current_x', FROM_BOW[0]: 'wind_x', APPARENT[0]: 'wind_x'}
IN_FRAME = {'enu': 'from east counter-clockwise', 'ned': 'from north clockwise'}
APART = 0.05          # By which one way to read a heading must fit better than another.


class Finding(NamedTuple):
    """A column: its header, what it is taken for ('' for nothing), in words with its unit, and how that is known."""

    header: str
    quantity: str
    text: str
    how: str

    @property
    def sentence(self) -> str:
        """The finding as one line."""
        return f'{self.header!r}: {self.text} ({self.how})'


@dataclass
class Recognised:
    """
    What was recognised of a table.

    `document`: as the file of a column map has it; `findings`: of each column that is taken, or says something;
    `questions`: what must be said before the energy is known; `table`: the columns that are used; `hemispheres`: those
    that hold N and S, E and W, by latitude and longitude; `takes_map`: whether a column map reads such a file, too.
    """

    path: Path
    document: dict[str, Any]
    findings: list[Finding] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    table: dict[str, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    hemispheres: Mapping[str, str] = field(default_factory=dict)
    takes_map: bool = True

    def take(self, quantity: str, header: str, unit: str, how: str, **more: Any) -> None:
        """Take a column for a quantity."""
        self.document['columns'][quantity] = {'column': header, 'unit': unit, **more}
        words = {**IN_FRAME, 'flu': 'to port', 'frd': 'to starboard'}.get(more.get('frame', ''), '')
        extra = f', {words}' if words and quantity in ('yaw', 'course', 'r', 'v', 'orientation_w') else ''
        extra += {True: ', where it flows to', False: ', where it comes from'}.get(more.get('towards', ''), '')
        extra += ', turned round' if more.get('sign') == -1 else ''
        self.findings.append(Finding(header, quantity, f'{quantity} in {unit or "a unit to be said"}{extra}', how))

    def leave(self, header: str, text: str, how: str) -> None:
        """Say of a column that it is not taken."""
        self.findings.append(Finding(header, '', text, how))


def told(found: Recognised, meanings: Mapping[str, Meaning], clock: Sequence[str], texts: set[str]) -> Recognised:
    """
    Return what columns hold, with units and frames as headers, values and motion tell them.

    :param found: With the columns, `table`; the rest is filled in.
    :param meanings: What the headers say.
    :param clock: The column of the time, and that of its date where there is one.
    :param texts: Columns of text.
    """
    seconds = _time(found, meanings, clock, texts)
    meanings = {header: _as_sent(found, header, one) for header, one in meanings.items()}
    by_name: dict[str, list[str]] = {}
    for header, meaning in meanings.items():
        if header not in (*clock, *texts) and not meaning.thruster:
            by_name.setdefault(meaning.name, []).append(header)
    for header in by_name.pop('apparent', ()):
        found.leave(header, 'the apparent wind, from north or from the bow', 'not told')
    chosen = {name: _best(found, name, headers, meanings) for name, headers in by_name.items()
              if name not in ('time', 'date', 'clock')}
    chosen = {name: header for name, header in chosen.items() if header}
    if 'u' in chosen and 'v' not in chosen and 'v_or_volts' in chosen:
        chosen['v'] = chosen.pop('v_or_volts')
    ways = _positions(found, chosen, meanings, seconds)
    heading = _angles(found, chosen, meanings, ways)
    _speeds(found, chosen, meanings, ways, heading)
    _yaw_rate(found, chosen, meanings, seconds, heading)
    _flows(found, chosen, meanings)
    _electrical(found, chosen, meanings)
    _thrusters(found, {header: one for header, one in meanings.items() if one.thruster and header not in texts})
    return found


def _as_sent(found: Recognised, header: str, meaning: Meaning) -> Meaning:
    """
    Return what a header says, without a unit of MAVLink whose values are not as it is sent: whole, and many mV.

    A current (of which means may be taken) is sent where the voltage beside it is.
    """
    if not header.endswith(tuple(OF_MAVLINK)) or header not in found.table:
        return meaning
    volts = header.replace('/current_', '/voltage_') if meaning.unit == 'cA' else header
    values = found.table[volts if volts in found.table else header]
    values = values[np.isfinite(values) & (values != 0.0)]
    if meaning.unit == 'mV' or (volts != header and volts in found.table):
        sent = bool(values.size) and np.median(values) > LEAST_SENT
    else:
        sent = (values % 1.0 == 0.0).all()
    return meaning if sent else meaning._replace(unit='')


def _best(found: Recognised, name: str, headers: list[str], meanings: Mapping[str, Meaning]) -> str:
    """Return the column of several that say the same which has the most different numbers; '' where none has any."""
    def worth(header: str) -> tuple[int, bool, int, bool]:
        values = found.table[header]
        known = values[np.isfinite(values)]
        varied = 0 if not known.size else 1 + int(np.ptp(known) > 0.0)
        degrees = name == 'heading' and bool(known.size) and float(np.max(np.abs(known))) > IN_A_TURN
        return varied, bool(meanings[header].unit), -len(header), degrees  # which go from north; radians need not
    best = max(headers, key=worth)
    for header in headers:
        if header != best:
            found.leave(header, f'says the same as {best!r}', 'not needed')
    if not worth(best)[0]:
        found.leave(best, 'holds no number', 'empty')
        return ''
    return best


def _time(found: Recognised, meanings: Mapping[str, Meaning], clock: Sequence[str], texts: set[str]) -> np.ndarray:
    """Take the time; return it in s, (rows,)."""
    header = clock[0]
    if header in texts:
        date = clock[1] if len(clock) > 1 else ''
        seconds: np.ndarray = seconds_of_texts(found.table, header, date, found.path, found.notes, True)
        found.table[header] = seconds
        found.take('time', header, CALENDAR, VALUES, **({'date': date} if date else {}))
        return seconds
    values = found.table[header]
    known = values[np.isfinite(values)]
    if not known.size:
        raise InputError(f'{found.path}: the time column {header!r} holds no number')
    unit, how = meanings[header].unit, NAMED
    if not unit or unit == CALENDAR:
        how = VALUES
        step = float(np.median(np.abs(np.diff(known)))) if known.size > 1 else 0.0
        level = float(np.median(np.abs(known)))
        unit = next((unit for least, unit in EARTH_EPOCHS if level > least), 's')
        if EXCEL_DAYS[0] < level < EXCEL_DAYS[1] and 0.0 < step < 0.01:
            unit = 'd'
        elif level < EARTH_EPOCHS[-1][0] and not 7e8 < level < 1e10:  # below are ms of a GPS week
            unit = next((one for one in ('s', 'ms', 'us', 'ns') if UNITS['time'][one] * step <= LONGEST_PERIOD), 's')
    found.take('time', header, unit, how)
    return values * UNITS['time'][unit]


def _positions(found: Recognised, chosen: Mapping[str, str], meanings: Mapping[str, Meaning],
               seconds: np.ndarray) -> Ways | None:
    """Take the position; return the ways that it makes, None where there are none."""
    for pair, frame in ((('east', 'north'), 'enu'), (('x_ned', 'y_ned'), 'ned'), (('latitude', 'longitude'), ''),
                        (('x', 'y'), 'enu')):
        if not all(name in chosen for name in pair):
            continue
        first, second = (chosen[name] for name in pair)
        if frame:
            units = [meanings[header].unit or 'm' for header in (first, second)]
            how = NAMED if meanings[first].unit and pair[0] != 'x' else CUSTOM
            for quantity, header, unit in zip(('x', 'y'), (first, second), units):
                found.take(quantity, header, unit, how, frame=frame)
            values = [found.table[header] * UNITS['length'][unit] for header, unit in zip((first, second), units)]
            east, north = values if frame == 'enu' else values[::-1]
            _leave_rest(found, chosen, ('latitude', 'longitude', 'x', 'y', 'east', 'north', 'x_ned', 'y_ned'), pair)
            return ways_of(seconds, east, north)
        latitude, longitude = (found.table[header] for header in (first, second))
        if not np.any(latitude) and not np.any(longitude):
            continue
        unit, how = meanings[first].unit, NAMED
        if not unit:
            if len(found.hemispheres) == len(pair) and np.nanmax(latitude) > 90.0 and all(
                    np.nanmin(one) >= 0.0 and np.nanmax(one % 100.0) < 60.0 for one in (latitude, longitude)):
                latitude, longitude = (one // 100.0 + one % 100.0 / 60.0 for one in (latitude, longitude))
                found.table = {**found.table, first: latitude, second: longitude}
                found.takes_map = False
            level = float(np.nanmax(np.abs(longitude)))
            if 360.0 < level < 1e5:
                found.questions.append(f'columns {first!r} and {second!r} are no degrees (up to {level:g}): degrees '
                                       'and minutes in one number, as NMEA 0183 has them, must become degrees')
                return None
            unit, how = ('degE7' if level >= 1e5 else 'deg'), VALUES
        signs = [_sign_of_hemisphere(found, quantity, header) for quantity, header in zip(pair, (first, second))]
        for quantity, header, sign in zip(pair, (first, second), signs):
            found.take(quantity, header, unit, how, **({} if sign == 1 else {'sign': sign}))
        latitude, longitude = signs[0] * latitude, signs[1] * longitude
        _leave_rest(found, chosen, ('x', 'y'), pair)
        scale = UNITS['geographic'][unit]
        fixed = np.where((latitude != 0.0) | (longitude != 0.0), scale * latitude, np.nan)
        middle = float(np.nanmedian(fixed)) if np.isfinite(fixed).any() else 0.0
        east_metres, north_metres = metres_per_degree(min(max(middle, -89.0), 89.0))
        ways = ways_of(seconds, east_metres * scale * longitude, north_metres * fixed)
        speed = chosen.get('speed', '')
        if speed and (known := meanings[speed].unit) and are_exchanged(
                ways, scale * longitude, fixed, UNITS['speed'][known] * found.table[speed]):
            found.questions.append(f'columns {first!r} and {second!r} seem to be exchanged: only so the places go as '
                                   f'fast as {speed!r} says')
        return ways
    return None


def _sign_of_hemisphere(found: Recognised, quantity: str, header: str) -> int:
    """Return -1 where a column of letters says that unsigned latitudes are south, or longitudes west; else 1."""
    letters = found.hemispheres.get(quantity, '')
    if not letters or np.nanmin(found.table[header]) < 0.0:
        return 1
    said = {cell.strip().upper() for cell in found.table[letters]} & set('NSEW')
    if len(said) > 1:
        found.questions.append(f'column {letters!r} changes between {" and ".join(sorted(said))}, which no column map '
                               f'says: give {header!r} its signs')
    found.findings.append(Finding(letters, quantity, f'{quantity} is {" or ".join(sorted(said))}', VALUES))
    return -1 if said & set('SW') else 1


def _leave_rest(found: Recognised, chosen: Mapping[str, str], others: Sequence[str], taken: Sequence[str]) -> None:
    for name in others:
        if name in chosen and name not in taken:
            found.leave(chosen[name], f'is a position, too; that of {", ".join(repr(chosen[one]) for one in taken)} is '
                        'taken', 'not needed')


def _angles(found: Recognised, chosen: Mapping[str, str], meanings: Mapping[str, Meaning],
            ways: Ways | None) -> tuple[np.ndarray, str] | None:
    """Take heading and course; return the heading, rad from east counter-clockwise, (rows,), and its frame."""
    orientation = [f'orientation_{axis}' for axis in 'xyzw']
    heading = None
    if all(name in chosen for name in orientation) and 'heading' not in chosen:
        yaw = yaw_of_quaternions(*(found.table[chosen[name]] for name in orientation))
        fits = [-1.0, -1.0] if ways is None or not ways.known else [
            ways.fit_of_angle(angle) for angle in (yaw, 0.5 * math.pi - yaw)]
        is_ned = fits[1] > max(FITS, fits[0] + APART) and not (ways is not None and ways.straight and fits[0] > FITS)
        heading = (0.5 * math.pi - yaw, 'ned') if is_ned else (yaw, 'enu')
        for name in orientation:
            found.take(name, chosen[name], '-', MOTION if max(fits) > FITS else CUSTOM, frame=heading[1])
    named = [('yaw', name) for name in ('heading', 'magnetic') if name in chosen and heading is None][:1]
    of_needle = bool(named) and named[0][1] == 'magnetic'
    if of_needle and 'variation' in chosen:
        off = chosen['variation']
        found.take('variation', off, meanings[off].unit or 'deg', NAMED if meanings[off].unit else CUSTOM)
    elif 'variation' in chosen:
        found.leave(chosen['variation'], 'the magnetic variation, of no magnetic heading', 'not needed')
    elif of_needle:
        found.notes.append(Note(WARNING, 'magnetic_heading', f'the heading is that of the needle '
                                f'({chosen["magnetic"]!r}): declination is not taken off'))
    for quantity, name in (*named, *([('course', 'course')] if 'course' in chosen else [])):
        header = chosen[name]
        found.table[header] = np.where(found.table[header] == NO_HEADING, np.nan, found.table[header])
        if not np.isfinite(found.table[header]).any():
            found.leave(header, f'{quantity}, which is {NO_HEADING:g} (not available) in all rows', 'empty')
            continue
        frame, unit, how, rival = _reading_of_angle(found.table[header], meanings[header].unit, ways,
                                                    header.endswith(YAW_OF_MAVLINK))
        if rival:
            found.notes.append(Note(
                WARNING, 'heading_unsure', f'{header!r} is read {IN_FRAME[frame]}, as is usual; {IN_FRAME[rival]} it '
                'would fit this straight way better. A column map says which'))
        if quantity == 'course' and how is CUSTOM and ways is not None and ways.known:
            found.leave(header, 'course, but not whereto the positions go', 'not told')
            continue
        found.take(quantity, header, unit, how, frame=frame)
        turned = found.table[header] * UNITS['angle'][unit]
        turned = turned if frame == 'enu' else 0.5 * math.pi - turned
        if quantity == 'yaw':
            heading = turned, frame
    return heading


def _reading_of_angle(values: np.ndarray, unit: str, ways: Ways | None,
                      from_north: bool) -> tuple[str, str, str, str]:
    """Return frame and unit of a heading or course, how they are known, and the frame that fits better, or ''."""
    largest = float(np.nanmax(np.abs(values)))
    in_a_turn = abs(float(values[np.isfinite(values)][0])) < IN_A_TURN  # radians begin so, and may go on
    units = [unit] if unit else ['cdeg'] if largest > 1000.0 else ['deg', 'rad'] if in_a_turn else ['deg']
    # By custom degrees are a compass's, from north, and radians are those of ROS, from east.
    usual = [('ned', one) for one in units if one != 'rad'] + [('ned' if from_north else 'enu', one)
                                                               for one in units if one == 'rad']
    every = usual + [('enu' if frame == 'ned' else 'ned', one) for frame, one in usual]
    if largest < IN_A_TURN and not unit:
        usual.reverse()
    if ways is None or not ways.known:
        return *usual[0], CUSTOM, ''
    fits = {}
    for frame, one in every:
        angle = values * UNITS['angle'][one]
        fits[frame, one] = ways.fit_of_angle(angle if frame == 'enu' else 0.5 * math.pi - angle)
    best = max(fits.values())
    if not best > FITS:
        return *usual[0], CUSTOM, ''
    first = next(one for one in every if fits[one] > best - APART)
    known = next((one for one in usual if fits[one] > FITS), first) if ways.straight else first
    if known != first:
        return *known, CUSTOM, first[0]
    return *first, NAMED if unit and fits[first] == best and first in usual else MOTION, ''


def _speeds(found: Recognised, chosen: Mapping[str, str], meanings: Mapping[str, Meaning], ways: Ways | None,
            heading: tuple[np.ndarray, str] | None) -> None:
    """Take velocities: of the body, of the earth's axes, or a speed."""
    if 'through_water' in chosen and 'speed' not in chosen and ways is None:
        found.notes.append(Note(WARNING, 'speed_through_water', f'{chosen["through_water"]!r} is the speed through the '
                                'water: it is taken as that over ground of still water'))
        _speed(found, 'speed', chosen['through_water'], meanings, ways)
    if 'u' in chosen:
        frame = 'frd' if heading is not None and heading[1] == 'ned' else 'flu'
        _speed(found, 'u', chosen['u'], meanings, ways, frame=frame)
        if 'v' in chosen and 'u' in found.document['columns']:
            unit = meanings[chosen['v']].unit or found.document['columns']['u']['unit']
            frame, how = _side_of_sway(found, chosen['v'], unit, ways, heading, frame)
            found.take('v', chosen['v'], unit, how, frame=frame)
    axes = [(one, frame) for one, frame in ((('velocity_east', 'velocity_north'), 'enu'), (('vx', 'vy'), ''))
            if all(name in chosen for name in one)]
    if axes and 'u' not in found.document['columns']:
        _earth_velocity(found, [chosen[name] for name in axes[0][0]], axes[0][1], meanings, ways, heading)
    if 'speed' in chosen and not {'u', 'velocity_x'} & set(found.document['columns']):
        _speed(found, 'speed', chosen['speed'], meanings, ways)
    own = next((found.document['columns'][name] for name in ('speed', 'u') if name in found.document['columns']), None)
    if 'through_water' in chosen and (own is None or own['column'] != chosen['through_water']):
        header = chosen['through_water']
        unit, how = meanings[header].unit, NAMED
        if not unit and own is not None:
            unit, how = own['unit'], f'as {own["column"]!r} is'
        if unit:
            found.take('through_water', header, unit, how)
        else:
            found.leave(header, 'the speed through the water without a unit', 'not told')


def _speed(found: Recognised, quantity: str, header: str, meanings: Mapping[str, Meaning], ways: Ways | None,
           **more: Any) -> None:
    """Take a speed; ask for its unit where nothing tells it and it is needed."""
    unit = meanings[header].unit
    if unit:
        found.take(quantity, header, unit, NAMED, **more)
        return
    unit, share = _unit_of_ways(found.table[header], ways)
    if unit:
        found.take(quantity, header, unit, MOTION, **more)
        return
    if math.isfinite(share):
        found.leave(header, f'{quantity}, {1.0 / share:.3g} times what the positions say in m/s, which no unit is',
                    'not told')
        return
    if ways is not None:
        found.leave(header, f'{quantity} without a unit, and the positions do not tell it', 'not told')
        return
    found.questions.append(f'column {header!r} is a speed, but nothing tells whether in {", ".join(SPEEDS[:3])}')
    found.take(quantity, header, '', 'to be settled', **more)


def _unit_of_ways(values: np.ndarray, ways: Ways | None) -> tuple[str, float]:
    """Return the unit of speeds, '' where none fits the positions, and what one of it is in m/s, NaN if not told."""
    share = ways.share_of_speed(values) if ways is not None else math.nan
    if not math.isfinite(share):
        return '', share
    unit = min(SPEEDS, key=lambda one: abs(math.log(share / UNITS['speed'][one])))
    return unit if abs(share / UNITS['speed'][unit] - 1.0) < ALIKE else '', share


def _side_of_sway(found: Recognised, header: str, unit: str, ways: Ways | None,
                  heading: tuple[np.ndarray, str] | None, usual: str) -> tuple[str, str]:
    """Return the frame of a sway velocity, and how it is known: the sign that fits the positions."""
    if ways is None or heading is None or not heading[0].size:
        return usual, CUSTOM
    surge = found.document['columns']['u']
    u = found.table[surge['column']] * UNITS['speed'][surge['unit']]
    v = found.table[header] * UNITS['speed'][unit]
    c, s = np.cos(heading[0]), np.sin(heading[0])
    off = {frame: ways.miss_of_velocity(u * c - sign * v * s, u * s + sign * v * c)
           for frame, sign in (('flu', 1.0), ('frd', -1.0))}
    return (min(off, key=lambda frame: off[frame]), MOTION) if abs(off['flu'] - off['frd']) > 1e-3 else (usual, CUSTOM)


def _earth_velocity(found: Recognised, headers: list[str], frame: str, meanings: Mapping[str, Meaning],
                    ways: Ways | None, heading: tuple[np.ndarray, str] | None) -> None:
    """Take two components of velocity: in the earth's axes as named, or in those that fit the positions."""
    first, second = headers
    of_ways = _unit_of_ways(np.hypot(found.table[first], found.table[second]), ways)[0]
    sent = first.endswith(tuple(OF_MAVLINK))  # In cm/s, if not decoded: the ways know better.
    unit = (of_ways or meanings[first].unit if sent else meanings[first].unit or of_ways) or 'm/s'
    how = NAMED if meanings[first].unit and frame else CUSTOM
    one, other = (found.table[header] * UNITS['speed'][unit] for header in headers)
    if not frame:
        ways_to_read = {'enu': (one, other), 'ned': (other, one)}
        if heading is not None and heading[0].size:
            c, s = np.cos(heading[0]), np.sin(heading[0])
            ways_to_read |= {'flu': (one * c - other * s, one * s + other * c),
                             'frd': (one * c + other * s, one * s - other * c)}
        if ways is None or not ways.known:
            found.leave(first, f'and {second!r} are velocities, along axes that nothing tells', 'not told')
            return
        off = {name: ways.miss_of_velocity(*velocity) for name, velocity in ways_to_read.items()}
        frame, how = min(off, key=lambda name: off[name]), MOTION
    quantities = ('u', 'v') if frame in ('flu', 'frd') else ('velocity_x', 'velocity_y')
    pair = (second, first) if frame == 'ned' and how is not MOTION else (first, second)
    for quantity, header in zip(quantities, pair):
        found.take(quantity, header, unit, how, frame=frame)


def _yaw_rate(found: Recognised, chosen: Mapping[str, str], meanings: Mapping[str, Meaning], seconds: np.ndarray,
              heading: tuple[np.ndarray, str] | None) -> None:
    """Take the yaw rate, with the sign and unit that its heading's changes show; leave it where they show none."""
    if 'r' not in chosen:
        return
    header, unit = chosen['r'], meanings[chosen['r']].unit
    values = found.table[header]
    if heading is None or not heading[0].size:
        if heading is not None and unit:
            found.take('r', header, unit, NAMED, frame='flu')
        else:
            found.leave(header, 'yaw rate: there is no heading that tells its sign', 'not needed')
        return
    rows = np.flatnonzero(np.isfinite(values) & np.isfinite(heading[0]) & np.isfinite(seconds))
    rows = rows[np.concatenate([[True], np.diff(seconds[rows]) > 0.0])] if rows.size else rows
    if rows.size > 2:
        turned = np.diff(unwrapped(heading[0][rows]))
        swept = 0.5 * (values[rows][1:] + values[rows][:-1]) * np.diff(seconds[rows])
        # Over some seconds, so that a heading of whole degrees shows its turns.
        window = max(1, round(2.0 / max(float(np.median(np.diff(seconds[rows]))), 1e-3)))
        ends = np.arange(0, turned.size + 1, window)
        turned, swept = (np.diff(np.concatenate([[0.0], np.cumsum(one)])[ends]) for one in (turned, swept))
        size = float(np.sum(np.abs(turned)))
        if size > TURNED and np.any(swept):
            share = float(np.sum(turned * swept) / np.sum(swept * swept))
            fit = share * float(np.sum(swept * turned)) / float(np.sum(turned * turned))
            if fit > 0.5:
                units = [unit] if unit else [*UNITS['rate']]
                best = min(units, key=lambda one: abs(math.log(abs(share) / UNITS['rate'][one])))
                found.take('r', header, best, MOTION, frame='flu' if share > 0.0 else 'frd')
                return
    found.leave(header, 'yaw rate: the heading does not turn enough, or not with it, to tell its sign and unit',
                'not needed')


def _flows(found: Recognised, chosen: Mapping[str, str], meanings: Mapping[str, Meaning]) -> None:
    """Take wind and water current where their speed has a unit, or can have that of the boat's own speed."""
    towards = 'wind_direction' not in chosen and 'wind_towards' in chosen
    names = {**chosen, **({'wind_direction': chosen['wind_towards']} if towards else {})}
    if 'true_wind_angle' in names and 'wind_direction' not in names and 'wind_speed' in names:
        names['true_wind_speed'] = names.pop('wind_speed')
        if not re.search(r'(?i)true|tw|reel|vrai|wahr|real', names['true_wind_angle']):
            found.notes.append(Note(WARNING, 'wind_angle_true', f'{names["true_wind_angle"]!r} does not say of which '
                                    'wind: it is taken as the true one, not the one that the boat feels; call it '
                                    '\'apparent wind angle\' where it is that'))
    axes, bow = {'frame': 'enu'}, {'frame': 'frd'}
    for (first, second), more in ((('wind_x', 'wind_y'), axes), (('current_x', 'current_y'), axes),
                                  (('wind_speed', 'wind_direction'), {'frame': 'ned', 'towards': towards}),
                                  (('current_speed', 'current_direction'), {'frame': 'ned', 'towards': True}),
                                  (FROM_BOW, bow), (APPARENT, bow)):
        if first not in names and second in names:
            found.leave(names[second], f'{second}, of which no {first} is there',
                        'not needed' if second == FROM_BOW[1] and 'wind_direction' in names else 'not told')
        if first not in names:
            continue
        if second not in names:
            found.leave(names[first], f'{first}, of which no {second} is there', 'not told')
        elif RIVAL_OF.get(first) in found.document['columns']:
            found.leave(names[first], f'says the same as {RIVAL_OF[first]}', 'not needed')
        else:
            _flow(found, [(name, names[name], meanings[names[name]].unit) for name in (first, second)], more)


def _flow(found: Recognised, pair: Sequence[tuple[str, str, str]], more: Mapping[str, Any]) -> None:
    """Take two columns of a flow, each with its quantity, its header and its unit."""
    (first, header, unit), (second, other, angle) = pair
    own = next((found.document['columns'][name] for name in ('speed', 'u', 'velocity_x')
                if name in found.document['columns']), {'unit': '', 'column': ''})
    how = NAMED if unit else f'as {own["column"]!r} is'
    unit = unit or own['unit']
    if not unit:
        found.leave(header, f'{first} without a unit', 'not told')
    elif 'speed' not in first:
        for name, one, said in pair:
            found.take(name, one, said or unit, how, **more)
    elif not (angle := angle or ('deg' if np.nanmax(np.abs(found.table[other])) > 6.4 else next((
            found.document['columns'][name]['unit'] for name in ('yaw', 'course') if name in found.document['columns']),
            ''))):
        found.leave(other, f'{second} without a unit', 'not told')
    else:
        found.take(first, header, unit, how)
        found.take(second, other, angle, CUSTOM, **more)


def _electrical(found: Recognised, chosen: Mapping[str, str], meanings: Mapping[str, Meaning]) -> None:
    """Take volts, amperes and watts; a current that is negative nearly always is turned round."""
    there = {quantity: next((chosen[name] for name in names if name in chosen), '')
             for quantity, names in (('volts', ('volts', 'v_or_volts')),
                                     ('amperes', ('amperes', 'current', 'i_or_amperes')),
                                     ('electrical_power', ('electrical_power', 'w_or_power')))}
    for quantity, header in there.items():
        if not header:
            continue
        values = found.table[header]
        known = values[np.isfinite(values)]
        kind, unit = QUANTITIES[quantity].kind, meanings[header].unit
        single = meanings[header].name in ('v_or_volts', 'i_or_amperes', 'w_or_power', 'current')
        if single and not unit and not (there['volts'] and there['amperes']):
            found.leave(header, f'{quantity}, or something else', 'not told')
            continue
        if not unit:
            unit = {'volts': 'mV', 'amperes': 'mA'}.get(quantity, '') if np.median(np.abs(known)) > 1000.0 else ''
        how = NAMED if meanings[header].unit else VALUES
        unit = unit or next(iter(UNITS[kind]))
        charging = quantity != 'volts' and np.mean(known < 0.0) > 0.95
        found.take(quantity, header, unit, how, **({'sign': -1} if charging else {}))


def _thrusters(found: Recognised, columns: Mapping[str, Meaning]) -> None:
    """Take thrusts, pulses and revolutions of two or more thrusters that are told apart."""
    thrusters: dict[str, dict[str, Any]] = {}
    for header, meaning in columns.items():
        values = found.table[header]
        known = values[np.isfinite(values)]
        unit = meaning.unit or {'revolutions': 'rpm', 'thrust': 'N'}.get(meaning.name, '')
        if meaning.name == 'command' and not unit and known.size and 700.0 < np.median(known) < 2300.0:
            unit = 'us'
        if not unit or meaning.thruster == 'thruster' or not known.size:
            found.leave(header, f'{meaning.name} of a thruster', 'not used')
            continue
        thrusters.setdefault(meaning.thruster, {'name': meaning.thruster})[meaning.name] = {'column': header,
                                                                                            'unit': unit}
        found.findings.append(Finding(header, meaning.name, f'{meaning.name} of {meaning.thruster} in {unit}',
                                      NAMED if meaning.unit else CUSTOM))
    if thrusters:
        order = sorted(thrusters, key=lambda name: (name == 'right', name))
        found.document['thrusters'] = [thrusters[name] for name in order]
    if len(thrusters) > 1:
        found.notes.append(Note(INFO, 'thrusters_recognised', f'{counted(len(thrusters), "thruster")} by their names: '
                                f'{", ".join(thrusters)}'))
