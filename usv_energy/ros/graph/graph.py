"""The nodes of a graph with their parameters: one list for launch files and for `compose`."""

import importlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from rclpy.exceptions import InvalidTopicNameException
from rclpy.validate_topic_name import validate_topic_name

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.powering.power import CONVENTIONS
from usv_energy.ros.framework.parameters import (
    ACCELERATION_TIME_CONSTANT,
    AXES,
    BAG,
    FLOW_SOURCE,
    LAG,
    ODOM_RELIABILITY,
    OUT,
    PACE,
    PLOTS,
    RUN_CHOICE,
    SEA,
    TWIST_FRAME,
    WAVE_ESTIMATE,
)
from usv_energy.ros.graph.graph_options import (
    BOTH,
    GAZEBO,
    MEDIA,
    DriveOptions,
    EnergyOptions,
    GraphOptions,
    ScenarioOptions,
)
from usv_energy.sim.control.motion_pilot import check_drivable
from usv_energy.sim.plants.live_thrusters import changes_thrust
from usv_energy.sim.scenario import Scenario, checked_convention, read_scenario
from usv_energy.studies.mission.scenario_to_run import RunChoice, with_choice
from usv_energy.studies.plan.way_home import read_homes
from usv_energy.studies.runs.run_folder import run_folder

LOCKSTEP_WAIT = 30.0  # s of wall time.
FROM_MOTION = 'allocated'  # The energy of a scenario comes from its motion; the simulator's thrusters check it.
ODOMETRY_READERS = ('state_adapter', 'recorder')
GAZEBO_THRUSTERS, GAZEBO_COMMAND = 'gazebo_thrusters', 'gazebo/thruster_command'
# Nodes without state of the run: a new one continues where the old one ended.
REPLACEABLE = ('state_adapter', 'current_client', 'wind_client', 'flow_server', 'power_calculator', 'motion_driver')
# Parameters that connect the nodes of a graph. A params file cannot set them, since it may be a dump of another graph.
CONNECTING_PARAMETERS = ('out', 'lockstep_power', 'lockstep_recorded', 'lockstep_energy')


class NodeSpec(NamedTuple):
    """
    A node of a graph: its executable, its name, parameters, and remappings of topics (from, to).

    The parameters in `given` override params files, which override the others.
    """

    executable: str
    name: str
    parameters: dict[str, Any]
    remappings: tuple[tuple[str, str], ...] = ()
    given: frozenset[str] = frozenset()

    def defaults(self) -> dict[str, Any]:
        """Return the parameters that params files override."""
        return {name: value for name, value in self.parameters.items() if name not in self.given}

    def overrides(self) -> dict[str, Any]:
        """Return the parameters that override params files."""
        return {name: value for name, value in self.parameters.items() if name in self.given}

    def node_class(self) -> Any:
        """Return the node's class."""
        module = importlib.import_module(f'usv_energy.nodes.{self.executable}')
        return getattr(module, ''.join(part.capitalize() for part in self.executable.split('_')))


class FlowOptions(NamedTuple):
    """The source of a flow client: its parameters FLOW_SOURCE."""

    mode: str = FLOW_SOURCE[0].default
    speed: float = FLOW_SOURCE[1].default
    direction_deg: float = FLOW_SOURCE[2].default
    global_source: str = FLOW_SOURCE[3].default


def energy_nodes(boat: str, convention: str, current: FlowOptions, wind: FlowOptions,
                 adapter: dict[str, Any] | None = None, flow_wait: float | None = None,
                 wind_height: float = 0.0, actuators: str = 'auto') -> list[NodeSpec]:
    """
    Return the nodes that compute power and energy for odometry of any source.

    :param boat: Name or path of the boat file.
    :param convention: rep103 or as_published.
    :param current: Source of the water current.
    :param wind: Source of the wind.
    :param adapter: Parameters of the state adapter that differ from the defaults. Its lag is 0 unless given here, for
        exact odometry.
    :param flow_wait: How long a state waits for its flow, s; None: the node's default.
    :param wind_height: Height above water of the wind of mode global, m; 0: at the boat.
    :param actuators: Source of the thrusts: auto, measured or allocated.
    """
    reduction = {'height': wind_height, 'boat': boat} if wind_height else {}
    return [
        NodeSpec('state_adapter', 'state_adapter', {'lag': 0.0, **(adapter or {})}),
        NodeSpec('current_client', 'current_client', dict(current._asdict())),
        NodeSpec('wind_client', 'wind_client', {**wind._asdict(), **reduction}),
        *_power_nodes(boat, convention, flow_wait, '', actuators),
    ]


