import json

import pytest
from analyze_files import BOAT, straight

from usv_energy.files.errors import InputError
from usv_energy.studies.analyze import report_folder
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_report import log_report, report_figures


@pytest.fixture(scope='module')
def report():
    return log_report(analysed_log(straight(), BOAT))


@pytest.mark.parametrize(('samples', 'names'), [
    (False, ['report.html', 'summary.json']), (True, ['report.html', 'samples.csv', 'summary.json'])])
def test_a_report_has_its_files(report, tmp_path, samples, names):
    report_folder.write_report_folder(report, tmp_path, samples)
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert json.loads((tmp_path / 'summary.json').read_text()) == report_figures(report)


def test_where_a_file_fails_there_is_no_summary_and_the_old_page_stays(report, tmp_path):
    report_folder.write_report_folder(report, tmp_path, False)
    before = (tmp_path / 'report.html').read_text()
    (tmp_path / 'samples.csv').mkdir()
    with pytest.raises(OSError, match='it is not written, what was there stays'):
        report_folder.write_report_folder(report, tmp_path, True)
    assert not (tmp_path / 'summary.json').exists()
    assert (tmp_path / 'report.html').read_text() == before


@pytest.mark.parametrize('log', ['.', 'samples.csv'])
def test_a_run_s_own_folder_is_no_place_for_its_report(tmp_path, log):
    (tmp_path / 'samples.csv').write_text('time_s\n')
    with pytest.raises(InputError, match=r'holds the samples.csv that is analysed; must be another folder'):
        report_folder.check_report_folder(tmp_path, str(tmp_path / log))
    (tmp_path / 'summary.json').write_text('{"run_by": "ros", "energy_j": 1.0}')
    with pytest.raises(InputError, match=r'holds the summary.json of a run, which a report would replace'):
        report_folder.check_report_folder(tmp_path, str(tmp_path / log))
    assert json.loads((tmp_path / 'summary.json').read_text())['energy_j'] == 1.0


def test_a_report_of_before_is_replaced(report, tmp_path):
    (tmp_path / 'out').mkdir()
    report_folder.write_report_folder(report, tmp_path / 'out', True)
    (tmp_path / 'log.csv').write_text('time_s\n')
    report_folder.check_report_folder(tmp_path / 'out', str(tmp_path / 'log.csv'))
