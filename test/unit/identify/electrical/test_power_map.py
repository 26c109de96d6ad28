"""The electrical map: sag, lag and least squares."""

from dataclasses import replace

import numpy as np
import pytest
from power_twin import twin

from usv_energy.files.errors import InputError
from usv_energy.identify.electrical.electrical_fit import identified_map
from usv_energy.identify.electrical.power_map import (
    DRIFTING,
    LINEAR,
    MapForm,
    PowerMap,
    data_of,
    fitted_map,
    lagged,
    sagging,
)


def test_the_battery_s_sag_is_read_off_its_volts(rng):
    data = data_of(twin(rng, sag=2e-4))
    assert data.sag == pytest.approx(2e-4, rel=0.1)
    power_map = identified_map([data])
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


def test_a_linear_hotel_load_goes_on_and_a_drifting_one_is_held():
    """20 W at 100 s and 10 W at 200 s: 25 W at 50 s, none from 300 s on; and 15 W in the mean."""
    time = np.array([50.0, 100.0, 150.0, 250.0, 300.0, 400.0])
    knots = {'span': 1.0, 'weights': np.zeros(3), 'sag': 0.0, 'hotel_time': np.array([100.0, 200.0]),
             'hotel_power': np.array([20.0, 10.0])}
    linear, drifting = (PowerMap(MapForm(hotel=hotel), **knots) for hotel in (LINEAR, DRIFTING))
    np.testing.assert_allclose(linear.hotel_at(time), [25.0, 20.0, 15.0, 5.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(drifting.hotel_at(time), [20.0, 20.0, 15.0, 10.0, 10.0, 10.0])
    assert linear.hotel_load == 15.0


def test_choices_are_counted_by_form_dead_band_and_hotel_load():
    """Two for each step of form and hotel load, one for a dead band."""
    assert [MapForm(form).choices for form in ('mirrored', 'two-sided', 'each')] == [0, 2, 4]
    assert [MapForm('mirrored', hotel=hotel).choices for hotel in ('steady', LINEAR, DRIFTING)] == [0, 2, 4]
    assert MapForm('each', 0.1, 0.3, 0.4, DRIFTING).choices == 9 and MapForm('mirrored', 0.05).choices == 1
