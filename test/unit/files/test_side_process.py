import errno
import operator
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from usv_energy.files import side_process
from usv_energy.files.errors import InputError
from usv_energy.files.side_process import SideProcess, guarded, limit_work


def is_over(process):
    """Return whether a process has ended and was waited for: nothing is left of it, no zombie either."""
    with pytest.raises(ChildProcessError):
        os.waitpid(process, os.WNOHANG)
    return not Path(f'/proc/{process}').exists()


def runs(process):
    """Return whether a process that is no child of this one runs; it is for init to wait for it."""
    try:
        return Path(f'/proc/{process}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except (FileNotFoundError, ProcessLookupError):
        return False


def works_without_end():
    limit_work(1 << 40, 0.0)
    while True:
        pass


def needs_memory():
    limit_work(1 << 20)
    return len(bytes(1 << 30))


@pytest.mark.skipif(sys.platform != 'linux', reason='other systems have no such limits')
@pytest.mark.parametrize(('work', 'words'), [(works_without_end, 'is damaged: a library ended the process'),
                                             (needs_memory, 'its values need more memory')])
def test_what_reads_a_file_of_others_has_limits_of_time_and_memory(tmp_path, monkeypatch, work, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=f'^a.b: {words}'):
        guarded(Path('a.b'), 'a library', work)
    assert guarded(Path('a.b'), 'a library', os.getcwd) == str(tmp_path), 'the next one has a process'
    side_process._guards.pop(os.getpid()).kill()


def test_calls_are_done_in_turn_in_one_other_process(tmp_path):
    with SideProcess() as side:
        places = [side.call(os.getpid) for _ in range(2)]
        side.call(time.sleep, 0.1)
        side.call(Path.write_text, tmp_path / 'a', 'first')
        last = side.call(Path.read_text, tmp_path / 'a')
    assert places[0].result() == places[1].result() != os.getpid()
    assert last.result() == 'first'
    assert is_over(places[0].result())


PINNED = []


def scattered_bytes():
    """Return after taking 100 MB in pieces, of which the last stays: what is below it is not at the heap's top."""
    pieces = [bytes(1000) for _ in range(100_000)]
    PINNED.append(pieces[-1])


def resident():
    """Return the memory of this process, MB."""
    return int(Path('/proc/self/statm').read_text().split()[1]) * os.sysconf('SC_PAGE_SIZE') / 1e6


@pytest.mark.skipif('glibc' not in platform.libc_ver(), reason='another C library than glibc')
def test_what_a_call_took_is_given_back():
    with SideProcess() as side:
        before = side.call(resident).result()
        side.call(scattered_bytes).result()
        assert side.call(resident).result() < before + 20.0


def squares(number, progress):
    for one in range(number):
        progress(one + 1, number)
    return [one * one for one in range(number)]


def test_a_call_tells_its_progress_before_its_result():
    told = []
    with SideProcess() as side:
        first = side.call(squares, 3, progress=lambda done, number: told.append((done, number)))
        assert first.result() == [0, 1, 4] and told == [(1, 3), (2, 3), (3, 3)]
        assert side.call(operator.neg, 2).result() == -2


def test_what_is_large_goes_both_ways():
    data = os.urandom(3_000_000)
    with SideProcess() as side:
        assert side.call(bytes, data).result() == data


def test_what_a_call_raises_is_raised_at_the_end_and_the_calls_after_it_are_done(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, SideProcess() as side:
        side.call(Path.write_text, tmp_path / 'no' / 'folder', 'x')
        side.call(Path.write_text, tmp_path / 'a', 'x')
    assert caught.value.errno == errno.ENOENT
    assert caught.value.filename == str(tmp_path / 'no' / 'folder')
    assert 'side_process.py' in caught.value.__notes__[0], 'where it was raised'
    assert (tmp_path / 'a').read_text() == 'x'


def test_what_a_call_has_raised_can_be_had_before_the_end():
    with pytest.raises(ZeroDivisionError), SideProcess() as side:
        side.call(operator.truediv, 1, 0).exception()
        side.check()
        raise AssertionError('check has said nothing')


def test_an_error_of_this_process_is_not_hidden_and_all_calls_are_done(tmp_path):
    with pytest.raises(ValueError, match='mine'), SideProcess() as side:
        side.call(operator.truediv, 1, 0)
        side.call(Path.write_text, tmp_path / 'a', 'x')
        raise ValueError('mine')
    assert (tmp_path / 'a').read_text() == 'x'


@pytest.mark.parametrize(('end', 'said'), [
    ((os.kill, signal.SIGKILL), 'ended by signal 9'), ((os._exit, 7), 'ended with exit status 7')])
def test_a_process_that_dies_is_an_error_and_no_endless_wait(end, said):
    with pytest.raises(ChildProcessError, match=said), SideProcess() as side:
        function, number = end
        side.call(function, *((side._process.pid,) if function is os.kill else ()), number)
        after = side.call(os.getpid)
    assert isinstance(after.exception(), ChildProcessError)
    assert is_over(side._process.pid)


def test_what_cannot_be_sent_is_done_here():
    with SideProcess() as side:
        here = side.call(lambda: os.getpid())
        assert here.result() == os.getpid()
        assert side.call(type, threading.Lock()).result() is type(threading.Lock())
        with pytest.raises(ZeroDivisionError):
            side.call(lambda: 1 // 0)


def test_an_interrupt_waits_for_the_call_under_way_alone(tmp_path):
    with pytest.raises(KeyboardInterrupt), SideProcess() as side:
        side.call(os.getpid).result()
        busy = side.call(time.sleep, 0.3)
        never = side.call(Path.write_text, tmp_path / 'a', 'x')
        while not busy.running():
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert busy.done()
    with pytest.raises(CancelledError):
        never.result()
    assert not (tmp_path / 'a').exists()
    assert is_over(side._process.pid)


def test_an_interrupt_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(side_process, 'FINISH_TIMEOUT', 0.1)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt), SideProcess() as side:
        side.call(time.sleep, 900.0)
        raise KeyboardInterrupt
    assert time.monotonic() - begin < 300.0
    assert is_over(side._process.pid)


def test_what_a_call_prints_goes_to_stderr(capfd):
    with SideProcess() as side:
        side.call(print, 'said beside')
    assert capfd.readouterr() == ('', 'said beside\n')


@pytest.mark.parametrize(('number', 'group', 'status'), [
    (signal.SIGINT, True, 130), (signal.SIGKILL, False, -signal.SIGKILL), (signal.SIGTERM, True, -signal.SIGTERM)])
def test_it_ends_with_this_process_and_not_by_the_signals_of_its_terminal(tmp_path, number, group, status):
    """The call under way may be finished, no other is begun; one of ten minutes ends with the caller."""
    seconds = 1.5 if number == signal.SIGINT else 600.0
    program = (
        'import os, pathlib, sys, time\nfrom usv_energy.files.side_process import SideProcess\n'
        'try:\n    with SideProcess() as side:\n        print(side.call(os.getpid).result(), flush=True)\n'
        f'        side.call(time.sleep, {seconds})\n'
        f'        side.call(pathlib.Path.write_text, pathlib.Path({str(tmp_path / "a")!r}), "x")\n'
        # A signal that comes in the moment before a sleep begins is seen after it: so many short ones.
        '        for _ in range(6000):\n            time.sleep(0.1)\nexcept KeyboardInterrupt:\n    sys.exit(130)\n')
    with subprocess.Popen([sys.executable, '-c', program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as process:
        beside = int(process.stdout.readline())
        (os.killpg if group else os.kill)(process.pid, number)
        # The pipes are open until both have ended.
        _, err = process.communicate(timeout=300.0)
    assert (process.returncode, err) == (status, '')
    end = time.monotonic() + 300.0
    while runs(beside):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert not (tmp_path / 'a').exists()
