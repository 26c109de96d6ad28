import math

import pytest
from usv_energy.allocation.allocation import Aim
from usv_energy.thrusters.thruster_drive import pair_drive, surge_along, through_air, through_water

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.thrusters.drive import drive_of_command
from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.mounting import force_along, speed_along

LUTRA = read_boat('lutra_prop').vessel
TILT = math.cos(math.radians(15.0))


def test_one_thruster_pushes_ahead_by_its_tilt_and_turns_away_from_its_side():
    port, starboard = LUTRA.thrusters
    assert force_along(10.0, None, port) == pytest.approx((10.0 * TILT, 0.0, -0.08 * 10.0 * TILT))
    assert force_along(10.0, None, starboard) == pytest.approx((10.0 * TILT, 0.0, 0.08 * 10.0 * TILT))


@pytest.mark.parametrize('angle', [0.0, 0.5, 0.5 * math.pi, 2.5, -2.0])
def test_the_work_of_a_force_is_the_thrust_times_the_speed_along_the_axis(rng, angle):
    """X u + Y v + N r = T times what `speed_along` gives, for a thruster anywhere and at any angle, tilted."""
    thruster = LUTRA.thrusters[0]._replace(x=-0.7, y=0.3)
    axis = math.cos(angle), math.sin(angle)
    for u, v, r in rng.uniform(-2.0, 2.0, (20, 3)):
        surge, sway, yaw = force_along(7.0, axis, thruster)
        assert 7.0 * speed_along(u, v, r, axis, thruster) == pytest.approx(surge * u + sway * v + yaw * r)


@pytest.mark.parametrize('in_air', [None, 1.0])
def test_a_push_that_is_known_beside_the_axis_says_the_same_surge(rng, in_air):
    """Of a thruster anywhere, in water or air, with a propeller that knows of the speed and without."""
    for propeller in (None, SCREW):
        thruster = LUTRA.thrusters[0]._replace(x=-0.7, y=0.3, in_air=in_air, propeller=propeller)
        for angle, thrust, *speeds in rng.uniform(-2.0, 2.0, (20, 7)):
            axis, at = (math.cos(angle), math.sin(angle)), Relative(*speeds)
            for aim in (Aim(axis, None), Aim(axis, force_along(thrust, axis, thruster)[:2])):
                assert surge_along(at, thrust, aim, thruster) == pytest.approx(
                    drive_of_command(at, thrust, angle, thruster)[0], rel=1e-12)
    assert surge_along(at, thrust, Aim(None, None), LUTRA.thrusters[0]) == drive_of_command(
        at, thrust, None, LUTRA.thrusters[0])[0]


SCREW = BollardMap((-20.0, 0.0, 20.0), (300.0, 0.0, 300.0), inflow=1.2, torque_ratio=0.8, voltage_drop=0.1)


@pytest.mark.parametrize('propeller', [None, SCREW])
def test_what_is_written_out_for_a_pair_is_what_any_thruster_does(rng, propeller):
    """To the last bit: runs of two thrusters are held to the joule of their golden files."""
    pair = tuple(thruster._replace(propeller=propeller) for thruster in LUTRA.thrusters)
    for u, v, r, port, starboard in rng.uniform(-3.0, 3.0, (50, 5)).tolist():
        at, thrusts = Relative(u, v, r, -u, -v), (4.0 * port, 4.0 * starboard)
        each = [drive_of_command(at, thrust, None, thruster) for thrust, thruster in zip(thrusts, pair)]
        assert pair_drive(at, thrusts, pair) == tuple(0.0 + one + other for one, other in zip(*each))


def test_through_the_air_a_boat_goes_against_the_apparent_wind():
    at = Relative(1.0, 0.2, 0.0, -3.0, 2.0)
    assert through_water(at) == (1.0, 0.2) and through_air(1.0, at) == (3.0, -2.0)


def test_what_stands_still_gives_no_force():
    pair = LUTRA.thrusters
    at = Relative(1.0, 0.2, 0.1, -3.0, 2.0)
    assert force_along(0.0, None, pair[0]) == (0.0, 0.0, 0.0)
    assert pair_drive(at, (0.0, 0.0), pair)[:3] == (0.0, 0.0, 0.0)
