"""A route's page: whole, offline, true to the study, and in a browser without a request or a scroll bar."""

import json
import re

import numpy as np
import pytest
from matplotlib.figure import Figure
from page_checks import check_colours, check_fetches_nothing, check_in_browser, check_whole
from route_cases import study

from usv_energy.studies.route.route_page import (
    departures_of,
    draw_map,
    front_of,
    route_drawings,
    route_page_html,
    speeds_of,
    ways_of,
    write_route_page,
)
from usv_energy.studies.route.route_text import route_figures
from usv_energy.studies.route.search.reached_cost import ReachedCost


@pytest.fixture(scope='module')
def page():
    return route_page_html(study())


def test_the_page_is_whole_fetches_nothing_and_is_small(page):
    check_whole(page)
    check_fetches_nothing(page)
    assert len(page.encode()) < 300_000


def test_every_colour_has_a_light_and_a_dark_form(page):
    check_colours(page)


def test_the_page_says_what_the_study_says(page):
    data = re.search(r'<script type="application/json" id="summary">(.*?)</script>', page, re.DOTALL).group(1)
    figures = route_figures(study())
    del figures['route']
    assert json.loads(data) == figures
    text = ' '.join(re.sub(r'<style>.*?</style>|<script.*?</script>|<[^>]+>', ' ', page, flags=re.DOTALL).split())
    for words in ('1.2 Wh', 'GO', 'least energy', 'least time', '+0.26 Wh', 'low.yaml, Wh', 'chosen', 'best',
                  'Departures', 'The ways side by side'):
        assert words in text, words
    assert '<angles>' not in page and '&lt;angles&gt;' in page


def test_speeds_are_steps_over_the_parts_of_the_route():
    shown = speeds_of(study().route)
    assert shown.from_zero, 'a speed that is the same all the way is no noise of 1e-12'
    name, time, speed, *_ = shown.lines[0]
    assert name == 'through the water'
    np.testing.assert_allclose(speed, 1.0)
    np.testing.assert_allclose(time * 60.0, [0.0, 100.0 * 10.0 ** 0.5, 100.0 * 10.0 ** 0.5, 300 + 100.0 * 10.0 ** 0.5])


def test_ways_are_drawn_once_the_route_first():
    assert [way.name for way in ways_of(study())] == ['route: least energy', 'least time']


def test_the_departure_that_was_taken_is_marked():
    shown = departures_of(study())
    assert shown.marked == pytest.approx((10.0, 4400.0 / 3600.0))


def test_the_front_goes_from_the_least_time_to_the_least_energy():
    """500 m at 2 m/s take 5 + 2 * 2^3 = 21 W for 250 s."""
    shown = front_of(study())
    _, time, energy, *_ = shown.lines[0]
    assert (time[0], energy[0]) == (pytest.approx(250.0 / 60.0), pytest.approx(21.0 * 250.0 / 3600.0))
    assert shown.marked == (pytest.approx(time[-1]), pytest.approx(energy[-1]))


@pytest.mark.parametrize(('width', 'scheme', 'media'), [
    (390, 'light', 'screen'), (1280, 'light', 'screen'), (390, 'dark', 'screen'), (1280, 'dark', 'screen'),
    (794, 'light', 'print')])
def test_in_a_browser(browser, tmp_path, width, scheme, media):
    path = tmp_path / 'route.html'
    write_route_page(study(), path)
    check_in_browser(browser, path, width, scheme, 5, media)


def test_the_costs_that_are_reached_are_labelled_on_the_map_beside_the_way():
    """A cost of 1 s per metre east: lines to the north, and none of their labels under the way or cut."""
    x, y = np.meshgrid(np.linspace(-100.0, 500.0, 61), np.linspace(-100.0, 500.0, 61))
    route = study().route
    drawing = next(one for one in route_drawings(study()) if one.name == 'ways')
    shown = drawing.shown._replace(reached=ReachedCost(x, y, 0.0 * y + x + 101.0, True, 400.0))
    figure = Figure((drawing.wide.width / 100.0, drawing.wide.height / 100.0), dpi=100.0)
    draw_map(figure, drawing.wide, shown)
    axes, = figure.axes
    labels = [text for text in axes.texts if re.fullmatch(r'[\d.]+ (s|min)', text.get_text())
              and text.get_fontsize() == 9.5]
    assert any(text.get_visible() for text in labels)
    lines = np.column_stack((route.x, route.y))
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    scale = drawing.wide.width / (right - left)
    for text in labels:
        if text.get_visible():
            east, north = text.get_position()
            assert left + 30.0 / scale < east < right - 30.0 / scale
            assert low + 8.0 / scale < north < high - 8.0 / scale
            gap = np.abs(lines - (east, north)) * scale
            assert not ((gap[:, 0] < 30.0) & (gap[:, 1] < 8.0)).any()
