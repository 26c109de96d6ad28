"""Readings of power with the speeds about them."""

from dataclasses import replace

import numpy as np
import pytest
from rotor_twin import NAMES, TRUTH, rotor_twin

from usv_energy.files.errors import InputError
from usv_energy.identify.electrical.rotor_fit import predicted_rotor_power
from usv_energy.identify.electrical.rotor_readings import rotor_readings


def test_each_reading_lies_between_the_speeds_about_it(rng):
    log = rotor_twin(rng, every=6)
    for k, found in enumerate(rotor_readings(log)):
        assert found.name == NAMES[k] and found.left_out <= 1
        assert found.share == pytest.approx(0.5) and found.step == pytest.approx(0.6)
        rows = np.round(found.time / 0.1).astype(int)
        np.testing.assert_allclose(found.before[:, 0], log.revolutions[rows - 3, k])
        np.testing.assert_allclose(found.after[:, 0], log.revolutions[rows + 3, k])


def test_the_truth_predicts_each_reading_where_speeds_are_read_in_every_row(rng):
    log = rotor_twin(rng, noise=0.0)
    for found in rotor_readings(log):
        steady = np.abs(found.after - found.before)[:, 0] < 1e-9
        np.testing.assert_allclose(predicted_rotor_power(TRUTH, found)[steady], found.power[steady], atol=1.0)
        assert predicted_rotor_power(TRUTH, found).sum() == pytest.approx(found.power.sum(), rel=2e-3)


def test_readings_without_a_speed_near_enough_in_time_are_left_out(rng):
    log = rotor_twin(rng)
    silent = (log.time > 100.0) & (log.time < 104.0)
    revolutions = np.where(silent[:, None], np.nan, log.revolutions)
    for found, whole in zip(rotor_readings(replace(log, revolutions=revolutions)), rotor_readings(log)):
        assert found.left_out - whole.left_out == pytest.approx(silent.sum(), abs=1)
        assert not ((found.time > 100.0) & (found.time < 104.0)).any()


def test_a_current_carries_the_thruster_along_with_the_water(rng):
    """A boat that drifts with the water has no inflow: what u, v are over ground, the current takes off again."""
    log = rotor_twin(rng)
    yaw = np.linspace(0.0, 3.0, len(log))
    u, v = np.cos(yaw) * 0.6 + np.sin(yaw) * 0.2, -np.sin(yaw) * 0.6 + np.cos(yaw) * 0.2
    adrift = replace(log, yaw=yaw, u=u, v=v, r=np.zeros(len(log)), current_x=np.full(len(log), 0.6),
                     current_y=np.full(len(log), 0.2))
    for found in rotor_readings(adrift):
        np.testing.assert_allclose(found.inflow_before, 0.0, atol=1e-12)


def test_one_meter_for_all_thrusters_sums_them(rng):
    log = rotor_twin(rng, noise=0.0)
    both = np.nansum(log.thruster_amperes * log.thruster_volts, axis=1)
    whole = replace(log, thruster_amperes=np.array([]), thruster_volts=np.array([]), electrical_power=both)
    found, = rotor_readings(whole)
    each = rotor_readings(log)
    assert found.name == 'battery' and found.before.shape[1] == 2
    np.testing.assert_allclose(predicted_rotor_power(TRUTH, found),
                               sum(predicted_rotor_power(TRUTH, one) for one in each), rtol=1e-12)


def test_logs_that_lack_something_are_refused(rng):
    log = rotor_twin(rng, seconds=20)
    with pytest.raises(InputError, match='has no revolutions'):
        rotor_readings(replace(log, revolutions=np.array([])))
    with pytest.raises(InputError, match='has no electrical_power'):
        rotor_readings(replace(log, thruster_amperes=np.array([])))
    with pytest.raises(InputError, match='has amperes of bow, but no volts'):
        rotor_readings(replace(log, thruster_volts=np.array([])))
    few = np.where(np.arange(len(log))[:, None] < 12, log.thruster_amperes, np.nan)
    with pytest.raises(InputError, match='readings of power with revolutions about them; a fit needs 30'):
        rotor_readings(replace(log, thruster_amperes=few))
