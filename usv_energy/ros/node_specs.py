"""A node of a graph: its executable, its name, its parameters, its topics."""

import importlib
from typing import Any, NamedTuple

from .parameters import FLOW_SOURCE


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
    """How a flow client finds its flow: its parameters FLOW_SOURCE."""

    mode: str = FLOW_SOURCE[0].default
    speed: float = FLOW_SOURCE[1].default
    direction_deg: float = FLOW_SOURCE[2].default
    global_source: str = FLOW_SOURCE[3].default
