"""Electrical power of a propeller's motor from its rate of turning, the change of that, and the inflow."""

from typing import NamedTuple

from usv_energy.physics.elementwise import kernel, larger, select

TURN = 6.283185307179586  # rad


class RotorLoad(NamedTuple):
    """
    The coefficients of a motor with its propeller, for its electrical power, which includes proportional losses.

    `ahead`, `astern`: power over the cube of the revolutions in still water, 2 pi rho D^5 K_Q(0) / efficiency, W s^3.
    `inflow`: reduction by the water's speed along the axis, -2 pi rho D^4 K_Q'(0) / efficiency, W s^3/m. `inertia`: of
    rotor, propeller and the water that turns with it, over the efficiency, kg m^2. `friction`: losses proportional to
    the revolutions, W s. `standby`: constant power, W.
    """

    ahead: float
    astern: float
    inflow: float = 0.0
    inertia: float = 0.0
    friction: float = 0.0
    standby: float = 0.0


@kernel
def rotor_power(revolutions, change, inflow, load):
    """
    Return the electrical power of one thruster, W, at least its losses, because braking is not recovered.

    :param revolutions: n, 1/s, positive if it drives ahead along its axis; float or array.
    :param change: dn/dt, 1/s^2; same shape.
    :param inflow: Speed of the thruster through the water along its axis, m/s, positive ahead; same shape.
    :param load: The RotorLoad.

    Source: torque rho D^5 K_Q(J) n |n| with K_Q linear in J = v / (n D) (Carlton, Marine Propellers and Propulsion
        (2019), chapter 6), times 2 pi n; the inertia's power is J omega d(omega)/dt.
    """
    turns = abs(revolutions)
    open_water = select(revolutions > 0.0, load.ahead, load.astern) * turns * turns * turns
    relieved = load.inflow * revolutions * turns * inflow
    accelerating = load.inertia * (TURN * TURN) * revolutions * change
    return larger(open_water - relieved + accelerating, 0.0 * turns) + load.friction * turns + load.standby


@kernel
def axial_inflow(u_r, v_r, r, angle_cos, angle_sin, x, y):
    """
    Return the speed of a thruster through the water along its axis, m/s.

    :param u_r: Surge velocity through the water, m/s; float or array.
    :param v_r: Sway velocity through the water, to port, m/s; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param angle_cos: Cosine of the direction of thrust, counter-clockwise from ahead, (-); same shape.
    :param angle_sin: Sine of it, (-); same shape.
    :param x: Position ahead of the point of u_r and v_r, m.
    :param y: Position to port of it, m.
    """
    return (u_r - y * r) * angle_cos + (v_r + x * r) * angle_sin
