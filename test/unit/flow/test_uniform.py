import numpy as np
import pytest

from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.field import FlowField


def test_the_same_everywhere_and_always(rng):
    field: FlowField = UniformFlow(0.3, -0.4)
    for time in (0.0, 1e6):
        x, y, known = field.velocity(time, *rng.uniform(-1e5, 1e5, size=(2, 7)))
        np.testing.assert_array_equal((x, y), np.outer((0.3, -0.4), np.ones(7)))
        assert known.dtype == bool and known.shape == (7,) and known.all()


def test_no_points_give_no_velocities():
    assert [part.shape for part in UniformFlow().velocity(0.0, np.empty(0), np.empty(0))] == [(0,), (0,), (0,)]


def test_speed():
    assert UniformFlow(0.3, -0.4).speed == pytest.approx(0.5)
    assert UniformFlow().speed == 0.0


def test_direction_is_where_it_flows_to():
    assert UniformFlow(-0.3, 0.3).direction_deg == pytest.approx(135.0)
    assert UniformFlow(0.0, -0.3).direction_deg == pytest.approx(-90.0)


def test_it_is_the_same_whenever_the_world_s_clock_begins():
    assert UniformFlow(0.3, -0.4).later(100.0) == UniformFlow(0.3, -0.4)
