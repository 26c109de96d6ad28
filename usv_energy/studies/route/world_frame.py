"""Where the world of a flow or a mission lies on the Earth: its metres as degrees, and degrees as its metres."""

from typing import Any, Protocol

import numpy as np
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError

from usv_energy.earth import LocalPlane, Pair, Place
from usv_energy.files.errors import InputError
from usv_energy.flow.flow_file import AS_IT_IS, FlowFile
from usv_energy.flow.placement import Transform
from usv_energy.missions.mission import checked_place

HIGHEST = 85.0  # Degrees of latitude: nearer to a pole no local plane of east and north is a map.


class WorldFrame(Protocol):
    """Degrees to metres of the world, and back; `LocalPlane` is one. Any shape; safe for threads."""

    def to_local(self, latitude: np.ndarray, longitude: np.ndarray) -> Pair:
        """Return m east and north in the world of places in degrees north and east."""
        ...

    def to_geodetic(self, east: np.ndarray, north: np.ndarray) -> Pair:
        """Return degrees north and east (within half a turn) of places in the world, m."""
        ...


class PlacedPlane:
    """The local plane about the origin of a flow in longitude and latitude, with the world's place on it."""

    def __init__(self, origin: Place, transform: Transform = AS_IT_IS) -> None:
        """Take the place of the map's metres, and the world's place on the map."""
        self._plane, self._transform = LocalPlane(origin), transform._replace(degrees=None)

    def to_local(self, latitude: np.ndarray, longitude: np.ndarray) -> Pair:
        """Return m east and north in the world of places in degrees north and east."""
        return self._transform.to_world(*self._plane.to_local(latitude, longitude))

    def to_geodetic(self, east: np.ndarray, north: np.ndarray) -> Pair:
        """Return degrees north and east of places in the world, m."""
        return self._plane.to_geodetic(*self._transform.to_map(np.asarray(east, float), np.asarray(north, float)))


class ProjectedFrame:
    """A world whose flow lies on the map of a projection, in metres."""

    def __init__(self, projection: Any, transform: Transform = AS_IT_IS) -> None:
        """Take the projection, as pyproj takes it, and the world's place on its map."""
        crs = CRS.from_user_input(projection)
        self._unit = float(crs.axis_info[0].unit_conversion_factor) or 1.0  # m: of a map in feet, say.
        self._there = Transformer.from_crs('EPSG:4326', crs, always_xy=True)
        self._back = Transformer.from_crs(crs, 'EPSG:4326', always_xy=True)
        self._transform = transform

    def to_local(self, latitude: np.ndarray, longitude: np.ndarray) -> Pair:
        """Return m east and north in the world of places in degrees north and east; infinite off the map."""
        x, y = self._there.transform(np.asarray(longitude, float), np.asarray(latitude, float))
        return self._transform.to_world(np.asarray(x) * self._unit, np.asarray(y) * self._unit)

    def to_geodetic(self, east: np.ndarray, north: np.ndarray) -> Pair:
        """Return degrees north and east of places in the world, m."""
        x, y = self._transform.to_map(np.asarray(east, float), np.asarray(north, float))
        longitude, latitude = self._back.transform(x / self._unit, y / self._unit)
        return np.asarray(latitude), np.asarray(longitude)


def frame_of(flow: object, origin: Place | None = None) -> WorldFrame | None:
    """
    Return where a flow's world lies on the Earth: as its file says, else about a given origin; None where nobody says.

    :param flow: Of the water; only a file can say where it is.
    :param origin: Degrees, of the world's origin.
    :raises InputError: If both say it; if the origin is within 5 degrees of a pole.
    """
    own = _own_frame(flow) if isinstance(flow, FlowFile) else None
    if own is not None and origin is not None:
        raise InputError(f'{getattr(flow, "path", flow)}: says itself where it lies on the Earth; --origin goes with a '
                         'flow in local metres')
    if own is None and origin is not None:
        own = LocalPlane(checked_place(*origin, '--origin'))
    latitude = 0.0 if own is None else float(own.to_geodetic(np.zeros(1), np.zeros(1))[0][0])
    if abs(latitude) > HIGHEST:
        raise InputError(f'the origin lies at latitude {latitude:g}; routes are found up to {HIGHEST:g} degrees: at '
                         'the poles there is no east')
    return own


def _own_frame(flow: FlowFile) -> WorldFrame | None:
    about = flow.describe()
    if about.get('origin_latitude_deg') is not None:
        place = Place(float(about['origin_latitude_deg']), float(about['origin_longitude_deg']))
        return PlacedPlane(place, flow.transform)
    if not about.get('projection'):
        return None
    try:
        return ProjectedFrame(about['projection'], flow.transform)
    except CRSError:
        return None
