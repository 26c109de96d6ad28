"""What all verbs share: help, exit status, pipes, and that little is imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import DEADLINE, ENVIRONMENT, process

from usv_energy import __version__


@pytest.mark.parametrize(('arguments', 'words'), [
    (['fly'], ("invalid choice: 'fly'", 'run', 'list', 'closure', 'demo')),
    (['run'], ('SCENARIO',)),
    (['run', '1', '--convention', 'ned'], ("'ned'", 'rep103', 'as_published', 'both')),
    (['run', '1', '--fast'], ('unrecognized arguments: --fast',)),
    (['closure', '--speeds', 'quick'], ("'quick'; must be a number, alone or with its unit",)),
    (['closure', '--speeds', '-1'], ("'-1' is not above 0",)),
])
def test_wrong_arguments_are_refused(cli, arguments, words):
    status, out, err = cli(*arguments)
    assert (status, out) == (2, '')
    assert all(word in err for word in words)
    assert 'Traceback' not in err


def test_without_arguments_it_says_how_to_use_it(cli):
    status, out, err = cli()
    assert (status, out) == (2, '')
    assert 'examples:' in err


def test_version(cli):
    assert cli('--version') == (0, f'usv-energy {__version__}\n', '')


def test_a_reader_that_goes_away_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    with process('list', stdout=writer, stderr=subprocess.PIPE) as running:
        os.close(writer)
        assert running.communicate(timeout=DEADLINE)[1] == ''
    assert running.returncode == 141


def test_a_reader_that_goes_away_loses_no_file(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    names = [tmp_path / name for name in ('check.json', 'boat.png')]
    with process('boat', 'check', 'lutra_prop', '--json', names[0], '--out', tmp_path, stdout=writer,
                 stderr=subprocess.PIPE) as running:
        os.close(writer)
        assert 'Traceback' not in running.communicate(timeout=DEADLINE)[1]
    assert running.returncode == 141 and all(name.stat().st_size > 100 for name in names)


@pytest.mark.skipif(not Path('/dev/full').exists(), reason='needs /dev/full')
def test_a_full_disk_is_an_error():
    with open('/dev/full', 'w') as full, process('list', stdout=full, stderr=subprocess.PIPE) as running:
        assert running.communicate(timeout=DEADLINE)[1] == (
            'usv-energy: error: standard output: No space left on device\n')
    assert running.returncode == 1


@pytest.mark.parametrize('arguments', [['--help'], ['list']])
def test_what_answers_at_once_loads_neither_matplotlib_nor_ros(arguments):
    program = ('import sys\nfrom usv_energy.cli.main import main\n'
               'try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n'
               'slow = {"matplotlib", "jsonschema", "rclpy"} & set(sys.modules)\nassert not slow, slow')
    subprocess.run([sys.executable, '-c', program, *arguments], env=ENVIRONMENT, check=True, timeout=DEADLINE,
                   stdout=subprocess.DEVNULL)
