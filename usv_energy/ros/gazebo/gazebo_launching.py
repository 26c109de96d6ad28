"""The actions of gazebo.launch.py: Gazebo with a world, boats and quadcopters, the bridge, a graph for each boat."""

import atexit
import math
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext
from launch.actions import (
    GroupAction,
    IncludeLaunchDescription,
    OpaqueFunction,
    RegisterEventHandler,
    SetLaunchConfiguration,
    TimerAction,
)
from launch.event_handlers import OnProcessExit, OnProcessIO
from launch.events.process import ProcessExited, ProcessIO
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.logging import get_logger
from launch_ros.actions import Node

from usv_energy.air.quadcopter import Quadcopter, Vector, read_quadcopter
from usv_energy.boats.sensor import Sensor
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.text_file import write_text
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import read_flow
from usv_energy.gazebo.bridge import BridgedQuadcopter, bridge_yaml, bridged_boat, control_argument
from usv_energy.gazebo.model import model_text
from usv_energy.gazebo.quadcopter_model import quadcopter_text
from usv_energy.gazebo.world import (
    WORLDS,
    SdfWorld,
    boat_orders,
    checked_step,
    missing_systems,
    read_world,
    scenario_at,
    world_text,
)
from usv_energy.physics.frames import to_earth
from usv_energy.powering.power import CONVENTIONS
from usv_energy.ros.framework.process import END_WITH_LAUNCH
from usv_energy.ros.gazebo.gazebo_control import READERS, gazebo_interfaces
from usv_energy.ros.graph.graph import GAZEBO_COMMAND, GAZEBO_THRUSTERS, answering_topics
from usv_energy.ros.graph.graph_options import BOTH, GAZEBO
from usv_energy.ros.graph.launch_arguments import Arguments, those_that_run
from usv_energy.ros.graph.launching import Processes, graph_processes, with_end_handler
from usv_energy.sim.plants.live_thrusters import changes_thrust
from usv_energy.sim.scenario import Scenario, read_scenario

NAME = 'quadcopter'
# Topic of the quadcopter's answers below the boat's namespace. The pacer waits for it as for the boat's own answers.
ANSWERED = 'gazebo/quadcopter'
SUMMARY = 'quadcopter.json'

NEEDED_PACKAGES = ('ros_gz_sim', 'ros_gz_bridge')
HEARTBEAT = 100  # Period in which the bridge checks whether its lazy topics have subscribers, ms of wall time.

# The command line tools of Gazebo (Harmonic and later), and of Fortress.
PROGRAMS = ('gz', 'ign')
LISTING_TIMEOUT = 20.0  # Of a list of Gazebo's services, which takes 2 s; s.
# The tool lists only services that answer within two of its heartbeats. On a busy machine it missed a running world two
# times in eight, so the list is then repeated.
LISTINGS_WHEN_BUSY = 4
# Time between SIGTERM and SIGKILL, s. With a window Gazebo takes 5 s to close the window, and 5 s to end the server.
SIGKILL_TIMEOUT = 15.0
READ_TIME = 0.5      # s of wall time.
SPAWNED = b'Entity creation successful'    # What ros_gz_sim's `create` says; in Jazzy with another l.
CONTROL = re.compile(r'/world/([^/]+)/control')


class LaunchedQuadcopter(NamedTuple):
    """
    A quadcopter of the launch, on the deck of a boat.

    `path`: its file. `boat`: the boat's name. `pad`: place of the middle of the pad, m ahead, to port and up from the
    boat's reference point. `take_off` and `land`: s after the first odometry; 0: by the services. `out`: folder of
    results; empty: none.
    """

    craft: Quadcopter
    path: str
    boat: str
    pad: Vector
    take_off: float
    land: float
    out: str

    @property
    def bridged(self) -> BridgedQuadcopter:
        """Its entry for the bridge."""
        return BridgedQuadcopter(f'/{NAME}', NAME)


def launched_quadcopter(arguments: Arguments, boat: str, out: str) -> LaunchedQuadcopter | None:
    """
    Return the quadcopter of the launch arguments; None if they ask for none.

    :param boat: The name of the boat on whose deck it stands.
    :param out: Folder of results; empty: none.
    :raises InputError: For a wrong argument.
    """
    name = arguments['quadcopter']
    if not name:
        return None
    craft = read_quadcopter(name)
    pad = _numbers(arguments, 'pad')
    if len(pad) != 3:
        raise InputError(f'argument pad is {arguments["pad"]!r}; must be three numbers: m ahead, to port, up')
    times = [_numbers(arguments, which) for which in ('take_off', 'land')]
    if any(len(one) != 1 or one[0] < 0.0 for one in times) or 0.0 < times[1][0] <= times[0][0]:
        raise InputError(f'arguments take_off and land are {arguments["take_off"]!r} and {arguments["land"]!r}; must '
                         'be s of simulated time, 0 or greater, and land after take_off')
    x, y, z = pad
    return LaunchedQuadcopter(craft, name, boat, (x, y, z), times[0][0], times[1][0], out)


