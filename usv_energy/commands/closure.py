"""`usv-energy closure`: the power model's error on a boat that it does not describe."""

import argparse

from ..boats.boat_file import read_boat
from ..files.json_file import check_target, write_json
from ..show.text.run_tables import closure_table
from ..sim.scenario import read_scenario
from ..sim.steady_closure import steady_closure

BASE = '5'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--boat', default='lutra_prop', help='boat of the power model (%(default)s)')
    parser.add_argument('--plant', default='lutra_prop_usvsim', help='boat that moves (%(default)s)')
    parser.add_argument('--speeds', nargs='+', type=_speed, default=[0.5, 1.0, 1.35], metavar='M/S',
                        help='speeds to hold, m/s (0.5 1.0 1.35)')
    parser.add_argument('--json', nargs='?', const='-', metavar='FILE',
                        help='write JSON to FILE; without FILE to stdout')


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.0 < speed < 100.0:
        raise argparse.ArgumentTypeError(f'{text!r} is no speed; must be a number above 0 and below 100, m/s')
    return speed


def execute(args: argparse.Namespace) -> int:
    """Run the plant at each speed and print the closures."""
    check_target(args.json)
    boat, plant = read_boat(args.boat), read_boat(args.plant)
    base = read_scenario(BASE).with_options(boat=args.boat, plant=args.plant)
    rows = [steady_closure(base, boat, plant, speed) for speed in args.speeds]
    if args.json:
        write_json(rows, args.json)
    else:
        print(closure_table(rows))
    return 0
