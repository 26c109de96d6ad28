"""The true state of a simulated boat, in six degrees of freedom, as sensors on it see it."""

import math
from typing import Any, NamedTuple

from ...physics.elementwise import direction_of
from ...physics.frames import to_body
from ..hull_attitude import hull_attitude
from ..plant import Plant
from ..plant_step import NO_FORCES, state_rate
from ..supplied_plant import SuppliedPlant, drawn_by_boat, supplied_vessel


class TrueState(NamedTuple):
    """
    What is true of a boat at a time, s.

    Place x, y, z m (ENU, z above the still water); roll, pitch, yaw rad (yaw about z, then pitch about y, then roll
    about x: FLU, so that a positive pitch is bow down). In axes of the body (FLU): velocity over ground u, v, w m/s,
    rates p, q, r rad/s, acceleration of the boat's point a_x, a_y, a_z m/s^2 (that of the earth's frame, turned), and
    the rates' derivatives. Where water and air flow to, m/s (ENU). Volts and amperes of the battery, NaN without.
    """

    time: float
    x: float
    y: float
    z: float = 0.0
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    u: float = 0.0
    v: float = 0.0
    w: float = 0.0
    p: float = 0.0
    q: float = 0.0
    r: float = 0.0
    a_x: float = 0.0
    a_y: float = 0.0
    a_z: float = 0.0
    p_dot: float = 0.0
    q_dot: float = 0.0
    r_dot: float = 0.0
    current_x: float = 0.0
    current_y: float = 0.0
    wind_x: float = 0.0
    wind_y: float = 0.0
    volts: float = math.nan
    amperes: float = math.nan


def between(one: TrueState, other: TrueState, share: float) -> TrueState:
    """Return the state a share, (-), of the way from one to another, in a straight line."""
    return TrueState(*(first + share * (second - first) for first, second in zip(one, other)))


def true_state(plant: Plant, nominal_volts: float | None = None) -> TrueState:
    """
    Return the true state of a boat: of a hull of parts as it heaves, rolls and pitches, of any other floating level.

    The acceleration is that in water which flows the same everywhere and always; of a hull of parts in its waves.

    :param plant: The Plant.
    :param nominal_volts: Of a battery without cells, V; None: no battery, and nobody knows volts and amperes.
    """
    state, flow = plant.state, plant.flow()
    vessel, volts, amperes = _supply(plant, nominal_volts)
    heading = direction_of(state.yaw)
    rate: Any = state_rate(state, NO_FORCES[0], plant.setting, flow, vessel, plant.water_around(0.0), heading)
    current = to_body(flow.current_x, flow.current_y, *heading)
    attitude = hull_attitude(plant)
    if attitude is not None:
        u, v, w, p, q, r = state.u_r, state.v_r, state.afloat.w, attitude.p, attitude.q, attitude.r
        return TrueState(
            plant.time, *attitude, rate.u_r + q * w - r * v, rate.v_r + r * u - p * w,
            rate.afloat.w + p * v - q * u, rate.afloat.p, rate.afloat.q, rate.r, flow.current_x,
            flow.current_y, flow.wind_x, flow.wind_y, volts, amperes)
    return TrueState(
        plant.time, state.x, state.y, yaw=state.yaw, u=state.u_r + current[0], v=state.v_r + current[1], r=state.r,
        a_x=rate.u_r - state.r * state.v_r, a_y=rate.v_r + state.r * state.u_r, r_dot=rate.r,
        current_x=flow.current_x, current_y=flow.current_y, wind_x=flow.wind_x, wind_y=flow.wind_y,
        volts=volts, amperes=amperes)


def _supply(plant: Plant, nominal_volts: float | None) -> tuple[Any, float, float]:
    """Return the Vessel at its voltage, the battery's volts and its amperes."""
    if isinstance(plant, SuppliedPlant):
        vessel = supplied_vessel(plant.supply, plant.vessel, plant.on_board.curves)
        return vessel, float(plant.supply.voltage), float(plant.supply.current)
    if nominal_volts is None:
        return plant.vessel, math.nan, math.nan
    u, v, _ = plant.velocity_over_ground()
    drawn = drawn_by_boat(plant.relative(), plant.setting, plant.time, plant.time + plant.step, math.hypot(u, v),
                          plant.vessel)
    return plant.vessel, nominal_volts, float(drawn) / nominal_volts
