"""
Does the energy stay right for hours, and the memory flat? `./run shell python3 bench/soak.py --hours 2 --rate 20`.

A bag's odometry is played in loops, at so many times real time, to two energy graphs in processes of their own. A lives
for the whole soak and records; B is killed and started again, and its nodes are deactivated and activated. Both are
reset now and then. An account that is kept from `power` alone says what `energy` must be (soak_account.py).
"""

import argparse
import contextlib
import math
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import rclpy
from report import Result, give, progress
from session import GraphProcess, deferred_interrupt, ros
from soak_account import TOLERANCE, Findings
from soak_bag import SCENARIO, recorded_bag
from soak_graphs import DisturbedGraph, Ear, Player
from soak_memory import WARM_UP_SHARE, Holding, HoldingWatch

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target
from usv_energy.ros.framework.process import make_executor

PROG = 'soak'
DEADLINE = 60.0
# The player looks at the clock so often, s: a wait by the wall is what a soak is.
TICK = 0.005
PROGRESS_PERIOD = 10.0
GROWTH_PERCENT = 2.0
LONGEST_PERIOD = 0.3    # s; from then on the graph takes gaps of more than 1 s, which the account does not.
INTERRUPTED = 130
# A stands still three times, from and to s of wall time: DDS and rclpy keep the room of what waits for a busy machine,
# 5 to 7 MB in all; what the memory does afterwards has another cause.
PAUSES = (4.0, 8.0), (11.0, 17.0), (20.0, 28.0)


class Every:
    """Says when so much of the bag's time has gone by again."""

    def __init__(self, minutes: float, first: float = 1.0) -> None:
        """
        Begin; 0 minutes: never.

        :param first: When the first time is, in periods.
        """
        self._period = 60.0 * minutes
        self._due = first * self._period if minutes > 0.0 else math.inf

    def is_due(self, played: float) -> bool:
        """Return whether it is time again, s of the bag's time; once for each time."""
        if not self.is_awaited(played):
            return False
        self._due += self._period
        return True

    def is_awaited(self, played: float) -> bool:
        """Return whether there is a time that `is_due` has not told of until then."""
        return played >= self._due


class Soak:
    """The player, graph A, graph B, and what happens to them when."""

    def __init__(self, args: argparse.Namespace, node: Any, namespace: str, folder: Path,
                 stack: contextlib.ExitStack) -> None:
        """Record the bag; start the graphs, and end them with the stack."""
        self._args = args
        odom = f'{namespace}/odom'
        progress(f'soak: recording scenario {SCENARIO} in lockstep')
        bag = recorded_bag(folder, f'{namespace}_recorded', args.period)
        self.player = Player(node, odom, bag, args.rate)
        out = str(folder / 'a') if args.record else ''
        self.a = stack.enter_context(GraphProcess(f'{namespace}_a', odom=odom, out=out))
        self.ear = Ear(node, f'{namespace}_a', self.player)
        self.b = DisturbedGraph(node, f'{namespace}_b', self.player,
                                lambda: GraphProcess(f'{namespace}_b', odom=odom))
        stack.callback(lambda: self.b.process.close())
        self.memory = HoldingWatch(self.a.pid)
        self.seconds = 0.0
        warm_up = WARM_UP_SHARE * 3600.0 * args.hours / args.rate
        self._signals = [signals for pause in PAUSES if warm_up > PAUSES[-1][1]
                         for signals in zip(pause, (signal.SIGSTOP, signal.SIGCONT))]
        self._ears = (self.ear, self.b.ear)
        self._resets = [(self.ear, Every(args.reset_every)), (self.b.ear, Every(args.reset_every, 0.5))]
        self._kills, self._deactivations = Every(args.kill_every), Every(args.deactivate_every, 0.7)

    def run(self, stopped: Callable[[], bool]) -> None:
        """
        Play until the hours are over, all that was due in them is done, and all is answered; or until stopped.

        :raises RuntimeError: If a graph does not answer, or does not come back.
        """
        for graph in (self.a, self.b.process):
            graph.wait_ready()
        readers = 3 if self._args.record else 2
        _wait(lambda: stopped() or (self.player.readers >= readers and all(ear.connected for ear in self._ears)),
              'the graphs were not found')
        end = 3600.0 * self._args.hours
        begin = said = time.monotonic()
        self.player.begin()
        while not stopped() and (self.player.played < end or self.b.busy or self._is_awaited(end)):
            self.player.play(max(ear.behind() for ear in self._ears))
            self._turn()
            self._disturb(min(self.player.played, end))
            self.seconds = time.monotonic() - begin
            if time.monotonic() - said > PROGRESS_PERIOD:
                said = time.monotonic()
                self._say_progress()
        deadline = time.monotonic() + DEADLINE
        while not stopped() and time.monotonic() < deadline and not all(ear.is_complete() for ear in self._ears):
            self._turn()

    def _turn(self) -> None:
        time.sleep(TICK)
        for ear in self._ears:
            ear.listen()
        self.b.go_on()
        self.memory.look()
        if self._signals and self.seconds > self._signals[0][0]:
            os.kill(self.a.pid, self._signals.pop(0)[1])

    def _is_awaited(self, end: float) -> bool:
        """Return whether B is still to be killed or deactivated: on a busy machine it comes back late each time."""
        return self._kills.is_awaited(end) or self._deactivations.is_awaited(end)

    def _disturb(self, played: float) -> None:
        """Do what is due: B's kills and deactivations one at a time, its resets between them; one reset at a time."""
        for ear, every in self._resets:
            if not (ear is self.b.ear and self.b.busy) and ear.no_reset_awaited and every.is_due(played):
                ear.reset()
        if not self.b.busy and self.b.ear.no_reset_awaited:
            if self._kills.is_due(played):
                self.b.kill()
            elif self._deactivations.is_due(played):
                self.b.deactivate()

    def _say_progress(self) -> None:
        held = self.memory.held[-1].resident_mb if self.memory.held else math.nan
        faults = sum(len(ear.account.findings.faults) for ear in self._ears)
        progress(f'soak: {self.player.played / 3600.0:.3f} of {self._args.hours:g} h, '
                 f'{self.player.played / self.seconds:.1f} times real time, {self.player.loop} loops, '
                 f'{self.b.kills} kills, A {held:.1f} MB, {faults} differences')


