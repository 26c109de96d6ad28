"""What an allocation costs, against the best that scipy's SLSQP finds from several starts."""

import math

import numpy as np
import pytest
from arrangements import ARRANGEMENTS, feasible, one_by_one, turns_round
from scipy.optimize import minimize

from usv_energy.physics.allocation import allocated, electrical_power, force_of

NUMBER, STARTS = 15, 3  # bench/allocation.py takes three hundred


def best_cost(demand, actuators, start, rng):
    """Return the least power that SLSQP finds for a demand, W, over thrusts and angles; infinite if it finds none."""
    steered = [place for place, one in enumerate(actuators) if one.steers is not None]
    bounds = [(max(one.low, 0.0) if turns_round(one) else one.low, one.high) for one in actuators]
    bounds += [actuators[place].steers for place in steered]
    size = sum(map(abs, demand))

    def settings(point):
        angles = [0.0] * len(actuators)
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


@pytest.mark.parametrize('moving', [False, True], ids=['at rest', 'moving'])
@pytest.mark.parametrize('actuators', ARRANGEMENTS.values(), ids=ARRANGEMENTS)
def test_nothing_is_a_percent_cheaper(rng, actuators, moving):
    """At rest, and at 1.5 m/s ahead while turning, where a thruster brakes for nothing up to its cost's curve."""
    if moving:
        actuators = tuple(one._replace(u=1.5 - 0.3 * one.y, v=0.3 * one.x) for one in actuators)
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
