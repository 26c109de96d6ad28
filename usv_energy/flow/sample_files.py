"""
A river as a HEC-RAS 2D plan file, with its irregular mesh.

The sample files of `usv-energy flow make`: one for each format, in closed form, each with its flow file.
"""

import io
import math
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import h5py
import numpy as np

from usv_energy.files.text_file import check_writable, whole_file, write_text
from usv_energy.flow.formats.hecras_file import AREAS, BED, CELL_PAIRS, FACE, LEVEL, POINT_PAIRS, SERIES

JITTER = 0.22  # Largest displacement of a cell's corners, over its size.
SPLIT = 0.15  # Share of cells that are divided into two triangles.


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
        return self.points[self.face_points[:, 1]] - self.points[self.face_points[:, 0]]

    @property
    def length(self) -> np.ndarray:
        """Lengths of the faces, m, shape (F,)."""
        return np.hypot(*self._along.T)

    @property
    def normals(self) -> np.ndarray:
        """Unit normals, from the first cell to the second, shape (F, 2)."""
        along = self._along / self.length[:, None]
        return np.stack((along[:, 1], -along[:, 0]), axis=1)

    def moved(self, x: float, y: float) -> 'RiverMesh':
        """Return the mesh translated by x, y, m."""
        by = np.array((x, y))
        return self._replace(points=self.points + by, centres=self.centres + by)


