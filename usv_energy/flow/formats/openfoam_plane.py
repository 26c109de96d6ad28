"""A horizontal plane of a VTK mesh, resampled to a grid, with exact edges of mesh and buildings."""

import math
import re
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.flow.field import Extent
from usv_energy.flow.grids.triangles import inside_walls

MOST_NODES = 4_000_000
MOST_CHOSEN = 1_000_000  # Most nodes if the spacing is not given.
PLACE_IN_VTK = re.compile(r'^ERROR: In \S+, line \d+ \w+ \(0x[0-9a-f]+\): ')     # Before the words of an error.
FILL_LAYERS = 2  # A grid cell at a wall reaches one node beyond it, diagonally two.

Velocity = tuple[np.ndarray, np.ndarray]

_VTK = threading.RLock()  # VTK reports errors of all threads to one window.


def pyvista_for(path: Path) -> Any:
    """Return pyvista; InputError says what to install."""
    return optional('pyvista', 'flow', f'{path}: OpenFOAM and VTK (CSV of a plane from ParaView is read without)')


@contextmanager
def vtk_errors(path: Path) -> Iterator[None]:
    """Turn the errors that VTK prints into an InputError."""
    catcher = pyvista_for(path).VtkErrorCatcher(send_to_logging=False)
    failure: Exception | None = None
    with _VTK, catcher, warnings.catch_warnings():
        warnings.simplefilter('ignore')  # pyvista repeats VTK's errors as warnings.
        try:
            yield
        except (KeyError, ValueError, RuntimeError, OSError) as error:  # Consequences of a mesh that was not read.
            failure = error
    events = [' '.join(str(event).split()) for event in catcher.error_events]
    if isinstance(failure, InputError):
        raise failure
    if events:
        raise InputError(f'{path}: VTK cannot read it, truncated or damaged: {PLACE_IN_VTK.sub("", events[0])[:300]}')
    if failure is not None:
        raise InputError(f'{path}: VTK cannot read it: {failure}') from failure


class Plane:
    """The grid for a mesh at a height, and the area of the mesh there."""

    def __init__(self, path: Path, mesh: Any, height: float, spacing: float | None) -> None:
        """
        Intersect a mesh.

        :param path: Its file, for messages.
        :param mesh: A pyvista dataset: volume cells, or a horizontal surface.
        :param height: z of the plane, m; a surface has its own.
        :param spacing: Of the grid, m; None for half the side of the smaller cells in the plane (5th percentile of
            their areas).
        :raises InputError: If the plane does not intersect the mesh, or the grid would be too large.
        """
        self.notes: list[str] = []
        self.height = float(np.mean(mesh.bounds[4:])) if is_surface(mesh) else height
        cut, segments = _cut(path, mesh, self.height)
        xmin, xmax, ymin, ymax = (float(edge) for edge in cut.bounds[:4])
        self.extent: Extent = (xmin, ymin, xmax, ymax)
        self.cells = int(cut.n_cells)
        area = np.abs(np.asarray(cut.compute_cell_sizes(length=False, volume=False).cell_data['Area']))
        usual = float(np.sqrt(np.percentile(area[area > 0.0], 5.0)))
        least = math.sqrt((xmax - xmin) * (ymax - ymin) / MOST_CHOSEN)
        self.spacing = max(0.5 * usual, least) if spacing is None else spacing
        if spacing is None and least > 0.5 * usual:
            self.notes.append(f'spacing {least:g} m, though the mesh has cells of {usual:.3g} m: more than '
                              f'{MOST_CHOSEN} nodes otherwise')
        columns, rows = (math.ceil(side / self.spacing) + 1 for side in (xmax - xmin, ymax - ymin))
        if columns < 2 or rows < 2 or columns * rows > MOST_NODES:
            raise InputError(f'{path}: option spacing: {self.spacing:g}: a grid of {columns} x {rows} nodes; '
                             f'allowed: 2 or more of each, {MOST_NODES} in all')
        self.x, self.y = np.linspace(xmin, xmax, columns), np.linspace(ymin, ymax, rows)
        self.outline = _polygons(segments)
        self.area = inside_walls(optional('shapely', 'flow', f'{path}: walls in OpenFOAM and VTK'), self.outline)

    def resample(self, path: Path, mesh: Any, field: str) -> Velocity:
        """
        Return the horizontal velocity at the grid's nodes, m/s, shape (ny, nx).

        Nodes beyond a wall, outside the mesh, get the mean of their neighbours inside, so that points between them and
        the wall have a value; `area` determines whether a point is inside.

        :param path: The file, for messages.
        :param mesh: A pyvista dataset of the same cells.
        :param field: Name of the velocity among its point data (interpolated) or cell data (constant in a cell).
        """
        x, y = np.meshgrid(self.x, self.y)
        velocity = probe(path, mesh, field, x.ravel(), y.ravel(), self.height)
        both = velocity[:, :2].T.reshape(2, *x.shape)
        for _ in range(FILL_LAYERS):
            both = _filled(both)
        return both[0], both[1]


