"""The watch over a boat's way home: its margin at each state, by what is known of battery, current and wind."""

import math
from collections import deque
from collections.abc import Sequence
from enum import IntFlag
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.pack_energy import CellsLeft
from usv_energy.studies.plan.way_home import (
    COURSES,
    HomeCosts,
    HomeDoubt,
    HomePlace,
    earth_velocity,
    home_margin,
    reach_of_home,
)

COURSES_PER_STATE = 6  # Courses whose costs are updated with one state, once all of them are known.
CLEAR_TIME = 10.0  # s for which a condition must be gone until it counts as gone,
CLEAR_SHARE = 0.02  # and the part of the battery's energy that the margin must have beyond the way home, (-).
WIND_WINDOW = 30.0  # s, over which the mean of the wind is taken.
SAME_POWER = 1.02  # Ratio of two powers up to which the usable energy of cells counts as the same.


class HomeStatus(IntFlag):
    """The bits of HomeMargin.status."""

    OK = 0
    NO_HOME = 1
    NO_BATTERY = 2
    NO_STATE = 4
    UNREACHABLE = 8
    BEYOND_RETURN = 16


STATUS_TEXTS = {
    HomeStatus.NO_STATE: 'no boat state, water current or wind, or too old',
    HomeStatus.NO_BATTERY: 'nothing is known of the charge: no energy was heard, or the boat file has no battery',
    HomeStatus.NO_HOME: 'no place to go back to; call set_home',
}
NO_ANSWER = HomeStatus.NO_STATE | HomeStatus.NO_BATTERY | HomeStatus.NO_HOME


class HomeAnswer(NamedTuple):
    """The fields of HomeMargin: name of the home, m, s, m/s, J; NaN where unknown, infinite where it never ends."""

    home: str = ''
    distance: float = math.nan
    duration: float = math.nan
    speed: float = math.nan
    energy_left: float = math.nan
    energy_home: float = math.nan
    energy_home_upper: float = math.nan
    reserve: float = 0.0
    margin: float = math.nan
    no_return_duration: float = math.nan
    no_return_distance: float = math.nan
    return_home: bool = False
    status: HomeStatus = HomeStatus.OK
    message: str = ''
    home_x: float = math.nan
    home_y: float = math.nan
    reach: tuple[float, ...] = ()


class KnownCharge(NamedTuple):
    """
    What is known of the battery.

    `charge`: of it, (-), NaN where unknown; `until_cutoff`: energy that its cells give at the present power until their
    cutoff, J, as a measurement has it; NaN without one.
    """

    charge: float
    until_cutoff: float = math.nan


class HomeTerms(NamedTuple):
    """What is asked of the way home: J to be kept, the HomeDoubt, s before the point of no return to turn back."""

    reserve: float
    doubt: HomeDoubt
    lead: float


class Alarm:
    """A condition that lasts from when it is first seen until it has been gone for CLEAR_TIME; `is_on`: now."""

    def __init__(self) -> None:
        """Begin without it."""
        self.is_on, self._gone = False, math.nan  # Since when it is gone, s.

    def take(self, now: float, seen: bool | None, still: bool = False) -> bool:
        """
        Take whether the condition is seen at a time, s; return whether it began.

        :param seen: None: unknown, which changes nothing.
        :param still: Whether it does not end yet, though it is not seen.
        """
        before = self.is_on
        if seen is None:
            return False
        if seen or still:
            self._gone = math.nan
        elif not self._gone <= now:
            self._gone = now
        self.is_on = seen or (before and (still or now - self._gone < CLEAR_TIME))
        return seen and not before


class MeanWind:
    """The mean of a wind over WIND_WINDOW until its last value: gusts are not the wind of the way home."""

    def __init__(self) -> None:
        """Begin without a wind."""
        self._winds: deque[tuple[float, float, float]] = deque()

    def add(self, time: float, x: float, y: float) -> None:
        """Add the wind at a time, s: m/s along two axes; after a step back the mean begins anew."""
        if self._winds and time < self._winds[-1][0]:
            self._winds.clear()
        self._winds.append((time, x, y))
        while time - self._winds[0][0] > WIND_WINDOW:
            self._winds.popleft()

    @property
    def mean(self) -> tuple[float, float]:
        """The mean, m/s; NaN before the first."""
        number = len(self._winds) or math.nan
        return sum(one[1] for one in self._winds) / number, sum(one[2] for one in self._winds) / number


