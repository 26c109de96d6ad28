"""The front of time and energy: the closed form in uniform water, the bank upstream, places without water."""

import math

import numpy as np
import pytest
from planning_boats import BARE, CURRENT, D11, FINE_SPEEDS, SPEEDS, STATIC, STILL

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import River, UniformFlow
from usv_energy.studies.maps.lattice import CurrentAndWind, Lattice
from usv_energy.studies.maps.time_energy_front import direction_gap, spacing_gap, time_energy_front
from usv_energy.studies.plan.steady_range import TIME_ONLY


def test_the_front_in_uniform_water_is_the_closed_form():
    """E = (d (V - c)^2 + s) D / V, T = D / V, on the straight line, from the cheapest speed to the fastest."""
    distance = 100.0
    current = UniformFlow(CURRENT * 0.6, CURRENT * 0.8)
    found = time_energy_front(BARE, CurrentAndWind(current, STILL), (5.0, 5.0), (65.0, 85.0), SPEEDS, points=21,
                              number=9)
    for route in found.routes:
        speed = distance / route.duration
        assert route.energy == pytest.approx((D11 * (speed - CURRENT) ** 2 + STATIC) * distance / speed, rel=1e-9)
        assert route.length == pytest.approx(distance, rel=1e-9)
    assert distance / found.routes[-1].duration == pytest.approx(math.sqrt(CURRENT ** 2 + STATIC / D11), rel=1e-9)
    full = sum(t.max_thrust * t.efficiency_of_tilt for t in BARE.thrusters)
    assert distance / found.routes[0].duration == pytest.approx(full / D11 + CURRENT, rel=1e-4)
    durations, energies = np.array([route[1:3] for route in found.routes]).T
    assert (np.diff(durations) > 0.0).all() and (np.diff(energies) < 0.0).all() and len(found.routes) > 4


def test_upstream_the_cheapest_way_keeps_to_the_bank():
    river = River({'speed': 0.6, 'direction_deg': 0.0, 'width': 60.0, 'length': 400.0, 'bank_layer': 20.0})
    found = time_energy_front(BARE, CurrentAndWind(river, STILL), (100.0, 0.0), (-100.0, 0.0), SPEEDS, points=41,
                              margin=0.25, number=5)
    assert found.straight is not None
    top = sum(t.max_thrust * t.efficiency_of_tilt for t in BARE.thrusters) / D11
    speed = min(math.sqrt(0.36 + STATIC / D11), top - 0.6)
    assert found.straight.energy == pytest.approx(200.0 * (D11 * (speed + 0.6) ** 2 + STATIC) / speed, rel=1e-5)
    assert found.routes[-1].energy < 0.65 * found.straight.energy
    assert np.abs(found.routes[-1].points[:, 1]).max() > 24.0


def test_the_front_refuses_a_goal_on_land():
    river = River({'speed': 0.4, 'direction_deg': 0.0, 'width': 40.0, 'length': 300.0})
    with pytest.raises(InputError, match='the goal'):
        time_energy_front(BARE, CurrentAndWind(river, STILL), (0.0, 0.0), (0.0, 50.0), SPEEDS, points=11)
    with pytest.raises(InputError, match='same place'):
        time_energy_front(BARE, CurrentAndWind(river, STILL), (0.0, 0.0), (0.0, 0.0), SPEEDS)


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
