"""What a source does not hold follows from what it does, and is noted."""

from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled

SOURCE = Source('a', Path('a.csv'))
TIME = 100.0 + np.arange(0.0, 20.0, 0.1)
STILL = np.zeros(len(TIME))


def codes(log):
    return {note.code for note in log.notes}


def test_time_starts_at_zero_and_the_source_s_own_is_kept():
    log = assembled(SOURCE, TIME, {})
    assert log.time[0] == 0.0 and log.start == 100.0
    with pytest.raises(InputError, match=r'a\.csv: has no sample'):
        assembled(SOURCE, TIME[:0], {})


def test_power_is_volts_times_amperes_where_it_was_not_measured():
    given = {'volts': STILL + 16.0, 'amperes': STILL + 2.5}
    log = assembled(SOURCE, TIME, given)
    assert (log.electrical_power == 40.0).all() and 'power_of_volts_amperes' in codes(log)
    measured = assembled(SOURCE, TIME, {**given, 'electrical_power': STILL + 41.0})
    assert (measured.electrical_power == 41.0).all() and 'power_of_volts_amperes' not in codes(measured)


def test_numbers_that_no_quantity_has_are_taken_out_and_named():
    wild = STILL.copy()
    wild[7] = 1e308
    log = assembled(SOURCE, TIME, {'u': wild, 'x': STILL, 'y': wild * np.nan}, (ThrusterSeries('left', wild, None),))
    assert np.isnan(log.u[7]) and np.isnan(log.thrust[7, 0]) and np.isfinite(log.u).sum() == len(TIME) - 1
    told = [note.text for note in log.notes if note.code == 'absurd_values']
    assert told == ['1 value of u beyond 1e+09: not used', '1 value of thrust of left beyond 1e+09: not used']
    assert not log.known('x'), 'x is of no use without y'


def test_a_speed_without_a_direction_stands_for_surge():
    log = assembled(SOURCE, TIME, {'speed': STILL + 1.5})
    assert (log.u == 1.5).all() and not log.known('v') and 'surge_from_speed' in codes(log)


@pytest.mark.parametrize('unit', [1.0, 1.944])
def test_positions_and_heading_tell_the_drift_whatever_the_speed_says(unit):
    """A way to the east with the bow 30 degrees to port: u = cos 30, v = -sin 30; knots as m/s are noted."""
    along = TIME - TIME[0]
    given = {'x': along, 'y': STILL, 'yaw': STILL + np.radians(30.0), 'speed': STILL + unit}
    log = assembled(SOURCE, TIME, given)
    np.testing.assert_allclose(log.u, np.sqrt(0.75), atol=1e-9)
    np.testing.assert_allclose(log.v, -0.5, atol=1e-9)
    assert 'surge_from_speed' not in codes(log) and ('speed_differs' in codes(log)) == (unit > 1.0)
    lost = {**given, 'x': np.where(along > 5.0, np.nan, along)}  # Fewer positions than speeds.
    np.testing.assert_allclose(assembled(SOURCE, TIME, lost).u, unit)


def test_speed_and_direction_of_a_flow_are_its_components():
    log = assembled(SOURCE, TIME, {'wind_speed': STILL + 3.0, 'wind_direction': STILL + 0.5 * np.pi})
    np.testing.assert_allclose(log.wind_x, 0.0, atol=1e-12)
    np.testing.assert_allclose(log.wind_y, 3.0)


def test_velocities_over_ground_are_turned_by_the_heading():
    yaw = 0.3 * (TIME - TIME[0])
    given = {'velocity_x': 2.0 * np.cos(yaw), 'velocity_y': 2.0 * np.sin(yaw), 'yaw': yaw, 'r': STILL + 0.3}
    log = assembled(SOURCE, TIME, given)
    np.testing.assert_allclose(log.u, 2.0)
    np.testing.assert_allclose(log.v, 0.0, atol=1e-12)


def test_places_that_are_none_are_refused():
    with pytest.raises(InputError, match='hold no fix'):
        assembled(SOURCE, TIME, {'longitude': STILL, 'latitude': STILL})
    with pytest.raises(InputError, match='latitude goes to 95'):
        assembled(SOURCE, TIME, {'longitude': STILL, 'latitude': STILL + 95.0})


