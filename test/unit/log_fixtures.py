import functools
import math

import numpy as np
import pytest
from analyze_files import RUN
from independent_boat import (
    LUTRA,
    Lawnmower,
    moored,
    noisy,
    opposed,
    pair,
    sampled,
    simulated,
    stop_and_go,
    usual,
)
from independent_log import log_of

from usv_energy.studies.runs.run_folder import write_run

LAGGING = LUTRA._replace(lag=0.3)


@pytest.fixture(scope='session')
def folder(tmp_path_factory):
    """Return the folder of a run, as `usv-energy run` writes it."""
    path = tmp_path_factory.mktemp('run')
    write_run(RUN, path, False, 'usv-energy')
    return path


@functools.cache
def truth_of(name):
    if name == 'lawnmower':
        return simulated(LAGGING, Lawnmower(0.5, length=8.0, apart=3.0, legs=3), 50.0)
    if name == 'stop_and_go':
        return simulated(LAGGING, stop_and_go(1.0, on=8.0, off=6.0), 42.0)
    if name == 'jumps':
        return simulated(LUTRA, stop_and_go(1.0, on=8.0, off=6.0), 42.0)
    if name == 'opposed':
        return simulated(LAGGING, opposed(0.7), 40.0)
    if name == 'current':
        return simulated(LAGGING, Lawnmower(0.8, length=8.0, apart=3.0, legs=3), 35.0, current=(0.2, 0.0))
    if name == 'cross_current':
        return simulated(LAGGING, Lawnmower(1.0, length=12.0, apart=4.0), 75.0, current=(0.0, 0.3))
    if name == 'beam_wind':
        return simulated(LAGGING, Lawnmower(1.0, length=12.0, apart=4.0), 75.0, wind=(0.0, 6.0))
    if name == 'lane_in_wind':
        return simulated(LAGGING, eastward(0.1), 50.0, wind=(0.0, 6.0))
    if name == 'lane_in_current':
        return simulated(LAGGING, eastward(0.1), 50.0, current=(0.0, 0.3))
    if name == 'lane_by_ground_speed':
        return simulated(LAGGING, eastward(0.1, (0.0, 0.3)), 50.0, current=(0.0, 0.3))
    if name == 'heading_in_wind':
        return simulated(LAGGING, eastward(0.0), 50.0, wind=(0.0, 6.0))
    return simulated(LUTRA, moored, 60.0)


def eastward(stiffness, current=(0.0, 0.0)):
    """
    Return a pilot that goes east at 0.8 m/s, and heads back to its lane by rad for each m.

    It holds the speed through the water, or, told a current, m/s, that over ground, surge as it is there.
    """
    def pilot(time, state, hull):
        _, y, yaw, u, _, r = state
        moment = -hull.d33 * (1.5 * (yaw + stiffness * y) + 0.3 * r)
        wanted = 0.8 - math.cos(yaw) * current[0] - math.sin(yaw) * current[1]
        return pair(hull.d11 * wanted + 10.0 * hull.d11 * (wanted - u), moment, hull)
    return pilot


@pytest.fixture(scope='session')
def independent():
    """
    Return a function: the log, at a rate, Hz, of a boat that shares no code with ours, and its thrusters' work, J.

    Noise of its velocities, m/s, with all the others of `usual`; stamps jitter by 5 ms, or a tenth of a period.
    """
    def made(name, rate, velocity=None, seed=0, correlation=0.0, **known):
        truth = truth_of(name)
        time, motion = sampled(truth, rate, min(0.005, 0.1 / rate), seed)
        work = float(np.diff(np.interp(time[[0, -1]], truth.time, truth.work))[0])
        if velocity is not None:
            motion = noisy(time, motion, usual(velocity, correlation), seed)
        n = time.size
        flow = {'current_x': np.full(n, truth.current[0]), 'current_y': np.full(n, truth.current[1])}
        known.setdefault('wind_x', np.full(n, truth.wind[0]))
        known.setdefault('wind_y', np.full(n, truth.wind[1]))
        return log_of(time, motion, **flow | known), work
    return made
