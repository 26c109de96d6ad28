"""A simulated maneuver as a Log, and as the folder of a run: samples.csv, and commands.csv with the thrusts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.text_file import write_text
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import COMMANDS, SAMPLES
from usv_energy.powering.actuators import resting_setting
from usv_energy.sim.maneuver import Maneuver, ManeuverRun, knows_bollard_power
from usv_energy.sim.record import Row
from usv_energy.sim.run_files import write_samples

BOLLARD = 'bollard.csv'
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
               thrust=np.array(thrusts, dtype=float), thrusters=plant.thruster_names,
               **series,  # type: ignore[arg-type]  # names of Log's series, each an array
               **_angles(plant, len(rows)))


def resting_angles(plant: Boat) -> dict[str, float]:
    """Return at which angles, rad, a maneuver holds what turns, by name: it asks for thrusts only."""
    rest = resting_setting(0.0, plant.vessel)
    named = [*zip(plant.thruster_names, rest.angles), *zip(plant.foil_names, rest.foils)]
    return {name: float(angle) for name, angle in named if angle is not None}


def _angles(plant: Boat, rows: int) -> dict[str, Any]:
    """Return the angles of so many samples of a maneuver by the fields of Log; nothing where nothing turns."""
    held = resting_angles(plant)
    if not held:
        return {}
    foils = tuple(name for name in plant.foil_names if name in held)
    return {'angle': np.tile([held.get(name, np.nan) for name in plant.thruster_names], (rows, 1)),
            'foils': foils, 'foil_angle': np.tile([held[name] for name in foils], (rows, 1))}


def write_maneuver(rows: Sequence[Row], thrusts: Sequence[Sequence[float]], plant: Boat, folder: Path) -> None:
    """
    Write the samples of a maneuver, its thrusts and, where the boat knows them, its pulses, for `read_log`.

    :param rows: Its samples.
    :param thrusts: Commanded at each, N, from port to starboard.
    :param plant: The boat that moved.
    :param folder: Where to; it is created if need be.
    :raises OSError: If it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names, angles = plant.thruster_names, resting_angles(plant)
    curves = [(number, curve) for number, curve in enumerate(plant.pulse_curves) if curve is not None]
    header = ','.join(['time_s', *(f'thrust_{name}_n' for name in names),
                       *(f'pwm_{names[number]}_us' for number, _ in curves),
                       *(f'angle_{name}_rad' for name in angles)])
    pulses = {tuple(some): [curve.pulse(float(some[number])) for number, curve in curves]
              for some in set(map(tuple, thrusts))}
    lines = [','.join(repr(float(value)) for value in (row.time, *some, *pulses[tuple(some)], *angles.values()))
             for row, some in zip(rows, thrusts)]
    write_text('\n'.join([header, *lines, '']), folder / COMMANDS)
    write_samples(rows, folder / SAMPLES)


def write_bollard(run: ManeuverRun, plant: Boat, folder: Path) -> None:
    """
    Write what a tied boat pulled into a folder, as `usv-energy identify bollard` takes it.

    Columns `time_s`, `pwm_us` of the first thruster where its pulses are known, `thrust_n`, what it was asked for,
    `pull_n` of the whole boat, and `power_w` where the boat's file says what a tied boat draws.

    :param run: Of a boat that is tied.
    :param plant: The boat.
    :param folder: Which is there.
    :raises OSError: If it cannot be written.
    """
    curve = plant.pulse_curves[0] if plant.pulse_curves else None
    power = knows_bollard_power(plant.vessel)
    names = ['time_s', *(['pwm_us'] if curve is not None else []), 'thrust_n', 'pull_n',
             *(['power_w'] if power else [])]
    lines = []
    for row, asked, pull in zip(run.rows, run.commanded, run.ahead):
        values = [row.time, *([curve.pulse(asked[0])] if curve is not None else []), asked[0], pull,
                  *([row.power.total] if power else [])]
        lines.append(','.join(repr(float(value)) for value in values))
    write_text('\n'.join([','.join(names), *lines, '']), folder / BOLLARD)
