"""`usv-energy monitor`: a running boat in the terminal."""

import argparse

from usv_energy.cli.arguments import file_path, needs_ros
from usv_energy.cli.quantities import duration
from usv_energy.show.terminal import list_files, say
from usv_energy.studies.runs.monitor_view import SHIPPED, FrameOutput, write_views

INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--namespace', metavar='NS', help='of the boat, like diffboat (default: the one that runs)')
    parser.add_argument('--views', type=file_path, metavar='DIR',
                        help='write views of the boat of --namespace for Foxglove and RViz there, and stop')
    parser.add_argument('--once', action='store_true', help='print one frame and stop')
    parser.add_argument('--json', action='store_true',
                        help='print one JSON object a line, units in the keys, in place of the picture')
    parser.add_argument('--period', type=duration, default=0.2, metavar='S', help='s between frames (%(default)s)')
    parser.add_argument('--wait', type=duration, default=5.0, metavar='S',
                        help='how long to wait for a boat, s (%(default)s)')


def execute(args: argparse.Namespace) -> int:
    """Watch the boat until Ctrl-C; with `--once` return status 1 if it publishes nothing."""
    if args.views is not None:
        list_files(*write_views(args.views, args.namespace or SHIPPED))
        return 0
    with needs_ros('monitor'):
        from usv_energy.ros.framework.process import ros_process
        from usv_energy.ros.graph.monitor import MonitorSession
    with ros_process([]) as stopped, MonitorSession(args.namespace, args.wait, stopped) as watch:
        missing = watch.wait_for_all(args.wait)
        if missing and not stopped():
            say(f'usv-energy: nothing heard on {" and ".join(missing)} within {args.wait:g} s'
                + ('' if args.once else '; still listening'))
            if args.once:
                return 1
        with FrameOutput(args.json, live=not args.once) as output:
            while not stopped():
                output.show(watch.monitor.state())
                if args.once:
                    return 0
                watch.spin(lambda: False, args.period)
    return INTERRUPTED
