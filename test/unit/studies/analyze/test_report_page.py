"""The report's page: whole, small, and in a browser without a request, an error or a scroll bar."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from analyze_files import run_of
from page_checks import check_colours, check_fetches_nothing, check_in_browser, check_whole

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import read_log
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_report import log_report, report_figures
from usv_energy.studies.analyze.report_page import report_html, write_report
from usv_energy.studies.runs.run_folder import write_run

BOAT = read_boat('lutra_prop')


@pytest.fixture(scope='module')
def report(tmp_path_factory):
    """Return the report of a run in a current and a wind, with measured power."""
    folder = tmp_path_factory.mktemp('page') / 'run <6> & "co"'
    write_run(run_of(), folder, False, 'usv-energy')
    log = read_log(folder)
    measured = 1.1 * log.extra['power_total_w'] + 1.0
    return log_report(analysed_log(replace(log, electrical_power=measured), BOAT))


@pytest.fixture(scope='module')
def page(report):
    return report_html(report)


def test_the_page_is_whole_and_every_name_in_it_stands_once(page):
    check_whole(page)


def test_the_verdict_stands_before_all_figures(page):
    body = page[page.index('<main') if '<main' in page else 0:]
    assert 0 < body.index('In 95 of 100 cases') < body.index('class="tile')


def test_the_page_and_its_figures_say_what_the_boat_is_not_for(report):
    analysed = report.analysed
    said = report._replace(analysed=replace(analysed, boat=replace(analysed.boat, caution='not for a test')))
    assert report_html(said).count('not for a test') == 2    # For people, and in the JSON.
    assert report_figures(said)['caution'] == 'not for a test' and 'caution' not in report_figures(report)


def test_the_page_is_small_and_asks_nobody_for_anything(page):
    assert len(page.encode()) < 2_000_000
    check_fetches_nothing(page)


def test_the_page_says_what_the_summary_says(page, report):
    data = re.search(r'<script type="application/json" id="summary">(.*?)</script>', page, re.DOTALL).group(1)
    assert json.loads(data) == json.loads(json.dumps(report_figures(report)))
    energy = report.analysed.energy
    text = re.sub(r'<[^>]+>', ' ', page)
    for figure in (f'{energy.damping:.1f}', f'{energy.energy_per_meter:.1f} J/m', f'{report.changes[0].energy:.1f}'):
        assert figure in text
    for title in ('Track', 'Power by cause', 'Energy by cause', 'Speed and power', 'Energy per metre', 'What if',
                  'Model against the measured electrical power'):
        assert title in text


def test_names_from_outside_cannot_become_markup(page):
    assert 'run <6>' not in page
    assert 'run &lt;6&gt; &amp; &#34;co&#34;' in page


def test_every_colour_of_the_pictures_has_a_light_and_a_dark_form(page):
    check_colours(page)


def test_the_same_log_gives_the_same_page(report, page):
    assert report_html(report) == page


@pytest.mark.parametrize('case', ['no places', 'two samples', 'at rest', 'nan power'])
def test_odd_logs_still_have_a_page(case):
    n = 2 if case == 'two samples' else 50
    time, zero = 0.1 * np.arange(n), np.zeros(n)
    speed = zero if case == 'at rest' else zero + 1.0
    place = {} if case == 'no places' else {'x': np.cumsum(speed) * 0.1, 'y': zero}
    yaw = np.full(n, math.nan) if case == 'nan power' else zero
    if case == 'nan power':
        yaw[-1] = 0.0
    log = Log('odd', Path('odd'), time, yaw=yaw, u=speed, v=zero, r=zero, **place)
    page = report_html(log_report(analysed_log(log, BOAT)))
    assert 'Energy report: odd' in page
    assert 'nan' not in re.sub(r'<script.*?</script>|<style.*?</style>', '', page, flags=re.DOTALL).lower().split()


def test_a_million_samples_make_no_larger_page(page):
    n = 300_000
    time = 0.02 * np.arange(n)
    yaw = 0.5 * np.sin(0.05 * time)
    u = 1.0 + 0.1 * np.sin(0.3 * time) + 0.01 * np.random.default_rng(1).standard_normal(n)
    log = Log('long', Path('long'), time, yaw=yaw, u=u, v=0.0 * u, r=0.025 * np.cos(0.05 * time),
              x=np.cumsum(u * np.cos(yaw)) * 0.02, y=np.cumsum(u * np.sin(yaw)) * 0.02)
    long = report_html(log_report(analysed_log(log, BOAT, AnalysisOptions(motion='recorded'))))
    assert len(long) < 1_500_000


@pytest.mark.parametrize(('width', 'scheme'), [(1280, 'light'), (320, 'dark')])
def test_a_browser_shows_it_without_a_request_an_error_or_a_scroll_bar(browser, report, tmp_path, width, scheme):
    path = tmp_path / 'report.html'
    write_report(report, path)
    check_in_browser(browser, path, width, scheme, 6)
