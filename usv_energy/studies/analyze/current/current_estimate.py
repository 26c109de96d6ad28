"""
The water current from a boat's motion, if its thrusts are known: the current that explains the motion.

In every stretch of `BLOCK` seconds the forces of thrusters, wind and water must equal the change of the boat's
momentum. The drag depends on the velocity through the water. So the current is fitted by least squares with a robust
loss over surge, sway and yaw, each weighted by its scatter. The current is constant, or linear between knots. A wind
that nobody says is fitted with it, steady and with a prior: it pushes aside more than ahead, a current the other way
round. An error of the boat's drag looks like a current along its course; on one course alone, the two cannot be
distinguished, nor a wind along it: there the wind is taken as it is said, and all of them are left open.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.logs.log import WARNING, Log, Note
from usv_energy.physics.dynamics import acceleration, damping_force, relative_acceleration
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.frames import to_body
from usv_energy.physics.wind import wind_force
from usv_energy.studies.analyze.analysed_log import AnalysedLog, analysed_log, thrusts_of
from usv_energy.studies.analyze.current.flow_along_log import ALLOCATED, ASSUMED_STILL, AUTO, AnalysisOptions
from usv_energy.studies.analyze.current.unknown_flow import ALONG, FLOWS, OF_DRAG, OpenFlow
from usv_energy.studies.analyze.doubts import drag_off
from usv_energy.studies.analyze.log_interval import BOATS, even_normal, scale_std
from usv_energy.studies.analyze.thrust_mismatch import PROBE
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts
from usv_energy.thrusters.drive import hull_force

BLOCK = 2.0               # s over which a balance is averaged, which reduces the noise of accelerations.
LEAST_BLOCKS = 5
CHANGE = 0.2              # m/s by which a current is expected to change from knot to knot, at most.
USUAL_WIND = 5.0          # m/s: standard deviation, of each component, of a wind that nobody says.
FLOOR = 1e-6              # Of the scatter, N and N m.
ONE_COURSE, ONE_COURSE_NOTE = math.radians(40.0), 'current_one_course'
WINDS = 200               # Drawn, of one that nobody says on one course.
UNSURE = 0.1              # m/s: standard deviation from which an estimate is unreliable.
# Of a current that is looked for unasked: how often the time between knots is halved, and its least, s; share of the
# scatter that more knots must take away; scatter and bias up to which it is believed, shares of the thrusters' surge.
HALVINGS, SHORTEST = 4, 15.0
BETTER, FITS = 0.3, 0.25
MOST_ROWS = 20_000        # Samples, evenly spread, that an estimate is made of.
FIRST_GUESSES = ((0.0, 0.0), (0.3, 0.0), (-0.3, 0.0), (0.0, 0.3), (0.0, -0.3))


class CurrentEstimate(NamedTuple):
    """
    A current along a log: m/s (ENU) at every sample; standard deviations by the scatter, m/s; how it was found.

    `knots`: times, s, between which it is linear (one: steady); `residual`: scatter of the surge force, N; `bias`: its
    median error, N; `surge`: root mean square of what the thrusters give ahead, N; `wind`: m/s (ENU) and its standard
    deviations, where nobody says one and it was found with the current; None where it was known.
    """

    x: np.ndarray
    y: np.ndarray
    std_x: float
    std_y: float
    knots: np.ndarray
    residual: float
    blocks: int
    notes: tuple[Note, ...]
    bias: float
    surge: float
    wind: tuple[float, float, float, float] | None = None

    @property
    def stds(self) -> tuple[float, float]:
        """Standard deviations east and north, m/s: by the scatter, and no less than errors of the drag leave."""
        return max(self.std_x, OF_DRAG), max(self.std_y, OF_DRAG)

    @property
    def is_sure(self) -> bool:
        """Whether it explains the motion, and is good to UNSURE."""
        known = all(note.code == ONE_COURSE_NOTE for note in self.notes)
        return known and max(self.residual, abs(self.bias)) < FITS * self.surge

    @property
    def on_one_course(self) -> bool:
        """Whether the log goes one way, where an error of the drag, and a wind, look like a current."""
        return any(note.code == ONE_COURSE_NOTE for note in self.notes)


class _Balance(NamedTuple):
    """The data of the used samples: motion over ground, its derivative, thrust force, wind (said or not), block."""

    time: np.ndarray
    cos_yaw: np.ndarray
    sin_yaw: np.ndarray
    velocity: tuple[np.ndarray, ...]
    rate: tuple[np.ndarray, ...]
    force: tuple[np.ndarray, ...]
    wind: tuple[np.ndarray, np.ndarray]
    block: np.ndarray
    no_wind: bool = False

    def in_wind(self, wind: np.ndarray) -> '_Balance':
        """Return the data in a steady wind, m/s (ENU), shape (2,); as they are in one of shape (0,)."""
        return self._replace(wind=to_body(wind[0], wind[1], self.cos_yaw, self.sin_yaw)) if wind.size else self


def estimate_current(log: Log, boat: Boat, options: AnalysisOptions, knots_apart: float = math.inf) -> CurrentEstimate:
    """
    Return the current that explains a log's motion.

    :param log: With thrusts of the boat's thrusters, N.
    :param boat: The Boat.
    :param options: How the log is taken: its wind, its filter.
    :param knots_apart: Time between knots, s; infinity: one current for all of it.
    :raises InputError: If the log has no thrusts, or too little of it is whole.
    """
    return _estimate(log, boat, _balance(log, boat, options), knots_apart)


def current_of_thrusts(log: Log, boat: Boat, options: AnalysisOptions) -> CurrentEstimate | None:
    """
    Return the current that explains a log's motion where nobody says one; None where the log does not tell it surely.

    It is steady, unless knots closer together take much of the scatter away: a current that turns with the tide.

    :param log: The Log; without thrusts of the boat's thrusters it tells none.
    :param boat: The Boat.
    :param options: How the log is taken.
    """
    said = options.current is not None or log.known('current_x', 'current_y')
    if said or not options.find_flow or options.actuators != AUTO or options.convention != 'rep103':
        return None
    if thrusts_of(log, boat) is None or not all(log.known(name) for name in ('yaw', 'u', 'v', 'r')):
        return None
    try:
        balance = _balance(log, boat, options)
        best = _estimate(log, boat, balance, math.inf)
    except InputError:
        return None
    for halving in range(HALVINGS):
        apart = log.duration / 2.0 ** halving
        if apart < SHORTEST:
            break
        finer = _estimate(log, boat, balance, 0.999 * apart)
        if finer.residual < (1.0 - BETTER) * best.residual:
            best = finer
    return best if best.is_sure else None


def _estimate(log: Log, boat: Boat, balance: _Balance, knots_apart: float) -> CurrentEstimate:
    from scipy.optimize import least_squares
    blocks = int(balance.block[-1]) + 1 if balance.block.size else 0
    if blocks < LEAST_BLOCKS:
        raise InputError(f'{log.path}: has {blocks} stretches of {BLOCK:g} s with thrust and motion; an estimate of '
                         f'the current needs {LEAST_BLOCKS}')
    balance = balance._replace(no_wind=balance.no_wind and not _spread(_courses(balance)) < ONE_COURSE)
    knots = _knots(log, knots_apart)
    winds = np.zeros(2 if balance.no_wind else 0)

    def residuals(parameters: np.ndarray, scatter: np.ndarray) -> np.ndarray:
        x, y = parameters[:2 * knots.size].reshape(2, knots.size)
        wind = parameters[2 * knots.size:]
        error = _imbalance(balance.in_wind(wind), np.interp(balance.time, knots, x), np.interp(balance.time, knots, y),
                           boat.vessel)
        parts = [_means(values, balance.block, blocks) / spread for values, spread in zip(error, scatter)]
        smooth = [np.diff(values) / CHANGE for values in (x, y)]
        return np.concatenate([*parts, *smooth, wind / USUAL_WIND])

    scatter = np.ones(3)
    start = min((np.append(np.repeat(guess, knots.size), winds) for guess in FIRST_GUESSES),
                key=lambda guess: float(np.sum(residuals(np.asarray(guess, dtype=float), scatter) ** 2)))
    for _ in range(3):
        found = least_squares(residuals, start, args=(scatter,), loss='soft_l1')
        start = found.x
        parts = residuals(start, np.ones(3))[:3 * blocks].reshape(3, blocks)
        scatter = np.maximum(1.4826 * np.median(np.abs(parts - np.median(parts, axis=1, keepdims=True)), axis=1), FLOOR)
    found = least_squares(residuals, start, args=(scatter,), loss='soft_l1')
    parts = residuals(found.x, np.ones(3))[:3 * blocks].reshape(3, blocks)
    x, y = found.x[:2 * knots.size].reshape(2, knots.size)
    std_x, std_y, of_wind_x, of_wind_y = _deviations(found, 3 * blocks, knots.size)
    wind = (float(found.x[-2]), float(found.x[-1]), of_wind_x, of_wind_y) if balance.no_wind else None
    return CurrentEstimate(np.interp(log.time, knots, x), np.interp(log.time, knots, y), std_x, std_y, knots,
                           float(scatter[0]), blocks, _notes(log, balance, (std_x, std_y)),
                           float(np.median(parts[0])), float(np.sqrt(np.mean(balance.force[0] ** 2))), wind)


def open_beside(estimate: CurrentEstimate, analysed: AnalysedLog) -> OpenFlow:
    """
    Return what is left open beside a current that was estimated from thrusts.

    On one course that is, along it, what the drag and the scale of the thrusts may be off, and a wind that nobody says;
    the scale moves the energy itself, too, and both together more than as squares.

    :param estimate: The current.
    :param analysed: The log in it.
    """
    wind = (0.0, 0.0) if estimate.wind is None else estimate.wind[2:]
    legs = not estimate.on_one_course
    stds = estimate.stds if legs else (estimate.std_x, estimate.std_y)
    covariance = np.diag(np.array([*stds, *wind]) ** 2)
    left = OpenFlow(np.zeros(FLOWS), covariance, np.zeros((1, FLOWS)), leg_by_leg=legs and estimate.knots.size > 1)
    if legs:
        return left
    vessel, u_r = analysed.boat.vessel, analysed.power.u_r
    rows = np.flatnonzero(np.isfinite(u_r))[::max(int(np.isfinite(u_r).sum()) // WINDS, 1)]
    speed, motion = u_r[rows], analysed.motion
    drag, faster = (_drag_ahead(speed + more, vessel) for more in (0.0, PROBE))
    slope, scale = (faster - drag) / PROBE, np.nan_to_num(scale_std(analysed))
    by_scale = scale * abs(drag) / slope
    offset, variance = 0.0, (_drag_off(analysed.boat, speed, drag) * drag / slope) ** 2 \
        + by_scale * (by_scale + 2.0 * scale * abs(speed))
    c, s = np.cos(motion.yaw[rows]), np.sin(motion.yaw[rows])
    if analysed.flow_sources['wind'] == ASSUMED_STILL:
        winds = [np.zeros(2), *ALONG[2] * even_normal(WINDS, 2)]
        still, *pushes = (wind_force(east * c + north * s - motion.u[rows], north * c - east * s - motion.v[rows],
                                     vessel.windage)[0] for east, north in winds)
        changes = [float(np.mean((still - push) / slope)) for push in pushes]
        offset, variance = float(np.mean(changes)), variance + float(np.var(changes))
    along = np.array([c.mean(), s.mean()]) / math.hypot(c.mean(), s.mean())
    covariance[:2, :2] += OF_DRAG ** 2 * np.eye(2) + (float(np.mean(variance)) - OF_DRAG ** 2) * np.outer(along, along)
    return left._replace(mean=np.array([*(offset * along), 0.0, 0.0]))


def _drag_ahead(speed: np.ndarray, vessel: Vessel) -> np.ndarray:
    return damping_force(speed, 0.0 * speed, 0.0 * speed, vessel.damping)[0]


def _drag_off(boat: Boat, speed: np.ndarray, drag: np.ndarray) -> np.ndarray:
    """Return how well a boat's drag ahead is known at speeds, m/s, standard deviation as a share of it, (-)."""
    doubts = [doubt for doubt in read_doubts(boat) if doubt.name.startswith('damping')]
    drawn = [_drag_ahead(speed, one.vessel) for one in drawn_boats(boat, doubts, BOATS)] if doubts else [drag]
    stated = float(np.std([one.mean() for one in drawn])) / max(abs(float(drag.mean())), FLOOR)
    return np.broadcast_to(stated, speed.shape) if stated > 0.0 else 0.5 * drag_off(speed)


