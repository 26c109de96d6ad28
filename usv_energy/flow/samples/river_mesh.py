"""An irregular mesh along a bending river, faces and ghost cells numbered as HEC-RAS does it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

JITTER = 0.22     # of a cell's size: its corners are moved by up to this
SPLIT = 0.15      # share of cells that are cut into two triangles


class RiverMesh(NamedTuple):
    """A mesh: real cells first, then a ghost cell behind each face of the outline; coordinates in m."""

    points: np.ndarray        # shape (P, 2)
    centres: np.ndarray       # shape (C, 2), ghosts included, these on their face
    face_points: np.ndarray   # shape (F, 2)
    face_cells: np.ndarray    # to the left of the face, to its right; shape (F, 2)
    at_pier: np.ndarray       # faces of the hole, shape (F,)
    real: int                 # number of real cells

    @property
    def _along(self) -> np.ndarray:
        along: np.ndarray = self.points[self.face_points[:, 1]] - self.points[self.face_points[:, 0]]
        return along

    @property
    def length(self) -> np.ndarray:
        """Lengths of the faces, m, shape (F,)."""
        length: np.ndarray = np.hypot(*self._along.T)
        return length

    @property
    def normals(self) -> np.ndarray:
        """Unit normals, from the first cell to the second, shape (F, 2)."""
        along = self._along / self.length[:, None]
        return np.stack((along[:, 1], -along[:, 0]), axis=1)

    def moved(self, x: float, y: float) -> 'RiverMesh':
        """Return the mesh moved by x, y, m."""
        by = np.array((x, y))
        return self._replace(points=self.points + by, centres=self.centres + by)


def river_mesh(length: float, width: float, land: float, cell: float, seed: int,
               pier: tuple[float, float, float] | None, middle: Callable[[np.ndarray], np.ndarray]) -> RiverMesh:
    """
    Return a mesh of a river and the land beside it; the water's edges are lines of faces.

    :param length: Of the river along x, m.
    :param width: Of the river along y, m.
    :param land: Width of the land on either side, m.
    :param cell: Size of the cells, m.
    :param seed: Of the irregularity.
    :param pier: x, y and radius of a hole, m, or None.
    :param middle: y of the river's middle at x, m.
    """
    rng = np.random.default_rng(seed)
    columns, in_river, on_land = (max(2, round(size / cell)) for size in (length, width, land))
    edge = 0.5 * width
    across = np.concatenate((np.linspace(-edge - land, -edge, on_land + 1)[:-1], np.linspace(-edge, edge, in_river + 1),
                             np.linspace(edge, edge + land, on_land + 1)[1:]))
    x, n = np.meshgrid(np.linspace(0.0, length, columns + 1), across)
    moves = JITTER * cell * rng.uniform(-1.0, 1.0, size=(2, *x.shape))
    moves[0][:, [0, -1]] = 0.0
    moves[1][[0, on_land, on_land + in_river, -1]] = 0.0
    x, n = x + moves[0], n + moves[1]
    points = np.stack((x.ravel(), (n + middle(x)).ravel()), axis=1)
    loops = _loops(x.shape, rng)
    if pier is not None:
        middles = np.array([points[loop].mean(axis=0) for loop in loops])
        away = np.hypot(*(middles - pier[:2]).T) > pier[2]
        loops = [loop for loop, keep in zip(loops, away) if keep]
    return _numbered(points, loops, pier)


def _loops(shape: tuple[int, ...], rng: np.random.Generator) -> list[list[int]]:
    """Return the corners of each cell, counter-clockwise: quadrangles, some of them cut in two."""
    rows, columns = shape
    loops = []
    for row in range(rows - 1):
        for column in range(columns - 1):
            one = row * columns + column
            four = [one, one + 1, one + 1 + columns, one + columns]
            cut = rng.uniform() < SPLIT
            loops += [four[:3], [four[0], *four[2:]]] if cut else [four]
    return loops


def _numbered(points: np.ndarray, loops: list[list[int]], pier: tuple[float, float, float] | None) -> RiverMesh:
    """Return the mesh of cells, its faces found, its ghosts added, its unused points left out."""
    used = np.unique(np.concatenate(loops))
    number = np.full(len(points), -1)
    number[used] = np.arange(used.size)
    points = points[used]
    faces: dict[tuple[int, int], list[int]] = {}
    for cell, loop in enumerate(loops):
        corners = number[loop].tolist()
        for one, two in zip(corners, corners[1:] + corners[:1]):
            if (two, one) in faces:
                faces[two, one].append(cell)
            else:
                faces[one, two] = [cell]
    ghosts = 0
    for cells in faces.values():
        if len(cells) == 1:
            cells.append(len(loops) + ghosts)
            ghosts += 1
    face_points, face_cells = np.array(list(faces)), np.array(list(faces.values()))
    edge = face_cells[:, 1] >= len(loops)
    middles = points[face_points].mean(axis=1)
    centres = np.concatenate(([points[number[loop]].mean(axis=0) for loop in loops], middles[edge]))
    at_pier = np.zeros(len(faces), dtype=bool)
    if pier is not None:
        at_pier = edge & (np.hypot(*(middles - pier[:2]).T) < 2.0 * pier[2])
    return RiverMesh(points, centres, face_points, face_cells, at_pier, len(loops))
