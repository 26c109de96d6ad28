"""Longitude and latitude as local metres: a tangent plane about a stated origin, on the WGS84 ellipsoid."""

import math

import numpy as np

SEMI_MAJOR, FLATTENING = 6378137.0, 1.0 / 298.257223563  # m, (-): NGA.STND.0036 (2014), WGS84
SQUARED_ECCENTRICITY = FLATTENING * (2.0 - FLATTENING)


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


def local_axes(longitude: np.ndarray, latitude: np.ndarray,
               origin: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """
    Return a grid's columns and rows in m east and north of an origin; a rectilinear grid stays one.

    The plane touches at the origin; how far east and west distances are wrong at another latitude says `stretch`.

    :param longitude: Degrees east, in any range (-180..180, 0..360, across the date line), shape (nx,).
    :param latitude: Degrees north, shape (ny,).
    :param origin: Longitude and latitude, degrees.
    :return: x, m, within half a turn of the origin, in the order of `longitude`; y, m.
    """
    east, north = metres_per_degree(origin[1])
    return ((longitude - origin[0] + 180.0) % 360.0 - 180.0) * east, (latitude - origin[1]) * north


def longitude_latitude(x: float, y: float, origin: tuple[float, float]) -> tuple[float, float]:
    """Return longitude and latitude, degrees, of a place x, y, m, on the plane of `local_axes`: its inverse."""
    east, north = metres_per_degree(origin[1])
    return (origin[0] + x / east + 180.0) % 360.0 - 180.0, origin[1] + y / north


def stretch(latitude: np.ndarray, origin_latitude: float) -> float:
    """Return the largest error of distances to the east on the plane, as a share of them, (-)."""
    here = metres_per_degree(origin_latitude)[0]
    return max(abs(here / max(metres_per_degree(float(edge))[0], 1e-9) - 1.0)
               for edge in (latitude.min(), latitude.max()))
