"""A plane of an OpenFOAM case, of VTK files and of ParaView's CSV: values, buildings, edges, times and damage."""

import json
import re
import shutil

import numpy as np
import places
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow import readers
from usv_energy.flow.formats.openfoam.openfoam_reader import open_openfoam, recognises
from usv_energy.flow.formats.openfoam.plane import face_triangles, slice_triangles
from usv_energy.flow.walls import inside_walls

RNG = np.random.default_rng(11)
DATA = places.DATA / 'openfoam'
real = pytest.mark.skipif(not DATA.is_dir(), reason=f'no real data at {DATA} (USV_ENERGY_DATA)')
HEAD = 'FoamFile\n{{\n version 2.0;\n format ascii;\n class {kind};\n object {name};\n}}\n\n'
CELLS = (8, 6, 4)          # of the small case, 5 m each: x 0..40, y 0..30, z 0..20
BUILDING = ((3, 5), (2, 4), (0, 3))  # cells left out: x 15..25, y 10..20, z 0..15


def in_small_building(x, y):
    return (x > 15.0) & (x < 25.0) & (y > 10.0) & (y < 20.0)


def foam(path, kind, body):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD.format(kind=kind, name=path.name) + body)


def listed(rows):
    return f'{len(rows)}\n(\n' + '\n'.join(rows) + '\n)\n'


def write_mesh(case):
    """Write a block of cubes with a building left out; patches: sides, and the building's walls. Returns the cells."""
    nx, ny, nz = CELLS
    free = np.ones(CELLS, dtype=bool)
    free[tuple(slice(*span) for span in BUILDING)] = False
    number = np.where(free, np.cumsum(free.ravel()).reshape(CELLS) - 1, -1)

    def point(i, j, k):
        return (k * (ny + 1) + j) * (nx + 1) + i

    places = [(5 * i, 5 * j, 5 * k) for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)]
    faces = {'inner': [], 'sides': [], 'building': []}
    for axis in range(3):
        for cell in np.ndindex(*(n + (a == axis) for a, n in enumerate(CELLS))):
            before = tuple(c - (a == axis) for a, c in enumerate(cell))
            low = number[before] if min(before) >= 0 else -1
            high = number[cell] if cell[axis] < CELLS[axis] else -1
            if low < 0 and high < 0:
                continue
            one, two = (a for a in range(3) if a != axis)
            ring = [list(cell) for _ in range(4)]
            for corner, (p, q) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
                ring[corner][one] += p
                ring[corner][two] += q
            if (axis == 1) == (low >= 0):  # outward from the owner: ring runs with the axis, but for y
                ring.reverse()
            owner, other = (low, high) if low >= 0 else (high, -1)
            edge = cell[axis] in (0, CELLS[axis])
            kind = 'inner' if other >= 0 else 'sides' if edge else 'building'
            faces[kind].append((owner, other, [point(*corner) for corner in ring]))
    faces['inner'].sort(key=lambda face: face[:2])
    every = [face for kind in faces.values() for face in kind]
    mesh = case / 'constant' / 'polyMesh'
    foam(mesh / 'points', 'vectorField', listed([f'({x} {y} {z})' for x, y, z in places]))
    foam(mesh / 'faces', 'faceList', listed([f'4({" ".join(map(str, face[2]))})' for face in every]))
    foam(mesh / 'owner', 'labelList', listed([str(face[0]) for face in every]))
    foam(mesh / 'neighbour', 'labelList', listed([str(face[1]) for face in faces['inner']]))
    start, patches = len(faces['inner']), []
    for kind in ('sides', 'building'):
        patches.append(f'{kind} {{ type patch; nFaces {len(faces[kind])}; startFace {start}; }}')
        start += len(faces[kind])
    foam(mesh / 'boundary', 'polyBoundaryMesh', listed(patches))
    return int(free.sum())


def write_velocity(case, time, rows):
    body = ('dimensions [0 1 -1 0 0 0 0];\ninternalField nonuniform List<vector>\n' + listed(rows)
            + ';\nboundaryField { sides { type zeroGradient; } building { type zeroGradient; } }\n')
    foam(case / time / 'U', 'volVectorField', body)


