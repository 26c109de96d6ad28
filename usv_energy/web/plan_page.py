"""The page Plan: a mission, a boat, water and air; whether it makes it, leg by leg."""

from pathlib import Path
from typing import Any

from nicegui import events, ui

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_of
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission_file import read_mission
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import MissionStudy, mission_study
from usv_energy.studies.mission.mission_study_text import mission_study_text
from usv_energy.web.background import CancelledError, Latest
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.frame import ProgressBar, beside, choice

ENDINGS = ('.plan', '.waypoints', '.txt', '.gpx', '.kml', '.kmz', '.geojson', '.json', '.rtz', '.lnw', '.yaml')


def build(session: BrowserSession) -> None:
    """Make the page."""
    PlanPage(session)


class PlanPage:
    """The page, and what it shows."""

    def __init__(self, session: BrowserSession) -> None:
        """Make its fields, filled with what the session has kept, and show the study of them."""
        self._session, self._latest = session, Latest()
        ui.label('Drop a plan').classes('heading')
        self._file = ui.upload(on_upload=self._take, auto_upload=True, label='Plan: drop a file here, or choose one')
        self._error = ui.input('Plan').props('readonly outlined dense')
        self._boat = choice('Boat', {name: name for name in names('boats')}, session, 'plan.boat', 'blueboat')
        self._current = self._phrase('current', 'Current, as 0.4 kn set 060')
        self._wind = self._phrase('wind', 'Wind, as 6 kn from NE')
        self._bar = ProgressBar('Computing the mission')
        self._text = ui.label().classes('text')
        self._boat.on_value_change(self._show)
        ui.timer(0.0, self._show, once=True)

    def _phrase(self, name: str, label: str) -> ui.input:
        def keep(event: events.ValueChangeEventArguments[Any]) -> None:
            self._session.values[f'plan.{name}'] = event.value or ''

        field = ui.input(label, value=self._session.values.get(f'plan.{name}', ''), on_change=keep)
        return field.props('outlined dense debounce=300').on_value_change(self._show)

    async def _take(self, event: events.UploadEventArguments) -> None:
        try:
            with beside(self._error):
                path = self._session.dropped(event.file.name, await event.file.read(), ENDINGS)
                self._session.values['plan.file'] = str(path)
        except InputError:
            return
        await self._show()

    async def _show(self) -> None:
        """Compute and show the study of what is entered; an error stands beside its field."""
        name = self._session.values.get('plan.file')
        if name is None:
            return
        self._error.value = Path(name).name
        try:
            with beside(self._error):
                mission = read_mission(Path(name))
            with beside(self._boat):
                boat = read_boat(self._boat.value)
            with beside(self._current):
                current = flow_of(self._current.value or None, 'current', 'water') or UniformFlow()
            with beside(self._wind):
                wind = flow_of(self._wind.value or None, 'wind', 'air') or UniformFlow()
            placed = mission_scenario(itinerary_of(mission), boat, current, wind, None, mission.path)
            work = self._latest.begin()
            self._bar.follow_later(work)
            study: MissionStudy = await work.done(lambda progress: mission_study(placed, progress=progress))
        except (InputError, CancelledError):
            return
        self._text.text = mission_study_text(study)
