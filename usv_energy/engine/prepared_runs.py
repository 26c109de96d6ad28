"""Cases prepared for the engine: the Case of all runs, their ways, the clock, the grids."""

import math
from typing import Any, NamedTuple

import numpy as np

from ..boats.vessel import Haste
from ..flow.flow_file import velocity_everywhere
from ..flow.regular_grid import Grid
from ..flow.uniform import UniformFlow
from ..physics.cell import CellState
from ..physics.compiled_memory import address_of
from ..physics.felt_waves import FeltSea
from ..physics.mean_sea import MeanSea
from ..physics.propeller import with_tuples
from ..physics.thruster_drive import WHOLE_TURN
from ..sim.guidance import leg_between
from ..sim.plant_step import thruster_lags
from ..sim.scenario import Scenario
from ..sim.scenario_values import scenario_with
from ..sim.step_limit import SAILING_WIND, longest_step
from ..sim.supplied_plant import SupplyState, on_board_of, tables_by, without_tables
from ..sim.water_around import felt_sea
from .cases import Cases
from .run_start import run_at_start
from .run_state import LEFT_FLOW, RAN_AWAY, Case, RunClock, RunState
from .tuple_rows import Common, leaves, map_leaves, read_column, rows_of

SUPPLY_TEMPLATE = SupplyState(CellState(0.0, 0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 0.0, 0.0)  # For its types.
BOATS = 'boat', 'plant', 'gains', 'lags', 'on_board'  # What of a Case is of its boat.
MOST_KNOTS = 32  # Of a map of losses that is compiled into a loop; a longer one is looked up, which is slower.


class BlockRuns(NamedTuple):
    """
    Runs as blocks of them take them.

    A Case of floats, for its types and for what is Common, a RunState of floats for its types, and the numbers of all
    runs as rows, shape (numbers, runs).
    """

    template: Case
    state_template: RunState
    rows: np.ndarray


class PreparedRuns(NamedTuple):
    """
    Cases as the engine takes them.

    `case` holds a float where all runs have the same, else an array of a number a run. `ways` are start and waypoints,
    m, shape (W + 1, 2, runs), or with one column where all are the same. `water` and `air` are None where uniform.
    """

    case: Case
    clock: RunClock
    water: Grid | None
    air: Grid | None
    ways: np.ndarray
    number: int

    @property
    def tables(self) -> tuple[Any, Any]:
        """Water and air as compiled code takes them, by address: keep the PreparedRuns alive meanwhile."""
        return _by_address(self.water), _by_address(self.air)

    @property
    def compiled_clock(self) -> RunClock:
        """The clock as compiled code takes it, its tables by address: keep the PreparedRuns alive meanwhile."""
        tables, sea = self.clock.tables, self.clock.sea
        return self.clock._replace(tables=None if tables is None else tables_by(address_of, tables),
                                   sea=sea._replace(waves=address_of(sea.waves)) if isinstance(sea, FeltSea) else sea)

    @property
    def too_long_steps(self) -> np.ndarray:
        """Of which runs the step is too long for the boat that moves, shape (runs,)."""
        vessel = self.case.boat if self.case.plant is None else self.case.plant
        wind = SAILING_WIND if self.air is not None else np.hypot(self.case.wind_x, self.case.wind_y)
        return np.broadcast_to(self.clock.step > longest_step(vessel, wind), (self.number,))

    @property
    def rows(self) -> np.ndarray:
        """The numbers of all runs as rows, shape (numbers, runs)."""
        return rows_of(self._lean_case, self.number)

    @property
    def case_template(self) -> Case:
        """A Case of floats, for its types."""
        case: Case = map_leaves(lambda leaf: 0.0, self._lean_case)
        return case

    @property
    def of_blocks(self) -> 'BlockRuns':
        """The runs as blocks of them take them."""
        case = self._block_case
        parts: Any = (part if isinstance(part, Common) else map_leaves(lambda leaf: 0.0, part) for part in case)
        template = Case(*parts)
        return BlockRuns(template, self._state_of(map_leaves(lambda leaf: 0.0, template)), rows_of(case, self.number))

    @property
    def _block_case(self) -> Case:
        """
        The Case, its thrusters with axes in place of angles where they turn all the way round.

        Its boat, with all that goes with it, is Common where all runs have the same.
        """
        case, step = self._lean_case, self.clock.step
        plant = None if case.plant is None else _by_axes(case.plant, step)
        case = case._replace(boat=_by_axes(case.boat, step), plant=plant)
        boats = [getattr(case, name) for name in BOATS]
        if any(np.ndim(leaf) for part in boats for leaf in leaves(part)):
            return case
        common: Any = {name: Common(map_leaves(float, part)) for name, part in zip(BOATS, boats) if part is not None}
        return case._replace(**common)

    @property
    def _lean_case(self) -> Case:
        """The Case, with None in place of coefficients that no run has: compiled code has no trace of them then."""
        plant = None if self.case.plant is None else _lean(self.case.plant)
        return self.case._replace(boat=_lean(self.case.boat), plant=plant)

    @property
    def hasty_clock(self) -> RunClock:
        """As `compiled_clock`, in haste where boats share out thrusts by a search that few steps of Newton's end."""
        vessels = [self.case.boat, *([] if self.case.plant is None else [self.case.plant])]
        searched = any(vessel.free is not None for vessel in vessels)
        round_about = all(np.all(thruster.azimuth.largest - thruster.azimuth.least >= math.tau) for vessel in vessels
                          for thruster in vessel.thrusters if thruster.azimuth is not None)
        return self.compiled_clock._replace(hasty=Haste() if searched and round_about else None)

    @property
    def first_case(self) -> Case:
        """The Case of the first run, as floats."""
        case: Case = read_column(self.case_template, self.rows.ravel(), 0, self.number)
        return case

    @property
    def state_template(self) -> RunState:
        """A RunState of floats, for its types."""
        return self._state_of(self.case_template)

    def _state_of(self, case: Case) -> RunState:
        state: RunState = run_at_start(case, leg_between(0.0, 0.0, 1.0, 0.0), self.clock._replace(tables=None))
        return state if self.clock.tables is None else state._replace(supply=SUPPLY_TEMPLATE)


def prepared(cases: Cases) -> PreparedRuns:
    """Return cases as the engine takes them."""
    scenario: Any = scenario_with(cases.scenario, cases.values)
    water, air = (flow.grid if flow is not None else None for flow in (cases.current, cases.wind))
    current, wind = ((0.0, 0.0) if grid is not None else _everywhere(flow)
                     for grid, flow in ((water, scenario.felt_current), (air, scenario.wind)))
    case = Case(
        boat=_with_map(scenario.boat.vessel), plant=_plant(scenario), gains=scenario.gains, speed=scenario.speed,
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


def _by_address(grid: Any) -> Any:
    return None if grid is None else grid._replace(vx=address_of(grid.vx), vy=address_of(grid.vy))


def _ways(scenario: Scenario) -> np.ndarray:
    points = np.broadcast_arrays(*(axis for point in (scenario.start[:2], *scenario.waypoints) for axis in point))
    return np.array(points, dtype=float).reshape(len(scenario.waypoints) + 1, 2, -1)


def _with_map(vessel: Any) -> Any:
    """Return a Vessel whose maps of losses and propellers are short tuples, which compiled code writes out."""
    thrusters = tuple(thruster if thruster.propeller is None else
                      thruster._replace(propeller=with_tuples(thruster.propeller)) for thruster in vessel.thrusters)
    vessel = vessel._replace(thrusters=thrusters)
    if vessel.losses.mapped:
        losses = vessel.losses
        if len(losses.map_thrust) > MOST_KNOTS:
            return vessel
        knots = {name: tuple(map(float, getattr(losses, name))) for name in ('map_thrust', 'map_power')}
        return vessel._replace(losses=losses._replace(**knots))
    return vessel._replace(losses=vessel.losses._replace(map_thrust=None, map_power=None))


def _lean(vessel: Any) -> Any:
    """
    Return a Vessel as compiled code has least to do with it.

    It has no yaw arm of its windage where that is 0 in all runs: an arc tangent at each stage. What does not turn all
    the way round in any run has the `ends` of its angles.
    """
    windage = vessel.windage if np.any(vessel.windage.yaw_arm) else vessel.windage._replace(yaw_arm=None)
    thrusters = tuple(thruster if thruster.azimuth is None else
                      thruster._replace(azimuth=_lean_azimuth(thruster.azimuth)) for thruster in vessel.thrusters)
    foils = tuple(foil._replace(steer=foil.steer._replace(ends=tuple(
        side(angle) for angle in (foil.steer.least, foil.steer.largest) for side in (np.cos, np.sin))))
        if _is_limited(foil.steer) else foil for foil in vessel.foils)
    return vessel._replace(windage=windage, thrusters=thrusters, foils=foils)


def _by_axes(vessel: Any, step: float) -> Any:
    """Return a Vessel whose thrusters that turn all the way round know their `turn` in half of a step, s."""
    return vessel._replace(thrusters=tuple(
        thruster if thruster.azimuth is None or thruster.azimuth.whole is None else
        thruster._replace(azimuth=_with_turn(thruster.azimuth, 0.5 * step * thruster.azimuth.rate))
        for thruster in vessel.thrusters))


def _with_turn(azimuth: Any, turn: Any) -> Any:
    return azimuth._replace(turn=(np.cos(turn), np.sin(turn))) if np.all(turn < 0.5 * math.pi) else azimuth


def _lean_azimuth(azimuth: Any) -> Any:
    whole = 1.0 if np.all(azimuth.largest - azimuth.least >= WHOLE_TURN) else None
    return azimuth._replace(ends=() if _is_limited(azimuth) else None, whole=whole)


def _is_limited(azimuth: Any) -> bool:
    """Return whether an Azimuth or a Steer is there and turns all the way round in no run."""
    return azimuth is not None and bool(np.all(azimuth.largest - azimuth.least < WHOLE_TURN))


def _plant(scenario: Scenario) -> Any:
    """Return the plant's Vessel, None where it is the boat's; its losses are nobody's where it has no cells."""
    if scenario.plant is scenario.boat:
        return None
    vessel: Any = _with_map(scenario.plant.vessel)
    if scenario.plant.pack is not None:
        return vessel
    return vessel._replace(losses=vessel.losses._replace(efficiency=1.0, mapped=0.0, map_thrust=None, map_power=None))


def _as_floats(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else np.ascontiguousarray(value, dtype=float)
