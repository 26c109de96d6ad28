"""The parser of the command line, arguments of several verbs (numbers, paths, flows, logs), and checks of outputs."""

import argparse
import os
import re
import sys
from _thread import interrupt_main
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from usv_energy.cli.quantities import duration, length, not_negative, within
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_text
from usv_energy.files.locate import user_path
from usv_energy.files.text_file import STDOUT, check_target, check_writable
from usv_energy.show.terminal import list_files, say, show_result

if TYPE_CHECKING:
    from usv_energy.boats.boat_file import Boat
    from usv_energy.flow.analytic import UniformFlow
    from usv_energy.flow.flow_file import FlowFile
    from usv_energy.logs.log import Log

PICTURE, DATA = '.png', ('.nc', '.zarr')
PICTURES = 'PNG', 'FILE'     # Metavars of those --out that may be a picture, once --plot; others are folders.
OUTPUTS = ('out', 'plot', 'json', 'report', 'write_columns', 'write_fitting')
# Old names of options, their new ones, and what is put behind the value.
RENAMED = {'--static-load': ('--hotel', ''), '--state-of-charge': ('--charge', ''), '--energy-wh': ('--battery', 'Wh'),
           '--current-flow': ('--current', ''), '--wind-flow': ('--wind', ''), '--plot': ('--out', ''),
           '--report': ('--out', '')}
OF_ENDURANCE = '--battery', '--charge', '--hotel'     # Verbs without them answer nothing about endurance.
WRITES_LINES = 'live'            # The verb whose --json is an object a line.
REPLACES_BOAT = 'identify'  # Beginning of the verbs that may replace the boat file that they read.


