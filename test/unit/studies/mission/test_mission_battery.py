import math

import numpy as np
import pytest
from ohmic_boat import AMPERE_HOURS, RESISTANCE, VOLTAGE, WATTS, current_at, ohmic_boat, study_of

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.mission.mission_bands import FlowDoubt
from usv_energy.studies.mission.mission_battery import GO, NO_GO, UNSURE
from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text

SURVEY = (5400.0, 1.5, 'survey')    # An hour of 113.9 W.
LEFT = 1.0 - current_at(WATTS[1.5]) / AMPERE_HOURS


def test_a_sprint_that_browns_out_is_refused_by_name(tmp_path):
    """Half of the charge is left, and 144 W at the cutoff of 12 V; a counter of as many watt-hours lets it go."""
    legs = SURVEY, (100.0, 2.5, 'sprint home')
    study = study_of(ohmic_boat(tmp_path), *legs)
    text = mission_study_text(study)
    assert study.verdict == NO_GO and study.charge[0] == pytest.approx(LEFT, rel=1e-7)
    assert (f'NO GO: leg 2, to sprint home, asks for 400 W at {100.0 * LEFT:.1f} % charge; the pack gives at most '
            '144 W within its cutoff of 12 V') in text
    assert '(browns out)' in text and 'Battery: cells, ohmic, 4 in series, 25 degC around them' in text
    assert study_of(read_boat('blueboat_watts_only'), *legs).verdict == GO
    found = mission_study_figures(study)['battery']['brown_out']
    assert (found['leg'], found['asked_w'], found['most_w']) == (2, pytest.approx(400.0), pytest.approx(144.0))


@pytest.mark.parametrize('reserve, verdict', [(LEFT - 1e-4, GO), (LEFT + 1e-4, NO_GO)])
def test_a_mission_is_go_if_the_charge_of_its_cells_is_left(tmp_path, reserve, verdict):
    study = study_of(ohmic_boat(tmp_path), SURVEY, reserve=reserve)
    assert study.verdict == verdict


def test_what_cells_may_spend_is_the_power_for_as_long_as_the_current_takes(tmp_path):
    """Down to the reserve: P (z - z_r) Q / I; more than the mission where it is go, less where it is not."""
    study = study_of(ohmic_boat(tmp_path), SURVEY)
    hours = (1.0 - 0.2) * AMPERE_HOURS / current_at(WATTS[1.5])
    assert study.spare == pytest.approx(3600.0 * WATTS[1.5] * hours, rel=1e-6)


def test_the_fastest_way_is_one_that_does_not_brown_out(tmp_path):
    """Cells give 144 W at most, however short the way is."""
    study = study_of(ohmic_boat(tmp_path), (100.0, 1.5))
    top = np.interp(12.0 * (VOLTAGE - 12.0) / RESISTANCE, list(WATTS.values()), list(WATTS))
    assert top - 0.08 < study.advice.fastest.speed <= top + 1e-9
    counted = study_of(read_boat('blueboat_watts_only'), (100.0, 1.5))
    assert counted.advice.fastest.speed > 1.2 * study.advice.fastest.speed


def test_an_interval_with_a_brown_out_in_it_is_unsure(tmp_path):
    """1.5 m/s takes 113.9 W; 0.3 m/s against the boat take more than the 144 W of the cells."""
    boat = ohmic_boat(tmp_path)
    study = study_of(boat, (100.0, 1.5), uncertainty=FlowDoubt(current=0.15))
    assert study.verdict == UNSURE and 'at the upper end of the interval leg 1 asks for' in mission_study_text(study)
    low, high = study.charge_bands[:, -1]
    assert low < study.charge[-1] < high
    certain = study_of(boat, (100.0, 1.5), uncertainty=FlowDoubt(current=0.02))
    assert certain.verdict == GO
    ends = certain.bands.so_far[:, -1] / float(certain.legs.end[-1])
    charges = [1.0 - current_at(power) * float(certain.legs.end[-1]) / 3600.0 / AMPERE_HOURS for power in ends[::-1]]
    assert certain.charge_bands[:, -1] == pytest.approx(charges, rel=1e-7)


def test_a_counter_is_called_one_and_counts(tmp_path):
    study = study_of(read_boat('blueboat_watts_only'), SURVEY)
    assert study.pack is None and math.isnan(study.battery.ambient)
    assert study.charge[-1] == 1.0 - float(study.legs.total.sum()) / (266.4 * 3600.0)
    assert study.spare == (1.0 - 0.2) * 266.4 * 3600.0
    assert 'Battery: a counter of 266.4 Wh' in mission_study_text(study)
    assert mission_study_figures(study)['battery'] == {'kind': 'counter', 'capacity_wh': 266.4}


def test_the_cold_takes_charge_and_power(tmp_path):
    cells = tmp_path / 'cells.yaml'
    cells.write_text('base: blueboat_watts_only\n'
                     'battery: {chemistry: nmc, series: 4, capacity_ah: 18.0, capacity_wh: null, '
                     'nominal_voltage: 14.8}\n')
    warm, cold = (study_of(read_boat(str(cells)), SURVEY, ambient=273.15 + degc) for degc in (25.0, 0.0))
    assert cold.charge[-1] < warm.charge[-1] and cold.pack.voltage[-1] < warm.pack.voltage[-1]
    cells.write_text(cells.read_text().replace('series: 4', 'series: 4, ambient_degc: 0.0'))
    assert (study_of(read_boat(str(cells)), SURVEY).pack.charge == cold.pack.charge).all()
