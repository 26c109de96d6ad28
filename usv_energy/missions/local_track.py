"""Places on the Earth as local metres and back, and the lengths and courses of the ways between places."""

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from pyproj import Geod, Proj

from ..files.errors import InputError
from .itinerary import Itinerary
from .mission import RELATIVE_ALTITUDE, LocalPlace, Mission, Place

WGS84 = Geod(ellps='WGS84')
FARTHEST = 1.0e7  # m from the origin, a quarter of the way around the Earth: beyond, a plane is no map of it.


class LocalFrame:
    """
    A plane that touches the Earth at an origin: x east, y north, m, as the simulator has it.

    It is the azimuthal equidistant projection on WGS84 (Snyder, Map projections, 1987, chapter 25): distances and
    directions from the origin are true, and others d m away from it to about d^2 / 6 R^2: 4e-7 at 10 km.
    """

    def __init__(self, origin: Place) -> None:
        """Make the plane about an origin."""
        self.origin = origin

    @cached_property
    def _plane(self) -> Proj:
        return Proj(proj='aeqd', lat_0=self.origin.latitude, lon_0=self.origin.longitude, ellps='WGS84')

    def to_local(self, latitude: np.ndarray, longitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """
        Return places as m east and north of the origin.

        :param latitude: Degrees north, shape (n,).
        :param longitude: Degrees east, shape (n,).
        :raises InputError: If one is more than 10 000 km away.
        """
        east, north = self._plane(np.asarray(longitude, float), np.asarray(latitude, float))
        far = ~(np.hypot(east, north) <= FARTHEST)
        if far.any():
            at = int(np.argmax(far))
            raise InputError(f'the place {latitude[at]:g}, {longitude[at]:g} is more than {FARTHEST / 1000.0:g} km '
                             f'from {self.origin.latitude:g}, {self.origin.longitude:g}; local metres end before that')
        return east, north

    def to_geodetic(self, east: np.ndarray, north: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """
        Return degrees north and east of places on the plane.

        :param east: m, shape (n,).
        :param north: m, shape (n,).
        :raises InputError: If one is more than 10 000 km away.
        """
        if not (np.hypot(east, north) <= FARTHEST).all():
            raise InputError(f'local metres are beyond {FARTHEST:g}; a place on the Earth is nearer to its origin')
        longitude, latitude = self._plane(np.asarray(east, float), np.asarray(north, float), inverse=True)
        return latitude, longitude


def local_place(place: Place, origin: Place) -> LocalPlace:
    """Return a place as m east and north of an origin; raises as `LocalFrame.to_local`."""
    east, north = LocalFrame(origin).to_local(np.array([place.latitude]), np.array([place.longitude]))
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
        return LocalTrack(first, second, length, _kept(course, length), itinerary.origin)
    origin = itinerary.origin or itinerary.start
    try:
        east, north = LocalFrame(origin).to_local(first, second)
    except InputError as error:
        raise InputError(f'{itinerary.name}: {error}') from None
    length, course = ways_between(first, second)
    return LocalTrack(east, north, length, course, origin)


def ways_between(latitude: np.ndarray, longitude: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the lengths and courses of the geodesics from each place to the next.

    :param latitude: Degrees north, shape (n + 1,).
    :param longitude: Degrees east, shape (n + 1,).
    :return: m, and rad, counter-clockwise from east, at the begin of each; shape (n,).

    Source: Karney, Algorithms for geodesics, J. Geodesy 87 (2013), as PROJ has them.
    """
    azimuth, _, length = WGS84.inv(longitude[:-1], latitude[:-1], longitude[1:], latitude[1:])
    course = np.radians(90.0 - azimuth)
    return length, _kept(np.arctan2(np.sin(course), np.cos(course)), length)


def _kept(course: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Return courses where those of ways of no length are the ones before; 0 before all others."""
    last = np.maximum.accumulate(np.where(length > 0.0, np.arange(len(length)), -1))
    kept: np.ndarray = np.where(last < 0, 0.0, course[last])
    return kept


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
    frame = LocalFrame(mission.origin)
    places = [place for item in mission.items if isinstance(place := item.place, LocalPlace)]
    if isinstance(mission.home, LocalPlace):
        places.append(mission.home)
    latitude, longitude = frame.to_geodetic(*np.array(places, float).T)
    degrees = iter(zip(latitude.tolist(), longitude.tolist()))
    items = tuple(item._replace(**dict(zip('xy', next(degrees))), frame=RELATIVE_ALTITUDE)
                  if isinstance(item.place, LocalPlace) else item for item in mission.items)
    home = Place(*next(degrees)) if isinstance(mission.home, LocalPlace) else mission.home
    return replace(mission, items=items, home=home)
