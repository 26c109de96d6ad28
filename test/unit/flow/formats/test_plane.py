"""The slice of a surface of triangles."""

import numpy as np
import pytest

from usv_energy.flow.formats.openfoam_plane import face_triangles, slice_triangles


def test_the_slice_of_a_closed_surface_closes():
    """A pyramid of four-cornered and three-cornered faces, cut everywhere, also at its base and tip."""
    points = np.array(((0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0), (2, 2, 3.0)))
    faces = np.array((4, 0, 3, 2, 1, 3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 3, 4, 3, 3, 0, 4))
    for height in (0.0, 1.0, 1.5, 3.0):
        segments = slice_triangles(*face_triangles(points, faces), height)
        length = np.hypot(*(segments[:, 1] - segments[:, 0]).T).sum() if len(segments) else 0.0
        assert length == pytest.approx(16.0 * (1.0 - height / 3.0))  # the square's way round
