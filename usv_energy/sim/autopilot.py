"""Guidance and control of a scenario together, sample by sample."""

from .control import ControlState, MeasuredMotion, control
from .guidance import heading_on_leg, leg_between, next_waypoint
from .scenario import Scenario


class Autopilot:
    """Guidance and control of a scenario: odometry in, thrusts out, until the last waypoint is reached."""

    def __init__(self, scenario: Scenario) -> None:
        """Start at the first waypoint, the controller at rest."""
        self._scenario = scenario
        self._legs = [leg_between(*begin, *goal)
                      for begin, goal in zip((scenario.start[:2], *scenario.waypoints), scenario.waypoints)]
        self._control = ControlState()
        self.waypoint = 0

    @property
    def done(self) -> bool:
        """Whether the last waypoint is reached."""
        return self.waypoint >= len(self._scenario.waypoints)

    def steer(self, x: float, y: float, measured: MeasuredMotion) -> tuple[float, float] | None:
        """
        Return the thrusts for a place and motion, N (port, starboard); None when the last waypoint is reached.

        :param x: East, m.
        :param y: North, m.
        :param measured: Time, yaw, surge over ground and yaw rate.
        """
        scenario = self._scenario
        self.waypoint = next_waypoint(x, y, self.waypoint, scenario.waypoints, scenario.radius)
        if self.done:
            return None
        heading = heading_on_leg(x, y, self._legs[self.waypoint], scenario.lookahead)
        self._control, thrusts = control(self._control, measured, heading, scenario.speed, scenario.gains,
                                         scenario.plant.vessel)
        return thrusts
