"""The waves that a log's boat met: of a hull of parts the very waves, else by coefficients; and their mean force."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.logs.log import HEAVE, PITCH, ROLL, Log
from usv_energy.physics.motion import Flow, Motion
from usv_energy.physics.parted_hull import ColumnWave, WaterAround
from usv_energy.physics.waves.added_resistance import SeaAlong, WaveCoefficients, added_resistance, resistance_error
from usv_energy.physics.waves.linear_wave import GRAVITY, jonswap
from usv_energy.powering.power import needed_of
from usv_energy.sim.plants.floating import Afloat, Rates, WaterSeen, floating_rate, turn_of_hull, water_seen
from usv_energy.sim.plants.plant_step import PlantState
from usv_energy.studies.analyze.log_power import relative_motion
from usv_energy.studies.analyze.waves.sea_fit import SeaSeen

COURSES = math.pi / 12.0 * np.arange(24)    # rad, over which an unknown direction is averaged.
SEEN_OFF = 0.3      # Share of the largest force (95 %) by which height and direction, as they are seen, put it off.
UNSAID = 0.6        # The same for coefficients of which nobody says how far they may be off.

STEP = 0.1                  # s: apart are the times at which waves are found, at most.
LENGTH = 20.0               # s of a window; margins of MARGIN on either side are found with it, and not counted.
MARGIN = 2.0
MOST = 12                   # Most windows along a log: each takes about a second.
ENDS = 0.4                  # s at either end of a piece, in which splines do not know its rates.
NOISE = 0.03                # Of the accelerations, as a share of their scatter.
TURNS = 4                   # Of Gauss and Newton.
PERIODS = (0.7, 1.0, 1.4)   # Of the sea's, of seas that are as likely beforehand.
SPREAD = 5.0                # s of cos^2s of the half angle, by which they spread beforehand: more than seas do.
WAYS = 15                   # Directions, WAY apart.
WAY = math.radians(15.0)
LOWEST, HIGHEST, SHORTEST = 0.45, 6.0, 12.0  # Frequencies over that of the peak; rad/s beyond which no hull feels any.
PARTS = len(ColumnWave._fields)
FEW = 1e-4                  # Change by which slopes are told.

OFTEN = 0.13                # s: motion that is recorded less often does not tell its waves.
SHORTEST_PIECE = 8.0              # s: of a piece of a log that is long enough for that.
MISSED = 0.3                # Of the accelerations, above which waves do not explain a motion.
ENOUGH = 2                  # Windows, the first ones, that waves do not explain, after which no other is looked at.
LEAST_WAY = 0.3             # m/s of mean speed, from which work is taken as a force.


def own_resistance(coefficients: WaveCoefficients, sea: SeaSeen, yaw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the mean added resistance in a sea, and how far 95 % of its errors go, N; whatever the speed.

    Without a direction it is the mean of all, and half of what they differ is among its errors.

    :param coefficients: Of the boat.
    :param sea: The SeaSeen.
    :param yaw: Headings, rad (ENU), shape (n,).
    """
    known = not math.isnan(sea.direction)
    along = SeaAlong(sea.height, sea.period, sea.direction if known else 0.0, coefficients)
    every, errors = added_resistance(along, COURSES), resistance_error(along, COURSES)
    largest = float(np.abs(every).max())
    if known:
        found, error, spread = added_resistance(along, yaw), resistance_error(along, yaw), 0.0
    else:
        found, error = np.full(yaw.shape, every.mean()), np.full(yaw.shape, errors.mean())
        spread = 0.5 * float(np.ptp(every))
    of_coefficients = np.where(np.isnan(error), UNSAID * largest, 2.0 * error)
    off: np.ndarray = np.hypot(of_coefficients, SEEN_OFF * largest) + spread
    return found, off


class HullMotion(NamedTuple):
    """
    A hull in six degrees of freedom along a log, arrays (n,); what it moves through is the current, waves left out.

    `time`, s; `state`: the PlantState with its Afloat, x and y the way through the water, m; `flow`: at it;
    `rates`: of u_r, v_r, r, w, p and q, m/s^2 and rad/s^2.
    """

    time: np.ndarray
    state: PlantState
    flow: Flow
    rates: tuple[np.ndarray, ...]

    def piece(self, rows: slice) -> 'HullMotion':
        """Return a piece of it."""
        afloat = self.state.afloat
        cut = Afloat._make((*(values[rows] for values in afloat[:6]), afloat.waves))
        state = PlantState._make((*(values[rows] for values in self.state[:6]), 0.0 * self.time[rows], cut))
        return HullMotion(self.time[rows], state, Flow(*(values[rows] for values in self.flow)),
                          tuple(values[rows] for values in self.rates))


