"""
Guidance and control of a scenario together, one measurement at a time.

An observer of the velocity through the water and of the set over ground, for boats that steer by a rudder or slide.

A rudder's force depends on its inflow, but odometry measures velocity over ground. In a strong current a controller
that uses the velocity over ground for the rudder steers the boat off its course. The observer integrates the boat's
model from the commanded Setting, the yaw rate and the apparent wind to get the velocity through the water. The
difference to the measured velocity over ground is the set. Leeway is the low-passed sway velocity of the model, so that
the sideslip in a turn does not count.

A boat that slides (`slides`) has the same observer: of the sway over ground only the set turns its heading at once.
"""

import math
from typing import Any, NamedTuple

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.dynamics import acceleration
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.motion import Relative
from usv_energy.physics.wind import wind_force
from usv_energy.powering.actuators import (
    Setting,
    drive_of_setting,
    limited_setting,
    resting_setting,
    setting_at_once,
    setting_later,
)
from usv_energy.sim.control.control import AT_REST, controlled_setting, slides
from usv_energy.sim.control.guidance import (
    Leg,
    Station,
    heading_in_set,
    heading_on_leg,
    heading_over_ground,
    helm_of,
    leg_between,
    next_waypoint,
    past_goal,
    station_setting,
    tacked_heading,
)
from usv_energy.sim.leg_energy import leg_name
from usv_energy.sim.plants.plant_step import thruster_lags
from usv_energy.sim.plants.step_limit import LONGEST, fastest_rate
from usv_energy.sim.scenario import Scenario

SET_TIME = 2.0      # s, time constant of the low-pass filter of the set, which changes from place to place.
LEEWAY_TIME = 5.0   # s, time constant of the low-pass filter of the leeway; several times the time of a turn.
SLIDE = 0.03        # m/s, sway of a boat that slides; its leeway has twice the time in which such a sway decays,
LONGEST_SLIDE = 100.0  # s, at most.
LONGEST_GAP = 10.0  # s, longest time for which the model is integrated between two measurements; then it is steady.


class Drift(NamedTuple):
    """
    The state of the observer; floats or arrays.

    `u_r`, `v_r`: velocity through the water, forward and to port, m/s. `set_x`, `set_y`: set over ground, east and
    north, m/s. `leeway`: low-passed sway velocity through the water, to port, m/s.
    """

    u_r: Any
    v_r: Any
    set_x: Any
    set_y: Any
    leeway: Any


def steers_by_water(vessel: Vessel) -> bool:
    """Return whether the observer applies to a boat: it steers by a rudder, or slides."""
    return steers_by_rudder(vessel) or slides(vessel)


def steers_by_rudder(vessel: Vessel) -> bool:
    """Return whether a boat has a rudder in water, no sail, and no hull of parts."""
    rudders = [foil for foil in vessel.foils if foil.steer is not None and foil.in_air is None]
    return bool(rudders) and vessel.parts is None and all(foil.sail is None for foil in vessel.foils)


def drift_later(drift: Drift, elapsed: float, yaw: Any, velocity: tuple[Any, Any, Any], wind: tuple[Any, Any],
                setting: Setting, commanded: Setting, vessel: Vessel, rate: float) -> tuple[Drift, Setting]:
    """
    Return the Drift at a measurement and the Setting of the actuators then; floats or arrays.

    :param drift: The Drift at the previous measurement.
    :param elapsed: Time since the previous measurement, s.
    :param yaw: Measured, rad (ENU).
    :param velocity: Measured surge, sway, m/s, and yaw rate, rad/s, over ground.
    :param wind: Measured apparent wind, forward and to port, m/s.
    :param setting: The Setting of the actuators then.
    :param commanded: The Setting commanded since then, which they follow as the simulator's do.
    :param vessel: The Vessel.
    :param rate: Its `fastest_rate`, 1/s.

    Source: Fossen (2011), section 11.4: a model-based observer, here without correction, since no sensor measures the
        velocity through the water; the set follows as in dead reckoning.
    """
    if not elapsed > 0.0:
        return drift, setting
    followed = min(elapsed, LONGEST_GAP)
    number = max(1, math.ceil(followed * rate / LONGEST))
    step = followed / number
    wanted, lags, (x, y, n) = limited_setting(commanded, vessel), thruster_lags(vessel, step), wind_force(
        *wind, vessel.windage)
    setting, u_r, v_r = setting_at_once(setting, wanted, lags.starts), drift.u_r, drift.v_r
    for _ in range(number):
        middle = setting_later(setting, wanted, lags.decays, 0.5 * step, vessel)
        force = drive_of_setting(Relative(u_r, v_r, velocity[2], *wind), middle, vessel)
        u_dot, v_dot, _ = acceleration(u_r, v_r, velocity[2], (force[0] + x, force[1] + y, force[2] + n), vessel)
        u_r, v_r = u_r + step * u_dot, v_r + step * v_dot
        setting = setting_later(middle, wanted, lags.decays, 0.5 * step, vessel)
    return seen_drift(drift, elapsed, yaw, velocity, (u_r, v_r), vessel), setting


