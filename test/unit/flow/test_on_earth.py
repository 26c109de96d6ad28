"""Degrees and metres of a world: as a flow's file has them, and back; and a flow where its file says that it lies."""

from pathlib import Path

import numpy as np
import pytest
from pyproj import CRS, Geod

from usv_energy.earth import DegreeGrid, LocalPlane, Place
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import AS_IT_IS, raw_flow
from usv_energy.flow.on_earth import (
    PlacedPlane,
    ProjectedFrame,
    laid_on_earth,
    own_frame,
    place_words,
)
from usv_energy.flow.placement import Transform

ORIGIN = Place(46.2, 6.15)
TURNED = Transform(1000.0, -500.0, 30.0)
RNG = np.random.default_rng(3)


@pytest.mark.parametrize('frame', [PlacedPlane(ORIGIN), PlacedPlane(ORIGIN, TURNED),
                                   ProjectedFrame('EPSG:2056', Transform(2.5e6, 1.118e6, 20.0)),
                                   LocalPlane(ORIGIN)])
def test_there_and_back(frame):
    latitude, longitude = 46.2 + RNG.uniform(-0.2, 0.2, 50), 6.15 + RNG.uniform(-0.3, 0.3, 50)
    back = frame.to_geodetic(*frame.to_local(latitude, longitude))
    np.testing.assert_allclose(back, [latitude, longitude], atol=1e-8)  # 1 mm


def test_land_lies_where_a_flow_in_degrees_has_it():
    longitude, latitude = np.array([5.9, 6.3]), np.array([46.0, 46.3])
    x, y = PlacedPlane(ORIGIN).to_local(latitude, longitude)
    np.testing.assert_allclose([x, y], LocalPlane(ORIGIN).to_local(latitude, longitude))


def test_near_the_origin_metres_are_those_of_the_geodesic():
    geod = Geod(ellps='WGS84')
    for frame in (PlacedPlane(ORIGIN), LocalPlane(ORIGIN)):
        x, y = frame.to_local(np.array([46.201]), np.array([6.152]))
        _, _, length = geod.inv(6.15, 46.2, 6.152, 46.201)
        assert float(np.hypot(x, y)[0]) == pytest.approx(length, rel=2e-5)  # d tan(latitude) / R


def test_the_plane_goes_on_over_the_dateline():
    frame = PlacedPlane(Place(-17.0, 179.9))
    x, y = frame.to_local(np.array([-17.0, -17.0]), np.array([179.8, -179.8]))
    assert x[1] == pytest.approx(-3.0 * x[0], rel=1e-6)  # To the square of the angle, 0.3 degrees here.
    np.testing.assert_allclose(frame.to_geodetic(x, y), [[-17.0, -17.0], [179.8, -179.8]])


def test_a_map_in_feet_is_in_metres_here():
    """A foot of the US survey is 1200/3937 m; EPSG:2263 is New York's map in such feet."""
    metres, feet = ProjectedFrame('EPSG:32118'), ProjectedFrame('EPSG:2263')
    place = np.array([40.7]), np.array([-74.0])
    np.testing.assert_allclose(feet.to_local(*place), metres.to_local(*place), atol=0.01)


class ByPlace:
    """A source on a map whose velocity is the degrees of its place, by `to_degrees`; it lies within an extent."""

    times, start, extent = np.zeros(1), None, (-2e5, -2e5, 2e5, 2e5)

    def __init__(self, to_degrees, projection=None, origin_deg=None):
        self._to_degrees, self._projection, self.origin_deg = to_degrees, projection, origin_deg

    def velocity(self, t, x, y):
        latitude, longitude = self._to_degrees(x, y)
        return longitude, latitude, np.abs(x) < 2e5

    def describe(self):
        return {'projection': self._projection}


def in_degrees(transform=AS_IT_IS):
    """Return a flow in degrees about 9.5 E, 45 N, whose velocity has longitude and latitude for components."""
    grid = DegreeGrid(Place(45.0, 9.5))
    return raw_flow(Path('f.nc'), ByPlace(grid.to_degrees, origin_deg=grid.origin), transform)


def of_place(flow, x, y):
    """Return longitude and latitude that `flow` has at a place, its velocity turned back to east and north."""
    vx, vy, _ = flow.velocity(0.0, np.array([x]), np.array([y]))
    return float(np.hypot(vx, vy)[0])


@pytest.mark.parametrize('transform', [Transform(), TURNED])
@pytest.mark.parametrize(('x', 'y'), [(0.0, 0.0), (3000.0, -2000.0)])
def test_a_flow_in_degrees_lies_where_its_file_says(transform, x, y):
    """And not with its middle, 9.5 E, at the home of the mission, 10.8 E."""
    home = LocalPlane(Place(45.2, 10.8))
    flow = laid_on_earth(in_degrees(transform), home, 'the mission')
    latitude, longitude = home.degrees_of(x, y)
    assert of_place(flow, x, y) == pytest.approx(np.hypot(longitude, latitude), rel=1e-9)
    assert bool(flow.remark) == (transform != Transform())


