"""Frames of a running boat on a terminal, each in the place of the last, or one after the other as text or JSON."""

import json
import os
import shutil
import sys
from typing import Any

from .text.monitor_view import WIDTH, frame

ENTER, LEAVE = '\x1b[?1049h\x1b[?25l', '\x1b[?25h\x1b[?1049l'
HOME, CLEAR_LINE, CLEAR_REST = '\x1b[H', '\x1b[K', '\x1b[J'


class FrameOutput:
    """Shows one state of a boat after the other; a context manager, which gives the terminal back at its end."""

    def __init__(self, as_json: bool, live: bool) -> None:
        """Choose JSON, an object a line, or the picture, whose frames replace each other if `live`."""
        self._as_json = as_json
        self._on_terminal = sys.stdout.isatty()
        self._in_place = live and self._on_terminal and not as_json
        self._colours = self._on_terminal and not os.environ.get('NO_COLOR') and (self._in_place or not live)

    def __enter__(self) -> 'FrameOutput':
        """Take the screen, where frames replace each other."""
        if self._in_place:
            sys.stdout.write(ENTER)
        return self

    def __exit__(self, *exception: object) -> None:
        """Give the screen back."""
        if self._in_place:
            sys.stdout.write(LEAVE)
            sys.stdout.flush()

    def show(self, state: dict[str, Any]) -> None:
        """Show a state, as `Monitor.state` gives it."""
        if self._as_json:
            print(json.dumps(state, allow_nan=False), flush=True)
            return
        size = shutil.get_terminal_size((WIDTH, 30))
        lines = [*frame(state, min(WIDTH, size.columns - 1), self._colours), '']
        if self._in_place:
            lines.append('Ctrl-C ends the view; the boat goes on.')
            text = f'{CLEAR_LINE}\n'.join(lines[:size.lines - 1])
            sys.stdout.write(f'{HOME}{text}{CLEAR_LINE}{CLEAR_REST}')
            sys.stdout.flush()
        else:
            print('\n'.join(lines), flush=True)
