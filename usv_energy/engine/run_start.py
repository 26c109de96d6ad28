"""A run at its start: one body for arrays, numba and a GPU, whose types say what it has and what it has not."""

import math
from typing import Any

from ..physics.actuators import resting_setting
from ..physics.elementwise import by_part, kernel
from ..physics.energy import Energy
from ..physics.power import Flow, Motion, Power, Relative
from ..physics.price_track import fresh_track, no_track
from ..sim.observation import Observation
from ..sim.plant_step import PlantState, afloat_of
from ..sim.supplied_plant import supply_at_start, with_tables
from .run_state import RunState

NO_ROW: Any = None  # In place of what a run of the engine has not.


@kernel
def plant_of(case):
    """Return the Vessel that moves: the boat of the power model, unless there is another."""
    return by_part(case.plant, _boat_of, _itself, case)


@kernel
def _boat_of(case):
    return case.boat


@kernel
def _itself(plant, case):
    return plant


@kernel
def run_at_start(case, leg, clock):
    """Return a run at its start: at rest in the water, thrusters off, nothing observed."""
    x, y, yaw = case.start
    zero = 0.0 * x
    none = zero + math.nan
    state = PlantState(x, y, yaw, zero, zero, zero, zero, afloat_of(zero, plant_of(case)))
    nothing = Observation(none, Motion(None, none, none, none, None, None, None), Flow(none, none, none, none),
                          Relative(none, none, none, none, none), power_kept(none), none, none)
    energy = Energy(zero, zero, zero, zero, waves_row(zero, clock), zero, NO_ROW, zero, zero, zero, NO_ROW, zero, zero,
                    zero, zero, zero, zero, zero, zero, NO_ROW, NO_ROW, NO_ROW, NO_ROW)
    return RunState(state, resting_setting(zero, plant_of(case)), zero, leg, nothing, state, energy,
                    (zero, by_part(plant_of(case).free, no_track, fresh_track, zero)),
                    by_part(case.boat.free, no_track, fresh_track, zero), zero,
                    by_part(clock.tables, _no_supply, _supply_at_start, zero, case))


@kernel
def power_kept(total):
    """Return the Power that a run keeps of an Observation: its total, W."""
    return Power(None, None, None, None, None, None, None, None, None, None, None, None, None, total, None, None, None)


@kernel
def waves_row(value, clock):
    """Return a value where the sea is known (RunClock), else None: a row that runs without waves do not have."""
    return by_part(clock.sea, _no_row, _as_a_row, value)


@kernel
def _no_row(value):
    return None


@kernel
def _as_a_row(sea, value):
    return value


@kernel
def _no_supply(zero, case):
    return None


@kernel
def _supply_at_start(tables, zero, case):
    return supply_at_start(zero, with_tables(case.on_board, tables))
