"""The room between a hull and obstacles against distances done by hand, symmetries, and a count of points."""

import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.sim.obstacle import Footprint, Obstacle, clearances, obstacles_of

HULL = Footprint(1.06, 0.48)
SQUARE = Obstacle('square', ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
ELL = Obstacle('L', ((0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 4.0), (0.0, 4.0)))


def room(obstacle, x, y, yaw, hull=HULL):
    return clearances(obstacle, *(np.atleast_1d(np.asarray(value, dtype=float)) for value in (x, y, yaw)), hull)


@pytest.mark.parametrize('offset', [1.5, 2.0, 7.25])
def test_a_straight_run_past_a_disc(offset):
    """Abeam it leaves offset - radius - half the width; ahead of it the bow is half a length nearer."""
    x = np.linspace(-20.0, 20.0, 4001)
    found = room(Obstacle('disc', ((0.0, 0.0),), 1.0), x, np.full_like(x, offset), np.zeros_like(x))
    assert found.min() == pytest.approx(offset - 1.0 - 0.24, abs=1e-12)
    assert found[0] == pytest.approx(math.hypot(20.0 - 0.53, offset - 0.24) - 1.0, abs=1e-12)
    np.testing.assert_allclose(found, found[::-1], atol=1e-12)


def test_the_hull_counts_as_it_lies():
    disc = Obstacle('disc', ((0.0, 0.0),), 1.0)
    assert room(disc, 0.0, 1.4, 0.0) == pytest.approx(0.16)
    assert room(disc, 0.0, 1.4, 0.5 * math.pi) == 0.0
    assert room(disc, 0.0, 1.0 + 0.53 + 0.01, 0.5 * math.pi) == pytest.approx(0.01)


def test_corner_to_corner_and_side_to_side_of_a_square():
    assert room(SQUARE, 0.0, 3.0, 0.0) == pytest.approx(3.0 - 1.0 - 0.24)
    assert room(SQUARE, 3.0, 3.0, 0.0) == pytest.approx(math.hypot(2.0 - 0.53, 2.0 - 0.24))
    # A corner of the square before the long side of the hull, turned by 45 degrees; a corner of the hull before a side.
    far = 3.0
    assert room(SQUARE, far, far, 0.75 * math.pi) == pytest.approx(math.sqrt(2.0) * (far - 1.0) - 0.24)
    reach = (0.53 + 0.24) * math.sqrt(0.5)
    assert room(SQUARE, 0.0, 3.0, 0.25 * math.pi) == pytest.approx(2.0 - reach)


@pytest.mark.parametrize(('x', 'y', 'yaw'), [
    (0.0, 0.0, 0.3),       # Wholly within.
    (1.4, 0.0, 0.0),       # The bow is in.
    (1.0, 0.99, 0.8),      # Across a corner.
    (1.24, 0.0, 0.5 * math.pi)])  # Along a side: they touch.
def test_overlap_leaves_no_room(x, y, yaw):
    assert room(SQUARE, x, y, yaw) == 0.0


def test_a_long_hull_across_a_thin_pile_and_a_pile_under_a_wide_hull():
    thin = Obstacle('sheet pile', ((-0.01, -9.0), (0.01, -9.0), (0.01, 9.0), (-0.01, 9.0)))
    assert room(thin, 0.3, 0.0, 0.0) == 0.0
    stake = Obstacle('stake', ((-0.05, -0.05), (0.05, -0.05), (0.0, 0.05)))
    assert room(stake, 0.1, 0.1, 0.7, Footprint(5.0, 3.0)) == 0.0


def test_the_bay_of_an_l_is_open_water():
    assert room(ELL, 2.5, 2.5, 0.0) == pytest.approx(min(2.5 - 0.53 - 1.0, 2.5 - 0.24 - 1.0))
    assert room(ELL, 0.5, 2.0, 0.0) == 0.0


def test_turned_moved_and_mirrored_together_nothing_changes(rng):
    x, y, yaw = rng.uniform(-3.0, 8.0, 400), rng.uniform(-3.0, 8.0, 400), rng.uniform(-9.0, 9.0, 400)
    plain = clearances(ELL, x, y, yaw, HULL)
    angle, (east, north) = 1.1, (40.0, -70.0)
    cosine, sine = math.cos(angle), math.sin(angle)

    def turned(px, py):
        return cosine * px - sine * py + east, sine * px + cosine * py + north

    moved = Obstacle('', tuple(turned(*corner) for corner in ELL.outline))
    np.testing.assert_allclose(clearances(moved, *turned(x, y), yaw + angle, HULL), plain, atol=1e-9)
    mirrored = Obstacle('', tuple((px, -py) for px, py in ELL.outline))
    np.testing.assert_allclose(clearances(mirrored, x, -y, -yaw, HULL), plain, atol=1e-12)
    np.testing.assert_allclose(clearances(ELL, x, y, yaw + math.pi, HULL), plain, atol=1e-9)


def test_a_polygon_of_many_corners_is_the_disc(rng):
    """A regular polygon of n corners lies within its circle, by at most r (1 - cos(pi / n))."""
    angles = np.linspace(0.0, 2.0 * math.pi, 180, endpoint=False)
    polygon = Obstacle('', tuple((2.0 * math.cos(angle), 2.0 * math.sin(angle)) for angle in angles))
    x, y, yaw = rng.uniform(-6.0, 6.0, (3, 5000))
    off = clearances(polygon, x, y, yaw, HULL) - clearances(Obstacle('', ((0.0, 0.0),), 2.0), x, y, yaw, HULL)
    assert off.min() >= -1e-12
    assert off.max() <= 2.0 * (1.0 - math.cos(math.pi / 180)) + 1e-12


def test_against_points_all_over_the_hull(rng):
    """The hull as a lattice of points, each outside or inside by the winding of the outline; coarse, so 0.03 m."""
    u, v = (part.ravel() for part in np.meshgrid(np.linspace(-0.53, 0.53, 41), np.linspace(-0.24, 0.24, 21)))
    corners = np.array(ELL.outline)
    for x, y, yaw in zip(*rng.uniform([[-2.0], [-2.0], [-4.0]], [[6.0], [6.0], [4.0]], (3, 60))):
        px, py = x + u * math.cos(yaw) - v * math.sin(yaw), y + u * math.sin(yaw) + v * math.cos(yaw)
        ends = np.roll(corners, -1, axis=0)
        a, b = corners[:, None, :] - np.stack([px, py], axis=1), ends[:, None, :] - np.stack([px, py], axis=1)
        winding = np.arctan2(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], (a * b).sum(axis=2)).sum(axis=0)
        step = b - a
        share = np.clip(-(a * step).sum(axis=2) / (step * step).sum(axis=2), 0.0, 1.0)
        distance = np.where(abs(winding) > math.pi, 0.0, np.hypot(*np.moveaxis(a + share[..., None] * step, 2, 0)))
        assert room(ELL, x, y, yaw)[0] == pytest.approx(distance.min(), abs=0.03)


