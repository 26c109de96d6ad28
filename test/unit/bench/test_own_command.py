import importlib.util
import json
import sys

import pytest
from places import ROOT

from usv_energy.files.errors import InputError


@pytest.fixture
def command(monkeypatch):
    monkeypatch.setattr(sys, 'argv', ['bench/wave_errors.py'])
    monkeypatch.setattr(sys, 'path', [*sys.path])
    spec = importlib.util.spec_from_file_location('bench_own_command', ROOT / 'bench' / 'own_command.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def raising(error):
    def main():
        raise error
    return main


def test_figures_are_written_when_all_are_measured(command, tmp_path):
    rows = []
    with command.kept({'seed': 3, 'rows': rows}, str(tmp_path / 'a.json')) as out:
        assert out is sys.stdout
        rows.append({'error_relative': float('nan')})
    assert json.loads((tmp_path / 'a.json').read_text()) == {'seed': 3, 'rows': [{'error_relative': None}]}


def test_ctrl_c_keeps_the_figures_until_then_and_says_so(command, tmp_path, capsys):
    rows = []

    def main():
        with command.kept({'rows': rows}, str(tmp_path / 'a.json')):
            rows.append(1)
            raise KeyboardInterrupt
    assert command.ended_by(main) == 130
    assert json.loads((tmp_path / 'a.json').read_text()) == {'rows': [1], 'interrupted': True}
    assert capsys.readouterr().err == 'wave_errors: interrupted; the figures are those until then\n'


def test_an_error_writes_no_figures(command, tmp_path, capsys):
    def main():
        with command.kept({}, str(tmp_path / 'a.json')):
            raise InputError('my_boat.yaml: mass: must be above 0')
    assert command.ended_by(main) == 2
    assert not (tmp_path / 'a.json').exists()
    assert capsys.readouterr().err == 'wave_errors: error: my_boat.yaml: mass: must be above 0\n'


def test_figures_on_stdout_send_the_table_to_stderr(command, capsys):
    with command.kept({'count': 1}, '-') as out:
        print('a table', file=out)
    told = capsys.readouterr()
    assert json.loads(told.out) == {'count': 1}
    assert told.err == 'a table\n'


def test_a_file_that_cannot_be_written_is_named_before_anything_is_measured(command, tmp_path):
    measured = []
    with pytest.raises(InputError, match='is a folder'), command.kept({}, str(tmp_path)):
        measured.append(1)
    assert not measured


@pytest.mark.parametrize('text', ['0', '-3', 'few', '1.5'])
def test_too_small_a_number_is_an_error_of_one_line(command, capsys, text):
    parser = command.figures_parser('What a cruise tells.\n\nAt length.')
    parser.add_argument('--cruises', type=command.at_least(1))
    assert parser.parse_args(['--cruises', '1']).cruises == 1
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(['--cruises', text])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.count('\n') == 1
    assert f'{text}: must be a whole number, 1 or more' in told
    assert 'At length' not in parser.format_help()


def test_its_own_status_is_what_main_returns(command):
    assert command.ended_by(lambda: 1) == 1
    with pytest.raises(ZeroDivisionError):
        command.ended_by(raising(ZeroDivisionError()))
