"""A mission's page: whole, offline, true to the study, and in a browser without a request or a scroll bar."""

import html
import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread
from page_checks import check_colours, check_fetches_nothing, check_in_browser, check_whole
from picture_checks import check_texts, kept_figures

from usv_energy.boats.boat_file import read_boat
from usv_energy.earth import Place, compass_text
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import read_flow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.show.page.page_parts import NARROW, Size
from usv_energy.studies.mission.mission_alternatives import Departures
from usv_energy.studies.mission.mission_bands import FlowDoubt
from usv_energy.studies.mission.mission_page import margin_words, mission_page_html, write_mission_page
from usv_energy.studies.mission.mission_pictures import draw_track, plot_mission, scale_length, track_of
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import mission_study
from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text

TABLE = read_boat('blueboat_watts_only')
HOME = Place(45.6073, 9.5524)
WAY = (Waypoint(Place(45.6083, 9.5524), 1, name='<b>buoy</b> & co', hold=60.0), Waypoint(Place(45.6083, 9.5550), 2),
       Waypoint(HOME, 4, 'return', speed=2.0))
CURRENT = UniformFlow(0.1, 0.1)
ITINERARY = Itinerary('harbour <1>', HOME, True, WAY, HOME, ignored=((3, 'DO_DIGICAM_CONTROL'),),
                      remarks=('a spline is a line',))


def study_of(itinerary=ITINERARY, boat=TABLE, current=CURRENT, speed=1.2, **options):
    return mission_study(mission_scenario(itinerary, boat, current, UniformFlow(-2.0, 0.0), speed), **options)


@pytest.fixture(scope='module')
def study():
    """Return a study with all that a page may hold: intervals, stays, departures."""
    done = study_of(uncertainty=FlowDoubt(current=0.05))
    time = np.linspace(0.0, 7200.0, 9)
    energy = done.energy * (1.1 - 0.1 * np.cos(time / 1000.0))
    return done._replace(departures=Departures(time, np.full(9, done.time), energy, time < 7000.0, 9, {}))


@pytest.fixture(scope='module')
def page(study):
    return mission_page_html(study)


def text_of(page):
    return ' '.join(re.sub(r'<style>.*?</style>|<script.*?</script>|<[^>]+>', ' ', page, flags=re.DOTALL).split())


def test_the_page_is_whole_fetches_nothing_and_is_small(page):
    check_whole(page)
    check_fetches_nothing(page)
    assert len(page.encode()) < 300_000


def test_every_colour_has_a_light_and_a_dark_form(page):
    check_colours(page)


def test_the_page_says_what_the_study_says(page, study):
    data = re.search(r'<script type="application/json" id="summary">(.*?)</script>', page, re.DOTALL).group(1)
    assert json.loads(data) == json.loads(json.dumps(mission_study_figures(study)))
    text, figures = text_of(page), mission_study_figures(study)
    assert figures['verdict'] == 'go' and 'GO ' in text
    for words in (f'{figures["energy_wh"]:.3g} Wh', f'{100.0 * figures["state_of_charge_at_end"]:.1f} %',
                  'DO_DIGICAM_CONTROL: item 3', 'a spline is a line', '45.608300, 9.555000', 'start: home 45.607300',
                  'wind, from 090 (E)', 'current, set 045 (NE)', '266.4 Wh, 100 % charged', '60 boats and flows',
                  'Departures', 'Energy by cause', 'What would cost less, or take less time', 'the time is the same',
                  'Charge on the way'):
        assert words in text, words
    for leg in figures['legs']:
        low, high = (leg[f'energy_{end}_j'] / 3600.0 for end in ('low', 'high'))
        assert f'{leg["energy_j"] / 3600.0:.3g} {low:.3g} to {high:.3g}' in text
    assert 'nan' not in text.lower().split()


def test_what_the_boat_file_lacks_is_said_everywhere_beside_the_verdict():
    done = study_of(boat=read_boat('lutra_prop'))
    lacking = mission_study_figures(done)['lacks_for_range']
    assert lacking.startswith("Missing in the file of lutra_prop: the motors' losses and a hotel load")
    assert lacking in mission_study_text(done)
    verdict = mission_page_html(done).partition('<section class="verdict')[2].partition('</section>')[0]
    assert lacking in html.unescape(verdict)


def test_names_from_the_file_cannot_become_markup(page):
    assert '<b>buoy' not in page and '&lt;b&gt;buoy&lt;/b&gt; &amp; co' in page and 'harbour &lt;1&gt;' in page


