"""
Electrical power from thruster commands: a static map of one thruster, hotel load, delay and lag, by least squares.

    P = hotel + (1 - R P / V^2)^3 * sum over thrusters of f(n),   n: the command, delayed and through a first-order lag

`f` is zero within the dead band and a |n| + b n^2 + c n^3 beyond it, with coefficients of at least 0 for friction and
propeller (non-negative least squares has a unique solution). The bracket is the battery's sag: at a given command a
propeller's speed is proportional to the voltage, and its power to the cube of the speed. R follows from the measured
volts and amperes.

Battery monitors often measure at a lower rate than that of the log, which then repeats the last value. Repeated values
are no measurements and are left out, because the fit would take the repetition for a lag.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.derive import decaying_sum
from usv_energy.logs.log import Log
from usv_energy.logs.quality import match

MIRRORED, TWO_SIDED, EACH = 'mirrored', 'two-sided', 'each'
MAP_FORMS = (MIRRORED, TWO_SIDED, EACH)
STEADY, LINEAR, DRIFTING = 'steady', 'linear', 'drifting'
HOTELS = (STEADY, LINEAR, DRIFTING)
POWERS = (1, 2, 3)
DRIFT_SPACING, DRIFT_STIFFNESS = 100.0, 0.3  # s, knot spacing of a drifting hotel load; (-), weight of its steps.
TIE = 0.1  # (-), weight of the differences between the groups of a form, for data that do not separate them.
LEAST = 50  # Fewest measurements of power for a fit.
SAGS = -0.5  # Correlation of volts and amperes below which the battery's resistance is derived from them.
ITERATIONS = 40  # Fixed-point iterations of the power with its own sag; each at least halves the error.


class PowerData(NamedTuple):
    """
    The data of one log for a fit.

    At every row `time`, s, `drive`: of each thruster from its neutral, shape (n, thrusters), and `power`, W. `fresh`:
    the rows at which the power was measured. `sag`: resistance over squared voltage, 1/W.
    """

    time: np.ndarray
    drive: np.ndarray
    power: np.ndarray
    fresh: np.ndarray
    sag: float = 0.0


class MapForm(NamedTuple):
    """The choices of a fit: form of the map, dead band as a share of the span, delay s, lag s, kind of hotel load."""

    form: str = TWO_SIDED
    dead_band: float = 0.0
    delay: float = 0.0
    lag: float = 0.0
    hotel: str = STEADY

    @property
    def choices(self) -> int:
        """A measure of complexity: the number of degrees of freedom that the form adds, approximately."""
        return 2 * MAP_FORMS.index(self.form) + int(self.dead_band > 0.0) + 2 * HOTELS.index(self.hotel)


@dataclass(frozen=True)
class PowerMap:
    """
    A fitted map.

    `weights`: W at full drive, by group and power. `span`: full drive. `hotel_time`, s, and `hotel_power`, W: knots of
    the hotel load. `sag`: as in PowerData.
    """

    form: MapForm
    span: float
    weights: np.ndarray
    hotel_time: np.ndarray
    hotel_power: np.ndarray
    sag: float

    @property
    def hotel_load(self) -> float:
        """Mean hotel load over the time of the fit, W."""
        if len(self.hotel_time) < 2:
            return float(self.hotel_power[0])
        middle = 0.5 * (self.hotel_power[1:] + self.hotel_power[:-1])
        return float(np.average(middle, weights=np.diff(self.hotel_time)))

    def hotel_at(self, time: np.ndarray) -> np.ndarray:
        """Return the hotel load at times of the fit's clock, W; outside the data a linear one is extrapolated."""
        if self.form.hotel != LINEAR:
            return np.asarray(np.interp(time, self.hotel_time, self.hotel_power))
        slope = (self.hotel_power[1] - self.hotel_power[0]) / (self.hotel_time[1] - self.hotel_time[0])
        return np.asarray(np.maximum(self.hotel_power[0] + slope * (time - self.hotel_time[0]), 0.0))

    def steady_power(self, drive: np.ndarray, thrusters: int) -> np.ndarray:
        """
        Return the power of one thruster without hotel load, W, while all thrusters have the same constant drive.

        :param drive: From neutral, shape (n,).
        :param thrusters: Number of thrusters; if their maps differ, the result is the mean.
        """
        alike = np.repeat(np.asarray(drive, dtype=float)[:, None], thrusters, axis=1)
        thrust_power = _terms(alike, self.span, self.form) @ self.weights
        return (sagging(thrust_power, self.hotel_load, self.sag) - self.hotel_load) / thrusters


