"""Forecasts that disagree: the mean of several flows, and what a route takes in each of them."""

from collections.abc import Sequence

import numpy as np

from ..flow.field import Extent, FlowField, Velocities
from ..planning.lattice_flow import extent_of
from .flow_along import flow_along
from .route_problem import Route, RouteProblem
from .route_study import ForecastCosts
from .timed_route import timed_route

MEAN = 'mean'
SAME = 1e-4     # Share of the energy by which routes differ that cost the same; the first of them is taken.


class MeanFlow:
    """The mean of several flows (a FlowField): it has a value where all of them have one."""

    def __init__(self, flows: Sequence[FlowField]) -> None:
        """Take the flows, at least one."""
        self.flows = tuple(flows)
        self._along = [flow_along(flow) for flow in self.flows]
        self.name = f'mean of {len(self.flows)} forecasts'

    def __reduce__(self) -> tuple[type['MeanFlow'], tuple[tuple[FlowField, ...]]]:
        """Return how it is made anew in another process."""
        return MeanFlow, (self.flows,)

    @property
    def extent(self) -> Extent:
        """Where all of them have values, at most: xmin, ymin, xmax, ymax, m."""
        boxes = np.array([extent_of(flow) for flow in self.flows])
        low, high = boxes[:, :2].max(axis=0), boxes[:, 2:].min(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the mean velocity at many points, at one time; see FlowField.velocity."""
        found = [flow.velocity(t, x, y) for flow in self.flows]
        vx, vy = (np.mean([part[axis] for part in found], axis=0) for axis in (0, 1))
        inside: np.ndarray = np.logical_and.reduce([part[2] for part in found])
        return np.where(inside, vx, np.nan), np.where(inside, vy, np.nan), inside

    def velocities(self, t: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean velocity at many times and places, m/s; NaN where not all flows have a value."""
        found = np.mean([along(t, x, y) for along in self._along], axis=0)
        return found[0], found[1]


def forecast_costs(problems: Sequence[RouteProblem], names: Sequence[str], ways: Sequence[str],
                   routes: Sequence[Route]) -> ForecastCosts:
    """
    Return what routes take in each forecast, kept to with their times, and which takes the least on the mean.

    A route that the boat cannot keep to in some forecast is chosen only if there is no other; then the one of which
    that holds least often.

    :param problems: The same problem in each forecast.
    :param names: Of the forecasts.
    :param ways: Of which forecast each route is, or MEAN.
    :param routes: The routes that are compared.
    """
    energy = np.array([[float(timed_route(problem, route.time, route.x, route.y, route.speed == 0.0).energy[-1])
                        for problem in problems] for route in routes])
    lacking = np.isnan(energy).sum(axis=1)
    mean = np.where(lacking == lacking.min(), np.nansum(energy, axis=1), np.inf)
    return ForecastCosts(tuple(names), tuple(ways), energy, int(np.argmax(mean <= mean.min() * (1.0 + SAME))))
