"""All that there is to say of a route: the ways side by side, legs, departures, forecasts, battery, simulation."""

import math
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from ..planning.mission_study import Simulated
from .route_battery import RouteBattery
from .route_front import RouteFront
from .route_problem import Route, RouteProblem
from .world_frame import WorldFrame

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
