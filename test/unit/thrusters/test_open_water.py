"""Open-water curves of a screw: the correction of a bollard map that follows, and a screw known by the curves."""

import numpy as np
import pytest

from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.kinds.screw import Drive, screw_of
from usv_energy.thrusters.open_water import WATER_DENSITY, OpenWater, b_screw, inflow_of

D, KT0, KQ0, J0, JQ = 0.1, 0.4, 0.05, 0.9, 1.1
J = np.linspace(0.0, 1.0, 101)
STRAIGHT = OpenWater(J, KT0 * (1.0 - J / J0), KQ0 * (1.0 - J / JQ))
HALF = Drive(-30.0, 40.0, np.zeros(1), np.full(1, 0.5))
FORCE = WATER_DENSITY * D ** 4
B_SCREW = b_screw({'pitch_ratio': 1.0, 'area_ratio': 0.65, 'blades': 3}, 'screw')
SCREW = screw_of(B_SCREW, D, HALF)
NONE = B_SCREW.advance_without_thrust


def test_straight_curves_have_the_closed_form_of_the_inflow():
    assert STRAIGHT.advance_without_thrust == pytest.approx(J0, rel=1e-12)
    c, g = inflow_of(STRAIGHT, D)
    assert c == pytest.approx((WATER_DENSITY * KT0) ** 0.5 * D / J0, rel=1e-9)
    assert g == pytest.approx(J0 / JQ, rel=1e-9)


def closed_form():
    """Return the map and inflow of the straight curves: P = 2 pi density n^3 D^5 K_Q0 / 0.5 with n of the thrust."""
    thrust = np.concatenate((-np.geomspace(500.0, 0.01, 4000), [0.0], np.geomspace(0.01, 500.0, 4000)))
    rate = (abs(thrust) / (FORCE * KT0)) ** 0.5
    return BollardMap(thrust, 2.0 * np.pi * WATER_DENSITY * rate ** 3 * D ** 5 * KQ0 / 0.5, *inflow_of(STRAIGHT, D))


