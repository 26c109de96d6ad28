"""The force of a thruster that turns, which has a price: by hand, by brute force, and by what convexity asks of it."""

import math

import numpy as np
import pytest
from arrangements import TURN, azimuth
from usv_energy.allocation.allocation_answers import near_setting, part_all_round, part_of, setting
from usv_energy.allocation.allocation_sector import brakes_at_limit, in_sector, is_at_limit

THIRTY = math.pi / 6.0
# 1 W/N^1.5, 30 degrees to either side of the bow, the boat drifting astern at 1.5 m/s: (1.5 cos a)^2 N at the angle a
# ahead cost nothing, for |T|^1.5 = 1.5 T cos a there.
AHEAD = azimuth(0.0, 0.0, 0.0, 50.0, (-THIRTY, THIRTY))._replace(u=-1.5)
ROUND = AHEAD._replace(steers=TURN)


def force(actuator, price, soft=1e-9):
    """Return the force, N, N, of an actuator at the boat's point for a price of surge and sway."""
    thrust, angle = setting(part_of(actuator, 0.0), (*price, 0.0), soft)
    return thrust * math.cos(angle), thrust * math.sin(angle)


def toward(degrees, size=0.1):
    return size * math.cos(math.radians(degrees)), size * math.sin(math.radians(degrees))


