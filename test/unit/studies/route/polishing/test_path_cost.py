"""The cost of a path's parts: power of the speed through the water, in the air that the boat feels."""

import numpy as np
import pytest
from route_flows import ClosedForm, shear

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.polishing.path_cost import GAUSS, PathCost
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem


class SailingLaw(PowerLaw):
    """Power that goes with the air along and across."""

    def power(self, speed, air_along, air_across):
        return super().power(speed, 0.0, 0.0) - 0.3 * air_along + 0.2 * air_across


STILL = UniformFlow()


def problem(law, current=STILL, wind=STILL, **more):
    return RouteProblem((0.0, 0.0), (1.0, 0.0), law, current, wind, NoBarriers(), **more)


def one_part(model, way, span, middle=(0.0, 0.0)):
    return model.parts(np.array([way]), np.array([middle]), np.float64(span))


def test_air_is_taken_along_and_to_port_of_the_way_through_the_water():
    law = SailingLaw(1.0, 3.0)
    model = PathCost(problem(law, UniformFlow(0.2, 0.1), UniformFlow(1.0, 2.0)))
    part = one_part(model, (2.2, 5.1), 1.0)     # through the water (2, 5), in air (0.8, 1.9)
    speed = np.hypot(2.0, 5.0)
    along, across = (2.0 * 0.8 + 5.0 * 1.9) / speed, (2.0 * 1.9 - 5.0 * 0.8) / speed
    assert part.power[0] == pytest.approx(speed ** 3 - 0.3 * along + 0.2 * across, rel=1e-12)
    assert part.square[0] == pytest.approx(speed ** 2, rel=1e-12)


def test_power_goes_on_along_its_slope_above_the_highest_speed():
    model = PathCost(problem(PowerLaw(2.0, 3.0, highest=1.0)))
    below, above = (one_part(model, (v, 0.0), 1.0).power[0] for v in (1.0 - 1e-6, 1.4))
    assert below == pytest.approx(2.0, rel=1e-5)
    assert above == pytest.approx(2.0 + 6.0 * 0.4, rel=2e-3)


@pytest.mark.parametrize('points', GAUSS)
def test_power_along_a_part_is_integrated_to_the_order_of_the_points(points):
    """Across a shear w^2 = (1 - y)^2 + 1: a polynomial of second degree, exact for two of Gauss's points."""
    model = PathCost(problem(PowerLaw(1.0, 2.0), ClosedForm(shear(1.0))), points)
    power = one_part(model, (1.0, 1.0), 1.0, (0.5, 0.5)).power[0]
    assert power == pytest.approx(1.0 + (1.0 / 3.0 if points > 1 else 0.25), rel=1e-12)


def test_a_fixed_speed_s_power_is_that_of_the_speed():
    model = PathCost(problem(PowerLaw(2.0, 3.0, hotel=1.0), speed=0.5))
    assert one_part(model, (3.0, 0.0), 1.0).power[0] == pytest.approx(1.25, rel=1e-12)
