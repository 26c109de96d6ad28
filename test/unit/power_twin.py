"""Logs of a boat whose electrical power is known."""

from pathlib import Path

import numpy as np

from usv_energy.logs.log import Log
from usv_energy.studies.identify.electrical.power_map import lagged, sagging

HOTEL, DELAY, LAG, NOISE = 15.0, 0.1, 0.2, 2.0
STEP = 0.1


def thruster_power(drive):
    """20 W of friction and 150 W of propeller at a drive of 300 us."""
    return 20.0 * np.abs(drive) / 300.0 + 150.0 * (drive / 300.0)**2


def twin(rng, seconds=300, held=1, sag=0.0, drift=0.0, astern=1.0):
    """A log whose power is known: steps of the commands every 4 s, delay, lag, and a monitor that repeats itself."""
    time = np.arange(0.0, seconds, STEP)
    levels = rng.uniform(-300.0, 300.0, (2, seconds // 4 + 1))
    command = levels[:, (time // 4.0).astype(int)].T
    rotor = lagged(time, np.column_stack([np.interp(time - DELAY, time, one) for one in command.T]), LAG)
    power = (thruster_power(rotor) * np.where(rotor < 0.0, astern, 1.0)).sum(axis=1)
    power = sagging(power, HOTEL + drift * time / seconds, sag)
    amperes = power / (16.0 * (1.0 - sag * power))
    volts = 16.0 * (1.0 - sag * power)
    power = power + NOISE * rng.normal(size=len(time))
    rows = np.arange(len(time)) // held * held
    return Log('twin', Path('twin.csv'), time, command=1500.0 + command, neutral=(1500.0, 1500.0),
               thrusters=('left', 'right'), electrical_power=power[rows],
               volts=volts[rows], amperes=amperes[rows] + 1e-6 * np.arange(len(time))[rows])


def write_commands(log, path):
    """Write commands, volts and amperes of a log as a table, and its column map beside it."""
    names = ('t', 'left', 'right', 'volts', 'amperes')
    columns = (log.time, *log.command.T, log.volts, log.electrical_power / log.volts)
    path.write_text('\n'.join([','.join(names), *(','.join(map(repr, map(float, row))) for row in zip(*columns))]))
    path.with_suffix('.yaml').write_text(
        'columns: {time: {column: t, unit: s}, volts: {column: volts, unit: V}, amperes: {column: amperes, unit: A}}\n'
        'thrusters: [{name: left, command: {column: left, unit: us}, neutral: 1500},'
        ' {name: right, command: {column: right, unit: us}, neutral: 1500}]\n')
