"""Watch the external controller of a simulated boat: how late its orders are, and when the boat moves without them."""

import math
import time
from collections.abc import Callable
from contextlib import ExitStack

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus

from usv_energy.ros.framework.diagnostics import PERIOD, Health, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Number
from usv_energy.ros.framework.qos import LATCHED
from usv_energy.ros.messages import convert
from usv_energy.sim.hil.order_watch import LATE, OrderLateness, OrderWatch, lateness_figures

LATENESS = 'controller_lateness'
COMMAND = 'thruster_command'
DISCOVERY_TIME = 2.0   # s of wall time after the first order, after which all publishers of orders are known.
CONTROLLER = (
    Number('controller_wait', 0.0, 'How long a state waits for its order, s of wall time; then the boat moves by the '
           'wall clock with the last order. 0: without limit.', live=True, least=0),
    Number('order_hold', 0.0, 'How long the last order holds without a newer one, s of simulated time; then the '
           'thrusters stop. 0: without limit.', live=True, least=0),
)


class ControllerWatch:
    """
    Counts a controller's orders, logs silences, returns and restarts, and publishes how late the orders are.

    The simulator calls it for every state that it sends, every order, and every period that begins. All times are
    simulated s of `now`.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, plain_topic: str) -> None:
        """
        Advertise `controller_lateness`; for `configure`.

        :param plain_topic: A topic on which a controller may give orders without stamps.
        """
        self._node, self._plain_topic = node, plain_topic
        self._lateness_pub = node.advertise(undo, DiagnosticArray, LATENESS, LATCHED)

    def begin(self, undo: ExitStack, period: float, now: Callable[[], float]) -> None:
        """
        Begin without an order; for `activate`.

        :param period: Time between states, s.
        :param now: Returns the simulated time, s.
        """
        self._orders, self._now, self._period = OrderWatch(period), now, period
        self._stamped_at = -math.inf
        self._first_wall = self._order_wall = self._sent_wall = math.nan
        self._kept_from: tuple[float, float] | None = None
        self._watched_topic = ''
        self._known_publishers: set[bytes] = set()   # All that were ever there.
        self._present_publishers: set[bytes] = set()    # At the last check.
        self._had_gap = self._over = False
        self._before = OrderLateness()
        publish_health(self._node, undo, 'controller', self._health)
        self._node.every(undo, PERIOD, self._on_time)
        self._publish(self._orders.lateness(self._now()))

    def on_state_sent(self, stamp: float) -> None:
        """Note that a state with a stamp, s, is sent for the first time."""
        self._sent_wall = time.monotonic()
        self._orders.sent(stamp, self._sent_wall)

    def on_order(self, stamp: float | None) -> None:
        """
        Note an order.

        :param stamp: Stamp of the state that it answers, s; None for an order without one. The latter are ignored
            while stamped orders arrive, which they repeat.
        """
        now, wall = self._now(), time.monotonic()
        if stamp is None and now - self._stamped_at <= LATE * self._period:
            return
        if stamp is not None:
            self._stamped_at = now
        if math.isnan(self._first_wall):
            self._first_wall = wall
        self._had_gap = self._had_gap or self._orders.silent
        self._order_wall, self._kept_from = wall, None
        self._log(self._orders.order(stamp, now, wall))

    def begin_period(self) -> bool:
        """Note that a period begins now; return whether the last order still holds."""
        hold = self._node.parameters.number('order_hold')
        self._orders.hold = hold if hold > 0.0 else math.inf
        self._log(self._orders.begin_period(self._now()))
        return self._orders.alive

    def has_timed_out(self) -> bool:
        """Return whether the boat no longer waits for orders; it may still wait for its other readers."""
        wait = self._node.parameters.number('controller_wait')
        return wait > 0.0 and time.monotonic() - self._order_wall > wait

    def repeats_order(self) -> bool:
        """Return whether the last order replaces the missing one: it is late, and the next state is due."""
        wait, wall, now = self._node.parameters.number('controller_wait'), time.monotonic(), self._now()
        if wait <= 0.0 or math.isnan(self._order_wall):
            return False
        if self._kept_from is None:
            if wall - max(self._sent_wall, self._order_wall) < wait:
                return False
            self._kept_from = now, wall
        since, at = self._kept_from
        return now - since <= wall - at

    def end(self, stamp: float) -> None:
        """Publish the lateness in the whole run, whose last state has a stamp, s."""
        self._over = True
        self._publish(self._orders.lateness_at_end(stamp, self._now()))

    def _log(self, lines: list[str]) -> None:
        for line in lines:
            self._node.get_logger().warning(f't = {self._now():.2f} s: {line}')

    def _on_time(self) -> None:
        if self._over:
            return
        self._detect_restart()
        self._publish(self._orders.lateness(self._now()))

    def _detect_restart(self) -> None:
        """Count a restart if there is a new publisher of orders, and the one before is gone or was silent."""
        if math.isnan(self._first_wall):
            return
        topic = COMMAND if math.isfinite(self._stamped_at) else self._plain_topic
        found = {bytes(info.endpoint_gid): info.node_name for info in
                 self._node.get_publishers_info_by_topic(self._node.resolve_topic_name(topic))}
        wall = time.monotonic()
        if topic != self._watched_topic:    # Stamped orders after some without a stamp; both may be of one controller.
            self._watched_topic, self._known_publishers = topic, set()
        # On a busy machine a publisher may be found late, or be lost and found again with the same identifier.
        self._had_gap = self._had_gap or bool(self._present_publishers & self._known_publishers - found.keys())
        self._present_publishers = set(found)
        if wall - self._first_wall <= DISCOVERY_TIME or not self._known_publishers:
            self._known_publishers |= found.keys()
        elif (new := found.keys() - self._known_publishers) and self._had_gap:
            names = ', '.join(sorted({found[one] for one in new}))
            self._log(self._orders.restarted(wall, f'a publisher of {topic} that was not there before, of {names}'))
            self._known_publishers |= new
            self._had_gap = False

    def _publish(self, lateness: OrderLateness) -> None:
        stamp = convert.stamp_of(round(self._now() * convert.NANOSECONDS))
        figures = {key: '' if math.isnan(value) else value for key, value in lateness_figures(lateness).items()}
        self._lateness_pub.publish(convert.diagnostics_to_msg(
            'controller', self._node.get_namespace().strip('/'), DiagnosticStatus.OK, '', figures, stamp))

    def _health(self, now: int) -> Health:
        """Return the state of the controller since the last call."""
        lateness, before = self._orders.lateness(self._now()), self._before
        self._before = lateness
        values = {'orders': lateness.orders, 'mean age of an order (s)': f'{lateness.mean_age:.3f}',
                  'longest age of an order (s)': f'{lateness.longest_age:.3f}',
                  f'periods begun with an order older than {LATE:g} periods': f'{lateness.late} of {lateness.periods}',
                  'silences': lateness.silences, 'longest silence (s)': f'{lateness.longest_silence:.3f}',
                  'thrusters stopped (s)': f'{lateness.stopped:.3f}', 'restarts': lateness.restarts,
                  'mean time to an order (wall s)': f'{lateness.mean_answer:.4f}',
                  'longest time to an order (wall s)': f'{lateness.longest_answer:.4f}'}
        return Health(*self._level_and_message(lateness, before), values)

    def _level_and_message(self, lateness: OrderLateness, before: OrderLateness) -> tuple[bytes, str]:
        if not lateness.orders:
            return DiagnosticStatus.STALE, 'no order yet'
        if self._over:
            return DiagnosticStatus.OK, 'the run is over'
        if not self._orders.alive:
            return DiagnosticStatus.ERROR, 'no orders: the thrusters stand still'
        if self._orders.silent:
            return DiagnosticStatus.WARN, 'no orders: the last one is kept'
        if lateness.restarts > before.restarts:
            return DiagnosticStatus.WARN, 'the controller was started again, or another one took over'
        if late := lateness.late - before.late:
            return DiagnosticStatus.WARN, (f'{late} of {lateness.periods - before.periods} periods begun with an order '
                                           f'older than {LATE:g} periods')
        return DiagnosticStatus.OK, f'{lateness.orders - before.orders} orders'


def lateness_of_msg(msg: DiagnosticArray) -> dict[str, float | None]:
    """Return the figures of a `controller_lateness` by their keys; None for an unknown one."""
    return {entry.key: None if not entry.value else int(entry.value) if entry.value.isdecimal() else float(entry.value)
            for status in msg.status for entry in status.values}
