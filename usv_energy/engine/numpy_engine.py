"""Backends without compilation: all runs side by side in numpy arrays, and run_scenario one by one."""

import math
from typing import Any

import numpy as np

from usv_energy.engine import run_state, run_steps
from usv_energy.engine.cases import Cases, Results
from usv_energy.engine.columns import map_leaves
from usv_energy.engine.prepared_runs import PreparedRuns
from usv_energy.engine.run_state import BATTERY_EMPTY, LEFT_FLOW, RAN_AWAY, REACHED, RUNNING, TIMED_OUT, Case, RunState
from usv_energy.engine.run_steps import run_around
from usv_energy.engine.single_run import RESULT_ROWS, write_result
from usv_energy.files.errors import InputError
from usv_energy.physics.frames import to_body
from usv_energy.powering.energy import CAUSES
from usv_energy.sim import record
from usv_energy.sim.control.guidance import leg_between, next_waypoint
from usv_energy.sim.plants.step_limit import StepTooLongError
from usv_energy.sim.plants.supplied_plant import SupplyState
from usv_energy.sim.record import Run
from usv_energy.sim.runner import run_scenario

BATCH = 2048  # Runs at a time; their numbers fit into the second-level cache.
TIGHTEN = 0.75  # If fewer than this share of a batch are still running, the others are removed from the arrays.


def run_arrays(prepared: PreparedRuns) -> np.ndarray:
    """Return the results of the runs, rows as in Results.COLUMNS, shape (rows, runs)."""
    results = np.empty((RESULT_ROWS, prepared.number))
    with np.errstate(all='ignore'):  # NaN before the first sample, and in runs that ran away.
        for first in range(0, prepared.number, BATCH):
            _Batch(prepared, np.arange(first, min(first + BATCH, prepared.number)), results).run()
    return results


class _Batch:
    """Some runs, side by side; those that have ended stay in the arrays until `_tighten`."""

    def __init__(self, prepared: PreparedRuns, runs: np.ndarray, results: np.ndarray) -> None:
        self.prepared, self.runs, self.results = prepared, runs, results
        self.under_way = np.ones(runs.size, dtype=bool)
        self.legs = np.zeros(runs.size, dtype=int)
        case: Any = map_leaves(lambda leaf: leaf if np.ndim(leaf) == 0 else leaf[runs], prepared.case)
        self.case: Case = case._replace(start=tuple(np.broadcast_to(part, runs.size) + 0.0 for part in case.start))
        self.state: RunState = run_state.run_at_start(self.case, self._legs_of(self.legs), prepared.clock)

    def run(self) -> None:
        prepared = self.prepared
        surroundings = prepared.clock, prepared.water, prepared.air
        while self.under_way.any():
            if self.under_way.mean() < TIGHTEN:
                self._tighten()
            self.state = run_steps.run_observed(self.state, self.case, *surroundings)
            arrived = np.flatnonzero(run_steps.is_at_goal(self.state, self.case) & self.under_way)
            if arrived.size:
                self._settle(arrived)
            control, wanted = run_steps.run_steered(self.state, self.case, prepared.clock)
            for number in range(prepared.clock.steps):
                around = run_around(self.state, number, self.case, *surroundings)
                self.state = run_steps.run_advanced(self.state, number, wanted, control, self.case, *surroundings,
                                                    around)
            self.state = run_steps.run_a_period_later(self.state)
            outcomes = run_steps.outcome_of(self.state, self.case, prepared.clock)
            for place in np.flatnonzero((outcomes != RUNNING) & self.under_way):
                self._end(int(place), int(outcomes[place]))

    def _settle(self, arrived: np.ndarray) -> None:
        """Put the runs that are at their goal on their next leg, or end them."""
        ways = self.prepared.ways
        for place in arrived:
            points: Any = ways[1:, :, self.runs[place] if ways.shape[2] > 1 else 0]
            radius = self.case.radius if np.ndim(self.case.radius) == 0 else self.case.radius[place]
            plant = self.state.plant
            self.legs[place] = next_waypoint(plant.x[place], plant.y[place], self.legs[place], points, radius)
            if self.legs[place] == len(points):
                self._end(place, REACHED)
        self.state = run_steps.run_on_leg(self.state, self._legs_of(np.minimum(self.legs, ways.shape[0] - 2)))

    def _end(self, place: int, outcome: int) -> None:
        state = self._taken(self.state, place)
        write_result(self.results, self.runs[place], outcome, run_steps.duration_of(state), state, self.legs[place])
        self.under_way[place] = False

    def _tighten(self) -> None:
        kept = np.flatnonzero(self.under_way)
        self.case, self.state = self._taken(self.case, kept), self._taken(self.state, kept)
        self.runs, self.legs, self.under_way = self.runs[kept], self.legs[kept], self.under_way[kept]

    def _legs_of(self, legs: np.ndarray) -> Any:
        ways, columns = self.prepared.ways, self.runs if self.prepared.ways.shape[2] > 1 else 0
        return leg_between(ways[legs, 0, columns], ways[legs, 1, columns], ways[legs + 1, 0, columns],
                           ways[legs + 1, 1, columns])

    @staticmethod
    def _taken(value: Any, places: Any) -> Any:
        return map_leaves(lambda leaf: leaf if np.ndim(leaf) == 0 else leaf[places], value)


