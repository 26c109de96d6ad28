"""The plainest backend: run_scenario, one case after the other; what the others must agree with."""

import math

import numpy as np

from ..files.errors import InputError
from ..physics.frames import to_body
from ..powering.energy import CAUSES
from ..sim import record
from ..sim.guidance import next_waypoint
from ..sim.record import Run
from ..sim.runner import run_scenario
from ..sim.step_limit import StepTooLongError
from ..sim.supplied_plant import SupplyState
from .cases import Cases
from .results import Results
from .run_state import BATTERY_EMPTY, LEFT_FLOW, RAN_AWAY, REACHED, TIMED_OUT

ENDS = {record.REACHED: REACHED, record.TIMED_OUT: TIMED_OUT, record.BATTERY_EMPTY: BATTERY_EMPTY}


def run_one_by_one(cases: Cases) -> np.ndarray:
    """
    Return what came of the runs, rows as in Results.COLUMNS, shape (rows, runs).

    A run that left the flow or ran away has only its outcome (NaN; 0 samples), since run_scenario keeps nothing of it.
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
    motion, flow = last.motion, last.flow  # A Power has the plant's velocity through the water under rep103 only.
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
    """Return what is known of a battery at the end of a run; NaN without cells."""
    known = (math.nan,) * 4 if supply is None else (
        supply.cells.charge, supply.voltage, supply.cells.temperature, supply.energy)
    return dict(zip(('charge', 'voltage', 'temperature', 'battery_energy'), known))
