"""Checks of a log for common errors by comparing its series with each other."""

import math
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from usv_energy.earth import KILOMETRE_PER_HOUR, KNOT
from usv_energy.files.errors import InputError, counted
from usv_energy.logs.derive import derivative
from usv_energy.logs.integral_scale import UNKNOWN, motion_scale, turning_scale, wander
from usv_energy.logs.log import INFO, JOINED, PER_THRUSTER, WARNING, Log, Note
from usv_energy.logs.tables.column_map import DEGREE
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.frames import to_body

LEAST = 30  # Fewest samples for a comparison.
ROUNDING = 1e-9  # Share of its largest value below which a series' changes are rounding.
LONGEST_DELAY, DELAYS = 2.0, 5  # s, and how many up to it are tried.
SECOND = 1.0  # s, the least time between two positions whose way is compared.
THREADS = 2  # Threads for a long log: numpy releases the interpreter's lock.
LONG = 100_000  # Fewest samples for a second thread.
Item = TypeVar('Item')
Result = TypeVar('Result')

AT_REST_SPEED, AT_REST_TURN = 0.1, 0.05  # m/s, rad/s: a boat that never exceeds these has not moved
FASTEST, FASTEST_TURN = 30.0, 6.0  # m/s, rad/s: no boat of this kind is faster
AGREES, DISAGREES = 0.7, 0.5  # Correlations above which two series agree, and below which they disagree.
ALIKE = 0.2  # Difference of two readings of the velocities, as a share of the speed, below which they are the same.
BETTER = 0.5  # Share of what the velocities leave unexplained that another reading may leave, to be the better.
LEVELS_AGREE = 0.9  # Share of the turns that the yaw rate explains above which the two agree in level.
RATIO = 0.2  # Largest deviation from a known ratio of units.
UNIT_RATIOS = ((KNOT, 'knots'), (KILOMETRE_PER_HOUR, 'km/h'), (1e-2, 'cm/s'), (1e-3, 'mm/s'))
PACE, SURE = 0.005, 4.0  # Smallest scale between positions and velocities that is said, and how many stds it must be.
# By how much the energy may be off (95 %): so many times the share of the speed by which places and velocities wander,
# times that share (always more) and times 1 over the root of the windows (by chance); least speed, m/s; least of note.
WANDER_COST, WANDER_SPEED, WANDER_OFF = 4.0, 0.2, 0.02
# Notes on logs whose velocities are no measurement of their own, or contradict the positions.
NO_PACE = ('velocity_derived', 'surge_from_speed', 'heading_from_course', 'sway_sign', 'velocity_world',
           'velocity_world_ned', 'mixed_frames', 'yaw_from_north', 'surge_sign', 'speed_unit', 'at_rest')
PULSE_WIDTHS = (800.0, 2200.0)  # us: what ESCs and servos take
STARBOARD_FIRST = (('right', 'left'), ('starboard', 'port'))
PUT_RIGHT = 'Put right.'  # End of a note's text if the fault was corrected.

Findings = Iterator[tuple[Note, Log | None]]


class Match(NamedTuple):
    """Comparison of one series with another: correlation (-) and slope, the factor from the other to the first."""

    correlation: float
    slope: float


def match(one: np.ndarray, other: np.ndarray) -> Match:
    """Return the Match of two series, shape (n,); NaN if fewer than 30 samples have both, or one is constant."""
    one, other = _where_both(one, other)
    if one.size < LEAST or _rests(one) or _rests(other):
        return Match(math.nan, math.nan)
    a, b = one - one.mean(), other - other.mean()
    product, square, scale = float(a @ b), float(b @ b), float(a @ a) * float(b @ b)
    if not scale > 0.0:     # Numbers whose squares are 0.
        return Match(math.nan, math.nan)
    return Match(product / math.sqrt(scale), product / square)


def _rests(values: np.ndarray) -> bool:
    """Return whether a series is constant except for rounding."""
    low, high = float(values.min()), float(values.max())
    return high - low <= ROUNDING * max(abs(low), abs(high))


