"""A command, its thrust and its power under way: thrusters known by a bollard map, by a table, and plain ones."""

import math

import numpy as np
import pytest

from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from usv_energy.thrusters.kinds.bollard_map import BollardMap, bollard_of_command, bollard_thrust
from usv_energy.thrusters.kinds.thrust_table import ThrustTable

KNOTS = np.linspace(-40.0, 60.0, 21)
STILL = BollardMap(KNOTS, 1.2 * abs(KNOTS) ** 1.5)
MAPPED = STILL._replace(inflow=1.4, torque_ratio=0.9)
MOTOR = MAPPED._replace(voltage_drop=0.2)
SPEEDS = np.array([0.0, 1.0, 2.5])
TABLED = ThrustTable(
    SPEEDS, np.arange(3.0), KNOTS, np.array([(1.2 + 0.3 * v) * abs(KNOTS) ** 1.5 for v in SPEEDS]),
    least=np.array([-40.0, -38.0, -30.0]), most=np.array([60.0, 45.0, 20.0]))
every = pytest.mark.parametrize('propeller', [MAPPED, MOTOR, TABLED], ids=['map', 'motor', 'table'])


def points(rng, number=400):
    """Return thrusts, N, and speeds, m/s: all signs, and standstill, no thrust, and both."""
    thrust, speed = rng.uniform(-35.0, 55.0, number), rng.uniform(-3.0, 3.0, number)
    thrust[:40:2] = 0.0
    speed[:40:4] = 0.0
    return thrust, speed


def test_the_published_form_ahead(rng):
    """T = B - c sqrt(B) v and P = map(B) (1 - g c v / sqrt(B)), for any B that drives: sqrt(B) at least c v."""
    for bollard, v in zip(rng.uniform(20.0, 60.0, 50), rng.uniform(0.0, 3.0, 50)):
        thrust = bollard - 1.4 * math.sqrt(bollard) * v
        assert thrust_at_rate(bollard, v, MAPPED) == pytest.approx(thrust, rel=1e-13)
        assert thrust_of_command(bollard, v, MAPPED) == pytest.approx(thrust, rel=1e-13)
        assert command_of_thrust(thrust, v, MAPPED) == pytest.approx(bollard, rel=1e-12)
        expected = np.interp(bollard, KNOTS, STILL.map_power) * (1.0 - 0.9 * 1.4 * v / math.sqrt(bollard))
        assert power_of_thrust(thrust, v, MAPPED) == pytest.approx(expected, rel=1e-12)


def test_c_is_that_of_a_straight_thrust_coefficient():
    """The same from n, J and K_T: D 0.08 m, K_T0 0.45, J0 1.0, 1000 kg/m^3, 30 turns a second, 1.2 m/s."""
    d, kt0, j0, density, n, v = 0.08, 0.45, 1.0, 1000.0, 30.0, 1.2
    force = density * n ** 2 * d ** 4
    propeller = MAPPED._replace(inflow=math.sqrt(density * kt0) * d / j0)
    assert thrust_at_rate(force * kt0, v, propeller) == pytest.approx(force * kt0 * (1.0 - v / (n * d * j0)), rel=1e-13)


def test_without_inflow_it_is_the_map_at_any_speed(rng):
    thrust, speed = points(rng)
    for answer in (thrust_of_command, thrust_at_rate, command_of_thrust):
        np.testing.assert_array_equal(answer(thrust, speed, STILL), thrust)
    np.testing.assert_array_equal(power_of_thrust(thrust, speed, STILL), np.interp(thrust, KNOTS, STILL.map_power))


def test_of_a_plain_thruster_a_command_is_its_thrust_at_any_speed(rng):
    """What it draws is the matter of the boat's losses: nothing says its power."""
    thrust, speed = points(rng)
    for answer in (thrust_of_command, thrust_at_rate, command_of_thrust):
        np.testing.assert_array_equal(answer(thrust, speed, None), thrust)
    with pytest.raises(TypeError, match='power_of_thrust: nothing is registered for propeller of type NoneType'):
        power_of_thrust(3.0, 1.0, None)