def main(argv: Sequence[str] | None = None) -> int:
    """Soak; return the exit status: 0, 1 if a verdict fails, 2 for wrong arguments, 130 if interrupted."""
    try:
        args = _checked(_parser().parse_args(argv))
    except InputError as error:
        print(f'{PROG}: error: {error}', file=sys.stderr)
        return 2
    result, interrupted = _measured(args)
    written = not result.figures or give([result], False, time.monotonic() - args.begin, args.json, PROG)
    if result.failed:
        progress(f'{PROG}: failed: {result.failed}')
    if interrupted:
        progress(f'{PROG}: interrupted; the figures are those until then')
        return INTERRUPTED
    return 0 if written and not result.failed and not any(figure.missed for figure in result.figures) else 1


def _measured(args: argparse.Namespace) -> tuple[Result, bool]:
    """Return what was measured, and whether Ctrl-C ended it."""
    result, soak = Result(PROG), None
    load = os.getloadavg()[0]
    try:
        with tempfile.TemporaryDirectory(prefix='usv_energy_soak_') as folder, contextlib.ExitStack() as stack:
            namespace = stack.enter_context(ros())
            stopped = stack.enter_context(deferred_interrupt())
            with _spun_node(namespace) as (node, spin):
                soak = Soak(args, node, namespace, Path(folder), stack)
                spin()
                soak.run(stopped)
    except KeyboardInterrupt:
        return _with_figures(result, soak, load), True
    except (RuntimeError, InputError) as error:
        result.failed = str(error)
    return _with_figures(result, soak, load), False


@contextlib.contextmanager
def _spun_node(namespace: str) -> Iterator[tuple[Any, Callable[[], None]]]:
    """Give a node, and a function that begins to spin it in a thread, once it has all its subscriptions."""
    over = threading.Event()
    node = rclpy.create_node('soak', namespace=namespace)
    executor = make_executor()

    def spin() -> None:
        while not over.is_set():
            executor.spin_once(timeout_sec=0.1)

    thread = threading.Thread(target=spin, daemon=True)

    def start() -> None:
        executor.add_node(node)
        thread.start()

    try:
        yield node, start
    finally:
        over.set()
        if thread.ident is not None:
            thread.join(DEADLINE)
        executor.shutdown()
        node.destroy_node()


