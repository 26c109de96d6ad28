"""The page Plan: a mission, a boat, water and air; whether it makes it, on a map, leg by leg, over speed and time."""

import asyncio
import json
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any

from nicegui import background_tasks, events, ui

from usv_energy.earth import KNOT
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.files.locate import names
from usv_energy.files.parsed_text import read_yaml
from usv_energy.missions.mission import Mission
from usv_energy.missions.mission_file import mission_text, write_mission
from usv_energy.phrases import speed_of
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_page import mission_page_html
from usv_energy.studies.mission.mission_study import MissionStudy
from usv_energy.studies.mission.mission_study_text import mission_study_figures
from usv_energy.web import plan_views as views
from usv_energy.web.background import DRAWING, CancelledError, Latest, Work, at_once
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.charts import Chart
from usv_energy.web.chosen_file import in_own_words, shown
from usv_energy.web.drawn_mission import AREA, WAY, SketchedPlan, mission_of_drawing, places_of_text, text_of_places
from usv_energy.web.drop_area import drop_area, dropped_file
from usv_energy.web.folder import offered_files, offered_path
from usv_energy.web.frame import KNOTS, ProgressBar, Slider, beside, is_dark, unit_of
from usv_energy.web.html_parts import heading, html
from usv_energy.web.map_tiles import tile_sets
from usv_energy.web.map_view import MapView
from usv_energy.web.plan_inputs import (
    FIELDS,
    RESERVE,
    FieldError,
    ReadPlan,
    command_of,
    first_study_of,
    flow_sliders,
    read_plan,
    study_of,
)
from usv_energy.web.route_panel import RoutePanel

YAML = '.yaml', '.yml'
PLANS = ('.plan', '.waypoints', '.txt', '.gpx', '.kml', '.kmz', '.geojson', '.json', '.rtz', '.lnw', *YAML)
BOAT_KEYS = {'thrusters', 'power_curve', 'hull'}
FORMATS = {'.plan': 'plan', '.waypoints': 'waypoints', '.gpx': 'gpx'}
QUIET = 0.35            # s without a change after which a first answer is followed by the whole one.
KEPT = 'plan.fields'    # The key of the session under which all fields are.
DRAWN = 'drawn.plan'
DRAW = {'draw': {'polygon': {'allowIntersection': False}, 'polyline': True, 'rectangle': True, 'circle': False,
                 'marker': False, 'circlemarker': False}, 'edit': False}
LIMITS = {'kn': (12.0, 3.0, 40.0, 0.1), 'm/s': (6.0, 1.5, 20.0, 0.05)}     # speed, current, wind; step


def build(session: BrowserSession) -> None:
    """Make the page."""
    PlanPage(session)


