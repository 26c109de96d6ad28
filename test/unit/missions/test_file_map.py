"""A file's coordinates become the world's by its own coordinate system, and back."""

from pathlib import Path

import numpy as np
import pytest
from pyproj import Transformer

from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.missions.land_file import file_map

FRAME = LocalPlane(Place(46.2, 6.15))
ENGINEERING = 'ENGCRS["works",EDATUM["works"],CS[Cartesian,2],AXIS["x",east],AXIS["y",north],LENGTHUNIT["metre",1]]'


@pytest.mark.parametrize('crs', ['EPSG:4326', 'urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:2056', 'EPSG:32632'])
def test_there_and_back(crs):
    placed = file_map(Path('a'), crs, FRAME, metres=False)
    x, y = np.array([0.0, 300.0, -2000.0]), np.array([0.0, 40.0, 900.0])
    # PROJ turns datums to a millimetre or two.
    np.testing.assert_allclose(placed.to_world(*placed.to_file(x, y)), [x, y], atol=5e-3)


def test_a_map_of_the_country_lies_where_its_degrees_do():
    east, north = Transformer.from_crs('EPSG:4326', 'EPSG:2056', always_xy=True).transform(6.16, 46.21)
    by_map = file_map(Path('a'), 'EPSG:2056', FRAME, metres=False).to_world(np.array([east]), np.array([north]))
    np.testing.assert_allclose(by_map, FRAME.to_local(np.array([46.21]), np.array([6.16])), atol=5e-3)


@pytest.mark.parametrize(('crs', 'metres'), [('local', False), ('World', False), (ENGINEERING, False),
                                             ('EPSG:4326', True), (None, True)])
def test_the_worlds_own_metres_stay_as_they_are(crs, metres):
    placed = file_map(Path('a'), crs, None, metres)
    assert placed.frame is None
    assert placed.to_world(1.0, 2.0) == placed.to_file(1.0, 2.0) == (1.0, 2.0)


def test_what_is_not_said_is_asked_for():
    with pytest.raises(InputError, match='a: does not say in which coordinates it is'):
        file_map(Path('a'), None, FRAME, metres=False)
    with pytest.raises(InputError, match='a: is in degrees, and nobody says where'):
        file_map(Path('a'), 'EPSG:4326', None, metres=False)
    with pytest.raises(InputError, match="a: its coordinate system is 'EPSG:0', which pyproj does not know"):
        file_map(Path('a'), 'EPSG:0', FRAME, metres=False)
