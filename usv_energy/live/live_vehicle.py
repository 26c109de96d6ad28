"""
One vehicle on a link: its messages as motion, outputs, battery readings, wind, parameters, home and mode.

The thrusts that an autopilot's outputs ask for, at the times of a boat's states.
"""

import math
import struct
from collections import Counter, deque
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.earth import LocalPlane, Place, is_place, towards_of
from usv_energy.live.link import Heard
from usv_energy.live.same_id import LONGEST_ALONE, Mark, SameId, Values, VehicleClock, Whose
from usv_energy.logs.autopilots.dataflash import ThrottleChannel, throttle_channels
from usv_energy.logs.autopilots.telemetry import FIRST_PORT, NO_AUTOPILOT, NO_FIX, PX4, UNKNOWN_CELL
from usv_energy.logs.autopilots.vehicle import Vehicle, vehicle_of_messages
from usv_energy.logs.log import Note
from usv_energy.logs.motion.fixed_lag import Smoothed
from usv_energy.logs.motion.sensor_stream import SensorStream
from usv_energy.logs.thruster_readings import pulse_on_curve
from usv_energy.physics.motion import Relative
from usv_energy.powering.measured_power import MeasuredActuators
from usv_energy.sim.plants.step_limit import top_speed_bound
from usv_energy.studies.analyze.battery.battery_readings import Reading
from usv_energy.studies.plan.home_guard import MeanWind
from usv_energy.thrusters.drive import limited_command, thrust_under_way

KEPT = 512        # Commands that wait for the states of their time.
OLDEST = 1.0      # s: an older command is none.


class ThrustCommands:
    """
    Takes the pulses of outputs, and gives the thrusts of the thrusters by the boat's file.

    Like `analyze` it knows the left and the right throttle of a boat whose file says the thrust over the pulse of both;
    of any other boat it gives nothing, and the thrusts are then the cheapest for the motion. `notes`: what is assumed.
    """

    def __init__(self, boat: Boat) -> None:
        """Begin without a pulse."""
        self._boat = boat
        curves = [curve for curve in boat.pulse_curves if curve is not None]
        plain = all(thruster.azimuth is None for thruster in boat.vessel.thrusters)
        self._curves = curves if len(curves) == len(boat.thruster_names) == 2 and plain else []
        self.notes: list[Note] = []
        self._channels: list[ThrottleChannel] | None = None
        self._commands: deque[tuple[float, tuple[float, ...]]] = deque(maxlen=KEPT)
        self._given: tuple[float, ...] | None = None
        self._time = math.nan

    def know(self, parameters: Mapping[str, float]) -> None:
        """Take the parameters of the autopilot, by their names; without any the usual channels are assumed."""
        self.notes = []
        found = throttle_channels(parameters, self.notes)
        names = self._boat.thruster_names
        self._channels = sorted(found, key=lambda one: names.index(one.name)) if {
            one.name for one in found} == set(names) else found

    def add(self, time: float, pulses: Mapping[int, float]) -> None:
        """Add the pulses of the outputs, us, by their numbers from 1 on, at a time, s; 0: there was none."""
        if not self._curves or not self._channels or (self._commands and time < self._commands[-1][0]):
            return
        thrusts = []
        for one, curve in zip(self._channels, self._curves):
            pulse = pulses.get(one.channel, 0.0)
            command = 2.0 * one.neutral - pulse if one.mirrored else pulse
            thrusts.append(curve.thrust(pulse_on_curve(command, one.neutral, one.mirrored, curve))
                           if pulse > 0.0 and command > 0.0 else math.nan)
        meaning = self._boat.log_meaning
        if meaning is not None and meaning.of_pulses:
            thrusts = meaning.thrusts(np.array([thrusts]))[0].tolist()
        self._commands.append((time, tuple(thrusts)))

    def at(self, time: float, relative: Relative) -> MeasuredActuators | None:
        """
        Return the thrusts at a time, s, at a Relative; None where no command is known. Times must rise.

        A command holds until the next; a thruster with a lag follows it.
        """
        while len(self._commands) > 1 and self._commands[1][0] <= time:
            self._commands.popleft()
        if not self._commands or not 0.0 <= time - self._commands[0][0] <= OLDEST:
            self._given = None
            return None
        wanted, thrusters = self._commands[0][1], self._boat.vessel.thrusters
        if self._given is not None and time > self._time:
            kept = [math.exp((self._time - time) / one.lag) if one.lag else 0.0 for one in thrusters]
            wanted = tuple(now + (before - now) * left if before == before else now
                           for now, before, left in zip(wanted, self._given, kept))
        self._given, self._time = wanted, time
        thrusts = tuple(float(thrust_under_way(limited_command(one, thruster), None, thruster, relative))
                        for one, thruster in zip(wanted, thrusters))
        return MeasuredActuators(thrusts, (None,) * len(thrusts),
                                 tuple(None if foil.steer is None else math.nan for foil in self._boat.vessel.foils))


