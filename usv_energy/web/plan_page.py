"""The page Plan: a mission, a boat, water and air; whether it makes it, on a map, leg by leg, over speed and time."""

import asyncio
import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import background_tasks, events, ui

from usv_energy.files.errors import InputError
from usv_energy.flow.on_earth import world_at
from usv_energy.missions.mission import Mission
from usv_energy.missions.mission_file import mission_text
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_page import mission_page_html
from usv_energy.studies.mission.mission_study import MissionStudy
from usv_energy.studies.mission.mission_study_text import mission_study_figures
from usv_energy.web import plan_views as views
from usv_energy.web.background import CancelledError, Latest, Work, at_once
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.chosen_file import in_own_words, in_page_words, is_boat_file, shown
from usv_energy.web.drop_area import drop_area, dropped_file
from usv_energy.web.folder import offered_files, offered_path
from usv_energy.web.frame import Chart, ProgressBar, beside, tab_of
from usv_energy.web.html_parts import heading, html
from usv_energy.web.map_tiles import tile_sets
from usv_energy.web.map_view import MapView
from usv_energy.web.plan_drawing import TOOLS, DrawingPanel
from usv_energy.web.plan_form import PLANS, PlanForm
from usv_energy.web.plan_inputs import (
    FIELDS,
    PERCENT,
    FieldError,
    ReadPlan,
    command_of,
    corners_of_flows,
    first_study_of,
    flow_of_error,
    quick_study_of,
    read_plan,
    study_of,
)
from usv_energy.web.route_panel import RoutePanel
from usv_energy.web.speed_units import KNOTS, unit_of

NO_PLAN = 'Drop a plan, choose one, or draw one'
FORMATS = {'.plan': 'plan', '.waypoints': 'waypoints', '.gpx': 'gpx'}
OF_PLAN = {'file', 'part', 'boat'}     # Fields with another value of which nothing shown holds any more.
OPTIONS = {'battery': 'Battery', 'charge': 'Charge at the start', 'reserve': 'Reserve', 'hotel': 'Hotel load',
           'payload': 'Payload', 'speed': 'Speed over ground', 'current': 'Current', 'wind': 'Wind',
           'depart': 'Departure', 'boat': 'Boat'}   # Of the command, and the fields that they are here.
SOON = 0.3              # s after which what was shown goes, unless there is an answer.
QUIET = 0.35            # s without a change after which a first answer is followed by the whole one.


def build(session: BrowserSession) -> None:
    """Make the page."""
    PlanPage(session)


