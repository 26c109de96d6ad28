"""The electrical map: a twin of known power gives it back, and one half of a real log tells the power of the other."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from places import DATA

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli import main
from usv_energy.files.errors import InputError
from usv_energy.identify.electrical.map_choice import both_halves, chosen_form, identified_map, map_score
from usv_energy.identify.electrical.power_map import DRIFTING, STEADY, MapForm, data_of, fitted_map, lagged, sagging
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import read_log

REAL = DATA / 'blueboat' / 'electrical.csv'
HOTEL, DELAY, LAG, NOISE = 15.0, 0.1, 0.2, 2.0
STEP = 0.1


def thruster_power(drive):
    """20 W of friction and 150 W of propeller at a drive of 300 us."""
    return 20.0 * np.abs(drive) / 300.0 + 150.0 * (drive / 300.0)**2


def twin(rng, seconds=300, held=1, sag=0.0, drift=0.0, astern=1.0):
    """A log whose power is known: steps of the commands every 4 s, delay, lag, and a monitor that repeats itself."""
    time = np.arange(0.0, seconds, STEP)
    levels = rng.uniform(-300.0, 300.0, (2, seconds // 4 + 1))
    command = levels[:, (time // 4.0).astype(int)].T
    rotor = lagged(time, np.column_stack([np.interp(time - DELAY, time, one) for one in command.T]), LAG)
    power = (thruster_power(rotor) * np.where(rotor < 0.0, astern, 1.0)).sum(axis=1)
    power = sagging(power, HOTEL + drift * time / seconds, sag)
    amperes = power / (16.0 * (1.0 - sag * power))
    volts = 16.0 * (1.0 - sag * power)
    power = power + NOISE * rng.normal(size=len(time))
    rows = np.arange(len(time)) // held * held
    return Log('twin', Path('twin.csv'), time, command=1500.0 + command, neutral=(1500.0, 1500.0),
               thrusters=('left', 'right'), electrical_power=power[rows],
               volts=volts[rows], amperes=amperes[rows] + 1e-6 * np.arange(len(time))[rows])


@pytest.mark.parametrize('held', [1, 6])
def test_a_twin_gives_its_map_hotel_load_delay_and_lag_back(rng, held):
    data = data_of(twin(rng, held=held))
    assert len(data.fresh) == pytest.approx(3000 / held, abs=2)
    power_map, _ = identified_map([data])
    assert (power_map.form.delay, power_map.form.lag) == (DELAY, LAG)
    assert power_map.form.hotel == STEADY and power_map.hotel_load == pytest.approx(HOTEL, abs=0.5)
    drive = np.array([-300.0, -100.0, 150.0, 300.0])
    np.testing.assert_allclose(power_map.steady_power(drive, 2), thruster_power(drive), rtol=0.02, atol=0.5)
    judged = map_score(power_map, [data_of(twin(rng))], False)
    assert judged.rmse == pytest.approx(NOISE, rel=0.1) and abs(judged.energy) < 0.005


def test_a_monitor_that_repeats_itself_is_not_taken_for_a_lag(rng):
    """With the repeated rows left in, the same log would seem slower than it is."""
    log = twin(rng, held=6)
    data = data_of(log)
    naive = data._replace(fresh=np.arange(10, len(log)))
    timing = [max(chosen_form([one], 300.0)[0][2:4]) for one in (data, naive)]
    assert timing[0] == LAG and timing[1] > LAG


def test_ahead_and_astern_are_told_apart_where_they_differ(rng):
    power_map, _ = identified_map([data_of(twin(rng, astern=1.4))])
    assert power_map.form.form == 'two-sided'
    ahead, astern = power_map.steady_power(np.array([250.0, -250.0]), 2)
    assert astern / ahead == pytest.approx(1.4, abs=0.03)


def test_a_hotel_load_that_moves_is_followed(rng):
    power_map, _ = identified_map([data_of(twin(rng, drift=12.0))])
    assert power_map.form.hotel != STEADY
    assert power_map.hotel_power[[0, -1]] == pytest.approx([HOTEL, HOTEL + 12.0], abs=1.5)
    assert power_map.hotel_load == pytest.approx(HOTEL + 6.0, abs=0.5)


def test_the_battery_s_sag_is_read_off_its_volts(rng):
    data = data_of(twin(rng, sag=2e-4))
    assert data.sag == pytest.approx(2e-4, rel=0.1)
    power_map, _ = identified_map([data])
    assert power_map.weights.sum() == pytest.approx(170.0, rel=0.05)  # at full voltage


def test_sagging_power_solves_its_equation():
    power = sagging(np.array([0.0, 100.0, 400.0]), 20.0, 2e-4)
    np.testing.assert_allclose(power, 20.0 + np.array([0.0, 100.0, 400.0]) * (1.0 - 2e-4 * power)**3, rtol=1e-9)


@pytest.mark.parametrize('even', [True, False])
def test_the_lag_is_the_exact_answer_to_a_step(even):
    time = np.linspace(0.0, 2.0, 41) if even else np.linspace(0.0, 2.0**0.5, 41)**2
    found = lagged(time, np.where(time >= 0.0, 1.0, 0.0)[:, None] * np.arange(41).astype(bool)[:, None], 0.3)[:, 0]
    np.testing.assert_allclose(found[2:], 1.0 - np.exp(-(time[2:] - time[1]) / 0.3), atol=1e-12)


def test_the_map_rises_on_both_sides_of_neutral_whatever_the_noise(rng):
    log = twin(rng, seconds=60)
    data = data_of(log)._replace(power=rng.uniform(0.0, 300.0, len(log)))
    power_map = fitted_map([data], MapForm('each', 0.0, 0.0, 0.0, DRIFTING), 300.0)
    drive = np.linspace(0.0, 300.0, 50)
    for sign in (1.0, -1.0):
        assert (np.diff(power_map.steady_power(sign * drive, 2)) >= -1e-9).all()
    assert (power_map.hotel_power >= 0.0).all()


def test_what_cannot_be_fitted_is_refused(rng):
    log = twin(rng, seconds=60)
    for change, says in (({'neutral': (np.nan, 1500.0)}, 'neutral command'),
                         ({'electrical_power': np.full(len(log), np.nan)}, 'has no electrical_power'),
                         ({'amperes': np.full(len(log), 2.0)}, 'changes 0 times only'),
                         ({'command': np.full((len(log), 2), 1600.0)}, 'do not change')):
        with pytest.raises(InputError, match=says):
            data_of(replace(log, **change))


@pytest.mark.skipif(not REAL.is_file(), reason=f'no real log: {REAL} (USV_ENERGY_DATA)')
def test_each_half_of_a_real_log_tells_the_power_of_the_other():
    for _, judged in both_halves(read_log(REAL, 'blueboat_electrical')):
        assert judged.r2 >= 0.88
        assert abs(judged.energy) <= 0.08


def write_table(log, path):
    names = ('t', 'left', 'right', 'volts', 'amperes')
    columns = (log.time, *log.command.T, log.volts, log.electrical_power / log.volts)
    path.write_text('\n'.join([','.join(names), *(','.join(map(repr, map(float, row))) for row in zip(*columns))]))
    path.with_suffix('.yaml').write_text(
        'columns: {time: {column: t, unit: s}, volts: {column: volts, unit: V}, amperes: {column: amperes, unit: A}}\n'
        'thrusters: [{name: left, command: {column: left, unit: us}, neutral: 1500},'
        ' {name: right, command: {column: right, unit: us}, neutral: 1500}]\n')


def test_the_command_writes_a_boat_that_runs(tmp_path, rng, capsys):
    for name in ('one', 'other'):
        write_table(twin(rng, seconds=120), tmp_path / f'{name}.csv')
    boat_file = tmp_path / 'mine.yaml'
    assert main(['identify-electrical', str(tmp_path / 'one.csv'), '--columns', str(tmp_path / 'one.yaml'),
                 '--validate', str(tmp_path / 'other.csv'), '--full-command', '300', '--out', str(boat_file),
                 '--report', str(tmp_path / 'report'), '--json', '-']) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary['validation'][0]['r2'] > 0.99 and abs(summary['validation'][0]['energy_relative']) < 0.02
    boat = read_boat(str(boat_file))
    assert boat.vessel.static_load == pytest.approx(HOTEL, abs=1.0)
    losses = boat.vessel.losses
    assert losses.mapped == 1.0 and losses.map_thrust[[0, -1]] == pytest.approx([-11.5, 11.5])
    assert np.interp(11.5, losses.map_thrust, losses.map_power) == pytest.approx(170.0, rel=0.03)
    half = np.interp(11.5 / 4.0, losses.map_thrust, losses.map_power)  # of the command, by its square law
    assert half == pytest.approx(47.5, rel=0.06)
    text = boat_file.read_text()
    assert 'thrust is assumed' in text and 'identification:' in text and 'one.csv' in text
    assert {path.name for path in (tmp_path / 'report').iterdir()} == {'electrical.png', 'electrical.txt'}
    assert main(['run', '1', '--boat', str(boat_file)]) == 0


def test_wrong_arguments_are_refused(tmp_path, rng, capsys):
    write_table(twin(rng, seconds=60), tmp_path / 'one.csv')
    log, columns = str(tmp_path / 'one.csv'), ['--columns', str(tmp_path / 'one.yaml')]
    for arguments, says in (([log, log, '--split', *columns], 'of one log'), ([log], 'needs a column map'),
                            ([log, '--columns', 'blueboat'], 'has no column'),
                            ([log, *columns, '--out', str(tmp_path / 'no' / 'a.yaml')], 'there is no folder')):
        assert main(['identify-electrical', *arguments]) == 2
        assert says in capsys.readouterr().err
