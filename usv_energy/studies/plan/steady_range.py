"""
Range and endurance of a boat by steady speed, and the speed of the longest range.

Speeds are over ground along a course; water and air are the same everywhere. The motion is that of `steady_motion`.

The speed of least cost per metre, energy alone or with a price of time, for many courses and flows at once.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.physics.motion import Flow
from usv_energy.physics.sampling import round_up
from usv_energy.powering.power import speed_through_water
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.plan.pack_energy import EnergyAt, PackEnergy
from usv_energy.studies.plan.steady_motion import highest_between, highest_speed, steady_state

BLOCK = 4096        # points whose powers at all speeds are in memory together
BISECTIONS = 14     # for the highest speed that the thrusters can hold, between two given speeds
SEARCH = 61         # speeds of each refinement
TIME_ONLY = math.inf


class CheapestMotions(NamedTuple):
    """
    The cheapest motions, shape (prices, points), inf if impossible.

    `cost` of a metre, J/m, price of time included; `slowness`: time per metre, s/m; `energy`: per metre, J/m, which is
    cost - price * slowness. For the price TIME_ONLY, `cost` is the slowness, and `energy` that of the highest speed.
    """

    cost: np.ndarray
    slowness: np.ndarray
    energy: np.ndarray


def cheapest_motions(vessel: Vessel, course: np.ndarray, flow: Flow, speeds: np.ndarray, prices: Sequence[float],
                     refinements: int = 0, progress: Progress = no_progress,
                     most_powers: Sequence[float] | None = None) -> CheapestMotions:
    """
    Return the cheapest motions along courses, each in its flow: the least of (power + price) / speed over ground.

    The minimum is taken over the given speeds, the highest speed that can be held (by bisection), and the minimum for
    a parabola of power through the best of these and its neighbours. With linear drag power is a parabola, and the
    result is exact. Refinements find the minimum for any drag, also at a kink.

    :param course: Over ground, rad (ENU), shape (N,).
    :param flow: m/s; arrays of the same shape, or floats.
    :param speeds: Over ground, m/s, above 0, rising, at least 3: the same for all courses, (S,), or of each, (S, N).
    :param prices: Of time, W, at least 0; TIME_ONLY for the least time.
    :param refinements: Rounds of a search around the best speed; each makes its bracket 30 times narrower.
    :param most_powers: Limits of power, W, one for each price; not together with refinements.
    """
    course, *flows = np.broadcast_arrays(course, flow.current_x, flow.current_y, flow.wind_x, flow.wind_y)
    speeds = np.broadcast_to(speeds.reshape(len(speeds), -1), (len(speeds), course.size))
    found = np.full((3, len(prices), course.size), np.inf)
    limits = (math.inf,) * len(prices) if most_powers is None else most_powers
    for first in range(0, course.size, BLOCK):
        some = slice(first, min(first + BLOCK, course.size))
        here = course[some], Flow(flows[0][some], flows[1][some], flows[2][some], flows[3][some])
        velocity, power = _powers(vessel, *here, speeds[:, some])
        for number, (price, most) in enumerate(zip(prices, limits)):
            within = power if math.isinf(most) else np.where(power <= most, power, np.inf)
            found[:, number, some] = _least(vessel, *here, velocity, within, price, refinements)
        progress(some.stop, course.size)
    return CheapestMotions(*found)


def _powers(vessel: Vessel, course: np.ndarray, flow: Flow, speeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the speeds and the highest that can be held, m/s, and their powers, W, inf if none; shape (S + 1, N)."""
    last, columns = len(speeds) - 1, np.arange(course.size)
    steady = steady_state(vessel, course, speeds, flow)
    held = steady.feasible
    power = np.where(held, steady.power.total, np.inf)
    top = last - np.argmax(held[::-1], axis=0)
    between = held.any(axis=0) & (top < last)
    highest, highest_power = speeds[top, columns], np.full(course.size, np.inf)
    if between.any():
        above = speeds[np.minimum(top + 1, last), columns]
        highest = highest_between(vessel, course, flow, highest, above, 1, BISECTIONS)
        highest_power = np.where(between, steady_state(vessel, course, highest, flow).power.total, np.inf)
    velocity = np.vstack((speeds, highest))
    order = np.argsort(velocity, axis=0, kind='stable')
    return np.take_along_axis(velocity, order, 0), np.take_along_axis(np.vstack((power, highest_power)), order, 0)


