"""What is thrown away while Python is being interrupted: Ctrl-C neither gets lost there nor leaves a traceback."""

import sys
from _thread import interrupt_main
from typing import Any


def on_unraisable(unraisable: Any) -> None:
    """
    Deal with an error in a destructor, as `sys.unraisablehook`.

    A Ctrl-C that falls into a destructor is handed on to the main thread. What llvmlite was just making when a Ctrl-C
    came lacks what its destructor looks for: that is kept silent. All else is said as ever.

    :param unraisable: What Python gives to that hook.
    """
    if unraisable.exc_type is KeyboardInterrupt:
        interrupt_main()
    elif not (unraisable.exc_type is AttributeError
              and str(getattr(unraisable.object, '__module__', '')).startswith('llvmlite')):
        sys.__unraisablehook__(unraisable)
