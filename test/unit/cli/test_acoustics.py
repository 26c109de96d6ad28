"""`usv-energy acoustics` as a person runs it."""

import json

import pytest

from usv_energy.cli.main import main


def test_thetis_as_text_json_and_picture(tmp_path, capsys):
    assert main(['acoustics', '--out', str(tmp_path / 'a.png'), '--json', str(tmp_path / 'a.json')]) == 0
    text = capsys.readouterr().out
    assert 'taipan_300 hears taipan_2: 650 to 2382 s' in text and 'understood up to 1845 m' in text
    figures = json.loads((tmp_path / 'a.json').read_text())
    assert [one['receptions']['taipan_300']['outcome'] for one in figures['messages']] \
        == ['out of range', 'received', 'received']
    assert figures['messages'][1]['receptions']['taipan_300']['delay_s'] == pytest.approx(18.83, abs=0.01)
    assert figures['energy_j'] == pytest.approx(3 * 18.4 * 4.2)
    assert (tmp_path / 'a.png').read_bytes()[:4] == b'\x89PNG'


def test_more_wind_means_less_range(capsys):
    found = []
    for wind in ('0', '5 m/s', '10 m/s from NE'):
        assert main(['acoustics', '--noise', 'wenz', '--wind', wind, '--json', '-']) == 0
        found.append(json.loads(capsys.readouterr().out)['range_m']['taipan_2'])
    assert found[0] > found[1] > found[2]


@pytest.mark.parametrize(('arguments', 'words'), [
    (['nowhere'], 'nowhere'), (['--wind', '-1'], 'at least 0'),
    (['--wind', '6 m/s 45'], 'say `from 045` or `to 045`'), (['--noise', 'loud'], 'thetis_printed')])
def test_faults(capsys, arguments, words):
    with pytest.raises(SystemExit) if arguments[0].startswith('--') else pytest.MonkeyPatch.context():
        assert main(['acoustics', *arguments]) == 2
    assert words in capsys.readouterr().err
