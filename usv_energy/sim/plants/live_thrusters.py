"""
The thrusters and the battery of a boat whose hull is moved by another simulator, such as Gazebo.

That simulator takes thrusts in newtons. Between two odometry messages this module does what a step of `SuppliedPlant`
does, with the measured motion: the thrusters get the battery's voltage, follow their commands with a lag and lose
thrust in the inflow, and the cells deliver the power of thrusters and loads.
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

LONGEST_STEP = 0.1  # s, longest step; a longer time between odometry messages is divided into several.


class RelativeMotion(NamedTuple):
    """The motion of a boat: `at`, its Relative to water and air, and `speed`, over ground, m/s."""

    at: Relative
    speed: float


def changes_thrust(boat: Boat) -> bool:
    """Return whether the thrusts of a boat can differ from commands within limits: by lag, inflow or voltage."""
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
        """Replace the electrical loads, from the next step on."""
        self._vessel = self._vessel._replace(loads=loads)

    def advance(self, time: float, step: float, before: RelativeMotion, after: RelativeMotion) -> None:
        """
        Advance actuators and battery in time; the last commanded Setting stays in effect.

        :param time: At the beginning, s.
        :param step: Duration, s, greater than 0.
        :param before: Motion of the boat at the beginning.
        :param after: Motion of the boat at the end.
        """
        parts = max(math.ceil(step / LONGEST_STEP - 1e-9), 1)
        for number in range(parts):
            share = (number + 0.5) / parts
            motion = RelativeMotion(Relative(*(a + share * (b - a) for a, b in zip(before.at, after.at))),
                                    before.speed + share * (after.speed - before.speed))
            self._advance_once(time + number * step / parts, step / parts, motion)

    def ask(self, wanted: Setting, at: Relative) -> tuple[float, ...]:
        """
        Take a new commanded Setting and return the thrust of each thruster along its axis, N, until the next one.

        :param wanted: The commanded Setting; its commands are thrusts at standstill at the boat file's voltage.
        :param at: The Relative of the boat now.
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
        """Return the Setting in the middle of a step, s."""
        if step != self._step:
            self._lags, self._step = thruster_lags(vessel, step), step
        begun = setting_at_once(self.setting, self._asked, self._lags.starts)
        return setting_later(begun, self._asked, self._lags.decays, 0.5 * step, vessel)

    def _supplied(self) -> Vessel:
        """Return the Vessel at the battery's present voltage."""
        if self.supply is None or self.on_board is None:
            return self._vessel
        return supplied_vessel(self.supply, self._vessel, self.on_board.curves)
