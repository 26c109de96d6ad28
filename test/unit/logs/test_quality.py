"""Each usual fault is put into a sound log, and found; a sound log gives no warning."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.logs.quality import FASTEST, FASTEST_TURN, checked_log
from usv_energy.logs.tables.column_map import columns_from
from usv_energy.logs.tables.csv_log import read_csv

TIME = np.arange(0.0, 120.0, 0.1)


@pytest.fixture
def log(rng):
    """A boat that winds about, driven by two thrusters, with sensor noise."""
    difference = 6.0 * np.sin(0.21 * TIME) + 4.0 * np.sin(0.57 * TIME)
    r = np.zeros(len(TIME))
    for step in range(1, len(TIME)):
        r[step] = r[step - 1] + 0.1 * (0.05 * difference[step - 1] - 0.8 * r[step - 1])
    yaw = 0.4 + np.cumsum(r) * 0.1
    u, v = 1.0 + 0.3 * np.sin(0.13 * TIME), -0.15 * r / 0.4
    x = np.cumsum(u * np.cos(yaw) - v * np.sin(yaw)) * 0.1
    y = np.cumsum(u * np.sin(yaw) + v * np.cos(yaw)) * 0.1
    thrust = np.column_stack([12.0 * u - 0.5 * difference, 12.0 * u + 0.5 * difference])
    noise = rng.normal(size=(5, len(TIME)))
    return Log('sound', Path('sound.csv'), TIME, x=x + 0.02 * noise[0], y=y + 0.02 * noise[1], yaw=yaw,
               u=u + 0.02 * noise[2], v=v + 0.02 * noise[3], r=r + 0.01 * noise[4], thrust=thrust,
               thrusters=('left', 'right'))


def codes(log, fix=False):
    return {note.code for note in checked_log(log, fix).warnings}


def test_a_sound_log_gives_no_warning(log):
    assert codes(log) == set()


FAULTS = {
    'thrusters_swapped': lambda log: replace(log, thrust=log.thrust[:, ::-1]),
    'yaw_rate_sign': lambda log: replace(log, r=-log.r),
    'sway_sign': lambda log: replace(log, v=-log.v),
    'surge_sign': lambda log: replace(log, u=-log.u, v=-log.v),
    'thrust_sign': lambda log: replace(log, thrust=-log.thrust[:, ::-1]),
    'one_thruster_sign': lambda log: replace(log, thrust=log.thrust * (1.0, -1.0)),
    'thrust_is_command': lambda log: replace(log, thrust=1500.0 + 20.0 * log.thrust),
    'speed_unit': lambda log: replace(log, u=log.u / 0.5144, v=log.v / 0.5144),
    'velocity_world': lambda log: replace(log, u=np.gradient(log.x, 0.1), v=np.gradient(log.y, 0.1)),
    'mixed_frames': lambda log: replace(log, x=log.y, y=log.x),
    'yaw_from_north': lambda log: replace(log, yaw=0.5 * math.pi - log.yaw, r=-log.r),
    'mirrored': lambda log: replace(log, r=-log.r, v=-log.v),
    'at_rest': lambda log: replace(log, u=0.01 * log.u, v=0.0 * log.v, r=0.0 * log.r, x=0.0 * log.x, y=0.0 * log.y),
    'implausible': lambda log: replace(log, u=100.0 * log.u),
    'outliers': lambda log: replace(log, u=np.where(log.time == log.time[70], 1e12, log.u)),
    'gaps': lambda log: log.part((log.time < 40.0) | (log.time > 47.0)),
    'period': lambda log: replace(log, time=1e3 * log.time, max_gap=1e4),
}


@pytest.mark.parametrize('fault', FAULTS)
def test_a_fault_is_found(log, fault):
    assert fault in codes(FAULTS[fault](log))


def test_thrusters_are_not_judged_as_a_pair_where_something_turns(log):
    """More thrust to port with the boat turning to port says nothing where a rudder may have turned it."""
    swapped = FAULTS['thrusters_swapped'](log)
    assert 'thrusters_swapped' in codes(swapped)
    turning = np.zeros((len(log), 1))
    for more in ({'foils': ('rudder',), 'foil_angle': turning}, {'angle': np.repeat(turning, 2, axis=1)}):
        assert codes(replace(swapped, **more)) == set()


@pytest.mark.parametrize('fault', ['thrusters_swapped', 'yaw_rate_sign', 'sway_sign'])
def test_what_is_turned_round_is_put_right_where_that_is_asked_for(log, fault):
    mended = checked_log(FAULTS[fault](log), fix=True)
    assert not mended.warnings
    for name in ('v', 'r', 'thrust'):
        np.testing.assert_array_equal(getattr(mended, name), getattr(log, name))
    assert fault in {note.code for note in mended.notes}


def test_thrusters_are_told_by_their_names_not_by_their_order(log):
    other = replace(log, thrust=log.thrust[:, ::-1], thrusters=('right', 'left'), neutral=(1511.0, 1489.0),
                    mirrored=(True, False), places=((-1.0, -0.5), (-1.0, 0.5)))
    kept = checked_log(other, fix=True)
    assert not kept.notes and kept.thrusters == ('left', 'right') and kept.neutral == (1489.0, 1511.0)
    assert kept.places == ((-1.0, 0.5), (-1.0, -0.5))
    assert kept.mirrored == (False, True)
    assert np.array_equal(kept.thrust, log.thrust)


@pytest.mark.parametrize('wrong', [0, 1])
@pytest.mark.parametrize('exchanged', [False, True])
def test_a_mirrored_thruster_is_named_and_turned_about_its_neutral(log, wrong, exchanged):
    sign = np.where(np.arange(2) == wrong, -1.0, 1.0)
    push = log.thrust[:, ::-1] if exchanged else log.thrust
    unknown = np.full_like(push, np.nan)
    command = replace(log, thrust=unknown, command=1500.0 + sign * 20.0 * push, neutral=(1500.0, 1500.0))
    told = {note.code: note for note in checked_log(command).warnings}
    assert f'the command of {log.thrusters[wrong]} has' in told['one_thruster_sign'].text
    mended = checked_log(command, fix=True)
    assert mended.mirrored == ((wrong == 0) != exchanged, (wrong == 1) != exchanged)
    assert not mended.warnings and np.allclose(mended.command, 1500.0 + 20.0 * log.thrust)
    assert 'one_thruster_sign' in codes(replace(command, neutral=(math.nan, math.nan)), fix=True)


def test_gaps_are_counted(log):
    note, = checked_log(FAULTS['gaps'](log)).warnings
    assert note.figures['gaps'] == 1 and note.figures['longest_s'] == pytest.approx(7.1, abs=0.11)
    assert [piece.stop - piece.start for piece in FAULTS['gaps'](log).pieces()] == [400, 729]


@pytest.mark.parametrize(('yaw_unit', 'r_unit', 'says'), [
    ('rad', 'rad/s', 'yaw is in degrees.*unit: deg'), ('deg', 'deg/s', None), ('rad', None, 'jumps by 3.*degrees')])
def test_degrees_that_are_called_radians_are_refused(tmp_path, yaw_unit, r_unit, says):
    yaw = np.degrees(0.3 * TIME) % 360.0
    rate = 0.3 + 0.1 * np.sin(TIME)
    yaw = np.degrees(0.3 * TIME - 0.1 * np.cos(TIME)) % 360.0
    path = tmp_path / 'a.csv'
    given = np.degrees(rate) if r_unit == 'deg/s' else rate
    path.write_text('t,yaw,r\n' + ''.join(f'{t},{a},{b}\n' for t, a, b in zip(TIME, yaw, given)))
    columns = {'time': {'column': 't', 'unit': 's'}, 'yaw': {'column': 'yaw', 'unit': yaw_unit}}
    if r_unit is not None:
        columns['r'] = {'column': 'r', 'unit': r_unit}
    column_map = columns_from({'columns': columns}, tmp_path / 'map.yaml')
    if says is None:
        assert np.ptp(read_csv(path, column_map).yaw) == pytest.approx(36.0, abs=0.3)
    else:
        with pytest.raises(InputError, match=says):
            read_csv(path, column_map)


@pytest.mark.parametrize(('name', 'limit'), [('u', FASTEST), ('r', FASTEST_TURN)])
def test_a_sample_is_wild_that_is_faster_than_the_limit(log, name, limit):
    """One of them, in a log whose others are sound; without sway, so that surge is the speed."""
    for value, wild in ((limit, False), (math.nextafter(limit, math.inf), True)):
        series = np.where(log.time == log.time[70], value, getattr(log, name))
        assert ('outliers' in codes(replace(log, v=0.0 * log.v, **{name: series}))) is wild


def test_what_is_implausible_is_faster_than_the_limit_throughout(log):
    """All samples at the limit are plausible; all a little above it are asked for their unit."""
    for speed, told in ((FASTEST, False), (math.nextafter(FASTEST, math.inf), True)):
        fast = replace(log, u=np.full(len(log), speed), v=np.zeros(len(log)))
        assert ('implausible' in codes(fast)) is told


def test_what_is_turned_round_is_turned_with_its_derivative(log):
    """A log that has accelerations: they change their sign with the yaw rate, and with the sway."""
    whole = replace(log, r_dot=np.gradient(log.r, 0.1), v_dot=np.gradient(log.v, 0.1))
    for wrong in (replace(whole, r=-whole.r, r_dot=-whole.r_dot), replace(whole, v=-whole.v, v_dot=-whole.v_dot)):
        mended = checked_log(wrong, fix=True)
        for name in ('r', 'r_dot', 'v', 'v_dot'):
            np.testing.assert_array_equal(getattr(mended, name), getattr(whole, name))


def test_a_yaw_rate_of_noise_is_none_of_the_wrong_sign(log, rng):
    assert codes(replace(log, r=0.1 * rng.normal(size=len(log)))) == {'yaw_rate_differs'}


def test_numbers_whose_squares_are_nothing_match_nothing():
    from usv_energy.logs.quality import match
    assert np.isnan(match(1e-320 * np.arange(100.0), np.arange(100.0)).slope)
