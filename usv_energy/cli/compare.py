"""`usv-energy compare`: what changed between runs, by cause."""

import argparse
from functools import partial

from usv_energy.cli.analyze import add_reading, request_of
from usv_energy.cli.arguments import add_json, picture_path
from usv_energy.files.text_file import check_target
from usv_energy.show.terminal import list_files, say_on_terminal, show_result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('runs', nargs='+', metavar='RUN',
                        help="a log as `analyze` takes it, analysed here, or the summary.json that `analyze` wrote, "
                             'taken as it is; the first is what the others are compared with')
    add_reading(parser)
    parser.add_argument('--out', type=picture_path, metavar='PNG', help='draw it')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Compare the runs; all inputs are checked first."""
    from usv_energy.api.recordings import ComparisonResult
    from usv_energy.studies.compare.comparison import figures_of_runs
    check_target(args.out)
    runs = ComparisonResult(tuple(figures_of_runs(args.runs, partial(request_of, args), say_on_terminal)))
    show_result(runs.text(), runs.figures(), args.json)
    if args.out is not None:
        from usv_energy.studies.compare.comparison import plot_comparison
        plot_comparison(runs.runs, args.out)
        list_files(args.out)
    return 0
