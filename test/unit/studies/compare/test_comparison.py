"""Differences by cause that add up, from logs and from summaries."""

import json

import pytest
from png_files import png_size
from run_summaries import summary

from usv_energy.studies.compare.comparison import (
    PARTS,
    comparison_figures,
    comparison_text,
    figures_of_runs,
    is_negligible,
    plot_comparison,
)


def test_the_changes_by_cause_add_up_to_the_change():
    first, second = summary('a', damping=100.0, wind=5.0), summary('b', damping=130.0, wind=-2.0, losses=40.0)
    change, = comparison_figures([first, second])['changes']
    assert change['change_j'] == pytest.approx(63.0)
    assert sum(change[f'change_{cause}_j'] for cause in PARTS) == pytest.approx(63.0)
    assert change['change_relative'] == pytest.approx(63.0 / 105.0)
    assert change['change_energy_per_meter_j_m'] == pytest.approx(63.0 / 20.0)


def test_a_cause_matters_if_it_does_in_any_of_the_runs():
    runs = [summary('a', damping=100.0, inertia=1e-3), summary('b', damping=130.0, wind=1.0)]
    assert [cause for cause in PARTS if not is_negligible(cause, runs)] == ['damping', 'wind']


def test_a_folder_of_analyze_and_a_summary_are_read_alike_and_a_log_is_analysed(tmp_path):
    """A folder that holds a summary and a report is analyze's; with a summary only it is a run, whose log counts."""
    written = summary('a', damping=100.0)
    (tmp_path / 'summary.json').write_text(json.dumps(written))

    class AskedError(Exception):
        pass

    def request_of(name):
        raise AskedError(name)

    file, folder = str(tmp_path / 'summary.json'), str(tmp_path)
    with pytest.raises(AskedError):
        figures_of_runs([file, folder], request_of)
    (tmp_path / 'report.html').write_text('')
    assert [run['energy_j'] for run in figures_of_runs([file, folder], request_of)] == [100.0, 100.0]


def test_the_table_names_causes_that_matter_and_what_makes_runs_hard_to_compare():
    first, second = summary('a', damping=100.0, inertia=1e-3), summary('b', damping=130.0)
    text = comparison_text([first, {**second, 'boat': 'other', 'distance_over_ground_m': 30.0}])
    assert '+30.0 (+30.0 %)' in text and 'inertia' not in text
    assert 'different boats: lutra_prop, other' in text
    assert 'compare J/m' in text


def test_what_a_run_does_not_know_stays_open():
    first = {**summary('a', damping=100.0), 'energy_per_meter_j_m': None}
    second = {**summary('b', damping=110.0), 'mean_power_w': None}
    lines = {line.split(',')[0].split('  ')[0]: line.split() for line in comparison_text([first, second]).splitlines()}
    assert lines['J/m'] == ['J/m', '-', '5.50']
    assert lines['mean power'][-2:] == ['10.00', '-']


@pytest.mark.parametrize(('number', 'width'), [(2, 1152), (5, 1380)])
def test_the_picture_grows_with_the_number_of_runs(tmp_path, number, width):
    runs = [summary(f'run {k}', damping=100.0 + k, wind=-5.0 * k, losses=20.0) for k in range(number)]
    plot_comparison(runs, tmp_path / 'x.png')
    assert png_size(tmp_path / 'x.png') == (width, 588)


def test_runs_that_took_nothing_are_drawn(tmp_path):
    plot_comparison([summary('a'), summary('b')], tmp_path / 'x.png')
    assert png_size(tmp_path / 'x.png') == (1152, 588)
