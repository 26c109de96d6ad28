"""Who may ask: every request and every WebSocket is checked here before the framework sees it."""

import hmac
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from usv_energy.live.live_page import is_own_host
from usv_energy.web.browser_session import BrowserSession, BrowserSessions

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SESSION = 'usv_energy_session'      # The key of a request's scope under which pages find their BrowserSession.
MOST_BYTES = 256 << 20              # Of a request: a log of a day.
# What a page may load: its own host's alone. The framework's scripts stand in the page, and it evaluates expressions.
POLICY = ("default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
          "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
          "base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
HEADERS = ((b'content-security-policy', POLICY.encode()), (b'x-content-type-options', b'nosniff'),
           (b'referrer-policy', b'no-referrer'), (b'cross-origin-opener-policy', b'same-origin'),
           (b'cross-origin-resource-policy', b'same-origin'), (b'x-frame-options', b'DENY'))
NO_TOKEN = ('This page needs the whole address that usv-energy serve printed, with its token.\n'
            'Copy it from the terminal in which the server runs.')


class Guard:
    """
    An ASGI application before another one: it refuses whoever must not ask.

    Refused are a Host that is no name of this machine (DNS rebinding), an Origin or a site that is not this page's
    (CSRF, WebSockets of foreign pages), a browser without a session, and a body that is too large. A session begins
    with a visit of a page, with the right token in its address if there is one; the browser is then known by a cookie.
    """

    def __init__(self, app: App, sessions: BrowserSessions, token: str | None, port: int,
                 most_bytes: int = MOST_BYTES) -> None:
        """
        Take the guarded application.

        :param token: That the first address must have; None if none is needed, on loopback.
        :param port: That it listens at: cookies of a host are shared by all ports, so its name has it.
        :param most_bytes: Of a request's body.
        """
        self._app, self._sessions, self._token, self._most_bytes = app, sessions, token, most_bytes
        self._cookie = f'usv_energy_{port}'

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, WebSocket, or the server's beginning and end."""
        if scope['type'] == 'lifespan':
            await self._app(scope, receive, send)
            return
        headers = {name.decode('latin-1').lower(): value.decode('latin-1') for name, value in scope['headers']}
        if reason := refusal(headers, scope['type'] == 'websocket', self._most_bytes):
            await _refuse(scope, send, *reason)
            return
        session = self._session_of(headers)
        if session is not None:
            scope[SESSION] = session
            is_page = scope['type'] == 'websocket'
            session.sockets += is_page
            try:
                await self._app(scope, _Limited(receive, self._most_bytes), _with_headers(send, ()))
            finally:
                session.sockets -= is_page
            return
        if scope['type'] != 'http' or scope['method'] != 'GET' or scope['path'].startswith('/_nicegui'):
            await _refuse(scope, send, 403, 'load the page again: the server does not know this browser')
            return
        given = parse_qs(scope['query_string'].decode('latin-1')).get('token', [''])[0]
        if self._token is not None and not hmac.compare_digest(given.encode(), self._token.encode()):
            await _refuse(scope, send, 403, NO_TOKEN)
            return
        begun = self._sessions.begin()
        cookie = f'{self._cookie}={begun.id}; Path=/; HttpOnly; SameSite=Lax'
        await _answer(send, 303, '', ((b'location', _own_path(scope['path'])), (b'set-cookie', cookie.encode())))

    def _session_of(self, headers: Mapping[str, str]) -> BrowserSession | None:
        try:
            found = SimpleCookie(headers.get('cookie', '')).get(self._cookie)
        except CookieError:
            return None
        return None if found is None else self._sessions.of(found.value)


def refusal(headers: Mapping[str, str], is_socket: bool, most_bytes: int) -> tuple[int, str] | None:
    """
    Return status and reason why a request is refused by its headers; None if it is not.

    :param headers: By their names in lower case.
    :param is_socket: Whether it opens a WebSocket: a browser always says the Origin of these.
    :param most_bytes: Of the body.
    """
    host, origin, site = headers.get('host', ''), headers.get('origin'), headers.get('sec-fetch-site')
    if not is_own_host(host):
        return 421, 'this is not a name of this machine'
    if (is_socket and origin is None) or (origin is not None and origin.partition('://')[2] != host):
        return 403, 'another page may not ask here'
    leads_here = headers.get('sec-fetch-mode') == 'navigate' and headers.get('sec-fetch-dest') == 'document'
    if site not in (None, 'same-origin', 'none') and not leads_here:
        return 403, 'another page may not ask here'
    size = headers.get('content-length', '0')
    if not size.isdecimal() or int(size) > most_bytes:
        return 413, f'must have at most {most_bytes >> 20} MiB'
    return None


class _Limited:
    """Receives a request's body until it is too large; the application then sees that the browser is gone."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        if message['type'] == 'http.request':
            self._left -= len(message.get('body', b''))
            if self._left < 0:
                return {'type': 'http.disconnect'}
        return message


def _with_headers(send: Send, more: tuple[tuple[bytes, bytes], ...]) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message['type'] == 'http.response.start':
            message = {**message, 'headers': [*message.get('headers', ()), *HEADERS, *more]}
        await send(message)

    return sent


def _own_path(path: str) -> bytes:
    """Return a path of this host as a Location; two slashes at its beginning would lead to another host."""
    return ('/' + ''.join(c for c in path if c.isascii() and (c.isalnum() or c in '/-_')).lstrip('/')).encode()


async def _refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    if scope['type'] == 'websocket':
        await send({'type': 'websocket.close', 'code': 1008, 'reason': reason})
    else:
        await _answer(send, status, reason, ())


async def _answer(send: Send, status: int, text: str, headers: tuple[tuple[bytes, bytes], ...]) -> None:
    body = text.encode()
    await _with_headers(send, headers)({
        'type': 'http.response.start', 'status': status, 'headers': [
            (b'content-type', b'text/plain; charset=utf-8'), (b'content-length', str(len(body)).encode()),
            (b'connection', b'close')]})
    await send({'type': 'http.response.body', 'body': body})
