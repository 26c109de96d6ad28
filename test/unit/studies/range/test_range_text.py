"""Range as text and figures: the same numbers in both; none where there is none."""

import json
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.correlation import Correlation
from usv_energy.physics.motion import STILL
from usv_energy.studies.range.range_study import range_study
from usv_energy.studies.range.range_text import range_figures, range_text

BOAT = read_boat('lutra_prop')
LOADED = replace(BOAT, vessel=BOAT.vessel._replace(static_load=5.0))


def test_the_table_has_round_speeds_and_the_highest_with_the_figures_curve():
    study = range_study(LOADED)
    figures, lines = json.loads(json.dumps(range_figures(study), allow_nan=False)), range_text(study).splitlines()
    rows = {f'{row["speed_m_s"]:.3f}': row for row in figures['curve']}
    begin = next(number for number, line in enumerate(lines) if line.startswith('speed, m/s'))
    table = [line.split() for line in lines[begin + 1:-2]]
    assert max(map(len, lines)) <= 130
    assert [cells[0] for cells in table] == ['0.200', '0.400', '0.600', '0.800', '1.000', '1.200',
                                             f'{study.curve.speed[-1]:.3f}']
    for cells in table:
        row = rows[cells[0]]
        assert cells[2:] == [f'{row["power_w"]:.2f}', f'{row["energy_per_meter_j_m"]:.2f}',
                             f'{row["endurance_h"]:.2f}', f'{row["range_m"] / 1e3:.2f}']
    assert lines[-1].startswith('No band:')


def test_without_a_battery_neither_range_nor_endurance_is_named():
    study = range_study(replace(LOADED, battery=None))
    text, figures = range_text(study), range_figures(study)
    assert 'no battery' in text and 'range, km' not in text
    assert figures['energy_j'] is None and figures['best']['range_m'] is None
    assert figures['best']['energy_per_meter_j_m'] == pytest.approx(study.best.energy_per_meter)
    assert {row['range_m'] for row in (*figures['curve'], *figures['polar'])} == {None}


def test_no_headway_is_said_without_a_table():
    study = range_study(LOADED, 0.0, STILL._replace(current_x=-3.0))
    assert 'too strong for its thrusters' in range_text(study) and 'power, W' not in range_text(study)
    assert range_figures(study)['curve'] == []


def test_how_the_numbers_are_drawn_is_said():
    """Together where the boat file says how their errors hang together."""
    deviations = {'damping.linear.d11': '5%'}
    both = Correlation(('damping.linear.d11', 'inertia.m11'), np.eye(2))
    for correlation, words, method in ((None, 'each by itself', 'independent'),
                                       (both, 'correlation says', 'correlated')):
        study = range_study(replace(LOADED, correlation=correlation), deviations=deviations)
        assert words in range_text(study) and range_figures(study)['band']['method'].endswith(method)
