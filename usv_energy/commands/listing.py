"""`usv-energy list`: the scenarios and boats that are shipped, and the numbers that a boat file may hold."""

import argparse
import re
from typing import Any

from ..files.checked import read_with_base
from ..files.json_file import check_target, write_json
from ..files.locate import names, resolve
from ..show.text_table import text_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--boat-numbers', action='store_true',
                        help='list the numbers that a boat file may hold, with units, limits and meaning, instead')
    parser.add_argument('--json', nargs='?', const='-', metavar='FILE',
                        help='write JSON to FILE; without FILE to stdout')


def execute(args: argparse.Namespace) -> int:
    """Print the lists."""
    check_target(args.json)
    if args.boat_numbers:
        from ..show.text.boat_file_text import boat_number_rows, boat_number_text
        if args.json:
            write_json(boat_number_rows(), args.json)
        else:
            print(boat_number_text())
        return 0
    scenarios = [_entry('scenarios', name, title='title', boat='boat') for name in natural_order(names('scenarios'))]
    boats = [_entry('boats', name, description='description') for name in natural_order(names('boats'))]
    if args.json:
        write_json({'scenarios': scenarios, 'boats': boats}, args.json)
    else:
        for title, entries in (('Scenarios', scenarios), ('\nBoats', boats)):
            print(title, *text_table([list(entry.values()) for entry in entries]), sep='\n  ')
    return 0


def natural_order(texts: list[str]) -> list[str]:
    """Return texts in the order that people expect: 2 before 10."""
    return sorted(texts, key=lambda text: [(part.isdigit(), int(part) if part.isdigit() else part)
                                           for part in re.split(r'([0-9]+)', text) if part])


def _entry(kind: str, name: str, **keys: str) -> dict[str, Any]:
    """Return some values of a shipped file, which is not checked: this list is to come at once."""
    document = read_with_base(kind, resolve(kind, name))
    return {'name': name, **{shown: str(document.get(key, '')) for shown, key in keys.items()}}
