"""
The power of a vessel's steady motions as a smooth, fast table with a known error.

The power of a vessel's steady motions in waves as a table: by speed, air, and the mean force of the waves.
"""

import math
import pickle
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.engine.ensemble import has_numba
from usv_energy.engine.numba_engine import compiled
from usv_energy.files.errors import InputError
from usv_energy.physics.elementwise import floor, kernel, select, whole
from usv_energy.physics.motion import Flow
from usv_energy.physics.waves.added_resistance import SeaAlong, WaveCoefficients, added_resistance
from usv_energy.powering.loads import long_run_powers
from usv_energy.studies.plan.steady_motion import highest_between, steady_state, top_speed
from usv_energy.studies.route.route_problem import MotionCost, sea_towards

Weights = tuple[Any, Any, Any, Any]
ROUNDING = 1e-9         # of a cell, and of a speed: tolerance at the ends of the table
SIZES = (33, 9), (49, 17), (97, 33)     # nodes of the speed, and of the air along and across, tried in turn
ERROR = 5e-4            # relative error of power, at 95 % of places, at which a table is fine enough
FLOOR = 0.01            # of the greatest power: errors of a smaller power are relative to this
CHECKED = 3000          # random places at which a table is compared with its source
LEAST_AIR = 0.5         # m/s, of the range of a table
LOWEST = 1e-3           # of the highest speed: the lowest speed that is tested for being held
MANY = 100              # places from which on a compiled loop is used
TABLE_SOURCES = 'physics/**/*.py', 'studies/route/costs/motion_table.py'
TRIES = 32              # speeds that are tested for being held


class MotionArrays(NamedTuple):
    """
    The arrays of the table, for compiled code; numba functions accept them directly (call `compile_kernels`).

    The air's nodes are at `air0` + i `air_step`, m/s, `air_nodes` along each of both axes; the speed's at shares
    k / (`speed_nodes` - 1) between the least and the top speed. `power`: coefficients, W, flat, shape
    (speed_nodes + 2, air_nodes + 2, air_nodes + 2), the air across runs fastest. `least`, `top`: lowest and highest
    speed that can be held, m/s, flat, shape (air_nodes + 2, air_nodes + 2). `standing`: power at speed 0, thrusters
    off, W.
    """

    air0: float
    air_step: float
    air_nodes: int
    speed_nodes: int
    power: Any
    least: Any
    top: Any
    standing: float


@kernel
def power_in_table(speed: Any, air_along: Any, air_across: Any, table: Any) -> Any:
    """
    Return the electrical power, W; NaN if the boat cannot hold the speed, and for air outside the table.

    :param speed: Through the water, m/s; float or array. At 0 it is the table's `standing`.
    :param air_along: Of the air through the water along the boat's velocity through the water, m/s; same shape.
    :param air_across: The same to port of it; same shape.
    :param table: The MotionArrays.
    """
    along, across = place_in(air_along, table), place_in(air_across, table)
    by_along, by_across = spline_weights(along[1]), spline_weights(across[1])
    row = table.air_nodes + 2
    first = along[0] * row + across[0]
    least = sheet_of(table.least, first, row, by_along, by_across)
    top = sheet_of(table.top, first, row, by_along, by_across)
    held = (speed >= least - ROUNDING * top) & (speed <= top + ROUNDING * top) & (top > least)
    share = select(held, (speed - least) / select(top > least, top - least, 1.0), 0.0) * (table.speed_nodes - 1.0)
    cell = floor(select(share < table.speed_nodes - 2.0, select(share > 0.0, share, 0.0), table.speed_nodes - 2.0))
    by_speed = spline_weights(share - cell)
    sheet = row * row
    begin = whole(cell) * sheet + first
    watts = (by_speed[0] * sheet_of(table.power, begin, row, by_along, by_across)
             + by_speed[1] * sheet_of(table.power, begin + sheet, row, by_along, by_across)
             + by_speed[2] * sheet_of(table.power, begin + 2 * sheet, row, by_along, by_across)
             + by_speed[3] * sheet_of(table.power, begin + 3 * sheet, row, by_along, by_across))
    return select(speed > 0.0, select(held, watts, math.nan), table.standing)


