"""`usv-energy list`: the scenarios, boats and sensors that are shipped, and the numbers that a boat file may hold."""

import argparse

from ..show.output import show_result
from .arguments import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--boat-numbers', action='store_true',
                        help='list the numbers that a boat file may hold, with units, limits and meaning, instead')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Print the lists."""
    if args.boat_numbers:
        from ..show.text.boat_file_text import boat_number_rows, boat_number_text
        show_result(boat_number_text(), boat_number_rows(), args.json)
    else:
        from ..show.text.shipped_text import shipped_entries, shipped_text
        entries = shipped_entries()
        show_result(shipped_text(entries), entries, args.json)
    return 0
