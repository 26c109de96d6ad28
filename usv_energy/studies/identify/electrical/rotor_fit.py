"""
Rotor power from logs: six numbers by a robust fit, their intervals, and cross-validation of logs.

If the speeds around a reading determine its power poorly, its weight is lower: the weight decreases with the difference
of the modelled powers before and after it. Otherwise thrusters whose speed changes all the time would make power seem
independent of the revolutions, because errors in the regressors bias a slope towards 0.

Intervals are from the delete-a-block jackknife (Kuensch (1989), Annals of Statistics 17, 1217). Readings within a
minute are not independent, so blocks of a minute of all thrusters of a log are left out in turn.

Readings of electrical power with the propeller speeds before and after them: the data of a fit of rotor power.

Power and revolutions are read at different times. Between two readings of a speed, the modelled power is interpolated,
not the revolutions. Interpolated revolutions would be cubed, and the power would be too low while a thruster runs up
from rest. A reading of power is left out if the speeds before and after it are too far apart in time.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.sampling import longest_interval, period_of
from usv_energy.thrusters.rotor_power import RotorLoad, axial_inflow, rotor_power

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


# Scaled to the data; for a motor of 1 kW at 12.5 revolutions per second.
START = RotorLoad(0.5, 0.4, 1.0, 0.01, 1.0, 2.0)
NOISE, RELATIVE = 0.02, 0.03  # Standard deviation of a reading: share of the largest power, and of its own power.
KINK = 1.5  # Standard deviations above which the cost of an error is linear.
PASSES = 3  # Passes of fit and weights.
# s: readings of a speed that are closer (a burst of late messages) do not determine its rate of change.
QUICKEST = 0.05
BLOCK = 60.0     # s
NORMAL = 1.96    # Standard errors of a 95 % interval.

Logs = Sequence[Sequence[RotorReadings]]  # The meters of each log.


class PowerScore(NamedTuple):
    """Errors of a prediction: R2 over readings (-), root mean square error W, energies J, number of readings."""

    r2: float
    rmse: float
    measured: float
    predicted: float
    readings: int

    @property
    def energy(self) -> float:
        """Error of the energy, (-)."""
        return self.predicted / self.measured - 1.0 if self.measured else math.nan


class RotorFit(NamedTuple):
    """Fitted numbers, and their standard errors in the same fields; NaN if there were too few blocks."""

    load: RotorLoad
    error: RotorLoad


class RotorValidation(NamedTuple):
    """A log predicted by a fit to others: the fit, its score, standard error of `score.energy`, score of each meter."""

    fit: RotorFit
    score: PowerScore
    energy_error: float
    meters: Mapping[str, PowerScore]


def predicted_rotor_power(load: RotorLoad, readings: RotorReadings) -> np.ndarray:
    """Return the power at each reading, W, shape (m,)."""
    first, last = _ends(load, readings)
    return np.asarray((first * (1.0 - readings.share) + last * readings.share).sum(axis=1))


def _ends(load: RotorLoad, readings: RotorReadings) -> tuple[np.ndarray, np.ndarray]:
    """Return the power of each thruster at the speeds before and after the readings, W, shape (m, thrusters)."""
    change = (readings.after - readings.before) / np.maximum(readings.step, QUICKEST)
    return (rotor_power(readings.before, change, readings.inflow_before, load),
            rotor_power(readings.after, change, readings.inflow_after, load))


def fitted_rotor(parts: Sequence[RotorReadings], start: RotorLoad | None = None) -> RotorLoad:
    """
    Return the numbers with the least robust error, all of them at least 0.

    :param parts: Readings of all meters of all logs.
    :param start: Initial values; None to derive them from the data.

    Source: Huber's soft form of least squares, Charbonnier et al. (1997), IEEE Trans. Image Processing 6, 298.
    """
    from scipy.optimize import least_squares
    power = np.concatenate([part.power for part in parts])
    largest = float(np.quantile(power, 0.99))
    fastest = max(float(np.abs(part.before).max(initial=0.0)) for part in parts)
    if not (largest > 0.0 and fastest > 0.0):
        raise InputError(f'the largest power of the logs is {largest:g} W, their fastest revolutions are {fastest:g} '
                         '1/s; both must be above 0')
    ratio = largest / (START.ahead * 12.5**3 * (fastest / 12.5)**3)
    load = start or RotorLoad(*(ratio * number for number in START))
    scale = np.array(RotorLoad(*(max(ratio * number, 1e-9) for number in START)))
    noise = np.hypot(NOISE * largest, RELATIVE * power)
    spread = np.zeros(len(power))  # Not known before the first pass.
    for number in range(PASSES if start is None else 1):
        if number or start is not None:
            spread = np.concatenate([0.5 * np.abs(np.subtract(*_ends(load, part))).sum(axis=1) for part in parts])
        width = np.hypot(noise, spread)

        def residual(values: np.ndarray, width: np.ndarray = width) -> np.ndarray:
            trial = RotorLoad(*map(float, values * scale))
            return np.asarray((np.concatenate([predicted_rotor_power(trial, part) for part in parts]) - power) / width)

        begin = np.maximum(np.array(load) / scale, 1e-6)
        found = least_squares(residual, begin, bounds=(0.0, np.inf), loss='soft_l1', f_scale=KINK, x_scale=1.0)
        load = RotorLoad(*map(float, found.x * scale))
    return load


def power_score(load: RotorLoad, parts: Sequence[RotorReadings]) -> PowerScore:
    """Return the score of numbers on readings."""
    power = np.concatenate([part.power for part in parts])
    predicted = np.concatenate([predicted_rotor_power(load, part) for part in parts])
    span = np.concatenate([part.span for part in parts])
    if not len(power):
        return PowerScore(math.nan, math.nan, 0.0, 0.0, 0)
    error = predicted - power
    spread = float(np.sum((power - power.mean())**2))
    return PowerScore(1.0 - float(error @ error) / spread if spread else math.nan, float(np.sqrt(np.mean(error**2))),
                      float(span @ power), float(span @ predicted), len(power))


def _without_blocks(logs: Logs) -> list[Logs]:
    """Return the logs without each block of a minute in turn; a block holds all meters of a log."""
    found: list[Logs] = []
    for number, meters in enumerate(logs):
        begin = min(float(part.time[0]) for part in meters if len(part.time))
        blocks = [((part.time - begin) // BLOCK).astype(int) for part in meters]
        for block in range(max(int(own.max(initial=0)) for own in blocks) + 1):
            less = [part.part(own != block) for part, own in zip(meters, blocks)]
            found.append([less if other == number else parts for other, parts in enumerate(logs)])
    return found


def _jackknife(values: np.ndarray) -> np.ndarray:
    """Return standard errors of estimates with one block left out each, shape (blocks, k); NaN for fewer than 3."""
    blocks = len(values)
    if blocks < 3:
        return np.full(values.shape[1:], np.nan)
    return np.asarray(np.sqrt((blocks - 1.0) / blocks * np.sum((values - values.mean(axis=0))**2, axis=0)))


def fit_rotor(logs: Logs) -> tuple[RotorFit, list[RotorLoad]]:
    """Return the fit to logs with its standard errors, and the fits without each block."""
    load = fitted_rotor([part for meters in logs for part in meters])
    less = [fitted_rotor([part for meters in one for part in meters], load) for one in _without_blocks(logs)]
    return RotorFit(load, RotorLoad(*map(float, _jackknife(np.array(less))))), less


def validated(fitted: tuple[RotorFit, list[RotorLoad]], meters: Sequence[RotorReadings]) -> RotorValidation:
    """Return the errors of a fit on a log that it did not use; errors of the fit and of the log are independent."""
    fit, less = fitted
    score = power_score(fit.load, meters)
    of_fit = _jackknife(np.array([[power_score(load, meters).energy] for load in less]))[0]
    of_log = _jackknife(np.array([[power_score(fit.load, one[0]).energy] for one in _without_blocks([meters])]))[0]
    return RotorValidation(fit, score, float(np.hypot(of_fit, of_log)),
                           {part.name: power_score(fit.load, [part]) for part in meters})


class RotorResult(NamedTuple):
    """
    The result of a fit of rotor power.

    `names`, `readings`: of the logs of the fit. `score`: on these logs. `left_out`: each of them predicted by the fit
    to the others. `validation`, `others`: other logs, and their readings. `logs`: all logs.
    """

    names: tuple[str, ...]
    readings: tuple[tuple[RotorReadings, ...], ...]
    fit: RotorFit
    score: PowerScore
    left_out: Mapping[str, RotorValidation]
    validation: Mapping[str, RotorValidation]
    others: Mapping[str, tuple[RotorReadings, ...]]
    logs: tuple[Log, ...]


def identified_rotor(logs: Sequence[Log], validation: Sequence[Log], leave_one_out: bool) -> RotorResult:
    """
    Return the rotor power of logs, with scores.

    :param logs: Logs of the fit.
    :param validation: Logs that are only used for scores.
    :param leave_one_out: Whether to predict each log of the fit by a fit to the others, too.
    :raises InputError: As `rotor_readings`; if there is only one log for `leave_one_out`.
    """
    if leave_one_out and len(logs) < 2:
        raise InputError('--leave-one-out needs two logs or more; there is one')
    readings = tuple(rotor_readings(log) for log in logs)
    others = {log.name: rotor_readings(log) for log in validation}
    fitted = fit_rotor(readings)
    left_out = {}
    for number, log in enumerate(logs if leave_one_out else ()):
        left_out[log.name] = validated(fit_rotor([one for other, one in enumerate(readings) if other != number]),
                                       readings[number])
    return RotorResult(tuple(log.name for log in logs), readings, fitted[0],
                       power_score(fitted[0].load, [part for meters in readings for part in meters]), left_out,
                       {name: validated(fitted, meters) for name, meters in others.items()}, others,
                       (*logs, *validation))
