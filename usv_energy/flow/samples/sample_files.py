"""The sample files of `usv-energy flow make`: one for each format, in closed form, each with its flow file."""

import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.text_file import check_writable, whole_file, write_text
from usv_energy.flow.samples.hecras_sample import write_hecras

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
