"""
Approximate a foil's force by Gazebo's system Hydrodynamics: products of velocities along axes that turn with the foil.

Hydrodynamics gives a link forces in proportion to u abs(u), u abs(v), v abs(u) and v abs(v), with the velocities u and
v relative to moving water (or air) along the link's axes. A foil's force does not have this form, but it also grows
with the square of the speed. Three such links, one along the chord and two turned by 30 degrees, approximate it within
1 % at any angle of attack. The drag along the chord, and the slopes of both forces there, are exact, because they
matter most for a boat.

The system LiftDrag is not used. It takes the link's velocity over ground: in Fortress without any wind, in Harmonic
less the world's wind even for a keel, and in both without the current. Its lift is linear up to a stall.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.foils.foil import Foil
from usv_energy.foils.foil_force import foil_force

TURNS = (0.0, math.pi / 6.0, -math.pi / 6.0)   # rad, of the links against the chord
TERMS = ('UabsU', 'UabsV', 'VabsU', 'VabsV')
AXES = 'xy'
MIRRORED = np.array([[1.0, 1.0, -1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]])  # Signs of the terms for the mirrored flow.
ANGLES = np.radians(np.arange(0.0, 180.5, 0.5))
SMALL_ANGLE = 1e-6  # rad, for the slopes at zero angle of attack.
WEIGHT_FLOOR = 0.05  # Smallest force for the weights, as a share of the largest force.
DECIMALS = 6      # Of coefficients relative to the largest, so that all machines give the same.


class FoilFit(NamedTuple):
    """
    The non-zero elements of Hydrodynamics for each link of TURNS, N s^2/m^2, by name.

    `error`: the largest error of the force at any angle of attack, as a share of the largest force, (-).
    """

    links: tuple[dict[str, float], ...]
    error: float


def foil_fit(foil: Foil) -> FoilFit:
    """
    Return the elements of Hydrodynamics that give a foil's force at its centre of effort.

    :param foil: The Foil; its place and its slipstream are ignored.
    """
    columns, force = _element_forces(ANGLES), _force_of_foil(ANGLES, foil)
    largest = float(np.max(np.hypot(*force)))
    symmetric = _symmetric_sums()
    weights = largest / (WEIGHT_FLOOR * largest + np.hypot(*force))
    left = ((columns * weights).reshape(len(columns), -1).T) @ symmetric
    right = (force * weights).ravel() / largest
    fixed, value = _exact_conditions(foil)
    free = _constrained_least_squares(left, right, fixed @ symmetric, value / largest)
    found = largest * np.round(symmetric @ free, DECIMALS)
    error = np.max(np.hypot(*(np.einsum('n,nij->ij', found, columns) - force))) / largest
    table = found.reshape(len(TURNS), len(AXES), len(TERMS))
    return FoilFit(tuple({f'{axis}{term}': float(value) for axis, row in zip(AXES, link)
                          for term, value in zip(TERMS, row) if value} for link in table), float(error))


def _force_of_foil(angles: np.ndarray, foil: Foil) -> np.ndarray:
    """Return the force of a foil that moves at 1 m/s, N; rows: forward, to port; angles from its chord."""
    alone = foil._replace(x=0.0, y=0.0, aft=0.0, steer=None, wash=None)
    return np.array(foil_force(np.cos(angles), np.sin(angles), 0.0 * angles, None, alone)[:2])


def _element_forces(angles: np.ndarray) -> np.ndarray:
    """Return the force of each element with coefficient 1 at 1 m/s, N; axes: elements, forward and port, angles."""
    found = []
    for turn in TURNS:
        c, s = math.cos(turn), math.sin(turn)
        u, v = np.cos(angles - turn), np.sin(angles - turn)
        terms = (u * abs(u), u * abs(v), v * abs(u), v * abs(v))
        found += [(c * term, s * term) for term in terms]
        found += [(-s * term, c * term) for term in terms]
    return np.array(found)


def _symmetric_sums() -> np.ndarray:
    """Return the sums of elements, a column each, whose force is mirrored if the flow is."""
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


def _exact_conditions(foil: Foil) -> tuple[np.ndarray, np.ndarray]:
    """Return drag along the chord and both slopes there, which are exact: of the elements, a row each; of the foil."""
    angles = np.array([0.0, SMALL_ANGLE])
    columns, force = _element_forces(angles), _force_of_foil(angles, foil)
    rows = [(columns[:, 0, 0], force[0, 0])]
    rows += [((columns[:, axis, 1] - columns[:, axis, 0]) / SMALL_ANGLE,
              (force[axis, 1] - force[axis, 0]) / SMALL_ANGLE) for axis in range(2)]
    return np.array([row for row, _ in rows]), np.array([value for _, value in rows])


def _constrained_least_squares(left: np.ndarray, right: np.ndarray, fixed: np.ndarray,
                               value: np.ndarray) -> np.ndarray:
    """Return the x that minimizes abs(left x - right) subject to fixed x = value, by Lagrange multipliers."""
    size, constraints = left.shape[1], len(fixed)
    matrix = np.block([[left.T @ left, fixed.T], [fixed, np.zeros((constraints, constraints))]])
    found: np.ndarray = np.linalg.solve(matrix, np.concatenate((left.T @ right, value)))
    return found[:size]
