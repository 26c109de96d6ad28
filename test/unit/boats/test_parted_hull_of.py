
import math

import numpy as np
import pytest
from barges import GRAVITY, MASS, MASS_HEIGHT, RHO, barge_document, boat_of
from scipy.optimize import brentq

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import boat_with, checked_boat_with
from usv_energy.boats.parted_hull_file import Floating, HullPart, HullSheet, _weighted, parted_hull_of, stiffness_at
from usv_energy.boats.vessel import Hull, Inertia
from usv_energy.files.errors import InputError
from usv_energy.physics.parted_hull import HullColumn

FLOATS = {'y': 0.6, 'length': 2.0, 'width': 0.2, 'height': 0.5}
DRAUGHT = MASS / (RHO * 2 * 2.0 * 0.2)


def catamaran(folder, **port):
    parts = [{'name': 'port', 'x': 0.0, **FLOATS, **port}, {'name': 'starboard', 'x': 0.0, **FLOATS, 'y': -0.6}]
    return boat_of({**barge_document(), 'parts': parts}, folder)


def metacentric_height(mass, mass_height):
    """Return GM = KB + BM - KG of the catamaran without trim, m, with the second moment of both boxes."""
    volume = mass / RHO
    second = 2.0 * (2.0 * 0.2 ** 3 / 12.0 + 2.0 * 0.2 * 0.6 ** 2)
    return 0.5 * volume / 0.8 + second / volume - mass_height, second / volume


def test_it_lies_as_deep_as_its_mass_asks(tmp_path):
    hull = catamaran(tmp_path).vessel.parts
    assert hull.draught == pytest.approx(DRAUGHT)
    assert (hull.rest_height, hull.rest_roll, hull.rest_pitch) == pytest.approx((MASS_HEIGHT - DRAUGHT, 0.0, 0.0))


def test_a_payload_sinks_it_by_its_mass_over_the_water_plane(tmp_path):
    boat = catamaran(tmp_path)
    loaded = checked_boat_with(boat, {'hull.payload': 20.0})
    assert loaded.vessel.parts.draught - boat.vessel.parts.draught == pytest.approx(20.0 / (RHO * 0.8))
    assert loaded.vessel.inertia.m11 == boat.vessel.inertia.m11 + 20.0


def test_a_payload_on_one_float_heels_it_as_a_wall_sided_hull(tmp_path):
    boat = catamaran(tmp_path, payload=10.0)
    gm, bm = metacentric_height(MASS + 10.0, MASS_HEIGHT)
    heel = -boat.vessel.parts.rest_roll  # Port side down: the heeling arm is 10 kg x 0.6 m over all mass, cos(heel).
    assert math.tan(heel) * (gm + 0.5 * bm * math.tan(heel) ** 2) == pytest.approx(6.0 / (MASS + 10.0), rel=1e-3)
    assert boat.vessel.inertia.m33 == pytest.approx(110.0 + 10.0 * 0.36)


def test_a_payload_ahead_trims_it_by_the_bow(tmp_path):
    boat = checked_boat_with(catamaran(tmp_path), {'hull.payload': 5.0, 'hull.payload_x': 0.4})
    mass = MASS + 5.0
    draught = mass / (RHO * 0.8)
    gm = 0.5 * draught + 2.0 ** 2 / (12.0 * draught) - MASS_HEIGHT
    assert boat.vessel.parts.rest_pitch == pytest.approx(5.0 * 0.4 / (mass * gm), rel=0.01)


def test_the_otter_has_the_periods_of_its_makers_model():
    """[M]: G33, G44, G55 over their inertias; its hollow sided pontoons make GM_T 0.03 m less, and I_L 6 % more."""
    hull = read_boat('otter_parts').vessel.parts
    area, second = 2 * 0.375, 2 * 0.375 * 0.395 ** 2
    volume = 55.0 / RHO
    assert hull.heave_damping ** 2 == pytest.approx(0.36 * 110.0 * RHO * GRAVITY * area)
    gm = second / volume + 2 * 2.0 * 0.1875 ** 3 / 12.0 / volume + 0.5 * hull.draught - 0.334
    assert hull.roll_damping ** 2 == pytest.approx(0.16 * 12.31 * 55.0 * GRAVITY * gm, rel=1e-3)


