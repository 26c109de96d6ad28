"""A route's length and duration follow from its points."""

import numpy as np

from usv_energy.studies.route.route_problem import Route


def test_length_and_duration_of_a_route_with_a_wait():
    route = Route(time=np.array([10.0, 12.0, 20.0, 25.0]), x=np.array([0.0, 3.0, 3.0, 3.0]),
                  y=np.array([0.0, 4.0, 4.0, -2.0]), speed=np.array([2.5, 0.0, 1.2]), energy=np.zeros(4))
    assert route.duration == 15.0
    assert route.length == 11.0
