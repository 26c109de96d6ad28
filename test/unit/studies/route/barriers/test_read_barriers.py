"""Barriers of several files are kept off together, by one clearance."""

import json

import numpy as np
import pytest
from raster_files import write_grid

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_of
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.barriers.read_barriers import BarrierFiles, boat_barriers, read_barriers, room_to_steer

NEEDS = ('shapely',)


def test_a_rock_and_a_shoal_together(tmp_path):
    (tmp_path / 'rock.geojson').write_text(json.dumps({'type': 'Point', 'coordinates': [0.0, 0.0]}))
    shoal = write_grid(tmp_path / 'depth.asc', np.array([[9.0, 9.0, 9.0], [9.0, 0.2, 9.0], [9.0, 9.0, 9.0]]))
    files = BarrierFiles([tmp_path / 'rock.geojson'], [shoal], draught=0.5, clearance=3.0, metres=True)
    barriers = read_barriers(files, None)
    x, y = np.array([2.0, 4.0, 108.0, 106.0]), np.array([0.0, 0.0, 215.0, 215.0])
    np.testing.assert_array_equal(barriers.blocked(x, y), [True, False, True, False])
    np.testing.assert_allclose(barriers.distance(x, y), [-1.0, 1.0, -1.0, 1.0])


def test_without_files_the_water_is_open():
    assert isinstance(read_barriers(BarrierFiles(), None), NoBarriers)


def test_a_depth_needs_a_draught_and_a_draught_a_depth():
    with pytest.raises(InputError, match=r'a.tif: a depth needs --draught'):
        read_barriers(BarrierFiles(depth=['a.tif']), None)
    with pytest.raises(InputError, match=r'--draught is 0.5; it goes with --depth or --bed'):
        read_barriers(BarrierFiles(draught=0.5), None)


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
