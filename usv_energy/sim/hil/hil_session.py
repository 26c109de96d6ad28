"""
A boat that an external autopilot controls: each frame is one step; late, lost and repeated frames are counted.

Time is the autopilot's own (lockstep): a frame of rate f advances the boat by 1/f s, however late it comes. Between
frames, and after the last one, the boat keeps its last order, as in [H]. `hold` is the duration of silence, s of wall
time, after which its thrusters stop instead.
"""

import math
from typing import NamedTuple

from usv_energy.sim.hil.sitl_frames import BoatMotion, ReportedMotion, ServoChannels, SitlFrame
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.step_limit import check_step
from usv_energy.sim.plants.supplied_plant import SuppliedPlant, plant_at_start
from usv_energy.sim.runner import PlantObserver, check_stable
from usv_energy.sim.scenario import Scenario

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
