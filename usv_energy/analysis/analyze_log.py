"""From a path and what a person says of it to an analysed log: one way in for `analyze` and `compare`."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..boats.boat_file import Boat, read_boat
from ..files.errors import InputError
from ..logs.read_log import read_log
from ..physics.power import CONVENTIONS
from .current_estimate import CurrentEstimate, estimate_current
from .log_energy import Drive, Options, drive_of

DEFAULT = 'lutra_prop'
ALIKE = ('samples', 'bag')  # Names of files and folders that say nothing of what is in them.


@dataclass(frozen=True)
class Request:
    """
    What is to be analysed.

    `choices`: of the reader (odom, namespace, axes, twist); `columns`: column map of a table; `fix_signs`: put right
    what the log itself shows to be a wrong sign; `estimate`: None, or the time between knots of the current, s (inf:
    one current).
    """

    path: str
    boat: Boat
    options: Options
    columns: str | None = None
    choices: dict[str, Any] = field(default_factory=dict)
    fix_signs: bool = False
    estimate: float | None = None


def analysed(request: Request, say: Callable[[str], None] = lambda text: None) -> tuple[Drive, CurrentEstimate | None]:
    """
    Return a log's drive, and the estimate of its current where that is asked for.

    :param request: What is to be analysed.
    :param say: Called with what is being done.
    :raises InputError: If the log cannot be read or lacks what is needed.
    """
    say(f'reading {request.path}')
    log = read_log(request.path, request.columns, request.fix_signs, **request.choices)
    if request.estimate is None:
        return drive_of(log, request.boat, request.options), None
    say('estimating the current')
    estimate = estimate_current(log, request.boat, request.options,
                                None if request.estimate == float('inf') else request.estimate)
    drive = drive_of(replace(log, current_x=estimate.x, current_y=estimate.y), request.boat, request.options)
    return replace(drive, sources={**drive.sources, 'current': 'estimated from the thrusts'}), estimate


def boat_of(path: str, given: str | None) -> Boat:
    """
    Return the boat to analyse a log with: the one that is given, else the one that a run's folder names.

    :param path: Of the log.
    :param given: Name or path of a boat file; None where nobody said.
    :raises InputError: If there is none of that name.
    """
    if given is not None:
        return read_boat(given)
    name = _told_of(path, 'boat') or DEFAULT
    try:
        return read_boat(name)
    except InputError:
        raise InputError(f'{path}: was run with the boat {name}, which is no shipped one; say --boat') from None


def convention_of(path: str, given: str | None) -> str:
    """Return the convention to analyse a log with: the one that is given, else a run's own, else rep103."""
    own = _told_of(path, 'convention')
    return given or (own if own in CONVENTIONS else 'rep103')


def _told_of(path: str, key: str) -> str:
    """Return what the summary.json beside a log, or beside its folder, says; empty where there is none."""
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    for place in (folder, folder.parent):
        try:
            told = json.loads((place / 'summary.json').read_text(encoding='utf-8'))
        except (OSError, ValueError):
            continue
        if isinstance(told, dict) and told.get(key):
            return str(told[key])
    return ''


def name_of(drive: Drive) -> str:
    """Return what a log is called: its file's name, or the folder's where all are named alike."""
    path = drive.log.path.resolve()
    while path.stem in ALIKE or path.name.endswith(('_0.mcap', '_0.db3')):
        path = path.parent
    return path.stem if path.is_file() else path.name
