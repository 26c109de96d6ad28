"""The local plane, against geodesics and the plane that Gazebo and robot_localization have; degrees as metres."""

import math

import numpy as np
import pytest
from pyproj import Geod, Transformer

from usv_energy.earth import (
    KNOT,
    DegreeGrid,
    LocalPlane,
    Place,
    compass_degrees,
    compass_text,
    enu_angle,
    metres_per_degree,
    plane_about,
    stretch,
    towards_of,
)
from usv_energy.files.errors import InputError
from usv_energy.logs.motion.sensor_stream import SensorStream
from usv_energy.missions.mission import local_place

ORIGIN = Place(45.0, 9.0)
EARTH = Geod(ellps='WGS84')
RNG = np.random.default_rng(6)


@pytest.mark.parametrize(('latitude', 'east', 'north'), [
    (0.0, 111_319.5, 110_574.3), (15.0, 107_550.0, 110_649.0), (30.0, 96_486.0, 110_852.0), (45.0, 78_847.0, 111_132.0),
    (60.0, 55_800.0, 111_412.0), (75.0, 28_902.0, 111_618.0)])
def test_length_of_a_degree(latitude, east, north):
    """Rounded to metres or km/1000 in the source, en.wikipedia.org/wiki/Geographic_coordinate_system (WGS84)."""
    assert metres_per_degree(latitude) == pytest.approx((east, north), abs=0.8)
    assert metres_per_degree(-latitude) == metres_per_degree(latitude)


def test_a_nautical_mile_is_about_a_minute_of_latitude():
    assert metres_per_degree(45.0)[1] / 60.0 == pytest.approx(3600.0 * KNOT, rel=1e-3)


@pytest.mark.parametrize('origin', [(45.0, 9.0), (-60.0, 179.99), (0.0, 0.0), (80.0, -70.0)])
def test_distances_and_directions_from_the_origin_are_those_of_the_geodesic(origin):
    azimuth, distance = RNG.uniform(-180.0, 180.0, 50), RNG.uniform(1.0, 1e5, 50)
    longitude, latitude, _ = EARTH.fwd(*(np.full(50, one) for one in origin[::-1]), azimuth, distance)
    x, y = LocalPlane(origin).to_local(latitude, longitude)
    np.testing.assert_allclose((x, y), (distance * np.sin(np.radians(azimuth)), distance * np.cos(np.radians(azimuth))),
                               atol=1e-6)


def test_the_plane_is_that_of_gazebo_and_robot_localization():
    """They have the plane that touches, of which PROJ's topocentric is one: d^3 / 6 R^2 apart, 4 mm at 10 km."""
    touching = Transformer.from_pipeline(
        '+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +ellps=WGS84 '
        f'+step +proj=topocentric +ellps=WGS84 +lon_0={ORIGIN.longitude} +lat_0={ORIGIN.latitude}')
    x, y = RNG.uniform(-7e3, 7e3, (2, 100))
    latitude, longitude = LocalPlane(ORIGIN).to_geodetic(x, y)
    east, north, _ = touching.transform(longitude, latitude, np.zeros(100))
    np.testing.assert_allclose((east, north), (x, y), atol=5e-3)


def test_missions_logs_and_sensors_place_a_point_ten_kilometres_away_alike():
    """They were 16 m apart: a log's plane had all meridians parallel."""
    latitude, longitude = 45.0637, 9.0898
    azimuth, _, distance = EARTH.inv(ORIGIN.longitude, ORIGIN.latitude, longitude, latitude)
    truth = distance * math.sin(math.radians(azimuth)), distance * math.cos(math.radians(azimuth))
    assert distance == pytest.approx(1e4, rel=1e-3)
    assert local_place(Place(latitude, longitude), ORIGIN) == pytest.approx(truth, abs=1e-6)
    assert plane_about(ORIGIN).degrees_of(*truth) == pytest.approx((latitude, longitude), abs=1e-11)
    stream = SensorStream(1.0, origin=(ORIGIN.longitude, ORIGIN.latitude))
    states = [state for k in range(60) for state in (
        *stream.turning(0.05 * k, 0.0, 0.0), *stream.velocity(0.05 * k, 0.0, 0.0),
        *stream.fix(0.05 * k, longitude, latitude))]
    assert states[-1].pose[:2] == pytest.approx(truth, abs=1e-3)


