"""
A thruster at standstill at one voltage, and what it does at a voltage between two that were measured.

Between voltages, at equal pulse width:

- Where the sheets have rates of turning n and the motor's 1/min/V is known, the motor is taken apart: its ESC gives it
  a share d of the voltage V, d V = n / rpm_per_volt + R I, and no power is lost on the way, P = I (n / rpm_per_volt +
  R I), with R from full throttle, d = 1. The thrust over n^2 is the screw's, at any voltage the same function of n; so
  is the torque's current over n^2, but for what the ESC makes the motor lose at part throttle; d is one function of
  the pulse. With the voltage, d at a pulse and the logarithm of that current at a rate change as a constant plus a
  multiple of V^7 and V^12, fitted to all sheets. The residuals of the sheets go in straight lines from one voltage to
  the next, so that at its own voltage each sheet is reproduced. At full throttle R and the current over n^2 are
  polynomials in V^2, through the two sheets below and the one above.
- A thruster with a sheet at one voltage alone, and with rates of turning, is taken apart the same way: at equal pulse
  d, the current over n^2 and the thrust over n^2 are those of that sheet.
- Without these thrust is a parabola in the voltage through the same sheets (a straight line where there is one below),
  and P / T^1.5, what a propeller and its motor need for a thrust, the same by logarithms.

How well that holds: docs/propellers.md, by `python3 bench/thruster_sheets.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

NEUTRAL = 1500.0  # us
OF_DUTY, OF_TORQUE = 7.0, 12.0  # powers of the voltage; from the T200's sheets: docs/propellers.md.
ROUNDS = 25  # of the rate that the torque at that rate allows; a round leaves a quarter of the error (T200): 1e-15.
LEAST_SPAN = 1e-9  # 1/min; where the rates of two voltages end together there is nothing between them.


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
        return self._drop_at(-1, rpm_per_volt)

    def voltage_drop_astern(self, rpm_per_volt: float) -> float:
        """Return what `voltage_drop` does, of full throttle astern."""
        return self._drop_at(0, rpm_per_volt)

    def _drop_at(self, place: int, rpm_per_volt: float) -> float:
        turning = float(self.rpm[place]) / rpm_per_volt
        root: float = float(abs(self.thrusts[place])) ** 0.5
        return max(self.voltage / turning - 1.0, 0.0) / root

    @property
    def astern_coefficient(self) -> float:
        """
        Return the inflow coefficient c astern over that ahead, (-): 1 where the sheet has no rates of turning.

        A screw that turns backwards has the pitch that it has, so it gives no thrust at the same advance ratio J0, and
        c = sqrt(density K_T0) D / J0 goes as the root of K_T0, of full throttle astern and ahead.
        """
        if not (self.rpm[[0, -1]] > 0.0).all() or not self.thrusts[0] < 0.0 < self.thrusts[-1]:
            return 1.0
        astern, ahead = (abs(float(self.thrusts[place])) / float(self.rpm[place]) ** 2 for place in (0, -1))
        return float((astern / ahead) ** 0.5)


class _Motor(NamedTuple):
    """
    What a sheet says of its motor and screw, arrays by pulse where they move, 1 elsewhere; R in ohm.

    `duty`: share of the voltage that the motor gets, (-); `torque`: its current over n^2, A min^2; `thrust`: the thrust
    over n^2, N min^2.
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
    Return what a thruster does at a voltage between those of its sheets, by the rules at the head of this file.

    :param sheets: By rising voltage, of the same pulses.
    :param voltage: V, above the first and below the last.
    :param rpm_per_volt: Of the motor without load, 1/min/V; None if nobody says.
    """
    if rpm_per_volt is not None:
        moves = _moving(sheets)
        if all(bool(np.all(sheet.rpm[moves] > 0.0)) for sheet in sheets) and moves[-1]:
            return _by_motor(sheets, voltage, moves, rpm_per_volt)
    return _by_thrust(sheets[_near(sheets, voltage)], voltage)


def from_one_sheet(sheet: ThrusterSheet, voltage: float, rpm_per_volt: float) -> ThrusterSheet:
    """
    Return what a thruster with one sheet does at another voltage, by the rule at the head of this file.

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
    """Return where the two sheets below a voltage and the one above it are; one below where there is no other."""
    above = next(n for n, sheet in enumerate(sheets) if sheet.voltage > voltage)
    return slice(max(above - 2, 0), above + 1)


def _moving(sheets: Sequence[ThrusterSheet]) -> np.ndarray:
    """Return the pulses that move something at the voltage of every sheet."""
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
        # Between the fastest rate of the sheet below and full throttle, the torque goes over to its value there.
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
    Return a function of the rate of turning, 1/min: the weighted mean of the sheets' logarithms of a value.

    Beyond its fastest rate a sheet keeps its distance to the last sheet, whose voltage is the highest.

    :param values: Of each sheet, by pulse.
    :param side: Numbers of the pulses of one side, from the neutral pulse outwards.
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
    """Return a sheet of thrusts without their sign; zeros where nothing moves."""
    return ThrusterSheet(voltage, pulses, np.where(moves, np.sign(pulses - NEUTRAL) * thrust, 0.0),
                         np.where(moves, power, 0.0), np.where(moves, rpm, 0.0))


def _lagrange(knots: np.ndarray, x: float) -> np.ndarray:
    """Return Lagrange's weights of values at knots for that at x."""
    return np.array([np.prod([(x - other) / (knot - other) for other in knots if other != knot]) for knot in knots])


def _by_all(knots: np.ndarray, x: float, power: float) -> np.ndarray:
    """
    Return the weights of values at rising knots for that at x.

    A constant plus a multiple of x^power is fitted to the values (least squares); the residuals are added, interpolated
    in straight lines.

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
