"""Guidance and control of a scenario together, sample by sample."""

import math

from ..physics.actuators import Setting
from ..physics.elementwise import by_part
from ..physics.power import Relative
from .control import controlled_setting
from .guidance import heading_on_leg, leg_between, next_waypoint, tacked_heading, untacked_heading
from .scenario import Scenario


class Autopilot:
    """Guidance and control of a scenario: odometry in, what is asked of actuators out, until the last waypoint."""

    def __init__(self, scenario: Scenario) -> None:
        """Start at the first waypoint, the controller at rest."""
        self._scenario = scenario
        self._legs = [leg_between(*begin, *goal)
                      for begin, goal in zip((scenario.start[:2], *scenario.waypoints), scenario.waypoints)]
        self._time, self._integral = math.nan, 0.0  # Of the last measurement, s; of the speed controller, N.
        self.waypoint = 0

    @property
    def done(self) -> bool:
        """Whether the last waypoint is reached."""
        return self.waypoint >= len(self._scenario.waypoints)

    def steer(self, time: float, x: float, y: float, yaw: float, velocity: tuple[float, float, float],
              wind: tuple[float, float] = (0.0, 0.0)) -> Setting | None:
        """
        Return what is asked of the actuators for a measured motion; None when the last waypoint is reached.

        :param time: Of the measurement, s.
        :param x: East, m.
        :param y: North, m.
        :param yaw: Counter-clockwise from east, rad.
        :param velocity: Surge and sway (to port) over ground, m/s, and yaw rate, rad/s; water is taken to stand still.
        :param wind: The apparent wind as a vane has it, forward and to port, where it blows to, m/s.
        """
        scenario = self._scenario
        self.waypoint = next_waypoint(x, y, self.waypoint, scenario.waypoints, scenario.radius)
        if self.done:
            return None
        leg, at = self._legs[self.waypoint], Relative(*velocity, *wind)
        heading = by_part(scenario.tacking, untacked_heading, tacked_heading,
                          heading_on_leg(x, y, leg, scenario.lookahead), x, y, yaw, at, leg)
        setting: Setting
        self._integral, setting = controlled_setting(self._integral, time - self._time, heading, scenario.speed, yaw,
                                                     at, at.u_r, scenario.gains,
                                                     scenario.plant.vessel)
        self._time = time
        return setting
