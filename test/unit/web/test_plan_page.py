"""The page Plan in a browser: from a dropped file to figures, which are those of the command."""

import json
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from downloads import downloaded

from usv_energy.earth import KNOT
from usv_energy.missions.mission_file import write_mission
from usv_energy.show.text_table import metres
from usv_energy.web.drawn_mission import AREA, WAY, SketchedPlan, mission_of_drawing, rings_of_text

NEEDS = ('nicegui',)
BUSY, DONE = '.outcome[aria-busy=true]', '.outcome:is(.go, .no, .unsure)[aria-busy=false]'


@pytest.fixture
def survey(cli, served):
    """Return the path of a plan of 5 lanes in the folder that is served, and its folder."""
    folder, _ = served
    path = folder / 'survey.plan'
    cli('mission', 'make', 'lawnmower', '--size', 200, 100, '--spacing', 25, '--at', 45.6073, 9.5524, '--speed', 0.7,
        '--out', path)
    return path


def write_tide(path):
    """Write a tide to the east and back about the survey, in 12 hours."""
    xarray = pytest.importorskip('xarray')
    hours = np.arange(0.0, 12.5, 0.5)
    series = 0.2 * np.sin(np.pi * hours / 6.0)[:, None, None] * np.ones((1, 2, 2))
    axes = ('time', 'lat', 'lon')
    xarray.Dataset(
        {name: (axes, values, {'standard_name': f'{way}ward_sea_water_velocity', 'units': 'm s-1'})
         for name, way, values in (('u', 'east', series), ('v', 'north', 0.0 * series))},
        {'time': ('time', 3600.0 * hours, {'units': 'seconds since 2026-06-01', 'standard_name': 'time'}),
         'lat': ('lat', [45.55, 45.65], {'units': 'degrees_north'}),
         'lon': ('lon', [9.5, 9.6], {'units': 'degrees_east'})}).to_netcdf(path)


def choose(page, label, value):
    page.get_by_label(label, exact=True).click()
    page.get_by_role('option', name=value, exact=True).click()


def figures(cli, page, monkeypatch, folder):
    """Return figures and text of the command that the page shows."""
    monkeypatch.chdir(folder)
    command = shlex.split(page.locator('.text').inner_text())[1:]
    status, out, said = cli(*command, '--json', '-')
    assert status in (0, 3), said
    return json.loads(out), cli(*command)[1].splitlines()


def answered(page, command):
    """Wait for the whole answer to what a part of the command says."""
    page.locator('.text', has_text=command).wait_for()
    page.wait_for_selector(DONE)


def test_from_a_dropped_plan_to_the_figures_of_the_command(page, survey, cli, monkeypatch):
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    choose(page, 'Boat', 'lutra_prop')
    page.get_by_label('Current: a phrase').fill('0.4 kn set 060')
    page.get_by_label('Departure, or').fill('0,3600,1200')
    page.wait_for_selector('text=all departures cost the same')
    answered(page, '--depart')
    found, text = figures(cli, page, monkeypatch, survey.parent)
    shown = page.locator('.outcome').inner_text()
    assert shown.startswith(found['verdict'].upper().replace('_', ' '))
    assert next(line for line in text if line.startswith('875.0 m in ')) in shown.splitlines()
    assert f'{100.0 * found["state_of_charge_at_end"]:.1f} % of the battery left at the end' in shown
    rows = page.locator('table', has_text='arrival').locator('tbody tr')
    assert rows.count() == len(found['legs'])
    for row, leg in zip(rows.all_inner_texts(), found['legs']):
        cells = row.split('\t')
        assert cells[1] == f'{leg["length_m"]:.1f} m' and cells[3] == f'{leg["speed_m_s"] / KNOT:.1f} kn'
        assert cells[6] == f'{leg["energy_j"] / 3600.0:.3g}'
        assert cells[7] == f'{100.0 * leg["state_of_charge"]:.1f}'
    speeds = page.locator('table', has_text='least energy').locator('tbody tr')
    assert {row.split('\t')[2] for row in speeds.all_inner_texts()} == {
        f'{wh:.1f}' if (wh := row['energy_j'] / 3600.0) >= 10.0 else f'{wh:.3g}' for row in found['speeds']}


