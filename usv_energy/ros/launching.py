"""From the arguments of a launch file to processes: one for each node of the graph, or one for all of them."""

import difflib
import json
import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from launch import LaunchContext
from launch.actions import DeclareLaunchArgument, EmitEvent, LogInfo, RegisterEventHandler
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.events.process import ProcessExited, ShutdownProcess
from launch_ros.actions import Node

from ..files.errors import InputError
from ..files.user_path import user_path
from ..show.run_folder import SUMMARY
from ..show.text.run_tables import comparison_table
from .compose import graph_of, parser
from .graph import ending_nodes

PACKAGE = 'usv_energy'
OF_ROS2_LAUNCH = ('launch-prefix', 'launch-prefix-filter')
NOT_REACHED, WRONG_INPUT = 1, 2


class Arguments:
    """The values of a launch file's arguments, as texts; what is asked of them is checked."""

    def __init__(self, context: LaunchContext, declared: Iterable[DeclareLaunchArgument], file: str) -> None:
        """
        Take the values.

        :param declared: The arguments of the launch file.
        :param file: Its path. Where the command line names it, that line may hold no other arguments; a launch file
            that includes it may have its own.
        :raises InputError: For an argument that is misspelt.
        """
        names = [argument.name for argument in declared]
        if any(Path(word).name == Path(file).name for word in sys.argv):
            for name in (text.split(':=')[0] for text in context.argv):
                if name not in (*names, *OF_ROS2_LAUNCH):
                    close = difflib.get_close_matches(name, names, n=1)
                    hint = f' Did you mean {close[0]!r}?' if close else ''
                    raise InputError(f'there is no argument {name!r}.{hint} There are: {", ".join(names)}')
        self._values: dict[str, str] = {name: context.launch_configurations[name] for name in names}

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
        given = [f'--{name.replace("_", "-")}={self[name]}' for name in texts]
        return given + [f'--{"" if self.flag(name) else "no-"}{name}' for name in flags]


class Processes(NamedTuple):
    """Processes of a graph; those of them that end with its scenario; the folders of their summaries."""

    every: list[Node]
    ending: list[Node]
    folders: list[str]


def graph_processes(options: list[str], arguments: Arguments, namespace: str) -> Processes:
    """
    Return the processes of a graph.

    :param options: The command line of `compose` for this graph.
    :param namespace: Of the boat.
    :raises InputError: For an unknown scenario, boat ... or a wrong file.
    """
    specs = graph_of(parser().parse_args(options))
    ending = ending_nodes(specs) if options[0] == 'scenario' else []
    common = {'package': PACKAGE, 'namespace': namespace, 'output': 'screen',
              'ros_arguments': ['--log-level', arguments['log_level']]}
    use_sim_time = {'use_sim_time': arguments.flag('use_sim_time')}
    more = arguments.parameter_files()
    if arguments.flag('composed'):
        # Its log lines name their nodes, and the table at the end is wide: no prefix of the process.
        process = Node(executable='compose', arguments=options, parameters=[use_sim_time, *more],
                       output_format='{line}', **common)
        return Processes([process], [process] if ending else [], [])
    processes = {spec.name: Node(
        executable=spec.executable, name=spec.name, remappings=list(spec.remappings), parameters=[{
            **spec.parameters, **use_sim_time, 'autostart': arguments.flag('autostart'),
            **({'exit_when_done': True} if spec.name in ending else {})}, *more], **common) for spec in specs}
    folders = [spec.parameters['out'] for spec in specs if spec.name in ending and 'out' in spec.parameters]
    return Processes(list(processes.values()), [processes[name] for name in ending], folders)


def watched(graph: Processes, whole_launch: bool = False) -> list[Any]:
    """
    Return processes, and what is done when one ends: when all of `ending` have, the table is shown, the rest end.

    A process that cannot start ends the launch with an error, and so does one that ends before its scenario.

    :param whole_launch: Whether all else that the launch holds ends with them.
    """
    running, waiting = set(graph.every), set(graph.ending)
    statuses: list[int] = []

    def on_exit(event: ProcessExited, context: LaunchContext) -> list[Any]:
        running.discard(event.action)
        if context.is_shutdown or (graph.ending and not waiting):
            return []
        if event.returncode == WRONG_INPUT:
            raise RuntimeError(f'{event.process_name} could not start; its message above says why')
        if not graph.ending:
            # The others go on without one that died: the status of the samples says what is missing.
            if event.returncode and not running:
                raise RuntimeError(f'{event.process_name} ended with exit code {event.returncode}')
            return []
        if event.action not in waiting or event.returncode not in (0, NOT_REACHED):
            raise RuntimeError(f'{event.process_name} ended before the scenario, with exit code {event.returncode}')
        waiting.remove(event.action)
        statuses.append(event.returncode)
        if waiting:
            return []
        if graph.folders:
            summaries = [json.loads((Path(folder) / SUMMARY).read_text(encoding='utf-8')) for folder in graph.folders]
            print(comparison_table(summaries), flush=True)
        if max(statuses) == NOT_REACHED:
            raise RuntimeError('the scenario ended, but its goal was not reached')
        end = (Shutdown(reason='the scenario is over') if whole_launch
               else ShutdownProcess(process_matcher=lambda process: process in graph.every))
        return [LogInfo(msg='the scenario is over'), EmitEvent(event=end)]

    handler = OnProcessExit(target_action=lambda action: action in graph.every, on_exit=on_exit)
    return [RegisterEventHandler(handler), *graph.every]