def river_mesh(length: float, width: float, land: float, cell: float, seed: int,
               pier: tuple[float, float, float] | None, middle: Callable[[np.ndarray], np.ndarray]) -> RiverMesh:
    """
    Return a mesh of a river and the land beside it; the edges of the water are lines of faces.

    :param length: Of the river along x, m.
    :param width: Of the river along y, m.
    :param land: Width of the land on either side, m.
    :param cell: Size of the cells, m.
    :param seed: Of the irregularity.
    :param pier: x, y and radius of a hole, m, or None.
    :param middle: y of the river's centre line at x, m.
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
    """Return the corners of each cell, counter-clockwise: quadrangles, some of them divided in two."""
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
    """Return the mesh of cells with their faces, with ghosts, without unused points."""
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


START = datetime(2024, 5, 1)
DATUM = 100.0  # m, level of the water's edge at the lowest stage, minus the least depth.
NEWEST = {'cell': CELL_PAIRS[0], 'node': POINT_PAIRS[0], 'old_node': POINT_PAIRS[1]}


class MeanderingRiver(NamedTuple):
    """
    A meandering river that flows east, fastest in its middle and zero at its banks, with dry land beside it.

    Its centre line is y = amplitude sin(2 pi x / wavelength). At a distance n north of it the velocity is u = U (1 - (2
    n / width)^2) eastward and u times the slope of the centre line northward, which is free of divergence. U varies
    with the stage: U = speed (1 + swing s), level = least + rise (1 + s) / 2, s = sin(2 pi t / period).
    """

    length: float = 600.0      # m
    width: float = 60.0        # m
    amplitude: float = 30.0    # m
    wavelength: float = 600.0  # m
    speed: float = 0.6         # m/s, mean over time in the middle
    swing: float = 0.25        # (-)
    period: float = 7200.0     # s
    depth: float = 3.0         # m, in the middle below the water's edge
    land: float = 24.0         # m, of land on either side
    slope: float = 0.1         # (-), of that land
    rise: float = 1.2          # m, of the water over a period
    cell: float = 6.0          # m
    steps: int = 25
    interval: float = 300.0    # s
    origin: tuple[float, float] = (0.0, 0.0)              # map coordinates of the middle at x = 0, m
    pier: tuple[float, float, float] | None = None        # x, y from the origin and radius, m: a hole in the mesh
    seed: int = 3

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the velocity in the river, m/s, zero on land; map coordinates, m; time from the first step, s."""
        across, slope = self._across(x, y)
        share = np.maximum(1.0 - (2.0 * across / self.width) ** 2, 0.0)
        along = self._fastest(t) * share
        return along, along * slope

    def stream(self, t: float, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the stream function psi, m2/s: u = dpsi/dy, v = -dpsi/dx; map coordinates, m; time, s."""
        across = np.clip(self._across(x, y)[0], -0.5 * self.width, 0.5 * self.width)
        return self._fastest(t) * (across - 4.0 * across ** 3 / (3.0 * self.width ** 2))

    def level(self, t: float) -> float:
        """Return the level of the water, m."""
        return DATUM + 0.05 + 0.5 * self.rise * (1.0 + self._stage(t))

    def bed(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the level of the ground, m: a parabola below the water's edge, a slope beyond it."""
        half = 0.5 * self.width
        across = abs(self._across(x, y)[0])
        return DATUM + np.where(across < half, self.depth * ((across / half) ** 2 - 1.0), self.slope * (across - half))

    def _across(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the distance north of the river's centre line, m, and the slope of that line there."""
        phase = 2.0 * math.pi * (np.asarray(x, dtype=float) - self.origin[0]) / self.wavelength
        middle = self.amplitude * np.sin(phase)
        slope = 2.0 * math.pi * self.amplitude / self.wavelength * np.cos(phase)
        return np.asarray(y, dtype=float) - self.origin[1] - middle, slope

    def _stage(self, t: float) -> float:
        return math.sin(2.0 * math.pi * t / self.period)

    def _fastest(self, t: float) -> float:
        return self.speed * (1.0 + self.swing * self._stage(t))


def write_hecras(path: Path | BinaryIO, river: MeanderingRiver | None = None, velocities: str = 'face',
                 packed: bool = True) -> None:
    """
    Write a river as a HEC-RAS 2D plan file, step by step, so that memory does not grow with their number.

    :param path: The file to write, usually named like river.p01.hdf; or an open one.
    :param river: The river; default MeanderingRiver().
    :param velocities: Content of the file: `face` (along normals, mean over the face), `cell`, `node`, or `old_node`
        (node velocities under the names of HEC-RAS 5).
    :param packed: Whether to compress the steps.
    """
    river = river or MeanderingRiver()
    mesh = river_mesh(river.length, river.width, river.land, river.cell, river.seed, river.pier,
                      lambda x: river.amplitude * np.sin(2.0 * math.pi * x / river.wavelength))
    mesh = mesh.moved(*river.origin)
    with h5py.File(path, 'w') as file:
        file.attrs['File Type'] = np.bytes_('HEC-RAS Results')
        file.attrs['File Version'] = np.bytes_('written by usv_energy, not by HEC-RAS')
        file.attrs['Units System'] = np.bytes_('SI Units')
        _write_mesh(file, mesh, river)
        _write_series(file, mesh, river, velocities, packed)


def _write_mesh(file: h5py.File, mesh: RiverMesh, river: MeanderingRiver) -> None:
    """Write the geometry, with the tables that rashdf reads."""
    areas = file.create_group(AREAS)
    row = np.zeros(1, dtype=[('Name', 'S16'), ('Cell Count', '<i4')])
    row[0] = (b'River', mesh.real)
    areas['Attributes'] = row
    areas['Cell Info'] = np.array([[0, mesh.real]], dtype=np.int32)
    areas['Cell Points'] = mesh.centres[:mesh.real]
    area = areas.create_group('River')
    bed = river.bed(*mesh.centres.T).astype(np.float32)
    bed[mesh.real:] = np.nan
    count = np.bincount(mesh.face_cells.ravel(), minlength=len(mesh.centres))
    first = np.cumsum(count) - count
    order = np.argsort(mesh.face_cells.T.ravel(), kind='stable')
    faces = len(mesh.face_cells)
    facing = np.stack((order % faces, np.where(order < faces, 1, -1)), axis=1)
    edge = mesh.face_cells.max(axis=1) >= mesh.real
    datasets = {
        'Cells Center Coordinate': mesh.centres,
        BED: bed,
        'Cells Face and Orientation Info': np.stack((first, count), axis=1).astype(np.int32),
        'Cells Face and Orientation Values': facing.astype(np.int32),
        'FacePoints Coordinate': mesh.points,
        'FacePoints Is Perimeter': np.isin(np.arange(len(mesh.points)), mesh.face_points[edge]).astype(np.int32),
        'Faces FacePoint Indexes': mesh.face_points.astype(np.int32),
        'Faces Cell Indexes': mesh.face_cells.astype(np.int32),
        'Faces NormalUnitVector and Length': np.column_stack((mesh.normals, mesh.length)).astype(np.float32),
        'Faces Perimeter Info': np.zeros((faces, 2), dtype=np.int32),
        'Faces Perimeter Values': np.zeros((0, 2)),
    }
    for name, data in datasets.items():
        area[name] = data


def _write_series(file: h5py.File, mesh: RiverMesh, river: MeanderingRiver, velocities: str, packed: bool) -> None:
    series = file.create_group(SERIES)
    times = river.interval * np.arange(river.steps)
    series['Time'] = times / 86400.0
    stamps = [(START + timedelta(seconds=t)).strftime('%d%b%Y %H:%M:%S:000').upper() for t in times.tolist()]
    series['Time Date Stamp (ms)'] = np.array(stamps, dtype='S22')
    series['Time Date Stamp'] = np.array([stamp[:18] for stamp in stamps], dtype='S19')
    area = series.create_group('2D Flow Areas/River')
    names = {LEVEL: len(mesh.centres)}
    if velocities == 'face':
        names[FACE] = len(mesh.face_points)
    else:
        size = len(mesh.centres) if velocities == 'cell' else len(mesh.points)
        names.update(dict.fromkeys(NEWEST[velocities], size))
    pack = {'compression': 4, 'shuffle': True} if packed else {}
    for name, size in names.items():
        created = area.create_dataset(name, (river.steps, size), np.float32, chunks=(1, size), **pack)
        created.attrs['Units'] = np.bytes_('m' if name == LEVEL else 'm/s')
    bed = river.bed(*mesh.centres.T)
    for step, t in enumerate(times.tolist()):
        level = np.maximum(river.level(t), bed)
        level[mesh.real:] = 0.0
        area[LEVEL][step] = level
        if velocities == 'face':
            area[FACE][step] = face_velocities(river, mesh, t)
            continue
        at = mesh.centres if velocities == 'cell' else mesh.points
        for name, component in zip(NEWEST[velocities], river.velocity(t, *at.T)):
            area[name][step] = component


def face_velocities(river: MeanderingRiver, mesh: RiverMesh, t: float) -> np.ndarray:
    """Return the velocities along the faces' normals, m/s: exact means over the faces; zero at the pier."""
    stream = river.stream(t, *mesh.points.T)
    through = (stream[mesh.face_points[:, 1]] - stream[mesh.face_points[:, 0]]) / mesh.length
    return np.where(mesh.at_pier, 0.0, through)


RADIUS = 260.0  # m, of the island in the bay; that of the tower in the wind is a twentieth.
POINTS = 't,x,y\n0,100,25\n0,100,45\n1800,100,25\n1800,300,0\n0,-500,0\n'

FLOWS = {
    'river.yaml': """\
title: A meandering river with bank shear and a passing wave (sample)
medium: water
file: {path: river.p01.hdf}
transform: {x: 0.0, y: 0.0, rotation_deg: 0.0}   # where the world's origin lies on the file's map
time: {mode: loop, start: 0.0}
""",
    'bay.yaml': """\
title: A tide past an island (sample)
medium: water
file:
  path: bay.nc
  options: {origin: [-4.50, 48.30], depth: 0.5}  # of the local metres, degrees; level nearest to 0.5 m
time: {mode: loop}
""",
    'ridge.yaml': """\
title: Wind that turns and quickens over a ridge (sample)
medium: air
file:
  path: ridge_speed.asc
  options: {kind: speed_direction, partner: ridge_direction.asc, unit: m/s, direction: from}
""",
    'tower.yaml': """\
title: Wind around a tower, 10 m above ground (sample)
medium: air
file: {path: tower_z10m.csv}
""",
}


def make_samples(folder: Path) -> list[tuple[Path, str]]:
    """
    Write the samples and return their paths and descriptions.

    :param folder: Where to; files of the same names are replaced.
    :raises InputError: If the folder cannot be written to.
    :raises OSError: If a file cannot be written.
    """
    check_writable(folder)
    written = [(folder / 'river.p01.hdf', 'a river as a HEC-RAS 2D plan file, 600 m, 25 steps of 5 min'),
            (folder / 'bay.nc', 'a tide past an island as CF netCDF: uo and vo, 3 depths, 25 steps of 30 min'),
            (folder / 'ridge_speed.asc', 'wind over a ridge as ESRI ASCII: its speed, m/s'),
            (folder / 'ridge_direction.asc', 'the same: where it blows from, degrees'),
            (folder / 'tower_z10m.csv', 'wind around a tower: a plane as ParaView exports it'),
            (folder / 'points.csv', 'points for `usv-energy flow sample river.p01.hdf --points points.csv`')]
    river = io.BytesIO()    # HDF5 ends the process if it cannot write its last bytes to a full disk.
    write_hecras(river)
    with whole_file(written[0][0]) as part:
        part.write_bytes(river.getbuffer())
    with whole_file(written[1][0]) as part:
        write_bay(part)
    with whole_file(written[2][0]) as speed, whole_file(written[3][0]) as direction:
        write_ridge(speed, direction)
    write_text('\n'.join(_tower()) + '\n', written[4][0])
    write_text(POINTS, written[5][0])
    for name, text in FLOWS.items():
        write_text(text, folder / name)
        written.append((folder / name, 'a flow file: `usv-energy flow plot` draws it, a scenario names it'))
    return written


def around_cylinder(x: np.ndarray, y: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the velocity of a plane potential flow of speed 1 towards +x around a cylinder at the origin; NaN inside it.

    Source: Lamb, Hydrodynamics (1932), article 68. Free of divergence and rotation, twice the speed at the sides.
    """
    with np.errstate(divide='ignore', invalid='ignore'):
        share = radius ** 2 / (x * x + y * y) ** 2
        u, v = 1.0 - share * (x * x - y * y), -2.0 * share * x * y
    inside = np.hypot(x, y) < radius
    return np.where(inside, np.nan, u), np.where(inside, np.nan, v)


def write_bay(path: Path, steps: int = 25) -> None:
    """
    Write a tide past an island as a classic netCDF file, packed in whole mm/s with a fill value, as services do.

    The tide turns every 6.2 h (M2, period 12.42 h), 0.8 m/s at its maximum; deeper water is slower.

    :param path: The file.
    :param steps: Number of steps, 30 min apart.
    """
    from scipy.io import netcdf_file
    longitude, latitude = -4.50 + 0.0005 * np.arange(-40, 41), 48.30 + 0.00035 * np.arange(-40, 41)
    x, y = np.meshgrid((longitude + 4.50) * 74200.0, (latitude - 48.30) * 111200.0)
    flow = around_cylinder(x, y, RADIUS)
    with netcdf_file(path, 'w') as file:
        file.Conventions, file.title = 'CF-1.8', 'A tide past an island, in closed form'
        _axis(file, 'time', 0.5 * np.arange(steps), 'hours since 2024-05-01 00:00:00', 'time')
        _axis(file, 'depth', np.array([0.5, 5.0, 15.0]), 'm', 'depth')
        file.variables['depth'].positive = 'down'
        _axis(file, 'latitude', latitude, 'degrees_north', 'latitude')
        _axis(file, 'longitude', longitude, 'degrees_east', 'longitude')
        tide = 0.8 * np.cos(2.0 * math.pi * 0.5 * np.arange(steps) / 12.42)
        size = tide[:, None, None, None] * np.array([1.0, 0.85, 0.6])[None, :, None, None]
        for name, side, standard in (('uo', flow[0], 'eastward_sea_water_velocity'),
                                     ('vo', flow[1], 'northward_sea_water_velocity')):
            variable = file.createVariable(name, np.int16, ('time', 'depth', 'latitude', 'longitude'))
            variable.standard_name, variable.units = standard, 'm s-1'
            variable.scale_factor, variable.add_offset = 0.001, 0.0
            variable._FillValue = variable.missing_value = np.int16(-32767)
            packed = np.round(size * side[None, None] / 0.001)
            variable[:] = np.where(np.isfinite(packed), packed, -32767).astype(np.int16)


def _axis(file: Any, name: str, values: np.ndarray, units: str, standard_name: str) -> None:
    file.createDimension(name, len(values))
    variable = file.createVariable(name, np.float64, (name,))
    variable[:] = values
    variable.units, variable.standard_name = units, standard_name


def write_ridge(speed_path: Path, direction_path: Path) -> None:
    """
    Write a wind as two ESRI ASCII rasters, speed and direction it comes from, with a corner without data.

    It comes from the west at 6 m/s, is up to 60 % faster over a ridge at x = 0, and is turned there by 20 degrees.
    """
    x, y = np.meshgrid(-1000.0 + 50.0 * (np.arange(41) + 0.5), 750.0 - 50.0 * (np.arange(30) + 0.5))
    bump = np.exp(-(x / 300.0) ** 2)
    fields = (speed_path, 6.0 * (1.0 + 0.6 * bump)), (direction_path, 270.0 - 20.0 * bump)
    missing = (x > 700.0) & (y > 450.0)
    for path, values in fields:
        head = 'ncols 41\nnrows 30\nxllcorner -1000.0\nyllcorner -750.0\ncellsize 50.0\nNODATA_value -9999\n'
        rows = (' '.join(f'{value:.2f}' for value in row) for row in np.where(missing, -9999.0, values))
        path.write_text(head + '\n'.join(rows) + '\n', encoding='utf-8')


def _tower() -> Iterator[str]:
    """Return the lines of a table of wind around a tower; nan inside it."""
    yield 'Points:0,Points:1,Points:2,U:0,U:1,U:2'
    x, y = np.meshgrid(np.arange(-60.0, 101.0, 2.0), np.arange(-60.0, 61.0, 2.0))
    u, v = around_cylinder(x, y, RADIUS / 20.0)
    for values in zip(x.ravel(), y.ravel(), 5.0 * u.ravel(), 5.0 * v.ravel()):
        yield '{:g},{:g},10,{:.4f},{:.4f},0'.format(*values)
