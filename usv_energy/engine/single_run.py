"""One run from its start to its end, on floats; compiled for one boat."""

import math

from usv_energy.engine.run_state import REACHED, RUNNING, run_at_start
from usv_energy.engine.run_steps import (
    is_at_goal,
    outcome_of,
    run_a_period_later,
    run_advanced,
    run_around,
    run_observed,
    run_on_leg,
    run_steered,
)
from usv_energy.physics.elementwise import kernel
from usv_energy.sim.control.guidance import leg_between, next_waypoint

RESULT_ROWS = 31  # Number of columns of Results.


@kernel
def leg_of(number, ways, run):
    """Return the Leg with a given index; `ways` are start and waypoints, m, shape (W + 1, 2, runs or 1)."""
    column = run if ways.shape[2] > 1 else 0
    return leg_between(ways[number, 0, column], ways[number, 1, column], ways[number + 1, 0, column],
                       ways[number + 1, 1, column])


@kernel
def leg_ahead(plant, number, ways, run, radius):
    """Return the index of the leg to steer at a position; the number of waypoints when the last one is reached."""
    return next_waypoint(plant.x, plant.y, number, ways[1:, :, run if ways.shape[2] > 1 else 0], radius)


@kernel
def write_result(results, run, outcome, duration, state, leg):
    """Write the results of a run into its column; rows as in Results.COLUMNS."""
    energy, plant = state.energy, state.observed_plant
    charge, voltage, warmth, given = _known_of_cells(state.supply)
    zero = 0.0 * energy.inertia
    values = (outcome * 1.0, duration, energy.inertia, energy.damping, energy.wind, energy.foils,
              _or_zero(energy.waves, zero), energy.side_force, _or_zero(energy.residual, zero), energy.thrust,
              energy.unrecovered, energy.losses, _or_zero(energy.allocation, zero),
              energy.static_load, energy.loads, energy.total, energy.distance_over_ground,
              energy.distance_through_water, state.plant.work, energy.samples, leg * 1.0, plant.x, plant.y, plant.yaw,
              plant.u_r, plant.v_r, plant.r, charge, voltage, warmth, given)
    for row in range(len(values)):
        results[row, run] = values[row]


@kernel
def _or_zero(total, zero):
    if total is None:
        return zero
    return total


@kernel
def _known_of_cells(supply):
    if supply is None:
        return math.nan, math.nan, math.nan, math.nan
    return supply.cells.charge, supply.voltage, supply.cells.temperature, supply.energy


@kernel
def run_single(case, clock, water, air, ways, run):
    """
    Return how a run ended: its outcome, its last leg, and its RunState.

    :param case: The Case; floats.
    :param clock: The RunClock.
    :param water: Grid of the current, or None.
    :param air: Grid of the wind, or None.
    :param ways: Start and waypoints, m, shape (W + 1, 2, runs or 1).
    :param run: Index of the run, if the ways differ.
    """
    state, leg, outcome = run_at_start(case, leg_of(0, ways, run), clock), 0, RUNNING
    while outcome == RUNNING:
        state = run_observed(state, case, clock, water, air)
        if is_at_goal(state, case):
            leg = leg_ahead(state.plant, leg, ways, run, case.radius)
            if leg == ways.shape[0] - 1:
                outcome = REACHED
            else:
                state = run_on_leg(state, leg_of(leg, ways, run))
        if outcome == RUNNING:
            control, wanted = run_steered(state, case, clock)
            for number in range(clock.steps):
                around = run_around(state, number, case, clock, water, air)
                state = run_advanced(state, number, wanted, control, case, clock, water, air, around)
            state = run_a_period_later(state)
            outcome = outcome_of(state, case, clock)
    return outcome, leg, state
