"""Identify a boat from logs: choose the form, fit it, and find its errors on fitted and on other logs, and warnings."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.hull_speed import PLANING, speed_of_froude
from usv_energy.files.errors import InputError
from usv_energy.files.work import cores
from usv_energy.logs.log import Log
from usv_energy.logs.thruster_readings import with_thrust_of_pulses
from usv_energy.studies.identify.rollout import form_choice
from usv_energy.studies.identify.rollout.fit_parameters import scale_of
from usv_energy.studies.identify.rollout.fit_warnings import fit_warnings
from usv_energy.studies.identify.rollout.form_choice import (
    JUDGED_EVERY,
    FitWork,
    RolloutErrors,
    SquaredErrors,
    fit_determined,
    ladder_to,
    model_for,
    rollout_errors,
    squared_errors,
    start_from,
)
from usv_energy.studies.identify.rollout.identification_result import AUTO, FitSettings, Identification, residual_tests
from usv_energy.studies.identify.rollout.rollout import best_roll
from usv_energy.studies.identify.rollout.rollout_fit import FitStart, RolloutFit, Say, fit_rollouts, silent
from usv_energy.studies.identify.rollout.rollout_windows import windows_of
from usv_energy.studies.identify.rollout.tracks import LogTrack, limits_at_rest, track_of
from usv_energy.studies.identify.rollout.uncertainty import uncertainty_of


def identify(logs: Sequence[Log], boat: Boat, validation: Sequence[Log], settings: FitSettings,
             say: Say = silent) -> Identification:
    """
    Identify a boat.

    :param logs: For the fit.
    :param boat: The base boat: priors, thrusters' places, windage.
    :param validation: Logs that are only used for errors.
    :raises InputError: If a log lacks something or is given twice, nothing moves in them, or none of the validation
        logs is as long as a roll-out.
    """
    _refuse_twice([*logs, *validation])
    logs, validation = ([with_thrust_of_pulses(log, boat) for log in some] for some in (logs, validation))
    tracks = [track_of(log, boat) for log in logs]
    others = [track_of(log, boat) for log in validation]
    horizon = settings.horizon
    if others and not any(len(track.starts(track.samples_in(horizon), JUDGED_EVERY)) for track in others):
        raise InputError(f'{", ".join(track.name for track in others)}: to validate with, but no stretch of '
                         f'{horizon:g} s with known motion and thrust')
    work = FitWork(settings.nuisances, horizon, settings.workers or cores(), say)
    refuse_planing(boat, scale_of(tracks).speed)
    windows = windows_of(tracks, horizon)
    best_roll()     # Compile before the worker processes are forked.
    compared = form_choice.compared_forms(tracks, boat, work) if settings.form == AUTO else None
    form = form_choice.best_form(compared.trials) if compared else settings.form
    if compared:
        boat, compared = form_choice.without_waves(form, tracks, boat, work, compared)
        work = work._replace(kept=form_choice.kept_priors(form, tracks, boat, work, compared))
    model = model_for(form, tracks, boat)
    say(f'fit of the form {form}')
    # The thirds of a single log have other currents than the whole log.
    start = start_from(compared.numbers[form], model, windows, work.kept) if compared and len(tracks) > 1 else None
    found = fit_determined(model, windows, settings.nuisances, say, start, work.kept)
    limits = limits_at_rest(tracks)
    seen = squared_errors(tracks, model, found.values, limits, horizon, found.flows)
    left_out: list[SquaredErrors] = []
    if settings.leave_one_out:
        parts = form_choice.parts_for_comparison(tracks)
        unseen = compared or form_choice.compared_forms(tracks, boat, work, ladder_to(form))
        left_out = form_choice.held_out_errors(form, parts, boat, work, unseen.unseen[form])
    halves = _with_current(others, found, limits, horizon) if settings.currents else []
    result = Identification(
        settings, tuple(tracks), found, uncertainty_of(found), tuple(compared.trials if compared else ()),
        errors=_each_and_all(squared_errors(tracks, model, found.values, limits, horizon)),
        with_current=rollout_errors(seen), left_out=_each_and_all(left_out),
        validation=_each_and_all(squared_errors(others, model, found.values, limits, horizon)),
        validation_current=tuple(halves), tests=residual_tests(found))
    return replace(result, warnings=fit_warnings(result, logs, validation))


def refuse_planing(boat: Boat, fastest: float) -> None:
    """Raise InputError if a hull of the base's length planes at a speed of the logs, m/s."""
    planes = speed_of_froude(boat, PLANING)
    if fastest > planes:
        raise InputError(f'{boat.path}: hull.length is {boat.hull.length:g} m, and the logs go up to {fastest:.2f} '
                         f'm/s: above {planes:.2f} m/s (Froude {PLANING:g}) such a hull planes, which no form of drag '
                         'describes; give the length of the boat of the logs, or logs of slower motion')


def _refuse_twice(logs: Sequence[Log]) -> None:
    """Raise InputError if a log is given twice, under any name: a fit for its held-out errors would have used it."""
    for one, other in itertools.combinations(logs, 2):
        if (len(one) == len(other) and one.start == other.start and np.array_equal(one.time, other.time)
                and np.array_equal(one.u, other.u, equal_nan=True) and np.array_equal(one.r, other.r, equal_nan=True)):
            raise InputError(f'{one.path} and {other.path} hold the same samples; give each log once: '
                             'errors on a log that the fit has seen prove nothing')


def _each_and_all(rows: Sequence[SquaredErrors]) -> tuple[RolloutErrors, ...]:
    """Return each log's errors and those of all logs together; nothing if there is no log."""
    return (*(rollout_errors([row], row.name) for row in rows), rollout_errors(rows)) if rows else ()


def _with_current(tracks: Sequence[LogTrack], found: RolloutFit, limits: tuple[float, float],
                  horizon: float) -> list[RolloutErrors]:
    """Return the errors on the logs' second halves, without and with the current found in their first halves."""
    without, with_it = [], []
    for track in tracks:
        first, second = track.parts(2)
        samples = track.samples_in(horizon)
        if not len(first.starts(samples, 1.0)) or not len(second.starts(samples, 1.0)) or np.any(track.flow[:, :2]):
            continue
        windows = windows_of([first], horizon, moving_only=False)
        only = fit_rollouts(found.model, windows, np.zeros(len(found.values), bool),
                            FitStart(found.values, np.zeros((1, 4))), found.nuisances)
        without += squared_errors([second], found.model, found.values, limits, horizon)
        with_it += squared_errors([second], found.model, found.values, limits, horizon, only.flows)
    return [rollout_errors(without, 'half of them, no current'),
            rollout_errors(with_it, 'half, current of the other half')] if without else []
