"""What the compiled loop is given of an ensemble's boats."""

import math

import numpy as np
import pytest
from kind_boats import cases_of_kind
from usv_energy.engine.tuple_rows import Common, leaves, read_column

from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.prepared_runs import BOATS, prepared
from usv_energy.engine.results import Results
from usv_energy.engine.run_steps import duration_of
from usv_energy.engine.single_run import RESULT_ROWS, run_single, write_result
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')


@pytest.mark.parametrize('arms', [0.0, 0.3, (0.0, 0.3)])
def test_a_yaw_arm_that_no_run_has_is_left_out_and_changes_nothing(arms):
    """A run by the types that compiled code sees is run_scenario's, in a wind from abeam."""
    cases = cases_of(SIX, 2, **{'boat.windage.yaw_arm': arms, 'wind.speed': 5.0, 'wind.direction_deg': 60.0,
                                'stop.timeout': 2.0})
    runs, expected = prepared(cases), run_ensemble(cases, 'python').columns()
    assert (runs.case_template.boat.windage.yaw_arm is None) == (not np.any(arms))
    outcome, leg, state = run_single(runs.first_case, runs.clock, runs.water, runs.air, runs.ways, 0)
    found = np.empty((RESULT_ROWS, 1))
    write_result(found, 0, outcome, duration_of(state), state, leg)
    for name, value in zip(Results.COLUMNS, found[:, 0]):
        np.testing.assert_allclose(value, expected[name][0], rtol=1e-12, atol=1e-12, err_msg=name)


def test_what_turns_all_the_way_round_in_no_run_is_known_beforehand(tmp_path):
    """Of a foil with cosines and sines of its limits, a number each; a thruster that turns round is left as it is."""
    runs = prepared(cases_of_kind('sail', tmp_path, 2))
    rudder, keel, sail = (foil.steer for foil in runs.first_case.boat.foils)
    assert keel is None and (sail.least, sail.largest) == pytest.approx((-math.pi / 2.0, math.pi / 2.0))
    for steer in (rudder, sail):
        assert steer.ends == (math.cos(steer.least), math.sin(steer.least), math.cos(steer.largest),
                              math.sin(steer.largest))
    assert prepared(cases_of_kind('fan', tmp_path, 2)).case_template.boat.thrusters[0].azimuth.ends == ()
    ferry = prepared(cases_of_kind('ferry', tmp_path, 2)).case_template.boat
    assert all(thruster.azimuth.ends is None for thruster in ferry.thrusters)


def test_blocks_of_runs_have_axes_in_place_of_the_angles_of_what_turns_all_the_way_round(tmp_path):
    """90 deg/s in half a step; not where a boat's states are shown, nor where half a step may turn it right round."""
    runs = prepared(cases_of_kind('ferry', tmp_path, 2))
    turn = 0.5 * runs.clock.step * math.radians(90.0)
    boat = runs.of_blocks.template.boat.value
    assert [thruster.azimuth.turn for thruster in boat.thrusters] == 4 * [
        pytest.approx((math.cos(turn), math.sin(turn)), rel=1e-12)]
    assert runs.of_blocks.state_template.setting.angles == ((1.0, 0.0),) * 4
    assert runs.state_template.setting.angles == (0.0,) * 4
    assert all(thruster.azimuth.turn is None for thruster in runs.case_template.boat.thrusters)
    fast = runs._replace(clock=runs.clock._replace(step=2.1))
    assert fast.of_blocks.state_template.setting.angles == (0.0,) * 4
    assert prepared(cases_of_kind('fan', tmp_path, 2)).of_blocks.state_template.setting.angles == (0.0,)


def held_of(runs):
    """Return the names of what of a block's Case is Common."""
    return [name for name, part in runs.of_blocks.template._asdict().items() if isinstance(part, Common)]


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
    """Assert that a block's Case has a row for each number of its template, and is each run's Case: nothing turns."""
    rows = runs.of_blocks.rows
    assert rows.shape == (len(list(leaves(runs.of_blocks.template))), 3) and len(rows) <= len(runs.rows)
    for run in range(3):
        assert read_column(runs.of_blocks.template, rows.ravel(), run, 3) == read_column(
            runs.case_template, runs.rows.ravel(), run, 3)
