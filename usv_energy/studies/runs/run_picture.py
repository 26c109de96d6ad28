"""The pictures of runs: velocity, power by cause and track of one, and an overview of many."""

import math
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.show.causes import CAUSES
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, LAND, ORANGE, SKY, VERMILION, picture
from usv_energy.show.text_table import percent, shortened
from usv_energy.sim.leg_energy import LegEnergy
from usv_energy.sim.record import REACHED, Run, Summary, relative
from usv_energy.sim.track_figures import collisions_of, rms_over_time, track_of
from usv_energy.studies.runs.run_tables import INCOMPLETE, Comparison, comparisons, value_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

NEGLIGIBLE = 1e-9  # W: rounding error
NAMED_LEGS = 12    # most legs whose names are drawn

Bar = tuple[str, str, Callable[[Comparison], float | None]]

ENERGY: tuple[Bar, ...] = (
    ('rep103', BLUE, lambda pair: value_of(pair.rep103, 'energy_j')),
    ('as_published', ORANGE, lambda pair: value_of(pair.as_published, 'energy_j')),
    ('published', GREY, lambda pair: pair.any['published_energy_j']))
TIME: tuple[Bar, ...] = (
    ('run', SKY, lambda pair: pair.any['duration_s']),
    ('published', GREY, lambda pair: pair.any['published_duration_s']))


def draw_planned_path(axes: 'Axes', run: Run) -> None:
    """Draw the obstacles, the planned path if it has several legs, and a cross where each collision begins."""
    from matplotlib.patches import Circle, Polygon
    scenario = run.scenario
    if len(scenario.waypoints) > 1:
        axes.plot(*np.array([scenario.start[:2], *scenario.waypoints]).T, color=BLACK, linewidth=0.9, linestyle=':',
                  zorder=2.2, label='planned')
    for obstacle in scenario.obstacles:
        shape = {'facecolor': LAND, 'edgecolor': GREY, 'linewidth': 0.8, 'zorder': 2.0}
        axes.add_patch(Circle(obstacle.outline[0], obstacle.radius, **shape) if obstacle.radius
                       else Polygon(np.array(obstacle.outline), closed=True, **shape))
    collisions = collisions_of(run, track_of(run)) if scenario.obstacles else []
    if collisions:
        axes.plot([hit.x for hit in collisions], [hit.y for hit in collisions], marker='X', color=VERMILION,
                  markeredgecolor=BLACK, markersize=11, linestyle='none', zorder=4.0,
                  label=f'{len(collisions)} {"collision" if len(collisions) == 1 else "collisions"}')


def path_words(run: Run) -> str:
    """Return the deviation from the path and the least room to obstacles, for a title; '' for a single free leg."""
    scenario, track = run.scenario, track_of(run)
    deviation = track.deviation[np.isfinite(track.deviation)]
    if not len(deviation) or (len(scenario.waypoints) == 1 and not scenario.obstacles):
        return ''
    off = f'off its path by {rms_over_time(track.time, track.deviation):.2f} m (rms), {deviation.max():.2f} m (most)'
    room = track.least_clearance[np.isfinite(track.least_clearance)]
    return off + (f'; least room to an obstacle {room.min():.2f} m' if len(room) else '')


class Series(NamedTuple):
    """The samples of a run, one array per quantity: s, m, m/s, W; the flows are means over the run, m/s (ENU)."""

    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    u: np.ndarray
    u_r: np.ndarray
    power: dict[str, np.ndarray]
    current: np.ndarray
    wind: np.ndarray


def plot_run(run: Run, path: Path) -> None:
    """Draw a run into a PNG; OSError if it cannot be written."""
    series = _series(run)
    flows = [(name, flow, colour) for name, flow, colour
             in (('Current', series.current, BLUE), ('Wind', series.wind, GREEN)) if np.hypot(*flow) > 0.0]
    tall = _is_tall(series, run)
    with picture(path, 12.0, 11.0 if tall else 8.0) as figure:
        title, figures = _heading(run)
        figure.suptitle(title, x=0.012, ha='left', fontsize=12, fontweight='bold')
        (above,), (below,) = figure.subfigures(2, 1, height_ratios=(1.15, 2.0 if tall else 1.0), squeeze=False)
        above.suptitle(figures, x=0.012, ha='left', fontsize=10)
        velocity, power = above.subplots(1, 2, sharex=True)
        _draw_velocity(velocity, series, run.scenario.speed)
        _draw_power(power, series)
        for axes in (velocity, power):
            _draw_legs(axes, run.legs, named=axes is power)
        panels = below.subplots(1, 2, width_ratios=(7.0, 1.0)) if flows else [below.subplots()]
        _draw_track(below, panels[0], series, run)
        panels[0].margins(0.05, 0.08 if tall else 0.35)
        panels[0].autoscale_view()
        if flows:
            _draw_flows(panels[1], flows)


