"""The pictures of a report's page: track, power, energy, speed, energy per metre, model against measurement."""

from typing import TYPE_CHECKING

import numpy as np

from ...analysis.analysed_log import AnalysedLog
from ...physics.power import STILL, speed_through_water
from ...planning.steady_motion import steady_state, top_speed
from ..causes import CAUSES, Cause
from ..figure import ORANGE, VERMILION
from ..thinning import envelope, robust_limits, rows_of
from .page_svg import ACCENT, GRID, INK, LEVELS, MUTED, PAPER, RAMP, WIDE, Size

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 500          # Of a line, at most.
SCATTER = 450
SEGMENTS = 700        # Of the track.
SEEN = 2e-3           # Share of the largest power of a cause that another must have, to be shown.
STEPS = 64            # Of the energy per metre along the track.


def time_axis(analysed: AnalysedLog) -> tuple[np.ndarray, str]:
    """Return the times of a log's samples in a unit that fits, and the axis' label."""
    time = analysed.log.time
    if analysed.log.duration > 3.0 * 3600.0:
        return time / 3600.0, 'Time, h'
    if analysed.log.duration > 600.0:
        return time / 60.0, 'Time, min'
    return time, 'Time, s'


def has_track(analysed: AnalysedLog) -> bool:
    """Return whether the places are known, and the boat moved."""
    x, y = analysed.log.x, analysed.log.y
    known = np.isfinite(x) & np.isfinite(y)
    return bool(known.sum() > 1 and max(np.ptp(x[known]), np.ptp(y[known])) > 0.0)


def track_height(analysed: AnalysedLog) -> int:
    """Return the height of the wide map, px: low for a track from east to west, higher for others."""
    x, y = (values[np.isfinite(values)] for values in (analysed.log.x, analysed.log.y))
    return int(np.clip(WIDE * (np.ptp(y) + 1.0) / (np.ptp(x) + 1.0), 280, 620))


def draw_track(figure: 'Figure', size: Size, analysed: AnalysedLog) -> None:
    """Draw the track, coloured by power."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import BoundaryNorm, ListedColormap
    axes = figure.subplots()
    known = np.flatnonzero(np.isfinite(analysed.log.x) & np.isfinite(analysed.log.y))
    rows = known[rows_of(known.size, SEGMENTS)]
    x, y = analysed.log.x[rows], analysed.log.y[rows]
    power = _between(analysed.power.total, rows)
    finite = power[np.isfinite(power)]
    low, high = np.percentile(finite, (2.0, 98.0)) if finite.size else (0.0, 1.0)
    if high - low < 1e-3 * max(abs(high), 1e-9):
        low, high = low - 0.05 * abs(low) - 0.5, high + 0.05 * abs(high) + 0.5
    norm = BoundaryNorm(np.linspace(low, high, LEVELS + 1), LEVELS, clip=True)
    colours = ListedColormap(RAMP)
    unbroken = np.diff(analysed.log.time[rows]) <= max(analysed.log.max_gap,
                                                       3.0 * analysed.log.duration / max(rows.size, 1))
    pairs = np.stack([np.column_stack([x, y])[:-1], np.column_stack([x, y])[1:]], axis=1)
    line = LineCollection(list(pairs[unbroken]), cmap=colours, norm=norm, linewidth=4.0, capstyle='round')
    line.set_array(np.nan_to_num(power[unbroken], nan=low))
    axes.add_collection(line)
    axes.plot(x[0], y[0], 'o', color=INK, markersize=8, zorder=4, label='start')
    axes.plot(x[-1], y[-1], 's', color=PAPER, markeredgecolor=INK, markeredgewidth=2.0, markersize=8, zorder=4,
              label='end')
    axes.set(xlabel='East, m', ylabel='North, m')
    axes.ticklabel_format(useOffset=False)
    axes.margins(0.06, 0.12)
    axes.autoscale_view()
    axes.set_aspect('equal', adjustable='datalim')
    axes.locator_params(nbins=5 if size.narrow else 9)
    axes.legend(loc='lower left', bbox_to_anchor=(0.0, 1.0), ncol=2, borderaxespad=0.1, handlelength=1.0)
    bar = figure.colorbar(line, ax=axes, label='Total power, W', pad=0.02, aspect=30, fraction=0.05,
                          location='bottom' if size.narrow else 'right', format='%.3g')
    bar.set_ticks(np.linspace(low, high, 5).tolist())
    bar.outline.set_visible(False)


def _between(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the mean of values between each row and the next; of the numbers among them."""
    known = np.isfinite(values)
    total = np.concatenate([[0.0], np.cumsum(np.where(known, values, 0.0))])
    count = np.concatenate([[0], np.cumsum(known)])
    counted = count[rows[1:]] - count[rows[:-1]]
    with np.errstate(invalid='ignore', divide='ignore'):
        return np.where(counted > 0, (total[rows[1:]] - total[rows[:-1]]) / counted, np.nan)


