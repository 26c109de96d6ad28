"""The server of `usv-energy serve`: one process, in front of it the guard, behind it the pages."""

import os
import secrets
import signal
import socket
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import NamedTuple

from usv_energy.files.errors import InputError, not_listening
from usv_energy.files.optional import leave_out, optional
from usv_energy.web.background import begin_beside, end_all
from usv_energy.web.folder import keep_to

CONNECTIONS = 400               # At once: ten people with a dozen each, and room.
MESSAGE_BYTES = 4 << 20         # Of one message of a WebSocket.
CLIENTS = 'aiohttp', 'requests', 'tornado'  # Which the framework's engineio loads for what is no server of ours: 17 MB.
OWN = 'usv_energy_pages_'       # How the names of the servers' own folders begin.
JUST_MADE = 60.0                # s for which one need not be locked yet.
FAR_AWAY = '192.0.2.1'          # RFC 5737: no host; nothing is sent to find the own address towards it.


class Address(NamedTuple):
    """Where it listens: a host, and a port, 0 for a free one."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == 'localhost'


def serve(address: Address, folder: Path, say: Callable[[str], None], opens_browser: bool) -> None:
    """
    Serve the pages until Ctrl-C, SIGTERM or SIGHUP.

    :param address: Where; if others reach it, the pages' address has a token.
    :param folder: Whose files the pages offer.
    :param say: Tells the user the pages' address.
    :param opens_browser: Whether a browser of this machine is to show them.
    :raises InputError: If it cannot listen there, the folder is none, or the extra [web] is not installed.
    """
    if not folder.is_dir():
        raise InputError(f'--folder {folder}: must be a folder')
    listening = _listening(address)
    token = None if address.is_loopback else secrets.token_urlsafe(16)
    port = int(listening.getsockname()[1])
    folder = folder.resolve()
    killed = _noted_when_killed()
    with _own_folder() as own, listening:
        tempfile.tempdir = own      # What is dropped lies there while it comes in.
        os.environ['NICEGUI_STORAGE_PATH'] = own  # The framework reads it when it is imported, and writes nowhere else.
        leave_out(*CLIENTS)
        optional('nicegui', 'web', 'usv-energy serve')
        import uvicorn
        from nicegui import app

        from usv_energy.web.served_pages import guarded_pages
        keep_to(Path(own), folder)
        shown = f'http://{_shown_host(address.host)}:{port}/{"" if token is None else f"?token={token}"}'
        config = uvicorn.Config(guarded_pages(Path(own), token, port), log_level='warning',
                                access_log=False, limit_concurrency=CONNECTIONS, ws_max_size=MESSAGE_BYTES,
                                server_header=False, timeout_graceful_shutdown=1)
        say(f'usv-energy: {shown}  (Ctrl-C ends it)')
        if opens_browser:
            webbrowser.open(shown)
        # Then the framework has taken the signals over: from now on one tells it to end, and so does one of before.
        app.on_startup(lambda: signal.raise_signal(signal.SIGTERM) if killed else begin_beside())
        try:
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            end_all()
    if killed:
        sys.exit(128 + signal.SIGTERM)


@contextmanager
def _own_folder() -> Iterator[str]:
    """Make a folder for what is dropped, locked while its process lives; take those away whose process is gone."""
    try:
        import fcntl
    except ImportError:     # On Windows.
        with TemporaryDirectory(prefix=OWN) as own:
            yield own
        return
    for left in Path(tempfile.gettempdir()).glob(f'{OWN}*'):
        with suppress(OSError), _opened(left) as place:
            found = os.fstat(place)
            if found.st_uid == os.getuid() and time.time() - found.st_mtime > JUST_MADE:
                fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
                rmtree(left, ignore_errors=True)
    with TemporaryDirectory(prefix=OWN) as own, _opened(Path(own)) as place:
        fcntl.flock(place, fcntl.LOCK_EX)
        yield own


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield place
    finally:
        os.close(place)


def _noted_when_killed() -> list[int]:
    """
    Return a list that becomes true at SIGTERM, or when a terminal is closed (SIGHUP, unless nohup has it ignored).

    Nothing is raised: that would be lost in a weak reference's callback, and amid the start of a pool's thread would
    leave one that Python waits for at its end.
    """
    killed: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: killed.append(number))
    if hasattr(signal, 'SIGHUP') and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    return killed


def _listening(address: Address) -> socket.socket:
    try:
        family = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((address.host, address.port), family=family)
    except (OSError, OverflowError) as error:
        raise not_listening(f'--host {address.host} --port {address.port}', error) from None


def _shown_host(host: str) -> str:
    """Return the host as others write it: this machine's address, if it listens at all of them."""
    if host not in ('0.0.0.0', '::'):
        return f'[{host}]' if ':' in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect((FAR_AWAY, 9))
        except OSError:
            return '127.0.0.1'
        return str(towards.getsockname()[0])
