"""`~` in arguments that name files and folders: a shell expands it in `--out ~/x`, but not in `--out=~/x`."""

import json
import shutil

import pytest
from places import ROOT

from usv_energy.cli.main import main


@pytest.fixture
def home(monkeypatch, tmp_path):
    """Have a home folder with a boat in it, and work elsewhere."""
    (tmp_path / 'home').mkdir()
    (tmp_path / 'elsewhere').mkdir()
    shutil.copy(ROOT / 'config' / 'boats' / 'lutra_prop.yaml', tmp_path / 'home' / 'mine.yaml')
    monkeypatch.setenv('HOME', str(tmp_path / 'home'))
    monkeypatch.chdir(tmp_path / 'elsewhere')
    yield tmp_path / 'home'
    assert list((tmp_path / 'elsewhere').iterdir()) == [], 'nothing is written into a folder that is called ~'


def test_a_run_is_written_to_the_home_folder(home, capsys):
    assert main(['run', '3', '--boat=~/mine.yaml', '--out=~/runs', '--json=~/three.json', '--no-plots']) == 0
    assert list((home / 'runs').rglob('samples.csv'))
    assert json.loads((home / 'three.json').read_text(encoding='utf-8'))
    capsys.readouterr()


def test_a_model_is_written_to_the_home_folder(home, capsys):
    assert main(['gazebo', 'model', '--boat=~/mine.yaml', '--out=~/model']) == 0
    assert (home / 'model' / 'model.sdf').is_file()
    capsys.readouterr()


def test_the_home_of_nobody_is_refused(home, capsys):
    with pytest.raises(SystemExit) as end:
        main(['run', '3', '--out=~no_such_user_here/x'])
    assert end.value.code == 2
    assert '~no_such_user_here/x: there is no home folder of that user' in capsys.readouterr().err
