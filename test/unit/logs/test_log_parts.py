"""Pieces, gaps, parts and durations of logs, at their edges."""

import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.logs.log import INFO, WARNING, Log, Note


def log(time, **series):
    return Log('log', Path('log.csv'), np.array(time, dtype=float), **series)


def test_duration_and_period_are_those_of_its_own_samples_wherever_they_begin():
    late = log([10.0, 10.5, 11.0, 12.0])
    assert (late.duration, late.period) == (2.0, 0.5)
    assert log([]).duration == 0.0 and log([7.0]).duration == 0.0
    assert math.isnan(log([7.0]).period) and math.isnan(log([]).period) and log([7.0, 9.0]).period == 2.0


def test_a_step_of_the_longest_is_no_gap_and_a_longer_one_is():
    some = log([0.0, 1.0, 2.0, 4.0, 7.0, 8.0], max_gap=2.0)
    assert some.gaps == [(4.0, 7.0)]
    assert some.pieces() == [slice(0, 4), slice(4, 6)]
    assert log([0.0, 5.0], max_gap=1.0).pieces() == [slice(0, 1), slice(1, 2)]
    assert log([], max_gap=1.0).pieces() == [] and log([], max_gap=1.0).gaps == []


def test_parts_keep_their_times_with_all_that_belongs_to_them():
    whole = log([0.0, 1.0, 2.0, 3.0], u=np.arange(4.0), thrust=np.arange(8.0).reshape(4, 2), thrusters=('a', 'b'),
                extra={'depth_m': 10.0 + np.arange(4.0)})
    middle = whole.between(1.0, 3.0)
    assert middle.time.tolist() == [1.0, 2.0] == middle.u.tolist(), 'from the begin to before the end'
    assert middle.thrust.tolist() == [[2.0, 3.0], [4.0, 5.0]] and middle.extra['depth_m'].tolist() == [11.0, 12.0]
    assert whole.part(np.array([True, False, False, True])).time.tolist() == [0.0, 3.0]
    assert whole.part(slice(2, None)).u.tolist() == [2.0, 3.0]


def test_what_is_known_is_known_by_one_number_of_each():
    some = log([0.0, 1.0], u=np.array([math.nan, 1.0]), v=np.full(2, math.nan))
    assert some.known('u') and not some.known('v') and not some.known('u', 'v') and not some.known('r')


@pytest.mark.parametrize('time', [[0.0, 0.0], [1.0, 0.5], [0.0, math.nan]])
def test_time_must_rise(time):
    with pytest.raises(ValueError, match='time does not rise'):
        log(time)


def test_notes_are_added_at_the_end_and_warnings_are_picked():
    first, second = Note(INFO, 'a', 'done'), Note(WARNING, 'b', 'look')
    noted = log([0.0]).noted(first).noted(second)
    assert noted.notes == (first, second) and noted.warnings == (second,)