def test_a_slider_is_answered_and_a_page_that_is_loaded_again_is_where_it_was(page, survey, cli, monkeypatch):
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    speed = page.get_by_label('Speed over ground, all legs, kn')
    speed.focus()
    for _ in range(12):
        page.keyboard.press('ArrowRight')
    answered(page, '1.2 kn')
    found, text = figures(cli, page, monkeypatch, survey.parent)
    assert found['legs'][0]['speed_m_s'] == pytest.approx(1.2 * 1852.0 / 3600.0)
    before = page.locator('.outcome').inner_text()
    assert next(line for line in text if line.startswith('875.0 m in ')) in before.splitlines()
    page.reload()
    page.wait_for_selector(DONE)
    assert page.locator('.outcome').inner_text() == before
    assert page.get_by_text('Speed over ground, all legs: 1.2 kn').is_visible()
    payload = page.get_by_label('Payload by a slider, kg')
    payload.focus()
    for _ in range(5):
        payload.press('ArrowRight')
    answered(page, '--payload 2.5')
    assert page.get_by_label('Payload, kg').input_value() == '2.5'


def test_a_slider_follows_what_is_typed_and_stays_where_the_user_moves_it(page):
    """The user moves it while the server sets it to a phrase that was typed before."""
    field, slider = page.get_by_label('Current: a phrase'), page.get_by_label('Current, kn', exact=True)
    field.fill('0.4 kn set 060')
    page.wait_for_function("one => one.value === '0.4'", arg=slider.element_handle())
    slider.evaluate("""async (slider, field) => {
        field.value = '0.8 kn set 090';
        for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind));
        await new Promise((done) => setTimeout(done));
        slider.value = 1;
        slider.dispatchEvent(new Event('input')); }""", field.element_handle())
    page.wait_for_function("one => one.value === '1 kn set 090'", arg=field.element_handle())
    assert slider.input_value() == '1'


def test_a_plan_and_a_changed_way_have_a_first_answer(page, survey):
    """The first plan by corners of its own, one without its last lane by those of the plan before."""
    page.evaluate("""() => { const margin = document.querySelector('.outcome .margin'); window.firsts = 0;
        new MutationObserver(() => { window.firsts += /first answer/.test(margin.innerText); }).observe(
            margin, {childList: true, characterData: true, subtree: true}); }""")
    plan = json.loads(survey.read_text())
    for number in (1, 2):
        page.set_input_files('input[type=file]', survey)
        page.wait_for_function('number => window.firsts >= number', arg=number)
        page.wait_for_selector(DONE)
        assert 'first answer' not in page.locator('.outcome').inner_text()
        plan['mission']['items'] = plan['mission']['items'][:-2]
        survey.write_text(json.dumps(plan))


def test_a_fault_stands_beside_its_field_as_the_command_says_it(page, survey, cli):
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    page.get_by_label('Wind: a phrase').fill('force 4')
    field = page.locator('.q-field', has=page.get_by_label('Wind: a phrase'))
    field.locator('[role=alert]').wait_for()
    _, _, said = cli('mission', survey, '--boat', 'blueboat', '--wind', 'force 4')
    assert said.split('wind is ')[1].strip() == field.locator('[role=alert]').inner_text().split('wind is ')[1]
    page.get_by_label('Wind: a phrase').fill('')
    answered(page, '--boat blueboat')
    field.locator('[role=alert]').wait_for(state='hidden')
    boat = page.get_by_label('Boat', exact=True)
    boat.fill('../../etc/passwd')
    boat.press('Tab')
    page.get_by_text("boat is '../../etc/passwd'; must be one of the list").wait_for()
    choose(page, 'Boat', 'lutra_prop')
    answered(page, '--boat lutra_prop')
    assert page.get_by_text('must be one of the list').count() == 0


def test_water_that_does_not_hold_the_way_is_an_error_of_its_field_and_the_plan_stays(page, survey, samples):
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    shutil.copy(samples / 'bay.nc', survey.parent)
    page.get_by_label('Current: a phrase').fill('bay.nc')
    page.get_by_label('Departure, or').fill('2024-05-01T02:00Z')
    page.locator('.q-field', has=page.get_by_label('Current: a phrase')).get_by_text('bay.nc: no value').wait_for()
    assert '--current bay.nc' in page.locator('.text').inner_text()
    assert '<rtept' in downloaded(page, '.gpx')[1]
    assert page.locator('.outcome').inner_text().startswith('This cannot be computed')
    (survey.parent / 'bay.nc').unlink()


