"""
A disk that is full, and commands that are killed: each file is whole or absent, and the message is one line.

A limit of the size of files stands for the full disk: the system refuses to write beyond it.
"""

import os
import random
import resource
import signal
import subprocess
import time

import pytest
from command_line import COMMAND, ENVIRONMENT

LIMIT = 3000    # Bytes.
WRITERS = {
    'flow make': ['flow', 'make', '{out}/samples'],
    'run': ['run', '3', '--out', '{out}/run'],
    'mission': ['mission', 'make', 'lawnmower', '--size', '200', '100', '--spacing', '5', '--at', '45.6', '9.55',
                 '--speed', '0.7', '--out', '{out}/a.plan'],
}


def command(name, out):
    return [*COMMAND, *(part.format(out=out) for part in WRITERS[name])]


def files_in(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob('*') if path.is_file()}


@pytest.mark.parametrize('name', WRITERS)
def test_on_a_full_disk_nothing_is_cut_off_and_a_line_says_so(name, tmp_path):
    whole, cut = tmp_path / 'whole', tmp_path / 'cut'
    whole.mkdir()
    cut.mkdir()
    subprocess.run(command(name, whole), env=ENVIRONMENT, check=True, capture_output=True)
    result = subprocess.run(command(name, cut), env=ENVIRONMENT, capture_output=True, text=True, preexec_fn=lambda:
                            resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)))
    assert result.returncode == 1, result.stderr
    assert 'usv-energy: error: ' in result.stderr.splitlines()[-1] and 'Traceback' not in result.stderr
    assert set(files_in(cut)) <= set(files_in(whole)), 'no part of a file is left'
    for path, content in files_in(cut).items():
        assert len(content) <= LIMIT and len(content) == len(files_in(whole)[path])


def test_killed_at_any_moment_it_leaves_whole_files_or_none(tmp_path):
    """Files that are there are those of a run that was not killed; their hidden parts may be left beside."""
    whole = tmp_path / 'whole'
    whole.mkdir()
    begin = time.monotonic()
    subprocess.run(command('flow make', whole), env=ENVIRONMENT, check=True, capture_output=True)
    longest, expected, rng = time.monotonic() - begin, files_in(whole), random.Random(40)
    for number in range(4):
        out = tmp_path / str(number)
        out.mkdir()
        process = subprocess.Popen(command('flow make', out), env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.3, 1.0) * longest)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        for path, content in files_in(out).items():
            if not path.name.startswith('.'):
                assert len(content) == len(expected[path]), path


@pytest.mark.parametrize('arguments', [['--help'], ['run', '--help'], ['--version'], ['list']])
def test_help_that_cannot_be_written_is_said_like_a_result(arguments):
    with open('/dev/full', 'w') as full:
        result = subprocess.run([*COMMAND, *arguments], env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (result.returncode, result.stderr) == (1, 'usv-energy: error: standard output: No space left on device\n')


def test_without_an_output_or_a_terminal_the_status_is_the_same():
    """As `>&-` and `2>&-` of a shell leave it."""
    for number, arguments, status in ((1, ['list', 'boats'], 0), (2, ['run', '99'], 2)):
        result = subprocess.run([*COMMAND, *arguments], env=ENVIRONMENT, capture_output=True, text=True,
                                preexec_fn=lambda number=number: os.close(number))
        assert (result.returncode, result.stdout, result.stderr) == (status, '', ''), arguments
