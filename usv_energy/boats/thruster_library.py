"""
Thrusters that are sold: what their makers measured at standstill, at several voltages, in config/thrusters.

A sheet holds, for pulse widths of the command, thrust, electrical power and rate of turning at one voltage. Between
voltages, at equal pulse width (equal duty of the ESC):

- thrust is a parabola in the voltage through the two sheets below and the one above (a straight line where there is one
  below): rates of turning grow more slowly than the voltage, thrusts with their square, and both saturate at the top;
- P / T^1.5, what a propeller and its motor need for a thrust, is interpolated in the same way by its logarithm over
  that of the voltage: a screw alone would need the same at any voltage, and motor and ESC add to it.

How well that holds: docs/propellers.md, by `python3 bench/thruster_sheets.py`.
"""

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..files import checked
from ..files.errors import InputError
from ..files.locate import names, share_folder

NEUTRAL = 1500.0  # us
SAME_VOLTAGE = 1e-9


@dataclass(frozen=True)
class ThrusterSheet:
    """
    A thruster at one voltage, V: thrusts at standstill, N (astern below 0), electrical W, 1/min, by pulse, us.

    The rates of turning are NaN where the file has none.
    """

    voltage: float
    pulses: np.ndarray
    thrusts: np.ndarray
    powers: np.ndarray
    rpm: np.ndarray

    def bollard_map(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the rising thrusts, N, and their powers, W: the pulses that move nothing are one knot."""
        moves = self.thrusts != 0.0
        astern, ahead = moves & (self.pulses < NEUTRAL), moves & (self.pulses > NEUTRAL)
        thrusts = np.concatenate((self.thrusts[astern], [0.0], self.thrusts[ahead]))
        return thrusts, np.concatenate((self.powers[astern], [0.0], self.powers[ahead]))

    def voltage_drop(self, rpm_per_volt: float) -> float:
        """
        Return what the motor loses of its voltage, k of `physics/propeller.py`, N^-0.5.

        At full throttle ahead the ESC gives the motor all of the voltage: V = n / rpm_per_volt + R I, and R I over the
        first part is k sqrt(thrust).

        :param rpm_per_volt: Of the motor without load, 1/min/V.
        """
        turning = float(self.rpm[-1]) / rpm_per_volt
        root: float = float(self.thrusts[-1]) ** 0.5
        return max(self.voltage / turning - 1.0, 0.0) / root


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
        """The lowest and the highest voltage, V."""
        return self.sheets[0].voltage, self.sheets[-1].voltage

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
        return between_sheets(self.sheets, voltage)


def between_sheets(sheets: tuple[ThrusterSheet, ...], voltage: float) -> ThrusterSheet:
    """
    Return what a thruster does at a voltage between those of its sheets, by the rule at the head of this file.

    :param sheets: By rising voltage, of the same pulses.
    :param voltage: V, above the first and below the last.
    """
    above = next(n for n, sheet in enumerate(sheets) if sheet.voltage > voltage)
    used = sheets[max(above - 2, 0):above + 1]
    weights = _weights([sheet.voltage for sheet in used], voltage)
    log_weights = _weights([float(np.log(sheet.voltage)) for sheet in used], float(np.log(voltage)))
    thrust = sum(w * abs(sheet.thrusts) for w, sheet in zip(weights, used))
    moves = np.all([(sheet.thrusts != 0.0) & (sheet.powers > 0.0) for sheet in used], axis=0) & (thrust > 0.0)
    sign = np.sign(sheets[0].pulses - NEUTRAL)
    need = sum(w * np.log(np.where(moves, sheet.powers, 1.0) / np.where(moves, abs(sheet.thrusts), 1.0) ** 1.5)
               for w, sheet in zip(log_weights, used))
    thrust = np.where(moves, thrust, 0.0)
    rpm = sum(w * sheet.rpm for w, sheet in zip(weights, used))
    return ThrusterSheet(voltage, sheets[0].pulses, sign * thrust, np.where(moves, np.exp(need), 0.0) * thrust ** 1.5,
                         np.where(moves, rpm, 0.0))


def _weights(knots: list[float], x: float) -> list[float]:
    """Return Lagrange's weights of values at knots for the value at x."""
    return [float(np.prod([(x - other) / (knot - other) for other in knots if other != knot])) for knot in knots]


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
