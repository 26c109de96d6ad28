"""Fits of the model's forms, one after the other from the simplest on, with logs left out or with all of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...boats.boat_file import Boat
from .fit_parameters import SIMPLER, FitModel, model_of, scale_of
from .normal_equations import Nuisances
from .rollout_fit import COMPARED, CONVERGED, FitStart, RolloutFit, Say, fit_rollouts, silent
from .rollout_windows import Windows, windows_of
from .tracks import LogTrack
from .uncertainty import determined_by_data, uncertainty_of


class FitNumbers(NamedTuple):
    """What a fit found, by name: values of the parameters, and of each log current and wind, m/s, (4,)."""

    values: Mapping[str, float]
    flows: Mapping[str, np.ndarray]


def model_for(form: str, tracks: Sequence[LogTrack], boat: Boat) -> FitModel:
    """Return a form's model, its scale and the kind of thrust taken from some logs."""
    return model_of(form, boat, scale_of(tracks), any(track.nominal for track in tracks))


def fitted_forms(forms: Iterable[str], tracks: Sequence[LogTrack], boat: Boat, nuisances: Nuisances, horizon: float,
                 every: float) -> dict[str, RolloutFit]:
    """
    Return the fits of forms to some logs, each started from that of the form it adds to, where that is among them.

    :param forms: Simpler ones first.
    :param horizon: Of a window, s; `every`: time between the starts of windows, s.
    """
    windows = windows_of(tracks, horizon, every)
    fits: dict[str, RolloutFit] = {}
    for form in forms:
        model = model_for(form, tracks, boat)
        before = fits.get(SIMPLER.get(form, ''))
        start = None if before is None else start_from(numbers_of(before), model, windows)
        fits[form] = fit_rollouts(model, windows, start=start, nuisances=nuisances,
                                  tolerances=CONVERGED if start is None else COMPARED)
    return fits


def numbers_of(fit: RolloutFit) -> FitNumbers:
    """Return what another fit may start from."""
    return FitNumbers(dict(zip(fit.model.keys, fit.values.tolist())),
                      {one.track.name: flow for one, flow in zip(fit.windows, fit.flows)})


def ladder_to(form: str) -> tuple[str, ...]:
    """Return the forms that a form adds to, the simplest first, and itself."""
    return (*(ladder_to(SIMPLER[form]) if form in SIMPLER else ()), form)


def free_of(model: FitModel, kept: Sequence[str]) -> np.ndarray:
    """Return which parameters are fitted where some keep their priors' values, (parameters,)."""
    return np.array([key not in kept for key in model.keys])


def start_from(before: FitNumbers, model: FitModel, windows: Sequence[Windows], kept: Sequence[str] = ()) -> FitStart:
    """
    Return a fit's numbers as the start of another, of other logs or another form.

    :param kept: Parameters that keep their priors' values, as what is new has them.
    """
    values = [parameter.prior if parameter.key in kept else before.values.get(parameter.key, parameter.prior)
              for parameter in model.parameters]
    flows = [before.flows.get(one.track.name, np.zeros(4)) for one in windows]
    return FitStart(np.array(values, dtype=float), np.array(flows).reshape(-1, 4))


def fit_determined(model: FitModel, windows: Sequence[Windows], nuisances: Nuisances, say: Say = silent,
                   start: FitStart | None = None, kept: Sequence[str] = ()) -> RolloutFit:
    """
    Return a fit of all parameters that the data determine; the others keep their priors. As `fit_rollouts`.

    :param kept: Parameters that keep them in any case; a start has them.
    """
    found = fit_rollouts(model, windows, free_of(model, kept), start, nuisances, say)
    for _ in model.keys:
        determined = determined_by_data(found, uncertainty_of(found))
        if np.array_equal(determined, found.free):
            break
        values = np.where(determined, found.values, model.column('prior'))
        say('once more, with the prior of ' + ', '.join(key for key, yes in zip(model.keys, determined) if not yes))
        found = fit_rollouts(model, windows, determined, FitStart(values, found.flows, found.shifts), nuisances, say)
    return found
