"""Electrical power that a propeller's motor draws, from how fast it turns, how that changes, and the inflow."""

from typing import NamedTuple

from usv_energy.physics.elementwise import kernel, larger, select

TURN = 6.283185307179586  # rad


class RotorLoad(NamedTuple):
    """
    What a motor with its propeller draws; every number is electrical, losses that go with the shaft's power included.

    `ahead`, `astern`: W s^3, power over the cube of the revolutions in still water, 2 pi rho D^5 K_Q(0) / efficiency;
    `inflow`: W s^3/m, by how much the water's speed along the axis relieves it, -2 pi rho D^4 K_Q'(0) / efficiency;
    `inertia`: kg m^2 of rotor, propeller and the water that turns with it, over the efficiency; `friction`: W s, losses
    in proportion to the revolutions; `standby`: W, drawn all the time.
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
    Return the electrical power of one thruster, W, never below its standing losses: what brakes gives nothing back.

    :param revolutions: n, 1/s, positive where it drives ahead along its axis; float or array.
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
    :param angle_cos: Cosine of the direction in which it pushes, counter-clockwise from ahead, (-); same shape.
    :param angle_sin: Sine of it, (-); same shape.
    :param x: Its place ahead of the point that u_r and v_r are of, m.
    :param y: The same to port, m.
    """
    return (u_r - y * r) * angle_cos + (v_r + x * r) * angle_sin
