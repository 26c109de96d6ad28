"""Measurements of a battery: a table of open-circuit voltage, pulses at known charges, and discharges."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError, counted
from usv_energy.files.limits import LOGGED
from usv_energy.files.table import read_head, read_table

REST = 0.02  # Share of the largest current below which the current counts as zero.
LEAST = 10  # Fewest samples of a discharge.
LONGEST_REST = 600.0  # s: a longer rest ends a discharge.
PERCENT = 100.0
MOST_VOLTS = 2.0  # Times the median: a voltage beyond is no battery's.
SHOWN = 200  # Most samples that are kept of a discharge, at equal steps of charge.
PULSE_SHOWN = 60  # Most samples that are kept of a pulse.


class CellColumns(NamedTuple):
    """Names of a table's columns: time s, current A, voltage V, temperature degC, charge %, open-circuit voltage V."""

    time: str = 'time_s'
    current: str = 'current_a'
    voltage: str = 'voltage_v'
    temperature: str = 'temperature_degC'
    charge: str = 'soc_percent'
    at_rest: str = 'ocv_v'


class CellRun(NamedTuple):
    """
    A stretch of current of one cell that begins at rest.

    `time` s from 0, `current` A (discharging is positive), `voltage` V, `temperature` K (NaN if not measured), shape
    (n,). `rest_voltage`: before the current begins, V; NaN if the first row is under load. `charge`: at the beginning,
    (-), if it is given; else NaN, and it follows from `rest_voltage`, or from the voltage under load.
    """

    name: str
    time: np.ndarray
    current: np.ndarray
    voltage: np.ndarray
    temperature: np.ndarray
    rest_voltage: float
    charge: float = np.nan

    @property
    def is_pulse(self) -> bool:
        """Whether its charge was given, as for a pulse."""
        return bool(np.isfinite(self.charge))

    @property
    def drawn(self) -> np.ndarray:
        """Charge drawn until each sample, C."""
        steps = 0.5 * (self.current[1:] + self.current[:-1]) * np.diff(self.time)
        return np.append(0.0, np.cumsum(steps))


class CellRecordings(NamedTuple):
    """All recordings: rows of charge (-) and voltage at rest (V), or None; pulses; discharges; what was left out."""

    at_rest: np.ndarray | None
    pulses: tuple[CellRun, ...]
    discharges: tuple[CellRun, ...]
    notes: tuple[str, ...] = ()


def read_recordings(paths: Sequence[Path], columns: CellColumns, series: float = 1.0,
                    parallel: float = 1.0, ambient: float = 298.15) -> CellRecordings:
    """
    Return the recordings of a battery in tables (CSV), distinguished by their columns.

    A table of charge and open-circuit voltage without time is the open-circuit voltage curve. A table with charge and
    time holds pulses, each from rest. A table of time, current and voltage holds discharges; charging between them is
    ignored.

    :param series: Cells in a string; voltages are divided by it.
    :param parallel: Strings; currents are divided by it.
    :param ambient: Temperature if none was measured, K.
    :raises InputError: If a table cannot be read, lacks a column, or holds no usable recording.
    """
    at_rest: np.ndarray | None = None
    pulses: list[CellRun] = []
    discharges: list[CellRun] = []
    notes: list[str] = []
    for path in paths:
        names = read_head(path).names
        if columns.charge in names and columns.at_rest in names and columns.time not in names:
            at_rest = _at_rest(path, columns, series)
            continue
        wanted = [name for name in columns[:5] if name in names or name in columns[:3]]
        table = read_table(path, wanted)
        damaged = damaged_volts(table[columns.voltage]) & np.isfinite(table[columns.current])
        notes += damaged_words(str(path), columns.voltage, table[columns.voltage], damaged)
        table = _without_gaps({name: values[~damaged] for name, values in table.items()}, columns.temperature)
        _check(table, columns, path)
        table[columns.voltage] = table[columns.voltage] / series
        table[columns.current] = table[columns.current] / parallel * _sign(table[columns.current],
                                                                           table[columns.voltage], path)
        kelvin = table.get(columns.temperature, np.full(len(table[columns.time]), ambient - 273.15)) + 273.15
        rows = table[columns.time], table[columns.current], table[columns.voltage], kelvin
        if columns.charge in names:
            pulses += _pulses(path.stem, rows, table[columns.charge] / PERCENT)
        else:
            discharges += _discharges(path.stem, rows)
    if not discharges and not pulses:
        raise InputError(f'{", ".join(map(str, paths))}: no discharge and no pulse; a discharge begins at rest and '
                         f'lasts {LEAST} samples or more')
    return CellRecordings(at_rest, tuple(pulses), tuple(discharges), tuple(notes))


def damaged_volts(voltage: np.ndarray) -> np.ndarray:
    """Return which voltages, V, shape (n,), are none of a battery: missing, not above 0, or far beyond the median."""
    middle = float(np.median(voltage[voltage > 0.0])) if (voltage > 0.0).any() else 0.0
    return ~((voltage > 0.0) & (voltage <= MOST_VOLTS * middle))


def damaged_words(name: str, column: str, voltage: np.ndarray, damaged: np.ndarray) -> list[str]:
    """Return a sentence that says which voltages of `damaged_volts` are left out; none where there are none."""
    if not damaged.any():
        return []
    few = ['missing' if np.isnan(value) else f'{value:g} V' for value in np.unique(voltage[damaged])[:3]]
    return [f'{name}: {counted(int(damaged.sum()), "sample")} left out, whose {column} no battery has: '
            f'{", ".join(few)}']