def test_names_with_markup_are_text(page, survey, tmp_path):
    """Of the file, of a waypoint and of a boat; a script in any of them would show in the console or on the page."""
    evil = '<img src=x onerror=alert(1)><script>alert(2)</script>'
    path = tmp_path / 'evil.gpx'
    text = evil.replace('<', '&lt;')
    path.write_text(f'<gpx><rte><name>{text}</name>' + ''.join(
        f'<rtept lat="45.60{n}" lon="9.55"><name>{text}</name></rtept>' for n in range(3)) + '</rte></gpx>')
    page.set_input_files('input[type=file]', path)
    page.wait_for_selector(DONE)
    assert evil[:20] in page.locator('table', has_text='arrival').inner_text()
    assert page.evaluate("document.querySelectorAll('main img[src=x], main script').length") == 0
    strange = tmp_path / "a &'$(b);c.gpx"
    path.rename(strange)
    page.set_input_files('input[type=file]', strange)
    page.locator('.text', has_text='$(b)').wait_for()
    assert shlex.split(page.locator('.text').inner_text())[2] == strange.name


def test_wrong_and_strange_files_are_refused_with_a_sentence(page, tmp_path):
    entity = '<!DOCTYPE a [<!ENTITY b "c">]><gpx>&b;</gpx>'
    for name, content, sentence in (('a.plan', '{"fileType": "Plan"', 'JSON'), ('b.gpx', entity, 'gpx'),
                                    ('c.yaml', 'a: &a [*a]', 'c.yaml')):
        (tmp_path / name).write_text(content)
        page.set_input_files('input[type=file]', tmp_path / name)
        page.locator('.inputs [role=alert]', has_text=re.compile(sentence)).first.wait_for()
    assert page.locator('.outcome.go').count() == 0
    with (tmp_path / 'large.plan').open('wb') as file:
        file.truncate(257 << 20)
    page.set_input_files('input[type=file]', tmp_path / 'large.plan')
    page.get_by_text('a file may have at most 255 MiB').wait_for()
    page.set_input_files('input[type=file]', tmp_path / 'b.gpx')
    page.get_by_text('a file may have at most').wait_for(state='hidden')


def test_a_plan_is_made_of_places_and_downloaded(page, cli, tmp_path):
    page.get_by_text('Draw on the map, or type places').click()
    places = page.get_by_label('Places: latitude, longitude')
    places.fill('45.60, 9.55\n45.60, north')
    page.get_by_role('button', name='Make the plan').click()
    page.get_by_text("line 2 is '45.60, north'").wait_for()
    page.get_by_text('no plan was made').wait_for()
    places.fill('45.60, 9.55\n45.60, 9.553\n45.602, 9.553\n45.602, 9.55')
    page.get_by_label('Lanes apart, m').fill('40')
    page.get_by_role('button', name='Make the plan').click()
    page.wait_for_selector(DONE)
    said, old = places.input_value(), page.locator('.plan.old .outcome', has_text='Of the plan before')
    places.fill('45.60, north')
    page.get_by_role('button', name='Make the plan').click()
    old.wait_for()
    page.get_by_label('Hotel load, W').fill('3')
    answered(page, '--hotel 3')
    assert old.is_visible(), 'it is still that of the plan before'
    places.fill(said)
    page.get_by_role('button', name='Make the plan').click()
    old.wait_for(state='hidden')
    page.wait_for_selector(DONE)
    path = tmp_path / 'drawn.waypoints'
    path.write_text(downloaded(page, '.waypoints')[1])
    area = tmp_path / 'area.geojson'
    ring = [[9.55, 45.60], [9.553, 45.60], [9.553, 45.602], [9.55, 45.602], [9.55, 45.60]]
    area.write_text(json.dumps({'type': 'Polygon', 'coordinates': [ring]}))
    cli('mission', 'make', 'lawnmower', '--area', area, '--spacing', 40, '--out', tmp_path / 'own.plan')
    cli('mission', 'convert', tmp_path / 'own.plan', tmp_path / 'own.waypoints')
    assert path.read_text() == (tmp_path / 'own.waypoints').read_text()


