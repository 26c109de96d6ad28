import numpy as np
import pytest
from made_cell import CELL, DISCHARGES, write_tables

from usv_energy.files.errors import InputError
from usv_energy.identify.cells.cell_recordings import CellColumns, read_recordings

COLUMNS = CellColumns()


@pytest.mark.parametrize(('sign', 'series'), [(-1.0, 1.0), (1.0, 1.0), (-1.0, 4.0)])
def test_discharging_is_positive_whatever_the_sign_of_the_meter(tmp_path, sign, series):
    found = read_recordings(write_tables(tmp_path, sign, series), COLUMNS, series)
    assert [float(np.median(run.current)) for run in found.discharges] == [current for current, _ in DISCHARGES]
    assert [run.temperature[0] for run in found.discharges] == pytest.approx([kelvin for _, kelvin in DISCHARGES])
    assert [run.charge for run in found.pulses] == [0.2, 0.5, 0.8] and found.at_rest.shape == (51, 2)
    assert found.discharges[0].rest_voltage == pytest.approx(CELL.open_circuit[-1])
    for run in found.discharges:  # The charging behind them is left out.
        assert run.voltage[-1] == pytest.approx(2.5, abs=1e-3) and np.all(run.current > 0.0)


def test_the_charge_drawn_is_kept_when_samples_are_thinned(tmp_path):
    rows = ['time_s,current_a,voltage_v', '0,0,4.1']
    rows += [f'{t},{2.0 if t % 2 else 1.0},{4.0 - 1e-4 * t}' for t in range(1, 3001)]
    (tmp_path / 'long.csv').write_text('\n'.join(rows))
    run = read_recordings([tmp_path / 'long.csv'], COLUMNS).discharges[0]
    assert len(run.time) < 300 and run.time[-1] == 2999.0 and run.temperature[0] == 298.15


def test_other_names_of_columns(tmp_path):
    rows = ['t,i,u', '0,0,4.1', *(f'{t},-2,{3.9 - 1e-3 * t}' for t in range(1, 30))]
    (tmp_path / 'mine.csv').write_text('\n'.join(rows))
    found = read_recordings([tmp_path / 'mine.csv'], COLUMNS._replace(time='t', current='i', voltage='u'))
    assert found.discharges[0].drawn[-1] == pytest.approx(2.0 * 28.0)


@pytest.mark.parametrize(('text', 'words'), [
    ('time_s,current_a\n0,1\n', 'voltage_v'),
    ('soc_percent,ocv_v\n0,3.0\n50,2.9\n100,4.1\n', 'must rise'),
    ('time_s,current_a,voltage_v\n0,1,4\n1,1,3.9\n', 'no current sets in'),
    ('time_s,current_a,voltage_v\n0,0,4\n1,1,3.9\n2,0,4\n', 'no discharge and no pulse')])
def test_what_cannot_be_used_is_named(tmp_path, text, words):
    (tmp_path / 'bad.csv').write_text(text)
    with pytest.raises(InputError, match=words):
        read_recordings([tmp_path / 'bad.csv'], COLUMNS)
