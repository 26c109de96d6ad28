"""The form of an electrical map is found by what was left out of its fit; one half of a real log predicts the other."""

from typing import NamedTuple

import numpy as np
import pytest
from places import DATA
from power_twin import DELAY, HOTEL, LAG, NOISE, thruster_power, twin

from usv_energy.logs.read_log import read_log
from usv_energy.studies.identify.electrical import electrical_fit
from usv_energy.studies.identify.electrical.electrical_fit import both_halves, chosen_form, identified_map, map_score
from usv_energy.studies.identify.electrical.power_map import STEADY, MapForm, data_of

REAL = DATA / 'blueboat' / 'electrical.csv'


@pytest.mark.parametrize('held', [1, 6])
def test_a_twin_gives_its_map_hotel_load_delay_and_lag_back(rng, held):
    data = data_of(twin(rng, held=held))
    assert len(data.fresh) == pytest.approx(3000 / held, abs=2)
    power_map = identified_map([data])
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
    timing = [max(chosen_form([one], 300.0)[2:4]) for one in (data, naive)]
    assert timing[0] == LAG and timing[1] > LAG


def test_ahead_and_astern_are_told_apart_where_they_differ(rng):
    power_map = identified_map([data_of(twin(rng, astern=1.4))])
    assert power_map.form.form == 'two-sided'
    ahead, astern = power_map.steady_power(np.array([250.0, -250.0]), 2)
    assert astern / ahead == pytest.approx(1.4, abs=0.03)


def test_a_hotel_load_that_moves_is_followed(rng):
    power_map = identified_map([data_of(twin(rng, drift=12.0))])
    assert power_map.form.hotel != STEADY
    assert power_map.hotel_power[[0, -1]] == pytest.approx([HOTEL, HOTEL + 12.0], abs=1.5)
    assert power_map.hotel_load == pytest.approx(HOTEL + 6.0, abs=0.5)


@pytest.mark.skipif(not REAL.is_file(), reason=f'no real log: {REAL} (USV_ENERGY_DATA)')
def test_each_half_of_a_real_log_tells_the_power_of_the_other():
    for _, judged in both_halves(read_log(REAL, 'blueboat_electrical')):
        assert judged.r2 >= 0.88
        assert abs(judged.energy) <= 0.08


class Part(NamedTuple):
    """Measurements of one log, as a fit's folds take them."""

    fresh: np.ndarray
    power: np.ndarray


def test_the_error_of_what_is_left_out_is_that_of_a_power_and_that_of_an_energy(monkeypatch):
    """A map that says the mean of what it was fitted to: of each log's four stretches three, of all logs."""
    parts = [Part(np.arange(8), np.array([1.0, 2.0, 4.0, 3.0, 9.0, 8.0, 5.0, 1.0])),
             Part(np.arange(1, 10), 2.0 * np.arange(10.0) ** 1.5)]
    monkeypatch.setattr(electrical_fit, 'fitted_map', lambda folds, form, span: np.mean(
        np.concatenate([fold.power[fold.fresh] for fold in folds])))
    monkeypatch.setattr(electrical_fit, 'predicted_power', lambda mean, part: np.full(len(part.fresh), mean))
    pieces = [[part.power[rows] for rows in np.array_split(part.fresh, 4)] for part in parts]
    errors, energies = [], []
    for left in range(4):
        mean = np.concatenate([piece for own in pieces for number, piece in enumerate(own) if number != left]).mean()
        errors += [mean - own[left] for own in pieces]
        energies += [mean - own[left].mean() for own in pieces]
    power = np.concatenate([part.power[part.fresh] for part in parts])
    wanted = np.sqrt(np.mean(np.concatenate(errors) ** 2)) / np.std(power) \
        + np.sqrt(np.mean(np.square(energies))) / power.mean()
    assert electrical_fit._left_out_error(parts, MapForm(), 1.0) == pytest.approx(wanted)
    flat = [Part(np.arange(8), np.zeros(8))]
    assert electrical_fit._left_out_error(flat, MapForm(), 1.0) == 0.0


@pytest.mark.parametrize('logs', [1, 2])
def test_delay_and_lag_come_first_and_of_forms_as_good_as_the_best_the_one_of_fewest_numbers(monkeypatch, logs):
    """Within 2 %; a hotel load that goes on in time is for one log. Delays and lags rise from none."""
    asked, errors = [], {}

    def error(parts, form, span):
        asked.append(form)
        return errors.get(form, 1.0 if form.delay == 0.15 and form.lag == 0.5 else 1.5)

    monkeypatch.setattr(electrical_fit, '_left_out_error', error)
    base = MapForm(delay=0.15, lag=0.5)
    assert electrical_fit.chosen_form([None] * logs, 1.0) == min(
        (form for form in asked if (form.delay, form.lag) == (0.15, 0.5)), key=lambda form: form.choices)
    for name, least in (('delay', 7), ('lag', 8)):
        values = list(dict.fromkeys(getattr(form, name) for form in asked))
        assert len(values) == least and values == sorted(values) and values[0] == 0.0
    assert {form.hotel for form in asked} == set(electrical_fit.HOTELS if logs == 1 else electrical_fit.HOTELS[:1])
    others = [form for form in dict.fromkeys(asked) if (form.delay, form.lag) == (0.15, 0.5)]
    dear = max(others, key=lambda form: form.choices)
    for better, taken in ((0.979, dear), (0.981, electrical_fit.chosen_form([None] * logs, 1.0))):
        errors.clear()
        errors[dear] = better
        assert electrical_fit.chosen_form([None] * logs, 1.0) == taken
    assert base in others