class PlanPage:
    """The page: what is entered goes into the session, and what follows from it is shown."""

    def __init__(self, session: BrowserSession) -> None:
        """Make its fields, filled with what the session has kept, and show the study of them."""
        self._session, self._latest = session, Latest()
        self._form = PlanForm(session, self._refresh)
        self._texts, self._unit = self._form.texts, unit_of(session)
        self._plan: ReadPlan | None = None
        self._study: MissionStudy | None = None
        self._known: tuple[ReadPlan | None, CornerCosts | None] = None, None    # A plan, and what its corners cost.
        self._question = object()   # Another one for another plan or boat.
        self._since: object | None = None   # The first question that was not answered yet.
        self._asked: dict[str, str] = {}
        self._busy = self._again = self._is_first = False
        self._shown_way: Any = None
        self._shown = ''
        with ui.element('div').classes('plan') as self._page:
            with ui.element('section').classes('card inputs'):
                self._make_inputs()
            with ui.element('div').classes('top'):
                self._make_outcome()
            with ui.element('div').classes('answer'):
                self._make_answer()
            self._show_nothing('')
            self._map.map.generic_layer(name='usvLastView', args=['usv_energy.plan'])
            self._show_base()
            self._drawing.follow(self._map, self._draw_note, self._draw_error)
        self._client = ui.context.client
        ui.timer(0.0, self._begin, once=True)

    # ---- What is entered

    def _make_inputs(self) -> None:
        heading('Plan', 1)
        drop_area('Drop a plan or a boat file', self._take)
        self._form.make_file()
        with ui.expansion('Draw on the map, or type places').classes('more'):
            self._drawing = DrawingPanel(self._session, self._choose_file, self._mark_old)
        self._form.make_others()
        with ui.expansion('Map').classes('more'):
            self._make_map_choices()
        ui.button('Clear all', on_click=self._clear).props('flat no-caps')

    def _make_map_choices(self) -> None:
        self._tiles, self._coast = (
            ui.select({'': 'none', **dict(zip(names, names))}, label=label, on_change=partial(self._show_base, kind),
                      value=kept if (kept := self._session.values.get(f'plan.{kind}', '')) in names else '',
                      ).props('outlined dense')
            for kind, label, names in (('tiles', 'Tiles of the folder', tile_sets()),
                                       ('coast', 'Coast: GeoJSON of the folder', offered_files(('.geojson', '.json')))))

    # ---- What follows

    def _make_outcome(self) -> None:
        self._bar = ProgressBar('Computing the mission', self._cancelled)
        with ui.element('section').classes('outcome').props('aria-live=polite') as self._outcome:
            self._old = ui.label('Of the plan before: what was drawn or dropped last was refused')
            self._word, self._margin = ui.label().classes('word'), ui.label().classes('margin')
            self._reason, self._needs = ui.label(), ui.label()
        with ui.element('div').classes('actions'):
            for ending in FORMATS:
                ui.button(ending, on_click=lambda ending=ending: self._download_plan(ending)).props('outline no-caps')
            ui.button('Page', on_click=self._download_page).props('outline no-caps')
            ui.button('Figures', on_click=self._download_figures).props('outline no-caps')
            ui.button('Keep to compare', on_click=self._keep).props('outline no-caps')
            self._drop_kept = ui.button('Forget the kept plan', on_click=self._forget).props('flat no-caps')

    def _make_answer(self) -> None:
        with ui.element('section').classes('card map-card'):
            self._map = MapView('Map of the plan', draw=TOOLS)
            self._draw_error = ui.label().classes('field-error').props('role=alert')
            self._draw_note = ui.label().classes('note').props('role=status')
            with ui.element('div').classes('actions'):
                self._place = ui.input('Go to: latitude, longitude').props('outlined dense').on(
                    'keydown.enter', self._go_to)
                self._legend = html('').classes('legend')
        self._more = ui.label().classes('card lines')
        self._compared = html('').classes('card')
        self._route = RoutePanel(self._map, self._session, self._choose_file)
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

    async def _begin(self) -> None:
        """Show what follows from the fields; with those of another tab the page is loaded again with its own."""
        if self._session.go_back_to(tab_of(self._client)):
            ui.navigate.reload()
        else:
            await self._refresh()

    async def _refresh(self) -> None:
        """Show what follows from the fields; while it is computed, later changes wait, and only the last one counts."""
        self._begin_question()
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

    def _begin_question(self) -> None:
        """Take away what was shown: at once for another plan or boat, else where no answer follows soon."""
        self._latest.cancel()
        self._study = self._plan = None
        changed = {name for name in FIELDS if self._texts.get(name) != self._asked.get(name)}
        self._asked = dict(self._texts)
        if not changed or changed & OF_PLAN:    # Without a change a file of the same name has another content.
            self._question = object()
            if not changed or 'file' in changed:
                self._drawing.is_refused = False
            self._show_nothing('', 'Computing' if self._texts.get('file') else NO_PLAN)
            self._outcome.props('aria-busy=true')
        elif self._since is None:
            self._since = object()
            background_tasks.create(self._dim_late(self._since))

    async def _dim_late(self, since: object) -> None:
        """Take away what is shown, if a question is not answered soon; at once it would be drawn twice for nothing."""
        await asyncio.sleep(SOON)
        if self._since is since and not self._client.is_deleted:
            self._page.classes('stale')
            self._outcome.props('aria-busy=true')

    async def _answer_once(self) -> None:
        texts = dict(self._texts)
        self._form.clear_errors()
        try:
            plan = await at_once(lambda: read_plan(texts))
        except FieldError as error:
            self._show_nothing(self._said(error) if texts.get('file') else '')
            self._form.show_error(error, self._said(error))
            if not texts.get('file'):
                self._look_at(await at_once(lambda: corners_of_flows(texts)))
            return
        if self._again:
            return
        self._plan, self._shown = plan, command_of(in_own_words(self._session, texts))
        self._route.begin_at(plan, texts)
        question = self._question
        try:
            study = await at_once(lambda: quick_study_of(plan, *self._known))
        except InputError as error:
            if self._question is question:
                self._show_fault(plan, error)
            return
        if study is not None and self._question is question:
            self._show(plan, study, True)
        if not self._again:
            background_tasks.create(self._answer_wholly(plan, study is not None))

    async def _answer_wholly(self, plan: ReadPlan, has_first: bool) -> None:
        """Show the whole study, after a first answer some s later, unless something is entered until then."""
        work, corners = self._latest.begin(), None
        await asyncio.sleep(QUIET if has_first else 0.0)
        self._bar.follow_later(work)
        try:
            if not has_first:
                first = await work.done_beside(first_study_of, plan, None)
                corners = first.corners
                self._take_answer(plan, first, True)
            self._take_answer(plan, await work.done_beside(study_of, plan, corners), False)
        except CancelledError:
            return
        except InputError as error:
            if self._plan is plan:
                self._show_fault(plan, error)

    def _take_answer(self, plan: ReadPlan, study: MissionStudy, is_first: bool) -> None:
        if not self._client.is_deleted and self._plan is plan:
            self._known = plan, study.corners
            self._show(plan, study, is_first)

    def _show_fault(self, plan: ReadPlan, error: InputError) -> None:
        """Show why a plan has no study, beside its flow file's field if that is why; its way and command stay."""
        self._show_nothing(self._said(error))
        if field := flow_of_error(error, plan):
            self._form.show_words(field, self._said(error))
        self._plan = plan
        self._command.set_text(self._shown)
        self._map.put('way', 'usvLines', views.way_places(plan.placed), 'ink', None)

    def _show(self, plan: ReadPlan, study: MissionStudy, is_first: bool) -> None:
        """Show a study; `is_first`: a first answer, which the whole one follows."""
        self._study, self._is_first, knots = study, is_first, self._unit == KNOTS
        self._since = None
        self._page.classes(remove='stale')
        self._command.set_text(self._shown)
        words = views.verdict_of(study, knots)
        self._outcome.classes(replace=f'outcome {words.kind}').props(f'aria-busy={str(is_first).lower()}')
        self._word.set_text(words.word)
        self._margin.set_text(words.margin + (' (first answer; corners and intervals follow)' if is_first else ''))
        for label, said in ((self._reason, words.reason), (self._needs, words.needs),
                            (self._more, '\n'.join(words.more))):
            label.set_text(in_page_words(said, OPTIONS))
        self._more.set_visibility(bool(words.more))
        self._show_way(study, knots)
        kept: views.Variant | None = self._session.kept.get('plan.kept')
        other = None if kept is None else kept.study
        self._charge.show(views.charge_options(study, other))
        self._speeds.show(views.speed_options(study, other, knots))
        self._departures.show(*views.departure_options(study))
        compared = '' if kept is None else views.comparison_table(kept, self._side(study))
        for place, content in ((self._causes, views.causes_table(study)),
                               (self._speed_rows, views.speeds_table(study, knots)),
                               (self._departure_rows, views.departures_table(study)),
                               (self._legs, views.legs_table(study, knots)), (self._compared, compared),
                               (self._notes, shown(self._session, views.notes_of(study, plan.itinerary, knots)))):
            place.set_content(in_page_words(content, OPTIONS))
            place.set_visibility(bool(content))
        self._drop_kept.set_visibility(kept is not None)
        self._mark_old()

    def _mark_old(self) -> None:
        """Mark the answer that is shown as that of the plan before, where a later drawing or file was refused."""
        is_old = self._drawing.is_refused and bool(self._study is not None or self._margin.text)
        self._page.classes(**{'add' if is_old else 'remove': 'old'})
        self._old.set_visibility(is_old)

    def _show_way(self, study: MissionStudy, knots: bool) -> None:
        drawn = views.drawn_way(study, knots)
        self._map.put('way', 'usvWay', drawn.places, drawn.legs, drawn.marks)
        local = ' The plan is in local metres: where on the Earth it lies is not known.' if (
            study.mission.origin is None) else ''
        self._legend.set_content('mean power under way' + views.legend(drawn) + local)
        in_sight = self._drawing.is_in_sight and self._drawing.made(self._texts['file'])
        self._look_at(drawn.places, not in_sight)

    def _look_at(self, places: list[tuple[float, float]], moves: bool = True) -> None:
        """Let the map show places, unless it did so before; `moves`: whether it is not there already."""
        if places and places != self._shown_way:
            self._shown_way = places
            if moves:
                self._map.fit(places)

    def _go_to(self) -> None:
        with suppress(InputError), beside(self._place):
            if (plane := world_at((self._place.value or '').strip(), 'place')) is not None:
                self._map.fit([plane.origin])

    def _cancelled(self) -> None:
        """Say that the whole answer was cancelled."""
        if self._study is None:
            self._show_nothing('', 'Cancelled: whatever is changed begins anew')
        elif self._is_first:
            self._outcome.props('aria-busy=false')
            self._margin.set_text('A first answer; the whole one was cancelled.')

    def _whole(self) -> tuple[MissionStudy, ReadPlan] | None:
        """Return the whole answer and its plan; None, and tell the user, if it is not there."""
        if self._study is None or self._plan is None or self._is_first:
            ui.notify('the whole answer is not there')
            return None
        return self._study, self._plan

    def _show_nothing(self, error: str, word: str = NO_PLAN) -> None:
        """Show no study, but an error, or without one a word."""
        self._study = self._plan = self._since = None
        self._page.classes(remove='stale')
        self._map.take_away('way')
        self._legend.set_content('')
        self._command.set_text('')
        self._route.begin_at(None, {})
        self._outcome.classes(replace=f'outcome {"no" if error else "none"}').props('aria-busy=false')
        self._word.set_text('This cannot be computed' if error else word)
        self._margin.set_text(error)
        for label in (self._reason, self._needs, self._more):
            label.set_text('')
        self._more.set_visibility(False)
        self._drop_kept.set_visibility('plan.kept' in self._session.kept)
        for chart in (self._charge, self._speeds, self._departures):
            chart.show(None)
        for place in (self._causes, self._speed_rows, self._departure_rows, self._legs, self._notes, self._compared):
            place.set_visibility(False)
        self._mark_old()

    # ---- Files

    async def _take(self, event: events.UploadEventArguments) -> None:
        try:
            path = await dropped_file(self._session, event, PLANS)
            is_boat = is_boat_file(path)
        except InputError as error:
            self._form.show_words('file', self._said(error))
            self._drawing.is_refused = True
            self._mark_old()
            return
        self._form.choose('boat' if is_boat else 'file', path, path.name)

    def _choose_file(self, path: Path, title: str) -> None:
        """Choose a plan that was made here."""
        self._form.choose('file', path, title)

    def _chosen_mission(self) -> Mission | None:
        """Return the mission to write: a drawn one with the speed that is entered."""
        if self._plan is None:
            return None
        speed = self._texts.get('speed', '')
        if speed and self._drawing.made(self._texts['file']):
            return self._drawing.mission_at(speed)
        return self._plan.mission

    async def _download_plan(self, ending: str) -> None:
        mission, stem = self._chosen_mission(), self._stem()
        if mission is None or self._plan is None:
            ui.notify('there is no plan that can be computed')
            return
        try:
            text, remarks = await at_once(lambda: mission_text(mission, FORMATS[ending]))
        except InputError as error:
            ui.notify(str(error), type='negative')
            return
        if self._texts.get('speed') and not self._drawing.made(self._texts['file']):
            remarks = [*remarks, 'it keeps its own speeds']
        if remarks:
            ui.notify('; '.join(remarks))
        ui.download.content(text, f'{stem}{ending}')

    async def _download_page(self) -> None:
        if (found := self._whole()) is not None:
            study, _ = found
            work = Work()
            self._bar.follow_later(work)
            try:
                page = await work.done_apart(mission_page_html, study, tells=False)
            except CancelledError:
                return
            except InputError as error:
                ui.notify(self._said(error), type='negative')
                return
            if self._study is study:
                ui.download.content(page, f'{self._stem()}.html')
            else:
                ui.notify('what is entered was changed meanwhile')

    def _download_figures(self) -> None:
        if (found := self._whole()) is not None:
            ui.download.content(json.dumps(mission_study_figures(found[0]), indent=2, allow_nan=False),
                                f'{self._stem()}.json')

    def _stem(self) -> str:
        return Path(self._texts.get('file') or 'plan').stem

    def _said(self, error: InputError) -> str:
        """Return the sentence of an error, without this machine's folders."""
        return in_page_words(shown(self._session, str(error)), OPTIONS)

    def _clear(self) -> None:
        for key in [key for key in self._session.values if key.startswith('plan.')]:
            del self._session.values[key]
        self._session.kept_by_tab.pop(tab_of(self._client), None)
        self._session.kept.pop('plan.kept', None)
        ui.navigate.reload()

    # ---- Two variants

    def _side(self, study: MissionStudy) -> views.Variant:
        texts = in_own_words(self._session, self._texts)
        entered = [f'{name} {text}{" %" if name in PERCENT else ""}' for name in FIELDS
                   if (text := texts.get(name, ''))]
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

    def _show_base(self, changed: str = '') -> None:
        """Show the tiles and the coast that are chosen; the map goes to what was `changed`, if there is no plan."""
        values, to = self._session.values, changed if self._study is None else ''
        values['plan.tiles'], values['plan.coast'] = self._tiles.value or '', self._coast.value or ''
        self._map.tiles(values['plan.tiles'], to == 'tiles')
        self._coast.error = None
        try:
            self._map.coast(offered_path(values['plan.coast']) if values['plan.coast'] else None, to == 'coast')
        except InputError as error:
            self._coast.error = self._said(error)
