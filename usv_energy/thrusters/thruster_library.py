"""
Thrusters that are sold: what their makers measured at standstill, at several voltages, in config/thrusters.

A sheet holds, for pulse widths of the command, thrust, electrical power and rate of turning at one voltage; what lies
between two voltages: `thruster_sheet`.
"""

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..files import checked
from ..files.errors import InputError
from ..files.locate import names, share_folder
from .thruster_sheet import NEUTRAL, ThrusterSheet, between_sheets, from_one_sheet

SAME_VOLTAGE = 1e-9
LEAST_SHARE, MOST_SHARE = 0.75, 1.05  # Of the voltage of a single sheet: where its motor says what it does.


@dataclass(frozen=True)
class LibraryThruster:
    """
    A thruster of the library: its sheets by rising voltage.

    Where its file says nothing of it, `inflow` is None, and so is `rpm_per_volt`, of its motor without load, 1/min/V.
    """

    name: str
    path: Path
    sheets: tuple[ThrusterSheet, ...]
    inflow: dict[str, Any] | None
    rpm_per_volt: float | None = None

    @property
    def voltages(self) -> tuple[float, float]:
        """The lowest and the highest voltage, V; about that of a single sheet where the motor is known."""
        low, high = self.sheets[0].voltage, self.sheets[-1].voltage
        if low == high and self._knows_motor:
            return LEAST_SHARE * low, MOST_SHARE * high
        return low, high

    @property
    def _knows_motor(self) -> bool:
        moves = self.sheets[0].thrusts != 0.0
        return self.rpm_per_volt is not None and bool(np.all(self.sheets[0].rpm[moves] > 0.0))

    def at_voltage(self, voltage: float, where: str) -> ThrusterSheet:
        """
        Return the thruster at a voltage, V.

        :param where: What stands before the error's text.
        :raises InputError: Outside the sheets.
        """
        low, high = self.voltages
        if not low <= voltage <= high:
            allowed = f'from {low:g} to {high:g} V' if high > low else f'{low:g} V'
            raise InputError(f'{where}voltage is {voltage:g}; the sheets of {self.name} are for {allowed}')
        for sheet in self.sheets:
            if abs(sheet.voltage - voltage) < SAME_VOLTAGE:
                return sheet
        if len(self.sheets) == 1:
            assert self.rpm_per_volt is not None
            return from_one_sheet(self.sheets[0], voltage, self.rpm_per_volt)
        return between_sheets(self.sheets, voltage, self.rpm_per_volt)


def read_thruster(name: str, where: str = '') -> LibraryThruster:
    """
    Return a thruster of config/thrusters by its name.

    :param where: What stands before the error's text: the file and key that name it.
    :raises InputError: If there is none, with those that are close; if its file is wrong.
    """
    known = names('thrusters')
    if name not in known:
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
        hint = f' Did you mean {" or ".join(map(repr, close))}?' if close else ''
        raise InputError(f'{where}no thruster named {name!r}.{hint} There are: {", ".join(known)}')
    path = share_folder() / 'config' / 'thrusters' / f'{name}.yaml'
    return thruster_from(checked.read_yaml(path), path)


def thruster_from(document: dict[str, Any], path: Path) -> LibraryThruster:
    """
    Return a thruster from the content of its file.

    :raises InputError: File, key, value and what is allowed.
    """
    checked.check(document, 'thruster', path)
    pulses = np.array(document['pulses'], dtype=float)
    _check_rising(pulses, 'pulses', path)
    sheets = tuple(_sheet(n, entry, pulses, path) for n, entry in enumerate(document['sheets']))
    _check_rising(np.array([sheet.voltage for sheet in sheets]), 'sheets: voltages', path)
    return LibraryThruster(document['name'], path, sheets, document.get('inflow'),
                           document.get('motor', {}).get('rpm_per_volt'))


def _sheet(number: int, entry: dict[str, Any], pulses: np.ndarray, path: Path) -> ThrusterSheet:
    columns = []
    for key in ('thrusts', 'powers', 'rpm'):
        column = np.array(entry.get(key, np.full(pulses.size, np.nan)), dtype=float)
        if column.size != pulses.size:
            raise InputError(f'{path}: sheets.{number}.{key} has {column.size} numbers; must be as many as pulses, '
                             f'{pulses.size}')
        columns.append(column)
    sheet = ThrusterSheet(float(entry['voltage']), pulses, *columns)
    if np.any(sheet.thrusts * (pulses - NEUTRAL) < 0.0):
        raise InputError(f'{path}: sheets.{number}.thrusts must be below 0 for pulses below {NEUTRAL:g} us, above 0 '
                         'for longer ones')
    _check_rising(sheet.bollard_map()[0], f'sheets.{number}.thrusts', path)
    return sheet


def _check_rising(values: np.ndarray, what: str, path: Path) -> None:
    if np.any(np.diff(values) <= 0.0):
        raise InputError(f'{path}: {what} are {values.tolist()}; they must rise')
