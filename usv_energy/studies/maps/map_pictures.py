"""Pictures of energy maps, best speeds, reach and the front of time and energy."""

import math
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.motion import Flow
from usv_energy.physics.sampling import round_up
from usv_energy.show.figure import (
    ARROW_COLOUR,
    BLACK,
    BLUE,
    GREEN,
    GREY,
    LAND,
    NO_VALUE,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    picture,
    rose,
    rose_angle,
)
from usv_energy.show.text_table import formatted
from usv_energy.studies.maps.lattice import FlowsAtPoints
from usv_energy.studies.maps.map_study import BestSpeedMap, Conditions, EnergyMap, MapStudy
from usv_energy.studies.maps.map_text import condition_words
from usv_energy.studies.maps.reach import Reach
from usv_energy.studies.maps.time_energy_front import TimeEnergyFront
from usv_energy.studies.plan.steady_motion import highest_speed

LINES = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
PANELS = 3          # currents, and winds, that are shown at most
TITLE_WIDTH = 40    # characters of a line of a title over a panel of a current
COLOURS = 'viridis_r'
ARROWS = 22         # of a flow along the longer side
ARROW_LENGTH = 0.8  # of the longest one, of the distance of arrows
STILL = 0.1         # m/s: the end of the colours where no water moves
RIM_POINTS, RIM_ROUNDS = 15, 2   # speeds that are tried together, and how often, for the rim of an energy map
KILOMETRES_FROM = 5000.0    # m: a map of this width or more has axes in km


def plot_map(study: MapStudy, path: Path) -> None:
    """Draw a map of any kind into a PNG. Raises OSError if it cannot be written."""
    plots: dict[type, Callable[..., None]] = {BestSpeedMap: _plot_best_speeds, Reach: _plot_reach,
                                              TimeEnergyFront: _plot_front}
    if isinstance(study.result, EnergyMap):
        _plot_energy_map(study.result, study.boat, path)
    else:
        plots[type(study.result)](study.result, study.boat.name, path)


def _plot_energy_map(energy: EnergyMap, boat: Boat, path: Path) -> None:
    """Draw energy per metre over course (angle) and speed (radius), one panel per current and wind."""
    from matplotlib.colors import LogNorm
    rows, columns = _shown_conditions(energy.winds), _shown_conditions(energy.currents)
    metre = energy.fields['energy_per_meter'][:, :, columns][:, :, :, rows]
    if not np.isfinite(metre).any():
        metre = np.ones_like(metre)
    highest = float(np.nanmax(metre)) * 1.0001
    lowest = max(float(np.nanpercentile(metre, 5)), 1e-3 * highest)
    norm = LogNorm(lowest, highest)
    courses = np.append(energy.courses_deg, energy.courses_deg[0] + 360.0)
    angles = rose_angle(np.radians(courses - 180.0 / energy.courses_deg.size))
    edges, closed = _edges(energy.speeds), rose_angle(np.radians(courses))
    with picture(path, 3.1 * len(columns) + 1.2, 2.95 * len(rows) + 0.5) as figure:
        axes = figure.subplots(len(rows), len(columns), squeeze=False, subplot_kw={'projection': 'polar'})
        mesh: Any = None
        for (i, j), axis in np.ndenumerate(axes):
            axis.grid(False)
            axis.set(facecolor=NO_VALUE, axisbelow='line')
            shown, rim = _to_the_rim(energy, boat, columns[j], rows[i])
            mesh = axis.pcolormesh(angles, edges, np.maximum(shown.T, lowest), norm=norm, cmap=COLOURS, shading='flat')
            axis.fill_between(closed, np.append(rim, rim[0]), edges[-1], color=NO_VALUE, linewidth=0.0)
            axis.set_rlim(0.0, edges[-1])
            axis.set_rgrids(*_circles(edges[-1]), angle=22.5, fontsize=8, color=BLACK)
            rose(axis)
            axis.tick_params(pad=0, labelsize=8)
            axis.grid(True, color='white', linewidth=0.5, alpha=0.6)
            current, wind = (condition_words(one, name, ' m/s') for one, name in (
                (energy.currents[columns[j]], 'current'), (energy.winds[rows[i]], 'wind')))
            axis.set_title(f'current {current}\nwind {wind}', fontsize=9, fontweight='normal', loc='center')
        ticks = [t for t in (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3) if lowest <= t <= highest]
        bar = figure.colorbar(mesh, ax=axes, shrink=min(1.0, 1.6 / len(rows)), pad=0.03, extend='min', ticks=ticks)
        bar.ax.set_yticklabels([f'{tick:g}' for tick in ticks])
        bar.ax.minorticks_off()
        bar.set_label('Energy per metre over ground, J/m')
        title = f'{boat.name}: energy per metre over course and speed over ground (m/s); grey cannot be held'
        figure.suptitle(textwrap.fill(title, TITLE_WIDTH * len(columns)), fontsize=11, fontweight='bold')


