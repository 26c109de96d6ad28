from pathlib import Path

import numpy as np
import pytest
from made_cell import CELL, DISCHARGES, write_tables

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.cells.cell_recordings import (
    LEAST,
    LONGEST_REST,
    REST,
    SHOWN,
    CellColumns,
    CellRun,
    _discharges,
    _flows,
    _from_rest,
    _pulses,
    _sign,
    _thinned,
    read_recordings,
)

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


def test_rows_with_gaps_are_left_out_and_what_no_meter_reads_is_refused(tmp_path):
    path = tmp_path / 'a.csv'

    def discharge(**changed):
        rows = [f'{60 * n},{-2.0 if n else 0.0},{changed.get(f"at_{n}", 4.0 - 0.01 * n)},{"" if n % 2 else 20}'
                for n in range(40)]
        path.write_text('\n'.join(['time_s,current_a,voltage_v,temperature_degC', *rows, *changed.get('more', [])]))
        found = read_recordings([path], COLUMNS)
        return len(found.discharges[0].time), [note.partition('left out, ')[2] for note in found.notes]

    assert discharge() == (39, [])
    assert discharge(at_7='', at_8='nan') == (37, ['whose voltage_v no battery has: missing'])
    assert discharge(at_5=0, at_7=-1e308, at_8=1e300, at_9=8.4) == (
        35, ['whose voltage_v no battery has: -1e+308 V, 0 V, 8.4 V'])
    with pytest.raises(InputError, match=r'a\.csv: current_a is -1e\+308; must be at most 1e\+09 in magnitude'):
        discharge(more=['2400,-1e308,3.6,20'])
    with pytest.raises(InputError, match='time_s goes back from 2340 to 1 s; must rise'):
        discharge(more=['1,-2,3,20'])


def test_other_names_of_columns(tmp_path):
    rows = ['t,i,u', '0,0,4.1', *(f'{t},-2,{3.9 - 1e-3 * t}' for t in range(1, 30))]
    (tmp_path / 'mine.csv').write_text('\n'.join(rows))
    found = read_recordings([tmp_path / 'mine.csv'], COLUMNS._replace(time='t', current='i', voltage='u'))
    assert found.discharges[0].drawn[-1] == pytest.approx(2.0 * 28.0)


@pytest.mark.parametrize(('text', 'words'), [
    ('time_s,current_a\n0,1\n', 'voltage_v'),
    ('soc_percent,ocv_v\n0,3.0\n50,2.9\n100,4.1\n', 'must rise'),
    ('time_s,current_a,voltage_v\n0,1,4\n1,1,4\n', 'no current sets in'),
    ('time_s,current_a,voltage_v\n0,0,4\n1,1,3.9\n2,0,4\n', 'no discharge and no pulse')])
def test_what_cannot_be_used_is_named(tmp_path, text, words):
    (tmp_path / 'bad.csv').write_text(text)
    with pytest.raises(InputError, match=words):
        read_recordings([tmp_path / 'bad.csv'], COLUMNS)


def rows_of(*parts, warm=300.0):
    """Return time s, current A, voltage V, temperature K of parts: number of samples, their step s, their current A."""
    time = np.cumsum(np.concatenate([np.full(number, step) for number, step, _ in parts]))
    current = np.concatenate([np.full(number, amperes) for number, _, amperes in parts])
    return time, current, 4.0 - 0.001 * np.arange(time.size), np.full(time.size, warm)


def test_a_discharge_ends_with_charging_or_a_rest_of_more_than_ten_minutes():
    """A rest of just 600 s is within it; so is charging with a fiftieth of the largest current."""
    rows = rows_of((5, 1.0, 0.0), (12, 1.0, 2.0), (1, LONGEST_REST, 0.0), (12, 1.0, 2.0), (1, 1.0, -2.0 * REST),
                   (3, 1.0, 1.0), (1, LONGEST_REST + 0.5, 0.0), (10, 1.0, 1.5), (4, 1.0, -1.0), (9, 1.0, 2.0))
    first, second = _discharges('x', rows)
    assert (first.name, second.name) == ('x', 'x (2)')
    assert (first.time[0], first.time[-1], first.time.size) == (0.0, 11.0 + 600.0 + 12.0 + 4.0, 29)
    assert first.current[[0, 12, -1]].tolist() == [2.0, 0.0, 1.0] and first.rest_voltage == pytest.approx(3.996)
    assert second.current.tolist() == [1.5] * 10 and second.time.tolist() == list(range(10))
    assert second.rest_voltage == pytest.approx(first.voltage[-1] - 0.001) and second.temperature[0] == 300.0
    assert not second.is_pulse and second.drawn[-1] == pytest.approx(13.5)
    at_once, = _discharges('y', rows_of((LEAST, 1.0, 1.0)))
    assert np.isnan(at_once.rest_voltage) and _discharges('y', rows_of((LEAST - 1, 1.0, 1.0))) == []


def test_a_current_flows_that_is_more_than_a_fiftieth_of_the_largest():
    assert _flows(np.array([0.0, 0.1, 0.1000001, 5.0, -5.0])).tolist() == [False, False, True, True, False]


def test_a_pulse_begins_where_time_goes_back_or_the_charge_is_another():
    one = rows_of((3, 1.0, 0.0), (9, 1.0, 2.0))
    rows = tuple(np.concatenate([part, part, part[:9], part]) for part in one)
    charge = np.repeat([0.5, 0.5, 0.25, 0.25], [12, 12, 9, 12])
    found = _pulses('p', rows, charge)
    assert [run.name for run in found] == ['p 50 % (1)', 'p 50 % (2)', 'p 25 % (4)'], 'nine samples are too few'
    assert [run.charge for run in found] == [0.5, 0.5, 0.25] and all(run.is_pulse for run in found)
    for run in found:
        assert run.time[0] == 0.0 and run.current[0] == 2.0 and run.rest_voltage == 4.0
    still = rows_of((12, 1.0, 0.0))
    assert _pulses('p', still, np.full(12, 0.5)) == []


