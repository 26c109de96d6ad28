"""
A boat in waves, for steady motions: the sea state from the user's text, the boat in it, and the sea as text.

The uncertainty of a boat's numbers, from the intervals in its file, and boats drawn at random from it.

A number of a boat file may have a `std` (its standard deviation, in its unit) or an `interval` (`[low, high]`, 95 %).
The file's `correlation` correlates them; numbers that it does not name are independent. A draw that is not a valid
boat (a drag below 0) is repeated, so the joint distribution is truncated at the limits.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_values import UncertainNumber, bandable_numbers, checked_boat_with, uncertain_numbers
from usv_energy.boats.correlation import joint_normals
from usv_energy.boats.numbers import BOAT_NUMBERS, row_of
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names, user_path
from usv_energy.flow.flow_file import read_flow
from usv_energy.phrases import compass_words, sea_phrase
from usv_energy.physics.waves.added_resistance import SeaAlong, WaveEstimate, stawave1_coefficient
from usv_energy.show.text_table import compass, degrees

STAWAVE1 = 'stawave-1'
ESTIMATES = (STAWAVE1,)
CALM = 'calm'
DENSITY = 1025.0  # kg/m^3, of sea water, for the estimate
HOW = '`0.3 m 2.5 s from SW`, or HS,TP,TOWARDS: significant height m, period of the peak s, and where the waves run ' \
      'to, degrees counter-clockwise from east, as 0.3,2.5,45'
FOR_SHIPS = ('Added resistance is an estimate, STAWAVE-1 (ITTC 7.5-04-01-01.1), made for ships of over 100 m: waves '
             'from up to 45 degrees off the bow alone, all others counted as nothing. For a boat it is an order of '
             'magnitude')


def sea_state_of(text: str, name: str, uniform: bool = False) -> tuple[float, float, float]:
    """
    Return the sea state in a text: Hs, m, Tp, s, and the direction to which waves run, rad (ENU).

    :param text: As `0.3 m 2.5 s from SW`, or three numbers with commas, or the name or path of a flow file of water
        with `waves`; if these vary in place and time, the values at the world's origin at time 0 are taken.
    :param name: Of the option, for the error.
    :param uniform: Whether waves that vary in place and time are refused.
    :raises InputError: If it is neither, or the file has no waves there.
    """
    if (said := sea_phrase(text, name)) is not None:
        if not said[1] > 0.0 or said[0] < 0.0:
            raise InputError(f'{name} is {text!r}; must be {HOW}, the height from 0 on, the period above 0')
        return said
    try:
        height, period, towards = map(float, text.split(','))
    except ValueError:
        if text not in names('flows') and not user_path(text).is_file():
            raise InputError(f'{name} is {text!r}; must be {HOW}; or {CALM}, or a flow file with waves') from None
        return _state_of_file(text, name, uniform)
    if not (math.isfinite(height) and math.isfinite(period) and math.isfinite(towards) and height >= 0.0
            and period > 0.0):
        raise InputError(f'{name} is {text!r}; must be {HOW}: finite numbers, the height from 0 on, the period above 0')
    return height, period, math.radians(towards)


def sea_of_option(text: str | None) -> tuple[float, float, float] | None:
    """Return the sea state in the text of an option --sea of a log; height 0 for calm water; None without a text."""
    if text is None:
        return None
    return (0.0, 1.0, 0.0) if text == CALM else sea_state_of(text, '--sea')


def _state_of_file(text: str, name: str, uniform: bool) -> tuple[float, float, float]:
    flow = read_flow(text)
    try:
        if flow.waves is None:
            raise InputError(f'{name} is {text!r}, a flow without waves; must be one of water with waves, or {HOW}')
        if uniform and flow.waves.local is not None:
            raise InputError(f'{name} is {text!r}, whose waves differ by place and time; must be a sea that is the '
                             f'same everywhere: {HOW}, or a flow file of regular or irregular waves')
        state = flow.sea_state(0.0, 0.0, 0.0)
    finally:
        flow.close()
    if not all(map(math.isfinite, state)):
        raise InputError(f'{name} is {text!r}, whose waves have no value at 0, 0 at time 0; must be {HOW}')
    return state


def boat_in_sea(boat: Boat, state: tuple[float, float, float], estimate: str | None = None) -> Boat:
    """
    Return a boat whose steady motions are in a sea.

    :param state: From `sea_state_of`.
    :param estimate: One of ESTIMATES, for a boat whose file has no coefficients of waves; None: none.
    :raises InputError: For a boat without coefficients and without an estimate, with both, or without the numbers that
        the estimate needs.
    """
    if estimate is not None and boat.waves is not None:
        raise InputError(f'{boat.path}: has its own coefficients, waves; an estimate ({estimate}) is for boats without')
    if boat.power_curve is not None:
        raise InputError(f'{boat.path}: a sea needs a boat whose drag is known; this one is known by its power over '
                         'speed alone')
    if boat.waves is not None:
        return replace(boat, vessel=boat.vessel._replace(sea=SeaAlong(*state, boat.waves)))
    if estimate is None:
        raise InputError(f'{boat.path}: says nothing of its added resistance in waves; give it waves (docs/waves.md), '
                         f'or, where the estimate is offered, --wave-estimate {STAWAVE1} (of a node the parameter '
                         'wave_estimate), made for ships')
    if estimate not in ESTIMATES:
        raise InputError(f'--wave-estimate is {estimate!r}; must be {", ".join(ESTIMATES)}')
    for key in ('width', 'bow_length'):
        if getattr(boat.hull, key) is None:
            raise InputError(f'{boat.path}: has no hull.{key}; {STAWAVE1} needs hull.width and hull.bow_length, in m')
    assert boat.hull.width is not None and boat.hull.bow_length is not None
    coefficient = stawave1_coefficient(boat.hull.width, boat.hull.bow_length, DENSITY)
    return replace(boat, vessel=boat.vessel._replace(sea=SeaAlong(*state, WaveEstimate(coefficient))))


def sea_line(sea: SeaAlong) -> str:
    """Return the sea state and the source of the added resistance, as one line."""
    return f'Sea: {sea_words(sea)}'


def sea_words(sea: SeaAlong) -> str:
    """Return the sea state and the source of the added resistance."""
    source = ('the estimate STAWAVE-1, made for ships' if isinstance(sea.resistance, WaveEstimate)
              else "the boat file's coefficients")
    return (f'Hs {sea.height:g} m, Tp {sea.period:g} s, from {compass_words(sea.towards + math.pi)}; '
            f'added resistance by {source}')


def sea_notes(sea: SeaAlong | None) -> list[str]:
    """Return a warning if the added resistance is an estimate, as lines; none with the boat's own coefficients."""
    return [f'{FOR_SHIPS}.'] if sea is not None and isinstance(sea.resistance, WaveEstimate) else []


def sea_figures(sea: SeaAlong) -> dict[str, Any]:
    """Return the sea for JSON: units in the keys."""
    estimated = isinstance(sea.resistance, WaveEstimate)
    return {'significant_height_m': sea.height, 'peak_period_s': sea.period,
            'towards_deg': degrees(sea.towards), 'from_compass_deg': compass(sea.towards + math.pi),
            'added_resistance': 'stawave-1' if estimated else 'boat_file', 'made_for_ships': estimated}


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
