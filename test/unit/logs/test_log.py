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
