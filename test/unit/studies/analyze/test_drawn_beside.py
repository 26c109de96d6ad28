"""Pictures that another process draws are those that this one draws."""

import os
import time

import pytest
from analyze_files import BOAT, straight

from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.report_folder import DrawnBeside
from usv_energy.studies.analyze.report_page import report_html


@pytest.fixture(scope='module')
def report():
    return log_report(analysed_log(straight(), BOAT))


@pytest.mark.parametrize('processors', [1, 2])
def test_the_page_is_the_same(report, monkeypatch, processors):
    monkeypatch.setattr(os, 'sched_getaffinity', lambda process: set(range(processors)))
    with DrawnBeside() as drawn:
        drawn.begin(report.analysed)
        assert report_html(report, drawn.pictures(report)) == report_html(report)


def test_what_a_process_did_not_draw_that_was_killed_is_drawn_here(report, monkeypatch):
    monkeypatch.setattr(os, 'sched_getaffinity', lambda process: {0, 1})
    with DrawnBeside() as drawn:
        drawn._side.kill()
        drawn.begin(report.analysed)
        assert report_html(report, drawn.pictures(report)) == report_html(report)


def test_an_error_here_does_not_wait_for_the_other_process(monkeypatch):
    monkeypatch.setattr(os, 'sched_getaffinity', lambda process: {0, 1})
    with pytest.raises(ValueError, match='no log'), DrawnBeside() as drawn:
        drawn._side.call(time.sleep, 60.0)
        raise ValueError('no log')
    assert drawn._side._process.returncode is not None
