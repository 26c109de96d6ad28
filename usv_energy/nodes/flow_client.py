"""Water current or wind at the boat: none, the same everywhere, or from a flow service. One class for both."""

import math
from contextlib import ExitStack
from time import monotonic
from typing import Any, ClassVar

from geometry_msgs.msg import Vector3Stamped

from usv_energy.flow.local_flow import LocalFlow, local_flow, stencil
from usv_energy.physics.frames import polar_to_earth
from usv_energy.ros.framework.diagnostics import Health, SampleHealth, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import FLOW_SOURCE, Declaration, Flag, Number
from usv_energy.ros.framework.subscriptions import of_another_clock
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BoatState, GetFlow

UNKNOWN = (math.nan, math.nan)
STENCIL_POINTS = 5
RETRY_PERIOD = 0.02  # s of wall time, between looks for the service.
LOST_AFTER = 1.0  # s of wall time, after which a request is sent again.
MEDIUM = {'water_current': 'the water', 'wind': 'the air'}
SOURCE_PARAMETERS = ('mode', 'global_source', 'wait_for_answer')


class FlowClient(ManagedNode):
    """
    Answer every boat state with the flow at its place, with its stamp; NaN if the flow is unknown.

    Topics and parameters: docs/nodes.md. `topic`: the published topic, water_current or wind. `global_share`:
    ratio of the flow at the boat to the flow of mode global, (-).
    """

    topic = ''
    global_share = 1.0
    declared: ClassVar[tuple[Declaration, ...]] = (
        *FLOW_SOURCE,
        Number('max_age', 2.0, 'Greatest age of a published value, s.', live=True, above=0),
        Number('deadline', 0.5, 'Mode local: wait for an answer after which the service is called slow, s of wall '
               'time; the last flow is held meanwhile, up to max_age. With wait_for_answer: the longest wait.',
               live=True, above=0),
        Number('spacing', 1.0, 'Mode local: distance of the requested points, m.', live=True, above=0),
        Flag('wait_for_answer', False, 'Mode local: wait for the answer to each state (lockstep), instead of '
             'extrapolating the last one.', live=True),
    )

    def configure(self, undo: ExitStack) -> None:
        """Make the publisher; all parameters are live."""
        self._publisher = self.advertise(undo, Vector3Stamped, self.topic)
        self._source: ExitStack | None = None

    def activate(self, undo: ExitStack) -> None:
        """Start with nothing known."""
        self._epoch = convert.Epoch()
        self._samples = SampleHealth('boat states')
        self._state_stamp = -1
        publish_health(self, undo, self.topic, self._health)
        undo.callback(self._close_source)
        self._open_source()
        self.listen(undo, BoatState, 'boat_state', self._on_state)

    def change(self, names: set[str]) -> None:
        """Switch to another source of the flow; other parameters are read where they are used."""
        if self._source is not None and not names.isdisjoint(SOURCE_PARAMETERS):
            self._close_source()
            self._open_source()

    def _open_source(self) -> None:
        """Make the subscription or the client of the mode; the flow is unknown then."""
        self._mode = self.parameters.text('mode')
        self._from_topic = self.parameters.text('global_source') == 'topic'
        self._every_state = self.parameters.flag('wait_for_answer')
        # The last flow of the states' clock, and of another one.
        self._heard: dict[bool, tuple[float, tuple[float, float]]] = {}
        self._local: LocalFlow | None = None
        self._requested: BoatState | None = None
        self._requested_at, self._answered_after, self._is_late = 0.0, math.nan, False
        self._requests: list[Any] = []
        self._waiting_state: BoatState | None = None
        self._source = undo = ExitStack()
        if self._mode == 'global' and self._from_topic:
            self.listen(undo, Vector3Stamped, f'{self.topic}_global', self._on_global)
        if self._mode == 'local':
            self._client = self.create_client(GetFlow, f'{self.topic}/get_flow')
            self._service = self.resolve_service_name(f'{self.topic}/get_flow')
            undo.callback(self.destroy_client, self._client)
            self._deadline = self.watchdog(undo, 'deadline', self._on_deadline)
            self._patience = self.watchdog(undo, 'max_age', self._forget_request)
            self.every(undo, RETRY_PERIOD, self._request_waiting)
            self._lost = self.watchdog(undo, LOST_AFTER, self._repeat_request)
            undo.callback(self._forget_request)

    def _close_source(self) -> None:
        if self._source is not None:
            self._source.close()
        self._source = None

    def log_summary(self) -> str:
        """Return the mode, and where the flow comes from."""
        if self._mode == 'none':
            return f'mode none: {MEDIUM[self.topic]} stands still'
        if self._mode == 'local':
            return f'mode local: asked of {self._service} at the boat'
        reduced = '' if self.global_share == 1.0 else f', {self.global_share:.0%} of it at the boat'
        if self._from_topic:
            return f'mode global: as heard on {self.resolve_topic_name(f"{self.topic}_global")}{reduced}'
        speed, direction = self.parameters.number('speed'), self.parameters.number('direction_deg')
        return f'mode global: {speed:g} m/s towards {direction:g} deg, the same everywhere{reduced}'

    def _on_global(self, msg: Vector3Stamped) -> None:
        stray = of_another_clock(convert.nanoseconds(msg.header.stamp), self._state_stamp)
        self._heard[stray] = self._epoch.seconds(msg.header.stamp), (msg.vector.x, msg.vector.y)
        if stray:
            self._samples.add(None, f'a {self.topic}_global with a stamp of another clock', useless=True)

    def _on_state(self, state: BoatState) -> None:
        self._state_stamp = convert.nanoseconds(state.header.stamp)
        if self._mode == 'local' and self._every_state:
            if self._requested is None and self._waiting_state is None:
                self._deadline.set()
            self._waiting_state = state
            self._request_waiting()
            return
        if self._mode == 'local' and self._requested is None and self._has_service():
            self._request(state)
        self._publish(state, self._known_at(state))

    def _request_waiting(self) -> None:
        """Send the request for the waiting state as soon as the service is there."""
        if self._waiting_state is not None and self._requested is None and self._client.service_is_ready():
            state, self._waiting_state = self._waiting_state, None
            self._request(state)

    def _publish(self, state: BoatState, velocity: tuple[float, float]) -> None:
        self._publisher.publish(convert.vector_to_msg(*velocity, state.header))
        known = math.isfinite(velocity[0])
        fault = '' if known else 'nothing is known for this time'
        if self._is_late:
            fault = 'the service is slow: the last flow is held' if known else f'the service is slow: {fault}'
        self._samples.add(convert.nanoseconds(state.header.stamp), fault, useless=not known)

    def _health(self, now: int) -> Health:
        asked = {'answered after (s)': f'{self._answered_after:.3f}'} if self._mode == 'local' else {}
        return self._samples.health(now, {'source': self.log_summary(), **asked})

    def _known_at(self, state: BoatState) -> tuple[float, float]:
        """Return the flow for a boat state, m/s; NaN if it is unknown or too old."""
        if self._mode == 'none':
            return 0.0, 0.0
        time = self._epoch.seconds(state.header.stamp)
        if self._mode == 'local':
            fresh = self._local is not None and abs(time - self._local.time) <= self.parameters.number('max_age')
            place = state.pose.position
            return self._local.at(place.x, place.y) if fresh else UNKNOWN  # type: ignore[union-attr]
        if not self._from_topic:
            return self._at_boat(
                polar_to_earth(self.parameters.number('speed'), self.parameters.number('direction_deg')))
        age, velocity = min((abs(time - at), velocity) for at, velocity in [*self._heard.values(), (math.inf, UNKNOWN)])
        return self._at_boat(velocity) if age <= self.parameters.number('max_age') else UNKNOWN

    def _at_boat(self, velocity: tuple[float, float]) -> tuple[float, float]:
        return self.global_share * velocity[0], self.global_share * velocity[1]

    def _has_service(self) -> bool:
        ready: bool = self._client.service_is_ready()
        if not ready:
            self.get_logger().warning(f'no service {self._service}: the {self.topic} is unknown',
                                      throttle_duration_sec=5.0)
        return ready

    def _repeat_request(self) -> None:
        """Send the request again, in case the server was restarted, if the state waits for its own answer."""
        if self._requested is not None and self._every_state:
            self._request(self._requested)

    def _request(self, state: BoatState) -> None:
        """Request the flow at a boat state."""
        place = state.pose.position
        self._spacing = self.parameters.number('spacing')
        xs, ys = stencil(place.x, place.y, self._spacing)
        sent_at = monotonic()
        future = self._client.call_async(GetFlow.Request(
            stamp=state.header.stamp, frame_id=state.header.frame_id, x=xs, y=ys))
        if self._requested is not state:
            self._deadline.set()
            self._requested_at = sent_at
            if not self._every_state:
                self._patience.set()
        self._requested = state
        self._requests.append(future)
        self._lost.set()
        future.add_done_callback(self._on_answer)

    def _on_answer(self, future: Any) -> None:
        state = self._requested
        if state is None or future not in self._requests:
            return
        self._requests.remove(future)
        self._drop_requests()
        self._answered_after = monotonic() - self._requested_at
        self._local = self._checked_answer(future, state)
        if self._every_state:
            self._publish(state, self._known_at(state))

    def _checked_answer(self, future: Any, state: BoatState) -> LocalFlow | None:
        """Return the local flow in an answer; if the answer has none, the last one, which keeps its age."""
        answer = future.result()
        sizes = {len(answer.vx), len(answer.vy), len(answer.inside)}
        if not answer.success or sizes != {STENCIL_POINTS}:
            reason = answer.message if not answer.success else f'{sizes} values for {STENCIL_POINTS} points'
            self.get_logger().warning(f'{self._service}: {reason}', throttle_duration_sec=5.0)
            return self._local
        place = state.pose.position
        return local_flow(self._epoch.seconds(state.header.stamp), place.x, place.y, self._spacing,
                          list(answer.vx), list(answer.vy), list(answer.inside))

    def _on_deadline(self) -> None:
        state = self._waiting_state if self._waiting_state is not None else self._requested
        if state is not None and self._has_service():
            self.get_logger().warning(f'{self._service} gave no answer within {self.parameters.number("deadline")} s',
                                      throttle_duration_sec=5.0)
            self._is_late = not self._every_state   # Its answer, when it comes, is taken until it is too old.
        if not self._is_late:
            self._forget_request()
        if self._every_state and state is not None:
            self._publish(state, self._known_at(state))

    def _forget_request(self) -> None:
        self._waiting_state = None
        self._drop_requests()

    def _drop_requests(self) -> None:
        for watchdog in (self._lost, self._deadline, self._patience):
            watchdog.clear()
        self._requested, self._is_late = None, False
        while self._requests:
            self._client.remove_pending_request(self._requests.pop())
