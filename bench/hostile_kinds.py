"""The kinds of files that commands read, and the command that reads each, for `bench/hostile.py`."""

import json
import random
import shutil
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import yaml
from hostile_faults import (
    faulty_bytes,
    faulty_document,
    faulty_hdf,
    faulty_json_file,
    faulty_lines,
    faulty_netcdf,
    faulty_text,
    faulty_xml,
    in_file,
    with_checksums,
)
from hostile_recordings import (
    bag,
    faulty_bag,
    faulty_database,
    faulty_dataflash,
    faulty_json_bag,
    faulty_ros1,
    faulty_telemetry,
    faulty_ulog,
    helper,
    write_telemetry,
)

ROOT = Path(__file__).resolve().parents[1]
Change = Callable[[Path, random.Random], object]
BOAT, NUMPY = ['--boat', 'lutra_prop'], ['--backend', 'numpy']


class Kind(NamedTuple):
    """
    A kind of file.

    `command`: its words; `{file}` is the faulty file, `{folder}` that in which it lies. `make`: writes the whole files
    into a folder; `file`: the name of the one that gets faults, or a pattern of several. `change`: puts faults into it.
    `fifth`: the command that every fifth file is given to in place of the first.
    """

    command: list[str]
    make: Callable[[Path], object]
    file: str
    change: Change
    fifth: list[str] | None = None


def copied(name: str) -> Callable[[Path], object]:
    """Return a function that copies a shipped file of YAML as `a.yaml`."""
    return lambda folder: shutil.copy(ROOT / 'config' / f'{name}.yaml', folder / 'a.yaml')


def acoustics(folder: Path) -> None:
    """Write a plan of acoustic modems, and the track of a boat in it."""
    shutil.copy(ROOT / 'config/acoustics/thetis.yaml', folder / 'a.yaml')
    shutil.copy(ROOT / 'config/acoustics/taipan_300.csv', folder)


def part(name: str, user: dict[str, Any]) -> Callable[[Path], object]:
    """Return a function that copies a shipped file as `a.yaml`, and writes `b.yaml`, a file that names it."""
    def write(folder: Path) -> None:
        shutil.copy(ROOT / 'config' / f'{name}.yaml', folder / 'a.yaml')
        (folder / 'b.yaml').write_text(yaml.safe_dump(user))
    return write


def thesis(folder: Path) -> None:
    """Write the scenario of which the thesis's seven are made."""
    shared = (ROOT / 'config/scenarios/_thesis.yaml').read_text()
    (folder / 'a.yaml').write_text(f'{shared}speed: {{mode: full_thrust}}\n')


def text(name: str, content: str) -> Callable[[Path], object]:
    """Return a function that writes a file."""
    return lambda folder: (folder / name).write_text(content)


def faulty_yaml(path: Path, rng: random.Random) -> None:
    """Change the document in a YAML file, or its text: keys twice, anchors, tags."""
    content = yaml.dump(faulty_document(yaml.safe_load(path.read_text()), rng), allow_unicode=False, sort_keys=False)
    if rng.random() < 0.15:
        content = rng.choice((
            content + content, f'&a {{b: *a}}\n{content}', content.replace(': ', ': !!python/name:os ', 1),
            content.replace(': ', ': &x [*x] #', 1), '%YAML 9.9\n---\n' + content,
            '---\n' + content + '---\n' + content,
            content.replace(': ', ':\t', 1), content.replace('\n', '\n\t', 1), content.replace(': ', ': !!set ', 1),
            content.replace(': ', ': !!binary ', 1), content.replace(': ', ': !!timestamp ', 1),
            '? [a]\n: 1\n' + content, '<<: 1\n' + content, '<<: [[1]]\n' + content, '? {a: 1}\n' + content,
            '1: 2\ntrue: 3\nnull: 4\n' + content))
    path.write_bytes(faulty_text(content.encode('utf-8', 'replace'), rng))


