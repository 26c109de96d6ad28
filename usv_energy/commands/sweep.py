"""`usv-energy sweep`: thousands of variants of a scenario."""

import argparse
import shlex
import sys
import time
from pathlib import Path

from ..engine.ensemble import BACKENDS
from ..files.errors import InputError
from ..files.json_file import check_target, write_json
from ..files.locate import names
from ..files.whole_file import check_writable
from ..sweep.run_sweep import Progress, Work, parts_folder, run_sweep
from ..sweep.sweep_file import Sweep, read_sweep

PAUSE = 5.0     # s between lines of progress where stderr is no terminal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('sweep', nargs='?', metavar='SWEEP',
                        help=f'a sweep\'s YAML file, or the name of a shipped one: {", ".join(names("sweeps"))}')
    parser.add_argument('--out', type=Path, metavar='FILE',
                        help='results as netCDF (FILE.nc) or zarr (FILE.zarr), for xarray; finished chunks are kept in '
                             'FILE.parts until it is whole, and the same command goes on from there')
    parser.add_argument('--json', metavar='FILE', help='write the summary to FILE; - is stdout, the text then goes to '
                                                       'stderr')
    parser.add_argument('--plot', type=Path, metavar='PNG', help='draw the results')
    parser.add_argument('--dask', metavar='WHERE', help='compute on a Dask cluster: tcp://HOST:PORT of its scheduler, '
                                                        'or local:N for N workers on this machine')
    parser.add_argument('--threads', type=_count, metavar='N', help='of a process (default: one a core)')
    parser.add_argument('--chunk', type=_count, metavar='N', help='runs that are computed and kept together')
    parser.add_argument('--backend', choices=BACKENDS, default='auto', help='(%(default)s: numba if installed)')
    parser.add_argument('--restart', action='store_true', help='compute everything anew, whatever is there')
    parser.add_argument('--parameters', metavar='SCENARIO', help='only list what may vary in a scenario, with units')


def execute(args: argparse.Namespace) -> int:
    """Run the sweep, or go on with it; print its summary."""
    if args.parameters is not None:
        return _list_parameters(args.parameters)
    if args.sweep is None:
        raise InputError('which sweep? Give a YAML file or the name of a shipped one; --help says more')
    if args.out is None:
        raise InputError('--out is missing: FILE.nc or FILE.zarr, where the results are to go')
    check_target(args.json)
    check_target(str(args.plot) if args.plot else None)
    sweep = read_sweep(args.sweep)
    if args.out.absolute().parent.is_dir():
        check_writable(args.out.absolute().parent)
    for name, flow in sweep.flows.items():
        error = flow.error_against(getattr(sweep.scenario, name))
        _say(f'{name}: on a grid of {flow.grid.nx} x {flow.grid.ny} nodes; off by at most {error:.2g} m/s at random '
             'points')
    _run(sweep, args)
    return _report(sweep, args)


def _run(sweep: Sweep, args: argparse.Namespace) -> None:
    work = Work(args.chunk, args.backend, args.threads, args.dask, args.restart)
    clock = Clock(args.chunk)
    try:
        done = run_sweep(sweep, args.out, work, shlex.join(['usv-energy', *sys.argv[1:]]), clock.show)
    except BaseException:
        clock.end()
        if clock.last is not None and clock.last.chunks:
            _say(f'usv-energy: {clock.last.chunks} of {clock.last.all_chunks} chunks are in {parts_folder(args.out)}; '
                 'the same command goes on from there')
        raise
    clock.end()
    if not done:
        _say(f'{args.out} is whole already; --restart computes it anew')


def _report(sweep: Sweep, args: argparse.Namespace) -> int:
    from ..sweep.sweep_summary import summary_text, sweep_summary
    summary = sweep_summary(sweep, args.out)
    if args.plot is not None:
        from ..show.pictures.sweep_picture import plot_sweep
        plot_sweep(sweep, args.out, summary, args.plot)
    if args.json is not None:
        write_json(summary, args.json)
    print(summary_text(summary), file=sys.stderr if args.json == '-' else sys.stdout)
    return 0


class Clock:
    """Progress on stderr: one line that changes on a terminal, else a line every few seconds."""

    def __init__(self, wanted_chunk: int | None) -> None:
        """Start the clock."""
        self.last: Progress | None = None
        self._wanted_chunk = wanted_chunk
        self._begin = self._said = time.monotonic()
        self._from = self._first = self._begin, 0   # When and at which number of runs the rate is measured from.
        self._same_line = sys.stderr.isatty()

    def show(self, progress: Progress) -> None:
        """Say how far it is, how fast it goes and how long it will take."""
        first, self.last = self.last is None, progress
        if first:
            self._from = self._first = time.monotonic(), progress.found_runs
            self._say_found(progress)
            return
        now = time.monotonic()
        if progress.chunks == progress.found_chunks + 2:    # The first chunk compiles, too.
            self._from = self._first
        self._first = now, progress.runs
        finished = progress.chunks == progress.all_chunks
        if not (self._same_line or finished or now - self._said >= PAUSE
                or progress.chunks == progress.found_chunks + 1):
            return
        self._said = now
        rate = (progress.runs - self._from[1]) / max(now - self._from[0], 1e-9)
        left = (progress.all_runs - progress.runs) / rate
        text = (f'{progress.runs} of {progress.all_runs} runs, chunk {progress.chunks} of {progress.all_chunks}, '
                f'{rate:.4g} runs/s, {_span(now - self._begin if finished else left)}{"" if finished else " left"}')
        print(f'\r{text}\033[K' if self._same_line else text, end='' if self._same_line else '\n', file=sys.stderr,
              flush=True)

    def end(self) -> None:
        """End the line."""
        if self._same_line and self.last is not None:
            _say('')

    def _say_found(self, progress: Progress) -> None:
        if progress.found_chunks:
            other = ', whose size is that of the run before' if self._wanted_chunk else ''
            _say(f'going on: {progress.found_chunks} of {progress.all_chunks} chunks are there{other}; '
                 f'{progress.all_runs - progress.found_runs} runs are left')
        else:
            _say(f'{progress.all_runs} runs in {progress.all_chunks} chunk{"s" if progress.all_chunks > 1 else ""}')


def _list_parameters(scenario: str) -> int:
    from ..sim.scenario import read_scenario
    from ..sim.scenario_values import parameter_paths
    paths = parameter_paths(read_scenario(scenario))
    wide = max(map(len, paths))
    print('\n'.join(f'{path:<{wide}}  {quantity.unit}' for path, quantity in paths.items()))
    return 0


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f'{seconds:.1f} s' if seconds < 10.0 else f'{rest} s' if not minutes else f'{minutes} min {rest:02d} s'


def _count(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f'{text!r} is no whole number above 0')
    return value


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
