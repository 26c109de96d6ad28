"""Thrusts from the readings of thrusters (revolutions, volts, amperes) and from commands in pulses."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.derive import interpolated
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.tables.column_map import ThrusterColumns
from usv_energy.physics.sampling import longest_interval, period_of
from usv_energy.thrusters.pulse_curve import PulseCurve

BEYOND = 0.01  # Share of the samples outside a curve from which to warn.

ALONE = 0.25   # Share of its range by which an isolated reading differs from both of its neighbours.
STEADY = 0.12  # Largest change of the other sensor meanwhile, as a share of its range.
LONGEST_LINE = 3.0  # s: between readings further apart a thruster may have run up and down again.
NEAR = 3.0     # s: the other sensor's readings further away in time do not count.
RANGE = 0.99   # Quantile of the magnitudes that serves as range.
MOST = 3       # How many values outside the limits a note shows.
Table = Mapping[str, np.ndarray]


def with_thrust_of_pulses(log: Log, boat: Boat) -> Log:
    """
    Return a log with the thrusts at standstill for its commands by the boat's file, N, and a note of it.

    The log is returned unchanged if it has thrusts, if it has no commands, or if the boat's file lacks the thrust over
    pulse width of a thruster.

    :param log: With commands, us; its thrusters are matched with the boat's by name, or else in order.
    :param boat: The boat.
    """
    curves = _curves(log, boat)
    if log.known('thrust') or not log.known('command') or not curves:
        return log
    columns = [(pulse_on_curve(pulse, neutral, mirrored, curve), curve)
               for pulse, neutral, mirrored, curve in zip(log.command.T, log.neutral, log.mirrored, curves)]
    thrust = np.column_stack([curve.thrust(pulse) for pulse, curve in columns])
    sources = '; '.join(dict.fromkeys(curve.source for curve in curves))
    notes = [Note(INFO, 'thrust_of_pulses', f'thrusts are those that the pulses give at standstill by {boat.name}: '
                  f'{sources}')]
    outside = {name: float(np.mean(~curve.knows(pulse[np.isfinite(pulse)])))
               for name, (pulse, curve) in zip(log.thrusters, columns) if np.isfinite(pulse).any()}
    if max(outside.values(), default=0.0) > BEYOND:
        shown = ', '.join(f'{name} {100.0 * share:.0f} %' for name, share in outside.items() if share > BEYOND)
        notes.append(Note(WARNING, 'pulses_beyond_curve', f'pulses lie beyond what {boat.name} says of its thrusters, '
                          f'and count as the end of its curve: {shown} of the samples',
                          {f'{name}_share': share for name, share in outside.items()}))
    for name, neutral, curve in zip(log.thrusters, log.neutral, curves):
        low, high = curve.dead_band
        if not low <= neutral <= high and np.isfinite(neutral):
            notes.append(Note(WARNING, 'neutral_drives', f'the neutral of {name}, {neutral:g} us, gives '
                              f'{curve.thrust(neutral):.2f} N by {boat.name}, whose dead band is {low:.0f} to '
                              f'{high:.0f} us'))
    return replace(log, thrust=thrust).noted(*notes)


def pulse_on_curve(command: Any, neutral: float, mirrored: bool, curve: PulseCurve) -> Any:
    """
    Return the pulses that the curve is read at, us, float or (n,), of commands of which more is ahead.

    A thruster that is mounted the other way round is mirrored about the middle of its own dead band, not about the
    log's neutral.
    """
    if not mirrored or not math.isfinite(neutral):
        return command
    return command - 2.0 * neutral + sum(curve.dead_band)


def _curves(log: Log, boat: Boat) -> list[PulseCurve]:
    """Return the curve of each thruster of a log; none if one has no curve or the boat's thrusters differ."""
    names = boat.thruster_names
    if len(log.thrusters) != len(names):
        return []
    order = [names.index(name) for name in log.thrusters] if set(names) == set(log.thrusters) else range(len(names))
    curves = [curve for number in order if (curve := boat.pulse_curves[number]) is not None]
    return curves if len(curves) == len(names) else []


class Readings(NamedTuple):
    """
    Readings of one thruster, one for each row of its table, in the package's units.

    `time`: s, shape (n,); `revolutions` 1/s, `volts` V, `amperes` A: shape (n,), NaN in rows without a good new
    reading.
    """

    time: np.ndarray
    revolutions: np.ndarray
    volts: np.ndarray
    amperes: np.ndarray


def readings_of(table: Table, time: np.ndarray, thruster: ThrusterColumns, repeated: bool,
                notes: list[Note]) -> Readings:
    """
    Return the readings of a thruster, with notes on the readings left out and the reasons.

    :param table: Columns by their headers, as they are in the file, shape (n,); NaN where a cell is empty.
    :param time: s, rising, shape (n,).
    :param thruster: Its columns.
    :param repeated: Whether the table repeats the last reading while no new message comes.
    :param notes: Where notes go.
    """
    message = {column.header: column.limits for name, column in thruster.measured.items()
               if name in ('revolutions', 'volts')} | dict(thruster.together)
    amperes = thruster.measured.get('amperes')
    own = {} if amperes is None else {amperes.header: amperes.limits}
    bad_message = _outside(table, message, thruster.name, notes)
    bad_current = _outside(table, own, thruster.name, notes)
    if bad_message.any():
        text = f'{thruster.name}: in {int(bad_message.sum())} of {len(time)} rows a value is outside its limits; the ' \
               f'whole message ({", ".join(message)}) is left out'
        notes.append(Note(WARNING, 'bad_messages', text, _share(bad_message)))
    new_message = _new(table, list(message), repeated) & ~bad_message
    new_current = _new(table, list(own), repeated) & ~bad_current
    values = {name: table[column.header] * column.factor * column.sign for name, column in thruster.measured.items()
              if name != 'angle'}
    nothing = np.full(len(time), np.nan)
    speed, current = values.get('revolutions', nothing), values.get('amperes', nothing)
    alone_speed = _alone(time, speed, new_message, current, new_current)
    alone_current = _alone(time, current, new_current, speed, new_message)
    for alone, name, other in ((alone_speed, 'revolutions', 'current'), (alone_current, 'amperes', 'revolutions')):
        if alone.any():
            notes.append(Note(WARNING, 'contradicted', f'{thruster.name}: {int(alone.sum())} readings of {name} stand '
                              f'alone against the readings before and after, while its {other} does not move (the '
                              'answer of another thruster?); left out, the first '
                              f'{time[alone.argmax()] - time[0]:.1f} s after the begin', _share(alone)))
    new_message, new_current = new_message & ~alone_speed, new_current & ~alone_current
    return Readings(time, np.where(new_message, speed, np.nan),
                    np.where(new_message, values.get('volts', nothing), np.nan),
                    np.where(new_current, current, np.nan))


