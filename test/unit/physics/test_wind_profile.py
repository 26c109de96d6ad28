import math

import pytest

from usv_energy.physics.wind import LOWEST, ROUGHNESS, share_at_height


def test_half_a_metre_has_half_the_pressure_of_ten_metres():
    share = share_at_height(0.5, 10.0)
    assert share == pytest.approx(math.log(0.5 / 2e-4) / math.log(10.0 / 2e-4), rel=1e-14)
    assert share == pytest.approx(0.7231, abs=5e-5)
    assert share ** 2 == pytest.approx(0.52, abs=0.005)


def test_profile_rises_is_one_at_its_own_height_and_goes_both_ways():
    shares = [share_at_height(height, 10.0) for height in (LOWEST, 0.1, 0.5, 2.0, 10.0, 80.0)]
    assert shares == sorted(shares) and shares[0] > 0.0 and shares[4] == 1.0
    assert share_at_height(2.0, 10.0) * share_at_height(0.3, 2.0) == pytest.approx(share_at_height(0.3, 10.0))


def test_ten_roughness_lengths_more_add_as_much_each():
    """A decade of height adds the same wind: that is the law."""
    first, second, third = (share_at_height(ROUGHNESS * 10.0 ** decade, 10.0) for decade in (2, 3, 4))
    assert third - second == pytest.approx(second - first, rel=1e-12)
    assert share_at_height(1.0, 10.0, roughness=0.03) < share_at_height(1.0, 10.0), 'grass slows it more than water'
