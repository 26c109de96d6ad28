"""The observation of a boat in every period: motion, water and air, the power, and the energy so far."""

import math
from typing import Any, NamedTuple

from usv_energy.physics.elementwise import kernel, select, sqrt
from usv_energy.physics.motion import Flow, Motion, Relative
from usv_energy.powering.energy import is_valid, with_step
from usv_energy.powering.loads import mean_power_of_loads, with_loads
from usv_energy.powering.power import Power, speed_through_water
from usv_energy.sim.plants.plant_step import velocity_over_ground


class Observation(NamedTuple):
    """
    One sample of a run: time s, Motion over ground, Flow, Relative, Power, speeds over ground and through water, m/s.

    Accelerations are backward differences, the Power is the mean since the previous sample; both are NaN in the first
    one.
    """

    time: Any
    motion: Motion
    flow: Flow
    relative: Relative
    power: Power
    speed_over_ground: Any
    speed_through_water: Any


NOTHING_OBSERVED = Observation(math.nan, Motion(*[math.nan] * 7), Flow(*[math.nan] * 4), Relative(*[math.nan] * 5),
                               Power(*[math.nan] * 17), math.nan, math.nan)


@kernel
def observed(before, time, state, flow, boat, relative_of, mean_power_of, waves=None):
    """
    Return the Observation of a boat.

    :param before: The previous Observation; NOTHING_OBSERVED for the first.
    :param time: Now, s.
    :param state: The PlantState; floats or arrays.
    :param flow: The Flow at the boat.
    :param boat: The Vessel of the power model.
    :param relative_of: Of a Convention in `powering.power.CONVENTIONS`.
    :param mean_power_of: Of the same.
    :param waves: The WaveAction of the step that ends now, None if no sea is known.
    """
    motion, relative = motion_and_relative(before, time, state, flow, relative_of)
    power = mean_power_of(before.relative, relative, time - before.time, boat, waves)
    return observation(before, time, motion, flow, relative, power, boat)


@kernel
def motion_and_relative(before, time, state, flow, relative_of):
    """Return a boat's Motion over ground, with backward differences as accelerations, and its Relative."""
    u, v, r = velocity_over_ground(state, flow)
    elapsed, last = time - before.time, before.motion
    motion = Motion(state.yaw, u, v, r, (u - last.u) / elapsed, (v - last.v) / elapsed, (r - last.r) / elapsed)
    return motion, relative_of(motion, flow)


@kernel
def observation(before, time, motion, flow, relative, power, boat):
    """Return the Observation of a Motion, a Flow, a Relative and the Power since the previous Observation."""
    speed = sqrt(motion.u * motion.u + motion.v * motion.v)
    watts = mean_power_of_loads(boat.loads, before.time, time, before.speed_over_ground, speed)
    return Observation(time, motion, flow, relative, with_loads(power, watts), speed, speed_through_water(power))


@kernel
def integrated(energy, before, after):
    """
    Return an Energy with one more Observation, of a run whose samples have no gaps.

    :param energy: The Energy so far; floats or arrays.
    :param before: The previous Observation.
    :param after: The new one.
    """
    valid = is_valid(after.power.total)
    return with_step(energy, before, after, after.time - before.time, valid, energy.samples + select(valid, 1, 0),
                     energy.invalid_samples + select(valid, 0, 1))
