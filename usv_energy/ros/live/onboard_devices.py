"""On-board devices on a live graph: measured batteries, health of the hull, voltage of thrusters, switched loads."""

import math
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import QoSProfile
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Bool, Float32, Header, String

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import HOLD_AT, Load, LoadTopic, loads_with_shares, rules_with_names
from usv_energy.files.limits import NAME, safe_name
from usv_energy.ros.framework.diagnostics import Health, publish_health
from usv_energy.ros.framework.followed_publisher import names_of
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Number, Text
from usv_energy.ros.framework.qos import LATCHED, LATCHED_STREAM, SENSOR
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BatteryEstimate, BoatState, HullHealth, LegBegin, PowerStamped
from usv_energy.sim.leg_energy import LegTimes
from usv_energy.studies.analyze.battery.battery_watch import BatteryWatch
from usv_energy.studies.analyze.hull.drag_filters import FlowSpread
from usv_energy.studies.analyze.hull.hull_health import HullState, HullWatch
from usv_energy.studies.analyze.hull.hull_response import CruiseSample
from usv_energy.thrusters.voltage_curves import curves_of, vessel_at_voltage

MEASURED_BATTERY = Text('measured_battery', '', 'Topic of a measured sensor_msgs/BatteryState, such as '
                        '/mavros/battery; empty: none.')
MEASURED_TIMEOUT = Number('measured_timeout', 5.0, 'Time without a valid reading after which the power model is used, '
                          's of wall time.', live=True, above=0)
START_CHARGE_STD = Number('start_charge_std', 0.1, "Standard deviation of the boat file's state of charge at the "
                          'start.', above=0)
# Period of the model's own estimate while it has no reader, so that a late reader gets one, s of message time.
UNREAD_PERIOD = 1.0
CHECK_PERIOD = 0.5  # s of wall time, between checks of the publishers.

HULL_CURRENT_STD = Number('hull_current_std', 0.3, 'Standard deviation of the known water current in each direction, '
                          'm/s; 0.3: the current is unknown.', above=0)
HULL_WIND_STD = Number('hull_wind_std', 1.0, 'Standard deviation of the known wind in each direction, m/s.', above=0)
HEADING_TOLERANCE = convert.NANOSECONDS // 2  # Greatest time between a power and its heading, ns.

SIMULATED_BATTERY = 'simulated_battery'
SUPPLY_BATTERY = Text('supply_battery', SIMULATED_BATTERY, 'Topic of the sensor_msgs/BatteryState with the voltage of '
                      'thrusters from the library, such as /mavros/battery; empty: the voltage of the boat file.')
MAX_VOLTAGES = 50  # Voltages to keep: a boat state may arrive after the voltages of later stamps.

LEG, LEG_BEGIN, LEG_BEGIN_STAMPED = 'leg', 'leg_begin', 'leg_begin_stamped'
MAX_LEGS = 1000  # Legs whose names are kept for their numbers.
LOAD_TOPIC_KINDS: dict[str, type] = {'bool': Bool, 'share': Float32}


class MeasuredBattery:
    """Updates a BatteryWatch from readings and from the power model, and publishes `battery_estimate`."""

    def __init__(self, node: ManagedNode, watch: BatteryWatch, undo: ExitStack) -> None:
        """Advertise `battery_estimate`; for `configure`."""
        self.watch = watch
        self._node = node
        self._power, self._frame = float('nan'), ''
        self._modelled_stamp = -round(UNREAD_PERIOD * convert.NANOSECONDS)
        self._topic = node.parameters.text(MEASURED_BATTERY.name)
        self._estimate = node.advertise(undo, BatteryEstimate, 'battery_estimate', LATCHED_STREAM)

    def activate(self, undo: ExitStack) -> None:
        """Subscribe to the measured battery, if there is one."""
        if not self._topic:
            return
        self.watch.silence()
        self._watchdog = self._node.watchdog(undo, MEASURED_TIMEOUT.name, self._on_silence)
        self._watchdog.set()
        self._followed = self._node.follow(BatteryState, self._topic)
        self._node.listen(undo, BatteryState, self._topic, self._on_reading, SENSOR, followed=self._followed)
        self._node.every(undo, CHECK_PERIOD, self._check_publishers)

    def on_power(self, power: float, energy: float, duration: float, header: Header) -> None:
        """
        Add a sample of the power model; publish the estimate by the model if no reading is current.

        :param power: W, now.
        :param energy: J, since the last call.
        :param duration: s, since the last call.
        :param header: Header of the power.
        """
        self._power, self._frame = power, header.frame_id
        self.watch.take_power(power, energy, duration)
        stamp = convert.nanoseconds(header.stamp)
        due = abs(stamp - self._modelled_stamp) >= UNREAD_PERIOD * convert.NANOSECONDS
        if self.watch.reading is None and (due or self._estimate.get_subscription_count() > 0):
            self._modelled_stamp = stamp
            self._publish(header)

    def _on_reading(self, msg: BatteryState) -> None:
        stamp = self._node.get_clock().now()
        self.watch.take_reading(convert.reading_from_msg(msg, stamp.nanoseconds))
        if self.watch.reading is not None:
            self._watchdog.set()
        stamped = msg.header.stamp if convert.nanoseconds(msg.header.stamp) else stamp.to_msg()
        self._publish(convert.header_of(stamped, self._frame))

    def _on_silence(self) -> None:
        self.watch.silence()
        self._publish_now()

    def _check_publishers(self) -> None:
        publishers = self._node.get_publishers_info_by_topic(self._node.resolve_topic_name(self._topic))
        # The name of a node with several publishers appears once.
        mixed = len(publishers) > 1 and not self._followed.is_known
        several = f'{len(publishers)} publishers ({names_of(publishers)})' if mixed else ''
        if several != self.watch.sources:
            self.watch.hear_of_sources(several)
            self._publish_now()

    def _publish_now(self) -> None:
        self._publish(convert.header_of(self._node.get_clock().now().to_msg(), self._frame))

    def _publish(self, header: Header) -> None:
        for fault in self.watch.unsaid():
            self._node.get_logger().warning(f'measured battery, {self._topic}: {fault}')
        if self._estimate.wanted:
            self._estimate.publish(convert.battery_estimate_to_msg(self.watch.report(self._power), header))


