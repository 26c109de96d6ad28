"""
Measure how fast usv_energy is on this machine: `./run bench`.

Figures are medians of several repeats, with the lowest and the highest; what is compared is measured in turns in the
same run. Nothing here fails because a machine is slow.
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType

import peer
from options import Options
from report import Result, give, progress

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target

PROG = 'bench'
BENCHMARKS = {
    'plant': 'steps/s of the boat on floats, of the loop without ROS, and of the power model; against a peer',
    'ensemble': 'boat-steps/s of the compiled loop, one boat and many, of the loop on arrays; 100 000 runs; a peer',
    'kinds': 'boat-steps/s of boats of every kind: propellers, rudder, fan, tunnel, four thrusters, azimuths, sail',
    'allocation': 'allocations/s of four thrusters: compiled on all cores, on arrays, on floats; cost against scipy',
    'waves': 'a hull of parts on waves: simulated s/s without ROS and in lockstep, boat-steps/s of ensembles',
    'battery': 'steps/s of a battery of cells at a power: compiled on all cores, on floats; energy left',
    'latency': 'from odometry to power over DDS, all nodes in one process: 50, 200 and 500 Hz, CPU, losses',
    'processes': 'the same at 50 Hz with a process for each node',
    'executors': "rclpy's events executor against its single-threaded one, on the same graph in the same run",
    'lockstep': 'a scenario on the composed graph: simulated seconds a second, with and without recording',
    'flow_hecras': 'opening and asking a HEC-RAS plan, and the memory that a long one takes',
    'flow_store': 'a flow larger than memory: memory and time of info, run, analyze, look-ups, a box for routes',
    'flow_service': 'the round trip of get_flow for six points, to a server in another process',
    'identify': 'the roll-out fit of ten logs, its gain over plain Python, and twin tests: errors and coverage',
    'sweep': 'an energy map, reach and front; what a sweep costs beside the runs themselves, and in memory',
    'one_answer': 'every shipped boat: top speed and watts by all commands, side by side; missions simulated',
    'mission': 'the estimate of 500 waypoints, first and later; its errors against the simulator, boat by boat',
    'routes': 'a route across 500 x 500 x 24 and 48 departures: time, memory, gaps; 1000 cases; a peer',
    'analyze': 'a bag of a million odometry samples to energy and report: time by stage, memory',
}
ROUTE_PEER = Path('dabry/solver_ef.py')
ROS = ('rclpy', 'usv_energy_msgs', 'nav_msgs', 'std_msgs', 'domain_coordinator')
INTERRUPTED, BROKEN_PIPE = 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmarks; return the exit status: 0, 1 if one failed, 2 for wrong arguments, 130 if interrupted."""
    args = _parser().parse_args(argv)
    if args.list:
        width = max(map(len, BENCHMARKS))
        print('\n'.join(f'{name:{width}}  {what}' for name, what in BENCHMARKS.items()))
        return 0
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    try:
        options = _options(args)
        with _busy(args.busy):
            return _report(args, options)
    except InputError as error:
        print(f'{PROG}: error: {error}', file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f'{PROG}: interrupted', file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _report(args: argparse.Namespace, options: Options) -> int:
    begin = time.monotonic()
    results: list[Result] = []
    interrupted = False
    try:
        for name in dict.fromkeys(args.only or BENCHMARKS):
            progress(f'{name}: {BENCHMARKS[name]}')
            results.append(_measured(name, options))
            if args.busy:
                results[-1].notes.append(f'busy loops beside it: {args.busy}')
    except KeyboardInterrupt:
        interrupted = True
    if results and not give(results, args.quick, time.monotonic() - begin, args.json, PROG):
        return 1
    if interrupted:
        raise KeyboardInterrupt
    return 1 if any(result.failed for result in results) else 0


@contextlib.contextmanager
def _busy(number: int) -> Iterator[None]:
    """Keep so many cores busy with something else, as on a boat's computer that has more to do."""
    loops = [subprocess.Popen([sys.executable, '-c', 'while True: pass'], start_new_session=True)
             for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _measured(name: str, options: Options) -> Result:
    try:
        result: Result = import_module(name).measure(options)
        return result
    except ImportError as error:
        if error.name is None or error.name.split('.')[0] not in ROS:
            raise
        return Result(name, skipped={'all': f'needs ROS 2 and the built interfaces ({error}); ./run bench has them'})
    except (RuntimeError, InputError) as error:
        progress(f'{name}: failed: {error}')
        return Result(name, failed=str(error))


def _options(args: argparse.Namespace) -> Options:
    """
    Return the benchmarks' options, everything checked that would be a pity to find out at the end.

    :raises InputError: For a benchmark, a peer or a target that is none.
    """
    unknown = [name for name in args.only or () if name not in BENCHMARKS]
    if unknown:
        raise InputError(f'no benchmark named {", ".join(unknown)}; there are: {", ".join(BENCHMARKS)}')
    if args.peer is not None and not peer.is_checkout(args.peer):
        raise InputError(f'--peer {args.peer}: no checkout of PythonVehicleSimulator; there is no {peer.OTTER} in it')
    if args.route_peer is not None and not (args.route_peer / ROUTE_PEER).is_file():
        raise InputError(f'--route-peer {args.route_peer}: no checkout of dabry; there is no {ROUTE_PEER} in it')
    if not args.route_peer_python.is_file():
        raise InputError(f'--route-peer-python {args.route_peer_python}: there is no such file')
    if args.busy < 0:
        raise InputError(f'--busy {args.busy}: must be 0 or greater')
    check_target(args.json)
    return Options(args.quick, args.peer, args.route_peer, args.route_peer_python)


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(PROG, description='Measure how fast usv_energy is on this machine.',
                                     allow_abbrev=False)
    parser.add_argument('--only', nargs='+', metavar='NAME', help='only these benchmarks; --list names them')
    parser.add_argument('--list', action='store_true', help='list the benchmarks and stop')
    parser.add_argument('--quick', action='store_true', help='few and short repeats: under 30 s, rougher figures')
    parser.add_argument('--busy', type=int, default=0, metavar='N', help='busy loops beside the benchmarks; default 0')
    parser.add_argument('--json', metavar='FILE', help='the figures as JSON, too; - for stdout (the table: stderr)')
    parser.add_argument('--peer', metavar='DIR', type=Path,
                        help='checkout of github.com/cybergalactic/PythonVehicleSimulator to compare the plant with')
    parser.add_argument('--route-peer', metavar='DIR', type=Path,
                        help='checkout of github.com/dabry-route/dabry to compare routes with')
    parser.add_argument('--route-peer-python', metavar='FILE', type=Path, default=Path(sys.executable),
                        help='the Python that has what it needs (numpy<2 scipy h5py tqdm plotly pygrib)')
    return parser


if __name__ == '__main__':
    sys.exit(main())
