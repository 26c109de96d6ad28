"""Straight ways against discs, squares and rocks, whose distances are known in closed form."""

import numpy as np
import pytest

from usv_energy.studies.route.barriers.area_barriers import NoBarriers, combined_barriers, shape_barriers

NEEDS = ('shapely',)
RNG = np.random.default_rng(17)


def shapes(*made):
    import shapely
    return [getattr(shapely, kind)(*given) for kind, given in made]


def square():
    return shapes(('box', (0.0, 0.0, 10.0, 10.0)))


def segment_distance(px, py, x0, y0, x1, y1):
    """Distance of points from segments by the projection on them; a twin that shares no code."""
    dx, dy = x1 - x0, y1 - y0
    share = np.clip(((px - x0) * dx + (py - y0) * dy) / np.maximum(dx * dx + dy * dy, 1e-300), 0.0, 1.0)
    return np.hypot(x0 + share * dx - px, y0 + share * dy - py)


def test_a_square_blocks_its_points_its_edge_and_what_is_nearer_than_the_clearance():
    bare, kept_off = shape_barriers(square()), shape_barriers(square(), 2.0)
    x, y = np.array([5.0, 10.0, 11.0, 12.5, 11.3, 11.5]), np.array([5.0, 5.0, 5.0, 5.0, 11.3, 11.5])
    np.testing.assert_array_equal(bare.blocked(x, y), [True, True, False, False, False, False])
    # Round the corner the clearance is an arc: 1.3 sqrt(2) = 1.84 is nearer than 2, 1.5 sqrt(2) = 2.12 is not.
    np.testing.assert_array_equal(kept_off.blocked(x, y), [True, True, True, False, True, False])
    np.testing.assert_allclose(kept_off.distance(x, y), [-7.0, -2.0, -1.0, 0.5, 1.3 * 2 ** 0.5 - 2.0,
                                                         1.5 * 2 ** 0.5 - 2.0], atol=1e-12)


def test_a_rock_is_kept_off_by_the_clearance_exactly():
    rocks = shape_barriers(shapes(('Point', (3.0, -4.0)), ('Point', (50.0, 8.0))), 7.5)
    x0, y0, x1, y1 = RNG.uniform(-60.0, 60.0, (4, 20_000))
    near = np.minimum(segment_distance(3.0, -4.0, x0, y0, x1, y1), segment_distance(50.0, 8.0, x0, y0, x1, y1))
    np.testing.assert_array_equal(rocks.crossed(x0, y0, x1, y1), near <= 7.5)
    np.testing.assert_allclose(rocks.distance(x0, y0), np.minimum(
        np.hypot(x0 - 3.0, y0 + 4.0), np.hypot(x0 - 50.0, y0 - 8.0)) - 7.5, atol=1e-9)


def test_ways_cross_a_square_as_the_slabs_say():
    """Liang and Barsky: a way meets a box where its stretches within both slabs overlap."""
    x0, y0, x1, y1 = RNG.uniform(-8.0, 18.0, (4, 20_000))
    with np.errstate(divide='ignore'):
        ends = [np.sort(np.stack([(0.0 - a) / (b - a), (10.0 - a) / (b - a)]), axis=0) for a, b in ((x0, x1), (y0, y1))]
    enters, leaves = np.maximum(ends[0][0], ends[1][0]), np.minimum(ends[0][1], ends[1][1])
    meets = (np.maximum(enters, 0.0) <= np.minimum(leaves, 1.0))
    np.testing.assert_array_equal(shape_barriers(square()).crossed(x0, y0, x1, y1), meets)


def test_a_way_within_an_area_is_crossed_and_a_hole_is_water():
    import shapely
    ring = shapely.Polygon(shapely.box(0, 0, 100, 100).exterior, [shapely.box(20, 20, 80, 80).exterior])
    barrier = shape_barriers([ring])
    one = np.ones(1)
    assert barrier.crossed(5 * one, 5 * one, 10 * one, 12 * one).all()
    assert not barrier.crossed(30 * one, 30 * one, 70 * one, 60 * one).any()
    assert barrier.crossed(30 * one, 30 * one, 70 * one, 90 * one).all()
    assert float(barrier.distance(50 * one, 50 * one)[0]) == 30.0


def test_overlapping_areas_count_as_one():
    """Between two boxes that overlap there is no edge: the depth inside is that of both together."""
    barrier = shape_barriers(shapes(('box', (0, 0, 10, 10)), ('box', (8, 0, 30, 10))))
    np.testing.assert_allclose(barrier.distance(np.array([9.0, 15.0]), np.array([5.0, 4.0])), [-5.0, -4.0])


def test_the_same_shape_given_again_counts_once():
    line = ('LineString', ([(0.0, 0.0), (3.0, 4.0)],))
    barrier = shape_barriers(shapes(*[line] * 500, ('Point', (9.0, 9.0)), *[line] * 500))
    assert barrier._tree.geometries.size == 2


def test_a_coast_of_many_corners_is_a_disc():
    import shapely
    angle = np.linspace(0.0, 2.0 * np.pi, 20_001)
    disc = shape_barriers([shapely.Polygon(np.column_stack([np.cos(angle), np.sin(angle)]))], 0.25)
    x, y = RNG.uniform(-3.0, 3.0, (2, 5000))
    # A polygon of n corners lies within pi^2 / 2 n^2 = 1.2e-8 of its circle.
    np.testing.assert_allclose(disc.distance(x, y), np.hypot(x, y) - 1.25, atol=2e-8)


def test_nan_is_no_place_to_be():
    barrier = shape_barriers(square())
    nan, one = np.array([np.nan]), np.array([20.0])
    assert barrier.blocked(nan, one).all()
    assert barrier.crossed(one, nan, one, one).all()
    assert np.isnan(barrier.distance(nan, one)).all()


def test_joined_barriers_are_the_nearest_of_them():
    parts = [shape_barriers(square()), shape_barriers(shapes(('Point', (20.0, 5.0))), 1.0)]
    both = combined_barriers(parts)
    x, y = np.array([14.0, 17.0, 19.5]), np.full(3, 5.0)
    np.testing.assert_allclose(both.distance(x, y), [4.0, 2.0, -0.5])
    np.testing.assert_array_equal(both.blocked(x, y), [False, False, True])
    np.testing.assert_array_equal(both.crossed(x, y, x + 3.0, y), [False, True, True])
    assert isinstance(combined_barriers([]), NoBarriers)
    assert combined_barriers(parts[:1]) is parts[0]


@pytest.mark.parametrize('made', [[], [('Polygon', ())]])
def test_nothing_is_open_water(made):
    assert isinstance(shape_barriers(shapes(*made)), NoBarriers)
