"""Charts show what they are given: ends of lines and their extremes, bands, gaps."""

import re
from pathlib import Path

import numpy as np
import pytest

from usv_energy.web import charts


def test_a_long_line_keeps_its_ends_and_its_extremes():
    y = np.sin(np.arange(100_000) / 50.0)
    y[43_210], y[70_001] = 9.0, -9.0
    kept = charts.decimated(np.arange(y.size), y)
    assert kept.size <= charts.MOST_POINTS + 2 and (kept[0], kept[-1]) == (0, y.size - 1)
    assert {43_210, 70_001} <= set(kept.tolist()) and np.all(np.diff(kept) > 0)


def test_a_short_line_is_whole_and_gaps_stay():
    line = charts.ChartLine('charge', [0.0, 1.0, 2.0], [1.0, np.nan, 3.0])
    [series] = charts.chart_options(charts.ChartAxis('s'), [charts.ChartAxis('%')], [line])['series']
    assert series['data'] == [[0.0, 1.0], [1.0, None], [2.0, 3.0]]


def test_a_band_lies_between_its_ends():
    line = charts.ChartLine('charge', [0.0, 1.0], [5.0, 4.0], np.array([[4.0, 2.0], [6.0, 7.0]]))
    _, low, wide = charts.chart_options(charts.ChartAxis('s'), [charts.ChartAxis('%')], [line])['series']
    assert [point[1] for point in low['data']] == [4.0, 2.0]
    assert [point[1] for point in wide['data']] == [2.0, 5.0] and low['stack'] == wide['stack']


def test_a_curve_has_its_interval_in_the_unit_that_is_shown():
    rows = [{'speed_m_s': 1.0, 'power_w': 50.0, 'power_low_w': 40.0, 'power_high_w': 70.0},
            {'speed_m_s': 2.0, 'power_w': None, 'power_low_w': None, 'power_high_w': None}]
    found = charts.curve_options('Power, W', rows, 'power_w', False, points=[(1.0, 55.0)])['series']
    assert [one['data'] for one in found] == [[[1.0, 50.0]], [[1.0, 40.0]], [[1.0, 30.0]], [[1.0, 55.0]]]
    rows = [{'speed_m_s': 1852.0 / 3600.0, 'range_m': 5e3, 'range_m_low': 4e3, 'range_m_high': 7e3}]
    found = charts.curve_options('Range, km', rows, 'range_m', True, 1e-3)['series']
    assert [one['data'] for one in found] == [[[pytest.approx(1.0), 5.0]], [[pytest.approx(1.0), 4.0]],
                                              [[pytest.approx(1.0), 3.0]]]
    [line] = charts.curve_options('Range, km', [{'speed_m_s': 1.0, 'range_m': 5e3}], 'range_m', False, 1e-3)['series']
    assert line['name'] == 'expected'


def test_colours_can_be_read_on_their_paper():
    """WCAG 2.2: text 4.5 to 1, lines 3 to 1, on #ffffff and #182026."""
    def light(colour):
        parts = [int(colour[at:at + 2], 16) / 255.0 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(colour, paper):
        bright, dim = sorted((light(colour), light(paper)), reverse=True)
        return (bright + 0.05) / (dim + 0.05)

    style = Path(charts.__file__).with_name('page.css').read_text(encoding='utf-8')
    for paper, place in (('#ffffff', ':root'), ('#182026', 'body.body--dark')):
        colours = dict(re.findall(r'--(\w+): (#\w{6})', style.split(place + ' {')[1].split('}')[0]))
        assert min(contrast(colours[name[6:-1]], paper) for name in (charts.INK, charts.MUTED, charts.LIMIT)) >= 4.5
        assert min(contrast(colours[name[6:-1]], paper) for name in charts.COLOURS) >= 3.0
