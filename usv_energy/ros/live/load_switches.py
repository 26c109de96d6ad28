"""The loads of a boat on a live graph, switched by their topics and by the leg of the mission."""

import math
from contextlib import ExitStack
from functools import partial
from typing import Any

from rclpy.event_handler import SubscriptionEventCallbacks
from std_msgs.msg import Bool, Float32, Header, String

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import HOLD_AT, Load, LoadTopic, loads_with_shares, rules_with_names
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.qos import LATCHED, LATCHED_STREAM, SENSOR
from usv_energy.ros.messages import convert
from usv_energy.sim.leg_energy import LegTimes

LEG, LEG_BEGIN = 'leg', 'leg_begin'
KINDS: dict[str, type] = {'bool': Bool, 'share': Float32}


class LoadSwitches:
    """
    Subscribes to the topics of a boat's loads, and to the leg of the mission if a load depends on it.

    The last message of a topic holds, whether its publisher is transient local or not. A leg holds from the stamp of
    its `leg_begin`; if there is no `leg_begin`, from when `leg` was received.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, boat: Boat) -> None:
        """Subscribe until undone."""
        self._node, self._boat = node, boat
        self._legs, self._legs_have_stamps, self._latest = LegTimes(), False, 0
        self._shares: dict[str, float] = {}
        self._names: list[str] = []
        self._by_leg = any(rule.legs for rule in boat.load_rules)
        topics = {rule.topic.name: rule.topic for rule in boat.load_rules if rule.topic is not None}
        for topic in topics.values():
            callback = partial(self._on_share, topic)
            node.listen(undo, KINDS[topic.kind], topic.name, callback, SENSOR)
            # A transient local publisher sends its last message only to transient local readers. No event callbacks:
            # rclpy would warn of publishers that are not transient local.
            node.listen(undo, KINDS[topic.kind], topic.name, callback, LATCHED, qos_overriding_options=None,
                        event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False))
        if self._by_leg:
            node.listen(undo, Header, LEG_BEGIN, self._on_leg_begin, LATCHED_STREAM)
            node.listen(undo, String, LEG, self._on_leg, LATCHED)

    def loads_at(self, stamp: int) -> tuple[Load, ...]:
        """Return the boat's loads by the topics now, and by the leg of the step that ends at a stamp, ns."""
        self._latest = stamp
        if not self._boat.load_rules:
            return ()
        rules = rules_with_names(self._boat.load_rules, self._names) if self._by_leg else self._boat.load_rules
        return loads_with_shares(self._boat.vessel.loads, rules, self._legs.at(stamp), self._shares)

    def diagnostics(self) -> dict[str, str]:
        """Return the topics that are silent, and the leg, for diagnostics; empty if nothing switches loads."""
        values = {f'load {rule.name}': f'{rule.topic.name} is not heard: {100.0 * rule.topic.unheard:g} %'
                  for rule in self._boat.load_rules if rule.topic is not None and rule.topic.name not in self._shares}
        if self._by_leg:
            values[LEG] = self._legs.at(self._latest) or 'none, or not heard'
        return values

    def _on_share(self, topic: LoadTopic, msg: Any) -> None:
        share = float(msg.data)
        if not 0.0 <= share <= 1.0:
            self._node.get_logger().warning(
                f'{topic.name} says {share:g}, which is no share from 0 to 1'
                + (': it is not used' if math.isnan(share) else ': the nearest is taken'), throttle_duration_sec=60.0)
            if math.isnan(share):
                return
        self._shares[topic.name] = min(max(share, 0.0), 1.0)

    def _on_leg_begin(self, msg: Header) -> None:
        self._legs_have_stamps = True
        self._name(msg.frame_id)
        self._legs.begin(convert.nanoseconds(msg.stamp), msg.frame_id)

    def _on_leg(self, msg: String) -> None:
        """Begin a leg without a `leg_begin`: it holds from the last stamp on."""
        if not self._legs_have_stamps:
            self._name(msg.data)
            self._legs.begin(self._latest, msg.data)

    def _name(self, leg: str) -> None:
        """Take the name of a leg that begins; the numbers of legs are those in which they were heard."""
        way = leg.removeprefix(HOLD_AT)
        if way and (not self._names or way != self._names[-1]):
            self._names.append(way)
