"""The boat's battery along a route: charge at each point, and whether it keeps its reserve."""

import math
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from ..planning.mission_battery import MissionBattery
from ..planning.mission_estimate import LegEstimate
from ..planning.mission_study import GO, NO_BATTERY, NO_GO
from ..planning.pack_course import held_off
from ..powering.energy import CAUSES
from .route_problem import Route


class RouteBattery(NamedTuple):
    """
    A battery along a route.

    `charge`: at each point of it, (-), below 0 where there is none left; None without a battery. `reserve`: that is to
    be left, (-). `verdict`: GO, NO_GO, NO_BATTERY. `brown_out`: the first part in which cells cannot give the power.
    """

    charge: np.ndarray | None
    reserve: float
    verdict: str
    brown_out: int | None = None


def route_battery(boat: Boat, route: Route, state_of_charge: float | None = None, reserve: float = 0.2,
                  ambient: float | None = None) -> RouteBattery:
    """
    Return a boat's battery along a route.

    :param state_of_charge: At the start, (-); None for that of the boat's file.
    :param reserve: That is to be left at the end, (-).
    :param ambient: Temperature around a battery of cells, K; None for that of the boat's file.
    """
    if boat.battery is None:
        return RouteBattery(None, reserve, NO_BATTERY)
    start = boat.battery.initial_state_of_charge if state_of_charge is None else state_of_charge
    battery = MissionBattery(boat, start, reserve, boat.ambient if ambient is None else ambient)
    course = battery.course(_legs(route))
    if course is None:
        charge = start - (route.energy - route.energy[0]) / battery.capacity
        return RouteBattery(charge, reserve, GO if charge[-1] >= reserve else NO_GO)
    verdict = GO if held_off(course, reserve) else NO_GO
    return RouteBattery(np.concatenate([[start], course.charge]), reserve, verdict,
                        None if course.brown_out is None else course.brown_out.leg)


def _legs(route: Route) -> LegEstimate:
    """Return the parts of a route as legs of which time and energy are known, which is all that cells ask."""
    duration, energy = np.diff(route.time), np.zeros((len(CAUSES), route.time.size - 1))
    energy[CAUSES.index('total')] = np.diff(route.energy)
    length, none = np.hypot(np.diff(route.x), np.diff(route.y)), np.zeros(duration.size)
    course = np.arctan2(np.diff(route.y), np.diff(route.x))
    speed = np.divide(length, duration, out=np.full(duration.size, math.nan), where=duration > 0.0)
    return LegEstimate(length, course, speed, route.time[:-1] - route.time[0], duration, none, energy, none, none,
                       np.ones(duration.size, dtype=bool), np.zeros((0, duration.size)))
