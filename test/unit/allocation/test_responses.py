import math

import pytest
from arrangements import ARRANGEMENTS, OUTBOARD, SINGLE, TURN, WIDE, azimuth, fixed
from usv_energy.allocation.allocation import Actuator, electrical_power, force_of
from usv_energy.allocation.allocation_answers import (
    answer,
    choices_of,
    gain_of,
    near_setting,
    part_of,
    setting,
    weights,
)
from usv_energy.allocation.allocation_reach import farthest

STILL = fixed(0.2, 0.5, 0.0, -30.0, 40.0, 2.0, 3.0)
SLANTED = fixed(0.2, 0.5, -30.0, -30.0, 40.0, 2.0, 3.0)
RANGED = azimuth(-1.0, 0.3, 0.0, 50.0, (-0.5, 0.7), 2.0)
# 45 degrees out of the horizontal: more thrust, so more power, for a force.
TILTED = RANGED._replace(forward=0.42, sideways=-0.56)


def test_a_thrust_costs_its_price_at_the_margin():
    """cost |T|^1.5 has the slope 1.5 cost T^0.5: 4 N at 2 W/N^1.5 is worth 6 W/N, and 4 N astern at 3 worth 9."""
    assert gain_of(2.0) * 6.0 ** 2 == pytest.approx(4.0)
    part = part_of(STILL, 0.0)
    assert answer(part, (6.0, 0.0, 0.0), 0.0)[:3] == pytest.approx((4.0, 0.0, -2.0))
    assert answer(part, (-9.0, 0.0, 0.0), 0.0)[:3] == pytest.approx((-4.0, 0.0, 2.0))
    assert answer(part, (0.0, 0.0, -12.0), 0.0)[0] == pytest.approx(4.0)
    assert answer(part, (1e3, 0.0, 0.0), 0.0)[0] == 40.0 and answer(part, (-1e3, 0.0, 0.0), 0.0)[0] == -30.0


def gained(price, thrust, angle, actuator):
    given = force_of((thrust,), (angle,), (actuator,))
    return sum(one * part for one, part in zip(price, given)) - electrical_power((thrust,), (angle,), (actuator,))


@pytest.mark.parametrize('u', [0.0, 1.5])
@pytest.mark.parametrize('actuator', [STILL, SLANTED, RANGED, azimuth(0.4, 0.0, 0.0, 50.0), TILTED],
                         ids=['fixed', 'slanted', 'ranged', 'circle', 'tilted'])
def test_no_other_setting_is_worth_more_at_a_price(rng, actuator, u):
    """The answer is that of the conjugate: the largest price . F - P(F) within the limits."""
    actuator = actuator._replace(u=u, v=-0.2 * u)
    part = part_of(actuator, 0.0)
    low, high = actuator.low, actuator.high
    for price in rng.uniform(-12.0, 12.0, (60, 3)).tolist():
        best = gained(price, *setting(part, price, 1e-9), actuator)
        angles = rng.uniform(*(actuator.steers or (0.0, 0.0)), 100)
        for thrust, angle in zip(rng.uniform(low, high, 100) * rng.uniform(0.0, 1.0, 100), angles):
            assert gained(price, float(thrust), float(angle), actuator) <= best + 1e-6 * (1.0 + abs(best))


@pytest.mark.parametrize('actuator', [
    STILL, SLANTED, STILL._replace(u=4.0), RANGED, RANGED._replace(u=2.0, v=-0.5), azimuth(0.4, 0.3, 0.0, 50.0),
    azimuth(0.4, 0.3, 0.0, 50.0)._replace(u=2.0, v=0.5)],
    ids=['fixed', 'slanted', 'under way', 'ranged', 'ranged under way', 'circle', 'circle under way'])
def test_slopes_are_those_of_the_answers(rng, actuator):
    """Also under way, where what turns brakes for nothing at low prices: test_allocation_sector has more of that."""
    part, h, soft = part_of(actuator, 0.0), 1e-6, 0.05
    for price in rng.uniform(-9.0, 9.0, (40, 3)).tolist():
        xx, xy, xn, yy, yn, nn = answer(part, price, soft)[3:]
        rows = (xx, xy, xn), (xy, yy, yn), (xn, yn, nn)
        for k in range(3):
            up, down = list(price), list(price)
            up[k] += h
            down[k] -= h
            slope = [(a - b) / (2.0 * h) for a, b in zip(answer(part, up, soft)[:3], answer(part, down, soft)[:3])]
            assert slope == pytest.approx(rows[k], rel=1e-5, abs=1e-5)


