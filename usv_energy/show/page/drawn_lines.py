"""Lines of a page over time or departure: energies by departure, speeds and energies on the way."""

import math
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.show.figure import VERMILION
from usv_energy.show.page.page_parts import ACCENT, GRID, INK, MUTED, Size
from usv_energy.units import moment_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DAY = 86400.0           # s
TICKS = 300.0, 600.0, 1800.0, 3600.0, 7200.0, 10800.0, 21600.0, 43200.0, DAY     # s, below an axis of moments
LEAST_SPAN = 0.02       # of an axis of energies, each way, of their size: what differs less is drawn as one
FAR = 0.5               # of the span of energies beyond them: a reserve further off is not drawn


class DrawnLines(NamedTuple):
    """Lines over time or departure: name, x, y, colour, style; labels; a marked point; whether the axis starts at 0."""

    lines: tuple[tuple[str, np.ndarray, np.ndarray, str, str], ...]
    xlabel: str
    ylabel: str
    marked: tuple[Any, float] | None = None
    mark: str = 'best'
    from_zero: bool = False


def time_unit(longest: float) -> tuple[float, str]:
    """Return a unit of time that fits a duration, s: its length in seconds, and its name."""
    return (3600.0, 'h') if longest > 3.0 * 3600.0 else (60.0, 'min') if longest > 300.0 else (1.0, 's')


def departure_lines(departure: np.ndarray, energy: np.ndarray, held: np.ndarray, best: int, spare: float,
                    zero: datetime | None) -> DrawnLines:
    """
    Return energies by departure, the best marked, with what the battery has down to its reserve if that is near.

    :param departure: s of the flow's time, shape (n,).
    :param energy: J, (n,); NaN for none.
    :param held: At which the ordered speeds are held, (n,).
    :param best: Index of the best.
    :param spare: Energy down to the reserve, J; NaN without a battery.
    :param zero: The moment of the flow's time 0; None if it is not known.
    """
    times, label = departure_axis(departure, zero)
    lines = [('energy', times, energy / JOULES_PER_WH, ACCENT, '-')]
    if (slow := ~held & np.isfinite(energy)).any():
        lines.append(('speed not held', times[slow], energy[slow] / JOULES_PER_WH, VERMILION, 'o'))
    low, high = float(np.nanmin(energy)), float(np.nanmax(energy))
    room = max(high - low, 2.0 * LEAST_SPAN * high)
    if low - 0.25 * FAR * room <= spare <= high + FAR * room:
        lines.append(('down to the reserve', times[[0, -1]], np.full(2, spare / JOULES_PER_WH), VERMILION, '--'))
    return DrawnLines(tuple(lines), label, 'Energy, Wh', (times[best], float(energy[best]) / JOULES_PER_WH))


def departure_axis(departure: np.ndarray, zero: datetime | None) -> tuple[np.ndarray, str]:
    """
    Return departures for an axis, and its label: moments in their zone where they are known, else the flow's time.

    :param departure: s of the flow's time, shape (n,).
    :param zero: The moment of the flow's time 0 in the zone that is shown; None if it is not known.
    """
    if zero is not None:
        return (np.datetime64(zero.replace(tzinfo=None), 's') + np.round(departure).astype('timedelta64[s]'),
                f'Departure, {moment_words(zero).rpartition(" ")[2]}')
    unit, label = time_unit(float(departure[-1]))
    return departure / unit, f"Departure, {label} of the flow's time"


def tick_departures(axes: 'Axes', size: Size, times: np.ndarray) -> None:
    """Put as many moments below an axis of departures, of `departure_axis`, as have room beside each other."""
    if times.dtype.kind == 'M':
        midnight, parts = times[0].astype('datetime64[D]'), 3 if size.narrow else 8
        begin, end = ((moment - midnight) / np.timedelta64(1, 's') for moment in (times[0], times[-1]))
        days = math.ceil((end - begin) / parts / DAY)
        step = next((step for step in TICKS if end - begin <= parts * step), days * DAY)
        ticks = midnight + (step * np.arange(math.ceil(begin / step), end // step + 1.0)).astype('timedelta64[s]')
        new_day = np.append(True, np.diff(ticks.astype('datetime64[D]')) > np.timedelta64(0, 'D'))
        axes.set_xticks(ticks, [f'{str(tick)[11:16]}{chr(10)}{str(tick)[5:10]}' if new else str(tick)[11:16]
                                for tick, new in zip(ticks, new_day)])


def draw_lines(figure: 'Figure', size: Size, shown: DrawnLines) -> None:
    """Draw lines with a legend above them."""
    axes = figure.subplots()
    for name, x, y, colour, line in shown.lines:
        axes.plot(x, y, line, color=colour, linewidth=2.0, label=name)
    if shown.marked is not None:
        axes.plot(*shown.marked, 'o', color=INK, markersize=9, label=shown.mark)
    axes.set(xlabel=shown.xlabel, ylabel=shown.ylabel)
    tick_departures(axes, size, shown.lines[0][1])
    axes.ticklabel_format(axis='y', useOffset=False)
    if shown.from_zero:
        axes.set_ylim(0.0, 1.1 * max(float(np.max(y)) for _, _, y, _, _ in shown.lines))
    elif (high := axes.get_ylim()[1]) - (low := axes.get_ylim()[0]) < 2.0 * LEAST_SPAN * abs(high):
        axes.set_ylim(*(0.5 * (low + high) + side * LEAST_SPAN * abs(high) for side in (-1.0, 1.0)))
    axes.grid(visible=True, color=GRID)
    axes.legend(loc='lower left', bbox_to_anchor=(-0.01, 1.0), ncol=1 if size.narrow else 4, borderaxespad=0.2,
                handlelength=1.8, columnspacing=1.4)
    axes.tick_params(colors=MUTED)
