"""What topics of a graph in other processes tell, kept."""

import contextlib
import threading

import rclpy
from rclpy.executors import SingleThreadedExecutor

QUEUE = 1000  # Reliable: who adds up what is said may miss nothing.


@contextlib.contextmanager
def listening(**topics):
    """Have a list of messages by name for each (type, topic), filled by a thread."""
    rclpy.init(args=[])
    node, executor, over = rclpy.create_node('listener'), SingleThreadedExecutor(), threading.Event()
    heard = {name: [] for name in topics}
    for name, (kind, topic) in topics.items():
        node.create_subscription(kind, topic, heard[name].append, QUEUE)
    executor.add_node(node)

    def spin():
        while not over.is_set():
            executor.spin_once(0.1)

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield heard
    finally:
        over.set()
        thread.join()
        node.destroy_node()
        rclpy.shutdown()
