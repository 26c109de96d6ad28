"""How a hull of parts lies in still water: its sinkage, heel and trim, and how stiff it is there."""

import math
from typing import Any

import numpy as np

from ..files.errors import InputError
from ..physics.parted_hull import PartedHull, Turn, calm_around, water_force, weight_force
from ..physics.wave_dispersion import GRAVITY

STEPS, SETTLED = 60, 1e-12     # Newton's; the rest of force and moment over weight, m.
SMALL = 1e-6                   # m and rad, over which stiffnesses are taken.
LARGEST_TILT = 0.5             # rad: what leans more at rest is taken to have no place to rest.


def turn_of(roll: float, pitch: float, yaw: float = 0.0) -> Turn:
    """Return the Turn of three angles, rad."""
    return Turn(math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw))


def forces_at(place: np.ndarray, hull: PartedHull) -> np.ndarray:
    """Return the force up, N, and the moments that turn roll and pitch angle, N m, of a hull in still water."""
    height, roll, pitch = (float(part) for part in place)
    turn = turn_of(roll, pitch)
    water = water_force(height, turn, calm_around(0.0, hull), hull)
    weight = weight_force(turn, hull)
    x, y, z, k, m, n = (a + b for a, b in zip(water, weight))
    up = -x * turn.s_pitch + (y * turn.s_roll + z * turn.c_roll) * turn.c_pitch
    of_pitch = m * turn.c_roll - n * turn.s_roll
    tilt, lean = roll - hull.rest_roll, pitch - hull.rest_pitch
    return np.array([up - hull.heave_spring * (height - hull.rest_height), k - hull.roll_spring * tilt,
                     of_pitch - hull.pitch_spring * lean])


def stiffness_at(place: np.ndarray, hull: PartedHull) -> np.ndarray:
    """Return minus the derivative of `forces_at` by height, roll and pitch, shape (3, 3); N/m, N, N m/m, N m/rad."""
    steps = SMALL * np.eye(3)
    return np.array([(forces_at(place - step, hull) - forces_at(place + step, hull)) / (2.0 * SMALL)
                     for step in steps]).T


def rest_of(hull: PartedHull, where: str) -> np.ndarray:
    """
    Return height, m, roll and pitch, rad, at which a hull without springs lies in still water.

    :raises InputError: If the parts do not carry the mass, or it does not float upright.
    """
    carried = hull.density * sum(float(column.area * column.height) for column in hull.columns)
    if carried <= hull.mass:
        raise InputError(f'{where}parts hold up at most {carried:.4g} kg; must be more than the mass on board, '
                         f'{float(hull.mass):.4g} kg')
    place = np.array([level_height(hull), 0.0, 0.0])
    weight = hull.mass * GRAVITY
    for _ in range(STEPS):
        force, stiffness = forces_at(place, hull), stiffness_at(place, hull)
        if np.linalg.eigvalsh(0.5 * (stiffness + stiffness.T))[0] <= 0.0:
            break
        move = np.linalg.solve(stiffness, force)
        place = place + move / max(1.0, 10.0 * float(np.max(np.abs(move))))
        if np.max(np.abs(force)) < SETTLED * weight and np.max(np.abs(move)) < SMALL:
            return place
        if np.max(np.abs(place[1:])) > LARGEST_TILT:
            break
    roll, pitch = np.degrees(place[1:])
    raise InputError(f'{where}parts do not hold the boat upright: at roll {roll:.3g} deg, pitch {pitch:.3g} deg it is '
                     f'not at rest, or turns over; is floating.mass_height, {-_lowest(hull):.4g} m over its lowest '
                     'part, too high, or the load too far from the middle?')


def _lowest(hull: PartedHull) -> float:
    return min(float(column.bottom) for column in hull.columns)


def level_height(hull: PartedHull) -> float:
    """Return the height of P, m, at which an upright hull displaces its mass."""
    low, high = -10.0 * max(1.0, *(abs(float(c.bottom + c.height)) for c in hull.columns)), -_lowest(hull)
    for _ in range(200):
        middle = 0.5 * (low + high)
        displaced = sum(float(hull.density * c.area * min(max(-(middle + c.bottom), 0.0), c.height))
                        for c in hull.columns)
        low, high = (middle, high) if displaced > hull.mass else (low, middle)
    return 0.5 * (low + high)


def shares_of(given: list[Any], volumes: list[float], what: str, where: str) -> list[float]:
    """Return shares that add up to 1: those given, or by volume; InputError where some parts say it and some do not."""
    if all(share is None for share in given):
        return [volume / sum(volumes) for volume in volumes]
    if any(share is None for share in given):
        raise InputError(f'{where}parts: {what} stands with some parts and not with others; give it with all or none')
    if abs(sum(given) - 1.0) > 1e-6:
        raise InputError(f'{where}parts: the shares {what} add up to {sum(given):g}; must be 1')
    return [float(share) for share in given]
