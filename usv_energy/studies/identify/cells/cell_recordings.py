"""What was measured of a battery: a table of voltage at rest, pulses at known charges, discharges, missions."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.table import read_head, read_table

REST = 0.02         # Of the largest current, below which nothing flows.
LEAST = 10          # Samples of a discharge.
LONGEST_REST = 600.0 # s within a discharge; a longer one ends it.
PERCENT = 100.0
SHOWN = 200         # Samples of a discharge that are kept, at equal steps of charge.
PULSE_SHOWN = 60     # And of a pulse.


class CellColumns(NamedTuple):
    """Names of a table's columns: time s, current A, voltage V, temperature degC, charge %, voltage at rest V."""

    time: str = 'time_s'
    current: str = 'current_a'
    voltage: str = 'voltage_v'
    temperature: str = 'temperature_degC'
    charge: str = 'soc_percent'
    at_rest: str = 'ocv_v'


class CellRun(NamedTuple):
    """
    A stretch of current from rest, of one cell.

    `time` s from 0, `current` A (discharging is positive), `voltage` V, `temperature` K (NaN where not measured), (n,).
    `rest_voltage`: before it, V. `charge`: at its beginning, (-), where it is known; else NaN, and follows from that.
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
        """Whether its charge was given, as that of pulses is."""
        return bool(np.isfinite(self.charge))

    @property
    def drawn(self) -> np.ndarray:
        """Charge drawn until each sample, C."""
        steps = 0.5 * (self.current[1:] + self.current[:-1]) * np.diff(self.time)
        return np.append(0.0, np.cumsum(steps))


class CellRecordings(NamedTuple):
    """All that was read: rows of charge (-) and voltage at rest (V) or None; pulses; discharges."""

    at_rest: np.ndarray | None
    pulses: tuple[CellRun, ...]
    discharges: tuple[CellRun, ...]


def read_recordings(paths: Sequence[Path], columns: CellColumns, series: float = 1.0,
                    parallel: float = 1.0, ambient: float = 298.15) -> CellRecordings:
    """
    Return what tables (CSV) hold of a battery, told apart by their columns.

    Charge and voltage at rest without a time are a table of the open-circuit voltage; with charge and time they are
    pulses, each from rest; time, current and voltage are discharges, of which the charging between them is left out.

    :param series: Cells in a string, `parallel` strings: voltage and current are divided by them.
    :param ambient: Temperature where none was measured, K.
    :raises InputError: If one cannot be read, lacks a column, or nothing can be made of it.
    """
    at_rest: np.ndarray | None = None
    pulses: list[CellRun] = []
    discharges: list[CellRun] = []
    for path in paths:
        names = read_head(path).names
        if columns.charge in names and columns.at_rest in names and columns.time not in names:
            at_rest = _at_rest(path, columns, series)
            continue
        table = read_table(path, [name for name in columns[:5] if name in names or name in columns[:3]])
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
    return CellRecordings(at_rest, tuple(pulses), tuple(discharges))


def _at_rest(path: Path, columns: CellColumns, series: float) -> np.ndarray:
    table = read_table(path, [columns.charge, columns.at_rest])
    charge, volts = table[columns.charge] / PERCENT, table[columns.at_rest] / series
    order = np.argsort(charge)
    found = np.column_stack([charge[order], volts[order]])
    if found[0, 0] > 0.0 or found[-1, 0] < 1.0 or np.any(np.diff(found[:, 1]) <= 0.0):
        raise InputError(f'{path}: {columns.at_rest} must rise with {columns.charge}, from 0 to 100')
    return found


def _sign(current: np.ndarray, voltage: np.ndarray, path: Path) -> float:
    """Return 1 where discharging is positive, -1 where it is negative: the voltage falls when a current sets in."""
    steps = np.diff(current)
    large = np.abs(steps) > 0.3 * np.nanmax(np.abs(current), initial=0.0)
    together = float(np.nansum(steps[large] * np.diff(voltage)[large]))
    if together == 0.0:
        raise InputError(f'{path}: no current sets in or ends, so nothing says which sign discharging has')
    return -1.0 if together > 0.0 else 1.0


def _pulses(name: str, rows: tuple[np.ndarray, ...], charge: np.ndarray) -> list[CellRun]:
    """Return the pulses of a table: a new one begins where time goes back, or the charge is another."""
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
    Return a pulse whose current sets in at once.

    Where a meter's first reading under load still says no current, but the voltage has fallen, the current is that of
    the next reading.
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
    """Return the discharges of a recording: from the first current until charging or a long rest."""
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
                                              float(voltage[max(begin - 1, 0)]))))
            begin = None
        if n < len(time) and flows[n]:
            begin, last = n if begin is None else begin, n
    return found


def _thinned(run: CellRun) -> CellRun:
    """Return a discharge with at most SHOWN samples, at about equal steps of charge; the first and last stay."""
    if len(run.time) <= SHOWN:
        return run
    drawn = run.drawn
    equal = np.searchsorted(drawn, np.linspace(drawn[0], drawn[-1], SHOWN)).clip(0, len(drawn) - 1)
    keep = np.unique([0, *equal, len(drawn) - 1])
    return run._replace(**{name: getattr(run, name)[keep] for name in ('time', 'current', 'voltage', 'temperature')})
