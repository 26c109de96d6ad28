"""Distributions of the parameters of a Monte Carlo sweep, and samples of them, independent or joint."""

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.boats.correlation import JointNormals, joint_normals
from usv_energy.boats.numbers import may_vary, row_of
from usv_energy.boats.uncertain_numbers import UncertainNumber, uncertain_numbers
from usv_energy.files.errors import InputError

WORDS = 4  # Random words that Philox makes per count.


class DistributionKind(NamedTuple):
    """
    A kind of distribution: its numbers, those that must be above 0, and whether limits may truncate it.

    `of`: makes it from its numbers, with the quantile `ppf` and the distribution function `cdf`, as scipy.stats has
    them.
    """

    needs: tuple[str, ...]
    positive: tuple[str, ...]
    limited: bool
    of: Callable[..., Any]


class Distribution(NamedTuple):
    """A distribution: its kind, its numbers by name, and its distribution function at its limits."""

    kind: str
    numbers: dict[str, Any]
    below_min: float = 0.0
    below_max: float = 1.0

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """Return the quantiles of the truncated distribution for probabilities between 0 and 1, exclusive."""
        inner = self.below_min + share * (self.below_max - self.below_min)
        values: np.ndarray = _frozen(self.kind, self.numbers).ppf(inner)
        return np.asarray(np.clip(values, self.numbers.get('min', -math.inf), self.numbers.get('max', math.inf)))


def _frozen(kind: str, numbers: dict[str, Any]) -> Any:
    return KINDS[kind].of(**{name: numbers[name] for name in KINDS[kind].needs})


def distribution_from(plain: Mapping[str, Any], key: str) -> Distribution:
    """
    Return a distribution from its mapping in a sweep file.

    :param plain: `distribution` names the kind; `min` and `max` truncate it: values beyond them are excluded, and the
        density within keeps its shape.
    :param key: Its key, for error messages.
    :raises InputError: For an unknown kind, missing or unexpected numbers, or limits with nothing between them.
    """
    name = plain['distribution']
    if name not in KINDS:
        raise InputError(f'{key}.distribution is {name!r}; must be one of {", ".join(KINDS)}')
    kind = KINDS[name]
    numbers: dict[str, Any] = {number: value if isinstance(value, list) else float(value)
                               for number, value in plain.items() if number != 'distribution'}
    allowed = {*kind.needs, *(('min', 'max') if kind.limited else ())}
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
    if kind.limited:
        below_min, below_max = _frozen(name, numbers).cdf((numbers.get('min', -math.inf), numbers.get('max', math.inf)))
    if not below_max - below_min > 1e-9:
        raise InputError(f'{key}: the limits leave {below_max - below_min:.1e} of the distribution; must leave more '
                         'than 1e-9')
    return Distribution(name, numbers, float(below_min), float(below_max))


def uniform_numbers(seed: int, name: str, first: int, last: int) -> np.ndarray:
    """
    Return uniform random numbers between 0 and 1, exclusive, for samples `first` to before `last`.

    :param seed: Of the sweep, 0 to 2^64 - 1.
    :param name: Of the parameter; each has its own stream.

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


class _SplitNormal(NamedTuple):
    """Two halves of normal distributions that meet at the median."""

    median: float
    std_below: float
    std_above: float

    def ppf(self, share: np.ndarray) -> np.ndarray:
        from scipy.special import ndtri
        deviation = ndtri(share)
        return np.asarray(self.median + deviation * np.where(deviation > 0.0, self.std_above, self.std_below))


class _Choice(NamedTuple):
    """A choice among equally likely values."""

    values: list[float]

    def ppf(self, share: np.ndarray) -> np.ndarray:
        place = np.minimum((share * len(self.values)).astype(int), len(self.values) - 1)
        return np.asarray(np.array(self.values)[place], dtype=float)


def _stats(name: str, *shapes: float, loc: float = 0.0, scale: float = 1.0) -> Any:
    from scipy import stats
    return getattr(stats, name)(*shapes, loc=loc, scale=scale)


KINDS = {
    'normal': DistributionKind(('mean', 'std'), ('std',), True, lambda mean, std: _stats('norm', loc=mean, scale=std)),
    'split_normal': DistributionKind(('median', 'std_below', 'std_above'), ('std_below', 'std_above'), False,
                                     _SplitNormal),
    # sigma is that of the logarithm.
    'lognormal': DistributionKind(('median', 'sigma'), ('median', 'sigma'), True,
                                  lambda median, sigma: _stats('lognorm', sigma, scale=median)),
    'uniform': DistributionKind(('min', 'max'), (), False,
                                lambda min, max: _stats('uniform', loc=min, scale=max - min)),
    'triangular': DistributionKind(('min', 'mode', 'max'), (), False, lambda min, mode, max: _stats(
        'triang', (mode - min) / (max - min), loc=min, scale=max - min)),
    # Of wind speeds.
    'weibull': DistributionKind(('scale', 'shape'), ('scale', 'shape'), True,
                                lambda scale, shape: _stats('weibull_min', shape, scale=scale)),
    'choice': DistributionKind(('values',), (), False, _Choice),
}


ATTEMPTS = 500  # Most draws for a sample; the first one that is a valid boat is used.
TOGETHER = ('m23', 'd23', 'd32')  # Names of numbers whose limits depend on others.


@dataclass(frozen=True, eq=False)
class JointDraw:
    """
    The joint distribution of a boat's uncertain numbers: the numbers and their correlation.

    A sample depends only on the seed and on its index; each attempt has its own random stream.
    """

    boat: Boat
    doubts: tuple[UncertainNumber, ...]
    normals: JointNormals
    prefix: str = 'boat.'

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the numbers as sweeps name them."""
        return tuple(self.prefix + doubt.name for doubt in self.doubts)

    def drawn(self, path: str, seed: int, first: int, last: int) -> np.ndarray:
        """Return a number in samples `first` to before `last`. Raises InputError if hardly any draw is a valid boat."""
        return _samples(self, seed, first, last)[:, self.paths.index(path)]


def joint_draw(boat: Boat) -> JointDraw:
    """
    Return the JointDraw of the uncertain numbers in a boat's file.

    :raises InputError: If the file states no uncertainty.
    """
    doubts = tuple(doubt for path, doubt in uncertain_numbers(boat).items()
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
