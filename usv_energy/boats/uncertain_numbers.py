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
    """
    Return the numbers of a boat that may be uncertain, by path, with their entries: plain or with a unit.

    They are its file's; the hotel load, payload or battery that options gave the boat is as doubtful as the file's own.
    """
    given = {path: _as_fitted_out(boat, path, node)
             for path, node in given_numbers(checked.read_with_base('boats', boat.path)) if row_of(path).band}
    return {path: node for path, node in given.items() if node is not None}


def _as_fitted_out(boat: Boat, path: str, node: Any) -> Any:
    """Return an entry with the boat's value in place of the file's; None of a battery that has no such number."""
    part, name = row_of(path).fields[:2]
    owner = {'hull': boat.hull, 'battery': boat.battery_sheet}.get(part, boat.vessel if path == 'static_load' else None)
    if owner is None:
        return node
    own = getattr(owner, name)
    if own is None or not isinstance(node, Mapping):
        return own
    moved = {'interval': [float(end) + own - float(node['value']) for end in node['interval']]} if (
        'interval' in node) else {}
    return {**node, 'value': own, **moved}


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
