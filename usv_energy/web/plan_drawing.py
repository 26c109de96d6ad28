"""The part of Plan that makes a plan of an area or a line, drawn on the map or typed as places."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from nicegui import ui

from usv_energy.files.errors import InputError
from usv_energy.missions.mission import Mission
from usv_energy.missions.mission_file import write_mission
from usv_energy.units import speed_of
from usv_energy.web.background import at_once
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.chosen_file import shown
from usv_energy.web.drawn_mission import (
    AREA,
    WAY,
    DrawnPlace,
    SketchedPlan,
    mission_of_drawing,
    rings_of_text,
    stay_of,
    text_of_rings,
)
from usv_energy.web.frame import beside, tab_of
from usv_energy.web.map_view import MapView

FILE = 'drawn.plan'     # Of the browser's first tab that drew one.
KEPT = 'plan.drawing'   # The key of the session.
TOOLS = {'draw': {'polygon': {'allowIntersection': False}, 'polyline': True, 'rectangle': True, 'circle': False,
                  'marker': True, 'circlemarker': False}, 'edit': False}
ABOVE = '.plan > .top, .plan > .inputs'     # What lies above the map, where the page is narrow.


class DrawingPanel:
    """
    Places and settings of a drawing, and a button that makes the plan.

    `is_in_sight`: whether the plan was drawn on the map, where it is seen already. `is_refused`: whether no plan was
    made of what was drawn, typed or dropped last.
    """

    def __init__(self, session: BrowserSession, take: Callable[[Path, str], None], refuse: Callable[[], None]) -> None:
        """
        Make it, filled with what the session has kept.

        :param take: Called with the plan's file and its title.
        :param refuse: Called when a drawing was refused, or is forgotten.
        """
        self._session, self._take, self._refuse = session, take, refuse
        self.is_in_sight = self.is_refused = False
        self._client, self._making = ui.context.client, asyncio.Lock()
        self._sketched: SketchedPlan | None = session.values.get(KEPT)   # On this page; another may keep its own.
        drawing = self._drawing()
        self._kind = ui.radio({AREA: 'cover an area by lanes', WAY: 'go from place to place'}, value=drawing.kind)
        self._places = ui.textarea('Places: latitude, longitude; a line each', value=text_of_rings(drawing))
        self._places.props('outlined dense autogrow input-style="max-height: 12em"')
        with ui.element('div').classes('pair'):
            self._spacing = ui.input('Lanes apart, m', value=drawing.spacing).props('outlined dense')
            self._direction = ui.input('Lanes along, as NE', value=drawing.direction).props(
                'outlined dense stack-label placeholder="fewest lanes"')
        self._stay = ui.input('Stay at a marker', value=drawing.stay).props('outlined dense')
        ui.label('On the map: an area, then areas in it that are left out; or a line, then markers: at the place of '
                 'the line that is nearest to one the boat stays, and no more after a marker of 0 s. Typed: an empty '
                 'line before each area that is left out; a stay behind its place, as 45.6073, 9.5524, 10 min.'
                 ).classes('note')
        with ui.row():
            ui.button('Make the plan', on_click=self._make).props('no-caps')
            ui.button('Draw anew', on_click=self._draw_anew).props('flat no-caps')

    def follow(self, on_map: MapView, note: ui.label, error: ui.label) -> None:
        """Take what is drawn on a map, and show what was drawn before; `note` and `error` are said beside the map."""
        self._map, self._note, self._error = on_map, note, error
        on_map.map.generic_layer(name='usvDrawing', args=[ABOVE, 'Stay at a place of the line'])
        on_map.on_drawn(self._drawn)
        self._show(self._drawing())

    def made(self, file: str) -> bool:
        """Return whether a file is the plan that was made of the drawing."""
        return Path(file).name == self._drawing().file

    def mission_at(self, speed: str) -> Mission:
        """Return the drawn mission at a speed; raises InputError if that is none."""
        return mission_of_drawing(self._drawing(), speed_of(speed, 'speed'))[0]

    def _drawing(self) -> SketchedPlan:
        return self._sketched or SketchedPlan(AREA, ())

    def _keep(self, drawing: SketchedPlan) -> None:
        self._sketched = drawing
        self._session.keep(tab_of(self._client), KEPT, drawing)

    async def _drawn(self, kind: str, places: list[tuple[float, float]]) -> None:
        """Take what was drawn, and make the plan of it; an error stands beside its field, and beside the map, too."""
        self._stay.error = None
        try:
            if kind == 'marker':
                with beside(self._stay):
                    stay_of(self._stay.value or '')
            drawing = self._drawing()._replace(stay=self._stay.value or '', file='').with_shape(
                kind, [DrawnPlace(*place) for place in places])
        except InputError as error:
            self._error.set_text(str(error))
            self._note.set_text('')
            self._set_refused(True)
            return
        self._keep(drawing)
        self._kind.set_value(drawing.kind)
        self._places.set_value(text_of_rings(drawing))
        self._show(drawing)
        await self._make()
        self.is_in_sight = True
        self._error.set_text(self._places.error or '')

    def _show(self, drawing: SketchedPlan) -> None:
        if drawing.kind == AREA and len(drawing.places) > 2:
            rings = [[place[:2] for place in (*ring, ring[0])] for ring in (drawing.places, *drawing.holes)]
            self._map.put('area', 'usvLines', rings, 'accent', '6 6')
        else:
            self._map.take_away('area')

    async def _make(self) -> None:
        """Make a plan of the places and settings, and choose it, one after the other: all are written to one file."""
        async with self._making:
            await self._make_one()

    async def _make_one(self) -> None:
        self._places.error, self.is_in_sight = None, False
        self._note.set_text('')
        self._error.set_text('')
        try:
            places, *holes = rings_of_text(self._places.value or '')
            if self._kind.value == WAY:
                places, holes = sum(holes, places), []
            path = self._session.of_tab(tab_of(self._client), FILE)
            drawing = SketchedPlan(self._kind.value, places, tuple(holes), self._spacing.value or '',
                                   self._direction.value or '', self._stay.value or '', path.name)
            mission, note = await at_once(lambda: mission_of_drawing(drawing))
            await at_once(lambda: write_mission(mission, path))
        except InputError as error:
            self._places.error = shown(self._session, str(error))
            self._note.set_text('no plan was made: any answer that is shown is that of before')
            self._set_refused(True)
            return
        self._keep(drawing)
        self._show(drawing)
        self._note.set_text(note)
        self._take(path, 'drawn on the map')

    def _set_refused(self, is_refused: bool) -> None:
        self.is_refused = is_refused
        self._refuse()

    def _draw_anew(self) -> None:
        self._set_refused(False)
        self._keep(self._drawing()._replace(places=(), holes=(), file=''))
        self._places.set_value('')
        self._note.set_text('')
        self._map.take_away('area')
