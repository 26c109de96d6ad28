"""The processes of a launch file: one for each node, or one for all nodes of a boat; the same for a team."""

import atexit
import json
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from launch import LaunchContext
from launch.actions import EmitEvent, LogInfo, RegisterEventHandler
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.events.process import ProcessExited, ShutdownProcess
from launch_ros.actions import Node

from usv_energy.air.flight_battery import shortfall
from usv_energy.air.team_plan import CraftPlan, TeamPlan, read_team
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.ros.graph.compose import graph_of, parser
from usv_energy.ros.graph.graph import REPLACEABLE, ending_nodes
from usv_energy.ros.graph.launch_arguments import Arguments
from usv_energy.sim.record import GOAL_MISSED
from usv_energy.studies.runs.run_folder import SUMMARY
from usv_energy.studies.runs.run_tables import comparison_table
from usv_energy.studies.team.team_page import write_scenarios

WRONG_INPUT = 2
RESPAWN_DELAY = 1.0
MAX_CRASHES = 5  # A node that crashes more often is not started again.


class Processes(NamedTuple):
    """
    The processes of a graph.

    `every`: all of them. `ending`: those that end with the scenario. `folders`: where their summaries are.
    `respawned`: those that are started again when they die.
    """

    every: list[Node]
    ending: list[Node]
    folders: list[str]
    respawned: Sequence[Node] = ()


def graph_processes(options: list[str], arguments: Arguments, namespace: str, respawn: bool = False) -> Processes:
    """
    Return the processes of a graph.

    Arguments that the user gave override params files. Params files override all other values.

    :param options: The command line of `compose` for this graph.
    :param namespace: Namespace of the boat.
    :param respawn: Whether replaceable nodes are started again when they die.
    :raises InputError: For an unknown scenario, boat ... or a wrong file.
    """
    composed, more = arguments.flag('composed'), arguments.parameter_files()
    if composed and respawn:
        raise InputError('argument respawn is true, and composed is, too; a node alone can be started again only where '
                         'each is a process: composed:=false')
    options = [*options, f'--given={",".join(sorted(arguments.given))}']
    specs = graph_of(parser().parse_args(options), options, bool(more))
    ending = ending_nodes(specs) if options[0] == 'scenario' else []
    common = {'namespace': namespace, 'output': 'screen'}
    log_level = ['--log-level', arguments['log_level']]
    use_sim_time = {'use_sim_time': arguments.flag('use_sim_time')}
    weak, strong = ({}, use_sim_time) if 'use_sim_time' in arguments.given else (use_sim_time, {})
    if composed:
        # Without the prefix of the process: log lines name their nodes, and the table at the end is wide.
        process = Node(arguments=options, parameters=[*more, strong] if strong else more,
                       ros_arguments=[*log_level, *_rules(weak)], output_format='{line}', **common,
                       **arguments.process('compose'))
        return Processes([process], [process] if ending else [], [])
    strong['autostart'] = arguments.flag('autostart')
    again = REPLACEABLE if ending else (*REPLACEABLE, 'energy_accumulator')
    processes = {spec.name: Node(
        name=spec.name, remappings=list(spec.remappings),
        ros_arguments=[*log_level, *_rules({**weak, **spec.defaults()})],
        parameters=[*more, {**strong, **spec.overrides(), **({'exit_when_done': True} if spec.name in ending else {})}],
        respawn=respawn and spec.executable in again, respawn_delay=RESPAWN_DELAY, **common,
        **arguments.process(spec.executable)) for spec in specs}
    folders = [spec.parameters['out'] for spec in specs if spec.name in ending and 'out' in spec.parameters]
    return Processes(list(processes.values()), [processes[name] for name in ending], folders,
                     [processes[spec.name] for spec in specs if respawn and spec.executable in again])


def _rules(parameters: dict[str, Any]) -> list[str]:
    """Return parameters as ROS arguments, which later params files override."""
    return [word for name, value in parameters.items() for word in ('-p', f'{name}:={json.dumps(value)}')]


def with_end_handler(graph: Processes, whole_launch: bool = False) -> list[Any]:
    """
    Return a handler for the ends of processes, and the processes.

    When all of `ending` have ended, the handler prints the table and ends the others. If a process cannot start, or
    ends before its scenario and is not started again, the launch ends with an error.

    :param whole_launch: Whether everything else in the launch ends with the scenario, too.
    """
    handler = _EndHandler(graph, whole_launch)
    return [RegisterEventHandler(OnProcessExit(
        target_action=lambda action: action in graph.every, on_exit=handler.on_exit)), *graph.every]


