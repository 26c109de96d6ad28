"""What measured thrusts draw, beyond the cheapest way and beyond what the motion asks."""

import math

import numpy as np
import pytest

from usv_energy.allocation.boat_thrusts import thrusts_of_force
from usv_energy.boats.boat_file import boat_from, read_boat
from usv_energy.boats.checks import with_arrangement
from usv_energy.boats.vessel import Losses
from usv_energy.foils.foil_force import foil_force_of
from usv_energy.physics.motion import Relative
from usv_energy.powering import measured_power
from usv_energy.powering.actuators import foil_angles
from usv_energy.powering.measured_power import (
    MeasuredActuators,
    mean_power_by_known_foils,
    measured_mean_power,
    middle_of_measured,
)
from usv_energy.powering.power import Power, mean_power_rep103, needed_of
from usv_energy.thrusters.drive import force_of_thrusts, powers_of_thrusts

LUTRA = read_boat('lutra_prop')
CALM = LUTRA.vessel.windage._replace(air_density=0.0)
RUDDER = read_boat('lutra_rudder').vessel
FERRY = read_boat('milliampere').vessel
DRAG = 16.296  # N s/m
SQUARE_ROOTS = np.linspace(0.0, 40.0, 4001)


def vessel_with(*thrusters, losses=None):
    """Return Lutra's hull in calm air with other thrusters, each (x, y) and what else its entry holds."""
    entries = [{'name': str(n), 'x': x, 'y': y, 'min_thrust': -40.0, 'max_thrust': 40.0, **more}
               for n, (x, y, more) in enumerate(thrusters)]
    document = {'name': 'test', 'static_load': 5.0, 'inertia': LUTRA.vessel.inertia._asdict(),
                'windage': CALM._asdict(), 'damping': {'linear': {'d11': DRAG, 'd22': 10.193, 'd33': 4.63},
                            'quadratic': {'d11': 0.0, 'd22': 0.0, 'd33': 0.0}},
                'thrusters': entries}
    vessel = boat_from(document, LUTRA.path).vessel
    return with_arrangement(vessel._replace(losses=losses)) if losses else vessel


def ahead(u):
    """Return the Relative of a boat that goes straight on, in air that goes with it."""
    return Relative(u, 0.0, 0.0, 0.0, 0.0)


def fixed(*thrusts):
    return MeasuredActuators(thrusts, (None,) * len(thrusts), ())


def power_by(at, vessel, setting):
    return measured_mean_power(at, at, 0.1, vessel, setting)


IN_LINE = ((0.4, 0.0, {}), (-0.4, 0.0, {}))


def test_two_thrusters_opposed_while_driving_straight_spend_the_opposed_thrust_times_the_speed():
    """One pushes back by 10 N what the other pulls more: with ideal thrusters 10 N u, that nobody gets back."""
    u = 1.2
    power = power_by(ahead(u), vessel_with(*IN_LINE), fixed(-10.0, 10.0 + DRAG * u))
    assert power.allocation == pytest.approx(10.0 * u)
    assert power.thrust == pytest.approx(DRAG * u * u) and power.total == pytest.approx((10.0 + DRAG * u) * u + 5.0)
    assert (power.residual, power.side_force, power.unrecovered, power.losses) == pytest.approx((0.0,) * 4, abs=1e-12)


def test_with_a_map_what_is_spent_is_its_difference_to_equal_shares():
    """P = 3 |T|^1.5 for each: 8 N back and 28 N ahead against twice 10 N."""
    knots = np.sort(np.concatenate([-SQUARE_ROOTS[1:], SQUARE_ROOTS]))
    vessel = vessel_with(*IN_LINE, losses=Losses(1.0, 1.0, knots, 3.0 * np.abs(knots) ** 1.5))
    power = power_by(ahead(20.0 / DRAG), vessel, fixed(-8.0, 28.0))
    assert power.allocation == pytest.approx(3.0 * (8.0 ** 1.5 + 28.0 ** 1.5 - 2.0 * 10.0 ** 1.5), rel=1e-3)
    assert power.losses == pytest.approx(3.0 * 2.0 * 10.0 ** 1.5 - 20.0 * 20.0 / DRAG, rel=1e-3)


