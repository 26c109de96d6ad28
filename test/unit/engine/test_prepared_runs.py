"""What the compiled loop is given of an ensemble's boats."""

import math

import numpy as np
import pytest
from kind_boats import cases_of_kind

from usv_energy.engine.cases import Results, cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.prepared_runs import BOATS, RESULT_ROWS, prepared, run_single, write_result
from usv_energy.engine.run_state import Common, leaves, read_column
from usv_energy.engine.run_steps import duration_of
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')


@pytest.mark.parametrize('arms', [0.0, 0.3, (0.0, 0.3)])
def test_a_yaw_arm_that_no_run_has_is_left_out_and_changes_nothing(arms):
    """A run by the types that compiled code sees is run_scenario's, in a wind from abeam."""
    cases = cases_of(SIX, 2, **{'boat.windage.yaw_arm': arms, 'wind.speed': 5.0, 'wind.direction_deg': 60.0,
                                'stop.timeout': 2.0})
    runs, expected = prepared(cases), run_ensemble(cases, 'python').columns()
    assert (boat_of(runs.case_template).windage.yaw_arm is None) == (not np.any(arms))
    outcome, leg, state = run_single(runs.first_case, runs.clock, runs.water, runs.air, runs.ways, 0)
    found = np.empty((RESULT_ROWS, 1))
    write_result(found, 0, outcome, duration_of(state), state, leg)
    for name, value in zip(Results.COLUMNS, found[:, 0]):
        np.testing.assert_allclose(value, expected[name][0], rtol=1e-12, atol=1e-12, err_msg=name)


def test_what_turns_all_the_way_round_is_known_beforehand(tmp_path):
    """Of a thruster with limits their directions and that of the middle are numbers of the boat; else there is None."""
    fan = boat_of(prepared(cases_of_kind('fan', tmp_path, 2)).case_template).thrusters[0].azimuth
    for direction, angle in zip(fan.ends, (fan.least, 0.0, fan.largest)):
        assert direction == pytest.approx((math.cos(angle), math.sin(angle)), abs=1e-15)
    ferry = boat_of(prepared(cases_of_kind('ferry', tmp_path, 2)).case_template)
    assert all(thruster.azimuth.ends is None for thruster in ferry.thrusters)


@pytest.mark.parametrize(('kind', 'by_blocks'), [
    ('pair', True), ('pair with propellers', True), ('rudder', True), ('fan', True), ('sail', True), ('cells', True),
    ('tunnel', False), ('two sizes', False), ('ferry', False)])
def test_runs_whose_thrusts_have_a_closed_form_go_side_by_side(kind, by_blocks, tmp_path):
    assert prepared(cases_of_kind(kind, tmp_path, 2)).by_blocks == by_blocks


def test_knots_of_maps_are_common_where_the_boat_is_not(tmp_path):
    """Few of them as tuples, which compiled code writes out; the numbers beside them have rows."""
    scenario = cases_of_kind('pair with propellers', tmp_path).scenario
    runs = prepared(cases_of(scenario, 3, **{'boat.inertia.m11': (10.0, 11.0, 12.0)}))
    propeller = runs.case_template.boat.thrusters[0].propeller
    assert propeller.map_thrust == Common((-20.0, -10.0, 0.0, 10.0, 20.0)) and propeller.inflow == 0.0
    assert runs.first_case.boat.thrusters[0].propeller.map_power == (400.0, 150.0, 0.0, 100.0, 300.0)
    assert runs.first_case.boat.thrusters[0].propeller.inflow == 1.2


def boat_of(case):
    """Return the boat of a Case, out of what is Common."""
    return case.boat.value if isinstance(case.boat, Common) else case.boat


def held_of(runs):
    """Return the names of what of a Case is Common."""
    return [name for name, part in runs.case_template._asdict().items() if isinstance(part, Common)]


@pytest.mark.parametrize(('varied', 'held'), [
    ({}, True), ({'speed.target': (0.8, 0.9, 1.0)}, True), ({'current.speed': (0.1, 0.2, 0.3)}, True),
    ({'boat.damping.linear.d33': (10.0, 11.0, 12.0)}, False), ({'boat.inertia.m11': (10.0, 11.0, 12.0)}, False),
    ({'controller.heading.kp': (10.0, 20.0, 30.0)}, False)])
def test_a_boat_that_all_runs_have_is_held_and_one_of_varied_numbers_has_rows(varied, held):
    runs = prepared(cases_of(SIX, 3, **varied))
    assert held_of(runs) == (['boat', 'gains', 'lags'] if held else [])
    assert_read_as_the_case(runs)


@pytest.mark.parametrize(('varied', 'held'), [
    ({}, {*BOATS}), ({'plant.battery.capacity_share': (0.8, 0.9, 1.0)}, set())])
def test_a_plant_and_its_cells_are_held_with_the_boat_or_not_at_all(varied, held, tmp_path):
    runs = prepared(cases_of(cases_of_kind('cells', tmp_path).scenario, 3, **varied))
    assert runs.case.on_board is not None and set(held_of(runs)) == held
    assert_read_as_the_case(runs)


def assert_read_as_the_case(runs):
    """Assert that a Case has a row for each number of its template, and that each run's own numbers come back."""
    rows = runs.rows
    assert rows.shape == (len(list(leaves(runs.case_template))), 3)
    for run in range(3):
        case = read_column(runs.case_template, rows.ravel(), run, 3)
        case = case._replace(boat=with_yaw_arm(case.boat), plant=with_yaw_arm(case.plant))
        assert list(leaves(case)) == [np.broadcast_to(leaf, 3)[run] for leaf in leaves(runs.case)]


def with_yaw_arm(vessel):
    """Return a Vessel with the yaw arm of 0 that is left out of it."""
    return vessel and vessel._replace(windage=vessel.windage._replace(yaw_arm=0.0))