def length_of_drawing(page, cli, kind, folder):
    """Return the length of the mission of the places that the page shows, as the command says it."""
    place, *holes = rings_of_text(page.get_by_label('Places: latitude, longitude').input_value())
    write_mission(mission_of_drawing(SketchedPlan(kind, place, tuple(holes)))[0], folder / 'same.plan')
    _, out, _ = cli('mission', folder / 'same.plan', '--boat', 'lutra_prop', '--json', '-')
    return metres(sum(leg['length_m'] for leg in json.loads(out)['legs']))


class Pen:
    """Draws on the page's map by the mouse, at places that are shares of its width and height."""

    def __init__(self, page):
        self.page, self.map = page, page.locator('.map')
        self.top = self.top_now()

    def top_now(self):
        """Return where the map begins on the page, px, however far that is scrolled."""
        return self.page.evaluate("document.querySelector('.map').getBoundingClientRect().top + scrollY")

    def take(self, tool):
        self.map.scroll_into_view_if_needed()
        self.page.locator(f'.leaflet-draw-draw-{tool}').click()

    def move(self, x, y):
        """Move as a hand does, in steps: Leaflet.draw takes no press where it has not seen the pointer come."""
        box = self.map.bounding_box()
        self.page.mouse.move(box['x'] + box['width'] * x, box['y'] + box['height'] * y, steps=5)

    def press(self, *places):
        for place in places:
            self.move(*place)
            self.page.mouse.down()
            self.page.mouse.up()
            self.page.evaluate('() => new Promise((done) => setTimeout(done, 60))')  # It takes none within 50 ms.

    def tap(self, x, y):
        box = self.map.bounding_box()
        self.page.touchscreen.tap(box['x'] + box['width'] * x, box['y'] + box['height'] * y)
        self.page.evaluate('() => new Promise((done) => setTimeout(done, 400))')    # Two at once would be a zoom.

    def rectangle(self, begin, end):
        self.take('rectangle')
        self.move(*begin)
        self.page.mouse.down()
        self.move(*end)
        self.page.mouse.up()

    def places(self, number):
        """Wait until the page shows a number of places."""
        self.page.wait_for_function("n => document.querySelector('textarea').value.split('\\n').filter(Boolean).length "
                                    '=== n', arg=number)


def test_what_the_mouse_draws_on_the_map_is_the_plan(page, cli, tmp_path):
    """An area, an area in it that is left out, a line, and a stay at its nearest place; the map stays where it is."""
    choose(page, 'Boat', 'lutra_prop')
    page.get_by_text('Draw on the map, or type places').click()
    page.get_by_label('Places: latitude, longitude').fill('45.60, 9.55\n45.603, 9.553')
    page.get_by_text('go from place to place').click()
    page.get_by_role('button', name='Make the plan').click()
    page.wait_for_selector(DONE)
    page.get_by_role('button', name='Draw anew').click()
    pen = Pen(page)
    pen.places(0)
    lengths = []
    for begin, end in (((0.4, 0.3), (0.6, 0.7)), ((0.42, 0.4), (0.58, 0.6))):
        pen.rectangle(begin, end)
        pen.places(4 * len(lengths) + 4)
        page.get_by_text(' m apart along ').wait_for()
        lengths.append(length_of_drawing(page, cli, AREA, tmp_path))
        page.locator(f'{DONE}:has-text("{lengths[-1]}")').wait_for()
    assert lengths[0] != lengths[1], 'the area that is left out is'
    pen.take('polyline')
    pen.press((0.4, 0.3), (0.6, 0.7))
    page.get_by_role('link', name='Finish', exact=True).click()
    pen.places(2)
    page.locator(f'{DONE}:has-text("{length_of_drawing(page, cli, WAY, tmp_path)}")').wait_for()
    page.get_by_label('Stay at a marker').fill('25')
    pen.take('marker')
    pen.press((0.55, 0.65))
    page.locator('.q-field', has=page.get_by_label('Stay at a marker')).get_by_text("stay is '25'; must be").wait_for()
    page.get_by_label('Stay at a marker').fill('25 min')
    pen.take('marker')
    pen.press((0.55, 0.65))
    page.get_by_text('2 places, a stay of 25 min 00 s in all at place 2').wait_for()
    page.locator('td', has_text='25 min 00 s').wait_for()
    page.wait_for_selector(DONE)
    (tmp_path / 'stay.plan').write_text(downloaded(page, '.plan')[1])
    _, out, _ = cli('mission', tmp_path / 'stay.plan', '--boat', 'lutra_prop', '--json', '-')
    assert [leg['hold_s'] for leg in json.loads(out)['legs']] == [1500.0]
    assert pen.top_now() == pen.top


