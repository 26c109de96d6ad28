"""All that there is to say of a route: ways side by side, legs, departures, forecasts, battery, simulation."""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.flow.on_earth import WorldFrame
from usv_energy.powering.energy import CAUSES
from usv_energy.studies.mission.mission_battery import MissionBattery, keeps_reserve
from usv_energy.studies.mission.mission_estimate import LegEstimate
from usv_energy.studies.mission.mission_study import GO, NO_BATTERY, NO_GO, Simulated
from usv_energy.studies.route.route_front import RouteFront
from usv_energy.studies.route.route_problem import Route, RouteProblem


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
    history = battery.history(_legs(route))
    if history is None:
        charge = start - (route.energy - route.energy[0]) / battery.capacity
        return RouteBattery(charge, reserve, GO if charge[-1] >= reserve else NO_GO)
    verdict = GO if keeps_reserve(history, reserve) else NO_GO
    return RouteBattery(np.concatenate([[start], history.charge]), reserve, verdict,
                        None if history.brown_out is None else history.brown_out.leg)


def _legs(route: Route) -> LegEstimate:
    """Return the parts of a route as legs of which time and energy are known, which is all that cells ask."""
    duration, energy = np.diff(route.time), np.zeros((len(CAUSES), route.time.size - 1))
    energy[CAUSES.index('total')] = np.diff(route.energy)
    length, none = np.hypot(np.diff(route.x), np.diff(route.y)), np.zeros(duration.size)
    course = np.arctan2(np.diff(route.y), np.diff(route.x))
    speed = np.divide(length, duration, out=np.full(duration.size, math.nan), where=duration > 0.0)
    return LegEstimate(length, course, speed, route.time[:-1] - route.time[0], duration, none, energy, none, none,
                       np.ones(duration.size, dtype=bool), np.zeros((0, duration.size)))



CHEAPEST, FASTEST, SHORTEST = 'cheapest', 'fastest', 'shortest'
STRAIGHT, OTHER = 'straight', 'other'


class RouteChoice(NamedTuple):
    """
    A way beside others: CHEAPEST, FASTEST, SHORTEST (around land), STRAIGHT or OTHER.

    `route`: None where there is no such way, and `why`, in words.
    """

    kind: str
    route: Route | None
    why: str = ''


class DepartureCosts(NamedTuple):
    """What departures cost: s of the flow's clock; energy, J, and how long, s, NaN where there is none; the best."""

    departure: np.ndarray
    energy: np.ndarray
    duration: np.ndarray
    best: int


class ForecastCosts(NamedTuple):
    """
    What the ways that were compared cost in each forecast, J, shape (ways, forecasts), NaN where one cannot be kept to.

    `names`: of the forecasts; `ways`: which forecast's route a way is, `mean` for that of the mean flow; `chosen`: the
    one of least mean. `timed`: ways keep their times, so that a stronger current costs power and not time.
    """

    names: tuple[str, ...]
    ways: tuple[str, ...]
    energy: np.ndarray
    chosen: int

    @property
    def spread(self) -> tuple[float, float, float]:
        """Mean, least and most energy of the way that was chosen, J; NaN where it cannot be kept in a forecast."""
        row = self.energy[self.chosen]
        return float(row.mean()), float(row.min()), float(row.max())


class RouteStudy(NamedTuple):
    """
    A route's study.

    `problem`: as it was asked, from the departure that was taken; its goal is the last of `goals`, east and north, m.
    `route`: the way that was found, `legs`: the same as few legs; `gap`: how much less energy (or time) than the
    route's there might be, as a share, NaN where nobody says. `choices`: ways side by side, the route itself among
    them. `frame`: where the world lies on the Earth. `broken_off`: somebody broke off what would have come besides.
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

    @property
    def energy(self) -> float:
        """Energy of the route, J."""
        return float(self.route.energy[-1] - self.route.energy[0])

    @property
    def dearest_gap(self) -> float:
        """Share of the legs' energy above the route's, (-)."""
        return float(self.legs.energy[-1]) / self.energy - 1.0

    @property
    def off_promise(self) -> float:
        """Share by which the simulated energy differs from that of the legs, (-); NaN without a simulation."""
        return math.nan if self.simulated is None else self.simulated.energy / float(self.legs.energy[-1]) - 1.0
