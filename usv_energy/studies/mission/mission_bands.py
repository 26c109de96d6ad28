"""Uncertainty of a mission's energy and time: 95 % intervals by leg, from randomly drawn boats and flows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_values import UncertainNumber
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.mission.mission_estimate import LegEstimate, MissionCase, flow_velocities
from usv_energy.studies.mission.mission_scenario import reached_side_by_side
from usv_energy.studies.plan.boat_in_sea import drawn_boats

BOATS = 60              # boats that are drawn
SEED = 20261122
PERCENT = (2.5, 97.5)
BEYOND_ALL = 1e300      # in place of infinity, so that percentiles can be interpolated


class FlowDoubt(NamedTuple):
    """Standard deviations of current and wind, m/s, of each component."""

    current: float = 0.0
    wind: float = 0.0


CERTAIN = FlowDoubt()


class Bands(NamedTuple):
    """
    95 % intervals, (low, high), shapes (2, legs).

    `energy` of each leg and `so_far` at its end, J; `duration` of each leg, s, its hold included, and `end`, s since
    the departure. The boat holds its speeds over ground, so times differ only if the thrusters are too weak.

    `draws`: number of drawn boats and flows; `slower`: how many of them cannot hold the speeds, and go as fast as they
    can; `unable`: how many cannot do the mission at any speed; their energy and time count as infinite.
    """

    energy: np.ndarray
    so_far: np.ndarray
    duration: np.ndarray
    end: np.ndarray
    draws: int
    slower: int
    unable: int

    @property
    def time_held(self) -> bool:
        """Whether all draws take the same time, because they hold the speeds over ground."""
        return self.slower == 0 and self.unable == 0


def mission_bands(cases: Sequence[MissionCase], doubts: Sequence[UncertainNumber], uncertainty: FlowDoubt,
                  progress: Progress = no_progress) -> list[Bands | None]:
    """
    Return the intervals of a mission at each of some speeds; None if nothing is uncertain.

    :param cases: The mission, with what its corners cost the boat; the drawn boats are taken to have the same.
    :param doubts: Of the boat's numbers.
    :param uncertainty: Of the flow.
    """
    if not cases or (not doubts and uncertainty == CERTAIN):
        return [None] * len(cases)
    rng, one = np.random.default_rng(SEED), cases[0].scenario
    boats = list(drawn_boats(one.boat, list(doubts), BOATS)) if doubts else [one.boat] * BOATS
    drawn = []
    for number, boat in enumerate(boats, start=1):
        current, wind = _shifted(one.current, uncertainty.current, rng), _shifted(one.wind, uncertainty.wind, rng)
        drawn.append(reached_side_by_side([case._replace(scenario=replace(
            case.scenario, boat=boat, plant=boat, current=current, wind=wind)) for case in cases]))
        progress(number, BOATS)
    return [_bands(of_case) for of_case in zip(*drawn)]


def _bands(drawn: Sequence[tuple[LegEstimate, np.ndarray]]) -> Bands:
    """Return the intervals of drawn legs, each with which of them are slowed."""
    able = [bool(legs.feasible.all()) for legs, _ in drawn]
    slower = sum(one and bool(slow.any()) for one, (_, slow) in zip(able, drawn))
    energies = [np.where(legs.feasible, legs.total, BEYOND_ALL) for legs, _ in drawn]
    times = [np.where(legs.feasible, legs.under_way + legs.hold, BEYOND_ALL) for legs, _ in drawn]
    return Bands(_interval(energies), _interval(np.cumsum(energies, axis=1)), _interval(times),
                 _interval(np.cumsum(times, axis=1)), BOATS, slower, BOATS - sum(able))


def _interval(drawn: Any) -> np.ndarray:
    found = np.percentile(drawn, PERCENT, axis=0, method='hazen')
    return np.where(found < 1e-3 * BEYOND_ALL, found, np.inf)


class _ShiftedFlow(NamedTuple):
    """A flow with the same velocity added everywhere, m/s."""

    flow: Any
    x: float
    y: float

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the velocity at many points; see FlowField.velocity."""
        vx, vy, inside = self.flow.velocity(t, x, y)
        return vx + self.x, vy + self.y, inside

    def velocities(self, t: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the velocity at many places, each at its own time; see `flow_velocities`."""
        vx, vy = flow_velocities(self.flow, t, x, y)
        return vx + self.x, vy + self.y


def _shifted(flow: Any, deviation: float, rng: np.random.Generator) -> Any:
    """Return a flow with a random velocity added everywhere."""
    x, y = deviation * rng.standard_normal(2)
    if isinstance(flow, UniformFlow):
        return UniformFlow(flow.x + x, flow.y + y)
    return flow if deviation == 0.0 else _ShiftedFlow(flow, x, y)