def test_its_velocity_is_turned_by_the_meridian_between_world_and_place():
    """True north, 1 degree east of the home, leans to the left on the plane about that: by sin(latitude) degrees."""
    grid = DegreeGrid(Place(45.0, 9.5))
    source = ByPlace(lambda x, y: (np.ones_like(x), np.zeros_like(x)), origin_deg=grid.origin)
    home = LocalPlane(Place(45.0, 10.0))
    flow = laid_on_earth(raw_flow(Path('f.nc'), source), home, 'the log')
    x, y = home.to_local(np.array([45.0]), np.array([11.0]))
    vx, vy, _ = flow.velocity(0.0, x, y)
    assert np.arctan2(-vx, vy)[0] == pytest.approx(np.radians(np.sin(np.radians(45.0))), rel=2e-3)


@pytest.mark.parametrize('crs', ['EPSG:32632', 'EPSG:3857', 'EPSG:2056'])
def test_a_flow_on_a_map_lies_where_its_projection_says(crs):
    """Of EPSG:3857 a metre of the map is 0.7 m here, so that a shift and a turn would not do."""
    own, home = ProjectedFrame(crs), LocalPlane(Place(46.5, 8.0))
    source = ByPlace(own.to_geodetic, CRS.from_user_input(crs).to_wkt())
    source.velocity = lambda t, x, y: (*own.to_geodetic(x, y)[::-1], np.ones(len(x), bool))
    flow = laid_on_earth(raw_flow(Path('map.tif'), source), home, 'the log')
    latitude, longitude = home.degrees_of(4000.0, 2500.0)
    assert of_place(flow, 4000.0, 2500.0) == pytest.approx(np.hypot(longitude, latitude), rel=1e-9)


def test_the_axes_of_a_map_are_turned_into_those_of_the_world():
    """By the convergence of UTM's meridians: (longitude - 9) sin(latitude), Snyder (1987), page 63, to first order."""
    source = ByPlace(lambda x, y: (np.ones_like(x), np.zeros_like(x)), 'EPSG:32632')
    source.velocity = lambda t, x, y: (np.zeros(len(x)), np.ones(len(x)), np.ones(len(x), bool))
    flow = laid_on_earth(raw_flow(Path('map.tif'), source), LocalPlane(Place(45.0, 11.0)), 'the log')
    vx, vy, _ = flow.velocity(0.0, np.zeros(1), np.zeros(1))
    assert np.arctan2(vx, vy)[0] == pytest.approx(np.radians(2.0 * np.sin(np.radians(45.0))), rel=1e-3)


def test_a_wind_in_degrees_lies_in_the_world_of_a_current_in_degrees():
    """As `map` and `route` have it: the world is that of the current, whose own transform shifts and turns it."""
    current = in_degrees(TURNED)
    source = ByPlace(DegreeGrid(Place(44.0, 11.0)).to_degrees, origin_deg=(44.0, 11.0))
    wind = laid_on_earth(raw_flow(Path('w.nc'), source), own_frame(current), 'the current')
    assert of_place(wind, 2000.0, 700.0) == pytest.approx(of_place(current, 2000.0, 700.0), rel=1e-9)


def test_what_only_one_says_is_taken_as_before_and_said():
    flow = in_degrees()
    local = laid_on_earth(flow, None, 'the mission')
    assert local.transform == flow.transform
    assert 'the mission does not: x = y = 0 of the mission is taken to lie at latitude 45.000000, longitude 9.5' in (
        local.remark)
    metres = raw_flow(Path('river.csv'), ByPlace(lambda x, y: (x, y)))
    assert 'does not say where on the Earth it is' in laid_on_earth(metres, LocalPlane(ORIGIN), 'the log').remark
    assert laid_on_earth(metres, None, 'the log').remark == ''
    assert laid_on_earth(UniformFlow(1.0, 0.0), LocalPlane(ORIGIN), 'the log') == UniformFlow(1.0, 0.0)


def test_a_flow_that_is_laid_again_stays():
    home = LocalPlane(Place(45.2, 10.8))
    once = laid_on_earth(in_degrees(), home, 'the mission')
    twice = laid_on_earth(once, home, 'the mission')
    assert of_place(once, 100.0, 50.0) == of_place(twice, 100.0, 50.0)


def test_a_place_outside_is_named_in_degrees():
    flow = laid_on_earth(in_degrees(), LocalPlane(Place(45.0, 30.0)), 'the mission')
    assert not flow.velocity(0.0, np.zeros(1), np.zeros(1))[2][0]
    assert place_words(flow, 0.0, 0.0).startswith(
        'x = 0.0 m, y = 0.0 m (latitude 45, longitude 30; the file has 43.2')
