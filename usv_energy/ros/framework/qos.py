"""The QoS profiles of the graph."""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

# Samples that are integrated, so that none may be lost. The depth covers a reader that blocks for 2 s at 500 Hz.
STREAM = QoSProfile(reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.VOLATILE,
                    history=HistoryPolicy.KEEP_LAST, depth=1000)

# Readings of sensors, from reliable and best-effort publishers. After a lost message the next one gives the state.
SENSOR = QoSProfile(reliability=ReliabilityPolicy.BEST_EFFORT, durability=DurabilityPolicy.VOLATILE,
                    history=HistoryPolicy.KEEP_LAST, depth=1000)

# States that change seldom: a late reader gets the last message.
LATCHED = QoSProfile(reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL,
                     history=HistoryPolicy.KEEP_LAST, depth=1)

# A stream with late readers. They get the last hundred messages: few enough that the first is recent enough for
# `ros2 topic echo --once`, and enough that a reader that blocks for 2 s at 50 Hz loses none. Ten were too few: on a
# busy machine one run in three, at a free pace, lacked some energies in its bag.
LATCHED_STREAM = QoSProfile(reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL,
                            history=HistoryPolicy.KEEP_LAST, depth=100)

# What comes seldom, with late readers: legs. A reader keeps ten, so that long texts of strangers fill no memory.
LATCHED_FEW = QoSProfile(reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL,
                         history=HistoryPolicy.KEEP_LAST, depth=10)
