"""Where the world of a flow or a mission lies on the Earth, and a flow that lies there where its file says."""

from dataclasses import replace
from typing import Any, Protocol, overload

import numpy as np
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError

from usv_energy.earth import DegreeGrid, LocalPlane, Pair, Place
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.flow.analytic import AnalyticFlow, UniformFlow
from usv_energy.flow.flow_file import AS_IT_IS, FlowFile
from usv_energy.flow.placement import Transform


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
        self.plane, self.transform = LocalPlane(origin), transform._replace(degrees=None)

    def to_local(self, latitude: np.ndarray, longitude: np.ndarray) -> Pair:
        """Return m east and north in the world of places in degrees north and east."""
        return self.transform.to_world(*self.plane.to_local(latitude, longitude))

    def to_geodetic(self, east: np.ndarray, north: np.ndarray) -> Pair:
        """Return degrees north and east of places in the world, m."""
        return self.plane.to_geodetic(*self.transform.to_map(np.asarray(east, float), np.asarray(north, float)))


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


class MapElsewhere:
    """The map of a flow's file, seen from a world that lies on another map; in place of a `DegreeGrid`."""

    def __init__(self, world: WorldFrame, own: DegreeGrid | ProjectedFrame) -> None:
        """Take the world's metres and the file's."""
        self.world = world
        self._own = own

    def to_degrees(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return places in degrees north and east of the file's coordinates, m."""
        own = self._own
        return own.to_degrees(x, y) if isinstance(own, DegreeGrid) else own.to_geodetic(x, y)

    def of_local(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return the file's coordinates, m, of places in the world, m."""
        latitude, longitude = self.world.to_geodetic(np.asarray(x, float), np.asarray(y, float))
        own = self._own
        return own.of_degrees(latitude, longitude) if isinstance(own, DegreeGrid) else own.to_local(latitude, longitude)

    def to_local(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return places in the world, m, of the file's coordinates, m."""
        return self.world.to_local(*self.to_degrees(np.asarray(x, float), np.asarray(y, float)))

    def turn(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return by what angle the file's y axis lies to the left of the world's at a place of the file, m; rad."""
        x, y = np.asarray(x, float), np.asarray(y, float)
        east, north = self.to_local(x, y)
        beyond = self.to_local(x, y + 1.0)
        return np.arctan2(east - beyond[0], beyond[1] - north)


def own_frame(flow: object) -> WorldFrame | None:
    """Return where a flow's world lies on the Earth by its file: degrees, or a projection; None where it says none."""
    if not isinstance(flow, FlowFile):
        return None
    degrees = flow.transform.degrees
    if isinstance(degrees, DegreeGrid):
        return PlacedPlane(degrees.plane.origin, flow.transform)
    projection = None if degrees is not None else _projection(flow)
    return None if projection is None else ProjectedFrame(projection, flow.transform)


@overload
def laid_on_earth(flow: UniformFlow, world: WorldFrame | None, whose: str) -> UniformFlow: ...


@overload
def laid_on_earth(flow: FlowFile, world: WorldFrame | None, whose: str) -> FlowFile: ...


@overload
def laid_on_earth(flow: UniformFlow | FlowFile, world: WorldFrame | None, whose: str) -> UniformFlow | FlowFile: ...


def laid_on_earth(flow: UniformFlow | FlowFile, world: WorldFrame | None, whose: str) -> UniformFlow | FlowFile:
    """
    Return a flow as it is where the world lies, if it and its file both say where they are; else as it is.

    :param flow: Only that of a file can say where it is.
    :param world: The world's place on the Earth; None: nobody says.
    :param whose: What the world is of, for the remark: `the mission`, `the log`.
    :return: The flow. Its `remark` says what else is taken: where the world is said to lie if only one says it, and
        that the file's own `transform` does not count if both do.
    """
    if not isinstance(flow, FlowFile) or isinstance(flow.transform.degrees, MapElsewhere):
        return flow
    degrees = flow.transform.degrees
    projection = None if degrees is not None else _projection(flow)
    if degrees is None and projection is None:
        return flow if world is None or _is_of_the_world(flow) else replace(flow, remark=(
            f'{flow.path}: does not say where on the Earth it is, and {whose} does: its metres are taken to be those '
            f'of {whose}'))
    if world is None:
        return flow if not isinstance(degrees, DegreeGrid) else replace(flow, remark=(
            f'{flow.path}: says where on the Earth it is, and {whose} does not: x = y = 0 of {whose} is taken to lie '
            f'at {_origin_words(flow)}'))
    remark = '' if flow.transform._replace(degrees=None) == AS_IT_IS else (
        f'{flow.path}: its transform does not count: the file and {whose} both say where on the Earth they are')
    if isinstance(degrees, DegreeGrid) and isinstance(world, LocalPlane | PlacedPlane):
        plane, placed = (world, AS_IT_IS) if isinstance(world, LocalPlane) else (world.plane, world.transform)
        transform = placed._replace(degrees=DegreeGrid(degrees.origin, plane))
    else:
        own = degrees if isinstance(degrees, DegreeGrid) else ProjectedFrame(projection)
        transform = Transform(degrees=MapElsewhere(world, own))
    return replace(flow, transform=transform, remark=remark)


def laid_together(current: UniformFlow | FlowFile, wind: UniformFlow | FlowFile, world: WorldFrame | None, whose: str,
                  ) -> tuple[UniformFlow | FlowFile, UniformFlow | FlowFile]:
    """
    Return water and air where their files say that they lie, in one world.

    :param world: The world's place on the Earth; None: it is where the current lies in its own metres, else the wind.
    :param whose: As of `laid_on_earth`.
    """
    if world is None and (own := own_frame(current)) is not None:
        return laid_on_earth(current, None, whose), laid_on_earth(wind, own, 'the current')
    if world is None and (own := own_frame(wind)) is not None:
        return laid_on_earth(current, own, 'the wind'), laid_on_earth(wind, None, whose)
    return laid_on_earth(current, world, whose), laid_on_earth(wind, world, whose)


def remarks_of(*flows: object) -> list[str]:
    """Return what to know of flows and of where they lie, sentences."""
    return [remark for flow in flows if (remark := getattr(flow, 'remark', ''))]


def world_at(text: str, name: str) -> LocalPlane | None:
    """
    Return the world whose x = y = 0 lies at LATITUDE,LONGITUDE, degrees; None of an empty text.

    :param name: Of the option or parameter, for the error.
    :raises InputError: If it is no place.
    """
    if not text:
        return None
    try:
        latitude, longitude = map(float, text.replace(',', ' ').split())
    except ValueError:
        latitude = longitude = np.nan
    if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0):
        raise InputError(f'{name} is {safe_name(text)!r}; must be LATITUDE,LONGITUDE, degrees, up to 90 and 180')
    return LocalPlane((latitude, longitude))


def place_words(flow: Any, x: float, y: float) -> str:
    """Return a place in a flow's world, m, as an error names it: where a flow file says degrees, in these, too."""
    words = f'x = {x:.1f} m, y = {y:.1f} m'
    if not isinstance(flow, FlowFile):
        return words
    degrees = flow.transform.degrees
    if not isinstance(degrees, DegreeGrid | MapElsewhere):
        return words
    world = degrees.world if isinstance(degrees, MapElsewhere) else PlacedPlane(degrees.plane.origin, flow.transform)
    latitude, longitude = (float(one[0]) for one in world.to_geodetic(np.array([x]), np.array([y])))
    xmin, ymin, xmax, ymax = flow.source.extent
    corners = degrees.to_degrees(np.array([xmin, xmin, xmax, xmax]), np.array([ymin, ymax, ymin, ymax]))
    reach = [f'{float(one.min()):.6g} to {float(one.max()):.6g}' for one in corners]
    return f'{words} (latitude {latitude:.6g}, longitude {longitude:.6g}; the file has {reach[0]} and {reach[1]})'


def _projection(flow: FlowFile) -> str | None:
    """Return the projection of a file's metres; None where it says none, or one that is not known."""
    projection = None if _is_of_the_world(flow) else flow.source.describe().get('projection')
    try:
        return projection if projection and CRS.from_user_input(projection).is_projected else None
    except CRSError:
        return None


def _is_of_the_world(flow: FlowFile) -> bool:
    """Return whether a flow is a closed form, whose metres are the world's own."""
    return isinstance(flow.source, AnalyticFlow)


def _origin_words(flow: FlowFile) -> str:
    frame = own_frame(flow)
    assert frame is not None
    latitude, longitude = (float(one[0]) for one in frame.to_geodetic(np.zeros(1), np.zeros(1)))
    return f'latitude {latitude:.6f}, longitude {longitude:.6f}'
