"""
What facts tell of a boat's drag and power: a fit of four factors, with their doubt.

The drag is friction * F(u) + waves * W(u), F and W being what theory gives for the hull, the power drive * P(drag, u) +
hotel. Each factor is 1 by theory, with a doubt (a prior); watts at speeds, or the largest thrust at the top speed, are
measurements. The logarithms of the factors are found by least squares, and their covariance is that of the linearized
problem (Laplace).
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.physics.hull_resistance import (
    TOP_FROUDE,
    HullForm,
    form_factor,
    friction_resistance,
    froude_number,
    transom_resistance,
    wave_resistance,
)
from usv_energy.studies.make.boat_facts import WATER_DENSITY, BoatFacts
from usv_energy.studies.make.made_drive import MadeDrive

FRICTION, WAVES, DRIVE, HOTEL = range(4)
FACTORS = 'friction', 'waves', 'drive', 'hotel'
APPENDAGE = 0.01        # m, drag area of one thruster with its leg, pod and guard over the diameter of its propeller.
# Standard deviations of the logarithms, by theory alone; of the waves of hulls that are thin, and that are not.
DOUBT_FRICTION, DOUBT_WAVES_THIN, DOUBT_WAVES = 0.25, 0.35, 0.5
DOUBT_HOTEL = 0.5       # The same of a hotel load that is guessed.
HOTEL_GUESS = 10.0      # W
LEAST_HOTEL, LEAST_DOUBT = 1e-3, 0.01   # W, and (-): so small that they count as none, for the logarithm.
DOUBT_READING = 0.10    # Of a power that is given at a speed.
# Of a power at any other speed, by the course of theory and of a drive over speed: with a drive's own sheet or bollard
# pull, and without. Chosen on five of the public tables of docs/hulls.md.
DOUBT_SHAPE, DOUBT_SHAPE_GUESSED = 0.10, 0.20
DOUBT_THRUST = 0.10     # Of the largest thrust at a top speed that is given.
SLOWEST, POINTS = 0.15, 24      # Share of the fastest speed at which the table begins; its rows.
STEP = 1e-4             # Of the logarithms, for derivatives.


class Theory(NamedTuple):
    """Friction and wave resistance by theory, N, at rising speeds, m/s; arrays of one shape."""

    speed: np.ndarray
    friction: np.ndarray
    waves: np.ndarray

    def drag(self, speed: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """Return the drag, N, at speeds, m/s, in the table's range, by the factors."""
        square = np.asarray(speed) ** 2
        parts = (np.interp(speed, self.speed, part / self.speed ** 2) for part in (self.friction, self.waves))
        friction, waves = parts
        return np.asarray(square * (factors[FRICTION] * friction + factors[WAVES] * waves))


class PowerFit(NamedTuple):
    """
    The factors on theory, their covariance, and the functions that use them.

    `factors`: friction, waves and drive (-), and the hotel load, W, shape (4,); `known`: covariance of their
    logarithms, shape (4, 4); `shape`: standard deviation of the logarithm of the power by the course of theory over
    speed; `theory`: of the hull; `thrusters`: power of all of them, W, for a force, N, at a speed, m/s.
    """

    factors: np.ndarray
    known: np.ndarray
    shape: float
    theory: Theory
    thrusters: Callable[[np.ndarray, np.ndarray], np.ndarray]

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of the logarithms of the factors, of which that of the drive has the doubt of the course, too."""
        found = self.known.copy()
        found[DRIVE, DRIVE] += self.shape ** 2
        return found

    def power(self, speed: np.ndarray, factors: np.ndarray | None = None) -> np.ndarray:
        """Return the electrical power with the hotel load, W, at speeds, m/s."""
        return _power(np.asarray(speed, dtype=float), self.factors if factors is None else factors, self.theory,
                      self.thrusters)

    def doubt(self, speed: np.ndarray) -> np.ndarray:
        """Return the standard deviation of the logarithm of the power at speeds, m/s."""
        slopes = _jacobian(lambda factors: np.log(self.power(speed, factors)), self.factors)
        return np.asarray(np.sqrt(np.einsum('ij,jk,ik->i', slopes, self.covariance, slopes)))


class Measurement(NamedTuple):
    """A measurement that could be made: its name, in words, and its `rows` and `doubt` as a part of the fit."""

    name: str
    rows: Callable[[np.ndarray], np.ndarray]
    doubt: float


def theory_of(form: HullForm, thrusters: float, fastest: float) -> Theory:
    """
    Return friction (with what thrusters and a transom add) and waves of a hull by theory up to a speed.

    Beyond a hump the wave resistance keeps its height until it rises again: a boat file's must not fall.

    :param form: The HullForm.
    :param thrusters: The drag area of all thrusters in the water, m^2.
    :param fastest: m/s.
    """
    speed = fastest * np.linspace(SLOWEST, 1.0, POINTS)
    friction = form_factor(form) * friction_resistance(speed, form, WATER_DENSITY)
    friction += 0.5 * WATER_DENSITY * thrusters * speed ** 2 + transom_resistance(speed, form, WATER_DENSITY)
    return Theory(speed, friction, np.maximum.accumulate(wave_resistance(speed, form, WATER_DENSITY)))


def thruster_area(facts: BoatFacts, drive: MadeDrive) -> float:
    """Return the drag area of all thrusters of a boat, m^2."""
    return facts.number * APPENDAGE * drive.diameter


def fastest_speed(facts: BoatFacts, form: HullForm, drive: MadeDrive) -> float:
    """Return the speed to which the drag is needed, m/s: the fastest that is given, or that its thrusters can hold."""
    given = [speed for speed, _ in facts.speeds] + ([facts.top_speed] if facts.top_speed else [])
    if given:
        return 1.1 * max(given)
    low, high = 0.05, 20.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        theory = theory_of(form, thruster_area(facts, drive), middle)
        holds = facts.number * drive.most_thrust(middle) > theory.friction[-1] + theory.waves[-1]
        low, high = (middle, high) if holds else (low, middle)
    return 1.1 * low


def planing(form: HullForm, speed: float) -> float:
    """Return the Froude number of a speed, m/s, if it is beyond the range of the hull's wave resistance; else NaN."""
    froude = float(froude_number(speed, form.length))
    return froude if froude > TOP_FROUDE['thin' if form.thin else 'delft'] else math.nan


