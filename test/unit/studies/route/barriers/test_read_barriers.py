"""Barriers of several files are kept off together, by one clearance."""

import json

import numpy as np
import pytest
from raster_files import write_grid

from usv_energy.files.errors import InputError
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.barriers.read_barriers import BarrierFiles, read_barriers

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
