import math

import numpy as np
import pytest
import yaml
from usv_energy.power.rudder_balance import rudder_angles

from usv_energy.boats.arrangement import can_turn
from usv_energy.boats.boat_file import read_boat
from usv_energy.foils.foil_force import foil_force_of
from usv_energy.physics.motion import Relative
from usv_energy.power.steering import foils_of_force

RUDDER = read_boat('lutra_rudder').vessel
SAIL = read_boat('lutra_sail').vessel


@pytest.mark.parametrize('moment', [-0.2, 0.0, 0.05, 0.3])
def test_a_rudder_gives_the_yaw_moment_that_is_left_to_it(moment):
    """As a helmsman finds its angle; its drag is in the force that it makes."""
    at = Relative(0.9, 0.05, 0.02, -0.9, -0.05)
    angle, = rudder_angles(moment, at, (5.0,), RUDDER)
    force = foil_force_of((at, (5.0,)), angle, RUDDER.foils[0])
    assert force[2] == pytest.approx(moment, abs=1e-9)
    assert foils_of_force(at, (4.0, 0.0, moment), RUDDER) == pytest.approx(force, abs=1e-9)


def test_beyond_what_it_can_a_rudder_gives_its_most():
    at = Relative(0.9, 0.0, 0.0, -0.9, 0.0)
    found = [foils_of_force(at, (4.0, 0.0, moment), RUDDER)[2] for moment in (-9.0, -3.0, 3.0, 9.0)]
    assert found[0] == pytest.approx(found[1]) and found[2] == pytest.approx(found[3]) == pytest.approx(-found[0])
    assert 0.0 < found[3] < 3.0


def test_a_sail_is_trimmed_to_half_of_the_apparent_wind_and_a_keel_stands():
    """Wind from 60 degrees on the port bow."""
    angle = math.radians(60.0)
    at = Relative(0.5, 0.0, 0.0, -3.0 * math.cos(angle), -3.0 * math.sin(angle))
    sail, keel, rudder = rudder_angles(0.0, at, (), SAIL)
    assert sail == pytest.approx(0.5 * angle) and keel is None and abs(rudder) < 0.6


def test_a_boat_without_foils_has_no_force_of_them():
    lutra = read_boat('lutra_prop').vessel
    assert foils_of_force(Relative(1.0, 0.2, 0.1, -1.0, 0.0), (5.0, 1.0, 0.3), lutra) == (0.0, 0.0, 0.0)


@pytest.fixture
def air_rudder(tmp_path):
    """Return a function: the vessel of an airboat whose fan stands, with a foil behind it, in its slipstream or not."""
    def made(**wash):
        foil = {'name': 'rudder', 'medium': 'air', 'x': -0.5, 'y': 0.0, 'area': 0.05, 'density': 1.2, 'lift': 1.5,
                'drag': 1.0, 'steer': {'min_angle_deg': -40, 'max_angle_deg': 40, 'rate_deg': 90}, **wash}
        path = tmp_path / 'boat.yaml'
        path.write_text(yaml.safe_dump({'base': 'lutra_airboat', 'name': 'air_rudder', 'foils': [foil], 'thrusters': [
            {'name': 'fan', 'medium': 'air', 'x': -0.3, 'y': 0.0, 'min_thrust': 0.0, 'max_thrust': 8.0}]}))
        return read_boat(str(path)).vessel
    return made


WASH = {'wash': {'thruster': 'fan', 'share': 1.0, 'gain': 1.0, 'diameter': 0.4}}


