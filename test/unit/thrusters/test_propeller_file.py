from dataclasses import replace

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.thrusters.commands import power_of_thrust, thrust_of_command
from usv_energy.thrusters.drive import thrust_of_rate, turning_of
from usv_energy.thrusters.kinds.bollard_map import _turning_of_sheet
from usv_energy.thrusters.open_water import b_screw, thrust_coefficient, torque_coefficient
from usv_energy.thrusters.propeller_file import propeller_from
from usv_energy.thrusters.thruster_sheet import ThrusterSheet, read_thruster

WHERE = 'boat.yaml: thrusters.0.propeller'
SCREW = {'diameter': 0.2, 'pitch_ratio': 1.0, 'area_ratio': 0.65, 'blades': 3, 'rpm_limits': [-900, 1200],
         'efficiency': 0.8}
CURVES = {'diameter': 0.2, 'advance': [0.0, 0.5, 1.0], 'kt': [0.4, 0.2, 0.0], 'kq': [0.05, 0.03, 0.01],
          'rpm_limits': [0, 1200], 'efficiency': 0.8}
TABLE = {'thrusts': [-10.0, 0.0, 20.0], 'speeds': [0.0, 1.0], 'powers': [[50.0, 0.0, 100.0], [60.0, 5.0, 140.0]]}
MAP = [[-10.0, 40.0], [0.0, 0.0], [20.0, 100.0]]


def changed(entry, **changes):
    return {key: value for key, value in {**entry, **changes}.items() if value is not None}


def test_a_map_is_taken_as_it_stands_and_says_that_nothing_is_known_under_way():
    found = propeller_from({'map': MAP}, WHERE)
    assert (found.kind, found.limits, found.propeller.inflow) == ('map', (-10.0, 20.0), 0.0)
    assert power_of_thrust(10.0, 3.0, found.propeller) == 50.0
    assert 'as at standstill' in found.correction and found.propeller.torque_ratio == 1.0


def test_an_inflow_is_given_or_follows_from_the_screw():
    given = propeller_from({'map': MAP, 'inflow': {'coefficient': 1.2, 'torque_ratio': 0.8}}, WHERE)
    assert (given.propeller.inflow, given.propeller.torque_ratio) == (1.2, 0.8)
    screw = {'diameter': 0.076, 'pitch_ratio': 1.0, 'area_ratio': 0.65, 'blades': 3}
    derived = propeller_from({'map': MAP, 'inflow': screw}, WHERE)
    advance = np.linspace(0.0, 1.2, 12001)
    j = advance[thrust_coefficient(advance, 1.0, 0.65, 3) >= 0.0]
    fall = [(knots[0] - knots) @ j / (j @ j) / knots[0]
            for knots in (thrust_coefficient(j, 1.0, 0.65, 3), torque_coefficient(j, 1.0, 0.65, 3))]
    assert derived.propeller.inflow == pytest.approx((998.2 * 0.44152) ** 0.5 * 0.076 * fall[0], rel=1e-3)
    assert derived.propeller.torque_ratio == pytest.approx(fall[1] / fall[0], rel=1e-3)
    assert 'correction' in derived.correction and 'P/D 1,' in derived.correction


def test_a_table_is_looked_up_and_has_its_limits():
    found = propeller_from({'table': {**TABLE, 'most': [20.0, 12.0]}}, WHERE)
    assert power_of_thrust(10.0, 0.5, found.propeller) == pytest.approx(0.5 * (50.0 + 72.5))
    assert thrust_of_command(99.0, 0.5, found.propeller) == pytest.approx(16.0)
    assert (found.limits, found.correction) == ((-10.0, 20.0), '')


def test_a_b_screw_at_standstill_is_its_polynomial():
    """T = density n^2 D^4 K_T0 at full rate; P = 2 pi density n^3 D^5 K_Q0 / efficiency."""
    found = propeller_from(SCREW, WHERE)
    assert found.limits[1] == pytest.approx(998.2 * 20.0 ** 2 * 0.2 ** 4 * thrust_coefficient(0.0, 1.0, 0.65, 3))
    assert found.limits[0] == pytest.approx(-found.limits[1] * (900.0 / 1200.0) ** 2)
    full = 2.0 * np.pi * 998.2 * 20.0 ** 3 * 0.2 ** 5 * torque_coefficient(0.0, 1.0, 0.65, 3) / 0.8
    assert power_of_thrust(found.limits[1], 0.0, found.propeller) == pytest.approx(full, rel=1e-9)
    assert 'Wageningen' in found.correction


