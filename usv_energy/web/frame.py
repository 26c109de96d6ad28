"""What all pages share: the table of pages, their head with the choice of units and colours, and notes of errors."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import Request
from nicegui import Client, background_tasks, events, ui

from usv_energy.files.errors import InputError
from usv_energy.show.causes import CAUSES
from usv_energy.web.background import Work
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.folder import without_folder
from usv_energy.web.guard import SESSION
from usv_energy.web.html_parts import heading
from usv_energy.web.speed_units import KNOTS, METRES

COLOURS = {'auto': None, 'light': False, 'dark': True}
POLL = 0.2              # s between two looks at the progress of work.


class PageEntry(NamedTuple):
    """A page: its address, its title, and its module in this package, whose `build(session)` makes it."""

    path: str
    title: str
    module: str


PAGES = (PageEntry('/', 'Plan', 'plan_page'), PageEntry('/look-back', 'Look back', 'look_back_page'),
         PageEntry('/boat', 'Boat', 'boat_page'), PageEntry('/live', 'Live', 'live_view_page'))


def add_pages() -> None:
    """Tell the framework all pages, and import them, so that the first visitor does not wait for that."""
    for entry in PAGES:
        import_module(f'usv_energy.web.{entry.module}')
        ui.page(entry.path, title=f'{entry.title}: usv_energy')(_page_of(entry))


def _page_of(entry: PageEntry) -> Callable[[Request], None]:
    def page(request: Request) -> None:
        session: BrowserSession = request.scope[SESSION]
        build = import_module(f'usv_energy.web.{entry.module}').build
        ui.dark_mode(COLOURS[session.values.get('colours', 'auto')])
        ui.add_head_html(_style())
        _head(entry, session)
        with ui.element('div').classes('content').props('id=content tabindex=-1'):
            build(session)

    return page


def tab_of(client: Client) -> str:
    """Return the name of the tab that shows a page, which it has still after it was loaded again."""
    return client.tab_id or client.id


@cache
def _style() -> str:
    """Return styles and script that all pages have, as HTML."""
    light = ''.join(f'--c-{cause.key}:{cause.colour};' for cause in CAUSES)
    dark = ''.join(f'--c-{cause.key}:{cause.colour_on_dark};' for cause in CAUSES)
    text = ''.join(path.read_text(encoding='utf-8') for path in sorted(Path(__file__).parent.glob('*.css')))
    script = (Path(__file__).parent / 'page.js').read_text(encoding='utf-8')
    return f'<style>:root{{{light}}}body.body--dark{{{dark}}}{text}</style><script>{script}</script>'


def _head(entry: PageEntry, session: BrowserSession) -> None:
    """Make the head of a page: where to go, units, colours."""
    ui.link('Skip to the content', '#content').classes('skip')
    with ui.element('header').classes('head'):
        ui.label('usv_energy').classes('name')
        with ui.element('nav').props('aria-label=Pages'):
            for other in PAGES:
                link = ui.link(other.title, other.path)
                if other is entry:
                    link.props('aria-current=page')
        choice('speeds', {KNOTS: 'knots', METRES: 'm/s'}, session, 'units', KNOTS, reloads=True)
        choice('colours', {name: name for name in COLOURS}, session, 'colours', 'auto', reloads=True)


def choice(label: str, options: dict[str, str], session: BrowserSession, key: str, default: str,
           reloads: bool = False) -> ui.select:
    """
    Return a field to choose one of a few, which is kept in the session.

    :param options: What is kept, and the words for it.
    :param key: In the session's values.
    :param reloads: Whether the page is loaded again with another choice.
    """
    def keep(event: events.ValueChangeEventArguments[Any]) -> None:
        session.values[key] = event.value
        if reloads:
            ui.navigate.reload()

    value = session.values.get(key, default)
    return ui.select(options, label=label, value=value if value in options else default, on_change=keep).props(
        'dense outlined options-dense')


@contextmanager
def beside(field: Any) -> Iterator[None]:
    """Show the error of what is done within beside a field, and raise it again; a field without an error loses it."""
    field.error = None
    try:
        yield
    except InputError as error:
        field.error = without_folder(str(error))
        raise


class Slider:
    """A slider: the browser's own, which keyboards and screen readers know."""

    def __init__(self, label: str, low: float, high: float, step: float, value: float,
                 on_change: Callable[[float], Any]) -> None:
        """
        Make it.

        :param label: For the screen reader, with the unit.
        :param on_change: Called with the value when the user moves it, ten times a second at most.
        """
        self.value, self._high, self._on_change, self._moves = min(value, high), high, on_change, 0
        self._input = ui.element('input').classes('range').props(
            f'type=range min={low:g} max={high:g} step={step:g} aria-label="{label}"')
        # The value itself would be set back to an older one while the user moves on.
        self._input.props['defaultValue'] = self.value
        self._input.on('input', self._moved, throttle=0.1, js_handler='''(event) => {
            const one = event.target; one.moves = (one.moves ?? 0) + 1; emit(one.valueAsNumber, one.moves); }''')

    def _moved(self, event: events.GenericEventArguments) -> Any:
        self.value, self._moves = float(event.args[0]), int(event.args[1])
        return self._on_change(self.value)

    def say(self, words: str) -> None:
        """Let the screen reader say words for the value."""
        self._input.props['aria-valuetext'] = words

    def set_value(self, value: float) -> None:
        """Set it without telling anybody, unless the user has moved it meanwhile."""
        self.value = min(value, self._high)
        self._input.props['defaultValue'] = self.value
        ui.run_javascript(f'((one) => {{ if ((one.moves ?? 0) <= {self._moves}) one.value = {self.value:g}; }})'
                          f'(getHtmlElement({self._input.id}))')


