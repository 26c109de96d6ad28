"""Samples of all that a boat's file says is not known of it, drawn jointly as its correlation says."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..boats.boat_file import Boat
from ..boats.boat_values import checked_boat_with
from ..boats.correlation import JointNormals, joint_normals
from ..boats.doubts import Doubt, doubts_of
from ..boats.numbers import may_vary, row_of
from ..files.errors import InputError
from .distributions import uniform_numbers

ATTEMPTS = 500  # Draws for a sample, at most, of which the first is taken that is a boat.
TOGETHER = ('m23', 'd23', 'd32')    # Names of numbers whose limits depend on others.


@dataclass(frozen=True, eq=False)
class JointDraw:
    """
    What is drawn of a boat: the Doubts of its file, and how they hang together.

    A sample depends on the seed and on its own number only: each attempt has a stream of its own.
    """

    boat: Boat
    doubts: tuple[Doubt, ...]
    normals: JointNormals
    prefix: str = 'boat.'

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the numbers as sweeps name them."""
        return tuple(self.prefix + doubt.name for doubt in self.doubts)

    def drawn(self, path: str, seed: int, first: int, last: int) -> np.ndarray:
        """Return a number in samples `first` to before `last`. Raises InputError if hardly any draw is a boat."""
        return _samples(self, seed, first, last)[:, self.paths.index(path)]


def joint_draw(boat: Boat) -> JointDraw:
    """
    Return the joint draw of what a boat's file says is not known of it.

    :raises InputError: If it says nothing of that.
    """
    doubts = tuple(doubt for path, doubt in doubts_of(boat).items()
                   if may_vary(row_of(path), boat.pack is not None) and max(doubt.below, doubt.above) > 0.0)
    if not doubts:
        raise InputError(f'{boat.path}: no number that a sweep may vary has a std or an interval: nothing to draw')
    return JointDraw(boat, doubts, joint_normals(boat.correlation, [doubt.name for doubt in doubts]))


@lru_cache(maxsize=2)
def _samples(joint: JointDraw, seed: int, first: int, last: int) -> np.ndarray:
    """Return the samples, (samples, numbers)."""
    from scipy.special import ndtri
    found = np.empty((last - first, len(joint.doubts)))
    missing = np.ones(last - first, bool)
    for attempt in range(ATTEMPTS):
        independent = np.column_stack([ndtri(uniform_numbers(seed, f'{joint.prefix}{number}|{attempt}', first, last))
                                       for number in range(joint.normals.size)])
        deviations = joint.normals.joined(independent)
        values = np.column_stack([doubt.at(one) for doubt, one in zip(joint.doubts, deviations.T)])
        good = missing & _are_boats(joint, values, missing)
        found[good] = values[good]
        missing &= ~good
        if not missing.any():
            return found
    raise InputError(f'{joint.boat.path}: its intervals hold hardly any boat that can be')


def _are_boats(joint: JointDraw, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    good = wanted.copy()
    for doubt, column in zip(joint.doubts, values.T):
        row = row_of(doubt.name)
        good &= np.array([not row.fault(value, value) for value in column.tolist()])
    if any(doubt.name.rpartition('.')[2] in TOGETHER for doubt in joint.doubts):
        for place in np.flatnonzero(good):
            try:
                checked_boat_with(joint.boat, dict(zip((one.name for one in joint.doubts), values[place].tolist())))
            except InputError:
                good[place] = False
    return good
