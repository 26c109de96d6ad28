"""
The force of a foil (rudder, keel, skeg, sail) on the boat, in water or in air, and the angles that steer it.

One convention for both fluids: u, v are the velocity of the boat's point *through* the fluid, m/s, in body axes (FLU);
for air that is minus the apparent wind. An angle is that of the leading edge from the bow, counter-clockwise, rad, None
of a fixed foil, which stands along the boat. So a rudder at the stern turns the boat to starboard at a positive angle,
and a sail at a positive angle has its boom to starboard: the wind comes from port.
"""

from .elementwise import (
    arctan2,
    by_part,
    cos,
    each,
    interpolate,
    kernel,
    larger,
    select,
    sin,
    smaller,
    sqrt,
    total,
)
from .thruster_drive import through_air, through_water

LITTLE = 1e-12  # m/s: a speed below which a flow has no direction.
EQUAL = 1e-14   # Cosines and sines of angles that are no further apart are those of equal angles.
HALVINGS = 32   # Of a table's angles of attack up to stall: to 1e-10 rad.


@kernel
def foil_force_of(context, angle, foil):
    """
    Return a foil's force on the boat, as `foil_force`, in the fluid that it stands in, slipstream included.

    :param context: The Relative of the boat (velocity through the water u_r, v_r, yaw rate r, apparent wind u_w, v_w,
        where it blows to), and the thrusts of all thrusters, N.
    :param angle: Of the foil, rad; None of a fixed one.
    :param foil: The Foil.
    """
    at, thrusts = context
    u, v = _met(at, thrusts, foil)
    return foil_force(u, v, at.r, angle, foil)


@kernel
def _met(at, thrusts, foil):
    """Return the velocity of the boat's point through a foil's fluid, forward and to port, slipstream included, m/s."""
    u, v = by_part(foil.in_air, through_water, through_air, at)
    return by_part(foil.wash, _without_wash, _in_wash, u, thrusts, foil.density), v


@kernel
def _without_wash(u, thrusts, density):
    return u


@kernel
def foil_force(u, v, r, angle, foil):
    """
    Return a foil's force on the boat: surge N, sway N, yaw moment N m (counter-clockwise).

    How fast the foil turns about its own axis is left out.

    :param u: Velocity of the boat's point through the foil's fluid, forward, m/s; float or array.
    :param v: The same to port; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param angle: Of the foil, rad; same shape, or None of a fixed one.
    :param foil: The Foil.

    Source: M. Paravisi et al., Sensors 19(5) 1068 (2019), section 3.2, whose labels of C_L and C_D are swapped: lift is
        the odd one, lift sin 2a = 2 lift sin a cos a, drag (1 - cos 2a) = 2 drag sin^2 a. With the flow's components
        along and across the chord in place of sin a and cos a no angle is needed.
    """
    c, s = _direction(u, angle)
    place_x, place_y = foil.x - foil.aft * c, foil.y - foil.aft * s
    u_foil, v_foil = u - r * place_y, v + r * place_x
    along, across = by_part(foil.curve, _closed_force, _tabled_force, u_foil * c + v_foil * s, v_foil * c - u_foil * s,
                            foil)
    surge, sway = along * c - across * s, along * s + across * c
    return surge, sway, place_x * sway - place_y * surge


@kernel
def _direction(u, angle):
    """Return cosine and sine of a foil's angle, None of a fixed one."""
    return by_part(angle, _along_the_boat, _turned_to, u)


@kernel
def _along_the_boat(u):
    return 1.0, 0.0


@kernel
def _turned_to(angle, u):
    return cos(angle), sin(angle)


@kernel
def _closed_force(along, across, foil):
    """
    Return the force along the chord (to the leading edge) and across it (to port of that), N.

    :param along: Velocity through the fluid, to the leading edge, m/s; float or array.
    :param across: The same to port of it; same shape.
    :param foil: The Foil, with the closed form of its coefficients.
    """
    speed = sqrt(along * along + across * across)
    pressure = 0.5 * foil.density * foil.area
    share = 2.0 / larger(speed, LITTLE)
    friction = foil.drag0 * speed
    return (pressure * along * (share * (foil.lift - foil.drag) * across * across - friction),
            -pressure * across * (share * (foil.lift * along * along + foil.drag * across * across) + friction))


@kernel
def _tabled_force(curve, along, across, foil):
    """Return what `_closed_force` does, of a foil with a FoilCurve."""
    speed = sqrt(along * along + across * across)
    attack = arctan2(abs(across), along)
    lift, drag = interpolate(attack, curve.angle, curve.lift), interpolate(attack, curve.angle, curve.drag)
    side = select(across < 0.0, -1.0, 1.0)
    pressure = 0.5 * foil.density * foil.area * speed
    return pressure * (lift * abs(across) - drag * along), -pressure * (lift * side * along + drag * across)


