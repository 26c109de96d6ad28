"""One mission on the terminal, the page, its pictures and in JSON: the same directions, times and charges."""

import json
import math
import re
from datetime import datetime
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.flow_argument import uniform_of
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import Place
from usv_energy.phrases import AIR, WATER
from usv_energy.show.page.page_parts import Size
from usv_energy.show.text_table import seconds
from usv_energy.studies.mission import mission_pictures
from usv_energy.studies.mission.mission_alternatives import Departures
from usv_energy.studies.mission.mission_page import mission_page_html
from usv_energy.studies.mission.mission_pictures import (
    charge_curve_of,
    draw_charge,
    draw_track,
    mission_drawings,
    plot_mission,
    track_of,
)
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import mission_study
from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text
from usv_energy.studies.mission.mission_words import VERDICTS
from usv_energy.units import moment_of, moment_words

HOME = Place(54.3, 10.2)
PLACES = (Place(54.31, 10.2), Place(54.315, 10.215), Place(54.3, 10.22), Place(54.295, 10.19))
CURRENT, WIND = '0.4 kn set 060', '6 kn from 310'


@pytest.fixture(scope='module')
def mission():
    """Return a study of a mission of four legs."""
    way = tuple(Waypoint(place, number, hold=120.0 * (number == 2)) for number, place in enumerate(PLACES, start=1))
    itinerary = Itinerary('harbour', HOME, True, way)
    placed = mission_scenario(itinerary, read_boat('blueboat_watts_only'), uniform_of(CURRENT, '--current', WATER),
                              uniform_of(WIND, '--wind', AIR), 1.5)
    done = mission_study(placed)._replace(zero=moment_of('2026-06-01T09:00+02:00', '--depart'))
    time = np.arange(4) * 2700.0
    return done._replace(departures=Departures(time, done.time + 0.01 * time, done.energy * (1.0 + 1e-5 * time),
                                               time < 8000.0, 4, {}))


@pytest.fixture(scope='module')
def figures(mission):
    return json.loads(json.dumps(mission_study_figures(mission), allow_nan=False))


@pytest.fixture(scope='module')
def page(mission):
    return mission_page_html(mission)


def text_of(html):
    """Return a page's own text without its pictures and figures, blanks joined."""
    plain = re.sub(r'<(script|svg|style).*?</\1>', ' ', html, flags=re.DOTALL)
    return ' '.join(re.sub(r'<[^>]+>', ' ', plain).split())


def wanted(figures):
    """Return course, arrival and charge of each leg as people read them, from the JSON."""
    return [(f'{round(leg["course_compass_deg"]) % 360:03d}', seconds(leg['end_s'] - leg['hold_s']),
             f'{100.0 * leg["state_of_charge"]:.1f}') for leg in figures['legs']]


def test_json_has_the_bearings_of_the_places(figures):
    from pyproj import Geod
    stops = (HOME, *PLACES)
    for leg, (begin, end) in zip(figures['legs'], pairwise(stops), strict=True):
        azimuth, _, length = Geod(ellps='WGS84').inv(*begin[::-1], *end[::-1])
        # On the plane about home a bearing a kilometre or two away is off by the convergence of the meridians.
        assert math.remainder(leg['course_compass_deg'] - azimuth, 360.0) == pytest.approx(0.0, abs=0.05)
        assert leg['length_m'] == pytest.approx(length, rel=1e-5)
        both = leg['course_compass_deg'] + leg['course_deg'] - 90.0
        assert math.remainder(both, 360.0) == pytest.approx(0.0, abs=1e-6)


def test_the_terminal_says_what_json_does(mission, figures):
    text = mission_study_text(mission)
    table = text.split('leg  to')[1].split('(courses')[0].splitlines()[2:]
    for line, (course, arrival, charge) in zip(table, wanted(figures), strict=True):
        cells = re.split(r'\s{2,}', line.strip())
        assert (cells[3], cells[-1]) == (course, charge) and arrival in cells
    assert f'current {figures["current"]["words"]}; wind {figures["wind"]["words"]}' in text.splitlines()[0]
    assert f'{100.0 * figures["state_of_charge_at_end"]:.1f} % of the battery left' in text
    assert 'departs 2026-06-01 09:00 +02:00' in text and figures['departs'] == '2026-06-01T09:00:00+02:00'


