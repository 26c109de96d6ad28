"""Where the world of a route lies on the Earth."""

import numpy as np
import pytest

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.placement import Transform
from usv_energy.studies.route.route_order import frame_of

ORIGIN = Place(46.2, 6.15)
TURNED = Transform(1000.0, -500.0, 30.0)
RNG = np.random.default_rng(3)


def test_nobody_says_where_a_uniform_flow_lies():
    assert frame_of(UniformFlow()) is None


def test_there_is_no_east_at_a_pole():
    with pytest.raises(InputError, match=r'latitude 89.5.*at the poles there is no east'):
        frame_of(UniformFlow(), Place(89.5, 0.0))
