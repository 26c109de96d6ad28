"""A mission as its file says it: commands in their order, in the terms of MAVLink."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ..earth import Place
from ..files.errors import InputError
from .mavlink_commands import JUMPS, WITH_PLACE

GLOBAL_FRAMES = (0, 2, 3, 5, 6, 10, 11)  # MAV_FRAME: degrees, with whatever altitude, which a boat leaves alone
LOCAL_NED, LOCAL_ENU = 1, 4
RELATIVE_ALTITUDE = 3
MOST_ITEMS = 65_535  # MISSION_COUNT.count of MAVLink has 16 bits


class LocalPlace(NamedTuple):
    """A place on a plane, m east and m north of its origin."""

    east: float
    north: float


class MissionItem(NamedTuple):
    """
    One command.

    `command` is a MAV_CMD, `parameters` are its four (None: not given, which MAVLink writes as NaN), `x`, `y` and `z`
    the fifth to seventh: latitude and longitude, degrees, and altitude, m, where the command has a place; else what
    the command makes of them. `frame` is a MAV_FRAME. `number` is the item's in its mission, home being 0: what a jump
    names. `name` is what formats with names call it, `survey` the number in `Mission.surveys` of what it is a part of,
    `details` what else QGroundControl's plan says of it.
    """

    command: int
    number: int
    parameters: tuple[float | None, float | None, float | None, float | None] = (None, None, None, None)
    x: float | None = None
    y: float | None = None
    z: float | None = None
    frame: int = RELATIVE_ALTITUDE
    auto_continue: bool = True
    name: str = ''
    survey: int | None = None
    details: Mapping[str, Any] | None = None

    @property
    def place(self) -> Place | LocalPlace | None:
        """Where the command is done; None where it has no place, or takes the boat's own (0, 0 in MAVLink)."""
        if self.command not in WITH_PLACE or self.x is None or self.y is None:
            return None
        if self.frame == LOCAL_ENU:
            return LocalPlace(self.x, self.y)
        if self.frame == LOCAL_NED:
            return LocalPlace(self.y, self.x)
        return None if self.x == 0.0 and self.y == 0.0 else Place(self.x, self.y)


@dataclass(frozen=True)
class Mission:
    """
    A mission, validated: places lie on the Earth, frames are known, and there is something to do.

    `path` is that of its file, if it has one. `home` is where it starts and returns to, None where the file
    does not say; `home_altitude` m. `origin` is where
    local metres count from, None if nobody knows. `speed`, m/s, is what the file was planned with for the whole of it.
    `surveys` are QGroundControl's complex items as they stood in the file, `plan` what else a plan says (`top`: fence,
    rally points; `mission`: vehicle, speeds), so that a plan is written as it was read. `remarks` say what of the file
    was left out, or taken for what.
    """

    name: str
    items: tuple[MissionItem, ...]
    path: Path | None = None
    home: Place | LocalPlace | None = None
    home_altitude: float = 0.0
    origin: Place | None = None
    speed: float | None = None
    surveys: tuple[Mapping[str, Any], ...] = ()
    plan: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a mission whose places are degrees here and metres there, or of too many items."""
        check_number(len(self.items), self.source)
        kinds = {type(place) for item in self.items if (place := item.place) is not None}
        if len(kinds | ({type(self.home)} if self.home is not None else set())) > 1:
            raise InputError(f'{self.source}: some places are degrees, others local metres (MAV_FRAME 1 and 4); all '
                             'must be of one kind')

    @property
    def source(self) -> str:
        """What errors call it: its file, or else its name."""
        return self.name if self.path is None else str(self.path)

    @property
    def is_local(self) -> bool:
        """Whether its places are local metres."""
        if self.home is not None:
            return isinstance(self.home, LocalPlace)
        return any(isinstance(item.place, LocalPlace) for item in self.items)

    def with_rounds(self, rounds: int) -> 'Mission':
        """Return it with jumps without end taken so often that their stretch is done `rounds` times."""
        return replace(self, items=tuple(
            item._replace(parameters=(item.parameters[0], rounds - 1.0, *item.parameters[2:]))
            if item.command in JUMPS and (item.parameters[1] or 0.0) < 0.0 else item for item in self.items))


def check_number(number: int, source: object) -> None:
    """Raise InputError if a mission has more items than MAVLink has numbers for; `source` is what the error names."""
    if number > MOST_ITEMS:
        raise InputError(f'{source}: holds {number} items; must be at most {MOST_ITEMS}, as many as MAVLink has '
                         'numbers for')


def checked_place(latitude: float, longitude: float, where: str) -> Place:
    """
    Return a place.

    :param latitude: Degrees north.
    :param longitude: Degrees east.
    :param where: What the error begins with: file, and what in it holds the place.
    :raises InputError: If it is not on the Earth.
    """
    if not -90.0 <= latitude <= 90.0:
        raise InputError(f'{where}: the latitude is {latitude:g}; must be from -90 to 90 degrees')
    if not -180.0 <= longitude <= 180.0:
        raise InputError(f'{where}: the longitude is {longitude:g}; must be from -180 to 180 degrees')
    return Place(latitude, longitude)


def checked_item(item: MissionItem, where: str) -> MissionItem:
    """
    Return an item of a mission.

    :param where: What the error begins with: file, and line or key of the item.
    :raises InputError: If its frame is none for a place, or the place is not on the Earth.
    """
    place = item.place
    if isinstance(place, Place):
        if item.frame not in GLOBAL_FRAMES:
            allowed = ', '.join(map(str, sorted((*GLOBAL_FRAMES, LOCAL_NED, LOCAL_ENU))))
            raise InputError(f'{where}: the frame is {item.frame}; must be one of {allowed} (MAV_FRAME)')
        checked_place(*place, where)
    return item
