"""VRX's WAM-V: the boat file has the drag and the mass that VRX simulates."""

import pytest
import yaml
from harness import steady_power, steps

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import share_folder
from usv_energy.physics.dynamics import damping_force

VRX = share_folder() / 'config' / 'vrx'


@pytest.mark.parametrize(('u', 'v', 'r'), [(2.0, 0.0, 0.0), (-1.0, 0.5, 0.0), (3.0, -0.4, 0.3)])
def test_the_drag_is_that_of_vrx(u, v, r):
    # SimpleHydrodynamics.cc of VRX, commit 93ae8d07, with the numbers of wamv_gazebo_dynamics_plugin.xacro.
    wanted = ((100.0 + 150.0 * abs(u)) * u, (100.0 + 100.0 * abs(v)) * v, (800.0 + 800.0 * abs(r)) * r)
    assert damping_force(u, v, r, read_boat('wamv').vessel.damping) == pytest.approx(wanted)


def test_mass_is_the_sum_of_the_parts():
    # (kg, x, y, own moment of inertia): hull, computer, two engines, two propellers, from VRX's xacro files.
    parts = [(180.0, 0.0, 0.0, 446.0), (20.0, -0.15, 0.0, 2.7163),
             *((mass, x, side * 1.027135, own) for side in (1, -1)
               for mass, x, own in ((15.0, -2.373776, 0.078125), (0.5, -2.651932, 0.0144)))]
    inertia = read_boat('wamv').vessel.inertia
    assert inertia.m11 == inertia.m22 == pytest.approx(sum(part[0] for part in parts))
    assert inertia.m23 == pytest.approx(sum(mass * x for mass, x, _, _ in parts), rel=1e-3)
    assert inertia.m33 == pytest.approx(sum(m * (x * x + y * y) + own for m, x, y, own in parts), rel=1e-3)


def test_a_steady_surge_takes_the_power_of_its_drag(graph):
    wamv = graph('wamv', adapter={'acceleration_time_constant': 0.3})
    last = wamv.tell_all(steps(0.0, 2.0, 0.1), u=2.0)
    assert last.total == pytest.approx(2.0 * steady_power(2.0, read_boat('wamv')), rel=1e-9)
    assert steady_power(2.0, read_boat('wamv')) == pytest.approx(1600.0, rel=3e-3), 'and 4 W of air'


def test_the_component_is_named_as_vrxs_macro():
    # wamv_gazebo/urdf/components/wamv_p3d.xacro: macro wamv_p3d, parameter name.
    assert yaml.safe_load((VRX / 'component_config.yaml').read_text()) == {
        'wamv_p3d': [{'name': 'ground_truth_odometry'}]}
