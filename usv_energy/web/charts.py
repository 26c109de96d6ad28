"""Charts of the pages: lines over one axis, with bands, points and levels, coloured by the page's style sheet."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import KNOT
from usv_energy.files.text_file import without_nan

MOST_POINTS = 1000      # Of a line: more than pixels.
INK, MUTED, LINE, GRID, ACCENT, LIMIT = (f'var(--{name})' for name in ('ink', 'muted', 'line', 'grid', 'accent', 'no'))
COLOURS = ACCENT, 'var(--second)', 'var(--go)'      # Of lines.
TEXT = {'fontFamily': 'sans-serif', 'fontSize': 12, 'color': INK}
PLAIN = {'disabled': True}  # Where the pointer is: of colours by name ECharts can make no lighter ones.
# The figures at the pointer, beside it.
TOOLTIP = {'trigger': 'axis', 'confine': True, 'backgroundColor': 'var(--card)', 'borderColor': LINE,
           'textStyle': TEXT, ':valueFormatter': '(value) => value == null ? "-" : Number(value).toPrecision(4)'}


class ChartLine(NamedTuple):
    """
    A line of a chart: its name, x and y of one length; NaN is a gap.

    `band`: low and high, shape (2, n), None without; `dashed`; `axis`: 0 the left one, 1 the right one; `shown_points`:
    whether its points are marked; `is_points`: whether there is no line between them; `colour`: of COLOURS, or its own.
    """

    name: str
    x: Any
    y: Any
    band: Any = None
    dashed: bool = False
    axis: int = 0
    shown_points: bool = False
    colour: str = ACCENT
    is_points: bool = False


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


def chart_options(x: ChartAxis, y: Sequence[ChartAxis], lines: Sequence[ChartLine],
                  levels: Sequence[ChartLevel] = ()) -> dict[str, Any]:
    """
    Return the options of a chart, for ECharts, drawn as SVG.

    :param x: The axis along; `y`: one upwards, or two.
    """
    text = {'color': MUTED, 'fontSize': 12}

    def axis(one: ChartAxis, is_right: bool = False, is_x: bool = False) -> dict[str, Any]:
        place = {'nameLocation': 'middle', 'nameGap': 26} if is_x else {'nameLocation': 'end', 'nameGap': 10}
        align = {} if is_x else {'align': 'right' if is_right else 'left'}
        return {'type': 'value', 'name': one.title, 'nameTextStyle': {**text, **align}, 'axisLabel': text, **place,
                'min': one.low, 'max': one.high, 'scale': one.low is None, 'axisLine': {'lineStyle': {'color': MUTED}},
                'splitLine': {'show': not is_right, 'lineStyle': {'color': GRID}}}

    series = [part for line in lines for part in _series(line)]
    if levels and series:
        series[0]['markLine'] = {
            'symbol': 'none', 'silent': True, 'animation': False,
            'lineStyle': {'color': LIMIT, 'type': 'dotted', 'width': 1.5},
            'data': [{'xAxis' if one.is_x else 'yAxis': one.at,
                      'label': {'formatter': one.name, 'color': LIMIT, 'position': 'insideEndTop'}} for one in levels]}
    named = [line.name for line in lines]
    return without_nan({
        'animation': False, 'aria': {'enabled': True}, 'textStyle': TEXT,
        'grid': {'left': 8, 'right': 12 if len(y) == 1 else 8, 'top': 58 if len(named) > 1 else 34, 'bottom': 34,
                 'containLabel': True},
        'legend': {'show': len(named) > 1, 'top': 0, 'left': 0, 'data': named, 'textStyle': TEXT},
        'tooltip': TOOLTIP,
        'dataZoom': [{'type': 'inside', 'xAxisIndex': 0, 'zoomOnMouseWheel': 'ctrl', 'filterMode': 'none'}],
        'xAxis': axis(x, is_x=True), 'yAxis': [axis(one, number == 1) for number, one in enumerate(y)],
        'series': series})


def _series(line: ChartLine) -> list[dict[str, Any]]:
    common = {'type': 'line', 'yAxisIndex': line.axis, 'showSymbol': line.shown_points, 'symbolSize': 6,
              'itemStyle': {'color': line.colour}, 'emphasis': PLAIN}
    kept = decimated(np.asarray(line.x, dtype=float), np.asarray(line.y, dtype=float))
    x, y = (np.asarray(part, dtype=float)[kept] for part in (line.x, line.y))
    own = {'type': 'scatter', 'symbol': 'diamond', 'symbolSize': 11} if line.is_points else {
        'lineStyle': {'color': line.colour, 'width': 2, 'type': 'dashed' if line.dashed else 'solid'}}
    found = [{**common, 'name': line.name, 'data': np.column_stack((x, y)).tolist(), **own}]
    if line.band is None:
        return found
    low, high = (np.asarray(part, dtype=float)[kept] for part in line.band)
    for values, fill in ((low, 0.0), (high - low, 0.18)):
        found.append({**common, 'name': f'{line.name}, 95 %', 'data': np.column_stack((x, values)).tolist(),
                      'stack': f'band of {line.name}', 'stackStrategy': 'all', 'silent': True, 'showSymbol': False,
                      'lineStyle': {'opacity': 0}, 'tooltip': {'show': False},
                      'areaStyle': {'opacity': fill, 'color': line.colour}})
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


def curve_options(name: str, rows: Sequence[dict[str, Any]], key: str, in_knots: bool, scale: float = 1.0,
                  points: Sequence[Sequence[float]] = (), colour: str = ACCENT) -> dict[str, Any]:
    """
    Return the chart of a figure over speed through the water, with its interval where it has one.

    :param name: Of the axis, with the unit.
    :param rows: Each with `speed_m_s`, the figure under its key, and perhaps the ends of its interval, whose keys
        have `_low` and `_high` beside the unit, as those of `curve_figures` and of `range_figures` do.
    :param in_knots: Whether speeds are shown in knots.
    :param scale: Of the figure, for the unit that is shown.
    :param points: Speeds, m/s, and figures that were measured.
    """
    unit, speed = ('kn', 1.0 / KNOT) if in_knots else ('m/s', 1.0)
    known = [row for row in rows if row.get(key) is not None]
    ends = next((ends for ends in _interval_keys(key) if any(ends[0] in row for row in known)), None)
    x, y = (np.array([row[one] for row in known], dtype=float) for one in ('speed_m_s', key))
    band = None if ends is None else scale * np.array([[row.get(end) for row in known] for end in ends], dtype=float)
    lines = [ChartLine('expected' if band is None else 'expected; band: 95 of 100 cases', speed * x, scale * y, band,
                       colour=colour)]
    if points:
        at, figures = (np.array(points, dtype=float) * (speed, scale)).T
        lines.append(ChartLine('measured', at, figures, colour=INK, is_points=True))
    return chart_options(ChartAxis(f'Speed through the water, {unit}', 0.0), [ChartAxis(name, 0.0)], lines)


def _interval_keys(key: str) -> tuple[tuple[str, str], ...]:
    """Return how the ends of a figure's interval may be called: power_low_w, or range_m_low."""
    stem, _, unit = key.rpartition('_')
    return (f'{stem}_low_{unit}', f'{stem}_high_{unit}'), (f'{key}_low', f'{key}_high')