def causes_of(analysed: AnalysedLog) -> list[Cause]:
    """Return the causes that are seen beside the largest; the first of all where there is no power."""
    largest = [np.nanmax(np.abs(getattr(analysed.power, cause.key)), initial=0.0) for cause in CAUSES]
    return [cause for cause, power in zip(CAUSES, largest) if power > SEEN * max(largest)] or [CAUSES[0]]


def draw_power(figure: 'Figure', size: Size, analysed: AnalysedLog) -> None:
    """Draw power by cause over time."""
    axes = figure.subplots()
    time, label = time_axis(analysed)
    gap = analysed.log.max_gap * (time[-1] / analysed.log.duration if analysed.log.duration else 1.0)
    shown = []
    for cause in causes_of(analysed):
        power = getattr(analysed.power, cause.key)
        axes.plot(*envelope(time, power, POINTS // 2, gap), color=cause.colour, linewidth=1.6, label=cause.name)
        shown.append(power)
    t, values = envelope(time, analysed.power.total, POINTS // 2, gap)
    axes.plot(t, values, color=INK, linewidth=2.4, label='total', zorder=1.5)
    low, high, cut = robust_limits([*shown, analysed.power.total])
    axes.axhline(0.0, color=MUTED, linewidth=1.0)
    axes.set(xlabel=label, ylabel='Power, W', ylim=(low, high), xlim=(time[0], time[-1] if time.size > 1 else None))
    if cut:
        place, side = (0.97, 'top') if size.narrow else (1.01, 'bottom')  # A narrow picture's legend takes the width.
        axes.text(1.0, place, 'spikes are cut off', transform=axes.transAxes, ha='right', va=side, color=MUTED,
                  fontsize=11)
    _legend(axes, size)


def draw_energy(figure: 'Figure', size: Size, analysed: AnalysedLog) -> None:
    """Draw the energy so far, stacked by cause; causes that give energy back lie below zero."""
    axes = figure.subplots()
    time, label = time_axis(analysed)
    rows = rows_of(time.size, 240)
    above, below = np.zeros(rows.size), np.zeros(rows.size)
    total = analysed.integral.so_far()
    unit, scale = ('kJ', 1e-3) if abs(total[-1]) >= 2e4 else ('J', 1.0)
    for cause in causes_of(analysed):
        values = scale * analysed.integral.so_far(cause.key)[rows]
        for base, part in ((above, np.maximum(values, 0.0)), (below, np.minimum(values, 0.0))):
            if np.any(part != 0.0):
                axes.fill_between(time[rows], base, base + part, color=cause.colour, linewidth=0.0, label=cause.name)
                base += part
    axes.plot(time[rows], scale * total[rows], color=INK, linewidth=2.0, label='total')
    axes.set(xlabel=label, ylabel=f'Energy so far, {unit}', xlim=(time[0], time[-1] if time.size > 1 else None))
    axes.margins(y=0.06)
    _legend(axes, size)


def draw_speed_power(figure: 'Figure', size: Size, analysed: AnalysedLog) -> None:
    """Draw power over the speed through the water: the boat's steady curve, and this run's samples."""
    axes = figure.subplots()
    water = speed_through_water(analysed.power)
    known = np.flatnonzero(np.isfinite(water) & np.isfinite(analysed.power.total))
    rows = known[rows_of(known.size, SCATTER)]
    top = top_speed(analysed.boat.vessel)
    fastest = max(float(np.percentile(water[known], 99.5)) if known.size else 0.0, min(top, 0.3))
    speed = np.linspace(0.0, min(top, max(1.15 * fastest, 0.5 * top)), 60)
    steady = steady_state(analysed.boat.vessel, 0.0, speed, STILL).power.total
    axes.plot(water[rows], analysed.power.total[rows], 'o', color=ACCENT, alpha=0.28, markersize=4.5,
              markeredgewidth=0.0, label='this run')
    axes.plot(speed, steady, color=INK, linewidth=2.0, label='boat, steady, still water and air')
    centres, medians = _medians(water[known], analysed.power.total[known])
    axes.plot(centres, medians, 'D', color=VERMILION, markersize=6, markeredgewidth=0.0, label='median of this run')
    low, high, _ = robust_limits([analysed.power.total[known], steady])
    axes.set(xlabel='Speed through the water, m/s', ylabel='Total power, W', ylim=(low, high))
    axes.set_xlim(left=0.0)
    _legend(axes, size, 2)


def _medians(speed: np.ndarray, power: np.ndarray, number: int = 8) -> tuple[list[float], list[float]]:
    """Return middles and medians of the bins of speed that hold a fair share of the samples."""
    if speed.size < 20 or np.ptp(speed) == 0.0:
        return [], []
    edges = np.linspace(speed.min(), speed.max(), number + 1)
    label = np.clip(np.digitize(speed, edges) - 1, 0, number - 1)
    full = [part for part in range(number) if (label == part).sum() >= max(10, 0.02 * speed.size)]
    return ([float(np.median(speed[label == part])) for part in full],
            [float(np.median(power[label == part])) for part in full])


def draw_per_meter(figure: 'Figure', size: Size, analysed: AnalysedLog) -> None:
    """Draw the energy per metre over ground along the way."""
    axes = figure.subplots()
    distance, energy = analysed.integral.distance_so_far(), analysed.integral.so_far()
    steps = min(STEPS, max(4, int(distance[-1])))
    edges = np.linspace(0.0, distance[-1], steps + 1)
    rising = np.flatnonzero(np.diff(distance, prepend=-1.0) > 0.0)
    at = np.interp(edges, distance[rising], energy[rising])
    cost = np.diff(at) / np.diff(edges)
    unit, scale = ('km', 1e-3) if distance[-1] > 3000.0 else ('m', 1.0)
    axes.stairs(cost, scale * edges, baseline=0.0, fill=True, color=ACCENT, alpha=0.22)
    axes.stairs(cost, scale * edges, baseline=None, color=ACCENT, linewidth=1.8)
    mean = energy[-1] / distance[-1]
    axes.axhline(mean, color=INK, linewidth=1.4, linestyle='--')
    axes.text(1.0, 1.01, f'on average {mean:.3g} J/m', transform=axes.transAxes, ha='right', va='bottom', color=INK,
              fontsize=11.5)
    low, high, _ = robust_limits([cost])
    axes.set(xlabel=f'Distance over ground, {unit}', ylabel='Energy per metre, J/m',
             xlim=(0.0, scale * distance[-1]), ylim=(low, high))


def draw_measured(figure: 'Figure', size: Size, analysed: AnalysedLog) -> None:
    """Draw the measured electrical power and the model's over time."""
    axes = figure.subplots()
    time, label = time_axis(analysed)
    gap = analysed.log.max_gap * (time[-1] / analysed.log.duration if analysed.log.duration else 1.0)
    for values, colour, name in ((analysed.log.electrical_power, ORANGE, 'measured'),
                                 (analysed.power.total, ACCENT, 'model')):
        t, shown = envelope(time, values, POINTS // 2, gap)
        axes.plot(t, shown, color=colour, linewidth=1.6, label=name)
    low, high, _ = robust_limits([analysed.log.electrical_power, analysed.power.total])
    axes.set(xlabel=label, ylabel='Electrical power, W', ylim=(low, high),
             xlim=(time[0], time[-1] if time.size > 1 else None))
    _legend(axes, size)


def _legend(axes: 'Axes', size: Size, columns: int = 0) -> None:
    """Put the legend above the axes: in rows that fit the width."""
    handles, labels = axes.get_legend_handles_labels()
    once = dict(zip(labels, handles))
    fit = columns or max(1, min(len(once), (size.width - 60) // 130))
    if size.narrow:
        fit = 1 if columns else min(fit, 2)
    axes.legend(once.values(), once.keys(), loc='lower left', bbox_to_anchor=(-0.01, 1.0), ncol=fit, borderaxespad=0.2,
                handlelength=1.4, columnspacing=1.4)
    axes.grid(visible=True, color=GRID)
