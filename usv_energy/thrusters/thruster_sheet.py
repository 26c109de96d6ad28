"""A maker's measurements of a thruster at standstill, at one or several voltages; the shipped library of them."""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names, share_folder
from usv_energy.files.parsed_text import read_yaml

NEUTRAL = 1500.0  # us
OF_DUTY, OF_TORQUE = 7.0, 12.0  # Powers of the voltage, from the T200's sheets (docs/propellers.md).
ROUNDS = 25  # Fixed-point iterations of rate and torque; each leaves a quarter of the error (T200), in all 1e-15.
LEAST_SPAN = 1e-9  # 1/min, least distance of two voltages' fastest rates to interpolate between them.


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

    def voltage_drop(self, rpm_per_volt: float) -> float:
        """
        Return the voltage drop of the motor, k of `bollard_map.py`, N^-0.5.

        At full throttle ahead the ESC gives the motor all of the voltage: V = n / rpm_per_volt + R I, and R I over the
        first term is k sqrt(thrust).

        :param rpm_per_volt: Of the motor without load, 1/min/V.
        """
        return self._drop_at(-1, rpm_per_volt)

    def voltage_drop_astern(self, rpm_per_volt: float) -> float:
        """Return `voltage_drop` at full throttle astern."""
        return self._drop_at(0, rpm_per_volt)

    def _drop_at(self, place: int, rpm_per_volt: float) -> float:
        turning = float(self.rpm[place]) / rpm_per_volt
        root: float = float(abs(self.thrusts[place])) ** 0.5
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
    return _by_thrust(sheets[_near(sheets, voltage)], voltage)


def from_one_sheet(sheet: ThrusterSheet, voltage: float, rpm_per_volt: float) -> ThrusterSheet:
    """
    Return the sheet of a thruster with a single sheet at another voltage, by its motor's equations.

    :param voltage: V.
    :param rpm_per_volt: Of the motor without load, 1/min/V.
    """
    moves = _moving([sheet]) & (sheet.rpm > 0.0)
    motor = _motor_of(sheet, moves, rpm_per_volt)
    given, slope = motor.duty * voltage, 1.0 / rpm_per_volt
    rpm = 2.0 * given / (slope + np.sqrt(slope * slope + 4.0 * motor.resistance * motor.torque * given))
    current = motor.torque * rpm * rpm
    return _sheet_of(sheet.pulses, voltage, moves, motor.thrust * rpm * rpm,
                     current * (slope * rpm + motor.resistance * current), rpm)


def _near(sheets: Sequence[ThrusterSheet], voltage: float) -> slice:
    """Return the indices of the two sheets below a voltage and the one above it; of one below if there are no two."""
    above = next(n for n, sheet in enumerate(sheets) if sheet.voltage > voltage)
    return slice(max(above - 2, 0), above + 1)


def _moving(sheets: Sequence[ThrusterSheet]) -> np.ndarray:
    """Return which pulses give motion at the voltages of all sheets."""
    moves: np.ndarray = np.all([(sheet.thrusts != 0.0) & (sheet.powers > 0.0) for sheet in sheets], axis=0)
    return moves


