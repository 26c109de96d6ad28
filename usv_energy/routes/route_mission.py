"""A route as a mission: for plan files, and for the simulator."""

from collections.abc import Sequence

import numpy as np

from ..earth import Place
from ..missions.mavlink_commands import CHANGE_SPEED, WAYPOINT
from ..missions.mission import LOCAL_ENU, RELATIVE_ALTITUDE, LocalPlace, Mission, MissionItem
from .route_problem import Route
from .world_frame import WorldFrame

GROUND_SPEED = 1.0      # Of MAV_CMD_DO_CHANGE_SPEED: the speed is over ground.
SAME_SPEED = 5e-3       # m/s


def route_mission(legs: Route, name: str, frame: WorldFrame | None = None) -> Mission:
    """
    Return the legs of a route as a mission: a speed over ground before each way, a stay where the boat waits.

    What a route says of times beyond the speeds, such as the departure, a mission has no words for.

    :param legs: As `simplified` returns them.
    :param frame: Where the world lies on the Earth; the places are degrees then. None: local metres.
    """
    places = _places(legs, frame)
    items: list[MissionItem] = []
    length, duration = np.hypot(np.diff(legs.x), np.diff(legs.y)), np.diff(legs.time)
    held, last = 0.0, None
    for number, place in enumerate(places[1:]):
        if length[number] == 0.0:
            held += float(duration[number])
            if items:
                held_at = items[-1]
                items[-1] = held_at._replace(parameters=((held_at.parameters[0] or 0.0) + held,
                                                         *held_at.parameters[1:]))
            else:
                items.append(_waypoint(places[0], len(items) + 1, held))
            held = 0.0
            continue
        speed = round(float(length[number] / duration[number]), 4)
        if last is None or abs(speed - last) > SAME_SPEED:
            items.append(MissionItem(CHANGE_SPEED, len(items) + 1, (GROUND_SPEED, speed, -1.0, 0.0)))
            last = speed
        items.append(_waypoint(place, len(items) + 1))
    return Mission(name, tuple(items), home=places[0])


def _waypoint(place: Place | LocalPlace, number: int, hold: float = 0.0) -> MissionItem:
    frame = LOCAL_ENU if isinstance(place, LocalPlace) else RELATIVE_ALTITUDE
    return MissionItem(WAYPOINT, number, (hold, 0.0, 0.0, None), place[0], place[1], 0.0, frame)


def _places(legs: Route, frame: WorldFrame | None) -> Sequence[Place | LocalPlace]:
    if frame is None:
        return [LocalPlace(x, y) for x, y in zip(legs.x.tolist(), legs.y.tolist())]
    latitude, longitude = frame.to_geodetic(legs.x, legs.y)
    return [Place(north, east) for north, east in zip(latitude.tolist(), longitude.tolist())]
