"""A pattern as a mission: placed on the Earth, with a speed and a home."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..earth import LocalPlane, Place, half_turn
from ..files.errors import InputError
from .items_from_waypoints import items_from_waypoints
from .itinerary import Waypoint, itinerary_of
from .local_track import in_degrees
from .mission import LocalPlace, Mission
from .read_mission import read_mission


def pattern_mission(name: str, places: Sequence[LocalPlace], origin: Place | None, speed: float | None = None,
                    home: Place | None = None, radius: float | None = None) -> Mission:
    """
    Return the mission that goes through places.

    :param name: What it is called.
    :param places: m from the origin.
    :param origin: Where they count from; None: nobody knows, and the mission stays one in local metres.
    :param speed: On all ways, m/s over ground; None: the mission says none.
    :param home: Where it starts; None: at the first place.
    :param radius: Within which a place counts as reached, m.
    :raises InputError: If there is a home, but no origin.
    """
    if origin is None and home is not None:
        raise InputError('home is a place on the Earth, and the pattern has none: give it one, too')
    waypoints = [Waypoint(place, number, speed=speed, radius=radius) for number, place in enumerate(places, start=1)]
    mission = in_degrees(Mission(name, items_from_waypoints(waypoints), origin=origin, speed=speed)) if (
        origin is not None) else Mission(name, items_from_waypoints(waypoints), speed=speed)
    return Mission(name, mission.items, home=home, origin=origin, speed=speed)


def area_of(path: str | Path, part: str | None = None) -> tuple[tuple[LocalPlace, ...], Place | None]:
    """
    Return the area that a file draws: the ring or line in it, or its waypoints, as corners.

    :param part: As `read_mission`.
    :return: m from the middle of its latitudes and longitudes, and that place; of a file in local metres these as they
        are, and where they count from.
    :raises InputError: As `read_mission`.
    """
    itinerary = itinerary_of(read_mission(path, part))
    places = [waypoint.place for waypoint in itinerary.waypoints]
    if isinstance(places[0], LocalPlace):
        return tuple(place for place in places if isinstance(place, LocalPlace)), itinerary.origin
    latitude, longitude = np.array(places, float).T
    turned = half_turn(longitude - longitude[0])  # across the date line, too
    middle = longitude[0] + 0.5 * float(turned.min() + turned.max())
    origin = Place(0.5 * float(latitude.min() + latitude.max()), half_turn(middle))
    east, north = LocalPlane(origin).to_local(latitude, longitude)
    return tuple(LocalPlace(x, y) for x, y in zip(east.tolist(), north.tolist())), origin