@pytest.fixture
def case(tmp_path):
    """A small case, two times: (2, -1, 0) m/s everywhere at 10 s, twice that at 30 s."""
    pytest.importorskip('pyvista')
    case = tmp_path / 'case'
    cells = write_mesh(case)
    foam(case / 'system' / 'controlDict', 'dictionary', 'application pimpleFoam;\n')
    write_velocity(case, '10', ['(2 -1 0)'] * cells)
    write_velocity(case, '30', ['(4 -2 0)'] * cells)
    (case / 'case.foam').touch()
    return case


def test_a_small_case_is_read_with_its_building_and_times(case):
    flow = open_openfoam(case, {'height': 7.0, 'spacing': 2.0})
    assert flow.times.tolist() == [0.0, 20.0] and flow.extent == (0.0, 0.0, 40.0, 30.0)
    x, y = RNG.uniform((-3.0, -3.0), (43.0, 33.0), (5000, 2)).T
    for t, factor in ((0.0, 1.0), (5.0, 1.25), (20.0, 2.0)):
        vx, vy, inside = flow.velocity(t, x, y)
        free = (x >= 0.0) & (x <= 40.0) & (y >= 0.0) & (y <= 30.0) & ~in_small_building(x, y)
        np.testing.assert_array_equal(inside, free)
        np.testing.assert_allclose(vx[inside], 2.0 * factor, rtol=1e-6)  # VTK reads single precision
        np.testing.assert_allclose(vy[inside], -1.0 * factor, rtol=1e-6)
        assert np.isnan(vx[~inside]).all() and np.isnan(vy[~inside]).all()
    assert not flow.velocity(20.1, x, y)[2].any()
    flow.close()


def test_above_the_building_there_is_none_and_the_edge_is_inside(case):
    flow = open_openfoam(case, {'height': 17.0})
    assert flow.velocity(0.0, np.array([20.0, 0.0, 40.0]), np.array([15.0, 0.0, 30.0]))[2].all()
    assert len(flow.outline()) == 1
    assert len(open_openfoam(case, {'height': 7.0}).outline()) == 2


@pytest.mark.parametrize(('height', 'building'), [(5.0, True), (14.999, True), (15.0, False)])
def test_a_plane_along_faces_of_the_mesh_is_clear(case, height, building):
    inside = open_openfoam(case, {'height': height}).velocity(0.0, np.array([20.0, 5.0]), np.array([15.0, 5.0]))[2]
    assert inside.tolist() == [not building, True]


def test_case_is_known_by_its_folder_its_foam_file_and_its_control_dictionary(case, tmp_path):
    for path in (case, case / 'case.foam', case / 'system' / 'controlDict'):
        assert recognises(path)
        assert readers.open_flow(path, {'spacing': 5.0}).velocity(0.0, np.ones(1), np.ones(1))[2][0]
    (tmp_path / 'lonely.foam').touch()
    for path in (tmp_path, tmp_path / 'lonely.foam', case / '10' / 'U', tmp_path / 'none'):
        assert not recognises(path)


def test_times_of_a_steady_solver_are_iterations_the_last_is_taken(case):
    foam(case / 'system' / 'fvSchemes', 'dictionary', 'ddtSchemes\n{\n    default         steadyState;\n}\n')
    flow = open_openfoam(case, {})
    assert flow.times.tolist() == [0.0]
    assert flow.velocity(0.0, np.ones(1), np.ones(1))[0][0] == pytest.approx(4.0)
    assert any('iterations' in note for note in flow.describe()['notes'])
    assert open_openfoam(case, {'time': 'all'}).times.tolist() == [0.0, 20.0]
    assert open_openfoam(case, {'time': 10}).velocity(0.0, np.ones(1), np.ones(1))[0][0] == pytest.approx(2.0)


@pytest.mark.parametrize(('options', 'message'), [
    ({'height': 20.5}, 'option height: 20.5: the plane misses the mesh; allowed: 0 to 20'),
    ({'height': 'low'}, "option height: 'low'; allowed: a number, m"),
    ({'spacing': 0.0}, 'option spacing: 0.0; allowed: a number, m, above 0'),
    ({'spacing': 1e-3}, 'option spacing: 0.001: a grid of .* nodes; allowed'),
    ({'velocity': 'V'}, "option velocity: no field 'V'; it has: U"),
    ({'values': 'faces'}, "option values: 'faces'; allowed: points, cells"),
    ({'time': 20}, 'option time: 20; allowed: all, last, 10, 30')])
