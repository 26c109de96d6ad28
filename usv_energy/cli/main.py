"""The usv-energy command. VERBS lists its verbs; the modules of a verb are imported when it is used."""

import sys

try:
    import argparse
    import errno
    import os
    import shlex
    import warnings
    from collections.abc import Sequence
    from contextlib import nullcontext
    from importlib import import_module
    from types import ModuleType, TracebackType

    from usv_energy.cli.arguments import ArgumentParser, add_verb, check_inputs_are_kept, guess, on_unraisable
    from usv_energy.cli.help_groups import arrange
    from usv_energy.files.errors import Caution, InputError
    from usv_energy.files.limits import safe_text
    from usv_energy.files.text_file import check_target
    from usv_energy.physics.compile_notice import notice
    from usv_energy.show.terminal import reader_gone, say, silence
    from usv_energy.version import __version__
except KeyboardInterrupt:   # Before `main` can catch it.
    print('usv-energy: interrupted', file=sys.stderr)
    sys.exit(130)

PROG, ASKED = 'usv-energy', '_ARGCOMPLETE'  # The second: in the environment where a shell wants a command completed.
VERBS = {     # The module of each verb in this package, and its purpose.
    'run': ('run', 'run scenarios without ROS'),
    'flow': ('flow', 'look into water current and wind: files, values at points, maps, samples'),
    'list': ('list', 'list shipped boats, scenarios, thrusters, flows and more; the numbers of a boat file'),
    'boat': ('boat', 'check a boat file: what it lacks and assumes, speeds, power, turning circle'),
    'maneuver': ('maneuvers', 'bollard pull, run-up, coast-down: thrust or PWM over time'),
    'closure': ('closure', 'show the error of a power model on a plant that it does not describe'),
    'mission': ('mission', 'what a mission costs; read, convert and make missions'),
    'route': ('route', 'the way, speeds and departure of least energy, in flows that change'),
    'sweep': ('sweep', 'run thousands of variants of a scenario: a grid or Monte Carlo'),
    'map': ('maps', 'energy over course and speed, best speeds, reach, time against energy'),
    'identify': ('identify.identify', "fit a boat's parameters to its logs, with errors on logs not used"),
    'identify-electrical': ('identify.identify_electrical', 'fit electrical power to thruster commands'),
    'identify-speed-power': ('identify.identify_speed_power', 'electrical watts over speed, from logs'),
    'identify-steady': ('identify.identify_steady', "damping from steady phases, after the thesis"),
    'identify-battery': ('identify.identify_battery', 'a battery\'s cell from pulses, discharges and rests'),
    'identify-bollard': ('identify.identify_bollard', 'thrust over PWM, and watts, from pulls at a bollard'),
    'identify-coast-down': ('identify.identify_coast_down', 'surge drag and mass from glides'),
    'identify-waves': ('identify.identify_waves', 'added resistance in waves, from logs at several seas'),
    'analyze': ('analyze', 'energy by cause of a bag, a CSV or a run; a report as one HTML page'),
    'compare': ('compare', 'what changed between runs, by cause'),
    'overlay': ('overlay', 'measured beside simulated speeds: MAE, standard deviation, one sigma'),
    'range': ('range', 'endurance and range against speed, in wind and current'),
    'estimate-mass': ('estimate_mass', "inertia and added mass of a new hull from its size"),
    'acoustics': ('acoustics', 'which messages of acoustic modems arrive, and what they cost'),
    'hil': ('hil', "a boat for a real autopilot: ArduPilot's JSON interface, lateness told"),
    'team': ('team', 'a boat and a quadcopter that lands on it: whose joules, for what'),
    'live': ('live', "watch a boat that runs now by its autopilot's MAVLink, without ROS; the way home"),
    'serve': ('serve', 'pages for a browser: plan a mission on a map; offline, on this machine or for others'),
    'monitor': ('monitor', 'watch a running boat in the terminal (needs ROS 2)'),
    'gazebo': ('gazebo', 'write Gazebo models and worlds from a boat file and a scenario'),
    'demo': ('demo', 'run scenarios on a real ROS 2 graph'),
    'report-bug': ('report_bug', 'versions, platform and input of a command that goes wrong, as a text to send'),
    'completion': ('completion', 'complete commands by the tabulator of bash, zsh and fish'),
}
FAMILIES = {  # The verbs by what they are for, in the order of the help; those of WITHIN stand below their first word.
    'plan': ('mission', 'route', 'range', 'map', 'team'),
    'look back': ('analyze', 'compare', 'overlay'),
    'a boat': ('list', 'boat', 'identify', 'estimate-mass'),
    'simulate': ('run', 'maneuver', 'closure', 'sweep', 'acoustics'),
    'a boat that runs, ROS 2 and Gazebo': ('live', 'monitor', 'hil', 'gazebo', 'demo'),
    'files of water and air': ('flow',),
    'this command': ('serve', 'completion', 'report-bug')}
