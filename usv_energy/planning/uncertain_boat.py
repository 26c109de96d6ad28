"""
What is not known for certain of a boat: the intervals in its file, and boats drawn from them.

A number of a boat file may say how well it is known: `std` (its standard deviation, in its unit) or `interval`
(`[low, high]`, 95 %). Numbers are drawn independently of each other: a file does not say how they hang together.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from ..boats.boat_file import Boat, boat_from
from ..files import checked
from ..files.errors import InputError

NORMAL_95 = 1.959963984540054  # Standard deviations from the middle to the ends of a 95 % interval.
SEED = 20210917
TRIES = 20                     # Draws for each boat that is wanted, at most: some may be no boat (a drag below 0).


class Doubt(NamedTuple):
    """A number that is not known for certain: its path in the file, value, and standard deviation below and above."""

    path: tuple[str | int, ...]
    value: float
    below: float
    above: float

    @property
    def name(self) -> str:
        """The path with dots."""
        return '.'.join(map(str, self.path))


def doubts_of(document: Mapping[str, Any], given: Mapping[str, str] | None = None) -> list[Doubt]:
    """
    Return what a boat's file, or its user, says of how well its numbers are known.

    :param document: The file's content, its base laid under it.
    :param given: By the user: dotted path to a standard deviation, in the number's unit or as '5%'.
    :raises InputError: For a path that is no number of the file, or a deviation that is none.
    """
    found = {doubt.path: doubt for doubt in _written(document, ())}
    for name, text in (given or {}).items():
        path = tuple(int(part) if part.isdigit() else part for part in name.split('.'))
        value = _number_at(document, path, name)
        std = _deviation(text, value, name)
        found[path] = Doubt(path, value, std, std)
    return [doubt for doubt in found.values() if doubt.below > 0.0 or doubt.above > 0.0]


def _written(node: Any, path: tuple[str | int, ...]) -> Iterator[Doubt]:
    if isinstance(node, Mapping) and 'value' in node:
        value = node['value']
        if 'std' in node:
            yield Doubt(path, float(value), float(node['std']), float(node['std']))
        elif 'interval' in node:
            low, high = map(float, node['interval'])
            yield Doubt(path, float(value), max(0.0, value - low) / NORMAL_95, max(0.0, high - value) / NORMAL_95)
        return
    pairs = node.items() if isinstance(node, Mapping) else enumerate(node) if isinstance(node, list) else ()
    for key, inner in pairs:
        if isinstance(inner, Mapping | list):
            yield from _written(inner, (*path, key))


def _number_at(document: Any, path: tuple[str | int, ...], name: str) -> float:
    node = document
    for key in path:
        inside = (isinstance(node, Mapping) and key in node) or (
            isinstance(node, list) and isinstance(key, int) and key < len(node))
        if not inside:
            there = ', '.join(map(str, node)) if isinstance(node, Mapping) else f'{len(node)} entries' if isinstance(
                node, list) else 'a plain value'
            raise InputError(f'--std {name}: the boat file has no {key!r} there; there is: {there}')
        node = node[key]
    value = node.get('value') if isinstance(node, Mapping) else node
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f'--std {name}: is no number of the boat file')
    return float(value)


def _deviation(text: str, value: float, name: str) -> float:
    share = text.strip().endswith('%')
    try:
        number = float(text.strip().removesuffix('%'))
    except ValueError:
        number = -1.0
    if not 0.0 <= number < 1e12:
        raise InputError(f'--std {name} is {text!r}; must be a number from 0 on, in the unit of {name}, or like 5%')
    return abs(value) * number / 100.0 if share else number


def read_doubts(boat: Boat, given: Mapping[str, str] | None = None) -> tuple[dict[str, Any], list[Doubt]]:
    """
    Return a boat's file and what it, or its user, says of how well its numbers are known.

    :raises InputError: As `doubts_of`.
    """
    document = checked.read_with_base('boats', boat.path)
    return document, doubts_of(document, given)


def drawn_boats(boat: Boat, document: Mapping[str, Any], doubts: list[Doubt], number: int,
                seed: int = SEED) -> Iterator[Boat]:
    """
    Yield boats whose doubtful numbers are drawn from a normal distribution, of two halves where it is not symmetric.

    A draw that is no boat (a drag below 0) is drawn again.

    :param boat: The Boat.
    :param document: The content of its file.
    :param doubts: What is not certain.
    :param number: How many boats.
    :param seed: Of the generator.
    :raises InputError: If hardly any draw is a boat.
    """
    rng = np.random.default_rng(seed)
    made = 0
    for deviations in _deviations(rng, number, len(doubts)):
        if made == number:
            return
        changed = deepcopy(dict(document))
        for doubt, deviation in zip(doubts, deviations):
            _put(changed, doubt.path, doubt.value + deviation * (doubt.above if deviation > 0.0 else doubt.below))
        try:
            drawn = boat_from(changed, boat.path)
        except InputError as error:
            reason = error
            continue
        made += 1
        yield drawn
    if made < number:
        raise InputError(f'{boat.path}: its intervals hold hardly any boat that can be: {reason}')


def _deviations(rng: np.random.Generator, number: int, parameters: int) -> Iterator[list[float]]:
    """
    Yield standard normal numbers for each draw: first a Latin hypercube, then, for draws lost, as many as may be.

    Source: McKay, Beckman, Conover (1979), the middles of its strata.
    """
    from scipy.special import ndtri
    strata = np.array([rng.permutation(number) for _ in range(parameters)]).reshape(parameters, number)
    yield from ndtri((strata.T + 0.5) / number).tolist()
    for _ in range((TRIES - 1) * number):
        yield rng.standard_normal(parameters).tolist()


def _put(document: dict[str, Any], path: tuple[str | int, ...], value: float) -> None:
    node: Any = document
    for key in path[:-1]:
        node = node[key]
    at = node[path[-1]]
    node[path[-1]] = {**at, 'value': value} if isinstance(at, dict) else value
