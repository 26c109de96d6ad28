"""The page Live: the boat that runs now, by its autopilot's MAVLink or on a ROS graph; whether it gets home."""

import math
from functools import partial
from importlib.util import find_spec
from typing import Any

from nicegui import events, ui

from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.boats.outfit import battery_label, with_battery, with_charge
from usv_energy.earth import LocalPlane
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import uniform_of
from usv_energy.flow.on_earth import world_at
from usv_energy.live.boat_account import LiveTerms
from usv_energy.live.link import open_link
from usv_energy.live.live_page import FIELDS
from usv_energy.live.session import LiveOptions, LiveWatch, loopback_connection
from usv_energy.web.background import at_once
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.chosen_file import boat_choices, chosen_boat, chosen_path, file_choices, in_page_words, shown
from usv_energy.web.drop_area import drop_area, dropped_file
from usv_energy.web.frame import beside
from usv_energy.web.html_parts import heading, html, list_html, markup, table_html, tiles_html
from usv_energy.web.live_desk import DESK, Watched
from usv_energy.web.live_views import cause_rows, headline, mission_words, problems_of, state_rows, tiles_of
from usv_energy.web.speed_units import KNOTS, speed_words, speeds_in, unit_of
from usv_energy.web.track_map import TrackMap
from usv_energy.web.typed_numbers import percent_of

PORT, REPLAY, GRAPH = 'port', 'replay', 'graph'
LOG = ('.tlog',)
RATES = {'1': 'as recorded', '10': '10 times as fast', '100': '100 times as fast'}
PERIOD = 0.5        # s between two looks.
NEAR = 1e-4         # Degrees beyond what was shown, at which the map is moved after the boat.
NOTHING = 'No boat was heard so far: it shows by a heartbeat of its autopilot.'
TITLES = {'boat': 'Boat', 'home': 'Home', 'battery': 'Battery', 'charge': 'Charge at the start, %',
          'reserve': 'Reserve at home, %', 'current': 'Water current', 'wind': 'Wind'}
DEFAULTS = {'boat': 'blueboat', 'reserve': '10', 'connection': '14551', 'source': PORT, 'rate': '1'}


def build(session: BrowserSession) -> None:
    """Make the page."""
    LiveViewPage(session)


