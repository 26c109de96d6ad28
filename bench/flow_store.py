"""
A flow larger than memory: a zarr store made on the spot, and the memory and time that its users take.

The store is of a sea of about 500 km, nodes every 200 m, an hour a step, 5 GB (quick: 0.3 GB), chunks of one time
and 512 x 512 nodes. Each user is a process of its own, whose highest resident set is measured: `flow info`, a run,
`analyze` of that run, look-ups along a boat's way, look-ups anywhere, a part of 500 x 500 nodes and 24 times for a
search of routes. The same look-ups are made in a small netCDF file.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from options import Options
from report import Result, progress

from usv_energy.flow.field import FlowField
from usv_energy.flow.flow_box import read_box
from usv_energy.flow.flow_file import read_flow

SIDE, CHUNK, SPACING = 2560, 512, 200.0   # nodes, nodes, m
STEPS, QUICK_STEPS = 96, 6
MEMORY = 1000.0                           # MB: the mark
BOX, TIMES = 500, 24                      # nodes and steps of the part for a search
ORIGIN = (-10.0, 45.0)
SCENARIO = '1'
SEED = 20261123
FLOW = 'medium: water\nfile: {{path: {path}, options: {{origin: [{origin[0]}, {origin[1]}]}}}}\ntime: {{mode: hold}}\n'


def measure(options: Options) -> Result:
    """Return memory and time of each user of a large store, and of look-ups in a small file."""
    result = Result('flow_store')
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        steps = QUICK_STEPS if options.quick else STEPS
        progress(f'  flow_store: writing {2 * 4 * steps * SIDE ** 2 / 1e9:.1f} GB')
        begin = time.perf_counter()
        _process('--write', str(folder / 'sea'), str(steps), str(SIDE), 'zarr')
        size = sum(file.stat().st_size for file in (folder / 'sea').rglob('*') if file.is_file())
        result.notes.append(f'{size / 1e9:.2f} GB written in {time.perf_counter() - begin:.0f} s')
        _process('--write', str(folder / 'small.nc'), '24', '120', 'netcdf')
        for flow, path in (('sea', folder / 'sea'), ('small', folder / 'small.nc')):
            (folder / f'{flow}.yaml').write_text(FLOW.format(path=path, origin=ORIGIN))
        _commands(result, folder)
        _look_ups(result, folder, steps)
    return result


def _commands(result: Result, folder: Path) -> None:
    sea, run = str(folder / 'sea.yaml'), str(folder / 'run')
    for name, arguments in (
            ('flow_info', ['flow', 'info', sea]),
            ('run', ['run', SCENARIO, '--current', sea, '--no-plots', '--out', run]),
            ('analyze', ['analyze', f'{run}/{SCENARIO}_rep103', '--current', sea]),
            ('route', ['route', '--from', '-3000', '-3000', '--to', '3000', '3000', '--boat', 'otter', '--hotel',
                       '30', '--speed', '1.2', '--current', sea])):
        progress(f'  flow_store: {name}')
        seconds, peak, _ = _process('-m', 'usv_energy.cli.main', *arguments)
        result.add(f'{name}_memory_mb', [peak], aim=MEMORY)
        result.add(f'{name}_ms', [1e3 * seconds])


def _look_ups(result: Result, folder: Path, steps: int) -> None:
    for flow in ('sea', 'small'):
        progress(f'  flow_store: look-ups in {flow}')
        _, peak, text = _process('--look', str(folder / f'{flow}.yaml'))
        if flow == 'sea':
            result.add('look_ups_memory_mb', [peak], aim=MEMORY)
        for key, values in json.loads(text).items():
            result.add(f'{flow}_{key}', values)
    progress('  flow_store: a part for a search of routes')
    _, peak, text = _process('--box', str(folder / 'sea.yaml'), str(min(TIMES, steps)))
    result.add(f'box_of_{BOX}x{BOX}x{min(TIMES, steps)}_memory_mb', [peak], aim=MEMORY)
    result.add(f'box_of_{BOX}x{BOX}x{min(TIMES, steps)}_ms', [float(text)])


def _process(*arguments: str) -> tuple[float, float, str]:
    """Return wall time, s, highest resident set, MB, and output of a process of Python."""
    own = [__file__] if arguments[0] != '-m' else []
    begin = time.perf_counter()
    with tempfile.TemporaryFile('w+') as out:
        process = subprocess.Popen([sys.executable, *own, *arguments], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begin
        if process.returncode:
            raise RuntimeError(f'{" ".join(arguments)}: exit status {process.returncode}')
        out.seek(0)
        return seconds, usage.ru_maxrss / 1024.0, out.read()


def write(path: Path, steps: int, side: int, kind: str) -> None:
    """Write a field of eddies that drift, with an island, as float32, a step at a time."""
    import xarray
    place = np.arange(side, dtype=np.float32) - side / 2.0
    x, y = np.meshgrid(place, place)
    waves = [trig(2.0 * math.pi * x / 300.0) * np.cos(2.0 * math.pi * y / 420.0) for trig in (np.cos, np.sin)]
    waves[0][np.hypot(x - side / 4.0, y) < side / 20.0] = np.nan
    width = 200.0 / 78_847.0, 200.0 / 111_132.0  # degrees, at 45 degrees north
    coordinates = {
        'latitude': ('latitude', ORIGIN[1] + width[1] * place.astype(float),
                     {'units': 'degrees_north', 'standard_name': 'latitude'}),
        'longitude': ('longitude', ORIGIN[0] + width[0] * place.astype(float),
                      {'units': 'degrees_east', 'standard_name': 'longitude'})}
    names = ('time', 'latitude', 'longitude')

    def part(first: int, last: int) -> xarray.Dataset:
        angle = 0.26 * np.arange(first, last, dtype=np.float32)[:, np.newaxis, np.newaxis]
        east = 0.2 * (np.cos(angle) * waves[0] + np.sin(angle) * waves[1])
        return xarray.Dataset(
            {'uo': (names, east, {'units': 'm s-1', 'standard_name': 'eastward_sea_water_velocity'}),
             'vo': (names, 0.1 - 0.5 * east, {'units': 'm s-1', 'standard_name': 'northward_sea_water_velocity'})},
            coords={'time': ('time', np.arange(first, last), {'units': 'hours since 2026-01-01'}), **coordinates})

    if kind == 'netcdf':
        part(0, steps).to_netcdf(path)
        return
    chunks = {'chunks': (1, CHUNK, CHUNK), 'compressors': None}
    for step in range(steps):
        if step == 0:
            part(0, 1).to_zarr(path, encoding={'uo': chunks, 'vo': chunks}, consolidated=False)
        else:
            part(step, step + 1).to_zarr(path, append_dim='time', consolidated=False)


def look(path: Path) -> None:
    """Print times of look-ups: along a way, one point at a time, on and between steps; anywhere; a million points."""
    flow = read_flow(path)
    rng = np.random.default_rng(SEED)
    xmin, ymin, xmax, ymax = flow.extent
    last = float(flow.source.times[-1])
    begin = time.perf_counter()
    flow.velocity(0.0, np.zeros(1), np.zeros(1))
    found: dict[str, list[float]] = {'first_look_up_ms': [1e3 * (time.perf_counter() - begin)]}
    way = np.linspace((-3000.0, -3000.0), (3000.0, 3000.0), 2000)
    found['look_up_along_a_way_us'] = [_each(flow, np.linspace(0.0, 3600.0, len(way)), way) for _ in range(3)]
    where = rng.uniform((xmin, ymin), (xmax, ymax), (100, 2))
    found['look_up_anywhere_us'] = [_each(flow, rng.uniform(0.0, last, len(where)), where) for _ in range(3)]
    many = rng.uniform((-2e3, -2e3), (2e3, 2e3), (1_000_000, 2))
    found['million_points_nearby_ms'] = [_at_once(flow, many) for _ in range(3)]
    print(json.dumps(found))
    flow.close()


def _each(flow: FlowField, times: np.ndarray, where: np.ndarray) -> float:
    """Return the mean time of a look-up of one point, us."""
    begin = time.perf_counter()
    for t, place in zip(times.tolist(), where):
        flow.velocity(t, place[:1], place[1:])
    return 1e6 * (time.perf_counter() - begin) / len(times)


def _at_once(flow: FlowField, where: np.ndarray) -> float:
    begin = time.perf_counter()
    flow.velocity(1800.0, where[:, 0].copy(), where[:, 1].copy())
    return 1e3 * (time.perf_counter() - begin)


def box(path: Path, steps: int) -> None:
    """Print the time, ms, in which a part of a flow is read."""
    flow = read_flow(path)
    begin = time.perf_counter()
    half = 0.5 * SPACING * (BOX - 1.001)
    part = read_box(flow, (-half, -half, half, half), 0.0, 3600.0 * (steps - 1))
    print(1e3 * (time.perf_counter() - begin))
    if abs(part.grid.nx - BOX) > 1 or part.grid.nt != steps:
        raise RuntimeError(f'the part has {part.grid.nt} x {part.grid.ny} x {part.grid.nx} nodes')
    flow.close()


if __name__ == '__main__':
    what, name, *more = sys.argv[1:]
    if what == '--write':
        write(Path(name), int(more[0]), int(more[1]), more[2])
    elif what == '--box':
        box(Path(name), int(more[0]))
    else:
        look(Path(name))