ENDS = {record.REACHED: REACHED, record.TIMED_OUT: TIMED_OUT, record.BATTERY_EMPTY: BATTERY_EMPTY}


def run_one_by_one(cases: Cases) -> np.ndarray:
    """
    Return the results of the runs, rows as in Results.COLUMNS, shape (rows, runs).

    A run that left the flow or ran away has only its outcome (NaN; 0 samples), since run_scenario returns nothing for
    it.
    """
    return np.array([list(_result(cases, index).values()) for index in range(cases.number)]).T


def _result(cases: Cases, index: int) -> dict[str, float]:
    try:
        return _columns(run_scenario(cases.scenario_of(index)))
    except InputError as error:
        ran_away = isinstance(error, StepTooLongError) or 'runs away' in str(error)
        outcome = RAN_AWAY if ran_away else LEFT_FLOW
        return {**dict.fromkeys(Results.COLUMNS, math.nan), 'outcome': outcome, 'samples': 0, 'waypoint': 0}


def _columns(run: Run) -> dict[str, float]:
    last, energy = run.rows[-1], run.energy
    motion, flow = last.motion, last.flow  # The Power may have the velocity of another convention.
    current = to_body(flow.current_x, flow.current_y, math.cos(motion.yaw), math.sin(motion.yaw))
    waypoint = 0
    for row in run.rows:
        waypoint = next_waypoint(row.x, row.y, waypoint, run.scenario.waypoints, run.scenario.radius)
    return {'outcome': ENDS[run.outcome], 'duration': run.duration,
            **{f'energy_{cause}': getattr(energy, cause) for cause in CAUSES},
            'distance_over_ground': energy.distance_over_ground,
            'distance_through_water': energy.distance_through_water, 'thruster_energy': run.thruster_energy,
            'samples': energy.samples, 'waypoint': waypoint, 'x': last.x, 'y': last.y, 'yaw': motion.yaw,
            'u_r': motion.u - current[0], 'v_r': motion.v - current[1], 'r': motion.r,
            **_of_cells(run.supply)}


def _of_cells(supply: SupplyState | None) -> dict[str, float]:
    """Return the state of a battery at the end of a run; NaN without cells."""
    known = (math.nan,) * 4 if supply is None else (
        supply.cells.charge, supply.voltage, supply.cells.temperature, supply.energy)
    return dict(zip(('charge', 'voltage', 'temperature', 'battery_energy'), known))
