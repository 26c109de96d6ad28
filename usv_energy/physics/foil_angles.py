"""
The angles that steer a foil: a rudder's for a yaw moment, a sail's to the wind; angles and axes as in `foil_force`.

Beside an angle stands its direction, the cosine and sine, found without an arc tangent, as the force takes it.
"""

from .elementwise import arctan2, by_part, cos, kernel, larger, select, sin, smaller, sqrt, within
from .foil_force import LITTLE, _behind_the_axis, _on_the_axis, flow_met, foil_force

EQUAL = 1e-14  # Cosines and sines of angles that are no further apart are those of equal angles.
HALVINGS = 32  # Of a table's angles of attack up to stall: to 1e-10 rad.


@kernel
def rudder_angle_of_moment(moment, at, thrusts, foil):
    """
    Return the angle at which a rudder gives a yaw moment, rad: the smallest, within its limits.

    Where no angle gives it, the angle of the most moment; where limits cut that, the limit.

    :param moment: Wanted of this rudder, counter-clockwise, N m; float or array.
    :param at: The Relative of the boat, as `foil_force_of`; same shape.
    :param thrusts: Of all thrusters, N; same shape.
    :param foil: The Foil, which turns.
    """
    return steered_rudder(moment, at, thrusts, foil)[0]


@kernel
def steered_rudder(moment, at, thrusts, foil):
    """Return what `rudder_angle_of_moment` does, and the cosine and sine of that angle: these cost no arc tangent."""
    u, v = flow_met(at, thrusts, foil)
    return by_part(foil.curve, _closed_rudder, _tabled_rudder, moment, u, v, at.r, foil)


@kernel
def _within(angle, steer):
    return within(angle, steer.least, steer.largest)


@kernel
def direction_within(direction, steer):
    """Return the cosine and sine of an angle within the limits of a Steer, from those of the angle, (-pi, pi]."""
    least_c, least_s, largest_c, largest_s = by_part(steer.ends, _ends_of, _ends_known, steer)
    c, s = direction
    # Of two angles in one half of the circle the sine of their difference tells the larger.
    to_port, below, above = s >= 0.0, s * least_c < c * least_s, s * largest_c > c * largest_s
    below = select(least_s >= 0.0, below | (s < 0.0), below & (s < 0.0))
    above = select(largest_s >= 0.0, above & to_port, above | to_port)
    c, s = select(below, least_c, c), select(below, least_s, s)
    return select(above, largest_c, c), select(above, largest_s, s)


@kernel
def _ends_of(steer):
    return cos(steer.least), sin(steer.least), cos(steer.largest), sin(steer.largest)


@kernel
def _ends_known(ends, steer):
    return ends


@kernel
def half_turn(x, y):
    """Return the cosine and sine of half an angle in (-pi, pi], from its own cosine x and sine y; floats or arrays."""
    root = sqrt(0.5 + 0.5 * abs(x))
    other = 0.5 * abs(y) / root
    s = select(x >= 0.0, other, root)
    return select(x >= 0.0, root, other), select(y < 0.0, -s, s)


@kernel
def _closed_rudder(moment, u, v, r, foil):
    place_x, place_y = by_part(foil.swings, _on_the_axis, _behind_the_axis, None, foil)
    x, y, size = _twice_the_angle(moment, u, v, r, place_x, place_y, foil)
    x, y, size = by_part(foil.swings, _as_in_place, _as_it_swings, x, y, size, moment, u, v, r, foil)
    return _within(0.5 * arctan2(0.0 + y, x), foil.steer), direction_within(half_turn(x / size, y / size), foil.steer)


@kernel
def _as_in_place(x, y, size, moment, u, v, r, foil):
    return x, y, size


@kernel
def _as_it_swings(swings, x, y, size, moment, u, v, r, foil):
    for _ in range(2):  # The place of the centre of effort turns with the rudder.
        c, s = half_turn(x / size, y / size)
        x, y, size = _twice_the_angle(moment, u, v, r, foil.x - foil.aft * c, foil.y - foil.aft * s, foil)
    return x, y, size


