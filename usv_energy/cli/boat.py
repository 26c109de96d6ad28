"""`usv-energy boat`: check a boat file, or make one from what its owner knows."""

import argparse
import math
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any

from usv_energy.cli.arguments import add_json, add_payload, add_verb, check_outputs, file_path, provenance_of
from usv_energy.cli.boat_options import add_battery, fitted_boat
from usv_energy.cli.quantities import quantity
from usv_energy.files.errors import Caution, InputError
from usv_energy.files.text_file import check_writable
from usv_energy.show.terminal import list_files, say, show_result
from usv_energy.studies.make.boat_facts import (
    COUNT,
    FACTS,
    NUMBER,
    ROWS,
    BoatFacts,
    Fact,
    facts_document,
    facts_from,
    facts_of_error,
    facts_of_texts,
)
from usv_energy.units import number_in

PICTURE, THROTTLE = 'boat.png', 'full_throttle.png'
# Options of `make` whose names are not those of their facts.
OPTIONS = {'speeds': 'speed', 'thrusters.number': 'thrusters'}
PARTS = {'hull': 'the hull', 'thrusters': 'the thrusters'}   # Of a file of facts, as groups of the options.
KEPT = ('name', 'source')   # Facts that are no options.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='boat_verb', metavar='COMMAND', title='commands', required=True)
    purpose = 'say what a boat file lacks or assumes, its speeds, thrusts, power, turns and stops'
    check = add_verb(verbs, 'check', purpose)
    check.add_argument('boat', metavar='BOAT', help='name of a shipped boat, or path of its YAML file')
    add_payload(check)
    add_battery(check, None, with_ambient=False)
    check.add_argument('--out', type=file_path, metavar='DIR',
                       help=f'draw the curves into DIR/{PICTURE}, and full throttle over charge into DIR/{THROTTLE}')
    add_json(check)
    make = add_verb(verbs, 'make', 'a whole boat file from what is known of a boat, with the doubt in each number',
                    ' Options take the place of the facts in the file.')
    make.add_argument('facts', nargs='?', type=file_path, metavar='FACTS', help='a YAML file of facts: docs/hulls.md')
    groups = {part: make.add_argument_group(title) for part, title in PARTS.items()}
    for fact in FACTS:
        if fact.key not in KEPT:
            again = '; may be given again' if fact.kind == ROWS else ''
            groups.get(fact.key.partition('.')[0], make).add_argument(
                f'--{_option(fact).replace("_", "-")}', help=f'{fact.meaning}{again}', **_type(fact))
    make.add_argument('--out', type=file_path, metavar='FILE', help='write the boat file (.yaml)')
    add_json(make)


def _option(fact: Fact) -> str:
    """Return the name of a fact's option, as an attribute of the arguments."""
    return OPTIONS.get(fact.key, fact.name)


def _type(fact: Fact) -> dict[str, Any]:
    """Return what the option of a fact takes, for `add_argument`."""
    unit = ','.join(fact.units).replace('/', '_').upper()
    if fact.kind == NUMBER:
        above, low = (None, 0.0) if fact.may_be_zero else (0.0, -math.inf)
        return {'type': quantity(partial(number_in, unit=fact.units[0]), above, low), 'metavar': unit}
    if fact.kind == ROWS:
        return {'type': partial(pair, fact=fact), 'metavar': unit, 'action': 'append'}
    if fact.kind == COUNT:
        return {'type': int, 'choices': fact.choices}
    if fact.choices:
        return {'choices': fact.choices, 'type': str.lower}
    return {'metavar': 'LABEL'} if fact.key == 'battery' else {}


def pair(text: str, fact: Fact) -> Any:
    """Return an argument as two numbers above 0, read by their units."""
    try:
        rows = facts_of_texts({fact.key: text}, 'boat make').get(fact.key, [])
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if len(rows) != 1:
        raise argparse.ArgumentTypeError(f'{text!r} are {len(rows)} readings; must be one, more by the option again')
    return rows[0]


def asked_facts(document: dict[str, Any]) -> BoatFacts:
    """
    Return the facts that somebody types, asked for one by one; all that take part in a fault are asked for again.

    :param document: Facts that are not asked for: the name.
    :raises InputError: If the input ends.
    """
    from usv_energy.studies.make.power_fit import made_drive
    say('What is known of the boat? Enter alone skips a line, Ctrl-C ends without a file.')
    given: dict[str, Any] = {}
    for fact in FACTS:
        two, model = given.get('hull.kind') == 'catamaran', given.get('thrusters.model')
        beside = {'hull.spacing': two, 'thrusters.voltage': model, 'thrusters.bollard': not model}
        if fact.key not in KEPT and beside.get(fact.key, True):
            given[fact.key] = _asked(fact)
    while True:
        try:
            facts = facts_from(facts_document(given, document), Path('boat make'))
            made_drive(facts)
        except InputError as error:
            if not (wrong := facts_of_error(str(error), given)):
                raise
            say(f'{error}\nAsked again, as all of it may be wrong: Enter keeps what is there, - takes it back.')
            given |= {fact.key: _asked(fact, given.get(fact.key)) for fact in wrong}
        else:
            return facts


def _asked(fact: Fact, old: Any = None) -> Any:
    """Return what somebody types for a fact, asked until it is right; for Enter alone what it was, None for nothing."""
    more = ('; lines with ;' if fact.kind == ROWS else '') + ('; needed' if fact.is_required else '')
    more += '' if old is None else f'; now {old}'
    while True:
        say(f'{fact.key}, {fact.meaning} ({fact.allowed}{more}): ', end='')
        try:
            text = input()
            if old is not None and text.strip() == '-' and not fact.is_required:
                return None
            found = facts_of_texts({fact.key: text}, 'boat make').get(fact.key, old)
        except EOFError:
            raise InputError('boat make: the input ended before all was asked') from None
        except InputError as error:
            say(str(error))
        else:
            if found is not None or not fact.is_required:
                return found


def execute(args: argparse.Namespace) -> int:
    """Check a boat file, or make one."""
    return _make(args) if args.boat_verb == 'make' else _check(args)


def _check(args: argparse.Namespace) -> int:
    """Print and draw the check of a boat file."""
    from usv_energy.api.boat_files import check_boat
    if args.out is not None:
        check_writable(args.out)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', Caution)    # The check itself says it.
        check = check_boat(fitted_boat(args))
    show_result(check.text(), check.figures(), args.json)
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
    from usv_energy.api.boat_files import MadeResult
    from usv_energy.boats.boat_file import write_boat
    from usv_energy.files.parsed_text import read_yaml
    from usv_energy.studies.make.made_boat import made_boat
    check_outputs(args.json, args.out, None)
    document = {} if args.facts is None else read_yaml(args.facts)
    document = facts_document({fact.key: getattr(args, _option(fact)) for fact in FACTS if fact.key not in KEPT},
                              document, args.facts)
    asks = args.facts is None and not document
    if asks and not sys.stdin.isatty():
        raise InputError('boat make: give a file of facts, or options: --kind, --length, --width, --mass at least')
    if args.out is not None:
        document.setdefault('name', args.out.stem)
    facts = asked_facts(document) if asks else facts_from(document, args.facts or Path('boat make'))
    made = MadeResult(*made_boat(facts, provenance_of(args)))
    show_result(made.text(), made.figures(), args.json)
    if args.out is not None:
        write_boat(made.document, args.out, 'Made by usv-energy boat make; sources say measured, derived or guessed.')
        say(f'boat file: {args.out}')
    return 0