def explained(pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> float:
    """Return the share of recorded series that others explain, up to a positive factor; 0 for too few samples."""
    product = recorded = others = 0.0
    for pair in pairs:
        one, other = _where_both(*pair)
        if one.size < LEAST:
            return 0.0
        product += float(one @ other)
        recorded += float(one @ one)
        others += float(other @ other)
    product = max(product, 0.0)
    return product * product / (recorded * others) if 0.0 < recorded * others < math.inf else 0.0


def ways(time: np.ndarray, positions: np.ndarray, velocities: np.ndarray, max_gap: float) -> Match:
    """
    Compare the displacements between positions with the integrals of velocities, both without their means.

    Both are from one position to the next that is new, at least a second later: positions that are held between two
    fixes, or recorded seldom, are no slower for that, as their derivatives are.

    :param time: s, rising, shape (n,).
    :param positions: m, earth frame, NaN where there is none, shape (2, n).
    :param velocities: m/s, earth frame, shape (2, n).
    :param max_gap: Ways with a longer step in them, s, or with an unknown velocity, do not count.
    """
    rows = np.flatnonzero(np.isfinite(positions).all(axis=0))
    rows = rows[np.concatenate([[True], (np.diff(positions[:, rows]) != 0.0).any(axis=0)])[:rows.size]]
    if not rows.size:
        return Match(math.nan, math.nan)
    rows = rows[np.unique(np.floor((time[rows] - time[rows[0]]) / SECOND + 1e-9), return_index=True)[1]]
    steps, means = np.diff(time), 0.5 * (velocities[:, 1:] + velocities[:, :-1])
    sound = np.isfinite(means).all(axis=0) & (steps <= max_gap)
    made = np.zeros(velocities.shape)
    np.cumsum(np.where(sound, means * steps, 0.0), axis=1, out=made[:, 1:])
    faults = np.concatenate([[0], np.cumsum(~sound)])[rows]
    whole = faults[1:] == faults[:-1]
    gone, made = (np.diff(series[:, rows])[:, whole] for series in (positions, made))
    return match(*((series - series.mean(axis=1, keepdims=True)).ravel() if whole.any() else series.ravel()
                   for series in (gone, made)))


def followed(motion: np.ndarray, cause: np.ndarray, period: float) -> np.ndarray:
    """Return a motion shifted by the delay, up to 2 s, of best correlation with its cause; period in s."""
    if not period > 0.0:
        return motion
    delays = np.unique(np.round(np.linspace(0.0, LONGEST_DELAY, DELAYS) / period)).astype(int)

    def strength(delay: int) -> float:
        return abs(float(np.nan_to_num(match(motion[delay:], cause[:max(motion.size - delay, 0)]).correlation)))

    best = int(delays[int(np.argmax(at_once(strength, delays.tolist(), motion.size)))])
    return np.concatenate([motion[best:], np.full(min(best, len(motion)), np.nan)])


def at_once(function: Callable[[Item], Result], items: Iterable[Item], samples: int) -> list[Result]:
    """Return a function's results for items, computed by two threads for long series."""
    if samples < LONG:
        return [function(item) for item in items]
    errors = np.geterr()  # a thread has its own

    def in_thread(item: Item) -> Result:
        with np.errstate(**errors):
            return function(item)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(in_thread, items))


