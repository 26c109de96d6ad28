"""
ArduPilot's JSON interface for simulators: servo pulses in, which are thrusts and angles; simulated motion out.

A boat that an external autopilot controls: each frame is one step; late, lost and repeated frames are counted.

Time is the autopilot's own (lockstep): a frame of rate f advances the boat by 1/f s, however late it comes. Between
frames, and after the last one, the boat keeps its last order, as in [H]. `hold` is the duration of silence, s of wall
time, after which its thrusters stop instead.
"""

import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Steer
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.parted_hull import Turn, vector_to_body, vector_to_earth
from usv_energy.powering.actuators import Setting
from usv_energy.sim.plants.plant import HullAttitude, Plant, hull_attitude
from usv_energy.sim.plants.step_limit import check_step
from usv_energy.sim.plants.supplied_plant import SuppliedPlant, plant_at_start
from usv_energy.sim.runner import PlantObserver, check_stable
from usv_energy.sim.scenario import Scenario
from usv_energy.thrusters.thruster import WHOLE_TURN, Azimuth

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
    return vector_to_earth(at.u, at.v, at.w, _turn(at.roll, at.pitch, at.yaw))


def _turn(roll: float, pitch: float, yaw: float) -> Turn:
    return Turn(math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw))


def _turned(at: HullAttitude, later: float) -> Vector:
    """Return roll, pitch and yaw some time later, rad; Fossen (2011), (2.28)."""
    s, c = math.sin(at.roll), math.cos(at.roll)
    turning = (at.q * s + at.r * c) / math.cos(at.pitch)
    return (at.roll + later * (at.p + turning * math.sin(at.pitch)), at.pitch + later * (at.q * c - at.r * s),
            at.yaw + later * turning)


NEUTRAL, REACH = 1500.0, 400.0      # us: no thrust, or amidships; distance to full deflection without a curve.
LEFT, RIGHT, THROTTLE, STEERING = 1, 3, 3, 1   # Channels of ArduPilot's Rover: skid-steered; with a rudder.
ANGLE = '.angle'                    # Suffix of an azimuth thruster's name for the channel of its angle.


class Servo(NamedTuple):
    """A channel, from 1; `least`, `largest`: angles at 1100 and 1900 us, rad, None for those of the boat file."""

    channel: int
    least: float = math.nan
    largest: float = math.nan


class ServoChannels:
    """The channels of a boat."""

    def __init__(self, boat: Boat, servos: Mapping[str, Servo] | Sequence[int] | None) -> None:
        """
        Assign a channel to each thruster and each part that turns.

        :param boat: The Boat.
        :param servos: By the names of thrusters, of foils that turn, and for the angles of azimuth thrusters
            `<name>.angle`; or channels in this order. None for those of an ArduPilot Rover, if the boat has a pair of
            fixed thrusters (1 and 3) or one thruster and a rudder (3 and 1).
        :raises InputError: If a part has no channel, or a channel no part.
        """
        self.boat = boat
        self.names = wanted_names(boat)
        given = _by_name(boat, self.names, servos)
        missing, unknown = [name for name in self.names if name not in given], sorted(given.keys() - set(self.names))
        usual = _rovers(self.names, boat) or range(1, len(self.names) + 1)
        example = ','.join(f'{name}={number}' for name, number in zip(self.names, usual))
        if missing or unknown:
            said = (f'{", ".join(missing)} has no channel' if missing
                    else f'{", ".join(unknown)} is nothing that a channel drives')
            raise InputError(f'{boat.path}: {said}; give one each for {", ".join(self.names)}, as --channels {example}')
        for name in boat.thruster_names:
            if not math.isnan(given[name].least):
                raise InputError(f'{boat.path}: {name} is a thrust and has no angles; give --channels {name}=CHANNEL')
        self._servos = dict(given)
        self._ranges = {name: _range(given[name], part) for name, part in _turning_parts(boat).items()}

    @property
    def largest(self) -> int:
        """The largest channel."""
        return max(servo.channel for servo in self._servos.values())

    def setting(self, pulses: Sequence[int]) -> Setting:
        """Return the commanded Setting for pulses, us; without a pulse (0) it is no thrust, or amidships."""
        boat, pulse = self.boat, {name: pulses[servo.channel - 1] for name, servo in self._servos.items()}

        def angle(name: str) -> float | None:
            return angle_of_pulse(pulse[name], *self._ranges[name]) if name in self._ranges else None

        return Setting(tuple(thrust_of_pulse(boat, number, pulse[name])
                             for number, name in enumerate(boat.thruster_names)),
                       tuple(angle(name + ANGLE) for name in boat.thruster_names),
                       tuple(angle(name) for name in boat.foil_names))