WITHIN = {      # Two words that mean a verb, by that verb: `identify battery`.
    **{verb: f'identify {verb.removeprefix("identify-")}' for verb in VERBS if verb.startswith('identify-')},
    'maneuver': 'run maneuver', 'closure': 'run closure', 'sweep': 'run sweep', 'map': 'range map',
    'overlay': 'compare overlay', 'estimate-mass': 'boat estimate-mass'}
_plain_warning = warnings.formatwarning
LIVE = 'live', 'serve', 'monitor', 'hil', 'demo'     # Verbs that show their own progress.
EXAMPLES = """\
examples:
  usv-energy list                                    what there is to run
  usv-energy run 3                                   one of the thesis's scenarios
  usv-energy run all --convention both --out out     all of them, with tables and pictures
  usv-energy run my.yaml --boat my_boat.yaml         your own, by the paths of their files
  usv-energy run all --json - | jq '.[].energy_j'    for another program
  usv-energy boat check my_boat.yaml --out check     what a boat file lacks, and its curves
  usv-energy closure                                 linear drag against a plant with quadratic drag
  usv-energy flow info river.hdf                     what is in a file of currents or wind; also sample, plot, make
  usv-energy mission survey.plan --boat blueboat     what it costs; also mission make lawnmower, mission convert
  usv-energy sweep speed_current --out e.nc          thousands of runs; map: energy over course and speed
  usv-energy identify log.csv --columns map.yaml --boat base.yaml --out my_boat.yaml
  usv-energy analyze bag/ --out report               energy by cause of a recording, as one page; also compare, range
  usv-energy gazebo model --boat lutra_prop --out -  the boat for Gazebo
  usv-energy demo --help                             the same scenarios on ROS 2

exit status: 0 all went well, 1 a file could not be written, 2 wrong input or a place that cannot be written
to, 3 a run, a boat or its battery does not make it, 130 interrupted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status; `argv`: the arguments, None for those of the process."""
    if argv is None:
        for name in ('stdin', 'stdout', 'stderr'):
            if getattr(sys, name) is None:      # Its number is the lowest that is free, so it is that of this file.
                setattr(sys, name, open(os.devnull, 'r' if name == 'stdin' else 'w', encoding='utf-8'))  # noqa: SIM115
        sys.unraisablehook = on_unraisable
        sys.excepthook = _on_bug
        if not sys.warnoptions:     # What numpy says of the numbers of a file is in no user's words.
            warnings.simplefilter('ignore', RuntimeWarning)
            warnings.filterwarnings('ignore', 'Glyph', UserWarning)     # A name's letter that a picture shows as a box.
        warnings.formatwarning = _as_said
    try:
        status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return 141 if reader_gone else status
    except InputError as error:
        return _fail(getattr(error, 'of_options', error), 2)  # As the option is called, not the parameter of the API.
    except ModuleNotFoundError as error:
        library = (error.name or '').partition('.')[0]
        if library in ('', 'usv_energy'):
            raise
        return _fail(f'the library {library} is needed, but not installed: pip install usv_energy brings it, or '
                     f'pip install {library}', 2)
    except OverflowError as error:
        return _fail(f'a number of this input is too large or too small to compute with: {error}', 2)
    except MemoryError as error:
        return _fail(f'there is not enough memory for this input. {error}'.rstrip(), 2)
    except KeyboardInterrupt:
        print(f'{PROG}: interrupted', file=sys.stderr)
        return 130
    except BrokenPipeError:
        silence(sys.stdout)
        return 141
    except OSError as error:
        where = error.filename or (error.errno == errno.ENOSPC and 'standard output')   # Writers of files name them.
        said = f'{where}: {error.strerror}' if where else error
        if error.errno == errno.ENAMETOOLONG:
            return _fail(said, 2)
        silence(sys.stdout)
        return _fail(said, 1)


def _as_said(message: Warning | str, category: type[Warning], filename: str, lineno: int,
             line: str | None = None) -> str:
    """Return a warning as it is shown: one of a file's author without a place in our source."""
    return f'{PROG}: {message}\n' if category is Caution else _plain_warning(message, category, filename, lineno, line)