def test_own_curves_and_an_efficiency_over_shaft_power():
    found = propeller_from(changed(CURVES, efficiency=[[0.0, 0.5], [100.0, 0.9]]), WHERE)
    force = 998.2 * 0.2 ** 4 * 400.0
    assert found.limits == (0.0, pytest.approx(0.4 * force)) and found.correction == ''
    shaft = 2.0 * np.pi * 998.2 * 20.0 ** 3 * 0.2 ** 5 * 0.05
    assert power_of_thrust(0.4 * force, 0.0, found.propeller) == pytest.approx(shaft / 0.9, rel=1e-9)
    # At J = 0.5 and full rate: 2 m/s, half the thrust, 0.6 of the torque; between rows of the table 1 %.
    assert power_of_thrust(0.2 * force, 2.0, found.propeller) == pytest.approx(0.6 * shaft / 0.9, rel=0.01)


def test_a_model_at_a_voltage_is_its_sheet():
    found = propeller_from({'model': 't200', 'voltage': {'value': 16.0, 'unit': 'V', 'source': 'battery'}}, WHERE)
    sheet = read_thruster('t200').at_voltage(16.0, '')
    assert (found.model, found.voltage, found.limits) == ('t200', 16.0, (sheet.thrusts[0], sheet.thrusts[-1]))
    np.testing.assert_allclose(power_of_thrust(sheet.thrusts, 0.0 * sheet.thrusts, found.propeller), sheet.powers,
                               rtol=1e-12)
    assert 1.2 < found.propeller.inflow < 1.7 and 0.85 < found.propeller.torque_ratio < 1.0
    assert 'correction' in found.correction
    assert not found.own_drop
    assert found.propeller.voltage_drop == pytest.approx((16.0 * 490.0 / 3537.0 - 1.0) / 51.47 ** 0.5)
    own = propeller_from({'model': 't200', 'voltage': 16, 'inflow': {
        'coefficient': 1.0, 'torque_ratio': 0.5, 'voltage_drop': 0.25}}, WHERE)
    assert own.own_drop
    own = own.propeller
    assert (own.inflow, own.torque_ratio, own.voltage_drop) == (1.0, 0.5, 0.25)


def test_a_higher_voltage_reaches_more_thrust():
    most = [propeller_from({'model': 't200', 'voltage': volts}, WHERE).limits[1] for volts in (10, 11, 14, 18, 20)]
    assert np.all(np.diff(most) > 0.0)


def test_a_number_side_by_side_gives_and_draws_so_often_as_much():
    """Three T200: at any thrust and speed three times the watts of one with a third of the thrust; the same rates."""
    one, three = (propeller_from({'model': 't200', 'voltage': 12, 'number': n}, WHERE) for n in (1, 3))
    thrust, speed = np.array([-60.0, -5.0, 8.0, 40.0, 90.0]), np.array([0.5, -0.5, 2.0, 1.5, 2.4])
    np.testing.assert_allclose(power_of_thrust(thrust, speed, three.propeller),
                               3.0 * power_of_thrust(thrust / 3.0, speed, one.propeller), rtol=1e-12)
    assert thrust_of_command(three.limits[1], 2.4, three.propeller) == pytest.approx(
        3.0 * thrust_of_command(one.limits[1], 2.4, one.propeller))
    assert thrust_of_rate(40.0, 1.0, three.turning, three.propeller) == pytest.approx(
        3.0 * thrust_of_rate(40.0, 1.0, one.turning, one.propeller))


