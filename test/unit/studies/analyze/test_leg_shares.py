from dataclasses import replace

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.read_log import read_log
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.leg_energy import WaypointOrder, leg_figures
from usv_energy.sim.run_files import LegBegin
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.leg_shares import leg_shares, share_figures
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.log_text import log_text
from usv_energy.studies.analyze.picture_data import power_lines
from usv_energy.studies.analyze.report_page import report_html
from usv_energy.studies.runs.run_folder import write_run

BOAT = read_boat('lutra_prop')


@pytest.fixture(scope='module')
def run():
    """Return a run of three legs: a way, a stay whose name has to be escaped, and the way back."""
    scenario = read_scenario('3')
    return run_scenario(replace(scenario, waypoints=((255.0, 95.0), (245.0, 95.0)), speed=1.0, orders=(
        WaypointOrder(hold=10.0, name='pier <1>'), WaypointOrder())))


@pytest.fixture(scope='module')
def log(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp('legs') / 'run'
    write_run(run, folder, False, 'usv-energy')
    return read_log(folder)


def test_legs_of_a_run_come_back_from_its_folder(run, log):
    """Each figure that the run's own table has, by another integral: rounding alone is between them."""
    legs = leg_shares(analysed_log(log, BOAT, AnalysisOptions(motion='recorded')))
    assert [leg.name for leg in legs] == ['pier <1>', 'hold at pier <1>', '2']
    for leg, own in zip(legs, run.legs, strict=True):
        wanted = leg_figures(own)
        for key, value in share_figures(leg).items():
            assert value == wanted[key] if key == 'leg' else value == pytest.approx(wanted[key], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize('begins', [
    [(0.0, 'A')], [(-5.0, 'before'), (3.21, 'A'), (3.21, 'never'), (9.0, ''), (1e6, 'later')], [(7.0, 'late')]])
def test_legs_add_up_wherever_they_begin(log, begins):
    analysed = analysed_log(replace(log, legs=tuple(LegBegin(*one) for one in begins)), BOAT)
    legs = leg_shares(analysed)
    for cause in CAUSES:
        assert sum(leg.energy[cause] for leg in legs) == pytest.approx(getattr(analysed.energy, cause), rel=1e-9,
                                                                       abs=1e-9)
    assert sum(leg.duration for leg in legs) == pytest.approx(analysed.energy.duration, rel=1e-12)
    assert {leg.name for leg in legs} <= {name for _, name in begins} - {'later'}


def test_a_log_without_legs_has_none(log):
    assert leg_shares(analysed_log(replace(log, legs=()), BOAT)) == []


def test_text_and_page_show_them_where_there_are_several(log):
    report = log_report(analysed_log(log, BOAT))
    assert 'hold at pier <1>' in log_text(report)
    page = report_html(report)
    assert 'Energy by leg' in page
    assert '<td>hold at pier &lt;1&gt;</td>' in page
    ends = power_lines(report.analysed).legs
    assert list(ends) == pytest.approx([leg.begin for leg in leg_shares(report.analysed)[1:]])
    plain = log_report(analysed_log(replace(log, legs=log.legs[:1]), BOAT))
    assert 'Energy by leg' not in report_html(plain)
    assert 'mean power, W' not in log_text(plain)
