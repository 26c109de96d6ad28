"""
Which electrical map to believe: form, dead band, delay, lag and hotel load by cross-validation, and held-out errors.

Everything is chosen on the logs of the fit, by the error on stretches that are left out of it, never by fit alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...logs.log import Log
from .power_map import (
    HOTELS,
    MAP_FORMS,
    STEADY,
    TWO_SIDED,
    MapForm,
    PowerData,
    PowerMap,
    data_of,
    fitted_map,
    predicted_power,
)

DELAYS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)  # s
LAGS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8)  # s
DEAD_BANDS = (0.0, 0.04, 0.08)  # Shares of the largest command.
FOLDS = 4
WORTH = 0.02  # Share of the least error that a form with fewer parameters may be worse by.


class MapScore(NamedTuple):
    """How a map does on data: R2 (-), root mean square error W, energy error (-), measurements."""

    r2: float
    rmse: float
    energy: float
    measurements: int


def map_score(power_map: PowerMap, parts: Sequence[PowerData], same_clock: bool = True) -> MapScore:
    """Return how a map does on data; arguments as `predicted`."""
    power = np.concatenate([part.power[part.fresh] for part in parts])
    error = np.concatenate([predicted_power(power_map, part, same_clock) for part in parts]) - power
    spread = float(np.sum((power - power.mean())**2))
    return MapScore(1.0 - float(error @ error) / spread if spread else np.nan, float(np.sqrt(np.mean(error**2))),
                 float(error.sum() / power.sum()), len(power))


def stretches(data: PowerData, count: int) -> list[PowerData]:
    """Return the same log with the measurements of one stretch of it each, in order; all see all commands."""
    return [data._replace(fresh=rows) for rows in np.array_split(data.fresh, count)]


def chosen_form(parts: Sequence[PowerData], span: float) -> MapForm:
    """
    Return the form with the least error on stretches left out of its fit.

    Delay and lag first, for a two-sided map; then form, dead band and hotel load, of which the one with the fewest
    parameters is taken among those that are as good as the best within 2 %.

    :param parts: The PowerData of each log.
    :param span: As `fitted_map`.
    """
    start = MapForm(TWO_SIDED, 0.0, 0.0, 0.0, STEADY)
    timings = [start._replace(delay=delay, lag=lag) for delay in DELAYS for lag in LAGS]
    tried = {form: _left_out_error(parts, form, span) for form in timings}
    best = min(tried, key=lambda form: tried[form])
    hotels = HOTELS if len(parts) == 1 else (STEADY,)  # Several logs have no common clock to drift along.
    for form in (best._replace(form=form, dead_band=dead_band, hotel=hotel)
                 for form in MAP_FORMS for dead_band in DEAD_BANDS for hotel in hotels):
        tried[form] = tried.get(form) or _left_out_error(parts, form, span)
    ranked = sorted(tried.items(), key=lambda item: item[1])
    good = [form for form, error in ranked if error <= (1.0 + WORTH) * ranked[0][1]]
    return min(good, key=_parameters)


def _parameters(form: MapForm) -> int:
    """Return how many choices a form leaves to the data, more or less: of forms, dead bands and hotel loads."""
    return 2 * MAP_FORMS.index(form.form) + int(form.dead_band > 0.0) + 2 * HOTELS.index(form.hotel)


def _left_out_error(parts: Sequence[PowerData], form: MapForm, span: float) -> float:
    """
    Return the error on stretches left out, (-): of the power over its spread, plus of the energy over the energy.

    The one is what a plot of the power shows, the other what a battery feels; neither says the other.
    """
    folds = [stretches(part, FOLDS) for part in parts]
    errors, energies = [], []
    for left in range(FOLDS):
        fitted = fitted_map([fold for own in folds for number, fold in enumerate(own) if number != left], form, span)
        for own in folds:
            error = predicted_power(fitted, own[left]) - own[left].power[own[left].fresh]
            errors.append(error)
            energies.append(error.mean())
    power = np.concatenate([part.power[part.fresh] for part in parts])
    of_power = float(np.sqrt(np.mean(np.concatenate(errors)**2))) / max(float(power.std()), 1e-9)
    return of_power + float(np.sqrt(np.mean(np.square(energies)))) / max(float(power.mean()), 1e-9)


def identified_map(parts: Sequence[PowerData]) -> PowerMap:
    """Return the map of the best form; the argument as `chosen_form` takes it."""
    span = max(float(np.abs(part.drive).max()) for part in parts)
    return fitted_map(parts, chosen_form(parts, span), span)


def both_halves(log: Log, use: str | None = None) -> list[tuple[PowerMap, MapScore]]:
    """
    Return the map of each half of a log, with everything chosen on that half alone, and its score on the other.

    :param log: The Log.
    :param use: As `data_of`.
    :raises InputError: As `data_of`, for a half.
    """
    whole = data_of(log, use)
    middle = float(log.time[whole.fresh[len(whole.fresh) // 2]])
    halves = [data_of(log.between(begin, end), use) for begin, end in ((-np.inf, middle), (middle, np.inf))]
    results = []
    for own, other in (halves, halves[::-1]):
        power_map = identified_map([own])
        results.append((power_map, map_score(power_map, [other])))
    return results
