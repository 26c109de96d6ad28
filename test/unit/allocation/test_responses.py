"""What actuators give for multipliers: by hand, by brute force, and by what convexity asks of it."""

import math

import numpy as np
import pytest
from arrangements import TURN, azimuth, fixed, turning

from usv_energy.allocation.allocate import electrical_power, force_of
from usv_energy.allocation.problem import convex_part
from usv_energy.allocation.responses import is_at_limit, response, scales_of, setting_of_part, turning_response

STILL = fixed(0.2, 0.5, 0.0, -30.0, 40.0, 2.0)
SLANTED = fixed(0.2, 0.5, -30.0, -30.0, 40.0, 2.0)
RANGED = azimuth(-1.0, 0.3, 0.0, 50.0, (-0.5, 0.7), 2.0)
# 45 degrees out of the horizontal: more thrust, so more power, for a force.
TILTED = RANGED._replace(forward=0.42, sideways=-0.56)
CIRCLE = azimuth(0.4, 0.3, 0.0, 50.0)


def test_a_thrust_costs_its_multiplier_at_the_margin():
    """cost |T|^1.5 has the slope 1.5 cost T^0.5: 4 N at 2 W/N^1.5 is worth 6 W/N, ahead and astern."""
    part = convex_part(STILL, 0.0)
    assert response(part, (6.0, 0.0, 0.0), 0.0)[:3] == pytest.approx((4.0, 0.0, -2.0))
    assert response(part, (-6.0, 0.0, 0.0), 0.0)[:3] == pytest.approx((-4.0, 0.0, 2.0))
    assert response(part, (0.0, 0.0, -12.0), 0.0)[0] == pytest.approx(4.0)
    assert response(part, (1e3, 0.0, 0.0), 0.0)[0] == 40.0 and response(part, (-1e3, 0.0, 0.0), 0.0)[0] == -30.0


def gained(multipliers, thrust, angle, actuator):
    given = force_of((thrust,), (angle,), (actuator,))
    worth = sum(one * part for one, part in zip(multipliers, given))
    return worth - electrical_power((thrust,), (angle,), (actuator,))


def drawn_angles(rng, actuator, number):
    """Return random angles of an actuator's range, None of a fixed one."""
    turn = actuator.azimuth
    return [None] * number if turn is None else rng.uniform(turn.least, turn.largest, number).tolist()


@pytest.mark.parametrize('u', [0.0, 1.5])
@pytest.mark.parametrize('actuator', [STILL, SLANTED, RANGED, CIRCLE, TILTED],
                         ids=['fixed', 'slanted', 'ranged', 'circle', 'tilted'])
def test_no_other_setting_is_worth_more_at_given_multipliers(rng, actuator, u):
    """The response is that of the conjugate: the largest multiplier . F - P(F) within the limits."""
    actuator = actuator._replace(u=u, v=-0.2 * u)
    part = convex_part(actuator, 0.0)
    low, high = actuator.low, actuator.high
    for multipliers in rng.uniform(-12.0, 12.0, (60, 3)).tolist():
        best = gained(multipliers, *setting_of_part(part, actuator, multipliers, 1e-9), actuator)
        thrusts = rng.uniform(low, high, 100) * rng.uniform(0.0, 1.0, 100)
        for thrust, angle in zip(thrusts.tolist(), drawn_angles(rng, actuator, 100)):
            assert gained(multipliers, thrust, angle, actuator) <= best + 1e-6 * (1.0 + abs(best))


@pytest.mark.parametrize('actuator', [
    STILL, SLANTED, STILL._replace(u=4.0), RANGED, RANGED._replace(u=2.0, v=-0.5), CIRCLE,
    CIRCLE._replace(u=2.0, v=0.5)],
    ids=['fixed', 'slanted', 'under way', 'ranged', 'ranged under way', 'circle', 'circle under way'])
def test_slopes_are_those_of_the_responses(rng, actuator):
    """Also under way, where what turns brakes for nothing at low multipliers: more of that below."""
    part, h, soft = convex_part(actuator, 0.0), 1e-6, 0.05
    for multipliers in rng.uniform(-9.0, 9.0, (40, 3)).tolist():
        xx, xy, xn, yy, yn, nn = response(part, multipliers, soft)[3:]
        rows = (xx, xy, xn), (xy, yy, yn), (xn, yn, nn)
        for k in range(3):
            up, down = list(multipliers), list(multipliers)
            up[k] += h
            down[k] -= h
            slope = [(a - b) / (2.0 * h) for a, b in zip(response(part, up, soft)[:3], response(part, down, soft)[:3])]
            assert slope == pytest.approx(rows[k], rel=1e-5, abs=1e-5)


def test_a_response_bought_from_rest_is_what_braking_for_nothing_can_be():
    """At 1.5 m/s a thrust astern costs nothing up to (u / cost)^2; a multiplier just below 0 asks for all of that."""
    part = convex_part(STILL._replace(u=1.5), 0.0)
    assert response(part, (-0.1, 0.0, 0.0), 1e-12)[0] == pytest.approx(-(1.5 / 2.0) ** 2)
    assert response(part, (1.4, 0.0, 0.0), 1e-12)[0] == pytest.approx(0.0, abs=1e-9)