def _to_the_rim(energy: EnergyMap, boat: Boat, column: int, row: int) -> tuple[np.ndarray, np.ndarray]:
    """
    Return energy per metre of one current and wind, and the highest speed that is held on each course, m/s.

    The energy, J/m, shape (C, S), goes one speed beyond the last that is held, with its value, so that the picture's
    cells reach the highest speed, where they are cut.
    """
    metre = energy.fields['energy_per_meter'][:, :, column, row].copy()
    held = np.isfinite(metre)
    last = np.where(held.any(axis=1), metre.shape[1] - 1 - np.argmax(held[:, ::-1], axis=1), -1)
    for course in np.flatnonzero((last >= 0) & (last < metre.shape[1] - 1)).tolist():
        metre[course, last[course] + 1] = metre[course, last[course]]
    flow = Flow(*(part for given in (energy.currents[column], energy.winds[row]) for part in polar_to_earth(*given)))
    rim = highest_speed(boat.vessel, np.radians(energy.courses_deg), flow, energy.speeds, RIM_POINTS, RIM_ROUNDS)
    return metre, np.nan_to_num(rim)


def _plot_best_speeds(best: BestSpeedMap, boat: str, path: Path) -> None:
    """Draw the best speed and its energy per metre over the course, one line per current and wind, at most six."""
    pairs = [(n, m) for n in _shown_conditions(best.currents) for m in _shown_conditions(best.winds)][:len(LINES)]
    angles = rose_angle(np.radians(np.append(best.courses_deg, best.courses_deg[0] + 360.0)))
    with picture(path, 10.4, 5.8) as figure:
        grid = figure.add_gridspec(2, 2, height_ratios=(1.0, 0.16))
        axes: list[Any] = [figure.add_subplot(grid[0, column], projection='polar') for column in (0, 1)]
        for axis, values, title in zip(axes, (best.speed, best.energy_per_meter),
                                       ('Best speed over ground, m/s', 'Energy per metre there, J/m')):
            lines = [np.append(values[:, n, m], values[0, n, m]) for n, m in pairs]
            for colour, (n, m), line in zip(LINES, pairs, lines):
                axis.plot(angles, line, color=colour,
                          label=f'current {condition_words(best.currents[n], "current", " m/s")}, wind '
                                f'{condition_words(best.winds[m], "wind", " m/s")}')
            axis.set_title(title, loc='center', pad=16)
            axis.set_rlim(0.0, 1.08 * float(np.nanmax(lines)) if np.isfinite(lines).any() else 1.0)
            rose(axis)
            circles = [radius for radius in axis.get_yticks() if 0.0 < radius < axis.get_rmax()]
            axis.set_yticks(circles, [''] * len(circles))
            axis.tick_params(labelsize=8.5)
            for radius in circles:      # In front of the lines, which a tick's own label is not.
                axis.text(np.radians(22.5), radius, f'{radius:g}', fontsize=8.5, ha='center', va='center', zorder=5,
                          bbox={'boxstyle': 'round,pad=0.1', 'facecolor': 'white', 'edgecolor': 'none', 'alpha': 0.85})
        below = figure.add_subplot(grid[1, :])
        below.set_axis_off()
        below.legend(*axes[0].get_legend_handles_labels(), loc='center', ncols=2)
        figure.suptitle(f'{boat}: speeds of least energy per metre, by course over ground', fontweight='bold')


def _plot_reach(found: Reach, boat: str, path: Path) -> None:
    """Draw the reach: the share of the energy that is needed, the border, the current."""
    x, y = found.lattice.points()
    share = np.where(np.isfinite(found.energy), found.energy / found.limit, np.nan)
    wide, high = float(np.ptp(x)), float(np.ptp(y))
    width, height = (8.6, 8.6 * high / wide) if wide >= high else (7.2 * wide / high, 7.2)
    with picture(path, max(width, 4.6) + 1.6, max(height, 2.4) + 1.1) as figure:
        axis = figure.subplots()
        axis.set_facecolor(NO_VALUE)
        filled = axis.contourf(x, y, np.minimum(share, 1.2), levels=np.linspace(0.0, 1.0, 11), cmap=COLOURS)
        axis.contour(x, y, np.where(np.isnan(share), 9.0, share), levels=[1.0], colors=[BLACK], linewidths=1.8)
        _draw_water(axis, x, y, found.flows)
        _draw_mark(axis, found.start, 'o')
        back = '' if found.back is None else ' there and back'
        given = 'on its cells' if found.on_cells else f'{formatted(found.limit / JOULES_PER_WH, ".4g")} Wh'
        axis.set_title(f'{boat}: {given}{back}, {formatted(found.area / 1e6, ".4g")} km²')
        label = 'Share of the battery that the way needs' if found.on_cells else 'Energy of the way, share of all'
        figure.colorbar(filled, cax=axis.inset_axes((1.03, 0.0, 0.04, 1.0)), label=label)


