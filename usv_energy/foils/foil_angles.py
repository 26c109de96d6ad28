"""The angles that steer a foil: a rudder's for a yaw moment, a sail's to the wind; angles as in `foil_force`."""

from usv_energy.foils.foil_force import LITTLE, centre_of_effort, flow_met, foil_force
from usv_energy.physics.elementwise import arctan2, cos, kernel, larger, select, sin, smaller, sqrt, within

EQUAL = 1e-14  # Cosines and sines of angles that are no further apart are those of equal angles.
HALVINGS = 32  # Of a table's angles of attack up to stall: to 1e-10 rad.
ROUNDS = 2     # Of the place of a centre of effort that turns with the rudder.


@kernel
def rudder_angle_of_moment(moment, foil, at, thrusts):
    """
    Return the angle at which a rudder gives a yaw moment, rad: the smallest, within its limits.

    Where no angle gives it, the angle of the most moment; where limits cut that, the limit.

    :param moment: Wanted of this rudder, counter-clockwise, N m; float or array.
    :param foil: The Foil, which turns.
    :param at: The Relative of the boat, as `foil_force_of`; same shape.
    :param thrusts: Of all thrusters, N; same shape.
    """
    u, v = flow_met(foil, at, thrusts)
    return within(_free_angle(moment, u, v, at.r, foil, foil.curve), foil.steer.least, foil.steer.largest)


@kernel
def _free_angle(moment, u, v, r, foil, curve):
    """Return the angle of a rudder for a moment, rad, limits left out; by halving where it has a FoilCurve."""
    if curve is None:
        return _closed_angle(moment, u, v, r, foil, foil.swings)
    return _halved_angle(moment, u, v, r, foil, curve)


@kernel
def _closed_angle(moment, u, v, r, foil, swings):
    x, y = centre_of_effort(None, foil)
    angle = _smallest_angle(moment, u, v, r, x, y, foil)
    if swings is None:
        return angle
    for _ in range(ROUNDS):
        x, y = centre_of_effort((cos(angle), sin(angle)), foil)
        angle = _smallest_angle(moment, u, v, r, x, y, foil)
    return angle


@kernel
def _smallest_angle(moment, u, v, r, x, y, foil):
    """
    Return the smallest angle of a foil with its centre of effort at a place that gives a moment, rad.

    With e the direction of its motion, the moment over dynamic pressure and area is
    lift A sin 2a - drag B cos 2a + (drag0 + drag) B, A = -(x e_x + y e_y), B = y e_x - x e_y: a sine of 2a, shifted.
    Two angles have this sine. Each is computed as the cosine and sine of twice the angle, by products.
    """
    u_foil, v_foil = u - r * y, v + r * x
    speed = larger(sqrt(u_foil * u_foil + v_foil * v_foil), LITTLE)
    e_x, e_y = u_foil / speed, v_foil / speed
    of_lift, of_drag = 0.0 - foil.lift * (x * e_x + y * e_y), y * e_x - x * e_y
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
    equal = EQUAL * size * size
    smallest = select((one_x > 0.0) & (other_x > 0.0), abs(one_y) <= abs(other_y) + equal, one_x >= other_x - equal)
    return 0.5 * arctan2(0.0 + select(smallest, one_y, other_y), select(smallest, one_x, other_x))


@kernel
def _halved_angle(moment, u, v, r, foil, curve):
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
    return within(0.5 * arctan2(0.0 - v_w, 0.0 - u_w), steer.least, steer.largest)


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
    return within(arctan2(0.0 - v_w, 0.0 - u_w) - attack, foil.steer.least, foil.steer.largest)
