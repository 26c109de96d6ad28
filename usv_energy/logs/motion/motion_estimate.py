"""The motion of a boat, estimated from a log's pose, velocity and yaw rate together."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.work import threaded
from usv_energy.logs.log import EARTH_VELOCITY, INFO, JOINED, WARNING, Log, Note
from usv_energy.logs.motion.jerk_prior import Knots, states_at
from usv_energy.logs.motion.measured_series import KNOT_STEP, Measured, held_values, knots_of, measured
from usv_energy.logs.motion.noise_levels import Estimate, estimate_of, excerpt, fitted_levels, picked
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Motion
from usv_energy.show.text_table import formatted

LEAST_SAMPLES = 12
CHUNK = 1 << 14           # Times computed together by a thread; their data fit in the processor's cache.
# Noise of a sample, m/s and rad/s (and rad), below which a log is left as it is: 10 kg at 50 Hz then take 2 mW for it.
QUIET_VELOCITY, QUIET_TURN = 2e-3, 2e-3
DENSE = 0.15                # s: samples closer than this need no finer times between them.
GUESSED_PLACE, GUESSED_VELOCITY, GUESSED_YAW, GUESSED_RATE = 0.02, 0.05, 0.01, 0.01
COMPARED = 20_000           # Fewest samples, in a longer log, at which velocities are compared with places.
OFFSET, OFFSET_SHARE = 0.02, 0.05  # m/s, and share of the speed: largest mean difference of velocities and places.
# Notes on logs whose series contradict each other: no estimate can combine them.
CONTRADICTIONS = ('sway_sign', 'velocity_world', 'velocity_world_ned', 'mixed_frames', 'yaw_from_north', 'surge_sign',
                  'speed_unit', 'yaw_rate_sign', 'yaw_rate_differs', 'mirrored')
# Notes of readers that derived a series from another one, so that it is no independent measurement.
DERIVED = {'velocity_derived': ('u', 'v'), 'yaw_rate_derived': ('r',)}

Fresh = dict[tuple[str, ...], np.ndarray]
Rows = slice | np.ndarray
KnotsOf = tuple[Knots, np.ndarray]  # As `knots_of` gives them.
ALL = slice(None)


class MotionValues(NamedTuple):
    """Place m and yaw rad (ENU), velocity m/s, m/s, rad/s (FLU, over ground), its derivatives; arrays of one shape."""

    x: np.ndarray
    y: np.ndarray
    yaw: np.ndarray
    u: np.ndarray
    v: np.ndarray
    r: np.ndarray
    u_dot: np.ndarray
    v_dot: np.ndarray
    r_dot: np.ndarray

    def motion(self) -> Motion:
        """Return the Motion, from which the power is computed."""
        return Motion(*self[2:])


@dataclass(frozen=True, eq=False)
class MotionEstimate:
    """
    The most likely motion at all times of a log.

    `yaw` and `place`: estimates of rad and of (m, m); `middle`: what was taken off the places, m. `noise`: standard
    deviations that were found, by series: x, u (m, m/s), yaw, r (rad, rad/s).
    """

    yaw: Estimate
    place: Estimate
    middle: tuple[float, float]
    noise: dict[str, float]

    @property
    def of_places(self) -> bool:
        """Whether places were measured; velocities then agree with the track over ground."""
        return any(one.order == 0 for one in self.place.series)

    @property
    def velocity_period(self) -> float:
        """Time between measured velocities, s, at least that between knots; inf if none was measured."""
        found = [np.flatnonzero(one.weight > 0.0) for one in self.place.series if one.order == 1]
        knots = self.place.knots.time[found[0]] if found else np.zeros(0)
        return float(np.median(np.diff(knots))) if knots.size > 1 else np.inf

    def at(self, time: np.ndarray) -> MotionValues:
        """Return the motion at times, s, shape (n,); NaN in gaps of the log, and before and after it."""
        knots = self.yaw.knots
        values = motion_of(knots, self.yaw.states, self.place.states, time, self.middle)
        gaps = np.flatnonzero(~knots.joined)
        begins = np.concatenate([[-math.inf], knots.time[gaps] + KNOT_STEP, [knots.time[-1] + KNOT_STEP]])
        ends = np.concatenate([[knots.time[0] - KNOT_STEP], knots.time[gaps + 1] - KNOT_STEP, [math.inf]])
        inside = np.searchsorted(begins, time) > np.searchsorted(ends, time, side='right')
        if not inside.any():
            return values
        for one in values:
            one[inside] = np.nan
        return values


def motion_of(knots: Knots, yaw: np.ndarray, place: np.ndarray, time: np.ndarray,
              middle: tuple[float, float] = (0.0, 0.0)) -> MotionValues:
    """Return the motion at times, s, (m,), from states of yaw, (n, 3, 1), and place, (n, 3, 2), at knots."""
    result = MotionValues(*(np.empty(time.size) for _ in MotionValues._fields))

    def fill(chunk: int) -> None:
        rows = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
        angle, rate, bend = states_at(knots, yaw, time[rows])[:, :, 0].T
        (x, y), (x_dot, y_dot), (x_bend, y_bend) = states_at(knots, place, time[rows]).transpose(1, 2, 0)
        c, s = np.cos(angle), np.sin(angle)
        u, v = to_body(x_dot, y_dot, c, s)
        ahead, aside = to_body(x_bend, y_bend, c, s)
        values = (x + middle[0], y + middle[1], angle, u, v, rate, ahead + rate * v, aside - rate * u, bend)
        for whole, part in zip(result, values):
            whole[rows] = part

    threaded(fill, -(-time.size // CHUNK))
    return result


def motion_estimate(log: Log, with_places: bool = True) -> tuple[MotionEstimate | None, list[Note]]:
    """
    Return the most likely motion of a boat, with notes; None if the log needs no estimate.

    That is so if the log is too short, lacks a needed series or contradicts itself. It is also so if its velocities are
    less noisy than QUIET_VELOCITY and QUIET_TURN, are measured at every sample, and are close together (DENSE).

    :param log: The Log, with yaw, u, v and r.
    :param with_places: Whether its places are of the same motion as its velocities.
    :raises InputError: If all its samples, twelve or more, lie within a tenth of a second.
    """
    known = np.isfinite(log.yaw)
    if all(note.code != JOINED for note in log.notes):  # Rows with only heading or yaw rate belong to the motion.
        known &= np.isfinite(log.u) | np.isfinite(log.x)
    if known.sum() < LEAST_SAMPLES or not log.known('u', 'v', 'r'):
        return None, []
    if faults := [note.code for note in log.notes if note.code in CONTRADICTIONS]:
        return None, [Note(WARNING, 'motion_not_estimated', 'the motion is taken as it was recorded, noise and all: no '
                           f'estimate can join series that contradict each other ({", ".join(faults)})')]
    if not known.all():
        log = log.part(known)
    groups = _groups(log, with_places)
    fresh, notes = {}, []
    for names in groups:
        held = held_values(np.array([getattr(log, name) for name in names]).T)
        fresh[names] = held.fresh
        if held.length > 1.0:
            notes.append(_held_note(names, held.length, log.period))
    middle = (float(np.nanmean(log.x)), float(np.nanmean(log.y))) if ('x', 'y') in groups else (0.0, 0.0)
    everywhere = knots_of(log.time, log.max_gap)
    if not everywhere[0].joined.any() and np.ptp(log.time) <= log.max_gap:  # No stretch, and that not by its holes.
        raise InputError(f'{log.path}: its {log.time.size} samples go over {np.ptp(log.time):.3g} s; must be at least '
                         f'{KNOT_STEP:g} s (of another unit? a column map says so)')
    few = _stretches(*everywhere)
    some = knots_of(log.time[few], log.max_gap)
    knots, series = _turn(log, few, some, fresh)
    turn_levels = fitted_levels(knots, series, (GUESSED_YAW, GUESSED_RATE)[:len(series)])
    knots, series = _way(log, few, some, fresh, log.yaw[few], middle)
    way_levels = fitted_levels(knots, series, [(GUESSED_PLACE, GUESSED_VELOCITY)[one.order] for one in series])
    noise = {**dict(zip(('yaw', 'r'), turn_levels.noise)),
             **{('x', 'u')[one.order]: deviation for one, deviation in zip(series, way_levels.noise)}}
    noise = {name: float(value) for name, value in noise.items()}
    quiet = noise.get('u', np.inf) < QUIET_VELOCITY and max(noise.get('r', np.inf), noise['yaw']) < QUIET_TURN
    if quiet and log.period < DENSE and not notes:
        return None, [_as_recorded_note(noise)]
    yaw = estimate_of(*_turn(log, ALL, everywhere, fresh), turn_levels)
    place = estimate_of(*_way(log, ALL, everywhere, fresh, motion_angle(yaw, log.time), middle), way_levels)
    estimate = MotionEstimate(yaw, place, middle, noise)
    if {('x', 'y'), ('u', 'v')} <= set(fresh):
        notes += _against_places(log, estimate)
    return estimate, [*notes, _estimated_note(noise)]


def _groups(log: Log, with_places: bool) -> list[tuple[str, ...]]:
    """Return the measured series, grouped by sensor."""
    derived = {name for note in log.notes for name in DERIVED.get(note.code, ())}
    groups: list[tuple[str, ...]] = [('yaw',)]
    if 'r' not in derived:
        groups.append(('r',))
    if with_places and log.known('x', 'y'):
        groups.append(('x', 'y'))
    if 'u' not in derived or ('x', 'y') not in groups:
        groups.append(('u', 'v'))
    return groups


def _stretches(knots: Knots, knot: np.ndarray) -> np.ndarray:
    """Return the samples of stretches along a log for the noise estimate; all samples of a short log."""
    picked = np.zeros(knots.time.size, dtype=bool)
    picked[excerpt(knots)[0]] = True
    return np.flatnonzero(picked[knot])


def _turn(log: Log, rows: Rows, at: KnotsOf, fresh: Fresh) -> tuple[Knots, list[Measured]]:
    """Return heading and yaw rate as measurements."""
    time = log.time[rows]
    knots, knot = at
    return knots, [measured(order, time, getattr(log, names[0])[rows][:, None], knots, knot, fresh[names][rows])
                   for order, names in enumerate((('yaw',), ('r',))) if names in fresh]


def _way(log: Log, rows: Rows, at: KnotsOf, fresh: Fresh, yaw: np.ndarray,
         middle: tuple[float, float]) -> tuple[Knots, list[Measured]]:
    """Return places and velocities, turned into the earth's frame by a yaw, as measurements."""
    time = log.time[rows]
    knots, knot = at
    series = []
    if ('x', 'y') in fresh:
        places = np.array([log.x[rows] - middle[0], log.y[rows] - middle[1]]).T
        series.append(measured(0, time, places, knots, knot, fresh['x', 'y'][rows]))
    if ('u', 'v') in fresh:
        velocities = _earth_velocities(log.u[rows], log.v[rows], yaw)
        series.append(measured(1, time, velocities, knots, knot, fresh['u', 'v'][rows]))
    return knots, series


