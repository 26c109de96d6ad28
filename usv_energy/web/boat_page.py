"""The page Boat: a boat file made of what its owner knows, with curves that follow what is typed."""

import asyncio
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from nicegui import events, ui

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.files.parsed_text import read_yaml
from usv_energy.show.page.page_parts import Tile
from usv_energy.show.text_table import fixed
from usv_energy.studies.make.boat_facts import (
    CHOICE,
    COUNT,
    FACTS,
    NUMBER,
    ROWS,
    Fact,
    fact_of_error,
    facts_document,
    facts_of_texts,
)
from usv_energy.studies.make.made_boat import curve_figures, make_figures
from usv_energy.web.background import CancelledError, Latest, Work, at_once
from usv_energy.web.boat_of_facts import Answer, made_of, range_with_intervals, texts_of_facts
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.charts import curve_options
from usv_energy.web.chosen_file import shown
from usv_energy.web.drop_area import drop_area, dropped_file
from usv_energy.web.frame import ProgressBar
from usv_energy.web.html_parts import heading, html, list_html, table_html, tiles_html
from usv_energy.web.speed_units import KNOTS, speed_words, speeds_in

FILE = 'made_boat.yaml'     # Of the session, under which other pages find the boat.
GROUPS = (('Hull', ('hull.kind', 'hull.length', 'hull.width', 'hull.waterline', 'hull.beam', 'hull.draught',
                    'hull.spacing', 'hull.height', 'hull.stern')),
          ('Weight, battery and electronics', ('mass', 'payload', 'battery', 'hotel')),
          ('What was measured under way', ('speeds', 'top_speed')),
          ('Thrusters', ('thrusters.number', 'thrusters.model', 'thrusters.voltage', 'thrusters.diameter',
                         'thrusters.max_power', 'thrusters.bollard', 'thrusters.control')),
          ('Name and source', ('name', 'source')))
LABELS = {'hull.kind': 'Kind of hull', 'thrusters.number': 'Number of thrusters', 'thrusters.model': 'Model',
          'hotel': 'Hotel load', 'speeds': 'Power at speeds', 'thrusters.bollard': 'Bollard pull'}
EXAMPLE = {'name': 'example', 'hull.kind': 'catamaran', 'hull.length': '2.0', 'hull.width': '1.08', 'mass': '65',
           'payload': '10', 'hotel': '34', 'battery': '28V 130Ah', 'thrusters.number': '2',
           'thrusters.max_power': '400', 'thrusters.diameter': '0.2', 'speeds': '1.5, 150'}
LEFT_OPEN = ''              # Of a choice: nothing is said.


def build(session: BrowserSession) -> None:
    """Make the page."""
    BoatPage(session)


