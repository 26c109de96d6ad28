"""What is asked of all actuators for a force: rudders by the yaw balance, sails to the wind, thrusters the rest."""

import math

import numpy as np
import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import can_turn, with_arrangement
from usv_energy.foils.foil_force import foil_force_of
from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import (
    drive_of_setting,
    foil_angles,
    foils_of_force,
    setting_of_force,
    steering_force,
)

RUDDER, FAN, SAIL = (read_boat(name).vessel for name in ('lutra_rudder', 'lutra_airboat', 'lutra_sail'))
STILL = Relative(0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize('force, moment', [(2.0, 0.0), (2.0, 0.2), (1.5, -0.2)])
def test_what_is_asked_of_a_fan_gives_force_and_moment(force, moment):
    at = Relative(0.4, 0.0, 0.0, -0.4, 0.0)
    setting, _ = setting_of_force((force, 0.0, moment), at, FAN)
    x, _, n, _ = drive_of_setting(at, setting, FAN)
    assert (x, n) == pytest.approx((force, moment), abs=1e-4)


def test_a_wanted_moment_counts_on_the_wash_of_the_thrust_that_is_given():
    vessel = read_boat('lutra_rudder_t200').vessel
    at = Relative(1.2, 0.05, 0.1, -1.2, 0.0)
    found = drive_of_setting(at, setting_of_force((20.0, 0.0, 1.5), at, vessel)[0], vessel)
    assert found[2] == pytest.approx(1.5, rel=1e-6)


def test_four_turning_thrusters_give_the_force_that_is_asked_for_sway_too():
    vessel, force = read_boat('milliampere').vessel, (120.0, 60.0, -80.0)
    setting, _ = setting_of_force(force, STILL, vessel)
    assert steering_force(STILL, setting, vessel) == pytest.approx(force, rel=1e-6)


def test_what_a_rudder_cannot_give_of_a_moment_the_thrusters_do():
    """Two thrusters and a rudder: all of the force that is asked for comes of both, sway as the rudder has it."""
    pair = read_boat('lutra_prop').vessel
    vessel = with_arrangement(pair._replace(foils=RUDDER.foils[:1]))
    vessel = vessel._replace(foils=tuple(foil._replace(wash=None) for foil in vessel.foils))
    at = Relative(1.0, 0.0, 0.05, -1.0, 0.0)
    for moment in (0.0, 0.3, -2.0):
        setting, _ = setting_of_force((6.0, 0.0, moment), at, vessel)
        force = steering_force(at, setting, vessel)
        assert force[2] == pytest.approx(moment, rel=1e-5, abs=1e-6)
        assert force == pytest.approx(drive_of_setting(at, setting, vessel)[:3], rel=1e-9)
    assert abs(setting.commands[0] - setting.commands[1]) > 0.5 and abs(force[1]) > 0.1


@pytest.mark.parametrize('moment', [-0.2, 0.0, 0.05, 0.3])
def test_a_rudder_gives_the_yaw_moment_that_is_left_to_it(moment):
    """As a helmsman finds its angle; its drag is in the force that it makes."""
    at = Relative(0.9, 0.05, 0.02, -0.9, -0.05)
    angle, = foil_angles(moment, at, (5.0,), RUDDER.foils)
    force = foil_force_of(angle, RUDDER.foils[0], at, (5.0,))
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
    sail, keel, rudder = foil_angles(0.0, at, (), SAIL.foils)
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
    force = foil_force_of(angle, vessel.foils[0], calm, (5.0,))
    assert force == pytest.approx((-drag, lift, -0.5 * lift))
    assert foil_angles(-0.5 * lift, calm, (5.0,), vessel.foils) == pytest.approx((angle,))
    assert foil_force_of(angle, vessel.foils[0], calm, (0.0,)) == pytest.approx((0.0, 0.0, 0.0)), 'no thrust, no wash'


def test_a_foil_in_air_away_from_fans_is_a_sail_as_ever(air_rudder):
    vessel = air_rudder()
    assert vessel.foils[0].sail == 1.0 and not can_turn(vessel)
    wind = Relative(0.0, 0.0, 0.0, -3.0 * math.cos(0.5), -3.0 * math.sin(0.5))
    assert foil_angles(0.3, wind, (5.0,), vessel.foils) == pytest.approx((0.25,))


@pytest.mark.parametrize('degrees', [25.0, 60.0, 120.0, 170.0])
def test_a_sail_that_is_trimmed_to_drive_has_no_better_angle(degrees):
    """Of 3601 angles within its limits none drives ahead more, and at half the wind's angle it drives less."""
    sail = SAIL.foils[0]
    at = Relative(0.0, 0.0, 0.0, -3.0 * math.cos(math.radians(degrees)), -3.0 * math.sin(math.radians(degrees)))

    def drive(angle):
        return foil_force_of(angle, sail, at, ())[0]

    half, most = (foil_angles(0.0, at, (), (sail._replace(drives=drives),))[0]
                  for drives in (None, 1.0))
    assert half == pytest.approx(0.5 * math.radians(degrees))
    tried = max(drive(angle) for angle in np.linspace(sail.steer.least, sail.steer.largest, 3601))
    assert drive(most) >= tried - 1e-9 and drive(most) > drive(half) + 0.01


def test_two_rudders_give_half_of_the_moment_each_and_what_keels_leave():
    rudder = RUDDER.foils[0]._replace(wash=None)
    keel = rudder._replace(steer=None, x=0.3)
    vessel = RUDDER._replace(foils=(rudder, keel, rudder))
    at = Relative(1.2, 0.1, 0.05, -1.2, -0.1)
    first, none, second = foil_angles(0.4, at, (5.0,), vessel.foils)
    assert first == second and none is None
    assert foil_force_of(first, rudder, at, (5.0,))[2] == pytest.approx(0.2, abs=1e-9)
    assert foils_of_force(at, (4.0, 0.0, 0.1), vessel)[2] == pytest.approx(0.1, abs=1e-9)
    assert foil_force_of(None, keel, at, (5.0,))[2] != 0.0


def test_foils_stand_in_the_wash_of_what_the_screw_gives_with_their_drag():
    """One screw ahead of a rudder: its thrust is the force that is asked for less the rudder's own, once over."""
    vessel = read_boat('lutra_rudder_t200').vessel
    at, force = Relative(1.2, 0.1, 0.05, -1.2, 0.0), (20.0, 0.0, 1.5)
    screw, rudder = vessel.thrusters[0], vessel.foils[0]

    def foil(thrust):
        angle, = foil_angles(force[2], at, (thrust,), vessel.foils)
        return foil_force_of(angle, rudder, at, (thrust,))

    first = foil(force[0] / screw.efficiency_of_tilt)
    expected = foil((force[0] - first[0]) / screw.efficiency_of_tilt)
    assert abs(first[0]) > 0.05 and foils_of_force(at, force, vessel) == pytest.approx(expected, rel=1e-9)
    still = Relative(0.0, 0.0, 0.0, 0.0, 0.0)
    assert foils_of_force(still, (20.0, 0.0, 0.0), vessel)[2] == pytest.approx(0.0, abs=1e-9)
