"""Whether what holds arrays is alike."""

import copy

import pytest

import usv_energy


@pytest.mark.parametrize('read, name, other', [(usv_energy.read_boat, 'blueboat', 'lutra_prop'),
                                               (usv_energy.read_scenario, '1', '2')])
def test_boats_and_scenarios_are_compared_and_hashed(read, name, other):
    one, again, another = read(name), read(name), read(other)
    assert one == again == copy.deepcopy(one) and hash(one) == hash(again)
    assert one != another and one in [another, again] and len({one, again, another}) == 2
    assert one != name
