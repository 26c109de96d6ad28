"""The qualities of service of the graph."""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

# Every sample counts in an integral: reliable, with room for a reader that stands still for 2 s at 500 Hz.
STREAM = QoSProfile(reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.VOLATILE,
                    history=HistoryPolicy.KEEP_LAST, depth=1000)

# Of a sensor: heard from any publisher, reliable or not. A state that is lost is told again by the next.
SENSOR = QoSProfile(reliability=ReliabilityPolicy.BEST_EFFORT, durability=DurabilityPolicy.VOLATILE,
                    history=HistoryPolicy.KEEP_LAST, depth=1000)

# The last word stays: a reader that comes late still gets it.
LATCHED = QoSProfile(reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL,
                     history=HistoryPolicy.KEEP_LAST, depth=1)

# A stream whose last word stays. A late reader gets the last hundred, so few that the first of them is still true
# enough for `ros2 topic echo --once`; a reader that stands still for 2 s at 50 Hz loses none. (Ten are too few: on a
# busy machine one free run in three lacked some energies in its bag.)
LATCHED_STREAM = QoSProfile(reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL,
                            history=HistoryPolicy.KEEP_LAST, depth=100)
