"""The power of a vessel's steady motions in waves as a table: by speed, air, and the mean force of the waves."""

import pickle
from functools import lru_cache
from typing import Any

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.motion import Flow
from usv_energy.physics.waves.added_resistance import SeaAlong, WaveCoefficients, added_resistance
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.costs.motion_table import (
    ROUNDING,
    SIZES,
    MotionArrays,
    MotionTable,
    SteadyCost,
    coefficients_along,
    motion_table,
    place_in,
    power_in_table,
    sheet_of,
    spline_weights,
    table_arrays,
    table_errors,
    top_speed_in_table,
)

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
