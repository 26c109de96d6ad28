"""One run under external control, one period at a time, for `boat_environment.py`; compiled or not."""

from usv_energy.engine.columns import read_column, write_column
from usv_energy.engine.run_state import REACHED, RUNNING, TIMED_OUT, run_at_start
from usv_energy.engine.run_steps import (
    outcome_of,
    run_a_period_later,
    run_advanced,
    run_around,
    run_observed,
    run_on_leg,
)
from usv_energy.engine.single_run import leg_ahead, leg_of
from usv_energy.physics.elementwise import cos, kernel, sin
from usv_energy.physics.frames import to_body, wrap_angle

MOTION = 10  # Numbers of an observation before those of actuators.
ENERGY, WAYPOINT = 13, 15  # Indices in the view of `write_view`.
FIRST_ACTUATOR = 16  # Index of the first actuator state: thrusts, N, then angles of thrusters and of foils, rad.


@kernel
def begin_episode(case_template, state_template, clock, water, air, parameters, ways, states, view):
    """
    Put a run at its start and take its first sample; parameters as `step_episode`.

    The run is the only one in its arrays, also in `step_episode`.
    """
    case = read_column(case_template, parameters, 0, 1)
    state = run_observed(run_at_start(case, leg_of(0, ways, 0), clock), case, clock, water, air)
    write_column(state, states, 0, 1)
    write_view(view, state, 0)


@kernel
def step_episode(case_template, state_template, clock, water, air, parameters, ways, states, view, wanted):
    """
    Advance a run by a period with given commands, and observe it; return its outcome, or RUNNING.

    :param case_template: A Case, for its types.
    :param state_template: A RunState, for its types.
    :param clock: The RunClock.
    :param water: Grid of the current, or None.
    :param air: Grid of the wind, or None.
    :param parameters: The numbers of the Case, flat.
    :param ways: Start and waypoints, m, shape (W + 1, 2, 1).
    :param states: The numbers of the RunState, flat; changed.
    :param view: Written, see `write_view`; before that it holds the index of the next waypoint.
    :param wanted: The commanded Setting.
    """
    case, state = read_column(case_template, parameters, 0, 1), read_column(state_template, states, 0, 1)
    for number in range(clock.steps):
        around = run_around(state, number, case, clock, water, air)
        state = run_advanced(state, number, wanted, state.control, case, clock, water, air, around)
    state = run_a_period_later(state)
    outcome, waypoint = outcome_of(state, case, clock), int(view[WAYPOINT])
    state = run_observed(state, case, clock, water, air)
    if state.lost != 0.0:
        outcome = clock.lost
    elif outcome in (RUNNING, TIMED_OUT):
        leg = leg_ahead(state.plant, waypoint, ways, 0, case.radius)
        if leg == ways.shape[0] - 1:
            outcome = REACHED
        elif leg != waypoint:
            state = run_on_leg(state, leg_of(leg, ways, 0))
        waypoint = leg
    write_column(state, states, 0, 1)
    write_view(view, state, waypoint)
    return outcome


@kernel
def write_view(view, state, waypoint):
    """
    Write the observation of the agent and the further information.

    In this order: goal, yaw, velocity, current and wind as in boat_environment.OBSERVATION (MOTION numbers), time,
    position, energy, thruster work, waypoint, and the states of the actuators.
    """
    plant, motion, flow, leg = state.plant, state.observation.motion, state.observation.flow, state.leg
    c, s = cos(plant.yaw), sin(plant.yaw)
    goal = to_body(leg.goal_x - plant.x, leg.goal_y - plant.y, c, s)
    current = to_body(flow.current_x, flow.current_y, c, s)
    wind = to_body(flow.wind_x, flow.wind_y, c, s)
    values = (goal[0], goal[1], wrap_angle(plant.yaw), motion.u, motion.v, motion.r, current[0], current[1], wind[0],
              wind[1], state.observation.time, plant.x, plant.y, state.energy.total, plant.work, waypoint * 1.0)
    for place in range(len(values)):
        view[place] = values[place]
    write_column(state.setting, view, FIRST_ACTUATOR, 1)
