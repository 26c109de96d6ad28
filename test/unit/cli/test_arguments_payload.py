"""`--payload` in the commands that take a boat."""

import json
from pathlib import Path

import pytest

from usv_energy.cli.main import main


def figures(capsys, *arguments):
    assert main([*arguments, '--json', '-']) == 0
    return json.loads(capsys.readouterr().out)


def test_run_with_a_payload_and_the_analysis_of_it_afterwards(tmp_path, capsys):
    """Scenario 5 gets the boat to 1 m/s: 0.5 m u^2 more for 3 kg more, and analyze knows of them from the run."""
    bare = figures(capsys, 'run', '5', '--no-plots')[0]
    laden = figures(capsys, 'run', '5', '--no-plots', '--payload', '3', '--out', str(tmp_path))[0]
    assert laden['payload_kg'] == 3.0 and 'payload_kg' not in bare
    assert laden['energy_inertia_j'] - bare['energy_inertia_j'] == pytest.approx(0.5 * 3.0, rel=0.05)
    folder = str(tmp_path / '5_rep103')
    again = figures(capsys, 'analyze', folder)
    assert again['energy_j'] == pytest.approx(laden['energy_j'], rel=1e-6)
    assert figures(capsys, 'analyze', folder, '--payload', '0')['energy_j'] < again['energy_j'] - 1.0


def test_a_sweep_varies_the_payload(tmp_path):
    from usv_energy.engine.sweep.sweep_file import read_sweep
    path = tmp_path / 'laden.yaml'
    path.write_text('scenario: "5"\ngrid: {boat.hull.payload: [0.0, 3.0]}\nset: {boat.hull.payload_x: -0.5}\n')
    cases = read_sweep(str(path)).cases(0, 2)
    assert cases.scenario_of(1).boat.vessel.inertia == pytest.approx((12.75, 13.364, 1.158 + 0.75, -1.5))


def test_steady_motion_does_not_depend_on_it_and_says_so(capsys):
    bare = figures(capsys, 'range', '--no-band')
    assert main(['range', '--no-band', '--payload', '3', '--json', '-']) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == bare
    assert '--payload changes no figure here' in shown.err


def test_gazebo_gets_the_mass_and_the_command_is_noted(capsys):
    def model(*arguments):
        assert main(['gazebo', 'model', '--boat', 'lutra_prop', *arguments]) == 0
        text = capsys.readouterr().out
        return sum(float(part.partition('<')[0]) for part in text.split('<mass>')[1:]), text
    (bare, _), (laden, text) = model(), model('--payload', '3')
    assert laden - bare == pytest.approx(3.0, abs=1e-6)
    assert 'payload 3, name diffboat' in text


@pytest.mark.parametrize('verb', [['run', '5'], ['range'], ['map', 'best'], ['analyze', 'x']])
def test_a_payload_below_zero_is_refused(verb, capsys):
    with pytest.raises(SystemExit) as caught:
        main([*verb, '--payload', '-1'])
    assert caught.value.code == 2 and "'-1' is not at least 0" in capsys.readouterr().err
    assert not list(Path.cwd().glob('*.nc'))
