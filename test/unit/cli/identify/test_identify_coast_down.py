"""`usv-energy identify coast-down` as a user meets it: a glide is made, drawn, and gives back the boat's drag."""

import json

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    """Return the folders of the airboat's coast-down with 3 and with 6 kg on board."""
    folder = tmp_path_factory.mktemp('runs')
    for payload in ('3', '6'):
        assert main(['maneuver', 'coast_down', '--boat', 'lutra_airboat', '--payload', payload, '--out',
                     str(folder / payload)]) == 0
    return folder


def test_two_payloads_give_drag_and_mass_and_a_boat_file(runs, tmp_path, capsys):
    """[S] table 2: 6.9 N s^2/m^2; 9.05 kg with added mass, and the 3 kg of the file."""
    assert main(['identify', 'coast-down', str(runs / '3'), '--loaded', str(runs / '6'), '--added', '3', '--boat',
                 'lutra_airboat', '--out', str(tmp_path / 'mine.yaml'), '--out', str(tmp_path / 'glides.png'),
                 '--json', str(tmp_path / 'found.json')]) == 0
    assert 'mass and added mass in surge: 12.05' in capsys.readouterr().out
    found = json.loads((tmp_path / 'found.json').read_text())
    assert found['mass_and_added_mass_kg'] == pytest.approx(12.05, rel=1e-4) and found['mass_found']
    assert found['quadratic_drag_n_s2_m2'] == pytest.approx(6.9 + found['quadratic_drag_of_air_n_s2_m2'], rel=1e-4)
    assert found['drag'][0]['drag_n'] == pytest.approx(3.13, rel=1e-3)
    assert [glide['added_mass_on_board_kg'] for glide in found['glides']] == [0.0, 3.0]
    boat = read_boat(str(tmp_path / 'mine.yaml'))
    assert boat.vessel.inertia.m11 == pytest.approx(12.05, rel=1e-4) and boat.hull.payload == 3.0
    assert (tmp_path / 'glides.png').stat().st_size > 20_000


def test_one_glide_takes_the_boat_s_mass_and_says_so(runs, capsys):
    assert main(['identify', 'coast-down', str(runs / '6'), '--boat', 'lutra_airboat', '--payload', '6']) == 0
    told = capsys.readouterr().out
    assert 'taken from lutra_airboat: 15.05 kg' in told and 'Glide in both directions' in told


@pytest.mark.parametrize(('arguments', 'says'), [
    (['--added', '3'], '--loaded and --added go together'),
    (['--from', '0', '--to', '30'], 'no glide was found')])
def test_faults_are_named(runs, arguments, says, capsys):
    assert main(['identify', 'coast-down', str(runs / '3'), *arguments]) == 2
    assert says in capsys.readouterr().err
