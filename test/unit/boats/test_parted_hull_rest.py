import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.parted_hull_file import forces_at, level_height, rest_of, shares_of
from usv_energy.files.errors import InputError

GRAVITY = 9.81
OTTER = read_boat('otter_parts').vessel.parts


def energy_of(place, hull):
    """Return the energy of weight, displaced water and springs, J; columns are cut by the water at their axes."""
    height, roll, pitch = place

    def above(x, y, z):
        return height - math.sin(pitch) * x + math.cos(pitch) * (math.sin(roll) * y + math.cos(roll) * z)

    upright, energy = math.cos(roll) * math.cos(pitch), hull.mass * GRAVITY * above(hull.mass_x, hull.mass_y, 0.0)
    for column in hull.columns:
        depth = max(-above(column.x, column.y, column.bottom), 0.0)
        wet = min(depth / upright, column.height)
        energy += hull.density * GRAVITY * column.area * (depth * wet - 0.5 * upright * wet ** 2)
    return energy + 0.5 * (hull.heave_spring * (height - hull.rest_height) ** 2
                           + hull.roll_spring * (roll - hull.rest_roll) ** 2
                           + hull.pitch_spring * (pitch - hull.rest_pitch) ** 2)


def test_forces_are_the_slope_of_the_energy():
    """By central differences, far from level, the springs about a rest of their own."""
    hull = OTTER._replace(mass_x=0.2, mass_y=-0.1, heave_spring=300.0, roll_spring=70.0, pitch_spring=110.0,
                          rest_height=0.13, rest_roll=0.21, rest_pitch=-0.17)
    place, step = np.array([0.1, -0.12, 0.23]), 1e-5
    slope = [(energy_of(place + way, hull) - energy_of(place - way, hull)) / (2.0 * step) for way in step * np.eye(3)]
    np.testing.assert_allclose(forces_at(place, hull), np.negative(slope), rtol=1e-6)


def test_a_ship_whose_centre_of_mass_is_far_below_the_water_floats_too():
    """25 m of 30 m are wet, and the centre of mass is 5 m over the keel: 20 m below the surface."""
    column = OTTER.columns[0]._replace(area=500.0, bottom=-5.0, height=30.0)
    ship = OTTER._replace(columns=(column,) * 4, mass=OTTER.density * 4 * 500.0 * 25.0)
    assert level_height(ship) == pytest.approx(-20.0)


def test_what_is_just_carried_or_leans_by_more_than_half_a_radian_is_refused():
    column = OTTER.columns[0]._replace(area=0.25, bottom=-0.1, height=0.5)
    boxes = tuple(column._replace(x=x, y=y) for x in (-0.7, 0.7) for y in (-0.5, 0.5))
    hull = OTTER._replace(columns=boxes, density=1000.0, mass=500.0, mass_x=0.0, mass_y=0.0, heave_spring=0.0,
                          roll_spring=0.0, pitch_spring=0.0)
    with pytest.raises(InputError, match=r'^here: parts hold up at most 500 kg; must be more than .* 500 kg'):
        rest_of(hull, 'here: ')
    tall = hull._replace(columns=tuple(one._replace(height=5.0) for one in boxes))
    for lean in (0.4, 0.6):
        # A wall-sided hull: tan(heel) (GM + BM tan(heel)^2 / 2) = the arm; four columns at y = 0.5 m: BM = 0.5.
        arm = math.tan(lean) * (0.5 * 0.5 - 0.1 + 0.5 + 0.25 * math.tan(lean) ** 2)
        leaning = tall._replace(mass_y=arm)
        if lean < 0.5:
            assert rest_of(leaning, '') == pytest.approx((rest_of(leaning, '')[0], -lean, 0.0))
        else:
            with pytest.raises(InputError, match=r'do not hold the boat upright.*mass_height, 0\.1 m over'):
                rest_of(leaning, '')


def test_a_box_with_its_mass_over_the_water_lies_by_its_draught():
    """0.5 m of water plane and 100 kg: 0.2 m of draught; the centre of mass 0.3 m over the keel is 0.1 m over water."""
    column = OTTER.columns[0]._replace(area=0.25, bottom=-0.3, height=0.5)
    assert level_height(OTTER._replace(columns=(column,) * 2, density=1000.0, mass=100.0)) == pytest.approx(0.1)


def test_shares_go_by_volume_or_add_up_to_one():
    assert shares_of([None, None], [1.0, 3.0], 'drag', '') == [0.25, 0.75]
    assert shares_of([0.3, 0.7 + 1e-7], [1.0, 3.0], 'drag', '') == [0.3, 0.7 + 1e-7]
    for given in ([0.3, 0.6], [0.3, 0.8]):
        with pytest.raises(InputError, match=r'^here: parts: the shares drag add up to'):
            shares_of(given, [1.0, 3.0], 'drag', 'here: ')
