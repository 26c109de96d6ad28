"""
A thruster at standstill at one voltage, and what it does at a voltage between two that were measured.

Between voltages, at equal pulse width:

- Where the sheets have rates of turning n and the motor's 1/min/V is known, the motor is taken apart: its ESC gives it
  a share d of the voltage V, d V = n / rpm_per_volt + R I, and no power is lost on the way, P = I (n / rpm_per_volt +
  R I), with R from full throttle, d = 1. Then d, the torque's current over n^2, the thrust over n^2 and R hardly change
  with the voltage: they would not for a screw and a motor without other losses. What changes them are losses of the
  motor's ripple, which go with V^2: they are polynomials in it, through the two sheets below and the one above
  (logarithms of the two ratios).
- Without these thrust is a parabola in the voltage through the same sheets (a straight line where there is one below),
  and P / T^1.5, what a propeller and its motor need for a thrust, the same by logarithms.

How well that holds: docs/propellers.md, by `python3 bench/thruster_sheets.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

NEUTRAL = 1500.0  # us


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
    above = next(n for n, sheet in enumerate(sheets) if sheet.voltage > voltage)
    used = sheets[max(above - 2, 0):above + 1]
    moves = np.all([(sheet.thrusts != 0.0) & (sheet.powers > 0.0) for sheet in used], axis=0)
    if rpm_per_volt is not None and all(bool(np.all(sheet.rpm[moves] > 0.0)) for sheet in used) and moves[-1]:
        return _by_motor(used, voltage, moves, rpm_per_volt)
    return _by_thrust(used, voltage, moves)


def _by_motor(used: Sequence[ThrusterSheet], voltage: float, moves: np.ndarray, rpm_per_volt: float) -> ThrusterSheet:
    motors = [_motor_of(sheet, moves, rpm_per_volt) for sheet in used]
    weights = _weights([sheet.voltage ** 2 for sheet in used], voltage ** 2)
    resistance = sum(w * motor.resistance for w, motor in zip(weights, motors))
    given = voltage * sum(w * motor.duty for w, motor in zip(weights, motors))
    torque = np.exp(sum(w * np.log(motor.torque) for w, motor in zip(weights, motors)))
    of_square = np.exp(sum(w * np.log(motor.thrust) for w, motor in zip(weights, motors)))
    # d V = n / rpm_per_volt + R torque n^2, solved for n.
    slope = 1.0 / rpm_per_volt
    rpm = 2.0 * given / (slope + np.sqrt(slope * slope + 4.0 * resistance * torque * given))
    current = torque * rpm * rpm
    return _sheet_of(used[0].pulses, voltage, moves, of_square * rpm * rpm,
                     current * (slope * rpm + resistance * current), rpm)


def _by_thrust(used: Sequence[ThrusterSheet], voltage: float, moves: np.ndarray) -> ThrusterSheet:
    weights = _weights([sheet.voltage for sheet in used], voltage)
    log_weights = _weights([float(np.log(sheet.voltage)) for sheet in used], float(np.log(voltage)))
    thrust = sum(w * abs(sheet.thrusts) for w, sheet in zip(weights, used))
    moves = moves & (thrust > 0.0)
    need = sum(w * np.log(np.where(moves, sheet.powers, 1.0) / np.where(moves, abs(sheet.thrusts), 1.0) ** 1.5)
               for w, sheet in zip(log_weights, used))
    thrust = np.where(moves, thrust, 0.0)
    return _sheet_of(used[0].pulses, voltage, moves, thrust, np.exp(need) * thrust ** 1.5,
                     np.asarray(sum(w * sheet.rpm for w, sheet in zip(weights, used))))


def _sheet_of(pulses: np.ndarray, voltage: float, moves: np.ndarray, thrust: np.ndarray, power: np.ndarray,
              rpm: np.ndarray) -> ThrusterSheet:
    """Return a sheet of thrusts without their sign; zeros where nothing moves."""
    return ThrusterSheet(voltage, pulses, np.where(moves, np.sign(pulses - NEUTRAL) * thrust, 0.0),
                         np.where(moves, power, 0.0), np.where(moves, rpm, 0.0))


def _weights(knots: list[float], x: float) -> list[float]:
    """Return Lagrange's weights of values at knots for the value at x."""
    return [float(np.prod([(x - other) / (knot - other) for other in knots if other != knot])) for knot in knots]
