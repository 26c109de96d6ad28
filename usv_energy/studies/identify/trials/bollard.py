"""The thrust of thrusters over the pulse width of their command, from a bollard pull; and the boat file with it."""

import itertools
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as student

from usv_energy.boats.boat_file import Boat
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.table import read_head, read_table

TIME = 'time_s'
VOLTS, AMPERES = 'voltage_v', 'current_a'  # In the place of the power.
SAME = 2.0  # us: commands that differ by less count as the same.
LEAST_SAMPLES = 3

# A pull counts as zero if it is below the share NO_PULL of the largest, or not significant at the confidence SURE,
# which few repeats let reach far: beyond the share SMALL, only what is zero within its own 95 % interval.
NO_PULL, SMALL = 0.01, 0.05
SURE = 0.99995


class PullColumns(NamedTuple):
    """Names of a table's columns: the command (us), the pull of the whole boat (N), electrical power (W)."""

    pulse: str = 'pwm_us'
    pull: str = 'pull_n'
    power: str = 'power_w'


class PullReadings(NamedTuple):
    """Settled readings: pulse us, pull N, power W (NaN if not measured); shape (n,) each."""

    pulse: np.ndarray
    pull: np.ndarray
    power: np.ndarray


def read_pulls(path: Path, columns: PullColumns, settle: float) -> PullReadings:
    """
    Return the readings in a table (CSV).

    A table without a column `time_s` holds one reading per row. A table with it is a recording; it yields one reading
    for each time in which a command is constant, the mean after the pull has settled.

    :param path: The table, or the folder of a maneuver with bollard.csv in it.
    :param columns: Names of its columns; the power is optional, and may be `voltage_v` times `current_a`.
    :param settle: Time after a change of the command until the pull has settled, s.
    :raises InputError: If it cannot be read, lacks a column, or holds no command for longer than `settle`.
    """
    path = path / 'bollard.csv' if path.is_dir() else path
    names = read_head(path).names
    wanted = [name for name in (columns.pulse, columns.pull) if name]
    both = [VOLTS, AMPERES] if {VOLTS, AMPERES} <= set(names) else []
    of_power = [columns.power] if columns.power in names else both
    table = read_table(path, [*wanted, *of_power, *([TIME] if TIME in names else [])])
    unknown = np.full(len(table[columns.pull]), np.nan)
    power = np.prod([table[name] for name in of_power], axis=0) if of_power else unknown
    found = PullReadings(table[columns.pulse], table[columns.pull], power)
    known = np.isfinite(found.pulse) & np.isfinite(found.pull)
    if TIME not in table:
        return PullReadings(*(values[known] for values in found))
    held = _held(table[TIME][known], PullReadings(*(values[known] for values in found)), settle)
    if not len(held.pulse):
        raise InputError(f'{path}: no command ({columns.pulse}) is held for longer than {settle:g} s, after which the '
                         'pull counts (--settle)')
    return held


def _held(time: np.ndarray, rows: PullReadings, settle: float) -> PullReadings:
    """Return the mean over each time in which a command is constant, after the pull has settled."""
    edges = [0, *(np.flatnonzero(np.abs(np.diff(rows.pulse)) > SAME) + 1).tolist(), len(time)]
    means = []
    for begin, end in itertools.pairwise(edges):
        late = begin + np.flatnonzero(time[begin:end] >= time[begin:begin + 1] + settle)
        if len(late) >= LEAST_SAMPLES:
            means.append([float(np.mean(values[late])) for values in rows])
    return PullReadings(*np.array(means, dtype=float).reshape(-1, 3).T)


def together(parts: Sequence[PullReadings]) -> PullReadings:
    """Return the readings of several tables as one."""
    return PullReadings(*(np.concatenate(values) for values in zip(*parts)))


