"""Volts and amperes of a mission: the longest stretch, means that keep the charge, and what is refused."""

import numpy as np
import pytest
from scipy.integrate import trapezoid

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.cells.mission_fit import HOLE, LEAST, MOST, mission_run

TIME = np.arange(0.0, 3000.0, 0.5)
CURRENT = 5.0 + 3.0 * np.sin(0.05 * TIME)
VOLTS = 15.0 - 0.05 * CURRENT


def test_means_of_neighbours_keep_charge_and_resistance():
    run = mission_run('log', TIME, CURRENT, VOLTS, 298.15)
    assert len(run.time) == MOST and run.time[0] == 0.0 and run.left_out == 0.0
    assert run.drawn == pytest.approx(float(trapezoid(CURRENT, TIME)), rel=1e-3)
    np.testing.assert_allclose(run.voltage, 15.0 - 0.05 * run.current, atol=1e-12)


def test_the_longest_stretch_without_a_hole_is_taken():
    kept = (TIME < 500.0) | (TIME > 600.0)
    run = mission_run('log', TIME[kept], CURRENT[kept], VOLTS[kept], 298.15)
    assert run.time[-1] == pytest.approx(2399.0, abs=2.0) and run.left_out == pytest.approx(600.5, abs=2.0)


def test_damaged_voltages_are_left_out_by_name_and_change_nothing_else():
    volts = VOLTS.copy()
    volts[[5, 6, 7, 8]] = 1e300, 0.0, np.nan, -3.0
    run, kept = mission_run('my.log', TIME, CURRENT, volts, 298.15), np.delete(np.arange(TIME.size), [5, 6, 7, 8])
    assert run.notes == ('my.log: 4 samples left out, whose voltage no battery has: -3 V, 0 V, 1e+300 V',)
    wanted = mission_run('my.log', TIME[kept], CURRENT[kept], VOLTS[kept], 298.15)
    np.testing.assert_array_equal(run.voltage, wanted.voltage)
    assert wanted.notes == ()


@pytest.mark.parametrize(('current', 'volts', 'words'), [
    (np.full(TIME.size, np.nan), VOLTS, 'has 0 samples with volts and amperes'),
    (np.full(TIME.size, 3.0), np.full(TIME.size, 15.0), 'change 0 times'),
    (CURRENT * 1e300, VOLTS, 'its current is 5e\\+300 A; must be at most 1e\\+09'),
    (-CURRENT, VOLTS, 'discharging is positive')])
def test_what_cannot_be_used_is_refused(current, volts, words):
    with pytest.raises(InputError, match=words):
        mission_run('my.log', TIME, current, volts, 298.15)


def test_the_longest_stretch_is_not_the_one_before_the_longest_hole():
    time = np.where(TIME < 500.0, TIME, TIME + 20_000.0)
    run = mission_run('log', time, CURRENT, VOLTS, 298.15)
    assert run.time[-1] == pytest.approx(2499.5, abs=2.0) and run.left_out == pytest.approx(20_500.0, abs=2.0)


def test_limits_of_samples_of_changes_and_of_holes():
    """A step of just HOLE is none; samples without a voltage above 0 are none; the least of them is LEAST."""
    few, more = slice(0, LEAST), slice(0, LEAST + 1)
    run = mission_run('log', HOLE * TIME[more] * 2.0, CURRENT[more], VOLTS[more], 298.15)
    assert run.time.size == LEAST + 1 and run.left_out == 0.0 and run.time[-1] == pytest.approx(HOLE * LEAST)
    for volts, words in ((np.where(TIME[few] == 3.0, 0.0, VOLTS[few]), f'has {LEAST - 1} samples with volts'),
                         (np.where(TIME[few] < 1.0, 15.0, VOLTS[few]), '')):
        current = np.where(TIME[few] < 1.0, 5.0, CURRENT[few])
        with pytest.raises(InputError, match=words or f'change {LEAST - 2} times'):
            mission_run('log', TIME[few], current, volts, 298.15)
    volts = np.where(np.arange(LEAST + 1) % 2 == 0, 15.0, 14.0)
    assert mission_run('log', TIME[more], 0.0 * TIME[more] + 2.0, volts, 298.15).drawn == pytest.approx(LEAST)
    just = np.where(np.arange(LEAST + 2) < LEAST, 0.5 * np.arange(LEAST + 2.0), 1e3 + np.arange(LEAST + 2.0))
    run = mission_run('log', just, CURRENT[:LEAST + 2], VOLTS[:LEAST + 2], 298.15)
    assert run.time.size == LEAST
    broken = np.where(np.arange(LEAST + 1) < LEAST - 1, TIME[more], TIME[more] + HOLE)
    with pytest.raises(InputError, match=f'has {LEAST - 1} samples; must be'):
        mission_run('log', broken, CURRENT[more], VOLTS[more], 298.15)


def test_thinned_samples_are_means_over_equal_times_from_the_first_of_them():
    time = np.concatenate([[0.0], 0.5 + np.arange(2.0 * MOST), [2.0 * MOST]])
    current, volts = 1.0 + 0.5 * (np.floor(time) % 3.0), 15.0 - 0.001 * time
    run = mission_run('log', 7.0 + time, current, volts, 298.15)
    pairs = current[1:-1].reshape(MOST, 2)
    np.testing.assert_allclose(run.time[1:-1], 2.0 * np.arange(1.0, MOST - 1.0) + 1.0 - 2.0 / 3.0)
    np.testing.assert_allclose(run.current[1:-1], pairs.mean(axis=1)[1:-1])
    assert run.voltage[-1] == pytest.approx(volts[-3:].mean()) and run.current[0] == pytest.approx(current[:3].mean())
    just = mission_run('log', time[:MOST], current[:MOST], volts[:MOST], 298.15)
    np.testing.assert_array_equal(just.time, time[:MOST])


def test_a_mission_that_charges_as_much_as_it_draws_is_refused():
    current = np.where(np.arange(TIME.size) % 2 == 0, 2.0, -2.0)
    with pytest.raises(InputError, match='its current is 0 A in the mean; must be above 0'):
        mission_run('log', TIME, current, VOLTS, 298.15)
