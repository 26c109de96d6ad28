"""Positions, velocities and yaw rates that nobody filled in, or that stand still, against what the others say."""

from pathlib import Path

import numpy as np
import pytest

from usv_energy.logs.assemble import Source, assembled

SOURCE = Source('a', Path('a.csv'))
TIME = 0.1 * np.arange(600)
EAST = 1.2 * TIME
NOTHING = np.zeros(600)


def log_of(**series):
    log = assembled(SOURCE, TIME, series)
    return log, {note.code: note.figures for note in log.warnings}


@pytest.mark.parametrize('place', [{'x': NOTHING, 'y': NOTHING}, {'x': NOTHING + 7.0, 'y': NOTHING - 3.0},
                                   {'longitude': NOTHING, 'latitude': NOTHING},
                                   {'longitude': NOTHING + 9.0, 'latitude': NOTHING + 50.0}])
@pytest.mark.parametrize('motion', [{'u': NOTHING + 1.2, 'v': NOTHING, 'yaw': NOTHING, 'r': NOTHING},
                                    {'velocity_x': NOTHING + 1.2, 'velocity_y': NOTHING, 'yaw': NOTHING},
                                    {'speed': NOTHING + 1.2, 'course': NOTHING}])
def test_a_position_that_never_changes_while_the_boat_moves_is_left_out(place, motion):
    log, codes = log_of(**place, **motion)
    assert not log.known('x') and not log.known('y')
    assert 'position_never_filled' in codes
    np.testing.assert_allclose(log.u, 1.2)


def test_a_boat_at_rest_has_a_position_that_never_changes():
    log, codes = log_of(x=NOTHING, y=NOTHING, u=NOTHING + 0.01, v=NOTHING, yaw=NOTHING, r=NOTHING)
    assert log.known('x') and 'position_never_filled' not in codes


def test_a_position_that_stands_still_for_a_while_is_not_used_there():
    """Not filled in for the first 15 s, held for 20 s later, and for 5 s, which may be a slow receiver's."""
    x = EAST.copy()
    x[:150], x[250:450], x[500:550] = 0.0, x[250], x[500]
    log, codes = log_of(x=x, y=NOTHING, u=NOTHING + 1.2, v=NOTHING, yaw=NOTHING, r=NOTHING)
    unknown = np.flatnonzero(np.isnan(log.x))
    np.testing.assert_array_equal(unknown, [*range(150), *range(251, 450)])
    assert codes['position_held'] == {'stretches': 2, 'duration_s': pytest.approx(14.9 + 19.9),
                                      'moved_m': pytest.approx(1.2 * 19.9)}


def test_velocities_that_are_nought_while_the_places_move_are_left_out():
    log, codes = log_of(x=EAST, y=NOTHING, u=NOTHING, v=NOTHING, yaw=NOTHING, r=NOTHING)
    np.testing.assert_allclose(log.u, 1.2)
    assert codes['velocity_never_filled'] == {'moved_m': pytest.approx(1.2 * 59.9)}
    log, codes = log_of(x=0.1 * EAST, y=NOTHING, u=NOTHING, v=NOTHING, yaw=NOTHING, r=NOTHING)
    np.testing.assert_allclose(log.u, 0.0)
    assert not codes, 'a receiver may wander 7 m at rest'


def test_a_yaw_rate_that_is_nought_while_the_heading_turns_is_left_out():
    log, codes = log_of(u=NOTHING + 1.2, v=NOTHING, yaw=0.2 * TIME, r=NOTHING)
    np.testing.assert_allclose(log.r, 0.2)
    assert codes['yaw_rate_never_filled'] == {'turned_rad': pytest.approx(0.2 * 59.9, rel=0.03)}


def test_a_position_of_noise_alone_is_left_out_where_the_boat_moves_on(rng):
    noise = {name: 0.05 * rng.standard_normal(600) for name in ('x', 'y')}
    log, codes = log_of(**noise, u=NOTHING + 1.2, v=NOTHING, yaw=NOTHING, r=NOTHING)
    assert not log.known('x') and 'position_never_filled' in codes
    log, codes = log_of(**noise, u=NOTHING + 0.05, v=NOTHING, yaw=NOTHING, r=NOTHING)
    assert log.known('x') and not codes, 'a boat at rest, whose velocity is 0.05 m/s off'
    circle = {'x': 0.5 * np.sin(2.4 * TIME), 'y': 0.5 * np.cos(2.4 * TIME)}
    log, codes = log_of(**circle, u=NOTHING + 1.2, v=NOTHING, yaw=-2.4 * TIME, r=NOTHING - 2.4)
    assert log.known('x') and not codes, 'a boat that turns on the spot'


def test_a_heading_that_never_changes_is_left_out_where_the_way_turns():
    square = np.minimum(EAST, 30.0), np.maximum(EAST - 30.0, 0.0)
    log, codes = log_of(x=square[0], y=square[1], u=NOTHING + 1.2, v=NOTHING, yaw=NOTHING + 0.3, r=NOTHING)
    assert codes['heading_never_filled'] == {'turned_rad': pytest.approx(np.pi / 2.0)}
    assert not np.allclose(np.nan_to_num(log.yaw), 0.3)
    _, codes = log_of(x=EAST, y=NOTHING, u=NOTHING + 1.2, v=NOTHING, yaw=NOTHING, r=NOTHING)
    assert not codes, 'a straight way'
