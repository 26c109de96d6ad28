"""The speed at which a metre costs least, energy alone or with a price on time, for many courses and flows at once."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from ..physics.power import Flow
from .steady_motion import steady_state

BLOCK = 4096        # Points whose powers at all speeds are in memory together.
BISECTIONS = 14     # Of the highest speed that the thrusters can hold, between two of the speeds given.
TIME_ONLY = math.inf


class Cheapest(NamedTuple):
    """
    The cheapest motions, shape (prices, points): cost of a metre, J/m; the time that it takes, s/m; inf where none.

    The cost holds the price of the time: energy is cost - price * slowness. For the price TIME_ONLY, cost is the
    slowness itself, and `energy`, J/m, is what going as fast as can be takes.
    """

    cost: np.ndarray
    slowness: np.ndarray
    energy: np.ndarray


def cheapest(vessel: Vessel, course: np.ndarray, flow: Flow, speeds: np.ndarray, prices: Sequence[float],
             progress: Callable[[int, int], None] = lambda done, number: None) -> Cheapest:
    """
    Return the cheapest motions along courses, each in its flow: the least of (power + price) / speed over ground.

    The least is looked for at the given speeds, at the highest that can be held (by bisection), and where it would lie
    if power were a parabola around the best of these. Every cost is that of a steady motion; with linear drag, whose
    power is a parabola, it is the very least.

    :param vessel: The Vessel.
    :param course: Over ground, rad (ENU), shape (N,).
    :param flow: m/s; arrays of the same shape, or floats.
    :param speeds: Over ground, m/s, above 0, rising, at least 3, shape (S,).
    :param prices: Of time, W, at least 0; TIME_ONLY for the least time.
    :param progress: Called with the points done and their number.
    """
    course, *parts = np.broadcast_arrays(course, flow.current_x, flow.current_y, flow.wind_x, flow.wind_y)
    found = np.full((3, len(prices), course.size), np.inf)
    for first in range(0, course.size, BLOCK):
        some = slice(first, min(first + BLOCK, course.size))
        current_x, current_y, wind_x, wind_y = (part[some] for part in parts)
        here = course[some], Flow(current_x, current_y, 0.0, 0.0, wind_x, wind_y)
        velocity, power = _powers(vessel, *here, speeds)
        for number, price in enumerate(prices):
            found[:, number, some] = _least(vessel, *here, velocity, power, price)
        progress(some.stop, course.size)
    return Cheapest(*found)


def _powers(vessel: Vessel, course: np.ndarray, flow: Flow, speeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return speeds over ground, m/s, and their powers, W, inf where they cannot be held; shape (S + 1, N).

    The highest speed that can be held stands after the last of the given ones below it; what is above moves on by one.
    """
    steady = steady_state(vessel, course, speeds[:, None], flow)
    held = steady.feasible
    power = np.where(held, steady.power.total, np.inf)
    top = speeds.size - 1 - np.argmax(held[::-1], axis=0)
    open_ = held.any(axis=0) & (top < speeds.size - 1)
    low, high = speeds[top], speeds[np.minimum(top + 1, speeds.size - 1)]
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        good = steady_state(vessel, course, middle, flow).feasible
        low, high = np.where(good, middle, low), np.where(good, high, middle)
    highest = np.where(open_, steady_state(vessel, course, low, flow).power.total, np.inf)
    row, place = np.arange(speeds.size + 1)[:, None], top + 1
    below = np.minimum(row, speeds.size - 1)
    above = np.maximum(row - 1, 0)
    velocity = np.where(row < place, speeds[below], np.where(row == place, low, speeds[above]))
    columns = np.arange(course.size)
    shifted = np.where(row < place, power[below, columns], np.where(row == place, highest, power[above, columns]))
    return velocity, shifted


def _least(vessel: Vessel, course: np.ndarray, flow: Flow, velocity: np.ndarray, power: np.ndarray,
           price: float) -> np.ndarray:
    """Return the least cost, its slowness and its energy, all a metre, of each column; shape (3, N)."""
    columns = np.arange(velocity.shape[1])
    paid = 0.0 if price == TIME_ONLY else price
    weight = np.ones_like(power) if price == TIME_ONLY else power + price
    best = np.argmin(np.where(np.isfinite(power), weight / velocity, np.inf), axis=0)
    speed, drawn = velocity[best, columns], power[best, columns]
    if price != TIME_ONLY:
        between = _vertex(velocity, power, best, price)
        steady = steady_state(vessel, course, between, flow)
        better = steady.feasible & ((steady.power.total + price) / between < (drawn + price) / speed)
        speed, drawn = np.where(better, between, speed), np.where(better, steady.power.total, drawn)
    held = np.isfinite(drawn)
    slowness = np.where(held, 1.0 / speed, np.inf)
    energy = np.where(held, np.where(held, drawn, 0.0) / speed, np.inf)
    return np.array([slowness if price == TIME_ONLY else energy + paid / speed, slowness, energy])


def _vertex(velocity: np.ndarray, power: np.ndarray, best: np.ndarray, price: float) -> np.ndarray:
    """
    Return the speed of each column at which a metre would cost least if power were the parabola around its best speed.

    The best speed itself, where there is no such parabola. (a + price) / v + b + c v is least at v^2 = (a + price) / c.
    """
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
    at = np.sqrt(np.where(good, (a + price) / np.where(good, c, 1.0), 1.0))
    return np.where(good, np.clip(at, v[0], v[2]), velocity[best, columns])
