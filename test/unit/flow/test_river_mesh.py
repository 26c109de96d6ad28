"""The mesh of a river: what it covers, and how its faces and ghost cells are numbered."""

import numpy as np
import pytest

from usv_energy.flow.sample_files import river_mesh

LENGTH, WIDTH, LAND, CELL = 60.0, 20.0, 8.0, 4.0


def straight(pier=None):
    return river_mesh(LENGTH, WIDTH, LAND, CELL, 3, pier, lambda x: 0.0 * x)


def test_the_cells_cover_the_rectangle_once():
    """By the divergence theorem: half the flux of (x, y) out through the faces of a cell is its area."""
    mesh = straight()
    middle = mesh.points[mesh.face_points].mean(axis=1)
    flux = 0.5 * mesh.length * (mesh.normals * middle).sum(axis=1)
    area = (np.bincount(mesh.face_cells[:, 0], flux, len(mesh.centres))
            - np.bincount(mesh.face_cells[:, 1], flux, len(mesh.centres)))[:mesh.real]
    assert area.min() > 0.0
    assert area.sum() == pytest.approx(LENGTH * (WIDTH + 2.0 * LAND), rel=1e-12)


def test_each_face_of_the_outline_has_one_ghost_cell_in_its_middle():
    mesh = straight(pier=(30.0, 0.0, 6.0))
    outer = mesh.face_cells[:, 1] >= mesh.real
    ghosts = mesh.face_cells[outer, 1]
    assert sorted(ghosts) == list(range(mesh.real, len(mesh.centres)))
    np.testing.assert_allclose(mesh.centres[ghosts], mesh.points[mesh.face_points[outer]].mean(axis=1), atol=1e-12)
    assert (mesh.face_cells[:, 0] < mesh.real).all()


def test_the_pier_is_a_closed_ring_of_faces_and_a_straight_mesh_has_none():
    """Its faces' normals, weighted with their lengths, add up to nothing."""
    mesh = straight(pier=(30.0, 0.0, 6.0))
    assert not straight().at_pier.any() and mesh.at_pier.sum() >= 4
    around = (mesh.normals * mesh.length[:, None])[mesh.at_pier].sum(axis=0)
    np.testing.assert_allclose(around, 0.0, atol=1e-12)