class _EndHandler:
    """Handles the ends of the processes of a graph."""

    def __init__(self, graph: Processes, whole_launch: bool) -> None:
        self._graph = graph
        self._whole_launch = whole_launch
        self._running, self._waiting = set(graph.every), set(graph.ending)
        self._statuses: list[int] = []
        self._crashes: Counter[Any] = Counter()

    def on_exit(self, event: ProcessExited, context: LaunchContext) -> list[Any]:
        """Return the actions after the end of a process, or raise an error, which ends the launch."""
        graph, status = self._graph, event.returncode
        if context.is_shutdown or (graph.ending and not self._waiting):
            return []
        if status == WRONG_INPUT:
            raise RuntimeError(f'{event.process_name} could not start; its message above says why')
        if event.action in graph.respawned:
            return self._on_replaceable(event)
        self._running.discard(event.action)
        if not graph.ending:
            return self._on_end_without_scenario(event)
        if event.action not in self._waiting or status not in (0, GOAL_MISSED):
            raise RuntimeError(f'{event.process_name} ended before the scenario, with exit code {status}'
                               f'{_reason(status)}')
        self._waiting.remove(event.action)
        self._statuses.append(status)
        return [] if self._waiting else self._end_scenario()

    def _on_replaceable(self, event: ProcessExited) -> list[Any]:
        self._crashes[event.action] += event.returncode > 0
        if self._crashes[event.action] > MAX_CRASHES:
            raise RuntimeError(f'{event.process_name} ended with exit code {event.returncode}'
                               f'{_reason(event.returncode)}, for the {self._crashes[event.action]}th time')
        return [LogInfo(msg=f'{event.process_name} ended with exit code {event.returncode}{_reason(event.returncode)}; '
                            'it is started again')]

    def _on_end_without_scenario(self, event: ProcessExited) -> list[Any]:
        """Let the other nodes go on; the status of their samples says what is missing."""
        if not event.returncode:
            return []
        fault = f'{event.process_name} ended with exit code {event.returncode}{_reason(event.returncode)}'
        if not self._running:
            raise RuntimeError(fault)
        return [LogInfo(msg=f'{fault}; the others go on without it')]

    def _end_scenario(self) -> list[Any]:
        graph = self._graph
        if graph.folders:
            summaries = [json.loads((Path(folder) / SUMMARY).read_text(encoding='utf-8')) for folder in graph.folders]
            print(comparison_table(summaries), flush=True)
        if max(self._statuses) == GOAL_MISSED:
            raise RuntimeError('the scenario ended, but its goal was not reached')
        end = (Shutdown(reason='the scenario is over') if self._whole_launch
               else ShutdownProcess(process_matcher=lambda process: process in graph.every))
        return [LogInfo(msg='the scenario is over'), EmitEvent(event=end)]


def _reason(status: int) -> str:
    """Return the reason for an exit status in words, in brackets; empty for 0."""
    if status < 0:
        return f' (killed by {signal.Signals(-status).name})'
    return '' if status == 0 else ' (a crash: its message above says why)'


def team_actions(arguments: Arguments) -> list[Any]:
    """
    Return the actions that run a team.

    :param arguments: Arguments of team.launch.py.
    :raises InputError: For a wrong argument or file, or a flight that takes more than its battery has.
    """
    plan = read_team(arguments['team'])
    if plan.waves is not None:
        raise InputError(f'{plan.path}: has waves, which lift the decks of boats in the plane; on a graph such decks '
                         'stay level: give a current with waves and a hull of parts (current: {flow: sea})')
    out = arguments.out(Path(arguments['team']).stem, 'team')
    folder = Path(out).resolve() if out else Path(tempfile.mkdtemp(prefix='usv_energy_team_'))
    folder.mkdir(parents=True, exist_ok=True)
    if not out:
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    graphs = [graph_processes(arguments.options(
        'scenario', scenario=str(path), out=out, clock=not number, **_flows(plan)), arguments, f'/{boat.name}')
        for number, (boat, path) in enumerate(zip(plan.boats, write_scenarios(plan, folder)))]
    combined = Processes(*([one for part in parts for one in part] for parts in zip(*graphs)))
    combined.every.extend(_quadcopter(plan, craft, arguments) for craft in plan.crafts)
    return with_end_handler(combined, whole_launch=True)


def _flows(plan: TeamPlan) -> dict[str, str]:
    """Return current and wind of a team with one boat, which no scenario file has; otherwise nothing."""
    scenario = plan.boats[0].scenario
    return {} if plan.boats[0].document is not None else {
        name: f'{flow.speed!r},{flow.direction_deg!r}' for name, flow in (
            ('current', scenario.current), ('wind', scenario.wind)) if isinstance(flow, UniformFlow)}


def _quadcopter(plan: TeamPlan, craft: CraftPlan, arguments: Arguments) -> Node:
    orders = craft.orders
    short = shortfall(craft.craft, craft.battery, orders.land - orders.take_off, orders.reserve)
    if short:
        raise InputError(f'{plan.path}: flight of {craft.name}: {short}')
    parameters: dict[str, Any] = {
        'quadcopter': str(craft.path), 'controller': craft.controller, 'battery': craft.battery, 'step': plan.step,
        **{f'pad_{axis}': value for axis, value in zip('xyz', craft.pad)}, **orders._asdict(),
        'hover': orders.land - orders.take_off, 'silence': 3600.0, 'use_sim_time': arguments.flag('use_sim_time'),
        'autostart': arguments.flag('autostart')}
    if craft.lost:
        raise InputError(f'{plan.path}: {craft.name} has lost: on a graph a deck is lost where its odometry is')
    return Node(**arguments.process('quadcopter_simulator'), name='quadcopter_simulator',
                namespace=f'/{craft.name}', output='screen', parameters=[parameters],
                remappings=[('boat_odom', f'/{craft.deck}/odom'), ('boat_wind', f'/{craft.deck}/wind')],
                ros_arguments=['--log-level', arguments['log_level']])
