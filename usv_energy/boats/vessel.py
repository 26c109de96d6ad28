"""
The coefficients of a boat that the physics uses, as immutable named tuples of numbers.

All nested fields are plain floats, so the same value can be passed to Python, numpy and compiled code. The annotation
of each field gives its key in the boat file, its unit and its limits; `numbers.py` collects them into one table. To add
a coefficient, add a field here and use it in the physics.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from usv_energy.boats.load import Load
from usv_energy.files.checked import number
from usv_energy.foils.foil import Foil
from usv_energy.thrusters.thruster import Thruster


class Inertia(NamedTuple):
    """
    Rigid-body and added mass in surge, sway and yaw, payload included.

    The mass matrix is positive definite, so m23^2 < m22 m33.
    """

    m11: Annotated[float, number('inertia.m11', 'kg', 'mass and added mass in surge', above=0, fit='linear')]
    m22: Annotated[float, number('inertia.m22', 'kg', 'mass and added mass in sway', above=0, fit='linear')]
    m33: Annotated[float, number('inertia.m33', 'kg m^2', 'yaw inertia and its added inertia', above=0, fit='linear')]
    m23: Annotated[float, number(
        'inertia.m23', 'kg m', 'couples sway and yaw: m x_g - Y_rdot, the same in FLU and FRD')] = 0.0


class WaveMaking(NamedTuple):
    """
    The wave-making resistance of the hull in calm water: part of the surge drag.

    It is scale * coefficient * speed^2, linear between the knots in `coefficient`, which is constant beyond them.
    `speed`: m/s, rising; `coefficient`: N s^2/m^2.
    """

    scale: Annotated[float, number(
        'damping.wave.scale', '-', 'wave-making resistance over that of its table', at_least=0, default=1.0)]
    speed: Any
    coefficient: Any


class Damping(NamedTuple):
    """
    Hydrodynamic damping: linear (d11), quadratic (d11_q) and proportional to the surge speed |u_r| (d22_u).

    `wave`: the WaveMaking; None if the file has none.
    """

    d11: Annotated[float, number('damping.linear.d11', 'N s/m', 'linear drag in surge', at_least=0, fit='linear')]
    d22: Annotated[float, number('damping.linear.d22', 'N s/m', 'linear drag in sway', at_least=0, fit='linear')]
    d33: Annotated[float, number('damping.linear.d33', 'N m s/rad', 'linear drag of yaw', at_least=0, fit='linear')]
    d11_q: Annotated[float, number(
        'damping.quadratic.d11', 'N s^2/m^2', 'quadratic drag in surge', at_least=0, fit='quadratic')]
    d22_q: Annotated[float, number(
        'damping.quadratic.d22', 'N s^2/m^2', 'quadratic drag in sway', at_least=0, fit='quadratic')]
    d33_q: Annotated[float, number(
        'damping.quadratic.d33', 'N m s^2/rad^2', 'quadratic drag of yaw', at_least=0, fit='quadratic')]
    d23: Annotated[float, number('damping.linear.d23', 'N s/rad', 'sway force of a yaw rate')] = 0.0
    d32: Annotated[float, number('damping.linear.d32', 'N s', 'yaw moment of a sway velocity')] = 0.0
    d22_u: Annotated[float, number(
        'damping.speed.d22', 'N s^2/m^2', 'drag in sway for each m/s of surge velocity, ahead or astern (lift)',
        at_least=0, fit='lift')] = 0.0
    d23_u: Annotated[float, number(
        'damping.speed.d23', 'N s^2/(m rad)', 'sway force of a yaw rate for each m/s of surge velocity')] = 0.0
    d32_u: Annotated[float, number(
        'damping.speed.d32', 'N s^2/m', 'yaw moment of a sway velocity for each m/s of surge velocity')] = 0.0
    d33_u: Annotated[float, number(
        'damping.speed.d33', 'N s^2/rad', 'drag of yaw for each m/s of surge velocity, ahead or astern',
        at_least=0, fit='lift')] = 0.0
    wave: WaveMaking | None = None


class Windage(NamedTuple):
    """Projected areas and wind force coefficients of the hull above the water."""

    frontal_area: Annotated[float, number('windage.frontal_area', 'm^2', 'area seen from ahead', at_least=0)]
    lateral_area: Annotated[float, number('windage.lateral_area', 'm^2', 'area seen from abeam', at_least=0)]
    c_x: Annotated[float, number('windage.c_x', '-', "the wind's force coefficient ahead", at_least=0)]
    c_y: Annotated[float, number('windage.c_y', '-', "the wind's force coefficient abeam", at_least=0)]
    air_density: Annotated[float, number('windage.air_density', 'kg/m^3', 'density of the air', at_least=0)]
    lateral_x: Annotated[float, number(
        'windage.lateral_x', 'm', "place of the area seen from abeam: its centre, forward of the boat's point")] = 0.0
    yaw_arm: Annotated[float, number(
        'windage.yaw_arm', 'm/rad', 'how far the side force of the wind moves forward for each radian by which the '
        "wind comes from ahead of the beam; Blendermann: 0.18 times the boat's length", at_least=0)] = 0.0


class Losses(NamedTuple):
    """
    How mechanical power becomes electrical power: by an overall efficiency or, if `mapped` is 1.0, by a map.

    The map gives the electrical power `map_power`, W, of one thruster at the thrust `map_thrust` along its axis, N. The
    thrusts are in ascending order.
    """

    efficiency: Annotated[float, number(
        'losses.efficiency', '-', 'mechanical power over electrical power; left out beside a map', above=0, at_most=1,
        default=1.0)]
    mapped: float
    map_thrust: np.ndarray
    map_power: np.ndarray


class Vessel(NamedTuple):
    """
    All coefficients of a boat that the physics uses.

    `loads`: the electrical loads that vary with time or speed. `parts`: the PartedHull of a boat whose file describes
    the hull by parts, which also heaves, rolls and pitches; None for a boat that moves in the horizontal plane only.
    `sea`: the SeaAlong that plans of steady motion assume, None in calm water. A simulated boat (`sim.plants`) does not
    read `sea`; its waves come from its `Surroundings`.
    """

    inertia: Inertia
    damping: Damping
    windage: Windage
    thrusters: tuple[Thruster, ...]
    losses: Losses
    static_load: Annotated[float, number(
        'static_load', 'W', 'hotel load: power of all but the thrusters and `loads`', at_least=0)]
    foils: tuple[Foil, ...] = ()
    loads: tuple[Load, ...] = ()
    parts: Any = None
    sea: Any = None


class Hull(NamedTuple):
    """
    Dimensions and mass of the hull and its payload; None where the boat file gives no value.

    The equations of motion use only the payload, which `inertia.py` adds to the `Inertia`.
    """

    length: Annotated[float | None, number('hull.length', 'm', 'over all', above=0, sweep=False, band=False)] = None
    width: Annotated[float | None, number('hull.width', 'm', 'over all', above=0, sweep=False, band=False)] = None
    height: Annotated[float | None, number('hull.height', 'm', 'over all', above=0, sweep=False, band=False)] = None
    mass: Annotated[float | None, number(
        'hull.mass', 'kg', 'of the boat without payload and added mass', above=0, sweep=False, band=False)] = None
    yaw_inertia: Annotated[float | None, number(
        'hull.yaw_inertia', 'kg m^2', 'without payload and added inertia', above=0, sweep=False, band=False)] = None
    bow_length: Annotated[float | None, number(
        'hull.bow_length', 'm', 'on the waterline from the bow to where it has 95 % of its largest beam: for the '
        'estimate of added resistance in waves', above=0, sweep=False, band=False)] = None
    windage_height: Annotated[float | None, number(
        'windage.height', 'm', 'height above water at which the wind acts; half of hull.height if left out',
        at_least=0.01, sweep=False, band=False)] = None
    payload: Annotated[float, number(
        'hull.payload', 'kg', 'mass on board beyond that of `inertia`, which it adds to', at_least=0)] = 0.0
    payload_x: Annotated[float, number(
        'hull.payload_x', 'm', "place of the payload, forward of the boat's point")] = 0.0
    payload_y: Annotated[float, number(
        'hull.payload_y', 'm', "place of the payload, to port; half of it is taken to lie as far to starboard")] = 0.0
