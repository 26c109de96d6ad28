"""Places on the Earth as local metres and back, and the lengths and courses of the ways between places."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane, Place, course_kept, ways_between
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import Itinerary
from usv_energy.missions.mission import RELATIVE_ALTITUDE, LocalPlace, Mission


def local_place(place: Place, origin: Place) -> LocalPlace:
    """Return a place as m east and north of an origin; raises as `LocalPlane.to_local`."""
    east, north = LocalPlane(origin).to_local(np.array([place.latitude]), np.array([place.longitude]))
    return LocalPlace(float(east[0]), float(north[0]))


class LocalTrack(NamedTuple):
    """
    The ways of an itinerary, start first: m of the places, shape (n + 1,), and of the n ways to the n waypoints.

    `east` and `north`, m, count from `origin`, None for a mission in local metres that does not say where they are.
    `length`, m, and `course`, rad, ENU, at the beginning of each way, are those of the geodesic; a way of no length has
    the course of the one before.
    """

    east: np.ndarray
    north: np.ndarray
    length: np.ndarray
    course: np.ndarray
    origin: Place | None


def local_track(itinerary: Itinerary) -> LocalTrack:
    """
    Return the ways of an itinerary.

    The origin is the mission's, or else where it starts.

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


def in_degrees(mission: Mission) -> Mission:
    """
    Return a mission with its places in degrees; one that has them so is returned as it is.

    :raises InputError: If its places are local metres, and it does not say where they count from.
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
