"""What an allocation costs, against scipy: the best of SLSQP from several starts, and linear programmes over a grid."""

import math

import numpy as np
import pytest
from arrangements import ARRANGEMENTS, allocated, feasible, moving, one_by_one, turning, turns_round
from grid_allocation import forces, least_power, power, random_thrusters
from scipy.optimize import minimize

from usv_energy.allocation.allocate import electrical_power, force_of
from usv_energy.allocation.problem import Actuator

NUMBER, STARTS = 15, 3  # bench/allocation.py takes three hundred
BOATS = 120


def best_cost(demand, actuators, start, rng):
    """Return the least power that SLSQP finds for a demand, W, over thrusts and angles; infinite if it finds none."""
    steered = [place for place, one in enumerate(actuators) if one.azimuth is not None]
    bounds = [(max(one.low, 0.0) if turns_round(one) else one.low, one.high) for one in actuators]
    bounds += [(actuators[place].azimuth.least, actuators[place].azimuth.largest) for place in steered]
    size = sum(map(abs, demand))

    def settings(point):
        angles = [None] * len(actuators)
        for place, angle in zip(steered, point[len(actuators):]):
            angles[place] = angle
        return tuple(point[:len(actuators)]), tuple(angles)

    def unmet(point):
        return np.subtract(force_of(*settings(point), actuators), demand) / size
    first = np.array([*start[0], *(start[1][place] for place in steered)])
    found = [minimize(lambda point: float(electrical_power(*settings(point), actuators)), begin, method='SLSQP',
                      bounds=bounds, constraints=[{'type': 'eq', 'fun': unmet}], options={'maxiter': 300})
             for begin in (first, *(rng.uniform(*np.array(bounds).T) for _ in range(STARTS)))]
    return min((one.fun for one in found if np.max(np.abs(unmet(one.x))) < 1e-7), default=math.inf)


@pytest.mark.parametrize('ahead', [0.0, 1.5], ids=['at rest', 'moving'])
@pytest.mark.parametrize('actuators', ARRANGEMENTS.values(), ids=ARRANGEMENTS)
def test_nothing_is_a_percent_cheaper(rng, actuators, ahead):
    """At rest, and at 1.5 m/s ahead while turning, where a thruster brakes for nothing up to its cost's curve."""
    if ahead:
        actuators = moving(actuators, ahead, r=0.3)
    compared = 0
    for demand in one_by_one(feasible(rng, actuators, NUMBER)):
        if sum(map(abs, demand)) < 1e-3:
            continue
        settings = allocated(demand, actuators)
        best = best_cost(demand, actuators, settings, rng)
        if best < math.inf:
            compared += 1
            assert electrical_power(*settings, actuators) <= 1.01 * best + 0.1
    assert compared > NUMBER // 2


def actuator_of(one):
    if one.least == one.largest:
        return Actuator(one.x, one.y, math.cos(one.least), math.sin(one.least), one.low, one.high, one.cost, one.u,
                        one.v)
    return Actuator(one.x, one.y, 1.0, 0.0, one.low, one.high, one.cost, one.u, one.v,
                    turning(one.least, one.largest))


@pytest.mark.parametrize('number', [1, 2])
def test_thrusters_that_turn_in_a_range_cost_the_least_under_way_too(rng, number):
    """Within 1 %, or 1 mW, of a grid's best; forces of 1 to 100 % of the limits, so that many brake for nothing."""
    for _ in range(BOATS // number):
        boat = random_thrusters(rng, number)
        share = 10.0 ** rng.uniform(-2.0, 0.0)
        asked = [(share * rng.uniform(one.low, one.high), rng.uniform(one.least, one.largest)) for one in boat]
        demand = sum(forces(one, *setting) for one, setting in zip(boat, asked))
        thrusts, angles = allocated(tuple(demand.tolist()), tuple(map(actuator_of, boat)))
        found = [(thrust, one.least if angle is None else angle) for one, thrust, angle in zip(boat, thrusts, angles)]
        given = sum(forces(one, *setting) for one, setting in zip(boat, found))
        assert given == pytest.approx(demand, abs=1e-6 * float(np.abs(demand).sum()))
        cost, best = (sum(float(power(one, *map(np.asarray, setting))) for one, setting in zip(boat, settings))
                      for settings in (found, asked))
        assert cost <= 1.01 * min(best, least_power(demand, boat)) + 1e-3