def data_of(log: Log, use: str | None = None) -> PowerData:
    """
    Return the data of a log for a fit.

    :param log: The Log: electrical power, and thrusts or commands.
    :param use: `thrust` (N) or `command` (us); None for thrusts if the log has them.
    :raises InputError: If the log lacks them, or the power does not change.
    """
    log.require('electrical_power')
    use = use or ('thrust' if log.known('thrust') else 'command')
    log.require(use)
    drive = np.array(getattr(log, use), dtype=float)
    if use == 'command':
        if not np.isfinite(log.neutral).all():
            raise InputError(f'{log.path}: the neutral command of {", ".join(log.thrusters)} is not known; '
                             'the column map says it: thrusters[].neutral, us')
        drive -= np.array(log.neutral)
    drive = held_over(drive)
    known = np.isfinite(log.electrical_power) & np.isfinite(drive).all(axis=1)
    measured = log.amperes if log.known('amperes') else log.electrical_power
    changed = np.concatenate([[False], np.diff(measured) != 0.0])
    fresh = np.flatnonzero(known & changed)
    if len(fresh) < LEAST:
        raise InputError(f'{log.path}: its electrical power changes {len(fresh)} times only; a fit needs {LEAST}')
    if not np.ptp(drive[fresh], axis=0).max() > 0.0:
        raise InputError(f'{log.path}: its {use}s do not change; nothing can be learned of the thrusters')
    return PowerData(log.time, drive, log.electrical_power, fresh, _sag(log, fresh))


def _sag(log: Log, fresh: np.ndarray) -> float:
    """Return the battery's resistance over its squared voltage, 1/W; 0 if volts and amperes are not correlated."""
    if not log.known('volts', 'amperes'):
        return 0.0
    rows = [np.clip(fresh + shift, 0, len(log) - 1) for shift in range(4)]  # Volts may be sampled a little later.
    found = [match(log.volts[row], log.amperes[fresh]) for row in rows]
    best = min(found, key=lambda one: np.nan_to_num(one.correlation))
    return -best.slope / float(np.nanmax(log.volts))**2 if best.correlation < SAGS else 0.0


def held_over(values: np.ndarray) -> np.ndarray:
    """Return values, shape (n, k), with each NaN replaced by the last known value; at the beginning by the first."""
    known = np.isfinite(values)
    last = np.maximum.accumulate(np.where(known, np.arange(len(values))[:, None], 0), axis=0)
    return np.take_along_axis(values, np.maximum(last, known.argmax(axis=0)), axis=0)


def _terms(drive: np.ndarray, span: float, form: MapForm) -> np.ndarray:
    """Return the terms that the weights multiply, shape (n, groups x powers); each is 1 at full drive."""
    beyond = np.clip(np.abs(drive) / span - form.dead_band, 0.0, None) / (1.0 - form.dead_band)
    powers = np.stack([beyond**power for power in POWERS], axis=2)
    if form.form == MIRRORED:
        return np.asarray(powers.sum(axis=1))
    ahead = (drive > 0.0)[:, :, None]
    sides = np.concatenate([powers * ahead, powers * ~ahead], axis=2)
    return sides.sum(axis=1) if form.form == TWO_SIDED else sides.reshape(len(drive), -1)


def _basis(data: PowerData, form: MapForm, span: float) -> np.ndarray:
    """Return the terms of the delayed and lagged drive at the measurements, shape (m, terms)."""
    drive = np.column_stack([np.interp(data.time - form.delay, data.time, one) for one in data.drive.T])
    return _terms(lagged(data.time, drive, form.lag)[data.fresh], span, form)


