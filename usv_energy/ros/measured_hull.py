"""Hull and propellers on the graph: what a measured battery says of them, on `hull_health` and on /diagnostics."""

import math
from contextlib import ExitStack

from diagnostic_msgs.msg import DiagnosticStatus

from ..analysis.battery_watch import BatteryWatch
from ..analysis.cruise_blocks import CruiseSample
from ..analysis.drag_filters import FlowSpread
from ..analysis.hull_health import HullState, HullWatch
from ..boats.boat_file import Boat
from . import convert, convert_devices
from .diagnostics import Health, publish_health
from .lifecycle import ManagedNode
from .messages import BoatState, HullHealth, PowerStamped
from .parameters import Number
from .qos import LATCHED

HULL_CURRENT_STD = Number('hull_current_std', 0.3, 'Standard deviation of the water current that the graph knows, m/s, '
                          'in each direction; 0.3: it may be any.', above=0)
HULL_WIND_STD = Number('hull_wind_std', 1.0, 'Standard deviation of the wind that the graph knows, m/s, in each '
                       'direction.', above=0)
SAME = convert.NANOSECONDS // 2  # A heading no further than this from a power, ns, is its heading.


def can_be_watched(boat: Boat) -> bool:
    """Return whether a boat's file says what its hull takes: drag and thrusters, not only a power over speed."""
    return boat.power_curve is None and bool(boat.vessel.thrusters)


class MeasuredHull:
    """Feeds a HullWatch of an accumulator's node, and publishes `hull_health`."""

    def __init__(self, node: ManagedNode, boat: Boat, battery: BatteryWatch, undo: ExitStack) -> None:
        """Advertise `hull_health`; for `configure`."""
        self._node, self._battery = node, battery
        number = node.parameters.number
        self._watch = HullWatch(boat.vessel, FlowSpread(number(HULL_CURRENT_STD.name), number(HULL_WIND_STD.name)))
        self._epoch = convert.Epoch()
        self._out = node.advertise(undo, HullHealth, 'hull_health', LATCHED)

    def activate(self, undo: ExitStack) -> None:
        """Listen to the heading."""
        self._heading = (0, math.nan)
        self._said = False
        publish_health(self._node, undo, 'hull', self._health)
        self._node.listen(undo, BoatState, 'boat_state', self._on_state)

    def _on_state(self, msg: BoatState) -> None:
        self._heading = convert.nanoseconds(msg.header.stamp), msg.yaw

    def take_power(self, msg: PowerStamped) -> None:
        """Take a power, beside what is measured now; say the state where it is a new one."""
        before = self._watch.state
        is_new = self._watch.take(self._sample(msg))
        if not is_new and self._said:
            return
        self._said = True
        self._out.publish(convert_devices.hull_health_to_msg(self._watch.report(), msg.header))
        if self._watch.state is HullState.MORE_DRAG and before is not HullState.MORE_DRAG:
            self._node.get_logger().warning(self._watch.report().message)

    def _sample(self, msg: PowerStamped) -> CruiseSample:
        stamp, yaw = self._heading
        if abs(stamp - convert.nanoseconds(msg.header.stamp)) > SAME:
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