def test_a_screw_of_straight_curves_is_the_bollard_map_with_its_inflow():
    """To what the map, of 8001 knots, errs between them."""
    screw, form = screw_of(STRAIGHT, D, HALF), closed_form()
    most = FORCE * KT0 * 40.0 ** 2
    for v in np.linspace(0.0, 2.5, 11):
        thrust = np.linspace(0.0, float(thrust_of_command(most, v, screw)), 15)
        inflow = v + 0.0 * thrust
        np.testing.assert_allclose(power_of_thrust(thrust, inflow, screw), power_of_thrust(thrust, inflow, form),
                                   rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(command_of_thrust(thrust, inflow, screw), command_of_thrust(thrust, inflow, form),
                                   rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize('rate', [0.5, 7.0, 19.0, 40.0, 55.0])
def test_at_a_rate_a_screw_gives_its_k_t_and_draws_its_k_q(rate):
    """At any rate, those beyond the drive's too, and any advance up to that without thrust, on floats and arrays."""
    command = FORCE * B_SCREW.thrust[0] * rate ** 2
    advance = np.linspace(0.0, NONE, 57)
    speed, kt, kq = advance * rate * D, *(np.interp(advance, B_SCREW.advance, curve)
                                          for curve in (B_SCREW.thrust, B_SCREW.torque))
    thrust, shaft = FORCE * rate ** 2 * kt, 2.0 * np.pi * FORCE * D * rate ** 3 * kq
    for answer in (thrust_of_command, thrust_at_rate):
        np.testing.assert_allclose(answer(command + 0.0 * speed, speed, SCREW), thrust, rtol=1e-9, atol=1e-12 * command)
    np.testing.assert_allclose(command_of_thrust(thrust[:-1], speed[:-1], SCREW), command, rtol=1e-9)
    np.testing.assert_allclose(power_of_thrust(thrust[:-1], speed[:-1], SCREW), shaft[:-1] / 0.5, rtol=1e-9)
    for v, wanted in zip(speed.tolist(), thrust.tolist()):
        assert thrust_of_command(command, v, SCREW) == pytest.approx(wanted, rel=1e-9, abs=1e-12 * command)


def test_of_no_thrust_the_command_is_the_largest_that_gives_none():
    """The rate v / (J0 D), whose torque is not 0 yet; slower, the water turns the screw, which gives nothing."""
    for v in (0.5, 2.0):
        rate = v / (NONE * D)
        command = command_of_thrust(0.0, v, SCREW)
        assert command == pytest.approx(FORCE * B_SCREW.thrust[0] * rate ** 2, rel=1e-9)
        assert [thrust_of_command(share * command, v, SCREW) for share in (0.0, 0.3, 1.0)] == pytest.approx(
            [0.0] * 3, abs=1e-9)
        assert thrust_of_command(1.01 * command, v, SCREW) > 1e-3
        kq = np.interp(NONE, B_SCREW.advance, B_SCREW.torque)
        assert power_of_thrust(0.0, v, SCREW) == pytest.approx(4.0 * np.pi * FORCE * D * rate ** 3 * kq, rel=1e-6)
    assert command_of_thrust(0.0, 0.0, SCREW) == power_of_thrust(0.0, 0.0, SCREW) == 0.0


def test_astern_and_in_water_from_astern_it_is_as_at_standstill(rng):
    """And thrust astern is the mirror of that ahead."""
    thrust, speed = rng.uniform(0.0, 60.0, 50), rng.uniform(0.1, 3.0, 50)
    for value, inflow in ((-thrust, speed), (-thrust, -speed), (thrust, -speed)):
        np.testing.assert_allclose(thrust_of_command(value, inflow, SCREW), value, rtol=1e-12)
        np.testing.assert_allclose(command_of_thrust(value, inflow, SCREW), value, rtol=1e-12)
        np.testing.assert_allclose(power_of_thrust(value, inflow, SCREW), power_of_thrust(thrust, 0.0 * speed, SCREW),
                                   rtol=1e-12)


def test_efficiency_by_shaft_power_is_looked_up_there(rng):
    drive = HALF._replace(shaft_power=np.array([0.0, 100.0]), efficiency=np.array([0.25, 0.75]))
    thrust, speed = rng.uniform(-30.0, 60.0, 100), rng.uniform(0.0, 3.0, 100)
    shaft = 0.5 * power_of_thrust(thrust, speed, screw_of(STRAIGHT, D, HALF))
    np.testing.assert_allclose(power_of_thrust(thrust, speed, screw_of(STRAIGHT, D, drive)),
                               shaft / np.clip(0.25 + 0.005 * shaft, 0.25, 0.75), rtol=1e-12)


@pytest.mark.parametrize('scale', [1.0 / 16.0, 36.0])
def test_a_screw_of_another_size_obeys_the_law_of_similitude(rng, scale):
    """So many times as large, at as many times fewer turns a second: the same speeds; forces and powers by area."""
    thrust, speed = rng.uniform(-30.0, 60.0, 100), rng.uniform(-1.0, 3.0, 100)
    small, large = (screw_of(STRAIGHT, size * D, HALF) for size in (1.0, scale))
    for answer in (thrust_of_command, thrust_at_rate, command_of_thrust, power_of_thrust):
        np.testing.assert_allclose(answer(scale ** 2 * thrust, speed, large), scale ** 2 * answer(thrust, speed, small),
                                   rtol=1e-9, atol=1e-9)
    (c, g), (more, same) = inflow_of(STRAIGHT, D), inflow_of(STRAIGHT, scale * D)
    assert more == pytest.approx(scale * c, rel=1e-12) and same == pytest.approx(g, rel=1e-12)


def test_curves_that_do_not_reach_the_advance_without_thrust_end_at_their_last_knot():
    short = OpenWater(J[:51], STRAIGHT.thrust[:51], STRAIGHT.torque[:51])
    assert short.advance_without_thrust == 0.5
    coarse = OpenWater(np.array([0.0, 0.5, 1.0]), np.array([0.4, 0.1, -0.3]), np.array([0.05, 0.03, 0.01]))
    assert coarse.advance_without_thrust == pytest.approx(0.5 + 0.5 * 0.1 / 0.4)
    met = OpenWater(np.array([0.0, 0.5, 1.0]), np.array([0.4, 0.0, -0.3]), np.array([0.05, 0.03, 0.01]))
    assert met.advance_without_thrust == 0.5


def test_beyond_curves_that_end_with_thrust_left_the_coefficients_stay():
    """K_T is 0.4 (1 - 0.5 / 0.9) from J = 0.5 on: at 2 m/s and 10 turns a second J is 2."""
    screw = screw_of(OpenWater(J[:51], STRAIGHT.thrust[:51], STRAIGHT.torque[:51]), D, HALF)
    left, command = FORCE * 100.0 * KT0 * (1.0 - 0.5 / J0), FORCE * 100.0 * KT0
    assert thrust_of_command(command, 2.0, screw) == pytest.approx(left, rel=1e-12)
    assert command_of_thrust(left, 2.0, screw) == pytest.approx(command, rel=1e-12)
    assert power_of_thrust(left, 2.0, screw) == pytest.approx(
        4.0 * np.pi * FORCE * D * 1000.0 * KQ0 * (1.0 - 0.5 / JQ), rel=1e-12)
