"""The pictures of a report's page: track, power, energy, speed, energy per metre, model against measurement."""

from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.logs.quality import at_once
from usv_energy.show.figure import VERMILION
from usv_energy.show.page.page_parts import (
    ACCENT,
    GRID,
    HALF,
    INK,
    LEVELS,
    MUTED,
    NARROW,
    PAPER,
    RAMP,
    WIDE,
    Draw,
    Drawing,
    Size,
)
from usv_energy.show.text_table import formatted
from usv_energy.studies.analyze import picture_data as data
from usv_energy.studies.analyze.analysed_log import AnalysedLog

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def drawings_of(analysed: AnalysedLog) -> list[Drawing]:
    """Return the drawings of a page, those that there is something to draw for; but for `measured_drawing`."""
    makers = (_track, _power, _energy, _battery, _home, _speed, _per_meter)
    return [one for one in at_once(lambda make: make(analysed), makers, len(analysed.log)) if one is not None]


def _track(analysed: AnalysedLog) -> Drawing | None:
    if not data.has_track(analysed):
        return None
    return _drawing('track', 'Map of the track; colour is total power', draw_track, data.track_of(analysed),
                    (WIDE, track_height(analysed)), 400)


def _power(analysed: AnalysedLog) -> Drawing:
    return _drawing('power', 'Power by cause over time', draw_power, data.power_lines(analysed), (WIDE, 360), 340)


def _energy(analysed: AnalysedLog) -> Drawing:
    return _drawing('energy', 'Energy so far, stacked by cause', draw_energy, data.energy_by_cause(analysed),
                    (HALF, 360), 330)


def _home(analysed: AnalysedLog) -> Drawing | None:
    home = data.way_home(analysed)
    if home is None:
        return None
    return _drawing('home', 'Energy left beyond the way home over time, and the time until the point of no return',
                    draw_way_home, home, (WIDE, 470), 470)


def _speed(analysed: AnalysedLog) -> Drawing | None:
    if not analysed.energy.samples:
        return None
    return _drawing('speed', 'Power over speed through the water, of the run and of the boat in steady motion',
                    draw_speed_power, data.speed_power(analysed), (HALF, 370), 360)


def _per_meter(analysed: AnalysedLog) -> Drawing | None:
    if not analysed.energy.distance_over_ground > 0.0:
        return None
    return _drawing('per-meter', 'Energy per metre over ground along the way', draw_per_meter,
                    data.per_meter(analysed), (HALF, 370), 320)


def _battery(analysed: AnalysedLog) -> Drawing | None:
    battery = data.simulated_battery(analysed)
    if battery is None:
        return None
    return _drawing('battery', "Volts, amperes, charge and temperature of the simulated battery's cells over time",
                    draw_battery, battery, (WIDE, 470), 560)


def measured_drawing(analysed: AnalysedLog) -> Drawing:
    """Return the drawing of the measured electrical power and the model's."""
    return _drawing('measured', 'Measured electrical power and the model over time', draw_measured,
                    data.against_measured(analysed), (WIDE, 330), 320)


def _drawing(name: str, description: str, draw: Draw, shown: Any, wide: tuple[int, int], narrow: int) -> Drawing:
    return Drawing(name, description, draw, shown, Size(*wide, False), Size(NARROW, narrow, True))


def track_height(analysed: AnalysedLog) -> int:
    """Return the height of the wide map, px: low for a track from east to west, higher for others."""
    x, y = (values[np.isfinite(values)] for values in (analysed.log.x, analysed.log.y))
    return int(np.clip(WIDE * (np.ptp(y) + 1.0) / (np.ptp(x) + 1.0), 280, 620))


