"""
Simulated logs of a known boat, with noise, to test whether a fit recovers it and whether its intervals hold.

The manoeuvres are steps of both thrusters at random: ahead, astern and turning, each held for some seconds.
"""

import math
from pathlib import Path

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.log import Log
from usv_energy.physics.motion import STILL, Flow
from usv_energy.sim.plants.plant import Plant

PERIOD, STEPS = 0.1, 2      # Time between samples, s, and the plant's steps per sample.
HOLD = (3.0, 8.0)  # Shortest and longest time that thrusts are constant, s.
MOST = 0.85  # Largest thrust, as a share of a thruster's limit; the rest is room for noise.


def twin_log(boat: Boat, rng: np.random.Generator, name: str, duration: float = 90.0,
             current: tuple[float, float] = (0.0, 0.0), noise: tuple[float, float, float] = (0.05, 0.02, 0.01),
             gain: tuple[float, ...] = ()) -> Log:
    """
    Return a simulated log.

    :param rng: Source of the random thrusts and noise.
    :param duration: s.
    :param current: Steady, m/s, earth frame; it is not in the log.
    :param noise: Standard deviations: of the given thrust, as a share of the log's, of the measured u and v, m/s, and
        r, rad/s.
    :param gain: Thrust of each thruster for 1 N in the log, (-); 1 by default.
    """
    gains = np.array(gain or [1.0] * len(boat.vessel.thrusters))
    flow = Flow(*current, 0.0, 0.0) if current != (0.0, 0.0) else STILL
    yaw = float(rng.uniform(-math.pi, math.pi))
    plant = Plant(boat.vessel, (0.0, 0.0, yaw), lambda time, x, y: flow, PERIOD / STEPS)
    count = round(duration / PERIOD) + 1
    given = _steps(boat, rng, count)
    rows = []
    of_thrust, of_speed, of_rate = noise
    for thrusts in given * gains * (1.0 + rng.normal(0.0, of_thrust, given.shape)):
        rows.append((plant.time, plant.state.x, plant.state.y, plant.state.yaw, *plant.velocity_over_ground()))
        for _ in range(STEPS):
            plant.advance(thrusts)
    time, x, y, yaw, u, v, r = np.array(rows).T
    u, v, r = (true + rng.normal(0.0, std, count) for true, std in ((u, of_speed), (v, of_speed), (r, of_rate)))
    return Log(name, Path(f'{name}.csv'), time, x=x, y=y, yaw=yaw, u=u, v=v, r=r, thrust=given,
               thrusters=boat.thruster_names)


def _steps(boat: Boat, rng: np.random.Generator, count: int) -> np.ndarray:
    """Return random thrusts within the boat's limits, N, (count, thrusters), each constant for some samples."""
    thrusters = boat.vessel.thrusters
    given = np.zeros((count, len(thrusters)))
    begin = 0
    while begin < count:
        end = begin + round(rng.uniform(*HOLD) / PERIOD)
        mean, difference = rng.uniform(-0.4, 1.0), rng.uniform(-0.6, 0.6)
        for number, thruster in enumerate(thrusters):
            share = float(np.clip(mean - difference * math.copysign(1.0, thruster.y), -MOST, MOST))
            given[begin:end, number] = share * (thruster.max_thrust if share > 0.0 else -thruster.min_thrust)
        begin = end
    return given
