"""An electrical fit from logs to figures: scores, warnings, the boat file, and logs that it refuses."""

from dataclasses import replace
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from places import DATA
from power_twin import DELAY, HOTEL, LAG, NOISE, thruster_power, twin

from usv_energy.boats.boat_file import boat_from, read_boat, write_boat
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log
from usv_energy.show.terminal import say
from usv_energy.studies.identify.electrical import electrical_fit
from usv_energy.studies.identify.electrical.electrical_fit import (
    DEAD_BANDS,
    ElectricalFit,
    MapScore,
    both_halves,
    chosen_form,
    curves_for_limits,
    electrical_boat,
    electrical_summary,
    electrical_warnings,
    fit_electrical,
    identified_map,
    map_score,
)
from usv_energy.studies.identify.electrical.power_map import STEADY, MapForm, PowerData, PowerMap, data_of
from usv_energy.thrusters.pulse_curve import PulseCurve


@pytest.fixture(scope='module')
def fitted():
    rng = np.random.default_rng(20210917)
    log, other = twin(rng, seconds=120, held=4), replace(twin(rng, seconds=60), name='other')
    return fit_electrical([log], [other], None, False, say)


def test_a_fit_is_scored_on_logs_that_it_has_not_seen(fitted):
    assert fitted.use == 'command' and fitted.names == ('twin',)
    assert fitted.validation['other'].rmse == pytest.approx(NOISE, rel=0.5)
    assert fitted.fit.measurements < 310 and fitted.halves == []


def test_repeated_values_are_named(fitted):
    assert any('the log repeats the last value' in warning for warning in electrical_warnings(fitted))


def test_the_boat_file_is_the_base_with_map_and_hotel_load(fitted):
    base = read_boat('blueboat_start')
    document = electrical_boat(fitted, base, 'mine', 300.0, {'date': '2026-01-02'})
    changed = {'name', 'description', 'losses', 'static_load', 'identification'}
    plain = checked.read_with_base('boats', base.path)
    assert {key for key in document if document[key] != plain.get(key)} == changed
    boat = boat_from(document, base.path)
    assert boat.vessel.static_load == pytest.approx(HOTEL, abs=1.0)
    assert (boat.vessel.losses.map_thrust[0], boat.vessel.losses.map_thrust[-1]) == (-30.0, 55.0)


def test_the_map_of_commands_is_over_the_thrust_of_the_boat_s_own_pulses(fitted, tmp_path):
    """A curve that is straight but for a dead band: the power of each thrust is that of the pulse that gives it."""
    path = tmp_path / 'curved.yaml'
    table = '[[1100, -30.0], [1450, 0.0], [1550, 0.0], [1850, 55.0]]'
    path.write_text('base: blueboat_start\nname: curved\nthrusters:\n' + ''.join(
        f'  - {{name: {name}, x: -0.4, y: {y}, pwm: {{source: pulled, table: {table}}}}}\n'
        for name, y in (('left', 0.3), ('right', -0.3))))
    document = electrical_boat(fitted, read_boat(str(path)), 'mine', 300.0, {})
    thrust, power = np.array(document['losses']['map']).T
    drives = np.interp(thrust, [-30.0, -1e-9, 0.0, 1e-9, 55.0], [-400.0, -50.0, 0.0, 50.0, 350.0])
    np.testing.assert_allclose(power, fitted.power_map.steady_power(drives, 2), atol=2e-3)
    assert 'thrust of a pulse by curved: pulled' in document['losses']['source']
    ahead_only = read_boat('lutra_prop_trial')  # drives astern, and its curve says nothing of that
    assert 'thrust is assumed' in electrical_boat(fitted, ahead_only, 'mine', 300.0, {})['losses']['source']


def test_logs_that_do_not_go_together_are_refused(rng):
    log = twin(rng, seconds=60)
    single = replace(log, name='single', command=log.command[:, :1], thrust=log.thrust[:, :1], neutral=(1500.0,),
                     thrusters=('middle',))
    with pytest.raises(InputError, match='different numbers of thrusters: twin 2, single 1'):
        fit_electrical([log], [single], None, False, say)
    with pytest.raises(InputError, match='--split is of one log; there are 2'):
        fit_electrical([log, log], [], None, True, say)