@pytest.mark.parametrize('propeller', [MAPPED, MOTOR], ids=['map', 'motor'])
def test_at_standstill_it_is_the_map(rng, propeller):
    thrust, _ = points(rng)
    still = 0.0 * thrust
    np.testing.assert_allclose(power_of_thrust(thrust, still, propeller), np.interp(thrust, KNOTS, STILL.map_power),
                               rtol=1e-12)
    for answer in (thrust_of_command, thrust_at_rate, command_of_thrust):
        np.testing.assert_allclose(answer(thrust, still, propeller), thrust, rtol=1e-12)


@pytest.mark.parametrize('propeller', [STILL, MAPPED, MOTOR], ids=['still', 'map', 'motor'])
def test_a_command_for_a_thrust_gives_it(rng, propeller):
    thrust, speed = points(rng)
    np.testing.assert_allclose(thrust_of_command(command_of_thrust(thrust, speed, propeller), speed, propeller), thrust,
                               atol=1e-12)


@pytest.mark.parametrize('propeller', [MAPPED, MOTOR], ids=['map', 'motor'])
def test_astern_is_the_mirror_of_ahead(rng, propeller):
    thrust, speed = points(rng)
    knots = np.linspace(-60.0, 60.0, 25)
    symmetric = propeller._replace(map_thrust=knots, map_power=1.2 * abs(knots) ** 1.5)
    for answer, sign in ((command_of_thrust, -1.0), (thrust_of_command, -1.0), (thrust_at_rate, -1.0),
                         (power_of_thrust, 1.0)):
        np.testing.assert_allclose(answer(-thrust, -speed, symmetric), sign * answer(thrust, speed, symmetric),
                                   atol=1e-11)


@pytest.mark.parametrize('v', [-2.0, -0.3, 0.0, 0.3, 2.0])
@pytest.mark.parametrize('propeller', [MAPPED, MOTOR], ids=['map', 'motor'])
def test_more_command_gives_more_thrust_and_more_thrust_ahead_takes_more_power(propeller, v):
    """To rounding; at rates below half of the one that gives no thrust, the drag is the same."""
    asked = np.linspace(-40.0, 60.0, 20001)
    inflow = v + 0.0 * asked
    assert np.all(np.diff(thrust_of_command(asked, inflow, propeller)) >= -1e-13)
    assert np.all(np.diff(thrust_at_rate(asked, inflow, propeller)) >= -1e-13)
    assert np.all(np.diff(command_of_thrust(asked, inflow, propeller)) > 0.0)
    driving = np.linspace(0.25 * (1.4 * v) ** 2 if v < 0.0 else 0.0, float(thrust_of_command(60.0, v, propeller)), 5001)
    assert np.all(np.diff(power_of_thrust(driving, v + 0.0 * driving, propeller)) >= 0.0)


@every
def test_power_is_continuous_and_never_below_0(propeller):
    """No step between neighbours exceeds what the steepest slope of the map, 16 W/N, and its kinks allow."""
    thrust = np.linspace(-35.0, 25.0, 60001)
    for v in (-2.0, -1e-9, 0.0, 1e-9, 0.5, 2.0):
        power = power_of_thrust(thrust, v + 0.0 * thrust, propeller)
        assert np.all(power >= 0.0) and abs(np.diff(power)).max() < 0.1
    speed = np.linspace(-3.0, 3.0, 60001)
    for value in (-10.0, 0.0, 10.0):
        assert abs(np.diff(power_of_thrust(value + 0.0 * speed, speed, propeller))).max() < 0.1