def checked_energy_nodes(options: EnergyOptions) -> list[NodeSpec]:
    """
    Return the nodes for the options of an energy graph, after checks.

    :raises InputError: For an unknown boat or convention, or an invalid name of a topic.
    """
    try:
        validate_topic_name(options.text('odom'))
    except InvalidTopicNameException as error:
        raise InputError(f'odom is {options.text("odom")!r}; must be the name of a topic: {error}') from None
    boat = str(read_boat(options.text('boat')).path) if options.text('boat') else ''
    adapter = options.of(AXES, TWIST_FRAME, LAG, ACCELERATION_TIME_CONSTANT, ODOM_RELIABILITY)
    current, wind = (FlowOptions(**{one.name: options.value(f'{medium}_{one.name}') for one in FLOW_SOURCE})
                     for medium in MEDIA)
    nodes = energy_nodes(boat, checked_convention(options.text('convention')), current, wind, adapter,
                         wind_height=options.number('wind_height'))
    sea = {name: text for name, text in options.of(SEA, WAVE_ESTIMATE).items() if text}
    nodes = [node._replace(parameters=node.parameters | sea) if node.executable == 'power_calculator' else node
             for node in nodes]
    if options.text('homes'):
        homes = [text.strip() for text in options.text('homes').split(';') if text.strip()]
        read_homes(homes)
        nodes.append(NodeSpec('home_watch', 'home_watch', {'boat': boat, 'homes': homes, **sea}))
    if options.text('out'):
        nodes.append(NodeSpec('recorder', 'recorder', options.of(OUT, BAG, ODOM_RELIABILITY)))
    topic = options.text('odom')
    odom = (('odom', topic),) if topic != 'odom' else ()
    return [node._replace(remappings=odom) if node.executable in ODOMETRY_READERS else node for node in nodes]


def scenario_nodes(scenario: Scenario, options: ScenarioOptions) -> list[NodeSpec]:
    """
    Return the nodes that run a scenario: the embedded simulator last, or the nodes that connect the graph to Gazebo.

    With several conventions there are several power calculators for the same motion. The first has the boat's own
    topics, each other one those below its convention's name (`as_published/power` ...).

    :param scenario: The scenario of the file.
    :param options: Changes to it, and what is recorded.
    """
    named = {'scenario': str(scenario.path), **options.of(*RUN_CHOICE)}
    scenario = with_choice(scenario, choice_of(options))
    convention, pace = options.text('convention'), options.text('pace')
    conventions = tuple(CONVENTIONS) if convention == BOTH else (convention or scenario.convention,)
    gazebo, recorded = options.text('simulator') == GAZEBO, bool(options.text('out'))
    boat = str(scenario.boat.path)
    flow_wait = LOCKSTEP_WAIT if pace == 'lockstep' else None
    # Gazebo's world starts when the whole graph is ready; until then gazebo_pacer logs what is missing.
    adapter = {'silent_before_first': True} if gazebo else None
    nodes = energy_nodes(boat, conventions[0], flow_options(scenario.current), flow_options(scenario.wind), adapter,
                         flow_wait, actuators=FROM_MOTION)
    for other in conventions[1:]:
        nodes += _power_nodes(boat, other, flow_wait, other, FROM_MOTION)
    nodes = with_flow_files(nodes, scenario, lockstep=pace == 'lockstep')
    if recorded:
        recording = {**options.of(PLOTS), 'thruster_power': not gazebo}
        nodes += _recorders(scenario, options, conventions, {**named, **recording})
    if gazebo:
        nodes += _gazebo_nodes(scenario)
    nodes.append(NodeSpec('scenario_driver', 'scenario_driver', {**named, 'convention': conventions[0]}))
    if not gazebo:
        nodes.append(NodeSpec('boat_simulator', 'boat_simulator', {
            **named, 'pace': pace, 'publish_clock': options.flag('clock'),
            'lockstep_power': _topics('power', conventions),
            'lockstep_energy': _topics('energy', conventions),
            'lockstep_recorded': _topics('recorded', conventions) if recorded else ['']}))
    return nodes


