"""
A foil's force as Gazebo's system Hydrodynamics can give it: products of velocities along axes that turn with the foil.

Hydrodynamics gives a link u abs(u), u abs(v), v abs(u) and v abs(v), u and v along the link's own axes, through moving
water (or air: its current is that of a topic). A foil's force is not of this form, but it grows with the square of the
speed, too, and turns round with the flow. So three such links, one along the chord, two turned by 30 degrees, come as
near to it as 1 %, whatever the angle of attack. What a boat lives by is met exactly: the drag along the chord, and the
slopes of both forces there.

LiftDrag is not used: it takes the link's velocity over ground, in Fortress without any wind, in Harmonic less the
world's wind for a keel, too, and in neither less the current; its lift is linear up to a stall.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.foils.foil import Foil
from usv_energy.foils.foil_force import foil_force

TURNS = (0.0, math.pi / 6.0, -math.pi / 6.0)   # rad, of the links against the chord
TERMS = ('UabsU', 'UabsV', 'VabsU', 'VabsV')
AXES = 'xy'
MIRRORED = np.array([[1.0, 1.0, -1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]])  # What a flow from the other side makes of them.
ANGLES = np.radians(np.arange(0.0, 180.5, 0.5))
SMALL = 1e-6      # rad: the slopes at no angle of attack are taken over it.
LEAST = 0.05      # Weights are as if no force were less than this share of the largest.
DECIMALS = 6      # Of a coefficient, the largest being 1: what all machines agree on.


class FoilFit(NamedTuple):
    """
    For each link of TURNS the elements of its Hydrodynamics, N s^2/m^2, by name; those that are zero are left out.

    `error`: the largest difference to the foil's force at any angle of attack, in the largest force, (-).
    """

    links: tuple[dict[str, float], ...]
    error: float


def foil_fit(foil: Foil) -> FoilFit:
    """
    Return the elements of Hydrodynamics that give a foil's force at its centre of effort.

    :param foil: The Foil; its place and its slipstream are left out.
    """
    columns, wanted = _columns(ANGLES), _wanted(ANGLES, foil)
    largest = float(np.max(np.hypot(*wanted)))
    symmetric = _symmetric()
    weights = largest / (LEAST * largest + np.hypot(*wanted))
    left = ((columns * weights).reshape(len(columns), -1).T) @ symmetric
    right = (wanted * weights).ravel() / largest
    fixed, value = _at_no_angle(foil)
    free = _least_squares(left, right, fixed @ symmetric, value / largest)
    found = largest * np.round(symmetric @ free, DECIMALS)
    error = np.max(np.hypot(*(np.einsum('n,nij->ij', found, columns) - wanted))) / largest
    table = found.reshape(len(TURNS), len(AXES), len(TERMS))
    return FoilFit(tuple({f'{axis}{term}': float(value) for axis, row in zip(AXES, link)
                          for term, value in zip(TERMS, row) if value} for link in table), float(error))


def _wanted(angles: np.ndarray, foil: Foil) -> np.ndarray:
    """Return the force of a foil that moves at 1 m/s, N, forward and to port, a row each; angles from its chord."""
    alone = foil._replace(x=0.0, y=0.0, aft=0.0, steer=None, wash=None)
    return np.array(foil_force(np.cos(angles), np.sin(angles), 0.0 * angles, None, alone)[:2])


def _columns(angles: np.ndarray) -> np.ndarray:
    """Return the force of each element at 1, N, when the foil moves at 1 m/s: elements, forward and port, angles."""
    found = []
    for turn in TURNS:
        c, s = math.cos(turn), math.sin(turn)
        u, v = np.cos(angles - turn), np.sin(angles - turn)
        terms = (u * abs(u), u * abs(v), v * abs(u), v * abs(v))
        found += [(c * term, s * term) for term in terms]
        found += [(-s * term, c * term) for term in terms]
    return np.array(found)


def _symmetric() -> np.ndarray:
    """Return the sums of elements that a flow from the other side turns into their mirror image, a column each."""
    own, both = [], []
    for place, sign in enumerate(MIRRORED.ravel()):
        column = np.zeros((len(TURNS), MIRRORED.size))
        column[1, place], column[2, place] = 1.0, sign
        both.append(column.ravel())
        if sign > 0.0:
            column = np.zeros((len(TURNS), MIRRORED.size))
            column[0, place] = 1.0
            own.append(column.ravel())
    return np.array(own + both).T


def _at_no_angle(foil: Foil) -> tuple[np.ndarray, np.ndarray]:
    """Return what is met exactly: drag along the chord, and both slopes there: of the elements, and of the foil."""
    angles = np.array([0.0, SMALL])
    columns, wanted = _columns(angles), _wanted(angles, foil)
    rows = [(columns[:, 0, 0], wanted[0, 0])]
    rows += [((columns[:, axis, 1] - columns[:, axis, 0]) / SMALL, (wanted[axis, 1] - wanted[axis, 0]) / SMALL)
             for axis in range(2)]
    return np.array([row for row, _ in rows]), np.array([value for _, value in rows])


def _least_squares(left: np.ndarray, right: np.ndarray, fixed: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return the x of the least abs(left x - right) among those of fixed x = value, by Lagrange's multipliers."""
    size, held = left.shape[1], len(fixed)
    matrix = np.block([[left.T @ left, fixed.T], [fixed, np.zeros((held, held))]])
    found: np.ndarray = np.linalg.solve(matrix, np.concatenate((left.T @ right, value)))
    return found[:size]
