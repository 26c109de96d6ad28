"""Water current or wind at the boat: none, the same everywhere, or asked of a flow service. One class for both."""

import math
from contextlib import ExitStack
from typing import Any, ClassVar

from geometry_msgs.msg import Vector3Stamped

from usv_energy.flow.local_flow import LocalFlow, local_flow, stencil
from usv_energy.physics.frames import polar_to_earth
from usv_energy.ros.framework.diagnostics import Health, SampleHealth, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import FLOW_SOURCE, Declaration, Flag, Number
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BoatState, GetFlow

UNKNOWN = (math.nan, math.nan)
STENCIL_POINTS = 5
RETRY_PERIOD = 0.02
LOST_AFTER = 1.0
STILL = {'water_current': 'the water', 'wind': 'the air'}
# The parameters that say where the flow comes from.
OF_SOURCE = ('mode', 'global_source', 'wait_for_answer')


class FlowClient(ManagedNode):
    """
    Answer every boat state with the flow there, stamped as the state; NaN says that nothing is known for that time.

    Topics and parameters: docs/ros.md, "Nodes". `topic`: what is published, water_current or wind; `global_share`: of
    what is given for everywhere that there is at the boat, (-).
    """

    topic = ''
    global_share = 1.0
    declared: ClassVar[tuple[Declaration, ...]] = (
        *FLOW_SOURCE,
        Number('max_age', 2.0, 'Oldest value that is still given, s.', live=True, above=0),
        Number('deadline', 0.5, 'Mode local: wait for an answer, s of wall time.', live=True, above=0),
        Number('spacing', 1.0, 'Mode local: of the points asked for, m.', live=True, above=0),
        Flag('wait_for_answer', False, 'Mode local: give the answer for each state itself (lockstep) instead of '
             'predicting from the last one.', live=True),
    )

    def configure(self, undo: ExitStack) -> None:
        """Make the publisher; all parameters are live."""
        self._publisher = self.advertise(undo, Vector3Stamped, self.topic)
        self._source: ExitStack | None = None

    def activate(self, undo: ExitStack) -> None:
        """Start with nothing known."""
        self._epoch = convert.Epoch()
        self._samples = SampleHealth('boat states')
        publish_health(self, undo, self.topic, self._health)
        undo.callback(self._leave_source)
        self._open_source()
        self.listen(undo, BoatState, 'boat_state', self._on_state)

    def change(self, names: set[str]) -> None:
        """Change over to another source of the flow; all else is read where it is used."""
        if self._source is not None and not names.isdisjoint(OF_SOURCE):
            self._leave_source()
            self._open_source()

    def _open_source(self) -> None:
        """Have what the mode needs, with nothing known."""
        self._mode = self.parameters.text('mode')
        self._from_topic = self.parameters.text('global_source') == 'topic'
        self._every_state = self.parameters.flag('wait_for_answer')
        self._heard: tuple[float, tuple[float, float]] | None = None
        self._local: LocalFlow | None = None
        self._asked: BoatState | None = None
        self._requests: list[Any] = []
        self._unasked: BoatState | None = None
        self._source = undo = ExitStack()
        if self._mode == 'global' and self._from_topic:
            self.listen(undo, Vector3Stamped, f'{self.topic}_global', self._on_global)
        if self._mode == 'local':
            self._client = self.create_client(GetFlow, f'{self.topic}/get_flow')
            self._service = self.resolve_service_name(f'{self.topic}/get_flow')
            undo.callback(self.destroy_client, self._client)
            self._watch = self.watchdog(undo, 'deadline', self._on_deadline)
            self.every(undo, RETRY_PERIOD, self._ask_again)
            self._lost = self.watchdog(undo, LOST_AFTER, self._repeat)
            undo.callback(self._forget_request)

    def _leave_source(self) -> None:
        if self._source is not None:
            self._source.close()
        self._source = None

    def working_with(self) -> str:
        """Return the mode, and where the flow comes from."""
        if self._mode == 'none':
            return f'mode none: {STILL[self.topic]} stands still'
        if self._mode == 'local':
            return f'mode local: asked of {self._service} at the boat'
        reduced = '' if self.global_share == 1.0 else f', {self.global_share:.0%} of it at the boat'
        if self._from_topic:
            return f'mode global: as heard on {self.resolve_topic_name(f"{self.topic}_global")}{reduced}'
        speed, direction = self.parameters.number('speed'), self.parameters.number('direction_deg')
        return f'mode global: {speed:g} m/s towards {direction:g} deg, the same everywhere{reduced}'

    def _on_global(self, msg: Vector3Stamped) -> None:
        self._heard = (self._epoch.seconds(msg.header.stamp), (msg.vector.x, msg.vector.y))

    def _on_state(self, state: BoatState) -> None:
        if self._mode == 'local' and self._every_state:
            if self._asked is None and self._unasked is None:
                self._watch.set()
            self._unasked = state
            self._ask_again()
            return
        if self._mode == 'local' and self._asked is None and self._is_served():
            self._ask(state)
        self._publish(state, self._known_at(state))

    def _ask_again(self) -> None:
        """Ask for the state that waits for its answer, once a service is there."""
        if self._unasked is not None and self._asked is None and self._client.service_is_ready():
            state, self._unasked = self._unasked, None
            self._ask(state)

    def _publish(self, state: BoatState, velocity: tuple[float, float]) -> None:
        self._publisher.publish(convert.vector_to_msg(*velocity, state.header))
        known = math.isfinite(velocity[0])
        self._samples.add(convert.nanoseconds(state.header.stamp), '' if known else 'nothing is known for this time',
                          useless=not known)

    def _health(self, now: int) -> Health:
        return self._samples.health(now, {'source': self.working_with()})

    def _known_at(self, state: BoatState) -> tuple[float, float]:
        """Return the flow known for a boat state, m/s; NaN where nothing known is young enough."""
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
        fresh = self._heard is not None and abs(time - self._heard[0]) <= self.parameters.number('max_age')
        return self._at_boat(self._heard[1]) if fresh else UNKNOWN  # type: ignore[index]  # heard, if fresh

    def _at_boat(self, velocity: tuple[float, float]) -> tuple[float, float]:
        return self.global_share * velocity[0], self.global_share * velocity[1]

    def _is_served(self) -> bool:
        ready: bool = self._client.service_is_ready()
        if not ready:
            self.get_logger().warning(f'no service {self._service}: the {self.topic} is unknown',
                                      throttle_duration_sec=5.0)
        return ready

    def _repeat(self) -> None:
        """Ask again for a state that is to have its own answer: a server that was restarted has not heard of it."""
        if self._asked is not None and self._every_state:
            self._ask(self._asked)

    def _ask(self, state: BoatState) -> None:
        """Ask for the flow at a boat state."""
        place = state.pose.position
        self._spacing = self.parameters.number('spacing')
        xs, ys = stencil(place.x, place.y, self._spacing)
        future = self._client.call_async(GetFlow.Request(
            stamp=state.header.stamp, frame_id=state.header.frame_id, x=xs, y=ys))
        if self._asked is not state:
            self._watch.set()
        self._asked = state
        self._requests.append(future)
        self._lost.set()
        future.add_done_callback(self._on_answer)

    def _on_answer(self, future: Any) -> None:
        state = self._asked
        if state is None or future not in self._requests:
            return
        self._requests.remove(future)
        self._drop_requests()
        self._watch.clear()
        self._local = self._checked_answer(future, state)
        if self._every_state:
            self._publish(state, self._known_at(state))

    def _checked_answer(self, future: Any, state: BoatState) -> LocalFlow | None:
        """Return the local flow in an answer; the last one (it ages) where the answer is none."""
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
        state = self._unasked if self._unasked is not None else self._asked
        if state is not None and self._is_served():
            self.get_logger().warning(f'{self._service} gave no answer within {self.parameters.number("deadline")} s',
                                      throttle_duration_sec=5.0)
        self._forget_request()
        if self._every_state and state is not None:
            self._publish(state, self._known_at(state))

    def _forget_request(self) -> None:
        self._unasked = None
        self._drop_requests()

    def _drop_requests(self) -> None:
        self._lost.clear()
        self._asked = None
        while self._requests:
            self._client.remove_pending_request(self._requests.pop())