@pytest.mark.parametrize('entry, message', [
    ({}, ' must have one of map, model, diameter, table; it has none of them'),
    ({'map': MAP, 'table': TABLE}, ' must have one of .* it has map and table'),
    ({'map': MAP, 'voltage': 12}, r'.voltage does not go with .map.; allowed beside it: inflow'),
    ({'map': [[0, 1], [0, 2]]}, r': map has the thrusts \[0.0, 0.0\]; they must rise'),
    ({'map': [[0, 1], [1, -2]]}, r': map has the powers \[1.0, -2.0\]; must be at least 0'),
    ({'map': MAP, 'inflow': {'coefficient': 1.0}}, '.inflow has coefficient and lacks torque_ratio'),
    ({'map': MAP, 'inflow': {'coefficient': 1.0, 'torque_ratio': 1.0, 'blades': 3}}, '.inflow.blades stands beside'),
    ({'map': MAP, 'inflow': {'diameter': 0.1}}, ".inflow lacks 'pitch_ratio'"),
    ({'map': MAP, 'inflow': {'coefficient': -1.0, 'torque_ratio': 1.0}}, ': inflow.coefficient is -1.0; must be at'),
    ({'table': {**TABLE, 'thrusts': [0.0, 0.0, 1.0]}}, '.table: thrusts are .* they must rise'),
    ({'table': {**TABLE, 'speeds': [1.0, 0.0]}}, '.table: speeds are .* they must rise'),
    ({'table': {**TABLE, 'powers': [[0.0, 1.0], [0.0, 1.0]]}}, '.table.powers.0 has 2 numbers; must be as many as'),
    ({'table': {**TABLE, 'speeds': [0.0, 1.0, 2.0]}}, '.table.powers has 2 entries; must be as many as speeds, 3'),
    ({'table': {**TABLE, 'least': [-1.0, 3.0], 'most': [5.0, 2.0]}}, '.table.least is 3 at 1 m/s; must be at most'),
    (changed(SCREW, blades=None), ' has pitch_ratio, area_ratio beside diameter; must have either'),
    (changed(CURVES, kq=None), ' has advance, kt beside diameter; must have either'),
    (changed(CURVES, blades=3), ' has blades, advance, kt, kq beside diameter; must have either'),
    (changed(SCREW, pitch_ratio=1.5), '.pitch_ratio is 1.5; the Wageningen B-series goes from 0.5 to 1.4'),
    (changed(SCREW, rpm_limits=None), " has 'diameter' and lacks 'rpm_limits'"),
    (changed(SCREW, rpm_limits=[1200, -900]), r'.rpm_limits is \[1200, -900\]; must be the least, at most 0'),
    (changed(SCREW, rpm_limits=[-900, 0]), r'.rpm_limits is \[-900, 0\]; must be the least, at most 0'),
    (changed(SCREW, efficiency=[[0.0, 0.0], [9.0, 0.5]]), ': efficiency has the values .* above 0'),
    (changed(SCREW, efficiency=1.2), ': efficiency is 1.2; must be at most 1'),
    (changed(SCREW, efficiency=[[0.0, 0.5], [9.0, 1.5]]), ': efficiency has the values .* at most 1'),
    (changed(CURVES, advance=[0.0, 0.5, 0.5]), r': advance is no function of J: \[0.0, 0.5, 0.5\]; they must rise'),
    (changed(CURVES, advance=[0.1, 0.5, 1.0]), '.advance begins at 0.1; must begin at 0'),
    (changed(CURVES, kt=[0.4, 0.2]), '.kt has 2 numbers; must be as many as advance, 3'),
    (changed(CURVES, kt=[0.4, 0.4, 0.0]), '.kt is .* must begin above 0 and fall'),
    (changed(CURVES, kt=[0.0, -0.1, -0.2]), '.kt is .* must begin above 0 and fall'),
    (changed(CURVES, kt=[0.4, 0.5, 0.0]), '.kt is .* must begin above 0 and fall'),
    (changed(CURVES, kq=[0.05, 0.0, 0.01]), '.kq is .* must be above 0 wherever kt is'),
    ({'model': 't200'}, " has 'model' and lacks 'voltage'"),
    ({'model': 't200', 'voltage': 12, 'number': 0}, ': number is 0; must be at least 1'),
    ({'map': MAP, 'number': 2}, '.number does not go with .map.'),
    ({'model': 't200', 'voltage': 24}, '.voltage is 24; the sheets of t200 are for from 10 to 20 V'),
    ({'model': 't20', 'voltage': 12}, ".model: no thruster named 't20'. Did you mean 't200'"),
    ({'modle': 't200', 'voltage': 12}, ": unknown key 'modle'; did you mean 'model'")])
def test_a_wrong_entry_is_refused_by_name(entry, message):
    with pytest.raises(InputError, match=f'^{WHERE}{message}'):
        propeller_from(entry, WHERE)


