"""
The mean force of waves on the hull at every sample of a log, and the motion without its oscillation.

A boat of whose parts nothing is known goes with the surface, and feels part of the waves' drift.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Damping
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow, Motion, WaveAction
from usv_energy.physics.waves.linear_wave import GRAVITY, jonswap
from usv_energy.studies.analyze.waves.hull_in_waves import HullInWaves, SeenMotion, encounter_frequency
from usv_energy.studies.analyze.waves.own_waves import own_resistance, tells_own_waves, with_own_waves
from usv_energy.studies.analyze.waves.sea_fit import SPREADING, SeaSeen, sea_seen
from usv_energy.studies.analyze.waves.wave_spectra import COARSE, log_spectra

FELT_DRIFT = 0.5    # Of the Stokes drift at the surface, that a boat under way feels as a current: an estimate.


class SurfaceFollower:
    """A boat that heaves, rolls and pitches as the surface under it does on average."""

    def __init__(self, length: float, width: float, speed: float) -> None:
        """Take the size of the water plane, m, and the speed ahead through the water, m/s."""
        self._length, self._width, self._speed = length, width, speed

    def motion(self, frequency: np.ndarray, direction: np.ndarray) -> SeenMotion:
        """Return the SeenMotion in waves of frequencies, rad/s, shape (n,), and directions, rad, same shape."""
        number = frequency ** 2 / GRAVITY
        along, across = number * np.cos(direction), number * np.sin(direction)
        kept = np.sinc(0.5 * self._length * along / math.pi) * np.sinc(0.5 * self._width * across / math.pi)
        return SeenMotion(kept + 0.0j, 1j * across * kept, -1j * along * kept,
                          encounter_frequency(frequency, direction, self._speed))


def drift_at(frequency: np.ndarray, variance: np.ndarray, depth: float = 0.0) -> float:
    """
    Return the Stokes drift of a sea of long crests in deep water at a depth, m below the surface, m/s.

    :param frequency: Of its waves, rad/s; `variance`: of the surface by each, a^2 / 2, m^2.

    Source: the integral of 2 omega^3 S(omega) exp(-2 omega^2 z / g) / g, K.E. Kenyon (1969), J. Geophys. Res. 74, 6991.
    """
    number = frequency ** 2 / GRAVITY
    return float(np.sum(2.0 * variance * frequency * number * np.exp(-2.0 * number * depth)))


def mean_square_with_sign(mean: np.ndarray, scatter: np.ndarray | float) -> np.ndarray:
    """
    Return the mean of |u| u, where u is normal about a mean, with a standard deviation: what quadratic drag goes by.

    (m^2 + s^2) erf(m / (s sqrt 2)) + 2 m s phi(m / s); with no scatter |m| m.
    """
    from scipy.special import erf
    ratio = np.asarray(mean, dtype=float) / np.maximum(scatter, 1e-12)
    shape = np.exp(-0.5 * np.minimum(ratio * ratio, 700.0)) / math.sqrt(2.0 * math.pi)
    return np.asarray((mean * mean + scatter * scatter) * erf(ratio / math.sqrt(2.0))
                      + 2.0 * mean * scatter * shape)


def estimated_resistance(speed: np.ndarray, direction: np.ndarray, drift: float, scatter: float,
                         damping: Damping) -> np.ndarray:
    """
    Return what waves make a boat's thrusters give more, N: its drag in water that drifts, and moves to and fro.

    :param speed: Ahead through the water, m/s, (n,).
    :param direction: Towards which waves run, rad from ahead, (n,).
    :param drift: Stokes drift at the surface, m/s, of which the boat feels FELT_DRIFT.
    :param scatter: Standard deviation of the water's speed past the hull by the waves, m/s.
    :param damping: The boat's Damping.
    """
    met = speed - FELT_DRIFT * drift * np.cos(direction)
    more = mean_square_with_sign(met, scatter) - np.abs(speed) * speed
    return np.asarray(damping.d11 * (met - speed) + damping.d11_q * more)


FINENESS = 0.2     # Step of the means that are smoothed, of the width.
REACH = 4.0        # Widths at which the weights end.
LEAST_SPREAD = 1e-9  # Of the samples' times, in squares of the width, from which they tell a slope.


def without_oscillation(log: Log, series: Sequence[np.ndarray], width: float) -> list[np.ndarray]:
    """
    Return series of a log as they are on average about each time: of an oscillation exp(-(omega w)^2 / 2) is left.

    The weights are a Gaussian; about each time a straight line is fitted with them, so that what rises steadily stays
    as it is up to the ends. Gaps are not bridged; where a value is not known, so it stays.

    :param log: The Log, for its times and its pieces without gaps.
    :param series: Each of shape (n,).
    :param width: Of the Gaussian, its standard deviation, s.
    """
    found = [np.array(values, dtype=float) for values in series]
    for piece in log.pieces():
        for values in found:
            values[piece] = _smoothed(log.time[piece], values[piece], width)
    return found


def _smoothed(time: np.ndarray, values: np.ndarray, width: float) -> np.ndarray:
    known = np.isfinite(values)
    if known.sum() < 3:
        return values
    step = FINENESS * width
    place = ((time - time[0]) / step).astype(int)
    number = int(place[-1]) + 1
    weight = np.bincount(place[known], minlength=number).astype(float)
    there = np.maximum(weight, 1.0)
    total = np.bincount(place[known], values[known], number)
    after = np.bincount(place[known], time[known] - time[0] - place[known] * step, number) / there
    middle = step * np.arange(number) + after  # Of a step without samples neither this nor its mean counts.
    found = _local_lines(step, number, middle, total / there, (weight > 0.0).astype(float), width)
    at = step * np.arange(-1, number + 1) + 0.5 * step
    lines = np.concatenate([[2.0 * found[0] - found[1]], found, [2.0 * found[-1] - found[-2]]]) if number > 1 else \
        np.full(3, found[0])
    return np.where(known, np.interp(time - time[0], at, lines), values)


def _local_lines(step: float, number: int, middle: np.ndarray, mean: np.ndarray, weight: np.ndarray,
                 width: float) -> np.ndarray:
    """Return the values at the middles of steps of the straight lines that are fitted about each."""
    reach = round(REACH * width / step)
    away = step * np.arange(-reach, reach + 1)
    kernel = np.exp(-0.5 * (away / width) ** 2)
    centre = step * (np.arange(number) + 0.5)
    offset = middle - centre  # Of the samples' mean time from the middle of their step

    def summed(power: int, factor: np.ndarray) -> np.ndarray:
        padded = np.concatenate([np.zeros(reach), factor, np.zeros(reach)])
        return np.convolve(padded, (kernel * away ** power)[::-1], mode='valid')

    def moment(power: int, factor: np.ndarray) -> np.ndarray:
        """Return the sum of weights times the distance to a centre to a power, samples being `offset` off theirs."""
        if power == 0:
            return summed(0, factor)
        if power == 1:
            found: np.ndarray = summed(1, factor) + summed(0, factor * offset)
        else:
            found = summed(2, factor) + 2.0 * summed(1, factor * offset) + summed(0, factor * offset ** 2)
        return found

    s0, s1, s2 = (moment(power, weight) for power in (0, 1, 2))
    t0, t1 = moment(0, weight * mean), moment(1, weight * mean)
    there = np.where(s0 > 0.0, s0, 1.0)  # Where no sample is near nobody asks.
    level, apart, about = t0 / there, s1 / there, t1 / there
    spread = s2 / there - apart * apart
    slope = np.divide(about - apart * level, spread, out=np.zeros(number), where=spread > LEAST_SPREAD * width * width)
    return level - slope * apart


# What the force is told from.
PARTS, DRIFT, OWN = 'the parts of its hull', 'the drift of the waves', 'the parts of its hull in the very waves it met'
FILE = 'the coefficients in its file'
# Error of the force (95 %), as a share of its size: see docs/waves.md.
OFF = {PARTS: 0.6, DRIFT: 1.5, OWN: 0.2}
LEAST_SPEED = 0.3            # m/s: below it work is no longer taken as a force.
SPEEDS = 5                   # At which the force is computed, up to the fastest.
WAVES, WAYS = 48, 24         # Frequencies and directions of a sea for that.
LOW, HIGH = 0.6, 5.0         # Of the peak's frequency, between which they lie.
SHORTEST = 8.0               # The same for the drift at the surface, much of which is that of short waves.
SMOOTHED = 2.5               # Width of the mean motion, in rad of the slowest waves: 4 % of their motion are left.
ANSWERS = (0.0, 1.0, 2.0, 4.0)  # Of the thrust to the speed, 1/s of the inertia, among which one is found.
WIDTHS = (0.5, 5.0)          # s, between which it is held.


class SurgeSource(NamedTuple):
    """
    Where a motion's surge comes from.

    `period`: how far apart it was measured, s; `over_ground`: it is that of the way over ground, of places, and not
    along the axis of the boat, which pitches.
    """

    period: float
    over_ground: bool


class WavesAlongLog(NamedTuple):
    """
    The waves along a log.

    `sea`: the SeaSeen; `resistance`: what the thrusters must give more, N, (n,); `off`: how far 95 % of its errors
    go, N, (n,); `slip`: speed over ground beyond that along the boat's pitching axis, m/s, (n,); `told_by`:
    PARTS, OWN, FILE or DRIFT; `width`: of the mean motion, s; `drift`: what was taken off the current by the sea seen,
    m/s.
    """

    sea: SeaSeen
    resistance: np.ndarray
    off: np.ndarray
    slip: np.ndarray
    told_by: str
    width: float
    drift: tuple[float, float] = (0.0, 0.0)

    @property
    def action(self) -> WaveAction:
        """The mean effect of the waves on the boat at every sample."""
        return WaveAction(-self.resistance, 0.0, 0.0)

    def mean_motion(self, log: Log, motion: Motion) -> Motion:
        """Return a motion along the log without its oscillation by waves."""
        return Motion(*without_oscillation(log, motion, self.width))


def sea_of_log(log: Log, flow: Flow, boat: Boat) -> tuple[SeaSeen | None, str]:
    """Return the sea of a log, and the reason if there is none."""
    spectra, why = log_spectra(log, flow)
    if spectra is None:
        return None, why
    seen = sea_seen(spectra, lru_cache(None)(lambda speed: _hull_at(boat, speed)))
    return seen, '' if seen is not None else 'heave, roll and pitch are not those of a sea'


def _hull_at(boat: Boat, speed: float) -> HullInWaves | SurfaceFollower:
    if boat.vessel.parts is not None:
        return HullInWaves(boat.vessel, speed)
    return SurfaceFollower(boat.hull.length or 0.0, boat.hull.width or 0.0, speed)


def waves_along_log(log: Log, motion: Motion, flow: Flow, boat: Boat, sea: SeaSeen,
                    source: SurgeSource, recorded: Motion | None = None) -> WavesAlongLog:
    """
    Return the WavesAlongLog of a sea.

    :param log: The Log.
    :param motion: Its Motion.
    :param flow: Water and air along it, the drift of the waves not in the current.
    :param boat: The Boat.
    :param sea: The SeaSeen.
    :param source: Where the motion's surge comes from: how much it is moved by the waves says how the thrust answers.
    :param recorded: The motion as it was measured, from which the very waves may be found; None: they are not.
    """
    width = float(np.clip(SMOOTHED / sea.slowest, *WIDTHS))
    yaw, u = without_oscillation(log, (motion.yaw, motion.u), width)
    if boat.vessel.parts is None and boat.waves is not None:
        given, off = own_resistance(boat.waves, sea, yaw)
        return WavesAlongLog(sea, given, off, np.zeros_like(given), FILE, width)
    speed = u - np.cos(yaw) * flow.current_x - np.sin(yaw) * flow.current_y
    told_by = PARTS if boat.vessel.parts is not None else DRIFT
    scatter = float(np.nanstd(motion.u - u)) if source.period <= COARSE else math.nan
    fastest = float(np.nanmax(np.abs(speed), initial=2.0 * LEAST_SPEED))
    speeds = np.linspace(0.15 * fastest, fastest, SPEEDS)
    turning = np.where(np.isnan(yaw), 0.0, sea.direction - yaw)
    if told_by == PARTS:
        turns = np.mod(np.nan_to_num(turning), 2.0 * math.pi) * (WAYS / (2.0 * math.pi))
        ways = np.bincount(turns.astype(int) % WAYS, minlength=WAYS) / turning.size
        held = _held(boat, sea, ways, float(np.nanmedian(np.abs(speed))), scatter)
        resistance, slip = _parts_table(boat, sea, speeds, held)
    else:
        resistance, slip = _drift_table(boat, sea, speeds)
    if not source.over_ground:
        slip = np.zeros_like(slip)
    if math.isnan(sea.direction):
        spread = 0.5 * np.ptp(resistance, axis=1)
        every, wide = (_at(speeds, np.broadcast_to(one[:, None], resistance.shape), speed, np.zeros_like(speed))
                       for one in (resistance.mean(axis=1), spread))
        return WavesAlongLog(sea, every, wide + OFF[told_by] * abs(every), np.zeros_like(every), told_by, width)
    found = _at(speeds, resistance, speed, turning)
    slip = _at(speeds, slip, speed, turning)
    if told_by == PARTS and recorded is not None and tells_own_waves(log, sea):
        mean = Motion(*without_oscillation(log, motion._replace(u=motion.u - slip), width))
        own = with_own_waves(log, recorded, mean, flow, boat.vessel, sea, found)
        found, told_by = (found, told_by) if own is None else (own, OWN)
    largest = np.broadcast_to(np.abs(resistance).max(axis=1, keepdims=True), resistance.shape)
    off = OFF[told_by] * _at(speeds, largest, speed, turning)
    return WavesAlongLog(sea, found, off, slip, told_by, width)


def _sea(sea: SeaSeen, high: float = HIGH) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return frequencies, rad/s, and variances, m^2, of a sea's waves, and the shares of its directions."""
    peak = 2.0 * math.pi / sea.period
    frequency = np.geomspace(LOW * peak, high * peak, WAVES)
    density = jonswap(frequency, 1.0, sea.period) * np.gradient(frequency)
    shares = np.cos(math.pi / WAYS * np.arange(WAYS)) ** 2
    shares = shares ** SPREADING
    return frequency, density * (sea.height ** 2 / 16.0 / density.sum()), shares / shares.sum()


