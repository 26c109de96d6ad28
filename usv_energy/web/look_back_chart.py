"""The chart of a log over time: power by cause, charge, wind and current, one below the other, on one time."""

from collections.abc import Sequence
from typing import Any

from usv_energy.earth import KNOT
from usv_energy.web.charts import (
    ACCENT,
    COLOURS,
    GRID,
    INK,
    LINE,
    MUTED,
    PLAIN,
    TEXT,
    ChartAxis,
    ChartLine,
    chart_options,
)

HEIGHT = 620                                    # px
PANES = ((64, 250), (352, 80), (470, 80))       # px: top and height of each
LEFT, RIGHT = 64, 18


def time_unit(duration: float) -> tuple[float, str]:
    """Return the seconds of a unit that fits a duration, s, and its name."""
    return (3600.0, 'h') if duration > 3.0 * 3600.0 else (60.0, 'min') if duration > 600.0 else (1.0, 's')


def log_chart(series: dict[str, Any], unit: tuple[float, str], in_knots: bool) -> dict[str, Any]:
    """
    Return the options of ECharts.

    :param series: As of `log_series`.
    :param unit: Of its time axis, as of `time_unit`.
    :param in_knots: Whether speeds of wind and current are shown in knots.
    """
    lines = [_line(0, cause['name'], cause, 'power_w', f'var(--c-{cause["key"]})', unit[0])
             for cause in series['causes']]
    lines.append(_line(0, 'total', series['total'], 'power_w', INK, unit[0], 2.4))
    if series['measured'] is not None:
        lines.append(_line(0, 'measured', series['measured'], 'power_w', 'var(--measured)', unit[0], kind='dashed'))
    if series['charge'] is not None:
        lines.append(_line(1, 'charge', series['charge'], 'state_of_charge', 'var(--r4)', unit[0], factor=100.0))
    scale = 1.0 / KNOT if in_knots else 1.0
    lines += [_line(2, 'wind', series['wind'], 'speed_m_s', 'var(--c-wind)', unit[0], factor=scale),
              _line(2, 'current', series['current'], 'speed_m_s', ACCENT, unit[0], factor=scale, kind='dashed')]
    names = ('Power, W', 'Charge, %', f'Wind, current, {"kn" if in_knots else "m/s"}')
    span = {'min': series['begin_s'] / unit[0], 'max': series['end_s'] / unit[0]}
    return {
        'animation': False, 'textStyle': TEXT,
        'legend': {'type': 'scroll', 'top': 4, 'left': 8, 'right': 8, 'textStyle': TEXT, 'icon': 'roundRect',
                   'itemWidth': 14, 'itemHeight': 8, 'itemGap': 14, 'pageTextStyle': TEXT, 'inactiveColor': MUTED},
        'axisPointer': {'link': [{'xAxisIndex': 'all'}]},
        'tooltip': {'trigger': 'axis', 'showContent': False, 'axisPointer': {'lineStyle': {'color': MUTED}}},
        'grid': [{'left': LEFT, 'right': RIGHT, 'top': top, 'height': height} for top, height in PANES],
        'xAxis': [{'type': 'value', 'gridIndex': pane, **span, 'name': f'Time, {unit[1]}' if pane == 2 else '',
                   'nameLocation': 'middle', 'nameGap': 26, 'axisLabel': {'show': pane == 2, 'color': MUTED,
                                                                          'hideOverlap': True},
                   'axisLine': {'lineStyle': {'color': LINE}}, 'nameTextStyle': {'color': MUTED},
                   'splitLine': {'show': False}} for pane in range(3)],
        'yAxis': [{'type': 'value', 'gridIndex': pane, 'name': name, 'nameLocation': 'end', 'scale': pane == 1,
                   'nameTextStyle': {'color': MUTED, 'align': 'left', 'padding': [0, 0, 0, -LEFT + 12]},
                   'splitNumber': 5 if pane == 0 else 2, 'axisLabel': {'color': MUTED},
                   'splitLine': {'lineStyle': {'color': GRID}}} for pane, name in enumerate(names)],
        'dataZoom': [{'type': 'inside', 'xAxisIndex': [0, 1, 2], 'filterMode': 'none', 'zoomOnMouseWheel': 'ctrl',
                      'moveOnMouseWheel': False},
                     {'type': 'slider', 'xAxisIndex': [0, 1, 2], 'filterMode': 'none', 'height': 22, 'bottom': 6,
                      'showDataShadow': False, 'labelFormatter': '', 'borderColor': LINE,
                      'fillerColor': 'rgba(127,160,190,.25)'}],
        'series': [*lines, *(_cursor(pane) for pane in range(3))]}


def _line(pane: int, name: str, series: dict[str, Any], key: str, colour: str, unit: float, width: float = 1.6,
          factor: float = 1.0, kind: str = 'solid') -> dict[str, Any]:
    """Return a line; `factor`: of its values, for the unit that is shown."""
    points = [[None if time is None else time / unit, None if value is None else factor * value]
              for time, value in zip(series['time_s'], series[key])]
    return {'id': f'{pane}-{name}', 'name': name, 'type': 'line', 'xAxisIndex': pane, 'yAxisIndex': pane,
            'showSymbol': False, 'data': points, 'color': colour,
            'lineStyle': {'color': colour, 'width': width, 'type': kind}, 'silent': True, 'emphasis': PLAIN}


def _cursor(pane: int) -> dict[str, Any]:
    """Return a series without points whose mark is the cursor."""
    return {'id': f'cursor-{pane}', 'type': 'line', 'xAxisIndex': pane, 'yAxisIndex': pane, 'data': [],
            'markLine': {'symbol': 'none', 'silent': True, 'animation': False, 'label': {'show': False},
                         'lineStyle': {'color': INK, 'width': 1.5, 'type': 'solid'}, 'data': []}}


def cursor_options(time: float, unit: float) -> dict[str, Any]:
    """Return what moves the cursor to a time, s."""
    return {'series': [{'id': f'cursor-{pane}', 'markLine': {'data': [{'xAxis': time / unit}]}} for pane in range(3)]}


def distance_chart(pair: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """Return the chart of the energy so far of two logs, by name, over the distance; as of `energy_over_distance`."""
    lines = [ChartLine(name, found['distance_over_ground_m'], found['energy_so_far_j'], dashed=number > 0,
                       colour=COLOURS[number]) for number, (name, found) in enumerate(pair)]
    return chart_options(ChartAxis('Distance over ground, m'), [ChartAxis('Energy so far, J')], lines)