def seen_drift(drift: Drift, elapsed: float, yaw: Any, velocity: tuple[Any, Any, Any], through: tuple[Any, Any],
               vessel: Vessel) -> Drift:
    """Return the Drift at a measurement if the velocity through the water is known, m/s; see `drift_later`."""
    of_set, of_leeway = (1.0 - math.exp(-elapsed / time) for time in (SET_TIME, leeway_time(vessel)))
    u_r, v_r = through
    set_x, set_y = _set_of(u_r, v_r, yaw, velocity)
    return Drift(u_r, v_r, drift.set_x + of_set * (set_x - drift.set_x), drift.set_y + of_set * (set_y - drift.set_y),
                 drift.leeway + of_leeway * (v_r - drift.leeway))


def leeway_time(vessel: Vessel) -> float:
    """Return the time constant of the low-pass filter of a boat's leeway, s."""
    if not slides(vessel):
        return LEEWAY_TIME
    damping = vessel.damping.d22 + vessel.damping.d22_u + vessel.damping.d22_q * SLIDE
    return float(2.0 * vessel.inertia.m22 / max(damping, 2.0 * vessel.inertia.m22 / LONGEST_SLIDE))


def first_drift(yaw: Any, velocity: tuple[Any, Any, Any], u_r: Any = 0.0, v_r: Any = 0.0) -> Drift:
    """
    Return the Drift at the first measurement.

    :param yaw: Measured, rad (ENU); float or array.
    :param velocity: Measured surge, sway, m/s, and yaw rate, rad/s, over ground; same shape.
    :param u_r: Velocity through the water, forward, m/s; 0 if it is not known.
    :param v_r: The same, to port.
    """
    return Drift(u_r + 0.0 * yaw, v_r + 0.0 * yaw, *_set_of(u_r, v_r, yaw, velocity), v_r + 0.0 * yaw)


def heading_in_drift(x: Any, y: Any, leg: Leg, lookahead: float | None, speed: Any, drift: Drift) -> tuple[Any, Any]:
    """
    Return the heading, rad, and the surge velocity through the water, m/s, to follow a leg; floats or arrays.

    :param x: East, m.
    :param y: North, m.
    :param leg: The Leg.
    :param lookahead: As `heading_on_leg`.
    :param speed: Wanted speed along the leg over ground, m/s; None for full thrust.
    :param drift: The Drift of the boat.

    Source: Fossen (2011), (10.80), applied in the water: the course through the water is heading plus leeway angle.
    """
    course, through = heading_in_set(x, y, leg, lookahead, speed, drift.u_r, (drift.set_x, drift.set_y))
    heading, ahead = heading_over_ground(course, through, drift.leeway)
    return heading, ahead


def known_motion(drift: Drift, r: Any, wind: tuple[Any, Any]) -> Relative:
    """Return the observed Relative at a measured yaw rate, rad/s, and apparent wind, m/s."""
    return Relative(drift.u_r, drift.v_r, r, *wind)


def _set_of(u_r: Any, v_r: Any, yaw: Any, velocity: tuple[Any, Any, Any]) -> tuple[Any, Any]:
    """Return velocity over ground minus velocity through the water, east and north, m/s."""
    c, s, u, v = cos(yaw), sin(yaw), velocity[0] - u_r, velocity[1] - v_r
    return u * c - v * s, u * s + v * c


NO_FORCE = Station(0.0, 0.0)
SAME_TIME = 1e-6  # s: rounding error of times, with stamps in whole nanoseconds and without.


