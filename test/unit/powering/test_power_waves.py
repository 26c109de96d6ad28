"""The cause `waves`: what thrusters give against the mean force of waves, in closed form."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow, Motion, Relative, WaveAction
from usv_energy.powering.energy import CAUSES
from usv_energy.powering.measured_power import MeasuredActuators, mean_power_by_known_foils, measured_mean_power
from usv_energy.powering.power import mean_power_rep103, needed_of, power_rep103

LUTRA = read_boat('lutra_prop').vessel
STEADY = Relative(1.0, 0.0, 0.0, -1.0, 0.0)
THRUST = ('inertia', 'damping', 'wind', 'foils', 'waves', 'side_force', 'residual')


def mean_power(at, waves, vessel=LUTRA):
    return mean_power_rep103(at, at, 1.0, vessel, waves)


def sums(power):
    rest = [cause for cause in CAUSES if cause not in (*THRUST, 'thrust', 'total')]
    return sum(getattr(power, cause) for cause in THRUST), power.thrust + sum(getattr(power, cause) for cause in rest)


@pytest.mark.parametrize('force', [-4.0, 2.5])
def test_a_mean_force_takes_its_product_with_the_speed(force):
    """-F u, positive against a force from ahead; other causes are those of calm water, thrust has it in addition."""
    calm, power = mean_power(STEADY, None), mean_power(STEADY, WaveAction(force, 0.0, 0.0))
    assert power.waves == pytest.approx(-force * 1.0, rel=1e-12)
    assert power.thrust == pytest.approx(calm.thrust - force, rel=1e-12)
    for cause in ('inertia', 'damping', 'wind', 'foils'):
        assert getattr(power, cause) == getattr(calm, cause)


def test_a_force_across_is_no_propulsion():
    """Two fixed thrusters give no sway force: what waves take aside is taken out again by `side_force`."""
    at = Relative(1.0, 0.2, 0.0, -1.0, -0.2)
    calm, power = mean_power(at, None), mean_power(at, WaveAction(0.0, -3.0, 0.0))
    assert power.waves == pytest.approx(0.6, rel=1e-12)
    assert power.side_force - calm.side_force == pytest.approx(-0.6, rel=1e-9)
    assert power.thrust == pytest.approx(calm.thrust, rel=1e-12)


def test_causes_sum_to_thrust_and_total(rng):
    at, now = (Relative(*(rng.uniform(-1.5, 1.5, 200) for _ in range(5))) for _ in range(2))
    forces, flows = ([rng.uniform(-most, most, 200) for _ in range(3)] for most in (5.0, 0.3))
    waves = WaveAction(*forces, *flows)
    at_rest = MeasuredActuators((np.zeros(200),) * 2, (None, None), ())
    for power in (mean_power_rep103(at, now, 0.1, LUTRA, waves),
                  measured_mean_power(at, now, 0.1, LUTRA, at_rest, waves),
                  mean_power_by_known_foils(at, now, 0.1, LUTRA, (), waves)):
        thrust, total = sums(power)
        np.testing.assert_allclose(thrust, power.thrust, rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(total, power.total, rtol=1e-12, atol=1e-9)


def test_in_calm_water_nothing_is_against_waves(rng):
    """A WaveAction of zeros is no WaveAction, to the bit, and without one `waves` is 0."""
    motion = Motion(*rng.uniform(-1.0, 1.0, 7).tolist())
    flow = Flow(0.1, 0.2, 3.0, -1.0)
    calm = power_rep103(motion, flow, LUTRA)
    assert calm.waves == 0.0
    assert power_rep103(motion, flow, LUTRA, WaveAction(0.0, 0.0, 0.0)) == calm


def test_drag_in_water_that_moves_to_and_fro_is_that_of_the_mean_motion():
    """Linear drag: no hull has the motion to and fro in its damping, be it carried along with the water or not."""
    phase = np.linspace(0.0, 2.0 * np.pi, 1000, endpoint=False)
    vessel, swing, zero = LUTRA, 0.4 * np.sin(phase), np.zeros(1000)
    mean = needed_of(STEADY, (0.0, 0.0, 0.0), vessel).damping
    for hull in (swing, zero):
        at = Relative(1.0 + hull, zero, zero, -1.0 - hull, zero)
        found = needed_of(at, (zero, zero, zero), vessel, WaveAction(zero, zero, zero, swing, zero, zero))
        assert np.mean(found.damping) == pytest.approx(mean, rel=1e-12)


def test_thrusters_work_in_the_water_that_waves_move():
    """The same thrust at the speed of the water past it: T (u - ahead)."""
    power = mean_power(STEADY, WaveAction(0.0, 0.0, 0.0, 0.25, 0.0, 0.0))
    calm = mean_power(STEADY, None)
    assert power.thrust == pytest.approx(0.75 * calm.thrust, rel=1e-12)


def test_forces_and_a_moment_of_waves_take_their_products_with_the_velocities():
    at = Relative(0.7, -0.2, 0.3, -0.7, 0.2)
    waves = WaveAction(-4.0, 3.0, 2.0)
    assert needed_of(at, (0.0, 0.0, 0.0), LUTRA, waves).waves == pytest.approx(4.0 * 0.7 + 3.0 * 0.2 - 2.0 * 0.3)