class LiveViewPage:
    """The page: what is to be watched, and what is known of it."""

    def __init__(self, session: BrowserSession) -> None:
        """Make it; what the server watches already is shown at once."""
        self._session, self._fields = session, {}   # type: BrowserSession, dict[str, Any]
        heading('Live', 1)
        with ui.element('section').classes('card').props('aria-label="What is watched"') as self._form:
            self._make_form()
        with ui.element('section').classes('card actions') as self._running:
            self._words = ui.label()
            ui.button('Stop', on_click=self._stop).props('outline no-caps')
        self._refused = html('')
        self._boats: list[WatchedBoat] = []
        self._results = ui.element('div').classes('results')
        self._show()
        ui.timer(PERIOD, self._show)

    def _kept(self, name: str) -> str:
        return str(self._session.values.get(f'live.{name}', DEFAULTS.get(name, '')))

    def _make_form(self) -> None:
        sources = {PORT: 'a port of this machine (MAVLink)', REPLAY: 'a telemetry log, replayed'}
        if find_spec('rclpy') is not None:
            sources[GRAPH] = 'a ROS 2 graph'
        with ui.element('div').classes('fields'):
            source = self._select('source', 'From', sources)
            self._text('connection', 'Port or connection', 'as 14551, udpin:127.0.0.1:14551 or tcp:127.0.0.1:5777'
                       ).bind_visibility_from(source, 'value', value=PORT)
            drop = drop_area('Drop a .tlog here, or choose one', self._take)
            drop.bind_visibility_from(source, 'value', value=REPLAY)
            for name, label, options in (('log', 'Telemetry log', self._logs()), ('rate', 'Pace', RATES)):
                self._select(name, label, options).bind_visibility_from(source, 'value', value=REPLAY)
            self._text('namespace', 'Namespace', 'of the boat, as diffboat; empty: the one that runs'
                       ).bind_visibility_from(source, 'value', value=GRAPH)
            self._text('origin', 'x = y = 0 lies at', 'LATITUDE,LONGITUDE of the earth frame; empty: a map in metres'
                       ).bind_visibility_from(source, 'value', value=GRAPH)
            self._any_vehicle = ui.checkbox('Any vehicle', value=bool(self._kept('any_vehicle')))
            self._any_vehicle.on_value_change(self._keep_any_vehicle).bind_visibility_from(
                source, 'value', backward=lambda value: value != GRAPH)
            for name, meaning in FIELDS.items():
                field: Any = (self._select(name, TITLES[name], {one: one for one in boat_choices(self._session)})
                              if name == 'boat' else self._text(name, TITLES[name], meaning))
                field.bind_visibility_from(source, 'value', backward=lambda value: value != GRAPH)
            ui.button('Watch', on_click=self._watch).props('outline no-caps')

    def _logs(self) -> dict[str, str]:
        return {'': 'none', **{name: name for name in file_choices(self._session, LOG)}}

    def _select(self, name: str, label: str, options: dict[str, str]) -> ui.select:
        value = self._kept(name)
        field = ui.select(options, label=label, value=value if value in options else next(iter(options)))
        self._follow(name, field.props('outlined dense options-dense'))
        return field

    def _text(self, name: str, label: str, hint: str) -> ui.input:
        field = ui.input(label, value=self._kept(name))
        field.props['hint'] = hint
        self._follow(name, field.props('outlined dense hide-hint'))
        return field

    def _follow(self, name: str, field: Any) -> None:
        def keep(event: events.ValueChangeEventArguments[Any]) -> None:
            self._session.values[f'live.{name}'] = event.value or ''

        self._fields[name] = field.without_auto_validation().on_value_change(keep)

    def _keep_any_vehicle(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._session.values['live.any_vehicle'] = 'any' if event.value else ''

    async def _take(self, event: events.UploadEventArguments) -> None:
        """Keep a dropped log, and choose it."""
        field = self._fields['log']
        try:
            with beside(field):
                path = await dropped_file(self._session, event, LOG)
        except InputError:
            return
        field.set_options(self._logs(), value=f'dropped: {path.name}')

    async def _watch(self) -> None:
        """Begin to watch what is entered; an error stands beside its field."""
        for field in self._fields.values():
            field.error = None
        try:
            if self._fields['source'].value == GRAPH:
                with self._beside('origin'):
                    origin = world_at(self._fields['origin'].value.strip(), 'origin')
                with self._beside('namespace'):
                    await self._watch_graph(self._fields['namespace'].value.strip(), origin)
            else:
                await self._watch_link(*self._boat_and_terms())
        except InputError:
            return
        self._show()

    def _boat_and_terms(self) -> tuple[Boat, LiveTerms]:
        """Return the boat, and what is known and asked; an error stands beside its field, and is raised again."""
        values = {name: str(field.value or '').strip() for name, field in self._fields.items()}
        with self._beside('boat'):
            boat = chosen_boat(self._session, values['boat'])
            require_motion(boat, 'the power of a motion')
        with self._beside('battery'):
            boat = boat if not values['battery'] else with_battery(boat, battery_label(values['battery'], 'battery'))
        with self._beside('charge'):
            boat = with_charge(boat, percent_of(values['charge'], 'charge'))
        with self._beside('home'):
            home = world_at(values['home'], 'home')
        flows: dict[str, UniformFlow | None] = {}
        for name, medium in (('current', 'water'), ('wind', 'air')):
            with self._beside(name):
                flows[name] = uniform_of(values[name], name, medium) if values[name] else None
        with self._beside('reserve'):
            reserve = percent_of(values['reserve'] or DEFAULTS['reserve'], 'reserve')
        return boat, LiveTerms(
            flows['current'], flows['wind'], home=None if home is None else home.origin, reserve=reserve or 0.0)

    def _beside(self, name: str) -> Any:
        return beside(self._fields[name])

    async def _watch_link(self, boat: Boat, terms: LiveTerms) -> None:
        replays, any_vehicle = self._fields['source'].value == REPLAY, bool(self._any_vehicle.value)
        with self._beside('log' if replays else 'connection'):
            if replays:
                path = chosen_path(self._session, self._fields['log'].value)
                source, opened = path.name, partial(open_link, str(path), float(self._fields['rate'].value))
            else:
                source = loopback_connection(self._fields['connection'].value or '')
                opened = partial(open_link, source)
            options = LiveOptions(terms, any_vehicle=any_vehicle)
            await at_once(lambda: DESK.begin(Watched(source, boat.name), lambda: LiveWatch(
                opened(), boat, options)))   # A connection may take seconds to open.

    async def _watch_graph(self, namespace: str, origin: LocalPlane | None) -> None:
        try:
            from usv_energy.ros.graph.monitor import MonitorWatch
        except ImportError as error:
            raise InputError(f'a ROS graph needs ROS 2 (rclpy) and the built interfaces (usv_energy_msgs): {error}'
                             ) from None
        await at_once(lambda: DESK.begin(Watched('ROS 2', namespace or 'the boat that runs'),
                                         lambda: MonitorWatch(namespace or None, origin=origin)))

    async def _stop(self) -> None:
        await at_once(DESK.end)
        self._show()

    def _said(self, text: str) -> str:
        return in_page_words(shown(self._session, text), {'any-vehicle': 'Any vehicle'})

    def _show(self) -> None:
        """Show what is known now."""
        state, watched = DESK.state(), DESK.watched
        self._form.set_visibility(state is None)
        self._running.set_visibility(state is not None)
        if state is None or watched is None:
            if self._boats or self._refused.content:
                self._results.clear()
                self._boats, self._refused.content = [], ''
            return
        self._words.text = f'{watched.source}, {watched.boat}{", at its end" if state["ended"] else ""}'
        said = [*state['refused'], *([state['error']] if state['error'] else []),
                *([] if state['boats'] else [NOTHING])]
        content = f'<section class="card warn">{list_html(map(self._said, said))}</section>'
        self._refused.content = content if said else ''
        if len(state['boats']) != len(self._boats):
            self._results.clear()
            with self._results:
                self._boats = [WatchedBoat(self._session, boat['map'].get('is_on_earth', True))
                               for boat in state['boats']]
        for view, boat in zip(self._boats, state['boats']):
            view.show(boat, state['ended'])


class WatchedBoat:
    """What is known of one boat."""

    def __init__(self, session: BrowserSession, is_on_earth: bool) -> None:
        """Make it, empty; `is_on_earth`: whether its degrees are those of a place on the Earth."""
        self._speed = partial(speed_words, session=session)
        self._in_knots = unit_of(session) == KNOTS
        self._seen = [(math.inf, -math.inf)] * 2    # What the map shows, degrees north and east,
        self._around = 0    # and how many corners of the ring, and home.
        with ui.element('section').classes('card verdict') as self._card:
            self._title = heading('')
            self._headline = ui.label().props('role=status').classes('headline')
        self._alarms = html('').props('role=alert')
        self._tiles = html('')
        with ui.element('div').classes('two'):
            with ui.element('section').classes('card') as self._map_card:
                heading('Map')
                self._map = TrackMap('Map of the boat, its home, and the ring from within which it gets home', session,
                                     is_on_earth)
                html('<p class="hint">Full mark: the boat. Hollow mark: home. Dashed ring: from within it the boat '
                     'gets home with what it has, in this current and wind.</p>')
            with ui.element('section').classes('card'):
                heading('Power and energy by cause')
                self._causes, self._mission, self._state = html(''), html(''), html('')

    def show(self, boat: dict[str, Any], ended: bool) -> None:
        """Show a state, as of `BoatFollower.state`; `ended`: whether no later one comes."""
        words, grave = headline(boat)
        self._title.content = markup(str(boat.get('namespace') or 'boat'))
        self._headline.text = words
        self._card.classes(replace=f'card verdict {grave}')
        problems = [speeds_in(text, self._in_knots) for text in problems_of(boat, ended)]
        said = [*((one['level'], one['text']) for one in boat.get('alarms', [])),
                *(('warning', text) for text in problems)]
        looks = {'alarm': 'alarm', 'warning': 'warn'}
        self._alarms.content = ''.join(
            f'<section class="card {looks[level]}">{list_html([f"{level}: {text}"])}</section>' for level, text in said)
        self._tiles.content = tiles_html(tiles_of(boat, self._speed))
        rows = cause_rows(boat)
        self._causes.content = table_html('Power now and energy so far, by cause', (
            'cause', 'power, W', 'energy, J'), [row[1:] for row in rows], keys=[row[0] for row in rows if row[0]])
        mission = mission_words(boat)
        self._mission.content = f'<h3>Mission</h3>{list_html(mission)}' if mission else ''
        state = [(name, speeds_in(words, self._in_knots)) for name, words in state_rows(boat)]
        self._state.content = table_html('State', ('what', ''), state, (1,))
        self._show_on_map(boat)

    def _show_on_map(self, boat: dict[str, Any]) -> None:
        found, track = boat.get('map') or {}, boat.get('track_deg') or []
        place, home, ring = (found.get(key) for key in ('place_deg', 'home_deg', 'ring_deg'))
        self._map_card.set_visibility(bool(place))
        self._map.put_lines('ring', ring, 'ring', 'polygon')
        self._map.put_lines('track', track, 'wake')
        self._map.put_place('home', home)
        self._map.put_place('cursor', place)
        around = [*([home] if home else []), *(ring or [])]
        if place and (len(around) > self._around or not all(
                low <= at <= high for at, (low, high) in zip(place, self._seen))):
            shown, self._around = [place, *track, *around], len(around)
            self._seen = [(min(side) - NEAR, max(side) + NEAR) for side in zip(*shown)]
            self._map.fit([(north, east) for north, east in shown])
