"""Degrees as metres, against published lengths of a degree."""

import numpy as np
import pytest

from usv_energy.flow.geodesy import local_axes, longitude_latitude, metres_per_degree, stretch


@pytest.mark.parametrize(('latitude', 'east', 'north'), [
    (0.0, 111_319.5, 110_574.3), (15.0, 107_550.0, 110_649.0), (30.0, 96_486.0, 110_852.0), (45.0, 78_847.0, 111_132.0),
    (60.0, 55_800.0, 111_412.0), (75.0, 28_902.0, 111_618.0)])
def test_length_of_a_degree(latitude, east, north):
    """Rounded to metres or km/1000 in the source, en.wikipedia.org/wiki/Geographic_coordinate_system (WGS84)."""
    assert metres_per_degree(latitude) == pytest.approx((east, north), abs=0.8)
    assert metres_per_degree(-latitude) == metres_per_degree(latitude)


def test_a_nautical_mile_is_about_a_minute_of_latitude():
    assert metres_per_degree(45.0)[1] / 60.0 == pytest.approx(1852.0, rel=1e-3)


@pytest.mark.parametrize('longitude', [[-5.0, -4.5, -4.0], [355.0, 355.5, 356.0]])
def test_longitudes_of_either_range(longitude):
    x, y = local_axes(np.array(longitude), np.array([48.0, 48.3]), (-4.5, 48.3))
    east, north = metres_per_degree(48.3)
    np.testing.assert_allclose(x, [-0.5 * east, 0.0, 0.5 * east], atol=1e-6)
    np.testing.assert_allclose(y, [-0.3 * north, 0.0], atol=1e-6)


def test_across_the_date_line():
    x, _ = local_axes(np.array([179.5, -180.0, -179.5]), np.array([0.0]), (180.0, 0.0))
    np.testing.assert_allclose(x, 0.5 * metres_per_degree(0.0)[0] * np.array([-1.0, 0.0, 1.0]), atol=1e-6)


def test_the_plane_is_stretched_away_from_its_origin():
    """To first order by the latitude's difference times its tangent."""
    assert stretch(np.array([45.0]), 45.0) == 0.0
    assert stretch(np.array([44.9, 45.1]), 45.0) == pytest.approx(np.radians(0.1), rel=0.01)


@pytest.mark.parametrize('origin', [(-51.0, -30.0), (179.99999, 60.0)])
def test_a_place_goes_to_degrees_and_back(origin):
    longitude, latitude = longitude_latitude(150.0, -80.0, origin)
    assert -180.0 <= longitude < 180.0
    x, y = local_axes(np.array([longitude]), np.array([latitude]), origin)
    assert (x[0], y[0]) == pytest.approx((150.0, -80.0), abs=1e-6)
