"""
The least value of a function of few numbers, by the simplex search of Nelder and Mead.

It takes the same steps as scipy.optimize.minimize(method='Nelder-Mead'), whose import takes longer than a fit here.
"""

from collections.abc import Callable

import numpy as np

REFLECTION, EXPANSION, CONTRACTION, SHRINKING = 1.0, 2.0, 0.5, 0.5


class _SpentError(Exception):
    """The function was asked as often as is allowed."""


def least(function: Callable[[np.ndarray], float], simplex: np.ndarray, apart: float, differing: float,
          most: int) -> np.ndarray:
    """
    Return the best place found, shape (n,).

    :param function: Of a place, (n,).
    :param simplex: Corners to begin with, shape (n + 1, n).
    :param apart: The search ends where no corner is further than this from the best one, in any number, and
    :param differing: no value differs by more than this from the best.
    :param most: Calls of the function at most.

    Source: Nelder and Mead (1965), A simplex method for function minimization, Computer Journal 7.
    """
    corners = np.array(simplex, dtype=float)
    values = np.full(len(corners), np.inf)
    calls = 0

    def value_at(place: np.ndarray) -> float:
        nonlocal calls
        if calls >= most:
            raise _SpentError
        calls += 1
        return function(place.copy())

    try:
        for number, corner in enumerate(corners):
            values[number] = value_at(corner)
        corners, values = _sorted(corners, values)
        while calls < most and (np.abs(corners[1:] - corners[0]).max() > apart
                                or np.abs(values[0] - values[1:]).max() > differing):
            _step(corners, values, value_at)
            corners, values = _sorted(corners, values)
    except _SpentError:
        corners, values = _sorted(corners, values)
    best: np.ndarray = corners[0]
    return best


def _step(corners: np.ndarray, values: np.ndarray, value_at: Callable[[np.ndarray], float]) -> None:
    """Replace the worst corner by a better one, or draw all of them towards the best."""
    middle = corners[:-1].sum(axis=0) / (len(corners) - 1)

    def along(share: float) -> np.ndarray:
        place: np.ndarray = (1.0 + share) * middle - share * corners[-1]
        return place

    reflected = along(REFLECTION)
    there = value_at(reflected)
    if there < values[0]:
        expanded = along(REFLECTION * EXPANSION)
        further = value_at(expanded)
        corners[-1], values[-1] = (expanded, further) if further < there else (reflected, there)
    elif there < values[-2]:
        corners[-1], values[-1] = reflected, there
    else:
        outside = there < values[-1]
        contracted = along(CONTRACTION * REFLECTION if outside else -CONTRACTION)
        nearer = value_at(contracted)
        if nearer <= there if outside else nearer < values[-1]:
            corners[-1], values[-1] = contracted, nearer
        else:
            for number in range(1, len(corners)):
                corners[number] = corners[0] + SHRINKING * (corners[number] - corners[0])
                values[number] = value_at(corners[number])


def _sorted(corners: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(values)
    return corners[order], values[order]
