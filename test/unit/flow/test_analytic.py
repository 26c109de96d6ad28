"""Flows in closed form against their integrals, done by hand."""

import math

import numpy as np
import pytest
from scipy.integrate import trapezoid

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import Gust, Jet, River, Vortex

RIVER = {'speed': 0.8, 'direction_deg': 0.0, 'width': 30.0, 'length': 200.0, 'bank_layer': 6.0}
GUST = {'speed': 3.0, 'direction_deg': 45.0, 'amplitude': 4.0, 'duration': 12.0, 'period': 60.0}


def middles(low, high, count):
    """Return the middles of equal parts of an interval: the mean over them is the midpoint rule, of order 2."""
    return low + (np.arange(count) + 0.5) * (high - low) / count


@pytest.mark.parametrize('layer', [1.0, 6.0, 15.0])
def test_mean_over_the_rivers_width(layer):
    """V (1 - 2 d / (3 W)): all of V less a third of it in both layers."""
    y = middles(-15.0, 15.0, 30_000)
    vx, _, _ = River({**RIVER, 'bank_layer': layer}).velocity(0.0, np.zeros_like(y), y)
    assert vx.mean() == pytest.approx(0.8 * (1.0 - 2.0 * layer / 90.0), rel=1e-8)


def test_without_a_bank_layer_the_river_is_a_parabola():
    y = np.linspace(-15.0, 15.0, 31)
    plain = {key: value for key, value in RIVER.items() if key != 'bank_layer'}
    vx, _, _ = River(plain).velocity(0.0, np.zeros_like(y), y)
    np.testing.assert_allclose(vx, 0.8 * (1.0 - (y / 15.0) ** 2), atol=1e-15)


def test_shear_at_the_bank_and_none_in_the_middle():
    y = np.array([15.0 - 1e-6, 15.0, 0.0, 1.0])
    vx, _, _ = River(RIVER).velocity(0.0, np.zeros(4), y)
    assert (vx[0] - vx[1]) / 1e-6 == pytest.approx(2.0 * 0.8 / 6.0, rel=1e-5)
    assert vx[1] == pytest.approx(0.0, abs=1e-15)
    assert vx[2] == vx[3] == 0.8


def test_the_speed_of_a_river_is_smooth_where_its_bank_layer_begins():
    y = 9.0 + np.array([-1e-4, 0.0, 1e-4])
    vx, _, _ = River(RIVER).velocity(0.0, np.zeros(3), y)
    assert np.diff(vx) == pytest.approx([0.0, 0.0], abs=1e-9)


def test_beyond_the_banks_and_the_ends_is_land():
    _, _, inside = River(RIVER).velocity(0.0, np.array([0.0, 0.0, 100.0, 100.1]), np.array([15.0, 15.1, 0.0, 0.0]))
    assert inside.tolist() == [True, False, True, False]


def test_a_turned_river_is_the_river_turned(rng):
    angle = math.radians(130.0)
    turn = np.array([(math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))])
    places = rng.uniform(-110.0, 110.0, (2, 500)) * [[1.0], [0.15]]
    straight = River(RIVER).velocity(0.0, *places)
    x, y = turn @ places + [[40.0], [-70.0]]
    vx, vy, inside = River({**RIVER, 'direction_deg': 130.0, 'x': 40.0, 'y': -70.0}).velocity(0.0, x, y)
    np.testing.assert_array_equal(inside, straight[2])
    np.testing.assert_allclose(np.array([vx, vy]), turn @ np.array(straight[:2]), atol=1e-14)


def test_outline_and_extent_of_a_turned_river():
    river = River({**RIVER, 'direction_deg': 90.0, 'x': 5.0})
    np.testing.assert_allclose(river.extent, (-10.0, -100.0, 20.0, 100.0), atol=1e-12)
    area = river.outline()[0]
    x, y = area.T
    assert 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) == pytest.approx(30.0 * 200.0)


def test_a_bank_layer_wider_than_half_the_river_is_refused():
    with pytest.raises(InputError, match='bank_layer is 16; must be at most half the width, 15 m'):
        River({**RIVER, 'bank_layer': 16.0})


@pytest.mark.parametrize('radius', [2.0, 20.0, 300.0])
def test_circulation_of_the_vortex(radius):
    """G (1 - exp(-r^2 / c^2)) around any circle about its centre."""
    angle = middles(0.0, 2.0 * math.pi, 64)
    along = np.array([-np.sin(angle), np.cos(angle)])
    vortex = Vortex({'circulation': 100.0, 'core_radius': 20.0, 'x': 3.0, 'y': -4.0})
    vx, vy, _ = vortex.velocity(0.0, 3.0 + radius * np.cos(angle), -4.0 + radius * np.sin(angle))
    around = (np.array([vx, vy]) * along).sum(axis=0).mean() * 2.0 * math.pi * radius
    assert around == pytest.approx(100.0 * (1.0 - math.exp(-(radius / 20.0) ** 2)), rel=1e-12)