def test_an_answer_bought_from_rest_is_what_braking_for_nothing_can_be():
    """At 1.5 m/s a thrust T astern costs nothing as far as (u / cost)^2; a price just below 0 asks for all of that."""
    part = part_of(STILL._replace(u=1.5), 0.0)
    assert answer(part, (-0.1, 0.0, 0.0), 1e-12)[0] == pytest.approx(-(1.5 / 3.0) ** 2)
    assert answer(part, (1.4, 0.0, 0.0), 1e-12)[0] == pytest.approx(0.0, abs=1e-9)


def test_how_many_convex_parts_there_are():
    assert [choices_of(boat[0]) for boat in ARRANGEMENTS.values()] == [1, 1, 1, 1, 1, 1, 1, 2, 2, 3]
    assert choices_of(WIDE[1]) == 2 and choices_of(SINGLE[0]) == 1


@pytest.mark.parametrize('actuator', [*OUTBOARD, *WIDE, azimuth(-1.0, 0.0, -30.0, 100.0, (0.5, 6.1)),
                                      azimuth(-1.0, 0.0, -30.0, 100.0, (5.0, 6.5))])
def test_the_parts_together_are_all_that_an_azimuth_thruster_can_give(rng, actuator):
    """Each direction that some angle gives is within a part, and no part reaches a direction that no angle gives."""
    parts = [part_of(actuator, float(n)) for n in range(int(choices_of(actuator)))]
    for angle in rng.uniform(*actuator.steers, 50):
        for sign, limit in ((1.0, actuator.high), (-1.0, -actuator.low)):
            x, y = sign * math.cos(angle), sign * math.sin(angle)
            assert max(farthest(part, x, y, 0.0, 0.0) for part in parts) >= limit * (1.0 - 1e-12)
    for part in parts:
        for price in rng.uniform(-90.0, 90.0, (50, 3)).tolist():
            thrust, angle = setting(part, price, 0.1)
            given = answer(part, price, 0.1)[:3]
            assert force_of((thrust,), (angle,), (actuator,)) == pytest.approx(given, rel=1e-9, abs=1e-9)
            assert actuator.low <= thrust <= actuator.high and actuator.steers[0] <= angle <= actuator.steers[1]


def test_the_weights_of_parts_are_their_gains_squared_speeds_and_arms_and_their_limits():
    """The axis 30 degrees to starboard at (0.2, 0.5) m has the arm 0.2 sin(-30) - 0.5 cos(-30) m."""
    slanted = SLANTED._replace(u=-0.6, v=0.2)
    gain, speed, *arms, limit = weights(part_of(slanted, 0.0))
    assert (gain, speed) == pytest.approx((gain_of(2.0), (0.6 * math.cos(math.pi / 6.0) + 0.2 * 0.5) ** 2))
    assert arms == pytest.approx([0.75, 0.25, (0.1 + 0.5 * math.cos(math.pi / 6.0)) ** 2])
    assert limit == max(-slanted.low, slanted.high)
    assert weights(part_of(slanted._replace(low=-99.0), 0.0))[5] == 99.0
    assert weights(part_of(STILL._replace(cost_astern=1.0), 0.0))[0] == gain_of(1.0)
    assert weights(part_of(RANGED._replace(x=-0.8, u=3.0, v=-4.0), 0.0)) == pytest.approx(
        (gain_of(2.0), 25.0, 1.0, 1.0, 0.73, RANGED.high))


@pytest.mark.parametrize('actuator', [OUTBOARD[0], WIDE[0]])
def test_the_last_part_of_what_drives_astern_is_its_thrust_astern(actuator):
    """For the highest price of a force straight astern it does not turn: all of its thrust astern, at angle 0."""
    last = part_of(actuator, float(choices_of(actuator)) - 1.0)
    assert (last.way, last.high) == (-1.0, -actuator.low)
    assert setting(last, (-1e4, 0.0, 0.0), 0.0) == pytest.approx((actuator.low, 0.0), abs=1e-12)


