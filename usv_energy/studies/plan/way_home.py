"""
What the way home costs, from where a boat is, and where it can no longer turn back.

The way is straight, at the speed over ground whose energy has the least upper bound, by the steady model in a current
and a wind that are the same everywhere; in a sea also against, or with, the mean force of its waves. Turning, waiting
and land are left out.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.physics.frames import to_body
from usv_energy.physics.motion import STILL, Flow
from usv_energy.studies.plan.steady_motion import steady_state, top_speed
from usv_energy.studies.plan.uncertain_boat import drawn_boats, read_doubts

COURSES = 72           # Over which a metre's cost is kept; between them it is interpolated.
SPEEDS = 40            # Over ground, that are tried on each course.
SLOWEST = 0.04         # Of the top speed: the slowest of them.
DRAWS = 40             # Boats drawn from the boat file's intervals, for the spread of power.
CURRENT_CHANGE = 0.02  # m/s: a current that has changed by more makes costs stale,
WIND_CHANGE = 0.3      # m/s: or a wind.
NEAR = 10.0            # So many times these changes at most, the best speed is looked for around the last one only:
STRONGER = 2.33        # Deviations of a wind from ahead for which its share is worked out: it grows faster.
AROUND = 0.7, 1.4, 13  # From so many times that speed to so many, at so many speeds.
FAR = AROUND[2] / SPEEDS  # So many courses whose best speed is looked for among all of them take the time of one.
AHEAD = 129            # Points on the present track until the energy ends, for the point of no return.
ROUNDS = 2             # Of that search; the second one between two points of the first.
Left = Callable[[np.ndarray], tuple[np.ndarray, tuple[np.ndarray, ...]]]


class HomePlace(NamedTuple):
    """A place to go back to: its name, and where it lies, m, earth frame (ENU)."""

    name: str
    x: float
    y: float


class HomeDoubt(NamedTuple):
    """
    How sure the way home is to be: with which confidence (0.5 to below 1) its energy is not to be exceeded.

    With the default surely fewer than one boat in a hundred strand: docs/ros.md, "The way home".
    Standard deviations: of the energy that is left, J, and of current and wind, m/s, in each direction; that of the
    wind counts as it was when costs were worked out (`HomeCosts.refresh`).
    """

    confidence: float = 0.993
    energy_std: float = 0.0
    current_std: float = 0.0
    wind_std: float = 0.0

    def checked(self) -> 'HomeDoubt':
        """Return itself. Raises InputError for a number that cannot be: which one, and what is allowed."""
        if not 0.5 <= self.confidence < 1.0:
            raise InputError(f'confidence is {self.confidence:g}; must be 0.5 or more and less than 1')
        for name in self._fields[1:]:
            if not 0.0 <= getattr(self, name) < math.inf:
                raise InputError(f'{name} is {getattr(self, name):g}; must be a finite number, 0 or greater')
        return self


EVEN = HomeDoubt(0.5)  # As likely exceeded as not.


class WayHome(NamedTuple):
    """
    The surest way to a place: distance m, duration s, speed over ground m/s, energy expected J.

    `energy_upper`, J: what it stays below with the confidence that is asked for; the speed is that of the least. A boat
    without a hotel load costs least at no speed at all, where any current would stop it. Infinite where no speed makes
    headway.
    """

    place: HomePlace
    distance: float
    duration: float
    speed: float
    energy: float
    energy_upper: float


class HomeMargin(NamedTuple):
    """
    What is left beyond the way home, J, and how long, s, and how far, m over ground, until nothing is.

    `margin` is the energy left, less the reserve and the upper bound of the way home. The last two hold for the present
    velocity and power; infinite where the margin is never used up so, 0 where it is already.
    """

    way: WayHome
    margin: float
    no_return_duration: float
    no_return_distance: float


class HomeCosts:
    """What a metre over ground costs a boat on every course, kept until current or wind change."""

    def __init__(self, boat: Boat, draws: int = DRAWS, std: Mapping[str, str] | None = None) -> None:
        """
        Learn the boat's speeds, and how its file's intervals spread its power: that in calm water.

        :param boat: In a sea (`boat_in_sea`) ways cost what its waves take, too.
        :param draws: Of boats from those intervals.
        :param std: Deviations besides, as `read_doubts` takes them.
        :raises InputError: For a boat without thrusters.
        """
        self._vessel = boat.vessel
        calm = replace(boat, vessel=boat.vessel._replace(sea=None))
        self._top = top_speed(calm.vessel)
        self._angles = 2.0 * np.pi * np.arange(COURSES) / COURSES
        self._cost, self._speed = np.full(COURSES, np.inf), np.full(COURSES, np.nan)
        self._wind_effect = np.zeros(COURSES)
        self._known = np.full((7, COURSES), np.nan)  # Flow, and doubts of wind and current, that they hold for.
        self._spread_speeds, self._spread = _spread_of_power(calm, self._top, draws, std)

    @property
    def is_complete(self) -> bool:
        """Whether every course has been worked out, in whatever flow."""
        return not bool(np.isnan(self._known[0]).any())

    def refresh(self, flow: Flow, toward: float = 0.0, most: int = COURSES, doubt: HomeDoubt = EVEN) -> int:
        """
        Work out what a metre costs on courses whose flow is no longer so; return how many are still to do.

        :param flow: m/s, of floats.
        :param toward: Course, rad (ENU), next to which the first ones are.
        :param most: How many at most; if not all, fewer where the best speed is looked for among all speeds, not near
            the last one, in about the same time.
        :param doubt: By which the upper bound of the energy is that of the speed's; EVEN: the energy itself.
        """
        now = np.array([flow.current_x, flow.current_y, flow.wind_x, flow.wind_y, doubt.wind_std, doubt.current_std,
                        doubt.confidence])[:, None]
        change = abs(self._known - now)
        change = np.maximum(change[:2].max(axis=0) / CURRENT_CHANGE, change[2:4].max(axis=0) / WIND_CHANGE)
        stale = np.flatnonzero(~((change <= 1.0) & (self._known[4:] == now[4:]).all(axis=0)))
        off = abs(np.angle(np.exp(1j * (self._angles[stale] - toward))))
        some = stale[np.argsort(off, kind='stable')][:most]
        is_near = (change[some] <= NEAR) & np.isfinite(self._cost[some])
        if some.size:
            near = bool(is_near[0])
            some = some[is_near == near][:most if near or most == COURSES else max(round(most * FAR), 1)]
            speeds = self._speeds(some, flow, near)
            found = self._surest(self._angles[some], speeds, flow, doubt)
            self._cost[some], self._speed[some], self._wind_effect[some] = found
            # Cheapest at an end, it may be cheaper beyond: what was found holds, and is looked for anew next time.
            at_end = (found[1] <= speeds[0]) | (found[1] >= speeds[-1]) | np.isinf(found[0])
            self._known[:, some] = np.where(near & at_end, np.inf, now)
        return int(stale.size - some.size)

    def _speeds(self, courses: np.ndarray, flow: Flow, near: bool) -> np.ndarray:
        """Return the speeds over ground, m/s, rising, that are tried on each course, (speeds, courses)."""
        if near:
            slowest, fastest, number = AROUND
            return np.asarray(np.linspace(slowest, fastest, number)[:, None] * self._speed[courses])
        most = self._top + math.hypot(flow.current_x, flow.current_y)
        return np.repeat(np.geomspace(SLOWEST * self._top, most, SPEEDS)[:, None], courses.size, axis=1)

    def _surest(self, courses: np.ndarray, speeds: np.ndarray, flow: Flow,
                doubt: HomeDoubt) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """
        Return the energy of a metre over ground, J/m, inf where none, at the speed of its least bound, m/s, and that.

        Where a current may stop the boat at every speed it is that of the least energy. And by which share a wind from
        ahead raises it, for each deviation, m/s, that it is stronger. All in one question: for boats whose thrusts or
        headings are searched, what it takes hardly depends on how many there are.
        """
        from_ahead = np.array([0.0, STRONGER * doubt.wind_std])[:2 if doubt.wind_std else 1, None, None]
        steady = steady_state(self._vessel, courses, speeds, flow._replace(
            wind_x=flow.wind_x - from_ahead * np.cos(courses), wind_y=flow.wind_y - from_ahead * np.sin(courses)))
        cost = np.where(steady.feasible[0], steady.power.total[0], np.inf) / speeds
        with np.errstate(divide='ignore', invalid='ignore'):
            share = np.nan_to_num(np.maximum(steady.power.total[-1] / steady.power.total[0] - 1.0, 0.0) / STRONGER,
                                  nan=np.inf)
            bound = np.where(np.isfinite(cost), cost * self._factor(courses, speeds, share, flow, doubt), np.inf)
        best = np.argmin(np.where(np.isfinite(bound).any(axis=0), bound, cost), axis=0)
        columns = np.arange(courses.size)
        return cost[best, columns], speeds[best, columns], share[best, columns]

    def along(self, course: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """
        Return energy of a metre over ground, J/m, inf where there is none, and its speed, m/s, on courses, rad.

        And by which share the wind's deviation raises it.
        """
        place = np.mod(course / (2.0 * np.pi), 1.0) * COURSES
        low = np.floor(place).astype(int)
        share = place - low
        low, high = low % COURSES, (low + 1) % COURSES
        with np.errstate(invalid='ignore'):
            cost, speed, wind = ((1.0 - share) * row[low] + share * row[high]
                                 for row in (self._cost, self._speed, self._wind_effect))
        return np.where(np.isnan(cost), np.inf, cost), speed, wind

    def upper(self, course: np.ndarray, flow: Flow, doubt: HomeDoubt) -> np.ndarray:
        """
        Return by which factor the way may cost more on courses, rad; infinite where a current may stop the boat.

        What the boat's own spread, current and wind each make of it multiply, so that their logarithms add as
        independent deviations do. The current is taken along the way, at the speed through the water of the best one:
        over ground it is slower by so much. The wind is taken from ahead.
        """
        _, speed, wind = self.along(course)
        return self._factor(course, speed, wind, flow, doubt)

    def _factor(self, course: np.ndarray, speed: np.ndarray, wind: np.ndarray, flow: Flow,
                doubt: HomeDoubt) -> np.ndarray:
        """Return `upper` at speeds over ground, m/s, and shares by which the wind's deviation raises the energy."""
        sure = float(ndtri(doubt.confidence))
        ground = speed * np.cos(course), speed * np.sin(course)
        through = np.hypot(ground[0] - flow.current_x, ground[1] - flow.current_y)
        boat = sure * np.interp(through, self._spread_speeds, self._spread)
        left = speed - sure * doubt.current_std
        with np.errstate(divide='ignore', invalid='ignore'):
            current = np.where(left > 0.0, np.log(speed / left), np.inf)
        return np.asarray(np.exp(np.sqrt(boat * boat + current * current + np.log1p(sure * wind) ** 2)))

    def ways(self, x: np.ndarray, y: np.ndarray, homes: Sequence[HomePlace], flow: Flow,
             doubt: HomeDoubt) -> tuple[np.ndarray, ...]:
        """
        Return the cheapest way home from places, m: which home, distance m, speed m/s, energy J, its upper bound J.

        :param x: Places, earth frame, m, shape (N,); `y` likewise.
        :param flow: That the costs were worked out in, m/s.
        """
        east, north = (np.array([getattr(home, axis) for home in homes])[:, None] for axis in 'xy')
        distance = np.hypot(east - x, north - y)
        course = np.arctan2(north - y, east - x)
        cost, speed, _ = self.along(course)
        with np.errstate(invalid='ignore'):
            energy = np.where(distance > 0.0, cost * distance, 0.0)
            upper = np.where(distance > 0.0, energy * self.upper(course, flow, doubt), 0.0)
        best, columns = np.argmin(upper, axis=0), np.arange(x.size)
        return best, *(rows[best, columns] for rows in (distance, speed, energy, upper))


