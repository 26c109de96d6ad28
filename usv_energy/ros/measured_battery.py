"""A measured battery on the graph: who publishes it, whether it still does, and what is known of the battery."""

from contextlib import ExitStack

from sensor_msgs.msg import BatteryState
from std_msgs.msg import Header

from ..analysis.battery_watch import BatteryWatch
from . import convert, convert_devices
from .adaptive_subscription import names_of
from .lifecycle import ManagedNode
from .messages import BatteryEstimate
from .parameters import Number, Text
from .qos import LATCHED_STREAM, SENSOR

MEASURED_BATTERY = Text('measured_battery', '', 'Topic of a measured sensor_msgs/BatteryState, such as '
                        '/mavros/battery; empty: none.')
MEASURED_TIMEOUT = Number('measured_timeout', 5.0, 'After so long without a good reading the power model goes on, s of '
                          'wall time.', live=True, above=0)
START_CHARGE_STD = Number('start_charge_std', 0.1, "Standard deviation of the boat file's state of charge at the "
                          'start.', above=0)
# Of the model's own estimate while nobody reads it: for those who come late, s of message time.
UNREAD_PERIOD = 1.0
LOOK_PERIOD = 0.5


class MeasuredBattery:
    """Feeds a BatteryWatch of an accumulator's node, and publishes `battery_estimate`."""

    def __init__(self, node: ManagedNode, watch: BatteryWatch, undo: ExitStack) -> None:
        """Advertise `battery_estimate`; for `configure`."""
        self.watch = watch
        self._node = node
        self._power, self._frame = float('nan'), ''
        self._modelled = -round(UNREAD_PERIOD * convert.NANOSECONDS)
        self._topic = node.parameters.text(MEASURED_BATTERY.name)
        self._estimate = node.advertise(undo, BatteryEstimate, 'battery_estimate', LATCHED_STREAM)

    def activate(self, undo: ExitStack) -> None:
        """Listen to the measured battery where there is one."""
        if not self._topic:
            return
        self.watch.silence()
        self._dog = self._node.watchdog(undo, MEASURED_TIMEOUT.name, self._on_silence)
        self._dog.set()
        self._node.listen(undo, BatteryState, self._topic, self._on_reading, SENSOR)
        self._node.every(undo, LOOK_PERIOD, self._look)

    def take_power(self, power: float, energy: float, duration: float, header: Header) -> None:
        """Hear what the power model says: W now, and J in the s since the last call; say the estimate by its stamp."""
        self._power, self._frame = power, header.frame_id
        self.watch.take_power(power, energy, duration)
        stamp = convert.nanoseconds(header.stamp)
        due = abs(stamp - self._modelled) >= UNREAD_PERIOD * convert.NANOSECONDS
        if self.watch.reading is None and (due or self._estimate.get_subscription_count() > 0):
            self._modelled = stamp
            self._publish(header)

    def _on_reading(self, msg: BatteryState) -> None:
        stamp = self._node.get_clock().now()
        self.watch.take_reading(convert_devices.reading_from_msg(msg, stamp.nanoseconds))
        if self.watch.reading is not None:
            self._dog.set()
        stamped = msg.header.stamp if convert.nanoseconds(msg.header.stamp) else stamp.to_msg()
        self._publish(convert.header_of(stamped, self._frame))

    def _on_silence(self) -> None:
        self.watch.silence()
        self._say_at_once()

    def _look(self) -> None:
        publishers = self._node.get_publishers_info_by_topic(self._node.resolve_topic_name(self._topic))
        # Several publishers of one node have its name once.
        several = f'{len(publishers)} publishers ({names_of(publishers)})' if len(publishers) > 1 else ''
        if several != self.watch.sources:
            self.watch.hear_of_sources(several)
            self._say_at_once()

    def _say_at_once(self) -> None:
        self._publish(convert.header_of(self._node.get_clock().now().to_msg(), self._frame))

    def _publish(self, header: Header) -> None:
        for words in self.watch.unsaid():
            self._node.get_logger().warning(f'measured battery, {self._topic}: {words}')
        if self._estimate.wanted:
            self._estimate.publish(convert_devices.battery_estimate_to_msg(self.watch.report(self._power), header))
