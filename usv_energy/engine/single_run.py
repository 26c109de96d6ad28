"""One run from its start to its end, on floats: compiled for one boat, and a thread of a GPU."""

from ..physics.elementwise import kernel
from ..sim.guidance import next_waypoint
from ..sim.outcomes import REACHED, RUNNING
from ..sim.step import begun, ending, leg_between, moved_on, observed, on_leg, period_later, reached, steered

RESULT_ROWS = 21  # As many as Results has columns.


@kernel
def leg_of(number, ways, run):
    """Return the Leg of a number; ways are start and waypoints, m, shape (W + 1, 2, runs or 1)."""
    column = run if ways.shape[2] > 1 else 0
    return leg_between(ways[number, 0, column], ways[number, 1, column], ways[number + 1, 0, column],
                       ways[number + 1, 1, column])


@kernel
def leg_ahead(state, number, ways, run, radius):
    """Return the number of the leg to be on at a place; the number of waypoints when the last is reached."""
    return next_waypoint(state.x, state.y, number, ways[1:, :, run if ways.shape[2] > 1 else 0], radius)


@kernel
def write_result(results, run, outcome, duration, lane, leg):
    """Put what came of a run into its column; rows as in Results.COLUMNS."""
    sums, energy, state = lane.sums, lane.sums.energy, lane.seen.state
    values = (outcome * 1.0, duration, energy.inertia, energy.damping, energy.wind, energy.thrust, energy.unrecovered,
              energy.losses, energy.static_load, energy.total, sums.distance_over_ground, sums.distance_through_water,
              lane.state.work, sums.samples, leg * 1.0, state.x, state.y, state.yaw, state.u_r, state.v_r, state.r)
    for row in range(len(values)):
        results[row, run] = values[row]


@kernel
def run_alone(case, clock, water, air, ways, run, trace):
    """
    Return how a run ended: outcome, the leg it was on, and its Lane.

    :param case: The Case; floats.
    :param clock: The Clock.
    :param water: Grid of the current, or None.
    :param air: The same of the wind.
    :param ways: Start and waypoints, m, shape (W + 1, 2, runs or 1).
    :param run: Which run, where the ways differ.
    :param trace: Rows for the samples (see `write_sample`), or None.
    """
    lane, leg, outcome = begun(case, leg_of(0, ways, run)), 0, RUNNING
    while outcome == RUNNING:
        lane = observed(lane, case, clock, water, air)
        write_sample(trace, lane)
        if reached(lane, case):
            leg = leg_ahead(lane.state, leg, ways, run, case.radius)
            if leg == ways.shape[0] - 1:
                outcome = REACHED
            else:
                lane = on_leg(lane, leg_of(leg, ways, run))
        if outcome == RUNNING:
            integral, commands = steered(lane, case, clock)
            for number in range(clock.steps):
                lane = moved_on(lane, number, commands, integral, case, clock, water, air)
            lane = period_later(lane)
            outcome = ending(lane, case, clock)
    return outcome, leg, lane


@kernel
def write_sample(trace, lane):
    """Put a sample into the row of its number, if there is one; columns as in trace.COLUMNS."""
    if trace is None:
        return
    row = int(lane.periods)
    if row < trace.shape[0]:
        seen, state, power = lane.seen, lane.state, lane.seen.power
        values = (seen.time, state.x, state.y, state.yaw, seen.u, seen.v, seen.r, seen.current_x, seen.current_y,
                  power.inertia, power.damping, power.wind, power.thrust, power.unrecovered, power.losses,
                  power.static_load, power.total, lane.sums.energy.total, state.work, lane.thrusts[0], lane.thrusts[1])
        for column in range(len(values)):
            trace[row, column] = values[column]
