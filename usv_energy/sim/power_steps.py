"""The mean power between the samples of a boat that runs: from motion, flow and the states of its actuators."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import Load
from usv_energy.physics.motion import Flow, Motion, Relative
from usv_energy.physics.waves.added_resistance import mean_added_resistance
from usv_energy.powering.loads import mean_load_powers, with_loads
from usv_energy.powering.measured_power import MeasuredActuators
from usv_energy.powering.power import CONVENTIONS, Power
from usv_energy.sim.actuator_states import power_of_step


class MotionSample(NamedTuple):
    """
    The state at the end of one power's interval, where that of the next one begins.

    Its time, s, Motion, Flow, and the Relative of both. `measured`: the states of the actuators, NaN where unknown;
    None if nothing is known of them.
    """

    time: float
    motion: Motion
    flow: Flow
    relative: Relative
    measured: MeasuredActuators | None = None


NO_SAMPLE = MotionSample(math.nan, Motion(*[math.nan] * 7), Flow(*[math.nan] * 4), Relative(*[math.nan] * 5))


class PowerSteps:
    """Takes samples of a boat, and answers each with the mean power since the one before."""

    def __init__(self, convention: str = 'rep103', current_varies: bool = False) -> None:
        """
        Begin without a sample.

        :param convention: Of the power.
        :param current_varies: Whether the current comes with every sample, so that its change along the track changes
            the relative velocity.
        """
        self._convention, self._varies = CONVENTIONS[convention], current_varies
        self._before = self._latest = NO_SAMPLE

    def mean_power(self, now: MotionSample, boat: Boat, longest: float,
                   loads: Sequence[Load] = ()) -> tuple[Power, bool, tuple[float, ...]]:
        """
        Return the mean power since the last sample, NaN without one; whether it is measured; that of each load, W.

        :param now: The next sample; one with the time of the last sample replaces that.
        :param boat: The Boat, as it is now: its sea, and the voltage of its thrusters.
        :param longest: Step that is no gap, s.
        :param loads: The boat's loads, as they are now.
        """
        again = now.time == self._latest.time
        before = self._before if again else self._latest
        elapsed = now.time - before.time
        if not 0.0 < elapsed <= longest:
            before, elapsed = NO_SAMPLE, math.nan
        begin = before.relative
        if not self._varies and before.flow[:2] != now.flow[:2]:
            # A current that arrives now and then does not describe how it changed along the track.
            begin = self._convention.relative(before.motion, before.flow._replace(
                current_x=now.flow.current_x, current_y=now.flow.current_y))
        if not again and all(map(math.isfinite, now.relative)):
            self._before, self._latest = self._latest, now
        sea = boat.vessel.sea
        waves = None if sea is None else mean_added_resistance(sea, before.motion.yaw, now.motion.yaw)
        power, measured = self._convention.mean_power(begin, now.relative, elapsed, boat.vessel, waves), False
        if now.measured is not None and before.measured is not None:
            power, measured = power_of_step(begin, now.relative, elapsed, boat, (before.measured, now.measured),
                                            waves)
        if not loads:
            return power, measured, ()
        powers = mean_load_powers(loads, before.time, now.time, *(
            math.hypot(known.motion.u, known.motion.v) for known in (before, now)))
        return with_loads(power, sum(powers)), measured, powers
