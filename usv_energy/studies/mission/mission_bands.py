"""Uncertainty of a mission's energy and time: 95 % intervals by leg, from randomly drawn boats and flows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.uncertain_numbers import UncertainNumber
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_estimate import flow_velocities
from usv_energy.studies.mission.mission_scenario import legs_within_reach
from usv_energy.studies.plan.uncertain_boat import drawn_boats

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


def mission_bands(scenario: Scenario, departure: float, corners: CornerCosts | None, doubts: Sequence[UncertainNumber],
                  uncertainty: FlowDoubt, progress: Progress = no_progress) -> Bands | None:
    """
    Return the intervals of a mission; None if nothing is uncertain.

    :param scenario: The mission as a scenario.
    :param departure: The world's time, s.
    :param corners: Of the boat; the drawn boats are taken to have the same.
    :param doubts: Of the boat's numbers.
    :param uncertainty: Of the flow.
    """
    if not doubts and uncertainty == CERTAIN:
        return None
    rng = np.random.default_rng(SEED)
    boats = list(drawn_boats(scenario.boat, list(doubts), BOATS)) if doubts else [scenario.boat] * BOATS
    energies, times, slower, unable = [], [], 0, 0
    for number, boat in enumerate(boats, start=1):
        drawn = replace(scenario, boat=boat, plant=boat, current=_shifted(scenario.current, uncertainty.current, rng),
                        wind=_shifted(scenario.wind, uncertainty.wind, rng))
        legs, slow = legs_within_reach(drawn, departure, corners)
        able = bool(legs.feasible.all())
        unable += not able
        slower += able and bool(slow.any())
        energies.append(np.where(legs.feasible, legs.total, BEYOND_ALL))
        times.append(np.where(legs.feasible, legs.under_way + legs.hold, BEYOND_ALL))
        progress(number, BOATS)
    return Bands(_interval(energies), _interval(np.cumsum(energies, axis=1)), _interval(times),
                 _interval(np.cumsum(times, axis=1)), BOATS, slower, unable)


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
