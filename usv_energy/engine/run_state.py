"""What the engine knows of runs: their numbers, what they share, where one starts and stands."""

import math
from typing import Any, NamedTuple

from usv_energy.allocation.boat_thrusts import no_multipliers
from usv_energy.physics.elementwise import kernel
from usv_energy.physics.motion import Flow, Motion, Relative
from usv_energy.powering.actuators import Setting, resting_setting
from usv_energy.powering.energy import Energy
from usv_energy.powering.power import Power
from usv_energy.sim.control.control import ControlState, Gains
from usv_energy.sim.control.guidance import Leg
from usv_energy.sim.observation import Observation
from usv_energy.sim.plants.plant_step import PlantState, ThrusterLags, afloat_of
from usv_energy.sim.plants.supplied_plant import supply_at_start, with_tables

# Results.outcome is the place in this list.
OUTCOMES = ('reached', 'timed_out', 'left_flow', 'ran_away', 'battery_empty')
REACHED, TIMED_OUT, LEFT_FLOW, RAN_AWAY, BATTERY_EMPTY = range(len(OUTCOMES))
RUNNING = -1


class Case(NamedTuple):
    """
    The numbers of a run: boat of the power model, plant, gains, and the rest of its Scenario; floats or arrays.

    `speed` is None for full thrust, `lookahead` for steering straight at the goal. `tacking` is
    None of boats without a sail, `plant` where it is the
    boat, `start` x, y, m, and yaw, rad. `on_board`: the OnBoard of a plant on cells, without its tables, else None.
    """

    boat: Any
    plant: Any
    gains: Gains
    speed: Any
    lookahead: Any
    tacking: Any
    radius: Any
    timeout: Any
    current_x: Any
    current_y: Any
    wind_x: Any
    wind_y: Any
    lags: ThrusterLags
    start: Any
    on_board: Any = None


class RunClock(NamedTuple):
    """
    What all runs share: step of the plant, s; steps a period; the convention, None for rep103.

    `lost` is the outcome where a run's numbers end: LEFT_FLOW where a flow is gridded, else RAN_AWAY. `tables`: the
    SupplyTables of a plant on cells, else None. `sea`: the FeltSea of a hull of parts on waves, the MeanSea
    of a boat in the plane whose file says what waves take, else None.
    """

    step: float
    steps: int
    published: Any
    lost: int
    tables: Any = None
    sea: Any = None


class RunState(NamedTuple):
    """
    A run under way: plant, what its actuators do, periods so far, leg, last Observation, Energy so far.

    `control` is the ControlState; `multipliers` are those of the observed power, with which the search for the next
    begins (`thrusts_of_force`), None of boats whose thrusts need no search. `observed_plant` is the plant at the last
    Observation that had a flow, and the time of `observation` is that one's. `lost` is 1.0 where the flow has no value
    at the boat, or its numbers have run away to none; `plant` is then the last that there was. `supply` is the
    SupplyState of a plant on cells, else None.
    """

    plant: PlantState
    setting: Setting
    periods: Any
    leg: Leg
    observation: Observation
    observed_plant: PlantState
    energy: Energy
    control: ControlState
    multipliers: Any
    lost: Any
    supply: Any = None



NO_ROW: Any = None  # In place of what a run of the engine has not.


@kernel
def plant_of(case):
    """Return the Vessel that moves: the boat of the power model, unless there is another."""
    return _plant_or_boat(case, case.plant)


@kernel
def _plant_or_boat(case, plant):
    if plant is None:
        return case.boat
    return plant


@kernel
def run_at_start(case, leg, clock):
    """Return a run at its start: at rest in the water, thrusters off, nothing observed."""
    x, y, yaw = case.start
    zero = 0.0 * x
    none = zero + math.nan
    moving = plant_of(case)
    state = PlantState(x, y, yaw, zero, zero, zero, zero, afloat_of(zero, moving))
    nothing = Observation(none, Motion(None, none, none, none, None, None, None), Flow(none, none, none, none),
                          Relative(none, none, none, none, none), power_kept(none), none, none)
    energy = Energy(zero, zero, zero, zero, _row_in_sea(zero, clock.sea), zero, NO_ROW, zero, zero, zero, NO_ROW, zero,
                    zero, zero, zero, zero, zero, zero, zero, NO_ROW, NO_ROW, NO_ROW, NO_ROW)
    return RunState(state, resting_setting(zero, moving), zero, leg, nothing, state, energy,
                    ControlState(zero, no_multipliers(zero, moving)), no_multipliers(zero, case.boat), zero,
                    _supply_at_start(zero, case, clock.tables))


@kernel
def power_kept(total):
    """Return the Power that a run keeps of an Observation: its total, W."""
    return Power(None, None, None, None, None, None, None, None, None, None, None, None, None, total, None, None, None)


@kernel
def _row_in_sea(value, sea):
    """Return a value where the sea is known, else None: a row that runs without waves do not have."""
    if sea is None:
        return None
    return value


@kernel
def _supply_at_start(zero, case, tables):
    if tables is None:
        return None
    return supply_at_start(zero, with_tables(case.on_board, tables))
