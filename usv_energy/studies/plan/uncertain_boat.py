"""
The uncertainty of a boat's numbers, from the intervals in its file, and boats drawn at random from it.

A number of a boat file may have a `std` (its standard deviation, in its unit) or an `interval` (`[low, high]`, 95 %).
The file's `correlation` correlates them; numbers that it does not name are independent. A draw that is not a valid
boat (a drag below 0) is repeated, so the joint distribution is truncated at the limits.
"""

from collections.abc import Iterator, Mapping
from statistics import NormalDist

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_values import UncertainNumber, bandable_numbers, checked_boat_with, uncertain_numbers
from usv_energy.boats.correlation import joint_normals
from usv_energy.boats.numbers import BOAT_NUMBERS, row_of
from usv_energy.files import checked
from usv_energy.files.errors import InputError

SEED = 20210917
QUANTILE = np.vectorize(NormalDist().inv_cdf, otypes=[float])   # 0.1 s faster to load than scipy's.
TRIES = 500                    # draws per boat, at most, as some are not valid boats


def read_doubts(boat: Boat, given: Mapping[str, str] | None = None) -> list[UncertainNumber]:
    """
    Return the uncertain numbers of a boat, as its file or the user gives them.

    :param given: By the user: dotted path to a standard deviation, in the number's unit or as '5%'.
    :raises InputError: For a path that is not such a number of the boat, or a wrong deviation.
    """
    numbers, found = bandable_numbers(boat), uncertain_numbers(boat)
    known = [path for path, row in BOAT_NUMBERS.items() if row.band]
    for name, text in (given or {}).items():
        try:
            row = row_of(name, known)
        except InputError as error:
            raise InputError(f'--std: {error}') from None
        value = checked.values_of(numbers.get(name, row.default))
        if not row.band or value is None or not _exists(name, boat):
            raise InputError(f'--std {name}: {boat.path} gives no such number to draw; it gives: {", ".join(numbers)}')
        std = _deviation(text, float(value), name)
        found[name] = UncertainNumber(name, float(value), std, std)
    return [doubt for doubt in found.values() if doubt.below > 0.0 or doubt.above > 0.0]


def _exists(path: str, boat: Boat) -> bool:
    """Return whether the thruster or load that a path names exists; true for other paths."""
    parts = path.split('.')
    return parts[0] not in ('thrusters', 'loads') or (
        parts[1].isdigit() and int(parts[1]) < len(getattr(boat.vessel, parts[0])))


def _deviation(text: str, value: float, name: str) -> float:
    share = text.strip().endswith('%')
    try:
        number = float(text.strip().removesuffix('%'))
    except ValueError:
        number = -1.0
    if not 0.0 <= number < 1e12:
        raise InputError(f'--std {name} is {text!r}; must be a number from 0 on, in the unit of {name}, or like 5%')
    return abs(value) * number / 100.0 if share else number


def drawn_boats(boat: Boat, doubts: list[UncertainNumber], number: int, seed: int = SEED) -> Iterator[Boat]:
    """
    Yield boats whose uncertain numbers are drawn jointly; a draw that is not a valid boat is repeated.

    :raises InputError: If hardly any draw is a valid boat.
    """
    found, reason = 0, InputError('all draws are beyond the limits of the numbers')
    for values in _draws(boat, doubts, number, seed):
        if found == number:
            return
        try:
            yield checked_boat_with(boat, values)
            found += 1
        except InputError as error:
            reason = error
    if found < number:
        raise InputError(f'{boat.path}: its intervals hold hardly any boat that can be: {reason}')


def _draws(boat: Boat, doubts: list[UncertainNumber], number: int, seed: int) -> Iterator[dict[str, float]]:
    """Yield the numbers of each draw in which every number is within its limits."""
    rng = np.random.default_rng(seed)
    normals = joint_normals(boat.correlation, [doubt.name for doubt in doubts])
    rows = [row_of(doubt.name) for doubt in doubts]
    for attempt in range(TRIES):
        independent = (QUANTILE(_latin_hypercube(rng, number, normals.size)) if attempt == 0
                       else rng.standard_normal((number, normals.size)))
        deviations = normals.joined(independent)
        drawn = np.column_stack([doubt.at(deviation) for doubt, deviation in zip(doubts, deviations.T)])
        for values in drawn.tolist():
            faults = (row.fault(value, value) for row, value in zip(rows, values))
            if attempt == TRIES - 1 or not any(faults):     # The last draws are yielded anyway, for the error's reason.
                yield dict(zip((doubt.name for doubt in doubts), values))


def _latin_hypercube(rng: np.random.Generator, number: int, parameters: int) -> np.ndarray:
    """Return shares, (number, parameters), the middles of strata. Source: McKay et al. (1979)."""
    strata = np.array([rng.permutation(number) for _ in range(parameters)]).reshape(parameters, number)
    return np.asarray((strata.T + 0.5) / number)
