"""
The energy of the way home from where a boat is, and the point of no return.

The way home is straight, in steady motion at the speed over ground of least energy, or at that of the least upper bound
where the bound of the cheapest speed is far higher, in a current and a wind that are the same everywhere, and with the
mean force of waves if there are any. Turning, waiting and land are left out.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.files.limits import LOGGED
from usv_energy.physics.frames import to_body
from usv_energy.physics.motion import STILL, Flow
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts
from usv_energy.studies.plan.steady_motion import steady_state, top_speed

COURSES = 72           # for which the cost of a metre is stored; it is interpolated between them
SPEEDS = 40            # over ground, that are tried on each course
FAR_SURER = 1.5        # ratio of the upper bound at the cheapest speed to the least, from which that speed is left
SLOWEST = 0.04         # of the top speed: the slowest of them
DRAWS = 40             # boats drawn from the boat file's intervals, for the spread of power
CURRENT_CHANGE = 0.02  # m/s: a larger change of the current makes costs stale,
WIND_CHANGE = 0.3      # m/s: and so does a larger change of the wind
LOCAL_CHANGES = 10.0   # up to so many of these changes, only speeds near the last best one are tried:
LOCAL_SPEEDS = 0.7, 1.4, 13     # from 0.7 to 1.4 times that speed, 13 speeds
WIND_DEVIATIONS = 2.33  # size of the wind error, in standard deviations, at which its effect is computed
FULL_SEARCH_SHARE = LOCAL_SPEEDS[2] / SPEEDS  # courses with a full search per course with a local one, in equal time
SLOWER = np.arange(20, 0, -1) / 20.0  # shares of an ordered speed that are tried if the thrusters cannot hold it
TRACK_POINTS = 129     # on the present track until the energy ends, for the point of no return
ROUNDS = 2             # of that search, the second one between two points of the first
NORMAL = NormalDist()
MarginAfter = Callable[[np.ndarray], tuple[np.ndarray, tuple[np.ndarray, ...]]]


class HomePlace(NamedTuple):
    """A home of the boat: its name and place, m, earth frame (ENU)."""

    name: str
    x: float
    y: float


class HomeDoubt(NamedTuple):
    """
    The uncertainty of the way home, and the confidence (0.5 to below 1) with which its energy must suffice.

    With the default, fewer than one boat in a hundred strand: docs/way_home.md. Standard deviations: of the
    energy left, J, and of current and wind, m/s, in each direction. That of the wind must be the one with which the
    costs were computed (`HomeCosts.refresh`).
    """

    confidence: float = 0.993
    energy_std: float = 0.0
    current_std: float = 0.0
    wind_std: float = 0.0

    def checked(self) -> 'HomeDoubt':
        """Return itself; raises InputError for a number out of range: which one, and what is allowed."""
        if not 0.5 <= self.confidence < 1.0:
            raise InputError(f'confidence is {self.confidence:g}; must be 0.5 or more and less than 1')
        for name in self._fields[1:]:
            if not 0.0 <= getattr(self, name) < math.inf:
                raise InputError(f'{name} is {getattr(self, name):g}; must be a finite number, 0 or greater')
        return self


EVEN = HomeDoubt(0.5)  # its upper bound is the expected energy itself


class WayHome(NamedTuple):
    """
    The way to a home with the least upper bound: distance m, duration s, speed over ground m/s, expected energy J.

    `energy_upper`, J: that upper bound of the energy, at the required confidence. The speed is the cheapest, unless the
    upper bound of another is far lower: the expected energy of a boat without a hotel load is least at speed zero,
    where any current would stop it. Infinite if no speed makes headway.
    """

    place: HomePlace
    distance: float
    duration: float
    speed: float
    energy: float
    energy_upper: float


class HomeMargin(NamedTuple):
    """
    The energy margin beyond the way home, J, and the time, s, and distance over ground, m, to the point of no return.

    `margin` is the energy left, less the reserve and the upper bound of the way home. Time and distance hold for the
    present velocity and power; infinite if the margin is then never used up, 0 if it already is.
    """

    way: WayHome
    margin: float
    no_return_duration: float
    no_return_distance: float


class HomeCosts:
    """The energy per metre over ground of a boat on every course, stored until current or wind change."""

    def __init__(self, boat: Boat, draws: int = DRAWS, std: Mapping[str, str] | None = None) -> None:
        """
        Compute the boat's top speed, and the spread of its power in calm water from its file's intervals.

        :param boat: In a sea (`boat_in_sea`) costs include its waves.
        :param draws: Number of boats drawn from those intervals.
        :param std: Further standard deviations, as for `read_doubts`.
        :raises InputError: For a boat without thrusters.
        """
        self._vessel = boat.vessel
        calm = replace(boat, vessel=boat.vessel._replace(sea=None))
        self._top = top_speed(calm.vessel)
        self._angles = _bearings(COURSES)
        self._cost, self._speed = np.full(COURSES, np.inf), np.full(COURSES, np.nan)
        self._wind_effect, self._current_effect = np.zeros(COURSES), np.ones(COURSES)
        self._ordered: float | None = None
        self._known = np.full((7, COURSES), np.nan)  # the flow, and the numbers of the doubt, of the stored costs
        self._spread_speeds, self._spread = _spread_of_power(calm, self._top, draws, std)

    def order_speed(self, speed: float | None) -> None:
        """
        Take the speed over ground at which the boat goes home, m/s; None: the cheapest, as it is at the beginning.

        On a course where the thrusters cannot hold it, the boat goes as fast as they can, by steps of SLOWER.
        """
        if speed != self._ordered:
            self._ordered = speed
            self._known[:] = np.nan

    @property
    def is_complete(self) -> bool:
        """Whether every course has been computed, in any flow."""
        return not bool(np.isnan(self._known[0]).any())

    def refresh(self, flow: Flow, toward: float = 0.0, most: int = COURSES, doubt: HomeDoubt = EVEN) -> int:
        """
        Recompute the costs of courses whose flow has changed; return the number of courses that are still stale.

        :param flow: m/s, of floats.
        :param toward: Course, rad (ENU); the courses nearest to it come first.
        :param most: Courses to compute, at most; fewer if they need a full search of the best speed, so that the time
            stays about the same.
        :param doubt: Of the upper bound; with EVEN, that is the expected energy.
        """
        now = np.array([flow.current_x, flow.current_y, flow.wind_x, flow.wind_y, doubt.wind_std, doubt.current_std,
                        doubt.confidence])[:, None]
        change = abs(self._known - now)
        change = np.maximum(change[:2].max(axis=0) / CURRENT_CHANGE, change[2:4].max(axis=0) / WIND_CHANGE)
        stale = np.flatnonzero(~((change <= 1.0) & (self._known[4:] == now[4:]).all(axis=0)))
        off = abs(np.angle(np.exp(1j * (self._angles[stale] - toward))))
        some = stale[np.argsort(off, kind='stable')][:most]
        is_near = (change[some] <= LOCAL_CHANGES) & np.isfinite(self._cost[some]) & (self._ordered is None)
        if some.size:
            near = bool(is_near[0])
            number = most if near or most == COURSES else max(round(most * FULL_SEARCH_SHARE), 1)
            some = some[is_near == near][:number]
            speeds = self._speeds(some, flow, near)
            found = self._surest(self._angles[some], speeds, flow, doubt)
            self._cost[some], self._speed[some], self._wind_effect[some], self._current_effect[some] = found
            # A minimum at an end of the local search may not be the true one: it is used, and recomputed next time.
            at_end = (found[1] <= speeds[0]) | (found[1] >= speeds[-1]) | np.isinf(found[0])
            self._known[:, some] = np.where(near & at_end, np.inf, now)
        return int(stale.size - some.size)

    def _speeds(self, courses: np.ndarray, flow: Flow, near: bool) -> np.ndarray:
        """Return the speeds over ground, m/s, rising, that are tried on each course, (speeds, courses)."""
        most = self._top + math.hypot(flow.current_x, flow.current_y)
        if self._ordered is not None:
            return np.repeat((min(self._ordered, most) * SLOWER)[:, None], courses.size, axis=1)
        if near:
            slowest, fastest, number = LOCAL_SPEEDS
            return np.asarray(np.linspace(slowest, fastest, number)[:, None] * self._speed[courses])
        return np.repeat(np.geomspace(SLOWEST * self._top, most, SPEEDS)[:, None], courses.size, axis=1)

    def _surest(self, courses: np.ndarray, speeds: np.ndarray, flow: Flow,
                doubt: HomeDoubt) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """
        Return the energy per metre over ground, J/m, inf if none, at the speed of `WayHome`; that speed.

        If a current may stop the boat at every speed, the speed of least energy is taken. Third, the relative increase
        of the energy per standard deviation of wind from ahead. Fourth, at an ordered speed, by how many times the
        error of the current from ahead, at the confidence, raises the energy, if the boat then holds that speed over
        ground, or the next that it can. All is computed in one call of `steady_state`, whose time hardly depends on the
        number of points if thrusts or headings are searched.
        """
        wind = WIND_DEVIATIONS * doubt.wind_std
        current = NORMAL.inv_cdf(doubt.confidence) * doubt.current_std if self._ordered is not None else 0.0
        flows = [(0.0, 0.0), *[(wind, 0.0)] * (wind > 0.0), *[(0.0, current)] * (current > 0.0)]
        of_wind, of_current = (np.array(ahead)[:, None, None] for ahead in zip(*flows))
        c, s = np.cos(courses), np.sin(courses)
        steady = steady_state(self._vessel, courses, speeds, Flow(
            flow.current_x - of_current * c, flow.current_y - of_current * s,
            flow.wind_x - of_wind * c, flow.wind_y - of_wind * s))
        costs = np.where(steady.feasible, steady.power.total, np.inf) / speeds
        cost, columns = costs[0], np.arange(courses.size)
        with np.errstate(divide='ignore', invalid='ignore', over='ignore'):
            increase = np.maximum(steady.power.total[int(wind > 0.0)] / steady.power.total[0] - 1.0, 0.0)
            share = np.nan_to_num(increase / WIND_DEVIATIONS, nan=np.inf)
            if self._ordered is not None:
                fastest, against = (np.argmax(np.isfinite(one), axis=0) for one in (cost, costs[-1]))
                raised = np.nan_to_num(costs[-1][against, columns] / cost[fastest, columns], nan=np.inf)
                return (cost[fastest, columns], speeds[fastest, columns], share[fastest, columns],
                        np.maximum(raised, 1.0) if current else np.ones(courses.size))
            # Drifting may cost nothing, and get nowhere for sure: 0 times infinity has no bound.
            bound = np.nan_to_num(cost * self._factor(courses, speeds, share, flow, doubt), nan=np.inf, posinf=np.inf)
        cheapest, surest = np.argmin(cost, axis=0), np.argmin(bound, axis=0)
        is_far_surer = bound[surest, columns] < bound[cheapest, columns] / FAR_SURER
        best = np.where(is_far_surer, surest, cheapest)
        return cost[best, columns], speeds[best, columns], share[best, columns], np.ones(courses.size)

    def along(self, course: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """
        Return the energy per metre over ground, J/m, inf if none, and its speed, m/s, on courses, rad.

        Third, the relative increase of that energy per standard deviation of the wind.
        """
        cost, speed, wind = self._between(course, self._cost, self._speed, self._wind_effect)
        return np.where(np.isnan(cost), np.inf, cost), speed, wind

    @staticmethod
    def _between(course: np.ndarray, *rows: np.ndarray) -> list[np.ndarray]:
        """Return what rows, stored by course, have between their courses, rad."""
        place = np.mod(course / (2.0 * np.pi), 1.0) * COURSES
        low = np.floor(place).astype(int)
        share = place - low
        low, high = low % COURSES, (low + 1) % COURSES
        with np.errstate(invalid='ignore'):
            return [(1.0 - share) * row[low] + share * row[high] for row in rows]

    def upper_factor(self, course: np.ndarray, flow: Flow, doubt: HomeDoubt) -> np.ndarray:
        """
        Return the upper bound of the energy over the expected one on courses, rad; infinite if a current may stop it.

        The factors of the boat's spread, of current and of wind are independent, so the squares of their logarithms
        add. The error of the current is taken against the boat, at the speed through the water of the best speed; at an
        ordered speed, which is over ground, it raises the power instead. That of the wind is taken from ahead.
        """
        _, speed, wind = self.along(course)
        if self._ordered is None:
            return self._factor(course, speed, wind, flow, doubt)
        [raised] = self._between(course, self._current_effect)
        return self._factor(course, speed, wind, flow, doubt, np.nan_to_num(raised, nan=np.inf))

    def _factor(self, course: np.ndarray, speed: np.ndarray, wind: np.ndarray, flow: Flow, doubt: HomeDoubt,
                raised: np.ndarray | None = None) -> np.ndarray:
        """
        Return `upper_factor` at speeds, m/s, and relative increases of the energy per standard deviation of wind.

        :param raised: By how many times the error of the current raises the energy at an ordered speed; None at others.
        """
        sure = NORMAL.inv_cdf(doubt.confidence)
        ground = speed * np.cos(course), speed * np.sin(course)
        through = np.hypot(ground[0] - flow.current_x, ground[1] - flow.current_y)
        boat = sure * np.interp(through, self._spread_speeds, self._spread)
        left = speed - sure * doubt.current_std
        with np.errstate(divide='ignore', invalid='ignore', over='ignore'):
            current = np.where(left > 0.0, np.log(speed / left), np.inf)
            if raised is not None:
                current = np.log(raised)
            return np.asarray(np.exp(np.sqrt(boat * boat + current * current + np.log1p(sure * wind) ** 2)))

    def ways(self, x: np.ndarray, y: np.ndarray, homes: Sequence[HomePlace], flow: Flow,
             doubt: HomeDoubt) -> tuple[np.ndarray, ...]:
        """
        Return the cheapest way home from places, m: which home, distance m, speed m/s, energy J, its upper bound J.

        :param x: Places, earth frame, m, shape (N,); `y` likewise.
        :param flow: In which the costs were computed, m/s.
        """
        east, north = (np.array([getattr(home, axis) for home in homes])[:, None] for axis in 'xy')
        distance = np.hypot(east - x, north - y)
        course = np.arctan2(north - y, east - x)
        cost, speed, _ = self.along(course)
        with np.errstate(invalid='ignore', over='ignore'):
            energy = np.where(distance > 0.0, cost * distance, 0.0)
            upper = np.where(distance > 0.0, energy * self.upper_factor(course, flow, doubt), 0.0)
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
    return np.maximum(steady_state(vessel, 0.0, speeds, STILL).power.total, 1e-9)


def home_margin(costs: HomeCosts, place: tuple[float, float], velocity: tuple[float, float], power: float,
                energy_left: float, reserve: float, homes: Sequence[HomePlace], flow: Flow,
                doubt: HomeDoubt) -> HomeMargin:
    """
    Return the margin beyond the way home, and the point of no return.

    :param costs: Refreshed for the flow.
    :param place: x, y, earth frame, m.
    :param velocity: Over ground, earth frame, m/s; it is kept up to the point of no return.
    :param power: Drawn until then, W.
    :param energy_left: That the battery gives, J.
    :param reserve: Of it, J.
    :param homes: At least one.
    :param flow: As the boat knows it, m/s.
    :param doubt: The HomeDoubt; `energy_std` widens the upper bound of the way.
    """
    extra = NORMAL.inv_cdf(doubt.confidence) * doubt.energy_std

    def margin_after(ahead: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Return the margin, J, after durations, s, on the present track, and the ways home from there."""
        ways = costs.ways(place[0] + velocity[0] * ahead, place[1] + velocity[1] * ahead, homes, flow, doubt)
        held = np.isfinite(ways[4])
        upper = np.where(held, ways[3] + np.hypot(np.where(held, ways[4], 0.0) - np.where(held, ways[3], 0.0), extra),
                         np.inf)
        return energy_left - reserve - power * ahead - upper, ways

    now, ways = margin_after(np.zeros(1))
    which, distance, speed, energy = int(ways[0][0]), float(ways[1][0]), float(ways[2][0]), float(ways[3][0])
    margin = float(now[0])
    bound = energy_left - reserve - margin
    way = WayHome(homes[which], distance, distance / speed if distance else 0.0, speed, energy, bound)
    duration = _time_until_spent(margin_after, margin, energy_left, power)
    return HomeMargin(way, margin, duration, duration * math.hypot(*velocity) if duration else 0.0)