def sagging(thrust_power: np.ndarray, hotel: np.ndarray | float, sag: float) -> np.ndarray:
    """
    Return the power drawn, W, by thrusters whose power falls with the battery voltage under load.

    :param thrust_power: Of all thrusters at the battery's full voltage, W, shape (n,).
    :param hotel: Hotel load, W.
    :param sag: Resistance over squared voltage, 1/W.

    Source: a propeller's power is proportional to the cube of its speed; the fixed point by damped iteration.
    """
    power = hotel + thrust_power
    for _ in range(ITERATIONS if sag > 0.0 else 0):
        power = 0.5 * (power + hotel + thrust_power * np.clip(1.0 - sag * power, 0.0, None)**3)
    return power


def lagged(time: np.ndarray, values: np.ndarray, lag: float) -> np.ndarray:
    """
    Return values passed through a first-order lag; each value applies from its own time on.

    :param time: s, rising, shape (n,).
    :param values: Shape (n, k).
    :param lag: Time constant, s; 0 for no lag.

    Source: the exact solution for a piecewise constant input, 1 - exp(-dt / lag).
    """
    if lag <= 0.0 or len(time) < 2:
        return values
    steps = np.diff(time)
    if np.ptp(steps) < 0.01 * np.median(steps):
        decay = float(np.exp(-np.median(steps) / lag))
        return decaying_sum(np.concatenate([values[:1], (1.0 - decay) * values[:-1]]), decay)
    result = np.array(values, dtype=float)
    for row, decay in enumerate(np.exp(-steps / lag), start=1):
        result[row] = values[row - 1] + (result[row - 1] - values[row - 1]) * decay
    return result


def fitted_map(parts: Sequence[PowerData], form: MapForm, span: float) -> PowerMap:
    """
    Return the map of a given form with the least squared error.

    :param parts: The PowerData of each log, or stretches of one.
    :param span: Full drive: the largest of all.

    Source: Lawson and Hanson, Solving Least Squares Problems (1974), chapter 23 (NNLS).
    """
    from scipy.optimize import nnls
    power = np.concatenate([part.power[part.fresh] for part in parts])
    time = np.concatenate([part.time[part.fresh] for part in parts])
    sag = float(np.mean([part.sag for part in parts]))
    terms = np.vstack([_basis(part, form, span) for part in parts])
    terms *= np.clip(1.0 - sag * power, 0.0, None)[:, None]**3
    count = 2 if form.hotel == LINEAR else max(2, 1 + int(np.ptp(time) // DRIFT_SPACING))
    knots = time[:1] if form.hotel == STEADY else np.linspace(time.min(), time.max(), count)
    hotel = np.column_stack([np.interp(time, knots, row) for row in np.eye(len(knots))])  # Held outside the knots.
    stiff = DRIFT_STIFFNESS * np.sqrt(len(power) / len(knots)) * np.diff(np.eye(len(knots)), axis=0)
    stiff = stiff[:0] if form.hotel == LINEAR else stiff
    groups = terms.shape[1] // len(POWERS)
    tie = TIE * np.kron(np.eye(groups) - 1.0 / groups, np.eye(len(POWERS)))
    matrix = np.block([[terms, hotel], [tie, np.zeros((len(tie), len(knots)))],
                       [np.zeros((len(stiff), terms.shape[1])), stiff]])
    answer, _ = nnls(matrix, np.concatenate([power, np.zeros(len(tie) + len(stiff))]))
    return PowerMap(form, span, answer[:terms.shape[1]], knots, answer[terms.shape[1]:], sag)


def predicted_power(power_map: PowerMap, data: PowerData, same_clock: bool = True) -> np.ndarray:
    """
    Return the power at the measurements, W.

    :param same_clock: Whether the times of `data` are those of the fit; else the mean hotel load is used.
    """
    terms = _basis(data, power_map.form, power_map.span) @ power_map.weights
    hotel = power_map.hotel_at(data.time[data.fresh]) if same_clock else power_map.hotel_load
    return sagging(terms, hotel, power_map.sag)
