"""Electrical power over speed through water, from steady stretches of logs; and the boat file with that curve."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_remarks import PLANING, speed_of_froude
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.physics.frames import to_earth

BLOCK = 10.0          # s, duration of a block.
SLOWEST = 0.15        # m/s over ground: a slower boat is at rest or drifts.
# Largest change of the speed from the first half of a block to the second: relative, (-), and absolute, m/s.
MOST_CHANGE = 0.06
OR_LESS = 0.03
MOST_TURN = 0.2       # rad, largest angle between the courses of both halves of a block, and within a stretch.
LEAST_SHARE = 0.8     # Least share of a block's samples that must be known.

OPPOSITE = math.radians(100.0)  # Least angle between courses for which a log determines its current.
LEAST_STRETCHES = 4             # Fewest stretches.
LEAST_RATIO = 1.3               # Least ratio of the fastest to the slowest speed.
LEAST_POWER_RATIO = 1.1         # Least ratio of the largest to the smallest power.
CURRENT = 0.5                   # m/s, prior standard deviation of each component of a current.
LEEWAY = 0.15                   # m/s, prior standard deviation of the sway velocity through water.
FLOOR = 0.05                    # Share of the largest power: smaller powers get the weight of this one.
STRONG = 6.0                    # Schwarz's criterion: by how much a form must be better than a simpler one.
TO_SPARE = 6                    # Stretches that there must be beyond the numbers of a form, beside the law.
DRAWS, SEED = 1000, 20261122
ROUGH, LEAST = 0.02, 1e-7       # Relative scatter of the power, which weights the priors: at first, and at least.
ROUNDS = 12                     # Most fits; each uses the scatter of the one before.

KNOTS = 8     # Points of the table in addition to the hotel load.
FORM_KNOTS = 4                  # Of the form with a table, evenly over the speeds.
EXPONENTS, GUESS = (1.0, 5.0), 2.5


class Curve(NamedTuple):
    """
    A form of the curve: the first of its numbers is the hotel load, W.

    `size`: how many numbers it has; `power`: W, of the numbers and speeds through water, m/s; `low`, `high`: bounds of
    the numbers beside the hotel load; `start`: those numbers for the most power, W, at the fastest speed, m/s;
    `formula`: the numbers in words.
    """

    name: str
    size: int
    power: Callable[[np.ndarray, np.ndarray], np.ndarray]
    low: tuple[float, ...]
    high: tuple[float, ...]
    start: Callable[[float, float], tuple[float, ...]]
    formula: Callable[[np.ndarray], str]


def _law(numbers: np.ndarray, speed: np.ndarray) -> np.ndarray:
    return numbers[0] + numbers[1] * speed ** numbers[2]


def _law_words(numbers: np.ndarray) -> str:
    return f'{numbers[0]:.4g} + {numbers[1]:.4g} v^{numbers[2]:.3f} W'


def _law_start(most: float, fastest: float) -> tuple[float, float]:
    return 0.7 * most / fastest ** GUESS, GUESS


LAW = Curve('law', 3, _law, (0.0, EXPONENTS[0]), (np.inf, EXPONENTS[1]), _law_start, _law_words)


def with_waves(speeds: np.ndarray, coefficients: np.ndarray) -> Curve:
    """
    Return the law with the power against a hull's waves in addition.

    :param speeds: Of the wave-making resistance, m/s, rising.
    :param coefficients: The resistance over the square of the speed, N s^2/m^2.
    """
    def power(numbers: np.ndarray, speed: np.ndarray) -> np.ndarray:
        return _law(numbers, speed) + numbers[3] * speed ** 3 * np.interp(speed, speeds, coefficients)

    def start(most: float, fastest: float) -> tuple[float, ...]:
        factor, exponent = _law_start(0.5 * most, fastest)
        at_most = fastest ** 3 * float(np.interp(fastest, speeds, coefficients))
        return factor, exponent, 0.3 * most / max(at_most, 1e-9)

    return Curve('law and waves', 4, power, (*LAW.low, 0.0), (*LAW.high, np.inf), start,
                 lambda numbers: f'{_law_words(numbers)} and {numbers[3]:.3g} times speed and wave-making resistance')


def table(slowest: float, fastest: float) -> Curve:
    """Return the hotel load and the cube of the speed times what goes in straight lines between speeds, m/s."""
    knots = np.linspace(slowest, fastest, FORM_KNOTS)

    def power(numbers: np.ndarray, speed: np.ndarray) -> np.ndarray:
        return numbers[0] + speed ** 3 * np.interp(speed, knots, numbers[1:])

    return Curve('table', FORM_KNOTS + 1, power, (0.0,) * FORM_KNOTS, (np.inf,) * FORM_KNOTS,
                 lambda most, top: (0.7 * most / top ** 3,) * FORM_KNOTS,
                 lambda numbers: f'{numbers[0]:.4g} W and v^3 times ' + ', '.join(
                     f'{value:.4g} at {knot:.2f}' for knot, value in zip(knots, numbers[1:])) + ' m/s')


class Steady(NamedTuple):
    """
    Blocks of steady motion; arrays with one element per block.

    `vx`, `vy`: mean velocity over ground, m/s (ENU). `yaw`: mean heading, rad (NaN if the log has no compass). `power`:
    mean electrical power, W. `log`: index of its log. `stretch`: number of its stretch; a pause or a turn begins a new
    one. `begin`: time of its log, s.
    """

    vx: np.ndarray
    vy: np.ndarray
    yaw: np.ndarray
    power: np.ndarray
    log: np.ndarray
    stretch: np.ndarray
    begin: np.ndarray


def steady_blocks(logs: list[Log]) -> Steady:
    """
    Return the steady blocks of logs.

    :raises InputError: If a log has no electrical power, or no speed; the message names the file and what is missing.
    """
    rows: list[tuple[float, ...]] = []
    stretch = 0
    for place, source in enumerate(logs):
        velocity = _velocity(source)
        _require_watts(source)
        for piece in source.pieces():
            stretch += 1
            last = math.nan
            for at in _blocks(source.time[piece], piece.start):
                block = _steady(source, at, *velocity)
                if block is None:
                    last = math.nan
                    continue
                course = math.atan2(block[1], block[0])
                stretch += not abs(math.remainder(course - last, math.tau)) < MOST_TURN
                last = course
                rows.append((*block, place, stretch, float(source.time[at.start])))
    table = np.array(rows).reshape(-1, 7)
    vx, vy, yaw, power, log, number, begin = table.T
    return Steady(vx, vy, yaw, power, log.astype(int), number.astype(int), begin)


def _require_watts(log: Log) -> None:
    if log.known('electrical_power'):
        return
    dead = next((note.text for note in log.notes if note.code == 'sensor_dead'), None)
    if dead is not None:
        raise InputError(f'{log.path}: {dead}. A curve of watts over speed needs a current sensor that measures')
    log.require('electrical_power')


def _velocity(log: Log) -> tuple[np.ndarray, np.ndarray]:
    """Return the velocity over ground, m/s (ENU): as recorded, or else from the positions."""
    if log.known('u', 'yaw'):
        sway = log.v if log.known('v') else 0.0 * log.u
        vx, vy = to_earth(log.u, sway, np.cos(log.yaw), np.sin(log.yaw))
        return vx, vy
    if log.known('x', 'y') and len(log) > 2:
        return np.gradient(log.x, log.time), np.gradient(log.y, log.time)
    raise InputError(f'{log.path}: has neither a velocity with a heading (u, yaw) nor positions (x, y): no GPS was '
                     'recorded, and nothing says how fast the boat goes')


def _blocks(time: np.ndarray, first: int) -> list[slice]:
    """Return the complete blocks of a piece, as slices of its log."""
    number = int((time[-1] - time[0]) // BLOCK)
    edges = first + np.searchsorted(time, time[0] + BLOCK * np.arange(number + 1))
    return [slice(int(begin), int(end)) for begin, end in pairwise(edges) if end - begin >= 4]


def _steady(log: Log, at: slice, vx: np.ndarray, vy: np.ndarray) -> tuple[float, float, float, float] | None:
    """Return a block's mean velocity, heading and power; None if it is not steady, or not known."""
    x, y, power = vx[at], vy[at], log.electrical_power[at]
    known = np.isfinite(x) & np.isfinite(y) & np.isfinite(power)
    if known.mean() < LEAST_SHARE:
        return None
    half = known.size // 2
    first, second = known.copy(), known.copy()
    first[half:], second[:half] = False, False
    halves = [(float(x[part].mean()), float(y[part].mean())) for part in (first, second)]
    speeds = [math.hypot(*one) for one in halves]
    turn = math.remainder(math.atan2(halves[1][1], halves[1][0]) - math.atan2(halves[0][1], halves[0][0]), math.tau)
    if min(speeds) < SLOWEST or abs(turn) > MOST_TURN or (
            abs(speeds[1] - speeds[0]) > max(MOST_CHANGE * speeds[0], OR_LESS)):
        return None
    yaw = log.yaw[at][known]
    heading = math.nan if not np.isfinite(yaw).any() else float(
        np.arctan2(np.nanmean(np.sin(yaw)), np.nanmean(np.cos(yaw))))
    return float(x[known].mean()), float(y[known].mean()), heading, float(power[known].mean())


