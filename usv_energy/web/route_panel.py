"""The part of Plan that finds the route of least energy from a plan's start to its end, on the same map."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from nicegui import ui

from usv_energy.files.errors import InputError
from usv_energy.missions.mission_file import write_mission
from usv_energy.web.background import CancelledError, Latest
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.chosen_file import in_own_words, shown
from usv_energy.web.folder import offered_files
from usv_energy.web.frame import ProgressBar, tab_of
from usv_energy.web.html_parts import heading
from usv_energy.web.map_view import MapView
from usv_energy.web.plan_inputs import ReadPlan, Texts
from usv_energy.web.route_of_plan import found_route
from usv_energy.web.speed_units import KNOTS, speeds_in, unit_of

FILE = 'route.plan'     # Of the browser's first tab that drew or found a plan.


class RoutePanel:
    """A button that finds the route in the water and air that are entered, what it costs, and it as a plan."""

    def __init__(self, on_map: MapView, session: BrowserSession, take: Callable[[Path, str], None]) -> None:
        """Make it; `take`: called with the route's file and its title when the user chooses it as the plan."""
        self._map, self._session, self._take, self._latest = on_map, session, take, Latest()
        self._plan: ReadPlan | None = None
        self._texts: Texts = {}
        self._client = ui.context.client
        with ui.element('section').classes('card'):
            heading('Route of least energy')
            ui.label("From the plan's start straight to its last place, whichever way and speed take the least in this "
                     'water and air.').classes('note')
            self._land = ui.select({'': 'none', **{name: name for name in offered_files(('.geojson', '.json', '.shp',
                                                                                         '.gpkg'))}},
                                   label='Keep clear of the areas in', value='').props('outlined dense')
            with ui.row():
                ui.button('Find the route', on_click=self._find).props('outline no-caps')
                self._choose = ui.button('Take it as the plan', on_click=self._chosen).props('flat no-caps')
            self._bar = ProgressBar('Finding the route')
            self._error = ui.label().classes('field-error').props('role=alert')
            self._text = ui.label().classes('route').props('role=region tabindex=0 aria-label="What the route costs"')
        self._clear()

    def begin_at(self, plan: ReadPlan | None, texts: Texts) -> None:
        """Take what is entered; a route that was found for something else is taken away."""
        self._plan, self._texts = plan, texts
        self._latest.cancel()
        self._clear()

    def _clear(self, error: str = '') -> None:
        self._error.set_text(error)
        self._map.take_away('route')
        self._text.set_visibility(False)
        self._choose.set_visibility(False)

    async def _find(self) -> None:
        texts, land = self._texts, str(self._land.value or '')
        if self._plan is None:
            self._clear('first a plan that can be computed is needed: its start and its last place')
            return
        work = self._latest.begin()
        self._clear()
        self._bar.follow_later(work)
        try:
            found = await work.done_apart(found_route, texts, in_own_words(self._session, texts), land,
                                          partial(speeds_in, knots=unit_of(self._session) == KNOTS))
            write_mission(found.mission, self._path())
        except CancelledError:
            return
        except InputError as error:
            self._clear(shown(self._session, str(error)))
            return
        self._map.put('route', 'usvLines', found.places, 'ink', '2 6')
        self._text.set_text(shown(self._session, found.text))
        self._text.set_visibility(True)
        self._choose.set_visibility(True)

    def _chosen(self) -> None:
        self._take(self._path(), 'route of least energy')

    def _path(self) -> Path:
        return self._session.of_tab(tab_of(self._client), FILE)
