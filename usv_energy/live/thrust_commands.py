"""The thrusts that an autopilot's outputs ask for, at the times of a boat's states."""

import math
from collections import deque
from collections.abc import Mapping

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.autopilots.dataflash import ThrottleChannel, throttle_channels
from usv_energy.logs.log import Note
from usv_energy.logs.thruster_readings import pulse_on_curve
from usv_energy.physics.motion import Relative
from usv_energy.powering.measured_power import MeasuredActuators
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