def run_panels(run: Run) -> dict[str, Callable[['Axes'], None]]:
    """Return the pictures of a run by name, as functions that draw into axes."""
    series = _series(run)
    return {'power': lambda axes: _draw_power(axes, series),
            'velocity': lambda axes: _draw_velocity(axes, series, run.scenario.speed),
            'track': lambda axes: _draw_track(axes.figure, axes, series, run)}


def _is_tall(series: Series, run: Run) -> bool:
    """Return whether track and waypoints need a high panel: more than a third as high as wide."""
    x, y = (np.concatenate([track[np.isfinite(track)], [run.scenario.start[n]], [point[n] for point in
            run.scenario.waypoints]]) for n, track in enumerate((series.x, series.y)))
    return bool(len(run.scenario.waypoints) > 1 and 3.0 * np.ptp(y) > np.ptp(x))


def _series(run: Run) -> Series:
    rows = run.rows
    column = {name: np.array([getattr(row.power, name) for row in rows], dtype=float)
              for name in ('total', 'u_r', *(cause.key for cause in CAUSES))}
    flow = np.array([row.flow for row in rows], dtype=float).reshape(-1, 4)
    known = flow[np.isfinite(flow).all(axis=1)]
    mean = known.mean(axis=0) if len(known) else np.zeros(4)
    time, x, y, u = np.array([(row.time, row.x, row.y, row.motion.u) for row in rows], dtype=float).reshape(-1, 4).T
    return Series(time, x, y, u, column.pop('u_r'), column, mean[0:2], mean[2:4])


def _heading(run: Run) -> tuple[str, str]:
    scenario, published = run.scenario, run.scenario.published
    title = textwrap.shorten(f'{scenario.name}: {scenario.title}', 110, placeholder=' ...')
    plant = f' (plant {scenario.plant.name})' if scenario.plant.name != scenario.boat.name else ''
    ended = '' if run.outcome == REACHED else f' ({run.outcome})'
    figures = [(f'{run.duration:.2f} s{ended}', 's', run.duration, published.duration),
               (f'{run.energy.total:.2f} J', 'J', run.energy.total, published.energy)]
    shown = [text if np.isnan(source) else
             f'{text} (published {source:g} {unit}, {percent(relative(value, source), 1)})'
             for text, unit, value, source in figures]
    closed = [] if np.isnan(run.closure) else [f'closure {percent(run.closure, 2)}']
    missing = run.missing
    lacking = [] if missing.nothing else [f'incomplete: {max(missing)} samples are missing']
    return title, '     '.join([f'{scenario.boat.name}{plant}', run.convention, *shown, *closed, *lacking])


def _draw_velocity(axes: 'Axes', series: Series, wanted: float | None) -> None:
    axes.set_title('Surge velocity', pad=26)
    if wanted is not None:
        axes.axhline(wanted, color=GREY, linewidth=1.2, linestyle=':', label='wanted over ground')
    axes.plot(series.time, series.u, color=BLUE, label='over ground')
    axes.plot(series.time, series.u_r, color=ORANGE, linestyle='--', label='through water')
    axes.set(xlabel='Time, s', ylabel='u, m/s')
    _legend_above(axes, 3)


def _draw_power(axes: 'Axes', series: Series) -> None:
    axes.set_title('Power by cause', pad=26)
    total = series.power['total']
    axes.plot(series.time, total, color=BLACK, linewidth=2.6, label='total')
    for cause in CAUSES:
        values = series.power[cause.key]
        if np.any(np.abs(values[np.isfinite(values)]) > NEGLIGIBLE):
            axes.plot(series.time, values, color=cause.colour, linewidth=1.5, label=cause.name)
    axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.set(xlabel='Time, s', ylabel='P, W')
    _legend_above(axes, 4 if len(axes.get_lines()) <= 5 else 5)


def _draw_legs(axes: 'Axes', legs: Sequence[LegEnergy], named: bool) -> None:
    """Draw a line where one leg ends and the next begins, with the names of the legs if `named`."""
    if len(legs) < 2:
        return
    for leg in legs:
        if leg is not legs[0]:
            axes.axvline(leg.begin, color=GREY, linewidth=0.8, linestyle=':', zorder=0.5)
        if named and len(legs) <= NAMED_LEGS:
            axes.text(leg.begin, 0.98, f' {shortened(leg.name, 26)}', transform=axes.get_xaxis_transform(), rotation=90,
                      ha='left', va='top', color=GREY, fontsize=8)


def _legend_above(axes: 'Axes', columns: int) -> None:
    axes.legend(loc='lower left', bbox_to_anchor=(-0.01, 0.99), ncol=columns, borderaxespad=0.0, handlelength=1.6,
                columnspacing=1.2 if columns < 5 else 0.7, fontsize=None if columns < 5 else 'small')


