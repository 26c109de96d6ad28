import math

import numpy as np
import pytest
from arrangements import ARRANGEMENTS, azimuth, fixed

from usv_energy.physics.allocation_answers import choices_of, part_of
from usv_energy.physics.allocation_reach import farthest, reach_of

SHORT = 1e-4
AXES = np.vstack([np.eye(3), np.eye(3)[2:]])


@pytest.mark.parametrize('actuators', ARRANGEMENTS.values(), ids=ARRANGEMENTS)
def test_the_reach_along_the_axes_is_the_farthest_along_each(actuators):
    for actuator in actuators:
        for choice in range(int(choices_of(actuator))):
            part = part_of(actuator, float(choice))
            there = np.array(reach_of(part, SHORT)).reshape(4, 2)
            for (least, most), axis, short in zip(there, AXES, (0.0, 0.0, 0.0, SHORT)):
                assert (-least, most) == pytest.approx((farthest(part, *-axis, short), farthest(part, *axis, short)))


def test_by_hand():
    """5 N at most, 3 N astern, to port, 2 m ahead; and all the way round 6 N, 0.3 m and 0.4 m away: 3 N m."""
    assert reach_of(part_of(fixed(2.0, 0.0, 90.0, -3.0, 5.0, 1.0, 1.0), 0.0), SHORT) == pytest.approx(
        (0.0, 0.0, -3.0, 5.0, -6.0, 10.0, -6.0, 10.0), abs=1e-12)
    turning = azimuth(0.3, -0.4, 0.0, 6.0, (-math.pi, math.pi), 1.0)
    assert reach_of(part_of(turning, 0.0), SHORT) == pytest.approx(
        (-6.0, 6.0, -6.0, 6.0, -3.0, 3.0, -2.9997, 2.9997))
