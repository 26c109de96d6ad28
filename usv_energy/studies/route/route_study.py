"""The study of a route: the route, its alternatives, legs, departures, forecasts, battery, simulation."""

import math
from datetime import datetime
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.flow.on_earth import WorldFrame
from usv_energy.powering.energy import CAUSES
from usv_energy.studies.mission.mission_battery import GO, NO_BATTERY, NO_GO, MissionBattery, keeps_reserve
from usv_energy.studies.mission.mission_estimate import LegEstimate
from usv_energy.studies.mission.mission_study import Simulated
from usv_energy.studies.route.route_front import RouteFront
from usv_energy.studies.route.route_problem import Route, RouteProblem

CHEAPEST, FASTEST, SHORTEST = 'cheapest', 'fastest', 'shortest'
STRAIGHT, OTHER = 'straight', 'other'


class RouteBattery(NamedTuple):
    """
    A battery along a route.

    `charge`: at each point, (-), below 0 when the battery is empty; None without a battery. `reserve`: that must be
    left, (-). `verdict`: GO, NO_GO, NO_BATTERY. `brown_out`: the first part in which cells cannot give the power.
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
    :param reserve: That must be left at the end, (-).
    :param ambient: Temperature around a battery of cells, K; None for that of the boat's file.
    """
    if boat.battery is None:
        return RouteBattery(None, reserve, NO_BATTERY)
    start = boat.battery.initial_state_of_charge if state_of_charge is None else state_of_charge
    battery = MissionBattery(boat, start, reserve, boat.ambient if ambient is None else ambient)
    history = battery.history(_legs(route))
    if history is None:
        charge = start - (route.energy - route.energy[0]) / battery.capacity
        return RouteBattery(charge, reserve, GO if charge[-1] >= reserve else NO_GO)
    verdict = GO if keeps_reserve(history, reserve) else NO_GO
    return RouteBattery(np.concatenate([[start], history.charge]), reserve, verdict,
                        None if history.brown_out is None else history.brown_out.leg)


def _legs(route: Route) -> LegEstimate:
    """Return the parts of a route as legs with time and energy only, which is enough for the cells."""
    duration, energy = np.diff(route.time), np.zeros((len(CAUSES), route.time.size - 1))
    energy[CAUSES.index('total')] = np.diff(route.energy)
    length, none = np.hypot(np.diff(route.x), np.diff(route.y)), np.zeros(duration.size)
    course = np.arctan2(np.diff(route.y), np.diff(route.x))
    speed = np.divide(length, duration, out=np.full(duration.size, math.nan), where=duration > 0.0)
    return LegEstimate(length, course, speed, route.time[:-1] - route.time[0], duration, none, energy, none, none,
                       np.ones(duration.size, dtype=bool), np.zeros((0, duration.size)))


class RouteChoice(NamedTuple):
    """
    One of the alternative routes; `kind`: CHEAPEST, FASTEST, SHORTEST (around land), STRAIGHT or OTHER.

    `route`: None if there is no such route; then `why` gives the reason in words.
    """

    kind: str
    route: Route | None
    why: str = ''


class DepartureCosts(NamedTuple):
    """
    Departures, s of the flow's clock; their energy, J, and duration, s, NaN without a route; index of the best.

    `why`: the reason for no route, NOT_TRIED where the user's Ctrl-C came before, '' where there is one. `polished`:
    where it is False, energy and duration are about those of a route, by the search on a lattice alone.
    """

    departure: np.ndarray
    energy: np.ndarray
    duration: np.ndarray
    best: int
    why: tuple[str, ...] = ()
    polished: tuple[bool, ...] = ()

    def about(self, number: int) -> bool:
        """Return whether energy and duration of a departure are about those of a route, and not one's own."""
        known = number != self.best and math.isfinite(self.energy[number])
        return bool(self.polished) and not self.polished[number] and known


class ForecastCosts(NamedTuple):
    """
    Energy of routes in each forecast, J, shape (ways, forecasts), NaN if the boat cannot follow a route there.

    Routes keep their times, so that a stronger current costs power and not time. `names`: of the forecasts; `ways`:
    the forecast for which each route was found, `mean` for the mean flow; `chosen`: index of the least mean energy.
    """

    names: tuple[str, ...]
    ways: tuple[str, ...]
    energy: np.ndarray
    chosen: int

    @property
    def spread(self) -> tuple[float, float, float]:
        """Mean, least and most energy of the chosen route, J; NaN if the boat cannot follow it in a forecast."""
        row = self.energy[self.chosen]
        return float(row.mean()), float(row.min()), float(row.max())


class RouteStudy(NamedTuple):
    """
    A route's study.

    `problem`: with the chosen departure; its goal is the last of `goals`, east and north, m. `route`: the route that
    was found, `legs`: the same in few legs. `gap`: upper bound on the share of energy (or time) that a better route
    could save, NaN if unknown. `choices`: the route and its alternatives. `frame`: where the world lies on the Earth.
    `broken_off`: the user interrupted a part of the study. `zero`: the moment of the flow's time 0, None if unknown.
    """

    name: str
    boat: Boat
    problem: RouteProblem
    frame: WorldFrame | None
    goals: tuple[tuple[float, float], ...]
    route: Route
    legs: Route
    gap: float
    choices: tuple[RouteChoice, ...]
    battery: RouteBattery
    departures: DepartureCosts | None = None
    forecasts: ForecastCosts | None = None
    simulated: Simulated | None = None
    notes: tuple[str, ...] = ()
    broken_off: bool = False
    front: RouteFront | None = None
    zero: datetime | None = None

    @property
    def energy(self) -> float:
        """Energy of the route, J."""
        return float(self.route.energy[-1] - self.route.energy[0])

    @property
    def legs_excess(self) -> float:
        """Relative excess of the legs' energy over the route's, (-)."""
        return float(self.legs.energy[-1]) / self.energy - 1.0

    @property
    def simulation_error(self) -> float:
        """Relative difference of the simulated energy from that of the legs, (-); NaN without a simulation."""
        return math.nan if self.simulated is None else self.simulated.energy / float(self.legs.energy[-1]) - 1.0
