"""A maker's measurements of a thruster at standstill, at one or several voltages; the shipped library of them."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names, share_folder
from usv_energy.files.parsed_text import read_yaml

NEUTRAL = 1500.0  # us


@dataclass(frozen=True)
class ThrusterSheet:
    """
    A thruster at one voltage, V: thrust at standstill, N (astern below 0), electrical W and 1/min, over pulse, us.

    The rates of turning are NaN if the file has none.
    """

    voltage: float
    pulses: np.ndarray
    thrusts: np.ndarray
    powers: np.ndarray
    rpm: np.ndarray

    def bollard_map(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the ascending thrusts, N, and their powers, W; pulses without thrust are merged into one knot."""
        moves = self.thrusts != 0.0
        astern, ahead = moves & (self.pulses < NEUTRAL), moves & (self.pulses > NEUTRAL)
        thrusts = np.concatenate((self.thrusts[astern], [0.0], self.thrusts[ahead]))
        return thrusts, np.concatenate((self.powers[astern], [0.0], self.powers[ahead]))

    def voltage_drop(self, rpm_per_volt: float, full_throttle: int = -1) -> float:
        """
        Return the voltage drop of the motor, k of `bollard_map.py`, N^-0.5.

        At full throttle the ESC gives the motor all of the voltage: V = n / rpm_per_volt + R I, and R I over the first
        term is k sqrt(thrust).

        :param rpm_per_volt: Of the motor without load, 1/min/V.
        :param full_throttle: Index of its pulse: -1 ahead, 0 astern.
        """
        turning = float(self.rpm[full_throttle]) / rpm_per_volt
        root: float = float(abs(self.thrusts[full_throttle])) ** 0.5
        return max(self.voltage / turning - 1.0, 0.0) / root

    @property
    def astern_coefficient(self) -> float:
        """
        Return the inflow coefficient c astern over that ahead, (-); 1 if the sheet has no rates of turning.

        A screw that turns backwards has the same pitch, so it gives no thrust at the same advance ratio J0, and c =
        sqrt(density K_T0) D / J0 is proportional to the root of K_T0, which is taken at full throttle astern and ahead.
        """
        if not (self.rpm[[0, -1]] > 0.0).all() or not self.thrusts[0] < 0.0 < self.thrusts[-1]:
            return 1.0
        astern, ahead = (abs(float(self.thrusts[place])) / float(self.rpm[place]) ** 2 for place in (0, -1))
        return float((astern / ahead) ** 0.5)


class _Motor(NamedTuple):
    """
    The motor and screw of a sheet: arrays by pulse, 1 at pulses without motion; R in ohm.

    `duty`: share of the voltage at the motor, (-). `torque`: its current over n^2, A min^2. `thrust`: over n^2, N
    min^2.
    """

    resistance: float
    duty: np.ndarray
    torque: np.ndarray
    thrust: np.ndarray


def _motor_of(sheet: ThrusterSheet, moves: np.ndarray, rpm_per_volt: float) -> _Motor:
    turning = np.where(moves, sheet.rpm / rpm_per_volt, 1.0)  # V
    power = np.where(moves, sheet.powers, 1.0)
    resistance = max(float((sheet.voltage - turning[-1]) * sheet.voltage / power[-1]), 0.0)
    current = 2.0 * power / (turning + np.sqrt(turning * turning + 4.0 * resistance * power))
    square = np.where(moves, sheet.rpm, 1.0) ** 2
    return _Motor(resistance, (turning + resistance * current) / sheet.voltage, current / square,
                  np.where(moves, abs(sheet.thrusts), 1.0) / square)


def between_sheets(sheets: Sequence[ThrusterSheet], voltage: float, rpm_per_volt: float | None = None) -> ThrusterSheet:
    """
    Return the sheet of a thruster at a voltage between those of its sheets, by its motor's equations if they are known.

    :param sheets: By ascending voltage, with the same pulses.
    :param voltage: V, above the first and below the last.
    :param rpm_per_volt: Of the motor without load, 1/min/V; None if not known.
    """
    if rpm_per_volt is not None:
        moves = _moving(sheets)
        if all(bool(np.all(sheet.rpm[moves] > 0.0)) for sheet in sheets) and moves[-1]:
            return _by_motor(sheets, voltage, moves, rpm_per_volt)
    above = int(np.searchsorted([sheet.voltage for sheet in sheets], voltage))
    return _by_thrust(sheets[above - 1], sheets[above], voltage)


def from_one_sheet(sheet: ThrusterSheet, voltage: float, rpm_per_volt: float) -> ThrusterSheet:
    """
    Return the sheet of a thruster with a single sheet at another voltage, by its motor's equations.

    :param voltage: V.
    :param rpm_per_volt: Of the motor without load, 1/min/V.
    """
    moves = _moving([sheet]) & (sheet.rpm > 0.0)
    motor = _motor_of(sheet, moves, rpm_per_volt)
    rpm = _rate(motor.duty * voltage, motor.resistance * motor.torque, rpm_per_volt)
    current = motor.torque * rpm * rpm
    return _sheet_of(sheet.pulses, voltage, moves, motor.thrust * rpm * rpm,
                     current * (rpm / rpm_per_volt + motor.resistance * current), rpm)


def _rate(given: np.ndarray, lost: np.ndarray, rpm_per_volt: float) -> np.ndarray:
    """Return the rate n, 1/min, of a motor that is given V = n / rpm_per_volt + lost n^2."""
    slope = 1.0 / rpm_per_volt
    return 2.0 * given / (slope + np.sqrt(slope * slope + 4.0 * lost * given))


