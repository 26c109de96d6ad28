"""Differences by cause that add up, from logs and from summaries."""

import json

import pytest
from run_summaries import summary

from usv_energy.studies.compare.comparison import PARTS, comparison_figures, figures_of_runs, is_negligible


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
