"""Work apart: in a process of its own, which reads what the server may read, tells how far it is, and ends at once."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.locate import confine, share_folder, user_path
from usv_energy.web import background, folder
from usv_energy.web.background import CancelledError, Work, end_all
from usv_energy.web.plan_inputs import FieldError, fitted_boat


@pytest.fixture
def kept_to(tmp_path, monkeypatch):
    """Return two folders that this process is kept to, as a server is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(folder.tempfile, 'tempdir', None)
    own, served = tmp_path / 'own', tmp_path / 'served'
    own.mkdir()
    served.mkdir()
    folder.keep_to(own, served)
    yield own, served
    confine()
    folder._KEPT_TO.clear()


def told(number, progress):
    """Say half of a number of steps; return the process and its working folder."""
    for done in range(number // 2):
        progress(done + 1, number)
    return os.getpid(), Path.cwd()


def speechless(progress):
    """Say once that half is done, and wait for ten minutes."""
    progress(1, 2)
    time.sleep(600.0)


def test_it_tells_how_far_it_is_and_ends_with_its_work(kept_to):
    work = Work()
    process, there = asyncio.run(work.done_apart(told, 10))
    assert work.share == 0.5 and work.ended
    assert there == kept_to[1] and process != os.getpid()
    assert not Path(f'/proc/{process}').exists()


@pytest.mark.parametrize('do', [lambda: background.at_once(lambda: 1 // 0), lambda: Work().done(lambda _: 1 // 0)])
def test_a_fault_of_the_program_is_told_as_an_error_and_its_place_in_the_terminal(do, capfd):
    with pytest.raises(InputError, match=r'a fault of usv_energy, ZeroDivisionError: .* by zero; the terminal of'):
        asyncio.run(do())
    assert 'Traceback' in capfd.readouterr().err


def test_what_is_wrong_with_something_that_is_not_asked_any_more_is_no_error():
    work = Work()

    def wrong(_):
        work.cancel()
        raise InputError('mass is wrong')

    with pytest.raises(CancelledError):
        asyncio.run(work.done(wrong))


def test_it_reads_no_other_files_than_the_server(kept_to):
    assert asyncio.run(Work().done_apart(user_path, 'a.plan', tells=False)) == Path('a.plan')
    with pytest.raises(InputError, match='leads out of the folder that is served'):
        asyncio.run(Work().done_apart(user_path, '/etc/passwd', tells=False))


def test_no_error_says_where_files_lie(kept_to):
    own, served = kept_to
    text = f'{own}/0123456789abcdef/a.csv, {served}/b.csv, {own}/c, {share_folder()}/config/boats/blueboat.yaml'
    assert folder.without_folder(text) == f'a.csv, b.csv, {own}/c, config/boats/blueboat.yaml'


@pytest.mark.parametrize('end', [Work.cancel, lambda work: end_all()])
def test_it_is_ended_at_once(end):
    async def ended():
        work = Work()
        task = asyncio.create_task(work.done_apart(time.sleep, 600.0, tells=False))
        while work._side is None:
            await asyncio.sleep(0.01)
        end(work)
        with pytest.raises(CancelledError):
            await asyncio.wait_for(task, 300.0)

    asyncio.run(ended())


def test_the_process_that_is_kept_does_one_work_after_the_other():
    """What is ended is not begun; what runs is ended at once, also without a word, and the process goes on."""
    async def done():
        first, second, third = Work(), Work(), Work()
        second.cancel()
        tasks = [asyncio.create_task(work.done_beside(told, 4)) for work in (first, second, third)]
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert found[0] == found[2] and found[0][0] != os.getpid() and isinstance(found[1], CancelledError)
        long = Work()
        task = asyncio.create_task(long.done_beside(speechless))
        while not long.share:
            await asyncio.sleep(0.01)
        long.cancel()
        with pytest.raises(CancelledError):
            await asyncio.wait_for(task, 300.0)
        late = asyncio.create_task(Work().done_beside(told, 4))
        while not (late.done() or background._KEPT[0]._calls[-1].running()):
            await asyncio.sleep(0.0)
        if not late.done():
            background._KEPT[0].stop()      # Meant for the work before.
        assert await late == found[0]

    asyncio.run(done())
    end_all()
    background._KEPT.clear()


def test_a_process_that_is_killed_is_an_error_of_input_and_an_error_keeps_its_field():
    with pytest.raises(InputError, match='ended with exit status 7, perhaps for want of memory'):
        asyncio.run(Work().done_apart(os._exit, 7, tells=False))
    with pytest.raises(FieldError, match='choose a boat') as error:
        asyncio.run(Work().done_apart(fitted_boat, {}, tells=False))
    assert error.value.field == 'boat'
