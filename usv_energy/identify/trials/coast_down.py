"""
Coast-down: surge drag, and with a known payload the mass, from how a boat loses its speed without thrust.

Of m v' = -d v - q v^2, straight ahead in still water, the closed form is, with E = exp(-d t / m),

    v(t) = v0 E / (1 + q v0 (1 - E) / d),        without linear drag v(t) = v0 / (1 + q v0 t / m).

Drag and mass stand there as d / m and q / m only: one mass must be known, or glides with a known mass more on board be
among the others, which then tell the mass. Everything is fitted to all glides at once, least squares of the speeds, the
speed at the beginning of each glide among the unknowns.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student

from ...boats.boat_file import Boat
from ...files.errors import InputError
from ..bounded_interval import interval_above
from .glides import Glide

FORMS = {'both': (True, True), 'linear': (True, False), 'quadratic': (False, True)}
LIGHTEST = 1e-6       # kg
MOST_LIKE = 0.98      # Largest correlation of neighbouring residuals that is counted, (-).


class TrialEstimate(NamedTuple):
    """A number that was found: its value, standard error and 95 % interval; a number that was given has no error."""

    value: float
    error: float
    low: float
    high: float


class CoastDown(NamedTuple):
    """
    What glides say.

    `linear` N s/m and `quadratic` N s^2/m^2: the whole surge drag, `air` N s^2/m^2 of it that of the hull above water
    in still air, by the boat's file. `mass`: mass and added mass in surge, kg, without what the glides have `extra`;
    `mass_found`: whether it was fitted. `starts`: m/s, of each glide. `rms`: of the residuals, m/s. `likeness`: the
    correlation of neighbouring residuals, (-), which widens the intervals. `covariance`: of (linear, quadratic).
    """

    glides: tuple[Glide, ...]
    linear: TrialEstimate
    quadratic: TrialEstimate
    air: float
    mass: TrialEstimate
    mass_found: bool
    starts: tuple[float, ...]
    rms: float
    likeness: float
    covariance: np.ndarray
    quantile: float

    def drag(self, speed: float) -> TrialEstimate:
        """Return the drag at a speed, N, whose error is smaller than those of its two parts, which go together."""
        row = np.array([speed, speed * speed])
        value = float(row @ (self.linear.value, self.quadratic.value))
        return _estimate(value, float(row @ self.covariance @ row) ** 0.5, self.quantile)


def gliding_speed(time: Any, start: float, linear: float, quadratic: float) -> Any:
    """
    Return the speed of a boat that glides, m/s.

    :param time: Since the beginning, s; float or array.
    :param start: Speed there, m/s.
    :param linear: d / m, 1/s, at least 0.
    :param quadratic: q / m, 1/m, at least 0.

    Source: Bernoulli's differential equation; the closed form at the head of this file.
    """
    way = -np.expm1(-linear * time) / linear if linear > 0.0 else time
    return start * np.exp(-linear * time) / (1.0 + quadratic * start * way)


def coast_down(glides: Sequence[Glide], boat: Boat, form: str = 'both') -> CoastDown:
    """
    Return drag, and mass where it can be told, from glides.

    :param glides: Of one boat; some may have an extra mass on board.
    :param boat: Whose mass and added mass in surge are taken where all glides have the same mass, and its windage.
    :param form: Of the drag: both, linear or quadratic.
    :raises InputError: If there is no glide, or too few samples.
    """
    if not glides:
        raise InputError('no glide was found: it needs a stretch without thrust in which the boat, straight ahead, '
                         'loses a third of its speed')
    extras = np.array([glide.extra for glide in glides])
    free = len(set(extras.tolist())) > 1
    has = np.array([*FORMS[form], free])
    given = np.array([0.0, 0.0, boat.vessel.inertia.m11])
    counts = [len(glide.time) for glide in glides]
    unknowns = int(has.sum()) + len(glides)
    if sum(counts) <= unknowns:
        raise InputError(f'{sum(counts)} samples of glides are too few for {unknowns} unknowns')
    guess = np.array([*_first_guess(glides, boat), given[2]])[has]
    first = np.concatenate([guess, [float(glide.speed[0]) for glide in glides]])

    def residuals(unknown: np.ndarray) -> np.ndarray:
        d, q, mass = _numbers(unknown, has, given)
        return np.concatenate([
            gliding_speed(glide.time, start, d / (mass + glide.extra), q / (mass + glide.extra)) - glide.speed
            for glide, start in zip(glides, unknown[int(has.sum()):])])

    least = np.array([0.0, 0.0, LIGHTEST])[has]
    low = np.concatenate([least, np.full(len(glides), -np.inf)])
    fit = least_squares(residuals, np.maximum(first, low), bounds=(low, np.inf), jac='3-point',
                        x_scale=np.maximum(np.abs(first), 1e-3), xtol=1e-12, ftol=1e-12, gtol=1e-12)
    return _result(tuple(glides), boat, fit, has, given)


def _numbers(unknown: np.ndarray, has: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Return d, q and the mass: those that are fitted, and what is given of the others."""
    numbers = given.copy()
    numbers[has] = unknown[:int(has.sum())]
    return numbers


