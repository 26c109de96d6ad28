"""Step Gazebo's world until the odometry of its boats is right, before other nodes use it."""

import math
from contextlib import ExitStack
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry

from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Number
from usv_energy.ros.gazebo.gazebo_control import WORLD, WorldControl, boats_of

CHECK_PERIOD = 0.05  # s of wall time.
RETRY_TIME = 0.5  # s of wall time without odometry, after which a step is repeated.
REMIND_PERIOD = 5.0  # s of wall time.


class GazeboSettler(ManagedNode):
    """
    Make the first steps of a world. Parameters: docs/gazebo.md, "Launch".

    Gazebo's OdometryPublisher measures its first displacement from the origin, and then averages over ten. So the first
    velocities of a boat that starts elsewhere are thousands of m/s. The process ends when all boats are slower than
    `fastest`.
    """

    declared = (
        *WORLD,
        Number('fastest', 20.0, 'No boat is faster than this, m/s.', live=True, above=0),
    )

    def __init__(self, **options: Any) -> None:
        """Make the node, unconfigured."""
        super().__init__(**options)
        self._unsettled: set[str] = {''}

    def exit_status(self) -> int | None:
        """Return 0 when all boats are settled."""
        return None if self._unsettled else 0

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters."""
        self._world, self._boats = self.parameters.text('world'), boats_of(self)
        self._steps = self.parameters.whole_number('steps_per_period')

    def activate(self, undo: ExitStack) -> None:
        """Wait for the world."""
        self._unsettled = set(self._boats)
        self._heard: set[str] = set()
        self._waited, self._since = 0.0, RETRY_TIME
        self._control = WorldControl(self, undo, self._world)
        for boat in self._boats:
            self.listen(undo, Odometry, f'{boat}/odom', partial(self._on_odometry, boat))
        self.every(undo, CHECK_PERIOD, self._check)

    def _on_odometry(self, boat: str, msg: Odometry) -> None:
        speed = math.hypot(msg.twist.twist.linear.x, msg.twist.twist.linear.y)
        (self._unsettled.discard if speed < self.parameters.number('fastest') else self._unsettled.add)(boat)
        self._heard.add(boat)
        if self._unsettled and len(self._heard) == len(self._boats):
            self._step()

    def _check(self) -> None:
        """Step when the bridge is ready, and again if no odometry came."""
        self._waited += CHECK_PERIOD
        self._since += CHECK_PERIOD
        absent = [what for boat in self._boats for what in self._control.absent(f'{boat}/odom')]
        if self._unsettled and not absent and self._since >= RETRY_TIME:
            self._step()
        if self._unsettled and self._waited > REMIND_PERIOD:
            waiting = sorted(set(absent)) or [f'odometry of {boat}' for boat in sorted(self._unsettled)]
            self.get_logger().warning(f'the world stands still; waiting for {", ".join(waiting)}',
                                      throttle_duration_sec=REMIND_PERIOD)

    def _step(self) -> None:
        self._heard.clear()
        self._since = 0.0
        self._control.step(self._steps)


if __name__ == '__main__':
    GazeboSettler.main()