def _plot_front(found: TimeEnergyFront, boat: str, path: Path) -> None:
    """Draw the front of time and energy, and its ways over the current."""
    from matplotlib import colormaps
    times = np.array([route.duration for route in found.routes])
    colours = colormaps['plasma'](0.9 * (times - times[0]) / max(times[-1] - times[0], 1e-9))
    x, y = found.lattice.points()
    inside = found.flows.inside.reshape(x.shape)
    speed = np.where(inside, np.hypot(*found.flows.values[:, :2].T).reshape(x.shape), np.nan)
    with picture(path, 11.4, 5.0) as figure:
        left, right = figure.subplots(1, 2, gridspec_kw={'width_ratios': (1.0, 1.25)})
        energies = [route.energy for route in found.routes]
        left.plot(times, energies, color=GREY, linewidth=1.2, zorder=1)
        left.scatter(times, energies, c=colours, s=42, zorder=2)
        if found.straight is not None:
            place = found.straight.duration, found.straight.energy
            left.plot(*place, marker='x', markersize=9, markeredgewidth=2, color=BLACK, linestyle='')
            left.annotate('straight on, cheapest', place, (0, 9), textcoords='offset points',
                          ha='right' if 2.0 * place[0] > times[0] + times[-1] else 'left')
        gap = max(route.gap for route in found.routes)
        gap_words = 'the grid is too coarse to tell the gap'
        if math.isfinite(gap):
            gap_words = f'at most about {100 * gap:.3g} % above the best'
        left.set(xlabel=f'Time, s (the ways: {gap_words})', ylabel='Energy, J', title=f'{boat}: time against energy')
        mesh = right.pcolormesh(x, y, speed, cmap='Blues', shading='gouraud', vmin=0.0,
                                vmax=float(np.nanmax(speed, initial=0.0)) or STILL)
        _draw_water(right, x, y, found.flows)
        for route, colour in zip(found.routes, colours):
            right.plot(*route.points.T, color=colour, linewidth=1.8)
        _draw_mark(right, found.routes[0].points[0], 'o')
        _draw_mark(right, found.routes[0].points[-1], 's')
        right.set(title='Ways, start (circle) to goal', xlim=_limits(x[inside]), ylim=_limits(y[inside]))
        right.grid(False)
        figure.colorbar(mesh, ax=right, label='Current, m/s', shrink=0.8)


def _shown_conditions(conditions: Conditions) -> list[int]:
    """Return the indices of at most three different conditions, evenly spread; those at rest count as one."""
    different: dict[tuple[float, float], int] = {}
    for place, (speed, direction) in enumerate(conditions):
        different.setdefault((speed, direction % 360.0 if speed else 0.0), place)
    places = list(different.values())
    return [places[n] for n in sorted({round(n) for n in np.linspace(0, len(places) - 1, PANELS)})]


def _limits(values: np.ndarray) -> tuple[float, float]:
    room = 0.03 * float(np.ptp(values))
    return float(values.min()) - room, float(values.max()) + room


def _edges(centres: np.ndarray) -> np.ndarray:
    middle = 0.5 * (centres[1:] + centres[:-1])
    return np.array([max(2.0 * centres[0] - middle[0], 0.0), *middle, 2.0 * centres[-1] - middle[-1]])


def _circles(radius: float) -> tuple[list[float], list[str]]:
    step = round_up(max(radius / 4.0, 0.1))
    values = [n * step for n in range(1, int(radius / step) + 1)]
    return values, [f'{value:g}' for value in values]


def _draw_water(axis: Any, x: np.ndarray, y: np.ndarray, flows: FlowsAtPoints) -> None:
    """Draw the current as arrows, and places without water, on a map."""
    kilometres = max(np.ptp(x), np.ptp(y)) >= KILOMETRES_FROM
    axis.set(xlabel='East, km' if kilometres else 'East, m', ylabel='North, km' if kilometres else 'North, m',
             aspect='equal')
    if kilometres:
        for side in (axis.xaxis, axis.yaxis):
            side.set_major_formatter(lambda metres, _: f'{metres / 1000.0:g}')
    if not flows.inside.all():
        axis.contourf(x, y, flows.inside.reshape(x.shape).astype(float), levels=[-0.5, 0.5], colors=[LAND])
    current = np.where(flows.inside, flows.values[:, :2].T, np.nan).reshape(2, *x.shape)
    fastest = float(np.nanmax(np.hypot(*current), initial=0.0))
    if fastest > 0.0:
        step = max(max(x.shape) // ARROWS, 1)
        some = slice(step // 2, None, step), slice(step // 2, None, step)
        spacing = step * math.hypot(x[0, 1] - x[0, 0], y[0, 1] - y[0, 0])
        axis.quiver(x[some], y[some], *(part[some] for part in current), color=ARROW_COLOUR, alpha=0.55, width=0.0022,
                    angles='xy', scale_units='xy', scale=fastest / (ARROW_LENGTH * spacing))
        axis.set_xlabel(f'{axis.get_xlabel()} (longest arrow: current of {fastest:.2g} m/s)')


def _draw_mark(axis: Any, place: Sequence[float] | np.ndarray, shape: str) -> None:
    axis.plot(*place, marker=shape, color=VERMILION, markeredgecolor='white', markersize=8)