def test_the_vortex_is_free_of_divergence_and_still_at_its_centre(rng):
    vortex, step = Vortex({'circulation': 100.0, 'core_radius': 20.0}), 1e-3
    x, y = rng.uniform(-60.0, 60.0, (2, 500))
    east, west = vortex.velocity(0.0, x + step, y), vortex.velocity(0.0, x - step, y)
    north, south = vortex.velocity(0.0, x, y + step), vortex.velocity(0.0, x, y - step)
    np.testing.assert_allclose((east[0] - west[0] + north[1] - south[1]) / (2.0 * step), 0.0, atol=1e-9)
    np.testing.assert_array_equal(vortex.velocity(0.0, np.zeros(1), np.zeros(1))[:2], np.zeros((2, 1)))


def test_mean_of_the_gust_over_a_period_and_its_height():
    gust, origin = Gust(GUST), np.zeros(1)
    speeds = np.array([np.hypot(*gust.velocity(t, origin, origin)[:2])[0] for t in middles(0.0, 60.0, 6000)])
    assert speeds.mean() == pytest.approx(3.0 + 4.0 * 12.0 / (2.0 * 60.0), rel=1e-9)
    assert speeds.max() == pytest.approx(7.0, rel=1e-5)
    assert speeds.min() == pytest.approx(3.0, rel=1e-12)


def test_a_gust_is_carried_along():
    """What is at the origin is further down later, by the distance over the advection speed."""
    gust = Gust({**GUST, 'advection': 5.0, 'arrival': 7.0})
    here = gust.velocity(13.0, np.zeros(1), np.zeros(1))
    further = 5.0 * 8.0 * math.sqrt(0.5)
    there = gust.velocity(21.0, np.array([further]), np.array([further]))
    np.testing.assert_allclose(here[:2], there[:2], rtol=1e-12)
    beside = gust.velocity(13.0, np.array([30.0]), np.array([-30.0]))
    np.testing.assert_allclose(here[:2], beside[:2], rtol=1e-12)


def test_a_gust_longer_than_its_period_is_refused():
    with pytest.raises(InputError, match='duration is 61; must be at most the period, 60 s'):
        Gust({**GUST, 'duration': 61.0})


def test_an_extent_that_does_not_rise_is_refused():
    with pytest.raises(InputError, match=r'extent is .* must be xmin, ymin, xmax, ymax in m, rising'):
        Vortex({'circulation': 1.0, 'core_radius': 1.0, 'extent': (0.0, 0.0, -1.0, 1.0)})


def test_description_has_units_in_its_keys():
    told = River(RIVER).describe()
    assert (told['width_m'], told['speed_m_s'], told['direction_deg'], told['steps']) == (30.0, 0.8, 0.0, 1)
    assert told['speeds'][0]['max_m_per_s'] == 0.8
    assert Vortex({'circulation': 1.0, 'core_radius': 1.0}).describe()['extent_m'] is None


JET = {'speed': 0.6, 'direction_deg': 0.0, 'width': 30.0}
CORE_END = 30.0 / (0.109 * math.sqrt(math.pi))


def across_jet(s, half=400.0, count=400_001):
    n = np.linspace(-half, half, count)
    return n, Jet(JET).velocity(0.0, np.full_like(n, s), n)[0]


@pytest.mark.parametrize('s', [-5.0, 10.0, 0.5 * CORE_END, CORE_END, 2.0 * CORE_END, 900.0])
def test_a_jet_keeps_its_momentum(s):
    """V^2 B by the trapezoid; a step of 2 mm leaves 1e-4 of the sharp edge upstream."""
    n, speed = across_jet(s)
    assert trapezoid(speed ** 2, n) == pytest.approx(0.6 ** 2 * 30.0, rel=2e-4)


def test_the_middle_of_a_jet_and_its_half_width():
    middle = Jet(JET).velocity(0.0, np.array([-50.0, 0.0, 0.99 * CORE_END, 4.0 * CORE_END]), np.zeros(4))[0]
    np.testing.assert_allclose(middle, [0.6, 0.6, 0.6, 0.3], rtol=1e-12)
    # Far down it spreads by c sqrt(2 ln 2) = 0.128 to half its middle's speed.
    half = 0.109 * math.sqrt(2.0 * math.log(2.0)) * 500.0
    speed = Jet(JET).velocity(0.0, np.full(2, 500.0), np.array([0.0, half]))[0]
    assert speed[1] == pytest.approx(0.5 * speed[0], rel=1e-12)


def test_a_jet_is_continuous_where_its_core_ends_and_still_beside_the_channel():
    before, after = (across_jet(CORE_END + step)[1] for step in (-1e-6, 1e-6))
    np.testing.assert_allclose(before, after, atol=1e-6)
    assert Jet(JET).velocity(0.0, np.array([-1.0, -1.0]), np.array([14.999, 15.001]))[0].tolist() == [0.6, 0.0]


def test_a_turned_jet_is_the_jet_turned(rng):
    angle = math.radians(200.0)
    turn = np.array([(math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))])
    places = rng.uniform(-60.0, 300.0, (2, 500))
    x, y = turn @ places + [[40.0], [-70.0]]
    found = Jet({**JET, 'direction_deg': 200.0, 'x': 40.0, 'y': -70.0}).velocity(0.0, x, y)
    np.testing.assert_allclose(np.array(found[:2]), turn @ np.array(Jet(JET).velocity(0.0, *places)[:2]), atol=1e-12)
    mirrored = Jet(JET).velocity(0.0, places[0], -places[1])
    np.testing.assert_array_equal(mirrored[0], Jet(JET).velocity(0.0, *places)[0])