def choice_of(options: GraphOptions) -> RunChoice:
    """Return the options that change a scenario for one run."""
    return RunChoice(**options.of(*(one for one in options.table if one in RUN_CHOICE)))


def _gazebo_nodes(scenario: Scenario) -> list[NodeSpec]:
    """Return the nodes between a boat's graph and Gazebo."""
    boat = {'boat': str(scenario.plant.path)}
    environment = NodeSpec('gazebo_environment', 'gazebo_environment', boat)
    if not changes_thrust(scenario.plant):
        return [environment]
    # The answer to an odometry is the command that reaches Gazebo, not the command of the driver.
    return [environment._replace(remappings=(('thruster_command', GAZEBO_COMMAND),)),
            NodeSpec(GAZEBO_THRUSTERS, GAZEBO_THRUSTERS, boat)]


def with_given(nodes: Iterable[NodeSpec], options: Collection[str]) -> list[NodeSpec]:
    """
    Return nodes whose parameters for the given options of `compose` override params files.

    :param options: Names of the given options, like `boat` or `current_mode`.
    """
    marked = []
    for node in nodes:
        names = _parameters_of(node, set(options)) | {*CONNECTING_PARAMETERS}
        marked.append(node._replace(given=frozenset(names | ({'publish_clock'} if 'clock' in names else set()))))
    return marked


def _parameters_of(node: NodeSpec, options: set[str]) -> set[str]:
    """Return the parameters of a node that the given options set."""
    if node.executable == 'flow_server':
        return options | ({'water_current'} if 'current' in options else set())
    medium, is_client, _ = node.executable.partition('_client')
    if not is_client:
        return options
    # In a scenario, `current` sets all of the client's flow, and `speed` is that of the boat.
    whole = set(FlowOptions._fields) if medium in options else set()
    return whole | {option.removeprefix(f'{medium}_') for option in options if option not in FlowOptions._fields}


def answering_topics(conventions: Sequence[str], recorded: bool, energy: bool = True) -> list[str]:
    """
    Return a boat's topics whose messages answer its odometry; lockstep with Gazebo waits for them.

    :param conventions: Conventions of the power models.
    :param recorded: Whether there are recorders.
    :param energy: Whether there are nodes of power and energy.
    """
    return ['gazebo/handed', 'thruster_command', *(_topics('power', conventions) if energy else ()),
            *(_topics('recorded', conventions) if recorded else ())]


def without_energy(nodes: Iterable[NodeSpec]) -> list[NodeSpec]:
    """Return the nodes without those of power and energy, and without recorders, which need them."""
    no_wait = {name: [''] for name in ('lockstep_power', 'lockstep_energy', 'lockstep_recorded')}
    return [node._replace(parameters=node.parameters | no_wait) if node.executable == 'boat_simulator' else node
            for node in nodes if node.executable not in ('power_calculator', 'energy_accumulator', 'recorder')]


def ending_nodes(specs: Iterable[NodeSpec]) -> list[str]:
    """Return the names of the nodes that end a scenario: its recorders, or the driver if nothing is recorded."""
    names = {kind: [spec.name for spec in specs if spec.executable == kind] for kind in ('recorder', 'scenario_driver')}
    return names['recorder'] or names['scenario_driver']


def _power_nodes(boat: str, convention: str, flow_wait: float | None, folder: str, actuators: str) -> list[NodeSpec]:
    """Return power calculator and energy accumulator; `folder`: folder of their topics, and suffix of their names."""
    suffix, remaps = _in_folder(folder, 'power', 'instantaneous_power', 'energy', 'battery_state', 'remaining_range',
                                'remaining_range_stamped', 'reset_energy', 'set_charge')
    waiting: dict[str, Any] = {} if flow_wait is None else {'flow_wait': flow_wait}
    waiting |= {} if actuators == 'auto' else {'actuators': actuators}
    return [
        NodeSpec('power_calculator', f'power_calculator{suffix}',
                 {'boat': boat, 'convention': convention, **waiting}, remaps),
        NodeSpec('energy_accumulator', f'energy_accumulator{suffix}', {'boat': boat}, remaps),
    ]


