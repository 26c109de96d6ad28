"""`usv-energy monitor`: a running boat in the terminal."""

import argparse
import json
import os
import shutil
import sys
from typing import Any

from ..files.errors import InputError
from .arguments import positive

SCREEN, LEAVE = '\x1b[?1049h\x1b[?25l', '\x1b[?25h\x1b[?1049l'
HOME, CLEAR_LINE, CLEAR_REST = '\x1b[H', '\x1b[K', '\x1b[J'
INTERRUPTED = 130
NEEDS = ('usv-energy monitor needs ROS 2 (rclpy) and the built interfaces (usv_energy_msgs): {}. Use ./run monitor, or '
         'source a ROS 2 workspace that has both.')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--namespace', metavar='NS', help='of the boat, like diffboat (default: the one that runs)')
    parser.add_argument('--once', action='store_true', help='print one frame and stop')
    parser.add_argument('--json', action='store_true',
                        help='print one JSON object a line, units in the keys, in place of the picture')
    parser.add_argument('--period', type=positive, default=0.2, metavar='S', help='s between frames (%(default)s)')
    parser.add_argument('--wait', type=positive, default=5.0, metavar='S',
                        help='how long to wait for a boat, s (%(default)s)')


def execute(args: argparse.Namespace) -> int:
    """Watch the boat until Ctrl-C; status 1 if it says nothing."""
    try:
        from ..ros.monitor import Watch
        from ..ros.process import ros_process
    except ImportError as error:
        if str(error.name).startswith('usv_energy.'):
            raise
        raise InputError(NEEDS.format(error)) from None
    with ros_process([]) as stopped, Watch(args.namespace, args.wait, stopped) as watch:
        monitor = watch.monitor
        assert monitor is not None
        heard = watch.spin(lambda: monitor.complete, args.wait)
        if stopped():
            return INTERRUPTED
        if monitor.missing and not heard:
            print(f'usv-energy: nothing heard on {" and ".join(monitor.missing)} within {args.wait:g} s'
                  + ('' if args.once else '; still listening'), file=sys.stderr)
            if args.once:
                return 1
        if args.once:
            _print(monitor.state(), args.json, _colours())
            return 0
        return _live(args, watch, monitor, stopped)


def _live(args: argparse.Namespace, watch: Any, monitor: Any, stopped: Any) -> int:
    """Print frame after frame; on a terminal each in the place of the last."""
    screen = sys.stdout.isatty() and not args.json
    try:
        if screen:
            sys.stdout.write(SCREEN)
        while not stopped():
            if screen:
                _redraw(monitor.state())
            else:
                _print(monitor.state(), args.json, False)
            watch.spin(lambda: False, args.period)
    finally:
        if screen:
            sys.stdout.write(LEAVE)
            sys.stdout.flush()
    return INTERRUPTED


def _print(state: dict[str, Any], as_json: bool, colours: bool) -> None:
    from ..show.text.monitor_view import WIDTH, frame
    if as_json:
        print(json.dumps(state, allow_nan=False), flush=True)
    else:
        width = min(WIDTH, shutil.get_terminal_size((WIDTH, 30)).columns - 1)
        print('\n'.join([*frame(state, width, colours), '']), flush=True)


def _redraw(state: dict[str, Any]) -> None:
    from ..show.text.monitor_view import WIDTH, frame
    size = shutil.get_terminal_size((WIDTH, 30))
    lines = [*frame(state, min(WIDTH, size.columns - 1), _colours()), '', 'Ctrl-C ends the view; the boat goes on.']
    text = f'{CLEAR_LINE}\n'.join(lines[:size.lines - 1])
    sys.stdout.write(f'{HOME}{text}{CLEAR_LINE}{CLEAR_REST}')
    sys.stdout.flush()


def _colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get('NO_COLOR')
