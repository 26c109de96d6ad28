"""Files that are offered and dropped: names never lead out of their folders."""

import os

import pytest

from usv_energy.files.errors import InputError
from usv_energy.web import browser_session
from usv_energy.web.browser_session import BrowserSessions
from usv_energy.web.folder import offer, offered_files, offered_path


@pytest.fixture
def served(tmp_path):
    """Return a folder that is served, with files in it, beside it, and a link to one beside it."""
    folder = tmp_path / 'served'
    (folder / 'tides' / 'june').mkdir(parents=True)
    for name in ('a.plan', 'B.PLAN', '.hidden.plan', 'tides/june/x.nc', '../secret.plan'):
        (folder / name).write_text('x')
    (folder / 'link.plan').symlink_to(tmp_path / 'secret.plan')
    (folder / 'dangling.plan').symlink_to(folder / 'gone.plan')
    (folder / 'round.plan').symlink_to(folder / 'round.plan')
    (folder / 'own.plan').symlink_to('a.plan')
    os.mkfifo(folder / 'fifo.plan')
    offer(folder.resolve())
    yield folder
    offer(tmp_path / 'none')


def test_files_are_listed_by_their_endings(served):
    assert offered_files(('.plan',)) == ['B.PLAN', 'a.plan', 'own.plan']
    assert offered_files(('.nc',)) == ['tides/june/x.nc']
    assert offered_path('tides/june/x.nc') == served.resolve() / 'tides/june/x.nc'


@pytest.mark.parametrize('name', ['../secret.plan', 'link.plan', 'dangling.plan', 'round.plan', 'fifo.plan',
                                  '/etc/passwd', 'tides', '', 'none.plan', 'tides/../../secret.plan'])
def test_nothing_beside_the_folder_is_read(served, name):
    with pytest.raises(InputError, match='there is no such file in the folder'):
        offered_path(name)


@pytest.mark.parametrize(('name', 'kept'), [
    ('survey.plan', 'survey.plan'), ('../../etc/x.plan', 'x.plan'), ('C:\\boats\\x.PLAN', 'x.PLAN'),
    ('<img src=x onerror=alert(1)>.plan', '_img src_x onerror_alert_1__.plan'), ('..x.plan', 'x.plan'),
    ('\x1b[2J.plan', '__2J.plan'), ('é ü.plan', 'é ü.plan'), ('-rf.plan', 'rf.plan')])
def test_a_dropped_file_stays_in_its_browsers_folder(tmp_path, name, kept):
    one = BrowserSessions(tmp_path).begin()
    path = one.dropped(name, b'here', ('.plan',))
    assert (path.parent, path.name, path.read_bytes()) == (one.folder, kept, b'here')


@pytest.mark.parametrize('name', ['x.exe', '.plan', '', 'x.plan/', '..', 'x.plan\x00.exe'])
def test_a_file_of_another_kind_is_refused(tmp_path, name):
    one = BrowserSessions(tmp_path).begin()
    with pytest.raises(InputError, match='must be a file that ends in'):
        one.dropped(name, b'', ('.plan',))
    assert list(one.folder.iterdir()) == []


def test_a_browser_drops_so_much_and_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(browser_session, 'MOST_UPLOADED', 10)
    one = BrowserSessions(tmp_path).begin()
    one.dropped('a.plan', b'12345678', ())
    one.dropped('a.plan', b'1234567890', ())
    with pytest.raises(InputError, match='were dropped; must be at most'):
        one.dropped('b.plan', b'1', ())
