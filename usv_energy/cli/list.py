"""`usv-energy list`: the shipped scenarios, boats, sensors, thrusters and more, and the numbers of a boat file."""

import argparse

from usv_energy.cli.arguments import add_json
from usv_energy.show.terminal import show_result
from usv_energy.studies.check.boat_check_text import (
    LISTED,
    boat_number_rows,
    boat_number_text,
    shipped_entries,
    shipped_text,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('kind', nargs='?', choices=LISTED, metavar='KIND',
                        help=f'what to list: {", ".join(LISTED)} (the first three)')
    parser.add_argument('--boat-numbers', action='store_true',
                        help='list the numbers that a boat file may hold, with units, limits and meaning, instead')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Print the lists."""
    if args.boat_numbers:
        show_result(boat_number_text(), boat_number_rows(), args.json)
    else:
        entries = shipped_entries(args.kind)
        show_result(shipped_text(entries), entries, args.json)
    return 0
