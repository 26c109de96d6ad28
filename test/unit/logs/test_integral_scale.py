"""The scale between positions and the integral of velocities, and between heading and that of the yaw rate."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.integral_scale import motion_scale, turning_scale, wander
from usv_energy.logs.log import Log
from usv_energy.logs.quality import checked_log, refuse_degrees


def cruise(rng, turn=None, period=0.1, seconds=900.0, clock=1.0, velocities=1.0, place=0.3, noise=0.01):
    """Return a log of a boat that winds about, or turns at a constant rate, rad/s; a clock, velocities of a scale."""
    fine = np.arange(0.0, seconds, 0.01)
    yaw = turn * fine if turn is not None else 0.4 + 0.8 * np.sin(0.05 * fine)
    u, v = 1.2 + 0.2 * np.sin(0.03 * fine), 0.05 + 0.0 * fine
    middle = np.exp(1j * (yaw[:-1] + 0.5 * np.diff(yaw)))
    way = np.concatenate([[0.0], np.cumsum(0.01 * (u + 1j * v)[:-1] * middle)])
    rows = slice(None, None, round(period / 0.01))
    t, n = fine[rows], rng.normal(size=(6, fine[rows].size))
    x, y = way.real[rows] + place * n[0], way.imag[rows] + place * n[1]
    return Log('cruise', Path('cruise.csv'), clock * t, x=x, y=y, yaw=yaw[rows] + noise * n[2],
               r=np.gradient(yaw, 0.01)[rows] + noise * n[3], u=velocities * u[rows] + 0.02 * n[4],
               v=velocities * v[rows] + 0.02 * n[5])


def notes(log):
    return {note.code: note for note in checked_log(log).warnings}


@pytest.mark.parametrize('period', [0.1, 1.0])
@pytest.mark.parametrize('turn', [None, 0.12, -0.2])
def test_a_sound_log_has_the_scale_1(rng, turn, period):
    log = cruise(rng, turn, period)
    scale = motion_scale(log.time, log.x, log.y, log.yaw, log.u, log.v, log.max_gap)
    assert scale.factor == pytest.approx(1.0, abs=max(4.0 * scale.std, 1e-3)) and scale.std < 2e-3
    assert 'pace' not in notes(log)


def test_a_constant_error_of_the_heading_is_no_scale(rng):
    log = cruise(rng)
    scale = motion_scale(log.time, log.x, log.y, log.yaw + 0.2, log.u, log.v, log.max_gap)
    assert scale.factor == pytest.approx(1.0, abs=2e-3)


def test_a_step_of_the_positions_is_left_out(rng):
    log = cruise(rng)
    x = log.x + np.where(log.time > 400.0, 50.0, 0.0)
    scale = motion_scale(log.time, x, log.y, log.yaw, log.u, log.v, log.max_gap)
    assert scale.factor == pytest.approx(1.0, abs=3e-3)


@pytest.mark.parametrize(('clock', 'velocities', 'points_to'), [(1.01, 1.0, 'the clock'),
                                                                (1.0, 1.01, 'the velocities')])
def test_a_clock_that_is_fast_and_velocities_that_are_large_are_both_said(rng, clock, velocities, points_to):
    log = cruise(rng, 0.12, clock=clock, velocities=velocities)
    note = notes(log)['pace']
    assert note.figures['factor'] == pytest.approx(1.0 / 1.01, abs=1e-3)
    assert 'the clock runs 1.0 % fast' in note.text and 'the velocities are 1.0 % too large' in note.text
    assert f'which points to {points_to}' in note.text
    assert note.figures['off_relative'] == pytest.approx(0.02 * (points_to == 'the clock'), abs=2e-3)


@pytest.mark.parametrize(('clock', 'said'), [(0.994, True), (1.006, True), (1.002, False)])
def test_it_is_said_from_half_a_percent_on(rng, clock, said):
    assert ('pace' in notes(cruise(rng, clock=clock))) == said


@pytest.mark.parametrize('period', [0.1, 1.0])
@pytest.mark.parametrize('turn', [0.12, -0.2, 0.05])
def test_a_turn_of_constant_rate_gives_no_alarm(rng, turn, period):
    """Heading and yaw rate to 0.6 deg and 0.6 deg/s: their correlation is that of their noise."""
    log = cruise(rng, turn, period, 240.0)
    assert turning_scale(log.time, log.yaw, log.r, log.max_gap).factor == pytest.approx(1.0, abs=0.02)
    assert not {'yaw_rate_differs', 'yaw_rate_sign'} & notes(log).keys()


def test_a_wrong_sign_and_a_stuck_rate_are_found_in_a_constant_turn_too(rng):
    log = cruise(rng, 0.12, seconds=240.0)
    assert 'yaw_rate_sign' in notes(replace(log, r=-log.r))
    assert 'yaw_rate_differs' in notes(replace(log, r=0.5 * log.r))
    winding = cruise(rng, seconds=240.0)
    assert 'yaw_rate_differs' in notes(replace(winding, r=0.1 + 0.01 * rng.normal(size=len(winding))))


@pytest.mark.parametrize('which', ['yaw', 'r'])
def test_degrees_are_found_in_a_constant_turn_too(rng, which):
    log = cruise(rng, 0.12, seconds=240.0)
    yaw, r = (np.degrees(log.yaw), log.r) if which == 'yaw' else (log.yaw, np.degrees(log.r))
    with pytest.raises(InputError, match=f'{which} is in degrees'):
        refuse_degrees(log.path, log.time, yaw, r)


def test_velocities_at_times_of_their_own_count_between_these(rng):
    """Positions in every fifth row, velocities in the others, as of sensors that are joined."""
    log = cruise(rng, clock=1.01)
    place = np.arange(len(log)) % 5 == 0
    log = replace(log, x=np.where(place, log.x, np.nan), y=np.where(place, log.y, np.nan),
                  u=np.where(place, np.nan, log.u), v=np.where(place, np.nan, log.v))
    scale = motion_scale(log.time, log.x, log.y, log.yaw, log.u, log.v, log.max_gap)
    assert scale.factor == pytest.approx(1.0 / 1.01, abs=2e-3)


def test_places_that_wander_are_told_from_noise_of_single_samples(rng):
    """A sine of 0.6 m over 40 s east and north: over 8 s it moves by 1.2 sin(pi / 5) / sqrt(2) rms, 0.062 m/s."""
    log = cruise(rng, 0.12)
    far = 0.6 * np.sin(2.0 * np.pi * log.time / 40.0), 0.6 * np.cos(2.0 * np.pi * log.time / 40.0)
    series = log.yaw, log.u, log.v, log.max_gap
    assert wander(log.time, log.x, log.y, *series).velocity < 0.005
    found = wander(log.time, log.x + far[0], log.y + far[1], *series)
    assert found.velocity * 1.1774 == pytest.approx(1.2 * np.sin(np.pi / 5.0) / 8.0, rel=0.1)
    assert 'places_wander' not in notes(log)
    assert notes(replace(log, x=log.x + far[0], y=log.y + far[1]))['places_wander'].figures['off_relative'] > 0.02
