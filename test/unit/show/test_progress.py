"""Progress for people: when it speaks, and what time it says is left."""

import pytest

from usv_energy.show import terminal as module
from usv_energy.show.terminal import ProgressLine


@pytest.fixture
def clock(monkeypatch):
    """Return a list whose first number is the time, s."""
    now = [100.0]
    monkeypatch.setattr(module.time, 'monotonic', lambda: now[0])
    return now


def said(clock, capsys, line, reports):
    """Return the lines of reports: (seconds since the one before, done, of how many)."""
    for passed, done, number in reports:
        clock[0] += passed
        line(done, number)
    return capsys.readouterr().err.splitlines()


def test_time_left_is_that_of_the_rate_since_the_first_parts(clock, capsys):
    """The first 10 had been done before, the next took 100 s to compile; then 10 take 6 s."""
    lines = said(clock, capsys, ProgressLine('runs', quiet=0.0), [
        (0.0, 10, 100), (100.0, 20, 100), (6.0, 30, 100), (1.0, 31, 100), (60.0, 100, 100)])
    assert lines[1] == '30 of 100 runs, 1.667 a second, 42 s left'
    assert len(lines) == 3, 'a line every 5 s'
    assert lines[2].startswith('100 of 100 runs, ') and lines[2].endswith(' 2 min 47 s')


def test_work_of_which_nothing_is_done_yet_has_no_time_left(clock, capsys):
    """A simulation that was long in preparing says 0 of 100 twice before its first second is done."""
    lines = said(clock, capsys, ProgressLine('seconds'), [(10.0, 0, 100), (0.1, 0, 100), (10.0, 10, 100)])
    assert lines == ['0 of 100 seconds', '10 of 100 seconds, 1 a second, 1 min 30 s left']


def test_a_new_count_begins_anew(clock, capsys):
    """A line that goes on with other work, as with the departures after a front, said `-0.1 a second`."""
    lines = said(clock, capsys, ProgressLine('routes'), [(10.0, 1, 7), (10.0, 7, 7), (10.0, 1, 6), (2.0, 2, 6),
                                                         (8.0, 6, 6)])
    assert lines == ['7 of 7 routes, 20 s', '1 of 6 routes', '6 of 6 routes, 0.5 a second, 40 s']


def test_work_that_is_done_soon_is_not_spoken_of(clock, capsys):
    assert said(clock, capsys, ProgressLine('courses'), [(0.1, 1, 3), (0.5, 2, 3), (0.5, 3, 3)]) == []


def test_a_terminal_has_one_line_that_ends_where_the_work_does(clock, capsys, monkeypatch):
    monkeypatch.setattr(module.sys.stderr, 'isatty', lambda: True)
    line = ProgressLine('runs', quiet=0.0)
    for done in (0, 1, 2):
        clock[0] += 1.0
        line(done, 3)
    text = capsys.readouterr().err
    assert text.count('\r') == 2 and '\n' not in text
    line.end()
    line.end()
    assert capsys.readouterr().err == '\n'
