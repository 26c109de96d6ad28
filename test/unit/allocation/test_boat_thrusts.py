"""The thrusts of a boat's thrusters for a force: where nothing can be chosen, at limits, and where it is cheapest."""

import math

import numpy as np
import pytest
from thruster_boats import boat_with

from usv_energy.allocation.allocate import NO_START, allocate
from usv_energy.allocation.boat_thrusts import no_multipliers, pair_within_limits, thrusts_of_force, wished_thrusts
from usv_energy.allocation.problem import actuator_of
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import with_arrangement
from usv_energy.physics.motion import Relative
from usv_energy.thrusters.drive import force_of_thrusts, thrust_limits
from usv_energy.thrusters.thruster import Azimuth, with_shares

LUTRA = read_boat('lutra_prop').vessel
PORT, STARBOARD = LUTRA.thrusters
TILT = math.cos(math.radians(15.0))
STILL, AHEAD = Relative(0.0, 0.0, 0.0, 0.0, 0.0), Relative(0.5, 0.0, 0.0, -0.5, 0.0)
ROUND = PORT._replace(y=0.0, min_thrust=0.0, azimuth=Azimuth(-math.pi, math.pi, 1.0))
OUTBOARD = ROUND._replace(azimuth=Azimuth(-0.8, 0.8, 1.0))
BOW = PORT._replace(x=0.5, y=0.0, angle=0.5 * math.pi)


def vessel_with(*thrusters):
    return with_arrangement(LUTRA._replace(thrusters=with_shares(thrusters)))


TUNNEL, POD_AND_BOW = vessel_with(PORT, STARBOARD, BOW), vessel_with(ROUND, BOW)
ROW = vessel_with(PORT, STARBOARD._replace(max_thrust=20.0), PORT._replace(x=0.1, y=0.0))
PODS = vessel_with(*(ROUND._replace(x=x, y=y) for x in (0.4, -0.4) for y in (0.2, -0.2)))


def given_by(found, vessel):
    return force_of_thrusts(found[0], found[1], vessel.thrusters)


# ---- Two thrusters straight ahead


def test_a_pair_gives_what_was_asked_for_where_neither_is_at_its_limit(rng):
    for asked in rng.uniform(-11.5, 11.5, size=(500, 2)).tolist():
        force = force_of_thrusts(tuple(asked), (None, None), LUTRA.thrusters)
        for found in (thrusts_of_force(STILL, force, LUTRA), wished_thrusts(STILL, force, LUTRA)):
            assert found[0] == pytest.approx(asked, abs=1e-12) and found[1] == (None, None)
    surge, yaw = rng.uniform(-30.0, 30.0, 100), rng.uniform(-3.0, 3.0, 100)
    by_array = np.array(wished_thrusts(STILL, (surge, 0.0 * surge, yaw), LUTRA)[0]).T
    by_float = [wished_thrusts(STILL, (float(f), 0.0, float(n)), LUTRA)[0] for f, n in zip(surge, yaw)]
    np.testing.assert_array_equal(by_array, by_float)


def test_what_a_motion_took_of_a_pair_may_be_beyond_its_limits():
    force = 99.0, 0.0, 7.0
    assert given_by(thrusts_of_force(STILL, force, LUTRA), LUTRA) == pytest.approx(force)


def test_the_moment_of_a_pair_comes_first_where_both_cannot_be_had():
    def wished(surge, yaw):
        return wished_thrusts(STILL, (surge, 0.0, yaw), LUTRA)

    full = 23.0 * TILT
    found = wished(full, 0.5)
    assert given_by(found, LUTRA)[2] == pytest.approx(0.5)
    assert found[0][1] == 11.5 and found[0][0] < 11.5
    largest = 11.5 * 0.16 * TILT
    assert wished(full, 2.0 * largest)[0] == pytest.approx((-11.5, 11.5))
    assert wished(full, -2.0 * largest)[0] == pytest.approx((11.5, -11.5))
    assert wished(99.0, 0.0)[0] == (11.5, 11.5)


