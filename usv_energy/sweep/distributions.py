"""
Distributions of a Monte Carlo's parameters, and samples of them that depend on seed, parameter and sample number only.

Sample number n of a parameter is the distribution's quantile at the n-th number of a counter-based generator, so that
neither the size of a chunk, nor the order of the work, nor another parameter of the sweep changes it.
"""

import hashlib
import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..files.errors import InputError

WORDS = 4  # Random words that Philox makes of one count.


class Distribution(NamedTuple):
    """A distribution: its kind, its numbers by name, and the shares of it that lie below its limits."""

    kind: str
    numbers: dict[str, Any]
    below_min: float
    below_max: float

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """Return the values that shares, 0 to 1 and neither, of the distribution within its limits do not exceed."""
        inner = self.below_min + share * (self.below_max - self.below_min)
        values = KINDS[self.kind].quantile(inner, self.numbers)
        return np.clip(values, self.numbers.get('min', -math.inf), self.numbers.get('max', math.inf))


class Kind(NamedTuple):
    """A kind of distribution: the numbers that it needs, its quantile, and its shares if it may have limits."""

    needs: tuple[str, ...]
    quantile: Callable[[np.ndarray, dict[str, Any]], np.ndarray]
    share: Callable[[float, dict[str, Any]], float] | None
    positive: tuple[str, ...] = ()


def distribution_from(plain: Mapping[str, Any], key: str) -> Distribution:
    """
    Return a distribution from its mapping in a sweep file.

    :param plain: `distribution` names the kind; `min` and `max` are limits: what lies beyond is left out, and what is
        within keeps its proportions (a truncated distribution, not one with heaps at the limits).
    :param key: What it is called in an error.
    :raises InputError: For an unknown kind, missing or needless numbers, or limits with nothing between them.
    """
    name = plain['distribution']
    if name not in KINDS:
        raise InputError(f'{key}.distribution is {name!r}; must be one of {", ".join(KINDS)}')
    kind = KINDS[name]
    numbers: dict[str, Any] = {number: value if isinstance(value, list) else float(value)
                               for number, value in plain.items() if number != 'distribution'}
    allowed = {*kind.needs, *(('min', 'max') if kind.share is not None else ())}
    for missing in sorted(set(kind.needs) - set(numbers)):
        raise InputError(f'{key} lacks the key {missing!r}; a {name} distribution needs: {", ".join(kind.needs)}')
    for needless in sorted(set(numbers) - allowed):
        raise InputError(f'{key}.{needless} has no meaning for a {name} distribution; it takes: '
                         f'{", ".join(sorted(allowed))}')
    for low in kind.positive:
        if not numbers[low] > 0.0:
            raise InputError(f'{key}.{low} is {numbers[low]:g}; must be greater than 0')
    _check_order(numbers, key)
    below_min, below_max = 0.0, 1.0
    if kind.share is not None:
        below_min = kind.share(numbers['min'], numbers) if 'min' in numbers else 0.0
        below_max = kind.share(numbers['max'], numbers) if 'max' in numbers else 1.0
    if not below_max - below_min > 1e-9:
        raise InputError(f'{key}: the limits leave {below_max - below_min:.1e} of the distribution; must leave more '
                         'than 1e-9')
    return Distribution(name, numbers, below_min, below_max)


def uniform_numbers(seed: int, name: str, first: int, last: int) -> np.ndarray:
    """
    Return the numbers, evenly spread between 0 and 1 and neither of them, of samples `first` to before `last`.

    :param seed: Of the sweep, 0 to 2^64 - 1.
    :param name: Of the parameter: each has a stream of its own.

    Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011): Philox4x64-10.
    """
    stream = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), 'little')
    generator = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64))
    generator.advance(first // WORDS)
    skipped = first % WORDS
    words = generator.random_raw(skipped + last - first)[skipped:]
    return ((words >> np.uint64(11)).astype(float) + 0.5) * 2.0 ** -53


def _check_order(numbers: Mapping[str, Any], key: str) -> None:
    ordered = [(name, numbers[name]) for name in ('min', 'mode', 'max') if name in numbers]
    for (low_name, low), (high_name, high) in pairwise(ordered):
        strict = {low_name, high_name} == {'min', 'max'}
        if low > high or (strict and low == high):
            raise InputError(f'{key}.{high_name} is {high:g}; must be {"greater than" if strict else "at least"} '
                             f'{low_name}, {low:g}')
    if 'mode' in numbers and numbers['min'] == numbers['max']:
        raise InputError(f'{key}.max is {numbers["max"]:g}; must be greater than min')
    if 'values' in numbers and not (isinstance(numbers['values'], list) and numbers['values']):
        raise InputError(f'{key}.values must be a list of numbers')


def _normal(share: np.ndarray, n: dict[str, Any]) -> np.ndarray:
    from scipy.special import ndtri
    return n['mean'] + n['std'] * ndtri(share)


def _normal_share(value: float, n: dict[str, Any]) -> float:
    return 0.5 * math.erfc((n['mean'] - value) / (n['std'] * math.sqrt(2.0)))


def _lognormal(share: np.ndarray, n: dict[str, Any]) -> np.ndarray:
    from scipy.special import ndtri
    return n['median'] * np.exp(n['sigma'] * ndtri(share))


def _lognormal_share(value: float, n: dict[str, Any]) -> float:
    if value <= 0.0:
        return 0.0
    return 0.5 * math.erfc(-math.log(value / n['median']) / (n['sigma'] * math.sqrt(2.0)))


def _uniform(share: np.ndarray, n: dict[str, Any]) -> np.ndarray:
    return n['min'] + share * (n['max'] - n['min'])


def _triangular(share: np.ndarray, n: dict[str, Any]) -> np.ndarray:
    span, rise, fall = n['max'] - n['min'], n['mode'] - n['min'], n['max'] - n['mode']
    return np.where(share * span < rise, n['min'] + np.sqrt(share * span * rise),
                    n['max'] - np.sqrt((1.0 - share) * span * fall))


def _weibull(share: np.ndarray, n: dict[str, Any]) -> np.ndarray:
    return n['scale'] * (-np.log1p(-share)) ** (1.0 / n['shape'])


def _weibull_share(value: float, n: dict[str, Any]) -> float:
    return -math.expm1(-(max(value, 0.0) / n['scale']) ** n['shape'])


def _choice(share: np.ndarray, n: dict[str, Any]) -> np.ndarray:
    values = np.array(n['values'], dtype=float)
    return values[np.minimum((share * values.size).astype(int), values.size - 1)]


KINDS = {
    'normal': Kind(('mean', 'std'), _normal, _normal_share, ('std',)),
    'lognormal': Kind(('median', 'sigma'), _lognormal, _lognormal_share, ('median', 'sigma')),  # sigma of the logarithm
    'uniform': Kind(('min', 'max'), _uniform, None),
    'triangular': Kind(('min', 'mode', 'max'), _triangular, None),
    'weibull': Kind(('scale', 'shape'), _weibull, _weibull_share, ('scale', 'shape')),          # of wind speeds
    'choice': Kind(('values',), _choice, None),                                                 # each as likely
}
