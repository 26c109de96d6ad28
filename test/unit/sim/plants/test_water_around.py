import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.sea import SeaState, irregular_sea, regular_sea
from usv_energy.physics.motion import Flow
from usv_energy.physics.waves.felt_waves import PlaceInSea, column_waves, column_waves_in_turn
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.water_around import UNFELT, Surroundings, felt_sea

OTTER = read_boat('otter_parts').vessel
HULL = OTTER.parts


def at(time, x, y, yaw):
    return PlaceInSea(x, y, np.cos(yaw), np.sin(yaw), time)


def test_a_long_wave_is_felt_as_it_is():
    sea, yaw, time = regular_sea(0.4, 12.0, 0.4), 0.7, 3.3
    columns = column_waves(felt_sea(sea, HULL), at(time, 5.0, -2.0, yaw), HULL)
    for column, wave in zip(HULL.columns, columns):
        x = 5.0 + math.cos(yaw) * column.x - math.sin(yaw) * column.y
        y = -2.0 + math.sin(yaw) * column.x + math.cos(yaw) * column.y
        found = sea.at(time, np.array([x]), np.array([y]))
        assert wave.rise == pytest.approx(float(found.elevation[0]), abs=0.2 * 4e-3)  # exp(-k draught)
        assert wave.climb == pytest.approx(float(found.velocity.up[0]), abs=0.11 * 4e-3)
        assert (wave.east, wave.north) == pytest.approx(
            (float(found.velocity.east[0]), float(found.velocity.north[0])), abs=0.11 * 4e-3)
        assert (wave.east_rate, wave.north_rate) == pytest.approx(
            (float(found.acceleration.east[0]), float(found.acceleration.north[0])), abs=0.055 * 4e-3)
        assert wave.lift == pytest.approx(float(found.acceleration.up[0]), abs=0.055 * 4e-3)


def test_a_wave_is_averaged_over_a_column_and_fades_with_depth():
    """Of a wave of twice the column's length, along the boat, sin(k l / 2) / (k l / 2) is left, 2 / pi."""
    number = math.pi / HULL.cell_length
    sea = regular_sea(0.02, math.tau / math.sqrt(9.81 * number), 0.0)
    moments = np.linspace(0.0, math.tau / math.sqrt(9.81 * number), 400)
    rises = column_waves(felt_sea(sea, HULL), at(moments, *[0.0 * moments] * 3), HULL)[0].rise
    expected = 0.01 * 2.0 / math.pi * math.exp(-number * HULL.draught)
    assert 0.5 * np.ptp(rises) == pytest.approx(expected, rel=0.03)


def test_waves_that_are_too_short_are_left_out_within_the_stated_share():
    sea = irregular_sea(SeaState(0.3, 2.5), 3)
    felt = felt_sea(sea, HULL)
    every = sea.waves.amplitude * np.exp(-sea.waves.number * HULL.draught) / (
        1.0 + sea.waves.number ** 2 * HULL.cell_length ** 2 / 24.0)
    kept = felt.waves[:, 4] / (1.0 + np.hypot(*felt.waves[:, :2].T) ** 2 * HULL.cell_length ** 2 / 24.0)
    assert felt.size < sea.waves.amplitude.size
    assert 0.0 <= 1.0 - np.sum(kept ** 2) / np.sum(every ** 2) < UNFELT


def test_arrays_of_boats_are_those_of_floats():
    felt = felt_sea(irregular_sea(SeaState(0.3, 2.5), 3), HULL)
    x, y, yaw = np.array([0.0, 5.0, -3.0]), np.array([1.0, 2.0, -9.0]), np.array([0.3, -2.0, 3.0])
    many = column_waves(felt, at(7.0, x, y, yaw), HULL)
    for n in range(3):
        place = at(7.0, float(x[n]), float(y[n]), float(yaw[n]))
        one = column_waves(felt, place, HULL)
        np.testing.assert_allclose(one, [[part[n] for part in wave] for wave in many], rtol=1e-9, atol=1e-12)
        flat = felt._replace(waves=felt.waves.ravel())
        np.testing.assert_allclose(column_waves_in_turn(flat, place, HULL), one, rtol=1e-9, atol=1e-12)


def test_a_hull_feels_the_current_at_its_parts():
    """In a current that turns as a whole the hull turns with it, and the mean current carries it."""
    spin = 0.05

    def turning(time, x, y):
        return Flow(-spin * y, spin * x, 0.0, 0.0)

    plant = Plant(OTTER, (0.0, 0.0, 0.0), turning, 0.02, Surroundings(None, varied=True))
    for _ in range(1000):
        plant.advance((0.0, 0.0))
    assert plant.state.r == pytest.approx(spin, rel=0.01)
    alone = Plant(OTTER, (0.0, 0.0, 0.0), turning, 0.02)
    for _ in range(1000):
        alone.advance((0.0, 0.0))
    assert alone.state.r == pytest.approx(0.0, abs=1e-9)


def test_a_column_in_the_lee_has_its_share_of_the_wind():
    def gusty(time, x, y):
        return Flow(0.0, 0.0, 4.0 if y > 0.0 else 0.0, 0.0)

    plant = Plant(OTTER, (0.0, 0.1, 0.0), gusty, 0.02, Surroundings(None, varied=True))
    around = plant.water_around()
    assert around.gust_east == pytest.approx(-2.0) and around.gust_north == 0.0
