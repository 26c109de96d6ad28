"""
The thrust of thrusters over the pulse width of their command, from pulls at a bollard.

Readings at one pulse are one level: its pull is their mean, and its standard error follows from how readings of one
level differ, all levels together, since a dynamometer errs alike at all of them. Pulls must not fall with the pulse:
levels that do are pooled (weighted least squares, pool adjacent violators). Levels about the smallest pull that noise
could have made of none are the dead band.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from ...boats.boat_file import Boat
from ...files.errors import InputError
from .pull_readings import SAME, PullReadings

NO_PULL = 0.01  # Of the largest pull, (-): less is none,
SURE = 0.99995  # and so is what noise makes of none but once in ten thousand times.


class PullLevel(NamedTuple):
    """
    What was measured at one pulse.

    `pulse`: us; `readings`: how many; `pull` N of the whole boat, its mean, with standard error (NaN where no reading
    was repeated) and 95 % interval; `thrust`: of one thruster along its axis, N, as the boat's file shall have it;
    `power`: electrical, of the whole boat, W, NaN where not measured.
    """

    pulse: float
    readings: int
    pull: float
    error: float
    low: float
    high: float
    thrust: float
    power: float


class BollardPull(NamedTuple):
    """
    What a bollard pull says.

    `levels`: by rising pulse. `scatter`: standard deviation of a reading, N, NaN where none was repeated. `share`: the
    pull of the boat over the thrust of one thruster, (-). `pooled`: pulses, us, of levels whose pulls fell. `idle`:
    electrical power in the dead band, W, NaN where not measured.
    """

    levels: tuple[PullLevel, ...]
    scatter: float
    share: float
    pooled: tuple[float, ...]
    idle: float

    @property
    def table(self) -> list[list[float]]:
        """Rows of pulse, us, and thrust of one thruster along its axis, N."""
        return [[round(level.pulse, 1), round(level.thrust, 4)] for level in self.levels]


def bollard_pull(readings: PullReadings, boat: Boat) -> BollardPull:
    """
    Return thrust over pulse width.

    :param readings: Of all thrusters together, commanded alike.
    :param boat: Whose thrusters they are, all straight ahead: their number and tilt.
    :raises InputError: If there are too few levels, none pulls ahead, or the boat has other thrusters.
    """
    share = _share(boat)
    order = np.argsort(readings.pulse, kind='stable')
    pulse = readings.pulse[order]
    cuts = np.flatnonzero(np.diff(pulse) > SAME) + 1
    groups = np.split(order, cuts)
    if len(groups) < 2:
        raise InputError(f'{len(groups)} pulse(s) are too few for a curve; it needs two at least, one that gives no '
                         'thrust')
    spare = len(order) - len(groups)
    square = sum(float(np.sum((readings.pull[rows] - readings.pull[rows].mean()) ** 2)) for rows in groups)
    scatter = (square / spare) ** 0.5 if spare else float('nan')
    quantile = float(student.ppf(0.975, spare)) if spare else float('nan')
    counts = np.array([len(rows) for rows in groups])
    pulls = np.array([readings.pull[rows].mean() for rows in groups])
    errors = scatter / np.sqrt(counts)
    if not pulls[-1] > 0.0:
        raise InputError(f'the longest pulse pulls {pulls[-1]:g} N; a longer pulse must be more ahead')
    still = _dead_band(pulls, float(student.ppf(SURE, spare)) * errors if spare else np.zeros(len(pulls)))
    rising = np.where(still, 0.0, never_falling(np.where(still, 0.0, pulls), counts))
    pooled = tuple(float(readings.pulse[rows].mean()) for rows, was, now in zip(groups, pulls, rising)
                   if now and abs(now - was) > 1e-9)
    powers = [float(np.mean(readings.power[rows])) for rows in groups]
    levels = tuple(PullLevel(float(readings.pulse[rows].mean()), len(rows), float(pull), float(error), float(
                             pull - quantile * error), float(pull + quantile * error), float(thrust / share), power)
                   for rows, pull, error, thrust, power in zip(groups, pulls, errors, rising, powers))
    return BollardPull(_with_neutral(levels), scatter, share, pooled,
                       float(np.mean(np.array(powers)[still])) if still.any() else float('nan'))


def _share(boat: Boat) -> float:
    """Return what a boat pulls ahead for 1 N of each thruster along its axis, (-)."""
    for name, thruster in zip(boat.thruster_names, boat.vessel.thrusters):
        if thruster.axis is not None and thruster.azimuth is None:
            raise InputError(f'{boat.path}: the thruster {name} does not point ahead; a bollard pull is for boats '
                             'whose thrusters all do')
    share = float(sum(thruster.efficiency_of_tilt for thruster in boat.vessel.thrusters))
    if not share:
        raise InputError(f'{boat.path}: has no thruster')
    return share


def _dead_band(pulls: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Return which levels give no thrust: those about the smallest pull within reach, N, of 0."""
    small = np.abs(pulls) <= np.maximum(reach, NO_PULL * float(np.max(np.abs(pulls))))
    middle = int(np.argmin(np.abs(pulls)))
    still = np.zeros(len(pulls), dtype=bool)
    if not small[middle]:
        return still
    first = last = middle
    while first > 0 and small[first - 1]:
        first -= 1
    while last < len(pulls) - 1 and small[last + 1]:
        last += 1
    still[first:last + 1] = True
    return still


def never_falling(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """
    Return the values nearest to some, by weighted squares, that never fall.

    Source: Barlow et al., Statistical inference under order restrictions (1972): pool adjacent violators.
    """
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), weights.tolist()):
        pools.append((value, weight, 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (low, less, few), (high, more, many) = pools[-2:]
            pools[-2:] = [((low * less + high * more) / (less + more), less + more, few + many)]
    return np.concatenate([np.full(count, value) for value, _, count in pools])


def _with_neutral(levels: tuple[PullLevel, ...]) -> tuple[PullLevel, ...]:
    """Return the levels; InputError where none gives no thrust, so that nothing says where thrust begins."""
    if any(level.thrust == 0.0 for level in levels):
        return levels
    raise InputError(f'no pulse gives no pull: the readings begin at {levels[0].pulse:g} us with {levels[0].pull:g} N; '
                     'take one at the neutral pulse, too')
