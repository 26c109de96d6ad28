"""The angle of a rudder for a wanted yaw moment, and the trim angle of a sail; angles as in `foil_force.py`."""

from usv_energy.foils.foil_force import LITTLE, centre_of_effort, flow_met, foil_force
from usv_energy.physics.elementwise import arctan2, cos, kernel, larger, select, sin, smaller, sqrt, within

EQUAL = 1e-14  # (-), difference of cosines or sines below which two angles count as equal.
BISECTIONS = 32  # Bisections of the range of angles up to stall, to 1e-10 rad.
ROUNDS = 2     # Fixed-point iterations for a centre of effort that moves with the rudder.


@kernel
def rudder_angle_of_moment(moment, foil, at, thrusts):
    """
    Return the smallest angle at which a rudder gives a yaw moment, rad, clipped to its limits.

    If no angle gives the moment, it is the angle of the largest moment of that sign.

    :param moment: Wanted of this rudder, counter-clockwise, N m; float or array.
    :param foil: The Foil, with `steer`.
    :param at: The Relative of the boat; same shape.
    :param thrusts: Of all thrusters, N; same shape.
    """
    u, v = flow_met(foil, at, thrusts)
    return within(_free_angle(moment, u, v, at.r, foil, foil.curve), foil.steer.least, foil.steer.largest)


@kernel
def _free_angle(moment, u, v, r, foil, curve):
    """Return the angle of a rudder for a moment, rad, without limits; by bisection if it has a FoilCurve."""
    if curve is None:
        return _closed_angle(moment, u, v, r, foil, foil.swings)
    return _bisected_angle(moment, u, v, r, foil, curve)


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
    Return the smallest angle at which a foil with its centre of effort at (x, y) gives a moment, rad.

    With e the unit vector of its velocity, the moment divided by dynamic pressure and area is
    lift A sin 2a - drag B cos 2a + (drag0 + drag) B, with A = -(x e_x + y e_y) and B = y e_x - x e_y. This is a sine of
    2a with a phase shift, so there are two solutions. Each is computed as the cosine and sine of twice the angle.
    """
    u_foil, v_foil = u - r * y, v + r * x
    speed = larger(sqrt(u_foil * u_foil + v_foil * v_foil), LITTLE)
    e_x, e_y = u_foil / speed, v_foil / speed
    of_lift, of_drag = 0.0 - foil.lift * (x * e_x + y * e_y), y * e_x - x * e_y
    wanted = moment / (0.5 * foil.density * foil.area) / speed / speed - (foil.drag0 + foil.drag) * of_drag
    of_drag = foil.drag * of_drag
    size = sqrt(of_lift * of_lift + of_drag * of_drag)
    none = size < 1e-30  # No flow or no lever arm: the phase shift is set to zero.
    size = select(none, 1e-30 + 0.0 * size, size)
    rise = smaller(larger(wanted, -size), size)
    run = sqrt((size - rise) * (size + rise))
    # Cosine and sine of twice the direction of the velocity minus the phase shift, times `size`.
    twice_x, twice_y = e_x * e_x - e_y * e_y, 2.0 * e_x * e_y
    course_x = select(none, size, twice_x * of_lift + twice_y * of_drag)
    course_y = select(none, 0.0 * size, twice_y * of_lift - twice_x * of_drag)
    one_x, one_y = course_x * run + course_y * rise, course_y * run - course_x * rise
    other_x, other_y = course_y * rise - course_x * run, 0.0 - course_y * run - course_x * rise
    # Choose the smaller angle: near 0 by the sine, which is more accurate there, elsewhere by the cosine. If both are
    # equal except for rounding, as in a flow from abeam, choose the first.
    equal = EQUAL * size * size
    smallest = select((one_x > 0.0) & (other_x > 0.0), abs(one_y) <= abs(other_y) + equal, one_x >= other_x - equal)
    return 0.5 * arctan2(0.0 + select(smallest, one_y, other_y), select(smallest, one_x, other_x))


@kernel
def _bisected_angle(moment, u, v, r, foil, curve):
    """
    Return the angle of a foil with a FoilCurve, rad, by bisection below stall, where its moment is monotonic.

    It is 0 if the moment is zero at all angles (no flow or no lever arm) and the wanted moment is zero.
    """
    u_foil, v_foil = u - r * foil.y, v + r * (foil.x - foil.aft)
    course = arctan2(v_foil, u_foil)
    low, high = course - curve.stall, course + curve.stall
    at_low, at_high = foil_force(u, v, r, low, foil)[2], foil_force(u, v, r, high, foil)[2]
    rising, idle = at_high > at_low, (at_high == 0.0) & (at_low == 0.0) & (moment == 0.0)
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        more = (foil_force(u, v, r, middle, foil)[2] < moment) == rising
        low, high = select(more, middle, low), select(more, high, middle)
    return select(idle, 0.0, 0.5 * (low + high))


@kernel
def sail_angle(u_w, v_w, steer):
    """
    Return half the angle of the apparent wind as the angle of a sail, rad, clipped to its limits.

    :param u_w: Apparent wind, the direction it blows to, forward, m/s; float or array.
    :param v_w: The same to port; same shape.
    :param steer: The sail's Steer.

    Source: sailboat_control_heading.py of USVsim, commit 61e8f4a5, which uses the wind over ground.
    """
    return within(0.5 * arctan2(0.0 - v_w, 0.0 - u_w), steer.least, steer.largest)


@kernel
def driving_sail_angle(u_w, v_w, foil):
    """
    Return the angle of a sail with closed-form coefficients that gives the largest drive ahead, rad, within its limits.

    With the apparent wind from an angle b off the bow, the drive C_L sin b - C_D cos b is largest at the angle of
    attack a with tan 2a = (lift / drag) tan b. If lift = drag, a is half of b.

    :param u_w: Apparent wind, the direction it blows to, forward, m/s; float or array.
    :param v_w: The same to port; same shape.
    :param foil: The Foil, with `steer`.
    """
    attack = 0.5 * arctan2(0.0 - foil.lift * v_w, 0.0 - foil.drag * u_w)
    return within(arctan2(0.0 - v_w, 0.0 - u_w) - attack, foil.steer.least, foil.steer.largest)
