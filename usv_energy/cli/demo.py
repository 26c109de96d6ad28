"""`usv-energy demo`: the published scenarios on a real ROS 2 graph."""

import argparse

from usv_energy.cli.arguments import file_or_stdout, needs_ros


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('scenario', nargs='*', help='names or paths of scenarios; none: all that are shipped')
    parser.add_argument('--out', default='', help='folder of the results (results/demo-<date>-<time>)')
    parser.add_argument('--json', type=file_or_stdout, metavar='FILE', help='the figures as JSON, too; - for stdout')
    parser.add_argument('--pace', default='lockstep', help='lockstep, or a real-time factor (lockstep)')
    for name, what in (('bag', 'record an MCAP bag a scenario'), ('plots', 'draw a picture a scenario')):
        parser.add_argument(f'--{name}', action=argparse.BooleanOptionalAction, default=True, help=what)


def execute(args: argparse.Namespace) -> int:
    """Run the demo."""
    with needs_ros('demo'):
        from usv_energy.ros.graph.demo import run_demo
    return run_demo(args.scenario, args.out, args.json, args.pace, args.bag, args.plots)
