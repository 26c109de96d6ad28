"""Results of steady states as text, JSON figures and picture: the coefficients, and the validity of linear damping."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.numbers import BOAT_NUMBERS
from usv_energy.files.text_file import without_nan
from usv_energy.logs.log import Log
from usv_energy.show.figure import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, Panel, Panels, numbered
from usv_energy.show.text_table import shortened, text_table
from usv_energy.sim.record import Summary
from usv_energy.sim.steady_closure import damping_power
from usv_energy.studies.identify.steady.steady_states import DampingEstimate, Mean, SteadyPhase, combined_damping

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
