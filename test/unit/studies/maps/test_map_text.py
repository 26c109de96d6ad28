"""Maps as text and figures: the same numbers in both, and what is to be noted."""

import json
import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.maps.lattice import CurrentAndWind
from usv_energy.studies.maps.map_study import best_speed_study, energy_study, front_study, reach_study
from usv_energy.studies.maps.map_text import map_figures, map_text

BOAT = with_static_load(read_boat('lutra_prop'), 5.0)
FIELDS = CurrentAndWind(UniformFlow(0.2, 0.1), UniformFlow())
SPEEDS = [0.2, 0.5, 0.8, 1.1]


def test_the_table_of_an_energy_map_has_the_figures_and_a_dash_where_nothing_can_be_held():
    study = energy_study(BOAT, 8, [(0.0, 0.0), (4.0, 30.0)], [(0.0, 0.0)], SPEEDS)
    rows = json.loads(json.dumps(map_figures(study), allow_nan=False))['conditions']
    lines = map_text(study).splitlines()
    assert lines[1].split()[2:] == ['100', '%', f'{rows[0]["least_j_m"]:.4g}', '090', '0.5',
                                    f'{rows[0]["most_j_m"]:.4g}']
    assert lines[2].split() == ['4', 'set', '060', '0', '0', '%', '-', '-', '-', '-'] and rows[1]['least_j_m'] is None
    assert len({len(line) for line in lines[:3]}) == 1, 'columns to the right'
    assert '8 courses x 4 speeds x 2 currents x 1 wind = 64 steady motions' in lines[-1]


def test_best_speeds_at_the_lowest_speed_are_marked_and_explained():
    lines = map_text(best_speed_study(with_static_load(BOAT, 0.0), 8, [(0.0, 0.0)], [(0.0, 0.0)], SPEEDS)).splitlines()
    assert lines[2].count('0.200*') == 8 and 'no hotel load' in lines[-1]
    study = best_speed_study(BOAT, 4, [(0.0, 0.0)], [(0.0, 0.0)])
    assert '*' not in map_text(study)
    assert map_figures(study)['conditions'][0]['course_deg'] == [0.0, 90.0, 180.0, 270.0]


def test_a_reach_says_how_good_it_is():
    study = reach_study(BOAT, FIELDS, (1.0, 2.0), 3600.0, SPEEDS, 25, round_trip=True)
    figures, text = map_figures(study), map_text(study)
    assert figures['round_trip'] is True and (figures['start_x_m'], figures['energy_j']) == (1.0, 3600.0)
    assert f'1 Wh, there and back: {figures["area_m2"] / 1e6:.4g} km^2' in text
    assert f'{100 * figures["direction_error_relative"]:.2g} % too dear' in text and 'without the grid' in text
    cut = reach_study(BOAT, FIELDS, (0.0, 0.0), 3600.0, SPEEDS, 25, extent=(-5.0, -5.0, 5.0, 5.0))
    assert map_figures(cut)['area_uniform_m2'] is None and 'the area ends where the flow' in map_text(cut)


def test_a_front_compares_its_cheapest_with_the_straight_line():
    study = front_study(BOAT, FIELDS, (0.0, 0.0), (30.0, 10.0), SPEEDS, 9)
    figures = map_figures(study)
    quickest = figures['ways'][0]
    assert quickest['mean_speed_m_s'] == pytest.approx(math.hypot(30.0, 10.0) / quickest['duration_s'])
    assert figures['cheapest_straight']['energy_j'] == pytest.approx(figures['ways'][-1]['energy_j'], rel=1e-9)
    assert 0.004 < quickest['gap_relative'] < 0.02, 'directions of the grid: 0.5 % in still water'
    assert f'{100 * quickest["gap_relative"]:.3g}' in map_text(study).splitlines()[1]
    assert 'the way saves' in map_text(study) and 'no hotel load' not in map_text(study)
    bare = front_study(with_static_load(BOAT, 0.0), FIELDS, (0.0, 0.0), (9.0, 0.0), SPEEDS, 9)
    assert 'no hotel load' in map_text(bare)