def wanted_names(boat: Boat) -> list[str]:
    """Return the names that need a channel: thrusters, angles of azimuth thrusters, foils that turn."""
    return [*boat.thruster_names, *_turning_parts(boat)]


def thrust_of_pulse(boat: Boat, number: int, pulse: int) -> float:
    """Return the thrust, N, of a boat's thruster with a given index at a pulse, us; by its curve if it has one."""
    thruster = boat.vessel.thrusters[number]
    if pulse == 0:
        return 0.0
    curve = boat.pulse_curves[number] if boat.pulse_curves else None
    if curve is not None:
        least, most = curve.limits
        return float(curve.thrust(min(max(float(pulse), least), most)))
    share = _share(pulse)
    return share * (thruster.max_thrust if share > 0.0 else -thruster.min_thrust)


def angle_of_pulse(pulse: int, least: float, largest: float) -> float:
    """
    Return the angle at a pulse, us, in rad: `least` at 1100, `largest` at 1900, 0 at 1500 if it is between them.

    ArduPilot's ground steering to starboard is above 1500. A rudder or thruster at the stern turns the boat to
    starboard at an angle above 0, counter-clockwise from the bow.
    """
    share = _share(pulse) if pulse else 0.0
    if least < 0.0 < largest:
        return share * (largest if share > 0.0 else -least)
    return least + 0.5 * (share + 1.0) * (largest - least)


def _share(pulse: int) -> float:
    return max(-1.0, min(1.0, (pulse - NEUTRAL) / REACH))


def _turning_parts(boat: Boat) -> dict[str, Azimuth | Steer]:
    vessel = boat.vessel
    turning: dict[str, Azimuth | Steer] = {
        name + ANGLE: thruster.azimuth for name, thruster in zip(boat.thruster_names, vessel.thrusters)
        if thruster.azimuth is not None}
    return turning | {name: foil.steer for name, foil in zip(boat.foil_names, vessel.foils) if foil.steer is not None}


def _range(servo: Servo, part: Azimuth | Steer) -> tuple[float, float]:
    if not math.isnan(servo.least):
        return servo.least, servo.largest
    if part.largest - part.least >= WHOLE_TURN:
        return -math.pi, math.pi
    return part.least, part.largest


def _by_name(boat: Boat, names: Sequence[str],
             servos: Mapping[str, Servo] | Sequence[int] | None) -> Mapping[str, Servo]:
    if isinstance(servos, Mapping):
        return servos
    if servos is None:
        servos = _rovers(names, boat)
    if len(servos) > len(names):
        raise InputError(f'{boat.path}: --channels has {len(servos)} channels; the boat needs {len(names)}, for '
                         f'{", ".join(names)}')
    return {name: Servo(channel) for name, channel in zip(names, servos)}


def _rovers(names: Sequence[str], boat: Boat) -> Sequence[int]:
    """Return the channels of an ArduPilot Rover with these parts; none if it has other parts."""
    return {(2, 2): (LEFT, RIGHT), (1, 2): (THROTTLE, STEERING)}.get((len(boat.thruster_names), len(names)), ())


SLOWEST, FASTEST = 10, 2000  # Hz, limits of the rate of an autopilot's loop.
LATE, BURST = 3.0, 0.05  # A frame is late after LATE periods and BURST s: frames of 1200 Hz come in bursts.


class Lateness(NamedTuple):
    """
    The timing of an autopilot's frames: received, repeated, lost, and `late` after LATE periods and BURST s; restarts.

    `longest`, `mean`: time between frames, s of wall time. `silent`: total duration of late frames, s. `held`:
    simulated time without new orders, s. `energy_before`, J, and `time_before`, simulated s: of the runs before it was
    restarted.
    """

    frames: int = 0
    doubled: int = 0
    lost: int = 0
    restarts: int = 0
    late: int = 0
    longest: float = 0.0
    mean: float = math.nan
    silent: float = 0.0
    held: float = 0.0
    energy_before: float = 0.0
    time_before: float = 0.0


