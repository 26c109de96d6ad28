"""What is said of a node of a graph, and of a graph as a whole: the words of `graph.py` and of the launch files."""

import importlib
from typing import Any, NamedTuple

from ..planning.scenario_to_run import RunChoice

EMBEDDED, GAZEBO = 'embedded', 'gazebo'
SIMULATORS = (EMBEDDED, GAZEBO)


class NodeSpec(NamedTuple):
    """
    A node of a graph: its executable, its name, parameters, and remappings of topics (from, to).

    `given` are the parameters that win over params files; the others are defaults.
    """

    executable: str
    name: str
    parameters: dict[str, Any]
    remappings: tuple[tuple[str, str], ...] = ()
    given: frozenset[str] = frozenset()

    def defaults(self) -> dict[str, Any]:
        """Return the parameters over which params files win."""
        return {name: value for name, value in self.parameters.items() if name not in self.given}

    def overrides(self) -> dict[str, Any]:
        """Return the parameters that win over params files."""
        return {name: value for name, value in self.parameters.items() if name in self.given}

    def node_class(self) -> Any:
        """Return the node's class."""
        module = importlib.import_module(f'usv_energy.nodes.{self.executable}')
        return getattr(module, ''.join(part.capitalize() for part in self.executable.split('_')))


class FlowOptions(NamedTuple):
    """How a flow client finds its flow; see the parameters of `current_client`."""

    mode: str = 'none'
    speed: float = 0.0
    direction_deg: float = 0.0
    global_source: str = 'parameter'


class EnergyOptions(NamedTuple):
    """
    Parameters of the energy nodes, by the names they have there. `odom`: the topic; `out`: folder to record to;
    `wind_height`: at which the wind of mode global holds, m above water, 0: at the boat. `homes`: places to go back to,
    `pier:0,0;12,-3`; empty: nobody watches the way home. `sea`, `wave_estimate`: as the nodes of power and of the way
    home take them.

    An empty `boat` leaves it to params files.
    """

    boat: str = ''
    convention: str = 'rep103'
    current: FlowOptions = FlowOptions()
    wind: FlowOptions = FlowOptions()
    wind_height: float = 0.0
    odom: str = 'odom'
    odom_reliability: str = 'auto'
    axes: str = 'enu'
    twist_frame: str = 'body'
    lag: float = 1.0
    acceleration_time_constant: float = 0.0
    out: str = ''
    bag: bool = True
    homes: str = ''
    sea: str = ''
    wave_estimate: str = ''


class ScenarioOptions(NamedTuple):
    """How a scenario is run; an empty text, or 0, keeps the value of the scenario file. The last four: RunChoice."""

    boat: str = ''
    plant: str = ''
    conventions: tuple[str, ...] = ()
    pace: str = 'lockstep'
    out: str = ''
    bag: bool = True
    plots: bool = True
    publish_clock: bool = True
    simulator: str = EMBEDDED
    speed: float = 0.0
    current: str = ''
    wind: str = ''
    wind_height: float = 0.0

    @property
    def choice(self) -> RunChoice:
        """What is said of the run beside its scenario."""
        return RunChoice(*(getattr(self, name) for name in RunChoice._fields))
