"""The page Look back: a log, how far its energy is to be trusted, and where it went, at each time and in each range."""

import json
import math
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import events, ui

from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.files.parsed_text import read_yaml
from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import fixed, joules, metres, seconds
from usv_energy.studies.analyze.leg_shares import range_figures
from usv_energy.studies.analyze.log_report import LogReport, energy_figures, report_figures
from usv_energy.studies.analyze.log_series import energy_over_distance, log_series, moment_figures, track_series
from usv_energy.studies.analyze.report_page import report_fields, report_html
from usv_energy.studies.compare.comparison import compared_rows, comparison_figures
from usv_energy.web.background import CancelledError, Latest, Work, at_once
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.chosen_file import (
    BOATS,
    bag_choices,
    boat_choices,
    chosen_boat_name,
    chosen_columns,
    chosen_path,
    file_choices,
    in_page_words,
    shown,
    shown_stem,
)
from usv_energy.web.drop_area import drop_area, dropped_file
from usv_energy.web.frame import ProgressBar, Slider, beside, choice
from usv_energy.web.html_parts import heading, html, list_html, table_html, tiles_html
from usv_energy.web.look_back_chart import HEIGHT, cursor_options, distance_chart, log_chart, time_unit
from usv_energy.web.plan_inputs import FieldError
from usv_energy.web.report_shelf import SHELF, LogQuestion, new_report
from usv_energy.web.speed_units import KNOTS, speed_words, speeds_in, unit_of
from usv_energy.web.track_map import TrackMap, degrees_of_track
from usv_energy.web.typed_numbers import number_of
from usv_energy.web.zipped_bag import ENDING, unpacked_bag

ENDINGS = ('.bin', '.log', '.tlog', '.ulg', '.mcap', '.db3', '.bag', '.csv', '.tsv', '.txt', '.nmea', '.json', '.jsonl',
           '.alog', '.gpx', '.kml', '.kmz', '.geojson', '.tcx', '.xlsx', '.dat', '.clog', '.ass', '.raw', '.ebl',
           '.asc', '.trc', '.pos')
NO_BOAT, NO_LOG = 'as the log says, else lutra_prop', ''
CURSOR_STEPS = 400     # Of the slider from the begin of a log to its end.
# Fields of text, and all options of the command that are fields here.
TEXTS = {'payload': 'Payload, kg', 'battery': 'Battery, as 148Wh, 4S18Ah', 'charge': 'Charge at the start, %',
         'hotel': 'Hotel load, W', 'current': 'Current, as 0.5 kn set 090', 'wind': 'Wind, as 12 kn from NE'}
OPTIONS = {**{name: label.partition(',')[0] for name, label in TEXTS.items()}, 'boat': 'Boat',
           'columns': 'Columns of a table', 'any-vehicle': 'Any vehicle'}
HOVER = 120     # ms between two looks at where the pointer is.


def build(session: BrowserSession) -> None:
    """Make the page."""
    LookBackPage(session)


