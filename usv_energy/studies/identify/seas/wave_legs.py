"""Blocks of straight motion in waves from logs, with the added resistance and the sea of each."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.physics.dynamics import surge_slope
from usv_energy.physics.waves.added_resistance import off_the_bow
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.waves.waves_along_log import without_oscillation

BLOCK = 20.0  # s, duration of a block, approximately.
SHORTEST = 12.0     # s of the shortest block.
STRAIGHT = 0.2  # rad, largest change of heading within a stretch.
SMOOTHED = 2.0  # s, width of the moving average of the heading.
SETTLING = 4.0  # s that are left out after a turn.
SLOWEST = 0.2  # m/s through the water: a slower boat is drifting.
KNOWN = 0.95  # Least share of a block in which thrusts are known.

DIRECTIONS = (0.0, math.pi / 2.0, math.pi)  # rad off the bow: head, beam and following seas.
ALIKE = 1.2  # Largest ratio of wave periods that share a coefficient.
LEAST_WEIGHT = 1.0  # Least sum of the blocks' weights for a coefficient.
LEAST_RATIO = 1.3  # Least ratio of the highest to the lowest sea of a period that separates waves from drag.


class WaveLegs(NamedTuple):
    """
    Blocks of straight motion; arrays with one element per block.

    `force`: mean force of the thrusters minus inertia, wind, foils and the drag of the boat's file, N, as work over the
    distance through the water. `drag`: that of the file, N. `slope`: derivative of the drag by the speed, N s/m.
    `height`: significant wave height, m (0 in calm water). `period`: of the peak, s. `off_bow`: direction the waves
    come from, rad from 0 (ahead) to pi. `yaw`: rad (ENU). `speed`: through the water, m/s. `duration`: s. `begin`: time
    of its log, s. `log`: index of its log.
    """

    force: np.ndarray
    drag: np.ndarray
    slope: np.ndarray
    height: np.ndarray
    period: np.ndarray
    off_bow: np.ndarray
    yaw: np.ndarray
    speed: np.ndarray
    duration: np.ndarray
    begin: np.ndarray
    log: np.ndarray

    def part(self, rows: np.ndarray) -> 'WaveLegs':
        """Return some of the blocks."""
        return WaveLegs(*(values[rows] for values in self))


def wave_legs(logs: Sequence[AnalysedLog]) -> WaveLegs:
    """
    Return the blocks of straight motion in logs.

    :param logs: Analysed with a boat; their thrusts and their seas are known, or the water is calm.
    :raises InputError: If the thrusts of a log, its sea or the direction of its waves are not known, or it has no
        straight stretch; the message names the file and what is missing.
    """
    found = []
    for number, analysed in enumerate(logs):
        _require(analysed)
        rows = [_block(analysed, first, last, number) for first, last in _blocks(analysed)]
        rows = [row for row in rows if row is not None]
        if not rows:
            raise InputError(f'{analysed.log.path}: has no stretch of {SHORTEST:g} s or more straight on at more than '
                             f'{SLOWEST:g} m/s whose thrusts are known')
        found += rows
    return WaveLegs(*np.array(found, dtype=float).T)


def _require(analysed: AnalysedLog) -> None:
    log = analysed.log
    if not analysed.by_thrusts:
        raise InputError(f'{log.path}: tells no thrusts, commands or rates of turning of the thrusters of '
                         f'{analysed.boat.name}; without them nothing says what the waves took')
    seen = next((note.text for note in analysed.notes if note.code == 'no_sea_seen'), '')
    if analysed.waves is None and 'calm' not in seen:
        why = seen or 'no heave, roll, pitch or vertical acceleration'
        raise InputError(f'{log.path}: nothing tells its sea ({why}); say it by --sea HS,TP,TOWARDS, or calm')
    if analysed.waves is not None and math.isnan(analysed.waves.sea.direction):
        raise InputError(f'{log.path}: shows how high its sea is ({analysed.waves.sea.seen_from}), and not from where '
                         'the waves come; record heave, roll and pitch, or say its sea by --sea HS,TP,TOWARDS')


def _blocks(analysed: AnalysedLog) -> list[tuple[int, int]]:
    """Return the first and the last sample of each block of a log."""
    log, found = analysed.log, []
    yaw, = without_oscillation(log, (analysed.motion.yaw,), SMOOTHED)
    for piece in log.pieces():
        begin = piece.start
        while begin < piece.stop - 1:
            end = _end_of_stretch(yaw, begin, piece.stop)
            first = begin if begin == piece.start else int(np.searchsorted(log.time, log.time[begin] + SETTLING))
            found += _cut(log.time, first, end - 1)
            begin = end
    return found


def _end_of_stretch(yaw: np.ndarray, begin: int, stop: int) -> int:
    """Return the first sample at which the range of the headings since `begin` exceeds STRAIGHT, or `stop`."""
    some = yaw[begin:stop]
    spread = np.maximum.accumulate(some) - np.minimum.accumulate(some)
    over = np.flatnonzero(~(spread <= STRAIGHT))
    return begin + max(int(over[0]), 1) if over.size else stop


def _cut(time: np.ndarray, first: int, last: int) -> list[tuple[int, int]]:
    """Return a stretch divided into blocks of equal duration, about BLOCK."""
    if last <= first or time[last] - time[first] < SHORTEST:
        return []
    number = max(round(float(time[last] - time[first]) / BLOCK), 1)
    edges = np.searchsorted(time, np.linspace(time[first], time[last], number + 1)).tolist()
    return list(pairwise(edges))


def _block(analysed: AnalysedLog, first: int, last: int, number: int) -> tuple[float, ...] | None:
    """Return a row of WaveLegs; None if the thrusts in the block are not known well enough, or it is too slow."""
    log, power, motion = analysed.log, analysed.power, analysed.motion
    rows = slice(first + 1, last + 1)
    elapsed = np.diff(log.time[first:last + 1])
    beyond = power.thrust - power.inertia - power.damping - power.wind - power.foils - power.side_force
    known = np.isfinite(beyond[rows])
    assert analysed.actuators is not None
    if (known & analysed.actuators.known[rows]).mean() < KNOWN:
        return None
    time = float(elapsed[known].sum())
    u_r = np.asarray(power.u_r)
    way = float(0.5 * (u_r[first:last] + u_r[rows])[known] @ elapsed[known])
    if way < SLOWEST * time:
        return None
    speed = way / time
    damping = analysed.boat.vessel.damping
    yaw = float(np.angle(np.nanmean(np.exp(1j * motion.yaw[rows]))))
    sea = None if analysed.waves is None else analysed.waves.sea
    height, period, off_bow = (0.0, 1.0, 0.0) if sea is None else (
        sea.height, sea.period, float(off_the_bow(sea.direction, yaw)))
    work, drag = (float(values[rows][known] @ elapsed[known]) for values in (beyond, power.damping))
    return (work / way, drag / way, float(surge_slope(speed, damping)), height, period, off_bow, yaw, speed,
            time, float(log.time[first]), float(number))


class WaveNodes(NamedTuple):
    """The nodes of the coefficients: `directions` off the bow, rad, and peak `periods`, s, both ascending."""

    directions: tuple[float, ...]
    periods: tuple[float, ...]

    @property
    def number(self) -> int:
        """Number of coefficients."""
        return len(self.directions) * len(self.periods)

    @property
    def from_ahead(self) -> np.ndarray:
        """Which coefficients have waves from ahead of the beam, which cannot push the boat ahead, shape (number,)."""
        return np.repeat(np.array(self.directions) < 0.5 * math.pi, len(self.periods))

    def weights(self, legs: WaveLegs) -> np.ndarray:
        """Return the weights of the coefficients at each block by linear interpolation, shape (blocks, number)."""
        by_direction, by_period = _shares(legs.off_bow, self.directions), _shares(legs.period, self.periods)
        both: np.ndarray = by_direction[:, :, None] * by_period[:, None, :]
        return both.reshape(legs.force.size, self.number)


def _shares(at: np.ndarray, knots: Sequence[float]) -> np.ndarray:
    """Return the weights of knots in linear interpolation, constant beyond the ends, shape (n, knots)."""
    return np.column_stack([np.interp(at, knots, row) for row in np.eye(len(knots))])


def wave_nodes(legs: WaveLegs, directions: Sequence[float] = DIRECTIONS, periods: Sequence[float] | None = None,
               ) -> WaveNodes:
    """
    Return the WaveNodes for blocks.

    :param legs: The WaveLegs.
    :param directions: Off the bow, rad, ascending.
    :param periods: Of the peak, s, ascending; None for those of the seas, where similar ones are merged.
    :raises InputError: If all logs are in calm water.
    """
    high = legs.height > 0.0
    if not high.any():
        raise InputError('all logs are of calm water: what waves take needs logs of a sea')
    return WaveNodes(tuple(directions), tuple(periods) if periods is not None else _periods(legs.period[high]))


def _periods(periods: np.ndarray) -> tuple[float, ...]:
    """Return the mean periods of groups of similar ones, split at the largest ratio of neighbours."""
    rising = np.sort(periods)
    if rising[-1] <= ALIKE * rising[0]:
        return (float(f'{rising.mean():.3g}'),)
    place = int(np.argmax(rising[1:] / rising[:-1])) + 1
    return (*_periods(rising[:place]), *_periods(rising[place:]))


def require_determined(legs: WaveLegs, nodes: WaveNodes, drag_known: bool) -> None:
    """
    Check that blocks determine all coefficients.

    :param legs: The WaveLegs.
    :param nodes: The WaveNodes.
    :param drag_known: Whether the drag in calm water is known from elsewhere.
    :raises InputError: If the logs do not separate drag from waves, or a coefficient has too few blocks; the message
        says which logs are needed.
    """
    high = legs.height > 0.0
    if not drag_known and high.all() and not any(
            _differ(legs.height[rows]) for rows in (_shares(legs.period, nodes.periods) > 0.5).T if rows.any()):
        heights = legs.height
        raise InputError(
            f'the logs are of one sea state for each period (significant heights {heights.min():.2f} to '
            f'{heights.max():.2f} m): what waves take cannot be told from an error of the drag in calm water. Give a '
            'log of calm water, or of seas of the same period and another height, or say by --drag-error how well the '
            "drag of the boat's file is known, %")
    had = nodes.weights(legs)[high].sum(axis=0).reshape(len(nodes.directions), len(nodes.periods))
    missing = [f'{math.degrees(direction):.0f} deg and {period:g} s' for row, direction in zip(had, nodes.directions)
               for weight, period in zip(row, nodes.periods) if weight < LEAST_WEIGHT]
    if missing:
        met = ', '.join(f'{math.degrees(one):.0f}' for one in np.unique(np.round(legs.off_bow[high] * 6.0) / 6.0))
        raise InputError(
            f'no log meets waves from about {"; ".join(missing)} (off the bow: 0 ahead, 180 astern). The logs have '
            f'{met} deg. Go there and across, too, or leave these out by --directions or --periods')


def _differ(heights: np.ndarray) -> bool:
    return bool(heights.max() > LEAST_RATIO * heights.min())