class SpeedPowerFit(NamedTuple):
    """
    A curve of power over speed through water.

    `curve`: its form; `numbers`: of the form, shape (curve.size,). `currents`: of each log, m/s (ENU), shape (logs, 2).
    `has_current`: whether the log determines its current; else it is 0. `draws`: of the numbers, shape (draws,
    curve.size). `blocks`: data of the fit, with their `speeds` through water, m/s. `scatter`: relative rms error of the
    power. `names`: of the logs. `left_out`: mean relative error of each log's power by the curve of the others, (-),
    NaN if there are none. `criteria`: Schwarz's criterion of each form that was tried, less that of the best.
    """

    curve: Curve
    numbers: np.ndarray
    currents: np.ndarray
    has_current: np.ndarray
    draws: np.ndarray
    blocks: Steady
    speeds: np.ndarray
    scatter: float
    names: tuple[str, ...]
    left_out: np.ndarray
    criteria: Mapping[str, float] = {}

    @property
    def hotel(self) -> float:
        """Return the hotel load, W."""
        return float(self.numbers[0])

    @property
    def factor(self) -> float:
        """Return the factor of the law, W / (m/s)^exponent; NaN of a table."""
        return math.nan if self.curve.name == 'table' else float(self.numbers[1])

    @property
    def exponent(self) -> float:
        """Return the exponent of the law, (-); NaN of a table."""
        return math.nan if self.curve.name == 'table' else float(self.numbers[2])

    def power(self, speed: np.ndarray) -> np.ndarray:
        """Return the power at speeds through water, m/s, in W."""
        return self.curve.power(self.numbers, np.asarray(speed, dtype=float))

    def band(self, speed: np.ndarray) -> np.ndarray:
        """Return the 95 % interval of the power at speeds, m/s, in W, shape (2, n)."""
        drawn = np.array([self.curve.power(one, np.asarray(speed, dtype=float)) for one in self.draws])
        return np.percentile(drawn, (2.5, 97.5), axis=0)