def _least(vessel: Vessel, course: np.ndarray, flow: Flow, velocity: np.ndarray, power: np.ndarray,
           price: float, refinements: int) -> np.ndarray:
    """Return the least cost, its slowness and its energy, all per metre, of each column; shape (3, N)."""
    columns = np.arange(velocity.shape[1])
    weight = np.ones_like(power) if price == TIME_ONLY else power + price
    best = np.argmin(np.where(np.isfinite(power), weight / velocity, np.inf), axis=0)
    speed, drawn = velocity[best, columns], power[best, columns]
    if price != TIME_ONLY:
        low, high = (velocity[np.clip(best + step, 0, len(velocity) - 1), columns] for step in (-1, 1))
        speed, drawn = _better(vessel, course, flow, _vertex(velocity, power, best, price)[None], price, speed, drawn)
        for _ in range(refinements):
            tried = low + np.linspace(0.0, 1.0, SEARCH)[:, None] * (high - low)
            speed, drawn = _better(vessel, course, flow, tried, price, speed, drawn)
            step = (high - low) / (SEARCH - 1)
            low, high = np.maximum(low, speed - step), np.minimum(high, speed + step)
    held = np.isfinite(drawn)
    slowness = np.where(held, 1.0 / speed, np.inf)
    energy = np.where(held, np.where(held, drawn, 0.0) / speed, np.inf)
    return np.array([slowness if price == TIME_ONLY else energy + price / speed, slowness, energy])


