"""A plane of an OpenFOAM case, of VTK files and of ParaView's CSV: values, buildings, edges, times and damage."""

import re
import shutil

import numpy as np
import pytest
from openfoam_files import DATA, foam, write_mesh, write_velocity

from usv_energy.files.errors import InputError
from usv_energy.flow import readers
from usv_energy.flow.formats.openfoam_reader import open_openfoam, recognises

RNG = np.random.default_rng(11)


real = pytest.mark.skipif(not DATA.is_dir(), reason=f'no real data at {DATA} (USV_ENERGY_DATA)')


def in_small_building(x, y):
    return (x > 15.0) & (x < 25.0) & (y > 10.0) & (y < 20.0)


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


@pytest.mark.parametrize('cells', ['CELLS 1 5\n4 0 1 2 999999999', 'CELLS 1 5\n1000000 0 1 2 3',
                                   'CELLS 2000000000 2000000000\n4 0 1 2 3'])
def test_a_file_that_ends_vtk_or_fills_its_memory_is_refused_in_a_line(tmp_path, capfd, cells):
    """VTK reads beyond its arrays, or takes 12 GB. What it prints itself, in colours, is not shown."""
    pytest.importorskip('pyvista')
    (tmp_path / 'a.vtk').write_text('# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n'
                                    f'0 0 0 1 0 0 1 1 0 0 1 0\n{cells}\nCELL_TYPES 1\n9\nPOINT_DATA 4\n'
                                    'VECTORS U float\n' + '1 0 0 ' * 4)
    with pytest.raises(InputError, match=r'a\.vtk: (is damaged: VTK ended|VTK cannot read it|no cells)'):
        open_openfoam(tmp_path / 'a.vtk', {})
    assert capfd.readouterr().err == ''


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
