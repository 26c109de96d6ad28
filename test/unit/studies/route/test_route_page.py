"""A route's page: whole, offline, true to the study, and in a browser without a request or a scroll bar."""

import json
import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.quiver import Quiver
from page_checks import check_colours, check_fetches_nothing, check_in_browser, check_whole
from route_cases import problem, steady_route, study

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.show.text_table import interval
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
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
from usv_energy.studies.route.route_study import judged
from usv_energy.studies.route.route_text import route_figures
from usv_energy.studies.route.search.hop_search import ReachedCost


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
    assert '`' not in text and '<code>usv-energy mission</code>' in page
    assert '<angles>' not in page and '&lt;angles&gt;' in page


def test_the_interval_of_an_uncertain_boat_is_beside_its_energy():
    made = judged(study()._replace(boat=read_boat('blueboat')))
    low, high = made.plan.bands.so_far[:, -1] / 3600.0
    assert low < high and f'energy; 95 %: {interval((low, high))} Wh' in route_page_html(made)


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
    (390, 'dark', 'screen'), (1280, 'light', 'screen'), (794, 'light', 'print')])
def test_in_a_browser(browser, tmp_path, width, scheme, media):
    path = tmp_path / 'route.html'
    write_route_page(study(), path)
    check_in_browser(browser, path, width, scheme, 5, media)


@pytest.mark.parametrize('narrow', [False, True])
def test_no_way_arrow_or_label_lies_over_a_label_of_the_map(narrow):
    """
    A cost of 1 s per metre east, 0.5 m/s to the north-east, and a second way straight through the middle of all lines.

    The boxes are those of matplotlib's own letters at 72 px an inch, as on the page.
    """
    x, y = np.meshgrid(np.linspace(-100.0, 500.0, 61), np.linspace(-100.0, 500.0, 61))
    made = study()
    drawing = next(one for one in route_drawings(made._replace(problem=problem(
        current=UniformFlow(0.36, 0.36), depart=600.0))) if one.name == 'ways')
    size = drawing.narrow if narrow else drawing.wide
    across = drawing.shown.ways[1]._replace(route=steady_route([(-400.0, 200.0), (700.0, 200.0)], 2.0, 600.0))
    shown = drawing.shown._replace(ways=(drawing.shown.ways[0], across),
                                   reached=ReachedCost(x, y, 0.0 * y + x + 101.0, True, 400.0))
    figure = Figure((size.width / 72.0, size.height / 72.0), dpi=72, layout='constrained')
    canvas = FigureCanvasAgg(figure)
    draw_map(figure, size, shown)
    canvas.draw()
    axes, = figure.axes
    boxes = {text: text.get_window_extent(canvas.get_renderer()) for text in axes.texts if text.get_visible()}
    words = [text.get_text() for text in boxes]
    costs = {text for text in boxes if text.get_fontsize() == 9.5}
    assert len(costs) >= (2 if narrow else 4) and sum('north is up' in text for text in words) == 1
    for text, box in boxes.items():
        assert all(not box.overlaps(other) for of, other in boxes.items() if of is not text), text
        assert all(axes.bbox.contains(*corner) for corner in box.corners()), f'{text} is cut'
    arrows, = (drawn for drawn in axes.collections if isinstance(drawn, Quiver))
    tips = [0.5 * np.column_stack((arrows.U, arrows.V)) / arrows.scale * side for side in (-1.0, 1.0)]
    middles = np.column_stack((arrows.X, arrows.Y))
    assert len(middles) > 20
    lines = [np.array([middle + tip for tip in pair]) for middle, pair in zip(middles, zip(*tips))]
    ways = [np.column_stack((way.route.x, way.route.y)) for way in shown.ways]
    for line, over in [*((line, boxes) for line in lines), *((way, costs) for way in ways)]:
        at = np.linspace(0.0, len(line) - 1.0, 400)
        seen = axes.transData.transform(np.column_stack([np.interp(at, range(len(line)), part) for part in line.T]))
        for text in over:
            (left, low), (right, high) = boxes[text].min, boxes[text].max
            inside = (left < seen[:, 0]) & (seen[:, 0] < right) & (low < seen[:, 1]) & (seen[:, 1] < high)
            assert not inside.any(), f'{text.get_text()} has a line through it'


class Diamond(NoBarriers):
    """An island of 100 m to each corner about 250, 0."""

    def distance(self, x, y):
        """Return the distance to the nearest of the four lines."""
        return (np.abs(x - 250.0) + np.abs(y) - 100.0) / 2.0 ** 0.5

    def blocked(self, x, y):
        """Return what is inside."""
        return self.distance(x, y) <= 0.0


def test_an_island_is_drawn_by_its_outline_and_not_in_steps():
    drawing = next(route_drawings(study()._replace(problem=problem(depart=600.0)._replace(barriers=Diamond()))))
    figure = Figure((10.0, 6.0), dpi=72)
    draw_map(figure, drawing.wide, drawing.shown._replace(extent=(0.0, -150.0, 500.0, 150.0), reached=None))
    line = next(drawn for drawn in figure.axes[0].collections if drawn.get_zorder() == 0.6)
    edge = np.concatenate([path.vertices for path in line.get_paths()])
    sides = (np.abs(edge - (250.0, 0.0)) > 3.0).all(axis=1)     # In front of the corners, by a cell of 2 m.
    assert sides.sum() > 100
    np.testing.assert_allclose(Diamond().distance(*edge[sides].T), 0.0, atol=0.05)