@kernel
def _in_wash(wash, u, thrusts, density):
    """
    Return the speed that a foil meets, m/s, with the slipstream of its screw.

    Behind a screw of disc area A that drives ahead with T the water has the speed sqrt(u^2 + 2 T / (rho A)) astern of
    the boat; the foil's two parts, in the slipstream and beside it, are taken as one in the mean of their squares.

    :param wash: The Wash.
    :param u: Velocity of the boat's point through the water, forward, m/s; float or array.
    :param thrusts: Of all thrusters, N; same shape.
    :param density: Of the water, kg/m^3.

    Source: actuator disc; Yasukawa, Yoshimura, J. Mar. Sci. Technol. 20 (2015), (24), where 8 K_T / (pi J^2) is
        2 T / (rho A u^2); for a boat that goes astern the same gain.
    """
    thrust = total((0.0,), each(_share_of_thrust, thrusts, wash.screws))[0]
    ahead = abs(u)
    behind = sqrt(u * u + larger(thrust, 0.0) * (8.0 / (3.141592653589793 * density * wash.diameter ** 2)))
    met = ahead + wash.gain * (behind - ahead)
    return u + sqrt(wash.share * met * met + (1.0 - wash.share) * u * u) - ahead


@kernel
def _share_of_thrust(thrust, share):
    return (share * thrust,)


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
    u, v = _met(at, thrusts, foil)
    return _within(by_part(foil.curve, _angle_of_closed, _halved_angle, moment, u, v, at.r, foil), foil.steer)


@kernel
def _within(angle, steer):
    return smaller(larger(angle, steer.least), steer.largest)


@kernel
def _angle_of_closed(moment, u, v, r, foil):
    angle = _closed_angle(moment, u, v, r, foil.x - foil.aft, foil.y, foil)
    return by_part(foil.swings, _angle_in_place, _angle_of_swinging, angle, moment, u, v, r, foil)


@kernel
def _angle_in_place(angle, moment, u, v, r, foil):
    return angle


@kernel
def _angle_of_swinging(swings, angle, moment, u, v, r, foil):
    for _ in range(2):  # The place of the centre of effort turns with the rudder.
        angle = _closed_angle(moment, u, v, r, foil.x - foil.aft * cos(angle), foil.y - foil.aft * sin(angle), foil)
    return angle


@kernel
def _closed_angle(moment, u, v, r, place_x, place_y, foil):
    """
    Return the smallest angle of a foil at a place that gives a moment, rad.

    With e the direction of its motion, the moment over dynamic pressure and area is
    lift A sin 2a - drag B cos 2a + (drag0 + drag) B, A = -(x e_x + y e_y), B = y e_x - x e_y: a sine of 2a, shifted.
    Two angles have this sine. Each is computed as the cosine and sine of twice the angle, by products: one arc tangent.
    """
    u_foil, v_foil = u - r * place_y, v + r * place_x
    speed = larger(sqrt(u_foil * u_foil + v_foil * v_foil), LITTLE)
    e_x, e_y = u_foil / speed, v_foil / speed
    of_lift, of_drag = 0.0 - foil.lift * (place_x * e_x + place_y * e_y), place_y * e_x - place_x * e_y
    wanted = moment / (0.5 * foil.density * foil.area * speed * speed) - (foil.drag0 + foil.drag) * of_drag
    of_drag = foil.drag * of_drag
    size = sqrt(of_lift * of_lift + of_drag * of_drag)
    none = size < 1e-30  # No flow, or no arm: nothing is shifted, and any moment takes the sine to its end.
    size = select(none, 1e-30 + 0.0 * size, size)
    sine = wanted / size
    sine = smaller(larger(sine, -1.0), 1.0)
    cosine = sqrt(1.0 - sine * sine)
    # Cosine and sine of twice the course of the flow, less the shift.
    twice_x, twice_y = e_x * e_x - e_y * e_y, 2.0 * e_x * e_y
    course_x = select(none, 1.0 + 0.0 * size, (twice_x * of_lift + twice_y * of_drag) / size)
    course_y = select(none, 0.0 * size, (twice_y * of_lift - twice_x * of_drag) / size)
    one_x, one_y = course_x * cosine + course_y * sine, course_y * cosine - course_x * sine
    other_x, other_y = course_y * sine - course_x * cosine, 0.0 - course_y * cosine - course_x * sine
    # The smaller angle: near 0 by its sine, which tells small angles apart, elsewhere by its cosine; of two that differ
    # by rounding alone the one, as where the flow comes straight from the side.
    smallest = select((one_x > 0.0) & (other_x > 0.0), abs(one_y) <= abs(other_y) + EQUAL, one_x >= other_x - EQUAL)
    return 0.5 * arctan2(0.0 + select(smallest, one_y, other_y), select(smallest, one_x, other_x))


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
