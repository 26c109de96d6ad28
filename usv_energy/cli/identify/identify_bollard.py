"""`usv-energy identify bollard`: thrust over PWM, and watts, from pulls at a bollard."""

import argparse
import math

from usv_energy.cli.arguments import add_json, add_outputs, check_outputs, file_path, provenance_of
from usv_energy.cli.quantities import duration_from_zero
from usv_energy.show.terminal import list_files, say, show_result

PICTURE, DEFAULT = 'bollard.png', 'lutra_prop'
SLIGHT = 0.5    # deg, tilt of thrusters that is not worth a word.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('tables', nargs='+', type=file_path, metavar='TABLE',
                        help='tables (CSV) of readings: pwm_us, pull_n and, where measured, power_w, or voltage_v and '
                             'current_a; with time_s it is a recording, of which each time a command is held is a '
                             'reading. Or folders of `usv-energy maneuver bollard`')
    parser.add_argument('--boat', default=DEFAULT,
                        help='name or YAML file of the boat: number and tilt of its thrusters (%(default)s)')
    for name, meaning in (('pwm', 'the command, us'), ('pull', 'the pull of the whole boat, N'),
                          ('power', 'electrical power, W')):
        unit = {'pwm': 'us', 'pull': 'n', 'power': 'w'}[name]
        parser.add_argument(f'--{name}-column', default=f'{name}_{unit}', metavar='NAME',
                            help=f'of {meaning} (%(default)s)')
    parser.add_argument('--settle', type=duration_from_zero, default=1.0, metavar='S',
                        help='of a recording: how long a command is held before the pull counts, s (%(default)g)')
    add_outputs(parser, 'write the boat file, FILE.yaml', PICTURE)
    add_json(parser)


def execute(args: argparse.Namespace) -> int:
    """Fit the curve, print and write; the outputs are checked first."""
    from usv_energy.api.fits import identify_bollard
    from usv_energy.boats.boat_file import Boat, read_boat
    from usv_energy.files.text_file import check_target
    check_outputs(args.json, args.out, None)
    check_target(args.plot)
    boat = read_boat(args.boat)
    result = identify_bollard(args.tables, boat, columns=(args.pwm_column, args.pull_column, args.power_column),
                              settle=args.settle)
    show_result(result.text(), result.figures(), args.json)
    if args.out is not None:
        made = result.write(args.out, provenance_of(args))
        lacks = (result.found.idle == result.found.idle and isinstance(made, Boat)
                 and not made.vessel.losses.mapped)
        tilt = math.degrees(math.acos(min(result.found.share / len(boat.vessel.thrusters), 1.0)))
        assumed = f', thrusters that point {tilt:.0f} degrees off the way ahead' if tilt > SLIGHT else ''
        say(f'all that was not measured here is that of {boat.name}, its size, drag and battery included{assumed}: '
            '--boat says another, and `usv-energy boat make --bollard` makes one of your own numbers')
        why = ', which say nothing of thrust astern'
        if isinstance(made, Boat) and any(thruster.propeller is not None for thruster in made.vessel.thrusters):
            why = ': its propellers keep their own; put the measured ones there as propeller.map (docs/propellers.md)'
        say(f'boat file: {args.out}' + (f'; without the watts{why}' if lacks else ''))
    if args.plot is not None:
        result.write_picture(args.plot)
        list_files(args.plot)
    return 0