def probe(path: Path, mesh: Any, field: str, x: np.ndarray, y: np.ndarray, height: float) -> np.ndarray:
    """Return a field of a mesh at points of a plane, shape (N, 3), NaN outside its cells (to VTK's tolerance)."""
    pyvista = pyvista_for(path)
    bare = mesh.copy(deep=False)
    bare.clear_data()
    source = bare.point_data if field in mesh.point_data else bare.cell_data
    source['velocity'] = (mesh.point_data if field in mesh.point_data else mesh.cell_data)[field]
    with vtk_errors(path):
        found = pyvista.PolyData(np.column_stack((x, y, np.full(x.size, height)))).sample(bare)
    velocity = np.array(found['velocity'], dtype=float)
    velocity[np.asarray(found['vtkValidPointMask']) == 0] = np.nan
    return velocity


class KeptSteps:
    """Steps that are resampled once each and stored in a temporary file."""

    def __init__(self, make: Callable[[int], Velocity]) -> None:
        self._make = make
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close(), and by its own end
        self._places: dict[int, int] = {}

    def load(self, step: int) -> Velocity:
        """Return one step; called by one thread at a time."""
        if step not in self._places:
            both = np.stack(self._make(step)).astype(float)
            self._places[step] = self._file.seek(0, 2)
            np.save(self._file, both)
        else:
            self._file.seek(self._places[step])
            both = np.load(self._file)
        return both[0], both[1]

    def close(self) -> None:
        """Delete the steps."""
        self._file.close()


def _cut(path: Path, mesh: Any, height: float) -> tuple[Any, np.ndarray]:
    """Return the plane's cells, and the segments of its edges, m, shape (S, 2, 2)."""
    bare = mesh.copy(deep=False)
    bare.clear_data()
    zmin, zmax = (float(z) for z in bare.bounds[4:])
    with vtk_errors(path):
        surface = bare.extract_surface(algorithm='dataset_surface')
        if is_surface(mesh):
            cut = surface
            lines = cut.extract_feature_edges(boundary_edges=True, feature_edges=False, manifold_edges=False,
                                              non_manifold_edges=False)
            segments = np.asarray(lines.points, dtype=float)[lines.lines.reshape(-1, 3)[:, 1:]][:, :, :2]
        else:  # Slightly above, since a plane along faces of the mesh would cut cells without thickness.
            cut = bare.slice(normal='z', origin=(0.0, 0.0, height + 1e-6 * (zmax - zmin)))
            points, corners = face_triangles(np.asarray(surface.points, dtype=float), np.asarray(surface.faces))
            segments = slice_triangles(points, corners, height)
    if cut.n_cells == 0 or len(segments) < 3:
        raise InputError(f'{path}: option height: {height:g}: the plane misses the mesh; allowed: {zmin:g} to {zmax:g}')
    return cut, segments


