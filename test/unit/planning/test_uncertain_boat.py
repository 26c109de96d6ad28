"""What is uncertain of a boat, and boats drawn from it."""


import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.planning.uncertain_boat import Doubt, drawn_boats, read_doubts

BOAT = read_boat('lutra_prop')


def test_doubts_come_from_the_file_and_from_the_user_who_is_right(tmp_path):
    """Numbers that identify keeps beside the boat's own, and those that no energy depends on, are not drawn."""
    path = tmp_path / 'doubtful.yaml'
    path.write_text("""
base: lutra_prop
hull: {length: {value: 1.06, unit: m, std: 0.1}}
inertia: {m11: {value: 2.0, unit: kg, interval: [1.0, 4.0]}, m22: {value: 12.0, unit: kg, std: 0.0}}
static_load: {value: 5.0, unit: W, std: 0.5}
identification: {rollout: {thrust_of_log: {scale: {value: 1.0, unit: '-', std: 0.1}}}}
""")
    boat = read_boat(str(path))
    found = {doubt.name: doubt for doubt in read_doubts(boat, {
        'thrusters.0.max_thrust': '10 %', 'static_load': '1', 'damping.linear.d23': '0.1'})}
    assert set(found) == {'inertia.m11', 'static_load', 'thrusters.0.max_thrust', 'damping.linear.d23'}
    assert (found['inertia.m11'].below, found['inertia.m11'].above) == pytest.approx((1.0 / 1.96, 2.0 / 1.96), rel=1e-4)
    assert found['static_load'].above == 1.0
    assert found['thrusters.0.max_thrust'].above == pytest.approx(1.15)
    assert found['damping.linear.d23'][1:] == (0.0, 0.1, 0.1)   # what a boat has whose file does not say
    for name, said in (('name', "no parameter 'name'"), ('damping.linaer.d11', r'did you mean damping\.linear\.d11'),
                       ('thrusters.3.lag', 'no such number to draw'), ('hull.mass', 'no such number to draw'),
                       ('thrusters.0.lag.y', 'no parameter')):
        with pytest.raises(InputError, match=said):
            read_doubts(boat, {name: '1'})
    for text in ('-1', 'many', 'nan', '-3%'):
        with pytest.raises(InputError, match='must be a number from 0 on'):
            read_doubts(boat, {'static_load': text})


def test_a_draw_that_is_no_boat_is_drawn_again():
    doubts = read_doubts(BOAT, {'static_load': '2.0'})  # the file says 0 W: every other draw is below
    boats = list(drawn_boats(BOAT, doubts, 50))
    assert len(boats) == 50
    assert all(boat.vessel.static_load >= 0.0 for boat in boats)
    assert np.std([boat.vessel.static_load for boat in boats]) > 0.5
    again = list(drawn_boats(BOAT, doubts, 50))
    assert [boat.vessel.static_load for boat in boats] == [boat.vessel.static_load for boat in again]
    hopeless = [Doubt('static_load', -100.0, 1.0, 1.0)]
    with pytest.raises(InputError, match='hardly any boat'):
        list(drawn_boats(BOAT, hopeless, 3))
