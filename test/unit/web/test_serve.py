"""The server as users start it: who is let in, what it leaves behind, and the page in a browser."""

import http.client
import os
import signal
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit

import pytest
from places import ROOT

NEEDS = ('nicegui',)
PATIENCE = 300.0    # s: of what begins or ends on a machine that does much else.

# SIGTERM as the server's first thread of a pool has begun, and the pool does not know it yet; and in the callback of a
# weak reference, where what is raised is lost, before the framework has taken the signals over.
AMID_START = """
def signalled(thread, start=threading.Thread.start):
    start(thread)
    if thread._target is concurrent.futures.thread._worker and threading.current_thread() is threading.main_thread():
        signal.raise_signal(signal.SIGTERM)
threading.Thread.start = signalled
"""
IN_CALLBACK = """
def signalled(*given, run=uvicorn.Server.run, **named):
    told = type('Told', (), {})()
    known = weakref.ref(told, lambda _: signal.raise_signal(signal.SIGTERM))
    del told
    run(*given, **named)
uvicorn.Server.run = signalled
"""


def asked(address, path='/', method='GET', body=None, **headers):
    """Return status, headers and body of an answer."""
    link = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    link.request(method, path, body, {name.replace('_', '-'): value for name, value in headers.items()})
    answer = link.getresponse()
    return answer.status, answer.headers, answer.read()


def test_a_foreign_name_a_foreign_page_and_a_browser_without_a_session_are_refused(served):
    _, address = served
    assert asked(address, Host='evil.example')[0] == 421
    assert asked(address, Origin='http://evil.example')[0] == 403
    assert asked(address, '/_nicegui_ws/socket.io/?EIO=4&transport=polling')[0] == 403
    cookie = asked(address)[1]['Set-Cookie'].partition(';')[0]
    assert asked(address, Cookie=cookie)[0] == 200
    assert asked(address, '/_nicegui_ws/socket.io/?EIO=4&transport=polling', Cookie=cookie)[0] == 200
    upgrade = {'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec-WebSocket-Version': '13',
               'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Cookie': cookie}
    path = '/_nicegui_ws/socket.io/?EIO=4&transport=websocket'
    assert asked(address, path, **upgrade, Origin='http://evil.example')[0] == 403
    assert asked(address, path, **upgrade, Origin=address.rstrip('/'))[0] == 101


def test_paths_lead_to_no_file(served):
    _, address = served
    cookie = asked(address)[1]['Set-Cookie'].partition(';')[0]
    for path in ('/../../etc/passwd', '/_nicegui/3.18.0/static/..%2f..%2f..%2fversion.py', '/%2e%2e/%2e%2e/etc/passwd',
                 '/_nicegui/3.18.0/static//etc/passwd', '/docs', '/openapi.json'):
        status, _, body = asked(address, path, Cookie=cookie)
        assert status in (404, 403), path
        assert b'root:' not in body and b'openapi"' not in body


def test_the_page_names_no_other_host(served):
    _, address = served
    cookie = asked(address)[1]['Set-Cookie'].partition(';')[0]
    _, headers, body = asked(address, Cookie=cookie)
    assert "default-src 'self'" in headers['Content-Security-Policy']
    assert b'https://' not in body.replace(b'https://quasar', b'')


def test_the_server_writes_nothing_but_its_own(served):
    folder, address = served
    asked(address)
    assert list(folder.iterdir()) == []
    assert sorted(path.name for path in folder.parent.iterdir()) == ['folder', 'temporary']
    assert len(list((folder.parent / 'temporary').iterdir())) == 1


