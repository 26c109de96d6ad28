"""What several verbs share: numbers within limits, a flow as speed and direction, --json, the need of ROS."""

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..files.errors import InputError
from ..files.json_file import STDOUT
from ..files.user_path import user_path
from ..show.output import say

if TYPE_CHECKING:
    from ..boats.boat_file import Boat


def number(text: str) -> float:
    """Return an argument as a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f'{text!r} is no finite number')
    return value


def positive(text: str) -> float:
    """Return an argument as a number above 0."""
    if not (value := number(text)) > 0.0:
        raise argparse.ArgumentTypeError(f'{text!r} is not above 0')
    return value


def not_negative(text: str) -> float:
    """Return an argument as a number from 0 on."""
    if not (value := number(text)) >= 0.0:
        raise argparse.ArgumentTypeError(f'{text!r} is below 0')
    return value


def whole_number(least: int) -> Callable[[str], int]:
    """Return what turns an argument into a whole number from `least` on."""
    def limited(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f'{text!r} is no whole number of at least {least}')
        return int(text)

    return limited


def within(low: float, high: float, unit: str = '') -> Callable[[str], float]:
    """Return what turns an argument into a number from `low` to `high`."""
    def limited(text: str) -> float:
        value = number(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f'{text!r} is not from {low:g} to {high:g}{f" {unit}" if unit else ""}')
        return value

    return limited


def file_path(text: str) -> Path:
    """Return an argument as the path of a file or a folder; no shell expands the `~` of `--out=~/runs`."""
    try:
        return user_path(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def picture_path(text: str) -> Path:
    """Return an argument as the path of a picture."""
    path = file_path(text)
    if path.suffix.lower() != '.png' and not path.is_relative_to('/dev'):
        raise argparse.ArgumentTypeError(f'{text!r} must end in .png, a picture')
    return path


def file_or_stdout(text: str) -> str:
    """Return an argument that is a path, or - for stdout."""
    return text if text == STDOUT else str(file_path(text))


def add_ambient(parser: argparse.ArgumentParser) -> None:
    """Add `--ambient DEGC`, the temperature around a battery of cells."""
    parser.add_argument('--ambient', type=within(-60.0, 80.0, 'degC'), metavar='DEGC',
                        help="temperature around the battery's cells, degC, and theirs at the start (the boat file's, "
                             'else that at which their numbers hold)')


def ambient_kelvin(ambient_degc: float | None, boat: 'Boat') -> float | None:
    """Return `--ambient` in K; None without. Raises InputError where the boat's battery is not one of cells."""
    if ambient_degc is None:
        return None
    if boat.pack is None:
        raise InputError(f'{boat.path}: --ambient goes with a battery of cells; '
                         + ('there is none' if boat.battery is None else
                            'this one is watt-hours alone, which no temperature changes (battery.chemistry and '
                            'battery.series make cells of it)'))
    from ..boats.cell_file import KELVIN
    return KELVIN + ambient_degc


def add_payload(parser: argparse.ArgumentParser, steady: bool = False) -> None:
    """Add `--payload KG`; for a verb about `steady` motion its help says that a payload does not change that."""
    note = '; at a steady speed it changes nothing, drag being taken to be the same' if steady else ''
    parser.add_argument('--payload', type=not_negative, metavar='KG',
                        help=f"mass on board, at the place that the boat's file gives it (default: the file's){note}")


def warn_of_payload(payload: float | None) -> None:
    """Say on stderr that a payload changes no figure of steady motion, if one is given."""
    if payload is not None:
        say('usv-energy: --payload changes no figure here: at a steady speed mass does not count, and the boat file '
            'does not say how drag grows with it')


def add_wind_height(parser: argparse.ArgumentParser, others: str = '') -> None:
    """Add `--wind-height M`; `others`: what it holds for besides the wind that is given, for the help."""
    parser.add_argument('--wind-height', type=positive, metavar='M',
                        help=f'height above water at which the wind that is given{others} holds, m: 10 for forecasts; '
                             'at the height of the boat there is less of it (default: at the boat, or as a flow file '
                             'says)')


def warn_of_wind_height(args: argparse.Namespace) -> None:
    """Say on stderr that `--wind-height` changes nothing without `--wind`."""
    if args.wind_height is not None and args.wind is None:
        say('usv-energy: --wind-height changes nothing: it goes with --wind')


def add_sea(parser: argparse.ArgumentParser) -> None:
    """Add `--sea` and `--wave-estimate`, which `in_sea` reads."""
    parser.add_argument('--sea', metavar='HS,TP,TOWARDS|FLOW',
                        help='the sea: significant height m, period of the peak s, and where the waves run to, degrees '
                             'counter-clockwise from east; or a flow file with waves (default: calm)')
    parser.add_argument('--wave-estimate', choices=('stawave-1',),
                        help='added resistance of a boat whose file has no waves: stawave-1 is made for ships')


def in_sea(args: argparse.Namespace, boat: 'Boat', uniform: bool = False) -> 'Boat':
    """
    Return a boat in the sea of `--sea`; as it is without. InputError for what does not go together.

    :param uniform: Whether a sea that differs by place and time is refused.
    """
    from ..planning.boat_in_sea import boat_in_sea, sea_state_of
    if args.sea is None:
        if args.wave_estimate is not None:
            raise InputError('--wave-estimate goes with --sea, which says what waves there are')
        return boat
    return boat_in_sea(boat, sea_state_of(args.sea, '--sea', uniform), args.wave_estimate)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json [FILE]`; `cli` checks the file before the verb does anything."""
    parser.add_argument('--json', nargs='?', type=file_or_stdout, const=STDOUT, metavar='FILE',
                        help='write the figures to FILE; - (or no FILE) is stdout, the table then goes to stderr')


class SpeedAndDirection(argparse.Action):
    """Takes `0.3,30` and `0.3 30` for a speed, m/s, and the direction that it flows to, deg; use with nargs='+'."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
                 values: str | Sequence[Any] | None, option_string: str | None = None) -> None:
        """Store a list of two numbers."""
        from ..flow.flow_argument import speed_and_direction
        text = ' '.join(values or ())
        try:
            setattr(namespace, self.dest, list(speed_and_direction(text, 'it')))
        except InputError as error:
            raise argparse.ArgumentError(self, str(error)) from None


@contextmanager
def needs_ros(verb: str) -> Iterator[None]:
    """Turn a failing import of ROS 2 or of the interfaces into an InputError that says what a verb needs."""
    try:
        yield
    except ImportError as error:
        if str(error.name).startswith('usv_energy.'):
            raise
        raise InputError(f'usv-energy {verb} needs ROS 2 (rclpy) and the built interfaces (usv_energy_msgs): {error}. '
                         f'Use ./run {verb}, or source a ROS 2 workspace that has both.') from None
