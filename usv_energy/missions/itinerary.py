"""The itinerary of a mission: waypoints in the order in which the boat visits them, as local metres and as items."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane, Place, compass_degrees, course_kept, enu_angle, ways_between
from usv_energy.files.errors import InputError
from usv_energy.files.limits import BOAT_SPEED, RANGES, SECONDS
from usv_energy.missions import mission as mav
from usv_energy.missions.mission import LOCAL_ENU, RELATIVE_ALTITUDE, LocalPlace, Mission, MissionItem

MOST_COMMANDS = 200_000  # commands executed, repeated ones included; a mission with more is rejected as a mistake
RETURN, CIRCLE, GO = 'return', 'circle', 'go'
TURNS = 1e5  # of a circle
DEFAULT_SPEED = -2.0  # MAV_CMD_DO_CHANGE_SPEED: back to the autopilot's default speed
PX4 = 12  # MAV_AUTOPILOT
GROUND_SPEED = 1.0  # of MAV_CMD_DO_CHANGE_SPEED
NORTH = 360.0  # degrees: many autopilots take a yaw of 0 for "no heading ordered"


class Waypoint(NamedTuple):
    """
    A place that the boat goes to in a straight line, and what it does there.

    `item` is the number of the item in the mission, `doing` is `go`, `return` (to launch) or `circle`. `speed`, m/s
    over ground, holds on the leg to the waypoint; None if the mission sets none. The waypoint counts as reached within
    `radius`, m (None: the boat's own). The boat stays for `hold`, s, with `heading`, rad, ENU (None: any). It circles
    `turns` times around the place at `circle_radius`, m; turns count counter-clockwise.
    """

    place: Place | LocalPlace
    item: int
    doing: str = GO
    name: str = ''
    speed: float | None = None
    radius: float | None = None
    hold: float = 0.0
    heading: float | None = None
    turns: float = 0.0
    circle_radius: float = 0.0


@dataclass(frozen=True)
class Itinerary:
    """
    The waypoints of a mission in the order in which the boat visits them, with jumps and speed changes applied.

    `start` is home, or the first place if the mission has no home (`has_home`); the first leg then has no length.
    `ignored` lists items without effect, by number and MAVLink name; `remarks` say which items were read as others.
    """

    name: str
    start: Place | LocalPlace
    has_home: bool
    waypoints: tuple[Waypoint, ...]
    origin: Place | None = None
    speed: float | None = None
    ignored: tuple[tuple[int, str], ...] = ()
    remarks: tuple[str, ...] = ()


def itinerary_of(mission: Mission) -> Itinerary:
    """
    Return the itinerary of a mission.

    A change of speed holds for all legs after it; a delay or a yaw holds at the place where the boat is then.

    :raises InputError: If the mission jumps without end, jumps to a missing item, or has no place: item and reason.
    """
    execution = _Execution(mission)
    execution.run()
    if not execution.has_place:
        left_out = ''.join(f'; {remark}' for remark in mission.remarks)
        raise InputError(f'{mission.source}: no item has a place to go to; a mission needs a waypoint with latitude '
                         f'and longitude{left_out}')
    start = mission.home if mission.home is not None else execution.waypoints[0].place
    for waypoint in execution.waypoints:
        _check_numbers(waypoint, f'{mission.source}: item {waypoint.item}')
    _check_speed(mission.speed, mission.source)
    return Itinerary(mission.name, start, mission.home is not None, tuple(execution.waypoints), mission.origin,
                     mission.speed, tuple(execution.ignored), (*mission.remarks, *execution.notes()))


def _check_numbers(waypoint: Waypoint, where: str) -> None:
    """Raise InputError for a speed, a time or a circle that no boat's mission has."""
    _check_speed(waypoint.speed, where)
    for name, value, most, unit in (('radius', waypoint.radius or 0.0, RANGES['m'], 'm'),
                                    ('hold', waypoint.hold, SECONDS, 's'), ('turns', abs(waypoint.turns), TURNS, ''),
                                    ('circle_radius', waypoint.circle_radius, RANGES['m'], 'm')):
        if not 0.0 <= value <= most:
            raise InputError(f'{where}: {name} is {value:g}; must be from 0 to {most:g} {unit}'.rstrip())


def _check_speed(speed: float | None, where: str) -> None:
    slowest, fastest = BOAT_SPEED
    if speed is not None and not slowest <= speed <= fastest:
        raise InputError(f'{where}: speed is {speed:g}; must be from {slowest:g} to {fastest:g} m/s')


def circles_length(itinerary: Itinerary) -> float:
    """Return the total length of a mission's circles, m, which its legs do not contain."""
    return sum(math.tau * waypoint.circle_radius * abs(waypoint.turns) for waypoint in itinerary.waypoints)


class LocalTrack(NamedTuple):
    """
    The places of an itinerary in local metres, start first, shape (n + 1,), and the n legs between them.

    `east` and `north`, m, count from `origin`, which is None if a mission in local metres does not give it. `length`,
    m, of a leg is that of the geodesic; `course`, rad, ENU, is the geodesic's at the beginning of the leg. A leg of
    no length has the course of the one before.
    """

    east: np.ndarray
    north: np.ndarray
    length: np.ndarray
    course: np.ndarray
    origin: Place | None


def local_track(itinerary: Itinerary) -> LocalTrack:
    """
    Return the places of an itinerary in local metres, with the lengths and courses of its legs.

    The origin is the mission's; if it has none, the place where it starts.

    :raises InputError: If a place is more than 10 000 km from the origin.
    """
    places = [itinerary.start, *(waypoint.place for waypoint in itinerary.waypoints)]
    first, second = np.array(places, float).T
    if isinstance(itinerary.start, LocalPlace):
        length, course = np.hypot(np.diff(first), np.diff(second)), np.arctan2(np.diff(second), np.diff(first))
        return LocalTrack(first, second, length, course_kept(course, length), itinerary.origin)
    origin = itinerary.origin or itinerary.start
    try:
        east, north = LocalPlane(origin).to_local(first, second)
    except InputError as error:
        raise InputError(f'{itinerary.name}: {error}') from None
    length, course = ways_between(first, second)
    return LocalTrack(east, north, length, course, origin)


class _Execution:
    """Walks through a mission's commands as an autopilot does, and collects the waypoints."""

    def __init__(self, mission: Mission) -> None:
        self.waypoints: list[Waypoint] = []
        self.ignored: list[tuple[int, str]] = []
        self.has_place = False
        self._mission = mission
        self._home = mission.home
        self._nan_means_no_yaw = mission.plan.get('mission', {}).get('firmwareType') == PX4
        self._speed: float | None = None
        self._heading: float | None = None
        self._jump_counts: dict[int, int] = defaultdict(int)  # how often each jump was taken
        self._jumps_at_unlimited: dict[int, int] = {}  # the sum of all counts when an unlimited jump was last taken
        self._items_of_note: dict[str, dict[int, None]] = {}  # the items that a note is about, each once, in order
        self._index_of_number: dict[float | None, int] = {
            item.number: index for index, item in enumerate(mission.items)}
        self._index_of_tag: dict[float | None, int] = {
            item.parameters[0]: index for index, item in enumerate(mission.items) if item.command == mav.JUMP_TAG}
        self._handlers = {
            mav.RETURN_TO_LAUNCH: self._return, mav.DELAY: self._delay, mav.CONDITION_YAW: self._yaw,
            mav.CHANGE_SPEED: self._change_speed, mav.SET_HOME: self._set_home, mav.JUMP_TAG: lambda item: None,
            **dict.fromkeys(mav.DESTINATION_COMMANDS, self._go),
            **dict.fromkeys((mav.CONDITION_DELAY, mav.CONDITION_DISTANCE), self._condition),
        }

    def run(self) -> None:
        """Execute all commands."""
        items, index, steps = self._mission.items, 0, 0
        while index < len(items):
            item, index, steps = items[index], index + 1, steps + 1
            if steps > MOST_COMMANDS:
                raise self._error(
                    item, f'more than {MOST_COMMANDS} commands are done up to here, jumps taken; must be fewer')
            if item.command in mav.JUMPS:
                index = self._index_after_jump(item, index)
            elif item.command in self._handlers:
                self._handlers[item.command](item)
            else:
                self._ignore(item)

    def notes(self) -> list[str]:
        """Return the notes, each with the numbers of its items."""
        return [f'{_item_numbers(list(numbers))}: {text}' for text, numbers in self._items_of_note.items()]

    def _error(self, item: MissionItem, text: str) -> InputError:
        return InputError(f'{self._mission.source}: item {item.number}, {mav.command_name(item.command)}: {text}')

    def _note(self, item: MissionItem, text: str) -> None:
        self._items_of_note.setdefault(text, {})[item.number] = None

    def _ignore(self, item: MissionItem) -> None:
        if item.number not in self._jump_counts:  # once, however often the boat comes past it
            self._jump_counts[item.number] = 1
            self.ignored.append((item.number, mav.command_name(item.command)))

    def _go(self, item: MissionItem) -> None:
        first, second, third, fourth = item.parameters
        place = item.place
        self.has_place |= place is not None
        place = place or self._current_place()
        if place is None:
            self._note(item, 'has no place, and stays out')
            return
        if item.command in mav.TAKEN_AS_WAYPOINTS:
            self._note(item, f'{mav.command_name(item.command)} is taken for a waypoint, gone to on a straight way')
        hold = first if item.command in mav.WITH_HOLD_TIME else 0.0
        radius = _positive(second) or None if item.command == mav.WAYPOINT else None
        waypoint = Waypoint(place, item.number, GO, item.name, self._speed, radius, _positive(hold),
                            self._heading_of(item, fourth))
        if item.command == mav.LOITER_TURNS:
            circle = abs(third or 0.0)
            if not circle:
                self._note(item, 'circles without a radius, which counts for nothing')
            waypoint = waypoint._replace(doing=CIRCLE, circle_radius=circle,
                                         turns=math.copysign(_positive(first), -(third or 0.0)) if circle else 0.0)
        if item.command == mav.LOITER_UNLIMITED:
            self._note(item, 'stays there without end; what comes after the arrival is not counted')
        self._arrive(waypoint)

    def _heading_of(self, item: MissionItem, yaw: float | None) -> float | None:
        """Return the heading ordered at a waypoint; a yaw of 0 is one only where NaN means "no heading"."""
        if item.command != mav.WAYPOINT or yaw is None:
            return None
        return enu_angle(yaw) if yaw != 0.0 or self._nan_means_no_yaw else None

    def _arrive(self, waypoint: Waypoint) -> None:
        if waypoint.hold and waypoint.heading is None:
            waypoint = waypoint._replace(heading=self._heading)
            self._heading = None
        self.waypoints.append(waypoint)

    def _current_place(self) -> Place | LocalPlace | None:
        return self.waypoints[-1].place if self.waypoints else self._mission.home

    def _return(self, item: MissionItem) -> None:
        home = self._home
        if home is None and self.waypoints:
            home = self.waypoints[0].place
            self._note(item, 'the mission has no home: it returns to its first place')
        if home is None:
            self._note(item, 'there is no home to return to, and it stays out')
        else:
            self._arrive(Waypoint(home, item.number, RETURN, item.name, self._speed))

    def _delay(self, item: MissionItem) -> None:
        seconds, here = item.parameters[0], self._current_place()
        if seconds is None or seconds < 0.0:
            self._note(item, 'waits for a time of day, which counts for nothing')
        elif here is None:
            self._note(item, 'waits before the first place of a mission without home, which counts for nothing')
        elif self.waypoints and self._heading in (None, self.waypoints[-1].heading):
            last = self.waypoints[-1]
            self.waypoints[-1] = last._replace(hold=last.hold + seconds)
        else:
            self._arrive(Waypoint(here, item.number, GO, item.name, self._speed, hold=seconds))

    def _yaw(self, item: MissionItem) -> None:
        angle, _, _, relative = item.parameters
        if relative:
            self._note(item, 'turns by an angle from where the boat points, which counts for nothing')
        elif angle is not None:
            self._heading = enu_angle(angle)

    def _change_speed(self, item: MissionItem) -> None:
        kind, speed, throttle, _ = item.parameters
        if kind not in (None, 0.0, 1.0):
            self._ignore(item)
            return
        if throttle is not None and throttle > 0.0 and not (speed and speed > 0.0):
            self._note(item, 'sets a throttle, which counts for nothing')
        if speed is not None and (speed > 0.0 or speed == DEFAULT_SPEED):
            self._speed = speed if speed > 0.0 else None

    def _set_home(self, item: MissionItem) -> None:
        self._home = self._current_place() if item.parameters[0] == 1.0 else item.place or self._home

    def _condition(self, item: MissionItem) -> None:
        self._note(item, f'{mav.command_name(item.command)} puts off the commands after it while the boat goes on; '
                         'here they act at once')

    def _index_after_jump(self, item: MissionItem, following: int) -> int:
        """Return the index of the item that comes after a jump: its target's, or `following` if no repeat is left."""
        target, repeats = item.parameters[0], item.parameters[1] or 0.0
        known = self._index_of_tag if item.command == mav.JUMP_TO_TAG else self._index_of_number
        index = None if target is None else known.get(target)
        if index is None:
            what = 'tag' if item.command == mav.JUMP_TO_TAG else 'item'
            raise self._error(
                item, f'jumps to {what} {_jump_target_text(target)}; there {_allowed_targets(what, known)}')
        if repeats < 0.0:
            jumps = sum(self._jump_counts.values())
            if self._jumps_at_unlimited.get(item.number) == jumps:  # No limited jump since: the loop cannot end.
                raise self._error(item, f'jumps to {_jump_target_text(target)} for ever (its repeats are '
                                        f'{repeats:g}); give it a number of repeats, or --rounds N')
            self._jumps_at_unlimited[item.number] = jumps
            return index
        if self._jump_counts[item.number] >= repeats:
            return following
        self._jump_counts[item.number] += 1
        return index


def _positive(value: float | None) -> float:
    return value if value is not None and value > 0.0 else 0.0


def _jump_target_text(value: float | None) -> str:
    return 'nowhere' if value is None else f'{value:g}'


def _allowed_targets(what: str, known: dict[float | None, int]) -> str:
    numbers = sorted(number for number in known if number is not None)
    return f'are {what}s {numbers[0]:g} to {numbers[-1]:g}' if numbers else f'is no {what}'


def _item_numbers(numbers: list[int], shown: int = 6) -> str:
    more = f' and {len(numbers) - shown} more' if len(numbers) > shown else ''
    return f'item{"s" if len(numbers) > 1 else ""} {", ".join(map(str, numbers[:shown]))}{more}'


def items_from_waypoints(waypoints: Iterable[Waypoint]) -> tuple[MissionItem, ...]:
    """
    Return the mission items of waypoints: `itinerary_of` a mission of these items gives the same waypoints again.

    A change of speed stands before the waypoint that it holds for. A return to launch has no place of its own. A
    stay at home takes an item of its own.
    """
    items: list[MissionItem] = []
    speed: float | None = None
    for waypoint in waypoints:
        if waypoint.speed != speed:
            speed = waypoint.speed
            parameters = GROUND_SPEED, DEFAULT_SPEED if speed is None else speed, -1.0, 0.0
            items.append(_item(items, mav.CHANGE_SPEED, parameters))
        items += _items_at(items, waypoint)
    return tuple(items)


def _items_at(before: list[MissionItem], waypoint: Waypoint) -> list[MissionItem]:
    yaw = None if waypoint.heading is None else compass_degrees(waypoint.heading) or NORTH
    if waypoint.doing == CIRCLE:
        radius = math.copysign(waypoint.circle_radius, -waypoint.turns)
        return [_item(before, mav.LOITER_TURNS, (abs(waypoint.turns), 0.0, radius, 0.0), waypoint)]
    if waypoint.doing == RETURN:
        home = _item(before, mav.RETURN_TO_LAUNCH, (0.0, 0.0, 0.0, 0.0))._replace(name=waypoint.name)
        stay = [_item([*before, home], mav.DELAY, (waypoint.hold, 0.0, 0.0, 0.0))] if waypoint.hold else []
        return [home, *stay]
    return [_item(before, mav.WAYPOINT, (waypoint.hold, waypoint.radius or 0.0, 0.0, yaw), waypoint)]


def _item(before: list[MissionItem], command: int, parameters: tuple[float | None, float | None, float | None,
                                                                    float | None],
          waypoint: Waypoint | None = None) -> MissionItem:
    number = before[-1].number + 1 if before else 1
    if waypoint is None:
        return MissionItem(command, number, parameters, 0.0, 0.0, 0.0, frame=2)
    frame = LOCAL_ENU if isinstance(waypoint.place, LocalPlace) else RELATIVE_ALTITUDE
    x, y = waypoint.place
    return MissionItem(command, number, parameters, x, y, 0.0, frame, name=waypoint.name)
