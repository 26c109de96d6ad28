"""The nodes of a boat that is driven by orders: velocities of teleop or Nav2, or a path."""

from ..boats.boat_file import read_boat
from ..planning.scenario_to_run import with_choice
from ..sim.scenario import Scenario, checked_convention, read_scenario
from ..sim.velocity_control import check_drivable
from .graph import FROM_MOTION, LOCKSTEP_WAIT, choice_of, energy_nodes, flow_options, with_flow_files
from .graph_options import DriveOptions
from .node_specs import NodeSpec
from .parameters import BAG, OUT, PACE


def drive_nodes(options: DriveOptions) -> list[NodeSpec]:
    """
    Return the nodes of a boat that is driven by `cmd_vel` or `path`, the embedded simulator last.

    :raises InputError: For an unknown boat, scenario or flow, or a boat that cannot be driven so.
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
    return [*nodes, _driver(boat, lockstep), _simulator(scenario, options)]


def _driver(boat: str, lockstep: bool) -> NodeSpec:
    # In lockstep whoever waits for somebody else sends no odometry meanwhile.
    return NodeSpec('motion_driver', 'motion_driver', {'boat': boat, **({'odom_timeout': 0.0} if lockstep else {})})


def _simulator(scenario: Scenario, options: DriveOptions) -> NodeSpec:
    return NodeSpec('boat_simulator', 'boat_simulator', {
        'scenario': str(scenario.path), **choice_of(options)._asdict(), **options.of(PACE),
        'publish_clock': options.flag('clock'),
        'lockstep_power': ['power'], 'lockstep_energy': ['energy'],
        'lockstep_recorded': ['recorded'] if options.text('out') else ['']})
