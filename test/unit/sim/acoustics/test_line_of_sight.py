"""What lies between two places."""

import pytest

from usv_energy.sim.acoustics.hearing import is_blocked
from usv_energy.sim.obstacle import Obstacle

ISLAND = Obstacle('island', ((50.0, 0.0),), 10.0)
PIER = Obstacle('pier', ((40.0, -1.0), (42.0, -1.0), (42.0, 30.0), (40.0, 30.0)))


@pytest.mark.parametrize(('obstacle', 'a', 'b', 'blocked'), [
    (ISLAND, (0.0, 0.0), (100.0, 0.0), True), (ISLAND, (0.0, 9.9), (100.0, 9.9), True),
    (ISLAND, (0.0, 10.1), (100.0, 10.1), False), (ISLAND, (0.0, 0.0), (30.0, 0.0), False),
    (PIER, (0.0, 0.0), (100.0, 0.0), True), (PIER, (0.0, -2.0), (100.0, -2.0), False),
    (PIER, (0.0, -2.0), (100.0, 20.0), True), (PIER, (0.0, 10.0), (39.0, 10.0), False)])
def test_seen_from_above(obstacle, a, b, blocked):
    assert is_blocked([obstacle], (*a, -3.0), (*b, -50.0)) is blocked
    assert is_blocked([obstacle], (*b, -50.0), (*a, -3.0)) is blocked


def test_nothing_blocks_nothing():
    assert not is_blocked([], (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
