"""`usv-energy boat`: check a boat file, and show the boat's properties that follow from it."""

import argparse

from usv_energy.cli.arguments import add_json, add_payload, add_verb, file_path
from usv_energy.files.text_file import check_writable
from usv_energy.show.terminal import list_files, show_result

PICTURE, THROTTLE = 'boat.png', 'full_throttle.png'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='boat_verb', metavar='COMMAND', title='commands', required=True)
    purpose = 'say what a boat file lacks or assumes, its speeds, thrusts, power, turns and stops'
    check = add_verb(verbs, 'check', purpose)
    check.add_argument('boat', metavar='BOAT', help='name of a shipped boat, or path of its YAML file')
    add_payload(check)
    check.add_argument('--out', type=file_path, metavar='DIR',
                       help=f'draw the curves into DIR/{PICTURE}, and full throttle over charge into DIR/{THROTTLE}')
    add_json(check)


def execute(args: argparse.Namespace) -> int:
    """Print and draw the check of a boat file."""
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.studies.check.boat_check import boat_check
    from usv_energy.studies.check.boat_check_text import boat_check_figures, boat_check_text
    if args.out is not None:
        check_writable(args.out)
    check = boat_check(read_boat(args.boat, payload=args.payload))
    figures = boat_check_figures(check)
    show_result(boat_check_text(figures), figures, args.json)
    if args.out is not None:
        from usv_energy.studies.check.boat_check_picture import plot_boat_check
        args.out.mkdir(parents=True, exist_ok=True)
        plot_boat_check(check, args.out / PICTURE)
        pictures = [args.out / PICTURE]
        if check.throttle is not None and check.throttle.time.size:
            from usv_energy.studies.check.boat_check_picture import plot_full_throttle
            pictures.append(args.out / THROTTLE)
            plot_full_throttle(check.boat.name, check.throttle, check.sheets, args.out / THROTTLE)
        list_files(*pictures)
    return 0
