"""The correlation of a boat file: what is refused, and draws that have it."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.correlation import Correlation, correlation_from, joint_normals
from usv_energy.files.errors import InputError

GOOD = '{numbers: [inertia.m11, damping.linear.d11], matrix: [[1, 0.8], [0.8, 1]]}'


def boat_with(yaml_file, correlation):
    return read_boat(str(yaml_file(f'base: lutra_prop\ncorrelation: {correlation}')))


def test_a_boat_has_the_correlation_of_its_file(yaml_file):
    found = boat_with(yaml_file, GOOD).correlation
    assert found.numbers == ('inertia.m11', 'damping.linear.d11')
    np.testing.assert_array_equal(found.matrix, [[1.0, 0.8], [0.8, 1.0]])
    assert read_boat('lutra_prop').correlation is None
    assert found.place('damping.linear.d11') == 1 and found.place('inertia.m22') is None
    lag = Correlation(('thrusters.*.lag',), np.eye(1))
    assert lag.place('thrusters.1.lag') == lag.place('thrusters.*.lag') == 0


@pytest.mark.parametrize(('correlation', 'said'), [
    (GOOD.replace('m11', 'm12'), r'correlation\.numbers: .*inertia\.m12'),
    (GOOD.replace('damping.linear.d11', 'inertia.m11'), r'inertia\.m11 twice'),
    (GOOD.replace('[0.8, 1]', '[0.8, 1], [0, 0]'), 'has 3 rows'),
    (GOOD.replace('[0.8, 1]', '[0.7, 1]'), 'must be symmetric'),
    (GOOD.replace('[0.8, 1]', '[0.8, 0.9]'), '1 on its diagonal'),
    (GOOD.replace('0.8', '1.2'), r'1\.2'),
    ('{numbers: [inertia.m11, inertia.m22, inertia.m33], matrix: [[1, 0.9, 0.9], [0.9, 1, -0.9], [0.9, -0.9, 1]]}',
     r'eigenvalue -0\.8; must be positive semidefinite'),
    ('{numbers: [inertia.m11]}', 'matrix')])
def test_what_is_no_correlation_is_refused_by_name(yaml_file, correlation, said):
    with pytest.raises(InputError, match=said):
        boat_with(yaml_file, correlation)


def test_draws_have_the_correlation_and_unit_variance_and_thrusters_share_theirs():
    known = Correlation(('a', 'thrusters.*.lag'), np.array([[1.0, -0.6], [-0.6, 1.0]]))
    normals = joint_normals(known, ['other', 'thrusters.0.lag', 'a', 'thrusters.1.lag'])
    assert normals.size == 3
    drawn = normals.joined(np.random.default_rng(1).standard_normal((20000, normals.size)))
    np.testing.assert_array_equal(drawn[:, 1], drawn[:, 3])
    wanted = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, -0.6], [0.0, -0.6, 1.0]])
    np.testing.assert_allclose(np.cov(drawn[:, :3].T), wanted, atol=0.03)


def test_a_matrix_that_its_digits_made_singular_is_drawn_from():
    """Three numbers that are one, rounded: a least eigenvalue a little below 0."""
    matrix = np.array([[1.0, 1.0, 0.9999], [1.0, 1.0, 1.0], [0.9999, 1.0, 1.0]])
    drawn = joint_normals(Correlation(('a', 'b', 'c'), matrix), ['a', 'b', 'c']).joined(np.eye(3))
    np.testing.assert_allclose(drawn.T @ drawn, matrix, atol=1e-3)


def test_a_matrix_may_be_singular_and_a_little_less_by_its_digits():
    """Three numbers that are one, and eigenvalues from -0.003 on; rows that differ by a thousandth are symmetric."""
    def of(a, b, c):
        return correlation_from({'numbers': ['inertia.m11', 'inertia.m22', 'inertia.m33'],
                                 'matrix': [[1, a, b], [a, 1, c], [b, c, 1]]}, '')

    assert of(1, 1, 1).matrix.tolist() == np.ones((3, 3)).tolist()
    for c, good in ((0.994, True), (0.9912, True), (0.9905, False), (0.96, False)):
        least = float(np.linalg.eigvalsh([[1, 1, 1], [1, 1, c], [1, c, 1]]).min())
        assert (least >= -3e-3) is good
        if good:
            of(1, 1, c)
        else:
            with pytest.raises(InputError, match='eigenvalue'):
                of(1, 1, c)


def test_a_draw_of_the_nearest_matrix_has_unit_variance():
    """Its eigenvalues from 0 on sum up to more than before: each row is brought back to 1."""
    matrix = np.array([[1.0, 0.9, 0.9], [0.9, 1.0, 0.5], [0.9, 0.5, 1.0]])
    assert np.linalg.eigvalsh(matrix)[0] < -0.04
    root = joint_normals(Correlation(('a', 'b', 'c'), matrix), ['a', 'b', 'c']).root
    np.testing.assert_allclose(np.diag(root @ root.T), 1.0, rtol=1e-12)