class LookBackPage:
    """The page: its fields, and below them what the log shows, made anew with each answer."""

    def __init__(self, session: BrowserSession) -> None:
        """Make its fields, filled with what the session has kept, and show the log that was shown last."""
        self._session, self._latest, self._writing = session, Latest(), Latest()
        heading('Look back', 1)
        with ui.element('section').classes('card').props('aria-label="Log and conditions"'), \
                ui.element('div').classes('fields'):
            drop_area('Drop a log (a bag as .zip), a boat file or a map of columns here', self._take)
            self._log = self._select('log', 'Log', self._logs())
            self._boat = self._select('boat', 'Boat', {NO_LOG: NO_BOAT, **{
                name: name for name in boat_choices(session)}})
            self._texts = {name: self._text(name, label) for name, label in TEXTS.items()}
            self._columns = self._select('columns', 'Columns of a table', self._maps())
            self._any_vehicle = ui.checkbox('Any vehicle', value=bool(self._kept('any_vehicle')))
            self._follow('any_vehicle', self._any_vehicle)
            self._other = self._select('other', 'Compare with', {**self._logs()})
        self._fields = self._log, self._boat, *self._texts.values(), self._columns, self._other
        self._bar = ProgressBar('Analysing the log', self._cancelled)
        self._old = ui.label('Of the log before: what was dropped last was refused').props('role=status')
        self._old.set_visibility(False)
        self._results = ui.element('div').classes('results').props('aria-live=polite')
        ui.timer(0.0, self._show, once=True)

    def _logs(self) -> dict[str, str]:
        return {NO_LOG: 'none', **{name: name for name in (
            *file_choices(self._session, ENDINGS), *bag_choices(self._session))}}

    def _maps(self) -> dict[str, str]:
        return {NO_LOG: 'as they are recognised', **{
            name: name for name in (*file_choices(self._session, BOATS), *names('columns'))}}

    def _kept(self, name: str, default: str = '') -> str:
        return str(self._session.values.get(f'look_back.{name}', default))

    def _select(self, name: str, label: str, options: dict[str, str]) -> ui.select:
        value = self._kept(name)
        field = ui.select(options, label=label, value=value if value in options else NO_LOG)
        self._follow(name, field.props('outlined dense options-dense'))
        return field

    def _text(self, name: str, label: str) -> ui.input:
        field = ui.input(label, value=self._kept(name))
        self._follow(name, field.props('outlined dense debounce=500'))
        return field

    def _follow(self, name: str, field: Any) -> None:
        """Keep the value of a field, and show the log again when it changes."""
        def keep(event: events.ValueChangeEventArguments[Any]) -> None:
            self._session.values[f'look_back.{name}'] = event.value or ''

        field.on_value_change(keep).on_value_change(self._show)

    async def _take(self, event: events.UploadEventArguments) -> None:
        """Keep a dropped log, boat file or map of columns, and choose it."""
        field = self._boat if event.file.name.lower().endswith(('.yaml', '.yml')) else self._log
        try:
            with beside(field):
                path = await dropped_file(self._session, event, (*ENDINGS, ENDING, '.yaml', '.yml'))
                if path.suffix.lower() == ENDING:
                    path = await at_once(partial(unpacked_bag, self._session, path))
                if field is self._boat and 'columns' in read_yaml(path):
                    field = self._columns
        except InputError:
            self._old.set_visibility(bool(self._log.value))
            return
        for one in (self._log, self._other):
            one.set_options(self._logs(), value=one.value)
        chosen = f'dropped: {path.name}'
        if field is self._boat:
            self._boat.set_options({NO_LOG: NO_BOAT, **{name: name for name in boat_choices(self._session)}})
        self._columns.set_options(self._maps(), value=self._columns.value)
        if field.value == chosen:
            await self._show()
        field.set_value(chosen)

    def _question(self, field: ui.select) -> LogQuestion:
        """Return what is asked of the log of a field; an error stands beside its field, and is raised again."""
        with beside(field):
            path = chosen_path(self._session, field.value)
        with beside(self._boat):
            boat = chosen_boat_name(self._session, self._boat.value) if self._boat.value else None
        texts: dict[str, Any] = {name: (field.value or '').strip() for name, field in self._texts.items()}
        with beside(self._texts['payload']):
            payload = number_of(texts.pop('payload'), 'payload', 'kg')
        with beside(self._columns):     # Of the log that is compared, too, if it is of the same kind.
            has_map = self._columns.value and path.suffix == Path(self._log.value).suffix
            columns = chosen_columns(self._session, self._columns.value) if has_map else None
        return LogQuestion(path, boat, payload, columns=columns, any_vehicle=bool(self._any_vehicle.value), **texts)

    def _field_of(self, error: InputError, log: ui.select) -> Any:
        """Return the field that an error of the analysis belongs to, by its name or how its sentence begins."""
        if isinstance(error, FieldError):
            return self._texts[error.field]
        text, flows = str(error), {name: self._texts[name] for name in ('current', 'wind')}
        return next((field for name, field in flows.items() if text.startswith((f'{name} is', f'{name}:'))
                     or (field.value and field.value in text)), log)

    async def _show(self) -> None:
        """Analyse the log, and the one to compare it with, and show both."""
        for field in self._fields:
            field.error = None
        self._old.set_visibility(False)
        work = self._latest.begin()
        self._writing.cancel()
        self._results.clear()
        if not self._log.value:
            return
        self._bar.follow_later(work)
        reports = await self._reports(work)
        work.ended = True
        if not reports:
            return
        with self._results:
            ReportView(self._session, reports[0], self._writing)
            if len(reports) > 1:
                _comparison(reports, self._session)

    def _cancelled(self) -> None:
        """Say that the analysis was cancelled; what was shown before is gone already."""
        with self._results:
            ui.label('Cancelled: whatever is changed begins anew')

    async def _reports(self, work: Work) -> list[LogReport]:
        """Return the reports of the log and of what it is compared with; none if it was ended or the first is wrong."""
        reports: list[LogReport] = []
        for field in (self._log, self._other):
            if not field.value:
                continue
            try:
                reports.append(await report_by(work, self._question(field)))
            except CancelledError:
                return []
            except InputError as error:
                if not any(one.error for one in self._fields):  # Where it stands already.
                    self._field_of(error, field).error = in_page_words(shown(self._session, str(error)), OPTIONS)
                if field is self._log:
                    return []
        return reports


