"""
Control of a boat by orders at run time: a velocity or a path; the latest order counts.

Control of surge velocity, yaw rate and, if the boat can give it, sway velocity; pure functions of their state.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.boats.checks import kind_of
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.dynamics import coriolis_force, damping_force
from usv_energy.physics.frames import to_body
from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import Setting, resting_setting, setting_of_force, steering_force, turned_angle
from usv_energy.sim.control.autopilot import Autopilot
from usv_energy.sim.control.control import full_force, gains_for, wanted_setting
from usv_energy.sim.control.guidance import RATE, Point
from usv_energy.sim.leg_energy import WaypointOrder
from usv_energy.sim.scenario import Published, Scenario
from usv_energy.thrusters.thruster import gives_sway

Angles = tuple[float | None, ...]
Planar = tuple[float, float, float]  # Of surge, sway (to port) and yaw (counter-clockwise).

AT_REST: Planar = (0.0, 0.0, 0.0)
RATES: Planar = (1.0, 1.0, 1.5)  # 1/s, decay rate of an error in addition to that by the hull's drag.
FASTEST_INTEGRAL = 0.5           # 1/s, largest rate at which the integral adapts to an unknown force.
MISSING = 0.05                   # Share of a commanded force that may be missing before it counts as saturated.
LONGEST_GAP = 1.0                # s, longest time between measurements over which the integral changes.


class VelocityMemory(NamedTuple):
    """
    The state of the controller: integral terms of surge N, sway N and yaw N m, and the angles of the thrusters.

    `angles`: of each thruster, rad, as commanded, at its rate; None if it is fixed.
    """

    learned: Planar
    angles: Angles


class VelocityGains(NamedTuple):
    """The gains of surge, sway and yaw rate: proportional N s/m, N s/m, N m s/rad; integral N/m, N/m, N m/rad."""

    proportional: Planar
    integral: Planar


def velocity_gains(vessel: Vessel) -> VelocityGains:
    """
    Return the gains for a boat, from its inertia and its linear drag.

    With these an error of a velocity decays critically damped, or more slowly (`integral_gain`).
    """
    inertia, damping = vessel.inertia, vessel.damping
    masses = inertia.m11, inertia.m22, inertia.m33
    drags = damping.d11, damping.d22, damping.d33
    proportional = [rate * mass for rate, mass in zip(RATES, masses)]
    integral = list(map(integral_gain, proportional, drags, masses))
    return VelocityGains((proportional[0], proportional[1], proportional[2]), (integral[0], integral[1], integral[2]))


def integral_gain(proportional: float, drag: float, mass: float) -> float:
    """
    Return the integral gain for a proportional gain of one velocity.

    The error's characteristic polynomial is m s^2 + (d + k) s + k_i. The integral gain k_i gives it a double root
    (critical damping), but it is limited so that an unknown force is not integrated faster than the lags and the
    turning of actuators allow.

    :param proportional: k, N s/m; N m s/rad for yaw.
    :param drag: Linear, d, same unit.
    :param mass: m, kg; kg m^2 for yaw.
    """
    slope = proportional + drag
    return slope * min(0.25 * slope / mass, FASTEST_INTEGRAL)


def goes_sideways(vessel: Vessel) -> bool:
    """Return whether a boat's thrusters can control its sway velocity."""
    return gives_sway(vessel.thrusters)


def check_drivable(boat: Boat) -> None:
    """
    Check that a boat's velocity can be controlled.

    :raises InputError: If only its power is known, or it has no thruster or cannot turn; the message names its file.
    """
    require_motion(boat, 'driving it')
    if not boat.vessel.thrusters or not full_force(boat.vessel) > 0.0:
        raise InputError(f'{boat.path}: the boat {boat.name} has no thruster that drives it ahead, so no velocity can '
                         f'be asked of it ({kind_of(boat.vessel)}); a sailing boat is driven by a scenario')


