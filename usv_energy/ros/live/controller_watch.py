"""Who steers a simulated boat, and how late: when a boat goes on without its controller, and what is told of it."""

import math
import time
from collections.abc import Callable
from contextlib import ExitStack

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus

from usv_energy.ros.framework.diagnostics import PERIOD, Health, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Number
from usv_energy.ros.framework.qos import LATCHED
from usv_energy.ros.messages import convert, convert_devices
from usv_energy.sim.hil.order_watch import LATE, OrderLateness, OrderWatch, lateness_figures

LATENESS = 'controller_lateness'
COMMAND = 'thruster_command'
SETTLED = 2.0   # s of wall time after the first order, until when all its publishers are known.
CONTROLLER = (
    Number('controller_wait', 0.0, 'How long a state waits for its order, s of wall time; then the boat goes on by the '
           'wall clock with the last one. 0: for ever.', live=True, least=0),
    Number('order_hold', 0.0, 'How long the last order is kept where no newer one comes, s of simulated time; then the '
           'thrusters stop. 0: for ever.', live=True, least=0),
)


class ControllerWatch:
    """
    Counts a controller's orders, says once where it falls silent, comes back or is another one, and tells how late.

    It is told of the states that go out, of orders, and of periods that begin; all times are simulated s of `now`.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, plain_topic: str) -> None:
        """
        Advertise `controller_lateness`; for `configure`.

        :param plain_topic: One of those on which a controller may give orders without stamps.
        """
        self._node, self._plain = node, plain_topic
        self._publisher = node.advertise(undo, DiagnosticArray, LATENESS, LATCHED)

    def begin(self, undo: ExitStack, period: float, now: Callable[[], float]) -> None:
        """
        Begin without an order; for `activate`.

        :param period: Between states, s.
        :param now: Returns the simulated time, s.
        """
        self._watch, self._now, self._period = OrderWatch(period), now, period
        self._stamped_at = -math.inf
        self._first_wall = self._order_wall = self._sent_wall = math.nan
        self._kept_from: tuple[float, float] | None = None
        self._known: set[bytes] = set()
        self._gap = self._over = False
        self._before = OrderLateness()
        publish_health(self._node, undo, 'controller', self._health)
        self._node.every(undo, PERIOD, self._on_time)
        self._tell()

    def sent(self, stamp: float) -> None:
        """Take note of a state that goes out for the first time."""
        self._sent_wall = time.monotonic()
        self._watch.sent(stamp, self._sent_wall)

    def order(self, stamp: float | None) -> None:
        """Take note of an order: the stamp of the state it answers, s, or None; those that repeat a stamped one too."""
        now, wall = self._now(), time.monotonic()
        if stamp is None and now - self._stamped_at <= LATE * self._period:
            return
        if stamp is not None:
            self._stamped_at = now
        if math.isnan(self._first_wall):
            self._first_wall = wall
        self._gap = self._gap or self._watch.silent
        self._order_wall, self._kept_from = wall, None
        self._say(self._watch.order(stamp, now, wall))

    def begin_period(self) -> bool:
        """Take note of a period that begins now; return whether the boat follows its last order still."""
        hold = self._node.parameters.number('order_hold')
        self._watch.hold = hold if hold > 0.0 else math.inf
        self._say(self._watch.begin_period(self._now()))
        return self._watch.alive

    def is_given_up(self) -> bool:
        """Return whether the boat goes on without new orders, though it waits for its other readers."""
        wait = self._node.parameters.number('controller_wait')
        return wait > 0.0 and time.monotonic() - self._order_wall > wait

    def keeps_order(self) -> bool:
        """Return whether the last order stands for the one that is missing now: late, and time for the next state."""
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
        """Tell how it went in a run whose last state has a stamp, s."""
        self._over = True
        self._tell(self._watch.lateness_at_end(stamp, self._now()))

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            self._node.get_logger().warning(f't = {self._now():.2f} s: {line}')

    def _on_time(self) -> None:
        if self._over:
            return
        self._look_for_another()
        self._tell()

    def _look_for_another(self) -> None:
        """Count a publisher of orders that was not there before, where the one before is gone, or was silent."""
        if math.isnan(self._first_wall):
            return
        topic = COMMAND if math.isfinite(self._stamped_at) else self._plain
        found = {bytes(info.endpoint_gid): info.node_name for info in
                 self._node.get_publishers_info_by_topic(self._node.resolve_topic_name(topic))}
        wall, gone = time.monotonic(), self._known - found.keys()
        self._gap = self._gap or bool(gone)
        if wall - self._first_wall <= SETTLED:
            self._known |= found.keys()
        elif (new := found.keys() - self._known) and self._gap:
            names = ', '.join(sorted({found[one] for one in new}))
            self._say(self._watch.restarted(wall, f'a publisher of {topic} that was not there before, of {names}'))
            self._known |= new
            self._gap = False
        self._known -= gone

    def _tell(self, seen: OrderLateness | None = None) -> None:
        seen = self._watch.lateness(self._now()) if seen is None else seen
        stamp = convert.stamp_of(round(self._now() * convert.NANOSECONDS))
        figures = {key: '' if math.isnan(value) else value for key, value in lateness_figures(seen).items()}
        self._publisher.publish(convert_devices.diagnostics_to_msg(
            'controller', self._node.get_namespace().strip('/'), DiagnosticStatus.OK, '', figures, stamp))

    def _health(self, now: int) -> Health:
        """Return how the controller did since it was last asked."""
        seen, before = self._watch.lateness(self._now()), self._before
        self._before = seen
        values = {'orders': seen.orders, 'mean age of an order (s)': f'{seen.mean_age:.3f}',
                  'longest age of an order (s)': f'{seen.longest_age:.3f}',
                  f'periods begun with an order older than {LATE:g} periods': f'{seen.late} of {seen.periods}',
                  'silences': seen.silences, 'longest silence (s)': f'{seen.longest_silence:.3f}',
                  'thrusters stopped (s)': f'{seen.stopped:.3f}', 'restarts': seen.restarts,
                  'mean time to an order (wall s)': f'{seen.mean_answer:.4f}',
                  'longest time to an order (wall s)': f'{seen.longest_answer:.4f}'}
        return Health(*self._judged(seen, before), values)

    def _judged(self, seen: OrderLateness, before: OrderLateness) -> tuple[bytes, str]:
        if not seen.orders:
            return DiagnosticStatus.STALE, 'no order yet'
        if self._over:
            return DiagnosticStatus.OK, 'the run is over'
        if not self._watch.alive:
            return DiagnosticStatus.ERROR, 'no orders: the thrusters stand still'
        if self._watch.silent:
            return DiagnosticStatus.WARN, 'no orders: the last one is kept'
        if seen.restarts > before.restarts:
            return DiagnosticStatus.WARN, 'the controller was started again, or another one took over'
        if late := seen.late - before.late:
            return DiagnosticStatus.WARN, (f'{late} of {seen.periods - before.periods} periods begun with an order '
                                           f'older than {LATE:g} periods')
        return DiagnosticStatus.OK, f'{seen.orders - before.orders} orders'


def lateness_of_msg(msg: DiagnosticArray) -> dict[str, float | None]:
    """Return the figures of a `controller_lateness`, by their keys; None for one that is not known."""
    return {entry.key: None if not entry.value else int(entry.value) if entry.value.isdecimal() else float(entry.value)
            for status in msg.status for entry in status.values}
