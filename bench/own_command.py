"""The command line of a benchmark of its own: a parser with `--json`, figures kept on Ctrl-C, errors of one line."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from usv_energy.cli.arguments import ArgumentParser
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import STDOUT, check_target, without_nan, write_json

INTERRUPTED = 130


def figures_parser(description: str) -> ArgumentParser:
    """Return a parser that has `--json`; the first paragraph of a module's docstring describes it."""
    parser = ArgumentParser(Path(sys.argv[0]).stem, description=description.strip().split('\n\n')[0],
                            allow_abbrev=False)
    parser.add_argument('--json', metavar='FILE', help='write the figures as JSON; - for stdout (the table: stderr)')
    return parser


def at_least(lowest: int) -> Callable[[str], int]:
    """Return what reads a whole number of so much or more."""
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = lowest - 1
        if number < lowest:
            raise argparse.ArgumentTypeError(f'{text}: must be a whole number, {lowest} or more')
        return number
    return read


@contextlib.contextmanager
def kept(figures: Mapping[str, Any], target: str | None) -> Iterator[TextIO]:
    """
    Give the stream for the table; write the figures at the end, or on Ctrl-C those until then, marked `interrupted`.

    :param figures: What is filled meanwhile; units in the keys.
    :param target: Of the JSON: a file; -: stdout, and the table goes to stderr; None: nowhere.
    :raises InputError: If the target cannot be written, before anything is measured.
    """
    check_target(target)
    try:
        yield sys.stderr if target == STDOUT else sys.stdout
    except KeyboardInterrupt:
        if target is not None:
            write_json(without_nan({**figures, 'interrupted': True}), target)
        raise
    if target is not None:
        write_json(without_nan(figures), target)


def ended_by(main: Callable[[], int]) -> int:
    """Return the exit status of a benchmark: 2 and one line for what it was asked, 130 for Ctrl-C, else its own."""
    prog = Path(sys.argv[0]).stem
    try:
        return main()
    except InputError as error:
        print(f'{prog}: error: {error}', file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f'{prog}: interrupted; the figures are those until then', file=sys.stderr)
        return INTERRUPTED
