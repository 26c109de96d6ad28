"""Newton's step through the band is the one of the full matrix, and a parabola's is exact."""

import numpy as np
import pytest

from usv_energy.routes.path_newton import derivatives, newton_step


def elastic(way, middle, span):
    """A chain of springs in a saddle, whose best duration is where the parts go at 1 m/s."""
    number = way.shape[-2]
    stretch = (way ** 2).sum(axis=-1) * number / span[..., None]
    return stretch + span[..., None] / number * (1.0 + 0.3 * middle[..., 0] * middle[..., 1])


def total(points, span, ends):
    path = np.vstack((ends[0], points.reshape(-1, 2), ends[1]))
    return elastic(np.diff(path, axis=0), 0.5 * (path[1:] + path[:-1]), np.array(span)).sum()


def test_the_step_is_that_of_the_full_matrix(rng):
    path, span = rng.normal(size=(7, 2)), 1.7
    of = derivatives(elastic, path, span, (1e-3, 1e-3, 1e-3))
    step, damping = newton_step(of, np.inf, 0.0)
    unknown, ends = np.append(path[1:-1].ravel(), span), path[[0, -1]]
    small, size = 1e-4, unknown.size

    def at(*offsets):
        moved = unknown + small * sum(np.eye(size)[k] * sign for k, sign in offsets)
        return total(moved[:-1], moved[-1], ends)

    slope = np.array([at((k, 1)) - at((k, -1)) for k in range(size)]) / (2.0 * small)
    bend = np.array([[at((i, 1), (j, 1)) - at((i, 1), (j, -1)) - at((i, -1), (j, 1)) + at((i, -1), (j, -1))
                      for i in range(size)] for j in range(size)]) / (4.0 * small ** 2)
    exact = -np.linalg.solve(bend, slope)
    assert damping == 0.0
    np.testing.assert_allclose(np.append(step.points.ravel(), step.span), exact, rtol=1e-3, atol=1e-5)
    assert step.promise == pytest.approx(-0.5 * slope @ exact, rel=1e-3)


def test_a_saddle_is_damped_until_the_step_leads_down(rng):
    def saddle(way, middle, span):
        return elastic(way, 40.0 * middle, span)

    path = rng.normal(size=(9, 2))
    step, damping = newton_step(derivatives(saddle, path, 2.0, (1e-3, 1e-3, 1e-3)), np.inf, 0.0)
    assert damping > 0.0
    assert step.promise > 0.0
    share = 1e-3
    after = np.vstack((path[0], path[1:-1] + share * step.points, path[-1]))
    before, now = (saddle(np.diff(p, axis=0), 0.5 * (p[1:] + p[:-1]), np.array(span)).sum()
                   for p, span in ((path, 2.0), (after, 2.0 + share * step.span)))
    assert now < before


def test_where_one_side_has_no_value_the_other_side_s_slope_is_taken():
    def edge(way, middle, span):
        return np.where(middle[..., 0] > 0.5001, np.nan, 3.0 * middle[..., 0] + way[..., 1])

    of = derivatives(edge, np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 1.0, (1e-3, 1e-3, 0.0))
    np.testing.assert_allclose(of.slope[0], [1.5, -1.0, 1.5, 1.0], rtol=1e-9)
    np.testing.assert_allclose(of.bend, 0.0, atol=1e-6)


def test_the_duration_grows_no_further_than_it_may(rng):
    path = np.linspace((0.0, 0.0), (3.0, 0.0), 6)
    of = derivatives(elastic, path, 1.0, (1e-3, 1e-3, 1e-3))
    assert newton_step(of, np.inf, 0.0)[0].span > 0.2
    assert newton_step(of, 0.2, 0.0)[0].span == 0.2


def test_a_part_without_a_value_pulls_at_nothing():
    def hole(way, middle, span):
        return np.where(middle[..., 0] > 2.0, np.nan, elastic(way, middle, span))

    path = np.linspace((0.0, 0.0), (3.0, 0.4), 7)
    of = derivatives(hole, path, 1.0, (1e-3, 1e-3, 1e-3))
    assert np.isfinite(newton_step(of, np.inf, 0.0)[0].points).all()
    np.testing.assert_array_equal(of.slope[-1], 0.0)


def test_a_duration_that_nothing_holds_back_goes_as_far_as_it_may():
    def slower_is_cheaper(way, middle, span):
        return (way ** 2).sum(axis=-1) - span[..., None] / way.shape[-2]

    path = np.linspace((0.0, 0.0), (3.0, 0.4), 7)
    assert newton_step(derivatives(slower_is_cheaper, path, 1.0, (1e-3, 1e-3, 1e-3)), 5.0, 0.0)[0].span == 5.0