def reach_of_home(costs: HomeCosts, energy_left: float, reserve: float, flow: Flow, doubt: HomeDoubt) -> np.ndarray:
    """
    Return how far from a home a boat may be to get back with what it has: the ring on which its margin is 0.

    :param costs: Refreshed for the flow.
    :param energy_left: That the battery gives, J; `reserve`: of it, J.
    :param flow: As the boat knows it, m/s.
    :param doubt: As of `home_margin`.
    :return: Distances, m, at the bearings of `ring_about`, 0 where it gets home from nowhere; shape (COURSES,).

    With the expected energy e of the way, its upper bound (1 + g) e and x of the energy left, the margin of
    `home_margin` is E - e - sqrt((g e)^2 + x^2), whose root is (E^2 - x^2) / (E + sqrt(E^2 - (1 - g^2)(E^2 - x^2))).
    """
    back = _bearings(COURSES) + np.pi
    energy, extra = energy_left - reserve, NORMAL.inv_cdf(doubt.confidence) * doubt.energy_std
    if not energy > extra:
        return np.zeros(COURSES)
    cost, _, _ = costs.along(back)
    more = costs.upper_factor(back, flow, doubt) - 1.0
    rest = energy * energy - extra * extra
    with np.errstate(invalid='ignore', over='ignore'):
        way = rest / (energy + np.sqrt(energy * energy - (1.0 - more * more) * rest))
        distances: np.ndarray = np.nan_to_num(way / cost)
    return distances