def test_rates_say_which_thrust_an_rpm_reading_stands_for():
    found = propeller_from({'map': MAP, 'rates': [[-600.0, -10.0], [1200.0, 20.0]]}, WHERE)
    assert thrust_of_rate(20.0, 1.0, found.turning, found.propeller) == pytest.approx(20.0)
    assert thrust_of_rate(-5.0, 0.0, found.turning, found.propeller) == pytest.approx(-2.5)
    assert propeller_from({'map': MAP}, WHERE).turning is None
    t200 = propeller_from({'model': 't200', 'voltage': 16}, WHERE)
    sheet = read_thruster('t200').at_voltage(16.0, '')
    for rpm, thrust in ((sheet.rpm[-1], sheet.thrusts[-1]), (sheet.rpm[20], sheet.thrusts[20])):
        assert thrust_of_rate(rpm / 60.0, 0.0, t200.turning, t200.propeller) == pytest.approx(thrust)
    screw = propeller_from(SCREW, WHERE)
    own = thrust_coefficient(np.array([0.0]), 1.0, 0.65, 3)[0]
    assert thrust_of_rate(10.0, 0.0, screw.turning, screw.propeller) == pytest.approx(998.2 * 100.0 * 0.2 ** 4 * own)


@pytest.mark.parametrize(('rates', 'message'), [
    ([[600.0, 10.0], [600.0, 20.0]], 'they must rise'), ([[600.0, 20.0], [900.0, 10.0]], 'they must rise'),
    ([[600.0, -10.0]], 'above 0 must give a thrust above 0'), ([[0.0, 1.0]], 'standstill none')])
def test_rates_that_are_none_are_refused(rates, message):
    with pytest.raises(InputError, match=message) as error:
        propeller_from({'map': MAP, 'rates': rates}, WHERE)
    assert WHERE in str(error.value)


def test_what_lies_just_at_a_limit_is_taken():
    """Standstill among the rates, least equal to most, no torque where there is no thrust, an efficiency of 1."""
    rates = [[-600.0, -10.0], [0.0, 0.0], [1200.0, 20.0]]
    assert propeller_from({'map': MAP, 'rates': rates}, WHERE).turning is not None
    assert propeller_from({'table': {**TABLE, 'least': [-1.0, 2.0], 'most': [5.0, 2.0]}}, WHERE).limits == (-1.0, 5.0)
    assert propeller_from({'table': TABLE}, WHERE).limits == (-10.0, 20.0)
    lossless = propeller_from(changed(CURVES, kq=[0.05, 0.03, 0.0], efficiency=[[0.0, 1.0], [9.0, 0.9]]), WHERE)
    assert lossless.limits[0] == 0.0


def test_a_b_screw_ends_at_its_first_advance_without_thrust():
    curves = b_screw({'pitch_ratio': 1.0, 'area_ratio': 0.65, 'blades': 3}, WHERE)
    assert curves.thrust[-1] <= 0.0 < curves.thrust[-2]


def test_of_a_sheet_count_the_rates_at_which_it_pushes():
    """A rotor that idles without thrust, or a thrust whose rate was not read, says nothing; two equal rates neither."""
    pulses = np.array([1100.0, 1300.0, 1450.0, 1550.0, 1700.0, 1900.0])
    sheet = ThrusterSheet(12.0, pulses, np.array([-8.0, -2.0, 0.0, 0.0, 4.5, 18.0]), np.ones(6),
                          np.array([1200.0, 600.0, 200.0, 200.0, 900.0, 1800.0]))
    expected = turning_of(np.array([-20.0, -10.0, 15.0, 30.0]), np.array([-8.0, -2.0, 4.5, 18.0]))
    for one in (sheet, replace(sheet, thrusts=np.array([-8.0, -2.0, 0.0, 0.3, 4.5, 18.0]),
                               rpm=np.array([1200.0, 600.0, 200.0, 0.0, 900.0, 1800.0]))):
        found = _turning_of_sheet(one)
        np.testing.assert_allclose(found[:2], expected[:2])
    assert _turning_of_sheet(replace(sheet, rpm=np.array([1200.0, 600.0, 0.0, 0.0, 900.0, 900.0]))) is None