def _where_both(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two series where both have a number."""
    both = np.isfinite(one)
    both &= np.isfinite(other)
    return (one, other) if both.all() else (one[both], other[both])


def refuse_degrees(path: Path, time: np.ndarray, yaw: np.ndarray, r: np.ndarray | None) -> None:
    """
    Refuse a heading or a yaw rate in degrees that claims to be in radians.

    :param path: Of the log, for the error.
    :param time: s, shape (n,).
    :param yaw: As it was recorded, rad, not unwrapped, shape (n,).
    :param r: Yaw rate, rad/s, shape (n,); None where it was not recorded.
    :raises InputError: If the heading changes 57 times as fast as the yaw rate says, or 57 times as slowly, or jumps by
        360.
    """
    known = np.flatnonzero(np.isfinite(yaw))
    if len(known) < LEAST:
        return
    steps, spans = np.diff(yaw[known]), np.diff(time[known])
    if r is not None:
        rate = 0.5 * (r[known][1:] + r[known][:-1])
        quiet = np.abs(steps) < 10.0 * np.median(np.abs(steps))  # not the jumps of a turn
        found = match(steps[quiet] / spans[quiet], rate[quiet])
        if not abs(found.correlation) > AGREES:  # A turn of constant rate: by its level.
            turned = np.concatenate([[0.0], np.cumsum(np.where(quiet, steps, 0.0))])
            level = turning_scale(time[known], turned, r[known], math.inf)
            found = Match(level.share ** 0.5, level.factor) if level.share > LEVELS_AGREE else found
        for ratio, what, other in ((1.0 / DEGREE, 'yaw', 'r: {unit: rad/s}'), (DEGREE, 'r', 'yaw: {unit: rad}')):
            if abs(found.correlation) > AGREES and abs(abs(found.slope) / ratio - 1.0) < RATIO:
                unit = 'deg' if what == 'yaw' else 'deg/s'
                raise InputError(f'{path}: the heading changes {abs(found.slope):.3g} times as fast as the yaw rate '
                                 f'says (correlation {found.correlation:.2f}): {what} is in degrees. Say so in the '
                                 f'column map: {what}: {{unit: {unit}}}; or, if that is what it says, {other}')
    jumps = np.abs(np.abs(steps) - 360.0) < 20.0
    if jumps.any() and np.ptp(yaw[known]) > 300.0:
        raise InputError(f'{path}: the heading goes from {yaw[known].min():.1f} to {yaw[known].max():.1f} and jumps by '
                         f'{np.abs(steps[jumps]).max():.1f}: yaw is in degrees. Say so in the column map: '
                         'yaw: {unit: deg}')


def checked_log(log: Log, fix: bool = False) -> Log:
    """
    Return a log with notes on suspected errors.

    :param fix: Whether to turn round what is turned round: yaw rate, sway, left and right. The note then says so.
    """
    if tuple(name.lower() for name in log.thrusters) in STARBOARD_FIRST:
        log = replace(log, thrusters=log.thrusters[::-1], places=log.places[::-1], **_reversed_thrusters(log))
    slopes = _Slopes(log)
    checks: tuple[Callable[[Log], Findings], ...] = (
        _shape, partial(_yaw_rate, slopes=slopes), partial(_velocities, slopes=slopes), _pace, _wander, _pulse_widths,
        _thruster_sign, partial(_thrusters, slopes=slopes))
    for check in checks:
        for note, fixed in check(log):
            if fix and fixed is not None:
                log = fixed.noted(note._replace(level=INFO, text=f'{note.text} {PUT_RIGHT}'))
            else:
                log = log.noted(note)
    if {'yaw_rate_sign', 'sway_sign'} <= {note.code for note in log.notes}:
        log = log.noted(Note(WARNING, 'mirrored', 'yaw rate and sway both disagree with heading and positions: perhaps '
                             'only the axes of the earth are the other ones (ned called enu)'))
    return log


def _reversed_thrusters(log: Log) -> dict[str, Any]:
    """Return the thrusters' series and the data of their pulses in reversed order."""
    return {**{name: getattr(log, name)[:, ::-1] for name in PER_THRUSTER}, 'neutral': log.neutral[::-1],
            'mirrored': log.mirrored[::-1]}


class _Slopes:
    """The derivatives of heading and places, rad/s and m/s, each computed once; corrections do not change them."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._found: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if not self._found:
            log = self._log
            names = [one for one in ('yaw', 'x', 'y') if log.known(one)]
            self._found = dict(zip(names, at_once(lambda one: derivative(log.time, getattr(log, one), log.max_gap),
                                                  names, len(log))))
        return self._found[name]


def _shape(log: Log) -> Findings:
    """Yield notes on gaps, a boat at rest, and impossible motion."""
    gaps = log.gaps
    lost = sum(end - begin for begin, end in gaps)
    if lost > log.duration - log.recorded_duration + log.max_gap:
        longest = max(end - begin for begin, end in gaps)
        yield Note(WARNING, 'gaps', f'{counted(len(gaps), "gap")} of more than {log.max_gap:g} s, {lost:.1f} s in all, '
                   f'the longest {longest:.1f} s',
                   {'gaps': len(gaps), 'gap_duration_s': lost, 'longest_s': longest}), None
    if len(log) > 1 and not 1e-3 <= log.period <= 10.0:
        yield Note(WARNING, 'period', f'the median time between samples is {log.period:g} s: is the unit of time '
                   'right?', {'period_s': log.period}), None
    if not log.known('u') and not log.known('x'):
        return
    speeds = np.hypot(log.u, np.nan_to_num(log.v))
    speed, turn = _largest(speeds), _largest(log.r)
    if speed < AT_REST_SPEED and turn < AT_REST_TURN:
        yield Note(WARNING, 'at_rest', f'the boat is at rest: it never exceeds {speed:.3f} m/s and {turn:.3f} rad/s; '
                   'nothing about its motion can be learned', {'speed_m_s': speed, 'yaw_rate_rad_s': turn}), None
    if speed > FASTEST or turn > FASTEST_TURN:
        yield Note(WARNING, 'implausible', f'it reaches {speed:.1f} m/s and {turn:.1f} rad/s: are the units right?',
                   {'speed_m_s': speed, 'yaw_rate_rad_s': turn}), None
    elif (wild := np.flatnonzero((speeds > FASTEST) | (np.abs(log.r) > FASTEST_TURN))).size:
        first = float(log.time[wild[0]])
        yield Note(WARNING, 'outliers', f'{wild.size} of {len(log)} samples are faster than {FASTEST:g} m/s or '
                   f'{FASTEST_TURN:g} rad/s, the first {first:.1f} s after the begin: what is computed from them is '
                   'wrong. Take them out of the log', {'samples': int(wild.size), 'first_s': first}), None


def _largest(values: np.ndarray) -> float:
    known = np.abs(values[np.isfinite(values)])
    return float(np.quantile(known, 0.99)) if len(known) else 0.0


def _yaw_rate(log: Log, slopes: '_Slopes') -> Findings:
    """Yield a finding if the yaw rate has the wrong sign."""
    if not log.known('yaw', 'r') or _largest(log.r) < AT_REST_TURN:
        return
    found = match(log.r, slopes['yaw'])
    figures = {'correlation': found.correlation, 'slope': found.slope}
    if found.correlation < -AGREES:
        yield Note(WARNING, 'yaw_rate_sign', 'the yaw rate has the wrong sign, or the heading: correlation '
                   f'{found.correlation:.2f} with the derivative of the heading.', figures), \
            replace(log, r=-log.r, r_dot=-log.r_dot)
        return
    # In a turn of constant rate both hardly vary, and noise alone decides on their correlation: levels are compared.
    level = turning_scale(log.time, log.yaw, log.r, log.max_gap) if not found.correlation >= DISAGREES else None
    if level is not None and level.share > LEVELS_AGREE:
        if level.factor < 0.0:
            yield Note(WARNING, 'yaw_rate_sign', 'the yaw rate has the wrong sign, or the heading, which turns '
                       f'{level.factor:.2f} times as far as the yaw rate says.',
                       {'correlation': found.correlation, 'slope': level.factor}), \
                replace(log, r=-log.r, r_dot=-log.r_dot)
            return
        if abs(level.factor - 1.0) < RATIO:
            return
    if found.correlation < DISAGREES:
        yield Note(WARNING, 'yaw_rate_differs', 'the yaw rate does not follow the heading: correlation '
                   f'{found.correlation:.2f} with its derivative.', figures), None


def _velocities(log: Log, slopes: '_Slopes') -> Findings:
    """Yield findings on velocities whose sign, frame or unit contradicts the positions."""
    if not log.known('x', 'y', 'yaw', 'u') or _largest(log.u) < AT_REST_SPEED:
        return
    if any(note.code in ('velocity_derived', 'surge_from_speed', JOINED) for note in log.notes):
        return
    x, y = slopes['x'], slopes['y']
    c, s = cos(log.yaw), sin(log.yaw)
    (u, v), (ahead, aside) = to_body(x, y, c, s), to_body(y, x, c, s)
    # What surge and sway would be, from the positions' derivatives, m/s, were the log read in another way.
    readings = {
        'as_given': ('as it is given', (u, v)),
        'sway_sign': ('if sway has the other sign', (u, -v)),
        'velocity_world': ('if they are along the axes of the earth, not the body (twist in the world frame)', (x, y)),
        'velocity_world_ned': ('if they are along north and east (twist in the world frame, ned)', (y, x)),
        'mixed_frames': ('if positions and heading are of two conventions, one enu, one ned', (ahead, aside)),
        'yaw_from_north': ('if the heading alone is clockwise from north (ned)', (ahead, -aside)),
    }
    recorded = (log.u, log.v) if log.known('v') else (log.u,)
    scores = dict(zip(readings, at_once(lambda name: explained(zip(recorded, readings[name][1])), readings, len(log))))
    best = max(scores, key=lambda name: scores[name])
    best = best if scores[best] > DISAGREES and 1.0 - scores[best] < BETTER * (1.0 - scores['as_given']) else 'as_given'
    if best != 'sway_sign' and _differ(readings[best][1], (u, v)) < ALIKE:
        best = 'as_given'  # On this course both say the same, and what tells them apart is the heading's noise.
    if best != 'as_given':
        fixed = replace(log, v=-log.v, v_dot=-log.v_dot) if best == 'sway_sign' else None
        yield Note(WARNING, best, 'surge and sway do not follow the positions as given (which explain '
                   f'{100.0 * scores["as_given"]:.1f} % of them), but do so {readings[best][0]} '
                   f'({100.0 * scores[best]:.1f} %).',
                   {'explained_as_given': scores['as_given'], 'explained': scores[best]}), fixed
    surge = match(readings[best][1][0], log.u)
    if best == 'as_given' and surge.correlation < -AGREES:
        yield Note(WARNING, 'surge_sign', 'surge has the wrong sign, or the heading is half a turn off: correlation '
                   f'{surge.correlation:.2f} with the positions\' derivative ahead.',
                   {'correlation': surge.correlation}), None
    pace = surge
    if best in ('as_given', 'sway_sign'):
        sway = np.nan_to_num(log.v) if best == 'as_given' else -np.nan_to_num(log.v)
        made = np.array([log.u * c - sway * s, log.u * s + sway * c])
        pace = ways(log.time, np.array([log.x, log.y]), made, log.max_gap)
    for ratio, unit in UNIT_RATIOS:
        if pace.correlation > AGREES and abs(pace.slope / ratio - 1.0) < RATIO:
            yield Note(WARNING, 'speed_unit', f'the positions change {pace.slope:.3f} times as fast as surge says: '
                       f'is it in {unit} (factor {ratio:.3f})?', {'ratio': pace.slope}), None


def _differ(one: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...]) -> float:
    """Return the root mean square of the difference of two velocities, as a share of that of the second, (-)."""
    apart, size = (float(np.nansum(values ** 2)) for values in (np.array(one) - np.array(other), np.array(other)))
    return math.sqrt(apart / size) if size > 0.0 else 0.0


def _pace(log: Log) -> Findings:
    """Yield a finding if positions change faster or slower than velocities over the stamps say, by up to a fifth."""
    if not log.known('x', 'y', 'yaw', 'u', 'v') or _largest(log.u) < AT_REST_SPEED:
        return
    if any(note.code in NO_PACE for note in log.notes):
        return
    pace = motion_scale(log.time, log.x, log.y, log.yaw, log.u, log.v, log.max_gap)
    off = pace.factor - 1.0
    if not (PACE < abs(off) < RATIO and abs(off) > SURE * pace.std and pace.share > LEVELS_AGREE):
        return
    clock, size = ('fast', 'large') if off < 0.0 else ('slow', 'small')
    turn = turning_scale(log.time, log.yaw, log.r, log.max_gap) if log.known('r') and not any(
        note.code == 'yaw_rate_derived' for note in log.notes) else UNKNOWN
    which, by_clock = '', 2.0 * abs(off)
    if turn.share > LEVELS_AGREE and SURE * turn.std < 0.5 * abs(off):
        told = f'the heading changes {turn.factor:.4f} +- {2.0 * turn.std:.4f} times as fast as the yaw rate says'
        is_clock = abs(turn.factor - pace.factor) < abs(turn.factor - 1.0)
        which = f'; {told}, which points to the {"clock" if is_clock else "velocities"}'
        by_clock = by_clock if is_clock else 0.0
    share = 100.0 * abs(off)
    yield Note(WARNING, 'pace', f'the positions change {pace.factor:.4f} +- {2.0 * pace.std:.4f} times as fast as the '
               f'velocities over the stamps say: the clock runs {share:.1f} % {clock}, and energies may be off by '
               f'{2.0 * share:.1f} %, or the velocities are {share:.1f} % too {size}, which the positions put '
               f'right{which}. Compare the stamps with another clock',
               {'factor': pace.factor, 'std': pace.std, 'heading_factor': turn.factor, 'heading_std': turn.std,
                'off_relative': by_clock}), None


def _wander(log: Log) -> Findings:
    """Yield a finding if places or velocities wander, other than as white noise, so far that the energy may differ."""
    if not log.known('x', 'y', 'yaw', 'u', 'v') or any(note.code in NO_PACE for note in log.notes):
        return
    found = wander(log.time, log.x, log.y, log.yaw, log.u, log.v, log.max_gap)
    if not found.speed > WANDER_SPEED:
        return
    share = found.velocity / found.speed
    off = WANDER_COST * share * (share + 1.0 / math.sqrt(found.windows))
    if off > WANDER_OFF:
        yield Note(WARNING, 'places_wander', 'places and velocities wander from each other by '
                   f'{found.velocity:.2g} m/s over some seconds, which is no noise of single samples: energies may be '
                   f'off by {100.0 * off:.2g} %',
                   {'velocity_m_s': found.velocity, 'off_relative': off}), None


def _pulse_widths(log: Log) -> Findings:
    """Yield a finding if thrusts are pulse widths."""
    known = log.thrust[np.isfinite(log.thrust)]
    if len(known) >= LEAST and PULSE_WIDTHS[0] <= known.min() and known.max() <= PULSE_WIDTHS[1]:
        yield Note(WARNING, 'thrust_is_command', f'the thrust lies between {known.min():.0f} and {known.max():.0f} N '
                   'all the time, as pulse widths in us do: is it a command? (column map: command, unit: us)',
                   {'least_n': float(known.min()), 'largest_n': float(known.max())}), None


def _drive(log: Log) -> tuple[str, np.ndarray, np.ndarray]:
    """Return what drives the boat, thrust or command, and that of port and starboard; NaN where the log has neither."""
    name = 'thrust' if log.known('thrust') else 'command'
    return name, *getattr(log, name).T


def _thruster_sign(log: Log) -> Findings:
    """Yield a finding if one of two thrusters has the wrong sign: then their difference drives the boat ahead."""
    if not _two_fixed(log) or not log.known('r', 'u'):
        return
    name, port, starboard = _drive(log)
    strength = {}
    for key, motion in (('u', log.u), ('r', log.r)):
        for sign in (1.0, -1.0):
            cause = starboard + sign * port
            strength[key, sign] = np.nan_to_num(match(followed(motion, cause, log.period), cause).correlation)
    ahead, turn = strength['u', -1.0], strength['r', 1.0]
    if (abs(ahead) > max(AGREES, 1.5 * abs(strength['u', 1.0]))
            and abs(turn) > max(DISAGREES, 1.5 * abs(strength['r', -1.0]))):
        wrong = 0 if ahead > 0.0 else 1
        yield Note(WARNING, 'one_thruster_sign', f'the {name} of {log.thrusters[wrong]} has the wrong sign (a mirrored '
                   f'servo?): the difference of both drives the boat ahead (correlation {ahead:.2f}), their sum turns '
                   f'it ({turn:.2f}).', {'correlation': float(abs(ahead))}), _with_reversed_sign(log, wrong)


def _two_fixed(log: Log) -> bool:
    """Return whether a log has two fixed thrusters and no rudder, so that sum and difference describe both."""
    return len(log.thrusters) == 2 and not log.foils and not log.known('angle')


def _with_reversed_sign(log: Log, number: int) -> Log | None:
    """Return the log with one thruster's sign reversed; None if a command has no neutral to mirror about."""
    if log.known('command') and not math.isfinite(log.neutral[number]):
        return None
    thrust, command = log.thrust.copy(), log.command.copy()
    thrust[:, number] *= -1.0
    command[:, number] = 2.0 * log.neutral[number] - command[:, number]
    mirrored = tuple(was != (place == number) for place, was in enumerate(log.mirrored))
    return replace(log, thrust=thrust, command=command, mirrored=mirrored)


def _thrusters(log: Log, slopes: '_Slopes') -> Findings:
    """Yield findings on exchanged thrusters and on thrust of the wrong sign, by the boat's motion."""
    if not _two_fixed(log) or not log.known('r'):
        return
    if any(note.code in ('yaw_from_north', 'yaw_rate_differs') for note in log.notes):
        return  # without a reliable heading, port and starboard cannot be distinguished
    name, port, starboard = _drive(log)
    turning, driving = starboard - port, starboard + port
    turn = slopes['yaw'] if log.known('yaw') else log.r
    answer = match(followed(turn, turning, log.period), turning)
    if answer.correlation < -DISAGREES:
        yield Note(WARNING, 'thrusters_swapped', f'left and right are exchanged: more {name} on the {log.thrusters[1]} '
                   f'side turns the boat clockwise (correlation of yaw rate and difference {answer.correlation:.2f}; '
                   'it must be positive), or the axes are others than said (enu, ned).',
                   {'correlation': answer.correlation}), \
            replace(log, **_reversed_thrusters(log))
    ahead = match(followed(log.u, driving, log.period), driving) if log.known('u') else Match(math.nan, math.nan)
    if ahead.correlation < -AGREES and _largest(log.u) > 0.5:
        yield Note(WARNING, 'thrust_sign', f'{name} ahead drives the boat astern (correlation of surge and sum '
                   f'{ahead.correlation:.2f}): is its sign right?', {'correlation': ahead.correlation}), None
