"""
Steady states: the phases of a log with constant thrusts and velocities, and the damping that follows from them.

A window is steady if the slope of each velocity is within a tolerance that allows for noise, and no thrust changes.
Adjacent windows form a phase. The means of a phase balance the forces of (4.17) with nu_r_dot = 0:

    (a) straight ahead      d11 = (F + X_wind) / u
    (b) turning and ahead   d22 = (Y + Y_wind - m11 u r) / v
    (c) turning on the spot d33 = (N + N_wind + (m11 - m22) u v) / r

These are the thesis's (5.4), (5.5) and (5.6) without wind, without a side force Y of rudders or azimuth thrusters and,
in (c), without speed. Forces are those of all actuators, including rudders, at the motion of each sample.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.numbers import BOAT_NUMBERS
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import without_nan
from usv_energy.logs.log import Log
from usv_energy.logs.thruster_readings import with_thrust_of_pulses
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.frames import to_body
from usv_energy.physics.motion import Relative
from usv_energy.physics.wind import wind_force
from usv_energy.powering.actuators import Setting, drive_of_setting
from usv_energy.show.figure import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, Panel, Panels, numbered
from usv_energy.show.text_table import shortened, text_table
from usv_energy.sim.record import Summary
from usv_energy.sim.runner import damping_power
from usv_energy.studies.identify.rollout.fit_parameters import pushes_ahead_only
from usv_energy.studies.identify.rollout.tracks import recorded_angles
from usv_energy.thrusters.drive import hull_force, limited_command

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WINDOW = 5.0  # s
# Largest change of a velocity over a window: relative, (-), and absolute, m/s and rad/s.
RELATIVE, ABSOLUTE = 0.01, {'u': 0.01, 'v': 0.005, 'r': 0.005}
STANDARD_ERRORS = 2.0  # Standard errors of the slope that are allowed in addition, for noise.
THRUST_CHANGE = 0.02  # Largest change of a thrust, over the largest thrust, (-).
ANGLE_CHANGE = 0.01  # rad, largest change of a rudder or thruster angle from sample to sample.
# Straight run: largest (sway + yaw rate) / surge, (-). Turning on the spot: largest surge / yaw rate, m.
STRAIGHT, SPOT = 0.05, 0.1
REST = {'u': 0.05, 'r': 0.02}  # m/s, rad/s: slower is at rest.
TURN = {'r': 0.03, 'v': 0.01}  # rad/s, m/s: least values for an estimate of d22.
BATCHES = 5


class Mean(NamedTuple):
    """A mean over a phase, and its standard error from the scatter of the means of five parts."""

    value: float
    error: float


NO_FORCE = Mean(0.0, 0.0)


@dataclass(frozen=True)
class SteadyPhase:
    """
    A steady phase of a log.

    `begin`, `end`: s. `u`, `v`, `r`: mean velocity through the water, m/s, m/s, rad/s. Mean forces of the actuators and
    of the wind: surge N, sway N, yaw moment N m.
    """

    log: str
    begin: float
    end: float
    u: Mean
    v: Mean
    r: Mean
    surge_force: Mean
    yaw_moment: Mean
    wind_surge: float
    wind_sway: float
    wind_yaw: float
    sway_force: Mean = NO_FORCE

    @property
    def kind(self) -> str:
        """The coefficient that it determines: a (d11), b (d22), c (d33), or '' (none)."""
        u, v, r = (abs(mean.value) for mean in (self.u, self.v, self.r))
        if r > REST['r'] and u < SPOT * r:
            return 'c'
        if u > REST['u'] and v + r < STRAIGHT * u:
            return 'a'
        return 'b' if u > REST['u'] and r > TURN['r'] and v > TURN['v'] else ''


class DampingEstimate(NamedTuple):
    """A damping coefficient from one phase: its name, value and standard error (N s/m; d33: N m s/rad), the phase."""

    name: str
    value: float
    error: float
    phase: SteadyPhase


def steady_phases(log: Log, boat: Boat, window: float = WINDOW) -> list[SteadyPhase]:
    """
    Return the steady phases of a log, in order.

    :param log: The Log: yaw, u, v, r, actuator angles, and thrusts, or pulses if the boat has their curves. A current
        or wind that was not recorded is taken as none.
    :param boat: The boat of the log: its actuators and windage.
    :param window: Length of the shortest phase, s.
    :raises InputError: If the log lacks them, or its thrusters are not the boat's.
    """
    log = with_thrust_of_pulses(log, boat)
    log.require('u', 'r', 'thrust')
    if len(log.thrusters) != len(boat.vessel.thrusters):
        raise InputError(f'{log.path}: has the thrusters {", ".join(log.thrusters) or "none"}; the boat {boat.name} '
                         f'has {", ".join(boat.thruster_names)}')
    motion = _through_water(log)
    thrust = np.column_stack([limited_command(column, thruster)
                              for column, thruster in zip(log.thrust.T, boat.vessel.thrusters)])
    angles = recorded_angles(log, boat, np.arange(len(log.thrusters)))
    forces = _actuator_forces(log, motion, thrust, angles, boat.vessel)
    phases = []
    for piece in log.pieces():
        steady = _steady(log.time[piece], motion[:, piece], thrust[piece], window) & _has_constant_angles(angles[piece])
        edges = np.flatnonzero(np.diff(np.concatenate([[0], steady.astype(int), [0]])))
        for begin, end in zip(edges[::2] + (piece.start or 0), edges[1::2] + (piece.start or 0)):
            if log.time[end - 1] - log.time[begin] >= 0.98 * window:
                phases.append(_phase(log, slice(int(begin), int(end)), motion, forces, boat.vessel))
    return phases


def _through_water(log: Log) -> np.ndarray:
    """Return u_r, v_r, r, shape (3, n)."""
    current = to_body(np.nan_to_num(log.current_x), np.nan_to_num(log.current_y), cos(log.yaw), sin(log.yaw))
    known = log.known('current_x') and bool(np.any(np.hypot(log.current_x, log.current_y) > 0.0))
    u, v = (log.u - current[0], log.v - current[1]) if known else (log.u, log.v)
    return np.stack([u, np.nan_to_num(v), log.r])


def _actuator_forces(log: Log, motion: np.ndarray, thrust: np.ndarray, angles: np.ndarray,
                     vessel: Vessel) -> np.ndarray:
    """Return the force of all actuators at the motion of each sample: surge N, sway N, yaw moment N m, (3, n)."""
    if pushes_ahead_only(vessel):
        return np.stack(hull_force(thrust.T, vessel.thrusters))
    c, s = cos(log.yaw), sin(log.yaw)
    wind = to_body(np.nan_to_num(log.wind_x), np.nan_to_num(log.wind_y), c, s)
    u_r, v_r, r = motion
    at = Relative(u_r, v_r, r, wind[0] - log.u, wind[1] - np.nan_to_num(log.v))
    turning = iter(angles.T)
    setting = Setting(tuple(thrust.T), *(tuple(None if part is None else next(turning) for part in parts) for parts in (
        [thruster.azimuth for thruster in vessel.thrusters], [foil.steer for foil in vessel.foils])))
    return np.stack(np.broadcast_arrays(*drive_of_setting(at, setting, vessel)[:3]))


def _has_constant_angles(angles: np.ndarray) -> np.ndarray:
    """Return whether the angles at each sample equal those before and after it, within ANGLE_CHANGE, shape (n,)."""
    change = np.abs(np.diff(angles, axis=0, prepend=angles[:1], append=angles[-1:]))
    moved = np.asarray((change > ANGLE_CHANGE).any(axis=1))
    return np.asarray(~(moved[1:] | moved[:-1]))


def _steady(time: np.ndarray, motion: np.ndarray, thrust: np.ndarray, window: float) -> np.ndarray:
    """Return which samples lie in a steady window, shape (n,)."""
    n = len(time)
    marked = np.zeros(n, dtype=bool)
    if n < 3:
        return marked
    count = max(3, round(window / float(np.median(np.diff(time)))) + 1)
    stride = max(1, count // 10)
    largest = max(float(np.nanmax(np.abs(thrust), initial=0.0)), 1e-9)
    for begin in range(0, n - count + 1, stride):
        rows = slice(begin, begin + count)
        if np.ptp(thrust[rows], axis=0).max() <= THRUST_CHANGE * largest and all(
                _is_constant(time[rows], values[rows], ABSOLUTE[name]) for name, values in zip('uvr', motion)):
            marked[rows] = True
    return marked


def _is_constant(time: np.ndarray, values: np.ndarray, absolute: float) -> bool:
    """Return whether the slope of values is within the tolerance; False if one is NaN."""
    centred = time - time.mean()
    spread = float(centred @ centred)
    slope = float(centred @ values) / spread
    rest = values - values.mean() - slope * centred
    error = np.sqrt(float(rest @ rest) / max(len(values) - 2, 1) / spread)
    allowed = max(absolute, RELATIVE * abs(float(values.mean()))) / (time[-1] - time[0])
    return bool(abs(slope) <= allowed + STANDARD_ERRORS * error)


def _phase(log: Log, rows: slice, motion: np.ndarray, forces: np.ndarray, vessel: Vessel) -> SteadyPhase:
    surge, sway, yaw = forces[:, rows]
    wind = to_body(np.nan_to_num(log.wind_x[rows]), np.nan_to_num(log.wind_y[rows]),
                   cos(log.yaw[rows]), sin(log.yaw[rows]))
    air = wind_force(wind[0] - log.u[rows], wind[1] - np.nan_to_num(log.v[rows]), vessel.windage)
    u, v, r, force, moment = (_mean(values) for values in (*motion[:, rows], surge, yaw))
    surge_air, sway_air, yaw_air = (float(np.nanmean(values)) for values in air)
    return SteadyPhase(log.name, float(log.time[rows][0]), float(log.time[rows][-1]), u, v, r, force, moment,
                       surge_air, sway_air, yaw_air, _mean(sway))


def _mean(values: np.ndarray) -> Mean:
    parts = [float(part.mean()) for part in np.array_split(values, BATCHES)]
    return Mean(float(values.mean()), float(np.std(parts, ddof=1)) / len(parts)**0.5)


def damping_estimates(phases: Sequence[SteadyPhase], vessel: Vessel) -> list[DampingEstimate]:
    """
    Return the damping coefficient of each phase that determines one.

    :param phases: Of `steady_phases`.
    :param vessel: The Vessel, for its inertia.

    Source: thesis (5.4) to (5.6), with the wind's force; errors to first order.
    """
    found = []
    for phase in phases:
        u, v, r = phase.u, phase.v, phase.r
        inertia = vessel.inertia
        if phase.kind == 'a':
            value = (phase.surge_force.value + phase.wind_surge) / u.value
            error = np.hypot(phase.surge_force.error / u.value, value * u.error / u.value)
            found.append(DampingEstimate('d11', value, float(error), phase))
        elif phase.kind == 'b':
            value = (phase.sway_force.value + phase.wind_sway - inertia.m11 * u.value * r.value) / v.value
            error = abs(value) * np.sqrt(sum((mean.error / mean.value)**2 for mean in (u, v, r)))
            found.append(DampingEstimate('d22', value, float(error), phase))
        elif phase.kind == 'c':
            moment = phase.yaw_moment.value + phase.wind_yaw
            value = (moment + (inertia.m11 - inertia.m22) * u.value * v.value) / r.value
            error = np.hypot(phase.yaw_moment.error / r.value, value * r.error / r.value)
            found.append(DampingEstimate('d33', value, float(error), phase))
    return found


def combined_damping(found: Sequence[DampingEstimate], name: str) -> Mean | None:
    """
    Return the mean of a coefficient over its phases, weighted by their lengths, and its error; None without one.

    With several phases the standard error is the larger of the propagated error and the scatter of the estimates.
    """
    own = [one for one in found if one.name == name]
    if not own:
        return None
    weights = np.array([one.phase.end - one.phase.begin for one in own])
    weights = weights / weights.sum()
    values, errors = np.array([one.value for one in own]), np.array([one.error for one in own])
    value = float(weights @ values)
    stated = float(np.sqrt(np.sum((weights * errors)**2)))
    scatter = float(np.sqrt(weights @ (values - value)**2 / (len(own) - 1))) if len(own) > 1 else 0.0
    return Mean(value, max(stated, scatter))


NAMES = ('d11', 'd22', 'd33')
UNITS = {name: BOAT_NUMBERS[f'damping.linear.{name}'].unit for name in NAMES}
KEYS = {'d11': 'd11_n_s_m', 'd22': 'd22_n_s_m', 'd33': 'd33_n_m_s_rad'}
NEEDS = {'d11': 'a straight run at a steady thrust', 'd22': 'a steady turn with way on',
         'd33': 'a steady turn on the spot'}
JUDGED_AT = 1.0  # m/s, speed at which linear and true drag are compared.
# Drag is not linear if d11 changes by more than SPREAD between speeds with a ratio above APART.
SPREAD, APART = 0.1, 1.15
SHADES = {'a': BLUE, 'b': GREEN, 'c': ORANGE, '': GREY}
THRUSTERS = (VERMILION, PURPLE, GREEN, GREY)


def steady_summary(phases: Sequence[SteadyPhase], found: Sequence[DampingEstimate], boat: Boat,
                   plant: Boat | None) -> Summary:
    """
    Return the result as one dictionary for JSON; units are in the keys.

    :param phases: All steady phases.
    :param found: The estimates from them.
    :param boat: The boat whose inertia was used.
    :param plant: The simulated boat; None for a real one.
    """
    summary: dict[str, Any] = {'boat': boat.name, 'plant': plant.name if plant is not None else None}
    for name in NAMES:
        mean = combined_damping(found, name) or Mean(np.nan, np.nan)
        truth = getattr(plant.vessel.damping, name) if plant is not None else np.nan
        summary |= {KEYS[name]: mean.value, f'{KEYS[name]}_std': mean.error,
                    f'{name}_relative_to_plant': mean.value / truth - 1.0 if truth else np.nan}
    estimate = combined_damping(found, 'd11')
    if plant is not None and estimate is not None:
        true_power = damping_power(JUDGED_AT, plant.vessel.damping)
        summary |= {'linear_power_at_1_m_s_w': estimate.value * JUDGED_AT**2, 'plant_power_at_1_m_s_w': true_power,
                    'linear_power_relative': estimate.value * JUDGED_AT**2 / true_power - 1.0}
    gave = {id(one.phase): one for one in found}
    rows: list[Summary] = []
    for phase in phases:
        rows.append({'log': phase.log, 'kind': phase.kind, 'begin_s': phase.begin, 'end_s': phase.end,
                     'u_m_s': phase.u.value, 'v_m_s': phase.v.value, 'r_rad_s': phase.r.value,
                     'surge_force_n': phase.surge_force.value, 'yaw_moment_n_m': phase.yaw_moment.value})
        if (one := gave.get(id(phase))) is not None:
            rows[-1] |= {KEYS[one.name]: one.value, f'{KEYS[one.name]}_std': one.error}
    return without_nan({**summary, 'phases': rows})


def steady_text(phases: Sequence[SteadyPhase], found: Sequence[DampingEstimate], boat: Boat, plant: Boat | None) -> str:
    """Return the result as text; parameters as `steady_summary`."""
    gave = {id(one.phase): one for one in found}
    rows = [('log', 'phase, s', 'u, m/s', 'v, m/s', 'r, rad/s', 'F, N', 'N, N m', 'gives')]
    for phase in phases:
        estimate = gave.get(id(phase))
        says = (f'{estimate.name} = {estimate.value:.3f} +- {estimate.error:.3f} {UNITS[estimate.name]}'
                if estimate is not None else 'nothing: neither straight, nor turning with way on, nor on the spot')
        rows.append((shortened(phase.log, 14), f'{phase.begin:.1f} - {phase.end:.1f}', f'{phase.u.value:.3f}',
                     f'{phase.v.value:.3f}', f'{phase.r.value:.4f}', f'{phase.surge_force.value:.2f}',
                     f'{phase.yaw_moment.value:.3f}', says))
    none = [] if phases else ['(no steady phase: thrusts and velocities never rest for long enough)']
    return '\n'.join([*text_table(rows, 'lrrrrrrl'), *none, '', *_results(found, boat, plant),
                      *_findings(found, plant)])


def _results(found: Sequence[DampingEstimate], boat: Boat, plant: Boat | None) -> list[str]:
    lines = []
    for name in NAMES:
        mean = combined_damping(found, name)
        if mean is None:
            lines.append(f'{name}: not found; it needs {NEEDS[name]}')
            continue
        own = plant if plant is not None else boat
        truth = getattr(own.vessel.damping, name)
        beside = (f'; {own.name} has {truth:.3f} ({100.0 * (mean.value / truth - 1.0):+.2f} %)' if truth
                  else f'; {own.name} has no linear one')
        lines.append(f'{name} = {mean.value:.3f} +- {mean.error:.3f} {UNITS[name]}{beside}')
    return lines


def _findings(found: Sequence[DampingEstimate], plant: Boat | None) -> list[str]:
    """Return sentences on the validity of linear damping."""
    estimate = combined_damping(found, 'd11')
    if estimate is None:
        return []
    values = [one.value for one in found if one.name == 'd11']
    speeds = [abs(one.phase.u.value) for one in found if one.name == 'd11']
    lines = []
    if plant is not None and any(plant.vessel.damping[3:6]):
        true_power = damping_power(JUDGED_AT, plant.vessel.damping)
        miss = 100.0 * (estimate.value * JUDGED_AT**2 / true_power - 1.0)
        lines = ['', f'{plant.name} has quadratic drag: d11 = {estimate.value:.2f} holds at {np.mean(speeds):.2f} m/s '
                 'only (the thesis found 16.30 at 1.35 m/s).',
                 f'At {JUDGED_AT:g} m/s the linear form takes {estimate.value * JUDGED_AT**2:.1f} W where the hull '
                 f'takes {true_power:.1f} W: it misses the power by {miss:+.0f} %.']
    if max(speeds) > APART * min(speeds) and max(values) > (1.0 + SPREAD) * min(values):
        lines += ['', f'd11 goes from {values[int(np.argmin(speeds))]:.2f} at {min(speeds):.2f} m/s to '
                  f'{values[int(np.argmax(speeds))]:.2f} at {max(speeds):.2f} m/s: drag is not linear. Fit linear and '
                  'quadratic damping instead: usv-energy identify.']
    return lines


def steady_panels(logs: Sequence[Log], phases: Sequence[SteadyPhase], found: Sequence[DampingEstimate]) -> Panels:
    """
    Return pictures of each log: its `velocity`, `turning` and `thrusts`, with the steady phases shaded.

    :param phases: Those of all logs.
    :param found: The estimates from them.
    """
    def velocity(axes: 'Axes', log: Log) -> None:
        axes.plot(log.time, log.u, color=BLUE, label='u')
        axes.plot(log.time, log.v, color=ORANGE, label='v')
        axes.set(title=_heading(log.name, found), ylabel='Velocity, m/s')
        _headroom(axes, np.concatenate([log.u, log.v]), 0.1)
        axes.legend(loc='upper right', ncol=2)

    def turning(axes: 'Axes', log: Log) -> None:
        axes.plot(log.time, log.r, color=GREEN)
        axes.set(ylabel='Yaw rate, rad/s')
        axes.set_title('shaded: steady' if any(phase.log == log.name for phase in phases) else 'no steady phase',
                       color=GREY, fontweight='normal')
        _headroom(axes, log.r, 0.02)

    def thrusts(axes: 'Axes', log: Log) -> None:
        for number, (name, column) in enumerate(zip(log.thrusters, log.thrust.T)):
            axes.step(log.time, column, where='post', color=THRUSTERS[number % len(THRUSTERS)], label=name,
                      linestyle='-' if number % 2 == 0 else '--')
        axes.set(ylabel='Thrust, N')
        _headroom(axes, log.thrust, 1.0)
        axes.legend(loc='upper right', ncol=2)

    def shaded(axes: 'Axes', draw: Callable[['Axes', Log], None], log: Log) -> None:
        draw(axes, log)
        axes.set(xlabel='Time, s')
        for phase in phases:
            if phase.log == log.name:
                axes.axvspan(phase.begin, phase.end, color=SHADES[phase.kind], alpha=0.13, linewidth=0.0)
    kinds = {'velocity': velocity, 'turning': turning, 'thrusts': thrusts}
    drawn: dict[str, Panel] = {numbered(name, place): partial(shaded, draw=draw, log=log)
                               for place, log in enumerate(logs) for name, draw in kinds.items()}
    return Panels(drawn, 12.0, 0.6 + 2.9 * len(logs), 3)


def _heading(log: str, found: Sequence[DampingEstimate]) -> str:
    own = [one for one in found if one.phase.log == log]
    names = '; '.join(f'{one.name} = {one.value:.2f} +- {one.error:.2f} {UNITS[one.name]}' for one in own[:2])
    return f'{log}: {names or "no coefficient"}' + (f' ... ({len(own)} phases)' if len(own) > 2 else '')


def _headroom(axes: 'Axes', values: np.ndarray, least: float) -> None:
    """Set the limits of the y axis with room for a legend above, and at least a given span."""
    known = values[np.isfinite(values)]
    if len(known):
        low, high = float(known.min()), float(known.max())
        span = max(high - low, least)
        axes.set_ylim(low - 0.1 * span, low + 1.35 * span)
