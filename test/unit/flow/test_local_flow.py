import math

import pytest

from usv_energy.flow.local_flow import local_flow, stencil


def sheared(x, y):
    return 0.3 + 0.02 * x - 0.05 * y, -0.1 + 0.04 * x + 0.01 * y


def test_a_linear_field_is_predicted_exactly():
    xs, ys = stencil(3.0, -2.0, 0.5)
    vx, vy = zip(*(sheared(x, y) for x, y in zip(xs, ys)))
    flow = local_flow(7.0, 3.0, -2.0, 0.5, list(vx), list(vy), [True] * 5)
    assert flow.at(3.0, -2.0) == pytest.approx(sheared(3.0, -2.0), abs=1e-15)
    assert flow.at(5.5, 4.0) == pytest.approx(sheared(5.5, 4.0), abs=1e-14)
    assert flow.time == 7.0


@pytest.mark.parametrize('lost', [1, 2, 3, 4])
def test_beside_land_the_value_is_held_across_it(lost):
    xs, ys = stencil(0.0, 0.0, 1.0)
    vx, vy = (list(values) for values in zip(*(sheared(x, y) for x, y in zip(xs, ys))))
    inside = [True] * 5
    inside[lost] = False
    vx[lost] = math.nan
    flow = local_flow(0.0, 0.0, 0.0, 1.0, vx, vy, inside)
    across, along = ((1.0, 0.0), (0.0, 1.0)) if lost < 3 else ((0.0, 1.0), (1.0, 0.0))
    assert flow.at(*across) == pytest.approx(sheared(0.0, 0.0))
    assert flow.at(*along) == pytest.approx(sheared(*along))


@pytest.mark.parametrize(('vx', 'inside'), [(0.1, False), (math.nan, True)])
def test_where_the_boat_itself_has_no_flow_there_is_none(vx, inside):
    assert local_flow(0.0, 0.0, 0.0, 1.0, [vx] + [0.1] * 4, [0.0] * 5, [inside] + [True] * 4) is None