def _spread_of_power(boat: Boat, top: float, draws: int,
                     std: Mapping[str, str] | None) -> tuple[np.ndarray, np.ndarray]:
    """Return speeds through still water, m/s, and the relative standard deviation of the power there, (-)."""
    speeds = np.linspace(SLOWEST, 1.0, 12) * top
    doubts = read_doubts(boat, std) if draws else []
    if not doubts:
        return speeds, np.zeros(speeds.size)
    expected = _power(boat.vessel, speeds)
    ratios = np.array([_power(drawn.vessel, speeds) / expected for drawn in drawn_boats(boat, doubts, draws)])
    return speeds, np.sqrt(np.mean((ratios - 1.0) ** 2, axis=0))


def _power(vessel: Vessel, speeds: np.ndarray) -> np.ndarray:
    power: np.ndarray = np.maximum(steady_state(vessel, 0.0, speeds, STILL).power.total, 1e-9)
    return power


def home_margin(costs: HomeCosts, place: tuple[float, float], velocity: tuple[float, float], power: float,
                energy_left: float, reserve: float, homes: Sequence[HomePlace], flow: Flow,
                doubt: HomeDoubt) -> HomeMargin:
    """
    Return what is left beyond the way home.

    :param costs: Refreshed for the flow.
    :param place: x, y, earth frame, m.
    :param velocity: Over ground, earth frame, m/s: the present one, held on for the point of no return.
    :param power: Drawn meanwhile, W.
    :param energy_left: That the battery gives, J.
    :param reserve: To be kept of it, J.
    :param homes: Places to go to, at least one.
    :param flow: As the boat knows it, m/s.
    :param doubt: The HomeDoubt; `energy_std` widens the upper bound of the way.
    """
    extra = float(ndtri(doubt.confidence)) * doubt.energy_std

    def left(ahead: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Return the margin, J, after durations, s, on the present track, and the ways home from there."""
        ways = costs.ways(place[0] + velocity[0] * ahead, place[1] + velocity[1] * ahead, homes, flow, doubt)
        held = np.isfinite(ways[4])
        upper = np.where(held, ways[3] + np.hypot(np.where(held, ways[4], 0.0) - np.where(held, ways[3], 0.0), extra),
                         np.inf)
        return energy_left - reserve - power * ahead - upper, ways

    now, ways = left(np.zeros(1))
    which, distance, speed, energy = int(ways[0][0]), float(ways[1][0]), float(ways[2][0]), float(ways[3][0])
    margin = float(now[0])
    bound = energy_left - reserve - margin
    way = WayHome(homes[which], distance, distance / speed if distance else 0.0, speed, energy, bound)
    duration = _time_until_spent(left, margin, energy_left, power)
    return HomeMargin(way, margin, duration, duration * math.hypot(*velocity) if duration else 0.0)


def _time_until_spent(left: Left, margin: float, energy_left: float, power: float) -> float:
    """Return after which duration, s, the margin is used up; infinite if never, as far as a day ahead is looked."""
    if not margin > 0.0:
        return 0.0
    low, high = 0.0, energy_left / power if power > 0.0 else 86400.0
    for _ in range(ROUNDS):
        tried = np.linspace(low, high, AHEAD)
        spent = np.flatnonzero(left(tried)[0] <= 0.0)
        if not spent.size:
            return math.inf
        low, high = float(tried[max(spent[0] - 1, 0)]), float(tried[spent[0]])
    values = left(np.array([low, high]))[0]
    share = values[0] / (values[0] - values[1]) if math.isfinite(values[1]) and values[0] > values[1] else 1.0
    return low + float(np.clip(share, 0.0, 1.0)) * (high - low)


def earth_velocity(u: float, v: float, yaw: float) -> tuple[float, float]:
    """Return a velocity over ground in earth axes, m/s, of one in body axes at a yaw, rad (ENU)."""
    x, y = to_body(u, v, math.cos(yaw), -math.sin(yaw))
    return float(x), float(y)


def read_homes(texts: Sequence[str]) -> list[HomePlace]:
    """
    Return the places that texts like `pier:12.5,-3` or `12.5,-3` tell, m, earth frame; those without a name are home_N.

    :raises InputError: For a text that tells none, and for a name that is there twice.
    """
    homes: list[HomePlace] = []
    for number, text in enumerate(texts, 1):
        name, _, place = text.rpartition(':')
        try:
            x, y = map(float, place.split(','))
        except ValueError:
            x = y = math.nan
        if not (math.isfinite(x) and math.isfinite(y)):
            raise InputError(f'homes: {text!r}; must be X,Y or NAME:X,Y, in metres, such as pier:12.5,-3')
        homes.append(HomePlace(name.strip() or f'home_{number}', x, y))
    if len({home.name for home in homes}) < len(homes):
        raise InputError(f'homes: a name is there twice among {", ".join(home.name for home in homes)}')
    return homes
