"""
The force of a foil (rudder, keel, skeg, sail) on the boat, in water or in air; the angles that steer it: foil_angles.

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
    sqrt,
    total,
)
from .thruster_drive import through_air, through_water

LITTLE = 1e-12  # m/s: a speed below which a flow has no direction.


@kernel
def foil_force_of(context, angle, foil):
    """
    Return a foil's force on the boat, as `foil_force`, in the fluid that it stands in, slipstream included.

    :param context: The Relative of the boat (velocity through the water u_r, v_r, yaw rate r, apparent wind u_w, v_w,
        where it blows to), and the thrusts of all thrusters, N.
    :param angle: Of the foil, rad; None of a fixed one.
    :param foil: The Foil.
    """
    return foil_force_towards(context, by_part(angle, _along_the_boat, _turned_to), foil)


@kernel
def foil_force_towards(context, direction, foil):
    """Return what `foil_force_of` does, of a foil whose angle has the cosine and sine `direction`; None as there."""
    at, thrusts = context
    u, v = flow_met(at, thrusts, foil)
    return _force_towards(u, v, at.r, direction, foil)


@kernel
def flow_met(at, thrusts, foil):
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
    return _force_towards(u, v, r, by_part(angle, _along_the_boat, _turned_to), foil)


@kernel
def _along_the_boat():
    return None


@kernel
def _turned_to(angle):
    return cos(angle), sin(angle)


@kernel
def _force_towards(u, v, r, direction, foil):
    place_x, place_y = by_part(foil.swings, _on_the_axis, _behind_the_axis, direction, foil)
    u_foil, v_foil = u - r * place_y, v + r * place_x
    surge, sway = by_part(foil.curve, _closed_force, _tabled_force, u_foil, v_foil, direction, foil)
    return surge, sway, place_x * sway - place_y * surge


@kernel
def _on_the_axis(direction, foil):
    return foil.x, foil.y


@kernel
def _behind_the_axis(swings, direction, foil):
    if direction is None:
        return foil.x - foil.aft, foil.y
    return foil.x - foil.aft * direction[0], foil.y - foil.aft * direction[1]


@kernel
def _closed_force(u, v, direction, foil):
    """
    Return the surge and sway, N, of a foil with the closed form of its coefficients: in the boat's axes throughout.

    :param u: Velocity of its centre of effort through the fluid, forward, m/s; float or array.
    :param v: The same to port; same shape.
    :param direction: Cosine and sine of its angle; None of a fixed one.
    :param foil: The Foil.
    """
    speed = sqrt(u * u + v * v)
    half = 0.5 * foil.density * foil.area
    friction, across_it = half * foil.drag0 * speed, 2.0 * half * foil.drag * speed
    along, across = _chord_flow(u, v, direction)
    lift = 2.0 * half * (foil.lift - foil.drag) * (along * across / larger(speed, LITTLE))
    surge, sway, plate = lift * v - friction * u, 0.0 - lift * u - friction * v, across_it * across
    if direction is None:
        return surge, sway - plate
    return surge + plate * direction[1], sway - plate * direction[0]


@kernel
def _chord_flow(u, v, direction):
    """Return a velocity's components along a foil's chord, to its leading edge, and across it, to port of that."""
    if direction is None:
        return u, v
    return u * direction[0] + v * direction[1], v * direction[0] - u * direction[1]


@kernel
def _tabled_force(curve, u, v, direction, foil):
    """Return what `_closed_force` does, of a foil with a FoilCurve."""
    along, across = _chord_flow(u, v, direction)
    speed = sqrt(along * along + across * across)
    attack = arctan2(abs(across), along)
    lift, drag = interpolate(attack, curve.angle, curve.lift), interpolate(attack, curve.angle, curve.drag)
    side = select(across < 0.0, -1.0, 1.0)
    pressure = 0.5 * foil.density * foil.area * speed
    forward = pressure * (lift * abs(across) - drag * along)
    aside = -pressure * (lift * side * along + drag * across)
    if direction is None:
        return forward, aside
    return forward * direction[0] - aside * direction[1], forward * direction[1] + aside * direction[0]


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