def speed_power(logs: Sequence[Log], boat: Boat | None = None) -> SpeedPowerFit:
    """
    Return the curve of power over speed that logs determine, of the form that they give evidence for.

    :param boat: Whose file may have the wave-making resistance of the hull, and has its length; None if not known.
    :raises InputError: As `steady_blocks`; if there are too few data; if the boat's hull planes; the message says what
        is there and what is needed.
    """
    blocks = steady_blocks(list(logs))
    where = ', '.join(str(log.path) for log in logs)
    _check(blocks, where)
    has_current = np.array([_has_opposite_courses(_of_log(blocks, number)) for number in range(len(logs))])
    fits = {curve: _fitted(blocks, has_current, where, curve) for curve in _curves(blocks, has_current, boat)}
    criteria = {curve: _criterion(found, blocks, has_current, curve) for curve, (found, _) in fits.items()}
    best = LAW
    for curve in fits:
        if criteria[curve] < criteria[best] - STRONG:
            best = curve
    found, scatter = fits[best]
    draws = _drawn(found, blocks, has_current, scatter, best)
    currents = found[best.size:].reshape(-1, 2)
    speeds = _speeds(currents, blocks)
    if boat is not None:
        _refuse_planing(boat, float(speeds.max()), where)
    least = min(criteria.values())
    return SpeedPowerFit(best, found[:best.size], currents, has_current, draws, blocks, speeds, scatter,
                         tuple(log.name for log in logs), _left_out(blocks, has_current, len(logs), best),
                         {curve.name: value - least for curve, value in criteria.items()})