def faulty_lines_file(path: Path, rng: random.Random) -> None:
    """Change lines of cells; sentences of NMEA 0183 keep right checksums in most cases."""
    content = faulty_lines(path.read_bytes(), rng)
    path.write_bytes(faulty_text(with_checksums(content) if rng.random() < 0.8 else content, rng))


def faulty_json_lines(path: Path, rng: random.Random) -> None:
    """Change one to all lines of JSON."""
    lines = path.read_text().split('\n')
    seed, room = rng.random(), 100_000_000
    for number, line in enumerate(lines):
        if line and rng.random() < seed and room > 0:
            lines[number] = json.dumps(faulty_document(json.loads(line), random.Random(seed)))
            room -= len(lines[number])
    path.write_bytes(faulty_text('\n'.join(lines).encode(), rng))


def faulty_archive(path: Path, rng: random.Random) -> None:
    """Write an archive with a damaged map, a path that leads out of it, other maps, or a map beyond measure."""
    with zipfile.ZipFile(path) as archive:
        content = archive.read('doc.kml')
    if rng.random() < 0.3:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    with zipfile.ZipFile(path, 'w', rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2))) as archive:
        for _ in range(rng.choice((1, 1, 3))):
            name = rng.choice(('doc.kml', '../../doc.kml', '/doc.kml', 'a\x1b[31m.kml', 'x.txt', 'DOC.KML', 'b.kml/'))
            archive.writestr(name, faulty_xml(content, rng) if rng.random() < 0.9 else b' ' * 60_000_000)


def small_netcdf(form: str) -> Callable[[Path], object]:
    """Return a function that writes a small netCDF file."""
    return lambda folder: helper('netcdf_files').dataset().to_netcdf(folder / 'a.nc', format=form)


def faulty_netcdf_file(path: Path, rng: random.Random) -> None:
    """Change a netCDF file by its library, or its bytes."""
    if rng.random() < 0.3:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    try:
        faulty_netcdf(path, rng)
    except Exception:       # What the library refuses; the faults before it stay.
        return


def faulty_grib(path: Path, rng: random.Random) -> None:
    """Write messages of GRIB with other keys, or change the bytes."""
    import eccodes  # type: ignore[import-untyped]
    if rng.random() < 0.5:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    parts = []
    keys = ('Ni', 'Nj', 'numberOfValues', 'bitsPerValue', 'dataDate', 'dataTime', 'stepRange', 'shortName',
            'binaryScaleFactor', 'decimalScaleFactor', 'referenceValue', 'latitudeOfFirstGridPoint',
            'longitudeOfFirstGridPoint', 'latitudeOfLastGridPoint', 'iDirectionIncrement', 'scanningMode',
            'missingValue', 'gridType', 'level', 'typeOfLevel', 'centre', 'edition', 'packingType',
            'numberOfDataPoints', 'stepUnits')
    with path.open('rb') as file:
        while (handle := eccodes.codes_grib_new_from_file(file)) is not None:
            for _ in range(rng.choice((0, 1, 2))):
                try:
                    value = rng.choice((0, -1, 1, 255, 2**31 - 1, 360000, 1e30, '10v', 20260230))
                    eccodes.codes_set(handle, rng.choice(keys), value)
                except Exception:
                    continue
            parts.append(eccodes.codes_get_message(handle))
            eccodes.codes_release(handle)
    rng.shuffle(parts)
    path.write_bytes(b''.join(parts))


def make_forecast(folder: Path) -> None:
    """Write a small forecast in GRIB."""
    files = helper('grib_files')
    files.write_grib(folder / 'a.grib', files.winds(hours=(0, 3)))


def make_store(folder: Path) -> None:
    """Write a small zarr store."""
    helper('netcdf_files').dataset().to_zarr(folder / 'a.zarr', zarr_format=2)