def test_a_score_is_the_share_explained_with_root_mean_square_and_mean_error(fitted):
    """R2 = 1 - (rmse / sigma)^2 of the measured power; here from the score's own rmse and the log's power."""
    other = replace(twin(np.random.default_rng(77), seconds=60), name='third')
    found = fit_electrical([other], [other], None, False, say)
    score = found.validation['third']
    power = other.electrical_power[np.isfinite(other.electrical_power)]
    assert score.r2 == pytest.approx(1.0 - (score.rmse / power.std()) ** 2, abs=0.01)
    assert 0.9 < score.r2 < 1.0 and abs(score.energy) < 0.02


def test_a_hotel_load_that_was_hardly_ever_measured_alone_is_named(fitted):
    """A twentieth of the measurements lie below 3 % of full drive, or fewer."""
    span, data = fitted.power_map.span, fitted.data[0]

    def warned(near):
        drive = np.full_like(data.drive, 0.5 * span)
        drive[data.fresh[:round(near * len(data.fresh))]] = 0.02 * span
        drive[data.fresh[-1], 1] = 0.02 * span  # One of two thrusters is at work.
        changed = fitted._replace(data=(data._replace(drive=drive),))
        return any('hardly ever off' in text for text in electrical_warnings(changed))

    assert not warned(0.1) and warned(0.02) and warned(0.0)


def test_a_score_of_a_constant_prediction_in_closed_form():
    """12 W for 10, 14 and 18 W: errors 2, -2 and -6 W; their mean square, their sum over the energy, and R2."""
    data = PowerData(np.arange(3.0), np.ones((3, 1)), np.array([10.0, 14.0, 18.0]), np.arange(3))
    flat = PowerMap(MapForm('mirrored'), 1.0, np.zeros(3), np.zeros(1), np.array([12.0]), 0.0)
    score = map_score(flat, [data])
    assert score == pytest.approx((1.0 - 44.0 / 32.0, (44.0 / 3.0) ** 0.5, -6.0 / 42.0, 3))
    assert map_score(flat, [data, data]).measurements == 6
    assert np.isnan(map_score(flat, [data._replace(power=np.full(3, 10.0))]).r2)


def test_warnings_come_with_their_own_cause(fitted):
    """Repeats from three tenths of the rows on; a hotel load of several knots; thrusters that differ."""
    data = fitted.data[0]
    for fresh, told in ((0.69, True), (0.71, False)):
        rows = np.arange(round(fresh * len(data.time)))
        words = ' '.join(electrical_warnings(fitted._replace(data=(data._replace(fresh=rows),))))
        assert ('repeats the last value' in words) is told
    for count, told in ((1, False), (2, True)):
        changed = replace(fitted.power_map, hotel_time=np.arange(float(count)), hotel_power=np.full(count, 20.0))
        assert any('changes over the log' in text for text in electrical_warnings(
            fitted._replace(power_map=changed))) is told
    for form, told in (('each', True), ('two-sided', False)):
        changed = replace(fitted.power_map, form=fitted.power_map.form._replace(form=form))
        assert any('thrusters differ' in text for text in electrical_warnings(
            fitted._replace(power_map=changed))) is told


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


BASE = read_boat('lutra_prop')
MAP = PowerMap(MapForm('mirrored'), 20.0, np.array([30.0, 50.0, 20.0]), np.array([0.0, 10.0, 20.0]),
               np.array([20.0, 40.0, 26.0]), 0.0)


def found_by(use, power_map=MAP):
    return ElectricalFit(power_map, use, ('one', 'two'), (), MapScore(0.9, 1.0, 0.0, 10), {}, [])