@kernel
def top_speed_in_table(air_along: Any, air_across: Any, table: Any) -> Any:
    """Return the highest speed through the water, m/s, 0 if none can be held, NaN for air outside the table."""
    along, across = place_in(air_along, table), place_in(air_across, table)
    row = table.air_nodes + 2
    top = sheet_of(table.top, along[0] * row + across[0], row, spline_weights(along[1]), spline_weights(across[1]))
    return select(top > 0.0, top, 0.0 * top)


@kernel
def place_in(air: Any, table: Any) -> tuple[Any, Any]:
    """Return the index of the cell of an air's velocity, and the share of the cell, 0 to 1, NaN outside the table."""
    at = (air - table.air0) / table.air_step
    inside = (at >= -ROUNDING) & (at <= table.air_nodes - 1.0 + ROUNDING)
    at = select(inside, at, 0.0)
    cell = floor(select(at < table.air_nodes - 2.0, select(at > 0.0, at, 0.0), table.air_nodes - 2.0))
    return whole(cell), select(inside, at - cell, math.nan)


@kernel
def spline_weights(t: Any) -> Weights:
    """Return the four cubic B-splines that are not 0 at a share of a cell, (-)."""
    s = 1.0 - t
    return (s * s * s / 6.0, (4.0 + 3.0 * t * t * (t - 2.0)) / 6.0, (4.0 + 3.0 * s * s * (s - 2.0)) / 6.0,
            t * t * t / 6.0)


@kernel
def sheet_of(values: Any, first: Any, row: Any, by_row: Weights, by_column: Weights) -> Any:
    """Return the sum of 4 x 4 coefficients, of which the first is at `first` and rows are `row` apart, by weights."""
    return (by_row[0] * _line(values, first, by_column) + by_row[1] * _line(values, first + row, by_column)
            + by_row[2] * _line(values, first + 2 * row, by_column)
            + by_row[3] * _line(values, first + 3 * row, by_column))


@kernel
def _line(values: Any, first: Any, weights: Weights) -> Any:
    return (weights[0] * values[first] + weights[1] * values[first + 1]
            + weights[2] * values[first + 2] + weights[3] * values[first + 3])