def power_fit(facts: BoatFacts, form: HullForm, drive: MadeDrive,
              thrusters: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> PowerFit:
    """Return the factors that facts leave on theory, and their doubt; `thrusters`: `total_power` of the drive."""
    from scipy.optimize import least_squares
    theory = theory_of(form, thruster_area(facts, drive), fastest_speed(facts, form, drive))
    hotel, hotel_doubt = always_on(facts, drive)
    centre = np.log([1.0, 1.0, 1.0, hotel])
    doubts = np.array([DOUBT_FRICTION, DOUBT_WAVES_THIN if form.thin else DOUBT_WAVES, drive.doubt, hotel_doubt])
    speeds = np.array([speed for speed, _ in facts.speeds])
    watts = np.log([power for _, power in facts.speeds])

    def rows(logs: np.ndarray) -> np.ndarray:
        factors = np.exp(logs)
        found = [(logs - centre) / doubts]
        if speeds.size:
            found.append((np.log(_power(speeds, factors, theory, thrusters)) - watts) / DOUBT_READING)
        if facts.top_speed and drive.knows_thrust:
            most = facts.number * drive.most_thrust(facts.top_speed)
            drag = theory.drag(np.array([facts.top_speed]), factors)
            found.append((np.log(drag) - math.log(max(most, 1e-9))) / DOUBT_THRUST)
        elif facts.top_speed and 'max_power' in facts.thrusters and not speeds.size:
            drawn = facts.number * float(facts.thrusters['max_power'])
            power = _power(np.array([facts.top_speed]), factors, theory, thrusters) - factors[HOTEL]
            found.append((np.log(power) - math.log(drawn)) / (2.0 * DOUBT_READING))
        return np.concatenate(found)

    found = least_squares(rows, centre, x_scale=doubts)
    return PowerFit(np.exp(found.x), np.linalg.inv(found.jac.T @ found.jac),
                    DOUBT_SHAPE if drive.knows_thrust else DOUBT_SHAPE_GUESSED, theory, thrusters)


def always_on(facts: BoatFacts, drive: MadeDrive) -> tuple[float, float]:
    """Return the hotel load with the standby of thrusters, W, and the standard deviation of its logarithm."""
    hotel, doubt = (HOTEL_GUESS, DOUBT_HOTEL) if facts.hotel is None else (facts.hotel, 0.0)
    standby = facts.number * drive.standby
    both = max(hotel + standby, LEAST_HOTEL)
    return both, max(math.hypot(doubt * hotel, DOUBT_HOTEL * standby) / both, LEAST_DOUBT)


def _power(speed: np.ndarray, factors: np.ndarray, theory: Theory,
           thrusters: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    return np.asarray(factors[DRIVE] * thrusters(theory.drag(speed, factors), speed) + factors[HOTEL])


def _jacobian(function: Callable[[np.ndarray], np.ndarray], factors: np.ndarray) -> np.ndarray:
    """Return the derivatives of a function by the logarithms of the factors, shape (values, 4)."""
    columns = []
    for change in STEP * np.eye(len(factors)):
        columns.append((function(factors * np.exp(change)) - function(factors * np.exp(-change))) / (2.0 * STEP))
    return np.column_stack(columns)


def narrowed(fit: PowerFit, speeds: np.ndarray, possible: Sequence[Measurement]) -> list[tuple[str, float]]:
    """
    Return what each of some measurements would leave of the doubt, the most useful first.

    :param speeds: At which the power is wanted, m/s.
    :param possible: Measurements that were not made.
    :return: The name, and the mean standard deviation of the logarithm of the power that would be left.
    """
    information, found = np.linalg.inv(fit.known), []
    for one in possible:
        slopes = _jacobian(one.rows, fit.factors) / one.doubt
        left = fit._replace(known=np.linalg.inv(information + slopes.T @ slopes))
        found.append((one.name, float(np.mean(left.doubt(speeds)))))
    return sorted(found, key=lambda pair: pair[1])