def test_thrusters_stand_side_by_side_and_what_one_lacks_is_unknown():
    log = assembled(SOURCE, TIME, {}, (ThrusterSeries('left', thrust=STILL + 1.0),
                                       ThrusterSeries('right', command=STILL + 1600.0, neutral=1500.0)))
    assert log.thrusters == ('left', 'right') and log.neutral[1] == 1500.0 and np.isnan(log.neutral[0])
    assert (log.thrust[:, 0] == 1.0).all() and np.isnan(log.thrust[:, 1]).all()
    assert (log.command[:, 1] == 1600.0).all() and np.isnan(log.command[:, 0]).all()


def test_a_series_of_its_own_clock_has_holes_by_its_own_period():
    seldom = np.arange(0.0, 100.0, 2.0)
    assert Source('a', Path('a')).longest_interval(seldom) == 6.0
    assert Source('a', Path('a'), 10.0).longest_interval(seldom) == 10.0
    assert Source('a', Path('a'), 1.0).longest_interval(seldom) == 6.0, 'a short gap of the motion does not break it'


def test_places_without_a_heading_give_velocities_over_ground_and_no_surge():
    log = assembled(SOURCE, TIME, {'x': 2.0 * (TIME - TIME[0]), 'y': STILL + 5.0})
    assert not log.known('u') and not log.known('yaw') and 'velocity_derived' in codes(log)
    turned = assembled(SOURCE, TIME, {'x': 2.0 * (TIME - TIME[0]), 'y': STILL + 5.0, 'yaw': STILL + 0.5 * np.pi})
    np.testing.assert_allclose(turned.u, 0.0, atol=1e-9)
    np.testing.assert_allclose(turned.v, -2.0, rtol=1e-9)
    assert not assembled(SOURCE, TIME, {'yaw': STILL}).known('u'), 'a heading alone is no motion'


def test_places_go_up_to_90_and_360_degrees_and_nothing_is_at_nought_and_nought_only():
    """A fix on the equator, or on the meridian of Greenwich, is one."""
    for longitude, latitude in ((360.0, 0.0), (0.0, -90.0), (0.0, 60.0), (10.0, 0.0)):
        log = assembled(SOURCE, TIME, {'longitude': STILL + longitude, 'latitude': STILL + latitude})
        assert np.isfinite(log.x).all() and np.isfinite(log.y).all()
    for longitude, latitude in ((360.1, 0.0), (0.0, 90.1), (-360.1, 10.0), (0.0, -90.1)):
        with pytest.raises(InputError, match='must be degrees, up to 90 and 360'):
            assembled(SOURCE, TIME, {'longitude': STILL + longitude, 'latitude': STILL + latitude})
    some = np.where(TIME < 105.0, 0.0, 10.0)
    log = assembled(SOURCE, TIME, {'longitude': some, 'latitude': some})
    assert np.isnan(log.x[TIME < 105.0]).all() and log.x[-1] == pytest.approx(0.0, abs=1e-6)
    known = assembled(Source('a', Path('a.csv'), origin=(10.0, 9.99)), TIME, {'longitude': some, 'latitude': some})
    assert known.y[-1] == pytest.approx(1105.8, rel=1e-3), 'a hundredth of a degree of latitude'


@pytest.mark.parametrize(('through', 'east'), [(1.5, -0.5), (1.0, 0.0), (0.0, None)])
def test_speeds_over_ground_and_through_the_water_give_the_current_along_the_bow(through, east):
    """A boat that goes east at 1 m/s; a log that stays at 0 is fouled, and not used."""
    log = assembled(SOURCE, TIME, {'velocity_x': STILL + 1.0, 'velocity_y': STILL, 'yaw': STILL,
                                   'through_water': STILL + through})
    if east is None:
        assert not log.known('current_x') and 'speed_through_water' in codes(log)
        return
    np.testing.assert_allclose(log.current_x, east, atol=1e-12)
    np.testing.assert_allclose(log.current_y, 0.0, atol=1e-12)
    assert [note.level for note in log.notes if note.code == 'current_of_bow'] == ['warning' if east else 'info']


