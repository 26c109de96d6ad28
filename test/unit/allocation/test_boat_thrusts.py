import math

import numpy as np
import pytest
from usv_energy.allocation.allocation import UNKNOWN, allocated_from
from usv_energy.allocation.price_search import prices
from usv_energy.power.thrust_sharing import AskedSearch, _start_at, actuator_of, shared_out
from usv_energy.thrusters.propeller import largest_thrust, least_thrust

from usv_energy.allocation.boat_thrusts import thrusts_of_force
from usv_energy.boats.arrangement import with_arrangement
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import Haste
from usv_energy.physics.motion import Relative
from usv_energy.thrusters.drive import force_of_thrusts
from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.thruster import Azimuth, with_shares

LUTRA = read_boat('lutra_prop').vessel
TILT = math.cos(math.radians(15.0))


@pytest.mark.parametrize('axis', [None, (0.0, 1.0), (0.6, -0.8)])
def test_the_limits_for_the_allocation_are_those_of_the_inflow_along_the_axis(axis):
    """40 N at standstill are 40 - c sqrt(40) v ahead in inflow v: 1.5 m/s ahead, 0.5 m/s to port, a tilted axis."""
    propeller = BollardMap(np.array([-40.0, 0.0, 40.0]), np.array([300.0, 0.0, 300.0]), inflow=1.4)
    thruster = LUTRA.thrusters[0]._replace(axis=axis, propeller=propeller, min_thrust=-40.0, max_thrust=40.0, cost=1.0)
    c, s = axis or (1.0, 0.0)
    found = actuator_of(Relative(1.5 + 0.3 * thruster.y, 0.5 - 0.3 * thruster.x, 0.3, -1.5, -0.5), thruster)
    inflow = TILT * (found.u * c + found.v * s)
    assert (found.u, found.v) == pytest.approx((1.5, 0.5))  # at its place, in a turn
    assert (found.forward, found.sideways) == pytest.approx((TILT * c, TILT * s))
    assert (found.low, found.high) == (least_thrust(inflow, -40.0, propeller), largest_thrust(inflow, 40.0, propeller))
    if inflow > 0.0:
        assert found.high == pytest.approx(40.0 - 1.4 * math.sqrt(40.0) * inflow)


@pytest.mark.parametrize('azimuth', [None, Azimuth(-0.8, 0.8, 1.0)])
def test_what_can_be_given_in_one_way_only_is_what_the_search_finds(azimuth, rng):
    """Two in line and a bow thruster, or one that turns and the bow thruster: within the limits, and beyond them."""
    port, starboard = LUTRA.thrusters
    bow = port._replace(x=0.5, y=0.0, angle=0.5 * math.pi)
    some = (port, starboard, bow) if azimuth is None else (port._replace(y=0.0, min_thrust=0.0, azimuth=azimuth), bow)
    vessel = with_arrangement(LUTRA._replace(thrusters=with_shares(some)))
    force = tuple(rng.uniform(-most, most, 300) for most in (25.0, 12.0, 6.0))
    rest = 0.0 * force[0]
    at = Relative(rest + 0.5, rest, rest, rest - 0.5, rest)
    found, searched = (force_of_thrusts(*thrusts_of_force(at, force, one), one)
                       for one in (vessel, vessel._replace(only_way=None)))
    assert vessel.only_way == 1.0
    np.testing.assert_allclose(found, searched, atol=1e-8)
    given = np.all(np.isclose(found, force, atol=1e-8), axis=0)
    assert 20 < np.count_nonzero(given) < 280
    for n in range(0, 300, 10):
        alone = thrusts_of_force(Relative(0.5, 0.0, 0.0, -0.5, 0.0), tuple(float(part[n]) for part in force), vessel)
        np.testing.assert_allclose(force_of_thrusts(*alone, vessel), [part[n] for part in found], atol=1e-8)


def test_what_needs_no_search_has_no_prices_and_a_first_try_in_haste_does_not_search():
    """A tunnel thruster and a pair: 5 N ahead in one way; 1000 N is beyond, which the second try finds the cheapest."""
    port, starboard = LUTRA.thrusters
    some = port, starboard, port._replace(x=0.5, y=0.0, angle=0.5 * math.pi)
    vessel = with_arrangement(LUTRA._replace(thrusters=with_shares(some)))
    at = Relative(0.5, 0.0, 0.0, -0.5, 0.0)
    assert all(math.isnan(price) for price in shared_out(at, (5.0, 0.0, 0.0), vessel)[2])
    thrusts, _, price = shared_out(at, (1000.0, 0.0, 0.0), vessel)
    first, second = (vessel._replace(start=price, hasty=haste) for haste in (Haste(), Haste(1.0)))
    assert shared_out(at, (5.0, 0.0, 0.0), first)[0] == shared_out(at, (5.0, 0.0, 0.0), vessel)[0]
    assert all(math.isnan(thrust) for thrust in shared_out(at, (1000.0, 0.0, 0.0), first)[0])
    np.testing.assert_allclose(shared_out(at, (1000.0, 0.0, 0.0), second)[0], thrusts, rtol=1e-9, atol=1e-12)