def test_a_place_that_is_not_known_has_no_clearance():
    found = room(SQUARE, [0.0, math.nan], [5.0, 5.0], [0.0, 0.0])
    assert np.isnan(found).tolist() == [False, True]
    assert math.isnan(room(Obstacle('', ((0.0, 0.0),), 1.0), math.nan, 0.0, 0.0)[0])


def test_names_and_numbers_of_a_file():
    found = obstacles_of([{'x': 1, 'y': 2, 'radius': 3}, {'name': 'pier', 'corners': [
        {'x': 0, 'y': 0}, {'x': 1, 'y': 0}, {'x': 0, 'y': 1}]}], Path('my.yaml'))
    assert found == (Obstacle('1', ((1.0, 2.0),), 3.0), Obstacle('pier', ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))))


@pytest.mark.parametrize(('corners', 'said'), [
    ([(0, 0), (1, 1), (2, 2)], 'have no area'), ([(0, 0), (0, 0), (0, 0)], 'have no area'),
    ([(0, 0), (2, 2), (2, 0), (0, 3)], '1 to 2 cross those from 3 on')])
def test_a_polygon_that_is_none(corners, said):
    with pytest.raises(InputError, match=rf'my.yaml: obstacles\.0\.corners {said}.*in the order'):
        obstacles_of([{'corners': [{'x': x, 'y': y} for x, y in corners]}], Path('my.yaml'))
