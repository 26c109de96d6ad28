"""
The DDS of the tests' own process: its participants talk by UDP on this machine, as processes of their own would.

Two faults of Fast DDS 2.14.5, which Jazzy has, do not become those of a test so:

- A process that is killed while it holds the lock of a port in shared memory has the others make that port anew, and
  one that closes its end meanwhile crashes: `SharedMemChannelResource::release` locks what `Listener::regenerate_port`
  unmaps. A process of ours is ending by then; that of the tests goes on.
- Two participants of one process tell each other of their endpoints by a short cut. On a busy machine, in one of some
  200 starts, one did not hear of the other's subscriptions so, for minutes.
"""

import contextlib
import functools
import os
from pathlib import Path

import rclpy

PROFILE = Path(__file__).with_name('loopback.xml')


def init(context=None):
    """Have rclpy up in this process; processes that it starts have the DDS that users have."""
    if not rclpy.get_rmw_implementation_identifier().startswith('rmw_fastrtps'):
        rclpy.init(args=[], context=context)
        return
    load_profile()
    # Any other range has rmw_fastrtps set transports of its own, shared memory among them.
    with environment('ROS_AUTOMATIC_DISCOVERY_RANGE', 'SYSTEM_DEFAULT'):
        rclpy.init(args=[], context=context)


@functools.cache
def load_profile():
    """Have Fast DDS read the profile, which it does once, with the first participant of a process."""
    context = rclpy.Context()
    with environment('FASTRTPS_DEFAULT_PROFILES_FILE', str(PROFILE)):
        rclpy.init(args=[], context=context)
        rclpy.create_node('first', context=context).destroy_node()
    context.shutdown()


@contextlib.contextmanager
def environment(name, value):
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
