"""What is uncertain of a boat, and boats drawn from it."""


import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import UncertainNumber
from usv_energy.files.errors import InputError
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts

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
    hopeless = [UncertainNumber('static_load', -100.0, 1.0, 1.0)]
    with pytest.raises(InputError, match='hardly any boat'):
        list(drawn_boats(BOAT, hopeless, 3))


JOINT = """
base: lutra_prop
inertia: {m11: {value: 10.0, unit: kg, std: 0.5}}
damping:
  linear: {d11: {value: 4.0, unit: N s/m, std: 2.0}}
  quadratic: {d11: {value: 10.0, unit: N s^2/m^2, std: 2.0}}
correlation: {numbers: [inertia.m11, damping.linear.d11, damping.quadratic.d11],
              matrix: [[1, 0, 0], [0, 1, -0.99], [0, -0.99, 1]]}
"""


def test_numbers_are_drawn_as_they_hang_together(tmp_path):
    """At 1 m/s a drag that is well known as a whole: std 2 sqrt(2 - 2 x 0.99) = 0.28 N, where apart they give 2.8 N."""
    path = tmp_path / 'joint.yaml'
    path.write_text(JOINT)
    boat = read_boat(str(path))
    boats = list(drawn_boats(boat, read_doubts(boat), 400))
    drag = [one.vessel.damping.d11 + one.vessel.damping.d11_q for one in boats]
    assert np.std(drag) == pytest.approx(2.0 * np.sqrt(2.0 - 2.0 * 0.99), rel=0.1)
    assert np.std([one.vessel.inertia.m11 for one in boats]) == pytest.approx(0.5, rel=0.05)
    assert min(one.vessel.damping.d11 for one in boats) >= 0.0
    path.write_text(JOINT[:JOINT.index('correlation')])
    boat = read_boat(str(path))
    apart = [one.vessel.damping.d11 + one.vessel.damping.d11_q for one in drawn_boats(boat, read_doubts(boat), 400)]
    assert np.std(apart) > 8.0 * np.std(drag)
