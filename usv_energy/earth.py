"""The Earth: the one local plane of metres, directions of the compass, and the units in which people write."""

import math
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError

Pair = tuple[np.ndarray, np.ndarray]

NAUTICAL_MILE, MILE, FOOT = 1852.0, 1609.344, 0.3048  # m: BIPM, the SI brochure (2019), table 8; NIST SP 811 (2008)
KNOT = NAUTICAL_MILE / 3600.0                         # m/s
MILE_PER_HOUR, KILOMETRE_PER_HOUR = MILE / 3600.0, 1.0 / 3.6
SEMI_MAJOR, FLATTENING = 6378137.0, 1.0 / 298.257223563  # m, (-): NGA.STND.0036 (2014), WGS84
MEAN_RADIUS = SEMI_MAJOR * (1.0 - FLATTENING / 3.0)
SQUARED_ECCENTRICITY = FLATTENING * (2.0 - FLATTENING)
FARTHEST = 1.0e7  # m from the origin, a quarter of the way around the Earth: beyond, a plane is no map of it.


class Place(NamedTuple):
    """A place on the WGS84 ellipsoid: degrees north and degrees east."""

    latitude: float
    longitude: float


def is_place(latitude: Any, longitude: Any) -> Any:
    """Return whether degrees north and east are those of a place; false for NaN; floats or arrays."""
    return (abs(latitude) <= 90.0) & (abs(longitude) <= 360.0)


class LocalPlane:
    """
    A plane that touches the Earth at an origin: x east, y north, m. All places of this package lie on it.

    It is the azimuthal equidistant projection on WGS84 (Snyder, Map projections, 1987, chapter 25): distances and
    directions from the origin are true, and others d m away from it to about d^2 / 6 R^2: 4e-7 at 10 km. Gazebo's and
    robot_localization's east and north, of a plane that touches without being a projection, are within d^3 / 6 R^2 of
    it: 4 mm at 10 km.
    """

    def __init__(self, origin: tuple[float, float]) -> None:
        """
        Make the plane about an origin.

        :param origin: Degrees north and east.
        """
        self.origin = Place(*origin)

    @cached_property
    def _plane(self) -> Any:
        from pyproj import Proj  # Here, because launch files show their arguments without pyproj.
        return Proj(proj='aeqd', lat_0=self.origin.latitude, lon_0=self.origin.longitude, ellps='WGS84')

    def projected(self, latitude: Any, longitude: Any) -> tuple[Any, Any]:
        """Return places in degrees as m east and north of the origin, float or any shape, wherever they are."""
        return self._plane(longitude, latitude)

    def to_local(self, latitude: np.ndarray, longitude: np.ndarray) -> Pair:
        """
        Return places as m east and north of the origin.

        :param latitude: Degrees north, any shape.
        :param longitude: Degrees east, the same.
        :raises InputError: If one is more than 10 000 km away.
        """
        east, north = self.projected(np.asarray(latitude, float), np.asarray(longitude, float))
        far = ~(np.hypot(east, north) <= FARTHEST)
        if far.any():
            at = int(np.argmax(far))
            raise InputError(f'the place {np.ravel(latitude)[at]:g}, {np.ravel(longitude)[at]:g} is more than '
                             f'{FARTHEST / 1000.0:g} km from {self.origin.latitude:g}, {self.origin.longitude:g}; '
                             'local metres end before that')
        return east, north

    def degrees_of(self, east: float, north: float) -> tuple[float, float]:
        """Return degrees north and east of one place on the plane, m; NaN of an unknown one."""
        longitude, latitude = self._plane(east, north, inverse=True)
        return (latitude, longitude) if math.isfinite(latitude) else (math.nan, math.nan)

    def to_geodetic(self, east: np.ndarray, north: np.ndarray) -> Pair:
        """
        Return degrees north and east of places on the plane.

        :param east: m, any shape.
        :param north: m, the same.
        :raises InputError: If one is more than 10 000 km away.
        """
        if not (np.hypot(east, north) <= FARTHEST).all():
            raise InputError(f'local metres are beyond {FARTHEST:g}; a place on the Earth is nearer to its origin')
        longitude, latitude = self._plane(np.asarray(east, float), np.asarray(north, float), inverse=True)
        return latitude, longitude


@lru_cache(maxsize=16)
def plane_about(origin: tuple[float, float]) -> LocalPlane:
    """Return the local plane about an origin, degrees north and east, made once: for one place after the other."""
    return LocalPlane(origin)