def quadcopter_spawner(copter: LaunchedQuadcopter, start: tuple[float, float, float], world: str, period: float,
                       folder: Path) -> Node:
    """
    Return the process that spawns a quadcopter on the deck of its boat.

    :param start: x, y, m, and yaw, rad, of the boat.
    :param world: The world's name.
    :param period: Period of the odometry, s.
    :param folder: Folder for its SDF file.
    """
    path = folder / f'{NAME}.sdf'
    heading = f'Written by gazebo.launch.py from {copter.path}'
    write_text(quadcopter_text(copter.craft, NAME, heading, 1.0 / period), path)
    x, y, yaw = start
    ahead, port, up = copter.pad
    east, north = to_earth(ahead, port, math.cos(yaw), math.sin(yaw))
    place = {'-x': x + east, '-y': y + north, '-z': up, '-Y': yaw}
    return Node(package='ros_gz_sim', executable='create', name=f'create_{NAME}', output='screen',
                arguments=['-world', world, '-file', str(path), '-name', NAME,
                           *(word for key, value in place.items() for word in (key, repr(float(value))))])


def quadcopter_pilot(copter: LaunchedQuadcopter, arguments: Arguments) -> Node:
    """Return the node that flies a quadcopter."""
    ahead, port, up = copter.pad
    own: dict[str, Any] = {
        'quadcopter': copter.path, 'pad_x': ahead, 'pad_y': port, 'pad_z': up, 'take_off': copter.take_off,
        'land': copter.land, 'out': str(Path(copter.out) / SUMMARY) if copter.out else '',
        'autostart': arguments.flag('autostart')}
    if copter.land > copter.take_off > 0.0:
        own['hover'] = copter.land - copter.take_off
    return Node(**arguments.process('gazebo_quadcopter'), name='gazebo_quadcopter', namespace=f'/{NAME}',
                output='screen', parameters=[own, *arguments.parameter_files()],
                remappings=[('boat_odom', f'/{copter.boat}/odom'), ('boat_wind', f'/{copter.boat}/wind'),
                            ('gazebo/answered', f'/{copter.boat}/{ANSWERED}')],
                ros_arguments=['--log-level', arguments['log_level']])


def _numbers(arguments: Arguments, name: str) -> list[float]:
    try:
        numbers = [float(part) for part in arguments[name].split(',')]
    except ValueError:
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise InputError(f'argument {name} is {arguments[name]!r}; must be numbers')
    return numbers


class LaunchedBoat(NamedTuple):
    """A boat of the launch: its name in ROS and Gazebo, its scenario, its folder of results (empty: none)."""

    name: str
    scenario: Scenario
    out: str

    @property
    def sensors(self) -> tuple[Sensor, ...]:
        """The sensors on board."""
        return self.scenario.sensing.on(self.scenario.plant)


def gazebo_actions(arguments: Arguments) -> list[Any]:
    """
    Return the actions that start Gazebo and run a scenario in it for each boat.

    :param arguments: Arguments of gazebo.launch.py.
    :raises InputError: For a wrong argument, or a missing package: which, and how to install it.
    """
    shares = needed_packages()
    gazebo_interfaces('msg')
    out = arguments.out(Path(arguments['scenario']).stem, 'gazebo') if arguments.flag('energy') else ''
    if out:
        folder = Path(out).resolve() / 'gazebo'
        folder.mkdir(parents=True, exist_ok=True)
    else:
        folder = Path(tempfile.mkdtemp(prefix='usv_energy_gazebo_'))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    boats = _boats(arguments, out, folder)
    copter = launched_quadcopter(arguments, boats[0].name, out)
    world = _world(arguments, boats, folder)
    headless = arguments.flag('headless')
    _check_systems(world, boats, headless)
    refuse_another_gazebo(world.name)
    graphs = [graph_processes(arguments.options(
        'scenario', simulator=GAZEBO, scenario=str(boat.scenario.path), out=boat.out,
        boat=str(boat.scenario.boat.path), plant=str(boat.scenario.plant.path)), arguments, f'/{boat.name}')
        for boat in boats]
    copters = [] if copter is None else [copter]
    bridge = _bridge(boats, world, folder, arguments, copters)
    settler, pacer = _pacers(boats, world, arguments, copters)
    combined = Processes(*([one for part in parts for one in part] for parts in zip(*graphs)))
    combined.every.extend((bridge, pacer, *(quadcopter_pilot(one, arguments) for one in copters)))
    end_handler, *nodes = with_end_handler(combined, whole_launch=True)
    later = [node for node in nodes if node not in (bridge, pacer)]
    spawners = _spawners(boats, world, folder, copters)
    return [
        # Gazebo's world starts paused: the pacer lets it run.
        *gazebo_process(shares['ros_gz_sim'], [*(['-s'] if headless else []), *arguments['gz_args'].split(),
                                               f'"{world.path}"'], headless),
        *(handler for spawner in spawners for handler in _handlers_of(spawner)),
        # The first odometry of a boat is wrong, so the nodes start after it.
        RegisterEventHandler(OnProcessExit(target_action=settler, on_exit=_on_success(later))),
        end_handler, *spawners, bridge, settler, pacer]


