"""The inertia of a boat: the effect of a payload, and an estimate with added mass from the boat's dimensions."""

import math

from usv_energy.boats.vessel import Hull, Inertia

FRESH_WATER = 997.0     # kg/m^3, at 25 deg C; table 5.2 of the thesis was computed with it, although it prints 1025.
SURGE_ADDED_MASS = 0.05  # kg, assumed in the thesis for its boat of 1.06 m and 9.7 kg.


def estimated_inertia(mass: float, length: float, width: float, draught: float, thruster_distance: float,
                      water_density: float = FRESH_WATER) -> Inertia:
    """
    Return the inertia of a boat with added mass, estimated from its size.

    m11 = m + 0.05 kg; m22 = m + 0.5 rho pi D^2 L, where the added mass is half a water cylinder of radius D; m33 =
    [m (L^2 + W^2) + 0.5 (0.1 m d^2 + rho pi D^2 L^3)] / 12. It suits small, slender hulls of small draught such as
    Lutra Prop; `usv-energy identify` estimates better values from logs.

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

    The payload is a point mass at x, or two halves at (x, y) and (x, -y). It adds m to m11 and m22, m (x^2 + y^2) to
    m33, and m x to m23, which is m x_g - Y_rdot about the boat's origin. A payload on one side only would couple surge
    and yaw (-m y_g); the model assumes symmetry about the centre plane and has no such term. The larger draught, with
    more drag and added mass, is neglected, because no boat file gives it.

    :param inertia: Of the boat without payload, as in its file; numbers or arrays.
    :param hull: The Hull with the payload, kg, and its position, m.

    Source: Fossen (2011), section 3.3: inertia of a rigid body about a point that is not its centre of mass.
    """
    mass, x, y = hull.payload, hull.payload_x, hull.payload_y
    return inertia._replace(m11=inertia.m11 + mass, m22=inertia.m22 + mass,
                            m33=inertia.m33 + mass * (x * x + y * y), m23=inertia.m23 + mass * x)


def without_payload(inertia: Inertia, hull: Hull) -> Inertia:
    """Return the inertia without payload from that with it: the inverse of `with_payload`."""
    return with_payload(inertia, hull._replace(payload=-1.0 * hull.payload))