class ArgumentParser(argparse.ArgumentParser):
    """A parser whose verbs, also parsers of this class, report errors in their own arguments."""

    def __init__(self, *given: Any, **named: Any) -> None:
        """Make it; a word of a minus and a digit is a value, as in `--current -0.2,0` and `--depart -60,60`."""
        super().__init__(*given, **named)
        self._negative_number_matcher = re.compile(r'^-\.?\d')
        self.register('action', None, StoreOnce)

    # mypy ignores here argparse's overloads for other types of namespaces, which are not used.
    def parse_known_args(self, args: Sequence[str] | None = None,  # type: ignore[override]
                         namespace: argparse.Namespace | None = None) -> tuple[argparse.Namespace, list[str]]:
        """Return the given arguments; an unknown one is an error here, where its verb is known."""
        words = self._with_new_names(sys.argv[1:] if args is None else args)
        found, unknown = super().parse_known_args(words, namespace)
        if unknown:
            first = unknown[0].partition('=')[0]
            guesses = (f'; nothing that {self.prog} answers depends on it' if first in OF_ENDURANCE else
                       guess(first, self._option_string_actions))
            self.error(f'unrecognized arguments: {" ".join(unknown)}{guesses}')
        return found, unknown

    def _with_new_names(self, words: Sequence[str]) -> list[str]:
        """Return the words of a command with old names of options replaced by new ones, which is said on stderr."""
        new: list[str] = []
        behind = ''
        for word in map(str, words):
            name, equals, value = word.partition('=')
            renamed, unit = RENAMED.get(name, (name, ''))
            option = self._option_string_actions.get(renamed)
            if name in self._option_string_actions or option is None or (
                    name in ('--plot', '--report') and option.metavar not in PICTURES):
                new.append(f'{word}{behind}')
                behind = ''
                continue
            say(f'{self.prog.partition(" ")[0]}: {name} is called {renamed} now')
            new.append(f'{renamed}{equals}{value}{unit if equals else ""}')
            behind = '' if equals else unit
        return new

    def error(self, message: str) -> NoReturn:
        """Print what is wrong in one line, and exit with status 2."""
        self.exit(2, f'{self.prog.partition(" ")[0]}: error: {safe_text(message)}; see {self.prog} --help\n')

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a help or an error; argparse is silent where that cannot be written."""
        print(message, end='', file=file or sys.stderr, flush=True)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = ', '.join(map(str, action.choices))
            raise argparse.ArgumentError(action, f'invalid choice: {value!r}{guess(str(value), action.choices)}; '
                                                 f'choose from {choices}')


def add_verb(verbs: Any, name: str, purpose: str, note: str = '', in_list: bool = True) -> argparse.ArgumentParser:
    """
    Return the parser of a new verb, whose help and description are its purpose.

    :param verbs: The action of `add_subparsers`.
    :param note: Further sentences of the description.
    :param in_list: Whether argparse lists it in the help.
    """
    return verbs.add_parser(
        name, allow_abbrev=False, description=f'{purpose[0].upper()}{purpose[1:]}.{note}',
        **({'help': purpose} if in_list else {}))


def guess(word: str, known: Iterable[object]) -> str:
    """Return `; did you mean WORD?` with the most similar known word; empty if none is similar."""
    close = get_close_matches(word, list(map(str, known)), 1)
    return f'; did you mean {close[0]}?' if close else ''


def file_path(text: str) -> Path:
    """Return an argument as the path of a file or a folder, with `~` expanded, as in `--out=~/runs`."""
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


def boat_name(text: str) -> str:
    """Return an argument that names a boat or its file; an empty one, as of a variable that is not set, is refused."""
    if not text.strip():
        raise argparse.ArgumentTypeError("'' names no boat; must be the name of one (usv-energy list boats) or a file")
    return text


def file_or_stdout(text: str) -> str:
    """Return an argument that is a path, or - for stdout."""
    return text if text == STDOUT else str(file_path(text))


def add_ambient(parser: argparse.ArgumentParser) -> None:
    """Add `--ambient DEGC`, the temperature around a battery of cells."""
    parser.add_argument('--ambient', type=within(-60.0, 80.0, 'degC'), metavar='DEGC',
                        help="temperature around the battery's cells, degC, and theirs at the start (the boat file's, "
                             'else that at which their numbers hold)')


def ambient_kelvin(ambient_degc: float | None, boat: 'Boat') -> float | None:
    """Return `--ambient` in K; None without it. Raises InputError if the boat has no battery of cells."""
    if ambient_degc is None:
        return None
    if boat.pack is None:
        raise InputError(f'{boat.path}: --ambient goes with a battery of cells; '
                         + ('there is none' if boat.battery is None else
                            'this one is watt-hours alone, which no temperature changes (battery.chemistry and '
                            'battery.series make cells of it)'))
    from usv_energy.boats.cell_file import KELVIN
    return KELVIN + ambient_degc


def add_payload(parser: argparse.ArgumentParser, steady: bool = False) -> None:
    """Add `--payload KG`; for a verb about `steady` motion the help says that it has no effect."""
    note = '; at a steady speed it changes nothing, drag being taken to be the same' if steady else ''
    parser.add_argument('--payload', type=not_negative, metavar='KG',
                        help=f"mass on board, at the place that the boat's file gives it (default: the file's){note}")


def warn_of_payload(payload: float | None) -> None:
    """Warn on stderr, if a payload is given, that it changes no figure of steady motion."""
    if payload is not None:
        say('usv-energy: --payload changes no figure here: at a steady speed mass does not count, and the boat file '
            'does not say how drag grows with it')


def add_wind_height(parser: argparse.ArgumentParser, others: str = '') -> None:
    """Add `--wind-height M`; `others`: other winds that it holds for, for the help."""
    parser.add_argument('--wind-height', type=length, metavar='M',
                        help=f'height above water at which the wind that is given{others} holds, m or `33 ft`: 10 m '
                             'for forecasts; at the height of the boat there is less of it (default: at the boat, or '
                             'as a flow file says)')

def wind_as_asked(args: argparse.Namespace, boat: 'Boat', given: 'UniformFlow | FlowFile') -> Any:
    """Return the wind of `--wind` at the boat; one given at `--wind-height` has a remark on what became of it."""
    from usv_energy.flow.analytic import RemarkedFlow, UniformFlow
    from usv_energy.flow.wind_height import wind_at_boat
    from usv_energy.phrases import AIR, flow_words
    from usv_energy.units import speed_with_knots
    warn_of_wind_height(args)
    wind = wind_at_boat(given, boat, args.wind_height)
    if args.wind_height is None or not isinstance(given, UniformFlow) or not isinstance(wind, UniformFlow):
        return wind
    if given.speed == 0.0:
        return wind
    words = (f'{flow_words(given.x, given.y, AIR)} at {args.wind_height:.3g} m above water is '
             f'{speed_with_knots(wind.speed)} at the boat')
    return RemarkedFlow.of(wind, '; '.join(filter(None, (getattr(wind, 'remark', ''), f'the wind of {words}'))))


def warn_of_wind_height(args: argparse.Namespace) -> None:
    """Warn on stderr if `--wind-height` is given without `--wind`, so that it has no effect."""
    if args.wind_height is not None and args.wind is None:
        say('usv-energy: --wind-height changes nothing: it goes with --wind')


def add_sea(parser: argparse.ArgumentParser) -> None:
    """Add `--sea` and `--wave-estimate`, which `in_sea` reads."""
    parser.add_argument('--sea', metavar='SEA',
                        help='the waves: `0.3 m 2.5 s from SW` (significant height, period of the peak), or '
                             '0.3,2.5,45: degrees counter-clockwise from east that they run to; or a flow file '
                             '(default: calm)')
    parser.add_argument('--wave-estimate', choices=('stawave-1',),
                        help='added resistance of a boat whose file has no waves: stawave-1 is made for ships')


def in_sea(args: argparse.Namespace, boat: 'Boat', uniform: bool = False) -> 'Boat':
    """
    Return a boat in the sea of `--sea`; the boat itself without it. InputError if the arguments do not fit together.

    :param uniform: Whether to refuse a sea that changes in space and time.
    """
    from usv_energy.studies.plan.boat_in_sea import CALM, boat_in_sea, sea_state_of
    if args.sea is None or args.sea.strip().lower() == CALM:
        if args.wave_estimate is not None:
            raise InputError('--wave-estimate goes with --sea, which says what waves there are')
        return boat
    return boat_in_sea(boat, sea_state_of(args.sea, '--sea', uniform), args.wave_estimate)


class StoreOnce(argparse._StoreAction):
    """Stores the value of an option; of several the last holds, but a second output or flow is refused, not dropped."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
                 values: str | Sequence[Any] | None, option_string: str | None = None) -> None:
        """Store the value."""
        before = getattr(namespace, self.dest, None)
        if self.dest in (*OUTPUTS, 'current', 'wind') and before is not self.default and before != values:
            raise argparse.ArgumentError(self, f'is given twice, {before} and {values}; must be given once')
        super().__call__(parser, namespace, values, option_string)