def test_braking_for_nothing_all_round_is_where_the_curve_of_it_is_square_to_the_price():
    """The tangent of (cos a)^2 is square to the direction a + arctan(2 tan a): 90 degrees where tan a is 1 / sqrt 2."""
    angle = math.atan(math.sqrt(0.5))
    thrust = (1.5 * math.cos(angle)) ** 2
    for size in (1e-3, 0.1, 1.0):
        assert force(ROUND, toward(90.0, size)) == pytest.approx(
            (thrust * math.cos(angle), thrust * math.sin(angle)), rel=1e-6)
    assert force(ROUND, toward(0.0)) == pytest.approx((2.25, 0.0), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(('degrees', 'angle'), [(90.0, THIRTY), (-90.0, -THIRTY), (110.0, THIRTY), (-115.0, -THIRTY),
                                                (100.0, THIRTY)])
def test_at_the_edge_of_its_range_it_brakes_for_nothing_by_what_the_edge_allows(degrees, angle):
    """All round it would turn by 35 degrees or more; at 30 degrees (1.5 cos 30)^2 = 1.6875 N cost nothing."""
    for size in (1e-3, 0.05):
        assert force(AHEAD, toward(degrees, size)) == pytest.approx(
            (1.6875 * math.cos(angle), 1.6875 * math.sin(angle)), rel=1e-6)


def test_within_its_range_it_brakes_as_if_it_turned_all_round():
    for degrees in (0.0, 20.0, -40.0, 70.0):
        assert force(AHEAD, toward(degrees)) == pytest.approx(force(ROUND, toward(degrees)), rel=1e-12)


def test_a_price_away_from_the_edge_asks_for_nothing_and_a_high_one_for_what_it_buys():
    """
    At 121 degrees the price is 91 from the edge. (2, 6) W/N and 1.5 m/s are w = 3.5 cos 30 + 6 sin 30 along the edge.

    From 0.5 x 1.5 cos 30 = 0.65 W/N along the edge up, its thrust is bought: 4 / 9 w^2.
    """
    assert force(AHEAD, toward(121.0)) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert force(AHEAD, toward(180.0, 9.0)) == pytest.approx((0.0, 0.0), abs=1e-9)
    thrust = 4.0 / 9.0 * (3.5 * math.cos(THIRTY) + 6.0 * math.sin(THIRTY)) ** 2
    assert force(AHEAD, (2.0, 6.0)) == pytest.approx((thrust * math.cos(THIRTY), thrust * math.sin(THIRTY)), rel=1e-6)
    edge = 0.75 * math.cos(THIRTY)
    for along, w in ((edge - 0.01, 3.0 * edge), (edge + 0.01, 3.0 * edge + 0.01)):
        found = math.hypot(*force(AHEAD, toward(80.0, along / math.cos(math.radians(50.0)))))
        assert found == pytest.approx(4.0 / 9.0 * w * w, rel=1e-6)


@pytest.mark.parametrize('steers', [TURN, (-0.5 * math.pi, 0.5 * math.pi)], ids=['circle', 'half a turn'])
def test_a_limit_met_while_braking_for_nothing_turns_towards_the_price(steers):
    """At 2 m/s all of 1 N costs nothing within 60 degrees of straight against the drift: 1 N of 1 W/N^1.5 is 1 W."""
    held = AHEAD._replace(u=-2.0, high=1.0, steers=steers)
    for degrees, angle in ((0.0, 0.0), (30.0, 30.0), (-50.0, -50.0), (59.0, 59.0), (80.0, 60.0), (-110.0, -60.0)):
        assert force(held, toward(degrees)) == pytest.approx(toward(angle, 1.0), rel=1e-6, abs=1e-9)
    assert math.hypot(*force(held, toward(150.0))) < 1.0


def test_a_limit_met_while_braking_for_nothing_is_no_setting_to_go_on_from_by_slopes():
    """At 2 m/s 1 N is too little to cost anything, 9 N cost 27 - 18 W."""
    for high, expected in ((1.0, True), (9.0, False)):
        part = part_all_round(ROUND._replace(u=-2.0, high=high))
        price = (9.0, 0.0, 0.0) if high > 1.0 else (0.3, 0.1, 0.0)
        assert is_at_limit(part, *in_sector(part, price, 0.01)[:2])
        assert brakes_at_limit(part, price, 0.01) == expected
        assert math.isnan(near_setting(part, price, (0.0, 0.0, 0.0), 0.01)[3]) == expected
    assert not is_at_limit(part_all_round(ROUND), 35.0, 35.0) and is_at_limit(part_all_round(ROUND), 30.0, -40.0)


def random_part(rng):
    """Return a part of a thruster of any range, one in five all round, and of any limit, under way."""
    middle, half = (rng.uniform(-3.0, 3.0), rng.uniform(0.1, 1.5)) if rng.uniform() < 0.8 else (0.0, math.pi)
    u, v = rng.uniform(-2.0, 2.0, 2).tolist()
    return part_of(azimuth(0.3, -0.4, 0.0, 10.0 ** rng.uniform(-1.0, 1.5), (middle - half, middle + half),
                           rng.uniform(0.4, 2.0))._replace(u=u, v=v), 0.0)


@pytest.mark.parametrize('soft', [1e-6, 0.05])
def test_slopes_are_those_of_the_force_also_where_it_brakes_for_nothing(rng, soft):
    """Differences over a step h; a limit or an edge between both ends of it, at 2 % of the points, is a kink."""
    h, wrong, number = 1e-7, 0, 400
    for _ in range(number):
        part = random_part(rng)
        x, y = (rng.uniform(-1.0, 1.0, 2) * rng.choice([0.3, 3.0])).tolist()
        xx, xy, yy = in_sector(part, (x, y, 0.0), soft)[4:]
        ends = [in_sector(part, (x + a, y + b, 0.0), soft) for a, b in ((h, 0.0), (-h, 0.0), (0.0, h), (0.0, -h))]
        found = [0.5 * (one[k] - two[k]) / h for one, two in (ends[:2], ends[2:]) for k in (0, 1)]
        wrong += found != pytest.approx([xx, xy, xy, yy], rel=1e-4, abs=1e-4)
    assert wrong <= 0.02 * number


def test_forces_never_fall_along_prices(rng):
    """What makes price . F - P(F) greatest is monotone: (F - F') . (price - price') is not below 0, anywhere."""
    for _ in range(1500):
        part = random_part(rng)
        x, y, x_too, y_too = (rng.uniform(-1.0, 1.0, 4) * 10.0 ** rng.uniform(-2.0, 0.5)).tolist()
        one, two = in_sector(part, (x, y, 0.0), 0.02), in_sector(part, (x_too, y_too, 0.0), 0.02)
        gap = (one[0] - two[0]) * (x - x_too) + (one[1] - two[1]) * (y - y_too)
        assert gap >= -1e-12 * (math.hypot(x - x_too, y - y_too) * part.high)


def test_nothing_within_its_range_is_worth_more(rng):
    """Against a grid of 60 angles and 60 thrusts: a grid's best is below the true one, never above."""
    for _ in range(150):
        part = random_part(rng)
        actuator = part.actuator
        angles = np.linspace(*actuator.steers, 60)[:, None]
        thrusts = actuator.high * np.linspace(0.0, 1.0, 60) ** 2
        speed = actuator.u * np.cos(angles) + actuator.v * np.sin(angles)
        power = np.maximum(actuator.cost * thrusts ** 1.5 + thrusts * speed, 0.0)
        x, y = (rng.uniform(-1.0, 1.0, 2) * rng.choice([0.3, 3.0])).tolist()
        worth = np.max((x * np.cos(angles) + y * np.sin(angles)) * thrusts - power)
        thrust, angle = setting(part, (x, y, 0.0), 1e-7)
        given = actuator.u * math.cos(angle) + actuator.v * math.sin(angle)
        found = (thrust * (x * math.cos(angle) + y * math.sin(angle))
                 - max(actuator.cost * thrust ** 1.5 + thrust * given, 0.0))
        assert found >= worth - 1e-6


def test_arrays_of_prices_and_of_boats_give_what_each_gives(rng):
    for kind in (AHEAD, ROUND, AHEAD._replace(high=0.5)):
        x, y = rng.uniform(-2.0, 2.0, (2, 50))
        u = rng.uniform(-2.0, 2.0, 50)
        for speed in (-1.5, u):
            found = in_sector(part_of(kind._replace(u=speed), 0.0), (x, y, 0.0 * x), 0.02)
            for n in range(50):
                one = part_of(kind._replace(u=float(np.broadcast_to(speed, 50)[n])), 0.0)
                expected = in_sector(one, (float(x[n]), float(y[n]), 0.0), 0.02)
                assert [float(row[n]) for row in found] == pytest.approx(expected, rel=1e-12, abs=1e-12)
