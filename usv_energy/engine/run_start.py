"""A run at its start: one body for arrays and numba, whose types say what it has and what it has not."""

import math
from typing import Any

from ..allocation.boat_thrusts import no_multipliers
from ..physics.elementwise import kernel
from ..physics.motion import Flow, Motion, Relative
from ..powering.actuators import resting_setting
from ..powering.energy import Energy
from ..powering.power import Power
from ..sim.control import ControlState
from ..sim.observation import Observation
from ..sim.plant_step import PlantState, afloat_of
from ..sim.supplied_plant import supply_at_start, with_tables
from .run_state import RunState

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
