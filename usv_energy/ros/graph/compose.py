"""All nodes of a graph in one process with one executor, which is the fastest way to run it."""

import argparse
import gc
import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NoReturn

from rclpy.parameter import Parameter
from rclpy.utilities import remove_ros_args

from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_text
from usv_energy.files.locate import names
from usv_energy.ros.framework.intra_process import IntraProcess
from usv_energy.ros.framework.lifecycle import WRONG_INPUT, ManagedNode
from usv_energy.ros.framework.parameters import Declaration, Flag, Number, Text
from usv_energy.ros.framework.process import end_process, limit_shutdown, make_executor, ros_process, spin_until
from usv_energy.ros.graph import graph
from usv_energy.ros.graph.graph import NodeSpec, drive_nodes
from usv_energy.ros.graph.graph_options import (
    EXIT_WITH_SCENARIO,
    OF_PROCESS,
    OPTIONS,
    DriveOptions,
    EnergyOptions,
    ScenarioOptions,
)
from usv_energy.sim.record import Summary
from usv_energy.studies.mission.scenario_to_run import scenario_to_run
from usv_energy.studies.runs.run_tables import comparison_table

WHAT = {'energy': 'power and energy for the odometry on `odom`', 'scenario': 'a scenario, embedded simulator or Gazebo',
        'drive': 'a boat that cmd_vel or path drive, embedded simulator'}


class Composition(AbstractContextManager['Composition']):
    """The nodes of a graph in this process, spun by one executor; a context manager that closes them."""

    def __init__(self, specs: Iterable[NodeSpec], namespace: str | None = None, autostart: bool = True,
                 intra_process: bool = True) -> None:
        """
        Make the nodes, and bring them up in the given order.

        :param specs: The nodes; a simulator comes last.
        :param namespace: Namespace of the boat, like '/diffboat'; None: that of the process.
        :param autostart: Whether they are brought up here; if not, a manager does it.
        :param intra_process: Whether they pass messages within the process; if not, they use DDS.
        :raises InputError: If a node does not come up; its log has the reason.
        """
        # A lifecycle node and its state machine refer to each other: the names of old nodes are in use until collected.
        gc.collect()
        specs = list(specs)
        self._ending = graph.ending_nodes(specs)
        self.nodes: dict[str, ManagedNode] = {}
        self.executor = make_executor()
        self._intra_process = IntraProcess()
        try:
            for spec in specs:
                rules = [part for source, target in spec.remappings for part in ('-r', f'{source}:={target}')]
                options: dict[str, Any] = {'namespace': namespace} if namespace else {}
                options |= {'name': spec.name} if spec.name != spec.executable else {}
                options |= {'intra_process': self._intra_process} if intra_process else {}
                self.nodes[spec.name] = spec.node_class()(
                    defaults=spec.defaults(),
                    parameter_overrides=[Parameter(name, value=value) for name, value in spec.overrides().items()],
                    cli_args=['--ros-args', *rules] if rules else None, **options)
                self.executor.add_node(self.nodes[spec.name])
            for name, node in self.nodes.items() if autostart else ():
                if not node.bring_up():
                    raise InputError(f'node {name} did not come up; its log says why')
        except BaseException:
            self.close()
            raise

    def spin_until(self, done: Callable[[], bool], deadline: float | None = None) -> bool:
        """
        Spin until `done` returns true, or until a deadline; return whether `done` did.

        :param done: Called whenever no message within the process waits, and every few ms.
        :param deadline: s of wall time from now; None: none.
        """
        end = math.inf if deadline is None else time.monotonic() + deadline
        is_done = False

        def done_or_late() -> bool:
            nonlocal is_done
            is_done = done()
            return is_done or time.monotonic() > end

        spin_until(done_or_late, self.executor, self._intra_process)
        return is_done

    def exit_status(self) -> int | None:
        """Return 0 or, if the goal was not reached, 3 when a scenario is over and recorded; None before that."""
        statuses = [self.nodes[name].exit_status() for name in self._ending]
        return None if not statuses or None in statuses else max(filter(None, statuses), default=0)

    def summaries(self) -> list[Summary]:
        """Return the summaries of the recorders, one for each convention."""
        summaries = (getattr(self.nodes[name], 'summary', None) for name in self._ending)
        return [summary for summary in summaries if summary is not None]

    def write_runs_with(self, write_run: Callable[..., Summary]) -> None:
        """Make the recorders write the files of a scenario with a function like `run_folder.write_run`."""
        recorders: list[Any] = [self.nodes[name] for name in self._ending if hasattr(self.nodes[name], 'write_run')]
        for recorder in recorders:
            recorder.write_run = write_run

    def close(self) -> None:
        """Close all nodes, the last one first."""
        for node in reversed(self.nodes.values()):
            self.executor.remove_node(node)
            node.close()
        self.nodes.clear()
        self.executor.shutdown()

    def __exit__(self, *_: object) -> None:
        """Close all nodes."""
        self.close()