def _balance(log: Log, boat: Boat, options: AnalysisOptions) -> _Balance:
    thrust = thrusts_of(log, boat)
    if thrust is None:
        raise InputError(f'{log.path}: has no thrust (N) of {len(boat.thruster_names)} thrusters '
                         f'({", ".join(boat.thruster_names)}); without it the current cannot be estimated')
    analysed = analysed_log(log, boat, options._replace(find_flow=False, actuators=ALLOCATED))
    motion, flow = analysed.motion, analysed.flow
    c, s = cos(motion.yaw), sin(motion.yaw)
    force = hull_force(thrust.T, boat.vessel.thrusters)
    rows = np.flatnonzero(np.isfinite(c + motion.u + motion.v + motion.r + motion.u_dot + motion.v_dot + motion.r_dot
                                      + force[0] + force[2] + flow.wind_x + flow.wind_y))
    rows = rows[::max(rows.size // MOST_ROWS, 1)]
    label = np.floor(log.time[rows] / BLOCK).astype(int)
    block = np.unique(label, return_inverse=True)[1] if rows.size else label
    wind = to_body(flow.wind_x, flow.wind_y, c, s)
    return _Balance(log.time[rows], c[rows], s[rows], tuple(values[rows] for values in (motion.u, motion.v, motion.r)),
                    tuple(values[rows] for values in (motion.u_dot, motion.v_dot, motion.r_dot)),
                    tuple(np.broadcast_to(values, c.shape)[rows] for values in force),
                    (wind[0][rows], wind[1][rows]), block, analysed.flow_sources['wind'] == ASSUMED_STILL)


def _imbalance(balance: _Balance, current_x: np.ndarray, current_y: np.ndarray, vessel: Vessel) -> list[np.ndarray]:
    """Return model less motion: mass times the difference of the accelerations, surge N, sway N, yaw N m."""
    u, v, r = balance.velocity
    current = to_body(current_x, current_y, balance.cos_yaw, balance.sin_yaw)
    observed = (*relative_acceleration(balance.rate[:2], current, r), balance.rate[2])
    air = wind_force(balance.wind[0] - u, balance.wind[1] - v, vessel.windage)
    force = tuple(thrust + wind for thrust, wind in zip(balance.force, air))
    expected = acceleration(u - current[0], v - current[1], r, force, vessel)
    masses = (vessel.inertia.m11, vessel.inertia.m22, vessel.inertia.m33)
    return [mass * (model - seen) for mass, model, seen in zip(masses, expected, observed)]


def _means(values: np.ndarray, block: np.ndarray, blocks: int) -> np.ndarray:
    return np.bincount(block, values, blocks) / np.bincount(block, minlength=blocks)


def _knots(log: Log, apart: float) -> np.ndarray:
    if log.duration <= apart:
        return np.zeros(1)
    return np.linspace(0.0, log.duration, max(2, round(log.duration / apart) + 1))


def _deviations(found: Any, rows: int, knots: int) -> tuple[float, float, float, float]:
    """
    Return standard deviations, m/s, from the Jacobian at the solution of least_squares.

    Of the current east and north, each the mean over the knots, and of the wind; 0 of one that is known.
    """
    spare = max(1, rows - found.x.size)
    covariance = np.linalg.pinv(found.jac.T @ found.jac) * 2.0 * found.cost / spare
    variances = np.diag(covariance)
    current = variances[:2 * knots].reshape(2, knots).mean(axis=1)
    wind = variances[2 * knots:] if variances.size > 2 * knots else np.zeros(2)
    x, y, wind_x, wind_y = np.sqrt(np.append(current, wind)).tolist()
    return x, y, wind_x, wind_y


def _notes(log: Log, balance: _Balance, std: tuple[float, float]) -> tuple[Note, ...]:
    notes = []
    if (spread := _spread(_courses(balance))) < ONE_COURSE:
        notes.append(Note(WARNING, ONE_COURSE_NOTE, 'the current is estimated on one course (it turns by '
                          f'{math.degrees(spread):.0f} deg): an error of the boat\'s drag would look the same',
                          {'course_spread_deg': math.degrees(spread)}))
    if max(std) > UNSURE:
        notes.append(Note(WARNING, 'current_unsure', f'the estimated current is good to {std[0]:.2f} m/s east, '
                          f'{std[1]:.2f} m/s north only', {'std_x_m_s': std[0], 'std_y_m_s': std[1]}))
    return tuple(notes)


def _courses(balance: _Balance) -> np.ndarray:
    """Return the courses over ground, rad."""
    u, v, _ = balance.velocity
    return np.arctan2(balance.sin_yaw, balance.cos_yaw) + np.arctan2(v, u)


def _spread(angle: np.ndarray) -> float:
    """Return the spread of angles, rad: from the 10th to the 90th percentile about their mean direction."""
    middle = math.atan2(float(np.sin(angle).mean()), float(np.cos(angle).mean()))
    apart = np.arctan2(np.sin(angle - middle), np.cos(angle - middle))
    low, high = np.percentile(apart, (10.0, 90.0))
    return float(high - low)
