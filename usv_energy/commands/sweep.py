"""`usv-energy sweep`: thousands of variants of a scenario."""

import argparse

from ..engine.ensemble import BACKENDS
from ..files.errors import InputError
from ..files.json_file import check_target
from ..files.locate import names
from ..files.whole_file import check_writable
from ..show.output import say, show_result
from ..show.pictures.sweep_picture import plot_sweep
from ..show.progress import ProgressLine
from ..show.text.sweep_text import sweep_text
from ..show.text_table import text_table
from ..sim.scenario import read_scenario
from ..sim.scenario_values import parameter_paths
from ..sweep.run_sweep import SweepOptions, chunks_folder, run_sweep
from ..sweep.sweep_file import Sweep, read_sweep
from ..sweep.sweep_summary import sweep_summary
from .arguments import file_or_stdout, file_path, picture_path, whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('sweep', nargs='?', metavar='SWEEP',
                        help=f'a sweep\'s YAML file, or the name of a shipped one: {", ".join(names("sweeps"))}')
    parser.add_argument('--out', type=file_path, metavar='FILE',
                        help='results as netCDF (FILE.nc) or zarr (FILE.zarr), for xarray; finished chunks are kept in '
                             'FILE.parts until it is whole, and the same command goes on from there')
    parser.add_argument('--json', type=file_or_stdout, metavar='FILE',
                        help='write the summary to FILE; - is stdout, the text then goes to stderr')
    parser.add_argument('--plot', type=picture_path, metavar='PNG', help='draw the results')
    parser.add_argument('--dask', metavar='WHERE', help='compute on a Dask cluster: tcp://HOST:PORT of its scheduler, '
                                                        'or local:N for N workers on this machine')
    parser.add_argument('--threads', type=whole_number(1), metavar='N', help='of a process (default: one a core)')
    parser.add_argument('--chunk', type=whole_number(1), metavar='N',
                        help='runs that are computed and kept together; a sweep that goes on keeps its own')
    parser.add_argument('--backend', choices=BACKENDS, default='auto', help='(%(default)s: numba if installed)')
    parser.add_argument('--restart', action='store_true', help='compute everything anew, whatever is there')
    parser.add_argument('--parameters', metavar='SCENARIO', help='only list what may vary in a scenario, with units')


def execute(args: argparse.Namespace) -> int:
    """Run the sweep, or go on with it; print its summary."""
    if args.parameters is not None:
        paths = parameter_paths(read_scenario(args.parameters))
        print('\n'.join(text_table([[path, quantity.unit] for path, quantity in paths.items()])))
        return 0
    if args.sweep is None:
        raise InputError('which sweep? Give a YAML file or the name of a shipped one; --help says more')
    if args.out is None:
        raise InputError('--out is missing: FILE.nc or FILE.zarr, where the results are to go')
    check_target(args.plot)
    sweep = read_sweep(args.sweep)
    if args.out.absolute().parent.is_dir():
        check_writable(args.out.absolute().parent)
    for name, flow in sweep.flows.items():
        error = flow.error_against(getattr(sweep.scenario, name))
        say(f'{name}: on a grid of {flow.grid.nx} x {flow.grid.ny} nodes; off by at most {error:.2g} m/s at random '
            'points')
    _run(sweep, args)
    summary = sweep_summary(sweep, args.out)
    if args.plot is not None:
        plot_sweep(sweep, args.out, summary, args.plot)
    show_result(sweep_text(summary), summary, args.json)
    return 0


def _run(sweep: Sweep, args: argparse.Namespace) -> None:
    line, done = ProgressLine('runs', quiet=0.0), list[int]()

    def progress(runs: int, number: int) -> None:
        if not done:
            say(f'going on: {runs} of {number} runs are there' if runs else f'{number} runs')
        done.append(runs)
        line(runs, number)

    options = SweepOptions(args.chunk, args.backend, args.threads, args.dask, args.restart)
    try:
        if not run_sweep(sweep, args.out, options, args.command_line, progress):
            say(f'{args.out} is whole already; --restart computes it anew')
    except BaseException:
        line.end()
        if done and done[-1]:
            say(f'usv-energy: {done[-1]} of {sweep.number} runs are in {chunks_folder(args.out)}; the same command '
                'goes on from there')
        raise
