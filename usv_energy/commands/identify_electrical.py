"""`usv-energy identify-electrical`: electrical power from thruster commands, with errors on data not used."""

import argparse
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..files.errors import InputError
from .arguments import add_json, positive
from .log_arguments import add_log_arguments, read_logs

PICTURE, REPORT = 'electrical.png', 'electrical.txt'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('logs', nargs='+', metavar='LOG',
                        help='bags, tables (CSV) or ArduPilot logs (.bin) with volts and amperes, and thrusts or '
                             'commands')
    add_log_arguments(parser)
    parser.add_argument('--validate', nargs='+', default=[], metavar='LOG', help='logs to judge on, never fitted')
    parser.add_argument('--split', action='store_true',
                        help='besides, fit each half of the log and judge on the other')
    parser.add_argument('--use', choices=('thrust', 'command'),
                        help='what to fit to (thrust, N, where the log has it, else command, us)')
    parser.add_argument('--boat', default='lutra_prop', help='name or YAML file that the new boat is based on '
                                                             '(%(default)s)')
    parser.add_argument('--full-command', type=positive, default=400.0, metavar='US',
                        help='distance from neutral at which a thruster gives its full thrust, for the boat file where '
                             'only commands are known (%(default)g)')
    parser.add_argument('--out', type=Path, metavar='YAML', help='write the boat file')
    parser.add_argument('--report', type=Path, metavar='DIR', help=f'write DIR/{{{PICTURE},{REPORT}}}')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Fit, judge, and write what is asked for; all input is checked first."""
    from ..boats.boat_file import read_boat
    from ..files.json_file import check_target, write_json
    from ..files.whole_file import check_writable, write_text
    from ..identify.electrical.electrical_result import electrical_summary, electrical_text, plot_electrical
    for target in (args.json, args.out):
        check_target(None if target is None else str(target))
    if args.report is not None:
        check_writable(args.report)
    if args.split and len(args.logs) > 1:
        raise InputError(f'--split is of one log; there are {len(args.logs)}')
    boat = read_boat(args.boat)
    result = _result(args)
    text, summary = electrical_text(result), electrical_summary(result, boat)
    print(text, file=sys.stderr if args.json == '-' else sys.stdout)
    if args.json:
        write_json(summary, args.json)
    if args.out is not None:
        _write_boat(args, result, boat)
    if args.report is not None:
        write_text(f'{text}\n', args.report / REPORT)
        plot_electrical(result, args.report / PICTURE)
    return 0


def _result(args: argparse.Namespace) -> Any:
    from ..identify.electrical.electrical_result import Result
    from ..identify.electrical.map_choice import both_halves, identified, score
    from ..identify.electrical.power_map import data_of
    logs, others = read_logs(args.logs, args), read_logs(args.validate, args)
    use = args.use or ('thrust' if all(log.known('thrust') for log in (*logs, *others)) else 'command')
    data = tuple(data_of(log, use) for log in logs)
    judged = {log.name: data_of(log, use) for log in others}
    counts = {log.name: len(log.thrusters) for log in (*logs, *others)}
    if len(set(counts.values())) > 1:
        raise InputError('the logs have different numbers of thrusters: '
                         + ', '.join(f'{name} {count}' for name, count in counts.items()))
    _say(f'fitting {sum(len(part.fresh) for part in data)} measurements')
    power_map, _ = identified(data)
    same_clock = len(data) == 1
    halves = []
    if args.split:
        _say('fitting each half')
        halves = both_halves(logs[0], use)
    return Result(power_map, use, tuple(log.name for log in logs), data, score(power_map, data, same_clock),
                  {name: score(power_map, [part], False) for name, part in judged.items()}, halves)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _write_boat(args: argparse.Namespace, result: Any, boat: Any) -> None:
    from ..boats.write_boat import write_boat
    from ..files.locate import names
    from ..identify.electrical.electrical_result import boat_document
    shipped = args.boat in names('boats')
    provenance = {'date': f'{datetime.now(UTC):%Y-%m-%d}', 'data': [str(Path(log)) for log in args.logs],
                  'validated_on': [str(Path(log)) for log in args.validate],
                  'command': shlex.join(['usv-energy', *sys.argv[1:]])}
    document = boat_document(result, boat, args.boat if shipped else str(boat.path.resolve()), args.out.stem,
                             args.full_command, provenance)
    write_boat(document, args.out, 'Written by usv-energy identify-electrical.')
    _say(f'boat file: {args.out}' + ('' if result.use == 'thrust' else
                                     f' (thrust of a command is assumed, see losses.source; --full-command '
                                     f'{args.full_command:g})'))
