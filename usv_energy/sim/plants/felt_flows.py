"""Current, wind and mean sea at the position of a boat, as functions for the plant."""

import math
from collections.abc import Callable

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile, velocity_everywhere
from usv_energy.flow.on_earth import place_words
from usv_energy.physics.motion import Flow
from usv_energy.physics.waves.added_resistance import MeanSea, SeaAlong, WaveCoefficients, mean_sea
from usv_energy.sim.plants.plant import FlowAt


def is_even(flow: object) -> bool:
    """Return whether a flow is uniform and constant in time."""
    return isinstance(flow, UniformFlow) or (isinstance(flow, FlowFile) and not flow.varies)


def felt_flow(current: UniformFlow | FlowFile, wind: UniformFlow | FlowFile) -> FlowAt:
    """
    Return the function of (time s, x m, y m) that gives the plant its Flow, m/s (ENU).

    The function raises InputError if a flow has no value at that time and position.

    :param current: The current.
    :param wind: The true wind.
    """
    if is_even(current) and is_even(wind):
        flow = Flow(*(part for one in (current, wind) for part in (
            (one.x, one.y) if isinstance(one, UniformFlow) else velocity_everywhere(one))))
        return lambda time, x, y: flow

    def at(time: float, x: float, y: float) -> Flow:
        return Flow(*_value(current, time, x, y), *_value(wind, time, x, y))

    return at


def mean_sea_around(water: FlowFile, waves: WaveCoefficients) -> Callable[[float, float, float], MeanSea | None]:
    """
    Return the function of (time s, x m, y m) that gives the MeanSea of a planar boat; None where the sea is not known.

    :param water: The flow file that holds the sea state.
    :param waves: The boat's coefficients of added resistance.
    """
    def at(time: float, x: float, y: float) -> MeanSea | None:
        state = water.sea_state(time, x, y)
        return mean_sea(SeaAlong(*state, waves)) if all(map(math.isfinite, state)) else None

    return at


def _value(flow: UniformFlow | FlowFile, time: float, x: float, y: float) -> tuple[float, float]:
    if isinstance(flow, UniformFlow):
        return flow.x, flow.y
    vx, vy, inside = flow.velocity(time, np.array([x]), np.array([y]))
    if not inside[0]:
        raise InputError(f'{flow.path}: no value at t = {time:.2f} s, {place_words(flow, x, y)}: '
                         'the boat has left the flow')
    return float(vx[0]), float(vy[0])