def _refuse_planing(boat: Boat, fastest: float, where: str) -> None:
    planes = speed_of_froude(boat, PLANING)
    if fastest > planes:
        raise InputError(f'{where}: up to {fastest:.2f} m/s through the water, and above {planes:.2f} m/s (Froude '
                         f'{PLANING:g}) a hull of {boat.hull.length:g} m ({boat.path}) planes; no curve holds on both '
                         'sides of that: give logs of slower motion, or of planing alone without --boat')


def _curves(blocks: Steady, has_current: np.ndarray, boat: Boat | None) -> list[Curve]:
    """Return the forms that there are enough stretches for, the simplest first."""
    speed = np.hypot(blocks.vx, blocks.vy)
    curves = [LAW]
    if boat is not None and boat.vessel.damping.wave is not None:
        wave = boat.vessel.damping.wave
        curves.append(with_waves(np.array(wave.speed), np.array(wave.coefficient)))
    curves.append(table(float(speed.min()), float(speed.max())))
    spare = np.unique(blocks.stretch).size - 2 * int(has_current.sum()) - TO_SPARE
    return [curve for curve in curves if curve is LAW or curve.size <= spare]


def _criterion(found: np.ndarray, blocks: Steady, has_current: np.ndarray, curve: Curve) -> float:
    """
    Return Schwarz's criterion of a fit, with a stretch as one reading.

    Source: Schwarz (1978), Annals of Statistics 6; a difference of 6 is strong evidence by Kass and Raftery (1995).
    """
    rest, count = _of_stretches(_residuals(found, blocks, has_current, curve)[:, None], blocks)
    numbers = curve.size + 2 * int(has_current.sum())
    mean = max(float(np.mean(rest ** 2)), LEAST ** 2)
    return count.size * math.log(mean) + numbers * math.log(count.size)


def _of_log(blocks: Steady, number: int) -> Steady:
    return Steady(*(part[blocks.log == number] for part in blocks))


def _check(blocks: Steady, where: str) -> None:
    stretches = np.unique(blocks.stretch).size
    if stretches < LEAST_STRETCHES:
        raise InputError(f'{where}: {stretches} stretches of steady motion with watts (straight on at one speed for '
                         f'{BLOCK:g} s or more); {LEAST_STRETCHES} at least are needed, at different speeds')
    speed = np.hypot(blocks.vx, blocks.vy)
    if speed.max() < LEAST_RATIO * speed.min():
        raise InputError(f'{where}: all steady speeds are between {speed.min():.2f} and {speed.max():.2f} m/s; the '
                         f'fastest must be {LEAST_RATIO:g} times the slowest at least')
    if not blocks.power.max() > LEAST_POWER_RATIO * max(float(blocks.power.min()), 0.0):
        raise InputError(f'{where}: the power of steady motion is {blocks.power.min():.3g} to {blocks.power.max():.3g} '
                         'W at all speeds; the current sensor does not see the thrusters')


def _has_opposite_courses(blocks: Steady) -> bool:
    """Return whether two courses of a log are nearly opposite."""
    course = np.sort(np.arctan2(blocks.vy, blocks.vx))
    apart = abs((course[:, None] - course + math.pi) % math.tau - math.pi)
    return bool(apart.size and apart.max() > OPPOSITE)


def _speeds(currents: np.ndarray, blocks: Steady) -> np.ndarray:
    cx, cy = currents[blocks.log].T
    return np.hypot(blocks.vx - cx, blocks.vy - cy)


def _weights(blocks: Steady) -> np.ndarray:
    return 1.0 / np.maximum(blocks.power, FLOOR * float(blocks.power.max()))


def _residuals(found: np.ndarray, blocks: Steady, has_current: np.ndarray, curve: Curve = LAW) -> np.ndarray:
    """Return the relative deviation of each block's power from the curve."""
    currents = np.where(has_current[:, None], found[curve.size:].reshape(-1, 2), 0.0)
    power = curve.power(found[:curve.size], _speeds(currents, blocks))
    return (power - blocks.power) * _weights(blocks)


