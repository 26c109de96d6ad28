import math

import numpy as np
import pytest
from arrangements import ARRANGEMENTS, azimuth, fixed
from usv_energy.allocation.allocation_answers import choices_of, part_of
from usv_energy.allocation.allocation_reach import _direction, farthest, reach_of

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


@pytest.mark.parametrize('steers', [(-0.5, 0.7), (-1.9, 0.2), (0.4, 0.4 + math.pi), (-math.pi, math.pi)],
                         ids=['ahead', 'to starboard', 'half a turn', 'all round'])
def test_the_farthest_of_a_sector_is_that_of_its_best_angle(rng, steers):
    """Against all angles on a grid; nothing where each would cost; a little less where the best is no corner."""
    part = part_of(azimuth(0.7, -0.4, 0.0, 6.0, steers, 1.0), 0.0)
    angles = np.linspace(*steers, 20001)
    for x, y, n in rng.normal(size=(60, 3)).tolist():
        over = 6.0 * ((x + 0.4 * n) * np.cos(angles) + (y + 0.7 * n) * np.sin(angles))
        best = int(np.argmax(over))
        assert farthest(part, x, y, n, 0.0) == pytest.approx(max(float(over[best]), 0.0), abs=1e-6)
        corner = best in (0, angles.size - 1) and not part.circle
        assert farthest(part, x, y, n, 0.25) == pytest.approx(max(float(over[best]), 0.0) * (1.0 if corner else 0.75),
                                                              abs=1e-6)
        u_x, u_y, along, inside = _direction(part, x, y)
        over = x * np.cos(angles) + y * np.sin(angles)
        best = float(angles[int(np.argmax(over))])
        assert (u_x, u_y) == pytest.approx((math.cos(best), math.sin(best)), abs=1e-3)
        assert along == pytest.approx(max(float(over.max()), 0.0), abs=1e-6)
        assert bool(inside) == (part.circle or best not in (steers[0], steers[1]))
    assert not _direction(part, 0.0, 0.0)[3] and _direction(part, 0.0, 0.0)[2] == 0.0


def test_a_direction_along_an_edge_is_within_the_sector():
    """Of a quarter turn from ahead to port, without rounding: from 0 to 90 degrees, both included."""
    part = part_of(azimuth(0.0, 0.0, 0.0, 6.0, (0.0, 0.5 * math.pi), 1.0), 0.0)._replace(edges=(1.0, 0.0, 0.0, 1.0))
    for x, y, within in ((2.0, 0.0, True), (0.0, 3.0, True), (1.0, 1.0, True), (2.0, -1e-9, False),
                         (-1e-9, 3.0, False)):
        assert bool(_direction(part, x, y)[3]) is within
