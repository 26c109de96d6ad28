"""Guidance and control of a scenario together, sample by sample."""

import math

from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import Setting
from usv_energy.sim.control.control import AT_REST, controlled_setting
from usv_energy.sim.control.drift_observer import (
    Drift,
    drift_later,
    first_drift,
    heading_in_drift,
    known_motion,
    steers_by_water,
)
from usv_energy.sim.control.guidance import (
    heading_on_leg,
    heading_over_ground,
    leg_between,
    next_waypoint,
    past_goal,
    tacked_heading,
)
from usv_energy.sim.control.station import Station, helm_of, station_setting
from usv_energy.sim.leg_energy import leg_name
from usv_energy.sim.plants.step_limit import fastest_rate
from usv_energy.sim.scenario import Scenario

NO_FORCE = Station(0.0, 0.0)
SAME_TIME = 1e-6  # s: what rounding makes of one moment, with stamps of whole nanoseconds and without.


class Autopilot:
    """
    Guidance and control of a scenario: odometry in, what is asked of actuators out, until the last waypoint.

    `waypoint` is the place in the scenario's list of the one that is gone to, or stayed at; their number at the end.
    `speed` is that of the legs for which none is ordered, m/s over ground, None for full thrust; it may be changed.
    """

    def __init__(self, scenario: Scenario, before: 'Autopilot | None' = None) -> None:
        """
        Start at the first waypoint, the controller at rest, or as that of one before it left off.

        :param before: Whose way this one replaces while the boat is on it.
        """
        self._scenario = scenario
        self._legs = [leg_between(*begin, *goal)
                      for begin, goal in zip((scenario.start[:2], *scenario.waypoints), scenario.waypoints)]
        self._time, self._control = math.nan, AT_REST  # Of the last measurement, s; of the controller.
        if before is not None and not before.holding:
            self._time, self._control = before._time, before._control
        vessel = scenario.plant.vessel
        self._observes = scenario.by_course and steers_by_water(vessel)
        self._rate = float(fastest_rate(vessel)) if self._observes else math.nan    # Of its motion, 1/s.
        self._drift: Drift | None = None if before is None else before._drift   # Of a boat that observes it.
        self._asked: Setting | None = None if before is None else before._asked
        self._arrived, self._station = math.nan, NO_FORCE  # At the place that is kept, s; NaN: none is.
        self._helm = helm_of(vessel)
        self.waypoint = 0
        self.speed = scenario.speed

    @property
    def done(self) -> bool:
        """Whether the last waypoint is reached, and was stayed at as long as is ordered."""
        return self.waypoint >= len(self._scenario.waypoints)

    @property
    def holding(self) -> bool:
        """Whether the boat stays at its waypoint."""
        return not math.isnan(self._arrived)

    @property
    def leg(self) -> str:
        """Name of the leg that the boat is on: the way to a waypoint, or the stay at it; empty when all are done."""
        number = self.waypoint
        return '' if self.done else leg_name(self._scenario.order_of(number), number + 1, self.holding)

    def waypoint_at(self, time: float, x: float, y: float) -> int:
        """Return `waypoint` as it is with a boat at a place, m (ENU), at a time, s; both go on from call to call."""
        self._go_on(time, x, y)
        return self.waypoint

    def steer(self, time: float, x: float, y: float, yaw: float, velocity: tuple[float, float, float],
              wind: tuple[float, float] = (0.0, 0.0)) -> Setting | None:
        """
        Return what is asked of the actuators for a measured motion; None when the last waypoint is done with.

        :param time: Of the measurement, s.
        :param x: East, m.
        :param y: North, m.
        :param yaw: Counter-clockwise from east, rad.
        :param velocity: Surge and sway (to port) over ground, m/s, and yaw rate, rad/s. Water is taken to
            stand still, but by a boat with a rudder, on a course over ground: see `drift_observer`.
        :param wind: The apparent wind as a vane has it, forward and to port, where it blows to, m/s.
        """
        self._go_on(time, x, y)
        if self.done:
            return None
        elapsed, self._time = time - self._time, time
        at = Relative(*velocity, *wind)
        if self._observes:
            self._drift = self._drift_at(elapsed, yaw, velocity, wind)
            at = known_motion(self._drift, velocity[2], wind)
        steered = self._held if self.holding else self._steered
        self._asked = steered(elapsed, (x, y, yaw), velocity, at)
        return self._asked

    def _held(self, elapsed: float, pose: tuple[float, float, float], velocity: tuple[float, float, float],
              at: Relative) -> Setting:
        """Return what keeps the boat at its waypoint; `at` as the boat knows it, the rest as of `steer`."""
        scenario = self._scenario
        heading = scenario.order_of(self.waypoint).heading
        setting: Setting
        self._station, setting = station_setting(
            self._station, elapsed, scenario.waypoints[self.waypoint], pose[2] if heading is None else heading,
            (*pose, *velocity[:2]), at, scenario.gains, self._helm, scenario.plant.vessel)
        return setting

    def _steered(self, elapsed: float, pose: tuple[float, float, float], velocity: tuple[float, float, float],
                 at: Relative) -> Setting:
        """Return what brings the boat along its leg; parameters as `_held`."""
        scenario, leg, (x, y, yaw), (u, v, _) = self._scenario, self._legs[self.waypoint], pose, velocity
        speed = scenario.order_of(self.waypoint).speed or self.speed
        if self._drift is not None:
            u = self._drift.u_r
            heading, ahead = heading_in_drift(x, y, leg, scenario.lookahead, speed, self._drift)
        else:
            heading = heading_on_leg(x, y, leg, scenario.lookahead)
            if scenario.tacking is not None:
                heading = tacked_heading(scenario.tacking, heading, x, y, yaw, at, leg)
            ahead = speed
            if scenario.by_course:
                heading, ahead = heading_over_ground(heading, math.hypot(u, v) if speed is None else speed, v)
        setting: Setting
        self._control, setting = controlled_setting(self._control, elapsed, heading, None if speed is None else ahead,
                                                    yaw, at, u, scenario.gains, scenario.plant.vessel)
        return setting

    def _drift_at(self, elapsed: float, yaw: float, velocity: tuple[float, float, float],
                  wind: tuple[float, float]) -> Drift:
        """Return the Drift at a measurement; see `steer`."""
        if self._drift is None or self._asked is None:
            return first_drift(yaw, velocity)
        return drift_later(self._drift, elapsed, yaw, velocity, wind, self._asked, self._scenario.plant.vessel,
                           self._rate)

    def _go_on(self, time: float, x: float, y: float) -> None:
        """Take the waypoints that are reached, and those that were stayed at long enough, for done."""
        points = self._scenario.waypoints
        while not self.done:
            order = self._scenario.order_of(self.waypoint)
            if self.holding:
                if time - self._arrived < order.hold - SAME_TIME:
                    return
                self._arrived, self._control = math.nan, AT_REST
                if points[self.waypoint:self.waypoint + 1] != points[self.waypoint + 1:self.waypoint + 2]:
                    self._station = NO_FORCE  # of a stay that another one at the same place goes on with, it is known
            else:
                radius = self._scenario.radius if order.radius is None else order.radius
                past = self._scenario.by_course and past_goal(x, y, self._legs[self.waypoint])
                if not past and next_waypoint(x, y, 0, points[self.waypoint:self.waypoint + 1], radius) == 0:
                    return
                if order.hold > 0.0:
                    self._arrived = time
                    return
            self.waypoint += 1
