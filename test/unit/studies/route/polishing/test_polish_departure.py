"""When to leave: the departure of a closed form, and a stop that lets a foul tide pass."""

import numpy as np
import pytest
from route_flows import ClosedForm, bowed
from scipy.optimize import brentq

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.costs.speed_power_law import PowerLaw
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.polishing.polish_departure import polished_departure
from usv_energy.studies.route.route_problem import Route, RouteProblem

STILL = UniformFlow()
PERIOD, TIDE, TURN = 10.0, 0.5, 2.0 * np.pi / 10.0
START, GOAL = (0.0, 0.0), (3.0, 0.0)


def tide(t, x, y):
    return TIDE * np.sin(TURN * t), 0.0


def duration_from(depart):
    """Return how long 3 m take at 1 m/s through a tide along the way: its drift is the integral of a sine."""
    return brentq(lambda T: T + TIDE / TURN * (np.cos(TURN * depart) - np.cos(TURN * (depart + T))) - 3.0, 0.1, 30.0)


def test_the_best_departure_catches_the_tide():
    departs = np.linspace(0.0, PERIOD, 4001)
    durations = np.array([duration_from(one) for one in departs])
    problem = RouteProblem(START, GOAL, PowerLaw(1.0), ClosedForm(tide), STILL, NoBarriers(), objective='time',
                           speed=1.0)
    found = polished_departure(problem, bowed(START, GOAL, 3.0, 0.05), PERIOD)
    assert found.best.cost == pytest.approx(durations.min(), rel=1e-5)
    assert found.best.route.time[0] == pytest.approx(departs[durations.argmin()], abs=0.02)
    for one in found.tried:     # The curve of cost over departure is the closed form's.
        assert one.cost == pytest.approx(duration_from(one.time), rel=2e-5)
    assert np.ptp([one.cost for one in found.tried]) > 1.0


def foul_until_ten(t, x, y):
    """Water that comes against the boat in the second half of the way until 10 s, and stands then."""
    return -0.25 * (1.0 - np.tanh((t - 10.0) / 0.05)) * 0.5 * (1.0 + np.tanh((x - 0.52) / 0.005)), 0.0


def test_a_stop_lasts_until_the_foul_tide_has_turned():
    law = PowerLaw(1.0, 3.0, hotel=0.05)
    problem = RouteProblem((0.0, 0.0), (1.0, 0.0), law, ClosedForm(foul_until_ten), STILL, NoBarriers(),
                           lowest_speed=0.3, may_wait=True)
    rough = Route(np.array([0.0, 1.0, 12.0, 13.5]), np.array([0.0, 0.5, 0.5, 1.0]), np.zeros(4),
                  np.array([0.5, 0.0, 1.0 / 3.0]), np.zeros(4))
    found = polished_route(problem, rough)
    # 10 s of load; both halves at the lowest speed, above their economic one, the second with its own load.
    exact = 10.0 * 0.05 + 0.3 ** 2 * 0.5 + (0.3 ** 2 + 0.05 / 0.3) * 0.5
    assert found.cost == pytest.approx(exact, rel=0.02)
    assert found.cost < found.before
    route = found.route
    assert np.interp(0.52, route.x, route.time) == pytest.approx(10.0, abs=0.25)     # Where the foul water begins.
    assert route.energy[-1] == found.cost
    straight = polished_route(problem, bowed((0.0, 0.0), (1.0, 0.0), 3.0, 0.01))
    assert found.cost < 0.8 * straight.cost


def test_a_route_without_stops_is_polished_as_it_is():
    problem = RouteProblem(START, GOAL, PowerLaw(1.0, 3.0, hotel=1.0), STILL, STILL, NoBarriers(), may_wait=True)
    rough = bowed(START, GOAL, 3.0)
    assert polished_route(problem, rough).cost == pytest.approx(polished_route(problem, rough).cost, rel=1e-12)
