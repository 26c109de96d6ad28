"""Arguments for reading logs, and functions of the verbs that read logs."""

import argparse
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from usv_energy.cli.arguments import positive
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target, check_writable
from usv_energy.show.terminal import say

if TYPE_CHECKING:
    from usv_energy.logs.log import Log


def add_log_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for reading logs."""
    parser.add_argument('--columns', metavar='MAP',
                        help='of a table: what its columns hold, a name in config/columns or a YAML file')
    parser.add_argument('--odom', metavar='TOPIC', help='of a bag: the odometry, where there are several')
    parser.add_argument('--namespace', metavar='NS', help='of a bag: the boat, where there are several')
    parser.add_argument('--axes', choices=('enu', 'ned'),
                        help='of a bag: axes of the odometry (as its frame is named, else enu)')
    parser.add_argument('--twist', choices=('body', 'world'), help="of a bag: frame of the odometry's twist (body)")
    parser.add_argument('--system', type=int, metavar='ID', help='of a .tlog: the vehicle, where there are several')
    parser.add_argument('--any-vehicle', action='store_true', help='take a log that says it was no boat, too')
    parser.add_argument('--max-gap', type=positive, metavar='S',
                        help='longest time between samples that belong together, and are integrated over, s (three '
                             'periods of the log, at least 1)')
    parser.add_argument('--fix-signs', action='store_true',
                        help='put right what the log itself shows to be a wrong sign, and say so')


def reader_choices(args: argparse.Namespace) -> dict[str, Any]:
    """Return the given choices for `read_log` by the names of its parameters."""
    choices = {name: getattr(args, name) for name in ('odom', 'namespace', 'axes', 'twist', 'system', 'max_gap')}
    return {name: value for name, value in choices.items() if value is not None}


def read_logs(paths: Iterable[str], args: argparse.Namespace) -> 'list[Log]':
    """
    Return the logs at paths, read by the arguments of `add_log_arguments`; warnings are printed on stderr.

    :raises InputError: As `read_log`.
    """
    from usv_energy.logs.autopilots.vehicle import refuse_other_vehicle
    from usv_energy.logs.log import WARNING
    from usv_energy.logs.quality import PUT_RIGHT
    from usv_energy.logs.read_log import read_log
    logs: list[Log] = []
    for path in paths:
        log = read_log(path, args.columns, args.fix_signs, **reader_choices(args))
        if not args.any_vehicle:
            refuse_other_vehicle(log)
        for note in log.notes:
            if note.level == WARNING or note.text.endswith(PUT_RIGHT):
                say(f'{path}: {note.text}')
        names = [other.name for other in logs]
        logs.append(log if log.name not in names else replace(log, name=f'{log.name} ({len(logs) + 1})'))
    return logs


def check_outputs(json_target: str | None, boat_file: Path | None, folder: Path | None) -> None:
    """
    Check before an identification that its outputs can be written; None is no output.

    :raises InputError: If one cannot: the file and the reason.
    """
    check_target(json_target)
    if boat_file is not None:
        if boat_file.suffix not in ('.yaml', '.yml'):
            raise InputError(f'--out {boat_file}: must end in .yaml')
        check_target(str(boat_file))
    if folder is not None:
        check_writable(folder)


def provenance_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the date and the command, for the identification section of a boat file."""
    return {'date': f'{datetime.now(UTC):%Y-%m-%d}', 'command': args.command_line}
