"""The energy nodes for a benchmark: composed in this process until its stdin ends. Started by session.py."""

import argparse
import sys
import threading

import rclpy
from nav_msgs.msg import Odometry
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import Header, String

from usv_energy.ros.framework.process import POLL, make_executor
from usv_energy.ros.framework.qos import LATCHED, LATCHED_FEW, LATCHED_STREAM, STREAM
from usv_energy.ros.graph import compose
from usv_energy.ros.graph.graph import NodeSpec, checked_energy_nodes
from usv_energy.ros.graph.graph_options import EnergyOptions
from usv_energy_msgs.msg import EnergyStamped


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
    if args.plain:
        _run_plain_node(args.namespace, over)
    else:
        with compose.Composition(specs, args.namespace) as composition:
            print('ready', flush=True)
            composition.spin_until(over.is_set)
    rclpy.try_shutdown()


def _run_plain_node(namespace: str, over: threading.Event) -> None:
    """Answer each odometry with an energy that is none: what rclpy and DDS take alone, with the queues of our nodes."""
    node = rclpy.create_node('plain', namespace=namespace)
    publisher = node.create_publisher(EnergyStamped, 'energy', LATCHED_STREAM)
    node.create_subscription(Odometry, 'odom', lambda msg: publisher.publish(
        EnergyStamped(header=msg.header, total=1.0, duration=1.0)), STREAM)
    node.create_subscription(String, 'leg', lambda msg: None, LATCHED)
    node.create_subscription(Header, 'leg_begin', lambda msg: None, LATCHED_FEW)
    executor = make_executor()
    executor.add_node(node)
    print('ready', flush=True)
    while not over.is_set():
        executor.spin_once(timeout_sec=POLL)
    node.destroy_node()


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
    parser.add_argument('--plain', action='store_true', help='a node of plain rclpy that answers each odometry')
    parser.add_argument('--odom', default='odom', help='topic of the odometry')
    parser.add_argument('--out', default='', help='folder to record to; none: no recording')
    parser.add_argument('nodes', nargs='*', help='names of the nodes; none: all')
    return parser


if __name__ == '__main__':
    main()