@pytest.mark.parametrize(('change', 'words'), [
    ({'floating': None}, ['has parts and lacks the key floating']),
    ({'hull': {'mass': 2000.0}}, ['parts hold up at most 820 kg', '2000 kg']),
    ({'floating': {**barge_document()['floating'], 'mass_height': 3.0}}, ['do not hold the boat upright']),
    ({'floating': {**barge_document()['floating'], 'mass_heigth': 3.0}}, ['mass_heigth']),
    ({'parts': [{'name': 'a', 'x': 0.0, 'y': 0.0, 'length': 2.0, 'width': 0.8, 'height': -1.0}]},
     ['parts.0.height', 'greater than 0']),
    ({'parts': [{'name': 'a', 'x': 0.0, 'y': y, 'length': 2.0, 'width': 0.4, 'height': 0.5, **more}
                for y, more in ((0.3, {'drag': 0.4}), (-0.3, {}))]}, ['drag stands with some parts']),
    ({'parts': [{'name': name, 'x': 0.0, 'y': y, 'length': 2.0, 'width': 0.4, 'height': 0.5, 'windage': 0.4}
                for name, y in (('a', 0.3), ('b', -0.3))]}, ['windage add up to 0.8', 'must be 1'])])
def test_what_does_not_float_is_refused(tmp_path, change, words):
    document = {**barge_document(), **change}
    document = {key: value for key, value in document.items() if value is not None}
    if 'drag' in str(change):
        document['parts'][1]['name'] = 'b'
    with pytest.raises(InputError) as found:
        boat_of(document, tmp_path)
    for word in (*words, 'barge.yaml'):
        assert word in str(found.value)


def test_its_parts_do_not_vary_from_run_to_run(tmp_path):
    with pytest.raises(InputError, match=r'parts\.0\.x is of the hull'):
        boat_with(catamaran(tmp_path), {'parts.0.x': 1.0})


PORT = HullPart(0.3, 0.62, 1.8, 0.21, 0.5, 0.0, 0.5, 0.2, payload=4.0)
STARBOARD = HullPart(-0.1, -0.55, 2.1, 0.25, 0.42, 0.03, 0.3, 0.3)
MIDDLE = HullPart(0.15, -0.04, 0.7, 0.36, 0.31, 0.05, 0.2, 0.5, payload=3.0)
BOXES = PORT, STARBOARD, MIDDLE
FLOATING = Floating(0.24, 11.0, 31.0, payload_height=0.37, water_density=1020.0, thrust_height=-0.06,
                    heave_stiffness=9e3, roll_stiffness=2.5e3, pitch_stiffness=4e3, heave_damping=0.31,
                    roll_damping=0.17, pitch_damping=0.43)
HULL = Hull(mass=120.0, payload=9.0, payload_x=-0.21, payload_y=0.33, yaw_inertia=37.0)
INERTIA = Inertia(150.0, 190.0, 88.0)
HEIGHTS = np.array([0.24, 0.37, 0.37, 0.37, 0.37])


def hull_of(floating=FLOATING, hull=HULL, boxes=BOXES, inertia=INERTIA):
    return parted_hull_of(HullSheet(boxes, floating), hull, inertia, 'here: ')


def masses_of(boat_x):
    """Return mass and place of the boat, both halves of its payload, and the payloads of two boxes, a row each."""
    return np.array([[120.0, boat_x, 0.0], [4.5, -0.21, 0.33], [4.5, -0.21, -0.33], [4.0, 0.3, 0.62],
                     [3.0, 0.15, -0.04]]).T