class OwnWork(NamedTuple):
    """
    What the thrusters worked in a window, by its own waves: from `begin` to `end`, s; `work`, J.

    `missed`: what the waves do not explain of the accelerations, over their scatter, (-).
    """

    begin: float
    end: float
    work: float
    missed: float


def hull_motion(log: Log, motion: Motion, flow: Flow, vessel: Vessel, rows: slice) -> HullMotion:
    """
    Return how a hull moved along a piece of a log, without its ENDS: its rates by splines through its samples.

    :param log: The Log, with heave, roll and pitch.
    :param motion: Its Motion over ground.
    :param flow: Water and air along it, the drift of the waves not in the current.
    :param vessel: The Vessel, with parts.
    :param rows: The piece, without gaps.
    """
    from scipy.interpolate import CubicSpline
    time = log.time[rows]
    heave, roll, pitch = (log.extra[name][rows] for name in (HEAVE, ROLL, PITCH))
    yaw, u, v, r = (values[rows] for values in motion[:4])
    here = Flow(*(values[rows] for values in flow))

    def rate_of(values: np.ndarray) -> np.ndarray:
        return CubicSpline(time, values).derivative()(time)

    c, s = np.cos(yaw), np.sin(yaw)
    u_r, v_r = u - c * here.current_x - s * here.current_y, v - c * here.current_y + s * here.current_x
    q = (rate_of(pitch) + np.sin(roll) * r) / np.cos(roll)
    p = rate_of(roll) - np.tan(pitch) * (np.sin(roll) * q + np.cos(roll) * r)
    w = ((rate_of(heave) + u_r * np.sin(pitch)) / np.cos(pitch) - v_r * np.sin(roll)) / np.cos(roll)
    ahead = u_r * np.cos(pitch) + (v_r * np.sin(roll) + w * np.cos(roll)) * np.sin(pitch)
    aside = v_r * np.cos(roll) - w * np.sin(roll)
    x, y = (CubicSpline(time, way).antiderivative()(time) for way in (c * ahead - s * aside, s * ahead + c * aside))
    rest = vessel.parts.rest_height
    state = PlantState(x, y, yaw, u_r, v_r, r, 0.0 * time, Afloat(heave + rest, roll, pitch, w, p, q))
    whole = HullMotion(time, state, here, tuple(rate_of(one) for one in (u_r, v_r, r, w, p, q)))
    every = max(1, int(STEP / max(float(np.median(np.diff(time))), 1e-6) + 1e-6))
    end = int(np.searchsorted(time, time[0] + ENDS))
    return whole.piece(slice(end, time.size - end, every))


def own_work(moved: HullMotion, sea: SeaSeen, vessel: Vessel, share: float = 1.0) -> Iterator[OwnWork]:
    """
    Yield what the thrusters worked in windows along a motion, each with its own waves.

    :param moved: The HullMotion.
    :param sea: The SeaSeen, with a direction, about which waves are looked for.
    :param vessel: The Vessel, with parts.
    :param share: Of MOST windows, that are looked at at most, (-).
    """
    time = moved.time
    number = max(1, round((time[-1] - time[0]) / LENGTH))
    bounds = np.searchsorted(time, np.linspace(time[0], time[-1], number + 1))
    bounds[-1] = time.size - 1
    margin = round(MARGIN / float(np.median(np.diff(time))))
    for one in np.unique(np.linspace(0, number - 1, min(number, max(1, round(share * MOST)))).round().astype(int)):
        first, last = int(bounds[one]), int(bounds[one + 1])
        begin = max(first - margin, 0)
        piece = moved.piece(slice(begin, last + margin + 1))
        waves, missed = _own_waves(piece, sea, vessel)
        power = _thruster_power(piece, waves, vessel)[first - begin:last - begin + 1]
        step = np.diff(time[first:last + 1])
        yield OwnWork(float(time[first]), float(time[last]), float(0.5 * (power[1:] + power[:-1]) @ step), missed)


def _own_waves(moved: HullMotion, sea: SeaSeen, vessel: Vessel) -> tuple[np.ndarray, float]:
    """Return the parts of the ColumnWaves, (columns, PARTS, n), that best explain a motion, and what they do not."""
    frequency, direction, variance = _waves_beforehand(sea, float(moved.time[-1] - moved.time[0]))
    shapes = _unit_waves(moved, frequency, direction, vessel)
    variance = np.tile(variance, 2)
    seen = _seen(moved.rates, vessel)
    noise = NOISE * seen.std(axis=1)
    waves = _as_wet_as_at_rest(moved, vessel)
    for _ in range(TURNS):
        told, slopes = _told_and_slopes(moved, waves, vessel)
        wanted = seen - told + np.einsum('ocpn,cpn->on', slopes, waves)
        slopes = (slopes / noise[:, None, None, None]).astype(np.float32)
        # Single precision is enough for slopes; their products may be larger than the noise, 1, by more than it tells.
        rows = np.einsum('ocpn,cpnm->onm', slopes, shapes, optimize=True).reshape(-1, variance.size).astype(float)
        spread = (rows * variance) @ rows.T
        spread[np.diag_indices_from(spread)] += 1.0
        weight = np.linalg.solve(spread, (wanted / noise[:, None]).ravel())
        waves = (shapes @ (variance * (rows.T @ weight)).astype(np.float32)).astype(float)
    left = seen - _seen(_rates(moved, waves, vessel), vessel)
    return waves, float(np.sqrt(np.mean((left / seen.std(axis=1)[:, None]) ** 2)))


