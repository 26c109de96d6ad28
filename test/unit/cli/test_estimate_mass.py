import json

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main

LUTRA = ['--mass', '9.7', '--length', '1.06', '--width', '0.48', '--thruster-distance', '0.16', '--draught', '0.02']


@pytest.mark.parametrize('arguments', [LUTRA, ['--boat', 'lutra_prop', '--draught', '0.02']])
def test_the_numbers_of_the_thesis(arguments, capsys):
    assert main(['estimate-mass', *arguments, '--json', '-']) == 0
    found = json.loads(capsys.readouterr().out)
    assert [found[key] for key in ('m11_kg', 'm22_kg', 'm33_kg_m2')] == pytest.approx([9.750, 10.364, 1.158], abs=5e-4)
    assert list(found)[:6] == ['mass_kg', 'length_m', 'width_m', 'draught_m', 'thruster_distance_m',
                               'water_density_kg_m3']
    assert (found['mass_kg'], found['draught_m']) == (9.7, 0.02)


def test_what_is_printed_is_a_part_of_a_boat_file(tmp_path, capsys):
    assert main(['estimate-mass', *LUTRA]) == 0
    path = tmp_path / 'new.yaml'
    path.write_text(f'base: lutra_prop\n{capsys.readouterr().out}')
    assert read_boat(str(path)).vessel.inertia[:3] == pytest.approx((9.750, 10.364, 1.158), abs=5e-4)


@pytest.mark.parametrize('arguments, said', [
    (['--draught', '0.1'], '--mass is missing: or --boat'),
    (['--boat', 'blueboat_start', '--draught', '0.1'], '--mass is missing: the boat blueboat_start does not say it'),
    (['--boat', 'nobody', '--draught', '0.1'], "no boat named 'nobody'")])
def test_what_is_missing_is_named(arguments, said, capsys):
    assert main(['estimate-mass', *arguments]) == 2
    assert said in capsys.readouterr().err
