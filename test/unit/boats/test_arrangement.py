import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import USUAL_COST, can_turn, cost_of_thrust, is_pair, with_arrangement
from usv_energy.foils.foil import Foil, Steer, Wash
from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.thruster import Azimuth, with_shares

LUTRA = read_boat('lutra_prop').vessel
PORT, STARBOARD = LUTRA.thrusters


def boat_of(*thrusters):
    return with_arrangement(LUTRA._replace(thrusters=with_shares(thrusters)))


@pytest.mark.parametrize('change', [{'angle': 0.1}, {'in_air': 1.0}, {'y': 0.1}, {'y': 0.08}])
def test_a_pair_drives_straight_ahead_through_water_the_first_to_port(change):
    assert is_pair(LUTRA) and not is_pair(boat_of(PORT, STARBOARD._replace(**change)))
    assert not is_pair(LUTRA._replace(foils=(foil(),)))


@pytest.mark.parametrize('change', [
    {'max_thrust': 5.0}, {'y': -0.1}, {'x': 0.0}, {'lag': 0.3}, {'efficiency_of_tilt': 0.5},
    {'propeller': BollardMap(np.array([-10.0, 0.0, 10.0]), np.array([9.0, 0.0, 9.0]))}])
def test_a_pair_may_differ_in_all_else(change):
    assert is_pair(boat_of(PORT, STARBOARD._replace(**change)))


def test_the_first_of_a_pair_is_to_port():
    assert not is_pair(boat_of(STARBOARD, PORT))


def test_what_can_turn_a_boat():
    alone = PORT._replace(y=0.0)
    assert can_turn(LUTRA) and not can_turn(boat_of(alone)) and not can_turn(boat_of(alone, alone))
    assert not can_turn(boat_of(PORT))  # It turns always to the same side.
    assert can_turn(boat_of(alone._replace(azimuth=Azimuth(-0.5, 0.5, 1.0))))
    assert can_turn(boat_of(alone, alone._replace(x=0.4, angle=0.5 * math.pi)))


def test_a_cost_is_that_of_half_of_the_most_thrust():
    assert cost_of_thrust(PORT, LUTRA.losses) == USUAL_COST
    mapped = LUTRA.losses._replace(mapped=1.0, map_thrust=[-11.5, 0.0, 11.5], map_power=[100.0, 0.0, 150.0])
    assert cost_of_thrust(PORT, mapped) == pytest.approx(75.0 / 5.75 ** 1.5)


@pytest.mark.parametrize(('low', 'high'), [(-4.0, 9.0), (-25.0, 9.0)])
def test_a_propeller_that_takes_thrust_to_1_5_costs_its_factor_whatever_its_limits(low, high):
    """P = 1.2 T^1.5 ahead and astern, at the knots of a map of 0.5 N; the larger limit counts, astern or ahead."""
    knots = np.linspace(-50.0, 50.0, 201)
    screw = PORT._replace(propeller=BollardMap(knots, 1.2 * np.abs(knots) ** 1.5), min_thrust=low, max_thrust=high)
    assert cost_of_thrust(screw, LUTRA.losses) == pytest.approx(1.2, rel=1e-12)


def foil(**changes):
    return Foil(-0.5, 0.0, 0.02, 1000.0, 1.5, 1.0, 0.02, 0.0)._replace(**changes)


@pytest.mark.parametrize(('changes', 'sail', 'turns'), [
    ({}, None, False), ({'steer': Steer(-1.0, 1.0, 1.0)}, None, True),
    ({'in_air': 1.0}, None, False), ({'in_air': 1.0, 'steer': Steer(-1.0, 1.0, 1.0)}, 1.0, False),
    ({'in_air': 1.0, 'steer': Steer(-1.0, 1.0, 1.0), 'wash': Wash((1.0,), 0.5, 1.0, 0.3)}, None, True)])
def test_what_turns_in_air_away_from_a_fan_is_a_sail_what_else_turns_a_rudder(changes, sail, turns):
    """A keel and a fixed wing neither steer nor are sails; a rudder in a fan's slipstream is none, but steers."""
    vessel = with_arrangement(LUTRA._replace(thrusters=with_shares((PORT._replace(y=0.0),)), foils=(foil(**changes),)))
    assert (vessel.foils[0].sail, vessel.foils[0].swings) == (sail, None)
    assert can_turn(vessel) == turns
    assert with_arrangement(vessel._replace(foils=(foil(aft=0.1),))).foils[0].swings == 1.0


def test_no_thrust_has_the_usual_cost():
    mapped = LUTRA.losses._replace(mapped=1.0, map_thrust=[-11.5, 0.0, 11.5], map_power=[100.0, 0.0, 150.0])
    assert cost_of_thrust(PORT._replace(min_thrust=0.0, max_thrust=0.0), mapped) == USUAL_COST