def test_wrong_options_are_refused_by_name(case, options, message):
    with pytest.raises(InputError, match=message):
        open_openfoam(case, options)


def test_a_case_without_times_or_field_and_a_scalar_are_refused(case):
    (case / '10' / 'U').unlink()
    body = 'dimensions [0 2 -2 0 0 0 0];\ninternalField uniform 1;\nboundaryField { ".*" { type zeroGradient; } }\n'
    foam(case / '10' / 'p', 'volScalarField', body)
    with pytest.raises(InputError, match="time 10: option velocity: no field 'U'; it has: p"):
        open_openfoam(case, {})
    with pytest.raises(InputError, match="time 10: option velocity: 'p' is no vector"):
        open_openfoam(case, {'velocity': 'p'})
    shutil.rmtree(case / '10')
    shutil.rmtree(case / '30')
    with pytest.raises(InputError, match=r'no field|no time folders'):
        open_openfoam(case, {})


@pytest.mark.parametrize('part', ['10/U', 'constant/polyMesh/points', 'constant/polyMesh/faces',
                                  'constant/polyMesh/owner'])
def test_a_truncated_case_is_refused(case, part):
    text = (case / part).read_text()
    (case / part).write_text(text[:len(text) // 2])
    with pytest.raises(InputError, match=re.escape(str(case))):
        open_openfoam(case, {})


def test_a_later_time_that_is_damaged_is_refused_when_it_is_needed(case):
    text = (case / '30' / 'U').read_text()
    (case / '30' / 'U').write_text(text[:len(text) // 2])
    flow = open_openfoam(case, {})
    at = np.ones(1), np.ones(1)
    assert flow.velocity(0.0, *at)[2][0]
    with pytest.raises(InputError, match='truncated or damaged'):
        flow.velocity(10.0, *at)
    assert flow.velocity(0.0, *at)[2][0]


def test_without_pyvista_it_says_what_to_install(case, monkeypatch):
    monkeypatch.setitem(__import__('sys').modules, 'pyvista', None)
    with pytest.raises(InputError, match='pip install pyvista'):
        open_openfoam(case, {})


def linear(points):
    return np.column_stack((0.5 + 0.1 * points[:, 0] - 0.05 * points[:, 1], 0.2 * points[:, 1], 0.0 * points[:, 2]))


@pytest.mark.parametrize('kind', ['volume.vti', 'volume.vtk', 'plane.vtp', 'plane.vtk'])
def test_vtk_files_of_a_volume_and_of_a_plane(tmp_path, kind):
    """A field linear in space is returned as it is, from point data; the plane has no height to state."""
    pyvista = pytest.importorskip('pyvista')
    mesh = pyvista.ImageData(dimensions=(9, 7, 5), spacing=(5.0, 5.0, 5.0))
    if kind.startswith('plane'):
        mesh = mesh.slice(normal='z', origin=(0.0, 0.0, 7.0))
    mesh.point_data['U'] = linear(np.asarray(mesh.points))
    mesh.save(tmp_path / kind)
    assert recognises(tmp_path / kind)
    flow = readers.open_flow(tmp_path / kind, {'height': 7.0} if kind.startswith('volume') else {})
    x, y = RNG.uniform((-3.0, -3.0), (43.0, 33.0), (2000, 2)).T
    vx, vy, inside = flow.velocity(0.0, x, y)
    np.testing.assert_array_equal(inside, (x >= 0.0) & (x <= 40.0) & (y >= 0.0) & (y <= 30.0))
    exact = linear(np.column_stack((x, y, x)))[inside]
    np.testing.assert_allclose(vx[inside], exact[:, 0], atol=2e-6)
    np.testing.assert_allclose(vy[inside], exact[:, 1], atol=2e-6)
    assert flow.describe()['height_m'] == pytest.approx(7.0)


def test_a_damaged_vtk_file_is_refused(tmp_path):
    pyvista = pytest.importorskip('pyvista')
    mesh = pyvista.ImageData(dimensions=(9, 7, 5))
    mesh.point_data['U'] = np.ones((mesh.n_points, 3))
    mesh.save(tmp_path / 'a.vti')
    whole = (tmp_path / 'a.vti').read_bytes()
    (tmp_path / 'a.vti').write_bytes(whole[:len(whole) // 2])
    with pytest.raises(InputError, match=r'a\.vti: '):
        open_openfoam(tmp_path / 'a.vti', {})


def write_csv(path, x, y, vx, vy, z=10.0, names='Points:0,Points:1,Points:2,U:0,U:1,U:2', mask=None):
    columns = [x, y, np.broadcast_to(z, np.shape(x)), vx, vy, 0.0 * np.asarray(x), *([] if mask is None else [mask])]
    lines = [','.join(f'{value:.9g}' for value in row) for row in np.column_stack(columns)]
    path.write_text('\n'.join([names + ('' if mask is None else ',vtkValidPointMask'), *lines]) + '\n')
    return path


def lattice():
    x, y = np.meshgrid(np.arange(0.0, 11.0, 2.0), np.arange(-4.0, 5.0, 1.0))
    return x.ravel(), y.ravel()


@pytest.mark.parametrize('names', ['Points:0,Points:1,Points:2,U:0,U:1,U:2',
                                   '"Points_0","Points_1","Points_2","U_0","U_1","U_2"'])
def test_a_csv_lattice_is_bilinear_and_its_gaps_are_outside(tmp_path, names):
    x, y = lattice()
    vx = np.where((x == 4.0) & (y == 0.0), np.nan, 0.5 + 0.1 * x)
    path = write_csv(tmp_path / 'p.csv', x, y, vx, 0.2 * y, names=names)
    assert readers.recognise(path).name == 'openfoam'
    flow = readers.open_flow(path)
    vx, vy, inside = flow.velocity(0.0, np.array([7.0, 4.0, 4.9, 5.1, -0.1]), np.array([0.5, 0.0, 0.0, 0.0, 0.0]))
    assert inside.tolist() == [True, False, False, True, False]
    assert (vx[0], vy[0]) == pytest.approx((1.2, 0.1))


def test_places_that_paraview_masks_are_outside_though_their_velocity_is_zero(tmp_path):
    x, y = lattice()
    mask = (x != 4.0).astype(int)
    flow = open_openfoam(write_csv(tmp_path / 'p.csv', x, y, mask * 1.0, 0.0 * x, mask=mask), {})
    assert flow.velocity(0.0, np.array([4.0, 8.0]), np.array([0.0, 0.0]))[2].tolist() == [False, True]
    flow = open_openfoam(write_csv(tmp_path / 'q.csv', x, y, mask * 1.0, 0.0 * x), {})
    assert any('exactly 0' in note for note in flow.describe()['notes'])


def test_scattered_points_are_linear_between_neighbours_and_gaps_are_stated(tmp_path):
    x, y = RNG.uniform(0.0, 20.0, (2, 3000))
    x, y = np.append(x, [0.0, 20.0, 0.0, 20.0]), np.append(y, [0.0, 0.0, 20.0, 20.0])
    keep = np.hypot(x - 10.0, y - 10.0) > 4.0  # a round building
    path = write_csv(tmp_path / 's.csv', x[keep], y[keep], 0.1 * x[keep], 0.2 * y[keep])
    with pytest.raises(InputError, match=r's.csv: option gap is missing: .*buildings'):
        open_openfoam(path, {})
    flow = open_openfoam(path, {'gap': 3.0, 'spacing': 0.25})
    px, py = RNG.uniform(0.0, 20.0, (2, 2000))
    vx, vy, inside = flow.velocity(0.0, px, py)
    assert not inside[np.hypot(px - 10.0, py - 10.0) < 3.5].any()
    assert inside[np.hypot(px - 10.0, py - 10.0) > 5.0].mean() > 0.95  # the outermost neighbours are far apart
    np.testing.assert_allclose(vx[inside], 0.1 * px[inside], atol=0.02)  # exact but beside the hole: half a node
    np.testing.assert_allclose(vy[inside], 0.2 * py[inside], atol=0.04)


def test_csv_faults(tmp_path):
    x, y = lattice()
    path = write_csv(tmp_path / 'p.csv', x, y, x, y)
    with pytest.raises(InputError, match=r"p.csv: option velocity: no vector 'V'; it has: U"):
        open_openfoam(path, {'velocity': 'V'})
    with pytest.raises(InputError, match=r'p.csv: option height: 3; it has: 10'):
        open_openfoam(path, {'height': 3})
    two = write_csv(tmp_path / 'two.csv', np.tile(x, 2), np.tile(y, 2), np.tile(x, 2), np.tile(y, 2),
                    z=np.repeat((10.0, 20.0), x.size))
    with pytest.raises(InputError, match=r'two.csv: option height is missing: .*allowed: one of 10, 20'):
        open_openfoam(two, {})
    assert open_openfoam(two, {'height': 20.0}).velocity(0.0, np.ones(1), np.ones(1))[2][0]
    text = path.read_text()
    path.write_text(text[:-9])
    with pytest.raises(InputError, match=r'p.csv: truncated or damaged'):
        open_openfoam(path, {})
    path.write_text(text.splitlines()[0] + '\n')
    with pytest.raises(InputError, match=r'p.csv: truncated or damaged'):
        open_openfoam(path, {})
    for other in ('t,x,y\n0,1,2\n', '', 'Points:0,Points:1,Points:2\n1,2,3\n'):
        path.write_text(other)
        assert not recognises(path)


def ring(x, y, radius, corners, turn=0.0):
    angle = turn + 2.0 * np.pi * np.arange(corners) / corners
    return np.column_stack((x + radius * np.cos(angle), y + radius * np.sin(angle)))


def test_walls_tell_inside_exactly():
    """Against matplotlib's own test of each polygon: a square, a hole with an island in it, a bay. None differs."""
    path = pytest.importorskip('matplotlib.path')
    shapely = pytest.importorskip('shapely')
    polygons = [np.array(((0.0, 0.0), (100.0, 0.0), (100.0, 80.0), (0.0, 80.0))), ring(30.0, 30.0, 22.0, 37),
                ring(30.0, 30.0, 9.0, 4, 0.3), np.array(((60.0, 60), (90, 60), (90, 70), (75, 63), (60, 70)))]
    x, y = RNG.uniform((-5.0, -5.0), (105.0, 85.0), (100_000, 2)).T
    times = sum(path.Path(polygon).contains_points(np.column_stack((x, y))).astype(int) for polygon in polygons)
    inside = inside_walls(shapely, polygons[::-1])
    np.testing.assert_array_equal(inside(x, y), times % 2 == 1)
    assert inside(np.array([0.0, 100.0, 50.0, np.nan]), np.array([5.0, 80.0, 0.0, 1.0])).tolist() == [
        True, True, True, False]


def test_the_slice_of_a_closed_surface_closes():
    """A pyramid of four-cornered and three-cornered faces, cut everywhere, also at its base and tip."""
    points = np.array(((0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0), (2, 2, 3.0)))
    faces = np.array((4, 0, 3, 2, 1, 3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 3, 4, 3, 3, 0, 4))
    for height in (0.0, 1.0, 1.5, 3.0):
        segments = slice_triangles(*face_triangles(points, faces), height)
        length = np.hypot(*(segments[:, 1] - segments[:, 0]).T).sum() if len(segments) else 0.0
        assert length == pytest.approx(16.0 * (1.0 - height / 3.0))  # the square's way round


def patch_triangles(name):
    """The triangles of a patch, about the faces' centres, read from the ASCII files without the reader."""
    mesh = DATA / 'windAroundBuildings' / 'constant' / 'polyMesh'
    entry = re.search(rf'\b{name}\b\s*{{[^}}]*nFaces\s+(\d+);\s*startFace\s+(\d+);', (mesh / 'boundary').read_text())
    count, start = int(entry[1]), int(entry[2])
    body = (mesh / 'points').read_text().split('// * *', 1)[1]
    points = np.array(re.findall(r'^\((\S+) (\S+) (\S+)\)$', body, re.MULTILINE), dtype=float)
    faces = re.findall(r'^\d+\(([\d ]+)\)$', (mesh / 'faces').read_text(), re.MULTILINE)[start:start + count]
    triangles = []
    for face in faces:
        corner = points[[int(word) for word in face.split()]]
        after, middle = np.roll(corner, -1, axis=0), corner.mean(axis=0)
        weight = np.linalg.norm(np.cross(after - corner, middle - corner), axis=1)
        centre = weight @ (corner + after + middle) / 3.0 / weight.sum()
        triangles += [(a, b, centre) for a, b in zip(corner, after)]
    return np.array(triangles)


def under_roofs(triangles, x, y, z):
    """Whether an odd number of the triangles lies above each point: the point is in a building."""
    crossed = np.zeros(x.size, dtype=int)
    order = np.argsort(x)
    for a, b, c in triangles[triangles[:, :, 2].max(axis=1) > z]:
        turn = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        if abs(turn) < 1e-12:
            continue
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        first, last = np.searchsorted(x, (low[0], high[0]), sorter=order)
        near = order[first:last]
        near = near[(y[near] >= low[1]) & (y[near] <= high[1])]
        u = ((x[near] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y[near] - a[1])) / turn
        v = ((b[0] - a[0]) * (y[near] - a[1]) - (x[near] - a[0]) * (b[1] - a[1])) / turn
        over = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]) > z
        crossed[near[(u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & over]] += 1
    return crossed % 2 == 1


@real
def test_wind_around_buildings_has_no_wind_in_its_buildings():
    """100 000 places against the rays upwards through the case's own patch `buildings`: not one differs."""
    pytest.importorskip('pyvista')
    flow = readers.open_flow(DATA / 'windAroundBuildings' / 'case.foam', {'height': 10.0})
    x, y = RNG.uniform((-40.0, -70.0), (350.0, 250.0), (100_000, 2)).T
    vx, vy, inside = flow.velocity(0.0, x, y)
    domain = (x >= -20.0) & (x <= 330.0) & (y >= -50.0) & (y <= 230.0)
    walls = patch_triangles('buildings')
    building = under_roofs(walls, x, y, 10.0 + 2e-5)
    doubtful = building != under_roofs(walls, x, y, 10.0 - 2e-5)  # under roofs of 10 m, to rounding
    assert doubtful.sum() < 100
    doubtful |= (y > 230.0 - 0.01) & (y < 230.04)  # the side of the domain is not quite straight there
    assert building.sum() > 5000
    np.testing.assert_array_equal(inside[~doubtful], (domain & ~building)[~doubtful])
    assert np.isnan(vx[~inside]).all() and np.isnan(vy[~inside]).all()
    assert not ((vx == 0.0) & (vy == 0.0)).any()


@real
def test_wind_around_buildings_equals_paraviews_plane_of_it():
    """
    At ParaView's own lattice: root mean square below 0.01 m/s (0.006), all of it from some 50 places on walls.

    There VTK may take either of two cells, whose values differ. Elsewhere the difference is that of the printed digits
    (median 3e-5 m/s of 5 m/s). The finer default grid adds what bilinear cells cut off beside walls, 0.06 m/s.
    """
    pytest.importorskip('pyvista')
    rows = np.loadtxt(DATA / 'wind_z10m.csv', delimiter=',', skiprows=1)
    for spacing, allowed in ((2.0, 0.01), (None, 0.08)):
        flow = readers.open_flow(DATA / 'windAroundBuildings', {'height': 10.0} | (
            {} if spacing is None else {'spacing': spacing}))
        vx, vy, inside = flow.velocity(0.0, rows[:, 0], rows[:, 1])
        both = inside & np.isfinite(rows[:, 3])
        assert both.sum() > 22_800
        assert not (inside & ~np.isfinite(rows[:, 3])).any()
        off = np.hypot(vx - rows[:, 3], vy - rows[:, 4])[both]
        assert np.sqrt(np.mean(off ** 2)) < allowed
        if spacing:
            assert np.median(off) < 5e-5
            assert (off > 0.01).mean() < 0.003


@real
def test_paraviews_plane_is_returned_as_it_is():
    rows = np.loadtxt(DATA / 'wind_z10m.csv', delimiter=',', skiprows=1)
    flow = readers.open_flow(DATA / 'wind_z10m.csv')
    vx, vy, inside = flow.velocity(0.0, rows[:, 0], rows[:, 1])
    np.testing.assert_array_equal(inside, np.isfinite(rows[:, 3]))
    np.testing.assert_array_equal((vx, vy), rows[:, 3:5].T)
    told = json.loads(json.dumps(flow.describe(), allow_nan=False))
    assert told['points_with_value'] == 22_885 and told['height_m'] == 10.0
