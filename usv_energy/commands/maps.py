"""`usv-energy map`: energy over course and speed, best speeds, the reach of a battery, time against energy."""

import argparse
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..boats.boat_file import Boat, read_boat
from ..files.errors import InputError
from ..files.json_file import check_target, write_json
from .arguments import SpeedAndDirection, add_json, not_negative, number, positive

LIST_HELP = 'numbers with commas, or FROM:TO:NUMBER'
MOST_POINTS = 20_000_000    # Of an energy map: about 100 bytes each are in memory.
LEAST_SPEED = 0.05          # m/s over ground: the least of the speeds that are tried where none are given.


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own verbs and their arguments."""
    verbs = parser.add_subparsers(dest='map_verb', metavar='COMMAND', title='commands', required=True)

    def verb(name: str, purpose: str, number: int, note: str = '') -> argparse.ArgumentParser:
        child = verbs.add_parser(name, help=purpose, allow_abbrev=False,
                                 description=f'{purpose[0].upper()}{purpose[1:]}.{note}')
        _add_common(child, number)
        return child

    energy = verb('energy', 'energy per metre over course and speed, in many currents and winds', 40)
    best = verb('best', 'the speed of least energy per metre, by course', 24)
    for child in (energy, best):
        child.add_argument('--courses', type=_count, default=72, metavar='N', help='all around (default: %(default)s)')
        for name, speeds in (('current', '0,0.2,0.4'), ('wind', '0,3,6')):
            child.add_argument(f'--{name}-speed', type=_numbers, default=_numbers(speeds), metavar='M_S',
                               help=f'{LIST_HELP} (default: {speeds})')
            child.add_argument(f'--{name}-direction', type=_numbers, default=_numbers('0,120,240'), metavar='DEG',
                               help='where it flows to, counter-clockwise from east (default: 0,120,240)')
    reach = verb('reach', 'the area that a battery reaches', 32, ' The boat goes at its cheapest speed everywhere.')
    front = verb('front', 'time against energy between two places', 32)
    for child in (reach, front):
        child.add_argument('--from', dest='start', nargs=2, type=number, required=True, metavar=('X', 'Y'), help='m')
        _add_flows(child)
    reach.add_argument('--energy-wh', type=positive, metavar='WH', help='(default: the charge of the boat\'s battery)')
    reach.add_argument('--round-trip', action='store_true', help='there and back')
    reach.add_argument('--extent', nargs=4, type=number, metavar=('XMIN', 'YMIN', 'XMAX', 'YMAX'),
                       help='go no further, m')
    reach.add_argument('--points', type=_count, default=121, metavar='N',
                       help='of the grid along its longer side (default: %(default)s)')
    front.add_argument('--to', dest='goal', nargs=2, type=number, required=True, metavar=('X', 'Y'), help='m')
    front.add_argument('--points', type=_count, default=48, metavar='N',
                       help='of the grid from start to goal (default: %(default)s)')
    front.add_argument('--margin', type=positive, default=0.5, metavar='SHARE',
                       help='room for detours around the two, as a share of their distance (default: %(default)s)')


def _add_common(parser: argparse.ArgumentParser, number: int) -> None:
    parser.add_argument('--boat', default='lutra_prop', help='name or YAML file (default: %(default)s)')
    parser.add_argument('--static-load', type=not_negative, metavar='W',
                        help='hotel load in place of the boat file\'s')
    parser.add_argument('--speeds', type=_numbers, metavar='M_S',
                        help=f'speeds over ground, m/s: {LIST_HELP} (default: {number} up to the boat\'s top speed and '
                             'the fastest current)')
    parser.add_argument('--out', type=Path, metavar='FILE', help='write FILE.nc (netCDF) or FILE.zarr, for xarray')
    parser.add_argument('--plot', type=Path, metavar='PNG', help='draw it')
    add_json(parser)
    parser.set_defaults(speed_number=number)


def _add_flows(parser: argparse.ArgumentParser) -> None:
    for name in ('current', 'wind'):
        parser.add_argument(f'--{name}', nargs='+', action=SpeedAndDirection, metavar='SPEED,DIRECTION',
                            help=f'the same {name} everywhere, m/s and deg: where it flows to')
        parser.add_argument(f'--{name}-flow', metavar='FLOW',
                            help=f'{name} that varies: name of a shipped flow, or a flow\'s YAML file')
    parser.add_argument('--time', type=number, default=0.0, metavar='S',
                        help='when flows that vary in time are looked at; they stand still meanwhile (default: 0)')


def execute(args: argparse.Namespace) -> int:
    """Make one of the maps."""
    check_target(args.json)
    check_target(str(args.plot) if args.plot else None)
    if args.out is not None:
        from ..sweep.results_file import check_suffix
        check_suffix(args.out)
    if args.speeds is not None and not (len(args.speeds) >= 3 and min(args.speeds) > 0.0
                                        and bool(np.all(np.diff(args.speeds) > 0.0))):
        raise InputError(f'--speeds is {args.speeds}; must be at least 3 speeds above 0, rising')
    boat = read_boat(args.boat)
    from . import mapverbs
    verbs: dict[str, Callable[[argparse.Namespace, Boat], tuple[dict[str, Any], str]]] = {
        'energy': mapverbs.energy, 'best': mapverbs.best, 'reach': mapverbs.reach, 'front': mapverbs.front}
    figures, text = verbs[args.map_verb](args, boat)
    if args.json is not None:
        write_json(figures, args.json)
    print(text, file=sys.stderr if args.json == '-' else sys.stdout)
    return 0


def vessel_of(args: argparse.Namespace, boat: Boat) -> Any:
    """Return the boat's Vessel with the hotel load that the arguments give."""
    load = boat.vessel.static_load if args.static_load is None else args.static_load
    return boat.vessel._replace(static_load=load)