class OutFile(argparse.Action):
    """Stores a picture, FILE.png, as `plot`, and any other file or folder as `out`; may be given once for each."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
                 values: str | Sequence[Any] | None, option_string: str | None = None) -> None:
        """Store the path."""
        assert isinstance(values, Path)
        name = 'plot' if values.suffix.lower() == PICTURE or option_string == '--plot' else self.dest
        if option_string == '--plot':
            say(f'{parser.prog.partition(" ")[0]}: --plot is called --out now')
        before = getattr(namespace, name)
        if before is not None:
            raise argparse.ArgumentError(self, f'{values} is beside {before}; must be at most one picture, {PICTURE}, '
                                               'and one other file')
        setattr(namespace, name, values)


def add_outputs(parser: Any, purpose: str, picture: str) -> None:
    """
    Add `--out FILE`, which may be given twice: a picture becomes `args.plot`, another file or a folder `args.out`.

    :param purpose: What is written besides the picture, for the help; '' if nothing.
    :param picture: The name of the picture of an old `--plot` without one.
    """
    both = f'{purpose}; or FILE.png: draw it; once for each' if purpose else 'draw it, FILE.png'
    parser.add_argument('--out', action=OutFile, type=file_path if purpose else picture_path, metavar='FILE', help=both)
    parser.add_argument('--plot', action=OutFile, nargs='?', type=picture_path, const=Path(picture), dest='plot',
                        help=argparse.SUPPRESS)


def check_data(path: Path | None) -> None:
    """Check that a file of results, None without one, has an ending of such; InputError if not."""
    if path is not None and path.suffix not in DATA:
        raise InputError(f'--out {path}: must end in .png, a picture, or in {" or ".join(DATA)}, data')


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json [FILE]`; `main` checks the file before the verb does anything."""
    parser.add_argument('--json', nargs='?', type=file_or_stdout, const=STDOUT, metavar='FILE',
                        help='write the figures to FILE; - (or no FILE) is stdout, the table then goes to stderr')


