"""The directions and periods that coefficients of added resistance are given at, and what of each a block has."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...files.errors import InputError
from .wave_legs import WaveLegs

DIRECTIONS = (0.0, math.pi / 2.0, math.pi)   # rad off the bow: head, beam and following seas.
ALIKE = 1.2             # Ratio of the longest to the shortest period that share a column.
LEAST_WEIGHT = 1.0      # Blocks, by their weights, that a coefficient needs at least.
LEAST_RATIO = 1.3       # Of the highest to the lowest sea of a period, from which on heights differ.


class WaveNodes(NamedTuple):
    """Where coefficients stand: `directions` off the bow, rad, and `periods` of the peak, s, both rising."""

    directions: tuple[float, ...]
    periods: tuple[float, ...]

    @property
    def number(self) -> int:
        """How many coefficients there are."""
        return len(self.directions) * len(self.periods)

    @property
    def from_ahead(self) -> np.ndarray:
        """Of which coefficients the waves come from before the beam, where they cannot push, shape (number,)."""
        return np.repeat(np.array(self.directions) < 0.5 * math.pi, len(self.periods))

    def weights(self, legs: WaveLegs) -> np.ndarray:
        """Return what a block has of each coefficient, shape (blocks, number), rows by direction: linear between."""
        by_direction, by_period = _hats(legs.off_bow, self.directions), _hats(legs.period, self.periods)
        both: np.ndarray = by_direction[:, :, None] * by_period[:, None, :]
        return both.reshape(legs.force.size, self.number)


def _hats(at: np.ndarray, knots: Sequence[float]) -> np.ndarray:
    """Return the weights of values at knots, shape (n, knots), of straight lines between them, constant beyond."""
    return np.column_stack([np.interp(at, knots, row) for row in np.eye(len(knots))])


def wave_nodes(legs: WaveLegs, directions: Sequence[float] = DIRECTIONS, periods: Sequence[float] | None = None,
               ) -> WaveNodes:
    """
    Return the WaveNodes for blocks.

    :param legs: The WaveLegs.
    :param directions: Off the bow, rad, rising.
    :param periods: Of the peak, s, rising; None: those of the seas, of which those that are alike share one.
    :raises InputError: If all logs are calm.
    """
    high = legs.height > 0.0
    if not high.any():
        raise InputError('all logs are of calm water: what waves take needs logs of a sea')
    return WaveNodes(tuple(directions), tuple(periods) if periods is not None else _periods(legs.period[high]))


def _periods(periods: np.ndarray) -> tuple[float, ...]:
    """Return the mean periods of groups that are alike, parted where neighbours are furthest apart."""
    rising = np.sort(periods)
    if rising[-1] <= ALIKE * rising[0]:
        return (float(f'{rising.mean():.3g}'),)
    place = int(np.argmax(rising[1:] / rising[:-1])) + 1
    return (*_periods(rising[:place]), *_periods(rising[place:]))


def require_told(legs: WaveLegs, nodes: WaveNodes, drag_known: bool) -> None:
    """
    See whether blocks tell all coefficients.

    :param legs: The WaveLegs.
    :param nodes: The WaveNodes.
    :param drag_known: Whether the drag of calm water is known from elsewhere.
    :raises InputError: If logs cannot tell drag from waves, or a coefficient has no block: which, and what would do.
    """
    high = legs.height > 0.0
    if not drag_known and high.all() and not any(
            _differ(legs.height[rows]) for rows in (_hats(legs.period, nodes.periods) > 0.5).T if rows.any()):
        heights = legs.height
        raise InputError(
            f'the logs are of one sea state for each period (significant heights {heights.min():.2f} to '
            f'{heights.max():.2f} m): what waves take cannot be told from an error of the drag in calm water. Give a '
            'log of calm water, or of seas of the same period and another height, or say by --drag-error how well the '
            "drag of the boat's file is known, %")
    had = nodes.weights(legs)[high].sum(axis=0).reshape(len(nodes.directions), len(nodes.periods))
    missing = [f'{math.degrees(direction):.0f} deg and {period:g} s' for row, direction in zip(had, nodes.directions)
               for weight, period in zip(row, nodes.periods) if weight < LEAST_WEIGHT]
    if missing:
        met = ', '.join(f'{math.degrees(one):.0f}' for one in np.unique(np.round(legs.off_bow[high] * 6.0) / 6.0))
        raise InputError(
            f'no log meets waves from about {"; ".join(missing)} (off the bow: 0 ahead, 180 astern). The logs have '
            f'{met} deg. Go there and across, too, or leave these out by --directions or --periods')


def _differ(heights: np.ndarray) -> bool:
    return bool(heights.max() > LEAST_RATIO * heights.min())
