"""
What a way with its legs, corners and holds costs, by steady motion: time and energy by cause, leg by leg.

On each leg the boat goes at its speed over ground in the water and air at the places and times that it passes. A corner
and a start from rest add what `corner_costs` says, in still water; a hold is steady motion at no speed over ground.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..files.errors import InputError
from ..flow.flow_file import FlowFile
from ..flow.uniform import UniformFlow
from ..physics.energy import CAUSES
from ..physics.frames import wrap_angle
from ..physics.power import Flow
from ..sim.scenario import Scenario
from .corner_costs import CornerCosts, corner_costs, manner_of
from .steady_motion import SteadyMotion, steady_state

POINTS = 4000      # Of the whole way, at most, at which a flow that is not the same everywhere is asked.
SPACING = 5.0      # m: of these points at least.
SPEEDS = 8         # Of corners, at most, that are run; corners of other speeds take those of the nearest.
CALM = UniformFlow()


class LegEstimate(NamedTuple):
    """
    What the legs cost, arrays with a number a leg.

    Length m and course rad (ENU) of the leg; speed over ground m/s; `begin`: since the departure, s, when it begins;
    `under_way` and `hold`: how long the boat goes and then stays, s; `energy` J by cause as in `CAUSES`, shape (causes,
    legs), holds and corners included; `of_hold`, `of_corner`: the part of the total that they take, J; `feasible`:
    whether the thrusters can do it all.
    """

    length: np.ndarray
    course: np.ndarray
    speed: np.ndarray
    begin: np.ndarray
    under_way: np.ndarray
    hold: np.ndarray
    energy: np.ndarray
    of_hold: np.ndarray
    of_corner: np.ndarray
    feasible: np.ndarray

    @property
    def total(self) -> np.ndarray:
        """Energy of each leg, J."""
        total: np.ndarray = self.energy[CAUSES.index('total')]
        return total

    @property
    def end(self) -> np.ndarray:
        """When each leg ends, its hold included, s since the departure."""
        end: np.ndarray = self.begin + self.under_way + self.hold
        return end


def legs_estimate(scenario: Scenario, departure: float = 0.0, corners: CornerCosts | None = None) -> LegEstimate:
    """
    Return what a scenario's legs cost.

    :param scenario: Its boat, way, orders, speed over ground, water and air.
    :param departure: The world's time at which it begins, s.
    :param corners: Of the boat at the legs' speeds, where they are known; None computes them.
    :raises InputError: Without a speed over ground; where the flow has no value on the way, or the boat no thruster.
    """
    x, y = np.array([scenario.start[:2], *scenario.waypoints], dtype=float).T
    length, course = np.hypot(np.diff(x), np.diff(y)), np.arctan2(np.diff(y), np.diff(x))
    orders = [scenario.order_of(number) for number in range(len(scenario.waypoints))]
    speed = np.array([order.speed or scenario.speed or math.nan for order in orders])
    if not np.isfinite(speed).all():
        raise InputError(f'{scenario.path}: no speed over ground for leg {int(np.argmax(~np.isfinite(speed))) + 1}; an '
                         'estimate needs one')
    hold = np.array([order.hold for order in orders])
    radius = np.array([scenario.radius if order.radius is None else order.radius for order in orders])
    extra_time, extra_energy = _corners(scenario, length, course, speed, hold, radius, corners)
    under_way = length / speed + extra_time
    begin = departure + np.concatenate(([0.0], np.cumsum(under_way + hold)[:-1]))
    energy, able = _along(scenario, x, y, length, course, speed, begin)
    of_hold, can_hold = _held(scenario, x, y, course, hold, begin + under_way)
    energy = energy + of_hold + extra_energy
    total = CAUSES.index('total')
    return LegEstimate(length, course, speed, begin - departure, under_way, hold, energy, of_hold[total],
                       extra_energy[total], able & can_hold)


def _corners(scenario: Scenario, length: np.ndarray, course: np.ndarray, speed: np.ndarray, hold: np.ndarray,
             radius: np.ndarray, corners: CornerCosts | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the extra time, s, and energy by cause, J, of each leg: of its begin, at a corner or from rest."""
    none = np.zeros((len(CAUSES), length.size))
    if scenario.boat.power_curve is not None:
        return np.zeros(length.size), none
    costs = corners or corner_costs(scenario.plant.vessel, manner_of(scenario), corner_speeds(speed))
    nearest = costs.speeds[np.argmin(abs(costs.speeds[:, None] - speed), axis=0)]
    before = np.concatenate(([0.0], course[:-1]))
    time, energy = costs.at(wrap_angle(course - before), nearest)
    column = np.searchsorted(costs.speeds, nearest)
    at_rest = np.concatenate(([True], hold[:-1] > 0.0))
    time = np.where(at_rest, costs.start_time[column], time)
    energy = np.where(at_rest, costs.start_energy[:, column], energy)
    # A leg that ends in a stop, or the mission, ends at the waypoint's radius.
    ends = np.concatenate((hold[:-1] > 0.0, [True]))
    time = time - np.where(ends, np.minimum(radius, length) / speed, 0.0)
    return np.maximum(time, -length / speed), energy


