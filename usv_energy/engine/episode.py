"""One run under somebody else's control, a period at a time: what `environment.py` calls, compiled or not."""

from ..flow.grid_lookup import flow_at
from ..physics.elementwise import cos, kernel, sin
from ..physics.frames import to_body, wrap_angle
from ..sim.outcomes import REACHED, RUNNING, TIMED_OUT
from ..sim.step import begun, ending, moved_on, observed, on_leg, period_later
from .single_run import leg_ahead, leg_of
from .tuple_rows import packed, unpacked

VIEW = 18  # Numbers that `write_view` writes: the observation's 12, time, place, energy, thruster work, waypoint.


@kernel
def begin_episode(template, blank, clock, water, air, parameters, ways, lanes, view):
    """
    Put a run at its start and take its first sample; parameters as `step_episode`, which see.

    Here and there a run is the only one of its arrays.
    """
    case = unpacked(template, parameters, 0, 1)
    lane = observed(begun(case, leg_of(0, ways, 0)), case, clock, water, air)
    packed(lane, lanes, 0, 1)
    write_view(view, lane, case, water, air, 0)


@kernel
def step_episode(template, blank, clock, water, air, parameters, ways, lanes, view, port, starboard):
    """
    Move a run by a period, its commands given, and observe it; return its outcome, or RUNNING.

    :param template: A Case, for its types.
    :param blank: A Lane, for its types.
    :param clock: The Clock.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    :param parameters: The Case's numbers, flat.
    :param ways: Start and waypoints, m, shape (W + 1, 2, 1).
    :param lanes: The Lane's numbers, flat; changed.
    :param view: Written, see `write_view`; its last number is that of the waypoint ahead before, too.
    :param port: Command to the first thruster, N.
    :param starboard: Command to the second, N.
    """
    case, lane = unpacked(template, parameters, 0, 1), unpacked(blank, lanes, 0, 1)
    for number in range(clock.steps):
        lane = moved_on(lane, number, (port, starboard), lane.integral, case, clock, water, air)
    lane = period_later(lane)
    outcome, waypoint = ending(lane, case, clock), int(view[VIEW - 1])
    lane = observed(lane, case, clock, water, air)
    if lane.lost != 0.0:
        outcome = clock.lost
    elif outcome in (RUNNING, TIMED_OUT):
        leg = leg_ahead(lane.state, waypoint, ways, 0, case.radius)
        if leg == ways.shape[0] - 1:
            outcome = REACHED
        elif leg != waypoint:
            lane = on_leg(lane, leg_of(leg, ways, 0))
        waypoint = leg
    packed(lane, lanes, 0, 1)
    write_view(view, lane, case, water, air, waypoint)
    return outcome


@kernel
def write_view(view, lane, case, water, air, waypoint):
    """Write what the agent sees (environment.OBSERVATION) and what there is to say beside it, VIEW numbers."""
    state, seen, leg = lane.state, lane.seen, lane.leg
    c, s = cos(state.yaw), sin(state.yaw)
    goal = to_body(leg.goal_x - state.x, leg.goal_y - state.y, c, s)
    current = to_body(seen.current_x, seen.current_y, c, s)
    flow = flow_at(seen.time, state.x, state.y, case, water, air)
    wind = to_body(flow.wind_x, flow.wind_y, c, s)
    values = (goal[0], goal[1], wrap_angle(state.yaw), seen.u, seen.v, seen.r, current[0], current[1], wind[0], wind[1],
              lane.thrusts[0], lane.thrusts[1], seen.time, state.x, state.y, lane.sums.energy.total, state.work,
              waypoint * 1.0)
    for place in range(len(values)):
        view[place] = values[place]
