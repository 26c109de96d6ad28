"""What a finding rests on, in closed form: correlations, delays, ratios, and the limits from which one is made."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.logs.quality import checked_log, match, refuse_degrees

TIME = np.arange(0.0, 120.0, 0.1)
REST = np.zeros(TIME.size)


def smooth(rng, over=5):
    """Return a random series that forgets itself within half a second, standard deviation 1."""
    values = np.convolve(rng.normal(size=TIME.size + over - 1), np.ones(over) / over, 'valid')
    return (values - values.mean()) / values.std()


def found(log):
    return {note.code: note for note in checked_log(log).warnings}


def delayed(values, delay):
    return np.concatenate([np.zeros(delay), values[:len(values) - delay]])


@pytest.mark.parametrize('delay, sees', [(0.0, True), (0.5, True), (1.0, True), (1.5, True), (2.0, True), (5.0, False)])
def test_left_and_right_are_told_by_a_turn_that_answers_late(rng, delay, sees):
    """A turn that follows the wrong way round, up to 2 s late: correlation -1 at its delay, and none without it."""
    difference = smooth(rng)
    r = -0.2 * delayed(difference, round(delay / 0.1))
    log = Log('late', Path('late.csv'), TIME, r=r, thrust=np.column_stack([-difference, difference]),
              thrusters=('left', 'right'))
    notes = found(log)
    assert set(notes) == ({'thrusters_swapped'} if sees else set())
    if sees:
        assert notes['thrusters_swapped'].figures['correlation'] == pytest.approx(-1.0, abs=0.01)


@pytest.mark.parametrize('delay', [0.0, 1.5])
def test_thrust_ahead_that_drives_astern_is_told_late_too(rng, delay):
    ahead = smooth(rng)
    turning = smooth(rng)
    lag = round(delay / 0.1)
    log = Log('astern', Path('astern.csv'), TIME, r=0.2 * delayed(turning, lag), u=-delayed(ahead, lag),
              thrust=np.column_stack([ahead - turning, ahead + turning]), thrusters=('left', 'right'))
    notes = found(log)
    assert set(notes) == {'thrust_sign'}
    assert notes['thrust_sign'].figures['correlation'] == pytest.approx(-1.0, abs=0.01)


def test_match_is_the_correlation_and_the_slope(rng):
    other, noise = smooth(rng), smooth(rng)
    noise = noise - (noise @ other) / (other @ other) * other  # orthogonal, so that the closed form is exact
    one = 7.0 + 3.0 * other + 4.0 * noise * math.sqrt((other @ other) / (noise @ noise))
    assert match(one, other) == pytest.approx((3.0 / 5.0, 3.0), rel=1e-12)
    assert match(-one, other) == pytest.approx((-3.0 / 5.0, -3.0), rel=1e-12)
    known = np.arange(TIME.size) < 30
    some = np.where(known, one, math.nan)
    assert match(some, other) == pytest.approx(match(one[:30], other[:30]), rel=1e-12)
    assert all(map(math.isnan, match(np.where(np.arange(TIME.size) < 29, one, math.nan), other)))
    assert all(map(math.isnan, match(one, REST))) and all(map(math.isnan, match(REST, one)))


@pytest.mark.parametrize('speed, turn, rests', [
    (0.099, 0.049, True), (0.1, 0.0, False), (0.0, 0.05, False),
    (0.101, 0.0, False), (0.0, 0.051, False), (-0.101, 0.0, False)])
def test_rest_ends_where_either_exceeds_its_limit(speed, turn, rests):
    log = Log('slow', Path('slow.csv'), TIME, u=REST + speed, v=REST, r=REST + turn)
    assert ('at_rest' in found(log)) is rests


@pytest.mark.parametrize('speed, turn, code', [
    (29.9, 5.9, None), (30.0, 6.0, None), (30.1, 0.0, 'implausible'), (0.5, 6.1, 'implausible')])
def test_what_no_boat_does_begins_at_its_limits(speed, turn, code):
    notes = found(Log('fast', Path('fast.csv'), TIME, u=REST + speed, v=REST, r=REST + turn))
    assert set(notes) == ({code} if code else set())
    if code:
        assert notes[code].figures == pytest.approx({'speed_m_s': speed, 'yaw_rate_rad_s': turn})


def test_speed_is_of_surge_and_sway_together():
    notes = found(Log('fast', Path('fast.csv'), TIME, u=REST + 24.0, v=REST + 32.0))
    assert notes['implausible'].figures['speed_m_s'] == pytest.approx(40.0)


@pytest.mark.parametrize('name, value', [('u', 31.0), ('v', -31.0), ('r', -6.5)])
def test_single_samples_that_no_boat_has_are_counted_and_the_first_is_told(name, value):
    log = Log('wild', Path('wild.csv'), TIME, u=REST + 1.0, v=REST, r=REST)
    series = getattr(log, name).copy()
    series[[200, 300, 301]] = value
    note, = checked_log(replace(log, **{name: series})).warnings
    assert (note.code, note.figures) == ('outliers', {'samples': 3, 'first_s': pytest.approx(20.0)})


def test_gaps_are_told_by_number_sum_and_longest():
    time = np.concatenate([TIME, TIME + 130.0, TIME + 300.0])
    note, = checked_log(Log('holes', Path('holes.csv'), time, u=np.ones(time.size))).warnings
    assert note.figures == pytest.approx({'gaps': 2, 'gap_duration_s': 10.1 + 50.1, 'longest_s': 50.1})


@pytest.mark.parametrize(('period', 'doubtful'), [
    (10.0, False), (math.nextafter(10.0, 11.0), True), (1e-3, False), (math.nextafter(1e-3, 0.0), True)])
def test_the_unit_of_time_is_doubted_beyond_ten_seconds_and_a_millisecond(period, doubtful):
    """Two samples, whose step is the period to the last digit; a logger of one sample in ten seconds is a sound one."""
    log = Log('two', Path('two.csv'), np.array([0.0, period]), u=np.ones(2))
    assert ('period' in found(log)) is doubtful


def test_two_thrusters_only_and_the_pulse_widths_between_their_limits():
    def thrusts(low, high):
        return Log('pwm', Path('pwm.csv'), TIME, thrust=np.linspace(low, high, TIME.size)[:, None], thrusters=('one',))

    note = found(thrusts(800.0, 2200.0))['thrust_is_command']
    assert note.figures == {'least_n': 800.0, 'largest_n': 2200.0}
    assert not found(thrusts(799.0, 2200.0)) and not found(thrusts(800.0, 2201.0))
    few = thrusts(900.0, 2000.0)
    few.thrust[29:] = math.nan
    assert not found(few)
    few.thrust[29] = 1000.0
    assert set(found(few)) == {'thrust_is_command'}


@pytest.mark.parametrize('factor, unit', [(1852.0 / 3600.0, 'knots'), (1.0 / 3.6, 'km/h'), (0.01, 'cm/s'),
                                            (0.001, 'mm/s')])
def test_the_unit_of_a_speed_is_told_by_its_ratio(factor, unit):
    """Positions that change by a factor of what surge says; within a fifth of a unit's, it is that unit."""
    u = 0.6 + 0.1 * np.sin(0.2 * TIME) + 0.1 * np.sin(0.31 * TIME)
    x = np.concatenate([[0.0], np.cumsum(0.05 * (u[1:] + u[:-1]))])
    log = Log('units', Path('units.csv'), TIME, x=x, y=REST, yaw=REST, u=u / factor, v=REST, r=REST)
    note = found(log)['speed_unit']
    assert f'in {unit} (factor' in note.text and note.figures['ratio'] == pytest.approx(factor, rel=0.01)
    assert 'speed_unit' in found(replace(log, u=log.u / 1.15))
    assert 'speed_unit' not in found(replace(log, u=log.u * 0.75))


