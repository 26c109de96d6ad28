import math

import numpy as np
import pytest

from usv_energy.allocation.boat_thrusts import least_thrusts
from usv_energy.physics.frames import radians_of_degrees
from usv_energy.thrusters.drive import force_of_thrusts
from usv_energy.thrusters.thruster import (
    Azimuth,
    Thruster,
    cosine_of_degrees,
    gives_sway,
    with_shares,
)

WHOLE = Azimuth(-math.pi, math.pi, 1.0)


def thruster(y, tilt=1.0):
    return Thruster(-0.4, y, -10.0, 10.0, tilt, 0.0, 0.0, 0.0)


def test_the_shares_of_a_pair():
    """T = X / (2 cos) -+ N / (2 y cos): closed form of the pseudo-inverse of two thrusters at plus and minus y."""
    tilt = 0.9
    port, starboard = with_shares((thruster(0.25, tilt), thruster(-0.25, tilt)))
    np.testing.assert_allclose([port.surge_share, starboard.surge_share], 0.5 / tilt)
    np.testing.assert_allclose([port.yaw_share, starboard.yaw_share], [-0.5 / 0.25 / tilt, 0.5 / 0.25 / tilt])


def test_three_thrusters_give_what_is_asked_with_the_least_thrust():
    given = with_shares((thruster(0.5), thruster(0.1), thruster(-0.4, 0.8)))
    arrangement = np.array([[t.efficiency_of_tilt, -t.y * t.efficiency_of_tilt] for t in given]).T
    shares = np.array([[t.surge_share, t.yaw_share] for t in given])
    np.testing.assert_allclose(arrangement @ shares, np.eye(2), atol=1e-12)
    free = np.linalg.svd(arrangement)[2][2]     # thrusts that cancel each other
    np.testing.assert_allclose(free @ shares, 0.0, atol=1e-12)


def test_arrays_give_each_run_the_shares_of_its_own():
    arms = np.array([0.1, 0.25, 0.7])
    port, starboard = with_shares((thruster(arms), thruster(-arms)))
    for n, arm in enumerate(arms):
        alone = with_shares((thruster(float(arm)), thruster(-float(arm))))
        found = [port.yaw_share[n], starboard.yaw_share[n]]
        np.testing.assert_allclose(found, [t.yaw_share for t in alone], rtol=1e-14)
        assert isinstance(alone[0].yaw_share, float)


@pytest.mark.parametrize('angle', [0, 15.0, -60.0, 89.9])
def test_the_share_of_a_tilted_thrust_that_drives(angle):
    assert cosine_of_degrees(angle) == math.cos(math.radians(angle))
    np.testing.assert_allclose(cosine_of_degrees(np.array([angle, 60.0])), [math.cos(math.radians(angle)), 0.5])


def made(thrusters, force):
    """Return what thrusters give, each by its share of a force."""
    return force_of_thrusts(*least_thrusts(force, thrusters), thrusters)


def test_a_bow_thruster_beside_a_pair_gives_sway_too(rng):
    """Three columns, three forces: one answer, which gives all of them."""
    bow = thruster(0.0)._replace(x=0.5, angle=0.5 * math.pi)
    every = with_shares((thruster(0.2), thruster(-0.2), bow))
    assert gives_sway(every) and not gives_sway(every[:2])
    for force in rng.uniform(-5.0, 5.0, size=(50, 3)):
        assert made(every, tuple(force)) == pytest.approx(tuple(force), abs=1e-12)


def test_one_that_turns_gives_surge_and_moment_and_what_sway_that_takes(rng):
    """At the stern, N = x Y: the sway force gives way."""
    stern = with_shares((thruster(0.0)._replace(azimuth=WHOLE),))
    assert not gives_sway(stern)
    for surge, sway, yaw in rng.uniform(-5.0, 5.0, size=(50, 3)):
        assert made(stern, (surge, sway, yaw)) == pytest.approx((surge, yaw / -0.4, yaw), rel=1e-4, abs=1e-4)


def test_four_that_turn_give_any_force(rng):
    every = with_shares(tuple(Thruster(x, y, 0.0, 9.0, 1.0, 0.0, 0.0, 0.0, azimuth=WHOLE)
                              for x in (-2.0, 2.0) for y in (-0.8, 0.8)))
    assert gives_sway(every)
    for force in rng.uniform(-5.0, 5.0, size=(50, 3)):
        assert made(every, tuple(force)) == pytest.approx(tuple(force), abs=1e-12)


def test_arrays_of_runs_have_each_its_own_shares_where_one_drives_aside():
    """Two runs of different places and tilts, three thrusters of which one drives to port, are those one by one."""
    places, tilts = np.array([0.3, 0.7]), np.array([0.9, 0.6])

    def every(pick):
        return with_shares((thruster(0.2, pick(tilts)), thruster(-0.3, 0.8),
                            thruster(0.1, pick(tilts))._replace(x=pick(places), angle=1.1)))

    for n in range(2):
        for many, alone in zip(every(lambda values: values), every(lambda values, n=n: float(values[n]))):
            for name in ('surge_share', 'sway_share', 'yaw_share'):
                assert getattr(many, name)[n] == pytest.approx(getattr(alone, name), rel=1e-12)
        found = made(every(lambda values, n=n: float(values[n])), (1.0, -2.0, 0.5))
        assert found == pytest.approx((1.0, -2.0, 0.5))


def test_which_arrangements_give_sway_by_itself():
    """Two ahead do not; with a bow thruster, or one that turns in its place, three directions span every force."""
    ahead, bow = (thruster(0.2), thruster(-0.2)), thruster(0.0)._replace(x=0.5, angle=0.5 * math.pi)
    turning = bow._replace(azimuth=WHOLE)
    for given, found in ((ahead, False), ((*ahead, bow), True), ((*ahead, bow, thruster(0.0)), True),
                         ((thruster(0.2),), False), ((thruster(0.2), bow), False), ((turning, thruster(0.2)), True)):
        assert gives_sway(with_shares(given)) == found
    assert with_shares((turning,))[0].axis == (1.0, 0.0)


def test_a_thruster_at_the_boats_point_gives_the_force_along_its_axis():
    alone = with_shares((thruster(0.0)._replace(x=0.0, angle=0.3),))
    assert made(alone, (2.0 * math.cos(0.3), 0.0, 0.0))[0] == pytest.approx(2.0 * math.cos(0.3), rel=1e-4)
    assert radians_of_degrees(np.array([90.0, -45.0])) == pytest.approx([0.5 * math.pi, -0.25 * math.pi])
