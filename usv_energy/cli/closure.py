"""`usv-energy closure`: the error of a power model for a plant with other parameters."""

import argparse

from usv_energy.cli.arguments import add_json
from usv_energy.cli.quantities import speed
from usv_energy.show.terminal import show_result
from usv_energy.sim.runner import SPEEDS, steady_closures
from usv_energy.studies.runs.run_tables import closure_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--boat', default='lutra_prop', help='boat of the power model (%(default)s)')
    parser.add_argument('--plant', default='lutra_prop_usvsim', help='boat that moves (%(default)s)')
    parser.add_argument('--speeds', nargs='+', type=speed, default=SPEEDS, metavar='SPEED',
                        help=f'speeds to hold, 1.2 (m/s) or `2.4 kn` ({" ".join(map(str, SPEEDS))})')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Run the plant at each speed and print the closures."""
    closures = steady_closures(args.boat, args.plant, args.speeds)
    show_result(closure_table(closures), closures, args.json)
    return 0
