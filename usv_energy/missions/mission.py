"""A mission as in its file: a list of commands in MAVLink's terms, with places in degrees or in local metres."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError, counted
from usv_energy.files.limits import safe_name

WAYPOINT, LOITER_UNLIMITED, LOITER_TURNS, LOITER_TIME, RETURN_TO_LAUNCH = 16, 17, 18, 19, 20
CONDITION_DELAY, CONDITION_DISTANCE, CONDITION_YAW, DELAY = 112, 114, 115, 93
JUMP, CHANGE_SPEED, SET_HOME, JUMP_TAG, JUMP_TO_TAG = 177, 178, 179, 600, 601
JUMPS = (JUMP, JUMP_TO_TAG)

NAMES = {
    16: 'NAV_WAYPOINT', 17: 'NAV_LOITER_UNLIM', 18: 'NAV_LOITER_TURNS', 19: 'NAV_LOITER_TIME',
    20: 'NAV_RETURN_TO_LAUNCH', 21: 'NAV_LAND', 22: 'NAV_TAKEOFF', 23: 'NAV_LAND_LOCAL', 24: 'NAV_TAKEOFF_LOCAL',
    25: 'NAV_FOLLOW', 30: 'NAV_CONTINUE_AND_CHANGE_ALT', 31: 'NAV_LOITER_TO_ALT', 32: 'DO_FOLLOW',
    33: 'DO_FOLLOW_REPOSITION', 34: 'DO_ORBIT', 35: 'DO_FIGURE_EIGHT', 36: 'NAV_ARC_WAYPOINT', 80: 'NAV_ROI',
    81: 'NAV_PATHPLANNING', 82: 'NAV_SPLINE_WAYPOINT', 83: 'NAV_ALTITUDE_WAIT', 84: 'NAV_VTOL_TAKEOFF',
    85: 'NAV_VTOL_LAND', 92: 'NAV_GUIDED_ENABLE', 93: 'NAV_DELAY', 94: 'NAV_PAYLOAD_PLACE', 95: 'NAV_LAST',
    112: 'CONDITION_DELAY', 113: 'CONDITION_CHANGE_ALT', 114: 'CONDITION_DISTANCE', 115: 'CONDITION_YAW',
    159: 'CONDITION_LAST', 176: 'DO_SET_MODE', 177: 'DO_JUMP', 178: 'DO_CHANGE_SPEED', 179: 'DO_SET_HOME',
    180: 'DO_SET_PARAMETER', 181: 'DO_SET_RELAY', 182: 'DO_REPEAT_RELAY', 183: 'DO_SET_SERVO', 184: 'DO_REPEAT_SERVO',
    185: 'DO_FLIGHTTERMINATION', 186: 'DO_CHANGE_ALTITUDE', 187: 'DO_SET_ACTUATOR', 188: 'DO_RETURN_PATH_START',
    189: 'DO_LAND_START', 190: 'DO_RALLY_LAND', 191: 'DO_GO_AROUND', 192: 'DO_REPOSITION', 193: 'DO_PAUSE_CONTINUE',
    194: 'DO_SET_REVERSE', 195: 'DO_SET_ROI_LOCATION', 196: 'DO_SET_ROI_WPNEXT_OFFSET', 197: 'DO_SET_ROI_NONE',
    198: 'DO_SET_ROI_SYSID', 200: 'DO_CONTROL_VIDEO', 201: 'DO_SET_ROI', 202: 'DO_DIGICAM_CONFIGURE',
    203: 'DO_DIGICAM_CONTROL', 204: 'DO_MOUNT_CONFIGURE', 205: 'DO_MOUNT_CONTROL', 206: 'DO_SET_CAM_TRIGG_DIST',
    207: 'DO_FENCE_ENABLE', 208: 'DO_PARACHUTE', 209: 'DO_MOTOR_TEST', 210: 'DO_INVERTED_FLIGHT', 211: 'DO_GRIPPER',
    212: 'DO_AUTOTUNE_ENABLE', 213: 'NAV_SET_YAW_SPEED', 214: 'DO_SET_CAM_TRIGG_INTERVAL',
    215: 'DO_SET_RESUME_REPEAT_DIST', 216: 'DO_SPRAYER', 217: 'DO_SEND_SCRIPT_MESSAGE', 218: 'DO_AUX_FUNCTION',
    220: 'DO_MOUNT_CONTROL_QUAT', 221: 'DO_GUIDED_MASTER', 222: 'DO_GUIDED_LIMITS', 223: 'DO_ENGINE_CONTROL',
    224: 'DO_SET_MISSION_CURRENT', 240: 'DO_LAST', 252: 'OVERRIDE_GOTO', 300: 'MISSION_START',
    400: 'COMPONENT_ARM_DISARM', 530: 'SET_CAMERA_MODE', 531: 'SET_CAMERA_ZOOM', 532: 'SET_CAMERA_FOCUS',
    534: 'SET_CAMERA_SOURCE', 600: 'JUMP_TAG', 601: 'DO_JUMP_TAG', 1000: 'DO_GIMBAL_MANAGER_PITCHYAW',
    1001: 'DO_GIMBAL_MANAGER_CONFIGURE', 2000: 'IMAGE_START_CAPTURE', 2001: 'IMAGE_STOP_CAPTURE',
    2003: 'DO_TRIGGER_CONTROL', 2500: 'VIDEO_START_CAPTURE', 2501: 'VIDEO_STOP_CAPTURE', 3000: 'DO_VTOL_TRANSITION',
    4000: 'SET_GUIDED_SUBMODE_STANDARD', 4501: 'CONDITION_GATE', 5000: 'NAV_FENCE_RETURN_POINT',
    5001: 'NAV_FENCE_POLYGON_VERTEX_INCLUSION', 5002: 'NAV_FENCE_POLYGON_VERTEX_EXCLUSION',
    5003: 'NAV_FENCE_CIRCLE_INCLUSION', 5004: 'NAV_FENCE_CIRCLE_EXCLUSION', 5100: 'NAV_RALLY_POINT',
    30001: 'PAYLOAD_PREPARE_DEPLOY', 42600: 'DO_WINCH', 42702: 'NAV_SCRIPT_TIME', 42703: 'NAV_ATTITUDE_TIME',
}
TAKEN_AS_WAYPOINTS = (21, 31, 36, 82, 85, 94)
WITH_HOLD_TIME = (WAYPOINT, 82, LOITER_TIME)  # the first parameter is how long, s
# Commands that send the boat to `x`, `y`. In other commands these are the place of something else, or no place.
DESTINATION_COMMANDS = (WAYPOINT, LOITER_UNLIMITED, LOITER_TURNS, LOITER_TIME, *TAKEN_AS_WAYPOINTS)
WITH_PLACE = frozenset((*DESTINATION_COMMANDS, 22, 84, SET_HOME))

GLOBAL_FRAMES = (0, 2, 3, 5, 6, 10, 11)  # MAV_FRAME: latitude and longitude; a boat ignores their altitude
LOCAL_NED, LOCAL_ENU = 1, 4
RELATIVE_ALTITUDE = 3
MOST_ITEMS = 65_535  # MISSION_COUNT.count of MAVLink has 16 bits


def command_name(command: int) -> str:
    """Return MAVLink's name of a command without MAV_CMD_, or the command's number if the table has no name."""
    return NAMES.get(command, f'MAV_CMD {command}')


class LocalPlace(NamedTuple):
    """A place on a plane, m east and m north of its origin."""

    east: float
    north: float


class MissionItem(NamedTuple):
    """
    One command.

    `command` is a MAV_CMD, `parameters` are its first four (None: not given, which MAVLink writes as NaN). `x`, `y`
    and `z` are the fifth to seventh: latitude and longitude, degrees, and altitude, m, if the command has a place;
    else their meaning depends on the command. `frame` is a MAV_FRAME. `number` counts the items of the mission, home
    being 0; jumps refer to it. `name` comes from formats that have names. `survey` is the number in `Mission.surveys`
    of the survey that the item is a part of. `details` holds the other keys of the item in QGroundControl's plan.
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
        """Where the command is executed; None if it has no place, or means the boat's own (0, 0 in MAVLink)."""
        if self.command not in WITH_PLACE or self.x is None or self.y is None:
            return None
        if self.frame == LOCAL_ENU:
            return LocalPlace(self.x, self.y)
        if self.frame == LOCAL_NED:
            return LocalPlace(self.y, self.x)
        return None if self.x == 0.0 and self.y == 0.0 else Place(self.x, self.y)

    @property
    def jumps_without_end(self) -> bool:
        """Whether it jumps each time that it is reached, as at the end of a patrol."""
        return self.command in JUMPS and (self.parameters[1] or 0.0) < 0.0