class Autopilot:
    """
    Guidance and control of a scenario: measured motion in, commands of the actuators out, until the last waypoint.

    `waypoint`: index of the waypoint that the boat goes to or stays at; their number at the end. `speed`: m/s over
    ground, on legs without a speed of their own, None for full thrust; it may be changed.
    """

    def __init__(self, scenario: Scenario, before: 'Autopilot | None' = None) -> None:
        """
        Start at the first waypoint with the controller at rest, or in the state of a previous Autopilot.

        :param before: The Autopilot that this one replaces while the boat is under way.
        """
        self._scenario = scenario
        self._legs = [leg_between(*begin, *goal)
                      for begin, goal in zip((scenario.start[:2], *scenario.waypoints), scenario.waypoints)]
        self._time, self._control = math.nan, AT_REST  # Time of the last measurement, s; state of the controller.
        if before is not None and not before.holding:
            self._time, self._control = before._time, before._control
        vessel = scenario.plant.vessel
        self._observes = scenario.by_course and steers_by_water(vessel)
        self._rate = float(fastest_rate(vessel)) if self._observes else math.nan    # Of its motion, 1/s.
        self._drift: Drift | None = None if before is None else before._drift    # None: not observed.
        self._commanded: Setting | None = None if before is None else before._commanded
        self._actuators: Setting = resting_setting(0.0, vessel) if before is None else before._actuators  # Observed.
        self._arrived, self._station = math.nan, NO_FORCE  # Time of arrival where it stays, s; NaN on the way.
        self._helm = helm_of(vessel)
        self.waypoint = 0
        self.speed = scenario.speed

    @property
    def done(self) -> bool:
        """Whether the last waypoint is reached and its stay is over."""
        return self.waypoint >= len(self._scenario.waypoints)

    @property
    def holding(self) -> bool:
        """Whether the boat stays at its waypoint."""
        return not math.isnan(self._arrived)

    @property
    def leg(self) -> str:
        """Name of the present leg: the way to a waypoint or the stay at it; empty when all are done."""
        number = self.waypoint
        return '' if self.done else leg_name(self._scenario.order_of(number), number + 1, self.holding)

    def waypoint_at(self, time: float, x: float, y: float) -> int:
        """Return `waypoint` for a boat at a position, m (ENU), at a time, s; calls must be in the order of time."""
        self._update_waypoint(time, x, y)
        return self.waypoint

    def steer(self, time: float, x: float, y: float, yaw: float, velocity: tuple[float, float, float],
              wind: tuple[float, float] = (0.0, 0.0)) -> Setting | None:
        """
        Return the commanded Setting for a measured motion; None after the last waypoint.

        :param time: Of the measurement, s.
        :param x: East, m.
        :param y: North, m.
        :param yaw: Counter-clockwise from east, rad.
        :param velocity: Surge and sway (to port) over ground, m/s, and yaw rate, rad/s. The water is assumed at rest,
            except for a boat that follows a course over ground and `steers_by_water`.
        :param wind: The apparent wind as a vane measures it, forward and to port, the direction it blows to, m/s.
        """
        self._update_waypoint(time, x, y)
        if self.done:
            return None
        elapsed, self._time = time - self._time, time
        at = Relative(*velocity, *wind)
        if self._observes:
            self._drift = self._drift_at(elapsed, yaw, velocity, wind)
            at = known_motion(self._drift, velocity[2], wind)
        steered = self._station_setting if self.holding else self._leg_setting
        self._commanded = steered(elapsed, (x, y, yaw), velocity, at)
        return self._commanded

    def _station_setting(self, elapsed: float, pose: tuple[float, float, float], velocity: tuple[float, float, float],
              at: Relative) -> Setting:
        """Return the Setting that keeps the boat at its waypoint; `at` is what the boat knows, the rest as `steer`."""
        scenario = self._scenario
        heading = scenario.order_of(self.waypoint).heading
        setting: Setting
        self._station, setting = station_setting(
            self._station, elapsed, scenario.waypoints[self.waypoint], pose[2] if heading is None else heading,
            (*pose, *velocity[:2]), at, scenario.gains, self._helm, scenario.plant.vessel)
        return setting

    def _leg_setting(self, elapsed: float, pose: tuple[float, float, float], velocity: tuple[float, float, float],
                 at: Relative) -> Setting:
        """Return the Setting that follows the leg; parameters as `_station_setting`."""
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
        if self._drift is None or self._commanded is None:
            return first_drift(yaw, velocity)
        drift, self._actuators = drift_later(self._drift, elapsed, yaw, velocity, wind, self._actuators,
                                             self._commanded, self._scenario.plant.vessel, self._rate)
        return drift

    def _update_waypoint(self, time: float, x: float, y: float) -> None:
        """Advance `waypoint` past those that are reached, and whose stay is over."""
        points = self._scenario.waypoints
        while not self.done:
            order = self._scenario.order_of(self.waypoint)
            if self.holding:
                if time - self._arrived < order.hold - SAME_TIME:
                    return
                self._arrived, self._control = math.nan, AT_REST
                if points[self.waypoint:self.waypoint + 1] != points[self.waypoint + 1:self.waypoint + 2]:
                    self._station = NO_FORCE  # A second stay at the same position keeps the known force.
            else:
                radius = self._scenario.radius if order.radius is None else order.radius
                past = self._scenario.by_course and past_goal(x, y, self._legs[self.waypoint])
                if not past and next_waypoint(x, y, 0, points[self.waypoint:self.waypoint + 1], radius) == 0:
                    return
                if order.hold > 0.0:
                    self._arrived = time
                    return
            self.waypoint += 1
