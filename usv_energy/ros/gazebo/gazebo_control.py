"""
Control of Gazebo's world through the bridge (single steps, running, halting), and the wind's force on its boats.

The force is that of physics/wind.py, as wrenches of the system ApplyLinkWrench, which applies the sum of all persistent
wrenches that it has received. If a clear arrives in the same step as a new wrench of the same entity, in whatever
order, it removes the new wrench, too. So a change of the force is sent as a wrench with the difference, which is right
in any order. To keep the list of wrenches short, the force moves now and then to the other name of the same body:
wrenches on a model act on its canonical link, but are cleared separately from those on the link.
"""

import importlib
import math
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, NamedTuple

from usv_energy.boats.vessel import Windage
from usv_energy.files.errors import InputError
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Motion
from usv_energy.physics.wind import wind_force
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


Force = tuple[float, ...]  # East and north, N, and yaw moment, N m.
MODEL, LINK = 'model', 'link'
MAX_WRENCHES = 8  # In one slot: for each wrench Gazebo searches its entity at every step.
# Smallest change that is sent: absolute, N, and as a share of the force.
RESOLUTION, SHARE = 1e-3, 1e-3
# Number of calls after which the whole force is sent again, as messages may be lost: once a second at 50 Hz.
REFRESH_COUNT = 50


def earth_wind_force(motion: Motion, wind: tuple[float, float], windage: Windage) -> Force:
    """
    Return the force of the apparent wind on the hull, earth axes (ENU), N, and its yaw moment, N m.

    :param motion: The motion over ground.
    :param wind: Velocity of the air, earth axes, m/s.

    Source: `wind_force`.
    """
    c, s = math.cos(motion.yaw), math.sin(motion.yaw)
    forward, port = to_body(wind[0], wind[1], c, s)
    surge, sway, yaw_moment = wind_force(forward - motion.u, port - motion.v, windage)
    x, y = to_earth(surge, sway, c, s)
    return float(x), float(y), float(yaw_moment)


class WrenchOrder(NamedTuple):
    """An order for ApplyLinkWrench: add a persistent force and yaw moment to a slot; None: clear the slot."""

    slot: str
    force: Force | None


class WrenchLedger:
    """Tracks the persistent wrenches of one boat, so that their sum is the wanted force."""

    def __init__(self) -> None:
        """Begin without knowing which wrenches Gazebo has."""
        self._sum: Force | None = None
        self._slot, self._length, self._calls = LINK, 0, 0

    def forget(self) -> None:
        """Forget the wrenches, because Gazebo may have been reset or restarted."""
        self._sum = None

    def clear(self) -> list[WrenchOrder]:
        """Return the orders that remove all wrenches."""
        self._sum = None
        return [WrenchOrder(slot, None) for slot in (MODEL, LINK)]

    def orders(self, force: Force) -> list[WrenchOrder]:
        """
        Return the orders that make the sum of all wrenches equal to a force; none if it is close enough.

        :param force: The wanted force and yaw moment.
        """
        self._calls += 1
        if self._sum is None or self._length >= MAX_WRENCHES or self._calls >= REFRESH_COUNT:
            before, self._slot = self._slot, MODEL if self._slot == LINK else LINK
            self._sum, self._length, self._calls = force, 1, 0
            return [WrenchOrder(self._slot, force), WrenchOrder(before, None)]
        if math.dist(force, self._sum) <= max(RESOLUTION, SHARE * math.hypot(*force)):
            return []
        change = tuple(wanted - there for wanted, there in zip(force, self._sum))
        self._sum, self._length = force, self._length + 1
        return [WrenchOrder(self._slot, change)]