@dataclass(frozen=True)
class Mission:
    """
    A mission, validated: places lie on the Earth, frames are known, and all places are of one kind.

    `path` is that of its file, if it has one. `home` is where it starts and returns to, None if the file gives none;
    `home_altitude` m. `origin` is the origin of local metres, None if unknown. `speed`, m/s, is the planned speed of
    the whole mission. `surveys` are QGroundControl's complex items as they stood in the file, `plan` holds the other
    keys of a plan (`top`: fence, rally points; `mission`: vehicle, speeds), so that a plan is written as it was read.
    `remarks` say what of the file was left out, and which items were read as others. `holes`: the rings that the file
    cuts out of the area that its items go around. `departure`: when it is planned to begin, None if that is not said.
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
    holes: tuple[tuple[Place, ...], ...] = ()
    departure: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse a mission that mixes degrees and local metres, or has too many items."""
        check_item_count(len(self.items), self.source)
        kinds = {type(place) for item in self.items if (place := item.place) is not None}
        if len(kinds | ({type(self.home)} if self.home is not None else set())) > 1:
            raise InputError(f'{self.source}: some places are degrees, others local metres (MAV_FRAME 1 and 4); all '
                             'must be of one kind')

    def __repr__(self) -> str:
        """Return its name, how many items it has, home, speed and file; the fields have all."""
        home = 'no home' if self.home is None else f'home {", ".join(f"{part:.10g}" for part in self.home)}'
        speed = 'no speed' if self.speed is None else f'{self.speed:g} m/s'
        return (f'<Mission {safe_name(self.name)}: {counted(len(self.items), "item")}, {home}, {speed}, '
                f'{counted(len(self.remarks), "remark")}; {self.path or "of no file"}>')

    @property
    def source(self) -> str:
        """What errors name it by: its file, or else its name."""
        return self.name if self.path is None else str(self.path)

    @property
    def is_local(self) -> bool:
        """Whether its places are local metres."""
        if self.home is not None:
            return isinstance(self.home, LocalPlace)
        return any(isinstance(item.place, LocalPlace) for item in self.items)

    @property
    def is_endless(self) -> bool:
        """Whether it goes round without end, as a patrol does."""
        return any(item.jumps_without_end for item in self.items)

    def with_rounds(self, rounds: int) -> 'Mission':
        """
        Return the mission with endless jumps limited, so that the items between are executed `rounds` times.

        :raises InputError: If it has no endless jump.
        """
        if not self.is_endless:
            raise InputError(f'{self.source}: has no jump without end, of which {rounds} rounds could be done')
        return replace(self, items=tuple(
            item._replace(parameters=(item.parameters[0], rounds - 1.0, *item.parameters[2:]))
            if item.jumps_without_end else item for item in self.items))


