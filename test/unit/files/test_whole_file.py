import os
import shutil
import stat
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_writable, whole_file, write_text


def test_an_interrupted_write_leaves_what_was_there(tmp_path):
    path = tmp_path / 'file'
    path.write_text('before')
    with pytest.raises(KeyboardInterrupt), whole_file(path) as part:
        part.write_text('half')
        raise KeyboardInterrupt
    assert path.read_text() == 'before'
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / 'target').write_text('before')
    (tmp_path / 'link').symlink_to('target')
    write_text('after', tmp_path / 'link')
    assert (tmp_path / 'link').is_symlink()
    assert (tmp_path / 'target').read_text() == 'after'


def test_a_device_stays_a_device(tmp_path):
    write_text('gone', tmp_path / os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.skipif(not os.path.exists('/dev/full'), reason='no /dev/full here')
def test_a_full_disk_is_told_with_the_file(tmp_path):
    with pytest.raises(OSError, match='No space left') as caught:
        write_text('lost', Path('/dev/full'))
    assert caught.value.filename == '/dev/full'


def test_line_ends_are_kept(tmp_path):
    write_text('a\nb\r\n', tmp_path / 'file')
    assert (tmp_path / 'file').read_bytes() == b'a\nb\r\n'


@pytest.mark.parametrize('platform', ['linux', 'other'])
def test_a_folder_takes_the_place_of_a_folder_and_a_file_never_does(tmp_path, platform, monkeypatch):
    monkeypatch.setattr(sys, 'platform', platform)
    (tmp_path / 'store').mkdir()
    (tmp_path / 'store' / 'old').write_text('before')
    seen, remove = [], shutil.rmtree

    def removed(path):      # A kill here leaves the new folder whole at its place.
        seen.append(sorted(str(one.relative_to(tmp_path)) for one in (tmp_path / 'store').iterdir()))
        remove(path)

    monkeypatch.setattr(shutil, 'rmtree', removed)
    with whole_file(tmp_path / 'store') as part:
        part.mkdir()
        (part / 'new').write_text('after')
    assert seen == [['store/new']]
    with pytest.raises(IsADirectoryError):
        write_text('text', tmp_path / 'store')
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / 'store') as part:
        part.mkdir()
        raise KeyboardInterrupt
    assert [path.name for path in (tmp_path / 'store').iterdir()] == ['new']
    assert [path.name for path in tmp_path.iterdir()] == ['store']


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / 'file').write_text('')
    check_writable(tmp_path / 'new' / 'deep')
    assert list((tmp_path / 'new' / 'deep').iterdir()) == []
    with pytest.raises(InputError, match=r'file/out: cannot write into this folder: Not a directory'):
        check_writable(tmp_path / 'file' / 'out')
    with pytest.raises(InputError, match=r'file: is a file; must be a folder'):
        check_writable(tmp_path / 'file')


def test_a_folder_that_is_not_there_is_named_and_not_the_file_of_a_moment(tmp_path):
    with pytest.raises(InputError, match=r'none/plan\.json: there is no folder .*none$'):
        write_text('1', tmp_path / 'none' / 'plan.json')


def test_a_probe_of_a_folder_has_no_name_that_a_kill_would_leave(tmp_path, monkeypatch):
    seen, make = [], tempfile.TemporaryFile

    @contextmanager
    def probe(**options):
        with make(**options) as file:
            seen.append([path.name for path in tmp_path.iterdir() if not path.name.startswith('.')])
            yield file

    monkeypatch.setattr(tempfile, 'TemporaryFile', probe)
    check_writable(tmp_path)
    assert seen == [[]]
