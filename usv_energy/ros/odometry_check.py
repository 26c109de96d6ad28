"""What can be wrong with odometry, in words for the one who publishes it."""

import math
from typing import Any

from nav_msgs.msg import Odometry

from . import convert

# Simulators may send an odometry twice, and drivers may give two measurements one stamp; clocks that stand give many.
STANDING = 10


def fault_of_values(msg: Odometry) -> str:
    """Return which of the values used is NaN, infinite or not given at all; empty if none is."""
    pose, twist, turn = msg.pose.pose, msg.twist.twist, msg.pose.pose.orientation
    values = {'position.x': pose.position.x, 'position.y': pose.position.y,
              **{f'orientation.{axis}': getattr(turn, axis) for axis in 'xyzw'},
              'twist.linear.x': twist.linear.x, 'twist.linear.y': twist.linear.y, 'twist.angular.z': twist.angular.z}
    broken = [f'{name} is {value}' for name, value in values.items() if not math.isfinite(value)]
    if not broken and math.isnan(convert.pose_of_odometry(msg)[2]):
        return f'orientation is ({turn.x:g}, {turn.y:g}, {turn.z:g}, {turn.w:g}), which is none'
    return ', '.join(broken)


def has_no_orientation(msg: Odometry) -> bool:
    """Return whether the orientation is (0, 0, 0, 0): its publisher gives none."""
    turn = msg.pose.pose.orientation
    return not (turn.x or turn.y or turn.z or turn.w)


class StandingStamp:
    """Counts odometry that moves while its stamp stands still: nothing can be integrated over it."""

    def __init__(self) -> None:
        """Begin with no odometry."""
        self._last: Any = None
        self._stamp = -1
        self._count = 0

    def fault_of(self, msg: Odometry) -> str:
        """Return what is wrong with the stamps up to this message; empty while nothing is."""
        stamp = convert.nanoseconds(msg.header.stamp)
        if stamp != self._stamp:
            self._stamp, self._count, self._last = stamp, 1, msg
            return ''
        if (msg.pose.pose, msg.twist.twist) == (self._last.pose.pose, self._last.twist.twist):
            return ''
        self._last = msg
        self._count += 1
        if self._count < STANDING:
            return ''
        of = 'zero, as of a publisher that sets none' if stamp == 0 else f'{stamp / convert.NANOSECONDS:.9f} s'
        return (f'{self._count} messages that differ have one stamp, {of}: '
                'without a time that goes on there is no acceleration and no energy')
