"""
What holds up a hull of parts, and what turns it: buoyancy, waves and weight, in six degrees of freedom.

A part is a box, and stands for one or a few upright columns of water plane. The body's axes are forward, port and up
(FLU); its origin P lies in the boat's point, as high as the centre of mass. Roll is about the forward axis (port side
up), pitch about the port axis (bow down), both right-handed as REP-103 has them.
"""

from typing import Any, NamedTuple

from usv_energy.physics.elementwise import each, kernel, larger, smaller, total
from usv_energy.physics.waves.linear_wave import GRAVITY

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class HullColumn(NamedTuple):
    """
    An upright column of the hull: place x, y, m, of its axis; `area`, m^2; `bottom`, m, up from P; `height`, m.

    `lift`, `roll`, `pitch`, `turn`: what the water's motion at it counts for the hull's heave (-), roll, pitch and yaw
    (1/m); `drag`, `windage`: its shares of the hull's drag and windage, (-); each adds up to 1 but roll, pitch, turn.
    """

    x: Any
    y: Any
    area: Any
    bottom: Any
    height: Any
    lift: Any
    roll: Any
    pitch: Any
    turn: Any
    drag: Any
    windage: Any


class PartedHull(NamedTuple):
    """
    A hull of parts, payload on board: its columns, masses and what damps it.

    `mass`, kg; `mass_x`, `mass_y`: of the centre of mass from P, m. `heave_mass`, kg, `roll_inertia`, `pitch_inertia`,
    kg m^2, about the centre of mass: with added mass, of which `..._added` is what is added, `yaw_added` that of
    Inertia. `..._damping`: N s/m, N m s/rad. `..._spring`: restoring beside that of the columns, N/m, N m/rad.
    `density` of the water, kg/m^3. `drag_arm`, `thrust_arm`, `wind_arm`: heights over P at which these act, m.
    `rest_height` of P over water, m, and `rest_roll`, `rest_pitch`, rad: how it lies in still water. `draught`, m, of
    its columns then; `cell_length`, `cell_width`: of the water plane of a column, m.
    """

    columns: tuple[HullColumn, ...]
    mass: Any
    mass_x: Any
    mass_y: Any
    heave_mass: Any
    roll_inertia: Any
    pitch_inertia: Any
    heave_added: Any
    roll_added: Any
    pitch_added: Any
    yaw_added: Any
    heave_damping: Any
    roll_damping: Any
    pitch_damping: Any
    heave_spring: Any
    roll_spring: Any
    pitch_spring: Any
    density: Any
    drag_arm: Any
    thrust_arm: Any
    wind_arm: Any
    rest_height: Any
    rest_roll: Any
    rest_pitch: Any
    draught: Any
    cell_length: Any
    cell_width: Any


class ColumnWave(NamedTuple):
    """
    The water at a column beyond what it is at the boat's point on average, earth frame (ENU).

    `rise`: of the surface as the column's bottom feels it, m, and its rates `climb`, m/s, and `lift`, m/s^2; velocity
    `east`, `north`, m/s, and its rate `east_rate`, `north_rate`, m/s^2, half the draught below the surface.
    """

    rise: Any
    climb: Any
    lift: Any
    east: Any
    north: Any
    east_rate: Any
    north_rate: Any


class WaterAround(NamedTuple):
    """The ColumnWave of each column of a hull, and the wind over its parts less that at the boat's point, m/s (ENU)."""

    columns: tuple[ColumnWave, ...]
    gust_east: Any
    gust_north: Any


class Turn(NamedTuple):
    """Cosines and sines of roll, pitch and yaw."""

    c_roll: Any
    s_roll: Any
    c_pitch: Any
    s_pitch: Any
    c_yaw: Any
    s_yaw: Any


@kernel
def calm_around(zero, hull):
    """Return the WaterAround a hull in calm water and even air; `zero` has the shape."""
    return WaterAround(each(no_wave, (zero,), hull.columns), zero, zero)


@kernel
def no_wave(column, zero):
    """Return the ColumnWave of still water at a column; `zero` has the shape."""
    return ColumnWave(zero, zero, zero, zero, zero, zero, zero)


