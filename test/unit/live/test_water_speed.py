"""The current by the speed through the water, held to closed forms and to a boat that turns."""

import math

import numpy as np
import pytest

from usv_energy.flow.analytic import UniformFlow
from usv_energy.live.boat_account import CHANGE_STD, CHANGE_TIME, READING_STD, LiveTerms, WaterSpeed

NEEDS = ('pymavlink',)


def test_one_reading_moves_the_current_along_the_heading_alone():
    """Two normals: 0.15 m/s before, READING_STD of the reading; across the heading nothing is known of it."""
    water = WaterSpeed(0.15)
    assert water.mean is None and water.std == pytest.approx(0.15)
    water.read(10.0, 1.0)
    water.take(10.0, 0.5 * math.pi, 1.2)
    share = 0.15 ** 2 / (0.15 ** 2 + READING_STD ** 2)
    assert water.mean == pytest.approx((0.0, 0.2 * share), abs=1e-12) and water.std == pytest.approx(0.15)


def test_two_headings_make_the_current_known_which_is_forgotten_with_time():
    water, current = WaterSpeed(0.15), np.array([0.2, -0.1])
    for k in range(200):
        yaw = 0.5 * math.pi * (k % 2)
        water.read(2.0 * k, 1.0)
        water.take(2.0 * k + 0.1, yaw, 1.0 + current @ (math.cos(yaw), math.sin(yaw)))
    assert water.mean == pytest.approx(tuple(current), abs=1e-3)
    steady = CHANGE_STD * math.sqrt(4.0 / CHANGE_TIME) * READING_STD   # Of a wandering value, read once in 4 s.
    assert water.std == pytest.approx(math.sqrt(steady), rel=0.1)


def test_old_wrong_and_too_many_readings_do_not_count():
    water = WaterSpeed(0.15)
    water.read(0.0, 1.0)
    water.take(5.0, 0.0, 1.5)
    water.read(6.0, math.nan)
    water.read(6.0, 99.0)
    water.take(6.1, 0.0, 1.5)
    assert water.mean is None
    for k in range(10):
        water.read(7.0 + 0.01 * k, 1.0)
        water.take(7.0 + 0.01 * k, 0.0, 1.1)
    assert water.std < 0.151 and water.mean[0] == pytest.approx(0.1 * 0.15 ** 2 / (0.15 ** 2 + READING_STD ** 2))


def test_the_current_of_a_boat_with_a_log_is_found_on_the_link(rig):
    """A wheel in the water says the speed ahead less the current along the bow; the boat swings by 76 degrees."""
    current = {'north': 0.2, 'east': -0.15}
    for name, seconds in (('LOG_MS', 50.0), ('', 4.0)):
        one = rig('lutra_prop', terms=LiveTerms(wind=UniformFlow(), water_speed=name))
        put = one.twin._put_place

        def say(ms, velocity, twin=one.twin, put=put):
            yaw = twin.boat.yaw(twin.boat.t)
            ahead = twin.boat.speed(twin.boat.t) - (current['north'] * math.cos(yaw) + current['east'] * math.sin(yaw))
            twin.put('NAMED_VALUE_FLOAT', ms, b'LOG_MS', ahead)
            put(ms, velocity)

        one.twin._put_place = say
        one.run(seconds)
        figures = one.figures
        said = any('no current is said' in words for words in figures['problems'])
        if name:
            found = figures['current']
            assert (found['x_m_s'], found['y_m_s']) == pytest.approx((current['east'], current['north']), abs=0.03)
            assert found['status'] == 'by the speed through the water' and not said
        else:
            assert figures['current']['status'] == 'assumed still' and said
