"""
The data of a simulated run: its parameters (Case), what all runs share (RunClock), and its state (RunState).

For compiled code each run is a column of a flat array, each number of its tuples a row. Which numbers a tuple holds
follows from its type, so a new field of a boat needs no change here. The distance between rows is a constant when the
code is compiled, which lets LLVM vectorize the loop over runs.
"""

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from usv_energy.allocation.boat_thrusts import no_multipliers
from usv_energy.physics.compiled_kernels import jit_options
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
    return case.boat if case.plant is None else case.plant


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
    in_sea = NO_ROW if clock.sea is None else zero
    supply = None if clock.tables is None else supply_at_start(zero, with_tables(case.on_board, clock.tables))
    energy = Energy(zero, zero, zero, zero, in_sea, zero, NO_ROW, zero, zero, zero, NO_ROW, zero, zero, zero, zero,
                    zero, zero, zero, zero, NO_ROW, NO_ROW, NO_ROW, NO_ROW)
    return RunState(state, resting_setting(zero, moving), zero, leg, nothing, state, energy,
                    ControlState(zero, no_multipliers(zero, moving)), no_multipliers(zero, case.boat), zero, supply)


@kernel
def power_kept(total):
    """Return a Power that holds only the total, W; the engine stores no other field of it."""
    return Power(None, None, None, None, None, None, None, None, None, None, None, None, None, total, None, None, None)


BLOCK = 16  # Runs in one block: two 512-bit vectors of doubles, and small enough for the first-level cache.


class Common(NamedTuple):
    """
    A marker in a template for a value that all runs share; it is stored in the template and not in the array.

    Compiled code evaluates terms that depend on shared values only once, not once per run.
    """

    value: Any


def leaves(value: Any) -> Iterator[Any]:
    """Return the leaves of a nested tuple in order: numbers, or arrays per run. None and Common have no leaves."""
    if isinstance(value, Common) or value is None:
        return
    if isinstance(value, tuple):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


def rows_of(value: Any, number: int) -> np.ndarray:
    """Return the leaves of a nested tuple as an array of shape (leaves, number); `number` is the number of runs."""
    every = list(leaves(value))
    rows = np.empty((len(every), number))
    for row, leaf in zip(rows, every):
        row[:] = leaf
    return rows


def map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """Return a nested tuple with a function applied to each leaf; a Common is replaced by its value."""
    if isinstance(value, Common):
        return value.value
    if isinstance(value, tuple):
        parts = [map_leaves(function, inner) for inner in value]
        return type(value)(*parts) if hasattr(value, '_fields') else tuple(parts)
    return None if value is None else function(value)


def read_column(template: Any, values: np.ndarray, k: int, stride: int) -> Any:
    """
    Return the nested tuple of one run, read from its column.

    :param template: A tuple of the same types; its None and Common members go into the result.
    :param values: The rows as one flat array.
    :param k: Index of the run, from 0.
    :param stride: Number of columns, the distance from row to row.
    """
    rows = iter(range(0, len(values), stride))
    return map_leaves(lambda leaf: float(values[next(rows) + k]), template)


def write_column(value: Any, values: np.ndarray, k: int, stride: int) -> None:
    """Write the nested tuple of one run into its column; parameters as `read_column`."""
    for row, leaf in enumerate(leaves(value)):
        values[row * stride + k] = leaf


@cache
def compile_columns() -> None:
    """Register `read_column` and `write_column` with numba as one load or store instruction per number."""
    from numba.extending import overload
    read, write = _intrinsics()
    overload(read_column, jit_options=jit_options())(
        lambda template, values, k, stride: lambda template, values, k, stride: read(template, values, k, stride))
    overload(write_column, jit_options=jit_options())(
        lambda value, values, k, stride: lambda value, values, k, stride: write(value, values, k, stride))


def _intrinsics() -> tuple[Any, Any]:
    from numba import types
    from numba.extending import intrinsic

    def result_type(node: Any) -> Any:
        """Return the numba type of the result of `read_column` for the type of a template."""
        if not isinstance(node, types.BaseTuple):
            return node if isinstance(node, types.NoneType) else types.float64
        kind, inner = getattr(node, 'instance_class', None), [result_type(one) for one in node]
        if kind is Common:
            return node[0]
        return types.BaseTuple.from_types(inner) if kind is None else types.BaseNamedTuple.from_types(inner, kind)

    def place(context: Any, builder: Any, values_type: Any, values: Any, k: Any, stride: Any) -> Callable[[int], Any]:
        """Return a function from the index of a row to the address of its element in the column."""
        data = context.make_array(values_type)(context, builder, values).data

        def at(row: int) -> Any:
            offset = builder.add(builder.mul(stride, stride.type(row)), k)
            return builder.gep(data, [offset], inbounds=True)

        return at

    @intrinsic  # type: ignore[untyped-decorator]
    def read(typing: Any, template: Any, values: Any, k: Any, stride: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            at, row = place(context, builder, values, *arguments[1:]), iter(range(1 << 30))

            def loaded(node: Any, given: Any, wanted: Any) -> Any:
                if getattr(node, 'instance_class', None) is Common:
                    return builder.extract_value(given, 0)
                if isinstance(node, types.NoneType):
                    return context.get_dummy_value()
                if not isinstance(node, types.BaseTuple):
                    return builder.load(at(next(row)))
                parts = [loaded(one, builder.extract_value(given, n), wanted[n]) for n, one in enumerate(node)]
                return context.make_tuple(builder, wanted, parts)

            return loaded(template, arguments[0], signature.return_type)

        return result_type(template)(template, values, types.int64, types.int64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def write(typing: Any, value: Any, values: Any, k: Any, stride: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            at, row = place(context, builder, values, *arguments[1:]), iter(range(1 << 30))

            def stored(node: Any, given: Any) -> None:
                if isinstance(node, types.BaseTuple):
                    for n, one in enumerate(node):
                        stored(one, builder.extract_value(given, n))
                elif not isinstance(node, types.NoneType):
                    number = context.cast(builder, given, node, types.float64)
                    builder.store(number, at(next(row)))

            stored(value, arguments[0])
            return context.get_dummy_value()

        return types.void(value, values, types.int64, types.int64), code

    return read, write
