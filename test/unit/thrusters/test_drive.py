"""What thrusters give for commands, the force that thrusts make, and what these draw: by each one's own place."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.thrusters.commands import thrust_of_command
from usv_energy.thrusters.drive import (
    command_under_way,
    drive_of_command,
    drive_of_commands,
    force_of_thrusts,
    hull_force,
    knows_inflow,
    powers_of_thrust,
    powers_of_thrusts,
    thrust_limits,
    thrust_under_way,
)
from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.thruster import force_along, inflow_along, speed_along

LUTRA = read_boat('lutra_prop').vessel
PAIR = LUTRA.thrusters
TILT = math.cos(math.radians(15.0))
SCREW = BollardMap((-20.0, 0.0, 20.0), (300.0, 0.0, 300.0), inflow=1.2, torque_ratio=0.8, voltage_drop=0.1)
STRAIGHT = None, None


def test_one_thruster_pushes_ahead_by_its_tilt_and_turns_away_from_its_side():
    port, starboard = PAIR
    assert force_along(10.0, None, port) == pytest.approx((10.0 * TILT, 0.0, -0.08 * 10.0 * TILT))
    assert force_along(10.0, None, starboard) == pytest.approx((10.0 * TILT, 0.0, 0.08 * 10.0 * TILT))


@pytest.mark.parametrize('angle', [0.0, 0.5, 0.5 * math.pi, 2.5, -2.0])
def test_the_work_of_a_force_is_the_thrust_times_the_speed_along_the_axis(rng, angle):
    """X u + Y v + N r = T times what `speed_along` gives, for a thruster anywhere and at any angle, tilted."""
    thruster = PAIR[0]._replace(x=-0.7, y=0.3)
    axis = math.cos(angle), math.sin(angle)
    for u, v, r in rng.uniform(-2.0, 2.0, (20, 3)):
        surge, sway, yaw = force_along(7.0, axis, thruster)
        assert 7.0 * speed_along(u, v, r, axis, thruster) == pytest.approx(surge * u + sway * v + yaw * r)


@pytest.mark.parametrize('in_air', [None, 1.0])
@pytest.mark.parametrize('propeller', [None, SCREW], ids=['plain', 'screw'])
def test_a_command_drives_by_the_thrust_that_it_gives_in_its_own_inflow(rng, propeller, in_air):
    """Of a thruster anywhere, in water or air: its force on the hull, and its work on what flows in, if above 0."""
    thruster = PAIR[0]._replace(x=-0.7, y=0.3, in_air=in_air, propeller=propeller)
    for angle, command, *speeds in rng.uniform(-2.0, 2.0, (40, 7)).tolist():
        at, axis = Relative(*speeds), (math.cos(angle), math.sin(angle))
        u, v = (at.u_r, at.v_r) if in_air is None else (-at.u_w, -at.v_w)
        inflow = TILT * (axis[0] * (u - 0.3 * at.r) + axis[1] * (v - 0.7 * at.r))
        assert inflow_along(at, axis, thruster) == pytest.approx(inflow, rel=1e-12)
        thrust = thrust_of_command(command, inflow, propeller)
        assert thrust_under_way(command, angle, thruster, at) == pytest.approx(thrust, rel=1e-12, abs=1e-12)
        drive = drive_of_command(command, angle, thruster, at)
        assert drive[:3] == pytest.approx(force_along(thrust, axis, thruster), rel=1e-12, abs=1e-12)
        assert drive[3] == pytest.approx(max(thrust * inflow, 0.0), rel=1e-12, abs=1e-12)
        thrusters, both = (thruster, PAIR[1]), ((command, 3.0), (angle, None))
        straight = drive_of_command(3.0, None, PAIR[1], at)
        assert drive_of_commands(*both, thrusters, at) == pytest.approx(
            tuple(one + other for one, other in zip(drive, straight)))


def test_the_command_for_a_thrust_gives_it_or_is_at_its_limit(rng):
    """And the limits of thrust are those of the least and the largest command."""
    thruster = PAIR[0]._replace(x=-0.7, y=0.3, propeller=SCREW)
    for angle, thrust, *speeds in rng.uniform(-2.0, 2.0, (40, 7)).tolist():
        at = Relative(*speeds)
        low, high = thrust_limits(angle, thruster, at)
        for wanted in (4.0 * thrust, 2.0 * high, 2.0 * low - 9.0):
            command = command_under_way(wanted, angle, thruster, at)
            assert thruster.min_thrust <= command <= thruster.max_thrust
            given = thrust_under_way(command, angle, thruster, at)
            assert given == pytest.approx(min(max(wanted, low), high), rel=1e-12, abs=1e-12)
        assert (low, high) == tuple(
            thrust_under_way(limit, angle, thruster, at) for limit in (thruster.min_thrust, thruster.max_thrust))


def test_through_the_air_a_boat_goes_against_the_apparent_wind():
    at = Relative(1.0, 0.2, 0.0, -3.0, 2.0)
    water, air = (PAIR[0]._replace(in_air=fluid, efficiency_of_tilt=1.0) for fluid in (None, 1.0))
    assert [inflow_along(at, axis, water) for axis in (None, (0.0, 1.0))] == [1.0, 0.2]
    assert [inflow_along(at, axis, air) for axis in (None, (0.0, 1.0))] == [3.0, -2.0]


def test_what_stands_still_gives_no_force():
    at = Relative(1.0, 0.2, 0.1, -3.0, 2.0)
    assert force_along(0.0, None, PAIR[0]) == (0.0, 0.0, 0.0)
    assert drive_of_commands((0.0, 0.0), STRAIGHT, PAIR, at) == (0.0, 0.0, 0.0, 0.0)
    assert powers_of_thrusts((0.0, 0.0), STRAIGHT, PAIR, at, LUTRA.losses) == (0.0, 0.0, 0.0)


def test_thrusts_make_the_sum_of_their_forces_turning_ones_where_they_point():
    """Nobody knows where those that turn point: then ahead."""
    ferry = read_boat('milliampere').vessel.thrusters
    thrusts, angles = (90.0, -20.0, 40.0, 60.0), (0.3, -1.2, 2.0, 3.1)
    forces = [(thrust * math.cos(angle), thrust * math.sin(angle)) for thrust, angle in zip(thrusts, angles)]
    moment = sum(one.x * y - one.y * x for (x, y), one in zip(forces, ferry))
    assert force_of_thrusts(thrusts, angles, ferry) == pytest.approx((*map(sum, zip(*forces)), moment))
    assert hull_force(thrusts, ferry) == pytest.approx(force_of_thrusts(thrusts, (0.0,) * 4, ferry))
    assert hull_force((3.0, 5.0), PAIR) == pytest.approx((8.0 * TILT, 0.0, 0.08 * TILT * (5.0 - 3.0)))


def test_which_thrusters_know_of_the_water_that_flows_in():
    """A map without inflow does not, to rounding, whatever its most thrust is."""
    assert knows_inflow(PAIR[0]._replace(propeller=SCREW))
    for most in (2.0, 3.0, 11.5, 0.7):
        for propeller in (None, SCREW._replace(inflow=0.0), SCREW._replace(inflow=0.0, voltage_drop=0.0)):
            assert not knows_inflow(PAIR[0]._replace(max_thrust=most, propeller=propeller))


def test_what_thrusters_give_is_of_each_at_its_own_speed():
    """Turning on the spot by opposed thrusts both give; ahead, only the one that pushes does."""
    def given(thrusts, u_r, r):
        return powers_of_thrusts(thrusts, STRAIGHT, PAIR, Relative(u_r, 0.0, r, -u_r, 0.0), LUTRA.losses)[1]

    tilt, arm = PAIR[0].efficiency_of_tilt, PAIR[0].y
    assert speed_along(1.0, 0.0, 0.5, None, PAIR[0]) == pytest.approx(tilt * (1.0 - 0.5 * arm))
    assert given((-6.0, 6.0), 0.0, 0.4) == pytest.approx(2.0 * 6.0 * tilt * arm * 0.4)
    assert given((-6.0, 6.0), 1.0, 0.0) == pytest.approx(6.0 * tilt)
    assert given((-6.0, -6.0), 1.0, 0.0) == 0.0
    assert math.isnan(given((math.nan, 6.0), 1.0, 0.0))


def test_powers_of_all_thrusters_are_the_sums_over_each():
    """Thrusts of 4 and 2 N at their own speeds in a turn: useful, given and drawn."""
    at = Relative(1.0, 0.1, 0.3, -1.0, 0.0)
    each = [powers_of_thrust(thrust, None, one, at, LUTRA.losses) for thrust, one in zip((4.0, 2.0), PAIR)]
    found = powers_of_thrusts((4.0, 2.0), STRAIGHT, PAIR, at, LUTRA.losses)
    assert found == pytest.approx(tuple(map(sum, zip(*each)))) and min(found) > 0.0


def test_what_is_given_is_not_what_is_drawn():
    """Half is lost: 4 and 2 N at 1 m/s give 6 N m/s, tilted, and draw twice that."""
    lossy, at = LUTRA.losses._replace(efficiency=0.5), Relative(1.0, 0.0, 0.0, -1.0, 0.0)
    found = powers_of_thrusts((4.0, 2.0), STRAIGHT, PAIR, at, lossy)
    assert found == pytest.approx((6.0 * TILT, 6.0 * TILT, 12.0 * TILT))


def test_a_fan_gives_its_thrust_times_its_speed_through_the_air():
    fan = PAIR[0]._replace(in_air=1.0)
    useful, given, _ = powers_of_thrust(2.0, None, fan, Relative(1.0, 0.2, 0.0, -3.0, 2.0), LUTRA.losses)
    assert (useful, given) == pytest.approx((2.0 * TILT, 6.0 * TILT))


def test_losses_are_an_efficiency_or_a_map_and_nothing_is_taken_back():
    """A fan that blows to port feels the wind from there; 6 W given are 6 / 0.8 W drawn, or what a map says of 2 N."""
    at = Relative(1.0, 0.2, 0.1, -3.0, 2.0)
    fan = PAIR[0]._replace(in_air=1.0, axis=(0.0, 1.0), x=-0.4, y=0.0)
    given = 2.0 * TILT * (-2.0 - 0.4 * 0.1)
    assert powers_of_thrust(2.0, None, fan, at, LUTRA.losses)[1] == 0.0 > given
    assert powers_of_thrust(-2.0, None, fan, at, LUTRA.losses)[1] == pytest.approx(-given)
    lossy = LUTRA.losses._replace(efficiency=0.8)
    assert powers_of_thrust(-2.0, None, fan, at, lossy)[2] == pytest.approx(-given / 0.8)
    mapped = LUTRA.losses._replace(mapped=1.0, map_thrust=[-2.0, 0.0, 2.0], map_power=[30.0, 0.0, 50.0])
    assert [powers_of_thrust(thrust, None, fan, at, mapped)[2] for thrust in (-2.0, 2.0)] == [30.0, 50.0]


def test_floats_and_arrays_agree(rng):
    """Of thrusters that turn, in air, with a propeller and plain."""
    thrusters = (PAIR[0]._replace(propeller=SCREW, x=0.3), PAIR[1]._replace(in_air=1.0))
    commands, angle, *speeds = rng.uniform(-5.0, 5.0, (2, 30)), rng.uniform(-3.0, 3.0, 30), *rng.uniform(-2, 2, (5, 30))
    arrays = (*drive_of_commands(tuple(commands), (angle, None), thrusters, Relative(*speeds)),
              *powers_of_thrusts(tuple(commands), (angle, None), thrusters, Relative(*speeds), LUTRA.losses))
    for row, (one, other, turned, *at) in enumerate(zip(*commands.tolist(), angle.tolist(), *map(list, speeds))):
        given = (one, other), (turned, None), thrusters, Relative(*map(float, at))
        floats = (*drive_of_commands(*given), *powers_of_thrusts(*given, LUTRA.losses))
        assert all(type(value) is float for value in floats)
        np.testing.assert_allclose([values[row] for values in arrays], floats, rtol=1e-12, atol=1e-12)
