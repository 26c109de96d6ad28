"""The uncertainties in a boat file: the `std` or `interval` beside a number."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.numbers import given_numbers, row_of
from usv_energy.files import checked

NORMAL_95 = 1.959963984540054  # (-), half width of a 95 % interval in standard deviations of a normal distribution.


class UncertainNumber(NamedTuple):
    """An uncertain number: its path in the file, its value, and its standard deviations below and above the value."""

    name: str
    value: float
    below: float
    above: float

    def at(self, deviation: np.ndarray) -> np.ndarray:
        """Return the values at standard normal deviates; a split normal distribution if `below` is not `above`."""
        return np.asarray(self.value + deviation * np.where(deviation > 0.0, self.above, self.below))


def bandable_numbers(boat: Boat) -> dict[str, Any]:
    """Return the numbers of a boat file that may be uncertain, by path, with their entries: plain or with a unit."""
    return {path: node for path, node in given_numbers(checked.read_with_base('boats', boat.path)) if row_of(path).band}


def uncertain_numbers(boat: Boat) -> dict[str, UncertainNumber]:
    """Return the uncertain numbers of a boat file, by path."""
    return {path: _from_entry(path, node) for path, node in bandable_numbers(boat).items()
            if isinstance(node, Mapping) and ('std' in node or 'interval' in node)}


def _from_entry(path: str, node: Mapping[str, Any]) -> UncertainNumber:
    """Return the UncertainNumber of an entry with `std` or `interval` beside its value."""
    value = float(node['value'])
    if 'std' in node:
        return UncertainNumber(path, value, float(node['std']), float(node['std']))
    low, high = map(float, node['interval'])
    return UncertainNumber(path, value, max(0.0, value - low) / NORMAL_95, max(0.0, high - value) / NORMAL_95)
