"""The water and air around a hull of parts: waves, current and wind at each of its columns."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.flow.sea import Sea
from usv_energy.physics.elementwise import cos, each, kernel, sin, total, with_field
from usv_energy.physics.parted_hull import PartedHull, WaterAround, calm_around
from usv_energy.physics.waves.added_resistance import MeanSea
from usv_energy.physics.waves.felt_waves import EAST, NORTH, ROWS, TOGETHER, FeltSea, PlaceInSea, column_waves
from usv_energy.physics.waves.linear_wave import LinearWave, orbital_velocity

UNFELT = 1e-3  # (-), fraction of the variance of the hull's wave excitation that may be left out.
LOCAL_PERIOD = 10.0  # s, how often a sea that varies is evaluated anew; its height changes by a thousandth meanwhile.


class Surroundings(NamedTuple):
    """
    The sea around a plant, and how the flow varies over its hull.

    `sea`: the Sea; None in calm water. `varied`: whether current or wind differ between the parts of the hull.
    `sea_around`: function of (time s, x m, y m) that returns the Sea, or None for no waves, where the sea varies; None
    if the sea does not vary.
    `drift_depth`: depth, m, at which the Stokes drift was evaluated that the given current contains; None if it has
    none. A hull that moves with the waves drifts with them, so the drift is then subtracted from the current.
    `mean_around`: function of (time s, x m, y m) that returns the MeanSea of a planar boat; None without coefficients
    of added resistance.
    """

    sea: Sea | None = None
    varied: bool = False
    sea_around: Callable[[float, float, float], Sea | None] | None = None
    drift_depth: float | None = None
    mean_around: Callable[[float, float, float], MeanSea | None] | None = None


CALM = Surroundings()


def felt_sea(sea: Sea, hull: PartedHull, drift_depth: float | None = None) -> FeltSea:
    """
    Return the wave components of a sea that excite a hull.

    The pressure on the bottom decays with depth, in deep water by exp(-k draught). The drag depends on the orbital
    velocity at half the draught. The components with the least excitation are left out, up to the fraction `UNFELT` of
    its variance in total.

    :param sea: The Sea.
    :param hull: The PartedHull.
    :param drift_depth: As in Surroundings. The drift there is subtracted by a component of zero frequency.
    """
    crests = sea.waves._replace(phase=0.0 * sea.waves.phase)  # At the crest the velocity is along the wave direction.
    surface, middle, bottom = (_speed_along(crests, depth) for depth in (0.0, 0.5 * hull.draught, hull.draught))
    rise = crests.amplitude * bottom / np.maximum(surface, 1e-300)
    felt = (rise / (1.0 + crests.number ** 2 * hull.cell_length ** 2 / 24.0)) ** 2
    order = np.argsort(-felt)
    lacking = 1.0 - np.cumsum(felt[order]) / max(float(np.sum(felt)), 1e-300)
    kept = order[:int(np.searchsorted(-lacking, -UNFELT)) + 1]
    rates = crests.frequency
    rows = np.array([crests.number * crests.east, crests.number * crests.north, rates, sea.waves.phase, rise,
                     -rise * rates ** 2, middle * crests.east, middle * crests.north, rise * rates,
                     middle * rates * crests.east, middle * rates * crests.north])[:, kept]
    table = rows.T
    if drift_depth is not None:
        steady = np.zeros(ROWS)
        steady[EAST:NORTH + 1] = np.negative(sea.stokes_drift(-drift_depth))
        table = np.vstack([table, steady])
    size = TOGETHER * -(-len(table) // TOGETHER)
    table = np.vstack([table, np.zeros((size - len(table), ROWS))])
    return FeltSea(table, size, float(hull.cell_length), float(hull.cell_width))


def _speed_along(crests: LinearWave, depth: float) -> np.ndarray:
    """Return the amplitude of the orbital velocity along each wave's direction at a depth, m, in m/s."""
    nowhere = 0.0 * crests.phase
    motion = orbital_velocity(crests, nowhere, nowhere, nowhere - depth, 0.0)
    return np.hypot(motion.east, motion.north)


def water_around(around: Surroundings, felt: FeltSea | None, state: Any, time: float, step: float, flow_at: Any,
                 vessel: Vessel) -> WaterAround | None:
    """
    Return the WaterAround a hull of parts in the middle of a step; None in calm water and uniform flow.

    :param around: The Surroundings.
    :param felt: The result of `felt_sea`; None in calm water.
    :param state: The PlantState at the beginning of the step; floats.
    :param time: At the beginning of the step, s.
    :param step: Duration, s.
    :param flow_at: Function of (time s, x m, y m) that returns the Flow.
    :param vessel: The Vessel.
    """
    if felt is None and not around.varied:
        return None
    hull, half = vessel.parts, 0.5 * step
    place = place_ahead(state, time, half, flow_at(time, state.x, state.y))
    waves = calm_around(0.0, hull).columns if felt is None else column_waves(felt, place, hull)
    if not around.varied:
        return WaterAround(waves, 0.0, 0.0)
    there = tuple(flow_at(place.time, *place_of_column(place, column)) for column in hull.columns)
    return with_local_flow(waves, flow_at(place.time, place.x, place.y), there, hull)


@kernel
def place_ahead(state, time, half, here):
    """Return the PlaceInSea that a PlantState reaches at time + half, s; `here` is the Flow at its position."""
    c, s = cos(state.yaw), sin(state.yaw)
    yaw = state.yaw + half * state.r
    return PlaceInSea(state.x + half * (state.u_r * c - state.v_r * s + here.current_x),
                      state.y + half * (state.u_r * s + state.v_r * c + here.current_y), cos(yaw), sin(yaw),
                      time + half)


@kernel
def place_of_column(place, column):
    """Return the position of a column of the hull, east and north, m; `place` is the PlaceInSea of the boat."""
    return (place.x + place.c * column.x - place.s * column.y, place.y + place.s * column.x + place.c * column.y)


@kernel
def with_local_flow(waves, here, there, hull):
    """
    Return the WaterAround a hull with the current and the wind at each column.

    :param waves: The ColumnWave of each column.
    :param here: The Flow at the boat's origin.
    :param there: The Flow at each column.
    :param hull: The PartedHull.
    """
    gusts = total((0.0, 0.0), each(_gust_at, (here,), hull.columns, there))
    return WaterAround(each(_with_current, (here,), waves, there), gusts[0], gusts[1])


@kernel
def _with_current(wave, flow, here):
    return with_field(with_field(wave, 'east', wave.east + flow.current_x - here.current_x), 'north',
                      wave.north + flow.current_y - here.current_y)


@kernel
def _gust_at(column, flow, here):
    return column.windage * (flow.wind_x - here.wind_x), column.windage * (flow.wind_y - here.wind_y)