def test_two_azimuth_thrusters_turned_against_each_other_spend_what_their_sideways_parts_cost():
    """At 60 degrees in and out each needs twice the thrust for the same surge force: 2^1.5 times the power."""
    turn = {'azimuth': {'min_angle_deg': -180, 'max_angle_deg': 180, 'rate_deg': 90}, 'min_thrust': 0.0}
    knots = SQUARE_ROOTS
    vessel = vessel_with((0.4, 0.0, turn), (-0.4, 0.0, turn), losses=Losses(1.0, 1.0, knots, 3.0 * knots ** 1.5))
    straight = MeasuredActuators((10.0, 10.0), (0.0, 0.0), ())
    turned = MeasuredActuators((20.0, 20.0), (math.radians(60.0), math.radians(-60.0)), ())
    moment = 2.0 * 20.0 * 0.4 * math.sin(math.radians(60.0))
    assert force_of_thrusts(turned.thrusts, turned.angles, vessel.thrusters) == pytest.approx((20.0, 0.0, moment))
    assert power_by(ahead(1.0), vessel, straight).allocation == pytest.approx(0.0, abs=1e-3)
    sideways = 20.0 * math.sin(math.radians(60.0))
    best = 3.0 * 2.0 * math.hypot(10.0, sideways) ** 1.5  # the moment is needed: nothing is cheaper
    assert power_by(ahead(1.0), vessel, turned).allocation == pytest.approx(3.0 * 2.0 * 20.0 ** 1.5 - best, abs=1e-6)
    beside = vessel_with((0.0, 0.4, turn), (0.0, -0.4, turn), losses=Losses(1.0, 1.0, knots, 3.0 * knots ** 1.5))
    assert power_by(ahead(1.0), beside, turned).allocation == pytest.approx(6.0 * (20.0 ** 1.5 - 10.0 ** 1.5), rel=1e-3)


@pytest.mark.parametrize('vessel', [LUTRA.vessel, read_boat('blueboat_start').vessel, FERRY, RUDDER,
                                    read_boat('lutra_airboat').vessel], ids=['pair', 'props', 'ferry', 'rudder', 'fan'])