def _ways() -> np.ndarray:
    return 2.0 * math.pi / WAYS * np.arange(WAYS)


def _held(boat: Boat, sea: SeaSeen, ways: np.ndarray, speed: float, scatter: float) -> float:
    """Return the thrust's response to speed, N s/m, that reproduces the surge's scatter; 0 if unknown."""
    if math.isnan(scatter) or math.isnan(sea.direction):
        return 0.0
    frequency, variance, shares = _sea(sea)
    flat = [part.ravel() for part in np.meshgrid(frequency, _ways(), indexing='ij')]
    spread = ways @ np.array([np.roll(shares, way) for way in range(WAYS)])
    gains = boat.vessel.inertia.m11 * np.array(ANSWERS)
    found = [math.sqrt(float(variance @ HullInWaves(boat.vessel, speed, float(gain)).means(*flat).surge.reshape(
        WAVES, WAYS) @ spread)) for gain in gains]
    return float(np.interp(-scatter, -np.minimum.accumulate(found), gains))


def _parts_table(boat: Boat, sea: SeaSeen, speeds: np.ndarray, held: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return resistance, N, and slip, m/s, by speed and direction, each of shape (SPEEDS, WAYS)."""
    frequency, variance, shares = _sea(sea)
    flat = [part.ravel() for part in np.meshgrid(frequency, _ways(), indexing='ij')]
    spread = np.array([np.roll(shares, way) for way in range(WAYS)])
    rows = []
    for speed in speeds:
        means = HullInWaves(boat.vessel, float(speed), held).means(*flat)
        resistance, work, slip = (spread @ (2.0 * variance @ part.reshape(WAVES, WAYS)) for part in means[:3])
        rows.append((resistance + work / max(float(speed), LEAST_SPEED), slip))
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows])


def _drift_table(boat: Boat, sea: SeaSeen, speeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return an estimate for a boat without known parts, as `_parts_table` does, without slip."""
    frequency, variance, _ = _sea(sea, SHORTEST)
    drift = drift_at(frequency, variance)
    rows = []
    for speed in speeds:
        met = [encounter_frequency(frequency, np.full(WAVES, way), float(speed)) for way in _ways()]
        # A hull that goes with the water's acceleration moves by omega / omega_e of the water's own motion.
        scatter = [math.sqrt(float(variance @ (frequency * np.clip(1.0 - frequency / np.where(
            np.abs(one) < 0.3 * frequency, 0.3 * frequency, one), -1.0, 1.0)) ** 2)) for one in met]
        rows.append([float(estimated_resistance(np.array(speed), np.array(way), drift, one, boat.vessel.damping))
                     for way, one in zip(_ways(), scatter)])
    return np.array(rows), np.zeros((len(speeds), WAYS))


def _at(speeds: np.ndarray, table: np.ndarray, speed: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return a table by speed and direction at those, m/s and rad, (n,): straight lines between; 0 astern."""
    share = np.clip((speed - speeds[0]) / (speeds[1] - speeds[0]), 0.0, SPEEDS - 1.0)
    low = np.minimum(np.nan_to_num(share).astype(int), SPEEDS - 2)
    rest = share - low
    turn = np.mod(direction, 2.0 * math.pi) * (WAYS / (2.0 * math.pi))
    way = np.nan_to_num(turn).astype(int)
    part, way, after = turn - way, way % WAYS, (way + 1) % WAYS
    found: np.ndarray = ((1.0 - rest) * ((1.0 - part) * table[low, way] + part * table[low, after])
                         + rest * ((1.0 - part) * table[low + 1, way] + part * table[low + 1, after]))
    return np.asarray(found * np.clip(speed / speeds[0], 0.0, 1.0))


def drift_of(sea: SeaSeen, depth: float) -> tuple[float, float]:
    """Return the Stokes drift of a sea at a depth, m, towards east and north, m/s; it needs a direction."""
    frequency, variance, shares = _sea(sea, SHORTEST)
    spread = float(shares @ np.cos(_ways()))  # Of directions: less than all of it goes one way.
    speed = spread * drift_at(frequency, variance, depth)
    return speed * math.cos(sea.direction), speed * math.sin(sea.direction)


def less_drift(flow: Flow, drift: tuple[float, float]) -> Flow:
    """Return a flow without a drift of waves, m/s (ENU), that its current holds."""
    return flow._replace(current_x=flow.current_x - drift[0], current_y=flow.current_y - drift[1])