def needed_packages() -> dict[str, str]:
    """
    Return the share folders of the packages of ros_gz.

    :raises InputError: If one is missing: which, and how to install it.
    """
    shares = {}
    for name in NEEDED_PACKAGES:
        try:
            shares[name] = get_package_share_directory(name)
        except PackageNotFoundError:
            raise InputError(f'the package {name!r} is missing; Gazebo and its bridge to ROS are installed by: '
                             'sudo apt install ros-jazzy-ros-gz') from None
    return shares


def _on_success(actions: list[Any]) -> Callable[..., list[Any]]:
    """Return an exit handler for a process of the start: it returns the actions, or raises if the process failed."""
    def on_exit(event: ProcessExited, context: LaunchContext) -> list[Any]:
        if event.returncode and not context.is_shutdown:
            raise RuntimeError(f'{event.process_name} failed with exit code {event.returncode}; '
                               'its message above says why')
        return [] if context.is_shutdown else actions

    return on_exit


def _handlers_of(spawner: Node) -> list[RegisterEventHandler]:
    """Return the handlers of a spawner: its failure ends the launch, but no crash after it has said its success."""
    done: list[bool] = []

    def on_output(event: ProcessIO) -> None:
        if SPAWNED in event.text:
            done.append(True)

    def judge(event: ProcessExited, context: LaunchContext) -> list[Any]:
        if done:
            get_logger('gazebo.launch').warning(
                f'{event.process_name} ended with exit code {event.returncode} after it had spawned its model')
            return []
        return _on_success([])(event, context)

    def on_exit(event: ProcessExited, context: LaunchContext) -> list[Any]:
        # What it said last may be read after its end.
        return [TimerAction(period=READ_TIME, actions=[OpaqueFunction(function=partial(judge, event))])] if (
            event.returncode) else []

    return [RegisterEventHandler(OnProcessIO(target_action=spawner, on_stdout=on_output, on_stderr=on_output)),
            RegisterEventHandler(OnProcessExit(target_action=spawner, on_exit=on_exit))]


def _boats(arguments: Arguments, out: str, folder: Path) -> list[LaunchedBoat]:
    """Return the boats. A boat that would start at the place of another one runs a shifted copy of its scenario."""
    orders = boat_orders(arguments['boats'], arguments['scenario'])
    boats = []
    for order in orders:
        scenario = read_scenario(order.scenario).with_options(arguments['boat'] or None, arguments['plant'] or None)
        if order.place:
            path = folder / f'{scenario.name}_{order.name}.yaml'
            write_text(yaml.safe_dump(scenario_at(scenario, order.place), sort_keys=False), path)
            scenario = read_scenario(str(path))
        where = str(Path(out) / order.name) if out and len(orders) > 1 else out
        boats.append(LaunchedBoat(order.name, scenario, where))
    periods = {boat.scenario.period for boat in boats}
    if len(periods) > 1:
        raise InputError(f'the scenarios of the boats have different periods, {sorted(periods)} s; must be one')
    return boats


