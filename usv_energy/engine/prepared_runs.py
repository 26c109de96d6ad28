"""Cases prepared for the engine: the Case of all runs, their waypoints, clock and grids; one run from start to end."""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.allocation.boat_thrusts import no_multipliers
from usv_energy.engine.cases import Cases
from usv_energy.engine.run_state import (
    LEFT_FLOW,
    RAN_AWAY,
    REACHED,
    RUNNING,
    Case,
    Common,
    RunClock,
    RunState,
    leaves,
    map_leaves,
    read_column,
    rows_of,
    run_at_start,
)
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
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import velocity_everywhere
from usv_energy.flow.grids.grid import Grid
from usv_energy.physics.batteries.cell import CellState
from usv_energy.physics.elementwise import kernel
from usv_energy.physics.waves.added_resistance import MeanSea
from usv_energy.physics.waves.felt_waves import FeltSea
from usv_energy.sim.control.guidance import leg_between, next_waypoint
from usv_energy.sim.plants.plant_step import thruster_lags
from usv_energy.sim.plants.step_limit import SAILING_WIND, longest_step
from usv_energy.sim.plants.supplied_plant import SupplyState, on_board_of, without_tables
from usv_energy.sim.plants.water_around import felt_sea
from usv_energy.sim.scenario import Scenario
from usv_energy.sim.scenario_values import scenario_with

