"""`usv-energy team` as a person runs it."""

import json

import pytest
import yaml

from usv_energy.cli.main import main
from usv_energy.files.locate import resolve


def test_box_as_text_json_and_picture(tmp_path, capsys):
    assert main(['team', '--out', str(tmp_path / 'a.png'), '--json', str(tmp_path / 'a.json'), '--battery', '20Wh',
                 '--charge', '50%']) == 0
    text = capsys.readouterr().out
    assert 'landed at' in text and 'charging quadcopter' in text and '3 in series, cutoff 9.0 V' in text
    figures = json.loads((tmp_path / 'a.json').read_text())
    craft = figures['quadcopters']['quadcopter']
    assert craft['landing']['error_m'] < 0.1 and craft['ditched'] is None
    assert craft['charge_gained_j'] == pytest.approx(0.8 * figures['boats']['boat']['charging_j']['quadcopter'])
    assert (tmp_path / 'a.png').read_bytes()[:4] == b'\x89PNG'
    boat = figures['boats']['boat']
    assert boat['battery_charge_at_end'] == pytest.approx(0.5 - boat['total_j'] / (20.0 * 3600.0))
    assert f'battery of boat (20 Wh): {100.0 * boat["battery_charge_at_end"]:.1f} % charged' in text


def test_several_boats_into_a_folder_whose_files_run_takes(tmp_path, capsys):
    """Each boat's scenario stands there as a file; that of the boat without a quadcopter gives the same bytes."""
    out = tmp_path / 'all'
    assert main(['team', 'three_boats', '--out', str(out), '--json', str(tmp_path / 'a.json')]) == 0
    assert json.loads((tmp_path / 'a.json').read_text()) == json.loads((out / 'summary.json').read_text())
    page = (out / 'team.html').read_text()
    for name in ('alpha', 'bravo', 'carol', 'bee', 'wasp'):
        assert name in page
    assert {one.name for one in out.glob('*.png')} == {'team.png', 'bee.png', 'wasp.png'}
    assert main(['run', str(out / 'carol.yaml'), '--out', str(tmp_path / 'run'), '--no-plots']) == 0
    own, alone = (folder / 'carol_rep103' / 'samples.csv' for folder in (out, tmp_path / 'run'))
    assert own.read_bytes() == alone.read_bytes()


def test_a_battery_that_gives_no_more_is_an_emergency_by_name(tmp_path, capsys):
    """The reserve is taken away, so that nothing refuses it: the cells end over the deck."""
    document = yaml.safe_load(resolve('teams', 'box').read_text())
    craft = yaml.safe_load(resolve('quadcopters', 'ar_drone').read_text())
    craft['battery']['capacity_share'] = 0.06
    (tmp_path / 'old.yaml').write_text(yaml.safe_dump(craft))
    document |= {'quadcopter': 'old.yaml', 'flight': {'take_off': 1.0, 'land': 3.0, 'reserve': 0.0}}
    path = tmp_path / 'team.yaml'
    path.write_text(yaml.safe_dump(document))
    assert main(['team', str(path)]) == 2
    assert 'it would not come back' in capsys.readouterr().err
    document['flight'] |= {'sink': 0.05}  # Slower than the 25 s that a landing is expected to take.
    craft['battery']['capacity_share'] = 0.085
    (tmp_path / 'old.yaml').write_text(yaml.safe_dump(craft))
    document['flight'] |= {'height': 30.0}
    path.write_text(yaml.safe_dump(document))
    main(['team', str(path)])
    assert 'emergency, its battery gave no more: ' in capsys.readouterr().out


@pytest.mark.parametrize(('arguments', 'words'), [
    (['nowhere'], 'nowhere'), (['box', '--out', 'a.jpg'], 'must be a picture, .png, or a folder'),
    (['box', '--controller', 'magic'], 'magic')])
def test_faults(capsys, arguments, words):
    try:
        assert main(['team', *arguments]) == 2
    except SystemExit as left:
        assert left.code == 2
    assert words in capsys.readouterr().err
