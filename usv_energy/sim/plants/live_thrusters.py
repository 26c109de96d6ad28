"""
A boat's thrusters and its battery beside a simulator that moves the hull and takes newtons, such as Gazebo.

What the embedded plant does in a step is done here between two odometries, with the motion that was measured: the
thrusters get the battery's voltage, answer late, give less in moving water; what they draw, and the loads, come out of
the cells.
"""

import math
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import Load
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import (
    Setting,
    limited_setting,
    resting_setting,
    setting_at_once,
    setting_later,
    thrusts_given,
)
from usv_energy.sim.plants.plant_step import thruster_lags
from usv_energy.sim.plants.supplied_plant import (
    SupplyState,
    drawn_by_boat,
    on_board_of,
    setting_at_voltage,
    supplied_later,
    supplied_vessel,
    supply_at_start,
)
from usv_energy.thrusters.voltage_curves import curves_of, vessel_at_voltage

LONGEST_STEP = 0.1  # s: a longer time without odometry is made of steps of at most this.


class RelativeMotion(NamedTuple):
    """How a boat moves: its Relative to water and air, and its `speed` over ground, m/s."""

    at: Relative
    speed: float


def changes_thrust(boat: Boat) -> bool:
    """Return whether a boat's thrusters give another thrust than is asked of them within their limits."""
    return boat.pack is not None or any(
        thruster.lag > 0.0 or thruster.propeller is not None for thruster in boat.vessel.thrusters)


def full_limits(boat: Boat) -> tuple[tuple[float, float], ...]:
    """Return the least and the largest thrust of each thruster at standstill, N, with the battery full."""
    vessel, pack = boat.vessel, boat.pack
    if pack is not None:
        vessel = vessel_at_voltage(vessel, pack.series * pack.cell.full_voltage, 1.0, curves_of(boat))
    return tuple((min(one.min_thrust, other.min_thrust), max(one.max_thrust, other.max_thrust))
                 for one, other in zip(vessel.thrusters, boat.vessel.thrusters))


class LiveThrusters:
    """
    Thrusters and battery of a boat that another simulator moves.

    `setting`: what the actuators do now. `supply`: how the battery is doing, None of a boat without cells.
    """

    def __init__(self, boat: Boat) -> None:
        """Let the thrusters rest; the battery is as charged as the boat's file says."""
        self._vessel: Vessel = boat.vessel
        self.on_board = on_board_of(boat, boat)
        self.supply: SupplyState | None = None if self.on_board is None else supply_at_start(0.0, self.on_board)
        self.setting: Setting = resting_setting(0.0, boat.vessel)
        self._asked = self.setting
        self._step = 0.0
        self._lags = thruster_lags(boat.vessel, self._step)

    def set_loads(self, loads: tuple[Load, ...]) -> None:
        """Have other loads than those of the boat's file, from the next step on."""
        self._vessel = self._vessel._replace(loads=loads)

    def advance(self, time: float, step: float, before: RelativeMotion, after: RelativeMotion) -> None:
        """
        Let time pass with what was asked of the actuators last.

        :param time: At the beginning, s.
        :param step: How long, s, greater than 0.
        :param before: How the boat moved at the beginning.
        :param after: The same at the end.
        """
        parts = max(math.ceil(step / LONGEST_STEP - 1e-9), 1)
        for number in range(parts):
            share = (number + 0.5) / parts
            motion = RelativeMotion(Relative(*(a + share * (b - a) for a, b in zip(before.at, after.at))),
                                    before.speed + share * (after.speed - before.speed))
            self._advance_once(time + number * step / parts, step / parts, motion)

    def ask(self, wanted: Setting, at: Relative) -> tuple[float, ...]:
        """
        Return the thrust that each thruster gives along its axis until it is asked for something else, N.

        :param wanted: The Setting that is asked for, thrusts at standstill at the voltage of the boat's file.
        :param at: How the boat moves now.
        """
        vessel = self._supplied()
        wanted = limited_setting(wanted, self._vessel)
        if self.on_board is not None:
            wanted = limited_setting(setting_at_voltage(wanted, vessel, self.on_board.curves), vessel)
        self._asked = wanted
        held = self._middle(vessel, self._step)
        return tuple(map(float, thrusts_given(held, at, vessel)))

    def _advance_once(self, time: float, step: float, motion: RelativeMotion) -> None:
        vessel = self._supplied()
        middle = self._middle(vessel, step)
        if self.supply is not None and self.on_board is not None:
            power = drawn_by_boat(motion.at, middle, time, time + step, motion.speed, vessel)
            self.supply = supplied_later(self.supply, power, step, self.on_board)
        self.setting = setting_later(middle, self._asked, self._lags.decays, 0.5 * step, vessel)

    def _middle(self, vessel: Vessel, step: float) -> Setting:
        """Return what the actuators do in the middle of a step, s."""
        if step != self._step:
            self._lags, self._step = thruster_lags(vessel, step), step
        begun = setting_at_once(self.setting, self._asked, self._lags.starts)
        middle: Setting = setting_later(begun, self._asked, self._lags.decays, 0.5 * step, vessel)
        return middle

    def _supplied(self) -> Vessel:
        """Return the Vessel at the voltage of now."""
        if self.supply is None or self.on_board is None:
            return self._vessel
        found: Vessel = supplied_vessel(self.supply, self._vessel, self.on_board.curves)
        return found
