"""What a boat keeps off on its way: land of a file and the river's banks, at its own room, at a given one, at none."""

import json

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_of
from usv_energy.studies.route.barriers.read_barriers import BarrierFiles, boat_barriers, room_to_steer

NEEDS = ('shapely',)
RUDDER = read_boat('lutra_rudder_t200')
ENDS = [(100.0, 95.0), (200.0, 95.0)]


@pytest.fixture
def island(tmp_path):
    """Return a file of a square island, x and y from 140 to 160 m and 85 to 105 m, in the world's metres."""
    file = tmp_path / 'island.geojson'
    ring = [[140, 85], [160, 85], [160, 105], [140, 105], [140, 85]]
    file.write_text(json.dumps({'type': 'Polygon', 'coordinates': [ring]}))
    return file


@pytest.mark.parametrize('given', [None, 3.0, 0.0])
def test_the_distance_that_is_kept(island, given):
    """From an island by its side; from the river's bank, y = 65 m, unless none is to be kept."""
    room = room_to_steer(RUDDER) if given is None else given
    river = flow_of('river', '--current', 'water')
    files = BarrierFiles(land=[island], clearance=given, metres=True)
    barriers = boat_barriers(RUDDER, files, river, None, ENDS, (0.0,))
    x = np.array([130.0, 120.0])
    np.testing.assert_allclose(barriers.distance(x, np.full(2, 95.0)), 140.0 - x - room, atol=1e-6)
    bank = barriers.distance(np.array([100.0]), np.array([67.0]))[0]
    assert bank == pytest.approx(2.0 - room if room else np.hypot(40.0, 18.0), abs=0.3)


def test_what_starts_by_the_land_keeps_less(island):
    near = [(139.0, 95.0), (100.0, 95.0)]
    files = BarrierFiles(land=[island], clearance=None, metres=True)
    barriers = boat_barriers(RUDDER, files, UniformFlow(), None, near, (0.0,))
    kept = min(0.99, room_to_steer(RUDDER))
    assert barriers.distance(np.array([130.0]), np.array([95.0]))[0] == pytest.approx(10.0 - kept, abs=1e-6)