def _on_bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say below the traceback of an error that nobody foresaw how to report it."""
    sys.__excepthook__(kind, error, trace)
    print(f'{PROG}: this is a bug, not your input; to gather what a report needs: '
          f'{PROG} report-bug {safe_text(shlex.join(sys.argv[1:]))}', file=sys.stderr)


def _run(argv: list[str]) -> int:
    notice.wanted = True
    reader_gone.clear()
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')  # Its threads would compete with ours, and with our processes.
    if argv and argv[0] in VERBS and argv[0] != spoken(argv[0]):
        say(f'{PROG}: {argv[0]} is called {spoken(argv[0])} now')
    if argv[:1] == ['help']:
        argv = [*argv[1:], '--help']
    check_words(argv)
    argv = joined_verb(argv)
    verb = argv[0] if argv else ''
    if ASKED in os.environ:
        return _complete()
    parser = _parser(verb)
    if not argv:
        parser.print_help(sys.stderr)
        return 2
    args = parser.parse_args(argv)
    args.command_line = f'{PROG} {spoken(verb)} {shlex.join(argv[1:])}'.rstrip()
    check_inputs_are_kept(args)
    if isinstance(target := getattr(args, 'json', None), str):
        check_target(target)
    from usv_energy.show.terminal import WaitingLine
    with nullcontext() if args.verb in LIVE else WaitingLine():
        status: int = _module(VERBS[args.verb][0]).execute(args)
    for line in getattr(args, 'said_at_end', ()):
        say(line)
    return status


def joined_verb(argv: list[str]) -> list[str]:
    """
    Return the arguments with `identify battery` as `identify-battery`, unless there is a file of that name.

    And `mission --boat B FILE` with its command, `mission estimate --boat B FILE`.
    """
    if argv[:1] == ['mission']:
        from usv_energy.cli.mission import with_command
        return ['mission', *with_command(argv[1:])]
    for verb, words in WITHIN.items():
        if argv[:2] == words.split() and not os.path.exists(argv[1]):
            return [verb, *argv[2:]]
    return argv


def check_words(argv: list[str]) -> None:
    """Check that the first words of a command are a verb; InputError if not, with what was probably meant."""
    first, second = [*argv, '', ''][:2]
    if first and not first.startswith('-') and first not in VERBS:
        raise InputError(f'invalid choice: {first!r}{guess(first, map(spoken, VERBS))}; choose from '
                         f'{", ".join(name for names in FAMILIES.values() for name in names)}; see {PROG} --help')
    below = [words.split()[1] for words in WITHIN.values() if words.split()[0] == first]
    if second not in below and not second.startswith('-') and not os.path.exists(second) and (
            meant := guess(second, below)):
        raise InputError(f'{first} {second}: there is no file or folder of that name{meant}')


def spoken(verb: str) -> str:
    """Return a verb as it is written: `identify battery` for `identify-battery`."""
    return verb if any(verb in names for names in FAMILIES.values()) else WITHIN[verb]


def _complete() -> int:
    """Answer a shell that wants the next word of a command; see `usv-energy completion`."""
    from usv_energy.cli.completion import complete, verb_asked
    complete(_parser(verb_asked(WITHIN)), [spoken(verb).split()[1] for verb in members('identify')])
    return 0


def _parser(verb: str) -> ArgumentParser:
    """Return the parser of a verb, with its arguments, which need its module; of all without theirs if it is none."""
    parser = ArgumentParser(
        prog=PROG, description='What does it cost an unmanned surface vehicle to move, and why?', epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument('--version', action='version', version=f'{PROG} {__version__}')
    verbs = parser.add_subparsers(dest='verb', metavar='COMMAND', title='commands', required=True,
                                  description=verbs_by_family())
    for name in [verb] if verb in VERBS else VERBS:
        module, purpose = VERBS[name]
        child = add_verb(verbs, name, purpose, in_list=False)
        child.prog = f'{PROG} {spoken(name)}'
        if name == verb:
            _module(module).add_arguments(child)
            arrange(child)
            child.epilog = _below(name)
            child.formatter_class = argparse.RawDescriptionHelpFormatter
    return parser


def verbs_by_family() -> str:
    """Return the verbs and their purposes as lines, family by family."""
    lines = []
    for family, names in FAMILIES.items():
        lines.append(f'{family}:')
        for name in names:
            lines.append(f'  {name:<15}{VERBS[name][1]}')
            if below := members(name):
                lines.append(f'{"":<17}or only: {name} {"|".join(spoken(verb).split()[1] for verb in below)}')
    return '\n'.join(lines)


def members(name: str) -> list[str]:
    """Return the verbs that the help lists only below a first word: those of `identify`."""
    return [verb for verb in VERBS if spoken(verb) != verb and spoken(verb).split()[0] == name]


def _below(name: str) -> str | None:
    """Return the end of a verb's help: the verbs that are written as words behind it."""
    lines = [f'  {words:<24}{VERBS[verb][1]}' for verb, words in WITHIN.items() if words.split()[0] == name]
    return '\n'.join(('see also:', *lines)) if lines else None


def _module(name: str) -> ModuleType:
    return import_module(f'usv_energy.cli.{name}')


def _fail(error: object, status: int) -> int:
    """Print an error as one line, and further faults of a file, which begin with two blanks, below it."""
    lines = safe_text(str(error)).splitlines()
    text = ''.join(f'\n{line}' if line.startswith('  ') else f' {line}' for line in lines)
    print(f'{PROG}: error:{text}', file=sys.stderr)
    return status


if __name__ == '__main__':
    sys.exit(main())