def faulty_store(path: Path, rng: random.Random) -> None:
    """Change a document of a zarr store, or a chunk."""
    files = sorted(one for one in path.rglob('*') if one.is_file())
    file = rng.choice(files)
    if file.name.startswith('.z') or file.suffix == '.json':
        faulty_json_file(file, rng)
    else:
        file.write_bytes(faulty_bytes(file.read_bytes(), rng))


def faulty_part(path: Path, rng: random.Random) -> None:
    """Change the manifest of a sweep's finished parts, or the arrays of a part."""
    if path.suffix == '.json':
        faulty_json_file(path, rng)
    elif path.suffix != '.npz' or rng.random() < 0.3:
        path.write_bytes(faulty_bytes(path.read_bytes() or b'lock', rng))
    else:
        with np.load(path) as stored:
            arrays = {name: stored[name] for name in stored.files}
        name = rng.choice(list(arrays))
        arrays[name] = rng.choice((arrays[name][:0], arrays[name].astype(str), np.array([{}]), np.zeros((3, 3)), -1.0,
                                   arrays[name] * np.nan, arrays[name] - 100, np.zeros(20_000_000)))
        np.savez_compressed(path, **arrays)


def make_plan_of_hecras(folder: Path) -> None:
    """Write a small river as HEC-RAS does."""
    from usv_energy.flow.sample_files import write_hecras
    write_hecras(folder / 'a.p01.hdf', helper('hecras_files').RIVER)


def faulty_plan_of_hecras(path: Path, rng: random.Random) -> None:
    """Change a HEC-RAS plan by HDF5's library, or its bytes."""
    if rng.random() < 0.3:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    try:
        faulty_hdf(path, rng)
    except Exception:
        return


def make_run(folder: Path) -> None:
    """Write the files of a run."""
    from usv_energy.cli.main import main
    if main(['run', '3', '--no-plots', '--out', str(folder)]):
        raise RuntimeError('a run failed')


def faulty_run(path: Path, rng: random.Random) -> None:
    """Change a file of a run."""
    file = rng.choice(sorted(one for one in path.rglob('*') if one.suffix in ('.csv', '.json', '.yaml')))
    {'.csv': faulty_lines_file, '.json': faulty_json_file, '.yaml': faulty_yaml}[file.suffix](file, rng)


def make_sweep(folder: Path) -> None:
    """Write a sweep of a few short runs, and its finished parts."""
    from usv_energy.engine.sweep import run_sweep
    from usv_energy.engine.sweep.sweep_file import read_sweep
    sweeps = helper('sweep_files')
    (folder / 'short.yaml').write_text(yaml.safe_dump(sweeps.SHORT))
    (folder / 'a.yaml').write_text(yaml.safe_dump(sweeps.CONTENT))
    with mock.patch('shutil.rmtree'), mock.patch.object(Path, 'unlink'):    # Finished parts go when the sweep ends.
        run_sweep.run_sweep(read_sweep(str(folder / 'a.yaml')), folder / 'a.nc', sweeps.NUMPY)


def east(name: str) -> Callable[[Path], object]:
    """Return a function that writes a file of `east_files`."""
    return lambda folder: helper('east_files').FILES[name](folder / name)


def east_bag(maker: str, name: str) -> Callable[[Path], object]:
    """Return a function that writes a bag of `east_bags`."""
    return lambda folder: getattr(helper('east_bags'), maker)(folder / name)


def mission(ending: str) -> Callable[[Path], object]:
    """Return a function that writes a mission as `a` with this ending."""
    def write(folder: Path) -> None:
        from usv_energy.missions.itinerary import items_from_waypoints
        from usv_energy.missions.mission import Mission
        from usv_energy.missions.mission_file import write_mission
        files = helper('mission_files')
        known = {'rtz': files.RTZ, 'lnw': files.LNW, 'kml': KML, 'survey.plan': SURVEY}
        if ending in known:
            (folder / f'a.{ending}').write_text(known[ending])
        elif ending == 'kmz':
            with zipfile.ZipFile(folder / 'a.kmz', 'w') as archive:
                archive.writestr('doc.kml', KML)
        else:
            write_mission(files.some_mission(1) if ending in ('plan', 'waypoints') else Mission(
                'm', items_from_waypoints([one._replace(hold=min(one.hold, 1.0)) for one in files.some_waypoints(1)]),
                home=files.HOME), folder / f'a.{ending}')   # Each second of a stay is simulated.
    return write