def test_the_scales_of_parts_are_their_gains_squared_speeds_and_arms_and_their_limits():
    """The axis 30 degrees to starboard at (0.2, 0.5) m has the arm 0.2 sin(-30) - 0.5 cos(-30) m."""
    slanted = SLANTED._replace(u=-0.6, v=0.2)
    gain, speed, *arms, limit = scales_of(convex_part(slanted, 0.0))
    assert (gain, speed) == pytest.approx((1.0 / 9.0, (0.6 * math.cos(math.pi / 6.0) + 0.2 * 0.5) ** 2))
    assert arms == pytest.approx([0.75, 0.25, (0.1 + 0.5 * math.cos(math.pi / 6.0)) ** 2])
    assert limit == max(-slanted.low, slanted.high)
    assert scales_of(convex_part(slanted._replace(low=-99.0), 0.0))[5] == 99.0
    assert scales_of(convex_part(RANGED._replace(x=-0.8, u=3.0, v=-4.0), 0.0)) == pytest.approx(
        (1.0 / 9.0, 25.0, 1.0, 1.0, 0.73, RANGED.high))


@pytest.mark.parametrize('actuator', [STILL, SLANTED, CIRCLE, TILTED._replace(azimuth=turning(*TURN)), RANGED, TILTED],
                         ids=['fixed', 'slanted', 'circle', 'tilted', 'ranged', 'tilted in a range'])
def test_no_other_setting_is_worth_more_where_braking_is_for_nothing(rng, actuator):
    """Drifting mostly sideways, at multipliers as low as the speed: what may be had for nothing is much of it."""
    actuator = actuator._replace(u=0.7, v=1.6)
    part = convex_part(actuator, 0.0)
    thrusts = (rng.uniform(actuator.low, actuator.high, 300) * rng.uniform(0.0, 0.3, 300) ** 2).tolist()
    angles = drawn_angles(rng, actuator, 300)
    for multipliers in (rng.uniform(-1.0, 1.0, (60, 3)) * (1.5, 1.5, 0.3)).tolist():
        best = gained(multipliers, *setting_of_part(part, actuator, multipliers, 1e-9), actuator)
        assert best >= -1e-6
        others = [gained(multipliers, thrust, angle, actuator) for thrust, angle in zip(thrusts, angles)]
        assert max(others) <= best + 1e-6 * (1.0 + abs(best))


def test_what_turns_and_gives_nothing_has_an_angle_all_the_same():
    """Ahead at no multipliers, as an arc tangent has it; away from a sector, at one of its edges."""
    assert setting_of_part(convex_part(CIRCLE, 0.0), CIRCLE, (0.0, 0.0, 0.0), 0.05) == (0.0, 0.0)
    for soft in (0.0, 0.05):
        assert response(convex_part(RANGED, 0.0), (-3.0, 0.0, 0.0), soft) == (0.0,) * 9
    thrust, angle = setting_of_part(convex_part(RANGED, 0.0), RANGED, (-3.0, 1.0, 0.0), 0.05)
    assert thrust == 0.0 and min(abs(angle - edge) for edge in (-0.5, 0.7)) < 1e-12


THIRTY = math.pi / 6.0
# 1 W/N^1.5, 30 degrees to either side of the bow, the boat drifting astern at 1.5 m/s: (1.5 cos a)^2 N at the angle a
# ahead cost nothing, for |T|^1.5 = 1.5 T cos a there.
AHEAD = azimuth(0.0, 0.0, 0.0, 50.0, (-THIRTY, THIRTY))._replace(u=-1.5)
ROUND = AHEAD._replace(azimuth=turning(*TURN))


def force(actuator, multipliers, soft=1e-9):
    """Return the force, N, N, of an actuator at the boat's point for multipliers of surge and sway."""
    thrust, angle = setting_of_part(convex_part(actuator, 0.0), actuator, (*multipliers, 0.0), soft)
    return thrust * math.cos(angle), thrust * math.sin(angle)


def toward(degrees, size=0.1):
    return size * math.cos(math.radians(degrees)), size * math.sin(math.radians(degrees))


def test_braking_for_nothing_all_round_is_where_the_curve_of_it_is_square_to_the_multiplier():
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