def centre_of_buoyancy():
    """Return x of the displaced water where the boxes hold up the boat alone, level, m."""
    def weights(depth):
        return np.array([1020.0 * box.length * box.width * np.clip(depth - box.bottom, 0.0, box.height)
                         for box in BOXES])
    found = weights(brentq(lambda depth: np.sum(weights(depth)) - 120.0, 0.0, 1.0, xtol=1e-14))
    return found @ [box.x for box in BOXES] / np.sum(found)


def test_the_masses_on_board_make_its_inertias():
    """About the centre of all masses; added are the mass itself, 0.2 of the inertia in roll and 0.8 in pitch."""
    hull = hull_of()
    m, x, y = masses_of(centre_of_buoyancy())
    mass = np.sum(m)
    x_g, y_g, z_g = m @ x / mass, m @ y / mass, m @ HEIGHTS / mass
    roll = 11.0 + m @ ((y - y_g) ** 2 + (HEIGHTS - z_g) ** 2)
    pitch = 31.0 + m @ ((x - x_g) ** 2 + (HEIGHTS - z_g) ** 2)
    assert (hull.mass, hull.mass_x, hull.mass_y) == pytest.approx((136.0, x_g, y_g), rel=1e-9)
    assert (hull.heave_mass, hull.roll_inertia, hull.pitch_inertia) == pytest.approx((272.0, 1.2 * roll, 1.8 * pitch))
    assert (hull.heave_added, hull.roll_added, hull.pitch_added) == pytest.approx((136.0, 0.2 * roll, 0.8 * pitch))
    assert hull.yaw_added == pytest.approx(88.0 - 37.0 - m[1:] @ (x[1:] ** 2 + y[1:] ** 2))
    assert hull.thrust_arm == pytest.approx(-0.06 - z_g)
    given = hull_of(FLOATING._replace(mass_x=-0.3, heave_added_mass=5.0, roll_added_inertia=6.0,
                                      pitch_added_inertia=7.0), HULL._replace(yaw_inertia=None))
    assert given.mass_x == pytest.approx(x_g - (centre_of_buoyancy() + 0.3) * 120.0 / mass)
    assert (given.heave_added, given.roll_added, given.pitch_added) == (5.0, 6.0, 7.0)
    assert given.yaw_added == pytest.approx(88.0 * (1.0 - 136.0 / 190.0))


def test_its_columns_have_the_boxes_second_moments_and_shares():
    """Two of a box beside the middle, four of one amidships: area, first and second moments are those of the box."""
    hull = hull_of()
    z_g = masses_of(0.0)[0] @ HEIGHTS / 136.0
    first = 0
    for box, number in zip(BOXES, (2, 2, 4)):
        mine, first = hull.columns[first:first + number], first + number
        area, x, y, drag, windage = np.array([(c.area, c.x, c.y, c.drag, c.windage) for c in mine]).T
        size = box.length * box.width
        assert (np.sum(area), np.sum(drag), np.sum(windage)) == pytest.approx((size, box.drag, box.windage))
        assert area @ x / size == pytest.approx(box.x) and x[0] > box.x
        assert area @ (x - box.x) ** 2 / size == pytest.approx(box.length ** 2 / 12.0)
        assert area @ y ** 2 / size == pytest.approx(box.width ** 2 / 12.0 + box.y ** 2)
        assert np.all(np.sign(y) == np.sign(box.y)) if number == 2 else np.mean(y) == pytest.approx(box.y)
        assert [(c.bottom, c.height) for c in mine] == [pytest.approx((box.bottom - z_g, box.height))] * number
    lengths, widths = (np.array([getattr(box, key) for box in BOXES]) for key in ('length', 'width'))
    assert (hull.cell_length, hull.cell_width) == pytest.approx(
        tuple(np.average(part, weights=lengths * widths) for part in (0.5 * lengths, widths)))
    by_volume = hull_of(boxes=tuple(box._replace(drag=None) for box in BOXES)).columns
    volumes = [box.length * box.width * box.height for box in BOXES]
    assert by_volume[0].drag == pytest.approx(0.5 * volumes[0] / sum(volumes))