def speeds_of(args: argparse.Namespace, vessel: Any, current: float) -> np.ndarray:
    """
    Return the speeds over ground to look at, m/s.

    :param current: The fastest current, m/s.
    """
    from ..planning.steady_motion import top_speed
    if args.speeds is not None:
        return np.array(args.speeds)
    top = top_speed(vessel)
    if not top > LEAST_SPEED:
        raise InputError(f'the boat {args.boat} cannot go faster than {top:g} m/s')
    return np.linspace(LEAST_SPEED, top + current, args.speed_number)


def attributes_of(args: argparse.Namespace, boat: Boat, title: str, **more: Any) -> dict[str, Any]:
    """Return the attributes of a file of results: where it comes from."""
    import yaml

    from ..files.checked import read_with_base
    from ..sweep.results_file import provenance
    text = yaml.safe_dump(read_with_base('boats', boat.path), sort_keys=False, allow_unicode=True)
    return provenance(title, shlex.join(['usv-energy', *sys.argv[1:]]), {'boat': text}, **more)


class Counter:
    """Progress on stderr, every now and then, of work that takes long."""

    def __init__(self, what: str) -> None:
        """Start the clock."""
        self._what, self._begin, self._said = what, time.monotonic(), 0.0

    def __call__(self, done: int, number: int) -> None:
        """Say how far it is."""
        passed = time.monotonic() - self._begin
        if passed - self._said > 2.0 and done < number:
            self._said = passed
            print(f'{self._what}: {100 * done // number} %, {passed * (number - done) / done:.0f} s left',
                  file=sys.stderr, flush=True)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 4:
        raise argparse.ArgumentTypeError(f'{text!r} is no whole number of at least 4')
    return int(text)


def _numbers(text: str) -> list[float]:
    parts = text.split(':')
    if len(parts) == 3 and parts[2].isdecimal() and int(parts[2]) >= 2:
        return [float(value) for value in np.linspace(number(parts[0]), number(parts[1]), int(parts[2]))]
    if len(parts) != 1:
        raise argparse.ArgumentTypeError(f'{text!r} must be {LIST_HELP}, at least 2 of them')
    return [number(part) for part in text.split(',')]