def _world(arguments: Arguments, boats: list[LaunchedBoat], folder: Path) -> SdfWorld:
    """Return the world: the given file, or a new one for the first boat's scenario, without boats."""
    name, scenario = arguments['world'], boats[0].scenario
    if name not in WORLDS:
        if not name.endswith(('.sdf', '.world')):
            raise InputError(f'argument world is {name!r}; must be {" or ".join(WORLDS)}, or the path of an SDF file')
        return read_world(user_path(name).resolve())
    try:
        pace = float(arguments['real_time_factor'])
    except ValueError:
        pace = -1.0
    if not 0.0 <= pace < 1e6:
        raise InputError(f'argument real_time_factor is {arguments["real_time_factor"]!r}; must be a number, '
                         '0 or greater')
    river = read_flow('river') if name == 'river' else None
    path = folder / f'{name}.sdf'
    step = min(checked_step(boat.scenario, boats=[boat.scenario.plant]) for boat in boats)
    write_text(world_text(scenario, name, (), pace, 'Written by gazebo.launch.py', river=river, step=step,
                          sensors=[one for boat in boats for one in boat.sensors]), path)
    return read_world(path)


def _check_systems(world: SdfWorld, boats: list[LaunchedBoat], headless: bool) -> None:
    """
    Warn of missing systems in the world.

    :raises InputError: If no boat can run without them.
    """
    vital, others = missing_systems(
        world, spawns=any(boat.name not in world.models for boat in boats), window=not headless,
        wind=any(boat.scenario.wind != UniformFlow() for boat in boats),
        sensors=[one for boat in boats for one in boat.sensors])
    for line in others:
        get_logger('gazebo.launch').warning(line)
    if vital:
        raise InputError('\n'.join(vital))


def _spawners(boats: list[LaunchedBoat], world: SdfWorld, folder: Path,
              copters: Sequence[LaunchedQuadcopter]) -> list[Node]:
    """
    Return the processes that spawn boats and quadcopters that are not in the world's file.

    :raises InputError: If a boat in the world's file should carry a quadcopter that is not there: it has no deck.
    """
    copters = [copter for copter in copters if NAME not in world.models]
    pads = {copter.boat: copter.pad for copter in copters}
    if own := sorted({*pads} & {*world.models}):
        raise InputError(f'{world.path}: holds {own[0]}, which is to carry the quadcopter, but no {NAME}: leave '
                         'both to the launch, or put both into the world (usv-energy gazebo model --pad, quadcopter)')
    first = boats[0].scenario
    nodes = [quadcopter_spawner(copter, first.start, world.name, first.period, folder) for copter in copters]
    for boat in boats:
        if boat.name in world.models:
            continue
        plant = boat.scenario.plant
        path = folder / f'{boat.name}.sdf'
        heading = f'Written by gazebo.launch.py from {plant.path}'
        write_text(model_text(plant, boat.name, heading, 1.0 / boat.scenario.period, boat.sensors,
                              pads.get(boat.name)), path)
        x, y, yaw = boat.scenario.start
        place = {'-x': x, '-y': y, '-z': 0.0, '-Y': yaw}
        nodes.append(Node(package='ros_gz_sim', executable='create', name=f'create_{boat.name}', output='screen',
                          arguments=['-world', world.name, '-file', str(path), '-name', boat.name,
                                     *(word for key, value in place.items() for word in (key, repr(float(value))))]))
    return nodes


def _bridge(boats: list[LaunchedBoat], world: SdfWorld, folder: Path, arguments: Arguments,
            copters: Sequence[LaunchedQuadcopter]) -> Node:
    path = folder / 'bridge.yaml'
    bridged = [bridged_boat(boat.scenario.plant, boat.name, boat.sensors) for boat in boats]
    write_text(bridge_yaml(world.name, bridged, [copter.bridged for copter in copters]), path)
    return Node(**arguments.process('parameter_bridge', 'ros_gz_bridge'), name='gazebo_bridge', output='screen',
                arguments=[control_argument(world.name)],
                parameters=[{'config_file': str(path), 'subscription_heartbeat': HEARTBEAT}],
                ros_arguments=['--log-level', arguments['log_level']])