def has_hull_model(boat: Boat) -> bool:
    """Return whether a boat's file has drag and thrusters, and not only a curve of power over speed."""
    return boat.power_curve is None and bool(boat.vessel.thrusters)


class MeasuredHull:
    """Updates a HullWatch from the power model and the measured battery, and publishes `hull_health`."""

    def __init__(self, node: ManagedNode, boat: Boat, battery: BatteryWatch, undo: ExitStack) -> None:
        """Advertise `hull_health`; for `configure`."""
        self._node, self._battery = node, battery
        number = node.parameters.number
        self._watch = HullWatch(boat.vessel, FlowSpread(number(HULL_CURRENT_STD.name), number(HULL_WIND_STD.name)))
        self._epoch = convert.Epoch()
        self._health_pub = node.advertise(undo, HullHealth, 'hull_health', LATCHED)

    def activate(self, undo: ExitStack) -> None:
        """Subscribe to the boat state, for the heading."""
        self._heading = (0, math.nan)
        self._has_published = False
        publish_health(self._node, undo, 'hull', self._health, ('hull_health',))
        self._node.listen(undo, BoatState, 'boat_state', self._on_state)

    def _on_state(self, msg: BoatState) -> None:
        self._heading = convert.nanoseconds(msg.header.stamp), msg.yaw

    def on_power(self, msg: PowerStamped) -> None:
        """Add a power with the present reading of the battery; publish the hull's health when it changes."""
        before = self._watch.state
        is_new = self._watch.take(self._sample(msg))
        if not is_new and self._has_published:
            return
        self._has_published = True
        self._health_pub.publish(convert.hull_health_to_msg(self._watch.report(), msg.header))
        if self._watch.state is HullState.MORE_DRAG and before is not HullState.MORE_DRAG:
            self._node.get_logger().warning(self._watch.report().message)

    def _sample(self, msg: PowerStamped) -> CruiseSample:
        stamp, yaw = self._heading
        if abs(stamp - convert.nanoseconds(msg.header.stamp)) > HEADING_TOLERANCE:
            yaw = math.nan
        u, v, _ = convert.planar_velocity(msg.velocity)
        reading = self._battery.reading
        watts = math.nan if reading is None else reading.voltage * reading.current
        return CruiseSample(self._epoch.seconds(msg.header.stamp), yaw, u, v, *convert.flow_from_msg(msg), watts,
                            msg.static_load + msg.loads)

    def _health(self, now: int) -> Health:
        report = self._watch.report()
        level = DiagnosticStatus.WARN if report.state is HullState.MORE_DRAG else DiagnosticStatus.OK
        return Health(level, report.message, {
            'state': report.state.name, 'drag ratio': f'{report.drag_ratio:.3f}',
            'drag ratio, lower (95 %)': f'{report.drag_ratio_lower:.3f}',
            'drag ratio, upper (95 %)': f'{report.drag_ratio_upper:.3f}', 'in this state (s)': f'{report.since:.0f}',
            'observed (s)': f'{report.observed:.0f}'})