def test_causes_sum_and_every_difference_has_its_cause(rng, vessel):
    number = 200
    at, setting = random_motion(rng, number), random_setting(rng, vessel, number)
    before = at._replace(u_r=at.u_r - 0.01, r=at.r + 0.02)
    power = measured_mean_power(before, at, 0.1, vessel, setting)
    np.testing.assert_allclose(power.thrust, power.inertia + power.damping + power.wind + power.foils
                               + power.side_force + power.residual, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(power.total, power.thrust + power.unrecovered + power.losses + power.allocation
                               + power.static_load, rtol=1e-12, atol=1e-9)
    assert (power.allocation >= 0.0).all()
    middle = Relative(*(0.5 * (one + other) for one, other in zip(before, at)))
    force = force_of_thrusts(setting.thrusts, setting.angles, vessel.thrusters)
    np.testing.assert_allclose(power.thrust, force[0] * middle.u_r + force[1] * middle.v_r + force[2] * middle.r,
                               rtol=1e-12, atol=1e-9)
    if not vessel.foils:
        plain = mean_power_rep103(before, at, 0.1, vessel)
        np.testing.assert_allclose(power.side_force, plain.side_force, rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(power.residual, power.thrust - plain.thrust, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize('vessel', [LUTRA.vessel, RUDDER, read_boat('lutra_airboat').vessel],
                         ids=['pair', 'rudder', 'fan'])
def test_thrusts_that_are_the_cheapest_way_change_nothing(rng, vessel):
    at = random_motion(rng, 50)
    plain = mean_power_rep103(at, at, 0.1, vessel)
    for row in range(50):
        here = Relative(*(float(values[row]) for values in at))
        force = list(needed_of(here, (0.0, 0.0, 0.0), vessel).force)
        foils = ()
        if vessel.foils:
            thrusts, _, _ = thrusts_of_force(here, tuple(force), vessel)
            for _ in range(2):
                foils = foil_angles(force[2], here, thrusts, vessel.foils)
                foil = foil_force_of(foils[0], vessel.foils[0], here, thrusts)
                left = tuple(wanted - given for wanted, given in zip(force, foil))
                thrusts, angles, _ = thrusts_of_force(here, left, vessel)
        else:
            thrusts, angles, _ = thrusts_of_force(here, tuple(force), vessel)
        power = power_by(here, vessel, MeasuredActuators(thrusts, angles, foils))
        wanted = Power(*(float(np.broadcast_to(values, 50)[row]) for values in plain))
        np.testing.assert_allclose(power, wanted, rtol=2e-3, atol=2e-3)


def test_a_fixed_pair_has_no_other_way_and_its_residual_is_the_closure():
    power = power_by(ahead(1.0), LUTRA.vessel._replace(windage=CALM), fixed(9.0, 9.0))
    tilt = LUTRA.vessel.thrusters[0].efficiency_of_tilt
    assert power.allocation == pytest.approx(0.0, abs=1e-12)
    assert power.residual == pytest.approx(18.0 * tilt - DRAG)
    assert power.thrust == pytest.approx(18.0 * tilt)


def test_beyond_the_limits_of_the_boat_file_the_measured_way_is_the_cheapest_known():
    """90 N where thrusters give 40 each: no cheaper way is known, and none is claimed."""
    assert power_by(ahead(1.0), vessel_with(*IN_LINE), fixed(45.0, 50.0)).allocation == 0.0


def test_a_rudder_of_known_angle_is_taken_as_it_stands_and_another_balances_the_yaw():
    at = Relative(1.0, 0.0, 0.05, -1.0, 0.0)
    for angle in (-0.3, 0.0, 0.2):
        x, y, n = foil_force_of(angle, RUDDER.foils[0], at, (12.0,))
        power = power_by(at, RUDDER, MeasuredActuators((12.0,), (None,), (angle,)))
        assert power.foils == pytest.approx(-(x * at.u_r + y * at.v_r + n * at.r), rel=1e-12)
    moment = needed_of(at, (0.0, 0.0, 0.0), RUDDER).force[2]
    unknown = power_by(at, RUDDER, MeasuredActuators((12.0,), (None,), (math.nan,)))
    balanced, = foil_angles(moment, at, (12.0,), RUDDER.foils)
    assert unknown == pytest.approx(power_by(at, RUDDER, MeasuredActuators((12.0,), (None,), (balanced,))), rel=1e-12)


def test_two_rudders_share_a_moment_and_one_of_unknown_angle_gives_what_the_other_leaves():
    """Beside each other at the same x, so that each gives half; a known one stands, and the other balances the rest."""
    rudder = RUDDER.foils[0]
    vessel = RUDDER._replace(foils=(rudder._replace(y=0.1), rudder._replace(y=-0.1)))
    at = Relative(1.0, 0.0, 0.05, -1.0, 0.0)
    moment = needed_of(at, (0.0, 0.0, 0.0), vessel).force[2]
    own = foil_force_of(-0.05, vessel.foils[0], at, (12.0,))[2]
    for first, shares in ((math.nan, (0.5 * moment, 0.5 * moment)), (-0.05, (None, moment - own))):
        angles = [first if share is None else foil_angles(share, at, (12.0,), (foil,))[0]
                  for share, foil in zip(shares, vessel.foils)]
        balanced = power_by(at, vessel, MeasuredActuators((12.0,), (None,), tuple(angles)))
        unknown = power_by(at, vessel, MeasuredActuators((12.0,), (None,), (first, math.nan)))
        assert unknown == pytest.approx(balanced, rel=1e-12)
        assert abs(angles[1]) < 0.5 and abs(angles[1] - angles[0]) > 1e-4


def test_a_known_rudder_changes_what_thrusters_of_unknown_thrust_must_give():
    """Hard over on a straight way: the thruster must overcome its drag, too."""
    at = ahead(1.0)
    plain = mean_power_rep103(at, at, 0.1, RUDDER)
    unknown = mean_power_by_known_foils(at, at, 0.1, RUDDER, (math.nan,))
    assert unknown == pytest.approx(plain, rel=1e-9, abs=1e-9)
    over = mean_power_by_known_foils(at, at, 0.1, RUDDER, (0.5,))
    assert over.thrust > plain.thrust + 0.3 and over.foils > 0.3
    assert over.thrust == pytest.approx(over.inertia + over.damping + over.wind + over.foils + over.side_force)


def test_the_middle_of_two_angles_is_taken_the_shorter_way():
    one, other = MeasuredActuators((1.0,), (3.0,), (None, 0.1)), MeasuredActuators((3.0,), (-3.0,), (None, 0.3))
    middle = middle_of_measured(one, other)
    assert middle.thrusts == (2.0,) and math.cos(middle.angles[0]) == pytest.approx(-1.0)
    assert middle.foils[0] is None and middle.foils[1] == pytest.approx(0.2)


def random_motion(rng, number):
    u, v, r = rng.uniform(-0.5, 1.5, number), rng.uniform(-0.3, 0.3, number), rng.uniform(-0.3, 0.3, number)
    return Relative(u, v, r, rng.uniform(-3.0, 3.0, number), rng.uniform(-3.0, 3.0, number))


def random_setting(rng, vessel, number):
    thrusts = tuple(rng.uniform(t.min_thrust, t.max_thrust, number) for t in vessel.thrusters)
    angles = tuple(None if t.azimuth is None else rng.uniform(t.azimuth.least, t.azimuth.largest, number)
                   for t in vessel.thrusters)
    foils = tuple(None if f.steer is None else rng.uniform(f.steer.least, f.steer.largest, number)
                  for f in vessel.foils)
    return MeasuredActuators(thrusts, angles, foils)


def test_a_known_rudder_stands_in_the_wash_of_the_thrust_that_its_drag_asks_for():
    """Behind a screw: the thrust is the force of the motion less the rudder's, which is found with that of before."""
    vessel = read_boat('lutra_rudder_t200').vessel
    at, (screw,), (rudder,) = Relative(1.1, 0.05, 0.03, -1.1, 0.0), vessel.thrusters, vessel.foils
    wanted = needed_of(at, (0.0, 0.0, 0.0), vessel).force[0]
    first = foil_force_of(0.4, rudder, at, (wanted / screw.efficiency_of_tilt,))
    x, y, n = foil_force_of(0.4, rudder, at, ((wanted - first[0]) / screw.efficiency_of_tilt,))
    power = mean_power_by_known_foils(at, at, 0.1, vessel, (0.4,))
    assert first[0] < -0.5 and power.foils == pytest.approx(-(x * 1.1 + y * 0.05 + n * 0.03), rel=1e-9)


@pytest.mark.parametrize('axis', [0, 1, 2])
@pytest.mark.parametrize(('missed', 'known'), [(0.9e-3, True), (1.1e-3, False)])
def test_a_cheapest_way_that_misses_a_thousandth_of_the_force_is_none(monkeypatch, axis, missed, known):
    """
    Whichever of surge, sway and yaw is asked for, and missed: then what was measured counts as the cheapest way.

    Measured are the thrusts of the cheapest way and, beside them, 200 N of two thrusters against each other.
    """
    at, asked = ahead(0.0), [0.0, 0.0, 0.0]
    asked[axis] = 100.0
    thrusts, angles, _ = thrusts_of_force(at, tuple(asked), FERRY)
    pushes = [thrust * np.array([math.cos(angle), math.sin(angle)]) for thrust, angle in zip(thrusts, angles)]
    one = FERRY.thrusters[0]
    other = next(n for n, thruster in enumerate(FERRY.thrusters) if n and thruster.x == one.x)
    pushes[0] += (0.0, 200.0)
    pushes[other] -= (0.0, 200.0)
    dear = MeasuredActuators(tuple(math.hypot(*push) for push in pushes),
                             tuple(math.atan2(push[1], push[0]) for push in pushes), ())
    given = thrusts_of_force(at, tuple((1.0 - missed) * part for part in asked), FERRY)
    monkeypatch.setattr(measured_power, 'thrusts_of_force', lambda *given_to: given)
    drawn, least = (powers_of_thrusts(*way, FERRY.thrusters, at, FERRY.losses)[2] for way in (dear[:2], given[:2]))
    assert drawn - least > 1000.0
    assert power_by(at, FERRY, dear).allocation == pytest.approx(drawn - least if known else 0.0, rel=1e-12)
