"""What `ros2 run` and launch files start: a node, or compose. What is missing for it is one line, not a traceback."""

import os
import signal
import sys
from importlib import import_module
from pathlib import Path

from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_text

WRONG_INPUT = 2


def main() -> object:
    """
    Run the executable by whose name this process was started; setup.py lists them.

    :return: What its `main` returns, or the exit code for wrong input.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        # Until ROS begins there is nothing to end, and an interrupted import would end in a traceback.
        signal.signal(number, lambda *_: os._exit(0))
    # Our launch files hold them back until here (HOLD_SIGNALS).
    if hasattr(signal, 'pthread_sigmask'):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
    name = Path(sys.argv[0]).name
    try:
        if name == 'compose':
            return import_module('usv_energy.ros.graph.compose').main()
        node = getattr(import_module(f'usv_energy.nodes.{name}'), ''.join(map(str.capitalize, name.split('_'))))
        return node.main()
    except KeyboardInterrupt:
        # Nothing has begun that would have to be ended.
        return 0
    except InputError as error:
        print(f'{name}: {safe_text(str(error))}', file=sys.stderr)
        return WRONG_INPUT
