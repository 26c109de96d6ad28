"""A simulated maneuver as a Log, and as the folder of a run: samples.csv, and commands.csv with the thrusts."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..boats.boat_file import Boat
from ..files.whole_file import write_text
from ..sim.maneuver import Maneuver
from ..sim.record import Row
from ..sim.samples_file import write_samples
from .log import Log
from .read_log import COMMANDS, SAMPLES

MOTION = ('yaw', 'u', 'v', 'r', 'u_dot', 'v_dot', 'r_dot')
FLOW = ('current_x', 'current_y', 'wind_x', 'wind_y')


def maneuver_log(maneuver: Maneuver, rows: Sequence[Row], thrusts: Sequence[Sequence[float]], plant: Boat) -> Log:
    """
    Return the log of a maneuver.

    :param maneuver: What was run.
    :param rows: Its samples.
    :param thrusts: Commanded at each, N, from port to starboard.
    :param plant: The boat that moved.
    """
    series = {name: np.array([getattr(row.motion, name) for row in rows]) for name in MOTION}
    series |= {name: np.array([getattr(row.flow, name) for row in rows], dtype=float) for name in FLOW}
    return Log(maneuver.name, maneuver.path, np.array([row.time for row in rows]),
               x=np.array([row.x for row in rows]), y=np.array([row.y for row in rows]),
               thrust=np.array(thrusts, dtype=float), thrusters=plant.thruster_names, **series)  # type: ignore[arg-type]


def write_maneuver(rows: Sequence[Row], thrusts: Sequence[Sequence[float]], plant: Boat, folder: Path) -> None:
    """
    Write the samples of a maneuver and its thrusts into a folder, which `read_log` takes.

    :param rows: Its samples.
    :param thrusts: Commanded at each, N, from port to starboard.
    :param plant: The boat that moved.
    :param folder: Where to; it is created if need be.
    :raises OSError: If it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    header = ','.join(['time_s', *(f'thrust_{name}_n' for name in plant.thruster_names)])
    lines = [','.join(repr(float(value)) for value in (row.time, *pair)) for row, pair in zip(rows, thrusts)]
    write_text('\n'.join([header, *lines, '']), folder / COMMANDS)
    write_samples(rows, folder / SAMPLES)
