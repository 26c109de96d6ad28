"""Several nodes in one process, one executor: as fast as the graph gets, and still real topics and services."""

import argparse
import contextlib
import gc
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.parameter import Parameter

from ..files.errors import InputError
from ..sim.scenario import read_scenario
from .graph import FlowOptions, NodeSpec, ScenarioOptions, energy_nodes, scenario_nodes
from .lifecycle import ManagedNode, make_executor


class Composition:
    """Nodes of a graph, made, brought up in order and spun together; a context manager that ends them all."""

    def __init__(self, specs: Iterable[NodeSpec], namespace: str | None = None) -> None:
        """
        Make the nodes, and bring them up in the order given.

        :param specs: The nodes; a simulator comes last.
        :param namespace: Of the boat, like '/diffboat'; None: that of the process.
        :raises InputError: If a node does not come up; why is in its log.
        """
        # A lifecycle node's state machine holds its node in a circle: until that is collected, its name stays taken.
        gc.collect()
        self.nodes: dict[str, ManagedNode] = {}
        self.executor = make_executor()
        try:
            for spec in specs:
                self.nodes[spec.name] = _made(spec, namespace)
                self.executor.add_node(self.nodes[spec.name])
            for name, node in self.nodes.items():
                if not node.bring_up():
                    raise InputError(f'node {name} did not come up; its log says why')
        except BaseException:
            self.close()
            raise

    def spin_until(self, done: Callable[[], bool], deadline: float | None = None) -> bool:
        """
        Spin until something is so, or until a deadline; return whether it is.

        :param done: Asked after every piece of work.
        :param deadline: s of wall time from now; None: none.
        """
        end = None if deadline is None else time.monotonic() + deadline
        while not done():
            if end is not None and time.monotonic() > end:
                return False
            self.executor.spin_once(timeout_sec=0.1)
        return True

    def close(self) -> None:
        """End all nodes, those that came last first."""
        for node in reversed(self.nodes.values()):
            self.executor.remove_node(node)
            node.close()
        self.nodes.clear()
        self.executor.shutdown()

    def __enter__(self) -> 'Composition':
        """Return the composition."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all nodes."""
        self.close()


def _made(spec: NodeSpec, namespace: str | None) -> ManagedNode:
    rules = [part for source, target in spec.remappings for part in ('-r', f'{source}:={target}')]
    overrides = [Parameter(name, value=value) for name, value in spec.parameters.items()]
    options: dict[str, Any] = {'namespace': namespace} if namespace else {}
    name = {'name': spec.name} if spec.name != spec.executable else {}
    return spec.node_class()(**name, parameter_overrides=overrides,
                             cli_args=['--ros-args', *rules] if rules else None, **options)


def main() -> None:
    """Run a graph as one process: `ros2 run usv_energy compose scenario --scenario 3` or `compose energy`."""
    rclpy.init(args=sys.argv)
    try:
        sys.exit(_run(_parser().parse_args(rclpy.utilities.remove_ros_args(sys.argv)[1:])))
    except InputError as error:
        print(f'compose: error: {error}', file=sys.stderr)
        sys.exit(2)
    finally:
        rclpy.try_shutdown()


def _run(args: argparse.Namespace) -> int:
    with Composition(_specs(args)) as composition, contextlib.suppress(KeyboardInterrupt, ExternalShutdownException):
        composition.spin_until(lambda: args.what == 'scenario' and args.exit_when_done and is_done(composition))
    return 0


def is_done(composition: Composition) -> bool:
    """Return whether a composed scenario has ended, and its recorders have written all they had to."""
    recorders = [node for name, node in composition.nodes.items() if name.startswith('recorder')]
    if recorders:
        return all(node.summary is not None for node in recorders)
    return composition.nodes['scenario_driver'].ended is not None


def _specs(args: argparse.Namespace) -> list[NodeSpec]:
    if args.what == 'energy':
        current, wind = (FlowOptions(getattr(args, f'{medium}_mode'), getattr(args, f'{medium}_speed'),
                                     getattr(args, f'{medium}_direction_deg')) for medium in ('current', 'wind'))
        return energy_nodes(args.boat or 'lutra_prop', args.convention or 'rep103', current, wind)
    options = ScenarioOptions(args.boat, args.plant, (args.convention,) if args.convention else (), args.pace,
                              args.out, args.bag, args.plots, args.clock)
    return scenario_nodes(read_scenario(args.scenario), options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser('compose', description=main.__doc__)
    kinds = parser.add_subparsers(dest='what', required=True)
    energy = kinds.add_parser('energy', help='power and energy for the odometry on `odom`')
    scenario = kinds.add_parser('scenario', help='a scenario with the embedded simulator')
    for kind in (energy, scenario):
        kind.add_argument('--boat', default='', help='name in config/boats or path of a YAML file')
        kind.add_argument('--convention', default='', help='rep103 or as_published')
    for medium in ('current', 'wind'):
        energy.add_argument(f'--{medium}-mode', default='none', choices=('none', 'global', 'local'))
        energy.add_argument(f'--{medium}-speed', type=float, default=0.0, help='m/s, mode global')
        energy.add_argument(f'--{medium}-direction-deg', type=float, default=0.0, help='where it flows to, from east')
    scenario.add_argument('--scenario', default='1', help='name in config/scenarios or path of a YAML file')
    scenario.add_argument('--plant', default='', help='another boat that moves than that of the power model')
    scenario.add_argument('--pace', default='lockstep', help='lockstep, or a real-time factor')
    scenario.add_argument('--out', default='', help='folder for samples, summary, picture and bag; none: no recording')
    for name in ('bag', 'plots', 'clock', 'exit-when-done'):
        scenario.add_argument(f'--{name}', action=argparse.BooleanOptionalAction, default=True)
    return parser


if __name__ == '__main__':
    main()
