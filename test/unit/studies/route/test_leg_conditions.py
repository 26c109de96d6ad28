"""Length, course, speed over ground and the current along of legs."""

import numpy as np
from route_cases import problem, steady_route

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.route_legs import leg_conditions


def test_legs_in_a_uniform_current():
    legs = steady_route([(0.0, 0.0), (300.0, 0.0), (300.0, 400.0)], 1.25)
    found = leg_conditions(legs, problem(current=UniformFlow(0.3, -0.2)))
    np.testing.assert_allclose(found.length, [300.0, 400.0])
    np.testing.assert_allclose(found.course, [0.0, np.pi / 2.0])
    np.testing.assert_allclose(found.ground_speed, 1.25)
    np.testing.assert_allclose(found.current_along, [0.3, -0.2], atol=1e-12)


def test_a_wait_keeps_the_course_before():
    legs = steady_route([(0.0, 0.0), (0.0, 10.0)], 1.0)
    waiting = legs._replace(time=np.array([0.0, 10.0, 60.0]), x=np.zeros(3), y=np.array([0.0, 10.0, 10.0]))
    found = leg_conditions(waiting, problem())
    np.testing.assert_allclose(found.course, np.pi / 2.0)
    np.testing.assert_allclose(found.ground_speed, [1.0, 0.0])
