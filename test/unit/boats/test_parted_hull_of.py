import math

import pytest
from barges import GRAVITY, MASS, MASS_HEIGHT, RHO, barge_document, boat_of

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import boat_with, checked_boat_with
from usv_energy.files.errors import InputError

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
