import numpy as np
import pytest
from usv_energy.thrusters.propeller import bollard_thrust, drawn_power, largest_thrust, least_thrust

from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.kinds.screw import Drive, screw_table
from usv_energy.thrusters.open_water import THRUSTS, WATER_DENSITY, OpenWater, inflow_of

D, KT0, KQ0, J0, JQ = 0.1, 0.4, 0.05, 0.9, 1.1
J = np.linspace(0.0, 1.0, 101)
STRAIGHT = OpenWater(J, KT0 * (1.0 - J / J0), KQ0 * (1.0 - J / JQ))
HALF = Drive(-30.0, 40.0, np.zeros(1), np.full(1, 0.5))


def test_straight_curves_have_the_closed_form_of_the_inflow():
    assert STRAIGHT.advance_without_thrust == pytest.approx(J0, rel=1e-12)
    c, g = inflow_of(STRAIGHT, D)
    assert c == pytest.approx((WATER_DENSITY * KT0) ** 0.5 * D / J0, rel=1e-9)
    assert g == pytest.approx(J0 / JQ, rel=1e-9)


def closed_form():
    """Return the map and inflow of the straight curves: P = 2 pi density n^3 D^5 K_Q0 / 0.5 with n of the thrust."""
    thrust = np.concatenate((-np.geomspace(500.0, 0.01, 4000), [0.0], np.geomspace(0.01, 500.0, 4000)))
    rate = (abs(thrust) / (WATER_DENSITY * D ** 4 * KT0)) ** 0.5
    return BollardMap(thrust, 2.0 * np.pi * WATER_DENSITY * rate ** 3 * D ** 5 * KQ0 / 0.5, *inflow_of(STRAIGHT, D))


def test_a_table_of_straight_curves_is_the_bollard_map_with_its_inflow():
    """Between its knots a table errs by less than 0.5 % of the power at full thrust, at its knots not at all."""
    table, form = screw_table(STRAIGHT, D, HALF), closed_form()
    most = WATER_DENSITY * D ** 4 * KT0 * 40.0 ** 2
    for v in np.linspace(0.0, 2.5, 11):
        thrust = np.linspace(0.0, float(largest_thrust(v, np.inf, table)), 15)
        np.testing.assert_allclose(drawn_power(thrust, v + 0.0 * thrust, table),
                                   drawn_power(thrust, v + 0.0 * thrust, form),
                                   rtol=0.0, atol=0.005 * float(drawn_power(most, 0.0, form)))
    knots = table.table_thrust[table.table_thrust > 0.0]
    for v, row in zip(table.table_speed, table.table_power):
        np.testing.assert_allclose(row[-knots.size:], drawn_power(knots, v + 0.0 * knots, form), rtol=1e-4)


def test_limits_at_each_speed_are_those_of_the_rates_of_turning():
    table = screw_table(STRAIGHT, D, HALF)
    force = WATER_DENSITY * D ** 4 * KT0
    for v in (0.0, *table.table_speed):
        assert largest_thrust(v, np.inf, table) == pytest.approx(force * 40.0 ** 2 * (1.0 - v / (40.0 * D * J0)),
                                                                  abs=1e-9 * force * 1600.0)
        assert least_thrust(v, -np.inf, table) == pytest.approx(-force * 900.0)
    assert largest_thrust(0.0, 3.0, table) == 3.0
    assert bollard_thrust(3.0, 2.0, table) == 3.0


def test_efficiency_by_shaft_power_is_looked_up_there():
    drive = HALF._replace(shaft_power=np.array([0.0, 100.0]), efficiency=np.array([0.25, 0.75]))
    table = screw_table(STRAIGHT, D, drive)
    half = screw_table(STRAIGHT, D, HALF)
    shaft = 0.5 * half.table_power
    np.testing.assert_allclose(table.table_power, shaft / np.clip(0.25 + 0.005 * shaft, 0.25, 0.75), rtol=1e-12)


@pytest.mark.parametrize('scale', [1.0 / 16.0, 36.0])
def test_a_screw_of_another_size_obeys_the_law_of_similitude(scale):
    """So many times as large, at as many times fewer turns a second: the same speeds; forces and powers by area."""
    small = screw_table(STRAIGHT, D, HALF)
    large = screw_table(STRAIGHT, scale * D, HALF._replace(least=-30.0 / scale, most=40.0 / scale))
    np.testing.assert_allclose(large.table_speed, small.table_speed, rtol=1e-12)
    for name in ('table_thrust', 'table_power', 'table_least', 'table_most', 'map_thrust', 'map_power'):
        np.testing.assert_allclose(getattr(large, name), scale ** 2 * getattr(small, name), rtol=1e-9, atol=1e-9)
    (c, g), (more, same) = inflow_of(STRAIGHT, D), inflow_of(STRAIGHT, scale * D)
    assert more == pytest.approx(scale * c, rel=1e-12) and same == pytest.approx(g, rel=1e-12)


def test_curves_that_do_not_reach_the_advance_without_thrust_end_at_their_last_knot():
    short = OpenWater(J[:51], STRAIGHT.thrust[:51], STRAIGHT.torque[:51])
    assert short.advance_without_thrust == 0.5
    coarse = OpenWater(np.array([0.0, 0.5, 1.0]), np.array([0.4, 0.1, -0.3]), np.array([0.05, 0.03, 0.01]))
    assert coarse.advance_without_thrust == pytest.approx(0.5 + 0.5 * 0.1 / 0.4)
    met = OpenWater(np.array([0.0, 0.5, 1.0]), np.array([0.4, 0.0, -0.3]), np.array([0.05, 0.03, 0.01]))
    assert met.advance_without_thrust == 0.5


def test_thrusts_of_the_table_are_squares_of_equal_steps_of_the_faster_rate_both_ways():
    """Astern at 50 turns a second, ahead at 40: the same knots both ways, up to what 50 give, and 0 once."""
    table = screw_table(STRAIGHT, D, HALF._replace(least=-50.0))
    roots = np.sign(table.table_thrust) * np.sqrt(abs(table.table_thrust) / (WATER_DENSITY * D ** 4 * KT0))
    np.testing.assert_allclose(roots, np.linspace(-50.0, 50.0, roots.size), atol=1e-9)
    assert roots.size == 2 * THRUSTS + 1 and table.tabled == 1.0
