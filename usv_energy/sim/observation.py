"""What is seen of a boat every period: its motion, the water and air, the power they take, and the energy so far."""

import math
from typing import Any, NamedTuple

from ..physics.elementwise import kernel, select, sqrt
from ..physics.energy import is_valid, with_step
from ..physics.kinematics import filtered_rate
from ..physics.power import Flow, Motion, Power, speed_through_water
from .plant import velocity_over_ground


class Observation(NamedTuple):
    """
    One sample of a run: time s, Motion over ground, Flow, Power, and speeds over ground and through the water, m/s.

    Accelerations and the current's rate of change are differences to the sample before; NaN at the first.
    """

    time: Any
    motion: Motion
    flow: Flow
    power: Power
    speed_over_ground: Any
    speed_through_water: Any


NOTHING_OBSERVED = Observation(math.nan, Motion(*[math.nan] * 7), Flow(*[math.nan] * 6), Power(*[math.nan] * 11),
                               math.nan, math.nan)


@kernel
def observed(before, time, state, flow, boat, power_of, gain):
    """
    Return the Observation of a boat.

    :param before: The Observation before; NOTHING_OBSERVED at the first.
    :param time: Now, s.
    :param state: The PlantState; floats or arrays.
    :param flow: The Flow at the boat.
    :param boat: The Vessel of the power model.
    :param power_of: One of `physics.power.CONVENTIONS`.
    :param gain: For no low-pass 1, which rounds as `differentiate` does, or None, which is faster on arrays.
    """
    u, v, r = velocity_over_ground(state, flow)
    elapsed, motion, water = time - before.time, before.motion, before.flow
    motion = Motion(state.yaw, u, v, r, filtered_rate(u, motion.u, elapsed, motion.u_dot, gain),
                    filtered_rate(v, motion.v, elapsed, motion.v_dot, gain),
                    filtered_rate(r, motion.r, elapsed, motion.r_dot, gain))
    flow = Flow(flow.current_x, flow.current_y,
                filtered_rate(flow.current_x, water.current_x, elapsed, water.current_x_rate, gain),
                filtered_rate(flow.current_y, water.current_y, elapsed, water.current_y_rate, gain),
                flow.wind_x, flow.wind_y)
    power = power_of(motion, flow, boat)
    return Observation(time, motion, flow, power, sqrt(u * u + v * v), speed_through_water(power))


@kernel
def integrated(energy, before, after):
    """
    Return an Energy with one more Observation, of a run whose samples come without a gap.

    :param energy: The Energy so far; floats or arrays.
    :param before: The Observation before.
    :param after: The new one.
    """
    valid = is_valid(after.power.total)
    return with_step(energy, before, after, after.time - before.time, valid & is_valid(before.power.total),
                     energy.samples + select(valid, 1, 0), energy.invalid_samples + select(valid, 0, 1))
