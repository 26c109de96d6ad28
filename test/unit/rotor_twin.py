"""Logs and folders of tables of a boat whose thrusters' electrical power is known."""

from pathlib import Path

import numpy as np

from usv_energy.logs.log import Log
from usv_energy.thrusters.rotor_power import RotorLoad, axial_inflow, rotor_power

TRUTH = RotorLoad(ahead=0.5, astern=0.4, inflow=1.4, inertia=0.03, friction=1.0, standby=2.5)
STEP, VOLTS = 0.1, 26.0
PLACES = ((1.5, 0.6), (-1.5, -0.6))
NAMES = ('bow', 'stern')
TOP = 12.5  # 1/s
PHASE = 0.037  # s of the tables' clocks, so that fractions have zeros to lose


def courses(rng, seconds):
    """Times, revolutions (n, 2) on straight lines of 1 to 3 s between rest, ahead and astern, angles, u, v, r."""
    time = np.arange(0.0, seconds, STEP)
    revolutions = []
    for _ in NAMES:
        corners = np.cumsum(rng.uniform(1.0, 3.0, int(seconds)))
        levels = rng.choice([0.0, 0.0, 0.4, 0.7, 1.0, -0.5, -0.9], len(corners)) * TOP
        revolutions.append(np.interp(time, corners, levels))
    angle = np.column_stack([np.sin(2.0 * np.pi * time / 37.0), 2.0 * np.cos(2.0 * np.pi * time / 53.0)])
    return (time, np.column_stack(revolutions), angle, 0.8 * np.sin(time / 15.0), 0.4 * np.cos(time / 11.0),
            0.2 * np.sin(time / 7.0))


def powers(time, revolutions, angle, u, v, r, load=TRUTH):
    """The power of each thruster, W, shape (n, 2); the speeds change along the lines that follow."""
    change = np.vstack([np.diff(revolutions, axis=0) / STEP, np.zeros((1, 2))])
    return np.column_stack([
        rotor_power(revolutions[:, k], change[:, k],
                    axial_inflow(u, v, r, np.cos(angle[:, k]), np.sin(angle[:, k]), *PLACES[k]), load)
        for k in range(2)])


def rotor_twin(rng, name='twin', seconds=240, noise=5.0, wild=0.0, every=1, load=TRUTH):
    """
    A log of it, N(0, noise) W on each power, a share `wild` of the currents anything from 0 to 40 A.

    :param every: Each how many rows revolutions are read; amperes are read half way between, or in the same rows.
    """
    time, revolutions, angle, u, v, r = courses(rng, seconds)
    power = powers(time, revolutions, angle, u, v, r, load) + noise * rng.normal(size=(len(time), 2))
    amperes = power / VOLTS
    hit = rng.random(amperes.shape) < wild
    amperes[hit] = rng.uniform(0.0, 40.0, hit.sum())
    rows = np.arange(len(time))
    revolutions[rows % every != 0] = np.nan
    amperes[rows % every != every // 2] = np.nan
    return Log(name, Path(f'{name}.csv'), time, u=u, v=v, r=r, thrusters=NAMES, places=PLACES, angle=angle,
               revolutions=revolutions, thruster_amperes=amperes,
               thruster_volts=np.where(np.isfinite(revolutions), VOLTS, np.nan))


def stamp(seconds):
    """A time as the ferry's program writes it: the fraction as a count of nanoseconds without leading zeros."""
    whole = int(seconds)
    nanoseconds = round((seconds - whole) * 1e9)
    return f'2025/04/11 11:{whole // 60:02d}:{whole % 60:02d}.{nanoseconds}'


FOLDER_MAP = """
frames: {earth: ned, body: frd}
repeated: true
columns:
  time: {column: time, unit: calendar}
  u: {file: twist.csv, column: u, unit: m/s}
  v: {file: twist.csv, column: v, unit: m/s}
  r: {file: twist.csv, column: r, unit: rad/s}
thrusters:
""" + ''.join(f"""
  - name: {name}
    place: [{place[0]}, {place[1]}]
    revolutions: {{file: {name}.csv, column: speed, unit: rpm, limits: [-900, 900]}}
    volts: {{file: {name}.csv, column: volts, unit: V, limits: [20, 32]}}
    together: {{motor_current: [-5, 100]}}
    amperes: {{file: {name}.csv, column: amperes, unit: A, limits: [-5, 100]}}
    angle: {{file: {name}_angle.csv, column: data, unit: deg}}
""" for name, place in zip(NAMES, PLACES))


def write_folder(folder, rng, seconds=120, every=5):
    """
    Write a run as a bus that loses messages records it: rows at 10 Hz that repeat the last reading, body in frd.

    Speeds, volts and motor current come in every `every`th row, the supply's current one row later.

    :return: Times, revolutions 1/s and powers W, shape (n, 2), without noise.
    """
    folder.mkdir(parents=True, exist_ok=True)
    time, revolutions, angle, u, v, r = courses(rng, seconds)
    power = powers(time, revolutions, angle, u, v, r)
    rows = np.arange(len(time))
    message = rows // every * every
    current = np.minimum(np.maximum(rows - 1, 0) // every * every + 1, rows[-1])
    for k, name in enumerate(NAMES):
        _table(folder / f'{name}.csv', time, speed=60.0 * revolutions[message, k], volts=VOLTS + 1e-4 * message,
               motor_current=2.0 + 1e-4 * message, amperes=power[current, k] / VOLTS + 1e-7 * current)
        _table(folder / f'{name}_angle.csv', time, data=-np.degrees(angle[:, k]))
    _table(folder / 'twist.csv', time, u=u, v=-v, r=-r)
    return time, revolutions, power


def _table(path, time, **columns):
    rows = (','.join(map(repr, map(float, row))) for row in zip(*columns.values()))
    lines = [f'{stamp(when + PHASE)},{row}' for when, row in zip(time, rows)]
    path.write_text('\n'.join([','.join(['time', *columns]), *lines, '']))
