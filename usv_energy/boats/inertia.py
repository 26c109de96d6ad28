"""The inertia of a boat: what a payload adds to it, and an estimate with added mass for a boat never identified."""

import math

from usv_energy.boats.vessel import Hull, Inertia

FRESH_WATER = 997.0     # Density at 25 deg C, kg/m^3: the value behind the thesis's table 5.2, which prints 1025.
SURGE_ADDED_MASS = 0.05  # kg: what the thesis takes for its boat of 1.06 m and 9.7 kg.


def estimated_inertia(mass: float, length: float, width: float, draught: float, thruster_distance: float,
                      water_density: float = FRESH_WATER) -> Inertia:
    """
    Return the inertia of a boat with added mass, estimated from its size.

    m11 = m + 0.05 kg; m22 = m + 0.5 rho pi D^2 L, half the cylinder of water whose radius is the draught; m33 =
    [m (L^2 + W^2) + 0.5 (0.1 m d^2 + rho pi D^2 L^3)] / 12. An estimate for small, slender hulls of little draught such
    as Lutra Prop's; `usv-energy identify` finds better numbers from logs.

    :param mass: m, of the boat with all that is fixed to it, kg; all arguments must be above 0.
    :param length: L, over all, m.
    :param width: W, over all, m.
    :param draught: D, submerged depth, m.
    :param thruster_distance: d, between two thrusters side by side, m; 0 for a single one.
    :param water_density: rho, kg/m^3; 1025 for salt water.
    :return: m11 and m22 in kg, m33 in kg m^2; no coupling.

    Source: Touzout (2021), (5.1) to (5.3), which give 9.750, 10.364 and 1.158 for Lutra Prop.
    """
    cylinder = water_density * math.pi * draught ** 2 * length
    yaw = mass * (length ** 2 + width ** 2) + 0.5 * (0.1 * mass * thruster_distance ** 2 + cylinder * length ** 2)
    return Inertia(mass + SURGE_ADDED_MASS, mass + 0.5 * cylinder, yaw / 12.0)


def with_payload(inertia: Inertia, hull: Hull) -> Inertia:
    """
    Return the inertia of a boat with its payload on board.

    The payload is a point mass at x, or two halves of it at x and plus and minus y: m11 and m22 get m more, m33 gets
    m (x^2 + y^2), and m23, which is m x_g - Y_rdot about the boat's point, gets m x. A payload wholly to one side would
    couple surge and yaw (-m y_g), which the model, of boats symmetric about their centre plane, does not have. That the
    boat lies deeper, with more drag and added mass, is left out: no file says how much.

    :param inertia: Of the boat without payload, as its file gives it; numbers or arrays.
    :param hull: With the payload, kg, and its place, m.

    Source: Fossen (2011), section 3.3: inertia of a rigid body about a point that is not its centre of mass.
    """
    mass, x, y = hull.payload, hull.payload_x, hull.payload_y
    return inertia._replace(m11=inertia.m11 + mass, m22=inertia.m22 + mass,
                            m33=inertia.m33 + mass * (x * x + y * y), m23=inertia.m23 + mass * x)


def without_payload(inertia: Inertia, hull: Hull) -> Inertia:
    """Return the inertia as the boat's file gives it from that with the payload: the inverse of `with_payload`."""
    return with_payload(inertia, hull._replace(payload=-1.0 * hull.payload))