def test_two_tabs_of_a_browser_answer_their_own_fields(page, survey):
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    page.get_by_label('Current: a phrase').fill('rubbish')
    page.get_by_text("no flow named 'rubbish'").first.wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_label('Current: a phrase').fill('0.4 kn set 090')
    answered(other, "--current '0.4 kn set 090'")
    page.get_by_label('Hotel load, W').fill('3')
    page.get_by_text("no flow named 'rubbish'").first.wait_for()
    page.get_by_label('Current: a phrase').fill('')
    answered(page, '--hotel 3')
    assert '--current' not in page.locator('.text').inner_text()
    assert '--hotel' not in other.locator('.text').inner_text()
    lengths = []
    for tab, way in ((page, '45.60, 9.55\n45.60, 9.553'), (other, '45.60, 9.55\n45.61, 9.55')):
        tab.get_by_text('Draw on the map, or type places').click()
        tab.get_by_text('go from place to place').click()
        tab.get_by_label('Places: latitude, longitude').fill(way)
        tab.get_by_role('button', name='Make the plan').click()
        tab.locator('.text', has_text='drawn').wait_for()
        tab.wait_for_selector(DONE)
        lengths += re.findall(r'([\d.]+ k?m) in ', tab.locator('.outcome').inner_text())
    page.get_by_label('Hotel load, W').fill('4')
    answered(page, '--hotel 4')
    assert len(set(lengths)) == 2 and f'{lengths[0]} in ' in page.locator('.outcome').inner_text()
    other.get_by_label('Hotel load, W').fill('5')
    answered(other, '--hotel 5')
    page.reload()
    page.locator('.text', has_text='--hotel 4').wait_for()
    answered(page, '--hotel 4')
    assert f'{lengths[0]} in ' in page.locator('.outcome').inner_text(), 'its own, not the one that was entered last'


def test_a_file_of_the_same_name_in_another_tab_is_another_file(page, survey, tmp_path):
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    (tmp_path / survey.name).write_text(survey.read_text().replace('9.552', '9.553'))
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(DONE)
    other.set_input_files('input[type=file]', tmp_path / survey.name)
    other.locator('.inputs', has_text='survey 2.plan').wait_for()
    answered(other, 'survey.plan')
    page.get_by_label('Hotel load, W').fill('3')
    answered(page, '--hotel 3')
    assert '875.0 m in ' in page.locator('.outcome').inner_text() != other.locator('.outcome').inner_text()


def test_files_are_dropped_anywhere_and_a_refused_one_marks_the_answer_as_old(page, survey):
    drop = """files => { const data = new DataTransfer();
        for (const [name, text] of files) data.items.add(new File([text], name));
        return document.querySelector('h1').dispatchEvent(
            new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); }"""
    taken = [['survey.plan', survey.read_text()], ['mine.yaml', 'base: lutra_prop\nname: mine\n']]
    assert page.evaluate(drop, taken) is False, 'the browser leaves the page for no file'
    page.locator('.text', has_text='--boat mine.yaml').wait_for()
    answered(page, 'survey.plan')
    page.evaluate(drop, [['trip.csv', 'a,b']])
    page.locator('.plan.old .outcome', has_text='Of the plan before').wait_for()
    page.evaluate(drop, taken[:1])
    page.locator('.plan.old').wait_for(state='hidden')


def test_a_finger_draws_lines_and_areas(browser, served):
    """Each tap is one corner, as many as one likes; a tap at the last corner of a line ends it, too."""
    context = browser.new_context(viewport={'width': 393, 'height': 851}, has_touch=True, is_mobile=True)
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(served[1])
    page.wait_for_selector('main')
    pen = Pen(page)
    for tool, corners, ends_by in (('polyline', 4, 'link'), ('polygon', 4, 'link'), ('polyline', 3, 'last corner')):
        pen.map.evaluate("map => map.scrollIntoView({block: 'center'})")
        page.locator(f'.leaflet-draw-draw-{tool}').tap()
        taps = [(0.5, 0.6), (0.8, 0.6), (0.8, 0.9), (0.4, 0.9)][:corners]
        for number, place in enumerate(taps, start=1):
            pen.tap(*place)
            assert page.locator('.leaflet-editing-icon').count() == number, (tool, number)
        if ends_by == 'link':
            page.get_by_role('link', name='Finish', exact=True).tap()
        else:
            pen.tap(*taps[-1])
        pen.places(corners)
    context.close()


