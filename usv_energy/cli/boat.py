"""`usv-energy boat`: check a boat file, or make one from what its owner knows."""

import argparse
from pathlib import Path
from typing import Any

from usv_energy.cli.arguments import (
    add_json,
    add_payload,
    add_verb,
    check_outputs,
    file_path,
    not_negative,
    positive,
    provenance_of,
)
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_writable
from usv_energy.show.terminal import list_files, say, show_result

PICTURE, THROTTLE = 'boat.png', 'full_throttle.png'
# Options of `make` that are numbers of the facts: option, place in the facts, unit, what it is.
NUMBERS: tuple[tuple[str, str, str, str], ...] = (
    ('length', 'hull.length', 'M', 'over all'), ('width', 'hull.width', 'M', 'over all'),
    ('mass', 'mass', 'KG', 'in the water, batteries included'), ('payload', 'payload', 'KG', 'beyond that mass'),
    ('top-speed', 'top_speed', 'M_S', 'at full throttle in still water'),
    ('hotel', 'hotel', 'W', 'electronics, all the time'),
    ('waterline', 'hull.waterline', 'M', 'length of the waterline'),
    ('beam', 'hull.beam', 'M', 'of the waterline of one hull'),
    ('draught', 'hull.draught', 'M', 'of the hull'),
    ('spacing', 'hull.spacing', 'M', 'between the hulls of a catamaran'),
    ('height', 'hull.height', 'M', 'above water'), ('voltage', 'thrusters.voltage', 'V', 'of the thrusters'),
    ('diameter', 'thrusters.diameter', 'M', 'of one propeller'),
    ('max-power', 'thrusters.max_power', 'W', 'electrical, of one thruster'))
MAY_BE_ZERO = ('payload', 'hotel')


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
    make = add_verb(verbs, 'make', 'a whole boat file from what is known of a boat, with the doubt in each number',
                    ' Options take the place of the facts in the file.')
    make.add_argument('facts', nargs='?', type=file_path, metavar='FACTS', help='a YAML file of facts: docs/boats.md')
    make.add_argument('--kind', choices=('monohull', 'catamaran'), help='of the hull')
    for name, _, unit, meaning in NUMBERS:
        kind = not_negative if name in MAY_BE_ZERO else positive
        make.add_argument(f'--{name}', type=kind, metavar=unit, help=meaning)
    make.add_argument('--speed', action='append', type=pair, metavar='M_S,W', default=[],
                      help='electrical power, hotel load included, at a speed through still water; may be given again')
    make.add_argument('--bollard', action='append', type=pair, metavar='N,W', default=[],
                      help='pull of the whole boat, tied, and the power for it; may be given again')
    make.add_argument('--thrusters', type=int, choices=(1, 2), help='1, which turns to steer, or 2 side by side (2)')
    make.add_argument('--stern', choices=('fine', 'transom'), help='transom: a flat one is in the water at rest')
    make.add_argument('--control', choices=('electronic', 'resistors'), help='of the motor: a few steps are resistors')
    make.add_argument('--model', help='of the thrusters, a file in config/thrusters; with --voltage')
    make.add_argument('--battery', metavar='LABEL', help="as '4S 18Ah', '148 Wh LFP', '2x 14.8V 18Ah'")
    make.add_argument('--out', type=file_path, metavar='FILE', help='write the boat file (.yaml)')
    add_json(make)


def pair(text: str) -> list[float]:
    """Return an argument as two numbers above 0."""
    parts = text.split(',')
    if len(parts) != 2:
        raise argparse.ArgumentTypeError(f'{text!r} are not two numbers with a comma')
    return [positive(part) for part in parts]


def execute(args: argparse.Namespace) -> int:
    """Check a boat file, or make one."""
    return _make(args) if args.boat_verb == 'make' else _check(args)


def _check(args: argparse.Namespace) -> int:
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


def _make(args: argparse.Namespace) -> int:
    """Print what is made of the facts, and write the boat file."""
    from usv_energy.boats.boat_file import write_boat
    from usv_energy.files.parsed_text import read_yaml
    from usv_energy.studies.make.boat_facts import facts_from
    from usv_energy.studies.make.made_boat import made_boat
    from usv_energy.studies.make.make_text import make_figures, make_text
    check_outputs(args.json, args.out, None)
    document = {} if args.facts is None else read_yaml(args.facts)
    _lay_options_over(document, args)
    if args.facts is None and not document:
        raise InputError('boat make: give a file of facts, or options: --kind, --length, --width, --mass at least')
    if args.out is not None:
        document.setdefault('name', args.out.stem)
    facts = facts_from(document, args.facts or Path('boat make'))
    made = made_boat(facts, provenance_of(args))
    show_result(make_text(made), make_figures(made), args.json)
    if args.out is not None:
        write_boat(made.document, args.out, 'Made by usv-energy boat make; sources say measured, derived or guessed.')
        say(f'boat file: {args.out}')
    return 0


def _lay_options_over(document: dict[str, Any], args: argparse.Namespace) -> None:
    """Put the given options in the place of the facts of a file."""
    given: list[tuple[str, Any]] = [(place, getattr(args, name.replace('-', '_'))) for name, place, _, _ in NUMBERS]
    given += [('hull.kind', args.kind), ('hull.stern', args.stern), ('thrusters.number', args.thrusters),
              ('thrusters.model', args.model), ('thrusters.control', args.control), ('battery', args.battery),
              ('speeds', args.speed or None), ('thrusters.bollard', args.bollard or None)]
    for place, value in given:
        if value is not None:
            *sections, name = place.split('.')
            node = document
            for section in sections:
                node = node.setdefault(section, {})
                if not isinstance(node, dict):
                    raise InputError(f'{args.facts}: {section} is {node!r}; must be a mapping')
            node[name] = value
