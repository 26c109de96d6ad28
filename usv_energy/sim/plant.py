"""
The boat as a plant: three degrees of freedom in moving water and air, stepped by the classical Runge-Kutta method.

The state holds the velocity through the water, so a boat that turns in a uniform current, or drifts with its engines
off, is right without a correction.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..boats.vessel import Vessel
from ..physics.dynamics import acceleration
from ..physics.elementwise import cos, kernel, sin
from ..physics.frames import to_body, to_earth
from ..physics.power import Flow, Motion
from ..physics.propulsion import lagged_thrust, thruster_force
from ..physics.wind import wind_force

FlowAt = Callable[[float, float, float], Flow]


class PlantState(NamedTuple):
    """Place x, y m and yaw rad in ENU; velocity through the water u_r, v_r m/s, r rad/s in FLU; thruster work, J."""

    x: Any
    y: Any
    yaw: Any
    u_r: Any
    v_r: Any
    r: Any
    work: Any


@kernel
def state_rate(state, force, flow, vessel):
    """
    Return the time derivative of a PlantState.

    :param state: The PlantState; floats or arrays.
    :param force: Of the thrusters on the hull: surge N, sway N, yaw moment N m.
    :param flow: The Flow at the boat.
    :param vessel: The Vessel.

    Source: thesis (4.4) and (4.17), in REP-103 axes; work is the thrusters' force times the velocity through the water.
    """
    c, s = cos(state.yaw), sin(state.yaw)
    current = to_body(flow.current_x, flow.current_y, c, s)
    wind = to_body(flow.wind_x, flow.wind_y, c, s)
    x_wind, y_wind = wind_force(wind[0] - state.u_r - current[0], wind[1] - state.v_r - current[1], vessel.windage)
    u_dot, v_dot, r_dot = acceleration(
        state.u_r, state.v_r, state.r, (force[0] + x_wind, force[1] + y_wind, force[2]), vessel)
    x_dot, y_dot = to_earth(state.u_r, state.v_r, c, s)
    return PlantState(x_dot + flow.current_x, y_dot + flow.current_y, state.r, u_dot, v_dot, r_dot,
                      thruster_power(state, force))


@kernel
def thruster_power(state, force):
    """Return the mechanical power of a force on the hull, W: force times velocity through the water."""
    return force[0] * state.u_r + force[1] * state.v_r + force[2] * state.r


@kernel
def velocity_over_ground(state, flow):
    """Return u, v, m/s, and r, rad/s, over ground in body axes, of a PlantState in a Flow; floats or arrays."""
    current = to_body(flow.current_x, flow.current_y, cos(state.yaw), sin(state.yaw))
    return state.u_r + current[0], state.v_r + current[1], state.r


@kernel
def moved(state, rate, step):
    """Return a state moved along a rate for a time step, s."""
    return PlantState(state.x + step * rate.x, state.y + step * rate.y, state.yaw + step * rate.yaw,
                      state.u_r + step * rate.u_r, state.v_r + step * rate.v_r, state.r + step * rate.r,
                      state.work + step * rate.work)


@kernel
def rk4_combination(state, rates, step):
    """
    Return the state after a step from the four stage rates of the classical Runge-Kutta method.

    Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), table II.1.2.
    """
    a, b, c, d = rates
    sixth = step / 6.0
    return moved(moved(moved(moved(state, a, sixth), b, 2.0 * sixth), c, 2.0 * sixth), d, sixth)


@kernel
def hull_force(thrusts, vessel):
    """Return the force of all thrusters on the hull from their thrusts, N: surge N, sway N, yaw moment N m."""
    surge = sway = yaw = 0.0
    for thrust, thruster in zip(thrusts, vessel.thrusters):
        x, y, n = thruster_force(thrust, thruster)
        surge, sway, yaw = surge + x, sway + y, yaw + n
    return surge, sway, yaw


class Plant:
    """A boat that is stepped: commands in, motion out. Time is counted in whole steps, so it does not drift."""

    def __init__(self, vessel: Vessel, start: tuple[float, float, float], flow_at: FlowAt, step: float) -> None:
        """
        Put the boat at rest in the water, its thrusters off.

        :param vessel: The Vessel.
        :param start: x, y, m, and yaw, rad (ENU).
        :param flow_at: Water and air at (time s, x m, y m).
        :param step: Of the integration, s.
        """
        self.vessel = vessel
        self.step = step
        self.steps = 0
        x, y, yaw = map(float, start)
        self.state = PlantState(x, y, yaw, 0.0, 0.0, 0.0, 0.0)
        self.thrusts: tuple[float, ...] = (0.0,) * len(vessel.thrusters)
        self._flow_at = flow_at
        lags = [thruster.lag for thruster in vessel.thrusters]
        self._half_decay = [math.exp(-0.5 * step / lag) if lag > 0.0 else 0.0 for lag in lags]

    @property
    def time(self) -> float:
        """Time since the start, s."""
        return self.steps * self.step

    def flow(self) -> Flow:
        """Return water and air at the boat now."""
        return self._flow_at(self.time, self.state.x, self.state.y)

    def advance(self, commands: Sequence[float]) -> None:
        """
        Step once, the commands held.

        :param commands: Thrust of each thruster, N; limits and lag are the thrusters'.
        """
        vessel, half, start = self.vessel, 0.5 * self.step, self.state
        held = list(zip(commands, self._half_decay, vessel.thrusters))
        middle = tuple(lagged_thrust(f, c, d, t) for f, (c, d, t) in zip(self.thrusts, held))
        end = tuple(lagged_thrust(f, c, d, t) for f, (c, d, t) in zip(middle, held))
        first = tuple(lagged_thrust(f, c, 1.0 if t.lag > 0.0 else 0.0, t) for f, (c, _, t) in zip(self.thrusts, held))

        def rate(state: PlantState, time: float, thrusts: tuple[float, ...]) -> PlantState:
            flow = self._flow_at(time, state.x, state.y)
            return state_rate(state, hull_force(thrusts, vessel), flow, vessel)

        time = self.time
        a = rate(start, time, first)
        b = rate(moved(start, a, half), time + half, middle)
        c = rate(moved(start, b, half), time + half, middle)
        d = rate(moved(start, c, self.step), time + self.step, end)
        self.state = rk4_combination(start, (a, b, c, d), self.step)
        self.thrusts = end
        self.steps += 1

    def force(self) -> tuple[float, float, float]:
        """Return the thrusters' force on the hull now: surge N, sway N, yaw moment N m."""
        return hull_force(self.thrusts, self.vessel)

    def velocity_over_ground(self) -> tuple[float, float, float]:
        """Return u, v, m/s, and r, rad/s, over ground in body axes: what odometry measures."""
        return velocity_over_ground(self.state, self.flow())


def motion_of(yaw: float, velocity: tuple[float, float, float], derivative: Sequence[float]) -> Motion:
    """Return the Motion of a yaw, rad, a velocity over ground (m/s, m/s, rad/s) and its derivative."""
    u_dot, v_dot, r_dot = derivative
    return Motion(yaw, *velocity, u_dot, v_dot, r_dot)