def test_a_pair_never_leaves_its_limits_and_keeps_every_moment_that_can_be_had(rng):
    thrusters = boat_with((0.3, -4.0, 10.0, 0.0), (-0.3, -4.0, 10.0, 0.0)).thrusters
    largest = 0.5 * (10.0 + 4.0) * 0.6
    for surge, yaw in rng.uniform(-30.0, 30.0, size=(500, 2)):
        thrusts = pair_within_limits(STILL, (surge, 0.0, yaw), thrusters)
        assert all(-4.0 - 1e-12 <= thrust <= 10.0 + 1e-12 for thrust in thrusts)
        assert 0.3 * (thrusts[1] - thrusts[0]) == pytest.approx(max(-largest, min(largest, yaw)))


def test_a_pair_is_shared_as_the_search_shares_it(rng):
    """
    Also where a demand cannot be given; the sway, which they cannot give, is left out.

    1e-11 of a demand may be left; beyond reach the multipliers are a million times as high, and round so much worse.
    """
    pair = tuple(actuator_of(one, STILL) for one in LUTRA.thrusters)
    for force in (rng.uniform(-1.0, 1.0, (2000, 3)) * (40.0, 30.0, 3.0)).tolist():
        expected = pair_within_limits(STILL, force, LUTRA.thrusters)
        within = max(map(abs, expected)) < 11.5 - 1e-9
        assert allocate(tuple(force), pair, NO_START)[0] == pytest.approx(expected, abs=2e-10 if within else 2e-8)


def test_a_pair_under_way_is_held_to_what_its_largest_commands_give_there():
    """Screws that the water unloads: too much surge, and too much yaw, of which one does its part astern."""
    vessel = read_boat('blueboat').vessel
    at = Relative(1.5, 0.0, 0.2, -1.5, 0.0)
    limits = [thrust_limits(None, one, at) for one in vessel.thrusters]
    assert limits[0][1] < 0.95 * vessel.thrusters[0].max_thrust
    lower = min(high for _, high in limits)  # In a turn they differ: no yaw moment is asked for.
    assert wished_thrusts(at, (9e3, 0.0, 0.0), vessel)[0] == pytest.approx((lower, lower))
    turned = wished_thrusts(at, (0.0, 0.0, 9e3), vessel)[0]
    assert vessel.thrusters[0].y > 0.0 and turned == pytest.approx((limits[0][0], limits[1][1]))


# ---- One thruster


def test_one_that_turns_gives_a_wished_moment_before_surge():
    """At most 11.5 N, 0.4 m abaft: of a moment all that is sideways, ahead what a circle leaves beside it."""
    pod = vessel_with(ROUND._replace(x=-0.4))
    most = 11.5 * TILT
    for moment in (0.5, -2.0):
        x, y, n = given_by(wished_thrusts(STILL, (90.0, 0.0, moment), pod), pod)
        assert n == pytest.approx(moment) and math.hypot(x, y) == pytest.approx(most) and x > 0.0
    assert given_by(wished_thrusts(STILL, (90.0, 0.0, 50.0), pod), pod)[2] == pytest.approx(0.4 * most)
    assert given_by(thrusts_of_force(STILL, (90.0, 0.0, 0.5), pod), pod) == pytest.approx((90.0, -1.25, 0.5))


def test_an_outboard_gives_of_a_moment_what_its_largest_angle_allows():
    """0.8 rad either way: a moment asks for no more than the sideways part there, and never for thrust astern."""
    outboard = vessel_with(OUTBOARD._replace(x=-0.4))
    found = wished_thrusts(STILL, (90.0, 0.0, 50.0), outboard)
    assert found[1] == pytest.approx((-0.8,)) and found[0] == pytest.approx((11.5,))


# ---- Arrangements that are searched for


def test_only_where_something_can_be_chosen_are_there_multipliers():
    for vessel in (LUTRA, vessel_with(PORT), vessel_with(ROUND)):
        assert no_multipliers(0.0, vessel) is None
    for vessel in (TUNNEL, POD_AND_BOW, ROW):
        assert all(map(math.isnan, no_multipliers(0.0, vessel)))
        assert no_multipliers(np.zeros(3), vessel)[0].shape == (3,)


def test_a_boat_without_thrusters_gives_nothing():
    assert thrusts_of_force(STILL, (1.0, 2.0, 3.0), vessel_with())[:2] == ((), ())
    assert force_of_thrusts((), (), ()) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize('vessel', [TUNNEL, POD_AND_BOW, vessel_with(OUTBOARD, BOW)],
                         ids=['tunnel', 'one that turns', 'one in a range'])
