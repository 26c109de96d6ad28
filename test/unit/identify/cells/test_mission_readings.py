"""Volts and amperes of a mission: the longest stretch, means that keep the charge, and what is refused."""

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.identify.cells.mission_readings import MOST, mission_run

TIME = np.arange(0.0, 3000.0, 0.5)
CURRENT = 5.0 + 3.0 * np.sin(0.05 * TIME)
VOLTS = 15.0 - 0.05 * CURRENT


def test_means_of_neighbours_keep_charge_and_resistance():
    run = mission_run('log', TIME, CURRENT, VOLTS, 298.15)
    assert len(run.time) == MOST and run.time[0] == 0.0 and run.left_out == 0.0
    assert run.drawn == pytest.approx(float(np.trapezoid(CURRENT, TIME)), rel=1e-3)
    np.testing.assert_allclose(run.voltage, 15.0 - 0.05 * run.current, atol=1e-12)


def test_the_longest_stretch_without_a_hole_is_taken():
    kept = (TIME < 500.0) | (TIME > 600.0)
    run = mission_run('log', TIME[kept], CURRENT[kept], VOLTS[kept], 298.15)
    assert run.time[-1] == pytest.approx(2399.0, abs=2.0) and run.left_out == pytest.approx(600.5, abs=2.0)


@pytest.mark.parametrize(('current', 'volts', 'words'), [
    (np.full(TIME.size, np.nan), VOLTS, 'has 0 samples with volts and amperes'),
    (np.full(TIME.size, 3.0), np.full(TIME.size, 15.0), 'change 0 times'),
    (-CURRENT, VOLTS, 'discharging is positive')])
def test_what_cannot_be_used_is_refused(current, volts, words):
    with pytest.raises(InputError, match=words):
        mission_run('my.log', TIME, current, volts, 298.15)