def test_what_is_given_in_one_way_needs_no_search_whatever_the_size_of_the_boat(rng):
    """A ship's thrusters give a million newtons: what rounding leaves of them is no demand beyond the limits."""
    port, starboard = (one._replace(min_thrust=-1e6, max_thrust=1e6) for one in LUTRA.thrusters)
    some = port, starboard, port._replace(x=0.5, y=0.0, angle=0.5 * math.pi)
    vessel = with_arrangement(LUTRA._replace(thrusters=with_shares(some)))
    at = Relative(0.5, 0.0, 0.0, -0.5, 0.0)
    for size in (1e5, 1e-3):
        for force in rng.uniform(-size, size, (50, 3)).tolist():
            force[2] *= 0.05
            assert all(math.isnan(price) for price in shared_out(at, tuple(force), vessel)[2])


def test_prices_are_less_by_the_speed_and_the_next_search_begins_where_they_are():
    """Two of unequal size and a third: W/N less the velocity through the water, component by component."""
    port, starboard = LUTRA.thrusters
    some = port, starboard._replace(max_thrust=20.0), port._replace(x=0.1, y=0.0)
    vessel = with_arrangement(LUTRA._replace(thrusters=with_shares(some)))
    at, force = Relative(0.7, 0.2, -0.3, -0.7, 0.0), (9.0, 0.0, 0.4)
    _, _, price = allocated_from(UNKNOWN, force, tuple(actuator_of(at, one) for one in vessel.thrusters))
    found = shared_out(at, force, vessel)[2]
    assert found == pytest.approx((price[0] - 0.7, price[1] - 0.2, price[2] + 0.3), rel=1e-9, abs=1e-9)
    assert _start_at((1.0, 2.0, 3.0), at) == pytest.approx((1.7, 2.2, 2.7))


def test_a_try_in_haste_has_the_angles_and_the_prices_of_the_search():
    """One that turns all round, and a bow thruster: beyond the limits a first try has angles and no thrusts."""
    port = LUTRA.thrusters[0]._replace(y=0.0, min_thrust=0.0, azimuth=Azimuth(-math.pi, math.pi, 1.0))
    bow = LUTRA.thrusters[0]._replace(x=0.5, y=0.0, angle=0.5 * math.pi)
    vessel = with_arrangement(LUTRA._replace(thrusters=with_shares((port, bow))))
    at, force = Relative(0.5, 0.1, 0.05, -0.5, 0.0), (300.0, 60.0, 9.0)
    thrusts, angles, price = shared_out(at, force, vessel)
    first = shared_out(at, force, vessel._replace(start=price, hasty=Haste()))
    second = shared_out(at, force, vessel._replace(start=price, hasty=Haste(1.0)))
    assert all(map(math.isnan, first[0])) and first[1] == (pytest.approx(thrusts_of_force(
        at, (3.0, 0.6, 0.09), vessel)[1][0]), None)
    np.testing.assert_allclose(second[0], thrusts, rtol=1e-6)
    assert second[1] == (pytest.approx(angles[0], abs=1e-6), None)
    np.testing.assert_allclose(second[2], price, rtol=1e-5, atol=1e-6)


def vessel_with(*thrusters):
    return with_arrangement(LUTRA._replace(thrusters=with_shares(thrusters)))


PORT, STARBOARD = LUTRA.thrusters
ROUND = PORT._replace(y=0.0, min_thrust=0.0, azimuth=Azimuth(-math.pi, math.pi, 1.0))
BOW = PORT._replace(x=0.5, y=0.0, angle=0.5 * math.pi)
SHARED = {
    'three in a row': (vessel_with(PORT, STARBOARD._replace(max_thrust=20.0), PORT._replace(x=0.1, y=0.0)),
                       (9.0, 0.0, 0.4)),
    'four that turn': (vessel_with(*(ROUND._replace(x=x, y=y) for x in (0.4, -0.4) for y in (0.2, -0.2))),
                       (9.0, 3.0, 0.4)),
    'a tunnel beyond its limits': (vessel_with(PORT, STARBOARD, BOW), (5.0, 40.0, 1.0)),
    'one that turns, beyond its limits': (vessel_with(ROUND, BOW), (300.0, 60.0, 9.0))}


@pytest.mark.parametrize(('vessel', 'force'), SHARED.values(), ids=SHARED)
@pytest.mark.parametrize('start', [None, (0.3, -0.1, 0.2)])
def test_a_search_that_is_asked_for_ends_at_the_prices_that_are_returned_without_haste(vessel, force, start):
    """Done by itself, from the start that it tells of; the prices that are kept are less by the velocity."""
    at, vessel = Relative(0.5, 0.1, 0.05, -0.5, -0.1), vessel._replace(start=start)
    asked = shared_out(at, force, vessel._replace(hasty=Haste(None, 1.0)))[2]
    expected = shared_out(at, force, vessel)[2]
    assert isinstance(asked, AskedSearch) and asked.velocity == (0.5, 0.1, 0.05)
    assert asked.start == pytest.approx(UNKNOWN if start is None else (0.8, 0.0, 0.25), abs=1e-15, nan_ok=True)
    found = np.subtract(prices(asked.search, asked.parts, asked.start), asked.velocity)
    assert np.all(np.isfinite(expected)) and found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(('vessel', 'force'), SHARED.values(), ids=SHARED)
def test_what_asks_for_a_search_shares_out_as_the_first_try(vessel, force):
    at, vessel = Relative(0.5, 0.1, 0.05, -0.5, -0.1), vessel._replace(start=(0.3, -0.1, 0.2))
    first, asking = (shared_out(at, force, vessel._replace(hasty=haste)) for haste in (Haste(), Haste(None, 1.0)))
    np.testing.assert_array_equal(first[0], asking[0])
    assert not isinstance(first[2], AskedSearch)
