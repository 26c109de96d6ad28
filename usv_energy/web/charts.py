"""Charts of the pages: lines over one axis, with bands, marks and levels, in light and dark colours."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from nicegui import ui

from usv_energy.files.text_file import without_nan
from usv_energy.web.html_parts import heading

MOST_POINTS = 1000      # Of a line: more than pixels.
# Colours on white and on dark paper: each at least 4.5 to 1 for text, 3 to 1 for lines.
INK, MUTED, GRID = ('#16242c', '#e8edf0'), ('#55626b', '#a3afb7'), ('#dde2e5', '#2f3a42')
LINES = (('#0b5fa5', '#6db7f2'), ('#b3431f', '#f08246'), ('#0a6b4f', '#2cc399'), ('#7a3f8f', '#c79ae0'))
LIMIT = ('#a32020', '#ff9a94')


class ChartLine(NamedTuple):
    """
    A line of a chart: its name, x and y of one length; NaN is a gap.

    `band`: low and high, shape (2, n), None without; `dashed`; `axis`: 0 the left one, 1 the right one; `shown_points`:
    whether its points are marked; `colour`: of LINES, by its number, or an own pair.
    """

    name: str
    x: Any
    y: Any
    band: Any = None
    dashed: bool = False
    axis: int = 0
    shown_points: bool = False
    colour: int | tuple[str, str] = 0


class ChartLevel(NamedTuple):
    """A line across, at y, or with `is_x` upwards, at x, with its name."""

    name: str
    at: float
    is_x: bool = False


class ChartAxis(NamedTuple):
    """An axis: its title with the unit, and its ends, None for those of what is shown."""

    title: str
    low: float | None = None
    high: float | None = None


def chart_options(dark: bool, x: ChartAxis, y: Sequence[ChartAxis], lines: Sequence[ChartLine],
                  levels: Sequence[ChartLevel] = ()) -> dict[str, Any]:
    """
    Return the options of a chart, for ECharts.

    :param dark: Whether it is shown on dark paper.
    :param x: The axis along; `y`: one upwards, or two.
    """
    ink, muted, grid, limit = (pair[dark] for pair in (INK, MUTED, GRID, LIMIT))
    text = {'color': muted, 'fontSize': 12}

    def axis(one: ChartAxis, is_right: bool = False, is_x: bool = False) -> dict[str, Any]:
        place = {'nameLocation': 'middle', 'nameGap': 26} if is_x else {'nameLocation': 'end', 'nameGap': 10}
        align = {} if is_x else {'align': 'right' if is_right else 'left'}
        return {'type': 'value', 'name': one.title, 'nameTextStyle': {**text, **align}, 'axisLabel': text, **place,
                'min': one.low, 'max': one.high, 'scale': one.low is None, 'axisLine': {'lineStyle': {'color': muted}},
                'splitLine': {'show': not is_right, 'lineStyle': {'color': grid}}}

    series = [part for line in lines for part in _series(line, dark)]
    if levels and series:
        series[0]['markLine'] = {
            'symbol': 'none', 'silent': True, 'animation': False,
            'lineStyle': {'color': limit, 'type': 'dotted', 'width': 1.5},
            'data': [{'xAxis' if one.is_x else 'yAxis': one.at,
                      'label': {'formatter': one.name, 'color': limit, 'position': 'insideEndTop'}} for one in levels]}
    named = [line.name for line in lines]
    return without_nan({
        'animation': False, 'aria': {'enabled': True}, 'textStyle': {'color': ink},
        'grid': {'left': 8, 'right': 12 if len(y) == 1 else 8, 'top': 58 if len(named) > 1 else 34, 'bottom': 34,
                 'containLabel': True},
        'legend': {'show': len(named) > 1, 'top': 0, 'left': 0, 'data': named, 'textStyle': {'color': ink}},
        'tooltip': {'trigger': 'axis', 'confine': True},
        'toolbox': {'show': False},
        'dataZoom': [{'type': 'inside', 'xAxisIndex': 0, 'zoomOnMouseWheel': 'ctrl', 'filterMode': 'none'}],
        'xAxis': axis(x, is_x=True), 'yAxis': [axis(one, number == 1) for number, one in enumerate(y)],
        'series': series})


def _series(line: ChartLine, dark: bool) -> list[dict[str, Any]]:
    pair = LINES[line.colour % len(LINES)] if isinstance(line.colour, int) else line.colour
    common = {'type': 'line', 'yAxisIndex': line.axis, 'showSymbol': line.shown_points, 'symbolSize': 6}
    kept = decimated(np.asarray(line.x, dtype=float), np.asarray(line.y, dtype=float))
    x, y = (np.asarray(part, dtype=float)[kept] for part in (line.x, line.y))
    found = [{**common, 'name': line.name, 'data': np.column_stack((x, y)).tolist(), 'itemStyle': {'color': pair[dark]},
              'lineStyle': {'color': pair[dark], 'width': 2, 'type': 'dashed' if line.dashed else 'solid'}}]
    if line.band is None:
        return found
    low, high = (np.asarray(part, dtype=float)[kept] for part in line.band)
    for values, fill in ((low, 0.0), (high - low, 0.18)):
        found.append({**common, 'name': f'{line.name}, 95 %', 'data': np.column_stack((x, values)).tolist(),
                      'stack': f'band of {line.name}', 'stackStrategy': 'all', 'silent': True, 'showSymbol': False,
                      'lineStyle': {'opacity': 0}, 'itemStyle': {'color': pair[dark]}, 'tooltip': {'show': False},
                      'areaStyle': {'opacity': fill, 'color': pair[dark]}})
    return found


def decimated(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the indices of at most MOST_POINTS points of a line, with the lowest and the highest of each stretch."""
    number = x.size
    if number <= MOST_POINTS:
        return np.arange(number)
    edges = np.linspace(0, number, MOST_POINTS // 2 + 1).astype(int)
    ends = [(begin + int(np.argmin(part)), begin + int(np.argmax(part)))
            for begin, end in pairwise(edges.tolist()) if (part := np.nan_to_num(y[begin:end])).size]
    return np.unique([0, *(index for pair in ends for index in pair), number - 1])


class Chart:
    """A chart on a page, with its title; what it shows stands in tables of the page, too."""

    def __init__(self, title: str) -> None:
        """Make it, empty."""
        with ui.element('section').classes('card') as self.card:
            heading(title)
            self.note = ui.label().classes('note')
            self._chart = ui.echart({}).classes('chart').props(f'aria-label="{title}" role=img')
        self.note.set_visibility(False)

    def show(self, options: dict[str, Any] | None, note: str = '') -> None:
        """Show options of `chart_options`; None hides the chart; `note`: above it."""
        self._chart.set_visibility(options is not None)
        self.card.set_visibility(options is not None or bool(note))
        self.note.set_text(note)
        self.note.set_visibility(bool(note))
        if options is not None:
            self._chart.options.clear()
            self._chart.options.update(options)
            self._chart.update()