class PlanPage:
    """The page: what is entered goes into the session, and what follows from it is shown."""

    def __init__(self, session: BrowserSession) -> None:
        """Make its fields, filled with what the session has kept, and show the study of them."""
        self._session, self._latest, self._dark = session, Latest(), False
        self._texts: dict[str, str] = session.values.setdefault(KEPT, {'boat': 'blueboat', 'reserve': f'{RESERVE:g}'})
        self._unit = unit_of(session)
        self._plan: ReadPlan | None = None
        self._study: MissionStudy | None = None
        self._corners: tuple[Any, CornerCosts] | None = None
        self._busy = self._again = self._is_first = False
        self._shown_way: Any = None
        self._shown = ''
        self._fields: dict[str, Any] = {}
        with ui.element('div').classes('plan'):
            with ui.element('section').classes('card inputs'):
                self._make_inputs()
            with ui.element('div').classes('top'):
                self._make_outcome()
            with ui.element('div').classes('answer'):
                self._make_answer()
            self._show_nothing('')
            self._show_base()
            if (drawing := self._drawing()).places:
                self._show_drawing(drawing)
        self._client = ui.context.client
        ui.timer(0.0, self._begin, once=True)

    async def _begin(self) -> None:
        self._dark = await is_dark()
        await self._refresh()

    # ---- What is entered

    def _make_inputs(self) -> None:
        heading('Plan', 1)
        drop_area('Drop a plan or a boat file', self._take)
        self._field('file', self._file_choice())
        with ui.expansion('Draw on the map, or type places').classes('more'):
            self._make_drawing()
        heading('Boat')
        self._field('boat', ui.select(self._boats(), label='Boat', with_input=True)).on(
            'blur', self._left, js_handler='(event) => emit(event.target.value)')
        self._field('battery', ui.input('Battery, as 148Wh, 4S18Ah'), "the boat file's")
        with ui.element('div').classes('pair'):
            self._slider('charge', 'Charge at the start', '%', 0.0, 100.0, 1.0, '', 'as the boat file says')
            self._slider('reserve', 'Reserve', '%', 0.0, 60.0, 1.0, f'{RESERVE:g}')
        with ui.element('div').classes('pair'):
            self._field('hotel', ui.input('Hotel load, W'), "the boat file's")
            self._field('payload', ui.input('Payload, kg'), "the boat file's")
        ui.label('At a steady speed the payload changes nothing: the boat file does not say how drag grows with it.'
                 ).classes('note')
        heading('Speed, water and air')
        most, current, wind, step = LIMITS[self._unit]
        self._slider('speed', 'Speed over ground, all legs', self._unit, 0.0, most, step, '', "the plan's own")
        self._flow('current', 'Current', 'set', current, step)
        self._flow('wind', 'Wind', 'from', wind, 10.0 * step)
        self._field('depart', ui.input('Departure, or FROM,TO,STEP'),
                    '2026-06-01T06:00+02:00,2026-06-01T18:00+02:00,1h')
        with ui.expansion('Map').classes('more'):
            self._make_map_choices()
        ui.button('Clear all', on_click=self._clear).props('flat no-caps')

    def _field(self, name: str, element: Any, hint: str = '') -> Any:
        """Take an element as the field of FIELDS of a name: it is filled, kept, and shows its errors."""
        element.props(f'outlined dense debounce=300 stack-label {f"placeholder={json.dumps(hint)}" if hint else ""}')
        if name != 'file':
            element.set_value(self._texts.get(name, '') or (None if isinstance(element, ui.select) else ''))
        element.on_value_change(lambda event: self._changed(name, event.value or ''))
        self._fields[name] = element
        return element

    def _left(self, event: events.GenericEventArguments) -> None:
        """Show that what was typed for a boat, which the list has not, is none: the choice stays as it was."""
        field, typed = self._fields['boat'], str(event.args or '').strip()
        if typed and typed not in field.options.values():
            with suppress(InputError), beside(field):
                raise InputError(f'boat is {safe_name(typed)!r}; must be one of the list, or a file that is dropped')

    def _slider(self, name: str, label: str, unit: str, low: float, high: float, step: float, default: str,
                unset: str = '') -> None:
        """Make a slider of a field; at its lowest end with `unset` words nothing is entered."""
        said = self._texts.get(name, default)
        with ui.element('div').classes('slide'):
            words = ui.label()

            def show(text: str) -> None:
                said = unset if not text else text if text.endswith(unit) else f'{text} {unit}'
                words.set_text(f'{label}: {said}')
                slider.say(said)

            def take(value: float) -> Any:
                text = f'{value:g}' if value > low or not unset else ''
                text = f'{text} {unit}' if text and name == 'speed' else text
                show(text)
                return self._changed(name, text)

            slider = Slider(f'{label}, {unit}', low, high, step, _number_in(said, unit) if said else low, take)
            error = ui.label().classes('field-error').props('role=alert')
            show(said)
        self._fields[name] = _Beside(error)

    def _flow(self, name: str, label: str, way: str, most: float, step: float) -> None:
        """Make the field of a flow, with sliders that write its phrase."""
        field = ui.input(f'{label}: a phrase, or a flow file of the folder',
                         autocomplete=offered_files(('.yaml', '.nc', '.hdf', '.grib', '.grb2', '.zarr')))
        self._field(name, field, '0.4 kn set 060' if name == 'current' else '6 kn from NE')
        sliders: list[Slider] = []

        def write(_: float) -> None:
            speed, course = (slider.value for slider in sliders)
            field.set_value(f'{speed:g} {self._unit} {way} {course:03.0f}' if speed else '')

        def follow() -> None:
            """Set the sliders to a phrase that was entered."""
            for slider, value in zip(sliders, flow_sliders(field.value or '', name, self._unit)):
                slider.set_value(value)

        with ui.element('div').classes('pair'):
            for words, high, one in ((f'{label}, {self._unit}', most, step), (f'{label} {way}, °', 355.0, 5.0)):
                with ui.element('div').classes('slide'):
                    ui.label(words)
                    sliders.append(Slider(words, 0.0, high, one, 0.0, write))
        follow()
        field.on('blur', follow)

    def _file_choice(self) -> ui.select:
        chosen = self._texts.get('file', '')
        options = {str(offered_path(name)): name for name in offered_files(PLANS)}
        options.update({str(path): path.name for path in sorted(self._session.folder.iterdir())
                        if (path.suffix.lower() in PLANS and path.name not in (DRAWN, 'drawn area.geojson'))
                        or path.name == DRAWN})
        return ui.select(options, label='Plan', value=chosen if chosen in options else None)

    def _boats(self) -> dict[str, str]:
        own = [path for path in self._session.folder.iterdir() if path.suffix in YAML]
        found = {name: name for name in names('boats')}
        found.update({name: name for name in offered_files(YAML)})
        return {**found, **{str(path): path.name for path in own}}

    def _make_drawing(self) -> None:
        drawing = self._drawing()
        self._kind = ui.radio({AREA: 'cover an area by lanes', WAY: 'go from place to place'}, value=drawing.kind)
        self._places = ui.textarea('Places: latitude, longitude; a line each', value=text_of_places(drawing.places))
        self._places.props('outlined dense autogrow input-style="max-height: 12em"')
        with ui.element('div').classes('pair'):
            self._spacing = ui.input('Distance of lanes, m', value=drawing.spacing).props('outlined dense')
            self._direction = ui.input('Lanes along, as NE', value=drawing.direction).props(
                'outlined dense stack-label placeholder="fewest lanes"')
        ui.label('On the map: an area, then areas in it that are left out; or a line.').classes('note')
        with ui.row():
            ui.button('Make the plan', on_click=self._make_drawn).props('no-caps')
            ui.button('Draw anew', on_click=self._draw_anew).props('flat no-caps')

    def _drawing(self) -> SketchedPlan:
        kept = self._session.values.get('plan.drawing')
        return SketchedPlan(AREA, ()) if kept is None else kept

    def _make_map_choices(self) -> None:
        self._tiles = ui.select({'': 'none', **{name: name for name in tile_sets()}}, label='Tiles of the folder',
                                value=self._session.values.get('plan.tiles', ''), on_change=self._show_base)
        self._coast = ui.select({'': 'none', **{name: name for name in offered_files(('.geojson', '.json'))}},
                                label='Coast: GeoJSON of the folder',
                                value=self._session.values.get('plan.coast', ''), on_change=self._show_base)
        for field in (self._tiles, self._coast):
            field.props('outlined dense')

    # ---- What follows

    def _make_outcome(self) -> None:
        self._bar = ProgressBar('Computing the mission', self._cancelled)
        with ui.element('section').classes('outcome').props('aria-live=polite') as self._outcome:
            self._word, self._margin = ui.label().classes('word'), ui.label().classes('margin')
            self._reason, self._more = ui.label(), ui.label().classes('lines')
        with ui.element('div').classes('actions'):
            for ending in FORMATS:
                ui.button(ending, on_click=lambda ending=ending: self._download_plan(ending)).props('outline no-caps')
            ui.button('Page', on_click=self._download_page).props('outline no-caps')
            ui.button('Figures', on_click=self._download_figures).props('outline no-caps')
            ui.button('Keep to compare', on_click=self._keep).props('outline no-caps')
            self._drop_kept = ui.button('Forget the kept plan', on_click=self._forget).props('flat no-caps')

    def _make_answer(self) -> None:
        self._compared = html('').classes('card')
        with ui.element('section').classes('card map-card'):
            self._map = MapView('Map of the plan', draw=DRAW)
            self._map.on_drawn(self._drawn)
            self._legend = html('').classes('legend')
        self._route = RoutePanel(self._map, self._session, self._take_route)
        with ui.element('div').classes('charts'):
            self._charge, self._speeds, self._departures = (Chart(title) for title in (
                'Charge along the way', 'Speed', 'Departure'))
        with ui.element('div').classes('tables'):
            self._causes, self._speed_rows, self._departure_rows = (
                html('').classes('card') for _ in range(3))
        self._legs = html('').classes('card')
        self._notes = html('').classes('card notes')
        with ui.element('section').classes('card'):
            heading('The same on the command line')
            self._command = ui.label().classes('text')

    def _changed(self, name: str, text: str) -> Awaitable[None] | None:
        if self._texts.get(name, '') == str(text):
            return None
        self._texts[name] = str(text)
        return self._refresh()

    async def _refresh(self) -> None:
        """Show what follows from the fields; while it is computed, later changes wait, and only the last one counts."""
        if self._busy:
            self._again = True
            return
        self._busy = True
        try:
            while True:
                self._again = False
                await self._answer_once()
                if not self._again:
                    return
        finally:
            self._busy = False

    async def _answer_once(self) -> None:
        self._latest.cancel()
        texts = dict(self._texts)
        for field in self._fields.values():
            field.error = None
        try:
            plan = await at_once(lambda: read_plan(texts))
        except FieldError as error:
            self._show_nothing(self._said(error) if texts.get('file') else '')
            if texts.get('file') or error.field != 'file':
                self._fields[error.field if error.field in self._fields else 'file'].error = self._said(error)
            return
        self._plan, self._shown = plan, command_of(in_own_words(self._session, texts))
        self._route.begin_at(plan, texts)
        known, before = self._corners, self._study
        is_first = known is not None and known[0] == plan.way and before is not None
        if known is not None and before is not None and is_first:
            corners, begin = known[1], before.departure
            try:
                self._show(plan, await at_once(lambda: first_study_of(plan, corners, begin)), True)
            except InputError as error:
                self._show_nothing(self._said(error))
                return
        background_tasks.create(self._answer_wholly(plan, QUIET if is_first else 0.0))

    async def _answer_wholly(self, plan: ReadPlan, after: float) -> None:
        """Compute and show the whole study some s later, unless something is entered until then."""
        work = self._latest.begin()
        await asyncio.sleep(after)
        self._bar.follow_later(work)
        try:
            study = await work.done(lambda progress: study_of(plan, progress))
        except CancelledError:
            return
        except InputError as error:
            self._show_nothing(self._said(error))
            return
        if self._client.is_deleted or self._plan is not plan:
            return
        self._corners = None if study.corners is None else (plan.way, study.corners)
        self._show(plan, study, False)

    def _show(self, plan: ReadPlan, study: MissionStudy, is_first: bool) -> None:
        """Show a study; `is_first`: a first answer, which the whole one follows."""
        self._study, self._is_first, knots = study, is_first, self._unit == KNOTS
        self._command.set_text(self._shown)
        words = views.verdict_of(study, knots)
        self._outcome.classes(replace=f'outcome {words.kind}').props(f'aria-busy={str(is_first).lower()}')
        self._word.set_text(words.word)
        self._margin.set_text(words.margin + (' (first answer; corners and intervals follow)' if is_first else ''))
        self._reason.set_text(words.reason)
        self._more.set_text('\n'.join(words.more))
        self._show_way(study, knots)
        kept: views.Variant | None = self._session.kept.get('plan.kept')
        other = None if kept is None else kept.study
        self._charge.show(views.charge_options(study, other, self._dark))
        self._speeds.show(views.speed_options(study, other, self._dark, knots))
        self._departures.show(*views.departure_options(study, self._dark))
        compared = '' if kept is None else views.comparison_table(kept, self._side(study))
        for place, content in ((self._causes, views.causes_table(study)),
                               (self._speed_rows, views.speeds_table(study, knots)),
                               (self._departure_rows, views.departures_table(study)),
                               (self._legs, views.legs_table(study, knots)), (self._compared, compared),
                               (self._notes, shown(self._session, views.notes_of(study, plan.itinerary, knots)))):
            place.set_content(content)
            place.set_visibility(bool(content))
        self._drop_kept.set_visibility(kept is not None)

    def _show_way(self, study: MissionStudy, knots: bool) -> None:
        drawn = views.drawn_way(study, knots)
        self._map.put('way', 'usvWay', drawn.places, drawn.legs, drawn.marks)
        local = ' The plan is in local metres: where on the Earth it lies is not known.' if (
            study.mission.origin is None) else ''
        self._legend.set_content('mean power under way' + views.legend(drawn) + local)
        if self._shown_way != drawn.places:
            self._shown_way = drawn.places
            self._map.fit(drawn.places)

    def _cancelled(self) -> None:
        """Say that the whole answer was cancelled."""
        if self._study is None:
            self._show_nothing('It was cancelled; whatever is changed begins anew.')
        elif self._is_first:
            self._outcome.props('aria-busy=false')
            self._margin.set_text('A first answer; the whole one was cancelled.')

    def _whole(self) -> tuple[MissionStudy, ReadPlan] | None:
        """Return the whole answer and its plan; None, and tell the user, if it is not there."""
        if self._study is None or self._plan is None or self._is_first:
            ui.notify('the whole answer is not there')
            return None
        return self._study, self._plan

    def _show_nothing(self, error: str) -> None:
        """Show no study, but an error, or without one what to do."""
        self._study = self._plan = None
        self._route.begin_at(None, {})
        self._outcome.classes(replace=f'outcome {"no" if error else "none"}').props('aria-busy=false')
        self._word.set_text('This cannot be computed' if error else 'Drop a plan, choose one, or draw one')
        self._margin.set_text(error)
        self._reason.set_text('')
        self._more.set_text('')
        self._drop_kept.set_visibility('plan.kept' in self._session.kept)
        for chart in (self._charge, self._speeds, self._departures):
            chart.show(None)
        for place in (self._causes, self._speed_rows, self._departure_rows, self._legs, self._notes, self._compared):
            place.set_visibility(False)

    # ---- Files

    async def _take(self, event: events.UploadEventArguments) -> None:
        field = self._fields['file']
        try:
            path = await dropped_file(self._session, event, PLANS)
            is_boat = path.suffix.lower() in YAML and bool(BOAT_KEYS & set(read_yaml(path)))
        except InputError as error:
            field.error = self._said(error)
            return
        name = 'boat' if is_boat else 'file'
        field = self._fields[name]
        self._texts[name] = ''      # A file of the same name may have another content.
        field.set_options({**field.options, str(path): path.name}, value=str(path))
        await self._refresh()

    def _chosen_mission(self) -> Mission | None:
        """Return the mission to write: a drawn one with the speed that is entered."""
        if self._plan is None:
            return None
        speed = self._texts.get('speed', '')
        if Path(self._texts['file']).name == DRAWN and speed:
            return mission_of_drawing(self._drawing(), self._session.folder, speed_of(speed, 'speed'))[0]
        return self._plan.mission

    async def _download_plan(self, ending: str) -> None:
        mission = self._chosen_mission()
        if mission is None or self._plan is None:
            return
        try:
            text, remarks = await at_once(lambda: mission_text(mission, FORMATS[ending]))
        except InputError as error:
            ui.notify(str(error), type='negative')
            return
        if self._texts.get('speed') and Path(self._texts['file']).name != DRAWN:
            remarks = [*remarks, 'it keeps its own speeds']
        if remarks:
            ui.notify('; '.join(remarks))
        ui.download.content(text, f'{self._stem()}{ending}')

    async def _download_page(self) -> None:
        if (found := self._whole()) is not None:
            study, _ = found
            work = Work()
            self._bar.follow_later(work)

            def drawn(_: Any) -> str:
                with DRAWING:
                    return mission_page_html(study)

            ui.download.content(await work.done(drawn), f'{self._stem()}.html')

    def _download_figures(self) -> None:
        if (found := self._whole()) is not None:
            ui.download.content(json.dumps(mission_study_figures(found[0]), indent=2, allow_nan=False),
                                f'{self._stem()}.json')

    def _stem(self) -> str:
        return Path(self._texts.get('file') or 'plan').stem

    def _said(self, error: InputError) -> str:
        """Return the sentence of an error, without this machine's folders."""
        return shown(self._session, str(error))

    def _clear(self) -> None:
        for key in [key for key in self._session.values if key.startswith('plan.')]:
            del self._session.values[key]
        self._session.kept.pop('plan.kept', None)
        ui.navigate.reload()

    # ---- Two variants

    def _side(self, study: MissionStudy) -> views.Variant:
        texts = in_own_words(self._session, self._texts)
        entered = [f'{name} {text}' for name in FIELDS if (text := texts.get(name, ''))]
        return views.Variant('this plan', ', '.join(entered), study)

    def _keep(self) -> None:
        if (found := self._whole()) is not None:
            study, plan = found
            self._session.kept['plan.kept'] = self._side(study)._replace(title='kept plan')
            self._show(plan, study, False)

    def _forget(self) -> None:
        self._session.kept.pop('plan.kept', None)
        if self._study is not None and self._plan is not None:
            self._show(self._plan, self._study, self._is_first)

    # ---- The map

    def _show_base(self) -> None:
        values = self._session.values
        values['plan.tiles'], values['plan.coast'] = self._tiles.value or '', self._coast.value or ''
        self._map.tiles(values['plan.tiles'])
        self._coast.error = None
        try:
            self._map.coast(offered_path(values['plan.coast']) if values['plan.coast'] else None)
        except InputError as error:
            self._coast.error = self._said(error)

    def _drawn(self, kind: str, places: list[tuple[float, float]]) -> None:
        """Take what was drawn: a line is a way; a first area is that, others are holes in it."""
        before = self._drawing()
        if kind == 'polyline':
            drawing = before._replace(kind=WAY, places=tuple(places), holes=())
        elif before.kind == AREA and before.places:
            drawing = before._replace(holes=(*before.holes, tuple(places)))
        else:
            drawing = before._replace(kind=AREA, places=tuple(places), holes=())
        self._session.values['plan.drawing'] = drawing
        self._kind.set_value(drawing.kind)
        self._places.set_value(text_of_places(drawing.places))
        self._show_drawing(drawing)
        background_tasks.create(self._make_drawn())

    def _show_drawing(self, drawing: SketchedPlan) -> None:
        if drawing.kind == AREA and len(drawing.places) > 2:
            rings = [[*ring, ring[0]] for ring in (drawing.places, *drawing.holes)]
            self._map.put('area', 'usvLines', rings, 'accent', '6 6')
        else:
            self._map.take_away('area')

    async def _make_drawn(self) -> None:
        """Make a plan of the places and settings of the drawing, and choose it."""
        self._places.error = None
        try:
            places = places_of_text(self._places.value or '')
            drawing = self._drawing()._replace(kind=self._kind.value, places=places, spacing=self._spacing.value or '',
                                               direction=self._direction.value or '')
            mission, note = await at_once(lambda: mission_of_drawing(drawing, self._session.folder))
            path = self._session.folder / DRAWN
            await at_once(lambda: write_mission(mission, path))
        except InputError as error:
            self._places.error = self._said(error)
            return
        self._session.values['plan.drawing'] = drawing
        self._show_drawing(drawing)
        ui.notify(note)
        self._choose_file(path, 'drawn on the map')

    def _take_route(self, path: Path) -> None:
        """Choose a plan that was made of a route."""
        self._choose_file(path, 'route of least energy')

    def _choose_file(self, path: Path, title: str) -> None:
        field = self._fields['file']
        self._texts['file'] = ''    # A file of the same name may have another content.
        field.set_options({**field.options, str(path): title})
        field.set_value(None)
        field.set_value(str(path))

    def _draw_anew(self) -> None:
        self._session.values['plan.drawing'] = self._drawing()._replace(places=(), holes=())
        self._places.set_value('')
        self._map.take_away('area')


class _Beside:
    """The error of a field that cannot show one: a label beside it."""

    def __init__(self, label: ui.label) -> None:
        self._label = label

    @property
    def error(self) -> str | None:
        """The error, None if there is none."""
        return self._label.text or None

    @error.setter
    def error(self, error: str | None) -> None:
        self._label.set_text(error or '')
        self._label.set_visibility(error is not None)


def _number_in(text: str, unit: str) -> float:
    """Return the number of a field's text, a speed in the unit that is chosen."""
    if unit not in LIMITS:
        return float(text)
    return round(speed_of(text, 'speed') / (KNOT if unit == KNOTS else 1.0), 2)