def _priors(found: np.ndarray, blocks: Steady, curve: Curve = LAW) -> np.ndarray:
    """Return the prior residuals: of the size of currents, and of the leeway."""
    currents = found[curve.size:].reshape(-1, 2)
    cx, cy = currents[blocks.log].T
    across = (blocks.vy - cy) * np.cos(blocks.yaw) - (blocks.vx - cx) * np.sin(blocks.yaw)
    count = np.bincount(blocks.log)[blocks.log]
    return np.concatenate((found[curve.size:] / CURRENT, np.nan_to_num(across) / LEEWAY / np.sqrt(count)))


def _all_residuals(found: np.ndarray, blocks: Steady, has_current: np.ndarray, scatter: float,
                   curve: Curve) -> np.ndarray:
    return np.concatenate((_residuals(found, blocks, has_current, curve),
                           scatter * _priors(found, blocks, curve)))


def _fitted(blocks: Steady, has_current: np.ndarray, where: str, curve: Curve) -> tuple[np.ndarray, float]:
    """Return the numbers of the curve with the currents, and the relative scatter."""
    from scipy.optimize import least_squares
    speed, most = np.hypot(blocks.vx, blocks.vy), float(blocks.power.max())
    low = np.array([0.0, *curve.low, *[-3.0] * (2 * has_current.size)])
    high = np.array([most, *curve.high, *[3.0] * (2 * has_current.size)])
    found = np.array([0.3 * float(blocks.power.min()), *curve.start(most, float(speed.max())),
                      *np.zeros(2 * has_current.size)])
    scatter = ROUGH
    for _ in range(ROUNDS):  # The priors are weighted by the scatter, which is known after the first fit.
        found = least_squares(_all_residuals, np.clip(found, low, high), bounds=(low, high), x_scale='jac', xtol=1e-10,
                              ftol=1e-10, gtol=1e-10, args=(blocks, has_current, scatter, curve)).x
        if not np.all(np.isfinite(found)):
            raise InputError(f'{where}: no curve of power over speed fits its steady motion')
        free = max(blocks.power.size - curve.size - 2 * int(has_current.sum()), 1)
        square = float(np.sum(_residuals(found, blocks, has_current, curve) ** 2))
        before, scatter = scatter, max(math.sqrt(square / free), LEAST)
        if abs(scatter - before) < 0.05 * before:
            break
    found[curve.size:] = np.where(np.repeat(has_current, 2), found[curve.size:], 0.0)
    return found, scatter


def _of_stretches(values: np.ndarray, blocks: Steady) -> tuple[np.ndarray, np.ndarray]:
    """Return the means over stretches of values of blocks, (blocks, n), and the numbers of their blocks."""
    _, group, count = np.unique(blocks.stretch, return_inverse=True, return_counts=True)
    return np.array([np.bincount(group, column) for column in values.T]).T / count[:, None], count


def _drawn(found: np.ndarray, blocks: Steady, has_current: np.ndarray, scatter: float,
           curve: Curve = LAW) -> np.ndarray:
    """
    Return random curves within the uncertainty, (draws, curve.size), by the scatter between stretches.

    The blocks of a stretch share unknown errors, so a stretch counts as one reading, its mean. The draws are from the
    multivariate t distribution; its degrees of freedom are the number of stretches minus that of fitted numbers.

    Source: Seber and Wild, Nonlinear Regression (1989), section 5.1, linear approximation.
    """
    free = np.concatenate(([True] * curve.size, np.repeat(has_current, 2)))
    slopes = _jacobian(lambda one: _residuals(one, blocks, has_current, curve), found)
    jacobian, count = _of_stretches(slopes[:, free], blocks)
    rest, _ = _of_stretches(_residuals(found, blocks, has_current, curve)[:, None], blocks)
    degrees = max(count.size - int(free.sum()), 1)
    variance = float(np.sum(rest ** 2)) / degrees
    priors = _jacobian(lambda one: _priors(one, blocks, curve), found)[:, free]
    priors *= scatter / math.sqrt(float(count.mean()))
    normal = jacobian.T @ jacobian + priors.T @ priors
    size = np.sqrt(np.diag(normal))
    inverse = np.linalg.pinv(normal / size[:, None] / size) / size[:, None] / size
    rng = np.random.default_rng(SEED)
    away = rng.multivariate_normal(np.zeros(size.size), variance * inverse, DRAWS, method='svd')
    away /= np.sqrt(rng.chisquare(degrees, DRAWS) / degrees)[:, None]
    return np.maximum(found[:curve.size] + away[:, :curve.size], 0.0)