def _moving(sheets: Sequence[ThrusterSheet]) -> np.ndarray:
    """Return which pulses give motion at the voltages of all sheets."""
    return np.all([(sheet.thrusts != 0.0) & (sheet.powers > 0.0) for sheet in sheets], axis=0)


def _by_motor(sheets: Sequence[ThrusterSheet], voltage: float, moves: np.ndarray, rpm_per_volt: float) -> ThrusterSheet:
    """
    Return the sheet at a voltage, by what belongs to a pulse at all voltages and what grows with the voltage.

    The share of the voltage that the ESC gives belongs to the pulse: that of the lowest two voltages, where least is
    lost. With that, each sheet tells the current, its torque over n^2, and the resistance of motor and ESC, (given
    voltage - n / rpm_per_volt) over the current, which grows with voltage and part load as the current commutates
    later. Resistance, and the logarithms of torque and of thrust over n^2, which are the screw's, are polynomials of
    the voltage through the two sheets below and the two above, or as many as there are.
    """
    voltages = np.array([sheet.voltage for sheet in sheets])
    share = np.mean([_motor_of(sheet, moves, rpm_per_volt).duty for sheet in sheets[:2]], axis=0)
    above = int(np.searchsorted(voltages, voltage))
    near = slice(max(above - 2, 0), above + 2)
    lost, of_square, thrust = np.zeros((3, moves.size))
    for sheet, weight in zip(sheets[near], _lagrange(voltages[near], voltage)):
        given, rate = np.where(moves, share * sheet.voltage, 1.0), np.where(moves, sheet.rpm, 1.0)
        current = np.where(moves, sheet.powers, 1.0) / given
        lost += weight * (given - rate / rpm_per_volt) / current
        of_square += weight * np.log(current / rate ** 2)
        thrust += weight * np.log(np.where(moves, abs(sheet.thrusts), 1.0) / rate ** 2)
    of_square, given = np.exp(of_square), share * voltage
    rate = _rate(given, np.maximum(lost, 0.0) * of_square, rpm_per_volt)
    square = rate * rate
    return _sheet_of(sheets[0].pulses, voltage, moves, np.exp(thrust) * square, given * of_square * square, rate)


def _by_thrust(low: ThrusterSheet, high: ThrusterSheet, voltage: float) -> ThrusterSheet:
    """Return the sheet at a voltage between two, thrust, power and rate of each pulse as powers of the voltage."""
    moves = _moving([low, high])
    share = float(np.log(voltage / low.voltage) / np.log(high.voltage / low.voltage))

    def between(name: str) -> np.ndarray:
        ends = [np.log(np.where(moves & (getattr(sheet, name) != 0.0), abs(getattr(sheet, name)), 1.0))
                for sheet in (low, high)]
        return np.exp((1.0 - share) * ends[0] + share * ends[1])

    return _sheet_of(low.pulses, voltage, moves, between('thrusts'), between('powers'), between('rpm'))


def _sheet_of(pulses: np.ndarray, voltage: float, moves: np.ndarray, thrust: np.ndarray, power: np.ndarray,
              rpm: np.ndarray) -> ThrusterSheet:
    """Return a sheet from magnitudes of thrusts; zeros at pulses without motion."""
    return ThrusterSheet(voltage, pulses, np.where(moves, np.sign(pulses - NEUTRAL) * thrust, 0.0),
                         np.where(moves, power, 0.0), np.where(moves, rpm, 0.0))


def _lagrange(knots: np.ndarray, x: float) -> np.ndarray:
    """Return Lagrange's weights of the values at knots for the value at x."""
    return np.array([np.prod([(x - other) / (knot - other) for other in knots if other != knot]) for knot in knots])


SAME_VOLTAGE = 1e-9
LEAST_SHARE, MOST_SHARE = 0.75, 1.05  # Allowed voltages over that of a single sheet, if its motor is known.


@dataclass(frozen=True)
class LibraryThruster:
    """
    A thruster of the library: its sheets by ascending voltage.

    `inflow` and `rpm_per_volt` (of its motor without load, 1/min/V) are None if its file does not give them.
    """

    name: str
    path: Path
    sheets: tuple[ThrusterSheet, ...]
    inflow: dict[str, Any] | None
    rpm_per_volt: float | None = None

    @property
    def voltages(self) -> tuple[float, float]:
        """The lowest and the highest voltage, V; around that of a single sheet if the motor is known."""
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
        Return the sheet of the thruster at a voltage, V.

        :param where: Prefix of the error message.
        :raises InputError: Outside the range of the sheets.
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

    :param where: Prefix of the error message: the file and key that name it.
    :raises InputError: If there is none, with similar names; if its file is wrong.
    """
    known = names('thrusters')
    if name not in known:
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
        hint = f' Did you mean {" or ".join(map(repr, close))}?' if close else ''
        raise InputError(f'{where}no thruster named {name!r}.{hint} There are: {", ".join(known)}')
    path = share_folder() / 'config' / 'thrusters' / f'{name}.yaml'
    return thruster_from(read_yaml(path), path)


def thruster_from(document: dict[str, Any], path: Path) -> LibraryThruster:
    """
    Return a thruster from the content of its file.

    :raises InputError: If it is wrong; the message names file, key, value and what is allowed.
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
