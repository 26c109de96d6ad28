"""ArduPilot's JSON interface for simulators: servo pulses in, and the simulated motion out."""

import json
import math
import struct
from typing import NamedTuple

from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.parted_hull import Turn, vector_to_body, vector_to_earth
from usv_energy.sim.plants.hull_attitude import HullAttitude, hull_attitude
from usv_energy.sim.plants.plant import Plant

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


Vector = tuple[float, float, float]


class ToldMotion:
    """
    The motion of a Plant for an autopilot whose frames need not come with the plant's steps.

    Acceleration is the mean since the last look, so that its integral is the velocity that is told. Between steps the
    boat goes on with it: place, velocity and attitude are off by less than what it changes within a step.
    """

    def __init__(self, plant: Plant) -> None:
        """Begin with a plant at rest."""
        self._plant = plant
        self._time, self._acceleration = plant.time, (0.0, 0.0, 0.0)
        self._now = attitude_of(plant)
        self._velocity = _earth_velocity(self._now)

    def look(self) -> None:
        """Take note of the plant after a step, or some."""
        self._now = attitude_of(self._plant)
        velocity, passed = _earth_velocity(self._now), self._plant.time - self._time
        if passed > 0.0:
            x, y, z = ((new - old) / passed for new, old in zip(velocity, self._velocity))
            self._acceleration = x, y, z
        self._time, self._velocity = self._plant.time, velocity

    def motion(self, later: float, power: float, voltage: float) -> BoatMotion:
        """
        Return what the boat does.

        :param later: Than the plant, s; less than a step of it.
        :param power: That the boat draws, W; NaN where unknown.
        :param voltage: Of its battery, V; NaN likewise.
        """
        at = self._now
        x, y, z = (place + later * (speed + 0.5 * later * rate) for place, speed, rate in
                   zip((at.x, at.y, at.z), self._velocity, self._acceleration))
        u, v, w = (speed + later * rate for speed, rate in zip(self._velocity, self._acceleration))
        roll, pitch, yaw = _turned(at, later)
        turn = _turn(roll, pitch, yaw)
        return BoatMotion(self._time + later, (x, y, z), (roll, pitch, yaw), vector_to_body(u, v, w, turn),
                          (at.p, at.q, at.r), vector_to_body(*self._acceleration, turn), power, voltage)


def attitude_of(plant: Plant) -> HullAttitude:
    """Return the HullAttitude of a Plant; one that moves in the plane lies level in it."""
    found = hull_attitude(plant)
    if found is not None:
        return found
    (u, v, r), state = plant.velocity_over_ground(), plant.state
    return HullAttitude(state.x, state.y, 0.0, 0.0, 0.0, float(wrap_angle(state.yaw)), u, v, 0.0, 0.0, 0.0, r)


def _earth_velocity(at: HullAttitude) -> Vector:
    found: Vector = vector_to_earth(at.u, at.v, at.w, _turn(at.roll, at.pitch, at.yaw))
    return found


def _turn(roll: float, pitch: float, yaw: float) -> Turn:
    return Turn(math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw))


def _turned(at: HullAttitude, later: float) -> Vector:
    """Return roll, pitch and yaw some time later, rad; Fossen (2011), (2.28)."""
    s, c = math.sin(at.roll), math.cos(at.roll)
    turning = (at.q * s + at.r * c) / math.cos(at.pitch)
    return (at.roll + later * (at.p + turning * math.sin(at.pitch)), at.pitch + later * (at.q * c - at.r * s),
            at.yaw + later * turning)
