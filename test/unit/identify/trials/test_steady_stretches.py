from pathlib import Path

import numpy as np
import pytest

from usv_energy.identify.trials.steady_stretches import BLOCK, steady_blocks
from usv_energy.logs.log import Log


def test_what_is_steady_counts_and_turns_and_speeding_up_do_not():
    """A minute east at 1 m/s, ten seconds to 2 m/s, a minute at 2 m/s, a quarter turn, a minute north at 2 m/s."""
    time = np.arange(0.0, 200.0, 0.5)
    u = np.interp(time, [0.0, 60.0, 70.0], [1.0, 1.0, 2.0])
    yaw = np.interp(time, [130.0, 140.0], [0.0, 0.5 * np.pi])
    log = Log('log', Path('log.csv'), time, u=u, v=0.0 * u, yaw=yaw, electrical_power=10.0 * u)
    found = steady_blocks([log])
    assert found.begin.tolist() == [0, 10, 20, 30, 40, 50, 70, 80, 90, 100, 110, 120, 140, 150, 160, 170, 180]
    assert np.hypot(found.vx, found.vy) == pytest.approx(np.where(found.begin < 60.0, 1.0, 2.0), abs=1e-9)
    assert found.power == pytest.approx(10.0 * np.hypot(found.vx, found.vy))
    assert np.unique(found.stretch).size == 3
    assert BLOCK == 10.0
