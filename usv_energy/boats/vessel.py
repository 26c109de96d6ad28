"""
What the physics needs to know of a boat: frozen types of plain numbers.

They are named tuples of floats all the way down, so that the same value goes to Python, numpy and compiled code.
"""

from typing import NamedTuple

import numpy as np


class Inertia(NamedTuple):
    """
    Mass and inertia of hull and added mass: m11, m22 in kg, m33 in kg m^2, all above zero.

    m23 couples sway and yaw, kg m: m x_g - Y_rdot, the same in FLU and FRD; its square is less than m22 m33.
    """

    m11: float
    m22: float
    m33: float
    m23: float = 0.0


class Damping(NamedTuple):
    """
    Drag: linear d11, d22 (N s/m), d33 (N m s/rad); quadratic d11_q, d22_q (N s^2/m^2), d33_q (N m s^2/rad^2).

    d23 and d32 couple sway and yaw: the sway force of a yaw rate (N s/rad), the yaw moment of a sway velocity (N s).
    d22_u (N s^2/m^2), d23_u (N s^2/(m rad)), d32_u (N s^2/m), d33_u (N s^2/rad) are the same per m/s of surge: lift.
    """

    d11: float
    d22: float
    d33: float
    d11_q: float
    d22_q: float
    d33_q: float
    d23: float = 0.0
    d32: float = 0.0
    d22_u: float = 0.0
    d23_u: float = 0.0
    d32_u: float = 0.0
    d33_u: float = 0.0


class Windage(NamedTuple):
    """Hull above water: areas in m^2, coefficients (-), density of the air in kg/m^3."""

    frontal_area: float
    lateral_area: float
    c_x: float
    c_y: float
    air_density: float


class Thruster(NamedTuple):
    """
    One fixed thruster: place x forward, y to port in m (FLU, from the centre of mass); limits along its axis in N.

    `efficiency_of_tilt` is the cosine of the axis's tilt out of the horizontal: the share of the thrust that drives.
    `lag` is the time constant of the thrust's answer to a command, s; 0 answers at once.
    `surge_share` (-) and `yaw_share` (1/m): the thrust that it takes for a surge force and a yaw moment, all thrusters
    together taking the least (the pseudo-inverse of their arrangement).
    """

    x: float
    y: float
    min_thrust: float
    max_thrust: float
    efficiency_of_tilt: float
    lag: float
    surge_share: float
    yaw_share: float


class Losses(NamedTuple):
    """
    From mechanical to electrical power: an overall efficiency (-), or where `mapped` is 1.0, a map.

    The map gives the electrical power, W, of one thruster at a thrust along its axis, N (rising knots).
    """

    efficiency: float
    mapped: float
    map_thrust: np.ndarray
    map_power: np.ndarray


class Vessel(NamedTuple):
    """Everything that the physics needs to know of a boat: numbers only."""

    inertia: Inertia
    damping: Damping
    windage: Windage
    thrusters: tuple[Thruster, ...]
    losses: Losses
    static_load: float
