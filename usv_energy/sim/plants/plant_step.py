"""
One time step of a simulated boat (the plant) in moving water and air, by the classical Runge-Kutta method.

A planar boat has three degrees of freedom: surge, sway and yaw. A hull of parts has six (`floating.py`); in calm water
its motion tends to the planar one.

The state holds the velocity through the water, so no correction is needed for a boat that turns or drifts in a uniform
current.
"""

from typing import Any, NamedTuple

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.dynamics import acceleration
from usv_energy.physics.elementwise import cos, direction_of, direction_turned, exp, kernel, select, sin
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Relative
from usv_energy.physics.waves.added_resistance import mean_sea_resistance
from usv_energy.physics.wind import wind_force
from usv_energy.powering.actuators import limited_setting, setting_at_once, setting_later
from usv_energy.sim.plants.floating import afloat_at_rest, afloat_moved, floating_rate, given_force

NO_FORCES = ((0.0, 0.0, 0.0),) * 3
RUN_AWAY = 1e3  # m/s + m/s + rad/s, the sum of |u_r|, |v_r| and |r| from which the integration counts as unstable.


class ThrusterLags(NamedTuple):
    """
    The first-order lags of the thrusters over half a step; each field has one number per thruster, (-).

    `decays`: exp(-half step / lag); 0 for a thruster without lag. `starts`: 1.0, or 0.0 for a thruster without lag,
    which reaches its new command at the beginning of a step.
    """

    decays: tuple[Any, ...]
    starts: tuple[Any, ...]


class PlantState(NamedTuple):
    """
    The state of a simulated boat.

    `x`, `y`: position, m, and `yaw`: heading, rad, in ENU. `u_r`, `v_r`: velocity through the water, m/s, and `r`: yaw
    rate, rad/s, in body axes (FLU). The water velocity is that of the current, without the orbital motion of waves.
    `work`: mechanical work of the thrusters so far, J. `afloat`: the Afloat of a hull of parts; None for a planar boat.
    """

    x: Any
    y: Any
    yaw: Any
    u_r: Any
    v_r: Any
    r: Any
    work: Any
    afloat: Any = None


@kernel
def relative_of_state(state, flow):
    """Return the Relative (velocity through water and apparent wind) of a PlantState in a Flow; floats or arrays."""
    return _relative(state, flow, cos(state.yaw), sin(state.yaw))


@kernel
def _relative(state, flow, c, s):
    current = to_body(flow.current_x, flow.current_y, c, s)
    wind = to_body(flow.wind_x, flow.wind_y, c, s)
    return Relative(state.u_r, state.v_r, state.r, wind[0] - state.u_r - current[0], wind[1] - state.v_r - current[1])


@kernel
def state_rate(state, force, setting, flow, vessel, waves, heading):
    """
    Return the time derivative of a PlantState.

    :param state: The PlantState; floats or arrays.
    :param force: Force of the actuators on the hull: surge N, sway N, yaw moment N m; used only if `setting` is None.
    :param setting: The Setting of the actuators. None if only their force is known; then no work is counted.
    :param flow: The Flow at the boat.
    :param vessel: The Vessel.
    :param waves: The WaterAround a hull of parts, or the MeanSea of a planar boat; None in calm water.
    :param heading: Cosine and sine of the yaw; not used for a hull of parts.

    Source: thesis (4.4) and (4.17), in REP-103 axes. The work is the sum over the thrusters of thrust times speed.
    """
    if state.afloat is None:
        return _planar_rate(state, force, setting, flow, vessel, waves, heading)
    rate = floating_rate(state.afloat, state, force, setting, flow, vessel, waves)
    return PlantState(rate.x, rate.y, rate.yaw, rate.u_r, rate.v_r, rate.r, rate.work, rate.afloat)


@kernel
def _planar_rate(state, force, setting, flow, vessel, waves, heading):
    c, s = heading
    at = _relative(state, flow, c, s)
    air = wind_force(at.u_w, at.v_w, vessel.windage)
    x, y, n, power = given_force(at, force, setting, vessel)
    ahead = x + air[0] if waves is None else x + air[0] - mean_sea_resistance(waves, state.yaw)
    u_dot, v_dot, r_dot = acceleration(state.u_r, state.v_r, state.r, (ahead, y + air[1], n + air[2]), vessel)
    x_dot, y_dot = to_earth(state.u_r, state.v_r, c, s)
    return PlantState(x_dot + flow.current_x, y_dot + flow.current_y, state.r, u_dot, v_dot, r_dot, power, None)


@kernel
def rate_in_calm(state, setting, flow, vessel):
    """Return the time derivative of a PlantState in calm water; parameters as `state_rate`."""
    return state_rate(state, None, setting, flow, vessel, None, direction_of(state.yaw))


@kernel
def velocity_over_ground(state, flow):
    """Return the velocity over ground u, v, m/s, and r, rad/s, in body axes (FLU); floats or arrays."""
    current = to_body(flow.current_x, flow.current_y, cos(state.yaw), sin(state.yaw))
    return state.u_r + current[0], state.v_r + current[1], state.r


@kernel
def moved(state, rate, step):
    """Return a PlantState plus its time derivative `rate` times a time step, s."""
    return PlantState(state.x + step * rate.x, state.y + step * rate.y, state.yaw + step * rate.yaw,
                      state.u_r + step * rate.u_r, state.v_r + step * rate.v_r, state.r + step * rate.r,
                      state.work + step * rate.work,
                      None if state.afloat is None else afloat_moved(state.afloat, rate.afloat, step))