def test_the_map_stays_under_the_pointer_while_one_draws(page):
    """Whatever grows above it meanwhile, and whatever answer comes that would show another place."""
    pen = Pen(page)
    pen.take('polyline')
    pen.press((0.4, 0.3))
    grow = "height => document.querySelector('.outcome').style.minHeight = height"
    page.evaluate(grow, '700px')
    page.get_by_label('Go to: latitude, longitude').fill('45.6, 9.55')
    page.get_by_label('Go to: latitude, longitude').press('Enter')
    page.evaluate('() => new Promise(requestAnimationFrame)')
    assert pen.top_now() == pen.top
    pen.press((0.6, 0.7))
    page.get_by_role('link', name='Finish', exact=True).click()
    pen.places(2)
    assert page.locator('.grid-label', has_text='90°0′E').count() == 1, 'the whole world is shown still'
    page.wait_for_function("top => document.querySelector('.map').getBoundingClientRect().top + scrollY > top + 200",
                           arg=pen.top)


def test_the_map_opens_where_it_was_looked_at_last(page, served):
    """On the world at first, whose copies have no other degrees; a place that is typed and a coast are gone to."""
    folder, _ = served
    page.wait_for_selector('.grid-label')
    page.evaluate("getElement(parseInt(document.querySelector('.map').id.slice(1))).map.setView([0, 0], 0, "
                  "{animate: false})")
    east = [float(label.split('°')[0]) for label in page.locator('.map .column').all_inner_texts()]
    assert len(east) > 3 and max(east) <= 180.0
    ring = [[-70.0, 40.0], [-69.9, 40.0], [-69.9, 40.05], [-70.0, 40.0]]
    (folder / 'coast.geojson').write_text(json.dumps({'type': 'Polygon', 'coordinates': [ring]}))
    page.reload()
    page.locator('.grid-label', has_text='90°0′E').wait_for()
    place = page.get_by_label('Go to: latitude, longitude')
    place.fill('nowhere')
    place.press('Enter')
    page.get_by_text("place is 'nowhere'; must be LATITUDE,LONGITUDE").wait_for()
    place.fill('45.6, 9.55')
    place.press('Enter')
    page.locator('.grid-label', has_text='45°36′N').wait_for()
    page.reload()
    page.locator('.grid-label', has_text='45°36′N').wait_for()
    page.locator('.inputs').get_by_text('Map', exact=True).click()
    choose(page, 'Coast: GeoJSON of the folder', 'coast.geojson')
    page.locator('.grid-label', has_text='40°2′N').wait_for()


def test_a_file_is_dropped_again_and_a_boat_file_on_a_shipped_boat_is_a_boat(page, survey, tmp_path):
    other = tmp_path / 'other.gpx'
    other.write_text('<gpx><rte><rtept lat="45.6" lon="9.55"/><rtept lat="45.602" lon="9.556"/></rte></gpx>')
    for path in (survey, other, survey):
        page.set_input_files('input[type=file]', path)
        answered(page, path.name)
    page.set_input_files('input[type=file]', Path(__file__).parents[3] / 'examples' / 'my_boat.yaml')
    answered(page, '--boat my_boat.yaml')


