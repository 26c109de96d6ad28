import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow
from usv_energy.studies.analyze.waves.sea_fit import SLOWEST, TOLD, told_sea

TIME = np.arange(0.0, 60.0, 0.1)
STILL = np.zeros(TIME.size)


def met(towards_deg, speed=1.0, current=0.0):
    log = Log('log', Path('log'), TIME, yaw=STILL, u=STILL + speed, v=STILL, r=STILL)
    return told_sea((0.3, 2.5, math.radians(towards_deg)), log, Flow(STILL + current, STILL, STILL, STILL))


def test_it_is_the_sea_that_is_told():
    sea = met(540.0)
    assert (sea.height, sea.period, sea.seen_from) == (0.3, 2.5, TOLD)
    assert abs(sea.direction) == pytest.approx(math.pi)


def test_the_slowest_waves_that_are_met_are_those_of_the_spectrum_at_the_boats_speed():
    """JONSWAP holds 3 % of its variance below 0.77 of its peak; a head sea is met at omega + omega^2 u / g."""
    slowest = 0.77 * 2.0 * math.pi / 2.5
    assert met(90.0, speed=0.0).slowest == pytest.approx(slowest, rel=0.05)
    assert met(180.0).slowest == pytest.approx(slowest + slowest ** 2 / 9.81, rel=0.05)
    assert met(180.0, current=1.0).slowest == pytest.approx(slowest, rel=0.05)
    assert SLOWEST <= met(0.0, speed=3.0).slowest < 0.8
