"""What stands on a terminal while nothing else is said."""

import sys
from types import SimpleNamespace

import pytest

from usv_energy.physics.compile_notice import CompileNotice
from usv_energy.show import terminal as module
from usv_energy.show.terminal import ProgressLine, WaitingLine, say

WIPED = '\r\033[K'


@pytest.fixture
def terminal(monkeypatch):
    """Return what a terminal got by the side of Python's streams, and a function that lets time pass, s."""
    now, written = [100.0], list[str]()
    monkeypatch.setattr(module, 'time', SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(module, 'STEP', 3600.0)     # The test looks itself.
    monkeypatch.setattr(module, '_write', written.append)
    monkeypatch.setattr(module, 'find_spec', lambda name: object())
    stderr = SimpleNamespace(isatty=lambda: True, fileno=lambda: 2, write=lambda text: sys.stderr.write(text),
                             flush=lambda: None)
    monkeypatch.setattr(module, 'sys', SimpleNamespace(modules=sys.modules, stderr=stderr))
    return SimpleNamespace(written=written, passes=lambda seconds: now.__setitem__(0, now[0] + seconds))


def test_two_silent_seconds_are_spoken_of_and_wiped_off_at_the_end(terminal):
    with WaitingLine() as line:
        terminal.passes(1.9)
        line.update()
        assert terminal.written == []
        terminal.passes(1.1)
        line.update()
        assert terminal.written == ['\rworking, 3 s so far\033[K']
    assert terminal.written[1:] == [WIPED]


def test_without_numba_it_says_what_would_help(terminal, monkeypatch):
    monkeypatch.setattr(module, 'find_spec', lambda name: None)
    with WaitingLine() as line:
        terminal.passes(72.0)
        line.update()
    assert terminal.written[0] == '\rworking, 72 s so far; pip install numba makes routes and sweeps faster\033[K'


def test_it_gives_way_to_what_is_said_and_begins_anew(terminal, capsys):
    with WaitingLine() as line:
        terminal.passes(5.0)
        line.update()
        say('a note')
        terminal.passes(1.0)
        line.update()
        assert terminal.written[1:] == [WIPED]
    assert capsys.readouterr().err == 'a note\n'


def test_a_line_that_is_not_ended_yet_stays(terminal):
    with WaitingLine() as line:
        say('[1/2] a run ... ', end='')
        terminal.passes(60.0)
        line.update()
        assert terminal.written == []
        say('20 s')
        terminal.passes(2.0)
        line.update()
    assert terminal.written == ['\rworking, 62 s so far\033[K', WIPED]


def test_a_line_of_progress_stays_alone_until_it_ends(terminal, monkeypatch):
    monkeypatch.setattr(sys.stderr, 'isatty', lambda: True)
    progress = ProgressLine('runs', quiet=0.0)
    with WaitingLine() as line:
        for done in (0, 1, 2):
            progress(done, 4)
        terminal.passes(60.0)
        line.update()
        assert terminal.written == []
        progress.end()
        terminal.passes(3.0)
        line.update()
        assert terminal.written == ['\rworking, 63 s so far\033[K']


def test_where_no_terminal_is_a_line_is_said_every_ten_seconds(terminal, monkeypatch):
    monkeypatch.setattr(module.sys.stderr, 'isatty', lambda: False)
    with WaitingLine() as line:
        for _ in range(25):
            terminal.passes(1.0)
            line.update()
        say('a note')
        terminal.passes(9.0)
        line.update()
    assert terminal.written == ['working, 10 s so far\n', 'working, 20 s so far\n']


def test_where_stderr_has_no_number_nothing_is_said(terminal, monkeypatch):
    monkeypatch.delattr(module.sys.stderr, 'fileno')
    with WaitingLine():
        assert module._waiting == []


def test_numbas_compiling_is_named(terminal, monkeypatch):
    monkeypatch.setattr(module, 'notice', CompileNotice())
    with WaitingLine() as line:
        assert module.notice.said, 'on a terminal this line says it'
        terminal.passes(3.0)
        module.notice.begin()
        line.update()
        module.notice.end()
        line.update()
    assert 'compiling for this machine' in terminal.written[0] and '\rworking' in terminal.written[1]
