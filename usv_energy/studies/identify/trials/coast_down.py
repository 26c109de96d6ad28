"""Surge drag from glides without thrust, and mass if the payload is varied; and the boat file with them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.sname import with_sname
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.physics.frames import to_body
from usv_energy.studies.identify.bounded_interval import interval_above

NO_THRUST = 0.02      # Share of the log's largest thrust, (-), below which there is no thrust.
NO_PULSE = 25.0       # us from neutral within which a pulse gives no thrust, if the boat file has no curve.
SETTLING = 5.0        # Thruster lags after which no thrust remains.
SHORTEST = 3.0        # s
LEAST_FALL = 0.3      # Share of the initial speed, (-), that a glide must lose.
REST = 0.05           # Share of the initial speed, (-), at which a glide ends.
SLOWEST = 0.02        # m/s, speed at which a glide ends.
LEAST_START = 0.2     # Share of the log's largest speed, (-): a slower start is a drift.
MOST_TURN = 0.5       # rad: largest turn of a glide.
LEAST_SAMPLES = 8

FORMS = {'both': (True, True), 'linear': (True, False), 'quadratic': (False, True)}
LIGHTEST = 1e-6       # kg
MOST_LIKE = 0.98  # Largest correlation of neighbouring residuals, (-); a larger one is clipped.

DIGITS = 6


class Glide(NamedTuple):
    """
    A glide.

    `log`: its name. `begin`: time of the log, s. `time`: since the beginning, s, and `speed`: ahead through the water,
    m/s, shape (n,). `extra`: mass on board in addition to that of the boat's file, kg.
    """

    log: str
    begin: float
    time: np.ndarray
    speed: np.ndarray
    extra: float


def glides_of(log: Log, boat: Boat, extra: float = 0.0, span: tuple[float, float] | None = None) -> list[Glide]:
    """
    Return the glides of a log, in order.

    :param log: With u, and thrusts or commands; without these `span` is required. A recorded current is subtracted.
    :param boat: The boat, for the lag and the pulse curves of its thrusters.
    :param extra: Mass on board in this log in addition to that of the boat's file, kg.
    :param span: Begin and end, s, to search in; without thrusts and commands all of it counts as gliding.
    :raises InputError: If the log lacks something.
    """
    log.require('u')
    idle = _idle(log, boat, span)
    if span is not None:
        idle &= (log.time >= span[0]) & (log.time <= span[1])
    speed = _through_water(log)
    wait = SETTLING * max((thruster.lag for thruster in boat.vessel.thrusters), default=0.0)
    found = []
    for piece in log.pieces():
        edges = np.flatnonzero(np.diff(np.concatenate([[0], idle[piece].astype(int), [0]])))
        for begin, end in zip(edges[::2] + (piece.start or 0), edges[1::2] + (piece.start or 0)):
            first = int(np.searchsorted(log.time, log.time[begin] + wait)) if wait else int(begin)
            glide = _glide(log, speed, slice(first, int(end)), extra)
            if glide is not None and glide.speed[0] >= LEAST_START * np.nanmax(np.abs(speed)):
                found.append(glide)
    return found


def _idle(log: Log, boat: Boat, span: tuple[float, float] | None) -> np.ndarray:
    """Return the samples without a thrust command, (n,)."""
    if log.known('thrust'):
        largest = float(np.nanmax(np.abs(log.thrust)))
        return np.asarray(np.all(np.abs(log.thrust) <= NO_THRUST * largest, axis=1))
    if log.known('command'):
        bands = _bands(log, boat)
        return np.asarray(np.all((log.command >= bands[:, 0]) & (log.command <= bands[:, 1]), axis=1))
    if span is None:
        raise InputError(f'{log.path}: has neither thrusts nor commands, so nothing says when the boat glides: say it '
                         'by --from and --to, s')
    return np.ones(len(log), dtype=bool)


def _bands(log: Log, boat: Boat) -> np.ndarray:
    """Return the shortest and the longest pulse of each thruster that give no thrust, us, (thrusters, 2)."""
    curves = dict(zip(boat.thruster_names, boat.pulse_curves))
    bands = []
    for name, neutral in zip(log.thrusters, log.neutral):
        if (curve := curves.get(name)) is not None:
            bands.append(curve.dead_band)
        elif np.isfinite(neutral):
            bands.append((neutral - NO_PULSE, neutral + NO_PULSE))
        else:
            raise InputError(f'{log.path}: the neutral command of {name} is not known, and the boat {boat.name} does '
                             'not say what a pulse gives (pwm)')
    return np.array(bands)


def _through_water(log: Log) -> np.ndarray:
    if not log.known('current_x', 'yaw'):
        return log.u
    ahead, _ = to_body(np.nan_to_num(log.current_x), np.nan_to_num(log.current_y), np.cos(log.yaw), np.sin(log.yaw))
    return np.asarray(log.u - ahead)


def _glide(log: Log, speed: np.ndarray, rows: slice, extra: float) -> Glide | None:
    """Return the glide at the beginning of some samples; None if there is none."""
    time, v = log.time[rows], speed[rows]
    if len(time) < LEAST_SAMPLES or not np.isfinite(v).all():
        return None
    start = float(np.median(v[:3]))
    slow = np.flatnonzero(v < max(REST * start, SLOWEST))
    end = int(slow[0]) if len(slow) else len(time)
    time, v = time[:end], v[:end]
    if len(time) < LEAST_SAMPLES or time[-1] - time[0] < SHORTEST or not start > SLOWEST:
        return None
    if np.median(v[-3:]) > (1.0 - LEAST_FALL) * start:
        return None
    yaw = log.yaw[rows][:end]
    if np.isfinite(yaw).all() and np.ptp(yaw) > MOST_TURN:
        return None
    return Glide(log.name, float(time[0]), time - time[0], v, extra)


class TrialEstimate(NamedTuple):
    """A fitted number: its value, standard error and 95 % interval; a given number has no error."""

    value: float
    error: float
    low: float
    high: float


class CoastDown(NamedTuple):
    """
    Drag and mass from glides.

    `linear`, N s/m, and `quadratic`, N s^2/m^2: the whole surge drag. `air`: the part of `quadratic` from the hull
    above water in still air, by the boat's file. `mass`: mass and added mass in surge, kg, without the `extra` mass of
    the glides. `mass_found`: whether it was fitted. `starts`: initial speed of each glide, m/s. `rms`: of the
    residuals, m/s. `correlation`: of neighbouring residuals, (-), which widens the intervals. `covariance`: of (linear,
    quadratic).
    """

    glides: tuple[Glide, ...]
    linear: TrialEstimate
    quadratic: TrialEstimate
    air: float
    mass: TrialEstimate
    mass_found: bool
    starts: tuple[float, ...]
    rms: float
    correlation: float
    covariance: np.ndarray
    quantile: float

    def drag(self, speed: float) -> TrialEstimate:
        """Return the drag at a speed, N, with its error by the covariance of its two parts."""
        row = np.array([speed, speed * speed])
        value = float(row @ (self.linear.value, self.quadratic.value))
        return _estimate(value, float(row @ self.covariance @ row) ** 0.5, self.quantile)


def gliding_speed(time: Any, start: float, linear: float, quadratic: float) -> Any:
    """
    Return the speed of a boat that glides, m/s.

    With a = d / m and b = q / m it is v0 exp(-a t) / (1 + b v0 (1 - exp(-a t)) / a).

    :param time: Since the beginning, s; float or array.
    :param start: Speed there, v0, m/s.
    :param linear: d / m, 1/s, at least 0.
    :param quadratic: q / m, 1/m, at least 0.

    Source: Bernoulli's differential equation m dv/dt = -d v - q v^2.
    """
    way = -np.expm1(-linear * time) / linear if linear > 0.0 else time
    return start * np.exp(-linear * time) / (1.0 + quadratic * start * way)


def coast_down(glides: Sequence[Glide], boat: Boat, form: str = 'both') -> CoastDown:
    """
    Return the drag from glides, and the mass if their payloads differ.

    :param glides: Of one boat; some may have an extra mass on board.
    :param boat: The boat, for its windage, and for its mass and added mass in surge if all glides have the same mass.
    :param form: Of the drag: both, linear or quadratic.
    :raises InputError: If there is no glide, or too few samples.
    """
    if not glides:
        raise InputError('no glide was found: it needs a stretch without thrust in which the boat, straight ahead, '
                         'loses a third of its speed')
    extras = np.array([glide.extra for glide in glides])
    free = len(set(extras.tolist())) > 1
    has = np.array([*FORMS[form], free])
    given = np.array([0.0, 0.0, boat.vessel.inertia.m11])
    counts = [len(glide.time) for glide in glides]
    unknowns = int(has.sum()) + len(glides)
    if sum(counts) <= unknowns:
        raise InputError(f'{sum(counts)} samples of glides are too few for {unknowns} unknowns')
    guess = np.array([*_first_guess(glides, boat), given[2]])[has]
    first = np.concatenate([guess, [float(glide.speed[0]) for glide in glides]])

    def residuals(unknown: np.ndarray) -> np.ndarray:
        d, q, mass = _numbers(unknown, has, given)
        return np.concatenate([
            gliding_speed(glide.time, start, d / (mass + glide.extra), q / (mass + glide.extra)) - glide.speed
            for glide, start in zip(glides, unknown[int(has.sum()):])])

    least = np.array([0.0, 0.0, LIGHTEST])[has]
    low = np.concatenate([least, np.full(len(glides), -np.inf)])
    fit = least_squares(residuals, np.maximum(first, low), bounds=(low, np.inf), jac='3-point',
                        x_scale=np.maximum(np.abs(first), 1e-3), xtol=1e-12, ftol=1e-12, gtol=1e-12)
    return _result(tuple(glides), boat, fit, has, given)


def _numbers(unknown: np.ndarray, has: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Return d, q and the mass, fitted or given."""
    numbers = given.copy()
    numbers[has] = unknown[:int(has.sum())]
    return numbers


