"""Which log is to be analysed and how, from what a person says and what a run's folder says of itself."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat, read_boat, require_motion
from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.parsed_text import read_json
from usv_energy.files.work import Progress, no_progress
from usv_energy.logs.autopilots.vehicle import refuse_other_vehicle
from usv_energy.logs.log import WARNING, Log, Note
from usv_energy.logs.read_log import read_log
from usv_energy.logs.thruster_readings import with_thrust_of_pulses
from usv_energy.powering.power import CONVENTIONS
from usv_energy.studies.analyze.analysed_log import AnalysedLog, analysed_log
from usv_energy.studies.analyze.current.current_estimate import (
    CurrentEstimate,
    current_of_thrusts,
    estimate_current,
    open_beside,
)
from usv_energy.studies.analyze.current.flow_along_log import FROM_THRUSTS, AnalysisOptions
from usv_energy.studies.analyze.log_actuators import as_identified, of_sure_thrusts, without_silent_thrusts
from usv_energy.studies.analyze.log_report import integrated, thruster_energy
from usv_energy.studies.analyze.thrust_mismatch import thrust_mismatch

DEFAULT = 'lutra_prop'
STEPS = 3       # Of an analysis: it is read, its current known, analysed.
FITS_BETTER = 0.9  # Share of what the thrusts ahead miss of the motion that a current that is found may leave.


@dataclass(frozen=True)
class LogRequest:
    """
    A log to be analysed, and how.

    `columns`: column map of a table; `choices`: of the reader (odom, namespace, axes, twist, max_gap); `fix_signs`:
    put right what the log itself shows to be a wrong sign; `any_vehicle`: take a log that says it was no boat, too;
    `boat_told`: whether somebody, or the log, said which boat it was; `knots`: find the current from the thrusts, so
    far apart, s (infinity: one current for all of the log); `log`: the log at the path, where it was read already.
    """

    path: str
    boat: Boat
    options: AnalysisOptions
    columns: str | None = None
    choices: dict[str, Any] = field(default_factory=dict)
    fix_signs: bool = False
    any_vehicle: bool = False
    boat_told: bool = True
    knots: float | None = None
    log: Log | None = None


def read_and_analyse(request: LogRequest, say: Callable[[str], None] = lambda text: None,
                     progress: Progress = no_progress) -> tuple[AnalysedLog, CurrentEstimate | None]:
    """
    Return a log analysed, and the estimate of its current where that is asked for; `say` tells what is being done.

    :param progress: Called with the number of steps that are done, and of all: it is read, its current known, analysed.
    :raises InputError: If the log cannot be read, was recorded on no boat or lacks what is needed; if less than half of
        its time can be integrated.
    """
    say(f'reading {request.path}')
    log = _read(request)
    progress(1, STEPS)
    if request.knots is None:
        found = analysed_in_current(log, request.boat, request.options, progress)
    else:
        say('estimating the current')
        estimate = estimate_current(of_sure_thrusts(log), request.boat, request.options, request.knots)
        progress(2, STEPS)
        found = _in_current(log, request.boat, request.options, estimate), estimate
    progress(STEPS, STEPS)
    return found


def analysed_in_current(log: Log, boat: Boat, options: AnalysisOptions, progress: Progress = no_progress,
                        ) -> tuple[AnalysedLog, CurrentEstimate | None]:
    """
    Return a log analysed, in the current that its thrusts tell where nobody says one, and that current.

    A current in which the thrusts ahead fit the motion no better than in still water explains a sway, or a heading,
    that is wrong, and is not taken. On one course it is: there only its part ahead counts, which the thrusts tell.

    :raises InputError: As `analysed_log`; if less than half of its time can be integrated.
    """
    estimate = current_of_thrusts(of_sure_thrusts(log), boat, options)
    progress(2, STEPS)
    if estimate is None:
        return integrated(analysed_log(log, boat, options)), None
    there = _in_current(log, boat, options, estimate)
    still = analysed_log(log, boat, options._replace(find_flow=False))
    if estimate.on_one_course:
        return there, estimate._replace(notes=tuple(
            note._replace(text=f'{note.text}; in still water it would be {still.energy.total:.1f} J',
                          figures={**note.figures, 'energy_still_j': still.energy.total}) for note in estimate.notes))
    before, after = (thrust_mismatch(one, thruster_energy(one)) for one in (still, there))
    if before is not None and after is not None and after.missed > FITS_BETTER * before.missed:
        return integrated(analysed_log(log, boat, options)), None
    return there, estimate


def _in_current(log: Log, boat: Boat, options: AnalysisOptions, estimate: CurrentEstimate) -> AnalysedLog:
    """Return a log analysed in a current that was estimated from its thrusts, with what is left open of the flow."""
    there, found = replace(log, current_x=estimate.x, current_y=estimate.y), ['current']
    if estimate.wind is not None:
        found.append('wind')
        east, north = estimate.wind[:2]
        there = replace(there, wind_x=np.full(len(log), east), wind_y=np.full(len(log), north))
    analysed = integrated(analysed_log(there, boat, options._replace(find_flow=False)))
    return replace(analysed, flow_sources={**analysed.flow_sources, **dict.fromkeys(found, FROM_THRUSTS)},
                   open_flow=open_beside(estimate, analysed))


def _read(request: LogRequest) -> Log:
    """Return the log that is asked for, with a note where nobody says which boat it was."""
    log = request.log
    if log is None:
        log = read_log(request.path, request.columns, request.fix_signs, **request.choices)
    if not request.any_vehicle:
        refuse_other_vehicle(log)
    if log.origin is None:
        log = replace(log, origin=_origin_of_run(request.path))
    log = without_silent_thrusts(as_identified(with_thrust_of_pulses(log, request.boat), request.boat), request.boat)
    if request.boat_told:
        return log
    return log.noted(Note(WARNING, 'boat_assumed', f'nothing says which boat it was: {request.boat.name} is taken; '
                          '--boat NAME or FILE says another (usv-energy list)'))


def boat_of(path: str, given: str | None, payload: float | None = None) -> Boat:
    """
    Return the boat to analyse a log with: the one that is given, else the one that a run's folder names.

    :param path: Of the log.
    :param given: Name or path of a boat file; None where nobody said.
    :param payload: Mass on board, kg; None leaves it to the run's folder, or the boat's file.
    :raises InputError: If there is none of that name.
    """
    if given is not None:
        boat = read_boat(given, payload=payload)
        require_motion(boat, 'the analysis of a log')
        return boat
    name = _value_of_run(path, 'boat') or DEFAULT
    aboard = _value_of_run(path, 'payload_kg')
    try:
        return read_boat(name, payload=float(aboard) if payload is None and aboard else payload)
    except InputError:
        raise InputError(f'{path}: was run with the boat {name}, which is no shipped one; say --boat') from None


def is_told(path: str, given: str | None) -> bool:
    """Return whether somebody, or a run's folder, says which boat a log is of; see `boat_of`."""
    return given is not None or bool(_value_of_run(path, 'boat'))