class BoatPage:
    """The form, and what follows from it."""

    def __init__(self, session: BrowserSession) -> None:
        """Make the form, filled with what the session has kept, and show what follows."""
        self._session, self._latest, self._filling = session, Latest(), False
        self._making = asyncio.Lock()   # All boats are written to the same file.
        self._texts: dict[str, str] = dict(session.values.get('boat.facts', {}))
        self._fields: dict[str, Any] = {}
        heading('Boat', 1)
        html('<p class="hint">A boat file from what you know. Four facts are needed, and a speed with its watts, or '
             'thrusters; each further one narrows what is guessed.</p>')
        with ui.element('div').classes('two form'):
            with ui.element('section').classes('card').props('aria-label="Facts"'):
                with ui.element('div').classes('fields'):
                    drop_area('Drop a file of facts here, or choose one', self._take)
                    ui.button('Fill in an example', on_click=self._fill_example).props('outline no-caps')
                    ui.button('Clear', on_click=lambda: self._fill({})).props('flat no-caps')
                for title, keys in GROUPS:
                    heading(title)
                    with ui.element('div').classes('fields'):
                        for fact in FACTS:
                            if fact.key in keys:
                                self._fields[fact.key] = self._field(fact)
            with ui.element('div').classes('results'):
                self._bar = ProgressBar('Computing the range with its doubt')
                self._results = ui.element('div').classes('results').props('aria-live=polite')
        ui.timer(0.0, self._show, once=True)

    def _field(self, fact: Fact) -> Any:
        """Return the field of a fact: its name, its unit, and what may stand there."""
        name = LABELS.get(fact.key, fact.name.replace('_', ' ').capitalize())
        unit = f', {" and ".join(fact.units)}' if fact.units else ''
        label = f'{name}{unit}{" (needed)" if fact.is_required else ""}'
        value: Any = self._texts.get(fact.key, '')
        if fact.kind in (CHOICE, COUNT) or fact.key == 'thrusters.model':
            options = {LEFT_OPEN: '-', **{str(one): str(one) for one in fact.choices or names('thrusters')}}
            field: Any = ui.select(options, label=label, value=value if value in options else LEFT_OPEN)
            field.props('options-dense')
        elif fact.kind == ROWS:
            field = ui.textarea(label, value=value).props('rows=2 autogrow debounce=500')
        else:
            field = ui.input(label, value=value).props('debounce=500').props(
                'inputmode=decimal' if fact.kind == NUMBER else '')
        field.props('outlined dense hide-hint')     # The hint is shown with the focus.
        field.props['hint'] = f'{fact.meaning}; {fact.allowed}' if fact.kind in (NUMBER, ROWS) else fact.meaning
        field.without_auto_validation().on_value_change(partial(self._typed, fact.key))
        return field

    async def _typed(self, key: str, event: events.ValueChangeEventArguments[Any]) -> None:
        self._texts[key] = event.value or ''
        self._session.values['boat.facts'] = dict(self._texts)
        if not self._filling:
            await self._show()

    async def _fill(self, texts: Mapping[str, str]) -> None:
        """Put texts into all fields."""
        self._filling = True
        for key, field in self._fields.items():
            value = texts.get(key, '')
            field.set_value(value if not hasattr(field, 'options') or value in field.options else LEFT_OPEN)
        self._filling = False
        self._texts = dict(texts)
        self._session.values['boat.facts'] = dict(self._texts)
        await self._show()

    async def _fill_example(self) -> None:
        await self._fill(EXAMPLE)

    async def _take(self, event: events.UploadEventArguments) -> None:
        """Fill the form with a dropped file of facts."""
        try:
            path = await dropped_file(self._session, event, ('.yaml', '.yml'))
            document = read_yaml(path)
            checked.check(checked.values_of(document), 'facts', path)
            path.unlink()
        except InputError as error:
            self._say(shown(self._session, str(error)))
            return
        await self._fill(texts_of_facts(document))

    def _say(self, error: str) -> None:
        """Show an error that belongs to no field."""
        self._results.clear()
        with self._results, ui.element('section').classes('card warn').props('role=alert'):
            html(list_html([error]))

    async def _show(self) -> None:
        """Make the boat, and show what follows; an error stands beside the field of the fact that it names."""
        for field in self._fields.values():
            field.error = None
        work = self._latest.begin()
        missing = [fact for fact in FACTS if fact.is_required and not self._texts.get(fact.key, '').strip()]
        if missing:
            self._results.clear()
            with self._results, ui.element('section').classes('card'):
                words = ', '.join(LABELS.get(fact.key, fact.name).lower() for fact in missing)
                html(list_html([f'Still needed: {words}.']).replace('<ul>', '<ul class="plain">'))
            return
        texts, path = dict(self._texts), self._session.folder / FILE
        async with self._making:
            if work.ended:      # More was typed meanwhile.
                return
            try:
                answer = await at_once(partial(made_of, texts, path))
            except InputError as error:
                if not work.ended:
                    self._show_fault(shown(self._session, str(error)).removeprefix('boat: '))
                return
        if work.ended:
            return
        self._results.clear()
        with self._results:
            view = BoatView(self._session, answer, path)
        await self._show_intervals(work, answer, view)

    def _show_fault(self, text: str) -> None:
        """Show an error beside the field of the fact that it names, if it names one."""
        fact = fact_of_error(text)
        if fact is None:
            self._say(text)
        else:
            self._results.clear()
            self._fields[fact.key].error = text

    async def _show_intervals(self, work: Work, answer: Answer, view: 'BoatView') -> None:
        self._bar.follow_later(work)
        try:
            view.show_range(await work.done_beside(range_with_intervals, answer.boat))
        except (CancelledError, InputError):
            return


