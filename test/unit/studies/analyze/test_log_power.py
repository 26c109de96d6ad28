import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow, Motion, Relative
from usv_energy.powering.energy import CAUSES
from usv_energy.powering.measured_power import MeasuredActuators, measured_mean_power
from usv_energy.studies.analyze import log_power
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_power import (
    CHUNK,
    FINE,
    _between,
    finer_times,
    finest,
    flow_at,
    power_of_steps,
    relative_motion,
    thrusts_power,
)


def test_finer_times_hold_all_samples_and_fill_no_gaps():
    time = np.array([0.0, 1.0, 1.02, 1.5, 60.0, 60.1])
    fine, places = finer_times(time, 2.0, finest(time, 2.0))
    np.testing.assert_array_equal(fine[places], time)
    steps = np.diff(fine)
    assert (steps > 0.0).all()
    assert np.flatnonzero(steps > 0.08).size == 1, 'the gap alone'
    assert steps.max() == pytest.approx(58.5)


def test_long_steps_have_no_more_parts_than_a_polynomial_needs():
    fine, places = finer_times(np.array([0.0, 500.0, 1000.0, 1000.2]), 600.0, FINE)
    assert np.diff(places).tolist() == [200, 200, 4] and np.diff(fine).max() == pytest.approx(2.5)


def test_a_flow_between_samples_is_on_straight_lines():
    flow = Flow(np.array([0.0, 1.0, np.nan]), np.zeros(3), np.zeros(3), np.ones(3))
    found = flow_at(np.array([0.5, 1.0, 1.5]), np.arange(3.0), flow)
    np.testing.assert_array_equal(found.current_x, [0.5, 1.0, np.nan])
    np.testing.assert_array_equal(found.wind_y, 1.0)


def test_a_finer_integral_in_pieces_is_the_same(monkeypatch, independent):
    log, _ = independent('stop_and_go', 1.0, 0.02)
    whole = analysed_log(log, BOAT)
    monkeypatch.setattr(log_power, 'FINER_PIECE', 5)
    pieces = analysed_log(log, BOAT)
    assert whole.estimate is not None
    for one, other in zip(whole.power, pieces.power):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def test_a_finer_integral_keeps_samples_steps_and_the_sum_of_causes(independent):
    log, _ = independent('stop_and_go', 1.0, 0.02)
    analysed = analysed_log(log, BOAT)
    energy = analysed.energy
    assert energy.samples == len(log) - 1
    assert energy.duration == pytest.approx(log.duration)
    parts = sum(getattr(energy, cause) for cause in CAUSES if cause not in ('thrust', 'total'))
    assert parts == pytest.approx(energy.total, rel=1e-12)
    assert analysed.integral.so_far()[-1] == pytest.approx(energy.total)
    assert np.isnan(analysed.power.total[0]) and np.isfinite(analysed.power.total[1:]).all()


def test_the_power_of_thrusts_is_each_at_its_own_speed_in_pieces_as_well(rng):
    """T_i (u - y_i r) times what tilt leaves, none of it below 0: more samples than are computed at once."""
    n = CHUNK + 1000
    motion, flow = Motion(*rng.uniform(-1.0, 1.0, (7, n))), Flow(*rng.uniform(-0.5, 0.5, (4, n)))
    thrust = rng.uniform(-20.0, 20.0, (n, 2))
    at = relative_motion(motion, flow, 'rep103')
    whole = sum(np.maximum(one * thruster.efficiency_of_tilt * (at.u_r - thruster.y * at.r), 0.0)
                for one, thruster in zip(thrust.T, BOAT.vessel.thrusters))
    measured = MeasuredActuators(tuple(thrust.T), (None, None), ())
    np.testing.assert_allclose(thrusts_power(at, measured, BOAT), whole, rtol=1e-13)


def test_a_rudder_that_is_told_in_some_steps_counts_in_these_alone():
    """Hard over it drags: more than as the cheapest way lays it. Thrusts that are not known are the cheapest."""
    rudder, n = read_boat('lutra_rudder'), 4
    at = relative_motion(Motion(*(np.full(n, one) for one in (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))),
                         Flow(*np.zeros((4, n))), 'rep103')
    nothing = np.full(n, np.nan)
    angle = np.array([0.5, np.nan, 0.5, np.nan])
    plain, told = (power_of_steps(at, at, np.full(n, 0.1), rudder.vessel, 'rep103', middle)
                   for middle in (None, MeasuredActuators((nothing,) * len(rudder.vessel.thrusters),
                                                (None,) * len(rudder.vessel.thrusters), (angle,))))
    np.testing.assert_array_equal(told.total[1::2], plain.total[1::2])
    assert (told.foils[::2] > plain.foils[::2] + 0.3).all() and (told.thrust[::2] > plain.thrust[::2] + 0.3).all()


def test_where_all_thrusts_are_told_the_power_is_by_them_and_half_way_is_half_of_both(rng):
    n = 5
    before, now = (Relative(*rng.uniform(-1.0, 1.0, (5, n))) for _ in range(2))
    durations, middle = np.full(n, 0.1), MeasuredActuators(tuple(rng.uniform(-20.0, 20.0, (2, n))), (None, None), ())
    found = power_of_steps(before, now, durations, BOAT.vessel, 'rep103', middle)
    wanted = measured_mean_power(before, now, durations, BOAT.vessel, middle)
    for one, other in zip(found, wanted):
        np.testing.assert_array_equal(one, np.broadcast_to(other, n))
    series = np.array([1.0, 2.0, 4.0, 8.0])
    np.testing.assert_array_equal(_between(series, slice(0, 3), slice(1, 4)), [1.5, 3.0, 6.0])
    np.testing.assert_array_equal(_between(series, np.array([0, 3]), np.array([2, 1])), [2.5, 5.0])
    assert _between(3.0, slice(0, 3), slice(1, 4)) == 3.0