class HilSession:
    """One boat and one autopilot; each call states the wall time of the event."""

    def __init__(self, scenario: Scenario, channels: ServoChannels, hold: float = math.inf) -> None:
        """
        Put the boat at the scenario's start.

        :param scenario: The Scenario.
        :param channels: Servo channels of the simulated boat.
        :param hold: Duration of silence, s of wall time, after which the thrusters stop.
        :raises InputError: If the scenario's step is too long.
        """
        check_step(scenario.step, scenario.plant, scenario.path, scenario.wind)
        self.scenario, self._channels, self._hold = scenario, channels, hold
        self.lateness = Lateness()
        self._count: int | None = None
        self._last_wall = math.nan
        self._begin()

    def _begin(self) -> None:
        one = self.scenario
        self.plant: Plant = plant_at_start(one.plant, one.boat, one.start, one.flow_at(), one.step, one.surroundings())
        self.observer = PlantObserver(one.boat, one.convention)
        self.observer.observe(self.plant)
        self._reported = ReportedMotion(self.plant)
        self._wanted = self.plant.setting
        self._remainder = 0.0

    def on_frame(self, frame: SitlFrame, wall: float) -> BoatMotion:
        """Advance by a frame that came at a wall time, s; return the motion of the boat."""
        seen = self.lateness
        if self._count is not None and frame.number == self._count:
            self.lateness = seen._replace(doubled=seen.doubled + 1)
            return self.motion()
        period = 1.0 / min(max(frame.rate, SLOWEST), FASTEST)
        if self._count is not None and frame.number < self._count:  # The autopilot was restarted; so is the boat.
            seen = seen._replace(restarts=seen.restarts + 1,
                                 energy_before=seen.energy_before + self.observer.energy.total,
                                 time_before=seen.time_before + self.plant.time)
            self._begin()
        elif self._count is not None:
            seen = seen._replace(lost=seen.lost + frame.number - self._count - 1)
        if math.isfinite(self._last_wall):
            waited = wall - self._last_wall
            is_late = waited > max(LATE * period, BURST)
            count = seen.frames
            mean = waited if count <= 1 or not math.isfinite(seen.mean) else seen.mean + (waited - seen.mean) / count
            seen = seen._replace(late=seen.late + is_late, longest=max(seen.longest, waited), mean=mean,
                                 silent=seen.silent + (waited if is_late else 0.0))
        self.lateness = seen._replace(frames=seen.frames + 1)
        self._count, self._last_wall = frame.number, wall
        self._wanted = self._channels.setting(frame.pulses)
        self._advance(period)
        return self.motion()

    def on_silence(self, wall: float, duration: float) -> bool:
        """
        Advance by a duration, s, without a frame and with the last order; return whether the thrusters still follow it.

        :param wall: Wall time now, s.
        """
        alive = not math.isfinite(self._last_wall) or wall - self._last_wall <= self._hold
        if not alive:
            self._wanted = self._wanted._replace(commands=(0.0,) * len(self._wanted.commands))
        self.lateness = self.lateness._replace(held=self.lateness.held + duration)
        self._advance(duration)
        return alive

    def motion(self) -> BoatMotion:
        """Return the present motion of the boat."""
        battery = self.scenario.boat.battery
        voltage = (self.plant.supply.voltage if isinstance(self.plant, SuppliedPlant)
                   else battery.nominal_voltage if battery is not None else math.nan)
        return self._reported.motion(max(0.0, self._remainder), self.observer.last.power.total, voltage)

    def _advance(self, duration: float) -> None:
        """Advance the plant by whole steps; the remainder is added to the next call."""
        self._remainder += duration
        steps = math.floor(self._remainder / self.plant.step + 1e-9)
        for _ in range(steps):
            self.plant.advance(self._wanted)
        self._remainder -= steps * self.plant.step
        if steps:
            check_stable(self.plant, self.scenario.plant, self.scenario.path)
            self.observer.observe(self.plant)
            self._reported.update()
