"""A page of a boat that runs now, in a browser: its view, its settings, and what BlueOS asks of an extension."""

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from usv_energy.files.errors import InputError, not_listening
from usv_energy.files.parsed_text import read_json
from usv_energy.files.text_file import write_json
from usv_energy.show.page.page_parts import rendered
from usv_energy.studies.runs.monitor_view import frame
from usv_energy.version import __version__

LOOPBACK, REFRESH = '127.0.0.1', 2  # s between two views
MOST_BYTES = 4096     # of a form
FIXED = 'the settings cannot be changed while the boat may be commanded (--may-command)'
FIELDS = {  # What may be set, by the names of the command's options.
    'boat': 'the name of a boat, or of a YAML file in the folder of the settings',
    'home': 'LATITUDE,LONGITUDE; empty: the autopilot\'s',
    'battery': 'a label, as 148Wh or 4S18Ah; empty: the boat file\'s',
    'charge': 'at the start, 80%; empty: the boat file\'s',
    'reserve': 'that is to be left at home, 10%',
    'current': 'as 0.5 kn set 090; empty: still water',
    'wind': 'as 6 m/s from NE; empty: the autopilot\'s, or none'}
SERVICE = {'name': 'usv_energy', 'description': 'What the boat draws, and whether it still gets home',
           'icon': 'mdi-battery-heart-variant', 'company': 'usv_energy', 'version': __version__, 'webpage': '',
           'api': ''}
Settings = dict[str, str]


def read_settings(path: Path) -> Settings:
    """
    Return the settings in a file; empty if there is none.

    :raises InputError: If it cannot be read, or holds anything else than texts by the names of FIELDS.
    """
    if not path.exists():
        return {}
    return checked_settings(read_json(path, 'settings'), str(path))


def checked_settings(found: Any, where: str) -> Settings:
    """Return settings without empty ones; InputError, which begins with `where`, for what is none."""
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise InputError(f'{where}: must be texts by the names {", ".join(FIELDS)}')
    for name, value in found.items():
        if name not in FIELDS:
            raise InputError(f'{where}: {name} is no setting; must be one of {", ".join(FIELDS)}')
        if '/' in value.replace('m/s', '') or '\\' in value or value.startswith(('.', '~')):
            raise InputError(f'{where}: {name} is {value!r}; must be a name, and no path')
    return {name: value.strip() for name, value in found.items() if value.strip()}


class LivePage:
    """
    Serves the page beside the session; a context manager.

    `changed`: whether settings were saved since the last `take`.
    """

    def __init__(self, address: tuple[str, int], path: Path, check: Callable[[Settings], None], fixed: bool) -> None:
        """
        Listen; the page is served from entering on.

        :param address: Host and port.
        :param path: The file of the settings.
        :param check: Raises InputError for settings that cannot be.
        :param fixed: Whether settings cannot be changed.
        :raises InputError: If the address cannot be listened at, or as `read_settings`.
        """
        self.settings, self._path, self._check, self.fixed = read_settings(path), path, check, fixed
        self._lock = threading.Lock()
        self._figures: list[dict[str, Any]] = []
        self.changed = False
        try:
            self._server = _Server(address, self)
        except (OSError, OverflowError) as error:
            raise not_listening(f'--page {address[0]}:{address[1]}', error) from None
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def port(self) -> int:
        """The port that it listens at."""
        return int(self._server.server_address[1])

    def __enter__(self) -> 'LivePage':
        """Begin to serve."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def show(self, figures: Sequence[dict[str, Any]]) -> None:
        """Take the figures of the boats now."""
        with self._lock:
            self._figures = list(figures)

    def take(self) -> Settings:
        """Return the settings, as they were saved last."""
        with self._lock:
            self.changed = False
            return dict(self.settings)

    def figures(self) -> list[dict[str, Any]]:
        """Return the figures that were shown last."""
        with self._lock:
            return self._figures

    def view(self) -> str:
        """Return the page of the boats now."""
        views = ['\n'.join(frame(state, colours=False)) for state in self.figures()]
        return _page(views=views or ['no boat was heard so far'], refresh=REFRESH)

    def form(self, said: str = '', values: Mapping[str, str] | None = None) -> str:
        """Return the page of the settings, with a text above them."""
        if self.fixed:
            return _page(said=FIXED)
        with self._lock:
            known = self.settings if values is None else values
        return _page(said=said, fields=[(name, known.get(name, ''), meaning) for name, meaning in FIELDS.items()])

    def save(self, given: Mapping[str, str]) -> None:
        """Check settings and save them; InputError for those that cannot be."""
        if self.fixed:
            raise InputError(FIXED)
        settings = checked_settings(dict(given), 'settings')
        self._check(settings)
        write_json(settings, self._path)
        with self._lock:
            self.settings, self.changed = settings, True


def _page(**fields: Any) -> str:
    return rendered('live.html.j2', **{
        'title': 'The boat now', 'subtitle': 'energy, and the way home', 'views': [], 'said': '', 'fields': [],
        'refresh': 0, **fields})


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], page: LivePage) -> None:
        self.page = page
        super().__init__(address, _Handler)


def is_own_host(host: str) -> bool:
    """Return whether a Host is one by which this machine is reached, and no name that somebody made lead here."""
    name = host.rpartition(':')[0] if re.search(r':\d+$', host) else host
    try:
        ip_address(name.strip('[]'))
    except ValueError:
        return name == 'localhost' or name.endswith('.local')
    return True


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10.0  # s, for a request

    def do_GET(self) -> None:
        """Answer with a page, or with JSON for other programs."""
        page = self.server.page
        answers: dict[str, Callable[[], Any]] = {'/': page.view, '/settings': page.form, '/status': page.figures,
                                                 '/register_service': lambda: SERVICE}
        answer = answers.get(self.path)
        if answer is None:
            self._send('there is no such page', 404)
        else:
            self._send(answer())

    def do_POST(self) -> None:
        """Take the form of the settings, from this page only."""
        size = self.headers.get('Content-Length', '')
        origin, host = self.headers.get('Origin'), self.headers.get('Host', '')
        if self.path != '/settings' or not size.isdecimal() or int(size) > MOST_BYTES:
            self._send('there is no such form', 404)
            return
        body = self.rfile.read(int(size)).decode('utf-8', 'replace')
        if not is_own_host(host) or (origin is not None and origin.partition('://')[2] != host):
            self._send('the form of another page is not taken', 403)
            return
        given = dict(parse_qsl(body, keep_blank_values=True))
        try:
            self.server.page.save(given)
        except InputError as error:
            self._send(self.server.page.form(str(error), given), 400)
            return
        self.send_response(303)
        self.send_header('Location', './')
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal shows the boat."""

    def _send(self, answer: Any, status: int = 200) -> None:
        is_page = isinstance(answer, str)
        content = (answer if is_page else json.dumps(answer, allow_nan=False)).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'text/html; charset=utf-8' if is_page else 'application/json')
        self.send_header('Content-Length', str(len(content)))
        self.send_header('X-Content-Type-Options', 'nosniff')
        self.end_headers()
        self.wfile.write(content)
