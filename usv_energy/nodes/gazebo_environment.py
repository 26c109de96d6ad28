"""Pass a boat's water current and wind to Gazebo: the wind as a force on the hull, and as a velocity for sails."""

import math
from contextlib import ExitStack
from typing import Any

from geometry_msgs.msg import Vector3, Vector3Stamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.gazebo.bridge import WRENCH, WRENCH_CLEAR
from usv_energy.physics.motion import Motion
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import BOAT, Flag, Number, Text
from usv_energy.ros.gazebo.gazebo_control import (
    COMMANDED,
    COMMANDED_PERIOD,
    MODEL,
    WrenchLedger,
    WrenchOrder,
    earth_wind_force,
    gazebo_interfaces,
)
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BoatState

CURRENT, SAIL_WIND, HANDED = 'gazebo/ocean_current', 'gazebo/sail_wind', 'gazebo/handed'
# Number of states after which current and wind are sent again, in case Gazebo was reset.
REPEAT_COUNT = 50
REMIND_PERIOD = 5.0
CHECK_PERIOD = 0.5


class GazeboEnvironment(ManagedNode):
    """
    Send each water current to Gazebo, and each wind as a force. Topics and parameters: docs/gazebo.md, "Bridge".

    If a current or wind is unknown (NaN), Gazebo keeps the last one.
    """

    declared = (
        BOAT,
        Text('model', '', "The boat's model in Gazebo; empty: the last part of the namespace."),
        Text('link', 'base_link', 'The canonical link of that model.'),
        Flag('wind_force', True, 'Apply the force of the wind.'),
        Number('patience', 2.0, 'Time without a subscriber in Gazebo for current or wind after which the node warns, s '
               'of wall time.', live=True, above=0),
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the boat."""
        vessel = read_boat(self.parameters.text('boat')).vessel
        self._windage = vessel.windage
        namespace = self.get_namespace().strip('/')
        self._model = self.parameters.text('model') or namespace.rsplit('/', 1)[-1] or 'boat'
        self._link = self.parameters.text('link')
        self._with_wind = self.parameters.flag('wind_force')
        self._current = self.advertise(undo, Vector3, CURRENT)
        sails = any(foil.in_air is not None for foil in vessel.foils)
        self._sail_wind = self.advertise(undo, Vector3, SAIL_WIND) if sails else None
        self._handed = self.advertise(undo, Header, HANDED)
        self._commanded = self.advertise(undo, Header, COMMANDED)
        if self._with_wind:
            self._messages = gazebo_interfaces('msg')
            self._wrench = self.advertise(undo, self._messages.EntityWrench, WRENCH)
            self._clear = self.advertise(undo, self._messages.Entity, WRENCH_CLEAR)

    def activate(self, undo: ExitStack) -> None:
        """Begin with the next boat state; when undone, remove the force."""
        self._state: BoatState | None = None
        self._answers: dict[str, int] = {}
        self._given: dict[Any, tuple[float, float]] = {}
        self._repeats: dict[Any, int] = {}
        self._readers: dict[Any, int] = {}
        self._has_wind = False
        self._ledger = WrenchLedger()
        self._published_command = 0
        if self._with_wind:
            self._send(self._ledger.clear())
            undo.callback(lambda: self._send(self._ledger.clear()))
        self._missed = dict.fromkeys((CURRENT, SAIL_WIND, WRENCH), 0.0)
        self.every(undo, CHECK_PERIOD, self._check_readers)
        self.listen(undo, BoatState, 'boat_state', self._on_state)
        self.listen(undo, Vector3Stamped, 'water_current', self._on_current)
        self.listen(undo, JointState, 'thruster_command', self._on_command)
        if self._with_wind or self._sail_wind is not None:
            self.listen(undo, Vector3Stamped, 'wind', self._on_wind)

    def _on_state(self, msg: BoatState) -> None:
        before, self._state = self._state, msg
        if before is not None and convert.nanoseconds(msg.header.stamp) < convert.nanoseconds(before.header.stamp):
            self.get_logger().warning('time jumped back: current and wind are sent to Gazebo again')
            self._ledger.forget()
            self._given.clear()

    def _on_command(self, msg: JointState) -> None:
        """Publish the stamp of the commands now and then, so that gazebo_pacer need not receive each command."""
        ahead = convert.nanoseconds(msg.header.stamp) - self._published_command
        if ahead < 0 or ahead >= COMMANDED_PERIOD * convert.NANOSECONDS:
            self._published_command += ahead
            self._commanded.publish(Header(stamp=msg.header.stamp))

    def _on_current(self, msg: Vector3Stamped) -> None:
        current = (msg.vector.x, msg.vector.y)
        if not all(map(math.isfinite, current)):
            self.get_logger().warning('the water current is unknown: Gazebo keeps the last one',
                                      throttle_duration_sec=REMIND_PERIOD)
        else:
            self._send_flow(self._current, current)
        self._on_answer('water_current', msg.header)

    def _send_flow(self, publisher: Any, velocity: tuple[float, float]) -> None:
        """Publish a current or a wind, earth axes, m/s, if it changed, if there is a new reader, or if it is due."""
        self._repeats[publisher] = self._repeats.get(publisher, 0) + 1
        if (velocity != self._given.get(publisher) or self._repeats[publisher] >= REPEAT_COUNT
                or self._has_new_readers(publisher)):
            self._given[publisher], self._repeats[publisher] = velocity, 0
            publisher.publish(Vector3(x=velocity[0], y=velocity[1]))

    def _on_wind(self, msg: Vector3Stamped) -> None:
        wind = (msg.vector.x, msg.vector.y)
        motion = None if self._state is None else convert.motion_from_msg(self._state)
        if not all(map(math.isfinite, wind)):
            self.get_logger().warning('the wind is unknown: Gazebo keeps its last force',
                                      throttle_duration_sec=REMIND_PERIOD)
        else:
            if self._sail_wind is not None:
                self._send_flow(self._sail_wind, wind)
            if self._with_wind and motion and all(map(math.isfinite, (motion.yaw, motion.u, motion.v))):
                self._send_wind_force(motion, wind)
        self._on_answer('wind', msg.header)

    def _send_wind_force(self, motion: Motion, wind: tuple[float, float]) -> None:
        self._has_wind = wind != (0.0, 0.0)
        if self._has_new_readers(self._wrench):
            self._ledger.forget()
        self._send(self._ledger.orders(earth_wind_force(motion, wind, self._windage)))

    def _has_new_readers(self, publisher: Any) -> bool:
        """Return whether there are more readers than at the last call; these have missed earlier messages."""
        before, self._readers[publisher] = self._readers.get(publisher, 0), publisher.get_subscription_count()
        return self._readers[publisher] > before

    def _send(self, orders: list[WrenchOrder]) -> None:
        for order in orders:
            entity = self._entity(order.slot)
            if order.force is None:
                self._clear.publish(entity)
            else:
                msg = self._messages.EntityWrench(entity=entity)
                msg.wrench.force.x, msg.wrench.force.y, msg.wrench.torque.z = order.force
                self._wrench.publish(msg)

    def _entity(self, slot: str) -> Any:
        kind = self._messages.Entity
        if slot == MODEL:
            return kind(name=self._model, type=kind.MODEL)
        return kind(name=f'{self._model}::{self._link}', type=kind.LINK)

    def _on_answer(self, topic: str, header: Header) -> None:
        """Publish the stamp of a state when its current and wind have been sent."""
        self._answers[topic] = convert.nanoseconds(header.stamp)
        has_wind = self._with_wind or self._sail_wind is not None
        wanted = ('water_current', 'wind') if has_wind else ('water_current',)
        if all(self._answers.get(name) == self._answers[topic] for name in wanted):
            self._handed.publish(Header(stamp=header.stamp))

    def _check_readers(self) -> None:
        """Warn if there is a current or wind, and nothing in Gazebo receives it."""
        if self._state is None:
            return
        for topic, publisher, namespace in ((CURRENT, self._current, "this model's name"),
                                            (SAIL_WIND, self._sail_wind, "this model's name and /air")):
            if publisher is not None:
                self._check(topic, publisher, self._given.get(publisher) not in (None, (0.0, 0.0)),
                            f'no world with Hydrodynamics and {namespace} as its <namespace>')
        if self._with_wind:
            self._check(WRENCH, self._wrench, self._has_wind, 'no world with the system ApplyLinkWrench')

    def _check(self, topic: str, publisher: Any, matters: bool, reason: str) -> None:
        taken = not matters or publisher.get_subscription_count() > 0
        self._missed[topic] = 0.0 if taken else self._missed[topic] + CHECK_PERIOD
        if self._missed[topic] >= self.parameters.number('patience'):
            name = self.resolve_topic_name(topic)
            self.get_logger().warning(
                f'nobody takes {name}: there is no bridge with it, or {reason}. '
                'The boat moves without what its energy is reckoned with', throttle_duration_sec=REMIND_PERIOD)


if __name__ == '__main__':
    GazeboEnvironment.main()
