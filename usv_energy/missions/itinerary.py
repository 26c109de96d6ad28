"""What a mission amounts to: the places that the boat goes to and what it does there, and waypoints as items."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from usv_energy.earth import Place, compass_degrees, enu_angle
from usv_energy.files.errors import InputError
from usv_energy.missions import mission as mav
from usv_energy.missions.mission import LOCAL_ENU, RELATIVE_ALTITUDE, LocalPlace, Mission, MissionItem

LONGEST = 200_000  # Commands done, jumps taken: more is taken for a mistake.
RETURN, CIRCLE, GO = 'return', 'circle', 'go'
DEFAULT_SPEED = -2.0  # what MAV_CMD_DO_CHANGE_SPEED says for the autopilot's own
PX4 = 12  # MAV_AUTOPILOT


class Waypoint(NamedTuple):
    """
    A place that the boat goes to on a straight way, and what it does there.

    `item` is the number of the item in the mission, `doing` is `go`, `return` (to launch) or `circle`. `speed`, m/s
    over ground, is that of the way there, None where the mission says none; `radius`, m, is within which the place
    counts as reached (None: as the boat has it). `hold`, s, is how long the boat stays, with `heading`, rad, ENU (None:
    any). `turns` around the place at `circle_radius`, m, are counted counter-clockwise.
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
    The places of a mission in the order in which the boat comes to them, jumps taken and speeds applied.

    `start` is home, or the first place if the mission has no home (`has_home`); the first way is then of no length.
    `ignored` are the items that change nothing here, number and MAVLink's name; `remarks` say what was taken for what.
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
    Return what a mission amounts to.

    Speeds hold from where they are changed on, on the ways after that; a delay and a yaw hold where the boat then is.

    :raises InputError: If it jumps for ever, or to an item that there is not, or goes nowhere: item and reason.
    """
    done = _Execution(mission)
    done.run()
    if not done.goes_somewhere:
        raise InputError(f'{mission.source}: no item has a place to go to; a mission needs a waypoint with latitude '
                         'and longitude')
    start = mission.home if mission.home is not None else done.waypoints[0].place
    return Itinerary(mission.name, start, mission.home is not None, tuple(done.waypoints), mission.origin,
                     mission.speed, tuple(done.ignored), (*mission.remarks, *done.notes()))


def circles_length(itinerary: Itinerary) -> float:
    """Return how long the circles of a mission are in all, m, besides its ways."""
    return sum(math.tau * waypoint.circle_radius * abs(waypoint.turns) for waypoint in itinerary.waypoints)


class _Execution:
    """The mission as an autopilot does it, command by command, without the sailing."""

    def __init__(self, mission: Mission) -> None:
        self.waypoints: list[Waypoint] = []
        self.ignored: list[tuple[int, str]] = []
        self.goes_somewhere = False
        self._mission = mission
        self._home = mission.home
        self._null_is_unset = mission.plan.get('mission', {}).get('firmwareType') == PX4
        self._speed: float | None = None
        self._heading: float | None = None
        self._taken: dict[int, int] = defaultdict(int)  # how often each jump was
        self._unlimited: dict[int, int] = {}
        self._noted: dict[str, dict[int, None]] = {}  # a text's items, each once, in their order
        self._place_of: dict[float | None, int] = {item.number: place for place, item in enumerate(mission.items)}
        self._tags: dict[float | None, int] = {item.parameters[0]: place for place, item in enumerate(mission.items)
                      if item.command == mav.JUMP_TAG}
        self._doing = {
            mav.RETURN_TO_LAUNCH: self._return, mav.DELAY: self._delay, mav.CONDITION_YAW: self._yaw,
            mav.CHANGE_SPEED: self._change_speed, mav.SET_HOME: self._set_home, mav.JUMP_TAG: lambda item: None,
            **dict.fromkeys(mav.GONE_TO, self._go),
            **dict.fromkeys((mav.CONDITION_DELAY, mav.CONDITION_DISTANCE), self._condition),
        }

    def run(self) -> None:
        """Do all of it."""
        items, at, steps = self._mission.items, 0, 0
        while at < len(items):
            item, at, steps = items[at], at + 1, steps + 1
            if steps > LONGEST:
                raise self._error(item, f'more than {LONGEST} commands are done up to here, jumps taken; must be fewer')
            if item.command in mav.JUMPS:
                at = self._jump(item, at)
            elif item.command in self._doing:
                self._doing[item.command](item)
            else:
                self._ignore(item)

    def notes(self) -> list[str]:
        """Return what there is to say, each with the numbers of its items."""
        return [f'{_items(list(numbers))}: {text}' for text, numbers in self._noted.items()]

    def _error(self, item: MissionItem, text: str) -> InputError:
        return InputError(f'{self._mission.source}: item {item.number}, {mav.command_name(item.command)}: {text}')

    def _note(self, item: MissionItem, text: str) -> None:
        self._noted.setdefault(text, {})[item.number] = None

    def _ignore(self, item: MissionItem) -> None:
        if item.number not in self._taken:  # once, however often the boat comes past it
            self._taken[item.number] = 1
            self.ignored.append((item.number, mav.command_name(item.command)))

    def _go(self, item: MissionItem) -> None:
        first, second, third, fourth = item.parameters
        place = item.place
        self.goes_somewhere |= place is not None
        place = place or self._here()
        if place is None:
            self._note(item, 'has no place, and stays out')
            return
        if item.command in mav.GONE_TO_AS_WAYPOINTS:
            self._note(item, f'{mav.command_name(item.command)} is taken for a waypoint, gone to on a straight way')
        hold = first if item.command in mav.HELD else 0.0
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
        """Return the heading that a waypoint asks for; 0 counts only where null says that there is none."""
        if item.command != mav.WAYPOINT or yaw is None:
            return None
        return enu_angle(yaw) if yaw != 0.0 or self._null_is_unset else None

    def _arrive(self, waypoint: Waypoint) -> None:
        if waypoint.hold and waypoint.heading is None:
            waypoint = waypoint._replace(heading=self._heading)
            self._heading = None
        self.waypoints.append(waypoint)

    def _here(self) -> Place | LocalPlace | None:
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
        seconds, here = item.parameters[0], self._here()
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
        self._home = self._here() if item.parameters[0] == 1.0 else item.place or self._home

    def _condition(self, item: MissionItem) -> None:
        self._note(item, f'{mav.command_name(item.command)} puts off the commands after it while the boat goes on; '
                         'here they act at once')

    def _jump(self, item: MissionItem, following: int) -> int:
        """Return the place in the list of the item to go on with."""
        wanted, repeats = item.parameters[0], item.parameters[1] or 0.0
        known = self._tags if item.command == mav.JUMP_TO_TAG else self._place_of
        target = None if wanted is None else known.get(wanted)
        if target is None:
            what = 'tag' if item.command == mav.JUMP_TO_TAG else 'item'
            raise self._error(item, f'jumps to {what} {_plain(wanted)}; there {_are(what, known)}')
        if repeats < 0.0:
            spent = sum(self._taken.values())
            if self._unlimited.get(item.number) == spent:
                raise self._error(item, f'jumps to {_plain(wanted)} for ever (its repeats are {repeats:g}); give it a '
                                        'number of repeats, or --rounds N')
            self._unlimited[item.number] = spent
            return target
        if self._taken[item.number] >= repeats:
            return following
        self._taken[item.number] += 1
        return target


def _positive(value: float | None) -> float:
    return value if value is not None and value > 0.0 else 0.0


def _plain(value: float | None) -> str:
    return 'nowhere' if value is None else f'{value:g}'


def _are(what: str, known: dict[float | None, int]) -> str:
    numbers = sorted(number for number in known if number is not None)
    return f'are {what}s {numbers[0]:g} to {numbers[-1]:g}' if numbers else f'is no {what}'


def _items(numbers: list[int], shown: int = 6) -> str:
    more = f' and {len(numbers) - shown} more' if len(numbers) > shown else ''
    return f'item{"s" if len(numbers) > 1 else ""} {", ".join(map(str, numbers[:shown]))}{more}'


GROUND_SPEED = 1.0  # of MAV_CMD_DO_CHANGE_SPEED
NORTH = 360.0       # degrees: a yaw of 0 means none at many an autopilot


def items_from_waypoints(waypoints: Iterable[Waypoint]) -> tuple[MissionItem, ...]:
    """
    Return the items that make a boat go to waypoints: `itinerary_of` a mission of them gives these waypoints again.

    A change of speed stands before the waypoint that it holds for, a return to launch has no place of its own, and
    what only one place of an item has room for takes two: a stay at the end of a circle.
    """
    items: list[MissionItem] = []
    speed: float | None = None
    for waypoint in waypoints:
        if waypoint.speed != speed:
            speed = waypoint.speed
            items.append(_item(items, mav.CHANGE_SPEED, (GROUND_SPEED, -2.0 if speed is None else speed, -1.0, 0.0)))
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
