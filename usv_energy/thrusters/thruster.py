"""The parameters of a thruster, its axis, its force on the hull, its inflow, and how all of them share a force."""

import math
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

import numpy as np

from usv_energy.files.checked import number
from usv_energy.physics.elementwise import direction_of, kernel
from usv_energy.physics.frames import radians_of_degrees
from usv_energy.physics.motion import velocity_in

WHOLE_TURN = 2.0 * math.pi - 1e-9  # rad: a thruster with at least this range of angles turns without limit.
SWAY_WEIGHT = 1e-3                 # (-), weight of sway beside surge in the least-squares fit of a force.


def cosine_of_degrees(angle: Any) -> Any:
    """Return the cosine of an angle, deg; float or array."""
    return math.cos(math.radians(angle)) if isinstance(angle, int | float) else np.cos(np.radians(angle))


class Azimuth(NamedTuple):
    """
    The limits of an azimuth thruster, which turns about the vertical axis; angles are counter-clockwise from the bow.

    `surge_share`, `sway_share` and `yaw_share` belong to the sideways component of its thrust, and those of the
    Thruster to the forward component. `ends`: (cosine, sine) of the least angle, of the middle of the range and of the
    largest angle; None if the thruster turns without limit.
    """

    least: Annotated[float, number(
        'thrusters.*.azimuth.min_angle_deg', 'deg', 'least angle of the axis from the bow, counter-clockwise',
        at_least=-360, at_most=360, from_file=radians_of_degrees, sweep=False, band=False)]
    largest: Annotated[float, number(
        'thrusters.*.azimuth.max_angle_deg', 'deg', 'largest angle of the axis; 360 above the least is no limit',
        at_least=-360, at_most=360, from_file=radians_of_degrees, sweep=False, band=False)]
    rate: Annotated[float, number(
        'thrusters.*.azimuth.rate_deg', 'deg/s', 'how fast it turns at most', above=0, from_file=radians_of_degrees,
        sweep=False, band=False)]
    surge_share: Any = 0.0
    sway_share: Any = 0.0
    yaw_share: Any = 0.0
    ends: Any = None


class Thruster(NamedTuple):
    """
    One thruster; x and y are in body axes (FLU) from the boat's origin, the centre of mass unless m23 is not zero.

    `efficiency_of_tilt`: cosine of the tilt of the axis out of the horizontal, the fraction of the thrust that acts in
    the horizontal plane.
    `surge_share` (-), `sway_share` (-) and `yaw_share` (1/m): this thruster's row of the pseudo-inverse of the thruster
    configuration matrix, that is its thrust per unit of surge force, sway force and yaw moment in the solution with the
    least sum of squares. For an azimuth thruster they give the forward component of its thrust.
    `axis`: (cosine, sine) of a fixed angle; None if the thruster points straight ahead.
    `sway_share`: None if all thrusters point straight ahead, unless there are two on the same line.
    `in_air`: not None for a fan in air. `azimuth`: None if the axis is fixed. `propeller`: None for a plain thruster.
    Fields that most boats do not need are None, so that compiled code leaves out the terms that use them.
    `cost`, W/N^1.5: electrical power at standstill of half the largest thrust, divided by that thrust to the power 1.5
    (`boat_kind.cost_of_thrust`).
    """

    x: Annotated[float, number('thrusters.*.x', 'm', 'place, forward')]
    y: Annotated[float, number('thrusters.*.y', 'm', 'place, to port')]
    min_thrust: Annotated[float, number('thrusters.*.min_thrust', 'N', 'least thrust along its axis, astern below 0')]
    max_thrust: Annotated[float, number('thrusters.*.max_thrust', 'N', 'largest thrust along its axis')]
    efficiency_of_tilt: Annotated[float, number(
        'thrusters.*.tilt_deg', 'deg', 'tilt of the axis out of the horizontal', above=-90, below=90, default=0.0,
        from_file=cosine_of_degrees)]
    lag: Annotated[float, number(
        'thrusters.*.lag', 's', "time constant of the thrust's answer to a command; 0 answers at once", at_least=0,
        default=0.0)]
    surge_share: Any
    yaw_share: Any
    angle: Annotated[float, number(
        'thrusters.*.angle_deg', 'deg', 'angle of a fixed axis from the bow, counter-clockwise: 90 drives to port',
        at_least=-360, at_most=360, from_file=radians_of_degrees, sweep=False, band=False)] = 0.0
    axis: Any = None
    sway_share: Any = None
    in_air: Any = None
    azimuth: Azimuth | None = None
    propeller: Any = None
    cost: Any = 1.0
    power_scale: Annotated[float, number(
        'thrusters.*.power_scale', '-', 'electrical power over that of its propeller, or of the losses', above=0)] = 1.0


