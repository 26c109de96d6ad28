"""Polar diagrams as text and figures: the same numbers in both, the best angles, and what cannot be held."""

import json

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.plan.polar import PolarDiagram, PolarStudy
from usv_energy.studies.range.range_text import polar_figures, polar_text

ANGLES = np.array([0.0, 45.0, 90.0, 180.0, 315.0])
SPEED = np.array([[0.0, 0.5, 0.75, 0.6, 0.5], [0.0, 1.0, np.nan, 1.2, 1.0]]).T
NOTHING = np.full(SPEED.shape, np.nan)


def study_of(trim):
    polar = PolarDiagram(ANGLES, np.array([2.0, 4.0]), trim, SPEED, 0.0 * SPEED, NOTHING, NOTHING, 5.0 + 0.0 * SPEED)
    return PolarStudy(read_boat('lutra_sail'), polar, 0.1)


def test_a_table_of_angles_up_to_dead_downwind_and_the_best_of_them():
    study = study_of('half')
    rows = json.loads(json.dumps(polar_figures(study), allow_nan=False, default=list))['conditions']
    lines = polar_text(study).splitlines()
    assert lines[1].split()[2:] == ['0', 'deg', '45', 'deg', '90', 'deg', '180', 'deg'], 'starboard is the same'
    assert lines[2].split() == ['2', '0.000', '0.500', '0.750', '0.600']
    assert lines[3].split() == ['4', '0.000', '1.000', '-', '1.200'] and rows[1]['speed_m_s'][2] is None
    assert rows[0]['fastest'] == {'wind_angle_deg': 90.0, 'speed_m_s': 0.75}
    assert rows[0]['upwind']['wind_angle_deg'] == 45.0, 'the first of two tacks'
    assert rows[0]['upwind']['speed_m_s'] == pytest.approx(0.5 * np.sqrt(0.5))
    assert rows[1]['downwind'] == {'wind_angle_deg': 180.0, 'speed_m_s': 1.2}
    assert lines[4].startswith('in 2 m/s: 0.750 m/s at its fastest (90 deg), 0.354 m/s made good against the wind (45')
    assert lines[-1].startswith('- no steady motion') and 'does not heel' in lines[-2]


def test_full_thrust_has_no_tacks():
    text = polar_text(study_of(None))
    assert 'full thrust' in text and 'made good' not in text and 'heel' not in text
    assert polar_figures(study_of(None))['trim'] is None


def test_no_headway_at_all_is_said():
    study = study_of('half')
    still = PolarStudy(study.boat, PolarDiagram(ANGLES, np.array([2.0]), 'half', *[np.zeros((5, 1))] * 5), 0.1)
    assert 'nothing at its fastest, nothing made good against the wind' in polar_text(still)
