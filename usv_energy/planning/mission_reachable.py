"""A mission at the speeds that are ordered, and where the thrusters cannot hold one, at the fastest that they can."""

import math
from dataclasses import replace

import numpy as np

from ..sim.scenario import Scenario
from .corner_costs import CornerCosts
from .mission_estimate import LegEstimate, corners_of, legs_estimate

SHARES = np.arange(9, 0, -1) / 10.0     # Of the speed ordered, that are tried first.
ROUNDS = 7      # Of halving between them, so that a speed is found to 0.1 % of what was ordered.
PASSES = 3      # Legs that a later time of arrival makes too fast, in water that changes, are looked at again so often.


def ordered_speeds(scenario: Scenario) -> np.ndarray:
    """Return the speeds over ground, m/s, that are ordered; 1 where none is."""
    given = [scenario.order_of(number).speed or scenario.speed or math.nan
             for number in range(len(scenario.waypoints))]
    return np.array([speed for speed in given if math.isfinite(speed)] or [1.0])


def mission_corners(scenario: Scenario, departure: float = 0.0) -> CornerCosts | None:
    """
    Return what corners at the mission's speeds, or the fastest that its boat can hold, cost; None as `corners_of`.

    :param departure: The world's time, s.
    """
    corners = corners_of(scenario, departure)
    if corners is None or corners.feasible:
        return corners
    legs, slow = legs_within_reach(scenario, departure, corners)
    return corners_of(with_speeds(scenario, legs.speed), departure) if slow.any() else corners


def with_speeds(scenario: Scenario, speed: np.ndarray) -> Scenario:
    """Return a scenario whose legs are gone at speeds over ground, m/s, shape (legs,)."""
    orders = tuple(scenario.order_of(number)._replace(speed=value) for number, value in enumerate(speed.tolist()))
    return replace(scenario, orders=orders)


def legs_within_reach(scenario: Scenario, departure: float = 0.0,
                      corners: CornerCosts | None = None) -> tuple[LegEstimate, np.ndarray]:
    """
    Return what the legs cost if the boat goes as fast as it can where it cannot go as fast as it should.

    One speed holds for the whole of a leg: the fastest that the thrusters hold at each of its places. Legs that no
    speed helps, holds included, remain infeasible, at the speed that is ordered.

    :param scenario: As for `legs_estimate`; so are the others.
    :return: The legs, and which of them are slower than was ordered, shape (legs,).
    """
    corners = corners or mission_corners(scenario, departure)
    legs = legs_estimate(scenario, departure, corners)
    ordered = legs.speed
    slow = hopeless = np.zeros(ordered.size, dtype=bool)
    for _ in range(PASSES):
        if (legs.feasible | hopeless).all():
            break
        slow = (slow | ~legs.feasible) & ~hopeless
        speed = _fastest(scenario, departure, corners, ordered, slow)
        hopeless = hopeless | (slow & (speed == ordered))
        slow = slow & ~hopeless
        legs = legs_estimate(with_speeds(scenario, speed), departure, corners)
    return legs, slow


def _fastest(scenario: Scenario, departure: float, corners: CornerCosts | None, ordered: np.ndarray,
             slow: np.ndarray) -> np.ndarray:
    """
    Return the speeds of the legs, m/s: as ordered, or of the `slow` ones the fastest that can be held.

    A boat that drifts may hold no speed below some speed, either: so the fastest is looked for from above.
    """
    low, high, found = ordered, ordered, ~slow
    for share in SHARES.tolist():
        if found.all():
            break
        tried = np.where(found, low, share * ordered)
        able = ~found & legs_estimate(with_speeds(scenario, tried), departure, corners).feasible
        low, high = np.where(able, tried, low), np.where(found | able, high, tried)
        found = found | able
    high = np.where(found, high, ordered)
    for _ in range(ROUNDS):
        middle = 0.5 * (low + high)
        able = legs_estimate(with_speeds(scenario, middle), departure, corners).feasible | (low == high)
        low, high = np.where(able, middle, low), np.where(able, high, middle)
    return low