def test_a_foil_in_a_fans_slipstream_is_a_rudder(air_rudder):
    """At rest in a calm the slipstream of T has v^2 = 8 T / (pi rho d^2), of which lift and drag are."""
    vessel, calm = air_rudder(**WASH), Relative(0.0, 0.0, 0.0, 0.0, 0.0)
    assert vessel.foils[0].sail is None and can_turn(vessel)
    pressure = 0.5 * 1.2 * 0.05 * 8.0 * 5.0 / (math.pi * 1.2 * 0.4 ** 2)
    angle = math.radians(10.0)
    drag, lift = pressure * (1.0 - math.cos(2.0 * angle)), pressure * 1.5 * math.sin(2.0 * angle)
    force = foil_force_of((calm, (5.0,)), angle, vessel.foils[0])
    assert force == pytest.approx((-drag, lift, -0.5 * lift))
    assert rudder_angles(-0.5 * lift, calm, (5.0,), vessel) == pytest.approx((angle,))
    assert foil_force_of((calm, (0.0,)), angle, vessel.foils[0]) == pytest.approx((0.0, 0.0, 0.0)), 'no thrust, no wash'


def test_a_foil_in_air_away_from_fans_is_a_sail_as_ever(air_rudder):
    vessel = air_rudder()
    assert vessel.foils[0].sail == 1.0 and not can_turn(vessel)
    wind = Relative(0.0, 0.0, 0.0, -3.0 * math.cos(0.5), -3.0 * math.sin(0.5))
    assert rudder_angles(0.3, wind, (5.0,), vessel) == pytest.approx((0.25,))


@pytest.mark.parametrize('degrees', [25.0, 60.0, 120.0, 170.0])
def test_a_sail_that_is_trimmed_to_drive_has_no_better_angle(degrees):
    """Of 3601 angles within its limits none drives ahead more, and at half the wind's angle it drives less."""
    vessel, sail = SAIL, SAIL.foils[0]
    at = Relative(0.0, 0.0, 0.0, -3.0 * math.cos(math.radians(degrees)), -3.0 * math.sin(math.radians(degrees)))

    def drive(angle):
        return foil_force_of((at, ()), angle, sail)[0]

    half, most = (rudder_angles(0.0, at, (), vessel._replace(foils=(sail._replace(drives=drives),)))[0]
                  for drives in (None, 1.0))
    assert half == pytest.approx(0.5 * math.radians(degrees))
    tried = max(drive(angle) for angle in np.linspace(sail.steer.least, sail.steer.largest, 3601))
    assert drive(most) >= tried - 1e-9 and drive(most) > drive(half) + 0.01


def test_two_rudders_give_half_of_the_moment_each_and_what_keels_leave():
    rudder = RUDDER.foils[0]._replace(wash=None)
    keel = rudder._replace(steer=None, x=0.3)
    vessel = RUDDER._replace(foils=(rudder, keel, rudder))
    at = Relative(1.2, 0.1, 0.05, -1.2, -0.1)
    first, none, second = rudder_angles(0.4, at, (5.0,), vessel)
    assert first == second and none is None
    assert foil_force_of((at, (5.0,)), first, rudder)[2] == pytest.approx(0.2, abs=1e-9)
    assert foils_of_force(at, (4.0, 0.0, 0.1), vessel)[2] == pytest.approx(0.1, abs=1e-9)
    assert foil_force_of((at, (5.0,)), None, keel)[2] != 0.0


def test_foils_stand_in_the_wash_of_what_the_screw_gives_with_their_drag():
    """One screw ahead of a rudder: its thrust is the force that is asked for less the rudder's own, once over."""
    vessel = read_boat('lutra_rudder_t200').vessel
    at, force = Relative(1.2, 0.1, 0.05, -1.2, 0.0), (20.0, 0.0, 1.5)
    screw, rudder = vessel.thrusters[0], vessel.foils[0]

    def foil(thrust):
        angle, = rudder_angles(force[2], at, (thrust,), vessel)
        return foil_force_of((at, (thrust,)), angle, rudder)

    first = foil(force[0] / screw.efficiency_of_tilt)
    expected = foil((force[0] - first[0]) / screw.efficiency_of_tilt)
    assert abs(first[0]) > 0.05 and foils_of_force(at, force, vessel) == pytest.approx(expected, rel=1e-9)
    still = Relative(0.0, 0.0, 0.0, 0.0, 0.0)
    assert foils_of_force(still, (20.0, 0.0, 0.0), vessel)[2] == pytest.approx(0.0, abs=1e-9)
