"""
A boat in the hands of an autopilot outside: each frame is a step, and what is late, lost or doubled is counted.

Time is the autopilot's own: a frame of rate f takes the boat 1/f s further (lockstep), however late it comes. Between
frames, and after the last, the boat keeps its last order, as [H]'s do; `hold` says after how long of silence, s of wall
time, its thrusters stop instead, at the simulation's own pace.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from ...boats.boat_file import Boat
from ...files.errors import InputError
from ..plant import Plant
from ..runner import PlantObserver, check_stable
from ..scenario import Scenario
from ..step_limit import check_step
from ..supplied_plant import SuppliedPlant, plant_at_start
from .sitl_frames import BoatMotion, SitlFrame

NEUTRAL, REACH = 1500.0, 400.0      # us: no thrust; from there to full thrust, where the boat file has no curve.
SLOWEST, FASTEST = 10, 2000         # Hz, of an autopilot's loop.
LATE = 3.0                          # Times the period after which a frame is late.


class Lateness(NamedTuple):
    """
    How an autopilot kept time: frames taken, sent twice, lost; restarts; `late`: frames after LATE periods.

    `longest` and `mean` time between frames, s of wall time; `silent`: s of all silences; `held`: s simulated without
    an order of their own.
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


class HilSession:
    """One boat and one autopilot; told of each frame with the wall time at which it came."""

    def __init__(self, scenario: Scenario, channels: Mapping[int, int], hold: float = math.inf) -> None:
        """
        Put the boat at the scenario's start.

        :param channels: Of each thruster, by its number from 0, the channel, from 1.
        :param hold: s of silence, wall time, after which the thrusters stop.
        :raises InputError: If a thruster has no channel, or turns; if the scenario's step is too long.
        """
        boat = scenario.plant
        for number, thruster in enumerate(boat.vessel.thrusters):
            if thruster.azimuth is not None:
                raise InputError(f'{boat.path}: thrusters.{number} turns; an autopilot can drive fixed thrusters only')
            if number not in channels:
                raise InputError(f'{boat.path}: thrusters.{number} has no channel; give one for each of '
                                 f'{len(boat.vessel.thrusters)}, as --channels 1,3')
        if any(foil.steer is not None for foil in boat.vessel.foils):
            raise InputError(f'{boat.path}: has foils that turn; an autopilot can drive fixed thrusters only')
        check_step(scenario.step, boat, scenario.path, scenario.wind)
        self.scenario, self._channels, self._hold = scenario, dict(channels), hold
        self.lateness = Lateness()
        self._wanted = (0.0,) * len(boat.vessel.thrusters)
        self._count: int | None = None
        self._last_wall = math.nan
        self._begin()

    def _begin(self) -> None:
        one = self.scenario
        self.plant: Plant = plant_at_start(one.plant, one.boat, one.start, one.flow_at(), one.step, one.surroundings())
        self.observer = PlantObserver(one.boat, one.convention)
        self.observer.observe(self.plant)
        self._owed = 0.0

    def on_frame(self, frame: SitlFrame, wall: float) -> BoatMotion:
        """Go on by a frame that came at a wall time, s; return what the boat does then."""
        seen = self.lateness
        if self._count is not None and frame.number == self._count:
            self.lateness = seen._replace(doubled=seen.doubled + 1)
            return self.motion()
        period = 1.0 / min(max(frame.rate, SLOWEST), FASTEST)
        if self._count is not None and frame.number < self._count:  # It was started again; so is the boat.
            seen = seen._replace(restarts=seen.restarts + 1)
            self._last_wall = math.nan
            self._begin()
        elif self._count is not None:
            seen = seen._replace(lost=seen.lost + frame.number - self._count - 1)
        if math.isfinite(self._last_wall):
            waited = wall - self._last_wall
            is_late = waited > LATE * period
            count = seen.frames
            mean = waited if count <= 1 or not math.isfinite(seen.mean) else seen.mean + (waited - seen.mean) / count
            seen = seen._replace(late=seen.late + is_late, longest=max(seen.longest, waited), mean=mean,
                                 silent=seen.silent + (waited if is_late else 0.0))
        self.lateness = seen._replace(frames=seen.frames + 1)
        self._count, self._last_wall = frame.number, wall
        self._wanted = self._thrusts(frame)
        self._go_on(period)
        return self.motion()

    def on_silence(self, wall: float, duration: float) -> bool:
        """
        Go on without a frame for a duration, s, the last order held; return whether the thrusters still follow it.

        :param wall: Now, s.
        """
        alive = not math.isfinite(self._last_wall) or wall - self._last_wall <= self._hold
        if not alive:
            self._wanted = (0.0,) * len(self._wanted)
        self.lateness = self.lateness._replace(held=self.lateness.held + duration)
        self._go_on(duration)
        return alive

    def motion(self) -> BoatMotion:
        """Return what the boat does now."""
        state, seen, battery = self.plant.state, self.observer.last, self.scenario.boat.battery
        motion = seen.motion
        known = math.isfinite(motion.u_dot)
        ahead = motion.u_dot - motion.v * motion.r if known else 0.0
        port = motion.v_dot + motion.u * motion.r if known else 0.0
        voltage = (self.plant.supply.voltage if isinstance(self.plant, SuppliedPlant)
                   else battery.nominal_voltage if battery is not None else math.nan)
        return BoatMotion(self.plant.time, (state.x, state.y, 0.0), (0.0, 0.0, motion.yaw), (motion.u, motion.v, 0.0),
                          (0.0, 0.0, motion.r), (ahead, port, 0.0), seen.power.total, voltage)

    def _go_on(self, duration: float) -> None:
        """Step the plant; what is less than a step is owed to the next."""
        self._owed += duration
        steps = math.floor(self._owed / self.plant.step + 1e-9)
        for _ in range(steps):
            self.plant.advance(self._wanted)
        self._owed -= steps * self.plant.step
        if steps:
            check_stable(self.plant, self.scenario.plant, self.scenario.path)
            self.observer.observe(self.plant)

    def _thrusts(self, frame: SitlFrame) -> tuple[float, ...]:
        """Return the thrusts, N, that pulses ask for; a channel without pulses (0) asks for nothing."""
        boat = self.scenario.plant
        return tuple(_thrust(boat, number, frame.pulses[self._channels[number] - 1])
                     for number in range(len(self._wanted)))


def _thrust(boat: Boat, number: int, pulse: int) -> float:
    thruster = boat.vessel.thrusters[number]
    if pulse == 0:
        return 0.0
    curve = boat.pulse_curves[number] if boat.pulse_curves else None
    if curve is not None:
        least, most = curve.limits
        return float(curve.thrust(min(max(float(pulse), least), most)))
    share = max(-1.0, min(1.0, (pulse - NEUTRAL) / REACH))
    return share * (thruster.max_thrust if share > 0.0 else -thruster.min_thrust)
