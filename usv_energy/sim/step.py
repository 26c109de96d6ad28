"""
One run's loop, in the steps of sim.runner: observe, steer, advance. One body for arrays, compiled code and a GPU.

Nothing here branches on a value: what a run has and another has not (a map of losses, a grid, a speed to hold) is None
in its types, and compiled code has no trace of it.
"""

import math

from ..flow.grid_lookup import flow_at
from ..physics.elementwise import cos, kernel, select, sin, sqrt
from ..physics.power import Flow, Motion, Power, power_as_published, power_rep103, speed_through_water
from ..physics.propulsion import lagged_thrust
from .control import full_thrusts, heading_moment, speed_thrusts
from .guidance import heading_along_course, heading_to_goal
from .outcomes import RAN_AWAY, RUNNING, TIMED_OUT
from .plant import PlantState, hull_force, moved, rk4_combination, state_rate, velocity_over_ground
from .run_state import Lane, Leg, Seen, Sums
from .runner import RUN_AWAY


@kernel
def time_of(lane, clock):
    """Return the time of a run, s: of whole steps, so it does not drift."""
    return (lane.periods * clock.steps) * clock.step


@kernel
def plant_of(boat, plant):
    """Return the Vessel that moves: the boat of the power model, unless there is another."""
    if plant is None:
        return boat
    return plant


@kernel
def begun(case, leg):
    """Return a run at its start: at rest in the water, thrusters off, nothing seen."""
    x, y, yaw = case.start
    rest = 0.0 * x
    unseen = rest + math.nan
    nothing = Power(unseen, unseen, unseen, unseen, unseen, unseen, unseen, unseen, unseen, unseen, unseen)
    none = Power(rest, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest)
    return Lane(PlantState(x, y, yaw, rest, rest, rest, rest), (rest, rest), rest, leg,
                Seen(unseen, PlantState(x, y, yaw, rest, rest, rest, rest), unseen, unseen, unseen, unseen, unseen,
                     nothing, unseen, unseen),
                Sums(none, rest, rest, rest, rest), rest, rest)


@kernel
def leg_between(begin_x, begin_y, goal_x, goal_y):
    """Return the Leg from one point to another, m."""
    course = heading_to_goal(begin_x, begin_y, (goal_x, goal_y))
    return Leg(begin_x, begin_y, goal_x, goal_y, course, cos(course), sin(course))


@kernel
def observed(lane, case, clock, water, air):
    """
    Return a run with one more sample integrated: velocity and current differentiated, power, energy by trapezoids.

    :param lane: The Lane; its `seen` becomes this sample.
    :param case: The Case.
    :param clock: The Clock.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    """
    time, seen, state = time_of(lane, clock), lane.seen, lane.state
    flow = flow_at(time, state.x, state.y, case, water, air)
    u, v, r = velocity_over_ground(state, flow)
    elapsed = time - seen.time
    rate_x = _rate(flow.current_x, seen.current_x, elapsed, water)
    rate_y = _rate(flow.current_y, seen.current_y, elapsed, water)
    motion = Motion(state.yaw, u, v, r, (u - seen.u) / elapsed, (v - seen.v) / elapsed, (r - seen.r) / elapsed)
    flow = Flow(flow.current_x, flow.current_y, rate_x, rate_y, flow.wind_x, flow.wind_y)
    power = _power(motion, flow, case.boat, clock.published)
    known = u == u
    now = Seen(select(known, time, seen.time), state_where(known, state, seen.state), u, v, r, flow.current_x,
               flow.current_y, power, sqrt(u * u + v * v), speed_through_water(power))
    sums = summed(lane.sums, seen, now, elapsed)
    return Lane(state, lane.thrusts, lane.periods, lane.leg, now, sums, lane.integral, select(known, lane.lost, 1.0))


@kernel
def _rate(new, old, elapsed, grid):
    if grid is None:
        return 0.0 * elapsed  # NaN at the first sample, as a difference would be
    return (new - old) / elapsed


@kernel
def _power(motion, flow, boat, published):
    if published is None:
        return power_rep103(motion, flow, boat)
    return power_as_published(motion, flow, boat)


@kernel
def summed(sums, seen, now, elapsed):
    """Return the integrals with the trapezoids from the last sample to this one; none where either has no power."""
    good = now.power.total - now.power.total == 0.0
    joined = good & (seen.power.total - seen.power.total == 0.0)
    half = 0.5 * elapsed
    energy, a, b = sums.energy, seen.power, now.power
    return Sums(
        Power(_trapezoid(energy.inertia, joined, half, a.inertia, b.inertia),
              _trapezoid(energy.damping, joined, half, a.damping, b.damping),
              _trapezoid(energy.wind, joined, half, a.wind, b.wind),
              _trapezoid(energy.thrust, joined, half, a.thrust, b.thrust),
              _trapezoid(energy.unrecovered, joined, half, a.unrecovered, b.unrecovered),
              _trapezoid(energy.losses, joined, half, a.losses, b.losses),
              _trapezoid(energy.static_load, joined, half, a.static_load, b.static_load),
              _trapezoid(energy.total, joined, half, a.total, b.total), energy.u_r, energy.v_r, energy.r),
        select(joined, sums.duration + elapsed, sums.duration),
        _trapezoid(sums.distance_over_ground, joined, half, seen.speed_over_ground, now.speed_over_ground),
        _trapezoid(sums.distance_through_water, joined, half, seen.speed_through_water, now.speed_through_water),
        sums.samples + select(good, 1.0, 0.0))


