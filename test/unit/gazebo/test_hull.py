"""The boat as a body that floats upright: floats, stiffness, size."""

import math
from pathlib import Path

import numpy as np
import pytest
from sdf_reading import (
    floats,
    model_of,
    numbers,
    whole_body,
)

from usv_energy.boats.boat_file import boat_from, read_boat
from usv_energy.files.checked import read_with_base
from usv_energy.files.errors import InputError
from usv_energy.gazebo.hull import GRAVITY, WATER_DENSITY, Floats, body_of, floats_of, hull_size
from usv_energy.gazebo.model import model_text


def cap(radius, depth):
    """Return volume, m^3, and the centroid's distance below the sphere's centre, m, of a sphere's lowest cap."""
    return (math.pi * depth ** 2 * (3.0 * radius - depth) / 3.0,
            3.0 * (2.0 * radius - depth) ** 2 / (4.0 * (3.0 * radius - depth)))


def test_the_floats_carry_exactly_the_boat(boat):
    mass, _, _ = whole_body(model_of(boat))
    spheres = floats(model_of(boat))
    volume = sum(cap(radius, radius - centre[2])[0] for radius, centre in spheres)
    assert WATER_DENSITY * volume == pytest.approx(mass, rel=1e-6)
    np.testing.assert_allclose(sum(centre[:2] for _, centre in spheres), 0.0, atol=1e-9)


def test_the_waterplane_is_that_of_the_hulls_box(boat):
    size = hull_size(boat)
    spheres = floats(model_of(boat))
    area = [math.pi * (radius ** 2 - centre[2] ** 2) for radius, centre in spheres]
    assert sum(area) == pytest.approx(size.length * size.width, rel=1e-6)
    second = sum(one * centre[0] ** 2 for one, (_, centre) in zip(area, spheres))
    assert second == pytest.approx(size.width * size.length ** 3 / 12.0, rel=1e-6)


def test_nothing_collides_with_the_floats_and_the_box_is_above_the_water(boat):
    for one in model_of(boat).find('link').findall('collision'):
        if one.get('name') == 'freeboard':
            assert numbers(one, 'pose')[2] - 0.5 * numbers(one, 'geometry/box/size')[2] >= 0.02
        else:
            assert one.findtext('surface/contact/collide_bitmask') == '0'


@pytest.mark.parametrize('mass, length, width', [(9.7, 1.06, 0.48), (180.0, 4.9, 2.44), (2000.0, 3.0, 0.4)])
def test_floats_of_boats_of_all_sizes(mass, length, width):
    size = hull_size(read_boat('lutra_prop'))._replace(length=length, width=width)
    found = floats_of(mass, size)
    assert found.weight == pytest.approx(mass * GRAVITY)
    assert 0.0 < found.depth < 2.0 * found.radius and found.stiffness[0] > 0.0


def test_stiffness_is_the_slope_of_the_buoyancy():
    """Heave against the volumes of caps; roll against caps at their places, as Gazebo applies them."""
    one = Floats(0.5, 0.04, 0.3)

    def force(sunk):
        """Return the force of one float, N, and the height of its centre of buoyancy, its centre so far lower."""
        volume, below = cap(one.radius, one.depth + sunk)
        return WATER_DENSITY * GRAVITY * volume, one.height - below

    step, heave, roll = 1e-6, 0.0, 0.0
    for _, y, z in one.places:
        heave += (force(step)[0] - force(-step)[0]) / (2.0 * step)
        for angle in (step, -step):
            sunk = -(y * math.sin(angle) + z * (math.cos(angle) - 1.0))
            up, height = force(sunk)
            arm = y * math.cos(angle) - height * math.sin(angle)
            roll -= arm * up / (2.0 * angle)
    assert one.stiffness == pytest.approx((heave, roll), rel=1e-5)


def test_a_boat_without_its_size_is_refused(boat_file):
    boat = boat_file('hull: null')
    with pytest.raises(InputError, match=r"mine\.yaml: hull lacks the key 'length'; a Gazebo model needs"):
        model_text(boat, 'diffboat', '')


@pytest.mark.parametrize('change', [
    {'angle_deg': 90.0}, {'azimuth': {'min_angle_deg': -30, 'max_angle_deg': 30, 'rate_deg': 60}}])
def test_a_tilted_thruster_that_does_not_drive_straight_ahead_is_refused_by_name(change):
    document = read_with_base('boats', read_boat('lutra_prop').path)
    document['thrusters'][1].update(change)
    with pytest.raises(InputError, match=r'^odd\.yaml: the thruster right is tilted, and turns or stands at an angle'):
        body_of(boat_from(document, Path('odd.yaml')))
    document['thrusters'][1]['tilt_deg'] = 0.0
    assert body_of(boat_from(document, Path('odd.yaml'))).thrusters[1][2].position == (-0.405, -0.08, 0.0)
