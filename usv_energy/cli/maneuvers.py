"""`usv-energy maneuver`: open-loop thrusts or pulses over time: bollard pull, run-up, coast-down, turns."""

import argparse

from usv_energy.cli.arguments import add_json, add_outputs, add_payload
from usv_energy.files.errors import InputError
from usv_energy.show.terminal import list_files, show_result

PICTURE = 'maneuver.png'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('maneuver', metavar='MANEUVER',
                        help='name in config/maneuvers (straight, coast_down, bollard; a, b, c) or a YAML file')
    parser.add_argument('--boat', default='lutra_prop', help='name or YAML file of the boat (%(default)s)')
    add_pulses(parser)
    add_payload(parser)
    add_outputs(parser, 'a folder for {samples,commands}.csv, which are a log, and of a tied boat bollard.csv', PICTURE)
    add_json(parser)


def add_pulses(parser: argparse.ArgumentParser) -> None:
    """Add `--pwm`, which `pulses_of` reads."""
    parser.add_argument('--pwm', metavar='US[,US...]',
                        help='pulse widths of all thrusters, us, in place of what the maneuver asks for, one after the '
                             'other; the boat file says what they give (pwm)')


def execute(args: argparse.Namespace) -> int:
    """Run the maneuver, and print the results of its steps; the outputs are checked first."""
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.files.text_file import check_target, check_writable
    from usv_energy.logs.maneuver_log import write_bollard, write_maneuver
    from usv_energy.sim.maneuver import performed, read_maneuver, step_figures
    from usv_energy.studies.runs.acoustic_output import maneuver_summary, maneuver_text
    check_target(args.plot)
    if args.out is not None:
        check_writable(args.out)
    boat, maneuver = read_boat(args.boat, payload=args.payload), read_maneuver(args.maneuver)
    if args.pwm is not None:
        maneuver = maneuver.with_pulses(pulses_of(args.pwm))
    run = performed(maneuver, boat, boat)
    steps = step_figures(maneuver, run, boat)
    show_result(maneuver_text(maneuver, steps, boat), maneuver_summary(maneuver, steps, boat), args.json)
    if args.out is not None:
        write_maneuver(run.rows, run.commanded, boat, args.out)
        if maneuver.tied:
            write_bollard(run, boat, args.out)
        list_files(args.out)
    if args.plot is not None:
        from usv_energy.studies.runs.acoustic_output import plot_maneuver
        plot_maneuver(maneuver, run, boat, args.plot)
        list_files(args.plot)
    return 0


def pulses_of(text: str) -> list[float]:
    """Return the pulse widths of `--pwm`, us; InputError if they are no numbers."""
    try:
        return [float(part) for part in text.split(',')]
    except ValueError:
        raise InputError(f'--pwm is {text!r}; must be pulse widths in us, as 1700 or 1700,1600') from None
