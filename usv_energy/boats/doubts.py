"""What a boat's file says of how well its numbers are known: the `std` or `interval` beside each."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.numbers import given_numbers, row_of
from usv_energy.files import checked

NORMAL_95 = 1.959963984540054  # Standard deviations from the middle to the ends of a 95 % interval.


class Doubt(NamedTuple):
    """A number that is not known for certain: its path in the file, value, and standard deviation below and above."""

    name: str
    value: float
    below: float
    above: float

    def at(self, deviation: np.ndarray) -> np.ndarray:
        """Return the values at standard normal deviations: a normal distribution, of two halves where not symmetric."""
        return np.asarray(self.value + deviation * np.where(deviation > 0.0, self.above, self.below))


def bandable_numbers(boat: Boat) -> dict[str, Any]:
    """Return the numbers that a boat's file gives and that may be drawn, by path: bare or with a unit."""
    return {path: node for path, node in given_numbers(checked.read_with_base('boats', boat.path)) if row_of(path).band}


def doubts_of(boat: Boat) -> dict[str, Doubt]:
    """Return what a boat's file says of how well its numbers are known, by path."""
    return {path: _written(path, node) for path, node in bandable_numbers(boat).items()
            if isinstance(node, Mapping) and ('std' in node or 'interval' in node)}


def _written(path: str, node: Mapping[str, Any]) -> Doubt:
    """Return how well a number is known by what stands beside its value in the file."""
    value = float(node['value'])
    if 'std' in node:
        return Doubt(path, value, float(node['std']), float(node['std']))
    low, high = map(float, node['interval'])
    return Doubt(path, value, max(0.0, value - low) / NORMAL_95, max(0.0, high - value) / NORMAL_95)