@kernel
def _trapezoid(total, joined, half, before, after):
    return select(joined, total + half * (before + after), total)


@kernel
def steered(lane, case, clock):
    """
    Return the controller's next integral, N, and its two thrusts, N, for the sample just observed.

    :param lane: The Lane, its leg the one to be steered along.
    :param case: The Case.
    :param clock: The Clock.
    """
    heading = _heading(lane.state.x, lane.state.y, lane.leg, case.lookahead)
    moment = heading_moment(heading, lane.state.yaw, lane.state.r, case.gains)
    elapsed = select(lane.periods > 0.0, clock.steps * clock.step, math.nan)
    return _thrusts(lane.integral, elapsed, case.speed, lane.seen.u, moment, case)


@kernel
def _heading(x, y, leg, lookahead):
    if lookahead is None:
        return heading_to_goal(x, y, (leg.goal_x, leg.goal_y))
    return heading_along_course(x, y, (leg.begin_x, leg.begin_y), (leg.course, leg.cosine, leg.sine), lookahead)


@kernel
def _thrusts(integral, elapsed, speed, u, moment, case):
    if speed is None:
        return integral, full_thrusts(moment, plant_of(case.boat, case.plant))
    return speed_thrusts(integral, elapsed, speed - u, moment, case.gains, plant_of(case.boat, case.plant))


@kernel
def reached(lane, case):
    """Return whether a boat is within the radius of the goal it steers for."""
    x, y = lane.leg.goal_x - lane.state.x, lane.leg.goal_y - lane.state.y
    return (sqrt(x * x + y * y) < case.radius) & (lane.lost == 0.0)


@kernel
def moved_on(lane, number, commands, integral, case, clock, water, air):
    """
    Return a run after one more step of the plant.

    :param lane: The Lane.
    :param number: Of the step in its period.
    :param commands: To the thrusters, N.
    :param integral: The controller's, N.
    :param case: The Case.
    :param clock: The Clock.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    """
    old, time = lane.state, (lane.periods * clock.steps + number) * clock.step
    new, thrusts = advanced(old, lane.thrusts, commands, time, case, clock.step, water, air)
    known = (new.x == new.x) & (new.u_r == new.u_r)
    return Lane(state_where(known, new, old), thrusts, lane.periods, lane.leg, lane.seen, lane.sums, integral,
                select(known, lane.lost, 1.0))


@kernel
def state_where(condition, new, old):
    """Return one PlantState where a condition holds, else the other."""
    return PlantState(select(condition, new.x, old.x), select(condition, new.y, old.y),
                      select(condition, new.yaw, old.yaw), select(condition, new.u_r, old.u_r),
                      select(condition, new.v_r, old.v_r), select(condition, new.r, old.r),
                      select(condition, new.work, old.work))


@kernel
def period_later(lane):
    """Return a run with one more period counted."""
    return Lane(lane.state, lane.thrusts, lane.periods + 1.0, lane.leg, lane.seen, lane.sums, lane.integral, lane.lost)


@kernel
def on_leg(lane, leg):
    """Return a run on another leg."""
    return Lane(lane.state, lane.thrusts, lane.periods, leg, lane.seen, lane.sums, lane.integral, lane.lost)


@kernel
def ending(lane, case, clock):
    """Return the outcome of a run that has ended after a period; RUNNING where it has not."""
    late = select(time_of(lane, clock) > case.timeout, TIMED_OUT, RUNNING)
    return select(lane.lost != 0.0, clock.lost, select(stable(lane.state), late, RAN_AWAY))


@kernel
def duration_of(lane):
    """Return the time of the last sample, s; 0 where there was none."""
    return select(lane.seen.time == lane.seen.time, lane.seen.time, 0.0)


@kernel
def advanced(state, thrusts, commands, time, case, step, water, air):
    """
    Return a plant and its thrusts one step later, the commands held: Plant.advance.

    :param state: The PlantState; floats or arrays.
    :param thrusts: Of both thrusters now, N.
    :param commands: To both, N.
    :param time: Now, s.
    :param case: The Case.
    :param step: s.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    """
    plant, half = plant_of(case.boat, case.plant), 0.5 * step
    first = _thrusts_after(thrusts, commands, case.answers, plant)
    middle = _thrusts_after(thrusts, commands, case.decays, plant)
    end = _thrusts_after(middle, commands, case.decays, plant)
    force = hull_force(middle, plant)
    a = state_rate(state, hull_force(first, plant), flow_at(time, state.x, state.y, case, water, air), plant)
    at = moved(state, a, half)
    b = state_rate(at, force, flow_at(time + half, at.x, at.y, case, water, air), plant)
    at = moved(state, b, half)
    c = state_rate(at, force, flow_at(time + half, at.x, at.y, case, water, air), plant)
    at = moved(state, c, step)
    d = state_rate(at, hull_force(end, plant), flow_at(time + step, at.x, at.y, case, water, air), plant)
    return rk4_combination(state, (a, b, c, d), step), end


@kernel
def _thrusts_after(thrusts, commands, decays, plant):
    return (lagged_thrust(thrusts[0], commands[0], decays[0], plant.thrusters[0]),
            lagged_thrust(thrusts[1], commands[1], decays[1], plant.thrusters[1]))


@kernel
def stable(state):
    """Return whether the integration still follows the boat: false too where the boat has left the flow (NaN)."""
    return abs(state.u_r) + abs(state.v_r) + abs(state.r) < RUN_AWAY
