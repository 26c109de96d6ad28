"""Start Gazebo's paused world when all nodes are ready; in lockstep, step it when all of them have answered."""

import time
from contextlib import ExitStack
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from usv_energy.gazebo.bridge import THRUSTS, THRUSTS_TO_GAZEBO
from usv_energy.ros.framework.intra_process import Delivery
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import GAZEBO_PACE, Flag, Number, Texts
from usv_energy.ros.framework.qos import LATCHED
from usv_energy.ros.gazebo.gazebo_control import (
    COMMANDED,
    COMMANDED_PERIOD,
    READERS,
    WORLD,
    WorldControl,
    boats_of,
    names_of_boat,
)
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import PowerStamped, ScenarioResult
from usv_energy.sim.lockstep import PATIENCE, Lockstep

FREE, LOCKSTEP = GAZEBO_PACE.allowed
KINDS: dict[str, type] = {'thruster_command': JointState, 'power': PowerStamped}
COMMANDS = (THRUSTS, THRUSTS_TO_GAZEBO, 'cmd_angle')
CHECK_PERIOD = 0.05  # s of wall time.
RETRY_TIME = 1.0  # A step is repeated after this time without an answer, s of wall time.
DISCOVERY_TIME = 0.5  # Other nodes may discover the graph later than this one by this time, s of wall time.
REMIND_PERIOD = 60.0


