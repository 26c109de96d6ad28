"""What a shell is answered that wants a command completed: verbs, options of the verb, names of shipped files."""

import shutil
import subprocess

import pytest
from command_line import COMMAND, ENVIRONMENT, ROOT

NEEDS = ('argcomplete',)


def answers(line, tmp_path):
    """Return the words that a shell is offered at the end of a line, asked as argcomplete's shell code asks."""
    out = tmp_path / 'words'
    environment = {**ENVIRONMENT, '_ARGCOMPLETE': '1', 'COMP_LINE': line, 'COMP_POINT': str(len(line)),
                   '_ARGCOMPLETE_IFS': '\n', '_ARGCOMPLETE_STDOUT_FILENAME': str(out), 'COMP_TYPE': '9',
                   '_ARGCOMPLETE_SUPPRESS_SPACE': '1'}
    subprocess.run(COMMAND, env=environment, cwd=tmp_path, timeout=60, check=True)
    return set(out.read_text().split())


@pytest.mark.parametrize(('line', 'wanted', 'unwanted'), [
    ('usv-energy mis', {'mission'}, {'range'}), ('usv-energy range --ho', {'--hotel'}, {'--boat'}),
    ('usv-energy range --boat blue', {'blueboat', 'blueboat_watts_only'}, {'otter'}),
    ('usv-energy map reach --current riv', {'river'}, {'vortex'}), ('usv-energy list th', {'thrusters'}, {'teams'}),
    ('usv-energy mission a.plan --bo', {'--boat'}, {'--out'}), ('usv-energy mission con', {'convert'}, {'show'}),
    ('usv-energy identify battery a.csv --am', {'--ambient'}, {'--boat'}),
    ('usv-energy identify b', {'battery', 'bollard'}, {'waves'}), ('usv-energy run maneuver --pw', {'--pwm'}, set())])
def test_words_are_completed_by_what_the_verb_takes(line, wanted, unwanted, tmp_path):
    found = answers(line, tmp_path)
    assert wanted <= {word.rstrip() for word in found} and not unwanted & found


def test_a_boat_may_be_a_file_of_the_folder(tmp_path):
    (tmp_path / 'mine.yaml').touch()
    assert 'mine.yaml' in answers('usv-energy range --boat mi', tmp_path)


@pytest.mark.parametrize('shell', ['bash', 'zsh', 'fish'])
def test_the_lines_of_a_shell_name_the_command(cli, shell):
    status, out, _ = cli('completion', shell)
    assert status == 0 and 'usv-energy' in out and 'argcomplete' in out.lower()


def test_how_it_is_used_is_said(cli):
    assert 'usv-energy completion bash' in cli('completion')[1]


def test_run_says_the_lines_without_an_environment_and_makes_none(tmp_path):
    shutil.copy(ROOT / 'run', tmp_path)

    def answer():
        return subprocess.run([tmp_path / 'run', 'completion', 'bash'], env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=60)

    refused = answer()
    assert (refused.returncode, refused.stdout) == (2, '') and '[completion]' in refused.stderr
    (tmp_path / 'usv_energy').symlink_to(ROOT / 'usv_energy')
    given = answer()
    assert given.returncode == 0 and 'argcomplete' in given.stdout and 'usv-energy' in given.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ['run', 'usv_energy']