def is_done(composition: Composition) -> bool:
    """Return whether a composed scenario is over, and its recorders have written all files."""
    return composition.exit_status() is not None


def main() -> NoReturn:
    """Run a graph as one process: `ros2 run usv_energy compose scenario --scenario 3` or `compose energy`."""
    try:
        status = _run()
    except InputError as error:
        print(f'compose: error: {safe_text(str(error))}', file=sys.stderr)
        status = WRONG_INPUT
    end_process(status)


def _run() -> int:
    words = remove_ros_args(sys.argv)[1:]
    args = parser().parse_args(words)
    specs = graph_of(args, words, not {'-p', '--param', '--params-file'}.isdisjoint(sys.argv))
    with ros_process(sys.argv) as stopped:
        with Composition(specs, autostart=args.autostart, intra_process=args.intra_process) as composition:
            # All objects made so far stay until the end, so the garbage collector need not search them again.
            gc.collect()
            gc.freeze()
            composition.spin_until(lambda: stopped() or (args.exit_when_done and is_done(composition)))
            status = composition.exit_status()
            if status is not None and composition.summaries():
                print(comparison_table(composition.summaries()))
        limit_shutdown(status or 0)
    return status or 0


def graph_of(args: argparse.Namespace, words: Sequence[str], params_file: bool) -> list[NodeSpec]:
    """
    Return the nodes for the arguments of the command line.

    :param args: The parsed arguments.
    :param words: The command line. Its options override params files, unless `--given` lists those that do.
    :param params_file: Whether there are params files, which may have the boat that is missing here.
    :raises InputError: For an unknown scenario, boat ... or a wrong file.
    """
    given = args.given.split(',') if args.given is not None else [
        word.partition('=')[0].removeprefix('--').removeprefix('no-').replace('-', '_')
        for word in words if word.startswith('--')]
    return graph.with_given(_nodes_of(args, params_file), given)


def _nodes_of(args: argparse.Namespace, params_file: bool) -> list[NodeSpec]:
    values = {one.name: getattr(args, one.name) for one in OPTIONS[args.what].table}
    if args.what == 'energy':
        if not args.boat and not params_file:
            raise InputError(f'no boat is given: whose energy is it? There are: {", ".join(names("boats"))}; '
                             'or give the path of a YAML file')
        return graph.checked_energy_nodes(EnergyOptions(**values))
    if args.what == 'drive':
        return drive_nodes(DriveOptions(**values))
    options = ScenarioOptions(**values)
    nodes = graph.scenario_nodes(scenario_to_run(args.scenario, graph.choice_of(options)), options)
    return nodes if args.energy else graph.without_energy(nodes)


class _Parser(argparse.ArgumentParser):
    """A parser that raises InputError, because launch files use it, too."""

    def error(self, message: str) -> NoReturn:
        raise InputError(message)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line with the options of each graph from `graph_options`."""
    whole = _Parser('compose', description=main.__doc__, allow_abbrev=False)
    kinds = whole.add_subparsers(dest='what', required=True)
    for name, options in OPTIONS.items():
        kind = kinds.add_parser(name, help=WHAT[name], allow_abbrev=False)
        ends = (EXIT_WITH_SCENARIO,) if name == 'scenario' else ()
        if not ends:
            kind.set_defaults(exit_when_done=False)
        for one in (*options.table, *ends, *OF_PROCESS):
            _add_option(kind, one)
        kind.add_argument('--given', metavar='OPTIONS', help='those that win over params files, like boat,pace; none: '
                                                             'those that stand on the command line')
    return whole


def _add_option(kind: argparse.ArgumentParser, one: Declaration) -> None:
    how: dict[str, Any] = {'default': one.default, 'help': one.description.replace('%', '%%')}
    if isinstance(one, Flag):
        how['action'] = argparse.BooleanOptionalAction
    elif isinstance(one, Number):
        how['type'] = float
    elif isinstance(one, Text) and one.allowed:
        how['choices'] = one.allowed
    kind.add_argument(f'--{one.name.replace("_", "-")}', **how)


if __name__ == '__main__':
    main()
