"""
The forces of buoyancy, waves and weight on a hull of parts in six degrees of freedom.

Each part is a box, modelled by one or a few vertical columns. The body axes are forward, port and up (FLU). The origin
P is the boat's origin at the height of the centre of mass. Roll is about the forward axis (positive: port side up) and
pitch about the port axis (positive: bow down), right-handed as in REP-103.
"""

from typing import Any, NamedTuple

from usv_energy.physics.elementwise import each, kernel, larger, smaller, total
from usv_energy.physics.waves.linear_wave import GRAVITY

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class HullColumn(NamedTuple):
    """
    A vertical column of the hull.

    `x`, `y`: position of its axis, m. `area`: cross section, m^2. `bottom`: height of its bottom above P, m.
    `height`: m. `lift` (-), `roll`, `pitch`, `turn` (1/m): weights of the water's motion at this column in the mean
    heave, roll, pitch and yaw motion of the water. `drag`, `windage`: its fractions of the hull's drag and windage,
    (-). Summed over all columns `lift`, `drag` and `windage` are 1 each.
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
    A hull of parts with its payload: columns, mass, added mass, damping and equilibrium.

    `mass`: kg. `mass_x`, `mass_y`: position of the centre of mass from P, m.
    `heave_mass`, kg, `roll_inertia`, `pitch_inertia`, kg m^2: including added mass, about the centre of mass.
    `heave_added`, `roll_added`, `pitch_added`: the added mass contained in them. `yaw_added`: that in `Inertia.m33`.
    `heave_damping`, N s/m, `roll_damping`, `pitch_damping`, N m s/rad: linear damping.
    `heave_spring`, N/m, `roll_spring`, `pitch_spring`, N m/rad: restoring in addition to that of the columns.
    `density`: of the water, kg/m^3. `drag_arm`, `thrust_arm`, `wind_arm`: heights above P at which the forces act, m.
    `rest_height`: of P above still water, m, `rest_roll`, `rest_pitch`, rad: the equilibrium in still water.
    `draught`: of the columns in equilibrium, m. `cell_length`, `cell_width`: of the water plane of a column, m.
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
    The wave motion of the water at a column, relative to the mean flow at the boat's origin, in the earth frame (ENU).

    `rise`: effective surface elevation, which gives the pressure at the column's bottom, m; `climb`, m/s, and `lift`,
    m/s^2, are its first and second time derivative. `east`, `north`: velocity, m/s, at half the draught below the
    surface; `east_rate`, `north_rate`: its time derivative, m/s^2.
    """

    rise: Any
    climb: Any
    lift: Any
    east: Any
    north: Any
    east_rate: Any
    north_rate: Any


class WaterAround(NamedTuple):
    """The ColumnWave of each column, and the mean wind over the hull minus that at the boat's origin, m/s (ENU)."""

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
    """Return the WaterAround a hull in calm water and uniform wind; `zero` is 0.0 or an array of zeros."""
    return WaterAround(each(no_wave, (zero,), hull.columns), zero, zero)


@kernel
def no_wave(column, zero):
    """Return the ColumnWave of still water; `zero` is 0.0 or an array of zeros."""
    return ColumnWave(zero, zero, zero, zero, zero, zero, zero)


@kernel
def vector_to_body(x, y, z, turn):
    """
    Return a vector of the earth frame (ENU) in body axes (FLU): R^T (x, y, z).

    :param x: East component; float or array.
    :param y: North component; same shape.
    :param z: Upward component; same shape.
    :param turn: The Turn; same shapes.

    Source: Fossen (2011), (2.18): R = Rz(yaw) Ry(pitch) Rx(roll).
    """
    ahead, aside = x * turn.c_yaw + y * turn.s_yaw, -x * turn.s_yaw + y * turn.c_yaw
    down = ahead * turn.s_pitch + z * turn.c_pitch
    return (ahead * turn.c_pitch - z * turn.s_pitch, aside * turn.c_roll + down * turn.s_roll,
            -aside * turn.s_roll + down * turn.c_roll)


