"""Routes as one: times and energies go on, places are where one ends and the next begins."""

import numpy as np
from route_cases import steady_route

from usv_energy.studies.route.route_through_goals import concatenated_route


def test_routes_join_where_one_ends_and_the_next_begins():
    first, second = steady_route([(0.0, 0.0), (100.0, 0.0)], 1.0, 7.0), steady_route([(100.0, 0.0), (100.0, 50.0)], 2.0)
    both = concatenated_route([first, second])
    np.testing.assert_allclose(both.time, [7.0, 107.0, 132.0])
    np.testing.assert_allclose(both.energy, [0.0, 700.0, 700.0 + 25.0 * 21.0])
    np.testing.assert_allclose(both.speed, [1.0, 2.0])
