import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.waves.felt_waves import ROWS, FeltSea, PlaceInSea, column_waves, column_waves_in_turn

HULL = read_boat('otter_parts').vessel.parts
X, Y, YAW, TIME = 3.0, -2.0, 0.7, 5.3
PLACE = PlaceInSea(X, Y, np.cos(YAW), np.sin(YAW), TIME)


def test_a_column_meets_the_sum_of_all_waves_each_averaged_over_its_size(rng):
    """Rise, lift, east, north with the cosine of k x - omega t + phase; climb and both rates with the sine."""
    waves = rng.normal(size=(8, ROWS))
    sea = FeltSea(waves, 8, 1.1, 0.4)
    expected = []
    for column in HULL.columns:
        east = X + np.cos(YAW) * column.x - np.sin(YAW) * column.y
        north = Y + np.sin(YAW) * column.x + np.cos(YAW) * column.y
        along = 1.1 * (waves[:, 0] * np.cos(YAW) + waves[:, 1] * np.sin(YAW))
        across = 0.4 * (waves[:, 1] * np.cos(YAW) - waves[:, 0] * np.sin(YAW))
        fading = (along ** 2 + across ** 2) / 24.0
        kept = 1.0 / (1.0 + fading + 0.7 * fading ** 2)
        angle = waves[:, 0] * east + waves[:, 1] * north - waves[:, 2] * TIME + waves[:, 3]
        rise, lift, to_east, to_north = (kept * np.cos(angle)) @ waves[:, 4:8]
        climb, east_rate, north_rate = (kept * np.sin(angle)) @ waves[:, 8:]
        expected.append((rise, climb, lift, to_east, to_north, east_rate, north_rate))
    np.testing.assert_allclose(column_waves(sea, PLACE, HULL), expected, rtol=1e-10)
    assert type(column_waves(sea, PLACE, HULL)[0].rise) is float
    two = PlaceInSea(*(np.array([part, part]) for part in PLACE))
    np.testing.assert_allclose(column_waves(sea, two, HULL), np.stack([expected] * 2, axis=-1), rtol=1e-10)
    np.testing.assert_allclose(column_waves_in_turn(sea._replace(waves=waves.ravel()), PLACE, HULL), expected,
                               rtol=1e-10)


def test_a_short_wave_is_left_as_its_mean_over_the_column():
    """sin(k l / 2) / (k l / 2) of a wave of four lengths of the column, to the order that is left out."""
    number = 0.5 * np.pi
    waves = np.zeros((4, ROWS))
    waves[0, [0, 4]] = number, 1.0
    rise = column_waves(FeltSea(waves, 4, 1.0, 1.0), PlaceInSea(-HULL.columns[0].x, 0.0, 1.0, 0.0, 0.0), HULL)[0].rise
    assert rise == pytest.approx(np.sin(0.5 * number) / (0.5 * number), rel=2e-3)
