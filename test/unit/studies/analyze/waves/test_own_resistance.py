import math

import numpy as np
import pytest

from usv_energy.physics.waves.added_resistance import WaveCoefficients
from usv_energy.studies.analyze.waves.own_waves import SEEN_OFF, UNSAID, own_resistance
from usv_energy.studies.analyze.waves.sea_fit import SeaSeen

ROWS = ((80.0, 40.0), (10.0, 4.0), (-20.0, -6.0))
TABLE = WaveCoefficients((0.0, 0.5 * math.pi, math.pi), (2.0, 3.0), ROWS)
YAW = np.array([0.0, 0.5 * math.pi, math.pi, 0.25 * math.pi])


def sea(direction=math.pi, height=0.5):
    return SeaSeen(height, 2.0, direction, 'heave', 1.0, 1.8)


def test_it_is_the_table_times_the_height_squared():
    found, off = own_resistance(TABLE, sea(), YAW)
    np.testing.assert_allclose(found, 0.25 * np.array([80.0, 10.0, -20.0, 45.0]), atol=1e-9)
    np.testing.assert_allclose(off, math.hypot(UNSAID, SEEN_OFF) * 20.0)


def test_errors_in_the_file_say_how_far_it_may_be_off():
    errors = ((8.0, 4.0), (2.0, 1.0), (6.0, 2.0))
    _, off = own_resistance(TABLE._replace(errors=errors), sea(), YAW)
    np.testing.assert_allclose(off, np.hypot(2.0 * 0.25 * np.array([8.0, 2.0, 6.0, 5.0]), SEEN_OFF * 20.0))


def test_of_an_unknown_direction_it_is_the_mean_of_all_and_as_far_off_as_they_differ():
    found, off = own_resistance(TABLE, sea(math.nan), YAW)
    # Straight lines between 80, 10, -20 over equal angles: 0.5 (0.5 (80 + 10) + 0.5 (10 - 20)), by the height squared.
    np.testing.assert_allclose(found, 0.25 * 20.0, rtol=1e-9)
    assert off == pytest.approx(0.5 * 0.25 * 100.0 + math.hypot(UNSAID, SEEN_OFF) * 20.0)