def first_memory(vessel: Vessel) -> VelocityMemory:
    """Return the VelocityMemory of a boat at rest."""
    return VelocityMemory(AT_REST, resting_setting(0.0, vessel).angles)


def velocity_setting(memory: VelocityMemory, elapsed: float, wanted: Planar, at: Relative, gains: VelocityGains,
                     vessel: Vessel) -> tuple[VelocityMemory, Setting]:
    """
    Return the controller's next memory and the Setting that brings a boat to a velocity over ground.

    The drag and Coriolis force of the hull at the wanted velocity in still water are fed forward; the integral adapts
    to current and wind, except while the actuators are saturated. If the actuators cannot give all, the yaw moment has
    priority. The sway velocity is ignored by a boat that cannot control it. Thrusters turn before they push.

    :param memory: The VelocityMemory.
    :param elapsed: Time since the last measurement, s; NaN at the first one, which leaves the integral unchanged.
    :param wanted: Surge and sway over ground, m/s, yaw rate, rad/s.
    :param at: The Relative as the boat knows it: its velocity over ground, with the water assumed at rest.
    :param gains: The VelocityGains.
    :param vessel: The Vessel.

    Source: Astrom and Hagglund, PID Controllers (1995), section 3.5 (conditional integration).
    """
    now, sideways = (at.u_r, at.v_r, at.r), goes_sideways(vessel)
    goal = wanted[0], wanted[1] if sideways else at.v_r, wanted[2]
    needed = zip(damping_force(*goal, vessel.damping), coriolis_force(*goal, vessel.inertia))
    errors = [aim - is_ for aim, is_ in zip(goal, now)]
    asked = [drag + coriolis + gain * error + learned
             for (drag, coriolis), gain, error, learned in zip(needed, gains.proportional, errors, memory.learned)]
    setting: Setting
    if sideways:
        setting, _ = setting_of_force((asked[0], asked[1], asked[2]), at, vessel)
    else:
        setting = wanted_setting(asked[0], asked[2], at, vessel)
    if not 0.0 < elapsed < LONGEST_GAP:
        return memory, setting
    pointing, setting = turning_setting(memory.angles, setting, elapsed, vessel)
    got = steering_force(at, setting._replace(angles=pointing), vessel)
    surge, sway, yaw = (
        learned + (0.0 if _saturated(wish, force, error) else elapsed * gain * error)
        for learned, gain, error, force, wish in zip(memory.learned, gains.integral, errors, got, asked))
    return VelocityMemory((surge, sway if sideways else 0.0, yaw), pointing), setting


def _saturated(asked: float, got: float, error: float) -> bool:
    """Return whether a force is missing that would reduce an error."""
    return (asked - got) * error > 0.0 and abs(asked - got) > MISSING * abs(asked)


def turning_setting(angles: Angles, setting: Setting, elapsed: float, vessel: Vessel) -> tuple[Angles, Setting]:
    """
    Return the angles of the thrusters some time later, rad, and the Setting that lets them turn before they push.

    A thruster that is still turning gives less thrust the larger its angle error is; beyond a right angle it gives
    none.

    :param angles: Present angle of each, rad; None if it is fixed.
    :param setting: The commanded Setting.
    :param elapsed: The time, s.
    :param vessel: The Vessel.
    """
    later = tuple(turned_angle(angle, wanted, elapsed, thruster.azimuth)
                  for angle, wanted, thruster in zip(angles, setting.angles, vessel.thrusters))
    return later, setting._replace(commands=tuple(map(_while_turning, setting.commands, setting.angles, later)))


def _while_turning(thrust: float, wanted: float | None, angle: float | None) -> float:
    return thrust if wanted is None or angle is None else thrust * max(math.cos(wanted - angle), 0.0)


# What the boat does: no order yet; keep a velocity; follow a path; hold its end; stop.
IDLE, VELOCITY, PATH, HOLDING, STOPPED = 'idle', 'velocity', 'path', 'holding', 'stopped'