def draw_track(figure: 'Figure', size: Size, track: data.PoweredTrack) -> None:
    """Draw the track, coloured by power."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import BoundaryNorm, ListedColormap
    axes = figure.subplots()
    x, y, power, unbroken, _ = track
    finite = power[np.isfinite(power)]
    low, high = np.percentile(finite, (2.0, 98.0)) if finite.size else (0.0, 1.0)
    if high - low < 1e-3 * max(abs(high), 1e-9):
        low, high = low - 0.05 * abs(low) - 0.5, high + 0.05 * abs(high) + 0.5
    norm = BoundaryNorm(np.linspace(low, high, LEVELS + 1), LEVELS, clip=True)
    colours = ListedColormap(RAMP)
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


def draw_power(figure: 'Figure', size: Size, power: data.Lines) -> None:
    """Draw power by cause over time."""
    axes = figure.subplots()
    *causes, total = power.lines
    for cause in causes:
        axes.plot(cause.time, cause.values, color=cause.colour, linewidth=1.6, label=cause.name)
    axes.plot(total.time, total.values, color=total.colour, linewidth=2.4, label=total.name, zorder=1.5)
    axes.axhline(0.0, color=MUTED, linewidth=1.0)
    for end in power.legs:
        axes.axvline(end, color=MUTED, linewidth=1.4, linestyle='--', zorder=1.2)
    axes.set(xlabel=power.xlabel, ylabel='Power, W', ylim=power.limits, xlim=power.span)
    if power.cut:
        place, side = (0.97, 'top') if size.narrow else (1.01, 'bottom')  # A narrow picture's legend takes the width.
        axes.text(1.0, place, 'spikes are cut off', transform=axes.transAxes, ha='right', va=side, color=MUTED,
                  fontsize=11)
    _legend(axes, size)


def draw_energy(figure: 'Figure', size: Size, energy: data.Areas) -> None:
    """Draw the energy so far, stacked by cause; causes that give energy back lie below zero."""
    axes = figure.subplots()
    above, below = np.zeros(energy.time.size), np.zeros(energy.time.size)
    for cause, values in energy.areas:
        for base, part in ((above, np.maximum(values, 0.0)), (below, np.minimum(values, 0.0))):
            if np.any(part != 0.0):
                axes.fill_between(energy.time, base, base + part, color=cause.colour, linewidth=0.0, label=cause.name)
                base += part
    axes.plot(energy.time, energy.total, color=INK, linewidth=2.0, label='total')
    axes.set(xlabel=energy.xlabel, ylabel=f'Energy so far, {energy.unit}', xlim=energy.span)
    axes.margins(y=0.06)
    _legend(axes, size)


def draw_way_home(figure: 'Figure', size: Size, home: data.WayHomeTrace) -> None:
    """Draw what is left beyond the way home, and below it how long until the point of no return."""
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2.0, 1.0))
    above.plot(home.time, home.left, color=MUTED, linewidth=1.6, label='energy left')
    above.plot(home.time, home.home, color=VERMILION, linewidth=1.6, label='way home at most, and reserve')
    above.plot(home.time, home.margin, color=ACCENT, linewidth=2.4, label='margin')
    above.axhline(0.0, color=INK, linewidth=1.0)
    below.plot(home.time, home.no_return, color=ACCENT, linewidth=2.0)
    for axes in (above, below):
        for number, (begin, end) in enumerate(home.back):
            axes.axvspan(begin, end, color=VERMILION, alpha=0.14, linewidth=0.0,
                         label='return_home' if not number else None)
    above.set(ylabel='Energy, Wh', xlim=home.span)
    below.set(xlabel=home.xlabel, ylabel='No return in, min')
    below.set_ylim(bottom=0.0)
    _legend(above, size, 4)
    below.grid(visible=True, color=GRID)


def draw_battery(figure: 'Figure', size: Size, battery: data.BatteryLines) -> None:
    """Draw a simulated battery: volts above amperes, beside or below them charge above temperature."""
    shape = (4, 1) if size.narrow else (2, 2)
    panels = figure.subplots(*shape, sharex=True, squeeze=False)
    order = panels.ravel() if size.narrow else panels.T.ravel()
    for axes, values, label, colour in zip(
            order, (battery.volts, battery.amperes, battery.charge, battery.degc),
            ('Voltage, V', 'Current, A', 'Charge, %', 'Cells, °C'), (ACCENT, VERMILION, ACCENT, VERMILION)):
        axes.plot(battery.time, values, color=colour, linewidth=1.8)
        axes.set(ylabel=label, xlim=battery.span)
        axes.ticklabel_format(useOffset=False)
        axes.grid(visible=True, color=GRID)
    for axes in panels[-1]:
        axes.set_xlabel(battery.xlabel)


def draw_speed_power(figure: 'Figure', size: Size, found: data.SpeedPower) -> None:
    """Draw power over the speed through the water: the boat's steady curve, and this run's samples."""
    axes = figure.subplots()
    axes.plot(found.water, found.power, 'o', color=ACCENT, alpha=0.28, markersize=4.5, markeredgewidth=0.0,
              label='this run')
    axes.plot(found.speed, found.steady, color=INK, linewidth=2.0, label='boat, steady, still water and air')
    axes.plot(found.centres, found.medians, 'D', color=VERMILION, markersize=6, markeredgewidth=0.0,
              label='median of this run')
    axes.set(xlabel='Speed through the water, m/s', ylabel='Total power, W', ylim=found.limits)
    axes.set_xlim(left=0.0)
    _legend(axes, size, 2)


def draw_per_meter(figure: 'Figure', size: Size, found: data.PerMeter) -> None:
    """Draw the energy per metre over ground along the way."""
    axes = figure.subplots()
    axes.stairs(found.cost, found.edges, baseline=0.0, fill=True, color=ACCENT, alpha=0.22)
    axes.stairs(found.cost, found.edges, baseline=None, color=ACCENT, linewidth=1.8)
    axes.axhline(found.mean, color=INK, linewidth=1.4, linestyle='--')
    axes.text(1.0, 1.01, f'on average {formatted(found.mean)} J/m', transform=axes.transAxes, ha='right', va='bottom',
              color=INK, fontsize=11.5)
    axes.set(xlabel=f'Distance over ground, {found.unit}', ylabel='Energy per metre, J/m',
             xlim=(0.0, found.edges[-1]), ylim=found.limits)


def draw_measured(figure: 'Figure', size: Size, power: data.Lines) -> None:
    """Draw the measured electrical power and the model's over time."""
    axes = figure.subplots()
    for line in power.lines:
        axes.plot(line.time, line.values, color=line.colour, linewidth=1.6, label=line.name)
    axes.set(xlabel=power.xlabel, ylabel='Electrical power, W', ylim=power.limits, xlim=power.span)
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
