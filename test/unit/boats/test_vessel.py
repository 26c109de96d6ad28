import math

import numpy as np
import pytest

from usv_energy.boats.vessel import cosine_of_degrees


@pytest.mark.parametrize('angle', [0, 15.0, -60.0, 89.9])
def test_the_share_of_a_tilted_thrust_that_drives(angle):
    assert cosine_of_degrees(angle) == math.cos(math.radians(angle))
    np.testing.assert_allclose(cosine_of_degrees(np.array([angle, 60.0])), [math.cos(math.radians(angle)), 0.5])
