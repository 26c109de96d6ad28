"""The banks of a river are kept off; what dries at times only is left to the flow itself."""

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.barriers.cell_barriers import dry_barriers

NEEDS = ('shapely',)
EXTENT = (0.0, 0.0, 100.0, 50.0)


class River:
    """Water between y = 10 and y = `high(t)`."""

    def __init__(self, high):
        self.high = high

    def velocity(self, t, x, y):
        inside = (y > 10.0) & (y < self.high(t))
        return np.where(inside, 1.0, np.nan), np.where(inside, 0.0, np.nan), inside


def test_a_clearance_from_the_banks():
    barrier = dry_barriers(River(lambda t: 40.0), EXTENT, [0.0], 5.0, spacing=1.0)
    x = np.full(5, 50.0)
    y = np.array([12.0, 14.9, 15.1, 30.0, 36.0])
    np.testing.assert_array_equal(barrier.blocked(x, y), [True, True, False, False, True])
    np.testing.assert_allclose(barrier.distance(x, y), [-3.0, -0.1, 0.1, 5.0, -1.0], atol=1e-9)


def test_the_end_of_the_field_is_kept_off_as_a_bank_is():
    barrier = dry_barriers(River(lambda t: 60.0), EXTENT, [0.0], 5.0, spacing=1.0)
    np.testing.assert_allclose(barrier.distance(np.array([50.0, 97.0, 50.0]), np.array([43.0, 30.0, 50.5])),
                               [2.0, -2.0, -5.5], atol=1e-9)


def test_only_what_is_dry_at_all_times_is_a_barrier():
    """With the tide between 20 and 40 the flat between has water at times."""
    barrier = dry_barriers(River(lambda t: 20.0 + 20.0 * (t > 50.0)), EXTENT, [0.0, 100.0], 0.0, spacing=1.0)
    np.testing.assert_array_equal(barrier.blocked(np.full(2, 50.0), np.array([30.0, 45.0])), [False, True])


def test_a_field_without_end_has_no_dry_place():
    infinite = (-np.inf, -np.inf, np.inf, np.inf)
    assert isinstance(dry_barriers(River(lambda t: 40.0), infinite, [0.0], 5.0), NoBarriers)


def test_a_field_without_water_is_named():
    with pytest.raises(InputError, match='has no water at t = 7 s'):
        dry_barriers(River(lambda t: 0.0), EXTENT, [7.0], 5.0)
