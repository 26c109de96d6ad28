"""`usv-energy identify waves` as a user meets it: the tables of a twin give back its coefficients in a boat file."""

import json

import numpy as np
import pytest
import sea_twin

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main

SEAS = {'calm': (0.0, 2.0, 0.0), 'low': (0.2, 2.0, 180.0), 'high': (0.4, 2.0, 90.0)}


@pytest.fixture(scope='module')
def given(tmp_path_factory):
    """Return the paths of three tables by name, and the arguments that go with them."""
    folder = tmp_path_factory.mktemp('logs')
    written = {name: sea_twin.write_log(sea_twin.sea_log(name, *sea, seed=8000 + number), folder)
               for number, (name, sea) in enumerate(SEAS.items())}
    (folder / 'twin.yaml').write_text(sea_twin.BOAT)
    paths = {name: str(path) for name, (path, _) in written.items()}
    return paths, ['--columns', str(folder / 'columns.yaml'), '--boat', str(folder / 'twin.yaml'), '--current', '0,0',
                   '--wind', '0,0']


def test_coefficients_go_to_the_terminal_json_a_picture_and_a_boat_file(given, tmp_path, capsys):
    paths, more = given
    assert main(['identify', 'waves', *paths.values(), *more, '--out', str(tmp_path / 'mine.yaml'), '--out',
                 str(tmp_path / 'waves.png'), '--json', str(tmp_path / 'found.json')]) == 0
    told = capsys.readouterr().out
    assert '0 (head)' in told and "drag in calm water over the file's: 1.0" in told and 'has no parts' in told
    found = json.loads((tmp_path / 'found.json').read_text())
    head, beam, following = found['coefficients']
    for one, true in zip((head, beam, following), np.array(sea_twin.COEFFICIENTS)[:, 0]):
        low, high = one['coefficient_n_m2_interval']
        assert low < true < high and high - low < 100.0
    assert head['coefficient_n_m2'] > 4.0 * beam['coefficient_n_m2'] > 0.0 > following['coefficient_n_m2']
    assert [log['sea_from'] for log in found['logs']] == ['calm', *['heave, roll and pitch'] * 2]
    boat = read_boat(str(tmp_path / 'mine.yaml'))
    assert boat.waves.rows[0][0] == pytest.approx(head['coefficient_n_m2'], rel=1e-3)
    assert (tmp_path / 'waves.png').stat().st_size > 20_000


def test_a_sea_that_is_told_takes_the_place_of_the_one_seen(given, tmp_path):
    """Told half as high as it is, its coefficients are four times as large."""
    paths, more = given
    values = []
    for low, high in (('0.2,2,180', '0.4,2,90'), ('0.1,2,180', '0.2,2,90')):
        target = tmp_path / f'{low}.json'
        assert main(['identify', 'waves', *paths.values(), *more, '--sea', 'calm', '--sea', low, '--sea', high,
                     '--json', str(target)]) == 0
        values.append(json.loads(target.read_text())['coefficients'][0]['coefficient_n_m2'])
    assert values[1] == pytest.approx(4.0 * values[0], rel=0.02)


@pytest.mark.parametrize(('names', 'arguments', 'says'), [
    (['low'], [], 'one sea state for each period'),
    (['calm', 'low'], ['--directions', '0,45,90'], 'no log meets waves from about 45 deg'),
    (['calm', 'low'], ['--directions', '90,0'], '--directions is 90,0; must rise, from 0 to 180'),
    (['calm', 'low'], ['--periods', '0,2'], '--periods is 0,2; must rise, from 0.1 to 60'),
    (['calm', 'low'], ['--sea', 'calm', '--sea', 'seen', '--sea', 'seen'], '--sea is given 3 times for 2 logs'),
    (['calm', 'low'], ['--sea', '0.3,2.5'], '--sea is '),
    (['calm'], [], 'all logs are of calm water')])
def test_faults_are_named(given, names, arguments, says, capsys):
    paths, more = given
    assert main(['identify', 'waves', *(paths[name] for name in names), *more, *arguments]) == 2
    told = capsys.readouterr().err
    assert says in told and 'Traceback' not in told