def with_shares(thrusters: Iterable[Thruster]) -> tuple[Thruster, ...]:
    """
    Return thrusters with their axes, and with their rows of the pseudo-inverse of the thruster configuration matrix.

    If the thrusters cannot give every force, the fit gives up the sway force first (`SWAY_WEIGHT`).

    :param thrusters: The Thrusters; each field is a number, or an array with one element per run.
    :return: The Thrusters with `axis`, `azimuth.ends` and the shares filled in; shares have the shape of the fields.

    Source: Fossen (2011), section 12.3, generalized inverse of the thrust configuration matrix T.
    """
    given = tuple(thruster._replace(axis=_axis_of(thruster), azimuth=_with_ends(thruster.azimuth))
                  for thruster in thrusters)
    if not given:
        return ()
    every = np.broadcast_arrays(*(value for t in given for value in (t.efficiency_of_tilt, t.x, t.y)))
    tilts, places, arms = (np.stack(every[first::3], -1) for first in range(3))
    in_line = len(given) == 2 and bool(np.any(arms[..., 0] == arms[..., 1]))
    if not in_line and all(thruster.axis is None for thruster in given):
        shares = np.linalg.pinv(np.stack((tilts, -arms * tilts), axis=-2))
        return tuple(thruster._replace(surge_share=_scalar(shares[..., n, 0]), yaw_share=_scalar(shares[..., n, 1]))
                     for n, thruster in enumerate(given))
    columns = [_column(place, arm, tilt, axis) for number, thruster in enumerate(given)
               for place, arm, tilt in ((places[..., number], arms[..., number], tilts[..., number]),)
               for axis in _directions_of(thruster)]
    size = max(float(np.max(np.hypot(places, arms))), 1e-3)
    weights = np.array([1.0, SWAY_WEIGHT, 1.0 / size])
    weighed = np.stack(np.broadcast_arrays(*columns), axis=-1) * weights[:, None]
    shares = np.linalg.pinv(weighed) * weights
    rows = iter(tuple(_scalar(shares[..., n, part]) for part in range(3)) for n in range(len(columns)))
    return tuple(_with_rows_of_inverse(thruster, rows) for thruster in given)


def gives_sway(thrusters: Iterable[Thruster]) -> bool:
    """Return whether thrusters can give surge force, sway force and yaw moment independently of each other."""
    return _rank(_first_columns(thrusters)) == 3


def _first_columns(thrusters: Iterable[Thruster]) -> np.ndarray:
    """Return the `_column` of each direction in which a thruster can push; of arrays, those of the first run."""
    return np.array([
        _column(np.ravel(thruster.x)[0], np.ravel(thruster.y)[0], np.ravel(thruster.efficiency_of_tilt)[0], axis)
        for thruster in thrusters for axis in _directions_of(thruster)])


def _rank(columns: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(columns)) if len(columns) else 0