@kernel
def vector_to_earth(x, y, z, turn):
    """Return a vector of the body axes (FLU) in the earth frame (ENU): R (x, y, z), the inverse of `vector_to_body`."""
    aside, up = y * turn.c_roll - z * turn.s_roll, y * turn.s_roll + z * turn.c_roll
    ahead = x * turn.c_pitch + up * turn.s_pitch
    return (ahead * turn.c_yaw - aside * turn.s_yaw, ahead * turn.s_yaw + aside * turn.c_yaw,
            -x * turn.s_pitch + up * turn.c_pitch)


@kernel
def water_force(height, turn, around, hull):
    """
    Return the pressure force of the water on all columns, and its moment about P, in body axes.

    It is the sum of the hydrostatic and the Froude-Krylov force over the wetted part of each column:
    rho A l (a_x, a_y, g) at the middle of its wetted length l. In calm water it is minus the gradient of the potential
    rho g A (depth of the bottom)^2 / (2 cos(tilt)), so it does no net work.

    :param height: Of P above the still water surface, m; float or array.
    :param turn: The Turn; same shapes.
    :param around: The WaterAround.
    :param hull: The PartedHull.
    :return: Forces forward, to port and up, N, and moments about the same axes, N m.

    Source: O.M. Faltinsen (1990), Sea Loads on Ships and Offshore Structures, chapter 3 (long waves); buoyancy of a
    tilted prism: J.N. Newman (1977), Marine Hydrodynamics, section 6.16.
    """
    return total(NOTHING, each(column_force, (height, turn, hull.density), hull.columns, around.columns))


@kernel
def column_force(column, wave, height, turn, density):
    """Return the contribution of one column to `water_force`; `density` is that of the water, kg/m^3."""
    upright = turn.c_pitch * turn.c_roll
    bottom = (height - turn.s_pitch * column.x + turn.c_pitch * turn.s_roll * column.y + upright * column.bottom)
    wet = smaller(larger((wave.rise - bottom) / upright, 0.0 * bottom), column.height + 0.0 * bottom)
    mass = density * column.area * wet
    x, y, z = vector_to_body(mass * wave.east_rate, mass * wave.north_rate, mass * GRAVITY, turn)
    arm = column.bottom + 0.5 * wet
    return x, y, z, column.y * z - arm * y, arm * x - column.x * z, column.x * y - column.y * x


@kernel
def weight_force(turn, hull):
    """Return the hull's weight in body axes, N, and its moment about P, N m."""
    x, y, z = vector_to_body(0.0 * turn.c_yaw, 0.0 * turn.c_yaw, -hull.mass * GRAVITY + 0.0 * turn.c_yaw, turn)
    return x, y, z, hull.mass_y * z, -hull.mass_x * z, hull.mass_x * y - hull.mass_y * x


@kernel
def moment_of_angles(of_roll, of_pitch, turn):
    """
    Return the moments about the body axes, N m, that do the same work as moments conjugate to roll and pitch angle.

    :param of_roll: Generalized moment of the roll angle, N m; float or array.
    :param of_pitch: Generalized moment of the pitch angle, N m; same shape.
    :param turn: The Turn.

    Source: Fossen (2011), (2.27): the transpose of the matrix from angular velocity to Euler angle rates.
    """
    across = of_roll * turn.s_pitch / turn.c_pitch
    return (of_roll, across * turn.s_roll + of_pitch * turn.c_roll, across * turn.c_roll - of_pitch * turn.s_roll)


@kernel
def angle_rates(p, q, r, turn):
    """Return the rates of the roll, pitch and yaw angles, rad/s, from angular velocity about the body axes, rad/s."""
    around = turn.s_roll * q + turn.c_roll * r
    return (p + turn.s_pitch / turn.c_pitch * around, turn.c_roll * q - turn.s_roll * r, around / turn.c_pitch)