def _earth_velocities(u: np.ndarray, v: np.ndarray, yaw: np.ndarray) -> np.ndarray:
    """Return velocities, m/s, along the axes of the earth, shape (n, 2), each of the two in one piece."""
    velocities = np.empty((2, yaw.size))

    def fill(chunk: int) -> None:
        part = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
        velocities[:, part] = to_earth(u[part], v[part], np.cos(yaw[part]), np.sin(yaw[part]))

    threaded(fill, -(-yaw.size // CHUNK))
    return velocities.T


def motion_angle(yaw: Estimate, time: np.ndarray) -> np.ndarray:
    """Return the estimated yaw at times, rad, shape (n,)."""
    angle = np.empty(time.size)

    def fill(chunk: int) -> None:
        rows = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
        angle[rows] = states_at(yaw.knots, yaw.states, time[rows])[:, 0, 0]

    threaded(fill, -(-time.size // CHUNK))
    return angle


def _against_places(log: Log, estimate: MotionEstimate) -> list[Note]:
    """Warn if the velocities, on average, do not agree with the track through the places."""
    some = slice(None, None, max(len(log) // COMPARED, 1))
    u, v, values = log.u[some], log.v[some], estimate.at(log.time[some])
    off = float(np.nanmean(u - values.u)), float(np.nanmean(v - values.v))
    if not np.hypot(*off) > max(OFFSET, OFFSET_SHARE * float(np.nanmean(np.hypot(u, v)))):
        return []
    return [Note(WARNING, 'velocity_against_places', f'the velocities are {off[0]:+.3f} m/s ahead, {off[1]:+.3f} m/s '
                 'to port of the way through the places, on average: the places are believed; --motion recorded '
                 'believes the velocities', {'ahead_m_s': off[0], 'port_m_s': off[1]})]


def _held_note(names: tuple[str, ...], length: float, period: float) -> Note:
    what = {'u': 'velocities', 'r': 'yaw rate', 'x': 'positions', 'yaw': 'heading'}[names[0]]
    return Note(WARNING, f'held_{"_".join(what.split())}', f'the {what} are new in one of {length:.3g} samples only '
                f'({1.0 / (length * period):.3g} Hz in a stream of {1.0 / period:.3g} Hz) and repeated in between: '
                'only the first of each is taken as a measurement', {'samples': length})


def _found(noise: dict[str, float]) -> str:
    words = {'x': ('positions {} m', 1.0), 'u': ('velocities {} m/s', 1.0),
             'yaw': ('heading {} deg', 180.0 / np.pi), 'r': ('yaw rate {} deg/s', 180.0 / np.pi)}
    return ', '.join(words[name][0].format(formatted(words[name][1] * value, '.2g')) for name, value in noise.items())


def _estimated_note(noise: dict[str, float]) -> Note:
    return Note(INFO, 'motion_estimated', 'the motion is the likeliest one by pose, velocity and yaw rate together; '
                f'noise found in the log: {_found(noise)}', {f'noise_{name}': value for name, value in noise.items()})


def _as_recorded_note(noise: dict[str, float]) -> Note:
    return Note(INFO, 'motion_as_recorded', 'the motion is taken as it was recorded: there is next to no noise in it '
                f'({_found(noise)})')


def place_velocity(log: Log) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the velocity, east and north, m/s, (n,), of the most likely track through a log's places.

    It also uses the velocity of a GPS without a heading (EARTH_VELOCITY in the log's `extra`).

    NaN outside known places, and everywhere in a log with fewer than LEAST_SAMPLES.
    """
    known = np.isfinite(log.x) & np.isfinite(log.y)
    result = np.full((len(log), 2), np.nan)
    if known.sum() < LEAST_SAMPLES:
        return result[:, 0], result[:, 1]
    time, places = log.time[known], np.column_stack([log.x[known], log.y[known]])
    knots, knot = knots_of(time, log.max_gap)
    series = [measured(0, time, places - places.mean(axis=0), knots, knot, held_values(places).fresh)]
    if all(name in log.extra for name in EARTH_VELOCITY):
        velocities = np.column_stack([log.extra[name][known] for name in EARTH_VELOCITY])
        series.append(measured(1, time, velocities, knots, knot, held_values(velocities).fresh))
    rows, few = excerpt(knots)
    levels = fitted_levels(few, [picked(one, rows) for one in series],
                           (GUESSED_PLACE, GUESSED_VELOCITY)[:len(series)])
    result[known] = states_at(knots, estimate_of(knots, series, levels).states, time)[:, 1]
    return result[:, 0], result[:, 1]
