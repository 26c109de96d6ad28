"""What a command says and leaves behind: the text for people, the figures as JSON, the names of written files."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..files.json_file import STDOUT, write_json
from .waiting import give_way


def show_result(text: str, figures: Mapping[str, Any] | Sequence[Mapping[str, Any]], json_target: str | None) -> None:
    """
    Print a result, and write its figures where they are asked for.

    :param text: For people: to stdout, or to stderr where stdout takes the JSON.
    :param figures: The same for JSON, without NaN.
    :param json_target: A file, `-` for stdout, None for none.
    :raises OSError: If the file cannot be written; the text is printed by then.
    """
    give_way()
    print(text, file=sys.stderr if json_target == STDOUT else sys.stdout, flush=True)
    if json_target:
        write_json(figures, json_target)


def say(text: str, end: str = '\n') -> None:
    """Say on stderr what happens."""
    give_way(held=not end.endswith('\n'))
    print(text, end=end, file=sys.stderr, flush=True)


def say_on_terminal(text: str) -> None:
    """Say on stderr what is being done, if somebody sits before it."""
    if sys.stderr.isatty():
        say(f'{text} ...')


def list_files(*paths: Path | str) -> None:
    """Name the files that were written, on stderr."""
    for path in paths:
        say(str(path))