class JoinedWords(argparse.Action):
    """Stores words as one text, so that a phrase needs no quotes; use with nargs='+'."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
                 values: str | Sequence[Any] | None, option_string: str | None = None) -> None:
        """Store the words, with blanks between."""
        setattr(namespace, self.dest, ' '.join(values or ()))


@contextmanager
def needs_ros(verb: str) -> Iterator[None]:
    """Convert a failed import of ROS 2 or of the interfaces to an InputError that says what a verb needs."""
    try:
        yield
    except ImportError as error:
        if str(error.name).startswith('usv_energy.'):
            raise
        raise InputError(f'usv-energy {verb} needs ROS 2 (rclpy) and the built interfaces (usv_energy_msgs): {error}. '
                         f'Use ./run {verb}, or source a ROS 2 workspace that has both.') from None


def on_unraisable(unraisable: Any) -> None:
    """
    Handle an error in a destructor; for `sys.unraisablehook`.

    A Ctrl-C in a destructor is passed on to the main thread. An AttributeError in a destructor of llvmlite is ignored:
    it comes from objects that a Ctrl-C left incomplete. All other errors are reported as usual.

    :param unraisable: The argument of the hook.
    """
    if unraisable.exc_type is KeyboardInterrupt:
        interrupt_main()
    elif not (unraisable.exc_type is AttributeError
              and str(getattr(unraisable.object, '__module__', '')).startswith('llvmlite')):
        sys.__unraisablehook__(unraisable)


def check_inputs_are_kept(args: argparse.Namespace) -> None:
    """
    Check that the outputs of a command overwrite neither its inputs nor each other.

    Verbs that begin with `identify` may replace their boat file: `--boat FILE --out FILE`.

    :param args: All arguments; those of OUTPUTS are outputs, the others inputs.
    :raises InputError: If an output is a file that another argument names, or `--json` an existing file that is no
        JSON: the option, the file, and what it must be; if two outputs are one file.
    """
    outputs = [one for option in OUTPUTS for one in _paths_of(getattr(args, option, None))]
    if twice := next((one for number, one in enumerate(outputs) if one in outputs[:number]), None):
        raise InputError(f'{twice}: is written by two options; must be a file for each')
    written = [(option, path) for option in OUTPUTS for path in _files_of(getattr(args, option, None))]
    read = [(name, path) for name, value in vars(args).items() if name not in OUTPUTS for path in _files_of(value)]
    for option, path in written:
        own = ('out', 'boat') if args.verb.startswith(REPLACES_BOAT) else None
        if any(path.samefile(other) for name, other in read if (option, name) != own):
            raise InputError(f'--{option.replace("_", "-")} {path}: is a file that this command reads; must be '
                             'another one')
        if option == 'json' and path.suffix not in ('.json', '.jsonl' if args.verb == WRITES_LINES else '.json'):
            raise InputError(f'--json {path}: is there already, and its name does not end in .json; must be a new '
                             f'file, one that ends so, or {STDOUT} for stdout')


def check_replaces_mission(path: Path) -> None:
    """
    Check that a mission may be written to a path: the file does not exist, is empty, or is a mission.

    :raises InputError: If it is another kind of file, such as a boat file.
    """
    from usv_energy.missions.mission_file import read_mission
    if not path.is_file() or path.stat().st_size == 0:
        return
    try:
        read_mission(path.absolute(), 'all')
    except InputError:
        raise InputError(f'{path}: is there already, and no mission; must be a new file, or a mission') from None


def _paths_of(value: Any) -> list[str]:
    """Return the absolute paths of an output, whether there or not, but of no folder or device."""
    values = value if isinstance(value, list | tuple) else [value]
    paths = [os.path.abspath(one) for one in values if isinstance(one, str | Path) and str(one) != STDOUT]
    return [path for path in paths if os.path.isfile(path) or not os.path.exists(path)]


def _files_of(value: Any) -> Iterator[Path]:
    """Yield the existing files among the values of an argument."""
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _files_of(inner)
    elif isinstance(value, str | Path):
        try:
            if (path := Path(value)).is_file():
                yield path
        except (OSError, ValueError):  # The text cannot be the name of a file.
            return


def add_log_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for reading logs."""
    parser.add_argument('--columns', metavar='MAP',
                        help='of a table: what its columns hold, a name in config/columns or a YAML file')
    parser.add_argument('--odom', metavar='TOPIC', help='of a bag: the odometry, where there are several')
    parser.add_argument('--namespace', metavar='NS', help='of a bag: the boat, where there are several')
    parser.add_argument('--axes', choices=('enu', 'ned'),
                        help='of a bag: axes of the odometry (as its frame is named, else enu)')
    parser.add_argument('--twist', choices=('body', 'world'), help="of a bag: frame of the odometry's twist (body)")
    parser.add_argument('--system', type=int, metavar='ID', help='of a .tlog: the vehicle, where there are several')
    parser.add_argument('--any-vehicle', action='store_true', help='take a log that says it was no boat, too')
    parser.add_argument('--max-gap', type=duration, metavar='S',
                        help='longest time between samples that belong together, and are integrated over, s (three '
                             'periods of the log, at least 1)')
    parser.add_argument('--fix-signs', action='store_true',
                        help='put right what the log itself shows to be a wrong sign, and say so')


