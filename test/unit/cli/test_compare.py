"""`usv-energy compare`: differences by cause, from logs and from summaries."""

import json

import pytest
from analyze_files import run_of

from usv_energy.cli.main import main
from usv_energy.studies.runs.run_folder import write_run


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp('runs')
    for name in ('6', '7'):
        write_run(run_of(name), folder / f'{name}_rep103', False, 'usv-energy')
    return [str(folder / f'{name}_rep103') for name in ('6', '7')]


def test_two_runs_are_compared_by_their_logs_and_by_their_summaries(capsys, runs, tmp_path):
    energies = [run_of(name).energy for name in ('6', '7')]
    assert main(['compare', *runs, '--json', '-', '--out', str(tmp_path / 'x.png')]) == 0
    by_logs = json.loads(capsys.readouterr().out)
    assert [run['name'] for run in by_logs['runs']] == ['6_rep103', '7_rep103']
    change, = by_logs['changes']
    assert change['change_j'] == pytest.approx(energies[1].total - energies[0].total, rel=1e-9)
    assert change['change_damping_j'] == pytest.approx(energies[1].damping - energies[0].damping, rel=1e-9)
    assert (tmp_path / 'x.png').read_bytes().startswith(b'\x89PNG')
    summaries = [f'{run}/summary.json' for run in runs]
    assert main(['compare', *summaries, '--json', '-']) == 0
    change_read, = json.loads(capsys.readouterr().out)['changes']
    for key, value in change.items():
        if isinstance(value, float):
            assert change_read[key] == pytest.approx(value, rel=1e-6, abs=1e-9), key


def test_runs_of_one_name_are_told_apart(capsys, runs):
    assert main(['compare', runs[0], runs[0], '--json', '-']) == 0
    told = json.loads(capsys.readouterr().out)
    assert told['changes'][0]['change_j'] == 0.0
    assert all('6_rep103' in run['name'] and '/' in run['name'] for run in told['runs'])


@pytest.mark.parametrize(('content', 'said'), [
    ('[]', 'holds no figures of one run'), ('{}', 'lacks energy_j'), ('{', 'is wrong JSON')])
def test_a_summary_that_is_none_is_refused(capsys, runs, tmp_path, content, said):
    (tmp_path / 'x.json').write_text(content)
    assert main(['compare', runs[0], str(tmp_path / 'x.json')]) == 2
    assert said in capsys.readouterr().err


def test_wrong_input_is_refused(capsys, runs):
    for arguments, said in (([runs[0]], 'needs two or more'), ([runs[0], 'nowhere'], 'there is no such file'),
                            ([*runs, '--json', 'nowhere/x'], 'there is no folder')):
        assert main(['compare', *arguments]) == 2
        assert said in capsys.readouterr().err