def test_the_page_says_what_json_does(page, figures):
    rows = re.findall(r'data-label="(course|arrival|charge, %)"[^>]*><span>([^<]*)', page)
    said = [tuple(value.rstrip('°') for _, value in rows[place:place + 3]) for place in range(0, len(rows), 3)]
    assert said == wanted(figures)
    text = text_of(page)
    for name in ('current', 'wind'):
        assert f'{name}, {figures[name]["words"].partition(") ")[2]}' in text
    assert 'departs 2026-06-01 09:00 +02:00' in text


def test_the_pages_pictures_show_what_json_does(mission, figures):
    figure = Figure(figsize=(12.0, 8.0))
    draw_track(figure, Size(860, 560, False), track_of(mission))
    segments = next(one for axes in figure.axes for one in axes.collections if isinstance(one, LineCollection))
    for (begin, end), leg in zip(segments.get_segments(), figures['legs'], strict=True):
        east, north = end - begin
        assert math.degrees(math.atan2(east, north)) % 360.0 == pytest.approx(leg['course_compass_deg'], abs=1e-6)
    words = [text.get_text() for text in figure.axes[0].texts]
    arrows = [one for one in figure.axes[0].texts if isinstance(one, Annotation) and one.arrow_patch is not None]
    assert len(arrows) == 3, 'north, current, wind'
    for arrow, (name, toward) in zip(arrows[1:], (('current', 60.0), ('wind', 130.0))):
        (x, y), (from_x, from_y) = arrow.xy, arrow.get_position()
        assert math.degrees(math.atan2(x - from_x, y - from_y)) % 360.0 == pytest.approx(toward)
        assert any(word.startswith(f'{name} ') and figures[name]['words'].partition(') ')[2] in word for word in words)
    figure = Figure(figsize=(12.0, 4.0))
    draw_charge(figure, Size(860, 290, False), charge_curve_of(mission))
    time, charge = figure.axes[0].lines[0].get_data()
    unit = figures['time_s'] / time[-1]
    for leg in figures['legs']:
        assert np.interp(leg['end_s'] / unit, time, charge) == pytest.approx(100.0 * leg['state_of_charge'], abs=1e-6)


def test_departures_are_the_same_in_all_four(mission, figures, page):
    each = [(moment_words(datetime.fromisoformat(one['departs'])), seconds(one['time_s']),
             f'{one["energy_j"] / 3600.0:.2f}', VERDICTS[one['verdict']]) for one in figures['departures']['each']]
    clocks = ('09:00', '09:45', '10:30', '11:15')
    assert [words for words, *_ in each] == [f'2026-06-01 {clock} +02:00' for clock in clocks]
    lines = mission_study_text(mission).splitlines()
    head = next(number for number, line in enumerate(lines) if line.split() == ['departs', 'takes', 'Wh'])
    for line, (departs, takes, energy, verdict) in zip(lines[head + 2:head + 6], each, strict=True):
        assert line.strip().startswith(departs) and takes in line and f' {energy}  {verdict}' in line
    text = text_of(page)
    assert all(f'{departs}{" (best)" * (number == 0)} {takes}{" (slowed)" * (number == 3)} {energy} {verdict}' in text
               for number, (departs, takes, energy, verdict) in enumerate(each))
    figure = Figure(figsize=(12.0, 4.0))
    one = next(one for one in mission_drawings(mission) if one.name == 'departures')
    one.draw(figure, one.wide, one.shown)
    axes = figure.axes[0]
    moments, energies = axes.lines[0].get_data()
    assert [f'2026-06-01 {str(one)[11:16]} +02:00' for one in moments] == [words for words, *_ in each]
    assert [f'{one:.2f}' for one in energies] == [energy for _, _, energy, _ in each]
    assert axes.get_xlabel() == 'Departure, +02:00'
    assert [tick.get_text() for tick in axes.get_xticklabels()] == [
        '09:00\n06-01', '09:30', '10:00', '10:30', '11:00']


def test_the_png_says_what_json_does(mission, figures, tmp_path, monkeypatch):
    drawn = []
    original = mission_pictures.picture

    def kept(*arguments):
        made = original(*arguments)
        figure = made.__enter__()
        drawn.append(figure)

        class Made:
            def __enter__(self):
                return figure

            def __exit__(self, *error):
                return made.__exit__(*error)
        return Made()
    monkeypatch.setattr(mission_pictures, 'picture', kept)
    plot_mission(mission, tmp_path / 'm.png')
    title = drawn[0].get_suptitle()
    assert f'{figures["energy_wh"]:.3g} Wh in {seconds(figures["time_s"])}' in title
    for name in ('current', 'wind'):
        assert f'{name} {figures[name]["words"]}' in title
    assert (tmp_path / 'm.png').stat().st_size > 10_000
