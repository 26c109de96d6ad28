"""The parameters of a node: declared when the node is made, checked at every change, read by name."""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from rclpy.node import Node
from rclpy.parameter import Parameter

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.ros.framework.parameters import RUN_CHOICE, Declaration
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.scenario_to_run import RunChoice, scenario_to_run

UNCONFIGURED, INACTIVE, ACTIVE = 'unconfigured', 'inactive', 'active'
STEPS_TO_UNCONFIGURED = {INACTIVE: 'cleanup first', ACTIVE: 'deactivate and cleanup first'}
QOS_PREFIX = 'qos_overrides.'


class NodeParameters:
    """
    The parameters that a node declares, with their present values.

    A wrong value in a params file, on the command line or in a launch file does not end the node. The parameter then
    has its default, and `check` raises the error until another value is set.
    """

    def __init__(self, node: Node, table: Iterable[Declaration]) -> None:
        """Declare the parameters of a table, each with its override where there is one."""
        self._node = node
        self._table = {one.name: one for one in table}
        self._faults: dict[str, InputError] = {}
        # rclpy gives no public access to overrides of undeclared parameters. A declared double refuses the integer 40.
        given = {name: override.value for name, override in node._parameter_overrides.items()}
        for name, one in self._table.items():
            value = one.default
            try:
                value = one.checked(given.get(name, one.default))
            except InputError as error:
                self._faults[name] = error
            node.declare_parameter(name, value, one.descriptor(), ignore_override=True)
        self._values = {name: node.get_parameter(name).value for name in self._table}
        for name in given:
            if not (node.has_parameter(name) or name.startswith(QOS_PREFIX)):
                node.get_logger().warning(self._unknown(name))

    def number(self, name: str) -> float:
        """Return a parameter that is a number."""
        return cast(float, self._values[name])

    def whole_number(self, name: str) -> int:
        """Return a parameter that is a whole number."""
        return cast(int, self._values[name])

    def text(self, name: str) -> str:
        """Return a parameter that is a text."""
        return cast(str, self._values[name])

    def path(self, name: str) -> Path:
        """Return a parameter that is a path, `~` expanded."""
        return user_path(self.text(name))

    def flag(self, name: str) -> bool:
        """Return a parameter that is true or false; false if the node has no such parameter."""
        return cast(bool, self._values.get(name, False))

    def texts(self, name: str) -> list[str]:
        """Return a parameter that is a list of texts, without the empty ones."""
        return list(filter(None, self._values[name]))

    def numbers(self, name: str) -> list[float]:
        """Return a parameter that is a list of numbers."""
        return list(self._values[name])

    def scenario(self) -> Scenario:
        """
        Return the scenario that the parameters SCENARIO and RUN_CHOICE give; that of a mission if they name one.

        :raises InputError: If there is no such scenario, mission, boat or flow, or a file is wrong.
        """
        return scenario_to_run(self.text('scenario'), RunChoice(**{one.name: self._values[one.name]
                                                                   for one in RUN_CHOICE}))

    def check(self, *names: str) -> None:
        """
        Check that no override was wrong; for the beginning of `configure`.

        :param names: Names of the parameters to check; none: all.
        :raises InputError: For the first wrong override that was not replaced since.
        """
        for name, fault in self._faults.items():
            if name in names or not names:
                raise fault

    def accepted(self, given: Iterable[Parameter], state: str) -> list[Parameter]:
        """
        Return requested changes in the declared types, without those that keep the value.

        :param given: The requested changes.
        :param state: State of the node's lifecycle.
        :raises InputError: For the first change that is not allowed: parameter, value, what is allowed.
        """
        return [change for one in given if (change := self._accepted(one, state)) is not None]

    def store(self, changes: Iterable[Parameter]) -> dict[str, Any]:
        """Store changes that rclpy has accepted; return the new values of declared parameters by name."""
        changed = {one.name: one.value for one in changes if one.name in self._table}
        self._values |= changed
        self._faults = {name: fault for name, fault in self._faults.items() if name not in changed}
        return changed

    def _accepted(self, given: Parameter, state: str) -> Parameter | None:
        name = given.name
        if name not in self._table:
            if not self._node.has_parameter(name):
                raise InputError(self._unknown(name))
            return given
        if given.type_ is Parameter.Type.NOT_SET:
            raise InputError(f'parameter {name} cannot be deleted')
        one = self._table[name]
        value: Any = one.checked(given.value)
        if value == self._values[name] and name not in self._faults:
            return None
        one.check_reference(value)
        if one.read_only:
            raise InputError(f'parameter {name} is read when the process starts: give it there')
        if not one.live and state != UNCONFIGURED:
            raise InputError(f'parameter {name} is read at configure: {STEPS_TO_UNCONFIGURED[state]}')
        return Parameter(name, one.type_, value)

    def _unknown(self, name: str) -> str:
        close = difflib.get_close_matches(name, self._table, n=1)
        hint = f' Did you mean {close[0]!r}?' if close else ''
        return f'there is no parameter {name!r}.{hint} There are: {", ".join(self._table)}'
