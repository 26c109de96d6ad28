"""The bond of an active node with the lifecycle manager that activated it, which notices when its process dies."""

from contextlib import ExitStack, suppress
from typing import Any

from rclpy.duration import Duration
from rclpy.exceptions import InvalidHandle
from rclpy.node import Node

BOND_TOPIC = 'bond'
# The manager watches the node; the node does not watch the manager (as the nodes of nav2: their timeout is disabled).
NEVER = 1e7
# How long the manager has to take the news, s of wall time.
LAST_WORD = 0.5


def hold_bond(node: Node, undo: ExitStack, period: float) -> bool:
    """
    Hold a bond until undone, where bondpy is installed; return whether it is.

    As the nodes of nav2 do: on the topic `bond` in the node's namespace, its name is the node's.

    :param period: Of the heartbeats, s.
    """
    try:
        from bondpy.bondpy import Bond
    except ImportError:
        return False
    bond = Bond(node, BOND_TOPIC, node.get_name())
    bond.heartbeat_period = period
    bond.heartbeat_timeout = NEVER
    bond.start()
    undo.callback(_end, node, bond)
    return True


def _end(node: Node, bond: Any) -> None:
    """Break a bond, which tells its other side, and take its topic from the node, which bondpy leaves there."""
    if not bond.is_broken():
        bond.break_bond()
        # A process that ends now takes with it what its manager has not got yet.
        bond.pub.wait_for_all_acked(Duration(seconds=LAST_WORD))
    bond.shutdown()
    for destroy, entity in ((node.destroy_subscription, bond.sub), (node.destroy_publisher, bond.pub)):
        with suppress(InvalidHandle):
            destroy(entity)