def test_a_motor_at_one_voltage_turns_faster_under_way():
    """Voltages in units of e n at standstill: e n + R I, I by the torque; here from the currents, not the quadratic."""
    bollard, v = 50.0, 2.0
    e, resistance = 1.0 / math.sqrt(bollard), 0.2  # n is the root of the thrust at standstill
    current = bollard                              # and the current goes with the torque
    voltage = e * math.sqrt(bollard) + resistance * e * current
    risen = bollard_of_command(bollard, v, MOTOR)
    torque = 1.0 - 0.9 * 1.4 * v / math.sqrt(risen)
    assert e * math.sqrt(risen) + resistance * e * risen * torque == pytest.approx(voltage, rel=1e-12)
    assert risen > 1.1 * bollard
    # All of that voltage times the current: what a motor draws, whose map is such a motor's at standstill.
    knots = np.linspace(0.0, 100.0, 2001)
    motor = MOTOR._replace(map_thrust=knots, map_power=knots * (np.sqrt(knots) + resistance * knots) * e)
    thrust = thrust_at_rate(risen, v, motor)
    assert power_of_thrust(thrust, v, motor) == pytest.approx(voltage * risen * torque, rel=1e-5)


def test_a_motor_without_resistance_keeps_its_rate_and_so_does_one_at_standstill(rng):
    bollard, speed = points(rng)
    np.testing.assert_allclose(bollard_of_command(bollard, speed, MAPPED), bollard, rtol=1e-14)
    np.testing.assert_allclose(bollard_of_command(bollard, 0.0 * speed, MOTOR), bollard, rtol=1e-12)


def test_beyond_a_map_with_inflow_power_goes_on_as_that_of_screw_and_motor():
    """map(B) (B / B_end)^1.5, and the voltage's share, on both sides; a map without inflow, or without astern, ends."""
    for thrust, end in ((90.0, 60.0), (-50.0, -40.0)):
        at_end = np.interp(end, KNOTS, STILL.map_power)
        assert power_of_thrust(thrust, 0.0, MAPPED) == pytest.approx(at_end * (thrust / end) ** 1.5, rel=1e-12)
        voltage = (1.0 + 0.2 * math.sqrt(abs(thrust))) / (1.0 + 0.2 * math.sqrt(abs(end)))
        assert power_of_thrust(thrust, 0.0, MOTOR) == pytest.approx(at_end * (thrust / end) ** 1.5 * voltage, rel=1e-12)
        assert power_of_thrust(thrust, 0.0, STILL) == at_end
    ahead = MAPPED._replace(map_thrust=np.array([0.0, 60.0]), map_power=np.array([3.0, 600.0]))
    assert power_of_thrust(-50.0, 0.0, ahead) == 3.0


def test_a_propeller_that_the_water_turns_is_drag_and_draws_nothing():
    slip = 1.4 * 2.0
    assert thrust_at_rate(0.1 * slip ** 2, 2.0, MAPPED) == pytest.approx(-0.25 * slip ** 2)
    assert power_of_thrust(-0.25 * slip ** 2, 2.0, MAPPED) == 0.0
    # Without thrust it turns at J0, where its torque is what g leaves of that at standstill.
    assert bollard_thrust(0.0, 2.0, MAPPED) == pytest.approx(slip ** 2)
    assert power_of_thrust(0.0, 2.0, MAPPED) == pytest.approx(0.1 * np.interp(slip ** 2, KNOTS, STILL.map_power))


def test_what_the_largest_and_the_least_command_give_shrinks_with_the_speed():
    assert thrust_of_command(60.0, 2.0, MAPPED) == pytest.approx(60.0 - 2.8 * math.sqrt(60.0))
    assert thrust_of_command(-40.0, -2.0, MAPPED) == pytest.approx(-40.0 + 2.8 * math.sqrt(40.0))
    assert thrust_of_command(60.0, 2.0, MOTOR) == thrust_at_rate(bollard_of_command(60.0, 2.0, MOTOR), 2.0, MOTOR)
    assert thrust_of_command(60.0, 2.0, MOTOR) > 1.2 * thrust_of_command(60.0, 2.0, MAPPED)
    assert [thrust_of_command(command, v, TABLED) for command, v in (
        (60.0, 1.75), (7.0, 0.0), (-60.0, 1.75), (-7.0, 0.0))] == pytest.approx([32.5, 7.0, -34.0, -7.0])


