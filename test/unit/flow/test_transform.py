"""The place of a map in the world: rigid, right-handed, its own inverse, the same for places and velocities."""

import math

import numpy as np
import pytest

from usv_energy.flow.placement import Transform

TRANSFORM = Transform(410_250.0, 3_520_100.0, 37.0)


def test_the_worlds_origin_lies_where_it_is_declared():
    assert TRANSFORM.to_map(0.0, 0.0) == (410_250.0, 3_520_100.0)
    assert TRANSFORM.to_world(410_250.0, 3_520_100.0) == (0.0, 0.0)


def test_the_rotation_is_the_direction_of_the_worlds_x_axis_on_the_map():
    x, y = TRANSFORM.to_map(1.0, 0.0)
    assert math.degrees(math.atan2(y - TRANSFORM.y, x - TRANSFORM.x)) == pytest.approx(37.0, abs=1e-6)


def test_there_and_back(rng):
    x, y = rng.uniform(-1e4, 1e4, (2, 1000))
    np.testing.assert_allclose(TRANSFORM.to_world(*TRANSFORM.to_map(x, y)), (x, y), atol=1e-8)


def test_a_velocity_turns_as_a_displacement_does(rng):
    x, y, vx, vy = rng.uniform(-100.0, 100.0, (4, 1000))
    before, after = TRANSFORM.to_world(x, y), TRANSFORM.to_world(x + vx, y + vy)
    np.testing.assert_allclose(TRANSFORM.velocity_to_world(vx, vy), np.subtract(after, before), atol=1e-8)
    np.testing.assert_allclose(np.hypot(*TRANSFORM.velocity_to_world(vx, vy)), np.hypot(vx, vy), rtol=1e-14)


@pytest.mark.parametrize(('turn', 'velocity'), [(0.0, (1.0, 2.0)), (90.0, (2.0, -1.0)), (180.0, (-1.0, -2.0)),
                                                (-90.0, (-2.0, 1.0)), (450.0, (2.0, -1.0))])
def test_quarter_turns_are_exact(turn, velocity):
    """World's x axis towards the map's north: what flows north on the map flows forward in the world."""
    assert Transform(0.0, 0.0, turn).velocity_to_world(1.0, 2.0) == velocity


def test_nothing_declared_changes_nothing(rng):
    x, y = rng.uniform(-1e6, 1e6, (2, 100))
    np.testing.assert_array_equal(Transform().to_map(x, y), (x, y))
    np.testing.assert_array_equal(Transform().velocity_to_world(x, y), (x, y))