def check_item_count(number: int, source: object) -> None:
    """Raise InputError, which names `source`, if a mission has more items than MAVLink can number."""
    if number > MOST_ITEMS:
        raise InputError(f'{source}: holds {number} items; must be at most {MOST_ITEMS}, as many as MAVLink has '
                         'numbers for')


def checked_place(latitude: float, longitude: float, where: str) -> Place:
    """
    Return a place.

    :param latitude: Degrees north.
    :param longitude: Degrees east.
    :param where: What the error begins with: the file, and the line or key of the place.
    :raises InputError: If it is not on the Earth.
    """
    if not -90.0 <= latitude <= 90.0:
        raise InputError(f'{where}: the latitude is {latitude:g}; must be from -90 to 90 degrees')
    if not -180.0 <= longitude <= 180.0:
        raise InputError(f'{where}: the longitude is {longitude:g}; must be from -180 to 180 degrees')
    return Place(latitude, longitude)


def checked_item(item: MissionItem, where: str) -> MissionItem:
    """
    Return an item unchanged, if its frame and its place are valid.

    :param where: What the error begins with: the file, and the line or key of the item.
    :raises InputError: If its frame has no latitude and longitude, or the place is not on the Earth.
    """
    place = item.place
    if isinstance(place, Place):
        if item.frame not in GLOBAL_FRAMES:
            allowed = ', '.join(map(str, sorted((*GLOBAL_FRAMES, LOCAL_NED, LOCAL_ENU))))
            raise InputError(f'{where}: the frame is {item.frame}; must be one of {allowed} (MAV_FRAME)')
        checked_place(*place, where)
    return item


def local_place(place: Place, origin: Place) -> LocalPlace:
    """Return a place as m east and north of an origin; raises as `LocalPlane.to_local`."""
    east, north = LocalPlane(origin).to_local(np.array([place.latitude]), np.array([place.longitude]))
    return LocalPlace(float(east[0]), float(north[0]))


def in_degrees(mission: Mission) -> Mission:
    """
    Return a mission with its places in degrees, unchanged if they already are.

    :raises InputError: If its places are local metres and their origin is unknown.
    """
    if not mission.is_local:
        return mission
    if mission.origin is None:
        raise InputError(f'{mission.source}: its places are local metres, and it does not say where they count from; '
                         'give --origin LATITUDE LONGITUDE, or the key origin of a scenario')
    frame = LocalPlane(mission.origin)
    places = [place for item in mission.items if isinstance(place := item.place, LocalPlace)]
    if isinstance(mission.home, LocalPlace):
        places.append(mission.home)
    latitude, longitude = frame.to_geodetic(*np.array(places, float).T)
    degrees = iter(zip(latitude.tolist(), longitude.tolist()))
    items = tuple(item._replace(**dict(zip('xy', next(degrees))), frame=RELATIVE_ALTITUDE)
                  if isinstance(item.place, LocalPlace) else item for item in mission.items)
    home = Place(*next(degrees)) if isinstance(mission.home, LocalPlace) else mission.home
    return replace(mission, items=items, home=home)