def _pacers(boats: list[LaunchedBoat], world: SdfWorld, arguments: Arguments,
            copters: Sequence[LaunchedQuadcopter]) -> tuple[Node, Node]:
    """Return the node that makes the world's first steps, and the one that lets it run when the graphs are ready."""
    period = boats[0].scenario.period
    steps = round(period / world.step)
    if steps < 1 or abs(steps * world.step - period) > 1e-9:
        raise InputError(f'{world.path}: max_step_size is {world.step} s; the period of the scenario, {period} s, '
                         'must be a whole number of steps')
    common = {'world': world.name, 'boats': [boat.name for boat in boats], 'steps_per_period': steps}
    autostart, convention = arguments.flag('autostart'), arguments['convention']
    conventions = tuple(CONVENTIONS) if convention == BOTH else (convention,)
    answered = [boat.name for boat in boats if changes_thrust(boat.scenario.plant)]
    awaited = [*answering_topics(conventions, bool(boats[0].out), arguments.flag('energy')),
               *(f'/{name}/{GAZEBO_COMMAND}' for name in answered),
               *(f'/{copter.boat}/{ANSWERED}' for copter in copters)]
    readers = [*READERS, *(f'/{name}/{GAZEBO_THRUSTERS}' for name in answered)]
    own: dict[str, dict[str, Any]] = {
        'gazebo_settler': {'autostart': True, 'exit_when_done': True},
        'gazebo_pacer': {'autostart': autostart, 'pace': arguments['pace'], 'awaited': awaited,
                         'readers': readers, 'hurried': world.pace == 0.0}}
    settler, pacer = (Node(**arguments.process(name), name=name, output='screen',
                           parameters=[{**common, **given}, *arguments.parameter_files()],
                           ros_arguments=['--log-level', arguments['log_level']]) for name, given in own.items())
    return settler, pacer


def gazebo_process(share: str, words: list[str], headless: bool) -> list[Any]:
    """
    Return the actions that start Gazebo by the launch file of ros_gz_sim. If Gazebo ends early, the launch fails.

    That file starts Gazebo through a shell, and launch would signal only the shell: each run would leave a server
    behind. With the prefix `exec` Gazebo replaces the shell, and it ends with the launch. (A launch-prefix on the
    command line is for the other processes.)

    :param share: The share folder of ros_gz_sim.
    :param words: Gazebo's arguments, as a shell reads them.
    :param headless: Whether it has no window.
    """
    include = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(Path(share) / 'launch' / 'gz_sim.launch.py')),
        launch_arguments={'gz_args': ' '.join(words)}.items())
    prefix = f'exec {those_that_run(END_WITH_LAUNCH)}'.strip()
    scope = GroupAction([include], launch_configurations={'launch-prefix': prefix, 'launch-prefix-filter': ''})
    # Launch reads this when it ends its processes, so it must stand outside of the scope.
    timeout = [] if headless else [SetLaunchConfiguration('sigkill_timeout', str(SIGKILL_TIMEOUT))]
    return [*timeout, scope, RegisterEventHandler(OnProcessExit(on_exit=on_gazebo_exit))]


def on_gazebo_exit(event: ProcessExited, context: LaunchContext) -> list[Any]:
    """End the launch with an error if Gazebo ends before the scenario; the recorders then write what they have."""
    if event.process_name.rpartition('-')[0] == 'gazebo' and not context.is_shutdown:
        raise RuntimeError(f'Gazebo ended before the scenario, with exit code {event.returncode}; '
                           'what was recorded until then is kept')
    return []


def refuse_another_gazebo(world: str) -> None:
    """
    Look for a Gazebo that is already running, whose topics and services would mix with those of the new one.

    If its world has another name, there is only a warning, because its boats may have other names, too.

    :param world: The name of the world to start.
    :raises InputError: If that world is running.
    """
    running = worlds_running()
    for _ in range(LISTINGS_WHEN_BUSY - 1):
        if world in running or not machine_is_busy():
            break
        running |= worlds_running()
    if world in running:
        raise InputError(
            f'a Gazebo with the world {world!r} is running already (its service /world/{world}/control is there), and '
            'would take the commands of this one. End it, or give one of them a GZ_PARTITION (Fortress: '
            'IGN_PARTITION) of its own')
    for other in sorted(running):
        get_logger('gazebo.launch').warning(
            f'a Gazebo with the world {other!r} is running already; boats of the same names would be mixed')


def machine_is_busy() -> bool:
    """Return whether the load of the last minute exceeds the number of processors."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def worlds_running() -> set[str]:
    """
    Return the names of the worlds that Gazebo's command line tool finds now; none if the tool is not installed.

    If all installed tools fail, or exceed the timeout, a warning says that the running worlds are unknown.
    """
    found: set[str] = set()
    faults, listed = [], False
    for program in filter(shutil.which, PROGRAMS):
        try:
            done = subprocess.run([program, 'service', '-l'], capture_output=True, text=True, timeout=LISTING_TIMEOUT,
                                  check=True)
        except (OSError, subprocess.SubprocessError) as error:
            faults.append(str(error))
            continue
        listed = True
        found |= {match[1] for match in map(CONTROL.fullmatch, done.stdout.split()) if match}
    if faults and not listed:
        get_logger('gazebo.launch').warning(f'whether a Gazebo is running already is not known: {"; ".join(faults)}')
    return found
