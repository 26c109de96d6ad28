"""A hull of parts that its plant moves in waves, as a log has it."""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.sea import SeaState, irregular_sea
from usv_energy.logs.log import Log
from usv_energy.physics.motion import STILL, Flow, Motion
from usv_energy.sim.plants.plant import Plant, hull_attitude
from usv_energy.sim.plants.water_around import Surroundings

STEP, SECONDS = 0.02, 24.0
HEIGHT, PERIOD, TOWARDS = 0.3, 2.5, math.radians(130.0)


class Moved(NamedTuple):
    """A log in still water with its Motion and Flow, and the work of the plant's thrusters at its samples, J."""

    log: Log
    motion: Motion
    flow: Flow
    work: np.ndarray


@pytest.fixture(scope='session')
def moved():
    """Return what the plant of the Otter does at a steady thrust of 75 N on a sea of 0.3 m on the bow."""
    vessel = read_boat('otter_parts').vessel
    sea = irregular_sea(SeaState(HEIGHT, PERIOD, direction=TOWARDS), 7)
    plant = Plant(vessel, (0.0, 0.0, 0.0), lambda time, x, y: STILL, STEP, Surroundings(sea))
    plant.state = plant.state._replace(u_r=1.0)
    rows = []
    for step in range(int(SECONDS / STEP) + 1):
        if step % 2 == 0:
            rows.append((plant.time, plant.state.work, *hull_attitude(plant)))
        turn = 60.0 * plant.state.yaw + 60.0 * plant.state.r
        plant.advance((37.5 + turn / 0.79, 37.5 - turn / 0.79))
    time, work, x, y, z, roll, pitch, yaw, u, v, _, _, _, r = np.array(rows).T
    log = Log('log', Path('log'), time, x=x, y=y, yaw=yaw, u=u, v=v, r=r,
              extra={'heave_m': z, 'roll_rad': roll, 'pitch_rad': pitch})
    none = 0.0 * time
    return Moved(log, Motion(yaw, u, v, r, none, none, none), Flow(none, none, none, none), work)
