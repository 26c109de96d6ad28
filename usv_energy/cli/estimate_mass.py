"""`usv-energy estimate-mass`: inertia and added mass of a new hull from its mass and size."""

import argparse

from usv_energy.boats.vessel import FRESH_WATER, estimated_inertia
from usv_energy.cli.arguments import add_json
from usv_energy.cli.quantities import length, length_from_zero, positive
from usv_energy.files.errors import InputError
from usv_energy.show.terminal import show_result

UNITS = {'mass': 'kg', 'water_density': 'kg_m3'}    # All others are in m.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--boat', help='name or YAML file of a boat whose mass, length, width and thrusters are taken '
                                       'where they are not given')
    parser.add_argument('--mass', type=positive, metavar='KG', help='of the boat with all that is fixed to it')
    parser.add_argument('--length', type=length, metavar='M', help='over all')
    parser.add_argument('--width', type=length, metavar='M', help='over all')
    parser.add_argument('--draught', type=length, metavar='M', required=True, help='submerged depth of the hull')
    parser.add_argument('--thruster-distance', type=length_from_zero, metavar='M',
                        help='between two thrusters side by side; 0 for a single one')
    parser.add_argument('--water-density', type=positive, default=FRESH_WATER, metavar='KG_M3',
                        help='(default: %(default)g, fresh water; salt water has about 1025)')
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Estimate, and print the numbers as a part of a boat file."""
    from usv_energy.studies.check.boat_check_text import inertia_text
    known = _size_of(args.boat) if args.boat is not None else {}
    given: dict[str, float] = {}
    for name in ('mass', 'length', 'width', 'draught', 'thruster_distance', 'water_density'):
        value = known.get(name) if getattr(args, name) is None else getattr(args, name)
        if value is None:
            lacks = f'the boat {args.boat} does not say it' if args.boat is not None else 'or --boat, to take it from'
            raise InputError(f'--{name.replace("_", "-")} is missing: {lacks}')
        given[name] = value
    inertia = estimated_inertia(**given)
    figures = {f'{name}_{UNITS.get(name, "m")}': value for name, value in given.items()}
    show_result(inertia_text(inertia, given), {**figures, 'm11_kg': inertia.m11, 'm22_kg': inertia.m22,
                                               'm33_kg_m2': inertia.m33}, args.json)
    return 0


def _size_of(name: str) -> dict[str, float | None]:
    from usv_energy.boats.boat_file import read_boat, require_motion
    boat = read_boat(name)
    require_motion(boat, 'an estimate of masses')
    places = [thruster.y for thruster in boat.vessel.thrusters]
    return {'mass': boat.hull.mass, 'length': boat.hull.length, 'width': boat.hull.width,
            'thruster_distance': max(places) - min(places)}
