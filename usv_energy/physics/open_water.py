"""
Open-water curves of a screw, K_T and K_Q over the advance J, turned into what `propeller.py` looks up.

T = density n^2 D^4 K_T, Q = density n^2 D^5 K_Q and J = v / (n D) define the coefficients (ITTC). Thrust astern is
taken as the mirror of that ahead at standstill, which a real screw does not quite reach.
"""

from typing import NamedTuple

import numpy as np

from .propeller import Propeller

WATER_DENSITY = 998.2  # Fresh water at 20 deg C, kg/m^3 (ITTC 7.5-02-01-03).
SPEEDS = 9             # Rows of a table: speeds of the water from 0 to where the fastest screw gives no thrust.
THRUSTS = 12           # Knots of a table on each side of 0, denser towards it; so few that compiled code unrolls them.
HALVINGS = 60          # Of the bracket in which a rate of turning is looked for: to rounding.


class OpenWater(NamedTuple):
    """A screw's curves: advance J (-), from 0, rising; K_T and K_Q (-) at it; K_T falls through 0 within it."""

    advance: np.ndarray
    thrust: np.ndarray
    torque: np.ndarray

    @property
    def advance_without_thrust(self) -> float:
        """J at which K_T is 0; that of the last knot where it stays above."""
        below = np.flatnonzero(self.thrust <= 0.0)
        if not below.size:
            return float(self.advance[-1])
        n = int(below[0])
        share = self.thrust[n - 1] / (self.thrust[n - 1] - self.thrust[n])
        return float(self.advance[n - 1] + share * (self.advance[n] - self.advance[n - 1]))


class Drive(NamedTuple):
    """
    Motor and ESC: rates of turning that they reach, 1/s, least (astern below 0) and most; efficiency (-) over shaft W.

    The efficiency is that of both together, at rising knots of the shaft's power, held constant outside them.
    """

    least: float
    most: float
    shaft_power: np.ndarray
    efficiency: np.ndarray


def inflow_of(curves: OpenWater, diameter: float, density: float = WATER_DENSITY) -> tuple[float, float]:
    """
    Return the inflow coefficient c, N^0.5 s/m, and the torque ratio g, (-), of `propeller.py` for a screw.

    Both are of the straight lines from K_T0 and K_Q0 that are nearest (least squares) to the curves between J = 0 and
    where K_T is 0.

    :param curves: The OpenWater curves.
    :param diameter: D, m.
    :param density: Of the water, kg/m^3.
    """
    j = np.linspace(0.0, curves.advance_without_thrust, 201)
    slopes = []
    for knots in (curves.thrust, curves.torque):
        fall = 1.0 - np.interp(j, curves.advance, knots) / knots[0]
        slopes.append(float(fall @ j / (j @ j)))
    return (density * float(curves.thrust[0])) ** 0.5 * diameter * slopes[0], slopes[1] / slopes[0]


def tabled_propeller(curves: OpenWater, diameter: float, drive: Drive, density: float = WATER_DENSITY) -> Propeller:
    """
    Return the Propeller of a screw and its drive: a table of electrical power over thrust and speed.

    :param curves: The OpenWater curves.
    :param diameter: D, m.
    :param drive: The Drive.
    :param density: Of the water, kg/m^3.
    """
    force, none = density * diameter ** 4, curves.advance_without_thrust
    rate = max(drive.most, -drive.least)
    speed = np.linspace(0.0, none * diameter * drive.most, SPEEDS)
    ahead = force * curves.thrust[0] * rate ** 2 * np.linspace(0.0, 1.0, THRUSTS + 1) ** 2
    thrust = np.concatenate((-ahead[:0:-1], ahead))
    v, wanted = np.meshgrid(speed, abs(thrust), indexing='ij')
    into = np.where(thrust < 0.0, 0.0, v)  # Astern as at standstill.
    turning = _rate_for(wanted, into, curves, diameter, force, none)
    j = into / (turning * diameter)
    shaft = (2.0 * np.pi * density * diameter ** 5 * turning ** 3
             * np.maximum(np.interp(np.minimum(j, none), curves.advance, curves.torque), 0.0))
    power = shaft / np.interp(shaft, drive.shaft_power, drive.efficiency)
    fastest = force * drive.most ** 2 * np.interp(speed / (drive.most * diameter), curves.advance, curves.thrust)
    slowest = -force * curves.thrust[0] * min(drive.least, 0.0) ** 2
    standstill = power[0]
    return Propeller(thrust, standstill, tabled=1.0, table_speed=speed, table_place=np.arange(float(SPEEDS)),
                     table_thrust=thrust, table_power=power, table_least=np.full(SPEEDS, slowest),
                     table_most=np.maximum(fastest, 0.0))


def _rate_for(thrust: np.ndarray, speed: np.ndarray, curves: OpenWater, diameter: float, force: float,
              none: float) -> np.ndarray:
    """Return the rates of turning, 1/s, at which the screw gives thrusts at speeds, N and m/s, by bisection."""
    low = speed / (none * diameter)
    high = low + 1.0
    for _ in range(HALVINGS):
        high = np.where(_thrust(high, speed, curves, diameter, force) < thrust, 2.0 * high, high)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        enough = _thrust(middle, speed, curves, diameter, force) >= thrust
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high


def _thrust(rate: np.ndarray, speed: np.ndarray, curves: OpenWater, diameter: float, force: float) -> np.ndarray:
    return np.asarray(force * rate ** 2 * np.interp(speed / (rate * diameter), curves.advance, curves.thrust))
