import math

import pytest

from usv_energy.analysis.analysed_log import analysed_log
from usv_energy.analysis.flow_along_log import AnalysisOptions
from usv_energy.analysis.log_figures import report_figures
from usv_energy.analysis.log_report import log_report
from usv_energy.analysis.log_waves import sea_words
from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import resolve
from usv_energy.flow.uniform import UniformFlow
from usv_energy.logs.read_log import read_log
from usv_energy.show.page.report_page import report_html
from usv_energy.show.run_folder import write_run
from usv_energy.show.text.log_text import log_text
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

BOAT = read_boat('otter_parts')


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    """Return the log of a run against a sea of 0.3 m, whose current holds the surface drift, and its summary."""
    folder = tmp_path_factory.mktemp('sea')
    summary = write_run(run_scenario(read_scenario(str(resolve('scenarios', 'waves/otter_head_sea')))), folder, False,
                        'usv-energy')
    return read_log(folder), summary


def given(analysed):
    return analysed.energy.thrust + analysed.energy.unrecovered


def test_the_energy_is_the_thrusters_own_work(run):
    log, summary = run
    for options in (AnalysisOptions(current=UniformFlow()), AnalysisOptions(drift_depth=0.0)):
        seen = analysed_log(log, BOAT, options)
        assert given(seen) == pytest.approx(summary['thruster_energy_j'], rel=0.03)  # Must-show C of issue 18
        energy = seen.energy
        causes = ('inertia', 'damping', 'wind', 'foils', 'waves', 'side_force', 'residual')
        assert energy.thrust == pytest.approx(sum(getattr(energy, cause) for cause in causes), rel=1e-9)
        assert 0.03 < energy.waves / energy.thrust < 0.12
    left_in = analysed_log(log, BOAT, AnalysisOptions(current=UniformFlow(), waves=False))
    assert abs(given(left_in) / summary['thruster_energy_j'] - 1.0) > 0.03 and left_in.energy.waves == 0.0


def test_the_report_names_the_sea(run):
    log, _ = run
    report = log_report(analysed_log(log, BOAT, AnalysisOptions(drift_depth=0.0)))
    figures, text = report_figures(report), log_text(report)
    assert figures['significant_height_m'] == pytest.approx(0.3, abs=0.07)
    assert figures['peak_period_s'] == pytest.approx(2.5, abs=0.3)
    assert abs(math.remainder(figures['wave_direction_deg'] - 180.0, 360.0)) < 20.0
    assert figures['sea_seen_from'] == 'heave, roll and pitch' and 'sea seen: significant height' in text
    assert "less the waves' drift at the surface" in text
    page = report_html(report)
    assert f'{figures["significant_height_m"]:.2f} m' in page and 'from heave, roll and pitch' in page
    assert report.interval is not None and report.interval.waves > 0.0
    assert report.interval.low < report.analysed.energy.total < report.interval.high


def test_a_log_in_flat_water_says_that_nothing_is_known(folder):
    analysed = analysed_log(read_log(folder), read_boat('lutra_prop'))
    assert analysed.waves is None and sea_words(analysed.waves, analysed.notes) == ''
    assert report_figures(log_report(analysed))['significant_height_m'] is None


def test_calm_water_is_told_from_no_sensor(folder):
    from dataclasses import replace
    log = read_log(folder)
    log = replace(log, extra={**log.extra, 'heave_m': 0.0 * log.time})
    analysed = analysed_log(log, read_boat('lutra_prop'))
    assert 'calm water' in sea_words(analysed.waves, analysed.notes)