def test_the_margin_is_what_is_left_beyond_the_reserve():
    """1.5 m/s: 113.9 W; 5 km of still water take 379.67 kJ of 266.4 Wh, 39.59 %."""
    way = Itinerary('m', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(5000.0, 0.0), 1),))
    placed = mission_scenario(way, TABLE, UniformFlow(), UniformFlow(), 1.5)
    assert margin_words(mission_study(placed)) == '40.4 % of the battery (108 Wh) beyond the reserve of 20 %'
    short = margin_words(mission_study(placed, reserve=0.7))
    assert short == '9.6 % of the battery (25.5 Wh) short of the reserve of 70 %'
    assert margin_words(mission_study(replace_boat(placed, replace(TABLE, battery=None)))) == ''
    doubt = mission_study(placed, uncertainty=FlowDoubt(current=0.05))
    for reserve, form in ((0.2, '{:.1f} to {:.1f} %'), (0.9, '{1:.1f} to {0:.1f} %'),
                          (0.6, '{:.1f} % short to {:.1f} % beyond')):
        ends = [abs(100.0 * (end - reserve)) for end in doubt.charge_bands[:, -1]]
        assert margin_words(doubt._replace(reserve=reserve)).endswith('; 95 %: ' + form.format(*ends))


def test_legs_that_cannot_be_gone_have_no_power_and_leave_the_others_theirs(tmp_path, monkeypatch):
    square = ((300.0, 0.0), (300.0, 100.0), (0.0, 100.0), (300.0, 100.0))
    way = tuple(Waypoint(LocalPlace(*place), number) for number, place in enumerate(square, start=1))
    name = 'a name that somebody typed in a hurry on the quay, ' * 4
    done = study_of(Itinerary(name, LocalPlace(0.0, 0.0), True, way), read_boat('lutra_prop'), UniformFlow(1.5, 0.0))
    cannot = ~done.legs.feasible
    assert cannot.tolist() == [False, True, True, False]
    power = track_of(done).power
    assert (np.isnan(power) == cannot).all()
    np.testing.assert_allclose(power[~cannot], (done.legs.total / done.legs.under_way)[~cannot])
    text = text_of(mission_page_html(done))
    assert 'energy, Wh' in text and 'Energy by cause' not in text and ' - W' not in text
    figures = kept_figures(monkeypatch)
    plot_mission(done, tmp_path / 'm.png')
    check_texts(figures[0])
    assert 'cannot' in figures[0].axes[0].get_legend_handles_labels()[1]


def test_loads_stand_by_name_with_their_energy(tmp_path):
    """A tenth of 20 W for 1000 s of way is 0.556 Wh, and 36 W all the time are 10 Wh."""
    path = tmp_path / 'loaded.yaml'
    path.write_text('base: lutra_prop\nname: loaded\nloads:\n'
                    '  - {name: sonar, power: {value: 36.0, unit: W}}\n'
                    '  - {name: camera, power: {value: 20.0, unit: W}, duty: {share: 0.1, period: 10}}\n')
    local = Itinerary('m', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(600.0, 0.0), 1),))
    done = study_of(local, read_boat(str(path)), UniformFlow(), 0.6)
    time = done.time / 3600.0
    assert time == pytest.approx(1000.0 / 3600.0, rel=0.01)
    text = text_of(mission_page_html(done))
    found = re.search(r'Loads by name load Wh share sonar (\S+) \S+ % camera (\S+) ', text)
    assert [float(words) for words in found.groups()] == pytest.approx([36.0 * time, 2.0 * time], rel=0.01)


def replace_boat(placed, boat):
    return replace(placed, scenario=replace(placed.scenario, boat=boat, plant=boat))


@pytest.mark.parametrize('angle, words', [(0.0, '090°'), (90.0, '000°'), (180.0, '270°'), (-90.0, '180°'),
                                          (45.0, '045°'), (90.4, '000°')])
def test_a_compass_counts_clockwise_from_north(angle, words):
    assert compass_text(math.radians(angle), '\N{DEGREE SIGN}') == words


@pytest.mark.parametrize('most, length', [(1.0, 1.0), (1.99, 1.0), (2.0, 2.0), (499.0, 200.0), (700.0, 500.0),
                                          (1e4, 1e4), (0.03, 0.02)])
def test_a_scale_bar_is_a_round_length(most, length):
    assert scale_length(most) == pytest.approx(length)


