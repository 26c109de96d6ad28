"""The mean force of waves on the hull at every sample of a log."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow, Motion, WaveAction
from usv_energy.physics.waves.linear_wave import jonswap
from usv_energy.studies.analyze.waves.hull_in_waves import HullInWaves, encounter_frequency
from usv_energy.studies.analyze.waves.mean_motion import without_oscillation
from usv_energy.studies.analyze.waves.own_waves import own_resistance, tells_own_waves, with_own_waves
from usv_energy.studies.analyze.waves.sea_fit import SPREADING, SeaSeen, sea_seen
from usv_energy.studies.analyze.waves.surface_follower import SurfaceFollower, drift_at, estimated_resistance
from usv_energy.studies.analyze.waves.wave_spectra import COARSE, log_spectra

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
