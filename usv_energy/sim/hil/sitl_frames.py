"""ArduPilot's JSON interface for simulators: servo pulses in, simulated motion out."""

import json
import math
import struct
from typing import NamedTuple

from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.parted_hull import Turn, vector_to_body, vector_to_earth
from usv_energy.sim.plants.hull_attitude import HullAttitude, hull_attitude
from usv_energy.sim.plants.plant import Plant

GRAVITY = 9.80665
# Magic number for each number of pulses. A frame is little-endian: uint16 magic, rate; uint32 count; uint16 pulses.
MAGIC = {18458: 16, 29569: 32}


class SitlFrame(NamedTuple):
    """The order of an autopilot: rate of its loop, Hz; number of the frame; pulse of each channel, us."""

    rate: int
    number: int
    pulses: tuple[int, ...]


class BoatMotion(NamedTuple):
    """
    The motion of a boat: time s; position m (ENU); roll, pitch, yaw, rad; velocity over ground and rates in FLU.

    `acceleration`: of the velocity over ground in the earth frame, expressed in body axes (FLU), m/s^2. `power`, W,
    `voltage`, V: NaN if not known.
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
    """Return the frame in a packet; None if it is not one of ArduPilot's."""
    if len(packet) < struct.calcsize('<H'):
        return None
    number = MAGIC.get(struct.unpack_from('<H', packet)[0])
    if number is None or len(packet) != struct.calcsize(f'<HHI{number}H'):
        return None
    _, rate, count, *pulses = struct.unpack(f'<HHI{number}H', packet)
    return SitlFrame(rate, count, tuple(pulses))


def encoded(frame: SitlFrame) -> bytes:
    """Return the packet of a frame, as an autopilot sends it."""
    magic = next(magic for magic, number in MAGIC.items() if number == len(frame.pulses))
    return struct.pack(f'<HHI{len(frame.pulses)}H', magic, frame.rate, frame.number, *frame.pulses)


def reply(motion: BoatMotion) -> bytes:
    """
    Return the answer to a frame: one line of JSON.

    Position and velocity are north, east, down; angles are those of the forward, right, down axes. The acceleration is
    what accelerometers measure, which at rest is gravity upward.
    """
    x, y, z = motion.place
    roll, pitch, yaw = motion.attitude
    p, q, r = motion.rates
    turn = Turn(math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw))
    east, north, up = vector_to_earth(*motion.velocity, turn)
    ahead, port, top = (rate + weight for rate, weight in
                        zip(motion.acceleration, vector_to_body(0.0, 0.0, GRAVITY, turn)))
    heading = math.remainder(0.5 * math.pi - yaw, math.tau)
    values = {'timestamp': motion.time,
            'imu': {'gyro': [p, -q, -r], 'accel_body': [ahead, -port, -top]},
            'position': [y, x, -z], 'attitude': [roll, -pitch, heading], 'velocity': [north, east, -up]}
    if math.isfinite(motion.power) and math.isfinite(motion.voltage) and motion.voltage > 0.0:
        values['battery'] = {'voltage': motion.voltage, 'current': motion.power / motion.voltage}
    # No blanks, because ArduPilot expects '[' directly after '"gyro":'. The line begins and ends with a newline, so
    # that an incomplete line before it is skipped.
    return b'\n' + json.dumps(values, separators=(',', ':')).encode() + b'\n'


Vector = tuple[float, float, float]


class ReportedMotion:
    """
    The motion of a Plant for an autopilot whose frames do not coincide with the plant's steps.

    The acceleration is the mean since the last `update`, so its integral is the reported velocity. Between steps the
    motion is extrapolated; position, velocity and attitude have an error of less than their change within a step.
    """

    def __init__(self, plant: Plant) -> None:
        """Begin with a plant at rest."""
        self._plant = plant
        self._time, self._acceleration = plant.time, (0.0, 0.0, 0.0)
        self._now = attitude_of(plant)
        self._velocity = _earth_velocity(self._now)

    def update(self) -> None:
        """Read the plant after one or more steps."""
        self._now = attitude_of(self._plant)
        velocity, passed = _earth_velocity(self._now), self._plant.time - self._time
        if passed > 0.0:
            x, y, z = ((new - old) / passed for new, old in zip(velocity, self._velocity))
            self._acceleration = x, y, z
        self._time, self._velocity = self._plant.time, velocity

    def motion(self, later: float, power: float, voltage: float) -> BoatMotion:
        """
        Return the motion of the boat.

        :param later: Time since the plant's last step, s; less than a step.
        :param power: Power of the boat, W; NaN if not known.
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
    """Return the HullAttitude of a Plant; that of a planar boat is level."""
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
