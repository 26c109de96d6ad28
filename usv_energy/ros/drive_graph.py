"""The nodes of a boat that is driven by orders: velocities of teleop or Nav2, or a path."""

from typing import NamedTuple

from ..boats.boat_file import read_boat
from ..planning.scenario_to_run import RunChoice, with_choice
from ..sim.scenario import Scenario, checked_convention, read_scenario
from ..sim.velocity_control import check_drivable
from .graph import FROM_MOTION, LOCKSTEP_WAIT, energy_nodes, flow_options, with_flow_files
from .node_specs import NodeSpec


class DriveOptions(NamedTuple):
    """
    A boat, and the world that it is driven in.

    `boat`: a name or path, empty for the scenario's; `scenario`: whose start, water and air these are, and whose way
    nobody goes; `current`, `wind`: in place of the scenario's, as `0.4,45` or a flow file, empty for the scenario's;
    `wind_height`: at which such a wind holds, m above water, 0 for at the boat; `out`: folder to record to, empty for
    none.
    """

    boat: str = ''
    scenario: str = 'drive/open_water'
    current: str = ''
    wind: str = ''
    wind_height: float = 0.0
    convention: str = 'rep103'
    pace: str = '1.0'
    out: str = ''
    bag: bool = True
    clock: bool = True

    @property
    def choice(self) -> RunChoice:
        """What is said of the run beside its scenario."""
        return RunChoice(boat=self.boat, current=self.current, wind=self.wind, wind_height=self.wind_height)


def drive_nodes(options: DriveOptions) -> list[NodeSpec]:
    """
    Return the nodes of a boat that is driven by `cmd_vel` or `path`, the embedded simulator last.

    :raises InputError: For an unknown boat, scenario or flow, or a boat that cannot be driven so.
    """
    scenario = read_scenario(options.scenario)
    check_drivable(read_boat(options.boat) if options.boat else scenario.boat)
    scenario = with_choice(scenario, options.choice)
    boat, lockstep = str(scenario.boat.path), options.pace == 'lockstep'
    nodes = with_flow_files(energy_nodes(
        boat, checked_convention(options.convention), flow_options(scenario.current), flow_options(scenario.wind),
        flow_wait=LOCKSTEP_WAIT if lockstep else None, actuators=FROM_MOTION), scenario, lockstep)
    if options.out:
        nodes.append(NodeSpec('recorder', 'recorder', {'out': options.out, 'bag': options.bag}))
    return [*nodes, _driver(boat, lockstep), _simulator(scenario, options)]


def _driver(boat: str, lockstep: bool) -> NodeSpec:
    # In lockstep whoever waits for somebody else sends no odometry meanwhile.
    return NodeSpec('motion_driver', 'motion_driver', {'boat': boat, **({'odom_timeout': 0.0} if lockstep else {})})


def _simulator(scenario: Scenario, options: DriveOptions) -> NodeSpec:
    return NodeSpec('boat_simulator', 'boat_simulator', {
        'scenario': str(scenario.path), **options.choice._asdict(), 'pace': options.pace,
        'publish_clock': options.clock,
        'lockstep_power': ['power'], 'lockstep_energy': ['energy'],
        'lockstep_recorded': ['recorded'] if options.out else ['']})
