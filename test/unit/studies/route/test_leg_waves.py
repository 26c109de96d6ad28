"""What waves cost on legs, in closed form of a boat with linear drag and ideal thrusters: R s beside calm water."""

import math

import numpy as np
import pytest
from wave_files import SHAFT_BOAT

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.costs.motion_table import SteadyCost
from usv_energy.studies.route.route_cost import route_with_energy
from usv_energy.studies.route.route_legs import leg_waves
from usv_energy.studies.route.route_problem import RouteProblem

WAVES = ('waves: {source: a test, directions_deg: [0, 90, 180], periods: [2.0],'
         ' coefficients: [[60.0], [10.0], [-20.0]]}\n')
D11 = 16.296


@pytest.fixture
def vessel(tmp_path):
    (tmp_path / 'boat.yaml').write_text(SHAFT_BOAT + WAVES)
    return boat_in_sea(read_boat(str(tmp_path / 'boat.yaml')), (0.3, 2.0, math.pi)).vessel


def test_each_leg_pays_the_force_on_its_course_over_its_way_through_the_water(vessel):
    """East against the waves, a rest, and west with them, at 1 m/s over ground in a current of 0.2 m/s to the east."""
    class Exact(SteadyCost):
        def top_speed(self, along, across, bearing=None):
            return 2.0 + 0.0 * np.asarray(along) + 0.0 * np.asarray(across)
    problem = RouteProblem((0.0, 0.0), (0.0, 50.0), Exact(vessel), UniformFlow(0.2, 0.0), UniformFlow(0.2, 0.0),
                           NoBarriers(), may_drift=True)
    time, x, y = np.array([0.0, 100.0, 110.0, 210.0]), np.array([0.0, 100.0, 100.0, 0.0]), np.zeros(4)
    legs = route_with_energy(problem, time, x, y)
    found = leg_waves(legs, problem, vessel)
    against, along = 60.0 * 0.09 * 0.8 * 100.0, -20.0 * 0.09 * 1.2 * 100.0
    np.testing.assert_allclose(found.energy[[0, 2]], [against, along], rtol=1e-6)
    drag = D11 * (0.8 ** 2 + 1.2 ** 2) * 100.0
    assert found.energy[1] == 0.0
    assert found.share == pytest.approx((against + along) / (drag + against + along), rel=1e-6)


def test_in_calm_water_there_is_nothing_to_say(vessel):
    assert leg_waves(None, None, vessel._replace(sea=None)) is None
