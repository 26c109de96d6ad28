"""The arguments of our launch files: which were given and which have their defaults, and whether they can be right."""

import contextlib
import difflib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction

from ..files.errors import InputError
from ..files.user_path import user_path

OF_ROS2_LAUNCH = ('launch-prefix', 'launch-prefix-filter')
# Under this name a launch keeps which values were put by declarations: they stay when a file is included twice.
DEFAULTED = 'usv_energy_defaulted_arguments'


# What several launch files take alike: default, description, and what else it is declared with.
SHARED: dict[str, tuple[str, str, dict[str, Any]]] = {
    'namespace': ('diffboat', 'Of the boat; all topics lie in it', {}),
    'composed': ('true', 'All nodes in one process, or one each', {}),
    'autostart': ('true', 'The nodes configure and activate themselves; false leaves it to a manager', {}),
    'bag': ('true', 'Record an MCAP bag, too', {}),
    'plots': ('true', 'Draw the picture', {}),
    'clock': ('true', 'Publish /clock; false for all boats but one, where several run', {}),
    'respawn': ('false', 'Start a node that died again; with composed:=false', {}),
    'params_file': ('', 'YAML file with parameters of the nodes, as ros2 param dump writes it; arguments that are '
                    'given win over it, defaults of arguments do not', {}),
    'use_sim_time': ('false', 'Time from /clock', {}),
    'log_level': ('info', 'Of the nodes', {'choices': ['debug', 'info', 'warn', 'error', 'fatal']}),
}


def shared(*names: str) -> list[DeclareLaunchArgument]:
    """Return the declarations of arguments that several launch files take alike, by their names in SHARED."""
    return [DeclareLaunchArgument(name, default_value=default, description=description, **more)
            for name in names for default, description, more in [SHARED[name]]]


class Arguments:
    """The values of a launch file's arguments, as texts; what is asked of them is checked."""

    def __init__(self, context: LaunchContext, names: Iterable[str], given: Iterable[str] = ()) -> None:
        """
        Take the values.

        :param names: Of the arguments.
        :param given: Those of them that somebody gave; the others have their defaults.
        """
        self._values: dict[str, str] = {name: context.launch_configurations[name] for name in names}
        self.given = frozenset(given)

    def __getitem__(self, name: str) -> str:
        """Return the value of an argument."""
        return self._values[name]

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
        """Return the folder to record to: `out`, or one of this boat and time; empty where nothing is recorded."""
        if not self.flag('record'):
            return ''
        who = who or self['namespace'].strip('/').replace('/', '-') or 'boat'
        own = Path('results') / f'{who}-{what}-{datetime.now():%Y%m%d-%H%M%S}'
        return str(user_path(self['out']) if self['out'] else own)

    def parameter_files(self) -> list[str]:
        """
        Return the file of more parameters, if one is given.

        :raises InputError: If it is not there.
        """
        file = self['params_file']
        if file and not user_path(file).is_file():
            raise InputError(f'argument params_file is {file!r}: there is no such file')
        return [str(user_path(file))] if file else []

    def options(self, texts: Iterable[str] = (), flags: Iterable[str] = ()) -> list[str]:
        """Return arguments as options of `compose` by the same names."""
        words = [f'--{name.replace("_", "-")}={self[name]}' for name in texts]
        return words + [f'--{"" if self.flag(name) else "no-"}{name}' for name in flags]


def description_of(declared: Sequence[DeclareLaunchArgument], file: str,
                   actions: Callable[[Arguments], list[Any]]) -> LaunchDescription:
    """
    Return the description of a launch file.

    :param declared: Its arguments.
    :param file: Its path. Where `ros2 launch` was asked for this very file, it takes no other arguments; a launch file
        that includes it may have its own.
    :param actions: What it does with their values. An InputError of it ends the launch.
    """
    names = [argument.name for argument in declared]
    given: list[str] = []

    def look(context: LaunchContext) -> list[Any]:
        """Note which arguments have values before they are declared; which gives the others theirs."""
        left: dict[str, str] = context.get_locals_as_dict().get(DEFAULTED, {})
        values = context.launch_configurations
        given[:] = [name for name in names if name in values and left.get(name) != values[name]]
        return []

    def act(context: LaunchContext) -> list[Any]:
        values = context.launch_configurations
        left: dict[str, str] = context.get_locals_as_dict().get(DEFAULTED, {})
        context.extend_globals({DEFAULTED: left | {name: values[name] for name in names if name not in given}})
        if _is_launched(file):
            _check_names([text.partition(':=')[0] for text in context.argv], names)
        return actions(Arguments(context, names, given))

    return LaunchDescription([OpaqueFunction(function=look), *declared, OpaqueFunction(function=act)])


def _is_launched(file: str) -> bool:
    """Return whether the command line names this very launch file, by its package or its path."""
    for before, word in pairwise(sys.argv):
        if Path(word).name != Path(file).name:
            continue
        named = [Path(word)]
        # As `ros2 launch` finds it: anywhere in the package's share folder. There is a package `launch`, too.
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
