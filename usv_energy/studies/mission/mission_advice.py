"""What would help a mission: another speed, going as fast as the thrusters can, the way back to front."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from usv_energy.physics.batteries.battery import JOULES_PER_WH
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_estimate import LegEstimate, legs_estimate
from usv_energy.studies.mission.mission_scenario import legs_within_reach, ordered_speeds
from usv_energy.studies.plan.steady_motion import top_speed

RATIOS = np.linspace(0.3, 2.0, 35)      # Of the mission's speeds, at which it is tried whether that would help.


class Advice(NamedTuple):
    """
    What would help: the ratio of speeds that costs least, that of the fastest way that the battery makes (NaN: none).

    `cheapest_energy` J and `cheapest_time` s of the former; `fastest_energy`, `fastest_time` of the latter;
    `reversed_energy`: of the legs the other way round, J, NaN where the thrusters cannot. `held_energy`, `held_time`:
    where the thrusters cannot hold the speeds, of going as fast as they can, NaN where they can hold all, or no speed
    helps; `held_speed`: over ground, m/s, of the slowest of these legs.
    """

    cheapest: float
    cheapest_energy: float
    cheapest_time: float
    fastest: float
    fastest_energy: float
    fastest_time: float
    reversed_energy: float
    held_energy: float = math.nan
    held_time: float = math.nan
    held_speed: float = math.nan


NO_ADVICE = Advice(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan)


def battery_energy(scenario: Scenario) -> float:
    """Return what the boat's battery holds, J; NaN without one."""
    return math.nan if scenario.boat.battery is None else scenario.boat.battery.capacity_wh * JOULES_PER_WH


def mission_advice(scenario: Scenario, legs: LegEstimate, departure: float, corners: CornerCosts | None,
                   makes: Callable[[LegEstimate], bool]) -> Advice | None:
    """
    Return what other speeds, and the way back to front, would cost; None where no speed that is tried can be held.

    :param scenario: The mission as a scenario.
    :param legs: What it costs as it is.
    :param departure: The world's time, s.
    :param corners: Of the boat.
    :param makes: Whether the battery makes what it would cost then and keeps the reserve.
    """
    top = top_speed(scenario.boat.vessel)
    tried = [(ratio, legs_estimate(_at_speeds(scenario, ratio), departure, corners))
             for ratio in RATIOS.tolist() if ratio * float(ordered_speeds(scenario).max()) <= 1.2 * top]
    found = [(ratio, legs) for ratio, legs in tried if legs.feasible.all()]
    able = [_with_sums(ratio, legs) for ratio, legs in found]
    held = _as_fast_as_it_can(scenario, legs, departure, corners)
    if not able:
        return None if math.isnan(held[0]) else _with_held(NO_ADVICE, held)
    cheapest = min(able, key=lambda one: one[1])
    fastest = next((_with_sums(*one) for one in reversed(found) if makes(one[1])), (math.nan, math.nan, math.nan))
    back = legs_estimate(_reversed(scenario), departure, corners)
    other_way = float(back.total.sum()) if back.feasible.all() else math.nan
    return _with_held(Advice(*cheapest, fastest[0], fastest[1], fastest[2], other_way), held)


def _with_sums(ratio: float, legs: LegEstimate) -> tuple[float, float, float]:
    """Return a ratio of speeds with its energy, J, and its time, s."""
    return ratio, float(legs.total.sum()), float(legs.end[-1])


def _with_held(advice: Advice, held: tuple[float, float, float]) -> Advice:
    return advice._replace(held_energy=held[0], held_time=held[1], held_speed=held[2])


def _as_fast_as_it_can(scenario: Scenario, legs: LegEstimate, departure: float,
                       corners: CornerCosts | None) -> tuple[float, float, float]:
    if legs.feasible.all():
        return math.nan, math.nan, math.nan
    found, slow = legs_within_reach(scenario, departure, corners)
    if not found.feasible.all():
        return math.nan, math.nan, math.nan
    return float(found.total.sum()), float(found.end[-1]), float(found.speed[slow].min())


def _at_speeds(scenario: Scenario, ratio: float) -> Scenario:
    """Return the scenario with all speeds multiplied."""
    orders = tuple(order._replace(speed=None if order.speed is None else ratio * order.speed)
                   for order in scenario.orders)
    return replace(scenario, orders=orders, speed=None if scenario.speed is None else ratio * scenario.speed)


def _reversed(scenario: Scenario) -> Scenario:
    """Return the scenario's places from the last one to the first, what is done at each with it, stays included."""
    points = (scenario.start[:2], *scenario.waypoints)
    orders = [scenario.order_of(number) for number in range(len(scenario.waypoints))]
    speeds = [order.speed for order in orders]
    ahead = [*(order._replace(speed=speed) for order, speed in zip(orders[-2::-1], speeds[:0:-1])),
             orders[0]._replace(hold=0.0, heading=None)]
    places = list(points[-2::-1])
    x, y = points[-1]
    if orders[-1].hold > 0.0:   # What begins with a stay begins with a leg of no length.
        ahead, places = [orders[-1], *ahead], [(x, y), *places]
    return replace(scenario, start=(x, y, scenario.start[2]), waypoints=tuple(places), orders=tuple(ahead))
