"""The gap of `map front`: the closed form of a lattice's directions in still water, and errors of known order."""

import math

import numpy as np
import pytest
from planning_boats import BARE, FINE_SPEEDS, STILL

from usv_energy.studies.maps.lattice import CurrentAndWind, Lattice
from usv_energy.studies.maps.time_energy_front import direction_gap, spacing_gap
from usv_energy.studies.plan.cheapest_speed import TIME_ONLY

WAY = np.array([[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]])


@pytest.mark.parametrize('price', [0.0, TIME_ONLY])
@pytest.mark.parametrize('angle', [0.0, 0.3])
def test_in_still_water_it_is_that_of_the_widest_angle_between_two_moves(price, angle):
    """A way halfway between two moves, atan(1/5) apart, is longer by 1 / cos(atan(1/5) / 2)."""
    way = np.column_stack((WAY[:, 0] * math.cos(angle), WAY[:, 0] * math.sin(angle)))
    found = direction_gap(BARE, CurrentAndWind(STILL, STILL), way, price, FINE_SPEEDS, Lattice(0, 0, angle, 1.0, 9, 9))
    assert found == pytest.approx(1.0 / math.cos(0.5 * math.atan(0.2)) - 1.0, rel=0.05)


def test_errors_of_the_first_and_of_the_second_order_lie_within_the_spacing_s_gap():
    for order in (1, 2):
        cost, twice = 1.0 + 0.1, 1.0 + 0.1 * 2 ** order
        assert spacing_gap(cost, twice) > 0.1
    assert spacing_gap(1.2, 1.3) == pytest.approx(0.2)
    assert spacing_gap(5.0, 5.0) == 0.0 and spacing_gap(5.0, math.inf) == math.inf
