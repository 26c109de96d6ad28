"""One picture of many scenarios: energy and time beside what was published."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...sim.record import Summary
from ..figure import BLUE, GREY, ORANGE, SKY, picture
from ..text.run_tables import INCOMPLETE, Comparison, comparisons, value_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bar = tuple[str, str, Callable[[Comparison], float | None]]

ENERGY: tuple[Bar, ...] = (
    ('rep103', BLUE, lambda pair: value_of(pair.rep103, 'energy_j')),
    ('as_published', ORANGE, lambda pair: value_of(pair.as_published, 'energy_j')),
    ('published', GREY, lambda pair: pair.any['published_energy_j']))
TIME: tuple[Bar, ...] = (
    ('run', SKY, lambda pair: pair.any['duration_s']),
    ('published', GREY, lambda pair: pair.any['published_duration_s']))


def plot_overview(summaries: Sequence[Summary], path: Path) -> None:
    """Draw energy and time of every scenario beside the published ones into a PNG; OSError if it fails."""
    pairs = comparisons(summaries)
    with picture(path, max(9.0, 3.0 + 1.0 * len(pairs)), 6.4) as figure:
        energy, time = figure.subplots(2, 1, height_ratios=(1.7, 1.0), sharex=True)
        _draw_bars(energy, pairs, ENERGY, 'Energy', 'E, J', 0)
        _draw_bars(time, pairs, TIME, 'Time', 'T, s', 1)
        time.set_xticks(range(len(pairs)), [pair.name + INCOMPLETE * bool(pair.incomplete) for pair in pairs])
        time.set_xlabel('Scenario')


def _draw_bars(axes: 'Axes', pairs: Sequence[Comparison], bars: Sequence[Bar], title: str, label: str,
               digits: int) -> None:
    shown = [(name, colour, [_height(value(pair)) for pair in pairs]) for name, colour, value in bars]
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


def _height(value: float | None) -> float:
    return math.nan if value is None else value
