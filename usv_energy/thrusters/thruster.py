"""Thrusters as the physics knows them: kinds of mounting, axes, forces on the hull, inflow, arrangement."""

import math
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

import numpy as np

from usv_energy.files.checked import number
from usv_energy.physics.elementwise import direction_of, kernel
from usv_energy.physics.frames import radians_of_degrees
from usv_energy.physics.motion import velocity_in

WHOLE_TURN = 2.0 * math.pi - 1e-9  # rad: a range of angles from here on has no end.
LITTLE = 1e-3                      # Weight of sway where not all of a force can be had: it gives way.


def cosine_of_degrees(angle: Any) -> Any:
    """Return the cosine of an angle, deg; float or array."""
    return math.cos(math.radians(angle)) if isinstance(angle, int | float) else np.cos(np.radians(angle))


class Azimuth(NamedTuple):
    """
    How a thruster turns about the vertical; angles from the bow, counter-clockwise.

    The shares are those of the sideways part of its thrust, as a Thruster's are of the forward part. `ends`: None where
    it turns all the way round; else the directions of `least`, of the middle and of `largest`, cosine and sine each.
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
    One thruster; places in FLU from the boat's point, which is the centre of mass unless m23 says otherwise.

    `efficiency_of_tilt` is the cosine of the axis's tilt out of the horizontal: the share of the thrust that drives.
    `surge_share`, `sway_share` (-) and `yaw_share` (1/m): the thrust that it takes for a force and a moment, all
    thrusters together taking the least (the pseudo-inverse of their arrangement); of one that turns, its forward part.
    `axis`: cosine and sine of a fixed angle.
    What is None stands for what most boats do not have, so that compiled code has no trace of it: `axis` straight
    ahead, `sway_share` where all are straight ahead, but for two in line, which many thrusts serve as well; `in_air` in
    water, `azimuth` fixed, `propeller` of a plain one.
    `cost`, W/N^1.5: the electrical power at rest of half of the most thrust over that thrust to 1.5 (`arrangement.py`).
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


def with_shares(thrusters: Iterable[Thruster]) -> tuple[Thruster, ...]:
    """
    Return thrusters with their axes and shares of a force and a moment: the pseudo-inverse of their arrangement.

    Where they cannot give every force, the sway force gives way first.

    :param thrusters: Their numbers; arrays of a number a run in place of numbers give arrays of shares.
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
        return tuple(thruster._replace(surge_share=_number(shares[..., n, 0]), yaw_share=_number(shares[..., n, 1]))
                     for n, thruster in enumerate(given))
    columns = [_column(place, arm, tilt, axis) for number, thruster in enumerate(given)
               for place, arm, tilt in ((places[..., number], arms[..., number], tilts[..., number]),)
               for axis in _axes_of(thruster)]
    size = max(float(np.max(np.hypot(places, arms))), 1e-3)
    weights = np.array([1.0, LITTLE, 1.0 / size])
    weighed = np.stack(np.broadcast_arrays(*columns), axis=-1) * weights[:, None]
    shares = np.linalg.pinv(weighed) * weights
    rows = iter(tuple(_number(shares[..., n, part]) for part in range(3)) for n in range(len(columns)))
    return tuple(_with_rows(thruster, rows) for thruster in given)


def gives_sway(thrusters: Iterable[Thruster]) -> bool:
    """Return whether thrusters can give surge, sway and yaw moment each by itself."""
    return _rank(_first_columns(thrusters)) == 3


def _first_columns(thrusters: Iterable[Thruster]) -> np.ndarray:
    """Return the `_column` of each direction in which thrusters drive, of the first run where numbers are arrays."""
    return np.array([
        _column(np.ravel(thruster.x)[0], np.ravel(thruster.y)[0], np.ravel(thruster.efficiency_of_tilt)[0], axis)
        for thruster in thrusters for axis in _axes_of(thruster)])


def _rank(columns: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(columns)) if len(columns) else 0


def _with_rows(thruster: Thruster, rows: Any) -> Thruster:
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


def _axes_of(thruster: Thruster) -> tuple[tuple[float, float], ...]:
    """Return the directions in which a thruster can drive by itself: one, or where it turns, two."""
    if thruster.azimuth is not None:
        return (1.0, 0.0), (0.0, 1.0)
    return (thruster.axis or (1.0, 0.0),)


def _column(place: Any, arm: Any, tilt: Any, axis: tuple[float, float]) -> np.ndarray:
    """Return surge, sway and yaw moment of a thrust of 1 N along an axis, in the last but one place."""
    forward, sideways = axis
    return np.stack(np.broadcast_arrays(forward * tilt, sideways * tilt, (place * sideways - arm * forward) * tilt),
                    axis=-1)


def _number(value: np.ndarray) -> Any:
    return value if value.ndim else float(value)



@kernel
def axis_of(angle, axis):
    """Return a thruster's axis: of its angle, rad, or where it is fixed (None) its own `axis`."""
    if angle is None:
        return axis
    return direction_of(angle)


@kernel
def force_along(thrust, axis, thruster):
    """
    Return one thruster's force on the hull: surge N, sway N, yaw moment N m (counter-clockwise).

    :param thrust: Along its axis, N; float or array.
    :param axis: As `axis_of` has it.
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
    Return the speed of a thruster's place along its axis, times what tilt leaves of a thrust, m/s.

    A thrust times it is the thrust's work a second on the hull, W, where `u` and `v` are through the water.

    :param u: Velocity of the boat's point through the fluid, forward, m/s; float or array.
    :param v: The same to port; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param axis: As `axis_of` has it.
    :param thruster: The Thruster.
    """
    if axis is None:
        return thruster.efficiency_of_tilt * (u - thruster.y * r)
    return thruster.efficiency_of_tilt * (axis[0] * (u - thruster.y * r) + axis[1] * (v + thruster.x * r))


@kernel
def inflow_along(at, axis, thruster):
    """
    Return the speed of a thruster's place through its own fluid along its axis, as `speed_along`.

    :param at: The Relative: velocity through the water, and the apparent wind.
    :param axis: As `axis_of` has it.
    :param thruster: The Thruster.
    """
    u, v = velocity_in(at, thruster.in_air)
    return speed_along(u, v, at.r, axis, thruster)
