"""A route by names of files: closed forms of a boat with linear drag, in a forecast and in water that runs faster."""

import math
import pickle

import numpy as np
import pytest
import yaml

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.route_order import RouteOrder, ShiftedFlow, planned_way

D11, HOTEL = 16.296, 6.0


@pytest.fixture
def order(tmp_path):
    """Return an order of a boat without windage, in 0.2 m/s to the east."""
    boat, flow = tmp_path / 'boat.yaml', tmp_path / 'flow.yaml'
    boat.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'with_hotel', 'static_load': HOTEL,
                                    'windage': {'frontal_area': 0.0, 'lateral_area': 0.0}}))
    flow.write_text('{medium: water, analytic: {kind: uniform, speed: 0.2, direction_deg: 0.0}}')
    return RouteOrder(str(boat), str(flow))


@pytest.mark.parametrize('ahead', [0.0, -0.5])
def test_a_way_along_the_water_costs_the_closed_form(order, ahead):
    """(d11 v^2 + h) / (v + c) is least at v = sqrt(c^2 + h / d11) - c."""
    current = 0.2 + ahead
    speed = math.sqrt(current ** 2 + HOTEL / D11) - current
    way = planned_way(pickle.loads(pickle.dumps(order)), (0.0, 5.0), (120.0, 5.0), 10.0, (ahead, 0.0))
    assert way.energy[-1] == pytest.approx(120.0 * (D11 * speed ** 2 + HOTEL) / (speed + current), rel=2e-3)
    assert way.time[0] == 10.0
    assert way.time[-1] - 10.0 == pytest.approx(120.0 / (speed + current), rel=0.01)
    np.testing.assert_allclose(way.current_x, current, rtol=1e-12)
    np.testing.assert_allclose(way.current_y, 0.0, atol=1e-12)


def test_in_a_sea_the_way_pays_its_force(order, tmp_path):
    """(d11 v^2 + R v + h) / (v + c), R = 60 N/m^2 (0.3 m)^2, is least at v = sqrt(c^2 + (h - R c) / d11) - c."""
    boat = tmp_path / 'waves.yaml'
    boat.write_text(yaml.safe_dump({'base': order.boat, 'name': 'with_waves', 'waves': {
        'source': 'a test', 'directions_deg': [0, 180], 'periods': [2.0], 'coefficients': [[60.0], [-20.0]]}}))
    force = 60.0 * 0.09
    speed = math.sqrt(0.04 + (HOTEL - force * 0.2) / D11) - 0.2
    way = planned_way(order._replace(boat=str(boat), sea='0.3,2.0,180'), (0.0, 5.0), (120.0, 5.0), 0.0)
    assert way.energy[-1] == pytest.approx(120.0 * (D11 * speed ** 2 + force * speed + HOTEL) / (speed + 0.2), rel=2e-3)
    with pytest.raises(InputError, match='nothing of its added resistance'):
        planned_way(order._replace(sea='0.3,2.0,180'), (0.0, 5.0), (120.0, 5.0), 0.0)


def test_a_file_that_is_not_there_is_named(order):
    with pytest.raises(InputError, match='no_such_flow'):
        planned_way(order._replace(water_current='no_such_flow'), (0.0, 0.0), (10.0, 0.0), 0.0)


def test_a_shifted_flow_runs_faster_by_the_same_everywhere():
    vx, vy, inside = ShiftedFlow(UniformFlow(0.1, 0.2), 0.3, -0.1).velocity(0.0, np.zeros(3), np.ones(3))
    np.testing.assert_allclose((vx, vy), [[0.4] * 3, [0.1] * 3])
    assert inside.all()