def test_opposite_courses_tell_the_scale_of_a_speed_through_the_water_from_a_current():
    """Out and back at 2 m/s over ground in 0.3 m/s to the east: right, and by a wheel that counts 0.8 of it."""
    time = np.arange(0.0, 600.0)
    yaw = np.where(time < 300.0, 0.0, np.pi)
    out = np.cos(yaw)
    for scale in (1.0, 0.8):
        log = assembled(SOURCE, time, {'velocity_x': 2.0 * out, 'velocity_y': 0.0 * out, 'yaw': yaw,
                                       'through_water': scale * (2.0 - 0.3 * out)})
        note = next(note for note in log.notes if note.code == 'current_of_bow')
        np.testing.assert_allclose(log.current_x[np.abs(time - 300.0) > 16.0], 0.3, rtol=1e-9)
        assert note.figures.get('scale', 1.0) == pytest.approx(scale)
        assert ('scale' in note.figures, note.level == 'warning') == (scale < 1.0, scale < 1.0)
        assert (note.figures['less'], note.figures['more']) == (-0.02, 0.02)


@pytest.mark.parametrize(('legs', 'wheel', 'tide'), [(2, 1.0, 0.4), (2, 0.8, 0.0), (24, 1.0, 0.4), (24, 0.8, 0.0)])
def test_a_tide_that_turns_with_the_boat_is_no_scale_but_where_courses_are_sailed_again(legs, wheel, tide):
    """
    At 1.5 m/s through the water for 6 h on two opposite courses, a wheel that is right in a tide that turns half way.

    Out and back once, that looks like a wheel that counts 0.8, in still water: then the interval holds both. With legs
    of 15 min each is known for what it is, to what the tide changes within them.
    """
    time = np.arange(0.0, 21600.0, 10.0)
    yaw = np.where(time * legs // 21600.0 % 2 == 0, 0.0, np.pi)
    stream = -tide * np.sin(2.0 * np.pi * (time - 10800.0) / 44712.0)
    log = assembled(SOURCE._replace(max_gap=20.0), time, {
        'velocity_x': 1.5 * np.cos(yaw) + stream, 'velocity_y': 0.0 * yaw, 'yaw': yaw,
        'through_water': np.full(time.size, 1.5 * wheel)})
    note = next(note for note in log.notes if note.code == 'current_of_bow')
    scale, truth = note.figures.get('scale', 1.0), 1.0 / wheel
    low, high = ((1.0 + note.figures[key]) / scale for key in ('less', 'more'))
    assert 0.999 * low <= truth <= 1.001 * high
    assert ('do not tell' in note.text) == (legs == 2)
    assert scale == pytest.approx(wheel if legs == 24 else 1.0, abs=0.05 if tide else 1e-6)


def test_a_clock_set_forward_under_way_is_no_hole_and_a_true_hole_stays():
    """On a circle of 10 m at 1 m/s, 10 Hz: an hour without a way is taken out, 20 s of way or of rest stay."""
    along = TIME - TIME[0]
    ahead = np.where(along >= 10.0, 3600.0, 0.0)
    circle = {'x': 10.0 * np.cos(0.1 * along), 'y': 10.0 * np.sin(0.1 * along), 'yaw': 0.1 * along + np.pi / 2.0,
              'r': STILL + 0.1}
    log = assembled(SOURCE._replace(max_gap=4000.0), TIME + ahead, circle)
    np.testing.assert_allclose(log.time, along, atol=1e-6)
    np.testing.assert_allclose(log.yaw, circle['yaw'], atol=1e-9, err_msg='turns of that hour')
    assert next(note for note in log.notes if note.code == 'clock_set_forward').figures['largest_s'] == (
        pytest.approx(3600.0, abs=1e-6))
    for speed in (0.0, 1.0):
        later = TIME + np.where(along >= 10.0, 20.0, 0.0)
        log = assembled(SOURCE, later, {'x': speed * later, 'y': STILL})
        assert log.duration == pytest.approx(along[-1] + 20.0) and 'clock_set_forward' not in codes(log)