def test_across_the_date_line():
    x, _ = LocalPlane((0.0, 180.0)).to_local(np.zeros(3), np.array([179.5, -180.0, -179.5]))
    np.testing.assert_allclose(x, 0.5 * metres_per_degree(0.0)[0] * np.array([-1.0, 0.0, 1.0]), atol=1e-6)


def test_the_other_side_of_the_earth_is_not_on_the_plane():
    with pytest.raises(InputError, match='the place -45, -171 is more than 10000 km from 45, 9'):
        LocalPlane(ORIGIN).to_local(np.array([45.0, -45.0]), np.array([9.0, -171.0]))
    with pytest.raises(InputError, match='local metres are beyond 1e'):
        LocalPlane(ORIGIN).to_geodetic(np.array([2e7]), np.zeros(1))


def test_distances_across_are_stretched_away_from_the_origin():
    """Along a circle about the origin, 1000 km away: its length on the Earth is that of the chords' geodesics."""
    assert stretch(0.0) == 0.0
    longitude, latitude, _ = EARTH.fwd(np.zeros(2), np.full(2, 45.0), np.array([90.0, 90.01]), np.full(2, 1e6))
    length = EARTH.inv(longitude[0], latitude[0], longitude[1], latitude[1])[2]
    x, y = LocalPlane((45.0, 0.0)).to_local(latitude, longitude)
    assert math.hypot(x[1] - x[0], y[1] - y[0]) / length - 1.0 == pytest.approx(stretch(1e6), rel=0.01)


def test_a_grid_of_degrees_keeps_its_rows_and_columns_straight():
    east, north = metres_per_degree(45.0)
    latitude, longitude = np.meshgrid([44.8, 45.0, 45.3], [8.7, 9.2], indexing='ij')
    grid = DegreeGrid(ORIGIN)
    x, y = grid.of_local(*LocalPlane(ORIGIN).to_local(latitude, longitude))
    np.testing.assert_allclose((x, y), ((longitude - 9.0) * east, (latitude - 45.0) * north), atol=1e-6)
    np.testing.assert_allclose(grid.to_local(x, y), LocalPlane(ORIGIN).to_local(latitude, longitude), atol=1e-6)
    assert np.isnan(grid.of_local(np.array([1.1e7]), np.zeros(1))).all()


def test_the_turn_of_a_grid_of_degrees_is_that_of_its_meridians():
    """Against the direction, on the plane, of a step to the north; the plane itself bends it by (d / R)^2 / 6."""
    x, y = RNG.uniform(-1e5, 1e5, (2, 50))
    grid = DegreeGrid(Place(60.0, 20.0))
    step = np.subtract(grid.to_local(x, y + 1.0), grid.to_local(x, y))
    np.testing.assert_allclose(np.arctan2(-step[0], step[1]), grid.turn(x, y), atol=3e-4)
    assert np.abs(grid.turn(x, y)).max() > 0.02


@pytest.mark.parametrize(('compass', 'angle'), [(0.0, math.pi / 2.0), (90.0, 0.0), (180.0, -math.pi / 2.0),
                                                (300.0, math.radians(150.0))])
def test_directions_of_the_compass(compass, angle):
    assert enu_angle(compass) == pytest.approx(angle, abs=1e-12)
    assert compass_degrees(angle) == pytest.approx(compass, abs=1e-12)
    assert compass_text(angle) == f'{compass:03.0f} deg'
    for direction, comes_from in ((compass, False), (compass + 180.0, True)):
        off = float(towards_of(direction, comes_from)) - angle
        assert math.remainder(off, math.tau) == pytest.approx(0.0, abs=1e-9)