@kernel
def vector_to_body(x, y, z, turn):
    """
    Return a vector of the earth frame along the body's axes, R^T.

    :param x: East component; floats or arrays; `y`: north; `z`: up.
    :param turn: The Turn; same shapes.

    Source: Fossen (2011), (2.18): R = Rz(yaw) Ry(pitch) Rx(roll).
    """
    ahead, aside = x * turn.c_yaw + y * turn.s_yaw, -x * turn.s_yaw + y * turn.c_yaw
    down = ahead * turn.s_pitch + z * turn.c_pitch
    return (ahead * turn.c_pitch - z * turn.s_pitch, aside * turn.c_roll + down * turn.s_roll,
            -aside * turn.s_roll + down * turn.c_roll)


@kernel
def vector_to_earth(x, y, z, turn):
    """Return a vector along the body's axes in the earth frame, R: the inverse of `vector_to_body`."""
    aside, up = y * turn.c_roll - z * turn.s_roll, y * turn.s_roll + z * turn.c_roll
    ahead = x * turn.c_pitch + up * turn.s_pitch
    return (ahead * turn.c_yaw - aside * turn.s_yaw, ahead * turn.s_yaw + aside * turn.c_yaw,
            -x * turn.s_pitch + up * turn.c_pitch)


@kernel
def water_force(height, turn, around, hull):
    """
    Return the force of the water's pressure on all columns, and its moment about P, along the body's axes.

    The pressure is that of the water at rest and that of the undisturbed wave (Froude and Krylov's), integrated over
    the wetted part of each column: rho A l (a_x, a_y, g) at the middle of its wetted length l. In calm water this is
    minus the gradient of rho g A (depth of the bottom)^2 / (2 cos(tilt)): it does no net work.

    :param height: Of P over the water at rest, m; float or array.
    :param turn: The Turn; same shapes.
    :param around: The WaterAround.
    :param hull: The PartedHull.
    :return: Three forces, N, three moments, N m.

    Source: O.M. Faltinsen (1990), Sea Loads on Ships and Offshore Structures, chapter 3 (long waves); buoyancy of a
    tilted prism: J.N. Newman (1977), Marine Hydrodynamics, section 6.16.
    """
    return total(NOTHING, each(column_force, (height, turn, hull.density), hull.columns, around.columns))


@kernel
def column_force(column, wave, height, turn, density):
    """Return what `water_force` sums up, of one column; density of the water, kg/m^3."""
    upright = turn.c_pitch * turn.c_roll
    bottom = (height - turn.s_pitch * column.x + turn.c_pitch * turn.s_roll * column.y + upright * column.bottom)
    wet = smaller(larger((wave.rise - bottom) / upright, 0.0 * bottom), column.height + 0.0 * bottom)
    mass = density * column.area * wet
    x, y, z = vector_to_body(mass * wave.east_rate, mass * wave.north_rate, mass * GRAVITY, turn)
    arm = column.bottom + 0.5 * wet
    return x, y, z, column.y * z - arm * y, arm * x - column.x * z, column.x * y - column.y * x


@kernel
def weight_force(turn, hull):
    """Return the hull's weight along the body's axes, N, and its moment about P, N m."""
    x, y, z = vector_to_body(0.0 * turn.c_yaw, 0.0 * turn.c_yaw, -hull.mass * GRAVITY + 0.0 * turn.c_yaw, turn)
    return x, y, z, hull.mass_y * z, -hull.mass_x * z, hull.mass_x * y - hull.mass_y * x


@kernel
def moment_of_angles(of_roll, of_pitch, turn):
    """
    Return the moments along the body's axes that do the work of moments which turn roll and pitch angle, N m.

    Source: Fossen (2011), (2.27): the transpose of the angles' rates over the rates of turning.
    """
    across = of_roll * turn.s_pitch / turn.c_pitch
    return (of_roll, across * turn.s_roll + of_pitch * turn.c_roll, across * turn.c_roll - of_pitch * turn.s_roll)


@kernel
def angle_rates(p, q, r, turn):
    """Return the rates of roll, pitch and yaw angle, rad/s, of the rates of turning along the body's axes, rad/s."""
    around = turn.s_roll * q + turn.c_roll * r
    return (p + turn.s_pitch / turn.c_pitch * around, turn.c_roll * q - turn.s_roll * r, around / turn.c_pitch)
