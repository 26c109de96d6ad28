from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log

TIME = np.arange(0.0, 120.0, 0.1)


def test_a_log_says_what_it_lacks_and_refuses_wrong_shapes():
    log = Log('a', Path('a.csv'), TIME, u=TIME)
    with pytest.raises(InputError, match=r'a\.csv: has no v \(sway velocity\), thrust, which.*There are: u'):
        log.require('u', 'v', 'thrust')
    with pytest.raises(ValueError, match='shape'):
        Log('a', Path('a'), TIME, u=TIME[1:])
    with pytest.raises(ValueError, match='does not rise'):
        Log('a', Path('a'), np.array([0.0, 0.0]))


def test_gaps_follow_from_the_data_unless_they_are_given():
    often, rarely = (Log('a', Path('a'), time) for time in (TIME, np.append(10.0 * TIME, 1223.5)))
    assert (often.max_gap, rarely.max_gap) == (1.0, 3.0)
    assert rarely.gaps == [(pytest.approx(1199.0), 1223.5)]
    assert len(rarely.pieces()) == 2
    assert len(Log('a', Path('a'), rarely.time, max_gap=0.5).gaps) == len(rarely) - 1
    assert rarely.part(slice(0, 1200, 10)).max_gap == 3.0, 'a part keeps the gaps of the whole'
    assert Log('a', Path('a'), np.array([])).max_gap == 5.0, 'where no period is known'


def test_what_a_log_of_some_thrusters_leaves_out_is_unknown_of_each():
    log = Log('a', Path('a'), TIME, thrusters=('left', 'right'))
    for one in (log, Log('a', Path('a'), TIME, thrusters=('left', 'right'), places=((np.nan, np.nan),) * 3)):
        assert np.isnan(one.neutral).tolist() == [True, True] and one.mirrored == (False, False)
        assert np.isnan(one.places).tolist() == [[True, True]] * 2
    assert Log('a', Path('a'), TIME, thrusters=('left',), places=((1.0, 2.0),)).places == ((1.0, 2.0),)
    assert log.thrust.shape == (len(TIME), 2) and log.foil_angle.shape == (len(TIME), 0)


def test_the_period_is_the_median_step_and_unknown_of_one_sample():
    assert Log('a', Path('a'), np.array([0.0, 0.1, 0.2, 5.0])).period == pytest.approx(0.1)
    one = Log('a', Path('a'), np.array([3.0]))
    assert np.isnan(one.period) and one.duration == 0.0
    assert Log('a', Path('a'), np.array([3.0, 3.5])).period == 0.5


def test_places_of_thrusters_that_are_not_known_follow_their_number_and_known_ones_stay():
    known = ((1.0, 2.0), (3.0, 4.0))
    one = Log('a', Path('a'), np.arange(3.0), thrusters=('one',))
    assert np.isnan(one.places).all() and np.shape(one.places) == (1, 2)
    assert np.shape(replace(one, thrusters=('one', 'two')).places) == (2, 2)
    assert replace(one, places=known).places == known