class PullLevel(NamedTuple):
    """
    The measurements at one pulse.

    `pulse`: us. `readings`: their number. `pull`: mean pull of the whole boat, N, with standard error (NaN if no
    reading was repeated) and 95 % interval. `thrust`: of one thruster along its axis, N, for the boat's file. `power`:
    electrical power of the whole boat, W, NaN if not measured.
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
    The result of a bollard pull.

    `levels`: by ascending pulse. `scatter`: standard deviation of a reading, N, NaN if none was repeated. `share`: pull
    of the boat over the thrust of one thruster, (-). `pooled`: pulses, us, of levels that were averaged because the
    pull decreased. `idle`: electrical power in the dead band, W, NaN if not measured.
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

    :param readings: Of all thrusters together, with equal commands.
    :param boat: The boat: number and tilt of its thrusters, which all point straight ahead.
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
    still = _dead_band(pulls, _reach(pulls, errors, spare) if spare else np.zeros(len(pulls)))
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
    """Return the pull of a boat ahead for 1 N of each thruster along its axis, (-)."""
    for name, thruster in zip(boat.thruster_names, boat.vessel.thrusters):
        if thruster.axis is not None and thruster.azimuth is None:
            raise InputError(f'{boat.path}: the thruster {name} does not point ahead; a bollard pull is for boats '
                             'whose thrusters all do')
    share = float(sum(thruster.efficiency_of_tilt for thruster in boat.vessel.thrusters))
    if not share:
        raise InputError(f'{boat.path}: has no thruster')
    return share


def _reach(pulls: np.ndarray, errors: np.ndarray, spare: int) -> np.ndarray:
    """Return up to which pull, N, each counts as zero by its standard error, N, of so many degrees of freedom."""
    own, sure = (float(student.ppf(level, spare)) * errors for level in (0.975, SURE))
    return np.minimum(sure, np.maximum(own, SMALL * float(np.max(np.abs(pulls)))))


def _dead_band(pulls: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Return which levels give no thrust: the adjacent ones around the smallest pull that are within reach, N, of 0."""
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
    Return the non-decreasing values with the least weighted squared difference from given ones.

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
    """Return the levels; InputError if all give thrust, because the dead band is then unknown."""
    if any(level.thrust == 0.0 for level in levels):
        return levels
    raise InputError(f'no pulse gives no pull: the readings begin at {levels[0].pulse:g} us with {levels[0].pull:g} N; '
                     'take one at the neutral pulse, too')


def bollard_boat(result: BollardPull, boat: Boat, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file: the base boat with `pwm` and limits of thrust in each of its thrusters.

    If the power was measured and the thrusters have no propeller of their own, the map from thrust to power and the
    hotel load are replaced as well; the map replaces the base's losses.

    :param result: The BollardPull.
    :param boat: The base.
    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the levels.
    """
    source = 'usv-energy identify bollard: see identification'
    document = checked.read_with_base('boats', boat.path)
    least, most = result.levels[0].thrust, result.levels[-1].thrust
    curve = {'source': f'{source}; {len(result.levels)} pulses', 'table': result.table}
    thrusters = [{**entry, 'max_thrust': _newtons(most, source), 'pwm': deepcopy(curve),
                  **({'min_thrust': _newtons(least, source)} if least < 0.0 or not _astern(entry) else {})}
                 for entry in document['thrusters']]
    changes: dict[str, Any] = {
        'name': name, 'description': f'{boat.name} with the thrust over PWM of a bollard pull',
        'thrusters': thrusters,
        'identification': {**document.get('identification', {}), 'bollard': {
            **provenance, 'all_else_from': boat.name, 'levels': [
                {'pwm_us': round(level.pulse, 1), 'readings': level.readings, 'pull_n': round(level.pull, 4),
                 **({'std': round(level.error, 4)} if level.error == level.error else {})}
                for level in result.levels]}}}
    rows = _map(result, len(thrusters))
    whole = least < 0.0 or not any(_astern(entry) for entry in document['thrusters'])
    if rows and whole and not any('propeller' in entry for entry in thrusters):
        changes['losses'] = {'source': source, 'map': rows}
        changes['static_load'] = {'value': round(max(result.idle, 0.0), 3), 'unit': 'W',
                                  'source': f'{source}; dead band'}
    return document | changes


def _astern(entry: Mapping[str, Any]) -> bool:
    """Return whether a thruster of the base can drive astern."""
    return bool(float(checked.values_of(entry).get('min_thrust', 0.0)) < 0.0)


def _newtons(value: float, source: str) -> dict[str, Any]:
    return {'value': round(value, 4), 'unit': 'N', 'source': source}


def _map(result: BollardPull, count: int) -> list[list[float]]:
    """Return rows of thrust, N, and power, W, of one thruster; none if the power was not measured at all pulses."""
    if any(level.power != level.power for level in result.levels):
        return []
    rows = {0.0: 0.0}
    for level in result.levels:
        if level.thrust:
            rows[round(level.thrust, 4)] = round(max(level.power - result.idle, 0.0) / count, 3)
    return [[thrust, rows[thrust]] for thrust in sorted(rows)]
