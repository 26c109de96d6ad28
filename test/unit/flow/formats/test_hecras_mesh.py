import numpy as np
import pytest

from usv_energy.flow.formats.hecras_file import Geometry, Mesh, Rebuild
from usv_energy.flow.sample_files import MeanderingRiver, face_velocities, river_mesh

FLOW = np.array((0.3, -0.7))


def mesh_of(river):
    made = river_mesh(river.length, river.width, river.land, river.cell, river.seed, river.pier,
                      lambda x: river.amplitude * np.sin(2 * np.pi * x / river.wavelength))
    none = np.empty(0, dtype=int)
    return Mesh(Geometry(made.points, made.face_points, made.face_cells, made.normals, made.centres, none,
                         np.empty((0, 2)))), made


@pytest.fixture(scope='module')
def river():
    return MeanderingRiver(pier=(300.0, 0.0, 9.0))


@pytest.fixture(scope='module')
def mesh(river):
    return mesh_of(river)[0]


def bent():
    """Return two squares side by side, 2 m; the right face of the right one bends outward to x = 5."""
    points = np.array([(0, 0), (2, 0), (4, 0), (4, 2), (2, 2), (0, 2)], dtype=float)
    faces = np.array([(0, 1), (1, 4), (4, 5), (5, 0), (1, 2), (2, 3), (3, 4)])
    cells = np.array([(0, 2), (0, 1), (0, 3), (0, 4), (1, 5), (1, 6), (1, 7)])
    along = points[faces[:, 1]] - points[faces[:, 0]]
    normals = np.stack((along[:, 1], -along[:, 0]), axis=1) / np.hypot(*along.T)[:, None]
    middles = points[faces[[0, 2, 3, 4, 5, 6]]].mean(axis=1)
    centres = np.concatenate((((1.0, 1.0), (3.0, 1.0)), middles))
    return Geometry(points, faces, cells, normals, centres, np.array([5, 5]), np.array([(5.0, 0.5), (5.0, 1.5)]))


def test_triangles_fill_the_real_cells(mesh, river):
    (x0, y0), (x1, y1), (x2, y2) = (mesh.nodes[mesh.triangles.corners[:, k]].T for k in range(3))
    area = 0.5 * abs((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0))
    outer, *holes = (shoelace(loop) for loop in mesh.outline())
    assert area.sum() == pytest.approx(outer + sum(holes), rel=1e-12)
    assert len(holes) == 1 and -400.0 < holes[0] < -150.0  # cells within 9 m of the pier, 254 m2
    assert set(mesh.triangle_cell) == set(np.flatnonzero(mesh.real))


def shoelace(loop):
    x, y = loop.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def test_a_bending_face_is_followed():
    mesh = Mesh(bent())
    found, _ = mesh.triangles.find(np.array([4.9, 4.9, 4.9, 1.0]), np.array([1.0, 0.3, 0.6, 1.0]),
                                   np.ones(len(mesh.triangle_cell), dtype=bool))
    assert (found >= 0).tolist() == [True, False, True, True]
    assert [shoelace(loop) for loop in mesh.outline()] == [pytest.approx(4 + 4 + 1.5)]
    nodes = Rebuild(mesh).nodes(mesh.real, mesh.normals @ FLOW, None, None)
    np.testing.assert_allclose(nodes[np.unique(mesh.triangles.corners)] - FLOW, 0.0, atol=1e-15)


def test_a_centre_outside_its_cell_is_replaced():
    geometry = bent()
    geometry.centres[1] = (1.9, 1.0)
    mesh = Mesh(geometry)
    assert 2.0 < mesh.nodes[1, 0] < 5.0
    found, _ = mesh.triangles.find(np.array([3.9]), np.array([1.0]), np.ones(len(mesh.triangle_cell), dtype=bool))
    assert found[0] >= 0


def test_uniform_flow_comes_back(mesh):
    rebuild = Rebuild(mesh)
    cells = rebuild.cells(mesh.normals @ FLOW)[mesh.real]
    np.testing.assert_allclose(cells - FLOW, 0.0, atol=1e-13)
    nodes = rebuild.nodes(mesh.real, mesh.normals @ FLOW, None, None)
    np.testing.assert_allclose(nodes[np.unique(mesh.triangles.corners)] - FLOW, 0.0, atol=1e-13)


def test_uniform_flow_comes_back_from_what_faces_are_known(mesh, rng):
    """Faces without a value are left out, not taken as still."""
    face = np.where(rng.uniform(size=mesh.faces) < 0.2, np.nan, mesh.normals @ FLOW)
    known = np.bincount(mesh.geometry.face_cells[np.isfinite(face)].ravel(), minlength=mesh.cells)
    cells = Rebuild(mesh).cells(face)
    np.testing.assert_allclose(cells[mesh.real & (known >= 3)] - FLOW, 0.0, atol=1e-12)
    assert np.isnan(cells[known == 0]).all()


def test_one_known_face_gives_its_own_velocity():
    mesh = Mesh(bent())
    cells = Rebuild(mesh).cells(np.array([np.nan, 0.4, np.nan, np.nan, np.nan, np.nan, np.nan]))
    np.testing.assert_allclose(cells[:2], [(0.4, 0.0)] * 2, atol=1e-15)


def test_dry_cells_do_not_slow_their_neighbours(mesh):
    """The velocity on the face between a wet and a dry cell is the wet one's, along the face."""
    wet = mesh.real & (mesh.geometry.centres[:, 1] > 0.0)
    cell = np.where(wet[:, None], FLOW, 0.0)
    nodes = Rebuild(mesh).nodes(wet, None, cell, None)
    used = np.unique(mesh.triangles.corners[wet[mesh.triangle_cell]])
    np.testing.assert_allclose(nodes[used] - FLOW, 0.0, atol=1e-15)


def test_velocities_of_face_points_are_taken(mesh, rng):
    point = rng.normal(size=(len(mesh.geometry.points), 2))
    nodes = Rebuild(mesh).nodes(mesh.real, None, None, point)
    np.testing.assert_array_equal(nodes[mesh.cells:mesh.cells + len(point)], point)
    lacking = point.copy()
    lacking[7] = np.nan
    again = Rebuild(mesh).nodes(mesh.real, None, None, lacking)
    assert np.isfinite(again[np.unique(mesh.triangles.corners)]).all()


def test_cells_of_a_sheared_river_converge():
    """Least squares on an irregular mesh are of first order; halving the cells must halve the error."""
    errors = []
    for size in (6.0, 3.0, 1.5):
        river = MeanderingRiver(length=150.0, cell=size, land=12.0)
        mesh, made = mesh_of(river)
        cells = Rebuild(mesh).cells(face_velocities(river, made, 0.0))
        exact = np.stack(river.velocity(0.0, *made.centres.T), axis=1)
        in_river = mesh.real & (river.bed(*made.centres.T) < 100.0)
        errors.append(np.sqrt(((cells - exact)[in_river] ** 2).mean()))
    order = np.log2(np.divide(errors[:-1], errors[1:]))
    assert (order > 0.9).all(), (errors, order)