def thrust_of_revolutions(time: np.ndarray, revolutions: np.ndarray, bollard: Sequence[Sequence[float]],
                          longest: float | None = None) -> np.ndarray:
    """
    Return the thrust that a propeller gives at standstill at the rates at which it turns, N, (n,).

    Between two readings the rate is linear; the thrust is NaN if they are too far apart, or without a table.

    :param time: s, rising, (n,).
    :param revolutions: 1/s, (n,), NaN in rows without a reading.
    :param bollard: Rows of revolutions, 1/s, and thrust, N, both rising through 0; between two rows thrust goes as the
        square of the revolutions, and so it goes on beyond the last.
    :param longest: Of a line, s; None: three periods of the readings, LONGEST_LINE at most.
    """
    known = np.flatnonzero(np.isfinite(revolutions))
    if not len(bollard) or len(known) < 2:
        return np.full(len(time), np.nan)
    step = longest or min(longest_interval(period_of(time[known])), LONGEST_LINE)
    turns = interpolated(time, time[known], revolutions[known], step)
    rates, thrusts = np.array(bollard, dtype=float).T
    squares, given = rates * np.abs(rates), turns * np.abs(turns)
    beyond = np.maximum(np.maximum(given / squares[-1] if squares[-1] > 0.0 else 0.0,
                                   given / squares[0] if squares[0] < 0.0 else 0.0), 1.0)
    return np.asarray(np.interp(given, squares, thrusts) * beyond)


def _share(rows: np.ndarray) -> dict[str, float]:
    return {'rows': float(rows.sum()), 'share': float(rows.mean())}


def _outside(table: Table, limits: Mapping[str, tuple[float, float]], name: str, notes: list[Note]) -> np.ndarray:
    """Return which rows hold a value outside its limits, or none, and note for each column how many, and which."""
    rows = len(next(iter(table.values())))
    bad = np.zeros(rows, dtype=bool)
    for header, (low, high) in limits.items():
        values = table[header]
        empty = ~np.isfinite(values)
        wrong = ~empty & ((values < low) | (values > high))
        bad |= wrong | empty
        if empty.any():
            notes.append(Note(WARNING, 'no_number', f'{name}: {header} is no number in {int(empty.sum())} of {rows} '
                              'rows', _share(empty)))
        if wrong.any():
            found, counts = np.unique(np.round(values[wrong], 2), return_counts=True)
            most = ', '.join(f'{found[i]:g} ({counts[i]})' for i in np.argsort(-counts)[:MOST])
            notes.append(Note(WARNING, 'out_of_limits', f'{name}: {header} is outside {low:g} to {high:g} in '
                              f'{int(wrong.sum())} of {rows} rows: {most}', _share(wrong)))
    return bad


def _new(table: Table, headers: list[str], repeated: bool) -> np.ndarray:
    """Return the rows in which any column differs from the row before; all rows if nothing repeats."""
    rows = len(next(iter(table.values())))
    if not headers:
        return np.zeros(rows, dtype=bool)
    if not repeated:
        return np.ones(rows, dtype=bool)
    changed = np.any([np.nan_to_num(table[header][1:]) != np.nan_to_num(table[header][:-1]) for header in headers],
                     axis=0)
    return np.concatenate([[True], changed])


def _alone(time: np.ndarray, values: np.ndarray, new: np.ndarray, other: np.ndarray,
           other_new: np.ndarray) -> np.ndarray:
    """
    Return the readings that differ from both neighbours while the other sensor has readings and is steady.

    :param time: s, shape (n,).
    :param values: Of one sensor, shape (n,); `new`, where it was read anew.
    :param other: Of the other sensor, shape (n,); `other_new`, where that was read anew.
    """
    alone = np.zeros(len(time), dtype=bool)
    own, others = np.flatnonzero(new & np.isfinite(values)), np.flatnonzero(other_new & np.isfinite(other))
    if len(own) < 3 or len(others) < 3:
        return alone
    far = ALONE * float(np.quantile(np.abs(values[own]), RANGE))
    calm = STEADY * float(np.quantile(np.abs(other[others]), RANGE))
    for before, row, after in zip(own[:-2], own[1:-1], own[2:]):
        low, high = sorted((values[before], values[after]))
        if max(low - values[row], values[row] - high) <= far:
            continue
        first, last = np.searchsorted(time, (time[row] - NEAR, time[row] + NEAR))
        begin, middle, end = np.searchsorted(others, (max(before, first), row, min(after, last) + 1))
        seen = other[others[max(begin - 1, 0):end]]
        alone[row] = end > middle and float(np.ptp(seen)) <= calm
    return alone
