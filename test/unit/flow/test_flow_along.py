"""A flow along a route is the flow at each of its times, whatever kind of field it is."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from route_flows import ClosedForm, Plain, sink_and_vortex

from usv_energy.flow.analytic import Gust, UniformFlow, Vortex
from usv_energy.flow.flow_box import flow_along
from usv_energy.flow.flow_file import raw_flow
from usv_energy.flow.grids.grid import GridFlow, gridded_flow
from usv_energy.flow.placement import FlowClock, Transform

AXIS, TIMES = np.linspace(-2.0, 2.0, 9), np.array([0.0, 1.0, 1.5, 4.0])


def stepped():
    calls = []

    def load(step):
        calls.append(step)
        return sink_and_vortex(TIMES[step], *np.meshgrid(AXIS, AXIS))
    return GridFlow(AXIS, AXIS, TIMES, load), calls


GUST = Gust({'speed': 1.0, 'direction_deg': 30.0, 'amplitude': 0.5, 'duration': 2.0, 'period': 4.0})
TURNED = replace(raw_flow(Path('x.nc'), stepped()[0], Transform(0.3, -0.2, 25.0)),
                 clock=FlowClock('loop', 0.0, 4.0, 1.0), share=0.7)


@pytest.mark.parametrize('field', [
    UniformFlow(0.3, -0.1), ClosedForm(sink_and_vortex), Plain(sink_and_vortex), GUST, stepped()[0], TURNED,
    raw_flow(Path('x.yaml'), Vortex({'circulation': 2.0, 'core_radius': 0.5})), raw_flow(Path('x.yaml'), GUST),
    gridded_flow(Plain(sink_and_vortex), (-2.0, -2.0, 2.0, 2.0), 0.5, [0.0, 1.0, 2.0, 3.0, 4.0])],
    ids=lambda field: type(field).__name__)
def test_each_place_has_the_velocity_of_its_time(field, rng):
    t, x, y = rng.uniform((0.0, -1.3, -1.3), (4.0, 1.3, 1.3), (60, 3)).T
    t[:3] = 0.0, 1.5, 4.0
    one = np.array([field.velocity(float(at), x[k:k + 1], y[k:k + 1])[:2] for k, at in enumerate(t)])[:, :, 0].T
    many = np.array(flow_along(field)(t.reshape(3, 20), x.reshape(3, 20), y.reshape(3, 20)))
    np.testing.assert_allclose(many.reshape(2, 60), one, rtol=1e-11, atol=1e-12)


def test_outside_the_times_and_the_field_there_is_nothing():
    field, calls = stepped()
    x = np.array([0.0, 0.0, 0.0, 3.0])
    vx, vy = flow_along(field)(np.array([-0.1, 4.1, 2.0, 2.0]), x, 0.0 * x)
    assert np.isnan(vx).tolist() == np.isnan(vy).tolist() == [True, True, False, True]
    assert sorted(calls) == [2, 3]  # Only the steps around the times that are asked for are read, each once.