def test_water_that_moves_with_the_hull_counts_as_its_own_motion():
    """What columns feel in heave, roll, pitch and yaw adds up to a motion of all columns together, and of no other."""
    columns = hull_of().columns
    area, x, y, drag = np.array([(c.area, c.x, c.y, c.drag) for c in columns]).T
    lift, roll, pitch, turn = np.array([(c.lift, c.roll, c.pitch, c.turn) for c in columns]).T
    x_a, y_a = area @ x / np.sum(area), area @ y / np.sum(area)
    up = 0.3 + 0.7 * (y - y_a) - 0.4 * (x - x_a)  # Heave, roll and pitch of a plane about the middle of the columns.
    assert lift @ up == pytest.approx(0.3)
    assert roll @ (0.7 * (y - y_a)) == pytest.approx(0.7) and pitch @ (-0.4 * (x - x_a)) == pytest.approx(0.4)
    np.testing.assert_allclose(roll / (area * (y - y_a)), roll[0] / (area[0] * (y[0] - y_a)), rtol=1e-9)
    np.testing.assert_allclose(pitch / (area * (x - x_a)), pitch[0] / (area[0] * (x[0] - x_a)), rtol=1e-9)
    np.testing.assert_allclose(turn, drag / (drag @ (x ** 2 + y ** 2)), rtol=1e-12)
    alone = _weighted([HullColumn(0.4, 0.0, 0.2, -0.1, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)])[0]
    assert (alone.lift, alone.roll, alone.pitch, alone.turn) == (1.0, 0.0, 0.0, 0.0)


def test_it_has_the_stiffness_and_the_damping_that_its_file_asks_for():
    """Springs are what the columns lack; damping is twice the ratio times sqrt(inertia times stiffness)."""
    hull = hull_of()
    rest = np.array([hull.rest_height, hull.rest_roll, hull.rest_pitch])
    springs = hull.heave_spring, hull.roll_spring, hull.pitch_spring
    calm = hull._replace(heave_spring=0.0, roll_spring=0.0, pitch_spring=0.0)
    np.testing.assert_allclose(np.diag(stiffness_at(rest, calm)) + springs, (9e3, 2.5e3, 4e3), rtol=1e-6)
    damping = hull.heave_damping, hull.roll_damping, hull.pitch_damping
    inertias = np.array([hull.heave_mass, hull.roll_inertia, hull.pitch_inertia])
    np.testing.assert_allclose(damping, 2.0 * np.sqrt(inertias * (9e3, 2.5e3, 4e3)) * (0.31, 0.17, 0.43), rtol=1e-9)


def test_drag_and_wind_act_where_the_file_says_or_at_half_of_what_is_in_water_and_in_air():
    hull = hull_of()
    z_g = masses_of(0.0)[0] @ HEIGHTS / 136.0
    area = np.array([column.area for column in hull.columns])
    depths = np.maximum([-(hull.rest_height + column.bottom) for column in hull.columns], 0.0)
    assert hull.draught == pytest.approx(area @ depths / np.sum(area))
    assert hull.drag_arm == pytest.approx(-hull.rest_height - 0.5 * hull.draught)
    assert hull.wind_arm == pytest.approx(-hull.rest_height - (hull.rest_height + 0.0 - z_g))  # As high as it is deep.
    assert hull_of(FLOATING._replace(drag_height=0.07)).drag_arm == pytest.approx(0.07 - z_g)
    assert hull_of(hull=HULL._replace(height=0.8)).wind_arm == pytest.approx(0.4 - hull.rest_height)
    assert hull_of(hull=HULL._replace(height=0.8, windage_height=0.9)).wind_arm == pytest.approx(0.9 - hull.rest_height)


def test_a_box_whose_side_is_on_the_middle_line_is_one_beside_it():
    """Two columns of it; of one that reaches a little over the line there are four."""
    for y, number in ((0.18, 2), (0.1799, 4)):
        assert len(hull_of(boxes=(PORT, STARBOARD, MIDDLE._replace(y=y))).columns) == 4 + number