def _first_guess(glides: Sequence[Glide], boat: Boat) -> tuple[float, float]:
    """Return d and q as if each made half of the drag, from the times in which glides lose their speed."""
    rates = [np.log(max(float(glide.speed[0]), 1e-3) / max(float(glide.speed[-1]), 1e-3)) / glide.time[-1]
             for glide in glides]
    drag = 0.5 * boat.vessel.inertia.m11 * max(float(np.median(rates)), 1e-3)
    return drag, drag / max(float(np.median([glide.speed[0] for glide in glides])), 1e-3)


def _result(glides: tuple[Glide, ...], boat: Boat, fit: Any, has: np.ndarray, given: np.ndarray) -> CoastDown:
    count = int(has.sum())
    spare = len(fit.fun) - len(fit.x)
    ends = np.cumsum([len(glide.time) for glide in glides])[:-1]
    likeness = _likeness(np.split(fit.fun, ends), len(fit.x))
    variance = float(fit.fun @ fit.fun) / spare * (1.0 + likeness) / (1.0 - likeness)
    covariance = np.zeros((3, 3))
    covariance[np.ix_(has, has)] = (np.linalg.pinv(fit.jac.T @ fit.jac) * variance)[:count, :count]
    quantile = float(student.ppf(0.975, max(spare * (1.0 - likeness) / (1.0 + likeness), 1.0)))
    d, q, mass = (_estimate(float(value), float(spread) ** 0.5, quantile)
                  for value, spread in zip(_numbers(fit.x, has, given), np.diag(covariance)))
    windage = boat.vessel.windage
    return CoastDown(glides, d, q, 0.5 * windage.air_density * windage.frontal_area * windage.c_x, mass, bool(has[2]),
                     tuple(map(float, fit.x[count:])), float(np.sqrt(np.mean(fit.fun ** 2))), likeness,
                     covariance[:2, :2], quantile)


def _estimate(value: float, error: float, quantile: float) -> TrialEstimate:
    return TrialEstimate(value, error, *interval_above(0.0, value, quantile * error))


def _likeness(parts: Sequence[np.ndarray], unknowns: int) -> float:
    """
    Return the correlation of neighbouring residuals of all glides, from 0 to MOST_LIKE, (-).

    What a fit takes out of noise makes what is left less alike; Kendall (1954) for a mean, here for each unknown.
    """
    both = sum(float(part[1:] @ part[:-1]) for part in parts)
    square = sum(float(part @ part) for part in parts)
    like = both / square if square > 0.0 else 0.0
    return float(np.clip(like + unknowns * (1.0 + 3.0 * like) / sum(map(len, parts)), 0.0, MOST_LIKE))