def _by_motor(sheets: Sequence[ThrusterSheet], voltage: float, moves: np.ndarray, rpm_per_volt: float) -> ThrusterSheet:
    motors = [_motor_of(sheet, moves, rpm_per_volt) for sheet in sheets]
    voltages = np.array([sheet.voltage for sheet in sheets])
    near = _near(sheets, voltage)
    pulses, slope, full = sheets[0].pulses, 1.0 / rpm_per_volt, _lagrange(voltages[near] ** 2, voltage ** 2)
    resistance = float(full @ [motor.resistance for motor in motors[near]])
    given = voltage * _by_all(voltages, voltage, OF_DUTY) @ [motor.duty for motor in motors]

    def rate_with(volts: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Solve volts = n / rpm_per_volt + R torque n^2 for n."""
        rate: np.ndarray = 2.0 * volts / (slope + np.sqrt(slope * slope + 4.0 * resistance * torque * volts))
        return rate

    rpm, torque, of_square = np.zeros(len(pulses)), np.ones(len(pulses)), np.ones(len(pulses))
    ahead, astern = np.flatnonzero(moves & (pulses > NEUTRAL)), np.flatnonzero(moves & (pulses < NEUTRAL))[::-1]
    for side in (side for side in (ahead, astern) if len(side)):
        of_torque = _by_rate(sheets, [motor.torque for motor in motors], side, _by_all(voltages, voltage, OF_TORQUE))
        of_thrust = _by_rate(sheets, [motor.thrust for motor in motors], side, _by_all(voltages, voltage, 0.0))
        # Between the fastest rate of the sheet below and full throttle, the torque changes gradually to that there.
        reached = sheets[near][-2].rpm[side[-1]]
        at_full = float(np.exp(full @ np.log([motor.torque[side[-1]] for motor in motors[near]])))
        fastest = rate_with(given[side[-1]], np.asarray(at_full))
        missing = np.log(at_full) - of_torque(fastest)
        rate = rpm_per_volt * given[side]
        for _ in range(ROUNDS):
            share = np.clip((rate - reached) / max(float(fastest) - reached, LEAST_SPAN), 0.0, 1.0)
            torque[side] = np.exp(of_torque(rate) + share * missing)
            rate = rate_with(given[side], torque[side])
        rpm[side], of_square[side] = rate, np.exp(of_thrust(rate))
    current = torque * rpm * rpm
    return _sheet_of(pulses, voltage, moves, of_square * rpm * rpm, current * (slope * rpm + resistance * current), rpm)


def _by_rate(sheets: Sequence[ThrusterSheet], values: list[np.ndarray], side: np.ndarray,
             weights: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """
    Return a function of the rate of turning, 1/min: the weighted mean over sheets of the logarithm of a value.

    Beyond its fastest rate a sheet keeps its difference from the last sheet, whose voltage is the highest.

    :param values: Of each sheet, by pulse.
    :param side: Indices of the pulses of one side, from the neutral pulse outwards.
    """
    curves = []
    for sheet, value in zip(sheets, values):
        order = side[np.argsort(sheet.rpm[side], kind='stable')]
        curves.append((sheet.rpm[order], np.log(value[order])))
    last = curves[-1]

    def at(rate: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.interp(rate, *last)
        for weight, curve in zip(weights, curves[:-1]):
            within = np.minimum(rate, min(curve[0][-1], last[0][-1]))
            found = found + weight * (np.interp(within, *curve) - np.interp(within, *last))
        return found

    return at


def _by_thrust(used: Sequence[ThrusterSheet], voltage: float) -> ThrusterSheet:
    voltages = np.array([sheet.voltage for sheet in used])
    weights, of_logarithms = _lagrange(voltages, voltage), _lagrange(np.log(voltages), float(np.log(voltage)))
    thrust = weights @ [abs(sheet.thrusts) for sheet in used]
    moves = _moving(used) & (thrust > 0.0)
    need = of_logarithms @ [np.log(np.where(moves, sheet.powers, 1.0) / np.where(moves, abs(sheet.thrusts), 1.0) ** 1.5)
                            for sheet in used]
    thrust = np.where(moves, thrust, 0.0)
    return _sheet_of(used[0].pulses, voltage, moves, thrust, np.exp(need) * thrust ** 1.5,
                     weights @ [sheet.rpm for sheet in used])


def _sheet_of(pulses: np.ndarray, voltage: float, moves: np.ndarray, thrust: np.ndarray, power: np.ndarray,
              rpm: np.ndarray) -> ThrusterSheet:
    """Return a sheet from magnitudes of thrusts; zeros at pulses without motion."""
    return ThrusterSheet(voltage, pulses, np.where(moves, np.sign(pulses - NEUTRAL) * thrust, 0.0),
                         np.where(moves, power, 0.0), np.where(moves, rpm, 0.0))


def _lagrange(knots: np.ndarray, x: float) -> np.ndarray:
    """Return Lagrange's weights of the values at knots for the value at x."""
    return np.array([np.prod([(x - other) / (knot - other) for other in knots if other != knot]) for knot in knots])


def _by_all(knots: np.ndarray, x: float, power: float) -> np.ndarray:
    """
    Return the weights of the values at ascending knots for the value at x.

    A constant plus a multiple of x^power is fitted to the values (least squares), and the linearly interpolated
    residuals are added.

    :param power: 0 for the constant alone, the mean.
    """
    terms = np.stack([np.ones(len(knots)), (knots / knots[-1]) ** power], axis=1)[:, :2 if power else 1]
    fit = np.linalg.pinv(terms)
    left = np.eye(len(knots)) - terms @ fit
    wanted = np.array([1.0, (x / knots[-1]) ** power])[:terms.shape[1]]
    above = int(np.searchsorted(knots, x, side='right'))
    share = (x - knots[above - 1]) / (knots[above] - knots[above - 1])
    weights: np.ndarray = wanted @ fit + (1.0 - share) * left[above - 1] + share * left[above]
    return weights


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
