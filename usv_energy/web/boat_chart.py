"""The pictures of a boat that is made: electrical power, and how far and how long it goes, over the speed."""

from collections.abc import Sequence
from typing import Any

from usv_energy.earth import KNOT
from usv_energy.web.look_back_chart import ACCENT, GRID, INK, MUTED, PLAIN, TEXT, TOOLTIP

HEIGHT = 320    # px


def curve_chart(name: str, rows: Sequence[dict[str, Any]], key: str, in_knots: bool, scale: float = 1.0,
                points: Sequence[Sequence[float]] = (), colour: str = ACCENT) -> dict[str, Any]:
    """
    Return the options of ECharts for a figure over speed, with its interval where it has one.

    :param name: Of the axis, with the unit.
    :param rows: Each with `speed_m_s`, the figure under its key, and perhaps the ends of its interval, whose keys
        have `_low` and `_high` beside the unit, as those of `curve_figures` and of `range_figures` do.
    :param in_knots: Whether speeds are shown in knots.
    :param scale: Of the figure, for the unit that is shown.
    :param points: Speeds, m/s, and figures that were measured.
    """
    speed = 1.0 / KNOT if in_knots else 1.0
    known = [row for row in rows if row.get(key) is not None]
    low, high = next(((low, high) for low, high in _interval_keys(key) if any(low in row for row in known)), ('', ''))
    ends = [row for row in known if low and row.get(low) is not None and row.get(high) is not None]
    band = {'type': 'line', 'stack': 'band', 'showSymbol': False, 'silent': True, 'lineStyle': {'opacity': 0},
            'color': colour, 'stackStrategy': 'all', 'emphasis': PLAIN, 'tooltip': {'show': False}}
    series = [
        {**band, 'id': 'low', 'name': 'in 95 of 100 cases', 'data': [[speed * row['speed_m_s'], scale * row[low]]
                                                                    for row in ends]},
        {**band, 'id': 'high', 'name': 'in 95 of 100 cases', 'areaStyle': {'color': colour, 'opacity': 0.2}, 'data': [
            [speed * row['speed_m_s'], scale * (row[high] - row[low])] for row in ends]},
        {'id': 'middle', 'name': 'expected', 'type': 'line', 'showSymbol': False, 'silent': True, 'color': colour,
         'lineStyle': {'color': colour, 'width': 2.2}, 'emphasis': PLAIN,
         'data': [[speed * row['speed_m_s'], scale * row[key]] for row in known]},
        {'id': 'measured', 'name': 'measured', 'type': 'scatter', 'symbolSize': 11, 'silent': True, 'color': INK,
         'symbol': 'diamond', 'emphasis': PLAIN, 'data': [[speed * one, scale * value] for one, value in points]}]
    return {
        'animation': False, 'textStyle': TEXT,
        'legend': {'top': 0, 'textStyle': TEXT, 'itemWidth': 14, 'itemHeight': 8,
                   'data': [*(['in 95 of 100 cases'] if ends else []), 'expected', *(['measured'] if points else [])]},
        'grid': {'left': 60, 'right': 16, 'top': 58, 'bottom': 44},
        'tooltip': TOOLTIP,
        'xAxis': {'type': 'value', 'min': 0, 'name': f'Speed through the water, {"kn" if in_knots else "m/s"}',
                  'nameLocation': 'middle', 'nameGap': 26, 'axisLabel': {'color': MUTED, 'hideOverlap': True},
                  'nameTextStyle': {'color': MUTED}, 'splitLine': {'show': False}},
        'yAxis': {'type': 'value', 'min': 0, 'name': name, 'axisLabel': {'color': MUTED},
                  'nameTextStyle': {'color': MUTED, 'align': 'left', 'padding': [0, 0, 0, -48]},
                  'splitLine': {'lineStyle': {'color': GRID}}},
        'series': series}


def _interval_keys(key: str) -> tuple[tuple[str, str], ...]:
    """Return how the ends of a figure's interval may be called: power_low_w, or range_m_low."""
    stem, _, unit = key.rpartition('_')
    return (f'{stem}_low_{unit}', f'{stem}_high_{unit}'), (f'{key}_low', f'{key}_high')
