"""Open water has no barriers."""

import numpy as np

from usv_energy.studies.route.barriers.area_barriers import NoBarriers


def test_open_water_blocks_no_point_and_no_way():
    x, y = np.array([0.0, 1e6, -3.0]), np.array([2.0, 0.0, 1e-9])
    assert not NoBarriers().blocked(x, y).any()
    assert not NoBarriers().crossed(x, y, y, x).any()
    np.testing.assert_array_equal(NoBarriers().distance(x, y), np.full(3, np.inf))