def test_long_work_is_cancelled_and_figures_are_downloaded_only_when_they_are_whole(page, survey, tmp_path):
    """Each of 1900 departures in a tide is looked at, which takes minutes."""
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    assert json.loads(downloaded(page, 'Figures')[1])['energy_low_j'] > 0.0, 'with its interval'
    write_tide(survey.parent / 'tide.nc')
    page.get_by_label('Current: a phrase').fill('tide.nc')
    page.get_by_label('Departure, or').fill('0,1900,1')
    page.get_by_role('button', name='Cancel').click()
    page.get_by_text('A first answer; the whole one was cancelled.').wait_for()
    page.get_by_role('button', name='Figures').click()
    page.get_by_text('the whole answer is not there').wait_for()
    other = tmp_path / 'other.gpx'
    other.write_text('<gpx><rte><rtept lat="45.607" lon="9.553"/><rtept lat="45.608" lon="9.554"/></rte></gpx>')
    page.set_input_files('input[type=file]', other)
    page.locator('.text', has_text='other.gpx').wait_for()
    page.locator('.outcome', has_text='first answer; corners and intervals follow').wait_for()
    page.get_by_role('button', name='Cancel').click()
    page.locator('.outcome[aria-busy=false]', has_text='A first answer; the whole one was cancelled.').wait_for()
    page.get_by_text('the whole answer is not there').wait_for(state='hidden')
    page.get_by_role('button', name='Figures').click()
    page.get_by_text('the whole answer is not there').wait_for()
    (survey.parent / 'tide.nc').unlink()


def test_a_route_is_that_of_the_command_and_becomes_the_plan(page, served, cli, tmp_path):
    path = tmp_path / 'way.gpx'
    path.write_text('<gpx><rte><rtept lat="45.6" lon="9.55"/><rtept lat="45.602" lon="9.556"/></rte></gpx>')
    page.set_input_files('input[type=file]', path)
    page.wait_for_selector(DONE)
    page.get_by_label('Current: a phrase').fill('0.3 kn set 060')
    answered(page, '--current')
    page.get_by_role('button', name='Find the route').click()
    shown = page.get_by_role('region', name='What the route costs')
    shown.wait_for()
    *text, command = shown.inner_text().strip().splitlines()
    _, said, _ = cli(*shlex.split(command.replace(' way.gpx', f' {path}'))[1:])
    line = next(line for line in said.splitlines() if ' energy ' in line)
    assert line.strip() in [one.strip() for one in text]
    assert ' kn' in '\n'.join(text) and ' m/s' not in '\n'.join(text)
    page.get_by_role('button', name='Take it as the plan').click()
    answered(page, 'route.plan')


def test_two_variants_stand_side_by_side(page, survey):
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    page.get_by_role('button', name='Keep to compare').click()
    page.get_by_label('Current: a phrase').fill('0.5 kn set 090')
    answered(page, '--current')
    table = page.locator('table', has_text='Two variants')
    kept, now = (re.search(r'\(([\d.]+) Wh\)', table.locator('tbody tr', has_text='energy').locator('td').nth(place)
                           .inner_text())[1] for place in (0, 1))
    assert kept != now and f'({now} Wh)' in page.locator('.outcome').inner_text()
    page.get_by_role('button', name='Forget the kept plan').click()
    table.wait_for(state='hidden')


@pytest.mark.parametrize('width', [390, 1280, 2560])
def test_it_fits_its_screen(page, survey, width):
    page.set_viewport_size({'width': width, 'height': 900})
    page.set_input_files('input[type=file]', survey)
    page.wait_for_selector(DONE)
    page.wait_for_function(f'document.documentElement.scrollWidth <= {width}')
    page.wait_for_function('[...document.querySelectorAll(".scroll")].every(one => one.scrollWidth <= one.clientWidth)')
    granted = page.locator('.notes h2', has_text='Taken for granted').locator('+ ul')
    assert 'boat file: ' in granted.inner_text()
    # The whole way is on the map, and takes more than a tenth of its width.
    page.wait_for_function("""() => {
        const box = getElement(parseInt(document.querySelector(".map").id.slice(1))).map.getBounds();
        return box.contains([[45.6069, 9.5511], [45.6077, 9.5537]]) && box.getEast() - box.getWest() < 0.026; }""")


def test_an_opened_list_and_the_loading_bar_are_of_use_to_screen_readers(page):
    Axe = pytest.importorskip('axe_playwright_python.sync_playwright').Axe
    for label in ('Plan', 'Boat'):
        page.get_by_label(label, exact=True).click()
        page.get_by_role('listbox').wait_for()
        found = Axe().run(page, options={'runOnly': ['wcag2a', 'wcag2aa']}).response['violations']
        assert [(one['id'], one['nodes'][0]['html']) for one in found if one['impact'] in ('serious', 'critical')] == []
        page.keyboard.press('Escape')
        page.get_by_role('listbox').wait_for(state='hidden')
    assert page.locator('.q-loading-bar').get_attribute('aria-label') == 'Loading'