def _first_guess(glides: Sequence[Glide], boat: Boat) -> tuple[float, float]:
    """Return initial values of d and q, each with half of the drag, from the glides' decay times."""
    rates = [np.log(max(float(glide.speed[0]), 1e-3) / max(float(glide.speed[-1]), 1e-3)) / glide.time[-1]
             for glide in glides]
    drag = 0.5 * boat.vessel.inertia.m11 * max(float(np.median(rates)), 1e-3)
    return drag, drag / max(float(np.median([glide.speed[0] for glide in glides])), 1e-3)


def _result(glides: tuple[Glide, ...], boat: Boat, fit: Any, has: np.ndarray, given: np.ndarray) -> CoastDown:
    count = int(has.sum())
    spare = len(fit.fun) - len(fit.x)
    ends = np.cumsum([len(glide.time) for glide in glides])[:-1]
    correlation = _autocorrelation(np.split(fit.fun, ends), len(fit.x))
    variance = float(fit.fun @ fit.fun) / spare * (1.0 + correlation) / (1.0 - correlation)
    covariance = np.zeros((3, 3))
    covariance[np.ix_(has, has)] = (np.linalg.pinv(fit.jac.T @ fit.jac) * variance)[:count, :count]
    quantile = float(student.ppf(0.975, max(spare * (1.0 - correlation) / (1.0 + correlation), 1.0)))
    d, q, mass = (_estimate(float(value), float(spread) ** 0.5, quantile)
                  for value, spread in zip(_numbers(fit.x, has, given), np.diag(covariance)))
    windage = boat.vessel.windage
    return CoastDown(glides, d, q, 0.5 * windage.air_density * windage.frontal_area * windage.c_x, mass, bool(has[2]),
                     tuple(map(float, fit.x[count:])), float(np.sqrt(np.mean(fit.fun ** 2))), correlation,
                     covariance[:2, :2], quantile)


