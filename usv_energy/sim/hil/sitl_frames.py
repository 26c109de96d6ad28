"""
ArduPilot's JSON interface for simulators: what it sends (servo pulses) and what it wants to hear (motion, NED/FRD).

Source of the formats: github.com/ArduPilot/ardupilot, libraries/SITL/examples/JSON/readme.md.
"""

import json
import math
import struct
from typing import NamedTuple

from ...physics.parted_hull import Turn, vector_to_body, vector_to_earth

GRAVITY = 9.80665
# The magic number by the number of pulses: little-endian uint16 magic, rate; uint32 count; uint16 pulses.
MAGIC = {18458: 16, 29569: 32}


class SitlFrame(NamedTuple):
    """What an autopilot orders: the rate of its loop, Hz; the number of the frame; pulses, us, a channel."""

    rate: int
    number: int
    pulses: tuple[int, ...]


class BoatMotion(NamedTuple):
    """
    What a boat does, in our frames: time, s; place, m (ENU); roll, pitch, yaw, rad; velocity over ground, rates, FLU.

    `acceleration`: of its velocity over ground, earth's, in body axes (FLU), m/s^2. `power`, W, `voltage`, V: NaN where
    unknown.
    """

    time: float
    place: tuple[float, float, float]
    attitude: tuple[float, float, float]
    velocity: tuple[float, float, float]
    rates: tuple[float, float, float]
    acceleration: tuple[float, float, float]
    power: float = math.nan
    voltage: float = math.nan


def decoded(packet: bytes) -> SitlFrame | None:
    """Return the frame in a packet; None where it is not one of ArduPilot's."""
    if len(packet) < struct.calcsize('<H'):
        return None
    number = MAGIC.get(struct.unpack_from('<H', packet)[0])
    if number is None or len(packet) != struct.calcsize(f'<HHI{number}H'):
        return None
    _, rate, count, *pulses = struct.unpack(f'<HHI{number}H', packet)
    return SitlFrame(rate, count, tuple(pulses))


def encoded(frame: SitlFrame) -> bytes:
    """Return the packet of a frame: what an autopilot sends."""
    magic = next(magic for magic, number in MAGIC.items() if number == len(frame.pulses))
    return struct.pack(f'<HHI{len(frame.pulses)}H', magic, frame.rate, frame.number, *frame.pulses)


def reply(motion: BoatMotion) -> bytes:
    """
    Return the answer to a frame: one line of JSON.

    Place and velocity north, east, down; angles of the body's forward, right, down axes; what the accelerometers feel,
    which at rest is gravity upward.
    """
    x, y, z = motion.place
    roll, pitch, yaw = motion.attitude
    p, q, r = motion.rates
    turn = Turn(math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw))
    east, north, up = vector_to_earth(*motion.velocity, turn)
    ahead, port, top = (rate + weight for rate, weight in
                        zip(motion.acceleration, vector_to_body(0.0, 0.0, GRAVITY, turn)))
    heading = math.remainder(0.5 * math.pi - yaw, math.tau)
    told = {'timestamp': motion.time,
            'imu': {'gyro': [p, -q, -r], 'accel_body': [ahead, -port, -top]},
            'position': [y, x, -z], 'attitude': [roll, -pitch, heading], 'velocity': [north, east, -up]}
    if math.isfinite(motion.power) and math.isfinite(motion.voltage) and motion.voltage > 0.0:
        told['battery'] = {'voltage': motion.voltage, 'current': motion.power / motion.voltage}
    # Without blanks: ArduPilot looks for '[' right behind '"gyro":'. The line begins and ends with a newline: what came
    # before it, broken off, is then skipped.
    return b'\n' + json.dumps(told, separators=(',', ':')).encode() + b'\n'
