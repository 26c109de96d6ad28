"""Newton's step through the band is the one of the full matrix, and a parabola's is exact."""

import numpy as np
import pytest

from usv_energy.studies.route.polishing.path_cost import PathTiming, derivatives, newton_step


def elastic(way, middle, begin, length):
    """A chain of springs in a saddle that grows with time, whose best duration is where the parts go at 1 m/s."""
    stretch = (way ** 2).sum(axis=-1) / length
    return stretch + length * (1.0 + (0.3 + 0.1 * begin ** 2) * middle[..., 0] * middle[..., 1])


def timing(path, stops=()):
    """Return the timing of a path with stops at some of its points."""
    return PathTiming(tuple(np.diff([0, *stops, len(path) - 1]).tolist()))


def total(values, path, spans, stops=()):
    times = timing(path, stops).begin_length(0.0, np.atleast_1d(np.array(spans)))
    return values(np.diff(path, axis=0), 0.5 * (path[1:] + path[:-1]), *times).sum()


def derivatives_of(values, path, spans, stops=(), steps=(1e-3, 1e-3, 1e-3)):
    return derivatives(values, path, timing(path, stops).variables(0.0, np.atleast_1d(np.array(spans))), steps)


def step_of(of, most=np.inf, damping=0.0):
    return newton_step(of, np.full(of.span_gradient.size, -np.inf), most, damping)


@pytest.mark.parametrize('spans, stops', [((1.7,), ()), ((0.8, 0.3, 1.1), (3,)), ((0.8, 0.3, 0.5, 0.2, 0.6), (2, 4))])
def test_the_step_is_that_of_the_full_matrix(spans, stops, rng):
    """With one duration, and with those of ways and of stops between them, where points move as others do."""
    path = np.linspace((0.0, 0.0), (3.0, 0.0), 8) + 0.1 * rng.normal(size=(8, 2))
    of = derivatives_of(elastic, path, spans, stops)
    step, damping = step_of(of)
    unknown = np.concatenate((path[1:-1].ravel(), spans))
    small, size, inner = 1e-4, unknown.size, path[1:-1].size

    def at(*offsets):
        moved = unknown + small * sum(np.eye(size)[k] * sign for k, sign in offsets)
        way = np.vstack((path[0], moved[:inner].reshape(-1, 2), path[-1]))
        return total(elastic, way, moved[inner:], stops)

    slope = np.array([at((k, 1)) - at((k, -1)) for k in range(size)]) / (2.0 * small)
    bend = np.array([[at((i, 1), (j, 1)) - at((i, 1), (j, -1)) - at((i, -1), (j, 1)) + at((i, -1), (j, -1))
                      for i in range(size)] for j in range(size)]) / (4.0 * small ** 2)
    schur = bend[inner:, inner:] - bend[inner:, :inner] @ np.linalg.solve(bend[:inner, :inner], bend[:inner, inner:])
    np.testing.assert_allclose(of.span_hessian, bend[inner:, inner:], rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(of.span_gradient, slope[inner:], rtol=1e-4, atol=1e-5)
    if np.linalg.eigvalsh(schur).min() < 2e-3 * np.linalg.eigvalsh(schur).max():
        assert stops and step.promise > 0.0     # It bends downwards: no such step; but one that leads down.
        share = 1e-4
        after = np.vstack((path[0], path[1:-1] + share * step.points, path[-1]))
        assert total(elastic, after, np.array(spans) + share * step.span, stops) < total(elastic, path, spans, stops)
        return
    exact = -np.linalg.solve(bend, slope)
    assert damping == 0.0
    np.testing.assert_allclose(np.concatenate((step.points.ravel(), step.span)), exact, rtol=1e-3, atol=1e-5)
    assert step.promise == pytest.approx(-0.5 * slope @ exact, rel=1e-3)


def test_a_saddle_is_damped_until_the_step_leads_down(rng):
    def saddle(way, middle, begin, length):
        return elastic(way, 40.0 * middle, begin, length)

    path = rng.normal(size=(9, 2))
    step, damping = step_of(derivatives_of(saddle, path, 2.0))
    assert damping > 0.0
    assert step.promise > 0.0
    share = 1e-3
    after = np.vstack((path[0], path[1:-1] + share * step.points, path[-1]))
    assert total(saddle, after, 2.0 + share * step.span) < total(saddle, path, 2.0)


def test_where_one_side_has_no_value_the_other_side_s_slope_is_taken():
    def edge(way, middle, begin, length):
        return np.where(middle[..., 0] > 0.5001, np.nan, 3.0 * middle[..., 0] + way[..., 1])

    of = derivatives_of(edge, np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 1.0)
    np.testing.assert_allclose(of.gradient[0], [1.5, -1.0, 1.5, 1.0], rtol=1e-9)
    np.testing.assert_allclose(of.hessian, 0.0, atol=1e-6)


def test_the_duration_grows_no_further_than_it_may(rng):
    path = np.linspace((0.0, 0.0), (3.0, 0.0), 6)
    of = derivatives_of(elastic, path, 1.0)
    assert step_of(of)[0].span > 0.2
    assert step_of(of, 0.2)[0].span == pytest.approx(0.2, rel=1e-12)


def test_no_stop_lasts_less_than_no_time_and_all_spans_together_as_long_as_they_may():
    path = np.linspace((0.0, 0.0), (3.0, 0.0), 8)
    of = derivatives_of(elastic, path, (0.8, 0.3, 0.9), (3,))
    of = of._replace(span_gradient=of.span_gradient + 5.0 * np.array([0.0, 1.0, 0.0]))
    step = newton_step(of, np.array([-0.4, -0.3, -0.45]), 0.25, 0.0)[0]
    assert step.span[1] == -0.3
    assert step.span.sum() == pytest.approx(0.25, rel=1e-9)


def test_a_part_without_a_value_pulls_at_nothing():
    def hole(way, middle, begin, length):
        return np.where(middle[..., 0] > 2.0, np.nan, elastic(way, middle, begin, length))

    path = np.linspace((0.0, 0.0), (3.0, 0.4), 7)
    of = derivatives_of(hole, path, 1.0)
    assert np.isfinite(step_of(of)[0].points).all()
    np.testing.assert_array_equal(of.gradient[-1], 0.0)


def test_a_duration_that_nothing_holds_back_goes_as_far_as_it_may():
    def slower_is_cheaper(way, middle, begin, length):
        return (way ** 2).sum(axis=-1) - length

    path = np.linspace((0.0, 0.0), (3.0, 0.4), 7)
    assert step_of(derivatives_of(slower_is_cheaper, path, 1.0), 5.0)[0].span == 5.0
