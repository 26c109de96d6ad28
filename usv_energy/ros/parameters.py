"""Parameters of nodes, declared with a description and checked; a fault names parameter, value, what is allowed."""

import math
from typing import Any

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node

from ..files.errors import InputError
from ..sim.scenario import Scenario, read_scenario


def _value(node: Node, name: str, default: Any, description: str) -> Any:
    # Dynamic typing: a parameter declared as double would refuse the YAML integer 40.
    if not node.has_parameter(name):
        node.declare_parameter(name, default, ParameterDescriptor(
            description=f'{description} Read at configure.', dynamic_typing=True))
    return node.get_parameter(name).value


def number(node: Node, name: str, default: float, description: str, above: float = -math.inf) -> float:
    """
    Return a parameter that is a number.

    :param description: What it is, with its unit.
    :param above: It must be greater than this.
    :raises InputError: If it is not.
    """
    value = _value(node, name, default, description)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f'parameter {name} is {value!r}; must be a number')
    if not value > above:
        raise InputError(f'parameter {name} is {value}; must be greater than {above}')
    return float(value)


def text(node: Node, name: str, default: str, description: str, allowed: tuple[str, ...] = ()) -> str:
    """
    Return a parameter that is a text; a number given for it is taken as written.

    :param allowed: The texts it may be; empty for any.
    :raises InputError: If it is another.
    """
    value = _value(node, name, default, description)
    if isinstance(value, bool | list) or value is None:
        raise InputError(f'parameter {name} is {value!r}; must be a text')
    if allowed and str(value) not in allowed:
        raise InputError(f'parameter {name} is {value!r}; must be one of {", ".join(allowed)}')
    return str(value)


def flag(node: Node, name: str, default: bool, description: str) -> bool:
    """
    Return a parameter that is true or false.

    :raises InputError: If it is neither.
    """
    value = _value(node, name, default, description)
    if not isinstance(value, bool):
        raise InputError(f'parameter {name} is {value!r}; must be true or false')
    return value


def texts(node: Node, name: str, default: list[str], description: str) -> list[str]:
    """
    Return a parameter that is a list of texts.

    :raises InputError: If it is not.
    """
    value = _value(node, name, default, description)
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise InputError(f'parameter {name} is {value!r}; must be a list of texts')
    return list(value)


def scenario(node: Node) -> Scenario:
    """
    Return the scenario that a node's parameters name: `scenario`, and over it `boat` and `plant` where not empty.

    :raises InputError: If there is no such scenario or boat, or a file is wrong.
    """
    name = text(node, 'scenario', '1', 'A name in config/scenarios, or the path of a YAML file.')
    boat = text(node, 'boat', '', "Another boat than the scenario's; empty: the scenario's.")
    plant = text(node, 'plant', '', 'Another boat that moves than that of the power model; empty: the same.')
    return read_scenario(name).with_options(boat=boat or None, plant=plant or None)