def face_triangles(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return faces divided into triangles from their centres, as OpenFOAM treats non-planar faces (face::centre).

    :param points: Positions x, y, z, m, shape (P, 3).
    :param faces: n, n corners, n, n corners, ...
    :return: The points followed by the centres, and the triangles' corners, shape (T, 3).
    """
    begins = [0]
    while begins[-1] < faces.size:
        begins.append(begins[-1] + int(faces[begins[-1]]) + 1)
    begin = np.array(begins[:-1])
    size = faces[begin]
    first = np.cumsum(size) - size
    of = np.repeat(np.arange(size.size), size)
    a = np.delete(faces, begin)
    following = np.arange(a.size) + 1
    following[first + size - 1] = first
    b = a[following]
    middle = np.add.reduceat(points[a], first) / size[:, None]
    weight = np.linalg.norm(np.cross(points[b] - points[a], middle[of] - points[a]), axis=1)[:, None]
    centre = (np.add.reduceat(weight * (points[a] + points[b] + middle[of]) / 3.0, first)
              / np.maximum(np.add.reduceat(weight, first), 1e-300))
    return np.concatenate((points, centre)), np.stack((a, b, len(points) + of), axis=1)


def slice_triangles(points: np.ndarray, corners: np.ndarray, height: float) -> np.ndarray:
    """
    Return the intersection of the triangles of a closed surface with a horizontal plane, m, shape (S, 2, 2).

    A corner on the plane counts as below it, so the segments of a closed surface form closed loops in any case. (VTK's
    own cutter does not ensure this: in windAroundBuildings 86 of 200 000 points changed sides.)

    :param points: Positions x, y, z, m, shape (P, 3).
    :param corners: Indices of the points, shape (T, 3).
    """
    above = points[:, 2] > height
    cut = corners[(above[corners].sum(axis=1) % 3) != 0]
    sides = np.sort(np.stack((cut, np.roll(cut, -1, axis=1)), axis=2), axis=2)  # The same for both triangles.
    sides = sides[above[sides[:, :, 0]] != above[sides[:, :, 1]]]  # Two of each triangle, one after the other.
    low, high = points[sides[:, 0]], points[sides[:, 1]]
    part = (height - low[:, 2]) / (high[:, 2] - low[:, 2])
    return (low[:, :2] + part[:, None] * (high - low)[:, :2]).reshape(-1, 2, 2)


def is_surface(mesh: Any) -> bool:
    """Return whether a mesh lies in one horizontal plane."""
    xmin, xmax, ymin, ymax, zmin, zmax = mesh.bounds
    return zmax - zmin <= 1e-6 * max(xmax - xmin, ymax - ymin)


def _filled(both: np.ndarray) -> np.ndarray:
    """Return velocities, shape (2, ny, nx); nodes without one get the mean of the eight around them that have one."""
    from scipy.ndimage import convolve  # Here, as all readers are loaded to recognise a file.
    valid, around = np.isfinite(both[0]), np.ones((3, 3))
    count = convolve(valid.astype(float), around, mode='constant')
    total = np.stack([convolve(side, around, mode='constant') for side in np.where(valid, both, 0.0)])
    mean = np.where(count > 0.0, total / np.maximum(count, 1.0), np.nan)
    return np.where(valid, both, mean)


def _polygons(segments: np.ndarray) -> list[np.ndarray]:
    """Return segments, shape (S, 2, 2), m, joined to polygons (K, 2), the longest one first."""
    ends = np.round(segments.reshape(-1, 2) / 1e-4).astype(np.int64)
    _, first, name = np.unique(ends, axis=0, return_index=True, return_inverse=True)
    place = segments.reshape(-1, 2)[first]
    beside: dict[int, list[int]] = {}
    for a, b in name.reshape(-1, 2).tolist():
        if a != b:
            beside.setdefault(a, []).append(b)
            beside.setdefault(b, []).append(a)
    polygons = []
    for begin in list(beside):
        way = [begin]
        while beside[way[-1]]:
            following = beside[way[-1]].pop()
            beside[following].remove(way[-1])
            way.append(following)
        if len(way) > 3:
            polygons.append(place[way[:-1]] if way[0] == way[-1] else place[way])
    return sorted(polygons, key=lambda polygon: -float(np.prod(np.ptp(polygon, axis=0))))