class DegreeGrid:
    """
    A plane on which rows and columns of longitude and latitude stay straight, for looking up values that lie on them.

    Each degree has the length that it has at the origin. It serves readers of such files alone: 10 km away its places
    are some 10 m beside those of the `LocalPlane`, which all else is told.
    """

    def __init__(self, origin: tuple[float, float], plane: LocalPlane | None = None) -> None:
        """
        Make the grid about an origin.

        :param origin: Degrees north and east.
        :param plane: The local plane from which it is seen; None: the one about the same origin.
        """
        self.origin, self.plane = Place(*origin), plane or LocalPlane(origin)
        self._east, self._north = metres_per_degree(origin[0])

    def of_degrees(self, latitude: np.ndarray, longitude: np.ndarray) -> Pair:
        """Return the grid's coordinates, m, of places in degrees."""
        north, east = self.origin
        return half_turn(longitude - east) * self._east, (latitude - north) * self._north

    def of_local(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return the grid's coordinates, m, of places of the local plane, m; NaN beyond a quarter of the Earth."""
        x, y = np.asarray(x, float), np.asarray(y, float)
        near = np.hypot(x, y) <= FARTHEST
        latitude, longitude = self.plane.to_geodetic(np.where(near, x, 0.0), np.where(near, y, 0.0))
        east, north = self.of_degrees(latitude, longitude)
        return np.where(near, east, np.nan), np.where(near, north, np.nan)

    def to_local(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return places of the local plane, m, of the grid's coordinates, m."""
        latitude, longitude = self.to_degrees(x, y)
        return self.plane.projected(latitude, longitude)

    def turn(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """
        Return by what angle the meridian of a place lies to the left of the plane's north, rad.

        :param x: The grid's coordinates, m; `y`: the same.

        Source: the convergence of meridians, Torge, Geodesy (2001), section 6.3.2, on the sphere.
        """
        latitude, longitude = map(np.radians, self.to_degrees(x, y))
        first, middle = (math.radians(one) for one in self.plane.origin)
        off = 0.5 * (longitude - middle)
        return 2.0 * np.arctan2(np.sin(off) * np.sin(0.5 * (latitude + first)),
                                np.cos(off) * np.cos(0.5 * (latitude - first)))

    def to_degrees(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return places in degrees north and east of the grid's coordinates, m."""
        latitude, longitude = self.origin
        return latitude + np.asarray(y, float) / self._north, longitude + np.asarray(x, float) / self._east


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """
    Return the lengths of a degree of longitude and of latitude, m.

    :param latitude: Degrees north.

    Source: the radii of curvature of the prime vertical and of the meridian, Torge, Geodesy (2001), section 4.1.3.
    """
    angle = math.radians(latitude)
    root = 1.0 - SQUARED_ECCENTRICITY * math.sin(angle) ** 2
    vertical, meridian = SEMI_MAJOR / root ** 0.5, SEMI_MAJOR * (1.0 - SQUARED_ECCENTRICITY) / root ** 1.5
    return math.radians(vertical * math.cos(angle)), math.radians(meridian)


def stretch(distance: float) -> float:
    """
    Return by what share distances across are too long on the local plane, so far, m, from its origin, (-).

    Source: Snyder, Map projections (1987), equation (25-1), on the sphere.
    """
    angle = min(distance, FARTHEST) / MEAN_RADIUS
    return angle / math.sin(angle) - 1.0 if angle > 0.0 else 0.0


def ways_between(latitude: np.ndarray, longitude: np.ndarray) -> Pair:
    """
    Return the lengths and courses of the geodesics from each place to the next.

    :param latitude: Degrees north, shape (n + 1,).
    :param longitude: Degrees east, shape (n + 1,).
    :return: m, and rad, counter-clockwise from east, at the begin of each; shape (n,). A way of no length has the
        course of the one before, 0 before all others.

    Source: Karney, Algorithms for geodesics, J. Geodesy 87 (2013), as PROJ has them.
    """
    from pyproj import Geod
    azimuth, _, length = Geod(ellps='WGS84').inv(longitude[:-1], latitude[:-1], longitude[1:], latitude[1:])
    course = np.radians(90.0 - azimuth)
    return length, course_kept(np.arctan2(np.sin(course), np.cos(course)), length)


def course_kept(course: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Return courses where those of ways of no length are the ones before; 0 before all others."""
    last = np.maximum.accumulate(np.where(length > 0.0, np.arange(len(length)), -1))
    return np.where(last < 0, 0.0, course[last])


def half_turn(degrees: Any) -> Any:
    """Return angles within half a turn, -180 to 180 degrees; float or array."""
    return (degrees + 180.0) % 360.0 - 180.0


def compass_degrees(angle: float) -> float:
    """Return degrees clockwise from north, 0 to 360, of a direction, rad, counter-clockwise from east."""
    return math.degrees(math.pi / 2.0 - angle) % 360.0


def enu_angle(compass_deg: float) -> float:
    """Return a direction, rad, counter-clockwise from east within half a turn, of degrees clockwise from north."""
    return math.remainder(math.radians(90.0 - compass_deg), math.tau)


def compass_text(angle: float, unit: str = ' deg') -> str:
    """Return a direction, rad (ENU), as on a compass: degrees clockwise from north, three digits."""
    return f'{round(90.0 - math.degrees(angle)) % 360:03d}{unit}'


def towards_of(compass_deg: Any, comes_from: bool = False) -> Any:
    """
    Return where a flow or a wave runs to, rad (ENU), of degrees clockwise from north; float or array.

    :param compass_deg: Where it runs to, as a current is given, or where it comes from, as a wind and waves are.
    :param comes_from: Whether it is the latter.
    """
    return np.radians((270.0 if comes_from else 90.0) - compass_deg)
