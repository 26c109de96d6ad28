"""
The force of a foil (rudder, keel, skeg, sail) on the boat, in water or in air; the angles that steer it: foil_angles.

One convention for both fluids: u, v are the velocity of the boat's point *through* the fluid, m/s, in body axes (FLU);
for air that is minus the apparent wind. An angle is that of the leading edge from the bow, counter-clockwise, rad, None
of a fixed foil, which stands along the boat. So a rudder at the stern turns the boat to starboard at a positive angle,
and a sail at a positive angle has its boom to starboard: the wind comes from port.
"""

from usv_energy.physics.elementwise import arctan2, direction_of, each, interpolate, kernel, larger, select, sqrt, total
from usv_energy.physics.motion import velocity_in

LITTLE = 1e-12  # m/s: a flow so slow has no direction.


@kernel
def foil_force_of(angle, foil, at, thrusts):
    """
    Return a foil's force on the boat, as `foil_force`, in the fluid that it stands in, slipstream included.

    :param angle: Of the foil, rad; None of a fixed one.
    :param foil: The Foil.
    :param at: The Relative of the boat.
    :param thrusts: Of all thrusters, N.
    """
    u, v = flow_met(foil, at, thrusts)
    return foil_force(u, v, at.r, angle, foil)


@kernel
def forces_of_foils(angles, foils, at, thrusts):
    """Return the force of all foils on the boat, N, N, N m, at their angles; as `foil_force_of`."""
    return total((0.0, 0.0, 0.0), each(foil_force_of, (at, thrusts), angles, foils))


@kernel
def flow_met(foil, at, thrusts):
    """Return the velocity of the boat's point through a foil's fluid, forward and to port, slipstream included, m/s."""
    u, v = velocity_in(at, foil.in_air)
    return _in_wash(u, thrusts, foil.density, foil.wash), v


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
    chord = _chord(angle)
    x, y = centre_of_effort(chord, foil)
    surge, sway = _force_in_flow(u - r * y, v + r * x, chord, foil, foil.curve)
    return surge, sway, x * sway - y * surge


@kernel
def _chord(angle):
    """Return the direction of a foil's chord, cosine and sine of its angle; None of a fixed one, which points ahead."""
    if angle is None:
        return None
    return direction_of(angle)


@kernel
def centre_of_effort(chord, foil):
    """Return the place of a foil's centre of effort, forward and to port, m; `chord`: its direction, None if fixed."""
    return _centre_of_effort(chord, foil, foil.swings)


@kernel
def _centre_of_effort(chord, foil, swings):
    if swings is None:
        return foil.x, foil.y
    if chord is None:
        return foil.x - foil.aft, foil.y
    return foil.x - foil.aft * chord[0], foil.y - foil.aft * chord[1]


@kernel
def _force_in_flow(u, v, chord, foil, curve):
    """
    Return the surge and sway of a foil, N, by the closed form of its coefficients or by its FoilCurve.

    :param u: Velocity of its centre of effort through the fluid, forward, m/s; float or array.
    :param v: The same to port; same shape.
    """
    if curve is None:
        return _closed_force(u, v, chord, foil)
    return _tabled_force(u, v, chord, foil, curve)


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
    """Return a velocity's components along a foil's chord, to its leading edge, and across it, to port of that."""
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
    Return the speed that a foil meets, m/s, with the slipstream of its screw.

    Behind a screw of disc area A that drives ahead with T the water has the speed sqrt(u^2 + 2 T / (rho A)) astern of
    the boat; the foil's two parts, in the slipstream and beside it, are taken as one in the mean of their squares.

    :param u: Velocity of the boat's point through the water, forward, m/s; float or array.
    :param thrusts: Of all thrusters, N; same shape.
    :param density: Of the water, kg/m^3.
    :param wash: The Wash; None of a foil away from screws.

    Source: actuator disc; Yasukawa, Yoshimura, J. Mar. Sci. Technol. 20 (2015), (24), where 8 K_T / (pi J^2) is
        2 T / (rho A u^2); for a boat that goes astern the same gain.
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
