"""The data of a simulated run: its parameters (Case), what all runs share (RunClock), and its state (RunState)."""

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

# Results.outcome is an index into this list; RUNNING is no outcome yet.
OUTCOMES = ('reached', 'timed_out', 'left_flow', 'ran_away', 'battery_empty')
REACHED, TIMED_OUT, LEFT_FLOW, RAN_AWAY, BATTERY_EMPTY = range(len(OUTCOMES))
RUNNING = -1

NO_ROW: Any = None  # Value of an Energy field that the engine does not count.


class Case(NamedTuple):
    """
    The parameters of a run, taken from its Scenario; floats, or arrays with one element per run.

    `boat`: the Vessel of the power model. `plant`: the Vessel that is simulated; None if it is `boat`.
    `gains`: of the controller. `speed`: wanted surge velocity, m/s; None for full thrust.
    `lookahead`: lookahead distance, m; None to steer straight at the goal. `tacking`: None for a boat without a sail.
    `radius`: of the goal, m. `timeout`: s. `current_x`, `current_y`, `wind_x`, `wind_y`: uniform flow, m/s (ENU).
    `lags`: the ThrusterLags. `start`: x, y, m, and yaw, rad (ENU).
    `on_board`: the OnBoard of a battery-powered plant without its tables; None if the plant has no battery model.
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
    What all runs share.

    `step`: time step of the plant, s. `steps`: steps per control period. `published`: the power convention; None for
    rep103. `lost`: the outcome of a run whose state becomes NaN: LEFT_FLOW if a flow is gridded, else RAN_AWAY.
    `tables`: the SupplyTables of a battery-powered plant, else None. `sea`: the FeltSea of a hull of parts in waves,
    the MeanSea of a planar boat with coefficients of added resistance, else None.
    """

    step: float
    steps: int
    published: Any
    lost: int
    tables: Any = None
    sea: Any = None


class RunState(NamedTuple):
    """
    The state of a run.

    `plant`: the PlantState. `setting`: what the actuators do. `periods`: control periods so far. `leg`: the Leg that
    is steered. `observation`: the last Observation; its time is that of the last one with a known flow.
    `observed_plant`: the PlantState at that time. `energy`: so far. `control`: the ControlState.
    `multipliers`: Lagrange multipliers of the thrust allocation of the last observed power, the initial guess of the
    next search (`thrusts_of_force`); None if the thrusts have a closed form.
    `lost`: 1.0 if the flow has no value at the boat or the state became NaN; `plant` is then the last valid state.
    `supply`: the SupplyState of a battery-powered plant, else None.
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


@kernel
def plant_of(case):
    """Return the Vessel that is simulated: the Case's `plant` or, if that is None, its `boat`."""
    return _plant_or_boat(case, case.plant)


@kernel
def _plant_or_boat(case, plant):
    if plant is None:
        return case.boat
    return plant


@kernel
def run_at_start(case, leg, clock):
    """
    Return the RunState at the start: at rest through the water, with the thrusters off and no observation yet.

    :param case: The Case.
    :param leg: The Leg that is steered first.
    :param clock: The RunClock.
    """
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
    """Return a Power that holds only the total, W; the engine stores no other field of it."""
    return Power(None, None, None, None, None, None, None, None, None, None, None, None, None, total, None, None, None)


@kernel
def _row_in_sea(value, sea):
    """Return a value if there is a sea, else None: a run without waves does not count their energy."""
    if sea is None:
        return None
    return value


@kernel
def _supply_at_start(zero, case, tables):
    if tables is None:
        return None
    return supply_at_start(zero, with_tables(case.on_board, tables))