LAG = 2.0             # s between a measurement and the state of then.
FRESH = 3.0           # s: older messages of a better source do not keep those of a worse one out,
LEAST_FIXES = 4       # in a row by which an estimator is silent: after a stall of the link one comes early.
VELOCITY_FRESH = 0.5  # s: and of velocities, of which LOCAL_POSITION_NED has the finer ones, but often at 1 Hz.
PLACE, FIX = 'GLOBAL_POSITION_INT', 'GPS_RAW_INT'
LOCAL, LOCAL_ONLY = 'LOCAL_POSITION_NED', 2.0  # s of it without a position on the Earth: there is none.
ORIGIN = 0.0, 0.0     # degrees: where the places of a boat are laid that says no position on the Earth.
SILENCE = 2.0         # s without a position after which states that wait for later ones are given out.
LATEST_READING = 5.0  # s: an older reading of one of several batteries does not count.
MOST_KNOWN = 4096     # messages, of the last some ten seconds, of which a copy is known again.
MOST_TEXTS = 50       # of the beginning, which may name the firmware.
ARMED = 128           # MAV_MODE_FLAG_SAFETY_ARMED
UNKNOWN_CURRENT = -1  # 1e-2 A
UNKNOWN_TEMPERATURE = 32_767  # 1e-2 degC
FASTEST_WIND = 100.0  # m/s: a faster one is none.
PLACE_OFF, FIX_OFF, YAW_OFF = 3.0, 10.0, 0.35  # m, m, rad: what is farther from where the last one led is no noise.
NUMBERS = {           # of messages, which are left out if one of them is not finite
    'ATTITUDE': ('yaw', 'yawspeed'), LOCAL: ('x', 'y', 'vx', 'vy'), 'WIND': ('direction', 'speed'),
    'WIND_COV': ('wind_x', 'wind_y')}
REAL = 9              # MAV_PARAM_TYPE_REAL32


class Wind(NamedTuple):
    """The wind that a vehicle says: when, s, and the direction that it blows to, m/s along east and north."""

    time: float
    east: float
    north: float


class Mode(NamedTuple):
    """The mode of a vehicle: custom_mode of its heartbeat, and whether it is armed."""

    number: int
    armed: bool


