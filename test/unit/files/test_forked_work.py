"""Work done by forked processes: the same as here, whatever the number of them, and errors come back."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.work import beside, forked, threaded


def test_results_do_not_depend_on_the_number_of_workers():
    here, others = (dict(forked(lambda place: (place ** 2, os.getpid()), 5, workers)) for workers in (1, 2))
    assert {place: one[0] for place, one in here.items()} == {place: one[0] for place, one in others.items()}
    assert {one[1] for one in here.values()} == {os.getpid()}
    assert os.getpid() not in {one[1] for one in others.values()}
    assert threaded(lambda place: place + 1, 3) == [1, 2, 3]


def fails(place):
    if place == 0:
        raise ValueError('the first one')
    time.sleep(900.0)


def test_an_error_comes_back_at_once_and_ends_the_workers():
    before = set(multiprocessing.active_children())
    begin = time.monotonic()
    with pytest.raises(ValueError, match='the first one'):
        list(forked(fails, 2, 2))
    assert time.monotonic() - begin < 300.0
    assert set(multiprocessing.active_children()) <= before


def test_a_worker_has_one_thread():
    """Threads of several processes would only wait for each other."""
    found = dict(forked(lambda place: threaded(lambda inner: (inner, os.getpid()), 2), 2, 2))
    assert all([inner for inner, _ in one] == [0, 1] and len({pid for _, pid in one}) == 1 for one in found.values())


def test_a_killed_worker_costs_only_what_it_was_at(tmp_path):
    """Each place is given once; the killed one, and what was done beside it, are done again by others."""
    def work(place):
        if place == 2 and not (tmp_path / 'killed').exists():
            (tmp_path / 'killed').touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return place ** 2

    found = list(forked(work, 6, 2))
    assert (tmp_path / 'killed').exists()
    assert sorted(found) == [(place, place ** 2) for place in range(6)]


def test_work_that_kills_every_worker_is_given_up():
    def work(place):
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(InputError, match='workers were killed 3 times on end'):
        list(forked(work, 2, 2))


# Where it is begun in the background of a shell, Ctrl-C would be ignored.
WORKERS = '''
import os, signal, sys, time
from usv_energy.files.work import beside, forked
signal.signal(signal.SIGINT, signal.default_int_handler)
def work(place):
    os.write(2, b'works\\n')    # At once: two that print may end their lines later.
    time.sleep(600.0)
list(forked(work, 2, 2))
'''
BESIDE = '''
from usv_energy.files.side_process import SideProcess
with SideProcess() as side:
    side.call(exec, {!r}, {{}}).result()
'''


@pytest.mark.parametrize('program', [WORKERS, BESIDE.format(WORKERS)])
@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_the_process_that_forked_them(program, number):
    """Two sleep for ten minutes, here or in a side process; the pipe is open until all who inherited it end."""
    with subprocess.Popen([sys.executable, '-c', program], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert [process.stderr.readline() for _ in range(2)] == ['works\n'] * 2
            begin = time.monotonic()
            process.send_signal(number)
            process.communicate(timeout=300.0)
        finally:
            process.kill()
    assert process.returncode == -number
    assert time.monotonic() - begin < 300.0


def test_what_runs_beside_a_block_is_done_by_another_process_and_ends_with_it():
    def slow(seconds):
        time.sleep(seconds)
        return os.getpid()
    with beside(lambda: slow(0.0), 2) as result:
        assert result() != os.getpid()
    with beside(lambda: slow(0.0), 1) as result:
        assert result() == os.getpid()
    before, begin = set(multiprocessing.active_children()), time.monotonic()
    with pytest.raises(InputError, match='no way'), beside(lambda: slow(60.0), 2):
        raise InputError('no way')
    assert time.monotonic() - begin < 30.0 and set(multiprocessing.active_children()) <= before


def test_what_runs_beside_a_block_is_done_again_if_its_process_is_killed():
    here = os.getpid()

    def dies_elsewhere():
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return 'done'
    with beside(dies_elsewhere, 2) as result:
        assert result() == 'done'