class SteadyCost:
    """A MotionCost by solving the steady motion: exact, and a thousand times as slow as a MotionTable."""

    def __init__(self, vessel: Vessel, loads: float = 0.0) -> None:
        """
        Take the boat.

        :param vessel: With thrusters. Loads that depend on speed use the speed through the water. In a sea, a power
            without a bearing is that towards the east.
        :param loads: Power, W, besides the vessel's own loads.
        """
        self.vessel, self.loads = vessel, loads
        self.towards = None if vessel.sea is None else vessel.sea.towards
        self.fastest = 1.6 * top_speed(vessel)
        self.standing = float(vessel.static_load + sum(long_run_powers(vessel.loads, 0.0)) + loads)

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray,
              bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the electrical power, W; see MotionCost.power."""
        along = 0.0 if bearing is None else np.asarray(bearing, dtype=float)
        c, s = np.cos(along), np.sin(along)
        motion = steady_state(self.vessel, along, speed, Flow(0.0, 0.0, c * air_along - s * air_across,
                                                              s * air_along + c * air_across))
        watts = np.where(motion.feasible, motion.power.total + self.loads, np.nan)
        return np.where(np.asarray(speed) > 0.0, watts, self.standing)

    def top_speed(self, air_along: np.ndarray, air_across: np.ndarray,
                  bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the highest speed through the water, m/s, to the east; see MotionCost.top_speed."""
        return self.speeds_held(air_along, air_across)[1]

    def speeds_held(self, air_along: np.ndarray, air_across: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the range of speeds that can be held, m/s: from the last gap, or 0, to the highest speed."""
        shape = np.broadcast_shapes(np.shape(air_along), np.shape(air_across))
        along, across = (np.broadcast_to(air, shape).ravel() for air in (air_along, air_across))
        tried = self.fastest * np.linspace(0.0, 1.0, TRIES)
        tried[0] = LOWEST * self.fastest
        flow, course = Flow(0.0, 0.0, along, across), np.zeros(along.size)
        held = steady_state(self.vessel, course, tried[:, None], flow).feasible
        last = TRIES - 1 - np.argmax(held[::-1], axis=0)
        top = highest_between(self.vessel, course, flow, tried[last], tried[np.minimum(last + 1, TRIES - 1)], 15, 6)
        gap = ~held & (np.arange(TRIES)[:, None] < last)
        first = np.where(gap.any(axis=0), TRIES - np.argmax(gap[::-1], axis=0), 0)
        least = np.where(first == 0, 0.0, tried[np.minimum(first, TRIES - 1)])
        none = ~held.any(axis=0)
        return np.where(none, 0.0, least).reshape(shape), np.where(none, 0.0, top).reshape(shape)


class CheckedTable(MotionCost, Protocol):
    """A MotionCost with a greatest air velocity, m/s."""

    most_air: float


class MotionTable:
    """
    A MotionCost from a table; NaN outside the air that it was made for.

    `arrays`: for compiled code (`power_in_table`, `top_speed_in_table`). `error`, `worst`: the relative error of its
    power, (-), that 95 % of random places do not exceed, and the largest one. The largest is at a corner or a jump of
    power, which a smooth table cannot follow (a thruster that only brakes, a heading that flips in a wind from astern).
    `most_air`: the greatest velocity of the air through the water, along and across the motion, m/s.
    """

    def __init__(self, arrays: MotionArrays, error: float = np.nan, worst: float = np.nan) -> None:
        """Take the table and its errors."""
        self.arrays, self.error, self.worst = arrays, error, worst
        self.most_air = -arrays.air0

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray,
              bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the electrical power, W; see MotionCost.power."""
        return _looked_up(power_in_table, _fill_power, (speed, air_along, air_across), self.arrays)

    def top_speed(self, air_along: np.ndarray, air_across: np.ndarray,
                  bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the highest speed through the water, m/s; see MotionCost.top_speed."""
        return _looked_up(top_speed_in_table, _fill_top_speed, (air_along, air_across), self.arrays)


def _looked_up(kernel_of: Callable[..., Any], loop: Callable[..., None], given: tuple[Any, ...],
               table: MotionArrays) -> np.ndarray:
    """Return a quantity of a table at many places: by a compiled loop where they are many and numba is installed."""
    given = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in given))
    fast = _compiled(loop) if given[0].size >= MANY else None
    if fast is None:
        return np.asarray(kernel_of(*given, table))
    found = np.empty(given[0].shape)
    fast(*(np.ascontiguousarray(value).ravel() for value in given), table, found.ravel())
    return found


@cache
def _compiled(loop: Callable[..., None]) -> Any:
    return compiled(loop, TABLE_SOURCES) if has_numba() else None


def _fill_power(speed: Any, along: Any, across: Any, table: Any, watts: Any) -> None:
    for n in range(len(watts)):
        watts[n] = power_in_table(speed[n], along[n], across[n], table)


def _fill_top_speed(along: Any, across: Any, table: Any, top: Any) -> None:
    for n in range(len(top)):
        top[n] = top_speed_in_table(along[n], across[n], table)


def motion_table(vessel: Vessel, most_air: float, loads: float = 0.0) -> MotionTable:
    """
    Return the table of a vessel's steady motions.

    It takes half a second for most boats, and seconds if the power has sharp bends. If even the finest table is not
    accurate to ERROR, its `error` says so.

    :param vessel: The Vessel.
    :param most_air: The greatest speed of the air through the water, m/s: at most that of wind and current together.
    :param loads: Power, W, besides the vessel's own loads.
    :raises InputError: For a boat without thrusters, and for a wrong `most_air`.
    """
    if not 0.0 <= most_air < np.inf:
        raise InputError(f'a table of motions in air of {most_air:g} m/s; must be at least 0 and finite')
    if not vessel.thrusters:
        raise InputError('the boat has no thruster: a route needs one that goes under power')
    exact = SteadyCost(vessel, loads)
    most = max(1.02 * most_air, LEAST_AIR)
    for speeds, airs in SIZES if len(vessel.thrusters) <= 2 else SIZES[:2]:
        air = np.linspace(-most, most, airs)
        table = _table(exact, air, speeds, *exact.speeds_held(air[:, None], air), exact.standing)
        if table.error <= ERROR:
            break
    return table


def tabulated(cost: MotionCost, most_air: float, fastest: float, nodes: tuple[int, int] = (65, 9)) -> MotionTable:
    """
    Return the table of any cost without gaps below its highest speed, such as a PowerLaw.

    :param most_air: As for `motion_table`.
    :param fastest: Upper bound on the speeds of the table, m/s.
    :param nodes: Of the speed, and of the air along and across.
    """
    air = np.linspace(-1.0, 1.0, nodes[1]) * max(1.02 * most_air, LEAST_AIR)
    top = np.minimum(cost.top_speed(air[:, None], air), fastest)
    standing = float(cost.power(np.zeros(1), np.zeros(1), np.zeros(1))[0])
    return _table(cost, air, nodes[0], np.zeros_like(top), top, standing)


def _table(cost: MotionCost, air: np.ndarray, speeds: int, least: np.ndarray, top: np.ndarray,
           standing: float) -> MotionTable:
    arrays = table_arrays(cost, air, speeds, least, top, standing)
    return MotionTable(arrays, *table_errors(MotionTable(arrays), cost))


def table_arrays(cost: MotionCost, air: np.ndarray, speeds: int, least: np.ndarray, top: np.ndarray,
                 standing: float) -> MotionArrays:
    """Return the table with the cost's power at its nodes; `least` and `top` at the nodes of the air, shape (A, A)."""
    # A node without a speed that is held gets the mean of the others, so that the splines around it stay smooth.
    held = top > least
    share = np.linspace(0.0, 1.0, speeds)[:, None, None]
    inside = np.clip(share, 1e-5, 1.0 - 1e-9)
    tried = least + inside * np.where(held, top - least, 1.0)
    watts = np.asarray(cost.power(tried, air[:, None], air))
    watts = np.where(np.isfinite(watts) & held, watts, _mean_of_held(watts, held))
    return MotionArrays(float(air[0]), float(air[1] - air[0]), air.size, speeds,
                        _coefficients(watts).ravel(), _coefficients(least).ravel(), _coefficients(top).ravel(),
                        standing)


def _mean_of_held(watts: np.ndarray, held: np.ndarray) -> np.ndarray:
    known: np.ndarray = np.where(np.isfinite(watts) & held, watts, 0.0)
    count = np.maximum((np.isfinite(watts) & held).sum(axis=(1, 2), keepdims=True), 1)
    return known.sum(axis=(1, 2), keepdims=True) / count


def _coefficients(values: np.ndarray) -> np.ndarray:
    """Return the coefficients of the cubic B-splines through values at uniform nodes; two more along each axis."""
    for axis in range(values.ndim):
        values = coefficients_along(values, axis)
    return values


def coefficients_along(values: np.ndarray, axis: int) -> np.ndarray:
    """Return the coefficients of the cubic B-splines along one axis, two more than there are nodes; at least three."""
    nodes = values.shape[axis]
    matrix = np.zeros((nodes + 2, nodes + 2))
    for node in range(nodes):
        matrix[node + 1, node:node + 3] = 1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0
    matrix[0, :5] = matrix[-1, -5:] = 1.0, -4.0, 6.0, -4.0, 1.0  # "Not a knot": the third derivative is continuous.
    moved = np.moveaxis(values, axis, 0).reshape(nodes, -1)
    padded = np.vstack((np.zeros((1, moved.shape[1])), moved, np.zeros((1, moved.shape[1]))))
    shape = (nodes + 2, *np.delete(values.shape, axis))
    return np.ascontiguousarray(np.moveaxis(np.linalg.solve(matrix, padded).reshape(shape), 0, axis))


def table_errors(table: CheckedTable, cost: MotionCost) -> tuple[float, float]:
    """Return the relative error of a table that 95 % of random places do not exceed, and the largest one."""
    rng = np.random.default_rng(1)
    along, across, share = rng.uniform((-1.0, -1.0, 0.02), (1.0, 1.0, 0.98), (CHECKED, 3)).T
    along, across = table.most_air * along, table.most_air * across
    bearing = () if sea_towards(cost) is None else (rng.uniform(-np.pi, np.pi, CHECKED),)
    speed = share * table.top_speed(along, across, *bearing)
    ours, exact = (np.asarray(one.power(speed, along, across, *bearing)) for one in (table, cost))
    both = np.isfinite(ours) & np.isfinite(exact)
    if not both.any():
        return np.nan, np.nan
    wrong = (abs(ours - exact) / np.maximum(abs(exact), FLOOR * exact[both].max()))[both]
    return float(np.quantile(wrong, 0.95)), float(wrong.max())


FORCES = 7              # nodes of the added resistance
BEARINGS = 361          # among which its least and greatest are found
KEPT = 4                # tables of the latest vessels
NEGLIGIBLE = 1e-9       # N: weaker waves are ignored


class SeaMotionTable:
    """
    A MotionCost in waves that are the same everywhere.

    The mean force of the waves acts along the hull and depends on the heading alone. The heading is the bearing of the
    velocity through the water less the drift angle, taken as in calm water. So power and the speeds that can be held
    are cubic B-splines over force, speed and air, and the force itself is computed without a table. `error`, `worst`:
    as for a MotionTable, over all bearings.
    """

    def __init__(self, sea: SeaAlong, forces: np.ndarray, levels: list[MotionArrays], calm: MotionTable,
                 drift: MotionArrays) -> None:
        """
        Take the sea and its tables.

        :param forces: Added resistance, N, evenly spaced, rising.
        :param levels: The table of the motions against each of these.
        :param calm: The table of calm water.
        :param drift: The table of the drift angle in calm water, rad: heading = bearing - drift.
        """
        self.towards, self.most_air = sea.towards, calm.most_air
        self.error = self.worst = np.nan
        self._sea, self._calm, self._drift, self._one = sea, calm, drift, levels[0]
        self._first, self._step = float(forces[0]), float(forces[1] - forces[0])
        self._power, self._least, self._top = (
            coefficients_along(np.array([getattr(level, name) for level in levels]), 0)
            for name in ('power', 'least', 'top'))

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray,
              bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the electrical power, W; see MotionCost.power."""
        if bearing is None:
            return self._calm.power(speed, air_along, air_across)
        speed, along, across, bearing = _broadcast(speed, air_along, air_across, bearing)
        sheets = _Sheets(self._one, self._force(speed, along, across, bearing), self._first, self._step, along, across)
        least, top = (sheets.value(values) for values in (self._least, self._top))
        highest = self.top_speed(along, across, bearing)
        held = (speed >= least - ROUNDING * top) & (speed <= highest * (1.0 + ROUNDING)) & (highest > least)
        share = np.clip((speed - least) / np.where(top > least, top - least, 1.0), 0.0, 1.0)
        at = np.where(held, share, 0.0) * (self._one.speed_nodes - 1.0)
        cell = np.clip(np.floor(at), 0.0, self._one.speed_nodes - 2.0)
        size = (self._one.air_nodes + 2) ** 2
        watts = sum(weight * sheets.value(self._power, (cell.astype(int) + number) * size)
                    for number, weight in enumerate(spline_weights(at - cell)))
        return np.where(speed > 0.0, np.where(held, watts, np.nan), self._one.standing)

    def top_speed(self, air_along: np.ndarray, air_across: np.ndarray,
                  bearing: np.ndarray | None = None) -> np.ndarray:
        """Return the highest speed through the water, m/s; see MotionCost.top_speed."""
        if bearing is None:
            return self._calm.top_speed(air_along, air_across)
        along, across, bearing = _broadcast(air_along, air_across, bearing)
        force = self._force(np.full_like(along, np.inf), along, across, bearing)
        top = _Sheets(self._one, force, self._first, self._step, along, across).value(self._top)
        return np.asarray(np.where(top > 0.0, top, 0.0 * top))

    def _force(self, speed: np.ndarray, along: np.ndarray, across: np.ndarray, bearing: np.ndarray) -> np.ndarray:
        """Return the added resistance, N; the drift angle is that at the speed, at most the highest in calm water."""
        held = np.minimum(speed, top_speed_in_table(along, across, self._drift))
        drift = power_in_table(held, along, across, self._drift)
        return np.asarray(added_resistance(self._sea, bearing - np.where(np.isfinite(drift), drift, 0.0)))


class _Sheets:
    """The cells and spline weights of motions in the tables of force and air."""

    def __init__(self, table: MotionArrays, force: np.ndarray, first: float, step: float, along: np.ndarray,
                 across: np.ndarray) -> None:
        at = np.clip((force - first) / step, 0.0, FORCES - 1.0)
        cell = np.minimum(np.floor(at), FORCES - 2.0)
        self._level, self._by_force = cell.astype(int), spline_weights(at - cell)
        in_along, in_across = place_in(along, table), place_in(across, table)
        self._row = table.air_nodes + 2
        self._place = in_along[0] * self._row + in_across[0]
        self._by_along, self._by_across = spline_weights(in_along[1]), spline_weights(in_across[1])

    def value(self, values: np.ndarray, begin: Any = 0) -> np.ndarray:
        """Return a quantity from its coefficients, (FORCES + 2, ...); `begin`: offset of the sheets of the air."""
        flat, size = values.ravel(), values[0].size
        return np.asarray(sum(weight * sheet_of(flat, (self._level + number) * size + begin + self._place, self._row,
                                                self._by_along, self._by_across)
                              for number, weight in enumerate(self._by_force)))


class _DriftCost(SteadyCost):
    """The drift angle in calm water, rad, bow to starboard positive, in place of the power, for a table."""

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray,
              bearing: np.ndarray | None = None) -> np.ndarray:
        return -np.asarray(steady_state(self.vessel, 0.0, speed, Flow(0.0, 0.0, air_along, air_across)).yaw)


def sea_motion_table(vessel: Vessel, most_air: float, loads: float = 0.0) -> MotionTable | SeaMotionTable:
    """
    Return the table of a vessel's steady motions in its sea, or that of calm water if the waves have no effect.

    It takes about eight times as long as that of calm water; the latest ones are kept. Parameters and InputError as for
    `motion_table`.
    """
    return _table_of(pickle.dumps(vessel), most_air, loads)


@lru_cache(KEPT)
def _table_of(pickled: bytes, most_air: float, loads: float) -> MotionTable | SeaMotionTable:
    """Return `sea_motion_table` of a pickled vessel, which can be compared with others: vessels hold arrays."""
    vessel: Vessel = pickle.loads(pickled)
    calm_vessel = vessel._replace(sea=None)
    calm = motion_table(calm_vessel, most_air, loads)
    if vessel.sea is None:
        return calm
    found = added_resistance(vessel.sea, np.linspace(-np.pi, np.pi, BEARINGS))
    low, high = min(float(found.min()), 0.0), max(float(found.max()), 0.0)
    if high - low < NEGLIGIBLE:
        return calm
    forces = np.linspace(low, high, FORCES)
    airs, speeds = min(calm.arrays.air_nodes, SIZES[1][1]), min(calm.arrays.speed_nodes, SIZES[1][0])
    air = np.linspace(-calm.most_air, calm.most_air, airs)

    def arrays_of(cost: SteadyCost, standing: float) -> MotionArrays:
        return table_arrays(cost, air, speeds, *cost.speeds_held(air[:, None], air), standing)

    exact = SteadyCost(calm_vessel, loads)
    levels = [arrays_of(SteadyCost(calm_vessel._replace(sea=_sea_of_force(force)), loads), exact.standing)
              for force in forces.tolist()]
    table = SeaMotionTable(vessel.sea, forces, levels, calm, arrays_of(_DriftCost(calm_vessel), 0.0))
    table.error, table.worst = table_errors(table, SteadyCost(vessel, loads))
    return table


def _sea_of_force(force: float) -> SeaAlong:
    """Return a sea whose waves push with the same force, N, on every heading."""
    return SeaAlong(1.0, 1.0, 0.0, WaveCoefficients((0.0,), (1.0,), ((force,),)))


def _broadcast(*values: Any) -> tuple[np.ndarray, ...]:
    return tuple(np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in values)))