def _better(vessel: Vessel, course: np.ndarray, flow: Flow, tried: np.ndarray, price: float, speed: np.ndarray,
            drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the cheapest among the speeds tried, m/s, shape (K, N), and the best so far; and their powers, W."""
    steady = steady_state(vessel, course, tried, flow)
    power = np.where(steady.feasible, steady.power.total, np.inf)
    columns = np.arange(speed.size)
    best = np.argmin((power + price) / tried, axis=0)
    tried, power = tried[best, columns], power[best, columns]
    better = (power + price) / tried < (drawn + price) / speed
    return np.where(better, tried, speed), np.where(better, power, drawn)


def _vertex(velocity: np.ndarray, power: np.ndarray, best: np.ndarray, price: float) -> np.ndarray:
    """Return the speed of least cost of each column for a parabola of power around its best speed, or the best one."""
    columns = np.arange(velocity.shape[1])
    middle = np.clip(best, 1, velocity.shape[0] - 2)
    v, p = ([array[middle + step, columns] for step in (-1, 0, 1)] for array in (velocity, power))
    good = np.isfinite(p[0]) & np.isfinite(p[1]) & np.isfinite(p[2]) & (v[0] < v[1]) & (v[1] < v[2])
    p = [np.where(good, value, 0.0) for value in p]
    v = [np.where(good, value, number) for number, value in zip((1.0, 2.0, 3.0), v)]
    slope_low, slope_high = (p[1] - p[0]) / (v[1] - v[0]), (p[2] - p[1]) / (v[2] - v[1])
    c = (slope_high - slope_low) / (v[2] - v[0])
    a = p[0] - v[0] * (slope_low - c * v[1])
    good &= (c > 0.0) & (a + price > 0.0)
    # A metre's cost, (a + price) / v + b + c v, is least at v^2 = (a + price) / c.
    at = np.sqrt(np.where(good, (a + price) / np.where(good, c, 1.0), 1.0))
    return np.where(good, np.clip(at, v[0], v[2]), velocity[best, columns])


POINTS = 96               # speeds of a curve
REFINEMENTS = 4           # of the best speed, which is found to about 1e-8 of the top speed
ROUNDS, ROUND_SPEEDS = 4, 24  # of the search for the furthest speed on cells, which is found to about 1e-5
TRIED_SPEEDS = np.geomspace(0.01, 100.0, 160)  # m/s: first grid of the search for the highest speed
SLOWEST = 1e-3            # of the top speed: if the best speed is below it, "the slower, the better"
NO_POWER = 1e-9           # W: power that counts as none, of a boat that drifts without a static load
# First grid of the search for the best speed, as shares of the top speed.
SHARES = np.union1d(np.linspace(0.0, 1.0, 4 * POINTS + 1)[1:], np.geomspace(0.1 * SLOWEST, 0.01, 40))
INSIDE, SLOWER_IS_BETTER, FASTEST = 'inside', 'slower_is_better', 'fastest'
DRIFT, NO_HEADWAY = 'drift', 'no_headway'
WORDS = {
    INSIDE: 'it lies between drifting and full thrust',
    SLOWER_IS_BETTER: 'the slower, the further: without a static load every saving of speed saves energy, down to none',
    FASTEST: 'the thrusters set it: the boat would reach further if it could go faster',
    DRIFT: 'drifting with the current costs nothing, so the range has no end',
    NO_HEADWAY: 'the boat cannot go along this course: current, wind or waves are too strong for its thrusters',
}


class SpeedCurve(NamedTuple):
    """
    Power and range over steady speeds, arrays of one shape; NaN if the thrusters are too weak.

    `speed` over ground and `through_water`, m/s; total `power` W; `energy_per_meter` over ground, J/m; `endurance` s
    and `range` m with the available energy.
    """

    speed: np.ndarray
    through_water: np.ndarray
    power: np.ndarray
    energy_per_meter: np.ndarray
    endurance: np.ndarray
    range: np.ndarray


class BestSpeed(NamedTuple):
    """The speed of the longest range, over ground, m/s, its kind (a key of WORDS), and the values as in SpeedCurve."""

    kind: str
    speed: float
    through_water: float
    power: float
    energy_per_meter: float
    endurance: float
    range: float


class Polar(NamedTuple):
    """By course, rad: the best speed over ground m/s and its energy per metre J/m; NaN if there is none."""

    course: np.ndarray
    speed: np.ndarray
    energy_per_meter: np.ndarray


class BatteryUse(NamedTuple):
    """
    How much of a battery may be used.

    `state_of_charge` now, (-), None for that of the boat file; `reserve`, the share of the capacity that must be left,
    (-); `energy`, J, that may be used, instead of the battery's, or None; `ambient`, K, the temperature around the
    cells, None for that of the boat file.
    """

    state_of_charge: float | None = None
    reserve: float = 0.0
    energy: float | None = None
    ambient: float | None = None

    def energy_of(self, boat: Boat) -> float:
        """
        Return the energy that may be used, J, at least 0; of cells at their rated current.

        :raises InputError: Without a battery and without `energy`.
        """
        if self.energy is not None:
            return self.energy
        if boat.battery is None:
            raise InputError(f'{boat.path}: has no battery; say how much energy there is to use (energy_wh)')
        charge = boat.battery.initial_state_of_charge if self.state_of_charge is None else self.state_of_charge
        return max(0.0, charge - self.reserve) * boat.battery.capacity_wh * JOULES_PER_WH

    def energy_at(self, boat: Boat) -> float | PackEnergy:
        """Return the energy that may be used, J, or for cells the energy as a function of the power, W."""
        energy, pack = self.energy_of(boat), boat.pack
        if self.energy is not None or pack is None or boat.battery is None:
            return energy
        charge = boat.battery.initial_state_of_charge if self.state_of_charge is None else self.state_of_charge
        return PackEnergy(pack, charge, self.reserve, boat.ambient if self.ambient is None else self.ambient)


def fastest(vessel: Vessel, course: float, flow: Flow) -> float:
    """Return the highest steady speed over ground along a course, m/s; NaN if there is none above 0."""
    return float(highest_speed(vessel, np.array([course]), flow, TRIED_SPEEDS)[0])


def speed_curve(vessel: Vessel, energy: float | EnergyAt, course: float, flow: Flow, speeds: np.ndarray) -> SpeedCurve:
    """
    Return power and range over speeds along a course.

    :param energy: Available, J; or as a function of the power, W.
    :param course: Over ground, rad (ENU).
    :param speeds: m/s over ground, above 0.
    """
    steady = steady_state(vessel, course, speeds, flow)
    power = np.where(steady.feasible, steady.power.total, np.nan)
    with np.errstate(divide='ignore', invalid='ignore'):
        endurance = (energy(power) if callable(energy) else energy) / power
    return SpeedCurve(np.asarray(speeds, dtype=float), speed_through_water(steady.power), power, power / speeds,
                      endurance, endurance * speeds)


def round_speeds(top: float, number: int = POINTS) -> np.ndarray:
    """Return speeds over ground for a curve, m/s: about `number` round ones, and the top speed; none if that is NaN."""
    if not math.isfinite(top):
        return np.zeros(0)
    step = round_up(top / number)
    return np.append(np.arange(1, math.ceil(top / step - 1e-9)) * step, top)


def best_speed(vessel: Vessel, energy: float | EnergyAt, course: float, flow: Flow) -> BestSpeed:
    """
    Return the speed over ground of the longest range: that of the least energy per metre, unless cells give less.

    :param energy: Available, J; or as a function of the power, W.
    :param course: Over ground, rad (ENU).
    """
    (kind,), (speed,), _ = best_speeds(vessel, np.array([course]), flow)
    if callable(energy) and kind in (INSIDE, FASTEST):
        kind, speed = _furthest(vessel, energy, course, flow, kind, speed)
    point = BestSpeed(kind, *(float(value) for value, in speed_curve(vessel, energy, course, flow, np.array([speed]))))
    return point._replace(endurance=math.inf, range=math.inf) if kind == DRIFT else point


def _furthest(vessel: Vessel, energy: EnergyAt, course: float, flow: Flow, kind: str,
              cheapest: float) -> tuple[str, float]:
    """
    Return the kind of the best speed and the speed of the longest range, m/s, with an energy that depends on the power.

    Cells give less energy at more power, so it is below the speed of the least energy per metre.
    """
    low, high = SLOWEST * cheapest, cheapest
    for _ in range(ROUNDS):
        speeds = np.linspace(low, high, 1 + ROUND_SPEEDS)
        reached = speed_curve(vessel, energy, course, flow, speeds).range
        if not np.isfinite(reached).any():
            return kind, cheapest
        best = int(np.nanargmax(reached))
        low, high = float(speeds[max(best - 1, 0)]), float(speeds[min(best + 1, ROUND_SPEEDS)])
    speed = float(speeds[best])
    return (kind, cheapest) if speed >= cheapest * (1.0 - 1e-6) else (INSIDE, speed)


def best_speeds(vessel: Vessel, course: np.ndarray, flow: Flow) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Return the kind of the best speed of each course, the speed over ground, m/s, and its energy per metre, J/m.

    :param course: Over ground, rad (ENU), shape (n,); the flow's parts are numbers, or of that shape.
    """
    top = highest_speed(vessel, course, flow, TRIED_SPEEDS)
    # The speed of drifting with the current is tried, too.
    along = flow.current_x * np.cos(course) + flow.current_y * np.sin(course)
    speeds = np.sort(np.vstack((SHARES[:, None] * top, np.where((along > 0.0) & (along < top), along, top))), axis=0)
    found = cheapest_motions(vessel, course, flow, speeds, (0.0,), REFINEMENTS)
    there = np.isfinite(top)
    speed = np.where(there, np.minimum(1.0 / found.slowness[0], top), np.nan)
    cost = np.where(there, found.energy[0], np.nan)
    kind = np.select([~there, (cost * speed <= NO_POWER) & (along > SLOWEST * top), speed <= SLOWEST * top,
                      speed >= top * (1.0 - 1e-6)], [NO_HEADWAY, DRIFT, SLOWER_IS_BETTER, FASTEST], INSIDE)
    return kind, speed, cost


def polar(vessel: Vessel, flow: Flow, courses: np.ndarray, speed: float | None = None) -> Polar:
    """
    Return the energy per metre by course.

    :param courses: Over ground, rad (ENU).
    :param speed: Over ground, m/s; None: the best one of each course.
    """
    if speed is not None:
        steady = steady_state(vessel, courses, speed, flow)
        cost = np.where(steady.feasible, steady.power.total, np.nan) / speed
        return Polar(courses, np.full(courses.shape, speed), cost)
    kind, best, cost = best_speeds(vessel, courses, flow)
    known = kind != SLOWER_IS_BETTER
    return Polar(courses, np.where(known, best, np.nan), np.where(known, cost, np.nan))


def unreachable_speed(scenario: Scenario) -> str:
    """
    Return a sentence, without its full stop, that names the leg on which a boat cannot hold a scenario's speed.

    Empty if it can hold it on all legs, if the scenario sets no speed over ground, or if its flows vary in space.
    """
    current, wind, vessel = scenario.current, scenario.wind, scenario.plant.vessel
    if scenario.speed is None or not vessel.thrusters:
        return ''
    if not isinstance(current, UniformFlow) or not isinstance(wind, UniformFlow):
        return ''
    places = [scenario.start[:2], *scenario.waypoints]
    courses = np.array([math.atan2(y1 - y0, x1 - x0) for (x0, y0), (x1, y1) in pairwise(places)])
    top = highest_speed(vessel, courses, Flow(current.x, current.y, wind.x, wind.y), TRIED_SPEEDS)
    slowest = int(np.argmin(np.where(np.isnan(top), -1.0, top)))
    if top[slowest] >= scenario.speed:
        return ''
    able = 'no speed at all' if np.isnan(top[slowest]) else f'at most {top[slowest]:.3g} m/s'
    return (f'speed.target is {scenario.speed:g} m/s over ground; towards waypoint {slowest + 1} the boat '
            f'{scenario.plant.name} can hold {able} there, so it goes at full thrust')
