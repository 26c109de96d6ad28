"""The pose of an odometry as a transform on /tf, for RViz and all else that goes by TF."""

from contextlib import ExitStack

from nav_msgs.msg import Odometry

from . import convert
from .lifecycle import ManagedNode

TOPIC = '/tf'


class TransformBroadcaster:
    """
    Sends the transform of each odometry once, while somebody listens.

    Where tf2_msgs is not installed (the private environment of ./run) it sends nothing. tf2_ros is not needed for it.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack) -> None:
        """Advertise until undone; for `configure`."""
        self._stamp = -1
        try:
            from tf2_msgs.msg import TFMessage
        except ImportError:
            self._publisher = None
            node.get_logger().debug('no transform on /tf: tf2_msgs is not installed')
            return
        self._message = TFMessage
        self._publisher = node.advertise(undo, TFMessage, TOPIC)

    def send(self, odometry: Odometry) -> None:
        """Send the transform of an odometry; one of the same stamp was sent already: tf2 complains of a second one."""
        stamp = convert.nanoseconds(odometry.header.stamp)
        if self._publisher is None or stamp == self._stamp or not self._publisher.wanted:
            return
        self._stamp = stamp
        self._publisher.publish(self._message(transforms=[convert.transform_to_msg(odometry)]))
