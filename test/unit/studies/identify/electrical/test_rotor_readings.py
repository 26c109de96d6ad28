"""Readings of power with the speeds about them."""

from dataclasses import replace

import numpy as np
import pytest
from rotor_twin import NAMES, TRUTH, rotor_twin

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.electrical.rotor_fit import predicted_rotor_power, rotor_readings


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


@pytest.fixture
def sparse(rng):
    """Return a log of one row a tenth of a second in which both speeds are read from 5 to 35 s, once a second."""
    log = rotor_twin(rng)
    rows = np.arange(len(log))
    read = (rows % 10 == 0) & (rows >= 50) & (rows <= 350)
    return replace(log, revolutions=np.where(read[:, None], log.revolutions, np.nan))


def test_readings_count_from_the_first_speed_to_the_last_and_stand_for_the_time_to_the_next(sparse):
    for found in rotor_readings(sparse):
        assert (found.time[0], found.time[-1]) == pytest.approx((5.0, 35.0))
        assert found.share.min() >= 0.0 and found.share.max() <= 1.0 and found.share[-1] == pytest.approx(1.0)
        assert found.step == pytest.approx(1.0) and found.share[3, 0] == pytest.approx(0.3)
        assert found.span == pytest.approx(0.1)
        assert found.left_out == len(sparse) - len(found.time)


@pytest.mark.parametrize(('lost', 'kept'), [(2, True), (3, False)])
def test_speeds_up_to_three_seconds_apart_belong_together(sparse, lost, kept):
    """Two of them lost: 3 s from one to the next; three lost: 4 s."""
    rows = np.arange(len(sparse))
    gone = (rows > 200) & (rows <= 200 + 10 * lost)
    holed = replace(sparse, revolutions=np.where(gone[:, None], np.nan, sparse.revolutions))
    for found in rotor_readings(holed):
        inside = (found.time > 20.05) & (found.time < 20.0 + lost)
        assert inside.any() == kept


def test_a_reading_after_a_silence_stands_for_three_periods_at_most(rng):
    log = rotor_twin(rng)
    quiet = (log.time > 50.0) & (log.time < 60.0)
    log = replace(log, thruster_amperes=np.where(quiet[:, None], np.nan, log.thruster_amperes))
    found = rotor_readings(log)[0]
    before = int(np.searchsorted(found.time, 50.05)) - 1
    assert found.span[before] == pytest.approx(1.0) and found.span[before - 1] == pytest.approx(0.1)


def test_thirty_readings_are_enough_and_inflow_is_that_of_a_turning_boat(rng):
    log = rotor_twin(rng, seconds=20)
    rows = np.arange(len(log))[:, None]
    for number, enough in ((15, True), (14, False)):
        few = (rows >= 20) & (rows < 20 + number)
        some = replace(log, thruster_amperes=np.where(few, log.thruster_amperes, np.nan))
        if enough:
            assert sum(len(one.time) for one in rotor_readings(some)) == 30
        else:
            with pytest.raises(InputError, match='has 28 readings'):
                rotor_readings(some)
    angle = np.full((len(log), 2), 0.5)
    turning = replace(log, u=np.full(len(log), 1.0), v=np.full(len(log), 0.2), r=np.full(len(log), 0.3), angle=angle,
                      yaw=np.full(len(log), 0.7), current_x=np.full(len(log), 0.1), current_y=np.full(len(log), -0.3),
                      places=((1.0, 0.4), (-1.0, -0.4)))
    water = (1.0 + 0.2j) - (0.1 - 0.3j) * np.exp(-0.7j)
    for found, (x, y) in zip(rotor_readings(turning), turning.places):
        wanted = ((water + 0.3j * complex(x, y)) * np.exp(-0.5j)).real
        np.testing.assert_allclose(found.inflow_before, wanted, rtol=1e-9)


def test_two_speeds_of_a_thruster_are_enough(rng):
    """2.5 s apart: the readings between them, a tenth of a second apart; one speed has no readings about it."""
    log, rows = rotor_twin(rng), np.arange(len(rotor_twin(rng)))[:, None]
    two = replace(log, revolutions=np.where((rows == 50) | (rows == 75), log.revolutions, np.nan))
    for found in rotor_readings(two):
        assert found.time == pytest.approx(5.0 + 0.1 * np.arange(26)) and found.step == pytest.approx(2.5)
    with pytest.raises(InputError, match='has 1 revolutions of bow; a fit needs two'):
        rotor_readings(replace(log, revolutions=np.where(rows == 50, log.revolutions, np.nan)))
