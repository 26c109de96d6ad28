"""The picture of a run: surge velocity and power by cause over time, and the track."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...sim.leg_energy import LegEnergy
from ...sim.record import REACHED, Run, relative
from ..causes import CAUSES
from ..figure import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, picture
from ..rounding import percent
from ..text_table import shortened
from .way_marks import draw_way, track_words

NEGLIGIBLE = 1e-9  # W: what rounding leaves.
NAMED_LEGS = 12    # So many legs have their names in the picture; of more only where they change is drawn.

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure


class Series(NamedTuple):
    """The samples of a run, one array a quantity: s, m, m/s, W; the flow is the mean over the run, m/s (ENU)."""

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


def _is_tall(series: Series, run: Run) -> bool:
    """Return whether track and waypoints need a panel of more height: more than a third as high as wide."""
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
    _legend_above(axes, 4 if len(axes.get_lines()) <= 5 else 6)


def _draw_legs(axes: 'Axes', legs: Sequence[LegEnergy], named: bool) -> None:
    """Draw where one leg ends and the next begins, with their names along it if they are wanted."""
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
    words = track_words(run)
    axes.set_title(f'Track, {words}' if words else 'Track', pad=26 if words else None)
    draw_way(axes, run)
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
    """Draw where current and wind flow to: arrows of one length in a circle whose top is north, speeds below it."""
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
        towards = np.degrees(np.arctan2(north, east))
        axes.text(0.0, -1.25 - 0.85 * number, f'{name} {np.hypot(*flow):.2f} m/s\nto {towards:.0f}\N{DEGREE SIGN}',
                  ha='center', va='top', color=colour, fontsize=9)