@pytest.mark.parametrize('most', [1.0, 3.0], ids=['a limit on the way', 'none'])
def test_slopes_say_where_a_limit_is_met_on_the_way(most):
    """At rest a thrust is gain w (w + soft) of the price w: 2 N at 1 W/N, 3 N a step of a price further on."""
    part = part_of(Actuator(0.0, 0.0, 1.0, 0.0, -most, most, 2.0 / 3.0, 2.0 / 3.0), 0.0)
    thrust, angle, axis, doubt = near_setting(part, (0.9, 0.0, 0.0), (0.2, 0.0, 0.0), 0.0)
    assert angle == 0.0 and axis is None
    assert math.isnan(doubt) if most == 1.0 else thrust == pytest.approx(0.81 + 2.0 * 0.9 * 0.2) and doubt == 0.0


@pytest.mark.parametrize(('steers', 'low', 'sectors'), [
    ((-0.5, 0.7), 0.0, [(-0.5, 0.7, 1.0)]),
    ((-0.5, 0.7), -30.0, [(-0.5, 0.7, 1.0), (math.pi - 0.5, math.pi + 0.7, -1.0)]),
    ((-0.5 * math.pi, 0.5 * math.pi), -30.0,
     [(-0.5 * math.pi, 0.5 * math.pi, 1.0), (0.5 * math.pi, -0.5 * math.pi, -1.0)]),
    ((-2.0, 1.9), 0.0, [(-2.0, -0.05, 1.0), (-0.05, 1.9, 1.0)]),
    ((-2.0, 1.9), -30.0, [(-2.0, -0.05, 1.0), (-0.05, 1.9, 1.0), (1.9, math.tau - 2.0, -1.0)]),
    ((0.5, 6.1), 0.0, [(0.5, 3.3, 1.0), (3.3, 6.1, 1.0)])],
    ids=['ahead', 'both', 'half a turn', 'wide', 'wide and astern', 'wide, about astern'])
def test_the_sectors_of_a_range_of_angles(steers, low, sectors):
    """More than half a turn is two sectors; astern is one more, in what no angle ahead gives; 45 degrees of tilt."""
    actuator = azimuth(-1.0, 0.3, low, 50.0, steers, 2.0)._replace(forward=0.42, sideways=0.56, cost_astern=3.0, u=0.4,
                                                                   v=-0.1)
    assert choices_of(actuator) == len(sectors)
    for choice, (begin, end, way) in enumerate([*sectors, sectors[0]]):
        part = part_of(actuator, choice)
        assert part.edges == pytest.approx((math.cos(begin), math.sin(begin), math.cos(end), math.sin(end)))
        assert (part.way, bool(part.circle), part.x, part.y, part.u, part.v) == (way, False, -1.0, 0.3, 0.4, -0.1)
        assert part.high == pytest.approx(0.7 * (50.0 if way > 0.0 else -low))
        assert part.gain == pytest.approx(0.7 ** 3 * gain_of(2.0 if way > 0.0 else 3.0))


def test_what_turns_all_round_is_a_circle_and_what_cannot_push_gives_nothing():
    whole = azimuth(0.4, 0.0, -30.0, 50.0, (-math.pi, math.pi))
    for choice in (0, 1, 2):
        part = part_of(whole, choice)
        assert (bool(part.circle), part.way, part.high, part.edges) == (True, 1.0, 50.0, (1.0, 0.0, 1.0, 0.0))
    assert choices_of(whole) == 1.0 and choices_of(STILL._replace(low=0.0)) == 1.0
    assert part_of(RANGED._replace(high=0.0), 0).high == 0.0