def reader_choices(args: argparse.Namespace) -> dict[str, Any]:
    """Return the given choices for `read_log` by the names of its parameters."""
    choices = {name: getattr(args, name) for name in ('odom', 'namespace', 'axes', 'twist', 'system', 'max_gap')}
    return {name: value for name, value in choices.items() if value is not None}


def read_logs(paths: Iterable[str], args: argparse.Namespace) -> 'list[Log]':
    """
    Return the logs at paths, read by the arguments of `add_log_arguments`.

    Warnings are added to `args.said_at_end`, for stderr below the result: a refusal comes without them, in two lines.

    :raises InputError: As `read_log`.
    """
    from usv_energy.logs.autopilots.vehicle import refuse_other_vehicle
    from usv_energy.logs.log import WARNING
    from usv_energy.logs.quality import PUT_RIGHT
    from usv_energy.logs.read_log import read_log
    logs: list[Log] = []
    for path in paths:
        log = read_log(path, args.columns, args.fix_signs, **reader_choices(args))
        if not args.any_vehicle:
            refuse_other_vehicle(log)
        for note in log.notes:
            if note.level == WARNING or note.text.endswith(PUT_RIGHT):
                args.said_at_end = [*getattr(args, 'said_at_end', ()), f'{path}: {note.text}']
        names = [other.name for other in logs]
        logs.append(log if log.name not in names else replace(log, name=f'{log.name} ({len(logs) + 1})'))
    return logs


def check_outputs(json_target: str | None, boat_file: Path | None, folder: Path | None) -> None:
    """
    Check before an identification that its outputs can be written; None is no output.

    :raises InputError: If one cannot: the file and the reason.
    """
    check_target(json_target)
    if boat_file is not None:
        if boat_file.suffix not in ('.yaml', '.yml'):
            raise InputError(f'--out {boat_file}: must end in .yaml')
        check_target(str(boat_file))
    if folder is not None:
        check_writable(folder)


def provenance_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the date and the command, for the identification section of a boat file."""
    return {'date': f'{datetime.now(timezone.utc):%Y-%m-%d}', 'command': args.command_line}


def show_fit(fit: Any, args: argparse.Namespace, made: str) -> int:
    """Print what was identified, write its file, which is a `made`, and its picture; return the exit status."""
    show_result(fit.text(), fit.figures(), args.json)
    if args.out is not None:
        fit.write(args.out, provenance_of(args))
        say(f'{made}: {args.out}')
    if args.plot is not None:
        fit.write_picture(args.plot)
        list_files(args.plot)
    return 0