def _with_figures(result: Result, soak: Soak | None, load: float) -> Result:
    """Add the figures of a soak, if it had begun."""
    if soak is None or soak.player.index < 0:
        return result
    player, b = soak.player, soak.b
    result.add('played_h', [player.played / 3600.0])
    result.add('rate_s_per_s', [player.played / soak.seconds if soak.seconds else math.nan])
    for key, number in (('odometry', player.index + 1), ('loops', player.loop), ('b_kills', b.kills),
                        ('b_deactivations', b.deactivations)):
        result.add(f'{key}_count', [number])
    for name, ear in (('a', soak.ear), ('b', b.ear)):
        _add_findings(result, name, ear.findings())
    _add_memory(result, soak.memory)
    result.notes.append(f'load of the machine (1 min): {load:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the '
                        'end')
    return result


def _add_findings(result: Result, name: str, found: Findings) -> None:
    result.add(f'{name}_energy_j', [found.graph_joules])
    result.add(f'{name}_account_j', [found.joules])
    result.add(f'{name}_lost_j', [abs(found.lost_joules)], TOLERANCE * max(1.0, found.joules))
    result.add(f'{name}_worst_difference_ratio', [found.worst], TOLERANCE)
    for key, number in (('powers', found.powers), ('energies', found.energies), ('resets', found.resets),
                        ('unseen_resets', found.unseen_resets),
                        ('unheard_by_probe', found.unheard + found.unheard_at_start)):
        result.add(f'{name}_{key}_count', [number])
    for key, number in (('differing', found.differing), ('lost_powers', found.lost_powers),
                        ('skipped_odometry', max(0, found.skipped_odometry - found.unheard))):
        result.add(f'{name}_{key}_count', [number], 0)
    result.notes.append(f'{name.upper()}: {found.graph_joules!r} J by the graph, {found.joules!r} J by the account')
    result.notes += [f'{name.upper()}: {fault}' for fault in found.faults]


def _add_memory(result: Result, memory: HoldingWatch) -> None:
    settled = memory.settled()
    if not settled:
        result.skipped['memory'] = 'the soak was too short'
        return
    values: tuple[tuple[str, str, Callable[[Holding], float]], ...] = (
        ('resident', '_mb', lambda held: held.resident_mb), ('anonymous', '_mb', lambda held: held.anonymous_mb),
        ('threads', '_count', lambda held: float(held.threads)), ('files', '_count', lambda held: float(held.files)))
    for name, unit, value in values:
        result.add(f'a_{name}_first{unit}', [value(settled[0])])
        result.add(f'a_{name}_last{unit}', [value(settled[-1])])
        result.add(f'a_{name}_max{unit}', [max(map(value, settled))])
        # What is not anonymous is shared memory of DDS and files: the verdict is on all of it.
        aim = None if name == 'anonymous' else GROWTH_PERCENT
        result.add(f'a_{name}_growth_percent', [memory.growth_percent(value)], aim)
    result.notes.append(f'memory: {len(settled)} looks after the warm-up; growth: straight line of least squares')


def _wait(done: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + DEADLINE
    while not done():
        if time.monotonic() > end:
            raise RuntimeError(f'{what} within {DEADLINE:.0f} s')
        time.sleep(TICK)


def _checked(args: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments, and when the program began; InputError for values that are none."""
    for name in ('hours', 'rate', 'period'):
        if not 0.0 < getattr(args, name) < math.inf:
            raise InputError(f'--{name} is {getattr(args, name)}; must be greater than 0')
    if args.period > LONGEST_PERIOD:
        raise InputError(f'--period is {args.period}; must be at most {LONGEST_PERIOD} s')
    for name in ('reset_every', 'kill_every', 'deactivate_every'):
        if not 0.0 <= getattr(args, name) < math.inf:
            raise InputError(f'--{name.replace("_", "-")} is {getattr(args, name)}; must be at least 0')
    check_target(args.json)
    args.begin = time.monotonic()
    return args


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(PROG, description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--hours', type=float, default=2.0, help="of the bag's time (2)")
    parser.add_argument('--rate', type=float, default=20.0, help='times real time; slower where a graph is behind (20)')
    parser.add_argument('--period', type=float, default=0.1, help='of the odometry in the bag, s, at most 0.3 (0.1)')
    parser.add_argument('--record', action=argparse.BooleanOptionalAction, default=True, help='A records, with a bag')
    for what, minutes in (('reset', 5.0), ('kill', 15.0), ('deactivate', 7.0)):
        parser.add_argument(f'--{what}-every', type=float, default=minutes, metavar='MIN',
                            help=f"min of the bag's time; 0: never ({minutes:g})")
    parser.add_argument('--json', metavar='FILE', help='the figures as JSON, too; - for stdout (the table: stderr)')
    return parser


if __name__ == '__main__':
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
