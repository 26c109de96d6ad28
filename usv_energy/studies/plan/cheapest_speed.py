"""The speed of least cost per metre, energy alone or with a price of time, for many courses and flows at once."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.files.work import Progress, no_progress
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.steady_motion import highest_between, steady_state

BLOCK = 4096        # points whose powers at all speeds are in memory together
BISECTIONS = 14     # for the highest speed that the thrusters can hold, between two given speeds
SEARCH = 61         # speeds of each refinement
TIME_ONLY = math.inf


class CheapestMotions(NamedTuple):
    """
    The cheapest motions, shape (prices, points), inf if impossible.

    `cost` of a metre, J/m, price of time included; `slowness`: time per metre, s/m; `energy`: per metre, J/m, which is
    cost - price * slowness. For the price TIME_ONLY, `cost` is the slowness, and `energy` that of the highest speed.
    """

    cost: np.ndarray
    slowness: np.ndarray
    energy: np.ndarray


def cheapest_motions(vessel: Vessel, course: np.ndarray, flow: Flow, speeds: np.ndarray, prices: Sequence[float],
                     refinements: int = 0, progress: Progress = no_progress,
                     most_powers: Sequence[float] | None = None) -> CheapestMotions:
    """
    Return the cheapest motions along courses, each in its flow: the least of (power + price) / speed over ground.

    The minimum is taken over the given speeds, the highest speed that can be held (by bisection), and the minimum for
    a parabola of power through the best of these and its neighbours. With linear drag power is a parabola, and the
    result is exact. Refinements find the minimum for any drag, also at a kink.

    :param course: Over ground, rad (ENU), shape (N,).
    :param flow: m/s; arrays of the same shape, or floats.
    :param speeds: Over ground, m/s, above 0, rising, at least 3: the same for all courses, (S,), or of each, (S, N).
    :param prices: Of time, W, at least 0; TIME_ONLY for the least time.
    :param refinements: Rounds of a search around the best speed; each makes its bracket 30 times narrower.
    :param most_powers: Limits of power, W, one for each price; not together with refinements.
    """
    course, *flows = np.broadcast_arrays(course, flow.current_x, flow.current_y, flow.wind_x, flow.wind_y)
    speeds = np.broadcast_to(speeds.reshape(len(speeds), -1), (len(speeds), course.size))
    found = np.full((3, len(prices), course.size), np.inf)
    limits = (math.inf,) * len(prices) if most_powers is None else most_powers
    for first in range(0, course.size, BLOCK):
        some = slice(first, min(first + BLOCK, course.size))
        here = course[some], Flow(flows[0][some], flows[1][some], flows[2][some], flows[3][some])
        velocity, power = _powers(vessel, *here, speeds[:, some])
        for number, (price, most) in enumerate(zip(prices, limits)):
            within = power if math.isinf(most) else np.where(power <= most, power, np.inf)
            found[:, number, some] = _least(vessel, *here, velocity, within, price, refinements)
        progress(some.stop, course.size)
    return CheapestMotions(*found)


def _powers(vessel: Vessel, course: np.ndarray, flow: Flow, speeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the speeds and the highest that can be held, m/s, and their powers, W, inf if none; shape (S + 1, N)."""
    last, columns = len(speeds) - 1, np.arange(course.size)
    steady = steady_state(vessel, course, speeds, flow)
    held = steady.feasible
    power = np.where(held, steady.power.total, np.inf)
    top = last - np.argmax(held[::-1], axis=0)
    between = held.any(axis=0) & (top < last)
    highest, highest_power = speeds[top, columns], np.full(course.size, np.inf)
    if between.any():
        above = speeds[np.minimum(top + 1, last), columns]
        highest = highest_between(vessel, course, flow, highest, above, 1, BISECTIONS)
        highest_power = np.where(between, steady_state(vessel, course, highest, flow).power.total, np.inf)
    velocity = np.vstack((speeds, highest))
    order = np.argsort(velocity, axis=0, kind='stable')
    return np.take_along_axis(velocity, order, 0), np.take_along_axis(np.vstack((power, highest_power)), order, 0)


def _least(vessel: Vessel, course: np.ndarray, flow: Flow, velocity: np.ndarray, power: np.ndarray,
           price: float, refinements: int) -> np.ndarray:
    """Return the least cost, its slowness and its energy, all per metre, of each column; shape (3, N)."""
    columns = np.arange(velocity.shape[1])
    weight = np.ones_like(power) if price == TIME_ONLY else power + price
    best = np.argmin(np.where(np.isfinite(power), weight / velocity, np.inf), axis=0)
    speed, drawn = velocity[best, columns], power[best, columns]
    if price != TIME_ONLY:
        low, high = (velocity[np.clip(best + step, 0, len(velocity) - 1), columns] for step in (-1, 1))
        speed, drawn = _better(vessel, course, flow, _vertex(velocity, power, best, price)[None], price, speed, drawn)
        for _ in range(refinements):
            tried = low + np.linspace(0.0, 1.0, SEARCH)[:, None] * (high - low)
            speed, drawn = _better(vessel, course, flow, tried, price, speed, drawn)
            step = (high - low) / (SEARCH - 1)
            low, high = np.maximum(low, speed - step), np.minimum(high, speed + step)
    held = np.isfinite(drawn)
    slowness = np.where(held, 1.0 / speed, np.inf)
    energy = np.where(held, np.where(held, drawn, 0.0) / speed, np.inf)
    return np.array([slowness if price == TIME_ONLY else energy + price / speed, slowness, energy])


def _better(vessel: Vessel, course: np.ndarray, flow: Flow, tried: np.ndarray, price: float, speed: np.ndarray,
            drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the cheapest among the speeds tried, m/s, shape (K, N), and the best so far; and their powers, W."""
    steady = steady_state(vessel, course, tried, flow)
    power = np.where(steady.feasible, steady.power.total, np.inf)
    columns = np.arange(speed.size)
    best = np.argmin((power + price) / tried, axis=0)
    tried, power = tried[best, columns], power[best, columns]
    better = (power + price) / tried < (drawn + price) / speed
    return np.where(better, tried, speed), np.where(better, power, drawn)


def _vertex(velocity: np.ndarray, power: np.ndarray, best: np.ndarray, price: float) -> np.ndarray:
    """Return the speed of least cost of each column for a parabola of power around its best speed, or the best one."""
    columns = np.arange(velocity.shape[1])
    middle = np.clip(best, 1, velocity.shape[0] - 2)
    v, p = ([array[middle + step, columns] for step in (-1, 0, 1)] for array in (velocity, power))
    good = np.isfinite(p[0]) & np.isfinite(p[1]) & np.isfinite(p[2]) & (v[0] < v[1]) & (v[1] < v[2])
    p = [np.where(good, value, 0.0) for value in p]
    v = [np.where(good, value, number) for number, value in zip((1.0, 2.0, 3.0), v)]
    slope_low, slope_high = (p[1] - p[0]) / (v[1] - v[0]), (p[2] - p[1]) / (v[2] - v[1])
    c = (slope_high - slope_low) / (v[2] - v[0])
    a = p[0] - v[0] * (slope_low - c * v[1])
    good &= (c > 0.0) & (a + price > 0.0)
    # A metre's cost, (a + price) / v + b + c v, is least at v^2 = (a + price) / c.
    at = np.sqrt(np.where(good, (a + price) / np.where(good, c, 1.0), 1.0))
    return np.where(good, np.clip(at, v[0], v[2]), velocity[best, columns])