def convention_of(path: str, given: str | None) -> str:
    """Return the convention to analyse a log with: the one that is given, else a run's own, else rep103."""
    own = _value_of_run(path, 'convention')
    return given or (own if own in CONVENTIONS else 'rep103')


def drift_depth_of(path: str, given: float | None) -> float | None:
    """Return where the current holds the drift of waves, m: as given, else a run's own; None: it holds none."""
    own = _value_of_run(path, 'drift_depth_m')
    return float(own) if given is None and own else given


def drift_of_run(path: str, given: float | None) -> tuple[float, float] | None:
    """Return the drift of waves that a run's current holds, m/s (ENU), as its own folder has it; None if `given`."""
    told = [_value_of_run(path, f'drift_{way}_m_per_s') for way in ('east', 'north')]
    return (float(told[0]), float(told[1])) if given is None and all(told) else None


def _origin_of_run(path: str) -> Place | None:
    """Return where on the Earth a run's metres count from, as its own folder has it; None where it does not say."""
    told = [_value_of_run(path, f'origin_{name}_deg') for name in ('latitude', 'longitude')]
    return Place(float(told[0]), float(told[1])) if all(told) else None


def _value_of_run(path: str, key: str) -> str:
    """Return what the summary.json beside a log, or beside its folder, says; empty where there is none."""
    log = user_path(path)
    folder = log if log.is_dir() else log.parent
    for place in (folder, folder.parent):
        try:
            summary = read_json(place / 'summary.json', 'a summary')
        except InputError:
            continue
        if isinstance(summary, dict) and (summary.get(key) or summary.get(key) == 0.0):
            return str(summary[key])
    return ''
