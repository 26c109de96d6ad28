"""Flow at the points of a lattice, and what a metre costs there."""

import numpy as np

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import River, UniformFlow
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.lattice import CurrentAndWind, costs_at, flows_at
from usv_energy.studies.plan.cheapest_speed import TIME_ONLY, cheapest_motions

LUTRA = read_boat('lutra_prop').vessel._replace(static_load=5.0)
RIVER = River({'speed': 0.6, 'direction_deg': 0.0, 'width': 60.0, 'length': 400.0, 'bank_layer': 20.0})
SPEEDS = np.linspace(0.05, 1.7, 12)
DIRECTIONS = np.radians([0.0, 90.0, 200.0])
PRICES = (0.0, 10.0, TIME_ONLY)


def test_each_point_costs_what_its_own_flow_makes_it_cost_and_nothing_leads_over_land():
    x, y = np.meshgrid([0.0, 30.0], [0.0, 25.0, 31.0])
    flows = flows_at(CurrentAndWind(RIVER, UniformFlow(1.0, 2.0)), x, y)
    assert flows.inside.tolist() == [True, True, True, True, False, False]
    np.testing.assert_array_equal(flows.values[:, 2:], np.tile([1.0, 2.0], (6, 1)))
    found = costs_at(LUTRA, flows, DIRECTIONS, SPEEDS, PRICES)
    assert found.cost.shape == (3, 6, 3)
    assert np.isinf(found.cost[:, 4:]).all() and np.isinf(found.slowness[:, 4:]).all()
    for point in np.flatnonzero(flows.inside):
        current_x, current_y, wind_x, wind_y = flows.values[point]
        own = cheapest_motions(LUTRA, DIRECTIONS, Flow(current_x, current_y, wind_x, wind_y), SPEEDS, PRICES)
        np.testing.assert_allclose(found.cost[:, point], own.cost, rtol=1e-12)


def test_points_of_one_flow_are_looked_at_once():
    reports = []
    flows = flows_at(CurrentAndWind(UniformFlow(0.2, 0.1), UniformFlow()), np.arange(500.0), np.zeros(500))
    found = costs_at(LUTRA, flows, DIRECTIONS, SPEEDS, (0.0,), lambda done, number: reports.append((done, number)))
    assert reports == [(3, 3)]
    np.testing.assert_array_equal(found.cost, np.broadcast_to(found.cost[:, :1], found.cost.shape))