def ring_about(x: float, y: float, reach: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the corners of the ring from within which a boat gets home: x and y, m, earth frame (ENU), shaped like reach.

    :param x: Of home, m, earth frame; `y` likewise.
    :param reach: As of `reach_of_home`, m.
    """
    bearings = _bearings(len(reach))
    return x + reach * np.cos(bearings), y + reach * np.sin(bearings)


def _bearings(number: int) -> np.ndarray:
    """Return bearings, rad (ENU), from east on, shape (number,)."""
    return 2.0 * np.pi * np.arange(number) / number


def _time_until_spent(margin_after: MarginAfter, margin: float, energy_left: float, power: float) -> float:
    """Return the duration until the margin is used up, s; infinite if never. Without power drawn it covers a day."""
    if not margin > 0.0:
        return 0.0
    low, high = 0.0, energy_left / power if power > 0.0 else 86400.0
    for _ in range(ROUNDS):
        tried = np.linspace(low, high, TRACK_POINTS)
        spent = np.flatnonzero(margin_after(tried)[0] <= 0.0)
        if not spent.size:
            return math.inf
        low, high = float(tried[max(spent[0] - 1, 0)]), float(tried[spent[0]])
    values = margin_after(np.array([low, high]))[0]
    share = values[0] / (values[0] - values[1]) if math.isfinite(values[1]) and values[0] > values[1] else 1.0
    return low + float(np.clip(share, 0.0, 1.0)) * (high - low)


def earth_velocity(u: float, v: float, yaw: float) -> tuple[float, float]:
    """Return a velocity over ground in earth axes, m/s, from body axes at a yaw, rad (ENU)."""
    x, y = to_body(u, v, math.cos(yaw), -math.sin(yaw))
    return float(x), float(y)


def read_homes(texts: Sequence[str]) -> list[HomePlace]:
    """
    Return the homes in texts like `pier:12.5,-3` or `12.5,-3`, m, earth frame; those without a name are called home_N.

    :raises InputError: For a wrong text, and for a name that is given twice.
    """
    homes: list[HomePlace] = []
    for number, text in enumerate(texts, 1):
        name, _, place = text.rpartition(':')
        try:
            x, y = map(float, place.split(','))
        except ValueError:
            x = y = math.nan
        if not (abs(x) <= LOGGED and abs(y) <= LOGGED):
            raise InputError(f'homes: {text!r}; must be X,Y or NAME:X,Y, in metres, such as pier:12.5,-3')
        homes.append(HomePlace(name.strip() or f'home_{number}', x, y))
    if len({home.name for home in homes}) < len(homes):
        raise InputError(f'homes: a name is there twice among {", ".join(home.name for home in homes)}')
    return homes