class ProgressBar:
    """A bar with a button that ends the work, shown while there is some."""

    def __init__(self, what: str, on_cancel: Callable[[], None] = lambda: None) -> None:
        """
        Make it, hidden.

        :param what: Is being done, for the screen reader.
        :param on_cancel: Called when the user has ended the work.
        """
        self._on_cancel = on_cancel
        with ui.row().classes('progress').props('role=status') as self._row:
            self._words = ui.label(what)
            self._bar = ui.linear_progress(0.0, show_value=False).props(f'aria-label="{what}"')
            self._button = ui.button('Cancel', on_click=self._cancel).props('flat dense no-caps')
        self._row.set_visibility(False)
        self._what, self._work = what, None  # type: str, Work | None

    def _cancel(self) -> None:
        if self._work is not None and not self._work.ended:     # Else its result is shown already, or comes now.
            self._work.cancel()
            self._on_cancel()

    def follow_later(self, work: Work, after: float = 0.5) -> None:
        """Show the progress of work from some s on, until it ends or other work follows."""
        background_tasks.create(self._follow(work, after))

    async def _follow(self, work: Work, after: float) -> None:
        self._work = work
        await asyncio.sleep(after)
        while self._work is work and not work.ended:
            self._row.set_visibility(True)
            self._bar.set_value(work.share)
            await asyncio.sleep(POLL)
        if self._work is work:
            self._row.set_visibility(False)


class Chart:
    """A chart on a page, with its title; what it shows stands in tables of the page, too."""

    def __init__(self, title: str) -> None:
        """Make it, empty."""
        with ui.element('section').classes('card') as self.card:
            heading(title)
            self.note = ui.label().classes('note')
            self._chart = ui.echart({}, renderer='svg').classes('chart').props(f'aria-label="{title}" role=img')
        self.note.set_visibility(False)

    def show(self, options: dict[str, Any] | None, note: str = '') -> None:
        """Show options of `web/charts.py`; None hides the chart; `note`: above it."""
        self._chart.set_visibility(options is not None)
        self.card.set_visibility(options is not None or bool(note))
        self.note.set_text(note)
        self.note.set_visibility(bool(note))
        if options is not None:
            self._chart.options.clear()
            self._chart.options.update(options)
            self._chart.update()
