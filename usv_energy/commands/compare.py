"""`usv-energy compare`: what changed between runs, by cause."""

import argparse
import sys
from pathlib import Path
from typing import Any

from ..files.errors import InputError
from .analyze import add_reading, request_of, say
from .arguments import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('runs', nargs='+', metavar='RUN',
                        help="a log as `analyze` takes it, analysed here, or the summary.json that `analyze` wrote, "
                             'taken as it is; the first is what the others are compared with')
    add_reading(parser)
    parser.add_argument('--out', type=Path, metavar='PNG', help='draw it')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Compare the runs; all that is to be read is looked for first."""
    from ..analysis.comparison import comparison_of, comparison_text, plot_comparison
    from ..files.json_file import check_target, write_json
    if len(args.runs) < 2:
        raise InputError('one run is given; a comparison needs two or more')
    check_target(args.json)
    check_target(None if args.out is None else str(args.out))
    for name in args.runs:
        if not Path(name).expanduser().exists():
            raise InputError(f'{name}: there is no such file or folder')
    runs = _named(args.runs, [_figures(name, args) for name in args.runs])
    print(comparison_text(runs), file=sys.stderr if args.json == '-' else sys.stdout)
    if args.json:
        write_json(comparison_of(runs), args.json)
    if args.out is not None:
        plot_comparison(runs, args.out)
        print(args.out, file=sys.stderr)
    return 0


def _figures(name: str, args: argparse.Namespace) -> dict[str, Any]:
    """Return the summary of a run: read, or of its log."""
    from ..analysis.comparison import read_summary
    path = Path(name).expanduser()
    if path.suffix == '.json':
        return read_summary(path)
    if path.is_dir() and (path / 'summary.json').is_file() and (path / 'report.html').is_file():
        return read_summary(path / 'summary.json')
    from ..analysis.analyze_log import analysed, boat_of
    from ..analysis.log_summary import energy_summary
    drive, _ = analysed(request_of(args, name, boat_of(name, args.boat)), say)
    return energy_summary(drive)


def _named(paths: list[str], runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the runs with names that differ: those that are called alike are called by their folders, too."""
    names = [str(run['name']) for run in runs]
    return [{**run, 'name': name if names.count(name) == 1 else f'{Path(path).resolve().parent.name}/{name}'}
            for path, name, run in zip(paths, names, runs)]
