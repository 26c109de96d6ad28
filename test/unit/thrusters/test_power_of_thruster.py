import math

import pytest
from usv_energy.allocation.allocation import Aim
from usv_energy.thrusters.power_of_thruster import powers_of_aim, straight_powers

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.thrusters.drive import powers_of_thrust
from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.mounting import force_along

LUTRA = read_boat('lutra_prop').vessel
TILT = math.cos(math.radians(15.0))
SCREW = BollardMap((-20.0, 0.0, 20.0), (300.0, 0.0, 300.0), inflow=1.2, torque_ratio=0.8, voltage_drop=0.1)


@pytest.mark.parametrize('in_air', [None, 1.0])
def test_a_push_that_is_known_beside_the_axis_says_the_same_power(rng, in_air):
    """Of a thruster anywhere, in water or air, with a propeller that knows of the speed and without."""
    for propeller in (None, SCREW):
        thruster = LUTRA.thrusters[0]._replace(x=-0.7, y=0.3, in_air=in_air, propeller=propeller)
        for angle, thrust, *speeds in rng.uniform(-2.0, 2.0, (20, 7)):
            axis, at = (math.cos(angle), math.sin(angle)), Relative(*speeds)
            expected = powers_of_thrust(at, thrust, angle, thruster, LUTRA.losses)
            for aim in (Aim(axis, None), Aim(axis, force_along(thrust, axis, thruster)[:2])):
                assert powers_of_aim(at, thrust, aim, thruster, LUTRA.losses) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize('propeller', [None, SCREW])
def test_what_is_written_out_for_a_pair_draws_what_any_thruster_does(rng, propeller):
    """To the last bit: runs of two thrusters are held to the joule of their golden files."""
    thruster = LUTRA.thrusters[0]._replace(propeller=propeller)
    for u, v, r, thrust in rng.uniform(-3.0, 3.0, (50, 4)).tolist():
        at = Relative(u, v, r, -u, -v)
        assert straight_powers(at, 4.0 * thrust, thruster, LUTRA.losses) == \
            powers_of_thrust(at, 4.0 * thrust, None, thruster, LUTRA.losses)


def test_a_fan_gives_its_thrust_times_its_speed_through_the_air():
    fan = LUTRA.thrusters[0]._replace(in_air=1.0)
    useful, given, _ = powers_of_thrust(Relative(1.0, 0.2, 0.0, -3.0, 2.0), 2.0, None, fan, LUTRA.losses)
    assert (useful, given) == pytest.approx((2.0 * TILT, 6.0 * TILT))


def test_losses_are_an_efficiency_or_a_map_and_nothing_is_taken_back():
    """A fan that blows to port feels the wind from there; 6 W given are 6 / 0.8 W drawn, or what a map says of 2 N."""
    at = Relative(1.0, 0.2, 0.1, -3.0, 2.0)
    fan = LUTRA.thrusters[0]._replace(in_air=1.0, axis=(0.0, 1.0), x=-0.4, y=0.0)
    given = 2.0 * TILT * (-2.0 - 0.4 * 0.1)
    assert powers_of_thrust(at, 2.0, None, fan, LUTRA.losses)[1] == 0.0 > given
    assert powers_of_thrust(at, -2.0, None, fan, LUTRA.losses)[1] == pytest.approx(-given)
    half = LUTRA.losses._replace(efficiency=0.8)
    assert powers_of_thrust(at, -2.0, None, fan, half)[2] == pytest.approx(-given / 0.8)
    mapped = LUTRA.losses._replace(mapped=1.0, map_thrust=[-2.0, 0.0, 2.0], map_power=[30.0, 0.0, 50.0])
    assert [powers_of_thrust(at, thrust, None, fan, mapped)[2] for thrust in (-2.0, 2.0)] == [30.0, 50.0]
