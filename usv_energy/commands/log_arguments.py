"""The arguments that say how logs are read, for the verbs that take several."""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace

from ..logs.log import WARNING, Log
from ..logs.quality import PUT_RIGHT
from ..logs.read_log import read_log
from .arguments import positive

CHOICES = ('odom', 'namespace', 'axes', 'twist', 'max_gap')


def add_log_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument('--columns', metavar='MAP', help='of a table: what its columns hold; a name in config/columns '
                                                         'or a YAML file')
    parser.add_argument('--odom', metavar='TOPIC', help='of a bag: the odometry, where there are several')
    parser.add_argument('--namespace', metavar='NS', help='of a bag: the boat, where there are several')
    parser.add_argument('--axes', choices=('enu', 'ned'), help='of a bag: axes of the odometry (enu)')
    parser.add_argument('--twist', choices=('body', 'world'), help="of a bag: frame of the odometry's twist (body)")
    parser.add_argument('--max-gap', type=positive, metavar='S',
                        help='longest time between samples that belong together, s (1)')
    parser.add_argument('--fix-signs', action='store_true',
                        help='put right what the log itself shows to be a wrong sign, and say so')


def read_logs(paths: Iterable[str], args: argparse.Namespace) -> list[Log]:
    """
    Return the logs at paths; what is suspected of them is said on stderr.

    :param paths: As `read_log` takes them.
    :param args: The arguments of `add_log_arguments`.
    :raises InputError: As `read_log`.
    """
    choices = {name: getattr(args, name) for name in CHOICES}
    logs: list[Log] = []
    for path in paths:
        log = read_log(path, args.columns, args.fix_signs, **choices)
        for note in log.notes:
            if note.level == WARNING or note.text.endswith(PUT_RIGHT):
                print(f'{path}: {note.text}', file=sys.stderr)
        names = [other.name for other in logs]
        logs.append(log if log.name not in names else replace(log, name=f'{log.name} ({len(logs) + 1})'))
    return logs
