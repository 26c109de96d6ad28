"""What a command reads is not written over: a slip in an option must not cost a boat file or a log."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..files.errors import InputError
from ..files.json_file import STDOUT

OUTPUTS = ('out', 'plot', 'json', 'report')
REPLACES_BOAT = 'identify'  # Verbs that begin so find numbers of a boat: its file may be the one that they write anew.


def check_inputs_are_kept(args: argparse.Namespace) -> None:
    """
    See whether what a command is to write leaves what it reads alone.

    A boat file that is identified further may be its own base: `--boat FILE --out FILE` of `identify` and its like.

    :param args: All that was given; outputs are `--out`, `--plot`, `--json` and `--report`, anything else is read.
    :raises InputError: If an output is a file that another argument names, or `--json` a file there that is no JSON:
        the option, the file, and what it must be.
    """
    written = [(option, path) for option in OUTPUTS for path in _files_of(getattr(args, option, None))]
    read = [(name, path) for name, value in vars(args).items() if name not in OUTPUTS for path in _files_of(value)]
    for option, path in written:
        own = ('out', 'boat') if args.verb.startswith(REPLACES_BOAT) else None
        if any(path.samefile(other) for name, other in read if (option, name) != own):
            raise InputError(f'--{option} {path}: is a file that this command reads; must be another one')
        if option == 'json' and path.suffix != '.json':
            raise InputError(f'--json {path}: is there already, and its name does not end in .json; must be a new '
                             f'file, one that ends so, or {STDOUT} for stdout')


def check_replaces_mission(path: Path) -> None:
    """
    See whether a mission may be written to a path: nothing is there, or an empty file, or a mission.

    :raises InputError: If another kind of file is there, such as a boat's.
    """
    from ..missions.read_mission import read_mission
    if not path.is_file() or path.stat().st_size == 0:
        return
    try:
        read_mission(path.absolute(), 'all')
    except InputError:
        raise InputError(f'{path}: is there already, and no mission; must be a new file, or a mission') from None


def _files_of(value: Any) -> Iterator[Path]:
    """Give the files that are there among the values of an argument."""
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _files_of(inner)
    elif isinstance(value, str | Path):
        try:
            if (path := Path(value)).is_file():
                yield path
        except (OSError, ValueError):  # A text that no file can be named.
            return
