import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.thrusters.propeller_file import propeller_from
from usv_energy.thrusters.pulse_curve import curve_from
from usv_energy.thrusters.thruster_sheet import read_thruster

WHERE = 'boat.yaml: thrusters.0'
TABLE = [[1100, -5.0], [1460, 0.0], [1520, 0.0], [1600, 2.0], [1800, 2.0], [1900, 8.0]]


def curve_of(**pwm):
    return curve_from({'pwm': pwm}, None, WHERE)


def test_a_table_is_straight_lines_with_a_dead_band_and_ends():
    curve = curve_of(table=TABLE, source='measured')
    assert (curve.limits, curve.dead_band, curve.thrust_limits) == ((1100.0, 1900.0), (1460.0, 1520.0), (-5.0, 8.0))
    assert curve.thrust(1560.0) == 1.0 and curve.thrust(1280.0) == -2.5 and curve.thrust(1490.0) == 0.0
    found = curve.thrust(np.array([1000.0, 2000.0, np.nan]))
    np.testing.assert_array_equal(found, [-5.0, 8.0, np.nan])
    np.testing.assert_array_equal(curve.knows(np.array([1099.0, 1100.0, 1900.0, 1901.0, np.nan])),
                                  [False, True, True, False, False])


def test_a_thrust_has_the_pulse_nearest_to_the_dead_band():
    """The inverse, to rounding, and the near end where a thrust has more than one pulse."""
    curve = curve_of(table=TABLE)
    assert curve.pulse(0.0) == 1490.0 and curve.pulse(2.0) == 1600.0 and curve.pulse(99.0) == 1900.0
    assert curve.pulse(-99.0) == 1100.0
    for thrust in np.linspace(-5.0, 8.0, 53):
        assert curve.thrust(curve.pulse(float(thrust))) == pytest.approx(thrust, abs=1e-12)


def test_what_is_no_thrust_has_no_pulse():
    assert math.isnan(curve_of(table=TABLE).pulse(math.nan))


def test_the_sheet_of_the_library_is_the_curve_of_its_propeller_and_by_name():
    sheet = read_thruster('t200').at_voltage(14.8, '')
    described = propeller_from({'model': 't200', 'voltage': 14.8}, WHERE)
    for curve in (curve_of(model='t200', voltage=14.8), curve_from({}, described, WHERE)):
        np.testing.assert_array_equal(curve.thrust(sheet.pulses), sheet.thrusts)
        assert curve.source == 'sheet of t200 at 14.8 V'
    both = propeller_from({'model': 't200', 'voltage': 14.8, 'number': 2}, WHERE)
    np.testing.assert_allclose(curve_from({}, both, WHERE).thrust(sheet.pulses), 2.0 * sheet.thrusts)
    own = curve_from({'pwm': {'table': TABLE}}, described, WHERE)
    assert own.thrust(1900.0) == 8.0
    assert curve_from({}, replace(described, voltage=None), WHERE) is None
    assert curve_from({}, replace(described, model=''), WHERE) is None
    assert curve_from({}, propeller_from({'map': [[0.0, 0.0], [1.0, 9.0]]}, WHERE), WHERE) is None


@pytest.mark.parametrize(('pwm', 'says'), [
    ({}, 'pwm must have either table, or model and voltage'),
    ({'table': TABLE, 'model': 't200'}, 'pwm must have either table'),
    ({'table': TABLE, 'voltage': 12.0}, r'pwm\.voltage is 12 beside table'),
    ({'model': 't200'}, "lacks 'voltage'"),
    ({'model': 't200', 'voltage': 30.0}, r'pwm\.voltage is 30; the sheets of t200 are for from 10 to 20 V'),
    ({'model': 't20', 'voltage': 12.0}, r'pwm\.model: no thruster named'),
    ({'table': [[1500, 0], [1400, 3]]}, r'pwm\.table has the pulses \[1500\.0, 1400\.0\]; they must rise'),
    ({'table': [[1.5, 0], [19000, 3]]}, 'must be above 0 and at most 3000 us'),
    ({'table': [[1.5, 0], [1900, 1], [3000.1, 3]]}, 'must be above 0 and at most 3000 us'),
    ({'table': [[0, 0], [1900, 3]]}, 'must be above 0 and at most 3000 us'),
    ({'table': [[1500, 0], [1500, 3]]}, 'they must rise'),
    ({'table': [[1100, 5], [1500, 0], [1900, -5]]}, 'must not fall.*mirror the pulses'),
    ({'table': [[1500, 1], [1900, 5]]}, 'must go from 0 or below'),
    ({'table': [[1100, -3], [1500, 0]]}, 'to above 0'),
    ({'table': [[1500, 0]]}, 'table'),
    ({'tabel': TABLE}, 'tabel'),
])
def test_faults_are_named(pwm, says):
    with pytest.raises(InputError, match=f'boat.yaml: thrusters.0.*{says}'):
        curve_of(**pwm)


def test_a_thruster_has_the_limits_of_its_curve_where_the_file_gives_none(tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text('base: lutra_prop\nname: mine\nthrusters:\n'
                    f'  - {{name: one, x: 0, y: 0, max_thrust: 7.0, pwm: {{table: {TABLE}}}}}\n')
    boat = read_boat(str(path))
    assert (boat.vessel.thrusters[0].min_thrust, boat.vessel.thrusters[0].max_thrust) == (-5.0, 7.0)
    assert boat.pulse_curves[0].thrust(1900.0) == 8.0
    path.write_text('base: lutra_prop\nthrusters: [{name: one, x: 0, y: 0, min_thrust: 0, max_thrust: 1, pwm: 1500}]')
    with pytest.raises(InputError, match=r'thrusters\.0\.pwm is 1500'):
        read_boat(str(path))


@pytest.mark.parametrize(('name', 'published'), [
    ('lutra_prop_trial', {1700: 22.54, 1600: 17.93, 1553: 16.46, 1500: 0.0}),
    ('lutra_airboat', {2000: 3.13, 1850: 2.64, 1750: 2.35, 1650: 1.86, 1500: 0.0})])
def test_the_published_bollard_pulls(name, published):
    """[S] table 3: all thrusters together on the hull, N."""
    boat = read_boat(name)
    for pulse, pull in published.items():
        ahead = sum(curve.thrust(float(pulse)) * thruster.efficiency_of_tilt
                    for curve, thruster in zip(boat.pulse_curves, boat.vessel.thrusters))
        assert ahead == pytest.approx(pull, rel=1e-4)
    assert math.isfinite(ahead)


def test_pulses_up_to_3000_us_and_equal_thrusts_are_good():
    curve = curve_of(table=[[0.1, 0.0], [1500, 0.0], [3000, 3.0]])
    assert curve.limits == (0.1, 3000.0) and curve.dead_band == (0.1, 1500.0) and curve.thrust(2250.0) == 1.5