def _draw_track(figure: 'SubFigure', axes: 'Axes', series: Series, run: Run) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Circle
    words = path_words(run)
    axes.set_title(f'Track, {words}' if words else 'Track', pad=26 if words else None)
    draw_planned_path(axes, run)
    points = np.column_stack([series.x, series.y])
    line = LineCollection(list(np.stack([points[:-1], points[1:]], axis=1)), cmap='viridis', linewidths=4.0, zorder=2.5,
                          capstyle='round', array=np.ma.masked_invalid(series.power['total'][1:]))
    axes.plot(series.x, series.y, color=GREY, linewidth=5.5, solid_capstyle='round')
    axes.add_collection(line)
    start, goals, radius = run.scenario.start, np.array(run.scenario.waypoints), run.scenario.radius
    for x, y in goals:
        axes.add_patch(Circle((x, y), radius, fill=False, edgecolor=VERMILION, linewidth=1.0, linestyle='--'))
    axes.plot(*start[:2], 'o', color=BLACK, markersize=8, zorder=3, label='start', linestyle='none')
    axes.plot(*goals.T, marker='x', color=VERMILION, markersize=9, markeredgewidth=2.4, zorder=3, linestyle='none',
              label=f'{"goal" if len(goals) == 1 else "waypoints"}, reached within {radius:g} m')
    axes.set(xlabel='x, m (east)', ylabel='y, m (north)')
    axes.ticklabel_format(useOffset=False)
    axes.set_aspect('equal', adjustable='datalim')
    axes.legend(loc='lower right', bbox_to_anchor=(1.0, 0.99), ncol=4, borderaxespad=0.0)
    figure.colorbar(line, ax=axes, label='Total power, W', pad=0.01, aspect=14)


def _draw_flows(axes: 'Axes', flows: list[tuple[str, np.ndarray, str]]) -> None:
    """Draw the directions of current and wind as arrows in a circle, north up, with their speeds below."""
    from matplotlib.patches import Circle
    axes.set_aspect('equal')
    axes.set(xlim=(-1.25, 1.25), ylim=(-2.9, 1.5))
    axes.axis('off')
    axes.add_patch(Circle((0.0, 0.0), 1.0, fill=False, edgecolor=GREY, linewidth=0.8))
    axes.text(0.0, 1.08, 'N', ha='center', va='bottom', color=GREY, fontsize=9)
    for number, (name, flow, colour) in enumerate(flows):
        east, north = flow / np.hypot(*flow)
        axes.annotate('', xy=(east, north), xytext=(-east, -north), zorder=3 - number,
                      arrowprops={'arrowstyle': '-|>', 'color': colour, 'linewidth': 2.2, 'mutation_scale': 16,
                                  'shrinkA': 0.0, 'shrinkB': 0.0})
        way = flow_words(float(flow[0]), float(flow[1]), AIR if name == 'Wind' else WATER).partition(') ')[2]
        axes.text(0.0, -1.25 - 0.85 * number, f'{name} {np.hypot(*flow):.2f} m/s\n{way}',
                  ha='center', va='top', color=colour, fontsize=9)


def plot_overview(summaries: Sequence[Summary], path: Path) -> None:
    """Draw energy and time of all scenarios beside the published ones into a PNG; OSError if it cannot be written."""
    pairs = comparisons(summaries)
    with picture(path, max(9.0, 3.0 + 1.0 * len(pairs)), 6.4) as figure:
        energy, time = figure.subplots(2, 1, height_ratios=(1.7, 1.0), sharex=True)
        _draw_bars(energy, pairs, ENERGY, 'Energy', 'E, J', 0)
        _draw_bars(time, pairs, TIME, 'Time', 'T, s', 1)
        time.set_xticks(range(len(pairs)), [pair.name + INCOMPLETE * bool(pair.incomplete) for pair in pairs])
        time.set_xlabel('Scenario')


def _draw_bars(axes: 'Axes', pairs: Sequence[Comparison], bars: Sequence[Bar], title: str, label: str,
               digits: int) -> None:
    shown = [(name, colour, [_number_or_nan(value(pair)) for pair in pairs]) for name, colour, value in bars]
    shown = [bar for bar in shown if not all(map(math.isnan, bar[2]))]
    width = 0.8 / len(shown)
    for number, (name, colour, heights) in enumerate(shown):
        places = [index + (number - 0.5 * (len(shown) - 1)) * width for index in range(len(pairs))]
        drawn = axes.bar(places, heights, width=0.92 * width, color=colour, label=name)
        labels = ['' if math.isnan(height) else f'{height:.{digits}f}' for height in heights]
        axes.bar_label(drawn, labels, padding=2, fontsize=8)
    axes.set_title(title)
    axes.set_ylabel(label)
    axes.margins(y=0.12)
    axes.grid(visible=False, axis='x')
    axes.legend(loc='lower right', bbox_to_anchor=(1.0, 1.0), ncol=len(shown), borderaxespad=0.2)


def _number_or_nan(value: float | None) -> float:
    return math.nan if value is None else value
