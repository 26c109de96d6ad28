"""The fields of the page Plan: what is entered, kept in the session, each with its error beside it."""

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from nicegui import events, ui

from usv_energy.earth import KNOT
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.files.locate import names
from usv_energy.units import speed_of
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.folder import offered_files, offered_paths
from usv_energy.web.frame import Slider, beside, tab_of
from usv_energy.web.html_parts import heading
from usv_energy.web.plan_inputs import RESERVE, FieldError, flow_sliders
from usv_energy.web.speed_units import KNOTS, unit_of

YAML = '.yaml', '.yml'
PLANS = ('.plan', '.waypoints', '.txt', '.gpx', '.kml', '.kmz', '.geojson', '.json', '.rtz', '.rtzp', '.lnw', *YAML)
FLOWS = '.yaml', '.nc', '.hdf', '.grib', '.grb2', '.zarr'
KEPT = 'plan.fields'    # The key of the session under which all fields are.
LIMITS = {'kn': (12.0, 3.0, 40.0, 0.1), 'm/s': (6.0, 1.5, 20.0, 0.05)}     # speed, current, wind; step
MOST_PAYLOAD = 100.0    # kg, of its slider; more can be typed.
Answer = Callable[[], Awaitable[None]]


class PlanForm:
    """The fields of FIELDS; `texts`: what is entered on this page, by their names. The last entered are kept."""

    def __init__(self, session: BrowserSession, answer: Answer) -> None:
        """Take what the session has kept; `answer`: called when something else is entered."""
        self._session, self._answer, self._unit = session, answer, unit_of(session)
        self.texts: dict[str, str] = {'boat': 'blueboat', 'reserve': f'{RESERVE:g}', **session.values.get(KEPT, {})}
        self._fields: dict[str, Any] = {}
        self._client = ui.context.client

    def make_file(self) -> None:
        """Make the choice of the plan."""
        chosen = self.texts.get('file', '')
        options = {'': 'none', **{str(path): name for name, path in offered_paths(PLANS).items()}}
        options.update({str(path): path.name for path in sorted(self._session.folder.iterdir())
                        if path.suffix.lower() in PLANS})
        self._field('file', ui.select(options, label='Plan', value=chosen if chosen in options else ''))

    def make_others(self) -> None:
        """Make the fields of boat, speed, water and air."""
        heading('Boat')
        self._field('boat', ui.select(self._boats(), label='Boat', with_input=True)).on(
            'blur', self._left, js_handler='(event) => emit(event.target.value)')
        self._field('battery', ui.input('Battery, as 148Wh, 4S18Ah'), "the boat file's")
        with ui.element('div').classes('pair'):
            self._slider('charge', 'Charge at the start', '%', 0.0, 100.0, 1.0, '', 'as the boat file says')
            self._slider('reserve', 'Reserve', '%', 0.0, 60.0, 1.0, f'{RESERVE:g}')
        with ui.element('div').classes('pair'):
            self._field('hotel', ui.input('Hotel load, W'), "the boat file's")
            payload = self._field('payload', ui.input('Payload, kg'), "the boat file's")
        with ui.element('div').classes('slide'):
            mass = Slider('Payload by a slider, kg', 0.0, MOST_PAYLOAD, 0.5, _mass_in(payload.value),
                          lambda value: payload.set_value(f'{value:g}'))
            payload.on_value_change(lambda: mass.set_value(_mass_in(payload.value)))
        ui.label('At a steady speed the payload changes nothing: the boat file does not say how drag grows with it.'
                 ).classes('note')
        heading('Speed, water and air')
        most, current, wind, step = LIMITS[self._unit]
        self._slider('speed', 'Speed over ground, all legs', self._unit, 0.0, most, step, '', "the plan's own")
        self._flow('current', 'Current', 'set', current, step)
        self._flow('wind', 'Wind', 'from', wind, 10.0 * step)
        self._field('depart', ui.input('Departure, or FROM,TO,STEP'),
                    '2026-06-01T06:00+02:00,2026-06-01T18:00+02:00,1h')

    def clear_errors(self) -> None:
        """Take the errors of all fields away."""
        for field in self._fields.values():
            field.error = None

    def show_error(self, error: FieldError, words: str) -> None:
        """Show words beside the field of an error; none for a plan that is not chosen yet."""
        if self.texts.get('file') or error.field != 'file':
            self.show_words(error.field if error.field in self._fields else 'file', words)

    def show_words(self, name: str, words: str) -> None:
        """Show the words of an error beside a field."""
        self._fields[name].error = words

    def choose(self, name: str, path: Path, title: str) -> None:
        """Offer a file for a field, and choose it; one of the same name may have had another content."""
        field = self._fields[name]
        self.texts[name] = ''
        field.set_options({**field.options, str(path): title})
        field.set_value(None)
        field.set_value(str(path))

    def _field(self, name: str, element: Any, hint: str = '') -> Any:
        """Take an element as the field of a name: it is filled, kept, and shows its errors."""
        element.props(f'outlined dense debounce=300 stack-label {f"placeholder={json.dumps(hint)}" if hint else ""}')
        if name != 'file':
            element.set_value(self.texts.get(name, '') or (None if isinstance(element, ui.select) else ''))
        element.on_value_change(lambda event: self._changed(name, event.value or ''))
        self._fields[name] = element
        return element

    def _changed(self, name: str, text: str) -> Awaitable[None] | None:
        if self.texts.get(name, '') == str(text):
            return None
        self.texts[name] = str(text)
        self._session.keep(tab_of(self._client), KEPT, dict(self.texts))
        return self._answer()

    def _boats(self) -> dict[str, str]:
        own = [path for path in self._session.folder.iterdir() if path.suffix in YAML]
        found = {name: name for name in names('boats')}
        found.update({name: name for name in offered_files(YAML)})
        return {**found, **{str(path): path.name for path in own}}

    def _left(self, event: events.GenericEventArguments) -> None:
        """Show that what was typed for a boat, which the list has not, is none: the choice stays as it was."""
        field, typed = self._fields['boat'], str(event.args or '').strip()
        if typed and typed not in field.options.values():
            with suppress(InputError), beside(field):
                raise InputError(f'boat is {safe_name(typed)!r}; must be one of the list, or a file that is dropped')

    def _slider(self, name: str, label: str, unit: str, low: float, high: float, step: float, default: str,
                unset: str = '') -> None:
        """Make a slider of a field; at its lowest end with `unset` words nothing is entered."""
        said = self.texts.get(name, default)
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
        field = ui.input(f'{label}: a phrase, or a flow file of the folder', autocomplete=offered_files(FLOWS))
        self._field(name, field, '0.4 kn set 060' if name == 'current' else '6 kn from NE')
        sliders: list[Slider] = []
        written = ''

        def write(_: float) -> None:
            nonlocal written
            speed, course = (slider.value for slider in sliders)
            written = f'{speed:g} {self._unit} {way} {course:03.0f}' if speed else ''
            field.set_value(written)

        def follow() -> None:
            """Set the sliders to a phrase that was entered."""
            nonlocal written
            if (field.value or '') != written:
                written = field.value or ''
                for slider, value in zip(sliders, flow_sliders(written, name, self._unit)):
                    slider.set_value(value)

        with ui.element('div').classes('pair'):
            for words, high, one in ((f'{label}, {self._unit}', most, step), (f'{label} {way}, °', 355.0, 5.0)):
                with ui.element('div').classes('slide'):
                    ui.label(words)
                    sliders.append(Slider(words, 0.0, high, one, 0.0, write))
        follow()
        field.on_value_change(follow)


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


def _mass_in(text: str | None) -> float:
    """Return where the slider of the payload stands for a text, 0 for what is none, kg."""
    with suppress(ValueError):
        if (mass := float(text or 0.0)) > 0.0:
            return min(mass, MOST_PAYLOAD)
    return 0.0


def _number_in(text: str, unit: str) -> float:
    """Return the number of a field's text, a speed in the unit that is chosen."""
    if unit not in LIMITS:
        return float(text)
    return round(speed_of(text, 'speed') / (KNOT if unit == KNOTS else 1.0), 2)