def test_a_table_is_linear_between_its_knots(rng):
    thrust, speed = points(rng)
    held = np.clip(speed, 0.0, 2.5)
    rows = np.array([np.interp(thrust, KNOTS, row) for row in TABLED.power])
    expected = [np.interp(v, SPEEDS, row) for v, row in zip(held, rows.T)]
    np.testing.assert_allclose(power_of_thrust(thrust, speed, TABLED), expected, rtol=1e-12, atol=1e-12)


def all_of(value, speed, propeller):
    return (thrust_of_command(value, speed, propeller), thrust_at_rate(value, speed, propeller),
            command_of_thrust(value, speed, propeller), power_of_thrust(value, speed, propeller))


@every
def test_floats_give_what_arrays_give(rng, propeller):
    thrust, speed = points(rng)
    by_float = [all_of(t, v, propeller) for t, v in zip(thrust.tolist(), speed.tolist())]
    np.testing.assert_allclose(np.array(by_float).T, all_of(thrust, speed, propeller), rtol=1e-13, atol=1e-13)


def test_of_a_table_the_thrust_asked_for_is_the_thrust_at_every_speed(rng):
    """Within what the table says for the speed: all of these are."""
    thrust, speed = points(rng)
    thrust = np.clip(thrust, -30.0, 20.0)
    for answer in (thrust_of_command, thrust_at_rate, command_of_thrust):
        np.testing.assert_array_equal(answer(thrust, speed, TABLED), thrust)


@every
def test_what_is_no_number_stays_none(propeller):
    for values in (all_of(math.nan, 1.0, propeller), all_of(1.0, math.nan, propeller)):
        assert all(math.isnan(value) for value in values)


def test_a_motor_under_way_turns_as_fast_astern_in_water_from_astern(rng):
    """Thrust and inflow mirrored; a propeller that the water brakes turns as at standstill, whichever way it drives."""
    bollard, speed = points(rng)
    ahead, astern = bollard_of_command(bollard, speed, MOTOR), bollard_of_command(-bollard, -speed, MOTOR)
    np.testing.assert_array_equal(astern, -ahead)
    driven = bollard * speed > 0.0
    assert (np.abs(ahead[driven]) > np.abs(bollard[driven])).all()
    np.testing.assert_array_equal(ahead[bollard * speed < 0.0], bollard[bollard * speed < 0.0])


def test_the_drag_of_a_propeller_that_the_water_turns_is_to_be_had_from_the_rate_that_just_gives_it():
    """With c v = 2 the drag is 1 N, which half of the rate without thrust gives: B = (c v / 2)^2 = 1 N, not 0."""
    propeller = MAPPED._replace(inflow=2.0)
    assert (bollard_thrust(-1.0, 1.0, propeller), thrust_at_rate(1.0, 1.0, propeller)) == (1.0, -1.0)
    assert (bollard_thrust(1.0, -1.0, propeller), thrust_at_rate(-1.0, -1.0, propeller)) == (-1.0, 1.0)
    assert bollard_thrust(-1.0000001, 1.0, propeller) == pytest.approx(-1e-7)


def test_a_motor_on_the_edge_of_running_away():
    """k sqrt(B) = 1 and k g c v = 1: half the voltage is lost, and all slope: 2 / sqrt(4 / 2), twice the thrust."""
    propeller = MAPPED._replace(inflow=2.0, torque_ratio=1.0, voltage_drop=0.5)
    assert bollard_of_command(4.0, 1.0, propeller) == pytest.approx(8.0)
