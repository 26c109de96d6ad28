import numpy as np
import pytest
from ohmic_boat import AMPERE_HOURS, RESISTANCE, VOLTAGE, WATTS, current_at, ohmic_boat, study_of

from usv_energy.studies.mission.mission_battery import charge_at_ends, keeps_reserve, pack_history

SURVEY = (5400.0, 1.5, 'survey')    # An hour.


def test_charge_and_voltage_are_those_of_the_current_at_the_power(tmp_path):
    """A constant voltage and a resistance: the current of a power is constant, and charge falls in a straight line."""
    boat = ohmic_boat(tmp_path)
    study = study_of(boat, SURVEY, (3600.0, 1.0))
    amperes = np.array([current_at(WATTS[1.5]), current_at(WATTS[1.0])])
    assert study.pack.charge == pytest.approx(1.0 - np.cumsum(amperes) / AMPERE_HOURS, rel=1e-7)
    assert study.charge is study.pack.charge and study.pack.brown_out is None
    assert study.pack.voltage == pytest.approx(VOLTAGE - RESISTANCE * amperes, rel=1e-7)
    assert study.pack.most_power == pytest.approx(12.0 * (VOLTAGE - 12.0) / RESISTANCE, rel=1e-6)


@pytest.mark.parametrize('cutoff, most', [
    (12.0, 12.0 * (VOLTAGE - 12.0) / RESISTANCE),   # 144 W: at the cutoff.
    (4.0, VOLTAGE ** 2 / (4.0 * RESISTANCE))])      # 259.2 W: the largest power of a source with a resistance.
def test_a_brown_out_is_where_the_power_is_more_than_the_pack_gives(tmp_path, cutoff, most):
    study = study_of(ohmic_boat(tmp_path, cutoff), SURVEY, (100.0, 2.5, 'sprint'))
    found = study.pack.brown_out
    assert found.leg == 1 and found.asked == pytest.approx(WATTS[2.5], rel=1e-9)
    assert found.most == pytest.approx(most, rel=1e-6)
    assert found.charge == pytest.approx(1.0 - current_at(WATTS[1.5]) / AMPERE_HOURS, rel=1e-6)
    assert not keeps_reserve(study.pack, 0.0)


def test_another_energy_of_a_leg_is_another_power(tmp_path):
    boat = ohmic_boat(tmp_path)
    legs = study_of(boat, SURVEY).legs
    half = pack_history(boat.pack, 0.9, 298.15, legs, 0.5 * legs.total)
    assert half.charge == pytest.approx([0.9 - current_at(0.5 * WATTS[1.5]) / AMPERE_HOURS], rel=1e-7)


def test_a_course_is_broken_off_below_what_is_enough(tmp_path):
    boat = ohmic_boat(tmp_path)
    legs = study_of(boat, SURVEY, SURVEY, SURVEY).legs
    course = pack_history(boat.pack, 0.8, 298.15, legs, enough=0.4)
    assert course.charge[0] < 0.4 and np.isnan(course.charge[1:]).all() and not keeps_reserve(course, 0.4)


def test_the_charge_where_a_stay_begins_is_by_its_energy(tmp_path):
    legs = study_of(ohmic_boat(tmp_path), SURVEY, SURVEY).legs._replace(of_hold=np.array([0.0, 1e5]))
    share = 1e5 / legs.total[1]
    assert charge_at_ends(np.array([0.8, 0.4]), 1.0, legs) == pytest.approx(
        [1.0, 0.8, 0.8, 0.4 + 0.4 * share, 0.4])