class GazeboPacer(ManagedNode):
    """
    Control when a world runs. Topics and parameters: docs/gazebo.md, "Launch".

    The node waits for the odometry of all boats from the bridge, and for the nodes that answer it. Then it makes one
    step. When the first odometry is answered (current sent to Gazebo, thrust commanded), the pace `free` lets the world
    run, and halts it while the thrust commands are more than `slack` behind the odometry. A `hurried` world would halt
    all the time, so it gets the time up to which it may run instead. `lockstep` makes one step when all have answered
    an odometry.
    """

    declared = (
        *WORLD,
        GAZEBO_PACE,
        Number('slack', 0.1, 'Pace free: lag of commands behind the odometry above which the world waits, s.',
               live=True, above=0),
        Flag('hurried', False, 'Pace free: the world runs as fast as it can.'),
        Texts('awaited', ['gazebo/handed', 'thruster_command'], 'Topics that answer odometry: of each boat, '
              'or of the boat whose namespace is in the name.'),
        Texts('readers', [*READERS], 'Nodes that must subscribe to the odometry before the world starts: of each boat, '
              'or of the boat whose namespace is in the name.'),
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters."""
        self._world, self._boats = self.parameters.text('world'), boats_of(self)
        self._steps = self.parameters.whole_number('steps_per_period')
        self._awaited, self._readers = ({boat: names_of_boat(self.parameters.texts(name), boat) for boat in self._boats}
                                        for name in ('awaited', 'readers'))
        self._pace = self.parameters.text('pace')

    def activate(self, undo: ExitStack) -> None:
        """Wait for the nodes and the bridge; the world stands still until then."""
        self._control = WorldControl(self, undo, self._world)
        self._started = self._released = False
        self._lockstep = Lockstep({(boat, topic) for boat in self._boats for topic in self._awaited[boat]},
                                  stamps_come_with_answers=True)
        self._over: set[str] = set()
        self._complete = 0.0
        answers = undo.enter_context(ExitStack())
        for boat in self._boats:
            for topic in self._awaited[boat]:
                kind = KINDS.get(topic.rsplit('/', 1)[-1], Header)
                self.listen(answers, kind, f'{boat}/{topic}', partial(self._on_answer, boat, topic))
            self.listen(undo, ScenarioResult, f'{boat}/scenario_result', partial(self._on_over, boat), LATCHED)
        self._end_answers = answers.close
        self._behind = {boat: [0, 0] for boat in self._boats}
        # Subscribed now, to be matched before the world runs, which may run ahead within milliseconds.
        self._hurried = self._pace == FREE and self.parameters.flag('hurried')
        for boat in self._boats if self._hurried else ():
            self.listen(undo, Header, f'{boat}/{COMMANDED}', partial(self._on_commanded, boat))
        if self._pace == FREE and not self._hurried:
            for boat in self._boats:
                for which, (topic, kind) in enumerate((('odom', Odometry), ('thruster_command', JointState))):
                    self.listen(undo, kind, f'{boat}/{topic}', partial(self._on_stamp, boat, which), raw=True)
        self.every(undo, CHECK_PERIOD, self._check)

    def _on_answer(self, boat: str, topic: str, msg: Any) -> None:
        stamp = convert.nanoseconds(msg.header.stamp if hasattr(msg, 'header') else msg.stamp)
        if not self._released and self._lockstep.answer((boat, topic), stamp):
            self._continue()

    def _on_over(self, boat: str, msg: ScenarioResult) -> None:
        self._over.add(boat)
        if self._released:
            (self._run_to_horizon if self._hurried else self._wait_for_nodes)()
            return
        if self._lockstep.leave((boat, topic) for topic in self._awaited[boat]):
            self._continue()

    def _continue(self) -> None:
        """Make the next step, or let the world run, after all have answered the last step."""
        if len(self._over) == len(self._boats):
            return
        if self._pace == LOCKSTEP:
            self._step()
        else:
            self._release()

    def _release(self) -> None:
        """Let the world run; from now on only the stamps of odometry and commands are compared."""
        self._released, self._halted = True, False
        self._end_answers()
        self._behind = {boat: [self._lockstep.stamp] * 2 for boat in self._boats}
        if self._hurried:
            self._commanded = dict.fromkeys(self._boats, self._lockstep.stamp)
            self._horizon, self._jumped = 0, False
            self._run_to_horizon()
        else:
            self._control.run()
        self.get_logger().info('the world runs')

    def _on_commanded(self, boat: str, msg: Header) -> None:
        if self._released:
            self._commanded[boat] = convert.nanoseconds(msg.stamp)
            self._run_to_horizon()

    def _run_to_horizon(self) -> None:
        """
        Let the world run up to the time at which the commands would be too far behind.

        If the time jumped back, the world may be beyond that time. It is halted, and continues when no new commands
        arrive (`_check`).
        """
        stamps = [stamp for boat, stamp in self._commanded.items() if boat not in self._over]
        horizon = min(stamps, default=0) + self._slack() + round(COMMANDED_PERIOD * convert.NANOSECONDS)
        if horizon == self._horizon:
            return
        self._stepped = time.monotonic()
        if horizon < self._horizon and stamps:
            self._jumped = True
            self._control.halt()
        elif not self._jumped:
            self._control.run(horizon if stamps else None)
        self._horizon = horizon

    def _slack(self) -> int:
        return round(self.parameters.number('slack') * convert.NANOSECONDS)

    def _on_stamp(self, boat: str, which: int, delivery: Delivery) -> None:
        self._behind[boat][which] = convert.header_nanoseconds(delivery.data)
        if self._released:
            self._wait_for_nodes()

    def _wait_for_nodes(self) -> None:
        """Halt the world while the commands are far behind the odometry."""
        lag = max((odometry - command for boat, (odometry, command) in self._behind.items()
                   if boat not in self._over), default=0)
        slack = self._slack()
        if not self._halted and lag > slack:
            self._halted = True
            self._control.halt()
            self.get_logger().warning('the nodes cannot keep up: the world waits for them now and then',
                                      throttle_duration_sec=REMIND_PERIOD)
        elif self._halted and 2 * lag <= slack:
            self._halted = False
            self._control.run()

    def _check(self) -> None:
        """Before the start, check what is missing; afterwards, check whether the world still advances."""
        if len(self._over) == len(self._boats):
            return
        if self._released:
            if self._hurried and time.monotonic() > self._stepped + RETRY_TIME:
                self._stepped, self._jumped = time.monotonic(), False
                self._control.run(self._horizon)
            return
        is_late = self._lockstep.wait(CHECK_PERIOD)
        absent = self._absent() if not self._started or is_late else []
        self._complete = 0.0 if absent else self._complete + CHECK_PERIOD
        if not self._started and self._complete >= DISCOVERY_TIME:
            self._started, self._lockstep.waited = True, 0.0
            self._step()
        elif self._started and time.monotonic() > self._stepped + RETRY_TIME and self._is_lost():
            self._step()
        if self._lockstep.waited > PATIENCE:
            missing = absent or (['any answer to the odometry'] if self._lockstep.stamp_unknown else
                                 sorted(f'{boat}/{topic}' for boat, topic in self._lockstep.missing))
            self.get_logger().warning(f'the world stands still; waiting for {", ".join(missing)}',
                                      throttle_duration_sec=PATIENCE)

    def _is_lost(self) -> bool:
        """
        Return whether missing answers will not come, so that another step is needed.

        Until all have answered once, a reader may not have been matched with its publisher yet. Afterwards, if nobody
        answers the odometry of a boat, the odometry was lost.
        """
        missing = self._lockstep.missing
        silent = any(all((boat, topic) in missing for topic in self._awaited[boat]) for boat in self._boats)
        return bool(missing) and (silent or not self._lockstep.answered_once)

    def _step(self) -> None:
        self._lockstep.begin()
        self._stepped = time.monotonic()
        self._control.step(self._steps)

    def _absent(self) -> list[str]:
        """Return what is missing for a start."""
        absent: set[str] = set()
        for boat in self._boats:
            odom = f'{boat}/odom'
            readers = {info.node_name for info in self.get_subscriptions_info_by_topic(odom)
                       if info.node_namespace == boat}
            absent |= {*self._control.absent(odom), *(f'{boat}/{name}' for name in {*self._readers[boat]} - readers)}
        begins = tuple(f'{boat}/{kind}/' for boat in self._boats for kind in COMMANDS)
        commands = [topic for topic, _ in self.get_topic_names_and_types() if topic.startswith(begins)]
        return sorted(absent) + [f'a reader of {topic} (the bridge)' for topic in sorted(commands)
                                 if not self.count_subscribers(topic)]


if __name__ == '__main__':
    GazeboPacer.main()