class SupplyVoltage:
    """
    The boat with its thrusters at the voltage of a battery on the graph.

    The voltage at a stamp is the last received one that is not later; before the first, that of the boat file. A boat
    whose thrusters have no curves by voltage needs no subscription, and stays the same.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, boat: Boat) -> None:
        """Subscribe until undone."""
        self._boat, self._curves = boat, curves_of(boat)
        self._voltages: deque[tuple[int, float]] = deque(maxlen=MAX_VOLTAGES)
        topic = node.parameters.text(SUPPLY_BATTERY.name)
        if topic and any(curve is not None for curve in self._curves):
            node.listen(undo, BatteryState, topic, self._on_battery, SENSOR)

    def boat_at(self, stamp: int) -> Boat:
        """Return the boat at the voltage of a stamp, ns."""
        voltage = next((volts for at, volts in reversed(self._voltages) if at <= stamp), None)
        if voltage is None:
            return self._boat
        return replace(self._boat, vessel=vessel_at_voltage(self._boat.vessel, voltage, 1.0, self._curves))

    def _on_battery(self, msg: BatteryState) -> None:
        stamp = convert.nanoseconds(msg.header.stamp)
        if not (math.isfinite(msg.voltage) and msg.voltage > 0.0):
            return
        if self._voltages and stamp < self._voltages[-1][0]:  # The clock jumped back.
            self._voltages.clear()
        self._voltages.append((stamp, float(msg.voltage)))


class HeardLegs:
    """
    The legs of the mission, as others tell them.

    Of the three topics the best that was heard counts: a leg holds from the stamp of its `leg_begin_stamped`, or of its
    `leg_begin`; if there is neither, from the last sample before `leg` was received.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, last_stamp: Callable[[], int], qos: QoSProfile,
                 on_leg: Callable[[str], None] | None = None) -> None:
        """
        Subscribe until undone.

        :param last_stamp: Returns the stamp of the last sample, ns.
        :param qos: Of the subscriptions to beginnings: how many of them a late reader gets.
        :param on_leg: Called with the name of each leg that begins.
        """
        self._times, self._rank, self._on_leg, self._refuse = LegTimes(), 0, on_leg, node.refuse
        self.at = self._times.at
        node.listen(undo, LegBegin, LEG_BEGIN_STAMPED, lambda msg: self._begin(
            2, convert.nanoseconds(msg.header.stamp), msg.name), qos)
        node.listen(undo, Header, LEG_BEGIN, lambda msg: self._begin(
            1, convert.nanoseconds(msg.stamp), msg.frame_id), qos)
        node.listen(undo, String, LEG, lambda msg: self._begin(0, last_stamp(), msg.data), LATCHED)

    def _begin(self, rank: int, stamp: int, leg: str) -> None:
        """Begin a leg, unless it is told by a better topic, or just was by a worse one."""
        name = safe_name(leg)
        if len(leg) > NAME:
            self._refuse(f'a leg with a name of {len(leg)} characters: cut to {NAME}: {name[:40]}...')
        if rank == self._rank or (rank > self._rank and not self._times.has(stamp, name)):
            self._times.begin(stamp, name)
            if self._on_leg is not None:
                self._on_leg(name)
        self._rank = max(rank, self._rank)


class LoadSwitches:
    """
    Subscribes to the topics of a boat's loads, and to the leg of the mission if a load depends on it.

    The last message of a topic holds, whether its publisher is transient local or not.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, boat: Boat) -> None:
        """Subscribe until undone."""
        self._node, self._boat = node, boat
        self._legs: HeardLegs | None = None
        self._latest = 0
        self._shares: dict[str, float] = {}
        self._leg_names: list[str] = []
        topics = {rule.topic.name: rule.topic for rule in boat.load_rules if rule.topic is not None}
        for topic in topics.values():
            callback = partial(self._on_share, topic)
            node.listen(undo, LOAD_TOPIC_KINDS[topic.kind], topic.name, callback, SENSOR)
            # A transient local publisher sends its last message only to transient local readers. No event callbacks:
            # rclpy would warn of publishers that are not transient local.
            node.listen(undo, LOAD_TOPIC_KINDS[topic.kind], topic.name, callback, LATCHED, qos_overriding_options=None,
                        event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False))
        if any(rule.legs for rule in boat.load_rules):
            self._legs = HeardLegs(node, undo, lambda: self._latest, LATCHED_STREAM, self._add_leg)

    def loads_at(self, stamp: int) -> tuple[Load, ...]:
        """Return the boat's loads by the topics now, and by the leg of the step that ends at a stamp, ns."""
        self._latest = stamp
        if not self._boat.load_rules:
            return ()
        rules, leg = self._boat.load_rules, ''
        if self._legs is not None:
            rules, leg = rules_with_names(rules, self._leg_names), self._legs.at(stamp)
        return loads_with_shares(self._boat.vessel.loads, rules, leg, self._shares)

    def diagnostics(self) -> dict[str, str]:
        """Return the topics that are silent, and the leg, for diagnostics; empty if nothing switches loads."""
        values = {f'load {rule.name}': f'{rule.topic.name} is not heard: {100.0 * rule.topic.unheard:g} %'
                  for rule in self._boat.load_rules if rule.topic is not None and rule.topic.name not in self._shares}
        if self._legs is not None:
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

    def _add_leg(self, leg: str) -> None:
        """Append the name of a leg that begins; the number of a leg is its place in the order of arrival."""
        way = leg.removeprefix(HOLD_AT)
        if way and len(self._leg_names) < MAX_LEGS and way != (self._leg_names or [''])[-1]:
            self._leg_names.append(way)