def limited(low, high):
    """Return Lutra with thrusters of other limits, N, of whose pulses nothing is said."""
    thrusters = tuple(one._replace(min_thrust=low, max_thrust=high) for one in BASE.vessel.thrusters)
    return replace(BASE, vessel=BASE.vessel._replace(thrusters=thrusters), pulse_curves=(None, None))


def squares(number, most):
    """Return thrusts of evenly rising commands, the thrust as their square, without that of no command."""
    return [most * (k / number) ** 2 for k in range(1, number + 1)]


@pytest.mark.parametrize(('low', 'high'), [(-7.12345678, 15.87654321), (0.0, 12.0), (-9.0, 0.0)])
def test_rows_of_the_file_s_map_are_squares_of_even_commands_up_to_the_very_limits(low, high):
    document = electrical_boat(found_by('thrust'), limited(low, high), 'mine', 300.0, {})
    thrust, power = np.array(document['losses']['map']).T
    wanted = [*(squares(12, low)[::-1] if low else []), 0.0, *(squares(12, high) if high else [])]
    np.testing.assert_allclose(thrust, wanted, atol=5.001e-5)
    assert (thrust[0], thrust[-1]) == (low, high)
    np.testing.assert_allclose(power, MAP.steady_power(np.array(wanted), 2), atol=5.001e-4)
    assert document['losses']['source'] == 'usv-energy identify electrical, one, two'


def test_of_commands_each_row_has_the_power_of_its_command():
    """A quarter of the full thrust at half of the full command, 100 us here."""
    document = electrical_boat(found_by('command'), limited(-8.0, 16.0), 'mine', 200.0, {})
    rows = {thrust: power for thrust, power in document['losses']['map']}
    for thrust, drive in ((-8.0, -200.0), (-2.0, -100.0), (0.0, 0.0), (4.0, 100.0), (16.0, 200.0)):
        assert rows[thrust] == pytest.approx(float(MAP.steady_power(np.array([drive]), 2)[0]), abs=5.001e-4)
    assert 'full (-8 to 16 N, of lutra_prop) at 200 us from neutral' in document['losses']['source']


@pytest.mark.parametrize('name', ['blueboat', 'kayak'])
def test_a_boat_whose_propellers_have_a_power_of_their_own(name, tmp_path):
    """The map takes its place; limits, places and the sheet's pulses stay."""
    base = read_boat(name)
    boat = write_boat(electrical_boat(found_by('thrust'), base, 'mine', 300.0, {}), tmp_path / 'mine.yaml')
    assert boat.vessel.losses.mapped == 1.0 and boat.propellers == (None,) * len(base.propellers)
    for mine, theirs in zip(boat.vessel.thrusters, base.vessel.thrusters):
        assert (mine.min_thrust, mine.max_thrust, mine.x, mine.y) == pytest.approx(
            (theirs.min_thrust, theirs.max_thrust, theirs.x, theirs.y))
    if name == 'blueboat':
        assert boat.pulse_curves[0].thrust(1700.0) == pytest.approx(base.pulse_curves[0].thrust(1700.0))


def test_the_hotel_load_of_the_file_is_the_mean_in_time_with_how_far_it_moves():
    """Knots of 20, 40 and 26 W: 30 and 33 W in the halves of the time."""
    load = electrical_boat(found_by('thrust'), limited(-8.0, 16.0), 'mine', 200.0, {})['static_load']
    assert load['value'] == pytest.approx(31.5, abs=5.001e-4)
    assert load['std'] == pytest.approx(np.sqrt((400.0 + 1600.0 + 676.0) / 3.0 - (86.0 / 3.0) ** 2), abs=5.001e-4)
    figures = electrical_summary(found_by('thrust'), BASE)
    assert (figures['hotel_load_begin_w'], figures['hotel_load_end_w'], figures['hotel_load_w']) == (20.0, 26.0, 31.5)


CURVE = PulseCurve(np.array([1100.0, 1500.0, 1900.0]), np.array([-8.0, 0.0, 16.0]), 'pulled')