def stop_and_go(factor=1.0):
    """Return a log of surge that swings every six seconds on a circle, and its true places; surge divided by factor."""
    u, yaw = 0.6 + 0.4 * np.sin(2.0 * math.pi / 6.0 * TIME), 0.1 * TIME
    x, y = (cumulative_trapezoid(u * one, TIME, initial=0.0) for one in (np.cos(yaw), np.sin(yaw)))
    return Log('go', Path('go.csv'), TIME, x=x, y=y, yaw=yaw, u=u / factor, v=REST, r=REST + 0.1)


@pytest.mark.parametrize('factor', [1.0, 1852.0 / 3600.0])
@pytest.mark.parametrize('seldom', ['alone', 'held'])
def test_positions_once_a_second_in_faster_rows_do_not_make_a_speed_one_of_another_unit(factor, seldom):
    """Derivatives of five positions a second apart are half of such a surge, which is a knot's factor, too."""
    log = stop_and_go(factor)
    fix = 10 * (np.arange(len(log)) // 10)
    alone = np.arange(len(log)) % 10 == 0
    x, y = ((np.where(alone, series, math.nan) if seldom == 'alone' else series[fix]) for series in (log.x, log.y))
    notes = found(replace(log, x=x, y=y))
    assert ('speed_unit' in notes) is (factor < 1.0)
    if factor < 1.0:
        assert notes['speed_unit'].figures['ratio'] == pytest.approx(factor, rel=0.01)


@pytest.mark.parametrize('ratio, what, unit', [(math.pi / 180.0, 'r', 'deg/s'), (180.0 / math.pi, 'yaw', 'deg')])
def test_a_yaw_rate_in_the_other_unit_is_refused_by_the_slope(rng, ratio, what, unit):
    r = 0.2 * smooth(rng, 20)
    yaw = np.concatenate([[0.0], np.cumsum(0.05 * (r[1:] + r[:-1]))])
    with pytest.raises(InputError, match=f'{what} is in degrees.* {what}: {{unit: {unit}}}; or'):
        refuse_degrees(Path('a.csv'), TIME, yaw * ratio, r)
    with pytest.raises(InputError, match=f'{what} is in degrees'):
        refuse_degrees(Path('a.csv'), TIME, -yaw * ratio * 1.15, r)
    refuse_degrees(Path('a.csv'), TIME, yaw * ratio * 1.5, r)
    refuse_degrees(Path('a.csv'), TIME, yaw, r)
    refuse_degrees(Path('a.csv'), TIME[:29], yaw[:29] * ratio, r[:29])


@pytest.mark.parametrize('speed, tells', [(1.0, True), (0.1, False)])
def test_thrust_of_the_wrong_sign_is_told_of_a_boat_that_gets_under_way_only(rng, speed, tells):
    """The 99th percentile of the speed above 0.5 m/s: below, wind and current say more than the thrusters."""
    ahead, turning = smooth(rng), smooth(rng)
    log = Log('astern', Path('astern.csv'), TIME, r=0.2 * turning, u=-speed * ahead,
              thrust=np.column_stack([ahead - turning, ahead + turning]), thrusters=('left', 'right'))
    assert ('thrust_sign' in found(log)) is tells


def test_jumps_of_a_heading_from_turn_to_turn_do_not_hide_a_rate_in_degrees(rng):
    """A boat that circles: the heading is wrapped 13 times in two minutes, and its rate is 57 times too large."""
    r = 0.7 + 0.2 * smooth(rng, 20)
    yaw = np.mod(np.concatenate([[0.0], np.cumsum(0.05 * (r[1:] + r[:-1]))]), 2.0 * math.pi)
    assert (np.abs(np.diff(yaw)) > 6.0).sum() == 13
    refuse_degrees(Path('a.csv'), TIME, yaw, r)
    with pytest.raises(InputError, match='r is in degrees'):
        refuse_degrees(Path('a.csv'), TIME, yaw, np.degrees(r))


@pytest.mark.parametrize(('series', 'first', 'second', 'code'), [
    ('r', (1, -1, 0, 1, -1, 0), (0, 1, -1, 0, 1, -1), 'thrusters_swapped'),
    ('u', (-2, -1, 0, 0, 1, 2), (0, 2, 0, 1, -1, -2), 'thrust_sign')])
def test_a_correlation_of_just_the_limit_is_no_finding(series, first, second, code):
    """Whole numbers, whose correlation is exactly -0.5 or -0.7; samples 5 s apart, so that no delay is tried."""
    time, motion, drive = 5.0 * np.arange(60), np.tile(first, 10).astype(float), np.tile(second, 10).astype(float)
    log = Log('just', Path('just.csv'), time, **{'u': 0.0 * time, 'r': 0.0 * time, series: motion},
              thrust=np.column_stack([drive if series == 'u' else -drive, drive]), thrusters=('left', 'right'))
    assert match(motion, 2.0 * drive).correlation == (-0.5 if series == 'r' else -0.7)
    assert code not in found(log)
    nearer = drive.copy()
    nearer[:6] = -2.0 * motion[:6]
    assert code in found(replace(log, thrust=np.column_stack([nearer if series == 'u' else -nearer, nearer])))


@pytest.mark.parametrize('side', [1.0, -1.0], ids=['as given', 'sway sign'])
def test_the_way_that_a_unit_is_told_by_has_surge_and_sway_in_it(side):
    """A boat that goes half as fast to its side, in knots, its sway with either sign: 0.5144 all the same."""
    u, v, yaw = 1.0 + 0.3 * np.sin(0.9 * TIME), 0.5 + 0.4 * np.sin(0.6 * TIME), 0.1 * TIME
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = (cumulative_trapezoid(one, TIME, initial=0.0) for one in (u * c - v * s, u * s + v * c))
    factor = 1852.0 / 3600.0
    notes = found(Log('side', Path('side.csv'), TIME, x=x, y=y, yaw=yaw, u=u / factor, v=side * v / factor,
                      r=REST + 0.1))
    assert notes['speed_unit'].figures['ratio'] == pytest.approx(factor, rel=2e-3)
    assert ('sway_sign' in notes) is (side < 0.0)


def test_what_is_explained_is_told_in_percent():
    """A quarter of a circle at 1 m/s, velocities along east and north: read along the body, (sin Y / Y)^2 of them."""
    yaw = 0.5 * math.pi * TIME / TIME[-1]
    pace = TIME[-1] / (0.5 * math.pi)
    note = found(Log('world', Path('world.csv'), TIME, x=pace * np.sin(yaw), y=-pace * np.cos(yaw), yaw=yaw,
                     u=np.cos(yaw), v=np.sin(yaw), r=REST + 1.0 / pace))['velocity_world']
    assert note.figures == pytest.approx({'explained_as_given': (2.0 / math.pi) ** 2, 'explained': 1.0}, rel=2e-3)
    assert 'explain 40.5 % of them' in note.text and '(100.0 %)' in note.text


def test_half_a_metre_a_second_is_not_under_way_yet(rng):
    """Surge that is this or its negative in each sample, so that it is the 99th percentile to the last digit."""
    ahead, turning = np.where(smooth(rng) > 0.0, 1.0, -1.0), smooth(rng)
    for speed, tells in ((0.5, False), (math.nextafter(0.5, 1.0), True)):
        log = Log('slow', Path('slow.csv'), TIME, r=0.2 * turning, u=-speed * ahead,
                  thrust=np.column_stack([ahead - turning, ahead + turning]), thrusters=('left', 'right'))
        assert ('thrust_sign' in found(log)) is tells


@pytest.mark.parametrize(('surge', 'turn', 'tells'), [
    (0.9, 1.0, True), (0.75, 1.0, False), (1.0, 0.9, True), (1.0, 0.75, False), (0.65, 1.0, False), (-0.9, -0.9, True)])
def test_one_thruster_of_the_wrong_sign_is_told_by_what_is_half_as_strong_again(rng, surge, turn, tells):
    """Surge that follows the difference by a share, and the sum by the rest of 1 in squares: correlations are those."""
    one, two = smooth(rng), smooth(rng)
    two = two - (two @ one) / (one @ one) * one  # Orthogonal, so that correlations are the shares.
    two = two * math.sqrt((one @ one) / (two @ two))
    u = surge * one + math.sqrt(1.0 - surge ** 2) * two  # `one`: the difference of both, `two`: their sum.
    r = 0.2 * (turn * two + math.sqrt(1.0 - turn ** 2) * one)
    log = Log('one', Path('one.csv'), TIME, u=u, r=r, thrust=np.column_stack([two - one, two + one]),
              thrusters=('left', 'right'))
    assert ('one_thruster_sign' in found(log)) is tells
    if not tells:
        return
    mended = checked_log(log, fix=True)
    wrong = 0 if surge > 0.0 else 1
    np.testing.assert_array_equal(mended.thrust, log.thrust * np.where(np.arange(2) == wrong, -1.0, 1.0))
    assert mended.mirrored == (wrong == 0, wrong == 1)


def test_pulses_of_the_wrong_sign_are_turned_about_their_neutral_or_left_where_nobody_knows_it(rng):
    ahead, turning = smooth(rng), smooth(rng)
    command = np.column_stack([1500.0 - 50.0 * (ahead - turning), 1520.0 + 50.0 * (ahead + turning)])
    log = Log('pwm', Path('pwm.csv'), TIME, u=ahead, r=0.2 * turning, command=command, neutral=(1510.0, 1520.0),
              thrusters=('left', 'right'))
    mended = checked_log(log, fix=True)
    np.testing.assert_allclose(mended.command, np.column_stack([3020.0 - command[:, 0], command[:, 1]]))
    assert not mended.warnings and mended.mirrored == (True, False)
    assert 'one_thruster_sign' in {note.code for note in checked_log(
        replace(log, neutral=(math.nan, 1520.0)), fix=True).warnings}


def test_another_reading_that_is_only_a_little_better_is_no_finding(rng):
    """Straight to the east, the compass 3 degrees off: along east is a little nearer than along the body."""
    heading, sway = 0.05 * smooth(rng), 0.1 * smooth(rng)
    u = 1.0 + 0.2 * np.sin(0.3 * TIME)
    log = Log('east', Path('east.csv'), TIME, x=cumulative_trapezoid(u, TIME, initial=0.0), y=REST, yaw=heading, u=u,
              v=sway, r=REST)
    assert not {'velocity_world', 'mixed_frames', 'yaw_from_north', 'sway_sign'} & set(found(log))


def test_a_noisy_heading_on_a_straight_way_east_makes_no_world_frame(rng):
    """Velocities without noise: turned by a heading of 6 degrees of noise, the way's derivative fits them less."""
    u = 1.0 + 0.2 * np.sin(0.3 * TIME)
    log = Log('east', Path('east.csv'), TIME, x=cumulative_trapezoid(u, TIME, initial=0.0), y=REST,
              yaw=0.1 * rng.standard_normal(TIME.size), u=u, v=REST, r=REST)
    assert 'velocity_world' not in found(log)