def corner_speeds(speed: np.ndarray) -> np.ndarray:
    """Return the speeds at which corners are run for legs at speeds, m/s: all of them, or some between."""
    different = np.unique(speed)
    return different if different.size <= SPEEDS else np.unique(np.quantile(different, np.linspace(0.0, 1.0, SPEEDS)))


def _along(scenario: Scenario, x: np.ndarray, y: np.ndarray, length: np.ndarray, course: np.ndarray, speed: np.ndarray,
           begin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the energy of steady motion along each leg by cause, J, and whether the thrusters can."""
    uniform = all(isinstance(flow, UniformFlow) for flow in (scenario.current, scenario.wind))
    spacing = max(SPACING, float(length.sum()) / POINTS)
    counts = np.ones(length.size, dtype=int) if uniform else np.maximum(1, np.ceil(length / spacing)).astype(int)
    leg = np.repeat(np.arange(length.size), counts)
    share = (np.arange(leg.size) - np.repeat(np.cumsum(counts) - counts, counts) + 0.5) / counts[leg]
    time = begin[leg] + share * length[leg] / speed[leg]
    flow = _flow(scenario, time, x[leg] + share * np.diff(x)[leg], y[leg] + share * np.diff(y)[leg])
    steady = steady_state(scenario.boat.vessel, course[leg], speed[leg], flow)
    seconds = length[leg] / speed[leg] / counts[leg]
    energy = np.array([np.bincount(leg, seconds * power, length.size) for power in _powers(steady, leg.size)])
    return energy, np.bincount(leg, ~steady.feasible & (seconds > 0.0), length.size) == 0


def _held(scenario: Scenario, x: np.ndarray, y: np.ndarray, course: np.ndarray, hold: np.ndarray,
          begin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the energy of the holds by cause, J, and whether the thrusters can."""
    energy, able = np.zeros((len(CAUSES), hold.size)), np.ones(hold.size, dtype=bool)
    at = np.flatnonzero(hold > 0.0)
    if at.size:
        flow = _flow(scenario, begin[at] + 0.5 * hold[at], x[at + 1], y[at + 1])
        steady = steady_state(scenario.boat.vessel, course[at], np.zeros(at.size), flow)
        energy[:, at] = hold[at] * _powers(steady, at.size)
        able[at] = steady.feasible
    return energy, able


def _powers(steady: SteadyMotion, number: int) -> np.ndarray:
    return np.array([np.broadcast_to(getattr(steady.power, cause), number) for cause in CAUSES])


def _flow(scenario: Scenario, time: np.ndarray, x: np.ndarray, y: np.ndarray) -> Flow:
    """Return water and air at places and times, shape (n,)."""
    return Flow(*_velocity(scenario.current, scenario, time, x, y), *_velocity(scenario.wind, scenario, time, x, y))


def _velocity(flow: Any, scenario: Scenario, time: np.ndarray, x: np.ndarray,
              y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(flow, UniformFlow):
        return np.full(x.shape, flow.x), np.full(x.shape, flow.y)
    vx, vy = np.empty(x.shape), np.empty(x.shape)
    groups = [np.arange(x.size)] if _is_steady(flow) else [np.array([place]) for place in range(x.size)]
    for group in groups:
        vx[group], vy[group], inside = flow.velocity(float(time[group[0]]), x[group], y[group])
        if not inside.all():
            place = group[int(np.argmin(inside))]
            raise InputError(f'{getattr(flow, "path", scenario.path)}: no value at t = {time[place]:.0f} s, x = '
                             f'{x[place]:.1f} m, y = {y[place]:.1f} m, which the mission passes')
    return vx, vy


def _is_steady(flow: Any) -> bool:
    """Return whether a flow is the same at all times; one that does not say is taken for none."""
    flow = getattr(flow, 'flow', flow)
    return isinstance(flow, FlowFile) and len(flow.source.times) < 2