def pulse(voltage, current):
    number = len(voltage)
    return CellRun('p', np.arange(float(number)), np.array(current, dtype=float), np.array(voltage, dtype=float),
                   np.full(number, 300.0), 4.0, 0.5)


def test_a_reading_without_current_whose_voltage_has_fallen_is_of_the_pulse():
    """By more than half of the drop at the next one; and not the very first, which is the rest."""
    late = _from_rest(pulse([4.0, 4.0, 3.84, 3.7, 3.69], [0.0, 0.0, 0.0, 3.0, 3.0]))
    assert late.current.tolist() == [3.0, 3.0, 3.0] and late.time.tolist() == [0.0, 1.0, 2.0]
    assert late.voltage.tolist() == [3.84, 3.7, 3.69]
    for voltage in ([4.0, 4.0, 3.86, 3.7, 3.69], [4.0, 4.0, 4.0, 3.7, 3.69]):
        prompt = _from_rest(pulse(voltage, [0.0, 0.0, 0.0, 3.0, 3.0]))
        assert prompt.current.tolist() == [3.0, 3.0] and prompt.time.tolist() == [0.0, 1.0]
    first = _from_rest(pulse([3.8, 3.7, 3.69], [0.0, 3.0, 3.0]))
    assert first.time.tolist() == [0.0, 1.0]


def test_a_long_pulse_keeps_its_first_eight_samples_and_sixty_in_all():
    long = _from_rest(pulse(4.0 - 1e-4 * np.arange(1201), [0.0, *[2.0] * 1200]))
    assert long.time[:8].tolist() == list(range(8)) and long.time[-1] == 1199.0
    assert 60 <= long.time.size <= 68 and np.diff(long.time[9:]).max() < 1199.0 / 59.0 + 1.0


def test_a_discharge_keeps_200_samples_at_equal_steps_of_charge():
    time = np.arange(1000.0)
    run = CellRun('d', time, np.where(time < 500.0, 1.0, 9.0), 4.0 - 1e-3 * time, 300.0 + 0.01 * time, 4.0)
    few = _thinned(run)
    assert few.time[0] == 0.0 and few.time[-1] == 999.0 and 195 <= few.time.size <= SHOWN + 2
    assert np.diff(np.interp(few.time, run.time, run.drawn)).max() < 2.0 * run.drawn[-1] / SHOWN + 9.0
    np.testing.assert_array_equal(few.voltage, np.interp(few.time, time, run.voltage))
    np.testing.assert_array_equal(few.temperature, 300.0 + 0.01 * few.time)
    whole = run._replace(**{name: getattr(run, name)[:SHOWN] for name in ('time', 'current', 'voltage', 'temperature')})
    assert _thinned(whole) is whole


def test_tables_of_packs_are_taken_apart_into_cells(tmp_path):
    """Two strings of three cells; a temperature that nobody measured is that of the surroundings."""
    rows = ['time_s,current_a,voltage_v', '0,0,12.3', *(f'{t},4,{11.7 - 3e-3 * t}' for t in range(1, 30))]
    (tmp_path / 'pack.csv').write_text('\n'.join(rows))
    run, = read_recordings([tmp_path / 'pack.csv'], COLUMNS, 3.0, 2.0, 288.15).discharges
    assert set(run.current) == {2.0} and run.rest_voltage == pytest.approx(4.1)
    assert run.voltage[0] == pytest.approx(3.899) and run.temperature[0] == pytest.approx(288.15)
    (tmp_path / 'rest.csv').write_text('soc_percent,ocv_v\n100,12.6\n0,9.0\n50,11.1\n')
    table = read_recordings([tmp_path / 'rest.csv', tmp_path / 'pack.csv'], COLUMNS, 3.0).at_rest
    np.testing.assert_allclose(table, [[0.0, 3.0], [0.5, 3.7], [1.0, 4.2]])
    for text in ('1,9.0\n100,12.6\n', '0,9.0\n99,12.6\n', '0,9.0\n50,9.0\n100,12.6\n'):
        (tmp_path / 'rest.csv').write_text(f'soc_percent,ocv_v\n{text}')
        with pytest.raises(InputError, match='from 0 to 100'):
            read_recordings([tmp_path / 'rest.csv', tmp_path / 'pack.csv'], COLUMNS)


def test_the_sign_of_discharging_is_told_by_large_steps_of_the_current_by_their_size():
    """A current that ends while the voltage still falls by a millivolt says little; small changes say nothing."""
    current = np.array([0.0, 5.0, 5.0, 0.0, *([1.4, 0.0] * 9)])
    voltage = 4.0 - np.array([0.0, 0.3, 0.3, 0.301, *([-0.2, 0.3] * 9)])
    for sign in (1.0, -1.0):
        assert _sign(sign * current, voltage, Path('x.csv')) == sign
        assert _sign(sign * np.full(9, 5.0), np.linspace(4.1, 2.5, 9), Path('x.csv')) == sign   # All under load.
    current[4::2] = 1.6
    assert _sign(current, voltage, Path('x.csv')) == -1.0, 'by steps of more than three tenths of the largest current'


def test_what_is_drawn_is_the_trapezoids_of_the_current():
    time, current = np.array([0.0, 1.0, 3.0, 6.0]), np.array([1.0, 2.0, 4.0, 0.0])
    run = CellRun('one', time, current, 0.0 * time, 0.0 * time, 4.0)
    np.testing.assert_array_equal(run.drawn, [0.0, 1.5, 7.5, 13.5])
