"""The water and air around a hull of parts: the waves at each of its columns, and current and wind at their places."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.flow.seas.sea import Sea
from usv_energy.physics.elementwise import cos, each, kernel, sin, total, with_field
from usv_energy.physics.parted_hull import PartedHull, WaterAround, calm_around
from usv_energy.physics.waves.added_resistance import MeanSea
from usv_energy.physics.waves.felt_waves import EAST, NORTH, ROWS, TOGETHER, FeltSea, PlaceInSea, column_waves
from usv_energy.physics.waves.linear_wave import LinearWave, orbital_velocity

UNFELT = 1e-3  # Share of what a hull feels of a sea's height, in variance, that its shortest waves may lack.


class Surroundings(NamedTuple):
    """
    What a hull of parts needs to know beside the flow at its place: the sea; whether the flow differs by place.

    `sea_around`: where the sea differs from place to place and with time, what it is around a place in the world, m, at
    a time, s; None where there are no waves. `drift_depth`: where, m below the surface, the Stokes drift was taken that
    the current holds; None: it holds none. A hull that moves with the waves drifts by itself: it must not have both.
    `mean_around`: of a boat in the plane with coefficients of its own the MeanSea at a place and time; None without.
    """

    sea: Sea | None = None
    varied: bool = False
    sea_around: Callable[[float, float, float], Sea | None] | None = None
    drift_depth: float | None = None
    mean_around: Callable[[float, float, float], MeanSea | None] | None = None


CALM = Surroundings()
LOCAL_PERIOD = 10.0  # s, after which a sea that varies is looked up anew: its height changes by a thousandth.


def felt_sea(sea: Sea, hull: PartedHull, drift_depth: float | None = None) -> FeltSea:
    """
    Return a sea as a hull feels it.

    :param sea: The Sea; `hull`: the PartedHull.
    :param drift_depth: As in Surroundings: the drift there is taken off again, by a wave without length and frequency.

    Its bottom feels a wave by exp(-k draught) of its height in deep water, its drag the water's velocity at half the
    draught. Waves are left out, the least felt first, as long as they hold less than 1e-3 of the felt variance.
    """
    crests = sea.waves._replace(phase=0.0 * sea.waves.phase)  # At place and time 0: all speed is along their way.
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
    """Return the most speed of the water along each wave's way at a depth, m/s."""
    nowhere = 0.0 * crests.phase
    motion = orbital_velocity(crests, nowhere, nowhere, nowhere - depth, 0.0)
    speed: np.ndarray = np.hypot(motion.east, motion.north)
    return speed


def water_around(around: Surroundings, felt: FeltSea | None, state: Any, time: float, step: float, flow_at: Any,
                 vessel: Vessel) -> WaterAround | None:
    """
    Return the WaterAround a hull of parts in the middle of a step; None in calm water and even flow.

    :param around: The Surroundings.
    :param felt: Its sea as the hull feels it, None without.
    :param state: The PlantState at the step's beginning; floats.
    :param time: Then, s.
    :param step: s.
    :param flow_at: Water and air at (time s, x m, y m).
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
    found: WaterAround = with_local_flow(waves, flow_at(place.time, place.x, place.y), there, hull)
    return found


@kernel
def place_ahead(state, time, half, here):
    """Return the PlaceInSea of a PlantState half a step, s, after a time, s; `here`: the Flow at it."""
    c, s = cos(state.yaw), sin(state.yaw)
    yaw = state.yaw + half * state.r
    return PlaceInSea(state.x + half * (state.u_r * c - state.v_r * s + here.current_x),
                      state.y + half * (state.u_r * s + state.v_r * c + here.current_y), cos(yaw), sin(yaw),
                      time + half)


@kernel
def place_of_column(place, column):
    """Return where a column of a hull is, east and north, m; `place`: the boat's PlaceInSea."""
    return (place.x + place.c * column.x - place.s * column.y, place.y + place.s * column.x + place.c * column.y)


@kernel
def with_local_flow(waves, here, there, hull):
    """
    Return the WaterAround a hull with the current and the wind of each column's place.

    :param waves: The ColumnWave of each column.
    :param here: The Flow at the boat's point.
    :param there: That at each column.
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
