"""The electrical map: sag, lag and least squares."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from power_twin import twin

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.studies.identify.electrical.electrical_fit import identified_map
from usv_energy.studies.identify.electrical.power_map import (
    DRIFTING,
    LINEAR,
    MapForm,
    PowerData,
    PowerMap,
    _terms,
    data_of,
    fitted_map,
    held_over,
    lagged,
    predicted_power,
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
    knots |= {'hotel_time': np.array([100.0, 200.0, 500.0]), 'hotel_power': np.array([20.0, 10.0, 4.0])}
    assert PowerMap(MapForm(hotel=DRIFTING), **knots).hotel_load == pytest.approx((15.0 + 3.0 * 7.0) / 4.0)
    knots |= {'hotel_time': np.array([100.0]), 'hotel_power': np.array([20.0])}
    assert PowerMap(MapForm(), **knots).hotel_load == 20.0


def test_choices_are_counted_by_form_dead_band_and_hotel_load():
    """Two for each step of form and hotel load, one for a dead band."""
    assert [MapForm(form).choices for form in ('mirrored', 'two-sided', 'each')] == [0, 2, 4]
    assert [MapForm('mirrored', hotel=hotel).choices for hotel in ('steady', LINEAR, DRIFTING)] == [0, 2, 4]
    assert MapForm('each', 0.1, 0.3, 0.4, DRIFTING).choices == 9 and MapForm('mirrored', 0.05).choices == 1


def test_unknown_commands_are_held_from_the_last_known_or_the_first():
    nan = np.nan
    found = held_over(np.array([[nan, 1.0], [2.0, nan], [nan, nan], [5.0, 3.0]]))
    assert found.tolist() == [[2.0, 1.0], [2.0, 1.0], [2.0, 1.0], [5.0, 3.0]]


def test_terms_are_powers_of_the_drive_beyond_the_dead_band_by_side_and_thruster():
    """Full drive is 1; 200 of 400 beyond a dead band of a fifth is 3/8; astern counts by its size."""
    drive, x = np.array([[200.0, -400.0], [80.0, 0.0]]), 0.375
    ahead, astern, none = [x, x ** 2, x ** 3], [1.0, 1.0, 1.0], [0.0] * 3
    for form, rows in (('mirrored', [np.add(ahead, astern), none]), ('two-sided', [ahead + astern, none * 2]),
                       ('each', [[*ahead, *none, *none, *astern], none * 4])):
        np.testing.assert_allclose(_terms(drive, 400.0, MapForm(form, 0.2)), rows, atol=1e-12)


def test_a_map_is_found_again_with_a_hotel_load_that_rises_on_a_line():
    """0.2, 0.3 and 0.5 of 100 W at full drive, all thrusters alike; 10 W that grow to 16 W in 300 s; no sag."""
    time = np.arange(0.0, 300.0, 0.5)
    drive = 400.0 * np.abs(np.sin(0.05 * time))[:, None] * [1.0, 0.6]
    share = drive / 400.0
    power = (100.0 * (0.2 * share + 0.3 * share ** 2 + 0.5 * share ** 3)).sum(axis=1) + 10.0 + 0.02 * time
    data = PowerData(time, drive, power, np.arange(time.size))
    found = fitted_map([data], MapForm('mirrored', hotel=LINEAR), 400.0)
    assert found.weights == pytest.approx([20.0, 30.0, 50.0], rel=1e-6)
    assert found.hotel_power == pytest.approx([10.0, 10.0 + 0.02 * time[-1]])
    assert found.hotel_time.tolist() == [0.0, time[-1]]
    drifting = fitted_map([data], MapForm('mirrored', hotel=DRIFTING), 400.0)
    assert drifting.hotel_time == pytest.approx(np.linspace(0.0, time[-1], 3)), 'knots 100 s apart, or a little more'
    steady = fitted_map([data], MapForm('mirrored'), 400.0)
    assert len(steady.hotel_power) == 1 and steady.hotel_power[0] == pytest.approx(13.0, abs=2.5)
    np.testing.assert_allclose(predicted_power(found, data), power, rtol=1e-6)
    np.testing.assert_allclose(predicted_power(found, data, False), power - 0.02 * time + 0.01 * time[-1], rtol=1e-6)


def test_fifty_changes_of_the_current_are_measurements_enough(rng):
    log = twin(rng, seconds=60)
    for changes, enough in ((50, True), (49, False)):
        amperes = np.where(np.arange(len(log)) <= changes, np.arange(len(log)), changes).astype(float)
        some = replace(log, amperes=amperes, volts=np.full(len(log), np.nan))
        if enough:
            assert data_of(some).fresh.tolist() == list(range(1, 51)) and data_of(some).sag == 0.0
        else:
            with pytest.raises(InputError, match='changes 49 times only; a fit needs 50'):
                data_of(some)


def test_a_sag_is_read_where_volts_follow_amperes_by_half_at_least(rng):
    """Resistance over the squared largest voltage, also where volts are sampled up to three rows later."""
    log = twin(rng, seconds=120)
    amperes = rng.uniform(0.0, 10.0, len(log))
    for late in (0, 3, 5):
        volts = 16.0 - 0.02 * np.concatenate([np.zeros(late), amperes[:len(log) - late]])
        found = data_of(replace(log, amperes=amperes, volts=volts)).sag
        assert found == pytest.approx(0.02 / volts.max() ** 2 if late <= 3 else 0.0, rel=1e-2)
    for correlation, seen in ((0.55, True), (0.45, False)):
        noise = rng.normal(0.0, 1.0, len(log))
        along = correlation * (amperes - 5.0) / amperes.std()
        volts = 16.0 - 0.02 * along + 0.02 * (1.0 - correlation ** 2) ** 0.5 * noise
        assert (data_of(replace(log, amperes=amperes, volts=volts)).sag > 0.0) is seen


def test_one_of_two_thrusters_driven_alike_takes_half_of_what_they_draw_together():
    """100 W each at full drive, a quarter of it at half; a sag is that of both and the hotel."""
    knots = {'hotel_time': np.array([0.0]), 'hotel_power': np.array([30.0])}
    stiff, soft = (PowerMap(MapForm('mirrored'), 400.0, np.array([0.0, 100.0, 0.0]), sag=sag, **knots)
                   for sag in (0.0, 5e-4))
    drive = np.array([0.0, 200.0, -400.0])
    np.testing.assert_allclose(stiff.steady_power(drive, 2), [0.0, 25.0, 100.0], atol=1e-12)
    each = soft.steady_power(drive, 2)
    np.testing.assert_allclose(2.0 * each, [0.0, 50.0, 200.0] * (1.0 - 5e-4 * (2.0 * each + 30.0)) ** 3, atol=1e-9)


def test_commands_count_from_the_neutral_of_each_thruster_where_all_are_known():
    time = np.arange(120.0)
    power, command = 20.0 + time, np.column_stack([1500.0 + time, 1480.0 - 2.0 * time])
    power[7], command[:5, 1] = np.nan, np.nan
    log = Log('log', Path('log'), time, command=command, electrical_power=power, neutral=(1500.0, 1480.0),
              thrusters=('left', 'right'))
    data = data_of(log)
    assert data.drive[[3, 9]].tolist() == [[3.0, -10.0], [9.0, -18.0]]  # The first that is known is held backwards.
    assert data.fresh.tolist() == [row for row in range(1, 120) if row not in (7,)]
    assert data_of(replace(log, command=np.array([]), thrust=command)).drive[9].tolist() == [1509.0, 1462.0]


def test_power_follows_a_drive_by_its_delay():
    time = np.arange(0.0, 60.0, 0.5)
    drive = (200.0 + 150.0 * np.sin(0.3 * time))[:, None]
    knots = {'span': 400.0, 'weights': np.array([100.0, 0.0, 0.0]), 'sag': 0.0, 'hotel_time': np.array([0.0]),
             'hotel_power': np.array([5.0])}
    data = PowerData(time, drive, np.zeros(time.size), np.arange(time.size), 0.0)
    at_once, late = (predicted_power(PowerMap(MapForm('mirrored', delay=delay), **knots), data) for delay in (0.0, 2.0))
    np.testing.assert_allclose(at_once, 5.0 + 0.25 * drive[:, 0])
    np.testing.assert_allclose(late[4:], at_once[:-4])


def test_a_side_that_was_never_driven_is_taken_to_be_as_the_other():
    """Groups are held together where the data do not tell them apart: 20, 30 and 50 W ahead, and so astern."""
    time = np.arange(0.0, 100.0, 0.5)
    share = np.abs(np.sin(0.05 * time))[:, None] * [1.0, 0.6]
    power = (20.0 * share + 30.0 * share ** 2 + 50.0 * share ** 3).sum(axis=1) + 10.0
    found = fitted_map([PowerData(time, 400.0 * share, power, np.arange(time.size))], MapForm('two-sided'), 400.0)
    np.testing.assert_allclose(found.weights.reshape(2, 3), [[20.0, 30.0, 50.0]] * 2, rtol=1e-6)
