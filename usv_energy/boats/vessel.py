"""
The coefficients of a boat that the physics uses, as immutable named tuples of numbers.

All nested fields are plain floats, so the same value can be passed to Python, numpy and compiled code. The annotation
of each field gives its key in the boat file, its unit and its limits; `numbers.py` collects them into one table. To add
a coefficient, add a field here and use it in the physics.

The inertia of a boat: the effect of a payload, and an estimate with added mass from the boat's dimensions.

The meaning of thrusts and headings in the logs that a boat was identified from, as its file states it.
"""

import math
from collections.abc import Mapping
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


NORMAL_95 = 1.96  # Standard deviations of a normal distribution on each side that hold 95 %.


class LogMeaning(NamedTuple):
    """
    The thrusts and headings of logs, as found by `usv-energy identify` (docs/identify_method.md).

    `ahead`, `astern`: full thrust of one thruster in the logs, N. `scale`, `astern_scale`, `asymmetry`, `exponent`:
    (-), as in `thrusts`. `of_pulses`: whether the thrusts were derived from pulses by the boat's file. `compass`:
    constant, cosine and sine of the deviation of the measured heading, rad. `scale_std`: standard deviation of the
    scale, (-); NaN if the file does not state it.
    """

    ahead: float
    astern: float
    scale: float = 1.0
    astern_scale: float = 1.0
    asymmetry: float = 0.0
    exponent: float = 1.0
    of_pulses: bool = False
    compass: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale_std: float = math.nan

    def thrusts(self, thrust: np.ndarray) -> np.ndarray:
        """
        Return the commands, as thrusts at standstill, N, for the thrusts of a log.

        They are scale (1 +- asymmetry / 2) F sign(f) |f / F|^exponent, where F is the full thrust in that direction.
        Thrusts astern are also multiplied by their own scale. Of two thrusters the first has the plus sign.

        :param thrust: As in the log, N, (n, thrusters), in the order of the boat's thrusters.
        """
        full = np.where(thrust > 0.0, self.ahead, self.astern)
        bent = np.sign(thrust) * full * np.abs(thrust / full) ** self.exponent
        sides = np.array([0.5, -0.5]) if thrust.shape[1] == 2 else np.zeros(thrust.shape[1])
        return np.asarray(np.where(bent < 0.0, self.astern_scale, 1.0) * bent * self.scale
                          * (1.0 + self.asymmetry * sides))

    def deviation(self, yaw: np.ndarray) -> np.ndarray:
        """Return the error of a measured heading, rad, positive to port, rad; same shape."""
        constant, cosine, sine = self.compass
        return np.asarray(constant + cosine * np.cos(yaw) + sine * np.sin(yaw))


def meaning_from(document: Mapping[str, Any]) -> LogMeaning | None:
    """Return the LogMeaning of a boat file's `identification`; None if it has none."""
    rollout = (document.get('identification') or {}).get('rollout') or {}
    entry = rollout.get('thrust_of_log')
    if not entry:
        return None

    def number(part: Mapping[str, Any], name: str, usual: float) -> float:
        value = part.get(name, usual)
        return float(value['value'] if isinstance(value, Mapping) else value)

    compass = rollout.get('compass') or {}
    return LogMeaning(
        number(entry, 'full_ahead_n', 1.0), number(entry, 'full_astern_n', 1.0), number(entry, 'scale', 1.0),
        number(entry, 'astern', 1.0), number(entry, 'asymmetry', 0.0), number(entry, 'exponent', 1.0),
        bool(entry.get('of_pulses', False)),
        (number(compass, 'constant', 0.0), number(compass, 'cosine', 0.0), number(compass, 'sine', 0.0)),
        _std(entry.get('scale')))


def _std(value: Any) -> float:
    """Return the standard deviation beside a number of a boat file; NaN without."""
    if not isinstance(value, Mapping):
        return math.nan
    if 'std' in value:
        return float(value['std'])
    if 'interval' in value:
        low, high = map(float, value['interval'])
        return (high - low) / (2.0 * NORMAL_95)
    return math.nan
