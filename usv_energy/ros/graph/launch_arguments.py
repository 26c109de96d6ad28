"""The arguments of our launch files: their declarations, their values, which were given, and checks of both."""

import contextlib
import difflib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.ros.framework.parameters import Flag, Text
from usv_energy.ros.framework.process import END_WITH_LAUNCH, HOLD_SIGNALS
from usv_energy.ros.graph.graph_options import LAUNCH_FILES, OF_PROCESS, OPTIONS, RECORDING

PACKAGE = 'usv_energy'
OF_ROS2_LAUNCH = ('launch-prefix', 'launch-prefix-filter')
# Local of a launch with the values that declarations have set. They remain when a file is included twice.
DEFAULTED = 'usv_energy_defaulted_arguments'


def declared_arguments(file: str) -> list[DeclareLaunchArgument]:
    """Return the declarations of the arguments of one of LAUNCH_FILES."""
    return [DeclareLaunchArgument(one.name, default_value=_as_text(one.default), description=one.description,
                                  **({'choices': list(one.allowed)} if isinstance(one, Text) and one.allowed else {}))
            for one in LAUNCH_FILES[file]]


def _as_text(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Arguments:
    """The values of a launch file's arguments as texts; methods return them checked."""

    def __init__(self, context: LaunchContext, names: Iterable[str], given: Iterable[str] = ()) -> None:
        """
        Read the values.

        :param names: Names of the arguments.
        :param given: Names of the arguments that the user gave; the others have their defaults.
        """
        self._values: dict[str, str] = {name: context.launch_configurations[name] for name in names}
        self.given = frozenset(given)
        self._prefixed = OF_ROS2_LAUNCH[0] in context.launch_configurations

    def __getitem__(self, name: str) -> str:
        """Return the value of an argument."""
        return self._values[name]

    def process(self, executable: str, package: str = PACKAGE) -> dict[str, str]:
        """
        Return how launch starts an executable, which ends with the launch; a prefix of the user's stays the only one.

        :param package: Its package; of ours, signals are held back until it can take them.
        """
        prefix = '' if self._prefixed else those_that_run(*([HOLD_SIGNALS] * (package == PACKAGE)), END_WITH_LAUNCH)
        return {'package': package, 'executable': executable,
                **({'prefix': prefix, 'exec_name': executable} if prefix else {})}

    def flag(self, name: str) -> bool:
        """
        Return the value of an argument that is true or false.

        :raises InputError: If it is neither.
        """
        text = self._values[name]
        if text.lower() not in ('true', 'false'):
            raise InputError(f'argument {name} is {text!r}; must be true or false')
        return text.lower() == 'true'

    def out(self, what: str, who: str = '') -> str:
        """Return the folder to record to: `out`, or one named for boat and time; empty if nothing is recorded."""
        if not self.flag('record'):
            return ''
        who = who or self['namespace'].strip('/').replace('/', '-') or 'boat'
        own = Path('results') / f'{who}-{what}-{datetime.now():%Y%m%d-%H%M%S}'
        return str(user_path(self['out']) if self['out'] else own)

    def parameter_files(self) -> list[str]:
        """
        Return the params file, if one is given, as a list.

        :raises InputError: If the file does not exist.
        """
        file = self['params_file']
        if file and not user_path(file).is_file():
            raise InputError(f'argument params_file is {file!r}: there is no such file')
        return [str(user_path(file))] if file else []

    def options(self, graph: str, **own: str | bool) -> list[str]:
        """
        Return the command line of `compose` for the arguments that are options of a graph.

        :param graph: One of OPTIONS.
        :param own: Options that override arguments of the same names; `out` is taken only from here.
        """
        words = [graph]
        for one in (*OPTIONS[graph].table, *OF_PROCESS):
            name = one.name
            if name in own or (name in self._values and name != RECORDING.name):
                value = own[name] if name in own else self.flag(name) if isinstance(one, Flag) else self[name]
                dashed = name.replace('_', '-')
                words.append(f'--{dashed}={value}' if isinstance(value, str) else f'--{"" if value else "no-"}{dashed}')
        return words


@cache
def those_that_run(*prefixes: str) -> str:
    """Return those prefixes of a command that this machine has: GNU coreutils 8.31 and util-linux 2.33, or later."""
    def runs(prefix: str) -> bool:
        try:
            return subprocess.run([*prefix.split(), 'true'], capture_output=True).returncode == 0
        except OSError:
            return False
    return ' '.join(filter(runs, prefixes))


def description_of(name: str, file: str, actions: Callable[[Arguments], list[Any]]) -> LaunchDescription:
    """
    Return the description of a launch file.

    :param name: Its name in LAUNCH_FILES, where its arguments are.
    :param file: Its path. If `ros2 launch` starts this file itself, unknown arguments are errors; a launch file that
        includes it may have further arguments.
    :param actions: Returns its actions for the values of the arguments. An InputError of it ends the launch.
    """
    declared = declared_arguments(name)
    names = [argument.name for argument in declared]
    given: list[str] = []

    def note_given(context: LaunchContext) -> list[Any]:
        """Note the arguments that have values before the declarations set the defaults."""
        defaulted: dict[str, str] = context.get_locals_as_dict().get(DEFAULTED, {})
        values = context.launch_configurations
        given[:] = [name for name in names if name in values and defaulted.get(name) != values[name]]
        return []

    def act(context: LaunchContext) -> list[Any]:
        values = context.launch_configurations
        defaulted: dict[str, str] = context.get_locals_as_dict().get(DEFAULTED, {})
        context.extend_globals({DEFAULTED: defaulted | {name: values[name] for name in names if name not in given}})
        if _is_launched(file):
            _check_names([text.partition(':=')[0] for text in context.argv], names)
            # launch hears Ctrl-C by asyncio. Were KeyboardInterrupt raised, too, in whatever task runs, one that starts
            # a process would end there, and `ros2 launch` would wait for it for ever.
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, lambda *_: None)
        return actions(Arguments(context, names, given))

    return LaunchDescription([OpaqueFunction(function=note_given), *declared, OpaqueFunction(function=act)])


def _is_launched(file: str) -> bool:
    """Return whether the command line names this launch file, by its package or its path."""
    for before, word in pairwise(sys.argv):
        if Path(word).name != Path(file).name:
            continue
        named = [Path(word)]
        # `ros2 launch` searches the whole share folder of a package. `launch` itself is the name of a package, too.
        if before != 'launch':
            with contextlib.suppress(PackageNotFoundError, ValueError):
                named = list(Path(get_package_share_directory(before)).rglob(Path(word).name))
        if any(path.exists() and os.path.samefile(path, file) for path in named):
            return True
    return False


def _check_names(names: Iterable[str], declared: list[str]) -> None:
    for name in names:
        if name not in (*declared, *OF_ROS2_LAUNCH):
            close = difflib.get_close_matches(name, declared, n=1)
            hint = f' Did you mean {close[0]!r}?' if close else ''
            raise InputError(f'there is no argument {name!r}.{hint} There are: {", ".join(declared)}')
