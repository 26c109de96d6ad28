"""A visitor of the page Plan without a browser: what the server alone takes, from an event to its answer."""

import asyncio
import http.client
import json
import re
import time
from html import unescape
from types import TracebackType
from typing import Self
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import socketio

ELEMENTS = re.compile(r'String\.raw`(.*?)`\)', re.DOTALL)
CHANGES = 'input', 'update:modelValue', 'update:model-value'
DEADLINE = 60.0     # s


class PlanVisitor:
    """A page with its own session, whose fields are set by the events that a browser would send."""

    def __init__(self, address: str) -> None:
        """Load the page."""
        self._net = urlsplit(address).netloc
        self._cookie = self._get('')[1]['Set-Cookie'].partition(';')[0]
        text = self._get(self._cookie)[0]
        self._client = re.findall(r"'client_id': '([^']+)'", text)[0]
        self._elements = json.loads(unescape(ELEMENTS.findall(text)[0]))
        self._io, self._more = socketio.AsyncClient(), asyncio.Event()
        self._said: list[str] = []
        self._moves = 0

    def _get(self, cookie: str) -> tuple[str, http.client.HTTPMessage]:
        link = http.client.HTTPConnection(self._net, timeout=DEADLINE)
        link.request('GET', '/', headers={'Cookie': cookie} if cookie else {})
        answer = link.getresponse()
        return answer.read().decode(), answer.headers

    async def __aenter__(self) -> Self:
        """Open the WebSocket."""
        self._io.on('update', self._take)
        query = {'client_id': self._client, 'next_message_id': 0, 'implicit_handshake': 'true', 'tab_id': str(uuid4()),
                 'document_id': str(uuid4())}
        await self._io.connect(f'http://{self._net}/?{urlencode(query)}', transports=['websocket'],
                               headers={'Cookie': self._cookie, 'Origin': f'http://{self._net}'},
                               socketio_path='/_nicegui_ws/socket.io')
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        """Close the WebSocket."""
        await self._io.disconnect()

    def _take(self, message: object) -> None:
        self._said.append(json.dumps(message))
        self._more.set()

    async def set(self, key: str, label: str, value: object) -> None:
        """Send the change of a field, which is known by a property of its own."""
        number, element = next((number, one) for number, one in self._elements.items()
                               if one.get('props', {}).get(key) == label)
        if options := element['props'].get('options'):
            value = next(one for one in options if one['label'] == value)
        listener = next(one['listener_id'] for one in element['events'] if one['type'] in CHANGES)
        self._said.clear()
        self._moves += 1
        moved = [value, self._moves] if key == 'aria-label' else [value]    # A slider says how often it was moved.
        await self._io.emit('event', {'id': int(number), 'client_id': self._client,
                                      'args': [json.dumps(one) for one in moved], 'listener_id': listener})

    async def heard(self, *texts: str) -> float:
        """Return the moment, s, at which messages with all these texts have come since the last event."""
        async with asyncio.timeout(DEADLINE):
            while not all(any(text in said for said in self._said) for text in texts):
                self._more.clear()
                await self._more.wait()
        return time.perf_counter()