async def report_by(work: Work, question: LogQuestion) -> LogReport:
    """Return the report of a log: one that is kept, else a new one, made by work; raises as `new_report`."""
    report = SHELF.get(question)
    if report is None:
        report = await work.done_apart(new_report, question)
        SHELF.put(question, report)
    return report


def _comparison(reports: list[LogReport], session: BrowserSession) -> None:
    """Show two logs beside each other."""
    runs = [energy_figures(report.analysed) for report in reports]
    names = [shown_stem(session, report.analysed.log.path) for report in reports]
    if names[0] == names[1]:
        names = [f'{name} ({number})' for number, name in enumerate(names, start=1)]
    runs = [{**run, 'name': name} for run, name in zip(runs, names)]
    head, *rows = compared_rows(runs)
    with ui.element('section').classes('card'):
        heading('Compared')
        html(table_html('Two logs compared, by cause', head, rows))
        chart = distance_chart([(name, energy_over_distance(report.analysed))
                                for name, report in zip(names, reports)])
        ui.echart(chart, renderer='svg').classes('chart').style('height: 320px').props(
            'role=img aria-label="Energy so far of both logs over the distance over ground"')
        figures = json.dumps(comparison_figures(runs), indent=2)
        _download('The comparison as JSON', 'comparison.json', shown(session, figures))


def _download(label: str, name: str, text: str) -> None:
    ui.button(label, on_click=lambda: ui.download.content(text.encode(), name)).props('outline no-caps')