KML = '''<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>way</name><LineString><coordinates>
9.1,45.1,0 9.101,45.1,0 9.102,45.101,0</coordinates></LineString></Placemark><Placemark><name>area</name><Polygon>
<outerBoundaryIs><LinearRing><coordinates>9,45 9,45.001 9.001,45.001 9,45</coordinates></LinearRing></outerBoundaryIs>
</Polygon></Placemark><Placemark><Point><coordinates>9,45</coordinates></Point></Placemark></Document></kml>'''
SURVEY = '''{"fileType": "Plan", "mission": {"plannedHomePosition": [45, 9, 0], "items": [{"type": "ComplexItem",
 "complexItemType": "survey", "TransectStyleComplexItem": {"Items": [
 {"type": "SimpleItem", "command": 16, "doJumpId": 1, "frame": 3, "params": [0, 2, 0, null, 45.001, 9.001, 5]}],
 "VisualTransectPoints": [[45.001, 9.001]]}}, {"type": "ComplexItem", "complexItemType": "CorridorScan",
 "TransectStyleComplexItem": {"VisualTransectPoints": [[45.001, 9.001], [45.002, 9.001]]}}]}}'''
FACTS = '''name: a
hull: {kind: catamaran, length: 1.2, width: 0.9}
mass: 18.2
top_speed: 3.0
battery: 4S 18Ah
thrusters: {number: 2}
'''
LINE = {'type': 'FeatureCollection', 'features': [
    {'type': 'Feature', 'properties': {'name': 'a', 'usv_energy': {'speed': 0.7}},
     'geometry': {'type': 'LineString', 'coordinates': [[9.0, 45.0], [9.001, 45.0], [9.001, 45.001]]}},
    {'type': 'Feature', 'properties': {'name': 'b'}, 'geometry': {'type': 'Polygon', 'coordinates': [
        [[9.0, 45.0], [9.0005, 45.0], [9.0005, 45.0005], [9.0, 45.0]]]}}]}
COLUMNS = {'title': 't', 'columns': {name: {'column': name, 'unit': unit} for name, unit in (
    ('time', 's'), ('x', 'm'), ('y', 'm'), ('yaw', 'rad'), ('u', 'm/s'), ('v', 'm/s'), ('r', 'rad/s'))},
    'thrusters': [{'name': 'left', 'thrust': {'column': 'f', 'unit': 'N'}}], 'max_gap': 2.0}
TABLE = 'time,x,y,yaw,u,v,r,f\n' + ''.join(f'{0.1 * n:.1f},{0.1 * n:.1f},0,0,1,0,0,20\n' for n in range(300))
CELLS = 'time_s,current_a,voltage_v\n' + ''.join(
    f'{60 * n},{-2.0 if n > 4 else 0.0},{4.15 if n < 5 else 4.098 - 0.012 * n:.4f}\n' for n in range(100))
BOLLARD = 'pwm_us,pull_n,power_w\n' + ''.join(
    f'{pwm},{0.0001 * (pwm - 1500) * abs(pwm - 1500)},{0.001 * (pwm - 1500) ** 2}\n' for pwm in range(1100, 1901, 20))
RASTER = 'ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 50\nNODATA_value -9999\n' + '1 2 3 4\n' * 3
MISSION = ['mission', '{file}', *BOAT, '--all-legs-at', '0.7']
ANALYZE = ['analyze', '{file}', *BOAT]
READ = ['overlay', '{file}', '--simulated', '{file}', '--no-align']    # Which takes a fifth of the time.
LINES, XML = faulty_lines_file, in_file(faulty_xml)


