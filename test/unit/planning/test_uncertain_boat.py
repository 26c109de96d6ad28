"""What is uncertain of a boat, and boats drawn from it."""


import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.planning.uncertain_boat import doubts_of, drawn_boats, read_doubts

BOAT = read_boat('lutra_prop')
DOCUMENT, _ = read_doubts(BOAT)


def test_doubts_come_from_the_file_and_from_the_user_who_is_right():
    document = {'a': {'value': 2.0, 'unit': 'm', 'interval': [1.0, 4.0]}, 'b': {'value': 5.0, 'unit': 'kg', 'std': 0.5},
                'c': [{'d': {'value': 1.0, 'unit': 'N', 'std': 0.0}, 'e': 3.0}], 'f': {'g': 7.0, 'h': 'text'}}
    found = {doubt.name: doubt for doubt in doubts_of(document, {'c.0.e': '10 %', 'b': '1'})}
    assert set(found) == {'a', 'b', 'c.0.e'}
    assert (found['a'].below, found['a'].above) == pytest.approx((1.0 / 1.96, 2.0 / 1.96), rel=1e-4)
    assert found['b'].above == 1.0
    assert found['c.0.e'].above == pytest.approx(0.3)
    for name, said in (('f.h', 'no number'), ('f.x', "no 'x' there"), ('c.3.e', '1 entries'), ('c.0.e.y', 'plain')):
        with pytest.raises(InputError, match=said):
            doubts_of(document, {name: '1'})
    for text in ('-1', 'many', 'nan', '-3%'):
        with pytest.raises(InputError, match='must be a number from 0 on'):
            doubts_of(document, {'b': text})


def test_a_draw_that_is_no_boat_is_drawn_again():
    doubts = doubts_of(DOCUMENT, {'static_load': '2.0'})  # the file says 0 W: every other draw is below
    boats = list(drawn_boats(BOAT, DOCUMENT, doubts, 50))
    assert len(boats) == 50
    assert all(boat.vessel.static_load >= 0.0 for boat in boats)
    assert np.std([boat.vessel.static_load for boat in boats]) > 0.5
    again = list(drawn_boats(BOAT, DOCUMENT, doubts, 50))
    assert [boat.vessel.static_load for boat in boats] == [boat.vessel.static_load for boat in again]
    hopeless = doubts_of({**DOCUMENT, 'static_load': -100.0}, {'static_load': '1'})
    with pytest.raises(InputError, match='hardly any boat'):
        list(drawn_boats(BOAT, DOCUMENT, hopeless, 3))