class BoatView:
    """What facts make: curves, and each number with where it comes from."""

    def __init__(self, session: BrowserSession, answer: Answer, path: Path) -> None:
        """Make it."""
        self._session, self._answer = session, answer
        self._in_knots = session.values.get('units', KNOTS) == KNOTS
        figures = make_figures(answer.made)
        self._head(figures)
        with ui.element('div').classes('two'):
            with ui.element('section').classes('card'):
                heading('Electrical power over speed')
                chart = curve_options('Power, W', curve_figures(answer.made), 'power_w', self._in_knots,
                                    points=answer.made.facts.speeds)
                self._picture(chart, 'Electrical power over speed with its interval; as numbers in the table below')
            with ui.element('section').classes('card'):
                heading('Range over speed')
                self._range = self._picture(self._range_chart(answer.range), 'Range over speed with its interval')
                self._best = html('')
        self._show_best(answer.range)
        with ui.element('section').classes('card'):
            heading('Power in numbers')
            html(table_html('Power in numbers', ('speed', 'Froude', 'power, W', '95 %, W'), [
                (speed_words(row['speed_m_s'], session), f'{row["froude"]:.2f}', f'{row["power_w"]:.0f}',
                 f'{row["power_low_w"]:.0f} to {row["power_high_w"]:.0f}') for row in figures['power']]))
        self._numbers(figures)
        self._downloads(figures, path)

    def _head(self, figures: dict[str, Any]) -> None:
        """Show how well the power is known, and what would narrow it, first."""
        counts = {how: sum(row['how'] == how for row in figures['numbers']) for how in
                  ('measured', 'derived', 'guessed')}
        with ui.element('section').classes('card').props('role=status'):
            heading(f'{figures["boat"]}: the power is known to {100.0 * figures["doubt_in_power"]:.0f} %')
            html(list_html(['One standard deviation. One measurement more would leave:']).replace(
                '<ul>', '<ul class="plain">'))
            html(table_html('What one measurement more would leave', ('measurement', 'left'), [
                (speeds_in(row['what'], self._in_knots), f'{100.0 * row["doubt_in_power"]:.0f} %')
                for row in figures['measurements']]))
        html(tiles_html(Tile(str(number), f'numbers {how}') for how, number in counts.items()))

    def _picture(self, options: dict[str, Any], label: str) -> ui.echart:
        return ui.echart(options, renderer='svg').classes('chart').style('height: 320px').props(
            f'role=img aria-label="{label}"')

    def _range_chart(self, figures: dict[str, Any]) -> dict[str, Any]:
        if figures['energy_j'] is None:
            return curve_options('Energy, J/m', figures['curve'], 'energy_per_meter_j_m', self._in_knots)
        return curve_options('Range, km', figures['curve'], 'range_m', self._in_knots, 1e-3, colour='var(--go)')

    def show_range(self, figures: dict[str, Any]) -> None:
        """Show the range with its intervals."""
        self._range.options.clear()
        self._range.options.update(self._range_chart(figures))
        self._range.update()
        self._show_best(figures)

    def _show_best(self, figures: dict[str, Any]) -> None:
        best = figures['best']
        rows = [('best speed', '-' if best['speed_m_s'] is None else speed_words(best['speed_m_s'], self._session)),
                ('power there', fixed(best['power_w'], 1, 'W'))]
        if figures['energy_j'] is None:
            rows.append(('energy', f'{fixed(best["energy_per_meter_j_m"], 2)} J/m; no battery is said'))
        else:
            for name, key, scale, unit in (('range', 'range_m', 1e-3, 'km'), ('endurance', 'endurance_h', 1.0, 'h')):
                low, high = best.get(f'{key}_low'), best.get(f'{key}_high')
                value = '-' if best[key] is None else f'{scale * best[key]:.2f} {unit}'
                rows.append((name, value if low is None or high is None else
                             f'{value} ({scale * low:.2f} to {scale * high:.2f})'))
        self._best.content = table_html('The best speed for range', (best['note'] or 'best speed', ''), rows, (0, 1))

    def _numbers(self, figures: dict[str, Any]) -> None:
        with ui.element('section').classes('card'):
            heading('Each number, and where it comes from')
            rows = sorted(figures['numbers'], key=lambda row: ('measured', 'derived', 'guessed').index(row['how']))
            html(table_html('Numbers of the boat', ('number', 'value', '+-', 'how', 'from'), [
                (row['number'], f'{row["value"]:.4g}', '' if row['std'] is None else f'{row["std"]:.2g}', row['how'],
                 row['source']) for row in rows], (4,), kinds=[row['how'] for row in rows]))

    def _downloads(self, figures: dict[str, Any], path: Path) -> None:
        name = self._answer.made.facts.name
        content = path.read_bytes()
        with ui.element('section').classes('card actions'):
            ui.button('The boat file', on_click=lambda: ui.download.content(content, f'{name}.yaml')).props(
                'outline no-caps')
            ui.button('The figures as JSON', on_click=lambda: ui.download.content(
                json.dumps(figures, indent=2).encode(), f'{name}.json')).props('outline no-caps')
            facts = yaml.safe_dump(facts_document(facts_of_texts(self._session.values['boat.facts'])), sort_keys=False)
            ui.button('The facts', on_click=lambda: ui.download.content(facts.encode(), f'{name}_facts.yaml')).props(
                'outline no-caps')
            html(f'<p class="hint">Other pages offer it as <b>dropped: {FILE}</b>.</p>')