def test_a_place_that_cannot_be_listened_at_is_an_error_of_input(served, cli, tmp_path):
    _, address = served
    port = urlsplit(address).port
    status, _, said = cli('serve', '--no-browser', '--port', port)
    assert status == 2 and f'--host 127.0.0.1 --port {port}: cannot listen there: another program has this port' in said
    assert 'there is no such host' in cli('serve', '--no-browser', '--host', 'no.such.host.invalid', '--port', '0')[2]
    status, _, said = cli('serve', '--no-browser', '--port', '0', '--folder', tmp_path / 'none')
    assert status == 2 and 'must be a folder' in said


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGHUP])
def test_dropped_files_go_with_the_server_that_is_killed(tmp_path, number):
    """Also by a terminal that is closed."""
    with subprocess.Popen([sys.executable, '-P', '-m', 'usv_energy.cli.main', 'serve', '--port', '0', '--no-browser'],
                          cwd=tmp_path, env={**os.environ, 'TMPDIR': str(tmp_path)}, stderr=subprocess.PIPE,
                          text=True) as process:
        asked(process.stderr.readline().split()[1])
        [own] = tmp_path.iterdir()
        assert list(own.iterdir())
        process.send_signal(number)
        assert process.wait(timeout=PATIENCE) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_what_a_server_without_power_left_goes_with_the_next_one(tmp_path, monkeypatch):
    """Not the folder of one that runs, nor what has another name."""
    from usv_energy.web.server import OWN, _own_folder
    monkeypatch.setattr(tempfile, 'tempdir', str(tmp_path))
    (tmp_path / f'{OWN}left').mkdir()
    (tmp_path / f'{OWN}left' / 'dropped.plan').write_text('x')
    (tmp_path / 'other').mkdir()
    with _own_folder() as runs:
        for path in tmp_path.iterdir():
            os.utime(path, (0.0, 0.0))
        (tmp_path / f'{OWN}just_made').mkdir()
        with _own_folder() as own:
            assert {str(path) for path in tmp_path.iterdir()} == {
                runs, own, str(tmp_path / 'other'), str(tmp_path / f'{OWN}just_made')}


def test_without_locks_there_is_a_folder_all_the_same(monkeypatch):
    """As on Windows."""
    from usv_energy.web.server import _own_folder
    monkeypatch.setitem(sys.modules, 'fcntl', None)
    with _own_folder() as own:
        assert os.path.isdir(own)
    assert not os.path.exists(own)


@pytest.mark.parametrize('when', [AMID_START, IN_CALLBACK])
def test_a_server_that_is_killed_while_it_begins_ends_with_its_side_process(tmp_path, when):
    """Its stderr, which the side process holds too, is at its end; else one of both would last for ever."""
    script = ('import concurrent.futures.thread, signal, sys, threading, uvicorn, weakref\n'
              f'from usv_energy.cli.main import main\n{when}\nsys.exit(main())')
    done = subprocess.run([sys.executable, '-P', '-c', script, 'serve', '--port', '0', '--no-browser'], cwd=tmp_path,
                          env={**os.environ, 'TMPDIR': str(tmp_path)}, capture_output=True, text=True,
                          timeout=PATIENCE)
    assert done.returncode == 128 + signal.SIGTERM, done.stderr
    assert len(done.stderr.splitlines()) == 1 and list(tmp_path.iterdir()) == []


def test_others_are_let_in_by_a_token(tmp_path):
    with subprocess.Popen([sys.executable, '-P', '-m', 'usv_energy.cli.main', 'serve', '--port', '0', '--host',
                           '0.0.0.0', '--no-browser'], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        try:
            whole = urlsplit(process.stderr.readline().split()[1])
            there = f'http://127.0.0.1:{whole.port}'
            assert len(whole.query) >= len('token=') + 20
            assert asked(there)[0] == 403
            assert asked(there, f'/?{whole.query[:-1]}')[0] == 403
            assert asked(there, f'/?{whole.query}')[0] == 303
        finally:
            process.terminate()


def test_all_files_of_the_pages_are_packed():
    """A wheel holds Python files, and of others those that setup.py names."""
    kinds = {path.suffix for path in (ROOT / 'usv_energy' / 'web').iterdir() if path.is_file()} - {'.py'}
    packed = (ROOT / 'setup.py').read_text(encoding='utf-8').split(".web': [")[1].partition(']')[0]
    assert kinds == {'.css', '.js'} and all(f"'*{kind}'" in packed for kind in kinds)
