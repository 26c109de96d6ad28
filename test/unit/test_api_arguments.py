"""What the public Python API is given: wrong shapes and vectors are refused by name, names and things are one."""

import numpy as np
import pytest

import usv_energy


@pytest.fixture(scope='module')
def boat():
    return usv_energy.read_boat('lutra_prop')


def test_arrays_of_two_shapes_and_wrong_vectors_are_refused(boat):
    for given in ({'u': np.ones(3), 'v': np.ones((3, 1))}, {'u': np.ones(3), 'r': np.ones(1)},
                  {'u': np.ones(3), 'current': (np.ones(4), 0.0)}):
        with pytest.raises(usv_energy.InputError, match='one shape'):
            usv_energy.power(boat, **given)
    with pytest.raises(usv_energy.InputError, match='3 components'):
        usv_energy.power(boat, u=1.0, wind=(1.0, 2.0, 3.0))
    with pytest.raises(usv_energy.InputError, match='rep103, as_published'):
        usv_energy.power(boat, u=1.0, convention='mine')
    with pytest.raises(usv_energy.InputError, match='at least 0'):
        usv_energy.uniform_flow(-1.0, 0.0)


def test_a_boat_and_a_scenario_are_themselves_or_what_their_names_stand_for(boat):
    assert usv_energy.power('lutra_prop', u=1.0) == usv_energy.power(boat, u=1.0)
    assert usv_energy.run_scenario('1').energy == usv_energy.run_scenario(usv_energy.read_scenario('1')).energy
    with pytest.raises(usv_energy.InputError, match='no_such_boat'):
        usv_energy.power('no_such_boat', u=1.0)


def test_a_vector_of_floats_stands_for_arrays_of_it(boat):
    both = usv_energy.power(boat, u=np.full(3, 0.8), current=(0.2, np.full(3, 0.1)))
    assert both.total.tolist() == [usv_energy.power(boat, u=0.8, current=(0.2, 0.1)).total] * 3
