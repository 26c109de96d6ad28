"""The scenario of a node, from its parameters."""

from rclpy.node import Node

from ..sim.scenario import Scenario, read_scenario
from . import parameters


def scenario_parameter(node: Node, default: str = '1') -> Scenario:
    """
    Return the scenario that a node's parameters name: `scenario`, and over it `boat` and `plant` where not empty.

    :raises InputError: If there is no such scenario or boat, or a file is wrong.
    """
    name = parameters.text(node, 'scenario', default, 'A name in config/scenarios, or the path of a YAML file.')
    boat = parameters.text(node, 'boat', '', "Another boat than the scenario's; empty: the scenario's.")
    plant = parameters.text(node, 'plant', '',
                            'Another boat that moves than that of the power model; empty: the same.')
    return read_scenario(name).with_options(boat=boat or None, plant=plant or None)
