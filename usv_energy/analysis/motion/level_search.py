"""Noise and roughness of a stream, found in small portions: one trial now and then, on what came last."""

import math
from collections.abc import Sequence

import numpy as np

from .jerk_prior import Knots
from .measured_series import Measured
from .noise_levels import RATIOS, ROUGHNESS
from .series_estimate import Levels, fit_of

FIRST_STEP, LEAST_STEP, LARGEST_STEP = 0.8, 0.05, 1.0
BETTER, WORSE = 1.5, 0.5    # How a step grows and shrinks.
LEAST_NOISE = 1e-6          # Of any series, in its unit: with less a window of few samples is all but singular.
HARDLY = 0.1                # Of twice the log likelihood: less is no reason to go on.


class LevelSearch:
    """
    Goes, trial by trial, to the levels that make the measurements of a window likeliest.

    It walks along one logarithm at a time, of each noise and of the roughness, as Hooke and Jeeves (1961) do: a step
    that helps is kept and made longer, one that does not is turned round, then made shorter.
    """

    def __init__(self, noise: Sequence[float], roughness: float) -> None:
        """Begin with standard deviations, each in its series' unit, and a spectral density of the jerk."""
        self._place = np.log([*noise, roughness])
        self._step = np.full(self._place.size, FIRST_STEP)
        self._turned = np.zeros(self._place.size, dtype=bool)
        self._next = 0

    @property
    def levels(self) -> Levels:
        """The levels found so far."""
        *noise, roughness = np.exp(self._place)
        return Levels(tuple(float(one) for one in noise), float(roughness))

    def try_once(self, knots: Knots, series: Sequence[Measured]) -> None:
        """Try one step of one of the levels on a window of measurements."""
        axis = self._next
        self._next = (axis + 1) % self._place.size
        trial = self._place.copy()
        trial[axis] += -self._step[axis] if self._turned[axis] else self._step[axis]
        if not self._allowed(trial):
            self._refuse(axis)
        elif self._misfit(trial, knots, series) < self._misfit(self._place, knots, series) - HARDLY:
            self._place = trial
            self._step[axis] = min(BETTER * self._step[axis], LARGEST_STEP)
        else:
            self._refuse(axis)

    def _refuse(self, axis: int) -> None:
        self._turned[axis] = not self._turned[axis]
        if not self._turned[axis]:
            self._step[axis] = max(WORSE * self._step[axis], LEAST_STEP)

    def _allowed(self, place: np.ndarray) -> bool:
        ratios, roughness = place[1:-1] - place[0], place[-1] - 2.0 * place[0]
        return bool(ROUGHNESS[0] <= roughness <= ROUGHNESS[1] and (np.abs(ratios) <= RATIOS[1]).all()
                    and place[0] > math.log(LEAST_NOISE) and (place[1:-1] > math.log(0.999 * LEAST_NOISE)).all())

    @staticmethod
    def _misfit(place: np.ndarray, knots: Knots, series: Sequence[Measured]) -> float:
        *noise, roughness = np.exp(place)
        return fit_of(knots, series, noise, np.full(knots.time.size - 1, roughness)).misfit