SUPPLY_TEMPLATE = SupplyState(CellState(0.0, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 0.0, 0.0)  # For its types.
BOATS = 'boat', 'plant', 'gains', 'lags', 'on_board'  # Fields of a Case that belong to its boat.
MOST_KNOTS = 32  # Most knots of a map that are written out in a loop; a longer map is looked up, which is slower.
MAP = 'map_thrust', 'map_power'


class PreparedRuns(NamedTuple):
    """
    Cases in the form that the engine uses.

    `case`: holds a float where all runs have the same value, else an array with one number per run. `ways`: start and
    waypoints, m, shape (W + 1, 2, runs), or with one column if all are the same. `water` and `air`: None if uniform.
    """

    case: Case
    clock: RunClock
    water: Grid | None
    air: Grid | None
    ways: np.ndarray
    number: int

    @property
    def compiled_clock(self) -> RunClock:
        """The clock for compiled code, with the waves of a sea as one row."""
        sea = self.clock.sea
        return self.clock._replace(sea=sea._replace(waves=sea.waves.ravel()) if isinstance(sea, FeltSea) else sea)

    @property
    def too_long_steps(self) -> np.ndarray:
        """For which runs the step is too long for the simulated boat, shape (runs,)."""
        vessel = self.case.boat if self.case.plant is None else self.case.plant
        wind = SAILING_WIND if self.air is not None else np.hypot(self.case.wind_x, self.case.wind_y)
        return np.broadcast_to(self.clock.step > longest_step(vessel, wind), (self.number,))

    @property
    def rows(self) -> np.ndarray:
        """The numbers of all runs as rows, shape (numbers, runs)."""
        return rows_of(self._lean_case, self.number)

    @property
    def case_template(self) -> Case:
        """A Case of floats, for its types and its Common values."""
        parts: Any = (part if isinstance(part, Common) else map_floats(part) for part in self._lean_case)
        return Case(*parts)

    @property
    def by_blocks(self) -> bool:
        """Whether runs can be computed in blocks: planar boats whose thrust allocation needs no search."""
        vessels = [self.case.boat, *([] if self.case.plant is None else [self.case.plant])]
        return all(vessel.parts is None and no_multipliers(0.0, vessel) is None for vessel in vessels)

    @property
    def _lean_case(self) -> Case:
        """
        The Case with as few numbers per run as possible, for compiled code.

        Coefficients that no run has are None; knots are Common, and so is the boat if all runs have the same.
        """
        plant = None if self.case.plant is None else _lean(self.case.plant)
        case = self.case._replace(boat=_lean(self.case.boat), plant=plant)
        boats = [getattr(case, name) for name in BOATS]
        if any(np.ndim(leaf) for part in boats for leaf in leaves(part)):
            return case
        common: Any = {name: Common(map_leaves(float, part)) for name, part in zip(BOATS, boats) if part is not None}
        return case._replace(**common)

    @property
    def first_case(self) -> Case:
        """The Case of the first run, as floats."""
        return read_column(self.case_template, self.rows.ravel(), 0, self.number)

    @property
    def state_template(self) -> RunState:
        """A RunState of floats, for its types."""
        case: Case = map_leaves(lambda leaf: 0.0, self.case_template)
        state: RunState = run_at_start(case, leg_between(0.0, 0.0, 1.0, 0.0), self.clock._replace(tables=None))
        return state if self.clock.tables is None else state._replace(supply=SUPPLY_TEMPLATE)


def prepared(cases: Cases) -> PreparedRuns:
    """Return cases in the form that the engine uses."""
    scenario: Any = scenario_with(cases.scenario, cases.values)
    water, air = (flow.grid if flow is not None else None for flow in (cases.current, cases.wind))
    current, wind = ((0.0, 0.0) if grid is not None else _everywhere(flow)
                     for grid, flow in ((water, scenario.felt_current), (air, scenario.wind)))
    case = Case(
        boat=_with_knots(scenario.boat.vessel), plant=_plant(scenario), gains=scenario.gains, speed=scenario.speed,
        lookahead=scenario.lookahead, tacking=scenario.tacking,
        radius=scenario.radius, timeout=scenario.timeout, current_x=current[0],
        current_y=current[1], wind_x=wind[0], wind_y=wind[1], lags=thruster_lags(scenario.plant.vessel, scenario.step),
        start=scenario.start)
    on_board = on_board_of(scenario.plant, scenario.boat)
    tables = None
    if on_board is not None:
        numbers, tables = without_tables(on_board)
        case = case._replace(on_board=numbers)
    clock = RunClock(float(scenario.step), scenario.steps_per_period,
                  1.0 if scenario.convention == 'as_published' else None,
                  RAN_AWAY if water is None and air is None else LEFT_FLOW, tables=tables,
                     sea=_sea(scenario))
    return PreparedRuns(map_leaves(_as_floats, case), clock, water, air, _ways(scenario), cases.number)


def _everywhere(flow: Any) -> tuple[Any, Any]:
    return (flow.x, flow.y) if isinstance(flow, UniformFlow) else velocity_everywhere(flow)


def _sea(scenario: Scenario) -> FeltSea | MeanSea | None:
    around, hull = scenario.surroundings(), scenario.plant.vessel.parts
    if around.mean_around is not None:
        return around.mean_around(0.0, 0.0, 0.0)
    return None if around.sea is None or hull is None else felt_sea(around.sea, hull, around.drift_depth)


def _ways(scenario: Scenario) -> np.ndarray:
    points = np.broadcast_arrays(*(axis for point in (scenario.start[:2], *scenario.waypoints) for axis in point))
    return np.array(points, dtype=float).reshape(len(scenario.waypoints) + 1, 2, -1)


def _with_knots(vessel: Any) -> Any:
    """Return a Vessel whose maps of losses and propellers are tuples of floats; arrays are for numbers per run."""
    thrusters = tuple(thruster if thruster.propeller is None else
                      thruster._replace(propeller=type(thruster.propeller)(*map(_as_tuples, thruster.propeller)))
                      for thruster in vessel.thrusters)
    losses = vessel.losses
    knots = {name: _as_tuples(getattr(losses, name)) if losses.mapped else None for name in MAP}
    return vessel._replace(thrusters=thrusters, losses=losses._replace(**knots))


def _as_tuples(value: Any) -> Any:
    return tuple(_as_tuples(inner) for inner in value) if np.ndim(value) else float(value)


def _lean(vessel: Any) -> Any:
    """
    Return a Vessel with as few numbers per run as possible, for compiled code.

    It has no yaw arm of its windage if that is 0 in all runs, which saves an arc tangent in each stage. Knots are
    Common.
    """
    windage = vessel.windage if np.any(vessel.windage.yaw_arm) else vessel.windage._replace(yaw_arm=None)
    thrusters = tuple(thruster if thruster.propeller is None else
                      thruster._replace(propeller=_with_common(thruster.propeller)) for thruster in vessel.thrusters)
    wave = vessel.damping.wave
    damping = vessel.damping if wave is None else vessel.damping._replace(wave=_with_common(wave))
    return vessel._replace(windage=windage, thrusters=thrusters, losses=_with_common(vessel.losses), damping=damping)


def _with_common(record: Any) -> Any:
    """Return a record with Common knots: few of them as tuples, which are written out, more as arrays."""
    return type(record)(*(Common(_knots(field)) if isinstance(field, tuple) else field for field in record))


def _knots(field: Any) -> Any:
    return field if len(field) <= MOST_KNOTS else np.array(field)


def map_floats(value: Any) -> Any:
    """Return a nested tuple with 0.0 for each leaf; Common values stay."""
    if isinstance(value, Common):
        return value
    if isinstance(value, tuple):
        parts = [map_floats(inner) for inner in value]
        return type(value)(*parts) if hasattr(value, '_fields') else tuple(parts)
    return None if value is None else 0.0


def _plant(scenario: Scenario) -> Any:
    """Return the plant's Vessel, None if it is the boat's; its losses are not used unless it has cells."""
    if scenario.plant is scenario.boat:
        return None
    vessel: Any = _with_knots(scenario.plant.vessel)
    if scenario.plant.pack is not None:
        return vessel
    return vessel._replace(losses=vessel.losses._replace(efficiency=1.0, mapped=0.0, map_thrust=None, map_power=None))


def _as_floats(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else np.ascontiguousarray(value, dtype=float)


RESULT_ROWS = 31  # Number of columns of Results.


@kernel
def leg_of(number: Any, ways: Any, run: Any) -> Any:
    """Return the Leg with a given index; `ways` are start and waypoints, m, shape (W + 1, 2, runs or 1)."""
    column = run if ways.shape[2] > 1 else 0
    return leg_between(ways[number, 0, column], ways[number, 1, column], ways[number + 1, 0, column],
                       ways[number + 1, 1, column])


@kernel
def leg_ahead(plant: Any, number: Any, ways: Any, run: Any, radius: Any) -> Any:
    """Return the index of the leg to steer at a position; the number of waypoints when the last one is reached."""
    return next_waypoint(plant.x, plant.y, number, ways[1:, :, run if ways.shape[2] > 1 else 0], radius)


@kernel
def write_result(results: Any, run: Any, outcome: Any, duration: Any, state: Any, leg: Any) -> None:
    """Write the results of a run into its column; rows as in Results.COLUMNS."""
    energy, plant = state.energy, state.observed_plant
    supply, zero = state.supply, 0.0 * energy.inertia
    charge, voltage, warmth, given = (math.nan, math.nan, math.nan, math.nan) if supply is None else (
        supply.cells.charge, supply.voltage, supply.cells.temperature, supply.energy)
    waves = zero if energy.waves is None else energy.waves
    residual = zero if energy.residual is None else energy.residual
    allocation = zero if energy.allocation is None else energy.allocation
    values = (outcome * 1.0, duration, energy.inertia, energy.damping, energy.wind, energy.foils,
              waves, energy.side_force, residual, energy.thrust, energy.unrecovered, energy.losses, allocation,
              energy.static_load, energy.loads, energy.total, energy.distance_over_ground,
              energy.distance_through_water, state.plant.work, energy.samples, leg * 1.0, plant.x, plant.y, plant.yaw,
              plant.u_r, plant.v_r, plant.r, charge, voltage, warmth, given)
    for row in range(len(values)):
        results[row, run] = values[row]


@kernel
def run_single(case: Any, clock: Any, water: Any, air: Any, ways: Any, run: Any) -> Any:
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