@kernel
def is_stable(state):
    """Return whether the integration is still stable; False also if the state is NaN."""
    return abs(state.u_r) + abs(state.v_r) + abs(state.r) < RUN_AWAY


@kernel
def held_flow(time, x, y, flow):
    """Return a constant Flow; pass this as `flow_at` of `rk4_step`, with (flow,) as its `places`."""
    return flow


@kernel
def rk4_step(state, forces, settings, time, step, vessel, flow_at, places, waves=None):
    """
    Return the PlantState one time step later, by the classical Runge-Kutta method of fourth order.

    All simulations of a boat take their steps here.

    :param state: The PlantState; floats or arrays.
    :param forces: Force of the actuators on the hull at the beginning, middle and end of the step: surge N, sway N, yaw
        moment N m each. Used only where the setting is None.
    :param settings: The Setting of the actuators at the same three times; None three times if only forces are known.
    :param time: At the beginning of the step, s.
    :param step: Duration, s.
    :param vessel: The Vessel. If no settings are known, any object with its `inertia`, `damping` and `windage`.
    :param flow_at: Function of (time s, x m, y m, *places) that returns the Flow. For arrays it must be a kernel.
    :param places: Further arguments of `flow_at`.
    :param waves: The WaterAround a hull of parts in the middle of the step, or the MeanSea of a planar boat; None in
        calm water.

    Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), table II.1.2.
    """
    half, sixth = 0.5 * step, step / 6.0
    first, middle, end = forces
    begun, held, last = settings
    heading = direction_of(state.yaw)
    a = state_rate(state, first, begun, flow_at(time, state.x, state.y, *places), vessel, waves, heading)
    at, ahead = moved(state, a, half), direction_turned(heading, state.yaw, half * a.yaw)
    b = state_rate(at, middle, held, flow_at(time + half, at.x, at.y, *places), vessel, waves, ahead)
    at, ahead = moved(state, b, half), direction_turned(heading, state.yaw, half * b.yaw)
    c = state_rate(at, middle, held, flow_at(time + half, at.x, at.y, *places), vessel, waves, ahead)
    at, ahead = moved(state, c, step), direction_turned(heading, state.yaw, step * c.yaw)
    d = state_rate(at, end, last, flow_at(time + step, at.x, at.y, *places), vessel, waves, ahead)
    return _moved_by_stages(state, a, b, c, d, sixth)


@kernel
def _moved_by_stages(state, a, b, c, d, sixth):
    """Return the PlantState after a step whose stages have the rates a, b, c, d; `sixth` is step / 6, s."""
    third = 2.0 * sixth
    if state.afloat is None:
        afloat = None
    else:
        early = afloat_moved(afloat_moved(state.afloat, a.afloat, sixth), b.afloat, third)
        afloat = afloat_moved(afloat_moved(early, c.afloat, third), d.afloat, sixth)
    return PlantState(state.x + sixth * a.x + third * b.x + third * c.x + sixth * d.x,
                      state.y + sixth * a.y + third * b.y + third * c.y + sixth * d.y,
                      state.yaw + sixth * a.yaw + third * b.yaw + third * c.yaw + sixth * d.yaw,
                      state.u_r + sixth * a.u_r + third * b.u_r + third * c.u_r + sixth * d.u_r,
                      state.v_r + sixth * a.v_r + third * b.v_r + third * c.v_r + sixth * d.v_r,
                      state.r + sixth * a.r + third * b.r + third * c.r + sixth * d.r,
                      state.work + sixth * a.work + third * b.work + third * c.work + sixth * d.work,
                      afloat)


@kernel
def advanced(state, setting, wanted, lags, time, step, vessel, flow_at, places, waves=None):
    """
    Return the PlantState and the Setting one step later; the commanded Setting is constant during the step.

    :param state: The PlantState; floats or arrays.
    :param setting: The Setting now.
    :param wanted: The commanded Setting; the actuators' limits, lags and rates are applied here.
    :param lags: The ThrusterLags of this step.
    :param time: At the beginning of the step, s.
    :param step: Duration, s.
    :param vessel: The Vessel.
    :param flow_at: As `rk4_step`.
    :param places: As `rk4_step`.
    :param waves: As `rk4_step`.
    """
    half, wanted = 0.5 * step, limited_setting(wanted, vessel)
    begun = setting_at_once(setting, wanted, lags.starts)
    middle = setting_later(setting, wanted, lags.decays, half, vessel)
    end = setting_later(middle, wanted, lags.decays, half, vessel)
    return rk4_step(state, NO_FORCES, (begun, middle, end), time, step, vessel, flow_at, places, waves), end


def thruster_lags(vessel: Vessel, step: float) -> ThrusterLags:
    """Return the ThrusterLags of a Vessel for a time step, s; the lags may be arrays with one element per run."""
    lags = [(thruster.lag, thruster.lag > 0.0) for thruster in vessel.thrusters]
    return ThrusterLags(tuple(select(some, exp(-0.5 * step / select(some, lag, 1.0)), 0.0) for lag, some in lags),
                        tuple(select(some, 1.0, 0.0) for _, some in lags))


@kernel
def afloat_of(zero, vessel):
    """Return the Afloat of a Vessel at rest; None for a planar boat. `zero` is 0.0 or an array of zeros."""
    return None if vessel.parts is None else afloat_at_rest(zero, vessel.parts)