def test_a_multiplier_away_from_the_edge_asks_for_nothing_and_a_high_one_for_what_it_buys():
    """
    At 121 degrees the multiplier is 91 from the edge. (2, 6) W/N and 1.5 m/s are 3.5 cos 30 + 6 sin 30 along the edge.

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


@pytest.mark.parametrize('angles', [TURN, (-0.5 * math.pi, 0.5 * math.pi)], ids=['circle', 'half a turn'])
def test_a_limit_met_while_braking_for_nothing_turns_towards_the_multiplier(angles):
    """At 2 m/s all of 1 N costs nothing within 60 degrees of straight against the drift: 1 N of 1 W/N^1.5 is 1 W."""
    held = AHEAD._replace(u=-2.0, high=1.0, azimuth=turning(*angles))
    for degrees, angle in ((0.0, 0.0), (30.0, 30.0), (-50.0, -50.0), (59.0, 59.0), (80.0, 60.0), (-110.0, -60.0)):
        assert force(held, toward(degrees)) == pytest.approx(toward(angle, 1.0), rel=1e-6, abs=1e-9)
    assert math.hypot(*force(held, toward(150.0))) < 1.0


def test_a_limit_is_met_where_the_force_is_all_that_there_is():
    part = convex_part(ROUND, 0.0)
    assert is_at_limit(part, 30.0, -40.0) and not is_at_limit(part, 35.0, 35.0)
    assert is_at_limit(part, *turning_response(part, (90.0, 0.0, 0.0), 0.01)[:2])


def random_turning(rng):
    """Return a thruster of any range, one in five all round, and of any limit, under way."""
    middle, half = (rng.uniform(-3.0, 3.0), rng.uniform(0.1, 1.5)) if rng.uniform() < 0.8 else (0.0, math.pi)
    u, v = rng.uniform(-2.0, 2.0, 2).tolist()
    return azimuth(0.3, -0.4, 0.0, 10.0 ** rng.uniform(-1.0, 1.5), (middle - half, middle + half),
                   rng.uniform(0.4, 2.0))._replace(u=u, v=v)


@pytest.mark.parametrize('soft', [1e-6, 0.05])
def test_slopes_are_those_of_the_force_also_where_it_brakes_for_nothing(rng, soft):
    """Differences over a step h; a limit or an edge between both ends of it, at 2 % of the points, is a kink."""
    h, wrong, number = 1e-7, 0, 400
    for _ in range(number):
        part = convex_part(random_turning(rng), 0.0)
        x, y = (rng.uniform(-1.0, 1.0, 2) * rng.choice([0.3, 3.0])).tolist()
        xx, xy, yy = turning_response(part, (x, y, 0.0), soft)[4:]
        ends = [turning_response(part, (x + a, y + b, 0.0), soft)
                for a, b in ((h, 0.0), (-h, 0.0), (0.0, h), (0.0, -h))]
        found = [0.5 * (one[k] - two[k]) / h for one, two in (ends[:2], ends[2:]) for k in (0, 1)]
        wrong += found != pytest.approx([xx, xy, xy, yy], rel=1e-4, abs=1e-4)
    assert wrong <= 0.02 * number


def test_forces_never_fall_along_multipliers(rng):
    """What makes l . F - P(F) greatest is monotone: (F - F') . (l - l') is not below 0 for any multipliers l, l'."""
    for _ in range(1500):
        part = convex_part(random_turning(rng), 0.0)
        x, y, x_too, y_too = (rng.uniform(-1.0, 1.0, 4) * 10.0 ** rng.uniform(-2.0, 0.5)).tolist()
        one, two = turning_response(part, (x, y, 0.0), 0.02), turning_response(part, (x_too, y_too, 0.0), 0.02)
        gap = (one[0] - two[0]) * (x - x_too) + (one[1] - two[1]) * (y - y_too)
        assert gap >= -1e-12 * (math.hypot(x - x_too, y - y_too) * part.high)


def test_nothing_within_its_range_is_worth_more(rng):
    """Against a grid of 60 angles and 60 thrusts: a grid's best is below the true one, never above."""
    for _ in range(150):
        actuator = random_turning(rng)
        part, turn = convex_part(actuator, 0.0), actuator.azimuth
        angles = np.linspace(turn.least, turn.largest, 60)[:, None]
        thrusts = actuator.high * np.linspace(0.0, 1.0, 60) ** 2
        speed = actuator.u * np.cos(angles) + actuator.v * np.sin(angles)
        power = np.maximum(actuator.cost * thrusts ** 1.5 + thrusts * speed, 0.0)
        x, y = (rng.uniform(-1.0, 1.0, 2) * rng.choice([0.3, 3.0])).tolist()
        worth = np.max((x * np.cos(angles) + y * np.sin(angles)) * thrusts - power)
        thrust, angle = setting_of_part(part, actuator, (x, y, 0.0), 1e-7)
        given = actuator.u * math.cos(angle) + actuator.v * math.sin(angle)
        found = (thrust * (x * math.cos(angle) + y * math.sin(angle))
                 - max(actuator.cost * thrust ** 1.5 + thrust * given, 0.0))
        assert found >= worth - 1e-6


def test_arrays_of_multipliers_and_of_boats_give_what_each_gives(rng):
    for kind in (AHEAD, ROUND, AHEAD._replace(high=0.5)):
        x, y = rng.uniform(-2.0, 2.0, (2, 50))
        u = rng.uniform(-2.0, 2.0, 50)
        for speed in (-1.5, u):
            found = turning_response(convex_part(kind._replace(u=speed), 0.0), (x, y, 0.0 * x), 0.02)
            for n in range(50):
                one = convex_part(kind._replace(u=float(np.broadcast_to(speed, 50)[n])), 0.0)
                expected = turning_response(one, (float(x[n]), float(y[n]), 0.0), 0.02)
                assert [float(row[n]) for row in found] == pytest.approx(expected, rel=1e-12, abs=1e-12)
