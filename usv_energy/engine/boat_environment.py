"""
A boat as a reinforcement learning environment after Gymnasium's conventions, also for other controllers.

Its run goes one period at a time under external control (Episode), compiled or not.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.checks import is_pair
from usv_energy.engine.cases import cases_of
from usv_energy.engine.prepared_runs import leg_ahead, leg_of, prepared
from usv_energy.engine.run_state import (
    BATTERY_EMPTY,
    LEFT_FLOW,
    OUTCOMES,
    RAN_AWAY,
    REACHED,
    RUNNING,
    TIMED_OUT,
    leaves,
    read_column,
    run_at_start,
    write_column,
)
from usv_energy.engine.run_steps import (
    outcome_of,
    run_a_period_later,
    run_advanced,
    run_around,
    run_observed,
    run_on_leg,
)
from usv_energy.files.errors import InputError
from usv_energy.physics.elementwise import cos, kernel, sin
from usv_energy.physics.frames import to_body, wrap_angle
from usv_energy.powering.actuators import Setting
from usv_energy.sim.maneuver import thrust_of_share
from usv_energy.sim.plants.step_limit import check_step
from usv_energy.sim.scenario import Scenario

MOTION = 10  # Numbers of an observation before those of actuators.
ENERGY, WAYPOINT = 13, 15  # Indices in the view of `write_view`.
FIRST_ACTUATOR = 16  # Index of the first actuator state: thrusts, N, then angles of thrusters and of foils, rad.


@kernel
def begin_episode(case_template: Any, state_template: Any, clock: Any, water: Any, air: Any, parameters: Any, ways: Any,
                  states: Any, view: Any) -> None:
    """
    Put a run at its start and take its first sample; parameters as `step_episode`.

    The run is the only one in its arrays, also in `step_episode`.
    """
    case = read_column(case_template, parameters, 0, 1)
    state = run_observed(run_at_start(case, leg_of(0, ways, 0), clock), case, clock, water, air)
    write_column(state, states, 0, 1)
    write_view(view, state, 0)


@kernel
def step_episode(case_template: Any, state_template: Any, clock: Any, water: Any, air: Any, parameters: Any, ways: Any,
                 states: Any, view: Any, wanted: Any) -> Any:
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
def write_view(view: Any, state: Any, waypoint: Any) -> None:
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


OBSERVATION = (
    ('goal_forward', 'm', 'place of the waypoint ahead, in body axes'), ('goal_port', 'm', 'the same, to port'),
    ('yaw', 'rad', 'counter-clockwise from east, in (-pi, pi]'), ('u', 'm/s', 'surge velocity over ground'),
    ('v', 'm/s', 'sway velocity over ground, to port'), ('r', 'rad/s', 'yaw rate, counter-clockwise'),
    ('current_forward', 'm/s', 'water current, in body axes'), ('current_port', 'm/s', 'the same, to port'),
    ('wind_forward', 'm/s', 'wind over ground, in body axes'), ('wind_port', 'm/s', 'the same, to port'),
    ('thrust_port', 'N', 'thrust of the first thruster'), ('thrust_starboard', 'N', 'thrust of the second thruster'))
PAIR = ('port', 'starboard')

Info = dict[str, Any]


class BoatEnv:
    """
    A scenario's boat under external control: `reset(seed)` and `step(action)`, as in gymnasium.Env.

    An action is a command to each actuator, in the order of `actions`: thrusts of all thrusters, angles of those that
    turn, angles of the foils that turn; for two thrusters side by side port and starboard, shape (2,). A thrust goes
    from -1 (least) to 1 (largest), with 0 for none; an angle from -1 (least) to 1 (largest), linearly. With `newton`
    they are in N and rad. An action is held for one period of the scenario, within the actuators' limits.

    An observation has the rows of `observations`, in SI units and body axes FLU: OBSERVATION, shape (12,), for two
    thrusters side by side; otherwise its first ten and the state of each actuator, in the order of `actions`.

    The reward of a step is minus its energy, J, by trapezoids of power. An episode terminates at the last waypoint, or
    if the boat leaves the flow, runs away or its battery is empty (`info['outcome']`); it is truncated at the
    scenario's timeout. The same seed and the same actions give exactly the same episode.

    `actions` has rows of name, unit, least and largest value in that unit; `observations` of name, unit and meaning.
    `action_space` and `observation_space` exist if gymnasium is installed, which is not required.
    """

    metadata: Mapping[str, Any] = {'render_modes': []}
    render_mode = None

    def __init__(self, scenario: Scenario, vary: Mapping[str, tuple[float, float]] | None = None, *,
                 newton: bool = False, compiled: bool | None = None, **grids: Any) -> None:
        """
        Prepare a scenario.

        :param scenario: The boat, its waypoints, flow and the odometry's period; its controller is not used.
        :param vary: Parameters that are drawn at each reset: dotted path (see `cases_of`) to least and largest value.
        :param newton: Whether actions are in N and rad.
        :param compiled: Whether to use numba; None to use it if it is installed.
        :param grids: `current` and `wind`, as for `cases_of`.
        :raises InputError: As `cases_of`; for an invalid range.
        """
        from usv_energy.engine.ensemble import has_numba
        self.actions = _actions_of(scenario.plant)
        self.observations = (*OBSERVATION[:MOTION], *((name, unit, 'what the actuator does')
                                                      for name, unit, _, _ in self.actions))
        if is_pair(scenario.plant.vessel):
            self.observations = OBSERVATION
        self._scenario, self._newton, self._grids = scenario, newton, grids
        self._vary = {path: (float(low), float(high)) for path, (low, high) in sorted((vary or {}).items())}
        for path, (low, high) in self._vary.items():
            if not low <= high:
                raise InputError(f'{path} varies from {low} to {high}; must be the lowest, then the highest value')
            ends: dict[str, Any] = {path: [low, high]}
            cases_of(scenario, 2, **grids, **ends)
        self._begin: Callable[..., Any] = begin_episode
        self._step: Callable[..., Any] = step_episode
        self._compiled = has_numba() if compiled is None else compiled
        if self._compiled:
            from usv_energy.engine.numba_engine import compiled as compiled_form
            self._begin, self._step = compiled_form(begin_episode), compiled_form(step_episode)
        self._rng = np.random.default_rng()
        self._under_way = False
        self._add_spaces()

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[np.ndarray, Info]:
        """
        Put the boat at its start, at rest in the water, and return the first observation.

        :param seed: For the varying parameters; None continues with the random numbers of the last seed.
        :param options: Values for this episode by dotted path, in place of drawn ones.
        :raises InputError: For an invalid option, as `cases_of`; for a boat that the step is too long for.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        drawn = {path: self._rng.uniform(low, high) for path, (low, high) in self._vary.items()}
        cases = cases_of(self._scenario, 1, **self._grids, **{**drawn, **(options or {})})
        scenario = cases.scenario_of(0)
        check_step(self._scenario.step, scenario.plant, self._scenario.path, scenario.wind)
        runs = prepared(cases)
        state_template, case = runs.state_template, runs.first_case
        self._state, self._energy = np.zeros(len(list(leaves(state_template)))), 0.0
        self._view = np.zeros(FIRST_ACTUATOR + len(self.actions))
        clock = runs.compiled_clock if self._compiled else runs.clock
        self._setting = (runs.case_template, state_template, clock, runs.water, runs.air, runs.rows.ravel(),
                         runs.ways, self._state, self._view)
        self._plant = case.boat if case.plant is None else case.plant
        self._begin(*self._setting)
        self._under_way = True
        return self._observation(), self._info(RUNNING)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, Info]:
        """
        Hold an action for one period.

        :param action: A command to each actuator, in the order of `actions`; see the class.
        :return: Observation, reward J (negative energy), terminated, truncated, info.
        :raises InputError: For an invalid action, before a reset, or after the end.
        """
        if not self._under_way:
            raise InputError('the episode is over, or has not begun: call reset() first')
        wanted = self._wanted(action)
        outcome = int(self._step(*self._setting, wanted))
        before, self._energy = self._energy, float(self._view[ENERGY])
        self._under_way = outcome == RUNNING
        terminated = outcome in (REACHED, LEFT_FLOW, RAN_AWAY, BATTERY_EMPTY)
        return self._observation(), before - self._energy, terminated, outcome == TIMED_OUT, self._info(outcome)

    def close(self) -> None:
        """Do nothing; there are no resources to release."""

    def _wanted(self, action: Any) -> Setting:
        """Return an action as a Setting; InputError if it is invalid."""
        values = np.asarray(action, dtype=float)
        if values.shape != (len(self.actions),) or not np.isfinite(values).all():
            names = [name for name, _, _, _ in self.actions]
            which = 'two finite numbers, port and starboard' if self.observations is OBSERVATION else (
                f'{len(names)} finite numbers: {", ".join(names)}')
            raise InputError(f'the action is {action!r}; must be {which}')
        asked = iter(values.tolist())
        plant = self._plant
        commands = tuple(next(asked) if self._newton else thrust_of_share(min(max(next(asked), -1.0), 1.0), thruster)
                         for thruster in plant.thrusters)
        angles, foils = (tuple(None if part is None else self._angle(next(asked), part) for part in parts) for parts in
                         ([thruster.azimuth for thruster in plant.thrusters], [foil.steer for foil in plant.foils]))
        return Setting(commands, angles, foils)

    def _angle(self, asked: float, turning: Any) -> float:
        """Return the angle, rad, of an action for an Azimuth or a Steer."""
        if self._newton:
            return asked
        share = 0.5 * (min(max(asked, -1.0), 1.0) + 1.0)
        return float(turning.least + share * (turning.largest - turning.least))

    def _observation(self) -> np.ndarray:
        return np.concatenate([self._view[:MOTION], self._view[FIRST_ACTUATOR:]])

    def _info(self, outcome: int) -> Info:
        time, x, y, energy, work, waypoint = self._view[MOTION:FIRST_ACTUATOR].tolist()
        return {'time_s': time, 'x_m': x, 'y_m': y, 'energy_j': energy, 'thruster_energy_j': work,
                'waypoint': int(waypoint), 'outcome': '' if outcome == RUNNING else OUTCOMES[outcome]}

    def _add_spaces(self) -> None:
        try:
            from gymnasium import spaces
        except ImportError:
            return
        number = len(self.actions)
        low, high = (np.array([row[2:] for row in self.actions]).reshape(-1, 2).T if self._newton
                     else (np.full(number, -1.0), np.full(number, 1.0)))
        everything = np.full(len(self.observations), np.inf)
        self.action_space = spaces.Box(low, high, dtype=np.float64)
        self.observation_space = spaces.Box(-everything, everything, dtype=np.float64)


def _actions_of(boat: Boat) -> tuple[tuple[str, str, float, float], ...]:
    """Return name, unit, least and largest value of the commands to a boat's actuators."""
    vessel = boat.vessel
    names = PAIR if is_pair(vessel) else boat.thruster_names
    thrusts = [(f'thrust_{name}', 'N', thruster.min_thrust, thruster.max_thrust)
               for name, thruster in zip(names, vessel.thrusters)]
    turning = [*zip(boat.thruster_names, [thruster.azimuth for thruster in vessel.thrusters]),
               *zip(boat.foil_names, [foil.steer for foil in vessel.foils])]
    return (*thrusts, *((f'angle_{name}', 'rad', part.least, part.largest) for name, part in turning
                        if part is not None))