class HomeGuard:
    """Answers the states of one boat with the margin of its way home."""

    def __init__(self, boat: Boat, power_window: float) -> None:
        """
        Begin without energy.

        :param boat: The Boat; in a sea the costs include its waves.
        :param power_window: Window of the mean that counts as the present power, s.
        :raises InputError: As `HomeCosts`.
        """
        self.boat, self.power_window = boat, power_window
        self._costs = HomeCosts(boat)
        self._cells = None if boat.pack is None else CellsLeft(boat.pack, boat.ambient)
        self.begin()

    def begin(self) -> None:
        """Forget the energy drawn so far, and the last answer."""
        self._drawn: deque[tuple[float, float]] = deque()
        self._power_home = 0.0   # W, of the way home in the last answer.
        self.forget_alarm()

    def forget_alarm(self) -> None:
        """Let it be no time to go back, as for another home, until an answer says so."""
        self._alarm = Alarm()

    def lasting(self, time: float, answer: HomeAnswer) -> HomeAnswer:
        """
        Return an answer whose `return_home` lasts until there is a margin again, for CLEAR_TIME.

        :param time: Of its state, s.
        :param answer: As `answer` returns it; one that knows nothing changes nothing.
        """
        if answer.status & NO_ANSWER:
            return answer
        battery = self.boat.battery
        clear = 0.0 if battery is None else CLEAR_SHARE * battery.capacity_wh * JOULES_PER_WH
        self._alarm.take(time, answer.return_home, answer.margin < clear)
        return answer._replace(return_home=self._alarm.is_on)

    def add_energy(self, time: float, total: float) -> None:
        """Add the energy drawn so far, J, at a stamp, s; after a step back of either the window begins anew."""
        if self._drawn and (time < self._drawn[-1][0] or total < self._drawn[-1][1]):
            self._drawn.clear()
        self._drawn.append((time, total))
        while time - self._drawn[0][0] > self.power_window:
            self._drawn.popleft()

    def order_speed(self, speed: float | None) -> None:
        """Take the speed over ground at which the boat goes home, m/s, as of `HomeCosts`; None: the cheapest."""
        self._costs.order_speed(speed)

    @property
    def power(self) -> float:
        """The mean power over the window, W; 0 before there are two energies."""
        if len(self._drawn) < 2:
            return 0.0
        (begin, first), (end, last) = self._drawn[0], self._drawn[-1]
        return max(0.0, (last - first) / (end - begin)) if end > begin else 0.0

    def answer(self, place: tuple[float, float], velocity: tuple[float, float], yaw: float, flow: Flow | None,
               known: KnownCharge, homes: Sequence[HomePlace], terms: HomeTerms) -> HomeAnswer:
        """
        Return the margin of the way home from a state.

        :param place: x, y, m, earth frame (ENU).
        :param velocity: Over ground, u, v, m/s, body axes (FLU).
        :param yaw: rad (ENU).
        :param flow: Water current and wind, m/s; None if one of them is unknown or too old.
        :param known: Of the battery.
        :param homes: Places to go back to; may be empty.
        :param terms: What is asked.
        """
        left = self._energy_left(known, self._power_home)
        status = HomeStatus.OK
        for flag, missing in ((HomeStatus.NO_HOME, not homes), (HomeStatus.NO_BATTERY, not math.isfinite(left)),
                              (HomeStatus.NO_STATE, flow is None or not all(
                                  map(math.isfinite, (*place, yaw, *velocity))))):
            if missing:
                status |= flag
        if status or flow is None:
            words = '; '.join(text for flag, text in STATUS_TEXTS.items() if status & flag)
            return HomeAnswer(energy_left=left, reserve=terms.reserve, status=status, message=words)
        over_ground, assumed = earth_velocity(*velocity, yaw), self._power_home
        found = self._margin(place, over_ground, flow, left, homes, terms)
        if self._cells is not None and self._power_home > SAME_POWER * max(assumed, self.power):
            # The way home takes more power than assumed. Cells have less usable energy then, which is computed again.
            left = self._energy_left(known, self._power_home)
            found = self._margin(place, over_ground, flow, left, homes, terms)
        return found

    def margin_from(self, place: tuple[float, float], charge: float, flow: Flow, homes: Sequence[HomePlace],
                    terms: HomeTerms) -> float:
        """
        Return the margin that the way home would have from another place at another charge, J, after an `answer`.

        :param place: x, y, m, earth frame (ENU).
        :param charge: Of the battery there, (-).
        :param flow: Of the last answer, m/s; and so are the others.
        """
        left = self._energy_left(KnownCharge(charge), self._power_home)
        return home_margin(self._costs, place, (0.0, 0.0), 0.0, left, terms.reserve, homes, flow, terms.doubt).margin

    def _margin(self, place: tuple[float, float], velocity: tuple[float, float], flow: Flow, left: float,
                homes: Sequence[HomePlace], terms: HomeTerms) -> HomeAnswer:
        """Return the answer for an energy left, J, and store the power of the way home."""
        nearest = min(homes, key=lambda home: math.hypot(home.x - place[0], home.y - place[1]))
        self._costs.refresh(flow, math.atan2(nearest.y - place[1], nearest.x - place[0]),
                            COURSES_PER_STATE if self._costs.is_complete else COURSES, terms.doubt)
        found = home_margin(self._costs, place, velocity, self.power, left, terms.reserve, homes, flow, terms.doubt)
        way = found.way
        self._power_home = way.energy / way.duration if math.isfinite(way.energy) and way.duration > 0.0 else 0.0
        status, words = HomeStatus.OK, ''
        if not math.isfinite(way.energy):
            status = HomeStatus.UNREACHABLE
            words = 'no speed of this boat makes headway to any place: the current or the wind is too strong'
        elif found.margin < 0.0:
            status = HomeStatus.BEYOND_RETURN
            words = (f'the way to {way.place.name} may take {-found.margin / JOULES_PER_WH:.2f} Wh more than there is '
                     'beside the reserve')
        return HomeAnswer(
            way.place.name, way.distance, way.duration, way.speed, left, way.energy, way.energy_upper, terms.reserve,
            found.margin, found.no_return_duration, found.no_return_distance,
            bool(found.no_return_duration <= terms.lead), status, words, way.place.x, way.place.y,
            tuple(reach_of_home(self._costs, left, terms.reserve, flow, terms.doubt).tolist()))

    def _energy_left(self, known: KnownCharge, power_home: float) -> float:
        """
        Return the usable energy of the battery, J; NaN if its charge is unknown.

        For cells it is the energy until their cutoff under the present power, or that of the way home if it is higher.

        :param known: Of the battery.
        :param power_home: Power of the way home, W.
        """
        battery = self.boat.battery
        if battery is None or not math.isfinite(known.charge):
            return math.nan
        if self._cells is None:
            return known.charge * battery.capacity_wh * JOULES_PER_WH
        power = self.power
        return self._cells.corrected(known.charge, max(power, power_home), known.until_cutoff, power)
