"""Electrical power of a propeller's motor: closed forms at the bollard, in an inflow, and while it speeds up."""

import numpy as np
import pytest
from scipy.integrate import trapezoid

from usv_energy.thrusters.rotor_power import RotorLoad, axial_inflow, rotor_power

LOAD = RotorLoad(ahead=0.5, astern=0.4, inflow=1.5, inertia=0.03, friction=1.2, standby=2.0)


def test_at_the_bollard_power_is_a_cube_and_the_losses():
    assert rotor_power(10.0, 0.0, 0.0, LOAD) == pytest.approx(500.0 + 12.0 + 2.0, rel=1e-14)
    assert rotor_power(-10.0, 0.0, 0.0, LOAD) == pytest.approx(400.0 + 12.0 + 2.0, rel=1e-14)
    assert rotor_power(0.0, 3.0, 0.7, LOAD) == 2.0


def test_inflow_relieves_to_the_advance_at_which_the_torque_is_nil_and_no_further():
    """K_Q is linear in J: nil where ahead n = inflow v. A propeller that is driven by the water gives nothing back."""
    nil = LOAD.ahead * 8.0 / LOAD.inflow
    losses = 8.0 * LOAD.friction + LOAD.standby
    full = rotor_power(8.0, 0.0, 0.0, LOAD) - losses
    assert rotor_power(8.0, 0.0, 0.25 * nil, LOAD) - losses == pytest.approx(0.75 * full, rel=1e-12)
    assert rotor_power(8.0, 0.0, nil, LOAD) == pytest.approx(losses, rel=1e-12)
    assert rotor_power(8.0, 0.0, 3.0 * nil, LOAD) == losses
    assert rotor_power(8.0, 0.0, -nil, LOAD) - losses == pytest.approx(2.0 * full, rel=1e-12)


def test_astern_a_boat_that_moves_astern_relieves_as_one_that_moves_ahead_does_ahead():
    mirrored = LOAD._replace(astern=LOAD.ahead)
    for change, inflow in ((0.0, 0.8), (4.0, -0.3), (-2.0, 0.5)):
        assert rotor_power(-9.0, -change, -inflow, mirrored) == pytest.approx(
            rotor_power(9.0, change, inflow, mirrored), rel=1e-13)


def test_speeding_up_costs_the_kinetic_energy():
    """The inertia's share of the energy is J (omega_1^2 - omega_0^2) / 2, whatever the course between them."""
    time = np.linspace(0.0, 1.0, 20001)
    turns = 4.0 + 8.0 * time**2
    with_inertia = rotor_power(turns, 16.0 * time, 0.0, LOAD)
    without = rotor_power(turns, 16.0 * time, 0.0, LOAD._replace(inertia=0.0))
    kinetic = 0.5 * LOAD.inertia * (2.0 * np.pi)**2 * (12.0**2 - 4.0**2)
    assert trapezoid(with_inertia - without, time) == pytest.approx(kinetic, rel=1e-7)


def test_one_body_serves_floats_arrays_and_compiled_code(rng):
    numba = pytest.importorskip('numba')
    from usv_energy.physics.compiled_kernels import compile_kernels
    compile_kernels()

    @numba.njit
    def compiled(n, change, inflow, load):
        return rotor_power(n, change, inflow, load)

    rows = rng.uniform(-10.0, 10.0, (200, 3))
    arrays = rotor_power(*rows.T, LOAD)
    for row, power in zip(rows.tolist(), arrays):
        assert rotor_power(*row, LOAD) == pytest.approx(power, rel=1e-13)
        assert compiled(*row, LOAD) == pytest.approx(power, rel=1e-12)


def test_inflow_is_the_velocity_of_the_place_along_the_axis(rng):
    """The place moves with (u - y r, v + x r): the same as differentiating where it is, turned by the heading."""
    u, v, r, angle, x, y = rng.uniform(-1.0, 1.0, 6)
    step = 1e-6
    place = [complex(x, y) * np.exp(1j * r * t) + complex(u, v) * t for t in (-step, step)]
    velocity = (place[1] - place[0]) / (2.0 * step)
    along = (velocity * np.exp(-1j * angle)).real
    assert axial_inflow(u, v, r, np.cos(angle), np.sin(angle), x, y) == pytest.approx(along, abs=1e-8)
