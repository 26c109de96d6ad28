"""The energy nodes for a benchmark: composed in this process until its stdin ends. Started by session.py."""

import argparse
import sys
import threading

import rclpy
from rclpy.signals import SignalHandlerOptions

from usv_energy.ros.graph import compose
from usv_energy.ros.graph.graph import NodeSpec, checked_energy_nodes
from usv_energy.ros.graph.graph_options import EnergyOptions


def main() -> None:
    """Run the nodes that the command line names."""
    args = _parser().parse_args()
    specs = [spec for spec in _specs(args.odom, args.out) if not args.nodes or spec.name in args.nodes]
    if args.executor == 'single':
        from rclpy.executors import SingleThreadedExecutor
        vars(compose)['make_executor'] = SingleThreadedExecutor
    elif args.executor == 'events':
        from rclpy.experimental import EventsExecutor
        vars(compose)['make_executor'] = EventsExecutor
    rclpy.init(args=['--ros-args', '--log-level', 'error'], signal_handler_options=SignalHandlerOptions.NO)
    over = threading.Event()
    threading.Thread(target=_wait_for_end, args=(over,), daemon=True).start()
    with compose.Composition(specs, args.namespace) as composition:
        print('ready', flush=True)
        composition.spin_until(over.is_set)
    rclpy.try_shutdown()


def _wait_for_end(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


def _specs(odom: str, out: str) -> list[NodeSpec]:
    return checked_energy_nodes(EnergyOptions(
        boat='lutra_prop', current_mode='global', current_speed=0.4, current_direction_deg=45.0, wind_mode='global',
        wind_speed=3.0, wind_direction_deg=200.0, odom=odom, lag=0.0, out=out))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser('energy_graph', description=__doc__)
    parser.add_argument('--namespace', required=True)
    parser.add_argument('--executor', choices=('default', 'events', 'single'), default='default')
    parser.add_argument('--odom', default='odom', help='topic of the odometry')
    parser.add_argument('--out', default='', help='folder to record to; none: no recording')
    parser.add_argument('nodes', nargs='*', help='names of the nodes; none: all')
    return parser


if __name__ == '__main__':
    main()
