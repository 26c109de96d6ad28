"""Deviations of tracks that are the planned path itself, shifted, turned or grown, by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.sim.track_figures import legs_of, path_deviations


@pytest.fixture(scope='module')
def plain():
    return read_scenario('1')


def way(plain, *points):
    return replace(plain, start=(*points[0], 0.0), waypoints=tuple(points[1:]))


@pytest.mark.parametrize('offset', [-3.0, 0.0, 0.25])
def test_beside_a_straight_leg_it_is_the_offset(plain, offset):
    x = np.linspace(0.0, 30.0, 50)
    found = path_deviations(way(plain, (0.0, 0.0), (30.0, 0.0)), np.zeros(50, dtype=int), x, np.full(50, offset))
    np.testing.assert_allclose(found, abs(offset), atol=1e-14)


@pytest.mark.parametrize('offset', [-1.5, 2.0])
def test_a_circle_offset_by_d_has_the_deviation_d(plain, offset):
    """The planned circle is a polygon of 720 corners, within r (1 - cos(pi / 720)) of it."""
    angles = np.linspace(0.0, 2.0 * math.pi, 721)
    scenario = way(plain, *zip((20.0 * np.cos(angles)).tolist(), (20.0 * np.sin(angles)).tolist()))
    between = 0.5 * (angles[1:] + angles[:-1])
    found = path_deviations(scenario, np.arange(720), (20.0 + offset) * np.cos(between),
                            (20.0 + offset) * np.sin(between))
    np.testing.assert_allclose(found, abs(offset), atol=20.0 * (1.0 - math.cos(math.pi / 720)) + 1e-12)


def test_beyond_the_ends_it_is_the_distance_from_them(plain):
    scenario = way(plain, (0.0, 0.0), (10.0, 0.0))
    found = path_deviations(scenario, np.zeros(2, dtype=int), np.array([-3.0, 13.0]), np.array([4.0, -4.0]))
    assert found.tolist() == [5.0, 5.0]


def test_a_corner_cut_within_the_radius_is_measured_from_the_leg_before_too(plain):
    scenario = way(plain, (0.0, 0.0), (10.0, 0.0), (10.0, 10.0))
    found = path_deviations(scenario, np.array([1, 1]), np.array([8.0, 9.0]), np.array([0.0, 1.0]))
    assert found.tolist() == [0.0, 1.0]


def test_lanes_beside_one_another_are_told_apart(plain):
    """A boat on the second lane that is off by 3 m lies on the fourth, and is off by 3 m."""
    scenario = way(plain, (0.0, 0.0), (20.0, 0.0), (20.0, 3.0), (0.0, 3.0), (0.0, 6.0), (20.0, 6.0))
    assert path_deviations(scenario, np.array([2]), np.array([10.0]), np.array([6.0])) == pytest.approx(3.0)


def test_a_leg_of_no_length_is_a_point(plain):
    scenario = way(plain, (5.0, 5.0), (5.0, 5.0))
    assert path_deviations(scenario, np.array([0]), np.array([8.0]), np.array([9.0])) == pytest.approx(5.0)


def test_turned_and_mirrored_ways_have_the_same_deviations(plain, rng):
    points, legs = rng.uniform(-50.0, 50.0, (6, 2)), rng.integers(0, 5, 300)
    x, y = rng.uniform(-60.0, 60.0, (2, 300))
    found = path_deviations(way(plain, *map(tuple, points)), legs, x, y)
    turned = path_deviations(way(plain, *((-py, px) for px, py in points)), legs, -y, x)
    mirrored = path_deviations(way(plain, *((px, -py) for px, py in points)), legs, x, -y)
    np.testing.assert_allclose(turned, found, atol=1e-12)
    np.testing.assert_allclose(mirrored, found, atol=1e-12)


def test_legs_are_those_of_the_pilot_that_steered(plain):
    """The number goes up by one, and does so within the radius of the waypoint before."""
    scenario = replace(plain, waypoints=((260.0, 95.0), (260.0, 110.0), (250.0, 110.0)))
    run = run_scenario(scenario)
    legs = legs_of(scenario, run.rows)
    assert legs[0] == 0
    assert sorted(set(np.diff(legs).tolist())) == [0, 1]
    assert legs[-1] == 2
    for number in (1, 2):
        row = run.rows[int(np.argmax(legs == number))]
        before = scenario.waypoints[number - 1]
        # Within the radius, and no further in than a period's way at 1.4 m/s.
        assert 0.0 <= scenario.radius - math.hypot(row.x - before[0], row.y - before[1]) < 1.4 * scenario.period