def test_the_way_s_power_is_energy_over_time_under_way(study):
    """The stay's energy is no part of it; thinned legs keep the sum."""
    way, legs = track_of(study), study.legs
    assert way.power * legs.under_way == pytest.approx(legs.total - legs.of_hold, rel=1e-9)
    assert way.number.tolist() == [0, 1, 2, 3] and way.held.tolist() == [[pytest.approx(way.x[1])],
                                                                         [pytest.approx(way.y[1])]]
    places = tuple(Waypoint(LocalPlace(10.0 * number, 5.0 * (number % 2)), number) for number in range(1, 2001))
    long = study_of(Itinerary('m', LocalPlace(0.0, 0.0), True, places))
    thin = track_of(long)
    time = np.diff(np.concatenate(([0.0], np.cumsum(long.legs.under_way)))[thin.number])
    assert thin.x.size < 800 and (thin.power * time).sum() == pytest.approx(long.energy, rel=1e-9)
    page = mission_page_html(long)
    assert 'and 1700 more legs' in page and len(page.encode()) < 1_000_000


@pytest.mark.parametrize('case', ['no battery', 'too much current', 'no current', 'flow file', 'one point in metres',
                                  'no speed helps'])
def test_odd_missions_have_a_page_that_is_whole(case):
    local = Itinerary('m', LocalPlace(150.0, 80.0), False, (Waypoint(LocalPlace(190.0, 85.0), 1),))
    river = read_flow('river')
    done = {
        'no battery': lambda: study_of(boat=replace(TABLE, battery=None)),
        'too much current': lambda: study_of(current=UniformFlow(-2.0, 0.0), speed=2.0,
                                             uncertainty=FlowDoubt(current=0.3)),
        'no speed helps': lambda: study_of(current=UniformFlow(-5.0, 0.0)),
        'no current': lambda: study_of(current=UniformFlow()),
        'flow file': lambda: study_of(local, current=river),
        'one point in metres': lambda: study_of(local)}[case]()
    page = mission_page_html(done)
    river.close()
    check_whole(page)
    text = text_of(page)
    assert 'nan' not in text.lower().split()
    words = {'no battery': 'NO BATTERY', 'too much current': 'NO GO', 'no speed helps': 'nothing that was tried',
             'no current': 'none current', 'flow file': 'mean on the way (river)',
             'one point in metres': '1 x 190.00 m, y 85.00 m'}[case]
    assert words in text
    unheld = {'too much current': 'what is ordered cannot be held on',
              'no speed helps': 'There is no energy: the thrusters can go leg 1 at no speed'}.get(case)
    assert unheld in text if unheld else 'cannot be held' not in text


@pytest.mark.parametrize(('width', 'scheme', 'media'), [
    (1400, 'light', 'screen'), (320, 'dark', 'screen'), (720, 'dark', 'print')])
def test_a_browser_shows_it_without_a_request_a_message_or_a_scroll_bar(browser, study, tmp_path, width, scheme, media):
    path = tmp_path / 'mission.html'
    write_mission_page(study, path)
    check_in_browser(browser, path, width, scheme, 3, media)


def test_the_way_and_the_charge_are_drawn(tmp_path):
    way = (Waypoint(LocalPlace(300.0, 0.0), 1, hold=30.0), Waypoint(LocalPlace(300.0, 200.0), 2, speed=2.0))
    mission = mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, way), read_boat('blueboat_watts_only'),
                               UniformFlow(0.1, 0.0), UniformFlow(), 1.0)
    plot_mission(mission_study(mission, uncertainty=FlowDoubt(0.1)), tmp_path / 'm.png')
    image = imread(tmp_path / 'm.png')
    colours = {tuple(colour) for colour in (255.0 * image[..., :3]).round().astype(int).reshape(-1, 3)[::7].tolist()}
    assert image.shape[1] > 1.5 * image.shape[0]
    assert (68, 1, 84) in colours and (253, 231, 37) in colours, 'the least and the largest power, in viridis'


def test_numbers_of_waypoints_stand_off_the_lanes_and_the_end_has_its_own():
    """Lanes from west to east and back: numbers are outside both edges, those of dense lanes left out, not the last."""
    lanes = [(side * 100.0, 4.0 * lane) for lane in range(12) for side in ((1, 0) if lane % 2 else (0, 1))][1:]
    waypoints = tuple(Waypoint(LocalPlace(*place), number) for number, place in enumerate(lanes, start=1))
    way = track_of(study_of(Itinerary('lanes', LocalPlace(0.0, 0.0), True, waypoints), is_first=True))
    figure = Figure()
    draw_track(figure, Size(NARROW, 470, True), way)
    labels = {int(one.get_text()): one for one in figure.axes[1].texts if one.get_text().isdigit()}
    assert len(lanes) in labels and 5 < len(labels) < len(lanes)
    for number, label in labels.items():
        assert label.xyann[0] * (way.x[number] - 50.0) > 0.0 and label.xyann[1] == 0
        assert label.get_ha() == ('left' if way.x[number] > 50.0 else 'right')