@kernel
def _twice_the_angle(moment, u, v, r, place_x, place_y, foil):
    """
    Return cosine and sine of twice the smallest angle of a foil at a place that gives a moment, and what both are of.

    With e the direction of its motion, the moment over dynamic pressure and area is
    lift A sin 2a - drag B cos 2a + (drag0 + drag) B, A = -(x e_x + y e_y), B = y e_x - x e_y: a sine of 2a, shifted.
    Two angles have this sine. Each is computed as the cosine and sine of twice the angle, by products.
    """
    u_foil, v_foil = u - r * place_y, v + r * place_x
    speed = larger(sqrt(u_foil * u_foil + v_foil * v_foil), LITTLE)
    e_x, e_y = u_foil / speed, v_foil / speed
    of_lift, of_drag = 0.0 - foil.lift * (place_x * e_x + place_y * e_y), place_y * e_x - place_x * e_y
    wanted = moment / (0.5 * foil.density * foil.area) / speed / speed - (foil.drag0 + foil.drag) * of_drag
    of_drag = foil.drag * of_drag
    size = sqrt(of_lift * of_lift + of_drag * of_drag)
    none = size < 1e-30  # No flow, or no arm: nothing is shifted, and any moment takes the sine to its end.
    size = select(none, 1e-30 + 0.0 * size, size)
    rise = smaller(larger(wanted, -size), size)
    run = sqrt((size - rise) * (size + rise))
    # Cosine and sine of twice the course of the flow, less the shift, times `size`.
    twice_x, twice_y = e_x * e_x - e_y * e_y, 2.0 * e_x * e_y
    course_x = select(none, size, twice_x * of_lift + twice_y * of_drag)
    course_y = select(none, 0.0 * size, twice_y * of_lift - twice_x * of_drag)
    one_x, one_y = course_x * run + course_y * rise, course_y * run - course_x * rise
    other_x, other_y = course_y * rise - course_x * run, 0.0 - course_y * run - course_x * rise
    # The smaller angle: near 0 by its sine, which tells small angles apart, elsewhere by its cosine; of two that differ
    # by rounding alone the one, as where the flow comes straight from the side.
    square = size * size
    equal = EQUAL * square
    smallest = select((one_x > 0.0) & (other_x > 0.0), abs(one_y) <= abs(other_y) + equal, one_x >= other_x - equal)
    return select(smallest, one_x, other_x), select(smallest, one_y, other_y), square


@kernel
def _tabled_rudder(curve, moment, u, v, r, foil):
    angle = _within(_halved_angle(curve, moment, u, v, r, foil), foil.steer)
    return angle, (cos(angle), sin(angle))


@kernel
def _halved_angle(curve, moment, u, v, r, foil):
    """
    Return the angle of a foil with a table below its stall, rad, by halving: its moment rises or falls with the angle.

    Where no angle gives a moment (no flow, or no arm), and none is asked for, it is 0.
    """
    u_foil, v_foil = u - r * foil.y, v + r * (foil.x - foil.aft)
    course = arctan2(v_foil, u_foil)
    low, high = course - curve.stall, course + curve.stall
    at_low, at_high = foil_force(u, v, r, low, foil)[2], foil_force(u, v, r, high, foil)[2]
    rising, idle = at_high > at_low, (at_high == 0.0) & (at_low == 0.0) & (moment == 0.0)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        more = (foil_force(u, v, r, middle, foil)[2] < moment) == rising
        low, high = select(more, middle, low), select(more, high, middle)
    return select(idle, 0.0, 0.5 * (low + high))


@kernel
def sail_angle(u_w, v_w, steer):
    """
    Return the angle of a sail at half the angle of the apparent wind, rad, within its limits.

    :param u_w: Apparent wind, where it blows to, forward, m/s; float or array.
    :param v_w: The same to port; same shape.
    :param steer: The sail's Steer.

    Source: the law of USVsim's sailboat_control_heading.py, commit 61e8f4a5, which takes the wind over ground.
    """
    return _within(0.5 * arctan2(0.0 - v_w, 0.0 - u_w), steer)


@kernel
def sail_direction(u_w, v_w, steer):
    """Return the cosine and sine of `sail_angle`, which cost no arc tangent."""
    x, y = _unit(0.0 - u_w, 0.0 - v_w)
    return direction_within(half_turn(x, y), steer)


@kernel
def _unit(x, y):
    """Return the cosine and sine of a vector's angle from the x axis; of none, or next to none, those of 0."""
    size = sqrt(x * x + y * y)
    none, size = size < LITTLE, larger(size, LITTLE)
    return select(none, 1.0, x / size), select(none, 0.0, y / size)


@kernel
def driving_sail_angle(u_w, v_w, foil):
    """
    Return the angle of a sail with the closed curve that drives ahead most, rad, within its limits.

    With the apparent wind from an angle b off the bow, the drive C_L sin b - C_D cos b is largest where
    tan 2a = (lift / drag) tan b; for lift = drag that is half of b.

    :param u_w: Apparent wind, where it blows to, forward, m/s; float or array.
    :param v_w: The same to port; same shape.
    :param foil: The Foil, which turns.
    """
    attack = 0.5 * arctan2(0.0 - foil.lift * v_w, 0.0 - foil.drag * u_w)
    return _within(arctan2(0.0 - v_w, 0.0 - u_w) - attack, foil.steer)


@kernel
def driving_sail_direction(u_w, v_w, foil):
    """Return the cosine and sine of `driving_sail_angle`, which cost no arc tangent."""
    c, s = _unit(0.0 - u_w, 0.0 - v_w)
    x, y = _unit(0.0 - foil.drag * u_w, 0.0 - foil.lift * v_w)
    half_c, half_s = half_turn(x, y)
    return direction_within((c * half_c + s * half_s, s * half_c - c * half_s), foil.steer)
