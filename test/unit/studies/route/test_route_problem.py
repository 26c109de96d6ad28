"""A route's length and duration follow from its points."""

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.studies.route.route_problem import PowerLaw, Route


def test_length_and_duration_of_a_route_with_a_wait():
    route = Route(time=np.array([10.0, 12.0, 20.0, 25.0]), x=np.array([0.0, 3.0, 3.0, 3.0]),
                  y=np.array([0.0, 4.0, 4.0, -2.0]), speed=np.array([2.5, 0.0, 1.2]), energy=np.zeros(4))
    assert route.duration == 15.0
    assert route.length == 11.0


def test_power_is_the_load_and_the_power_of_the_speed_whatever_the_air():
    law = PowerLaw(2.0, 3.0, hotel=5.0, highest=2.0)
    np.testing.assert_allclose(law.power(np.array([0.0, 1.0, 1.5, 2.5]), np.array([-3.0]), 4.0),
                               [5.0, 7.0, 11.75, np.nan])
    np.testing.assert_array_equal(law.top_speed(np.zeros((2, 1)), np.zeros(3)), np.full((2, 3), 2.0))


@pytest.mark.parametrize(('wrong', 'name'), [((0.0,), 'factor'), ((1.0, 0.5), 'exponent'), ((1.0, 3.0, -1.0), 'hotel'),
                                             ((1.0, 3.0, 0.0, 0.0), 'highest')])
def test_what_is_no_boat_is_refused_by_name(wrong, name):
    with pytest.raises(InputError, match=f'power law: {name} is'):
        PowerLaw(*wrong)
