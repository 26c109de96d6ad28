"""
Readings of electrical power with the propeller speeds before and after them: the data of a fit of rotor power.

Power and revolutions are read at different times. Between two readings of a speed, the modelled power is interpolated,
not the revolutions. Interpolated revolutions would be cubed, and the power would be too low while a thruster runs up
from rest. A reading of power is left out if the speeds before and after it are too far apart in time.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.sampling import longest_interval, period_of
from usv_energy.thrusters.rotor_power import axial_inflow

SLOWEST = 3.0  # s: speeds must be closer in time, because a thruster takes 1 to 1.5 s to run up or down.
Meter = tuple[str, np.ndarray, np.ndarray, tuple[int, ...]]  # Name, times, powers, the indices of its thrusters.
LEAST = 30  # Fewest readings of power with speeds before and after them that a fit needs of a log.


class RotorReadings(NamedTuple):
    """
    Readings of the power of one meter, shape (m,), and of the thrusters that it feeds, shape (m, thrusters).

    `name`: of the meter; `time` s; `power` W; `span` s, the duration that each reading represents; `share`: position of
    the reading between the speeds before (0) and after (1) it; `step`: s between these; `before`, `after`: revolutions,
    1/s; `inflow_before`, `inflow_after`: m/s along the thruster's axis; `left_out`: number of readings without speeds
    before and after them.
    """

    name: str
    time: np.ndarray
    power: np.ndarray
    span: np.ndarray
    share: np.ndarray
    step: np.ndarray
    before: np.ndarray
    after: np.ndarray
    inflow_before: np.ndarray
    inflow_after: np.ndarray
    left_out: int = 0

    def part(self, rows: np.ndarray) -> 'RotorReadings':
        """Return some of the readings: a mask or indices, shape (m,) or fewer."""
        return self._replace(**{name: getattr(self, name)[rows] for name in self._fields[1:-1]})


def rotor_readings(log: Log) -> tuple[RotorReadings, ...]:
    """
    Return the readings of each meter of a log: one per thruster, or one for the boat if only its battery has one.

    :param log: Revolutions, and amperes and volts of each thruster, or electrical power. Motion over ground, current,
        angles and places of the thrusters give the inflow if they are known.
    :raises InputError: If it has no revolutions, no power, or fewer than 30 readings of it with speeds before and
        after.
    """
    log.require('revolutions')
    inflow = _inflows(log)
    thrusters = range(len(log.thrusters))
    if log.known('thruster_amperes'):
        meters: list[Meter] = [(log.thrusters[k], *_supply(log, k), (k,)) for k in thrusters]
    else:
        log.require('electrical_power')
        known = np.isfinite(log.electrical_power)
        meters = [('battery', log.time[known], log.electrical_power[known], tuple(thrusters))]
    found = tuple(_meter(log, name, time, power, inflow, own) for name, time, power, own in meters)
    if sum(len(one.time) for one in found) < LEAST:
        raise InputError(f'{log.path}: has {sum(len(one.time) for one in found)} readings of power with revolutions '
                         f'about them; a fit needs {LEAST}')
    return found


def _supply(log: Log, thruster: int) -> tuple[np.ndarray, np.ndarray]:
    """Return times, s, and power, W, of a thruster: its amperes times its volts, or the battery's volts."""
    amperes, volts = log.thruster_amperes[:, thruster], log.thruster_volts[:, thruster]
    volts = volts if np.isfinite(volts).any() else log.volts
    known, measured = np.isfinite(volts), np.isfinite(amperes)
    if not known.any():
        raise InputError(f'{log.path}: has amperes of {log.thrusters[thruster]}, but no volts')
    return log.time[measured], amperes[measured] * np.interp(log.time[measured], log.time[known], volts[known])


def _inflows(log: Log) -> np.ndarray:
    """Return the speed of each thruster through the water along its axis at all rows, m/s; 0 if it is not known."""
    yaw = np.nan_to_num(log.yaw)
    along, across = np.nan_to_num(log.current_x), np.nan_to_num(log.current_y)
    u = np.nan_to_num(log.u) - along * cos(yaw) - across * sin(yaw)
    v = np.nan_to_num(log.v) + along * sin(yaw) - across * cos(yaw)
    angle = np.nan_to_num(log.angle)
    columns = [axial_inflow(u, v, np.nan_to_num(log.r), cos(angle[:, k]), sin(angle[:, k]), *np.nan_to_num(place))
               for k, place in enumerate(log.places)]
    return np.column_stack(columns)


def _meter(log: Log, name: str, time: np.ndarray, power: np.ndarray, inflow: np.ndarray,
           thrusters: Sequence[int]) -> RotorReadings:
    """Return the readings of one meter for which the speeds of all its thrusters are known before and after."""
    good = np.ones(len(time), dtype=bool)
    pairs = []
    for k in thrusters:
        known = np.flatnonzero(np.isfinite(log.revolutions[:, k]))
        if len(known) < 2:
            raise InputError(f'{log.path}: has {len(known)} revolutions of {log.thrusters[k]}; a fit needs two')
        own = log.time[known]
        after = np.clip(np.searchsorted(own, time, side='right'), 1, len(own) - 1)
        step = own[after] - own[after - 1]
        good &= (time >= own[0]) & (time <= own[-1]) & (step <= min(longest_interval(period_of(own)), SLOWEST))
        speeds, flows = log.revolutions[known, k], inflow[known, k]
        pairs.append(((time - own[after - 1]) / step, step, speeds[after - 1], speeds[after], flows[after - 1],
                      flows[after]))
    share, step, before, after, flow_before, flow_after = (np.column_stack(columns) for columns in zip(*pairs))
    span = np.diff(np.append(time, time[-1:]))
    span = np.minimum(span, longest_interval(period_of(time)))
    found = RotorReadings(name, time, power, span, share, step, before, after, flow_before, flow_after,
                          int((~good).sum()))
    return found.part(good)
