"""`usv-energy sweep`: run thousands of variants of a scenario."""

import argparse
import json
from dataclasses import replace

from usv_energy.cli.arguments import add_outputs, check_data, file_or_stdout
from usv_energy.cli.boat_options import add_battery, say_battery, scenario_with_outfit
from usv_energy.cli.quantities import whole_number
from usv_energy.engine.ensemble import BACKENDS
from usv_energy.engine.sweep.run_sweep import SweepOptions, chunks_folder, run_sweep
from usv_energy.engine.sweep.sweep_file import Sweep, read_sweep
from usv_energy.engine.sweep.sweep_summary import sweep_summary
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.files.text_file import check_target, check_writable
from usv_energy.show.terminal import ProgressLine, say, show_result
from usv_energy.show.text_table import text_table
from usv_energy.sim.scenario import read_scenario
from usv_energy.sim.scenario_values import parameter_paths
from usv_energy.studies.runs.sweep_output import plot_sweep, sweep_text

OUTFIT = {'battery': 'battery.', 'charge': 'battery.initial_state_of_charge', 'hotel': 'static_load'}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('sweep', nargs='?', metavar='SWEEP',
                        help=f'a sweep\'s YAML file, or the name of a shipped one: {", ".join(names("sweeps"))}')
    add_outputs(parser, 'results as netCDF (FILE.nc) or zarr (FILE.zarr), for xarray; finished chunks are kept in '
                        'FILE.parts until it is whole, and the same command goes on from there', 'sweep.png')
    add_battery(parser, None, with_ambient=False)
    parser.add_argument('--json', type=file_or_stdout, metavar='FILE',
                        help='write the summary to FILE; - is stdout, the text then goes to stderr')
    parser.add_argument('--dask', metavar='WHERE', help='compute on a Dask cluster: tcp://HOST:PORT of its scheduler, '
                                                        'or local:N for N workers on this machine')
    parser.add_argument('--threads', type=whole_number(1), metavar='N', help='of a process (default: one a core)')
    parser.add_argument('--chunk', type=whole_number(1), metavar='N',
                        help='runs that are computed and kept together; a sweep that goes on keeps its own')
    parser.add_argument('--backend', choices=BACKENDS, default='auto', help='(%(default)s: numba if installed)')
    parser.add_argument('--restart', action='store_true', help='compute everything anew, whatever is there')
    parser.add_argument('--parameters', metavar='SCENARIO', help='only list what may vary in a scenario, with units')


def execute(args: argparse.Namespace) -> int:
    """Run the sweep, or continue it, and print its summary."""
    if args.parameters is not None:
        paths = parameter_paths(read_scenario(args.parameters))
        print('\n'.join(text_table([[path, quantity.unit] for path, quantity in paths.items()])))
        return 0
    if args.sweep is None:
        raise InputError('which sweep? Give a YAML file or the name of a shipped one; --help says more')
    if args.out is None:
        raise InputError('--out is missing: FILE.nc or FILE.zarr, where the results are to go')
    check_target(args.plot)
    check_data(args.out)
    sweep = _fitted_out(read_sweep(args.sweep), args)
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


def _fitted_out(sweep: Sweep, args: argparse.Namespace) -> Sweep:
    """Return a sweep whose boats have the battery, the charge and the hotel load of the options."""
    given = {name: value for name, value in vars(args).items() if name in OUTFIT and value is not None}
    if not given:
        return sweep
    for path in (*sweep.fixed, *sweep.axes, *sweep.drawn_paths):
        if name := next((name for name in given if path.partition('.')[2].startswith(OUTFIT[name])), None):
            raise InputError(f'--{name} is {given[name]}, and {sweep.path} has {path}; must be one of the two')
    say_battery(args)
    texts = {**sweep.texts, 'options': json.dumps(given)}     # Chunks of other options are those of another sweep.
    return replace(sweep, scenario=scenario_with_outfit(sweep.scenario, args), texts=texts)


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