@pytest.mark.parametrize(('curves', 'low', 'high', 'used'), [
    ((CURVE, CURVE), -8.0, 16.0, True), ((CURVE, CURVE), -8.1, 16.0, False), ((CURVE, CURVE), -8.0, 16.1, False),
    ((CURVE, None), -8.0, 16.0, False), ((None, None), -8.0, 16.0, False)])
def test_pulses_are_used_where_they_say_all_of_every_thruster_s_thrust(curves, low, high, used):
    assert curves_for_limits(replace(limited(low, high), pulse_curves=curves)) == (list(curves) if used else [])


@pytest.mark.parametrize('number', [6, 7])
def test_each_half_of_the_measurements_is_judged_by_the_map_of_the_other(monkeypatch, number):
    """Measured at some rows only: the middle one of these parts the log, and belongs to the second half."""
    fresh = np.arange(3, 3 + 2 * number, 2)
    log = SimpleNamespace(time=10.0 * np.arange(40), between=lambda begin, end: (begin, end))
    monkeypatch.setattr(electrical_fit, 'data_of', lambda given, use: SimpleNamespace(fresh=fresh) if given is log
                        else (*given, use))
    monkeypatch.setattr(electrical_fit, 'identified_map', lambda parts: ('map', *parts))
    monkeypatch.setattr(electrical_fit, 'map_score', lambda own, others: others)
    middle = 10.0 * fresh[number // 2]
    first, second = (-np.inf, middle, 'thrust'), (middle, np.inf, 'thrust')
    assert both_halves(log, 'thrust') == [(('map', first), [second]), (('map', second), [first])]


@pytest.mark.parametrize('number', [1, 2])
def test_only_the_log_of_the_fit_itself_has_the_clock_that_a_hotel_load_drifts_along(monkeypatch, number):
    logs = [SimpleNamespace(name=name, thrusters=('a', 'b'), known=lambda name: True) for name in ('one', 'two')]
    clocks = []
    monkeypatch.setattr(electrical_fit, 'data_of', lambda log, use: SimpleNamespace(fresh=[1, 2, 3], use=use))
    monkeypatch.setattr(electrical_fit, 'identified_map', lambda parts: MAP)
    monkeypatch.setattr(electrical_fit, 'both_halves', lambda log, use: [log.name])
    monkeypatch.setattr(electrical_fit, 'map_score', lambda own, parts, same_clock: clocks.append(same_clock))
    found = fit_electrical(logs[:number], logs[:1], None, number == 1, lambda text: None)
    assert clocks == [number == 1, False] and found.halves == (['one'] if number == 1 else [])
    assert found.use == 'thrust' and found.names == ('one', 'two')[:number]
    assert fit_electrical(logs, [], 'command', False, lambda text: None).use == 'command'
    assert fit_electrical(logs, [SimpleNamespace(name='no', thrusters='ab', known=lambda name: False)], None, False,
                          lambda text: None).use == 'command'


def test_where_every_form_is_exact_the_one_of_fewest_choices_is_taken(monkeypatch):
    """A log of no power at all has no error whatever the form."""
    monkeypatch.setattr(electrical_fit, '_left_out_error', lambda parts, form, span: 0.0)
    assert chosen_form([None], 1.0).choices == min(MapForm(form).choices for form in electrical_fit.MAP_FORMS)


def test_dead_bands_that_are_tried_rise_from_none():
    assert DEAD_BANDS[0] == 0.0 and all(np.diff(DEAD_BANDS) > 0.0) and DEAD_BANDS[-1] < 0.1


@pytest.mark.parametrize(('fresh', 'told'), [(69, True), (70, False)])
def test_repeats_are_told_of_from_seven_tenths_of_the_rows_on(fresh, told):
    data = PowerData(np.arange(100.0), np.zeros((100, 2)), np.ones(100), np.arange(fresh))
    words = ' '.join(electrical_warnings(found_by('thrust')._replace(data=(data,))))
    assert ('repeats the last value' in words) is told and 'hardly ever off' not in words
