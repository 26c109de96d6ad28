"""What an electrical fit makes of a map: the boat file's rows, figures, halves; maps and logs put in by hand."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat, write_boat
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
)
from usv_energy.studies.identify.electrical.power_map import MapForm, PowerData, PowerMap
from usv_energy.thrusters.pulse_curve import PulseCurve

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
