"""In a flow that stands still the route is that of `map front`, within the gap that it states: a search of its own."""

import numpy as np
import pytest
from planning_boats import BARE, D11, STATIC, STILL

from usv_energy.flow.analytic import River, UniformFlow, Vortex
from usv_energy.studies.maps.lattice import CurrentAndWind
from usv_energy.studies.maps.time_energy_front import time_energy_front
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem
from usv_energy.studies.route.search.rough_ways import SearchOptions

FEW = SearchOptions(points=6000, hop_points=4000)
TOP = sum(thruster.max_thrust * thruster.efficiency_of_tilt for thruster in BARE.thrusters) / D11
SPEEDS = np.linspace(0.05, TOP + 1.0, 14)       # No current here is faster than 1 m/s.
FLOWS = {
    'river askew': (River({'speed': 0.6, 'direction_deg': 0.0, 'width': 60.0, 'length': 400.0, 'bank_layer': 20.0}),
                    (100.0, 10.0), (-100.0, -22.0)),
    'uniform': (UniformFlow(0.3, 0.2), (-40.0, 2.0), (40.0, 0.0)),
    'vortex': (Vortex({'circulation': 60.0, 'core_radius': 10.0}), (-40.0, 2.0), (40.0, 0.0))}


@pytest.mark.parametrize('name', FLOWS)
def test_the_frozen_flow_is_that_of_map_front(name):
    """BARE's power is d v^2 + s, so that a law in closed form is the same boat."""
    flow, start, goal = FLOWS[name]
    front = time_energy_front(BARE, CurrentAndWind(flow, STILL), start, goal, SPEEDS, points=31, margin=0.3, number=2)
    problem = RouteProblem(start, goal, PowerLaw(D11, 2.0, STATIC, TOP), flow, UniformFlow(), NoBarriers())
    cheapest, fastest = find_route(problem, FEW), find_route(problem._replace(objective='time'), FEW)
    least, quickest = front.routes[-1], front.routes[0]
    assert least.energy / (1.0 + least.gap) < cheapest.cost < least.energy * (1.0 + 2e-3)
    assert quickest.duration / (1.0 + quickest.gap) < fastest.cost < quickest.duration * (1.0 + 2e-3)
    assert cheapest.bound <= least.energy and fastest.bound <= quickest.duration