def _recorders(scenario: Scenario, options: ScenarioOptions, conventions: Sequence[str],
               parameters: dict[str, Any]) -> list[NodeSpec]:
    """Return a recorder for each convention; the bag of the first one contains the powers and energies of all."""
    others = [f'{convention}/{topic} usv_energy_msgs/msg/{kind}' for convention in conventions[1:]
              for topic, kind in (('power', 'PowerStamped'), ('energy', 'EnergyStamped'))]
    nodes = []
    for convention in conventions:
        suffix, remaps = _in_folder('' if convention == conventions[0] else convention, 'power', 'energy', 'recorded')
        nodes.append(NodeSpec('recorder', f'recorder{suffix}', {
            **parameters, 'convention': convention, 'bag': options.flag('bag') and not suffix,
            'out': str(run_folder(user_path(options.text('out')), scenario.name, convention)),
            'extra_topics': [''] if suffix else ['', *others]}, remaps))
    return nodes


def _topics(topic: str, conventions: Sequence[str]) -> list[str]:
    return [topic, *(f'{convention}/{topic}' for convention in conventions[1:])]


def _in_folder(folder: str, *topics: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the suffix of a node's name, and the remappings of topics into a folder."""
    if not folder:
        return '', ()
    return f'_{folder}', tuple((topic, f'{folder}/{topic}') for topic in topics)


def with_flow_files(nodes: list[NodeSpec], scenario: Scenario, lockstep: bool) -> list[NodeSpec]:
    """Return the nodes with a server for the scenario's flow files, if it has any, and with clients of that server."""
    files = {topic: str(flow.path) for topic, flow in (('water_current', scenario.current), ('wind', scenario.wind))
             if isinstance(flow, FlowFile)}
    if not files:
        return nodes
    changes: dict[str, dict[str, Any]] = {'power_calculator': {'current_varies': 'water_current' in files}}
    if lockstep:
        waiting = {'wait_for_answer': True, 'deadline': LOCKSTEP_WAIT}
        changes |= {'current_client': waiting, 'wind_client': waiting}
    clients = [node._replace(parameters={**node.parameters, **changes.get(node.executable, {})}) for node in nodes]
    boat = {'boat': str(scenario.boat.path)} if 'wind' in files else {}
    place = scenario.sensing.origin
    origin = {} if place is None else {'origin': f'{place[1]!r},{place[0]!r}'}
    return [NodeSpec('flow_server', 'flow_server', {**files, **boat, **origin}), *clients]


def flow_options(flow: UniformFlow | FlowFile) -> FlowOptions:
    """Return the options of a client for a scenario's flow."""
    if isinstance(flow, FlowFile):
        return FlowOptions('local')
    if flow.speed == 0.0:
        return FlowOptions('none')
    return FlowOptions('global', flow.speed, flow.direction_deg)


def drive_nodes(options: DriveOptions) -> list[NodeSpec]:
    """
    Return the nodes of a boat that is driven by `cmd_vel` or `path`, the embedded simulator last.

    :raises InputError: For an unknown boat, scenario or flow, or a boat that cannot be driven by velocities.
    """
    boat, convention = options.text('boat'), checked_convention(options.text('convention'))
    scenario = read_scenario(options.text('scenario'))
    check_drivable(read_boat(boat) if boat else scenario.boat)
    scenario = with_choice(scenario, choice_of(options))
    boat, lockstep = str(scenario.boat.path), options.text('pace') == 'lockstep'
    nodes = with_flow_files(energy_nodes(
        boat, convention, flow_options(scenario.current), flow_options(scenario.wind),
        flow_wait=LOCKSTEP_WAIT if lockstep else None, actuators=FROM_MOTION), scenario, lockstep)
    if options.text('out'):
        nodes.append(NodeSpec('recorder', 'recorder', options.of(OUT, BAG)))
    # In lockstep the odometry may pause while the simulator waits for another node.
    no_timeout = {'odom_timeout': 0.0} if lockstep else {}
    driver = NodeSpec('motion_driver', 'motion_driver', {'boat': boat, **no_timeout})
    simulator = NodeSpec('boat_simulator', 'boat_simulator', {
        'scenario': str(scenario.path), **choice_of(options)._asdict(), **options.of(PACE),
        'publish_clock': options.flag('clock'),
        'lockstep_power': ['power'], 'lockstep_energy': ['energy'],
        'lockstep_recorded': ['recorded'] if options.text('out') else ['']})
    return [*nodes, driver, simulator]
