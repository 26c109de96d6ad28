"""
Range and endurance of a boat: what a steady speed costs, how long and how far a battery lasts, the best speed.

Speeds are over ground along a course; water and air are the same everywhere. The motion is that of
`ensemble.steady`: the boat points where it has to.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from ..physics.battery import JOULES_PER_WH, Battery
from ..physics.power import Flow, speed_through_water
from ..physics.round_numbers import round_up
from .steady_motion import steady_state

POINTS = 96               # Speeds of a curve.
SEARCH = 25               # Points of each round of a search.
PRECISION = 1e-8          # Of a speed that is searched for, relative.
TRIED = np.geomspace(0.01, 100.0, 160)  # m/s: speeds at which the highest one is first looked for.
SLOWEST = 1e-3            # Share of the top speed below which a best speed is none: the slower, the better.
NOTHING = 1e-9            # W: what a boat that drifts without a static load takes.
SLOWER_IS_BETTER, FASTEST, DRIFT, NO_HEADWAY = 'slower_is_better', 'fastest', 'drift', 'no_headway'
INSIDE = 'inside'
WORDS = {
    INSIDE: 'it lies between drifting and full thrust',
    SLOWER_IS_BETTER: 'the slower, the further: without a static load every saving of speed saves energy, down to none',
    FASTEST: 'the thrusters set it: the boat would reach further if it could go faster',
    DRIFT: 'drifting with the current costs nothing, so the range has no end',
    NO_HEADWAY: 'the boat cannot go along this course: current or wind are too strong for its thrusters',
}


class Way(NamedTuple):
    """A course over ground, rad (ENU), and the water and air on it."""

    course: float
    flow: Flow


class Curve(NamedTuple):
    """
    What steady speeds over ground cost, arrays of one shape.

    Speeds m/s over ground and through the water; Power's total W; energy per metre over ground J/m; endurance s and
    range m of the energy that there is; NaN where the thrusters cannot do it.
    """

    speed: np.ndarray
    through_water: np.ndarray
    power: np.ndarray
    energy_per_meter: np.ndarray
    endurance: np.ndarray
    range: np.ndarray


class Best(NamedTuple):
    """The best speed for range, over ground m/s, what is to be said of it (a key of WORDS), and its point."""

    kind: str
    speed: float
    through_water: float
    power: float
    energy_per_meter: float
    endurance: float
    range: float


def usable_energy(battery: Battery, state_of_charge: float | None = None, reserve: float = 0.0) -> float:
    """
    Return the energy that a battery has to give, J; not below 0.

    :param battery: The Battery.
    :param state_of_charge: Now, (-); the battery's own at the start where None.
    :param reserve: Share of the capacity that is to be left, (-).
    """
    charge = battery.initial_state_of_charge if state_of_charge is None else state_of_charge
    return max(0.0, charge - reserve) * battery.capacity_wh * JOULES_PER_WH


def fastest(vessel: Vessel, way: Way) -> float:
    """Return the highest steady speed over ground along a course, m/s; NaN where there is none above 0."""
    possible = np.flatnonzero(steady_state(vessel, way.course, TRIED, way.flow).feasible)
    if not possible.size:
        return math.nan
    low, high = TRIED[possible[-1]], TRIED[min(possible[-1] + 1, TRIED.size - 1)]
    while high - low > PRECISION * high:
        inner = np.linspace(low, high, SEARCH)
        place = int(np.flatnonzero(steady_state(vessel, way.course, inner, way.flow).feasible)[-1])
        low, high = inner[place], inner[min(place + 1, SEARCH - 1)]
    return float(low)


def curve(vessel: Vessel, energy: float, way: Way, speeds: np.ndarray) -> Curve:
    """
    Return what speeds over ground cost along a course.

    :param vessel: The Vessel.
    :param energy: That there is, J.
    :param way: Course and flow.
    :param speeds: m/s over ground, above 0.
    """
    steady = steady_state(vessel, way.course, speeds, way.flow)
    power = np.where(steady.feasible, steady.power.total, np.nan)
    with np.errstate(divide='ignore', invalid='ignore'):
        endurance = energy / power
    return Curve(np.asarray(speeds, dtype=float), speed_through_water(steady.power), power, power / speeds, endurance,
                 endurance * speeds)


def speeds_of(vessel: Vessel, way: Way, number: int = POINTS) -> np.ndarray:
    """Return speeds over ground for a curve, m/s: round ones, and the highest; none where there is no headway."""
    top = fastest(vessel, way)
    if not math.isfinite(top):
        return np.zeros(0)
    step = round_up(top / number)
    return np.append(np.arange(1, math.ceil(top / step - 1e-9)) * step, top)


def best_speed(vessel: Vessel, energy: float, way: Way, top: float | None = None) -> Best:
    """
    Return the speed over ground at which a metre costs least.

    :param vessel: The Vessel.
    :param energy: That there is, J.
    :param way: Course and flow.
    :param top: Highest speed over ground, m/s, where it is known.

    Source: the minimum of P(u) / (u + c), found by repeated refinement of a grid; no slope of P is needed.
    """
    top = fastest(vessel, way) if top is None else top
    if not math.isfinite(top):
        return Best(NO_HEADWAY, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan)
    along = way.flow.current_x * math.cos(way.course) + way.flow.current_y * math.sin(way.course)
    speed = _least(lambda speeds: curve(vessel, energy, way, speeds).energy_per_meter, top, along)
    point = curve(vessel, energy, way, np.array([speed]))
    values = [float(values[0]) for values in point]
    if values[2] <= NOTHING and along > SLOWEST * top:
        return Best(DRIFT, values[0], values[1], values[2], values[3], math.inf, math.inf)
    kind = SLOWER_IS_BETTER if speed <= SLOWEST * top else FASTEST if speed >= top * (1.0 - 1e-6) else INSIDE
    return Best(kind, *values)


def _least(cost: Callable[[np.ndarray], np.ndarray], top: float, along: float) -> float:
    """Return the speed of the least cost in (0, top]; drifting along with the current, m/s, is tried as well."""
    grid = np.union1d(np.linspace(0.0, top, 4 * POINTS + 1)[1:], top * np.geomspace(0.1 * SLOWEST, 0.01, 40))
    if 0.0 < along < top:
        grid = np.sort(np.append(grid, along))
    while True:
        costs = cost(grid)
        place = int(np.nanargmin(costs))
        low = grid[place - 1] if place else max(2.0 * grid[0] - grid[1], 0.5 * grid[0])
        high = grid[min(place + 1, grid.size - 1)]
        if costs[place] <= 0.0 or high - low <= PRECISION * high:
            return float(grid[place])
        finer = np.linspace(low, high, SEARCH)
        # The best one so far stays: its neighbours may be out of reach.
        finer[int(np.argmin(np.abs(finer - grid[place])))] = grid[place]
        grid = finer


class Polar(NamedTuple):
    """By course, rad: the best speed over ground m/s and its energy per metre J/m; NaN where there is none."""

    course: np.ndarray
    speed: np.ndarray
    energy_per_meter: np.ndarray


def polar(vessel: Vessel, flow: Flow, courses: np.ndarray, speed: float | None = None) -> Polar:
    """
    Return the energy per metre by course.

    :param vessel: The Vessel.
    :param flow: Water and air.
    :param courses: rad.
    :param speed: Over ground, m/s; None: the best one of each course.
    """
    if speed is not None:
        steady = steady_state(vessel, courses, speed, flow)
        cost = np.where(steady.feasible, steady.power.total, np.nan) / speed
        return Polar(courses, np.full(courses.shape, speed), cost)
    found = [best_speed(vessel, 1.0, Way(float(course), flow)) for course in courses]
    known = [best.kind != SLOWER_IS_BETTER for best in found]
    return Polar(courses, np.where(known, [best.speed for best in found], np.nan),
                 np.where(known, [best.energy_per_meter for best in found], np.nan))