def _without_gaps(table: dict[str, np.ndarray], temperature: str) -> dict[str, np.ndarray]:
    """Return a table without the rows in which a number is missing; a temperature may be."""
    whole = np.isfinite(np.column_stack([values for name, values in table.items() if name != temperature])).all(axis=1)
    return {name: values[whole] for name, values in table.items()}


def _check(table: dict[str, np.ndarray], columns: CellColumns, path: Path) -> None:
    for name, values in table.items():
        if (wild := np.abs(values) > LOGGED).any():
            raise InputError(f'{path}: {name} is {values[wild][0]:g}; must be at most {LOGGED:g} in magnitude')
    time = table[columns.time]
    back = np.flatnonzero(np.diff(time) < 0.0)
    if back.size and columns.charge not in table:
        raise InputError(f'{path}: {columns.time} goes back from {time[back[0]]:g} to {time[back[0] + 1]:g} s; must '
                         'rise')


def _at_rest(path: Path, columns: CellColumns, series: float) -> np.ndarray:
    table = read_table(path, [columns.charge, columns.at_rest])
    charge, volts = table[columns.charge] / PERCENT, table[columns.at_rest] / series
    order = np.argsort(charge)
    found = np.column_stack([charge[order], volts[order]])
    whole = found[0, 0] <= 0.0 and found[-1, 0] >= 1.0 and not damaged_volts(found[:, 1]).any()
    if not (whole and np.all(np.diff(found[:, 1]) > 0.0)):
        raise InputError(f'{path}: {columns.at_rest} must rise with {columns.charge}, from 0 to 100')
    return found


def _sign(current: np.ndarray, voltage: np.ndarray, path: Path) -> float:
    """Return 1 if discharging is positive, -1 if negative: the voltage falls as it begins or, at one current, on."""
    steps = np.diff(current)
    large = np.abs(steps) > 0.3 * np.nanmax(np.abs(current), initial=0.0)
    together = float(np.nansum(steps[large] * np.diff(voltage)[large]))
    if together == 0.0 and (known := voltage[np.isfinite(voltage)]).size:
        together = float(np.nansum(current) * (known[-1] - known[0]))
    if together == 0.0:
        raise InputError(f'{path}: no current sets in or ends, so nothing says which sign discharging has')
    return -1.0 if together > 0.0 else 1.0


def _pulses(name: str, rows: tuple[np.ndarray, ...], charge: np.ndarray) -> list[CellRun]:
    """Return the pulses of a table; a new one begins where time goes back or the charge changes."""
    edges = [0, *(np.flatnonzero((np.diff(rows[0]) < 0.0) | (np.diff(charge) != 0.0)) + 1).tolist(), len(charge)]
    found = []
    for number, (begin, end) in enumerate(itertools.pairwise(edges)):
        part = slice(begin, end)
        run = CellRun(f'{name} {100.0 * charge[begin]:.0f} % ({number + 1})', rows[0][part], rows[1][part],
                      rows[2][part], rows[3][part], float(rows[2][begin]), float(charge[begin]))
        if end - begin >= LEAST and _flows(run.current).any():
            found.append(_from_rest(run))
    return found


def _from_rest(run: CellRun) -> CellRun:
    """
    Return a pulse that begins with its full current.

    A meter may still report no current in the first sample under load, although the voltage has already fallen. That
    sample then gets the current of the next one.
    """
    current, first = run.current.copy(), int(np.argmax(_flows(run.current)))
    if first > 1 and run.voltage[first - 1] < run.rest_voltage - 0.5 * abs(run.rest_voltage - run.voltage[first]):
        current[first - 1] = current[first]
        first -= 1
    time = run.time - run.time[first]
    keep = np.unique([*range(first, min(first + 8, len(time))),
                      *np.linspace(first, len(time) - 1, PULSE_SHOWN).astype(int)])
    return run._replace(time=time[keep], current=current[keep], voltage=run.voltage[keep],
                        temperature=run.temperature[keep])


def _flows(current: np.ndarray) -> np.ndarray:
    return np.asarray(current > REST * np.max(np.abs(current)))


def _discharges(name: str, rows: tuple[np.ndarray, ...]) -> list[CellRun]:
    """Return the discharges of a recording: each from its first current until charging or a long rest."""
    time, current, voltage, kelvin = rows
    flows = _flows(current)
    found: list[CellRun] = []
    begin: int | None = None
    last = 0
    for n in range(len(time) + 1):
        ends = begin is not None and (n == len(time) or current[n] < -REST * np.max(np.abs(current))
                                      or (not flows[n] and time[n] - time[last] > LONGEST_REST))
        if ends and begin is not None:
            if last + 1 - begin >= LEAST:
                found.append(_thinned(CellRun(f'{name} ({len(found) + 1})' if found else name,
                                              time[begin:last + 1] - time[begin], current[begin:last + 1],
                                              voltage[begin:last + 1], kelvin[begin:last + 1],
                                              float(voltage[begin - 1]) if begin else np.nan)))
            begin = None
        if n < len(time) and flows[n]:
            begin, last = n if begin is None else begin, n
    return found


def _thinned(run: CellRun) -> CellRun:
    """Return a discharge with at most SHOWN samples, at about equal steps of charge, with the first and the last."""
    if len(run.time) <= SHOWN:
        return run
    drawn = run.drawn
    equal = np.searchsorted(drawn, np.linspace(drawn[0], drawn[-1], SHOWN)).clip(0, len(drawn) - 1)
    keep = np.unique([0, *equal, len(drawn) - 1])
    return run._replace(**{name: getattr(run, name)[keep] for name in ('time', 'current', 'voltage', 'temperature')})
