"""An estimate of a hull's inertia with its added mass, from its mass and size: for a boat that was never identified."""

import math

from .vessel import Inertia

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
