"""The committed models and worlds are those that the command writes now."""

import shutil
import subprocess

import pytest

from usv_energy.cli.main import main
from usv_energy.files.locate import SOURCE_ROOT

MODELS = sorted(path.parent.name for path in (SOURCE_ROOT / 'models').glob('*/model.sdf'))


WORLDS = {'open_water': ['--scenario', '1'],
          'river': ['--scenario', 'river/upstream_middle', '--world', 'river']}


COMMITTED = [*(f'models/{name}/model.sdf' for name in MODELS), *(f'worlds/{name}.sdf' for name in WORLDS)]


@pytest.mark.parametrize('name', MODELS)
def test_the_committed_models_are_fresh(name, tmp_path, capsys):
    """Stale? usv-energy gazebo model --boat NAME --out models/NAME"""
    assert main(['gazebo', 'model', '--boat', name, '--out', str(tmp_path)]) == 0
    for file in ('model.sdf', 'model.config'):
        assert (tmp_path / file).read_text() == (SOURCE_ROOT / 'models' / name / file).read_text()


@pytest.mark.parametrize('name', WORLDS)
def test_the_committed_worlds_are_fresh(name, tmp_path, capsys):
    """Stale? usv-energy gazebo world, with the arguments above and --out worlds/NAME.sdf"""
    assert main(['gazebo', 'world', *WORLDS[name], '--out', str(tmp_path / 'world.sdf')]) == 0
    assert (tmp_path / 'world.sdf').read_text() == (SOURCE_ROOT / 'worlds' / f'{name}.sdf').read_text()


def test_a_quadcopter_and_the_deck_for_it_are_written(tmp_path, capsys):
    assert main(['gazebo', 'quadcopter', '--out', str(tmp_path)]) == 0
    text = (tmp_path / 'model.sdf').read_text()
    assert 'Made by: usv-energy gazebo quadcopter: quadcopter ar_drone, name quadcopter' in text
    assert text.count('MulticopterMotorModel') == 4 and (tmp_path / 'model.config').is_file()
    assert 'no ground effect' in capsys.readouterr().err
    assert main(['gazebo', 'model', '--pad', '0.1', '0', '0.3']) == 0
    assert '<collision name="deck_collision">' in capsys.readouterr().out


@pytest.mark.parametrize(('words', 'told'), [
    (['quadcopter', '--quadcopter', 'nobody'], 'nobody'), (['quadcopter', '--name', '4'], '--name is'),
    (['model', '--pad', '0', '0', '0.05'], 'the pad is 0.05 m up')])
def test_wrong_quadcopters_and_decks_are_told(words, told, capsys):
    assert main(['gazebo', *words]) == 2
    said = capsys.readouterr().err
    assert told in said and 'Traceback' not in said


def test_every_boat_of_the_thesis_has_its_model():
    assert {'lutra_prop', 'lutra_prop_eq57', 'lutra_prop_usvsim'} <= set(MODELS)


@pytest.mark.parametrize('path', COMMITTED)
def test_sdformat_finds_nothing_wrong(path):
    """Debian: apt install ignition-tools sdformat-sdf; Harmonic has `gz sdf`."""
    command = next(([one, 'sdf', '--check'] for one in ('gz', 'ign') if shutil.which(one)), None)
    if command is None:
        pytest.skip('neither gz sdf nor ign sdf is installed')
    done = subprocess.run([*command, str(SOURCE_ROOT / path)], capture_output=True, text=True, timeout=600.0)
    if 'I cannot find any available' in done.stdout + done.stderr:
        pytest.skip('gz or ign is installed without its sdf command')
    assert 'Valid.' in done.stdout and 'Warning' not in done.stderr + done.stdout and 'Error' not in done.stderr
