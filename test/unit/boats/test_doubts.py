"""What a boat's file says of how well its numbers are known."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.uncertain_numbers import UncertainNumber, bandable_numbers, uncertain_numbers


def test_standard_deviations_and_intervals_are_read_with_their_base(yaml_file):
    base = yaml_file('base: lutra_prop\nstatic_load: {value: 5.0, unit: W, std: 0.5}', 'base.yaml')
    boat = read_boat(str(yaml_file(f'base: {base}\ninertia: {{m11: {{value: 2.0, unit: kg, interval: [1.0, 4.0]}}}}')))
    found = uncertain_numbers(boat)
    assert set(found) == {'static_load', 'inertia.m11'}
    assert found['static_load'] == UncertainNumber('static_load', 5.0, 0.5, 0.5)
    assert found['inertia.m11'][1:] == pytest.approx((2.0, 1.0 / 1.959964, 2.0 / 1.959964))
    assert 'damping.linear.d11' in bandable_numbers(boat) and 'hull.length' not in bandable_numbers(boat)


def test_values_at_deviations_have_two_halves():
    np.testing.assert_allclose(UncertainNumber('a', 1.0, 0.5, 2.0).at(np.array([-1.0, 0.0, 1.0])), [0.5, 1.0, 3.0])