def _estimate(value: float, error: float, quantile: float) -> TrialEstimate:
    return TrialEstimate(value, error, *interval_above(0.0, value, quantile * error))


def _autocorrelation(parts: Sequence[np.ndarray], unknowns: int) -> float:
    """
    Return the correlation of neighbouring residuals of all glides, clipped to 0 ... MOST_LIKE, (-).

    A fit reduces the correlation of its residuals; the result is corrected for that after Kendall (1954), per unknown.
    """
    both = sum(float(part[1:] @ part[:-1]) for part in parts)
    square = sum(float(part @ part) for part in parts)
    like = both / square if square > 0.0 else 0.0
    return float(np.clip(like + unknowns * (1.0 + 3.0 * like) / sum(map(len, parts)), 0.0, MOST_LIKE))


def coast_down_boat(result: CoastDown, boat: Boat, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file: the base boat with the numbers found from glides.

    The drag of the hull above water is subtracted from the quadratic drag, and the payload of the base from the mass,
    since the file states both separately.

    :param result: The CoastDown.
    :param boat: The base.
    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the figures.
    """
    count = len(result.glides)
    source = f'usv-energy identify coast-down, {count} glide{"s" if count > 1 else ""}: see identification'
    document = with_sname(checked.read_with_base('boats', boat.path), boat.path)
    damping = document.get('damping', {})
    found: dict[str, Any] = {
        'linear': {**damping.get('linear', {}), 'd11': _sourced(result.linear, 'N s/m', source)},
        'quadratic': {**damping.get('quadratic', {}), 'd11': _sourced(
            _minus(result.quadratic, result.air), 'N s^2/m^2', f'{source}; without {result.air:.3g} of the air')}}
    changes: dict[str, Any] = {
        'name': name, 'description': f'{boat.name} with the surge drag of {count} glides',
        'damping': {**damping, **found},
        'identification': {**document.get('identification', {}), 'coast_down': {
            **provenance, 'logs': sorted({glide.log for glide in result.glides}), 'rms_m_s': _rounded(result.rms)}}}
    hull = document.get('hull', {})
    if checked.values_of(hull).get('payload', 0.0) != boat.hull.payload:
        changes['hull'] = {**hull, 'payload': boat.hull.payload}
    if result.mass_found:
        mass = _minus(result.mass, boat.hull.payload)
        changes['inertia'] = {**document['inertia'], 'm11': _sourced(mass, 'kg', source)}
    return document | changes


def _minus(estimate: TrialEstimate, part: float) -> TrialEstimate:
    """Return an estimate minus a known part of it, at least 0."""
    value, low, high = (max(number - part, 0.0) for number in (estimate.value, estimate.low, estimate.high))
    return TrialEstimate(value, estimate.error, low, high)


def _sourced(estimate: TrialEstimate, unit: str, source: str) -> dict[str, Any]:
    if not estimate.error:
        return {'value': _rounded(estimate.value), 'unit': unit, 'source': source}
    return {'value': _rounded(estimate.value), 'unit': unit, 'source': source, 'std': _rounded(estimate.error, 3),
            'interval': [_rounded(estimate.low), _rounded(estimate.high)]}


def _rounded(value: float, digits: int = DIGITS) -> float:
    return float(f'{value:.{digits}g}') + 0.0