def _jacobian(of: Callable[[np.ndarray], np.ndarray], found: np.ndarray) -> np.ndarray:
    columns = []
    for number, value in enumerate(found):
        step = 1e-6 * max(abs(value), 0.1)
        ends = [found.copy(), found.copy()]
        ends[0][number], ends[1][number] = value - step, value + step
        low, high = map(of, ends)
        columns.append((high - low) / (2.0 * step))
    return np.column_stack(columns)


def _left_out(blocks: Steady, has_current: np.ndarray, number: int, curve: Curve) -> np.ndarray:
    """Return the relative error of each log's mean power by a fit to the others, (-), with `_speeds_by_pairs`."""
    errors = np.full(number, np.nan)
    for left in range(number if number > 1 else 0):
        others = Steady(*(part[blocks.log != left] for part in blocks))
        own = _of_log(blocks, left)
        try:
            _check(others, '')
            found, _ = _fitted(others, has_current, '', curve)
        except InputError:
            continue
        speeds = _speeds_by_pairs(own, bool(has_current[left]))
        if own.power.size:
            errors[left] = float(curve.power(found[:curve.size], speeds).sum() / own.power.sum() - 1.0)
    return errors


def _speeds_by_pairs(own: Steady, has_current: bool) -> np.ndarray:
    """
    Return a log's speeds through water, m/s, in the current that its courses determine, without a power curve.

    At equal power there and back, the speed through water is the same, so half the velocity difference is the current.
    """
    current = _current_of_pairs(own) if has_current else np.zeros(2)
    return np.hypot(own.vx - current[0], own.vy - current[1])


def _current_of_pairs(own: Steady) -> np.ndarray:
    """Return the mean current, m/s, of all pairs of blocks with opposite courses and similar power."""
    pairs = [(abs(math.log(max(own.power[i], 1e-9) / max(own.power[j], 1e-9))), i, j)
             for i, j in itertools.combinations(range(own.power.size), 2)
             if abs(math.remainder(math.atan2(own.vy[i], own.vx[i]) - math.atan2(own.vy[j], own.vx[j]), math.tau))
             > OPPOSITE]
    alike = [(0.5 * (own.vx[i] + own.vx[j]), 0.5 * (own.vy[i] + own.vy[j])) for apart, i, j in pairs if apart < 0.15]
    return np.array(alike).mean(axis=0) if alike else np.zeros(2)


def table_speeds(result: SpeedPowerFit) -> np.ndarray:
    """Return the speeds through water of the table, m/s: evenly spaced over the measured range."""
    return np.linspace(float(result.speeds.min()), float(result.speeds.max()), KNOTS)


def speed_power_boat(result: SpeedPowerFit, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file.

    :param result: The SpeedPowerFit.
    :param name: Of the boat.
    :param provenance: Date, command and so on, kept with the figures.
    """
    speeds = table_speeds(result)
    rows = [[0.0, float(f'{result.hotel:.6g}')]]
    rows += [[round(float(speed), 4), float(f'{power:.6g}')] for speed, power in zip(speeds, result.power(speeds))]
    over_ground = ', '.join(one for one, has_current in zip(result.names, result.has_current) if not has_current)
    source = (f'usv-energy identify speed-power, {provenance.get("date", "")}: {provenance.get("command", "")}; '
              f'{np.unique(result.blocks.stretch).size} steady stretches of {", ".join(result.names)}; '
              f'{result.curve.formula(result.numbers)}, scatter '
              f'{100.0 * result.scatter:.1f} %; 0 m/s is the curve, not a measurement')
    if over_ground:
        source += f'; over ground, the current unknown: {over_ground}'
    return {'name': name, 'description': 'known by its power over speed through water, from logs',
            'power_curve': rows, 'power_curve_source': source}