def test_what_can_be_given_in_one_way_only_is_given_whole(vessel, rng):
    """Two in line and a bow thruster, or one that turns and the bow thruster: within the limits all, or else less."""
    number = 100
    thrusts = tuple(rng.uniform(one.min_thrust, one.max_thrust, number) for one in vessel.thrusters)
    angles = tuple(one.azimuth and rng.uniform(max(one.azimuth.least, -3.0), min(one.azimuth.largest, 3.0), number)
                   for one in vessel.thrusters)
    force = force_of_thrusts(thrusts, angles, vessel.thrusters)
    rest = np.zeros(number)
    at = Relative(rest + 0.5, rest, rest, rest - 0.5, rest)
    found = thrusts_of_force(at, force, vessel)
    np.testing.assert_allclose(found[0], thrusts, atol=1e-7)
    np.testing.assert_allclose(given_by(found, vessel), force, atol=1e-8)
    beyond = given_by(thrusts_of_force(at, tuple(9.0 * part for part in force), vessel), vessel)
    assert np.all(np.hypot(beyond[0], beyond[1]) < 60.0)
    for n in range(0, number, 10):
        alone = thrusts_of_force(AHEAD, tuple(float(part[n]) for part in force), vessel)
        np.testing.assert_allclose(given_by(alone, vessel), [part[n] for part in force], atol=1e-8)


def test_two_in_line_share_a_surge_by_their_costs_and_leave_out_a_moment():
    """Neither gives a moment: 8 N ahead are 4 N of each along its tilted axis, and more than both give is held."""
    vessel = vessel_with(PORT._replace(y=0.0), STARBOARD._replace(x=0.3, y=0.0))
    for thrusts in (thrusts_of_force, wished_thrusts):
        assert thrusts(AHEAD, (8.0, 0.0, 1.0), vessel)[0] == pytest.approx((4.0 / TILT, 4.0 / TILT), rel=1e-9)
        assert thrusts(AHEAD, (99.0, 0.0, 0.0), vessel)[0] == pytest.approx((11.5, 11.5))
    assert all(map(math.isnan, no_multipliers(0.0, vessel)))


@pytest.mark.parametrize('size', [1e6, 1e-2])
def test_a_ship_and_a_toy_are_given_their_forces_as_exactly(rng, size):
    limited = [one._replace(min_thrust=-size, max_thrust=size) for one in (PORT, STARBOARD, BOW)]
    vessel = vessel_with(*limited)
    for force in rng.uniform(-0.1 * size, 0.1 * size, (50, 3)).tolist():
        force[2] *= 0.05
        assert given_by(thrusts_of_force(AHEAD, tuple(force), vessel), vessel) == pytest.approx(
            force, rel=1e-9, abs=1e-10 * size)


def test_multipliers_are_less_by_the_speed_and_the_next_search_begins_where_they_are():
    """Two of unequal size and a third: W/N less the velocity through the water, component by component."""
    at, force = Relative(0.7, 0.2, -0.3, -0.7, 0.0), (9.0, 0.0, 0.4)
    _, _, searched = allocate(force, tuple(actuator_of(one, at) for one in ROW.thrusters), NO_START)
    found = thrusts_of_force(at, force, ROW)[2]
    assert found == pytest.approx((searched[0] - 0.7, searched[1] - 0.2, searched[2] + 0.3), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(('vessel', 'force'), [
    (ROW, (9.0, 0.0, 0.4)), (PODS, (9.0, 3.0, 0.4)), (TUNNEL, (5.0, 40.0, 1.0)), (POD_AND_BOW, (300.0, 60.0, 9.0))],
    ids=['three in a row', 'four that turn', 'a tunnel beyond its limits', 'one that turns, beyond its limits'])
def test_a_start_changes_no_answer(vessel, force):
    """Its own multipliers, those of a boat a little slower, and some that are far away."""
    at = Relative(0.5, 0.1, 0.05, -0.5, -0.1)
    thrusts, angles, multipliers = thrusts_of_force(at, force, vessel)
    slower = thrusts_of_force(Relative(0.45, 0.1, 0.05, -0.45, -0.1), force, vessel)[2]
    for start in (multipliers, slower, (0.3, -0.1, 0.2)):
        again, turned, _ = thrusts_of_force(at, force, vessel, start)
        assert again == pytest.approx(thrusts, rel=1e-6, abs=1e-6)
        assert [angle for angle in turned if angle is not None] == pytest.approx(
            [angle for angle in angles if angle is not None], abs=1e-6)
