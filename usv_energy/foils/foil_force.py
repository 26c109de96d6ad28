"""
The force of a foil (rudder, keel, skeg or sail) on the boat, in water or in air, and the angles that steer and trim it.

In both fluids u and v are the velocity of the boat's origin *through* the fluid, m/s, in body axes (FLU); in air this
is minus the apparent wind. The angle of a foil is that of its leading edge, counter-clockwise from the bow, rad; it is
None for a fixed foil, which is aligned with the boat. A rudder at the stern turns the boat to starboard at a positive
angle. A sail at a positive angle has its boom to starboard, for wind from port.
"""

from usv_energy.physics.elementwise import (
    arctan2,
    cos,
    direction_of,
    each,
    interpolate,
    kernel,
    larger,
    select,
    sin,
    smaller,
    sqrt,
    total,
    within,
)
from usv_energy.physics.motion import velocity_in

LITTLE = 1e-12  # m/s, least speed that is divided by.


@kernel
def foil_force_of(angle, foil, at, thrusts):
    """
    Return a foil's force on the boat in its own fluid, with the slipstream: surge N, sway N, yaw moment N m.

    :param angle: Of the foil, rad; None if it is fixed.
    :param foil: The Foil.
    :param at: The Relative of the boat.
    :param thrusts: Of all thrusters along their axes, N.
    """
    u, v = flow_met(foil, at, thrusts)
    return foil_force(u, v, at.r, angle, foil)


@kernel
def forces_of_foils(angles, foils, at, thrusts):
    """Return the sum of `foil_force_of` over all foils, N, N, N m."""
    return total((0.0, 0.0, 0.0), each(foil_force_of, (at, thrusts), angles, foils))


@kernel
def flow_met(foil, at, thrusts):
    """Return the velocity of the boat through a foil's fluid, forward and to port, with the slipstream, m/s."""
    u, v = velocity_in(at, foil.in_air)
    return _in_wash(u, thrusts, foil.density, foil.wash), v


@kernel
def foil_force(u, v, r, angle, foil):
    """
    Return a foil's force on the boat: surge N, sway N, yaw moment N m (counter-clockwise).

    The rate at which the foil turns about its own axis is neglected.

    :param u: Velocity of the boat's origin through the foil's fluid, forward, m/s; float or array.
    :param v: The same to port; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param angle: Of the foil, rad; same shape. None if it is fixed.
    :param foil: The Foil.

    Source: M. Paravisi et al., Sensors 19(5) 1068 (2019), section 3.2, where the labels of C_L and C_D are swapped: C_L
        is the odd function. With lift sin 2a = 2 lift sin a cos a and drag (1 - cos 2a) = 2 drag sin^2 a, the force is
        computed from the velocity components along and across the chord, without the angle itself.
    """
    chord = _chord(angle)
    x, y = centre_of_effort(chord, foil)
    u, v = u - r * y, v + r * x
    if foil.curve is None:
        surge, sway = _closed_force(u, v, chord, foil)
    else:
        surge, sway = _tabled_force(u, v, chord, foil, foil.curve)
    return surge, sway, x * sway - y * surge


@kernel
def _chord(angle):
    """Return the direction of a foil's chord, cosine and sine of its angle; None if it is fixed and points ahead."""
    if angle is None:
        return None
    return direction_of(angle)


@kernel
def centre_of_effort(chord, foil):
    """Return the position of a foil's centre of effort, forward and to port, m; `chord` is None if it is fixed."""
    if foil.swings is None:
        return foil.x, foil.y
    if chord is None:
        return foil.x - foil.aft, foil.y
    return foil.x - foil.aft * chord[0], foil.y - foil.aft * chord[1]


@kernel
def _closed_force(u, v, chord, foil):
    speed = sqrt(u * u + v * v)
    half = 0.5 * foil.density * foil.area
    friction, across_it = half * foil.drag0 * speed, 2.0 * half * foil.drag * speed
    along, across = _along_chord(u, v, chord)
    lift = 2.0 * half * (foil.lift - foil.drag) * (along * across / larger(speed, LITTLE))
    surge, sway, plate = lift * v - friction * u, 0.0 - lift * u - friction * v, across_it * across
    if chord is None:
        return surge, sway - plate
    return surge + plate * chord[1], sway - plate * chord[0]


@kernel
def _along_chord(u, v, chord):
    """Return the components of a velocity along a foil's chord, towards its leading edge, and across it, to port."""
    if chord is None:
        return u, v
    return u * chord[0] + v * chord[1], v * chord[0] - u * chord[1]


@kernel
def _tabled_force(u, v, chord, foil, curve):
    along, across = _along_chord(u, v, chord)
    speed = sqrt(along * along + across * across)
    attack = arctan2(abs(across), along)
    lift, drag = interpolate(attack, curve.angle, curve.lift), interpolate(attack, curve.angle, curve.drag)
    side = select(across < 0.0, -1.0, 1.0)
    pressure = 0.5 * foil.density * foil.area * speed
    forward = pressure * (lift * abs(across) - drag * along)
    aside = -pressure * (lift * side * along + drag * across)
    if chord is None:
        return forward, aside
    return forward * chord[0] - aside * chord[1], forward * chord[1] + aside * chord[0]


@kernel
def _in_wash(u, thrusts, density, wash):
    """
    Return the inflow speed of a foil, m/s, with the slipstream of its propeller.

    Far behind a propeller of disc area A and thrust T > 0 the water flows astern at sqrt(u^2 + 2 T / (rho A)). The
    result is the root mean square of the speeds inside and outside of the slipstream, weighted by area.

    :param u: Velocity of the boat's origin through the water, forward, m/s; float or array.
    :param thrusts: Of all thrusters along their axes, N; same shape.
    :param density: Of the water, kg/m^3.
    :param wash: The Wash; None for a foil outside of slipstreams.

    Source: actuator disc theory; Yasukawa, Yoshimura, J. Mar. Sci. Technol. 20 (2015), (24), where 8 K_T / (pi J^2) is
        2 T / (rho A u^2). The same gain of speed is assumed for a boat that goes astern.
    """
    if wash is None:
        return u
    thrust = total((0.0,), each(_share_of_thrust, (), thrusts, wash.screws))[0]
    ahead = abs(u)
    behind = sqrt(u * u + larger(thrust, 0.0) * (8.0 / (3.141592653589793 * density * wash.diameter ** 2)))
    met = ahead + wash.gain * (behind - ahead)
    return u + sqrt(wash.share * met * met + (1.0 - wash.share) * u * u) - ahead


@kernel
def _share_of_thrust(thrust, share):
    return (share * thrust,)


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
    if foil.curve is None:
        angle = _closed_angle(moment, u, v, at.r, foil, foil.swings)
    else:
        angle = _bisected_angle(moment, u, v, at.r, foil, foil.curve)
    return within(angle, foil.steer.least, foil.steer.largest)


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