def _waves_beforehand(sea: SeaSeen, length: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return frequencies, rad/s, directions, rad, and variances, m^2, of the waves that are looked for."""
    peak, step = 2.0 * math.pi / sea.period, 2.0 * math.pi / (1.5 * length)
    frequency = np.arange(LOWEST * peak, min(HIGHEST * peak, max(SHORTEST, 2.0 * peak)), step)
    turn = WAY * (np.arange(WAYS) - 0.5 * (WAYS - 1))
    share = np.cos(0.5 * turn) ** (2.0 * SPREAD)
    density = sum(jonswap(frequency, sea.height, factor * sea.period) for factor in PERIODS) * (step / len(PERIODS))
    each, way = (part.ravel() for part in np.meshgrid(frequency, sea.direction + turn, indexing='ij'))
    return each, way, np.outer(density, share / share.sum()).ravel()


def _unit_waves(moved: HullMotion, frequency: np.ndarray, direction: np.ndarray, vessel: Vessel) -> np.ndarray:
    """Return the parts of the ColumnWaves of waves of 1 m, all cosines, then all sines: (columns, PARTS, n, 2 m)."""
    hull, state, number = vessel.parts, moved.state, frequency ** 2 / GRAVITY
    c, s = np.cos(direction), np.sin(direction)
    c_yaw, s_yaw = np.cos(state.yaw)[:, None], np.sin(state.yaw)[:, None]
    along = hull.cell_length * number * (c_yaw * c + s_yaw * s)
    across = hull.cell_width * number * (c_yaw * s - s_yaw * c)
    fading = (along * along + across * across) / 24.0
    kept = 1.0 / (1.0 + fading * (1.0 + 0.7 * fading))
    rise, speed = np.exp(-number * hull.draught), frequency * np.exp(-0.5 * number * hull.draught)
    found = np.empty((len(hull.columns), PARTS, moved.time.size, 2 * frequency.size), np.float32)
    for place, column in enumerate(hull.columns):
        east = state.x[:, None] + c_yaw * column.x - s_yaw * column.y
        north = state.y[:, None] + s_yaw * column.x + c_yaw * column.y
        angle = number * (c * east + s * north) - frequency * moved.time[:, None]
        even, odd = kept * np.cos(angle), kept * np.sin(angle)
        for half, (one, other) in enumerate(((even, odd), (odd, -even))):
            found[place, ..., half * frequency.size:(half + 1) * frequency.size] = [
                rise * one, rise * frequency * other, -rise * frequency ** 2 * one, speed * c * one, speed * s * one,
                speed * frequency * c * other, speed * frequency * s * other]
    return found


def _as_wet_as_at_rest(moved: HullMotion, vessel: Vessel) -> np.ndarray:
    """Return waves to begin with, as parts: each column as deep in the water as it lies at rest."""
    hull, afloat = vessel.parts, moved.state.afloat
    waves = np.zeros((len(hull.columns), PARTS, moved.time.size))
    for place, column in enumerate(hull.columns):
        waves[place, 0] = (afloat.height - hull.rest_height - (afloat.pitch - hull.rest_pitch) * column.x
                           + (afloat.roll - hull.rest_roll) * column.y)
    return waves


def _told_and_slopes(moved: HullMotion, waves: np.ndarray, vessel: Vessel) -> tuple[np.ndarray, np.ndarray]:
    """Return the accelerations by waves, (4, n), and their slopes by each part of these, (4, columns, PARTS, n)."""
    told = _seen(_rates(moved, waves, vessel), vessel)
    slopes = np.empty((len(told), *waves.shape))
    for place in np.ndindex(*waves.shape[:2]):
        changed = waves.copy()
        changed[place] += FEW
        slopes[(slice(None), *place)] = (_seen(_rates(moved, changed, vessel), vessel) - told) / FEW
    return told, slopes


def _seen(rates: tuple[np.ndarray, ...], vessel: Vessel) -> np.ndarray:
    """Return of rates of u_r, v_r, r, w, p, q what thrusters ahead do not change: of sway, heave, roll and pitch."""
    hull = vessel.parts
    by_thrust = hull.thrust_arm * vessel.inertia.m11 / hull.pitch_inertia  # Of pitch, by surge.
    u, v, _, w, p, q = rates
    return np.array(np.broadcast_arrays(v, w, p, q - by_thrust * u))


def _around(waves: np.ndarray) -> WaterAround:
    return WaterAround(tuple(ColumnWave(*one) for one in waves), 0.0, 0.0)


def _rates(moved: HullMotion, waves: np.ndarray, vessel: Vessel) -> tuple[Any, ...]:
    """Return the rates of u_r, v_r, r, w, p, q in waves, without thrust."""
    state = moved.state
    rate: Rates = floating_rate(state.afloat, state, (0.0, 0.0, 0.0), None, moved.flow, vessel, _around(waves))
    return rate.u_r, rate.v_r, rate.r, rate.afloat.w, rate.afloat.p, rate.afloat.q


def _thruster_power(moved: HullMotion, waves: np.ndarray, vessel: Vessel) -> np.ndarray:
    """Return what the thrusters give in waves, W, (n,): what the motion needs beyond them, at the water's own speed."""
    state = moved.state
    seen: WaterSeen = water_seen(turn_of_hull(state.afloat, state.yaw), _around(waves), vessel.parts)
    rates = _rates(moved, waves, vessel)
    ahead = vessel.inertia.m11 * (moved.rates[0] - rates[0])
    turning = vessel.inertia.m33 * (moved.rates[2] - rates[2])
    return ahead * (state.u_r - seen.u) + turning * (state.r - seen.r)


def tells_own_waves(log: Log, sea: SeaSeen) -> bool:
    """Return whether a log without noise has all that its very waves are found from, often enough."""
    told = all(name in log.extra and bool(np.isfinite(log.extra[name]).all()) for name in (HEAVE, ROLL, PITCH))
    return told and log.period <= OFTEN and not math.isnan(sea.direction)


def with_own_waves(log: Log, motion: Motion, mean: Motion, flow: Flow, vessel: Vessel, sea: SeaSeen,
                   resistance: np.ndarray) -> np.ndarray | None:
    """
    Return the force that the thrusters give more in waves, N, (n,), its mean by windows that of the waves in them.

    In a window the thrusters' work is that of its own waves (`own_waves`); between those that are looked at, and where
    waves do not explain the motion, it differs from the sea's by as much as in the nearest one. None where they
    explain it nowhere.

    :param log: The Log; `motion`: its Motion over ground; `mean`: the same without waves; `flow`: along it.
    :param vessel: The Vessel, with parts.
    :param sea: The SeaSeen.
    :param resistance: What it takes on average, N, (n,).
    """
    pieces = [piece for piece in log.pieces() if log.time[piece.stop - 1] - log.time[piece.start] > SHORTEST_PIECE]
    whole = sum(log.time[piece.stop - 1] - log.time[piece.start] for piece in pieces)
    relative = relative_motion(mean, flow, 'rep103')
    middles, extra, missed = [], [], 0
    for piece in pieces:
        part = Motion(*(values[piece] for values in motion))
        if not all(np.isfinite(values).all() for values in (*part[:4], *(one[piece] for one in flow))):
            continue
        moved = hull_motion(log, motion, flow, vessel, piece)
        share = float(log.time[piece.stop - 1] - log.time[piece.start]) / whole
        at = type(relative)(*(values[piece] for values in relative))
        rate = tuple(np.gradient(values, log.time[piece]) for values in (at.u_r, at.v_r, at.r))
        needed = needed_of(at, rate, vessel).force
        calm = needed[0] * at.u_r + needed[2] * at.r + resistance[piece] * at.u_r
        for one in own_work(moved, sea, vessel, share):
            force = _beyond(one, log.time[piece], calm, at.u_r)
            if one.missed < MISSED and force is not None:
                middles.append(0.5 * (one.begin + one.end))
                extra.append(force)
            missed += one.missed >= MISSED
            if missed >= ENOUGH and not middles:
                return None
    if not middles:
        return None
    order = np.argsort(middles)
    middle, beyond = np.array(middles)[order], np.array(extra)[order]
    nearest = np.searchsorted(0.5 * (middle[1:] + middle[:-1]), log.time)
    return resistance + beyond[nearest]


def _beyond(one: OwnWork, time: np.ndarray, calm: np.ndarray, speed: np.ndarray) -> float | None:
    """Return by what force the work in a window is more than that of a power, W, (n,), N; None for a boat at rest."""
    rows = slice(*np.searchsorted(time, (one.begin, one.end + 1e-9)))
    step = np.diff(time[rows])
    work, way = (float(0.5 * (values[rows][1:] + values[rows][:-1]) @ step) for values in (calm, speed))
    if abs(way) < LEAST_WAY * (one.end - one.begin):
        return None
    return (one.work - work) / way