LENGTH = 1.2                    # m, length of a boat whose file gives none.
# In boat lengths: distance at which a point of a path counts as reached; lookahead distance.
RADIUS, LOOKAHEAD = 1.5, 3.0
LAST_RADIUS = 0.5               # In boat lengths, largest radius for the end of the path.
SPACING = 0.1                   # In boat lengths: points of a path that are closer are merged.
STEADY = 1.0                    # s, period and step of the scenario for a path; the pilot uses neither.


class PilotOptions(NamedTuple):
    """
    Options that may change at run time.

    `timeout`: duration for which a velocity order holds, s. `speed`: on a path, over ground, m/s. `hold`: whether the
    boat holds the end of a path, or stops there.
    """

    timeout: float = 1.0
    speed: float = 1.0
    hold: bool = True


class MotionPilot:
    """
    Measured motion and orders in, commands of the actuators out. Times are those of the odometry, s.

    `doing`: IDLE, VELOCITY, PATH, HOLDING or STOPPED. `timed_out`: whether the boat stopped because a velocity order
    other than zero was not renewed in time. STOPPED controls zero velocity over ground as far as the boat can.
    """

    def __init__(self, boat: Boat, lookahead: float = 0.0, radius: float = 0.0) -> None:
        """
        Begin without an order.

        :param boat: The Boat.
        :param lookahead: Lookahead distance along a path, m; 0 for three boat lengths.
        :param radius: Distance at which a point of a path counts as reached, m; 0 for one and a half boat lengths.
        :raises InputError: If the boat cannot be driven in this way, such as a sailing boat.
        """
        check_drivable(boat)
        length = boat.hull.length or LENGTH
        self._boat = boat
        self._gains = velocity_gains(boat.vessel)
        self._sideways = goes_sideways(boat.vessel)
        self._spacing, self._last_radius = SPACING * length, LAST_RADIUS * length
        self._scenario = _scenario_of(boat, lookahead or LOOKAHEAD * length, radius or RADIUS * length)
        self._ordered: Planar = AT_REST
        self._ordered_at = math.nan
        self._path: list[Point] = []
        self._autopilot: Autopilot | None = None
        self._before: Autopilot | None = None  # The Autopilot of the replaced path.
        self._memory = first_memory(boat.vessel)
        self._time = math.nan
        self.doing = IDLE
        self.timed_out = False

    @property
    def ordered(self) -> Planar:
        """The ordered velocity: surge and sway over ground, m/s, and yaw rate, rad/s."""
        return self._ordered if self.doing == VELOCITY else AT_REST

    @property
    def progress(self) -> tuple[int, int]:
        """Number of points of the path that are reached, and that it has."""
        return (self._autopilot.waypoint if self._autopilot is not None else 0), len(self._path)

    def order_velocity(self, velocity: Planar) -> None:
        """Order a velocity: surge and sway over ground, m/s, and yaw rate, rad/s."""
        if self.doing != VELOCITY:
            self._reset()
        self.doing, self.timed_out = VELOCITY, False
        self._ordered, self._ordered_at = velocity, self._time

    def order_path(self, places: Sequence[Point]) -> list[Point]:
        """
        Order a path from the present position; an empty path stops the boat.

        :param places: x and y, m (ENU), in the odometry's frame.
        :return: The points without those that are much closer together than the boat's length.
        """
        before = self._autopilot
        self._reset()
        self._before = before
        self.timed_out = False
        self._path = _thinned(places, self._spacing)
        self.doing = PATH if self._path else STOPPED
        return self._path

    def steer(self, time: float, pose: tuple[float, float, float], velocity: Planar, options: PilotOptions,
              wind: tuple[float, float] = (0.0, 0.0)) -> Setting:
        """
        Return the commanded Setting for a measured motion.

        :param time: Of the measurement, s.
        :param pose: x, y, m, and yaw, rad (ENU).
        :param velocity: Surge, sway over ground, m/s, and yaw rate, rad/s.
        :param options: The present PilotOptions.
        :param wind: The apparent wind as a vane measures it, forward and to port, the direction it blows to, m/s.
        """
        if not time >= self._ordered_at:
            self._ordered_at = time  # The first measurement, or a clock that was set back.
        elapsed, self._time = time - self._time, time
        if self.doing == VELOCITY and time - self._ordered_at > options.timeout:
            self.doing, self.timed_out = STOPPED, self._ordered != AT_REST
        vessel, wanted = self._boat.vessel, self.ordered
        if self.doing == IDLE:
            return resting_setting(0.0, vessel)
        if self.doing in (PATH, HOLDING):
            setting = self._on_path(time, pose, velocity, options, wind)
            if self.doing == PATH or (self.doing == HOLDING and not self._sideways):
                known = elapsed if elapsed > 0.0 else 0.0
                angles, setting = turning_setting(self._memory.angles, setting, known, vessel)
                self._memory = self._memory._replace(angles=angles)
                return setting
            if self.doing == HOLDING:
                wanted = self._return_velocity(pose, options.speed)
        self._memory, setting = velocity_setting(self._memory, elapsed, wanted, Relative(*velocity, *wind),
                                                 self._gains, vessel)
        return setting

    def _on_path(self, time: float, pose: tuple[float, float, float], velocity: Planar, options: PilotOptions,
                 wind: tuple[float, float]) -> Setting:
        """Return the commanded Setting on the path, and update `doing` at its end."""
        if self._autopilot is None:
            last = WaypointOrder(hold=math.inf, radius=min(self._scenario.radius, self._last_radius))
            self._autopilot = Autopilot(replace(
                self._scenario, start=pose, waypoints=tuple(self._path),
                orders=(*[WaypointOrder()] * (len(self._path) - 1), last)), self._before)
        self._autopilot.speed = options.speed
        setting = self._autopilot.steer(time, *pose, velocity, wind)
        assert setting is not None  # The stay at the last point never ends.
        self.doing = HOLDING if self._autopilot.holding else PATH
        if self.doing == HOLDING and not options.hold:
            self._reset()
            self.doing = STOPPED
        return setting

    def _return_velocity(self, pose: tuple[float, float, float], speed: float) -> Planar:
        """Return the velocity with which a boat that can go sideways returns to the end of the path at constant yaw."""
        x, y, yaw = pose
        forward, port = to_body(self._path[-1][0] - x, self._path[-1][1] - y, math.cos(yaw), math.sin(yaw))
        share = min(RATE, speed / max(math.hypot(forward, port), 1e-9))
        return share * forward, share * port, 0.0

    def _reset(self) -> None:
        """Delete the state of the present order."""
        self._autopilot = self._before = None
        self._memory, self._path = first_memory(self._boat.vessel), []


def _thinned(places: Sequence[Point], spacing: float) -> list[Point]:
    """Return points at least a spacing, m, apart; always with the last one."""
    kept: list[Point] = []
    for place in places:
        if not kept or math.dist(place, kept[-1]) >= spacing:
            kept.append((float(place[0]), float(place[1])))
    if kept and kept[-1] != tuple(places[-1]):
        kept[-1:] = [(float(places[-1][0]), float(places[-1][1]))]
    return kept


def _scenario_of(boat: Boat, lookahead: float, radius: float) -> Scenario:
    """Return the scenario that provides the guidance for paths; points and speed are set for each path."""
    still, gains = UniformFlow(), gains_for(boat.vessel)
    gains = gains._replace(speed_ki=integral_gain(gains.speed_kp, boat.vessel.damping.d11, boat.vessel.inertia.m11))
    return Scenario(
        name='path', title='path', path=Path('path'), boat=boat, plant=boat, start=(0.0, 0.0, 0.0), waypoints=(),
        speed=None, current=still, wind=still, wind_height=None, convention='rep103', gains=gains,
        lookahead=lookahead, radius=radius, timeout=math.inf, step=STEADY, period=STEADY, published=Published(),
        by_course=True)