def _with_rows_of_inverse(thruster: Thruster, rows: Any) -> Thruster:
    surge, sway, yaw = next(rows)
    own = thruster._replace(surge_share=surge, sway_share=sway, yaw_share=yaw)
    if thruster.azimuth is None:
        return own
    surge, sway, yaw = next(rows)
    return own._replace(azimuth=thruster.azimuth._replace(surge_share=surge, sway_share=sway, yaw_share=yaw))


def _with_ends(azimuth: Azimuth | None) -> Azimuth | None:
    if azimuth is None or azimuth.largest - azimuth.least >= WHOLE_TURN:
        return azimuth
    angles = azimuth.least, 0.5 * (azimuth.least + azimuth.largest), azimuth.largest
    return azimuth._replace(ends=tuple((math.cos(angle), math.sin(angle)) for angle in angles))


def _axis_of(thruster: Thruster) -> tuple[float, float] | None:
    if thruster.azimuth is not None:
        return 1.0, 0.0
    return (math.cos(thruster.angle), math.sin(thruster.angle)) if thruster.angle else None


def _directions_of(thruster: Thruster) -> tuple[tuple[float, float], ...]:
    """Return the directions, (cosine, sine), that span a thruster's forces: one if it is fixed, two if it turns."""
    if thruster.azimuth is not None:
        return (1.0, 0.0), (0.0, 1.0)
    return (thruster.axis or (1.0, 0.0),)


def _column(place: Any, arm: Any, tilt: Any, axis: tuple[float, float]) -> np.ndarray:
    """
    Return the column of the thruster configuration matrix for one direction: surge, sway and yaw moment of 1 N.

    :param place: x of the thruster, m; float or array.
    :param arm: y of the thruster, m; same shape.
    :param tilt: Its `efficiency_of_tilt`, (-); same shape.
    :param axis: Cosine and sine of the direction.
    :return: Shape (..., 3).
    """
    forward, sideways = axis
    return np.stack(np.broadcast_arrays(forward * tilt, sideways * tilt, (place * sideways - arm * forward) * tilt),
                    axis=-1)


def _scalar(value: np.ndarray) -> Any:
    return value if value.ndim else float(value)


@kernel
def axis_of(angle, axis):
    """Return the direction of a thruster's axis, (cosine, sine): of `angle`, rad, or `axis` if `angle` is None."""
    if angle is None:
        return axis
    return direction_of(angle)


@kernel
def force_along(thrust, axis, thruster):
    """
    Return one thruster's force on the hull in body axes: surge N, sway N, yaw moment N m (counter-clockwise).

    :param thrust: Along its axis, N; float or array.
    :param axis: Its direction, as `axis_of` returns it.
    :param thruster: The Thruster.
    """
    drive = thrust * thruster.efficiency_of_tilt
    if axis is None:
        return drive, 0.0 * drive, -thruster.y * drive
    forward, sideways = drive * axis[0], drive * axis[1]
    return forward, sideways, thruster.x * sideways - thruster.y * forward


@kernel
def speed_along(u, v, r, axis, thruster):
    """
    Return the speed of a thruster's position along its axis, times `efficiency_of_tilt`, m/s.

    If `u` and `v` are velocities through the water, thrust times this speed is the useful power on the hull, W.

    :param u: Velocity of the boat's point through the fluid, forward, m/s; float or array.
    :param v: The same to port; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param axis: Its direction, as `axis_of` returns it.
    :param thruster: The Thruster.
    """
    if axis is None:
        return thruster.efficiency_of_tilt * (u - thruster.y * r)
    return thruster.efficiency_of_tilt * (axis[0] * (u - thruster.y * r) + axis[1] * (v + thruster.x * r))


@kernel
def inflow_along(at, axis, thruster):
    """
    Return the inflow speed of a thruster along its axis, m/s: through the water or, if it is a fan, through the air.

    :param at: The Relative: velocity through the water, and the apparent wind.
    :param axis: Its direction, as `axis_of` returns it.
    :param thruster: The Thruster.
    """
    u, v = velocity_in(at, thruster.in_air)
    return speed_along(u, v, at.r, axis, thruster)
