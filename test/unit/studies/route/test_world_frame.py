"""Degrees and metres of a world: as the flow's file has them, and back."""

import numpy as np
import pytest
from pyproj import Geod

from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.placement import Transform
from usv_energy.studies.route.world_frame import PlacedPlane, ProjectedFrame, frame_of

ORIGIN = Place(46.2, 6.15)
TURNED = Transform(1000.0, -500.0, 30.0)
RNG = np.random.default_rng(3)


@pytest.mark.parametrize('frame', [PlacedPlane(ORIGIN), PlacedPlane(ORIGIN, TURNED),
                                   ProjectedFrame('EPSG:2056', Transform(2.5e6, 1.118e6, 20.0)),
                                   frame_of(UniformFlow(), ORIGIN)])
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
    for frame in (PlacedPlane(ORIGIN), frame_of(UniformFlow(), ORIGIN)):
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


def test_nobody_says_where_a_uniform_flow_lies():
    assert frame_of(UniformFlow()) is None


def test_there_is_no_east_at_a_pole():
    with pytest.raises(InputError, match=r'latitude 89.5.*at the poles there is no east'):
        frame_of(UniformFlow(), Place(89.5, 0.0))
