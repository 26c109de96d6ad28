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