@pytest.mark.parametrize('u', [0.0, 1.1])
@pytest.mark.parametrize('turn', [(-math.pi, math.pi), (0.0, math.tau), (1.0, 1.0 + math.tau)])
def test_a_little_further_the_setting_is_that_of_the_slopes(u, turn):
    """Of a circle: thrust and angle after a small step of all three prices, to the square of the step."""
    actuator = azimuth(0.4, -0.3, 0.0, 50.0, turn)._replace(forward=0.42, sideways=0.56, u=u, v=-0.3 * u)
    part, price, way, soft = part_of(actuator, 0), (3.0, -2.0, 0.8), (0.6, 0.5, -0.4), 0.05
    errors = []
    for step in (1e-2, 1e-3):
        move = tuple(step * one for one in way)
        thrust, angle, axis, doubt = near_setting(part, price, move, soft)
        assert axis == pytest.approx((math.cos(angle), math.sin(angle)), rel=1e-12)
        there = setting(part, tuple(a + b for a, b in zip(price, move)), soft)
        assert doubt == 0.0
        errors.append((abs(thrust - there[0]), abs(angle - there[1])))
    begin = setting(part, price, soft)
    assert turn[0] <= begin[1] <= turn[1]
    assert abs(there[0] - begin[0]) > 1e-4 and abs(there[1] - begin[1]) > 1e-5
    for coarse, fine in zip(*errors):
        assert fine < 0.02 * coarse + 1e-12
    held = part_of(actuator._replace(high=0.5), 0)
    for move in ((0.0, 0.0, 0.0), (0.6, -0.4, 0.0)):
        thrust, _, _, doubt = near_setting(held, price, move, soft)
        assert (thrust, doubt) == (pytest.approx(0.5), 0.0)
    limited = part_of(actuator._replace(high=begin[0] + 1e-4), 0)
    assert math.isnan(near_setting(limited, price, (0.6, -0.4, 0.0), soft)[3])


def test_what_turns_and_gives_nothing_points_ahead():
    """At no price: an axis all the same, as an arc tangent has it."""
    part = part_of(azimuth(0.4, -0.3, 0.0, 50.0), 0)
    thrust, angle, axis, _ = near_setting(part, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.05)
    assert (thrust, angle, axis) == (0.0, 0.0, (1.0, 0.0))


def test_a_little_further_a_fixed_thruster_follows_all_three_prices():
    """To the square of a small step; its angle is that of its axis, and what cannot go astern stays off for nothing."""
    part, price, soft = part_of(SLANTED, 0.0), (3.0, -2.0, 0.8), 0.05
    for way in ((0.6, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, -0.4)):
        moves = [tuple(step * one for one in way) for step in (1e-2, 1e-3)]
        there = [setting(part, tuple(a + b for a, b in zip(price, move)), soft)[0] for move in moves]
        near = [near_setting(part, price, move, soft) for move in moves]
        assert abs(near[1][0] - there[1]) < 0.02 * abs(near[0][0] - there[0]) + 1e-12
        assert abs(there[1] - setting(part, price, soft)[0]) > 1e-4
        assert near[0][1:] == (pytest.approx(-math.pi / 6.0), None, 0.0)
    ahead = part_of(SLANTED._replace(low=0.0), 0.0)
    assert setting(ahead, (-3.0, 0.0, 0.0), soft) == (0.0, pytest.approx(-math.pi / 6.0))
    assert near_setting(ahead, (-3.0, 0.0, 0.0), (-1.0, 0.0, 0.0), soft) == (
        0.0, pytest.approx(-math.pi / 6.0), None, 0.0)
    assert near_setting(part, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), soft) == (
        0.0, pytest.approx(-math.pi / 6.0), None, 0.0)


@pytest.mark.parametrize('actuator', [STILL, SLANTED, azimuth(0.4, 0.0, 0.0, 50.0), TILTED._replace(steers=TURN),
                                      RANGED, TILTED],
                         ids=['fixed', 'slanted', 'circle', 'tilted', 'ranged', 'tilted in a range'])
def test_no_other_setting_is_worth_more_where_braking_is_for_nothing(rng, actuator):
    """Drifting mostly sideways, at prices as low as the speed: what may be had for nothing is a large part of it."""
    actuator = actuator._replace(u=0.7, v=1.6)
    part = part_of(actuator, 0.0)
    thrusts = rng.uniform(actuator.low, actuator.high, 300) * rng.uniform(0.0, 0.3, 300) ** 2
    angles = rng.uniform(*(actuator.steers or (0.0, 0.0)), 300)
    for price in (rng.uniform(-1.0, 1.0, (60, 3)) * (1.5, 1.5, 0.3)).tolist():
        best = gained(price, *setting(part, price, 1e-9), actuator)
        assert best >= -1e-6
        others = [gained(price, float(thrust), float(angle), actuator) for thrust, angle in zip(thrusts, angles)]
        assert max(others) <= best + 1e-6 * (1.0 + abs(best))


def test_a_price_straight_away_from_a_sector_asks_for_nothing():
    for soft in (0.0, 0.05):
        assert answer(part_of(RANGED, 0.0), (-3.0, 0.0, 0.0), soft) == (0.0,) * 9
