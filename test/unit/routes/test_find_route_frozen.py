"""In a flow that stands still the route is that of `map front`, within the gap of its lattice: a search of its own."""

import pytest
from planning_boats import BARE, D11, SPEEDS, STATIC, STILL

from usv_energy.flow.analytic import River, Vortex
from usv_energy.flow.uniform import UniformFlow
from usv_energy.planning.lattice_flow import CurrentAndWind
from usv_energy.planning.time_energy_front import time_energy_front
from usv_energy.routes.barriers import NoBarriers
from usv_energy.routes.find_route import find_route
from usv_energy.routes.power_law import PowerLaw
from usv_energy.routes.rough_ways import SearchOptions
from usv_energy.routes.route_problem import RouteProblem

FEW = SearchOptions(points=6000, hop_points=4000)
TOP = sum(thruster.max_thrust * thruster.efficiency_of_tilt for thruster in BARE.thrusters) / D11
LATTICE = 0.03      # Of map front: directions between its moves, flow between its points, speeds between its own.
FLOWS = {
    'river': (River({'speed': 0.6, 'direction_deg': 0.0, 'width': 60.0, 'length': 400.0, 'bank_layer': 20.0}),
              (100.0, 0.0), (-100.0, 0.0)),
    'vortex': (Vortex({'circulation': 60.0, 'core_radius': 10.0}), (-40.0, 2.0), (40.0, 0.0))}


@pytest.mark.parametrize('name', FLOWS)
def test_the_frozen_flow_is_that_of_map_front(name):
    """BARE's power is d v^2 + s, so that a law in closed form is the same boat."""
    flow, start, goal = FLOWS[name]
    front = time_energy_front(BARE, CurrentAndWind(flow, STILL), start, goal, SPEEDS, points=81, margin=0.5, number=3)
    problem = RouteProblem(start, goal, PowerLaw(D11, 2.0, STATIC, TOP), flow, UniformFlow(), NoBarriers())
    cheapest, fastest = find_route(problem, FEW), find_route(problem._replace(objective='time'), FEW)
    least = min(route.energy for route in front.routes)
    assert least * (1.0 - LATTICE) < cheapest.cost < least * (1.0 + 2e-3)
    assert cheapest.bound <= least and fastest.bound <= front.routes[0].duration
    assert front.routes[0].duration * (1.0 - LATTICE) < fastest.cost < front.routes[0].duration * (1.0 + 2e-3)