def with_table(folder: Path) -> None:
    """Write a table and its column map."""
    (folder / 'a.csv').write_text(TABLE)
    (folder / 'a.yaml').write_text(yaml.safe_dump(COLUMNS))


def make_case(folder: Path) -> None:
    """Write a small case of OpenFOAM, beside it a plane of VTK and a shapefile without its table."""
    files = helper('openfoam_files')
    cells = files.write_mesh(folder / 'case')
    files.foam(folder / 'case/system/controlDict', 'dictionary', 'application pimpleFoam;\n')
    files.write_velocity(folder / 'case', '10', ['(2 -1 0)'] * cells)
    (folder / 'a.vtk').write_text('# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 float\n'
                                  '0 0 0\n50 0 0\n100 0 0\n0 50 0\n50 50 0\n100 50 0\n'
                                  'CELLS 2 10\n4 0 1 4 3\n4 1 2 5 4\n'
                                  'CELL_TYPES 2\n9\n9\nPOINT_DATA 6\nVECTORS U float\n' + '1 0 0\n' * 6)
    ring = struct.pack('<i4d3i10d', 5, 9.0, 45.0, 9.0006, 45.0006, 1, 5, 0,
                       9.0, 45.0, 9.0, 45.0006, 9.0006, 45.0006, 9.0006, 45.0, 9.0, 45.0)
    head = struct.pack('<2i8d', 1000, 5, 9.0, 45.0, 9.0006, 45.0006, 0.0, 0.0, 0.0, 0.0)
    (folder / 'a.shp').write_bytes(struct.pack('>7i', 9994, 0, 0, 0, 0, 0, 54 + len(ring) // 2) + head
                                   + struct.pack('>2i', 1, len(ring) // 2) + ring)
    (folder / 'a.shx').write_bytes(struct.pack('>7i', 9994, 0, 0, 0, 0, 0, 54) + head
                                   + struct.pack('>2i', 50, len(ring) // 2))
    (folder / 'a.prj').write_text('GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
                                  'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]')


def faulty_case(path: Path, rng: random.Random) -> None:
    """Change a file of a case of OpenFOAM."""
    faulty_lines_file(rng.choice(sorted(one for one in path.rglob('*') if one.is_file())), rng)


LAND = ['route', *BOAT, '--from', '44.999', '8.999', '--to', '45.002', '9.002', '--degrees', '--origin', '45', '9',
        '--land', '{file}']
KINDS: dict[str, Kind] = {
    'boat': Kind(['boat', 'check', '{file}'], copied('boats/lutra_prop'), 'a.yaml', faulty_yaml),
    'boat blueboat': Kind(['boat', 'check', '{file}'], copied('boats/blueboat'), 'a.yaml', faulty_yaml),
    'boat parts': Kind(['boat', 'check', '{file}'], copied('boats/otter_parts'), 'a.yaml', faulty_yaml),
    'boat sail': Kind(['boat', 'check', '{file}'], copied('boats/lutra_sail'), 'a.yaml', faulty_yaml),
    'facts': Kind(['boat', 'make', '{file}'], text('a.yaml', FACTS), 'a.yaml', faulty_yaml),
    'scenario': Kind(['run', '{file}'], copied('scenarios/3'), 'a.yaml', faulty_yaml),
    'thesis': Kind(['run', '{file}'], thesis, 'a.yaml', faulty_yaml),
    'sweep': Kind(['sweep', '{file}', '--out', '{folder}/b.nc', *NUMPY], make_sweep, 'a.yaml', faulty_yaml),
    'parts': Kind(['sweep', '{folder}/a.yaml', '--out', '{folder}/a.nc', *NUMPY], make_sweep, 'a.nc.parts/*',
                  faulty_part),
    'maneuver': Kind(['maneuver', '{file}', *BOAT], copied('maneuvers/a'), 'a.yaml', faulty_yaml),
    'acoustics': Kind(['acoustics', '{file}'], acoustics, 'a.yaml', faulty_yaml),
    'cell': Kind(['boat', 'check', '{folder}/b.yaml'], part('batteries/nmc', {'base': 'lutra_prop', 'battery': {
        'chemistry': 'a.yaml', 'series': 4, 'capacity_ah': 5.0, 'capacity_wh': None}}), 'a.yaml', faulty_yaml),
    'sensor': Kind(['run', '{folder}/b.yaml'], part('sensors/ublox_m8', {'base': '3', 'sensors': [
        {'name': 'gps', 'preset': 'a.yaml'}]}), 'a.yaml', faulty_yaml),
    'team': Kind(['team', '{file}'], copied('teams/box'), 'a.yaml', faulty_yaml),
    'quadcopter': Kind(['gazebo', 'quadcopter', '--quadcopter', '{file}'], copied('quadcopters/ar_drone'), 'a.yaml',
                       faulty_yaml),
    'flow': Kind(['flow', 'info', '{file}'], copied('flows/river'), 'a.yaml', faulty_yaml),
    'flow sea': Kind(['flow', 'info', '{file}'], copied('flows/sea'), 'a.yaml', faulty_yaml),
    'columns': Kind(['analyze', '{folder}/a.csv', '--columns', '{file}', *BOAT], with_table, 'a.yaml', faulty_yaml),
    'table': Kind(['analyze', '{file}', '--columns', '{folder}/a.yaml', *BOAT], with_table, 'a.csv', LINES),
    'cells': Kind(['identify', 'battery', '{file}'], text('a.csv', CELLS), 'a.csv', LINES),
    'bollard': Kind(['identify', 'bollard', '{file}'], text('a.csv', BOLLARD), 'a.csv', LINES),
    'run folder': Kind(['compare', '{file}', '{file}'], make_run, '3*', faulty_run),
    'run log': Kind(['analyze', '{file}'], make_run, '3*', faulty_run),
    'geojson': Kind([*MISSION, '--part', 'all'], text('a.geojson', json.dumps(LINE)), 'a.geojson', faulty_json_file),
    'openfoam': Kind(['flow', 'info', '{file}'], make_case, 'case', faulty_case),
    'vtk': Kind(['flow', 'info', '{file}'], make_case, 'a.vtk', LINES),
    'shapefile': Kind(LAND, make_case, 'a.shp', in_file(faulty_bytes)),
    'land': Kind(LAND, text('a.geojson', json.dumps(LINE)), 'a.geojson', faulty_json_file),
    'depth': Kind(['route', *BOAT, '--from', '10', '10', '--to', '100', '100', '--depth', '{file}', '--draught', '0.3',
                   '--land-metres'],
                  text('a.asc', RASTER), 'a.asc', LINES),
    'raster': Kind(['flow', 'info', '{file}', '--reader', 'raster', '--option', 'kind=components', '--option',
                    'unit=m/s', '--option', 'partner={folder}/b.asc'],
                   lambda folder: [(folder / name).write_text(RASTER) for name in ('a.asc', 'b.asc')], 'a.asc', LINES),
    **{f'mission {ending}': Kind(MISSION, mission(ending), f'a.{ending}', change) for ending, change in (
        ('plan', faulty_json_file), ('survey.plan', faulty_json_file), ('waypoints', LINES), ('gpx', XML), ('rtz', XML),
        ('lnw', LINES), ('yaml', faulty_yaml))},
    'mission kml': Kind([*MISSION, '--part', '1'], mission('kml'), 'a.kml', XML),
    'mission kmz': Kind([*MISSION, '--part', '1'], mission('kmz'), 'a.kmz', faulty_archive),
    **{f'log {name}': Kind(READ, east(name), name, LINES, ANALYZE) for name in (
        'plotter.csv', 'units.csv', 'ros.csv', 'autopilot.csv', 'rmc.nmea', 'gga.txt', 'boat.alog', 'ardupilot.log',
        'candump.log', 'bus.raw', 'cockpit.csv', 'cockpit.ass', 'compound.csv', 'solution.pos', 'trace.asc',
        'analyzer.txt')},
    **{f'log {name}': Kind(READ, east(name), name, XML, ANALYZE) for name in (
        'track.gpx', 'speed.gpx', 'track.kml', 'track.tcx')},
    'log points.kml': Kind(ANALYZE, east('points.kml'), 'points.kml', XML),
    **{f'log {name}': Kind(READ, east(name), name, faulty_json_file, ANALYZE) for name in (
        'track.geojson', 'points.json', 'cockpit.clog')},
    **{f'log {name}': Kind(READ, east(name), name, faulty_json_lines, ANALYZE) for name in (
        'deltas.jsonl', 'records.jsonl')},
    'log bus.ebl': Kind(READ, east('bus.ebl'), 'bus.ebl', in_file(faulty_bytes), ANALYZE),
    'mcap': Kind(READ, bag('MCAP'), 'bag', faulty_bag, ANALYZE),
    'db3': Kind(READ, bag('SQLITE3'), 'bag', faulty_bag, ANALYZE),
    'database': Kind(READ, bag('SQLITE3'), 'bag/bag.db3', faulty_database, ANALYZE),
    'metadata': Kind(['analyze', '{folder}/bag', *BOAT], bag('MCAP'), 'bag/metadata.yaml', faulty_yaml),
    'px4 bag': Kind(READ, east_bag('bag_of_px4', 'px4'), 'px4/px4.mcap', in_file(faulty_bytes), ANALYZE),
    'ros1': Kind(READ, east_bag('ros1_odometry', 'odom.bag'), 'odom.bag', faulty_ros1, ANALYZE),
    'ros1 sensors': Kind(READ, east_bag('ros1_sensors', 'sensors.bag'), 'sensors.bag', faulty_ros1, ANALYZE),
    'foxglove': Kind(READ, east_bag('bag_of_foxglove', 'foxglove.mcap'), 'foxglove.mcap', faulty_json_bag, ANALYZE),
    'blueos': Kind(READ, east_bag('bag_of_blueos', 'blueos.mcap'), 'blueos.mcap', faulty_json_bag, ANALYZE),
    'dataflash': Kind(READ, lambda folder: helper('dataflash_files').write_dataflash(
        folder / 'a.bin', helper('dataflash_files').circle(seconds=4)), 'a.bin', faulty_dataflash, ANALYZE),
    'telemetry': Kind(READ, write_telemetry, 'a.tlog', faulty_telemetry, ANALYZE),
    'live': Kind(['live', '{file}', *BOAT, '--settings', '{folder}/s.json'], write_telemetry, 'a.tlog',
                 faulty_telemetry),
    'ulog': Kind(ANALYZE, lambda folder: helper('ulog_files').circle(seconds=4).write(folder / 'a.ulg'), 'a.ulg',
                 faulty_ulog),
    'netcdf4': Kind(['flow', 'info', '{file}'], small_netcdf('NETCDF4'), 'a.nc', faulty_netcdf_file),
    'netcdf3': Kind(['flow', 'info', '{file}'], small_netcdf('NETCDF3_CLASSIC'), 'a.nc',
                    faulty_netcdf_file),
    'zarr': Kind(['flow', 'info', '{file}'], make_store, 'a.zarr', faulty_store),
    'grib': Kind(['flow', 'info', '{file}'], make_forecast, 'a.grib', faulty_grib),
    'hecras': Kind(['flow', 'info', '{file}'], make_plan_of_hecras, 'a.p01.hdf', faulty_plan_of_hecras),
}
