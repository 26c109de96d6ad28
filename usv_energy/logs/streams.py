"""
A log of series that were each recorded at their own times: positions, headings, winds, currents of a battery.

The clock is that of the position, else of the velocity; the rest is brought to it, on straight lines between its own
times, and is not known in its holes.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled
from usv_energy.logs.derive import held, interpolated, unwrapped
from usv_energy.logs.log import BEGINS_LATE, INFO, WARNING, Log, Note
from usv_energy.logs.stamps import CleanTimes, clean_times, times_of_clock
from usv_energy.logs.tables.column_map import APPARENT, FROM_BOW

CLOCKS = ('longitude', 'x', 'velocity_x', 'u', 'speed', 'through_water')
PAIRED = {'longitude': 'latitude', 'x': 'y', 'velocity_x': 'velocity_y'}
ANGLES = ('yaw', 'course', 'wind_direction', 'current_direction', APPARENT[1], FROM_BOW[1])
WATER = 'through_water'
BATTERY = ('volts', 'amperes', 'electrical_power')
TOGETHER = (*PAIRED.items(), ('wind_speed', 'wind_direction'), ('current_speed', 'current_direction'), APPARENT,
            FROM_BOW)


class Stream(NamedTuple):
    """
    A series: its times, s, in order of arrival, and its values, in house units and frames, shape (m,) each.

    `name`: what it is called where it comes from, for notes.
    """

    time: np.ndarray
    values: np.ndarray
    name: str = ''


class ThrusterStreams(NamedTuple):
    """What is asked of one thruster, thrust N, and what it does, revolutions 1/s; None where not recorded."""

    name: str
    thrust: Stream | None = None
    revolutions: Stream | None = None


def log_of_streams(streams: Mapping[str, Stream], source: Source, thrusters: tuple[ThrusterStreams, ...] = (),
                   extra: Mapping[str, Stream] | None = None) -> Log:
    """
    Return the log of series with their own times.

    :param streams: By the names that `assembled` takes, and WATER (a speed).
    :param source: Name, path and notes.
    :param thrusters: From port to starboard.
    :param extra: Further series to keep.
    :raises InputError: If there is neither a position nor a speed.
    """
    streams = {name: one for name, one in streams.items() if np.isfinite(one.values).any()}
    streams = {name: one for name, one in streams.items()
               if all(name not in pair or set(pair) <= set(streams) for pair in TOGETHER)}
    clock_name = next((name for name in CLOCKS if name in streams), None)
    if clock_name is None:
        raise InputError(f'{source.path}: has neither positions nor a speed. There are: {", ".join(streams) or "none"}')
    notes = list(source.notes)
    clock_stream = streams[clock_name]
    known = [one.time[np.isfinite(one.values)].min() for name, one in streams.items() if name in (*CLOCKS, *BATTERY)]
    first = int(np.searchsorted(clock_stream.time, min(known)))
    if (np.diff(clock_stream.time) >= 0.0).all() and 0 < first < clock_stream.time.size:
        notes.append(begins_late(clock_stream.time, first))
        pair = {clock_name, PAIRED.get(clock_name, '')}
        streams |= {name: Stream(one.time[first:], one.values[first:], one.name) for name, one in streams.items()
                    if name in pair and np.array_equal(one.time, clock_stream.time)}
        clock_stream = streams[clock_name]
    clock = clean_times(clock_stream.time, clock_stream.name or clock_name, source.path, notes)
    time = clock.rising

    def brought(name: str, one: Stream, as_held: bool = False) -> np.ndarray:
        if name in (clock_name, PAIRED.get(clock_name)) and np.array_equal(one.time, clock_stream.time, equal_nan=True):
            return one.values[clock.rows]
        return _brought(time, one, name, clock, source, notes, as_held)

    series = {name: brought(name, one) for name, one in streams.items()}
    if WATER in series and not any(name in series for name in CLOCKS if name != WATER):
        series['speed'] = series.pop(WATER)
        notes.append(Note(WARNING, 'speed_through_water', 'there is no speed over ground: that through the water '
                          'is taken for it, as in still water'))
    kept = {name: brought(name, one) for name, one in (extra or {}).items() if np.isfinite(one.values).any()}
    commands = tuple(ThrusterSeries(one.name, None if one.thrust is None else brought('', one.thrust, True))
                     for one in thrusters)
    used = ', '.join(sorted({one.name or name for name, one in streams.items()}))
    notes.append(Note(INFO, 'streams', f'the clock is that of {clock_stream.name or clock_name}; used: {used}'))
    log = assembled(source._replace(notes=tuple(notes)), time, series, commands, kept)
    if not any(one.revolutions for one in thrusters):
        return log
    nothing = np.full(len(log), np.nan)
    return replace(log, revolutions=np.column_stack([
        nothing if one.revolutions is None else brought('', one.revolutions, True) for one in thrusters]))


def _brought(time: np.ndarray, one: Stream, name: str, clock: CleanTimes, source: Source, notes: list[Note],
             as_held: bool) -> np.ndarray:
    """Return a series at the times of the clock."""
    own = times_of_clock(one.time, clock, one.name or name, [])
    values = one.values[own.rows]
    there = np.isfinite(values)
    if not there.any():
        return np.full(time.size, np.nan)
    stamps, values = own.rising[there], values[there]
    if as_held:
        return held(time, stamps, values)
    longest = max(source.longest_interval(stamps), source.longest_interval(time))
    if name in ANGLES:
        return interpolated(time, stamps, unwrapped(values), longest)
    return interpolated(time, stamps, values, longest)


def begins_late(time: np.ndarray, first: int) -> Note:
    """Return the note that the first samples of a log, of times in s, hold no motion and no battery."""
    lost = float(time[first] - time[0])
    return Note(WARNING, BEGINS_LATE, f'the first {first} samples, {lost:.1f} s, hold neither a place nor a speed, as '
                'where a receiver has no fix yet: they are left out, and what the boat took then is in the interval',
                {'samples': first, 'duration_s': lost})


def gathered(rows: Mapping[str, list[tuple[float, float]]], factors: Mapping[str, Callable[[Any], Any]] | None = None,
             ) -> dict[str, Stream]:
    """
    Return streams of rows of time and value, by their names.

    :param factors: What makes the house's unit and frame of the values of a name.
    """
    found = {}
    for name, pairs in rows.items():
        table = np.array(pairs, dtype=float).reshape(-1, 2)
        values = table[:, 1]
        found[name] = Stream(table[:, 0], factors[name](values) if factors and name in factors else values)
    return found
