"""What a fit learns of actuators: which numbers, for which boats, and the boat that they make."""

import numpy as np
import pytest
from arrangement_twin import base_of

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.identify.rollout.fit_parameters import (
    INFLOW,
    actuator_rows,
    are_compared,
    foil_groups,
    inflow_of,
    pushes_ahead_only,
    with_actuators,
)


def test_which_boats_push_ahead_only_and_have_two_sides_to_compare():
    """Of a pair with propellers in moving water the thrust depends on the motion; it has two sides all the same."""
    found = {name: (pushes_ahead_only(vessel), are_compared(vessel)) for name in (
        'lutra_prop', 'blueboat_start', 'lutra_rudder', 'lutra_airboat', 'milliampere')
        for vessel in (read_boat(name).vessel,)}
    assert found == {'lutra_prop': (True, True), 'blueboat_start': (True, True), 'lutra_rudder': (False, False),
                     'lutra_airboat': (False, False), 'milliampere': (False, False)}
    pair = read_boat('lutra_prop').vessel
    propeller = read_boat('milliampere').vessel.thrusters[0].propeller
    driven = pair._replace(thrusters=tuple(one._replace(propeller=propeller) for one in pair.thrusters))
    assert (pushes_ahead_only(driven), are_compared(driven)) == (False, True)


def test_priors_are_the_boat_files_numbers(tmp_path):
    rows = {row[0]: row[1:] for row in actuator_rows(base_of('rudder', tmp_path, inflow=1.4, area=0.014).vessel)}
    assert rows['foils.0.area'][1:] == pytest.approx((0.0, 0.07, 0.014, 0.007), rel=1e-12)
    assert rows[INFLOW][1:] == pytest.approx((0.0, 7.0, 1.4, 0.7), rel=1e-12)
    assert (rows['foils.0.area'][0], rows[INFLOW][0]) == ('m^2', 'N^0.5 s/m')
    assert actuator_rows(read_boat('lutra_prop').vessel) == []


def test_foils_that_are_alike_have_one_area_and_fixed_ones_keep_theirs(tmp_path):
    vessel = base_of('rudder', tmp_path).vessel
    rudder = vessel.foils[0]
    keel, other = rudder._replace(steer=None), rudder._replace(area=0.02)
    many = vessel._replace(foils=(keel, rudder, other, rudder._replace(y=0.3)))
    assert foil_groups(many) == {1: [1, 3], 2: [2]}
    found = with_actuators(many, {'foils.1.area': 0.5, 'foils.2.area': 0.7})
    assert [foil.area for foil in found.foils] == [keel.area, 0.5, 0.7, 0.5]


def test_inflow_coefficients_change_in_proportion():
    vessel = read_boat('milliampere').vessel
    first, *rest = vessel.thrusters
    weak = first._replace(propeller=first.propeller._replace(inflow=2.0))
    bare = first._replace(propeller=None)
    mixed = vessel._replace(thrusters=(bare, weak, *rest))
    assert inflow_of(mixed) == 2.0
    found = with_actuators(mixed, {INFLOW: 3.0}).thrusters
    assert found[0].propeller is None
    np.testing.assert_allclose([one.propeller.inflow for one in found[1:]],
                               [3.0, *(1.5 * one.propeller.inflow for one in rest)])
