"""Control of Gazebo's world through the bridge: single steps, running, halting; and the messages that this needs."""

import importlib
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Text, Texts, WholeNumber
from usv_energy.ros.messages import convert

ONE_PERIOD = 5
WORLD = (
    Text('world', 'open_water', "The world's name in its SDF."),
    Texts('boats', ['diffboat'], 'The namespaces of the boats.'),
    WholeNumber('steps_per_period', ONE_PERIOD, "Gazebo's steps between two odometries.", least=1),
)
# Topic with the stamp of the last odometry that has a thrust command (std_msgs/Header), and its period, s of message
# time.
COMMANDED = 'gazebo/commanded'
COMMANDED_PERIOD = 0.1
READERS = ('state_adapter', 'scenario_driver')  # Nodes that must receive each boat's odometry.


def gazebo_interfaces(kind: str) -> Any:
    """
    Return the module `msg` or `srv` of ros_gz_interfaces, which only a graph with Gazebo needs.

    :raises InputError: If it is not installed.
    """
    try:
        return importlib.import_module(f'ros_gz_interfaces.{kind}')
    except ImportError as error:
        raise InputError(f'the messages of ros_gz_bridge are missing ({error}); install them: '
                         'sudo apt install ros-jazzy-ros-gz') from None


def names_of_boat(names: Iterable[str], boat: str) -> list[str]:
    """Return the names that belong to a boat, without its namespace: relative names, and those below its namespace."""
    own = f'{boat}/'
    return [name.removeprefix(own) for name in names if not name.startswith('/') or name.startswith(own)]


class WorldControl:
    """A client of the service /world/<name>/control of ros_gz_bridge (`bridge.control_argument`)."""

    def __init__(self, node: ManagedNode, undo: ExitStack, world: str) -> None:
        """
        Make the client; for `activate`.

        :raises InputError: If ros_gz_interfaces is not installed.
        """
        self._node = node
        self._kind = gazebo_interfaces('srv').ControlWorld
        self.service = f'/world/{world}/control'
        self._client = node.create_client(self._kind, self.service)
        undo.callback(node.destroy_client, self._client)

    def absent(self, odometry: str) -> list[str]:
        """Return what the bridge does not offer yet of the service and the odometry of a boat."""
        there = {f'the service {self.service}': self._client.service_is_ready(),
                 odometry: self._node.count_publishers(odometry) > 0}
        return [f'{name} (of Gazebo, by the bridge)' for name, is_there in there.items() if not is_there]

    def step(self, steps: int) -> None:
        """Make a number of steps, and halt again."""
        self._call(pause=True, multi_step=steps)

    def halt(self) -> None:
        """Halt the world."""
        self._call(pause=True)

    def run(self, until: int | None = None) -> None:
        """
        Let the world run.

        :param until: Time of the world, ns, at which it halts by itself; None: never.
        """
        self._call(pause=False, **({} if until is None else {'run_to_sim_time': convert.stamp_of(until)}))

    def _call(self, **fields: Any) -> None:
        request = self._kind.Request()
        for name, value in fields.items():
            setattr(request.world_control, name, value)
        self._client.call_async(request).add_done_callback(self._on_answer)

    def _on_answer(self, future: Any) -> None:
        if not future.result().success:
            self._node.get_logger().error(f'{self.service}: Gazebo refused; is the name of the world right?')


def boats_of(node: ManagedNode) -> list[str]:
    """Return the absolute namespaces of the boats that a node's parameter names."""
    return [f'/{name.strip("/")}' for name in node.parameters.texts('boats')]
