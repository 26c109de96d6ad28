"""`usv-energy identify battery` as a user meets it."""

import json

import pytest
from made_cell import write_tables  # beside the tests of what the command calls
from needs import WITHIN_A_MINUTE

from usv_energy.boats.cell_file import read_cell
from usv_energy.cli.main import main


@WITHIN_A_MINUTE
def test_tables_give_numbers_with_intervals_a_cell_and_a_picture(tmp_path, capsys):
    paths = [str(path) for path in write_tables(tmp_path, series=4.0)]
    out, png = tmp_path / 'mine.yaml', tmp_path / 'mine.png'
    assert main(['identify', 'battery', *paths, '--series', '4', '--out', str(out), '--out', str(png), '--json',
                 '-']) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    capacity = found['numbers']['capacity_ah']
    assert capacity['value'] == pytest.approx(2.0, rel=0.02)
    assert capacity['interval'][0] < capacity['value'] < capacity['interval'][1]
    assert [row['charge'] for row in found['over_charge']][-1] == 1.0 and found['left_out'] == []
    assert len(found['seen']) == 4 and abs(found['seen'][0]['energy_percent']) < 1.0
    assert read_cell(str(out)).known('capacity_ah') == pytest.approx(capacity['value'], rel=1e-4)
    assert png.stat().st_size > 20_000 and 'chemistry: mine.yaml' in told.err
    assert main(['identify', 'battery', *paths, '--series', '4']) == 0
    assert 'capacity, Ah' in (text := capsys.readouterr().out) and 'runtime, %' in text


def test_wrong_tables_end_with_status_2(tmp_path, capsys):
    (tmp_path / 'bad.csv').write_text('time_s,current_a\n0,1\n')
    assert main(['identify', 'battery', str(tmp_path / 'bad.csv')]) == 2
    assert 'voltage_v' in capsys.readouterr().err
    assert main(['identify', 'battery', str(tmp_path / 'bad.csv'), '--chemistry', 'nimh']) == 2
    assert 'nmc' in capsys.readouterr().err
    rows = [f'7,{-2.0 if n > 4 else 0.0},{4.15 if n < 5 else 4.098 - 0.012 * n:.4f}' for n in range(100)]
    (tmp_path / 'bad.csv').write_text('\n'.join(['time_s,current_a,voltage_v', *rows]))
    assert main(['identify', 'battery', str(tmp_path / 'bad.csv')]) == 2
    assert 'bad: the discharge draws no charge' in capsys.readouterr().err


def test_a_damaged_voltage_is_left_out_by_name_and_resistances_stay_unknown(tmp_path, capsys, recwarn):
    rows = [f'{60 * n},{-2.0 if n > 4 else 0.0},{1e300 if n == 4 else 4.15 if n < 4 else 4.098 - 0.012 * n:.4f}'
            for n in range(100)]
    (tmp_path / 'a.csv').write_text('\n'.join(['time_s,current_a,voltage_v', *rows]))
    assert main(['identify', 'battery', str(tmp_path / 'a.csv')]) == 0
    told = capsys.readouterr()
    assert 'the data do not say' in told.out.split('R0, mOhm')[1]
    assert '1 sample left out, whose voltage_v no battery has: 1e+300 V' in ' '.join(told.out.split())
    assert not recwarn and 'Warning' not in told.err