class LiveVehicle:
    """
    Takes the messages of one vehicle, and gives the states of its motion one LAG later.

    `clock`; `commands`: of its thrusters; `types`, `autopilot`, `texts`, `parameters`, `mode`, `home`, `wind`,
    `mean_wind`, `is_local`: whether its places are from its own origin, since it says none on the Earth;
    `reading` of all batteries together (None before the first), `mission_item` that it goes to: what it said last.
    """

    def __init__(self, boat: Boat) -> None:
        """Begin without a message; `boat`: whose file says what pulses and headings mean."""
        self._boat = boat
        self.clock = VehicleClock(top_speed_bound(boat.vessel) if boat.vessel.thrusters else 0.0)
        self.same_id = SameId(self.clock)
        self.commands = ThrustCommands(boat)
        self.types: Counter[int] = Counter()
        self.autopilot = NO_AUTOPILOT
        self.texts: list[str] = []
        self.parameters: dict[str, float] = {}
        self.mode = Mode(-1, False)
        self.home: Place | None = None
        self.wind: Wind | None = None
        self.mean_wind = MeanWind()
        self.reading: Reading | None = None
        self.mission_item = -1
        self.plane: LocalPlane | None = None
        self.is_local = False
        self._early: list[tuple[str, Any, float]] = []  # What came before the first position, of FRESH at most.
        self.moved = math.nan      # Time of the latest position, s.
        self._stream: SensorStream | None = None
        self._batteries: dict[int, Reading] = {}
        self._of_velocity = self._of_estimator = self._of_battery = -math.inf
        self._fixes = 0            # Without a message of the estimator between them.
        self._pending = False      # Whether states wait in the stream.
        self._near: LocalPlane | None = None  # About the first place that any message said.
        self._undecided: list[tuple[str, Any, float, Whose]] = []  # Since the first one whose values do not go on.
        self.stood_alone = 0       # Messages whose values no other led to, and which led to none.
        self.not_finite = 0        # Messages with a number that is none.
        self.copies = 0            # Of messages, that came by another way.
        self._known: dict[tuple[str, int, int, int], None] = {}  # The last ones by stamp, number and checksum.
        self._takers = {
            'HEARTBEAT': self._on_heartbeat, 'SERVO_OUTPUT_RAW': self._on_outputs, 'SYS_STATUS': self._on_system,
            'BATTERY_STATUS': self._on_battery, 'WIND': self._on_wind, 'WIND_COV': self._on_wind_estimate,
            'PARAM_VALUE': self._on_parameter, 'STATUSTEXT': self._on_text, 'HOME_POSITION': self._on_home,
            'MISSION_CURRENT': self._on_mission_item}
        self._movers = {'ATTITUDE': self._on_attitude, PLACE: self._on_position,
                        LOCAL: self._on_local, FIX: self._on_fix}

    @property
    def vehicle(self) -> Vehicle | None:
        """What it is; None where it has not said so."""
        return vehicle_of_messages(self.types, self.texts, self.parameters)

    @property
    def is_px4(self) -> bool:
        """Whether its autopilot is PX4, whose modes, outputs and parameters are others than ArduPilot's."""
        return self.autopilot == PX4

    def ordered_speed(self, *names: str) -> float | None:
        """Return the first speed over ground, m/s, that one of some parameters sets; None where none does."""
        return next((value for name in names if (value := self.parameters.get(name, 0.0)) > 0.0), None)

    @property
    def counts(self) -> dict[str, int]:
        """How often what was left out, in words; without zeros."""
        late = 0 if self._stream is None else self._stream.late
        taken = {} if self._stream is None else dict(self._stream.counts)
        both = {'messages out of order': late, 'messages too late, or of another clock': self.clock.foreign,
                'messages of a second vehicle': self.same_id.left_out,
                'places or headings that stood alone': self.stood_alone,
                'messages with a number that is none': self.not_finite,
                'copies of messages': self.copies,
                'restarts of the autopilot': self.clock.restarts, **taken}
        return {words: number for words, number in both.items() if number}

    def new_faults(self) -> list[str]:
        """Return what the gates took out since the last call, in words."""
        return [] if self._stream is None else self._stream.new_faults()

    def take(self, heard: Heard) -> list[Smoothed] | None:
        """
        Take a message, and return the states that are due; each has its time, s, as its token.

        None for a message that is of a second vehicle with the same system id, or may be, or that was heard before.
        """
        kind, message, received = heard.kind, heard.message, heard.received
        if self._is_copy(kind, message):
            self.copies += 1
            return None
        mark = Mark(heard.source, message.get_seq())
        if kind in self._movers:
            return self._take_motion(kind, message, received, mark)
        if not self.same_id.is_own(mark, received):
            return None
        if not self._is_finite(kind, message):
            return []
        if kind in self._takers:
            self._takers[kind](message, self.clock.about(received))
        return []

    def _is_copy(self, kind: str, message: Any) -> bool:
        """Return whether a message with a stamp was heard before, as where the vehicle is heard by two ways."""
        stamp = getattr(message, 'time_boot_ms', 0) or getattr(message, 'time_usec', 0)
        key = kind, stamp, message.get_seq(), message.get_crc()
        if not stamp or key in self._known:
            return bool(stamp)
        self._known[key] = None
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return False

    def _is_finite(self, kind: str, message: Any) -> bool:
        """Return whether the numbers of a message are; one that is not is counted."""
        found = all(math.isfinite(getattr(message, name)) for name in NUMBERS.get(kind, ()))
        self.not_finite += not found
        return found

    def _take_motion(self, kind: str, message: Any, received: float, mark: Mark) -> list[Smoothed] | None:
        """Take a message of the motion, as `take`."""
        is_finite = self._is_finite(kind, message)
        boot, time = getattr(message, 'time_boot_ms', None), self.clock.about(received)
        if boot is not None:
            restarts = self.clock.restarts
            time = self.clock.sent(1e-3 * boot, received, self._away(kind, message))
            if not math.isfinite(time):
                self.same_id.of_other_clock(mark)
                return None
            mark = mark._replace(delay=received - time)
            if self.clock.restarts > restarts:
                self.same_id.begin_anew()
        elif not math.isfinite(time):
            return []
        values = self._values(kind, message, time, received, mark) if is_finite else None
        whose = self.same_id.whose(kind, values, mark)
        if whose is Whose.OTHER:
            return None
        if not is_finite:
            return []
        return self._in_order(kind, message, time, whose)

    def _in_order(self, kind: str, message: Any, time: float, whose: Whose) -> list[Smoothed]:
        """Take a message of the motion after those that wait until it is decided whose they are."""
        if not self._undecided and whose is not Whose.UNDECIDED:
            return self._move(kind, message, time)
        self._undecided.append((kind, message, time, whose))
        if whose is Whose.STEPPED:
            self._undecided = [(*one[:3], Whose.OWN) if one[0] == kind else one for one in self._undecided]
        is_over = self.same_id.alternates or time - self._undecided[0][2] > LONGEST_ALONE
        if whose is Whose.OWN or is_over:  # Its values went on from where they led before.
            kept = [one for one in self._undecided
                    if one[3] is not Whose.UNDECIDED or not (is_over or one[0] == kind)]
            self.stood_alone += len(self._undecided) - len(kept)
            self._undecided = kept
        if any(one[3] is Whose.UNDECIDED for one in self._undecided):
            return []
        decided, self._undecided = self._undecided, []
        return [state for one in decided for state in self._move(*one[:3])]

    def _away(self, kind: str, message: Any) -> float | None:
        """Return how far the place of a message is from the last one, m, as of `VehicleClock.sent`."""
        last = self.same_id.last(PLACE) or self.same_id.last(FIX)
        if last is None:
            return None
        place = _place_of(kind, message)
        return math.nan if place is None else math.dist(last.values, self._metres(place))

    def _metres(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return a place, degrees, in m east and north of the first one."""
        if self._near is None:
            self._near = LocalPlane(place)
        x, y = self._near.projected(*place)
        return float(x), float(y)

    def _values(self, kind: str, message: Any, time: float, received: float, mark: Mark) -> Values | None:
        """Return what a message says of where the vehicle is, or how it lies; None if it says none."""
        if kind == 'ATTITUDE':
            return Values(time, (message.yaw,), (message.yawspeed,), YAW_OFF, mark, received)
        if kind == LOCAL:
            return Values(time, (message.y, message.x), (message.vy, message.vx), PLACE_OFF, mark, received)
        place = _place_of(kind, message)
        if place is None:
            return None
        if kind == FIX:
            course, speed = towards_of(1e-2 * message.cog), 1e-2 * message.vel
            return Values(time, self._metres(place), (speed * math.cos(course), speed * math.sin(course)), FIX_OFF,
                          mark, received)
        return Values(time, self._metres(place), (1e-2 * message.vy, 1e-2 * message.vx), PLACE_OFF, mark, received)

    def _move(self, kind: str, message: Any, time: float) -> list[Smoothed]:
        """Take a message of the motion; what came before the first place is taken before it where it has places."""
        if self._stream is not None:
            return self._movers[kind](message, time)
        self._early = [one for one in self._early if 0.0 <= time - one[2] <= FRESH] + [(kind, message, time)]
        place = _place_of(kind, message)
        if kind == FIX and any(one[0] == PLACE for one in self._early):
            place = None  # An estimator sends, and has none yet.
        if place is None:
            first = next(one[2] for one in self._early if one[0] == kind)
            if kind != LOCAL or time - first < LOCAL_ONLY:
                return []
            place, self.is_local = ORIGIN, True
        self._begin(*place)
        early, self._early = self._early, []
        return [state for one in early if self.is_local or one[2] >= time for state in self._movers[one[0]](*one[1:])]

    def waits(self, now: float) -> list[Smoothed]:
        """Return the states that wait for later messages, where none came for SILENCE until a time, s."""
        if self._stream is None or not self._pending or not now - self.moved > SILENCE:
            return []
        return self.rest()

    def rest(self) -> list[Smoothed]:
        """Return all states that wait."""
        self._pending = False
        return [] if self._stream is None else self._stream.rest()

    def _on_heartbeat(self, message: Any, time: float) -> None:
        self.types[message.type] += 1
        self.autopilot = message.autopilot
        self.mode = Mode(message.custom_mode, bool(message.base_mode & ARMED))

    def _on_attitude(self, message: Any, time: float) -> list[Smoothed]:
        if self._stream is None:
            return []
        yaw = 0.5 * math.pi - message.yaw
        if self._boat.log_meaning is not None:
            yaw -= float(self._boat.log_meaning.deviation(yaw))
        return self._stream.turning(time, yaw, -message.yawspeed)

    def _on_position(self, message: Any, time: float) -> list[Smoothed]:
        self._of_estimator, self._fixes = time, 0
        due = self._on_earth(time, message) if _place_of(PLACE, message) is not None else []
        if time - self._of_velocity > VELOCITY_FRESH and self._stream is not None:
            due += self._stream.velocity(time, 1e-2 * message.vy, 1e-2 * message.vx)
        return due

    def _on_local(self, message: Any, time: float) -> list[Smoothed]:
        """
        Take the velocity, which is finer here.

        Its place is from an origin that changes with a restart, and is used where there is none on the Earth.
        """
        if self._stream is None or self.plane is None:
            return []
        self._of_velocity = time
        due = self._placed(time, *self.plane.degrees_of(message.y, message.x)) if self.is_local else []
        return due + self._stream.velocity(time, message.vy, message.vx)

    def _on_fix(self, message: Any, time: float) -> list[Smoothed]:
        """Take the GPS where no estimator sends."""
        if _place_of(FIX, message) is None or not time - self._of_estimator > FRESH:
            return []
        self._fixes += 1
        if math.isfinite(self._of_estimator) and self._fixes < LEAST_FIXES:
            return []
        course = towards_of(1e-2 * message.cog)
        due = self._on_earth(time, message)
        if self._stream is None:
            return due
        return due + self._stream.velocity(time, 1e-2 * message.vel * math.cos(course),
                                           1e-2 * message.vel * math.sin(course))

    def _on_earth(self, time: float, message: Any) -> list[Smoothed]:
        """Take a position on the Earth; the first one takes the place of those from the boat's own origin."""
        latitude, longitude, due = 1e-7 * message.lat, 1e-7 * message.lon, []
        if not is_place(latitude, longitude):
            return []
        if self.is_local:
            due = self.rest()
            self._begin(latitude, longitude)
            self.is_local = False
        return due + self._placed(time, latitude, longitude)

    def _begin(self, latitude: float, longitude: float) -> None:
        """Begin with states about an origin, degrees."""
        self.plane = LocalPlane((latitude, longitude))
        self._stream = SensorStream(LAG, origin=(longitude, latitude))

    def _placed(self, time: float, latitude: float, longitude: float) -> list[Smoothed]:
        if self._stream is None:
            return []
        self.moved, self._pending = time, True
        return self._stream.fix(time, longitude, latitude)

    def _on_outputs(self, message: Any, time: float) -> None:
        if message.port == FIRST_PORT and not self.is_px4 and math.isfinite(time):
            self.commands.add(time, {number: float(getattr(message, f'servo{number}_raw')) for number in range(1, 17)})

    def _on_system(self, message: Any, time: float) -> None:
        if time - self._of_battery > FRESH and message.current_battery != UNKNOWN_CURRENT:
            self.reading = Reading(time, 1e-3 * message.voltage_battery, 1e-2 * message.current_battery,
                                   discharging=True, place='SYS_STATUS')

    def _on_battery(self, message: Any, time: float) -> None:
        """Take one of the batteries, which together have the sum of their currents and of their powers."""
        if message.current_battery == UNKNOWN_CURRENT or not math.isfinite(time):
            return
        cells = *message.voltages, *getattr(message, 'voltages_ext', ())
        volts = 1e-3 * sum(cell for cell in cells if cell < UNKNOWN_CELL)
        if volts == 0.0:
            return
        self._of_battery = time
        temperature = math.nan if message.temperature == UNKNOWN_TEMPERATURE else 1e-2 * message.temperature
        self._batteries[message.id] = Reading(time, volts, 1e-2 * message.current_battery, temperature=temperature)
        fresh = [one for one in self._batteries.values() if time - one.time <= LATEST_READING]
        amperes = sum(one.current for one in fresh)
        weights = [one.current if min(each.current for each in fresh) > 0.0 else 1.0 for one in fresh]
        volts = sum(weight * one.voltage for weight, one in zip(weights, fresh)) / sum(weights)
        self.reading = Reading(time, volts, amperes, temperature=temperature, discharging=amperes > 0.0,
                               place='BATTERY_STATUS')

    def _on_wind(self, message: Any, time: float) -> None:
        towards = towards_of(message.direction, comes_from=True)
        self._add_wind(Wind(time, message.speed * math.cos(towards), message.speed * math.sin(towards)))

    def _on_wind_estimate(self, message: Any, time: float) -> None:
        self._add_wind(Wind(time, message.wind_y, message.wind_x))

    def _add_wind(self, wind: Wind) -> None:
        if math.hypot(wind.east, wind.north) > FASTEST_WIND:
            self.not_finite += 1
            return
        self.wind = wind
        if math.isfinite(wind.time):
            self.mean_wind.add(*wind)

    def _on_parameter(self, message: Any, time: float) -> None:
        value = message.param_value
        if self.is_px4 and message.param_type != REAL:  # Its whole numbers are packed in the bytes of a float.
            [value] = struct.unpack('<i', struct.pack('<f', value))
        if not math.isfinite(value):
            return
        self.parameters[message.param_id] = float(value)
        if message.param_id.startswith('SERVO'):
            self.commands.know(self.parameters)

    def _on_text(self, message: Any, time: float) -> None:
        if len(self.texts) < MOST_TEXTS:
            self.texts.append(message.text)

    def _on_home(self, message: Any, time: float) -> None:
        said = Place(1e-7 * message.latitude, 1e-7 * message.longitude)
        if is_place(*said) and said != ORIGIN:  # As before it has one.
            self.home = said

    def _on_mission_item(self, message: Any, time: float) -> None:
        self.mission_item = message.seq


def _place_of(kind: str, message: Any) -> tuple[float, float] | None:
    """Return the latitude and longitude that a message says, degrees; None if it says none."""
    if kind not in (PLACE, FIX) or message.lat == message.lon == 0:  # As before it has one.
        return None
    if (kind == FIX and message.fix_type < NO_FIX) or not is_place(1e-7 * message.lat, 1e-7 * message.lon):
        return None
    return 1e-7 * message.lat, 1e-7 * message.lon