class ReportView:
    """What a report shows: verdict and doubts, then the track and the lines over time that one cursor joins."""

    def __init__(self, session: BrowserSession, report: LogReport, writing: Latest) -> None:
        """Make it."""
        self._session, self._report, self._writing = session, report, writing
        self._analysed = report.analysed
        self._name = shown_stem(session, report.analysed.log.path)
        self._in_knots = unit_of(session) == KNOTS
        self._first, self._last = (float(self._analysed.log.time[row]) for row in (0, -1))
        self._unit = time_unit(self._analysed.log.duration)
        self._fields = report_fields(report, partial(speed_words, session=session))
        self._seen = (self._first, self._last)
        self._ranges: list[tuple[float, float]] = [
            tuple(one) for one in session.values.get('look_back.ranges', [])]
        self._verdict()
        with ui.element('div').classes('two'):
            with ui.element('section').classes('card'):
                heading('Track')
                self._track = self._map()
                self._moment = html('')
            with ui.element('section').classes('card'):
                heading('Over time')
                self._over_time()
        self._range_card()
        self._tables()

    def _verdict(self) -> None:
        """Show the verdict, and what is doubtful, before any other figure."""
        fields = self._fields
        with ui.element('section').classes(f'card verdict{" bad" if fields["useless"] else ""}').props('role=status'):
            heading(f'{self._name}: {joules(self._analysed.energy.total)}')
            verdict = list_html([self._said(fields['verdict'])])
            html(verdict.replace('<ul>', '<ul class="plain">'))
        if fields['warnings']:
            with ui.element('section').classes('card warn'):
                heading('Look at this first')
                html(list_html(self._said(note) for note in fields['warnings']))
        with ui.element('section').classes('card'):
            heading('How far to trust it')
            doubts = [(doubt.name, self._said(doubt.amount), self._said(doubt.advice)) for doubt in fields['trust']]
            html(table_html('Doubts, the worst first', ('doubt', 'amount', 'what to do'), doubts, (0, 1, 2)))
        html(tiles_html(fields['tiles']))

    def _said(self, text: str) -> str:
        """Return a sentence of the report without this machine's folders, its speeds in the unit that was chosen."""
        return in_page_words(speeds_in(shown(self._session, text), self._in_knots), OPTIONS)

    def _map(self) -> TrackMap | None:
        track = track_series(self._analysed)
        if track is None:
            html(list_html(['The log has no places: there is no track to draw.']))
            return None
        places = degrees_of_track(track)
        columns = {column['name']: column for column in track['columns']}
        first = next(iter(columns))
        field = choice('Colour', {name: name for name in columns}, self._session, 'look_back.colour', first)
        shown = TrackMap('Map of the track; its colour is what was chosen', self._session, 'latitude_deg' in track)
        with ui.element('div').classes('ramp'):
            low = ui.label()
            ui.element('i').props('aria-hidden=true')
            high = ui.label()

        def colour() -> None:
            column = columns[field.value]
            edges = shown.put_track(places, column['values'])
            digits = max(0, 2 - math.floor(math.log10(max(abs(edges[0]), abs(edges[-1])))))
            for label, edge, words in ((low, edges[0], 'up to {}'), (high, edges[-1], '{} and more')):
                label.set_text(words.format(speed_words(edge, self._session) if column['unit'] == 'm/s' else
                                            fixed(edge, digits, column['unit'])))

        field.on_value_change(colour)
        colour()
        shown.fit([(north, east) for north, east in places.tolist()])
        self._place_of_moment = self._placing(track)
        return shown

    def _placing(self, track: dict[str, Any]) -> Any:
        """Return the function from the figures of a moment to its place on the map; None where it is not known."""
        def place(figures: dict[str, Any]) -> list[float] | None:
            if figures['x_m'] is None or figures['y_m'] is None:
                return None
            if 'latitude_deg' in track:
                return [figures['latitude_deg'], figures['longitude_deg']]
            return degrees_of_track({'x_m': [figures['x_m']], 'y_m': [figures['y_m']]})[0].tolist()

        return place

    def _over_time(self) -> None:
        options = log_chart(log_series(self._analysed), self._unit, self._in_knots)
        self._chart = ui.echart(options, renderer='svg').classes('chart').style(f'height: {HEIGHT}px').props(
            'role=img aria-label="Power by cause, charge, wind and current over time"')
        self._chart.on('chart:datazoom', self._zoomed, ['start', 'end', 'batch'], throttle=0.3, leading_events=False)
        step = max((self._last - self._first) / CURSOR_STEPS, 1e-3)
        time = self._kept_time()
        self._cursor = Slider('Time of the cursor', self._first, self._last, step, time, self._moved)
        html('<p class="hint">The cursor follows the pointer over the picture, a tap, or the arrow keys on the slider; '
             'Ctrl and the wheel, or the bar below the picture, look at a part closely.</p>')
        name = f'cursor_{self._chart.id}'
        ui.on(name, self._pointed)
        ui.run_javascript(_FOLLOW_POINTER.format(id=self._chart.id, event=name, every=HOVER))
        ui.timer(0.1, partial(self._moved, time), once=True)

    def _kept_time(self) -> float:
        kept = float(self._session.values.get('look_back.time', self._first))
        return min(max(kept, self._first), self._last)

    def _pointed(self, event: events.GenericEventArguments) -> None:
        """Move the cursor to where the pointer is over the picture."""
        try:
            time = float(event.args) * self._unit[0]
        except (TypeError, ValueError):
            return
        if self._first <= time <= self._last:
            self._cursor.set_value(time)
            self._moved(time)

    def _moved(self, time: float) -> None:
        """Show all that there is at a time, s: on the map, in the picture and in words."""
        self._session.values['look_back.time'] = time
        figures = moment_figures(self._analysed, time)
        self._cursor.say(f'{time / self._unit[0]:.2f} {self._unit[1]}')
        self._moment.content = table_html('At the cursor', ('at the cursor', ''), self._moment_rows(figures), (1,))
        if self._track is not None:
            self._track.put_place('cursor', self._place_of_moment(figures))
        self._chart.run_chart_method('setOption', cursor_options(figures['time_s'], self._unit[0]))

    def _moment_rows(self, figures: dict[str, Any]) -> list[tuple[str, str]]:
        over, charge = figures['speed_over_ground_m_s'], figures['state_of_charge']
        rows = [('time', f'{figures["time_s"] / self._unit[0]:.2f} {self._unit[1]}'),
                ('power', fixed(figures['power_total_w'], 1, 'W'))]
        rows += [(f'of it {cause.name}', fixed(value, 1, 'W')) for cause in CAUSES
                 if (value := figures[f'power_{cause.key}_w']) is not None and abs(value) >= 0.05]
        rows += [('energy so far', joules(figures['energy_so_far_j'])),
                 ('way so far', metres(figures['distance_over_ground_m'])),
                 ('speed over ground', '-' if over is None else speed_words(over, self._session)),
                 ('charge', '-' if charge is None else f'{100.0 * charge:.1f} %')]
        for name, medium in (('current', WATER), ('wind', AIR)):
            x, y = (figures[f'{name}_{axis}_m_s'] for axis in 'xy')
            rows.append((name, '-' if x is None or y is None else self._said(flow_words(x, y, medium))))
        return rows

    def _zoomed(self, event: events.GenericEventArguments) -> None:
        """Send the lines of the part that is looked at, with all of its samples if it is short; it is the range."""
        found = (event.args.get('batch') or [event.args])[0]
        try:
            shares = float(found['start']) / 100.0, float(found['end']) / 100.0
        except (KeyError, TypeError, ValueError):
            return
        begin, end = (self._first + min(max(share, 0.0), 1.0) * (self._last - self._first) for share in shares)
        if not begin < end:
            return
        self._seen = begin, end
        series = log_chart(log_series(self._analysed, begin, end), self._unit, self._in_knots)['series']
        self._chart.run_chart_method('setOption', {'series': [
            {'id': one['id'], 'data': one['data']} for one in series if not one['id'].startswith('cursor')]})
        self._set_range(begin, end)

    def _range_card(self) -> None:
        with ui.element('section').classes('card'):
            heading('Energy of a range')
            with ui.element('div').classes('fields'):
                self._begin, self._end = (
                    ui.input(f'{label}, {self._unit[1]}', value=self._clock(at)).props(
                        'outlined dense debounce=400 inputmode=decimal').without_auto_validation().on_value_change(
                            self._show_ranges)
                    for label, at in (('From', self._first), ('To', self._last)))
                ui.button('Keep this range', on_click=self._keep_range).props('outline no-caps')
                ui.button('Forget all', on_click=self._forget_ranges).props('flat no-caps')
            self._range_table = html('')
        self._show_ranges()

    def _set_range(self, begin: float, end: float) -> None:
        for field, at in ((self._begin, begin), (self._end, end)):
            field.set_value(self._clock(at))

    def _clock(self, time: float) -> str:
        """Return a time, s, as it stands in a field."""
        return f'{round(time / self._unit[0], 3):.12g}'

    def _range(self) -> tuple[float, float]:
        """
        Return the range that is asked for, s; the ends of the log where these are what is shown.

        :raises InputError: If it goes beyond the log, or ends before it begins; the error stands beside its field, too.
        """
        scale, name = self._unit
        low, high = (float(self._clock(edge)) for edge in (self._first, self._last))
        edges = []
        for field, edge, shown_edge in ((self._begin, self._first, low), (self._end, self._last, high)):
            with beside(field):
                value = number_of(field.value or '', 'this', name, low, high)
            edges.append(edge if value is None or value == shown_edge else value * scale)
        with beside(self._end):
            if not edges[0] < edges[1]:
                raise InputError('must end later than it begins')
        return edges[0], edges[1]

    def _show_ranges(self) -> None:
        self._begin.error = self._end.error = None
        asked: list[tuple[float, float]] = []
        with suppress(InputError):
            asked = [self._range()]
        rows = [range_figures(self._analysed, begin, end) for begin, end in (*asked, *self._ranges)]
        causes = [cause for cause in CAUSES if any(abs(row[f'energy_{cause.key}_j']) >= 0.05 for row in rows)]
        unit = self._unit
        self._range_table.content = table_html('Energy of the ranges, by cause', (
            'range', 'time', 'over ground', 'energy, J', 'mean power, W', 'J/m', '% of battery',
            *(f'{cause.name}, J' for cause in causes)), [
                (f'{row["begin_s"] / unit[0]:.2f} to {row["end_s"] / unit[0]:.2f} {unit[1]}',
                 seconds(row['duration_s']), metres(row['distance_over_ground_m']), fixed(row['energy_j'], 1),
                 fixed(row['mean_power_w']), fixed(row['energy_per_meter_j_m']),
                 '-' if row['state_of_charge_used'] is None else f'{100.0 * row["state_of_charge_used"]:.2f}',
                 *(fixed(row[f'energy_{cause.key}_j'], 1) for cause in causes)) for row in rows])

    def _keep_range(self) -> None:
        try:
            self._ranges = [*self._ranges, self._range()][-20:]
        except InputError:
            return      # Which stands beside its field.
        self._session.values['look_back.ranges'] = self._ranges
        self._show_ranges()

    def _forget_ranges(self) -> None:
        self._ranges = []
        self._session.values['look_back.ranges'] = []
        self._show_ranges()

    def _tables(self) -> None:
        fields = self._fields
        with ui.element('div').classes('two'):
            with ui.element('section').classes('card'):
                heading('Energy by cause')
                rows = [*fields['causes'], fields['total']]
                html(table_html('Energy by cause', ('cause', 'energy, J', 'share', 'mean power'), [
                    (row.name, row.energy, row.share, row.mean_power) for row in rows],
                    keys=[row.key for row in fields['causes']]))
            with ui.element('section').classes('card'):
                heading('What if')
                html(table_html('The same way in steady motion, and with one thing changed', (
                    '', 'energy, J', 'change', 'time', 'too much thrust'), fields['changes']))
        if fields['legs']:
            with ui.element('section').classes('card'):
                heading('Energy by leg')
                html(table_html('Energy by leg', fields['leg_head'], fields['legs']))
        with ui.element('section').classes('card'), ui.expansion('How this was computed').classes('details'):
            html(table_html('How this was computed', ('what', 'how'), [
                (name, self._said(text)) for name, text in fields['details']], (1,)))
            html(list_html(self._said(note) for note in fields['notes']))
        with ui.element('section').classes('card actions'):
            self._page_bar = ProgressBar('Drawing the page')
            ui.button('The report as one page', on_click=self._write_page).props('outline no-caps')
            _download('The figures as JSON', 'summary.json', shown(
                self._session, json.dumps({**report_figures(self._report), 'name': self._name}, indent=2)))

    async def _write_page(self) -> None:
        """Draw the single page of `analyze`, and give it to the browser."""
        work = self._writing.begin()
        self._page_bar.follow_later(work)
        try:
            page = await work.done_apart(report_html, self._report, None, self._name, tells=False)
        except CancelledError:
            return
        except InputError as error:
            ui.notify(str(error), type='negative')
            return
        ui.download.content(shown(self._session, page).encode(), f'{self._name.replace("/", "_")}.html')


_FOLLOW_POINTER = """(() => {{ let tries = 0; const attach = () => {{ const chart = getElement({id})?.chart;
if (!chart) {{ if (tries++ < 200) setTimeout(attach, 50); return; }} let last = 0;
const tell = (e) => {{ const now = Date.now(); if (now - last < {every}) return;
const at = chart.convertFromPixel({{xAxisIndex: 0}}, e.offsetX);
const inside = [0, 1, 2].some((i) => chart.containPixel({{gridIndex: i}}, [e.offsetX, e.offsetY]));
if (inside) {{ last = now; emitEvent('{event}', at); }} }};
chart.getZr().on('mousemove', tell); chart.getZr().on('click', tell); }}; attach(); }})()"""
