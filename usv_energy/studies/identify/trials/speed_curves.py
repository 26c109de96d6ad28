"""Forms of a curve of electrical power over speed, from which `identify speed-power` chooses by evidence."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

EXPONENTS, GUESS = (1.0, 5.0), 2.5
KNOTS = 4       # Of the form with a table, evenly over the speeds.


class Curve(NamedTuple):
    """
    A form of the curve: the first of its numbers is the hotel load, W.

    `size`: how many numbers it has; `power`: W, of the numbers and speeds through water, m/s; `low`, `high`: bounds of
    the numbers beside the hotel load; `start`: those numbers for the most power, W, at the fastest speed, m/s;
    `formula`: the numbers in words.
    """

    name: str
    size: int
    power: Callable[[np.ndarray, np.ndarray], np.ndarray]
    low: tuple[float, ...]
    high: tuple[float, ...]
    start: Callable[[float, float], tuple[float, ...]]
    formula: Callable[[np.ndarray], str]


def _law(numbers: np.ndarray, speed: np.ndarray) -> np.ndarray:
    found: np.ndarray = numbers[0] + numbers[1] * speed ** numbers[2]
    return found


def _law_words(numbers: np.ndarray) -> str:
    return f'{numbers[0]:.4g} + {numbers[1]:.4g} v^{numbers[2]:.3f} W'


def _law_start(most: float, fastest: float) -> tuple[float, float]:
    return 0.7 * most / fastest ** GUESS, GUESS


LAW = Curve('law', 3, _law, (0.0, EXPONENTS[0]), (np.inf, EXPONENTS[1]), _law_start, _law_words)


def with_waves(speeds: np.ndarray, coefficients: np.ndarray) -> Curve:
    """
    Return the law with the power against a hull's waves in addition.

    :param speeds: Of the wave-making resistance, m/s, rising.
    :param coefficients: The resistance over the square of the speed, N s^2/m^2.
    """
    def power(numbers: np.ndarray, speed: np.ndarray) -> np.ndarray:
        found: np.ndarray = _law(numbers, speed) + numbers[3] * speed ** 3 * np.interp(speed, speeds, coefficients)
        return found

    def start(most: float, fastest: float) -> tuple[float, ...]:
        factor, exponent = _law_start(0.5 * most, fastest)
        at_most = fastest ** 3 * float(np.interp(fastest, speeds, coefficients))
        return factor, exponent, 0.3 * most / max(at_most, 1e-9)

    return Curve('law and waves', 4, power, (*LAW.low, 0.0), (*LAW.high, np.inf), start,
                 lambda numbers: f'{_law_words(numbers)} and {numbers[3]:.3g} times speed and wave-making resistance')


def table(slowest: float, fastest: float) -> Curve:
    """Return the hotel load and the cube of the speed times what goes in straight lines between speeds, m/s."""
    knots = np.linspace(slowest, fastest, KNOTS)

    def power(numbers: np.ndarray, speed: np.ndarray) -> np.ndarray:
        found: np.ndarray = numbers[0] + speed ** 3 * np.interp(speed, knots, numbers[1:])
        return found

    return Curve('table', KNOTS + 1, power, (0.0,) * KNOTS, (np.inf,) * KNOTS,
                 lambda most, top: (0.7 * most / top ** 3,) * KNOTS,
                 lambda numbers: f'{numbers[0]:.4g} W and v^3 times ' + ', '.join(
                     f'{value:.4g} at {knot:.2f}' for knot, value in zip(knots, numbers[1:])) + ' m/s')
