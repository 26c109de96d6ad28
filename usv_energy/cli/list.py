"""`usv-energy list`: the shipped scenarios, boats and sensors, and the numbers of a boat file."""

import argparse

from usv_energy.cli.arguments import add_json
from usv_energy.show.terminal import show_result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--boat-numbers', action='store_true',
                        help='list the numbers that a boat file may hold, with units, limits and meaning, instead')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Print the lists."""
    if args.boat_numbers:
        from usv_energy.studies.check.boat_check_text import boat_number_rows, boat_number_text
        show_result(boat_number_text(), boat_number_rows(), args.json)
    else:
        from usv_energy.studies.check.boat_check_text import shipped_entries, shipped_text
        entries = shipped_entries()
        show_result(shipped_text(entries), entries, args.json)
    return 0
