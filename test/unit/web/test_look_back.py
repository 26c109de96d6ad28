"""Look back: what the page shows of a log is what `analyze` says of it, and a log cannot make it say anything else."""

import json
import re
from collections import defaultdict
from pathlib import Path
from shutil import copy

import east_files
import pytest
from analyze_files import RUN, run_of
from downloads import downloaded
from page_width import fits

from usv_energy.files.errors import InputError
from usv_energy.files.work import no_progress
from usv_energy.show.page.page_parts import Picture
from usv_energy.sim.run_files import write_samples
from usv_energy.studies.analyze.log_report import report_figures
from usv_energy.studies.analyze.report_page import report_html
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.chosen_file import shown_stem
from usv_energy.web.folder import offer
from usv_energy.web.report_shelf import MOST_REPORTS, LogQuestion, ReportShelf, new_report

NEEDS = ('nicegui',)
CURRENT, WIND = '0.3 kn set 120', '6 kn from NE'


@pytest.fixture(scope='module')
def log(tmp_path_factory):
    """Return a log whose name is markup."""
    path = tmp_path_factory.mktemp('log') / 'a <b>bold<b> &amp; run.csv'
    write_samples(RUN.rows, path)
    return path


@pytest.fixture(scope='module')
def other(tmp_path_factory):
    path = tmp_path_factory.mktemp('other') / 'other.csv'
    write_samples(run_of('3').rows, path)
    return path


def figures_of(cli, log, *options):
    status, out, err = cli('analyze', log, *options, '--json', '-')
    assert status == 0, err
    return {key: value for key, value in json.loads(out).items() if key != 'source'}


@pytest.mark.parametrize(('question', 'options'), [
    ({}, []), ({'boat': 'blueboat', 'payload': 3.0}, ['--boat', 'blueboat', '--payload', '3']),
    ({'current': 'river', 'wind': 'gusts'}, ['--current', 'river', '--wind', 'gusts']),
    ({'boat': 'blueboat', 'battery': '0.02Wh', 'charge': '50', 'hotel': '20'},
     ['--boat', 'blueboat', '--battery', '0.02Wh', '--charge', '50%', '--hotel', '20']),
    ({'current': CURRENT, 'wind': WIND, 'wind_height': 10.0},
     ['--current', CURRENT, '--wind', WIND, '--wind-height', '10'])])
def test_a_question_is_answered_as_by_the_command(cli, log, question, options):
    found = report_figures(new_report(LogQuestion(log, **question), no_progress))
    assert {key: value for key, value in found.items() if key != 'source'} == figures_of(cli, log, *options)


@pytest.mark.parametrize(('question', 'words'), [
    ({'current': 'nonsense'}, "no flow named 'nonsense'"), ({'wind': '8 kn'}, "wind is '8 kn'"),
    ({'wind': 'river'}, "wind is 'river', a flow of water; must be one of air"),
    ({'boat': 'whale'}, "no boat named 'whale'"), ({'battery': 'large'}, 'must be the label of a battery'),
    ({'battery': '4Wh', 'charge': '120'}, 'from 0 to 100 %'), ({'hotel': '-3'}, 'a number of W from 0 on')])
def test_what_is_wrong_is_said_in_the_command_s_words(log, question, words):
    with pytest.raises(InputError) as error:
        new_report(LogQuestion(log, **question), no_progress)
    assert words in str(error.value)


def test_a_log_is_called_by_its_own_name_wherever_it_lies(tmp_path, log):
    """Not by the folder of the browser, as `analyze` calls a `samples.csv` by that of its run."""
    offer(tmp_path)
    session = BrowserSession('', tmp_path / '38c3d61ca38dd0f9')
    session.folder.mkdir()
    (tmp_path / '3_rep103').mkdir()
    for path, name in ((session.folder / 'samples.csv', 'samples'),
                       (tmp_path / '3_rep103' / 'samples.csv', '3_rep103/samples')):
        copy(log, path)
        assert shown_stem(session, path) == name
    page = report_html(new_report(LogQuestion(session.folder / 'samples.csv'), no_progress),
                       defaultdict(lambda: Picture('', '')), name='samples')
    assert '<title>Energy report: samples</title>' in page and '"name": "samples"' in page


def test_few_reports_are_kept_and_none_of_a_file_that_has_changed(tmp_path):
    shelf, questions = ReportShelf(), []
    for number in range(MOST_REPORTS + 1):
        path = tmp_path / f'{number}.csv'
        path.write_text('1')
        questions.append(LogQuestion(path))
        shelf.put(questions[-1], f'report {number}')
        assert shelf.get(questions[0]) == 'report 0' or number == MOST_REPORTS
    assert [shelf.get(one) is None for one in questions] == [False, True, False, False, False]
    path.write_text('2')
    assert shelf.get(questions[-1]) is None


def cells_of(page, caption):
    """Return the texts of a table's rows by their first cells."""
    rows = page.locator(f'table:has(caption:text-is("{caption}")) tbody tr').all()
    return {cells[0]: cells[1:] for cells in ([cell.strip() for cell in row.inner_text().split('\t')] for row in rows)}


def test_a_log_from_its_verdict_to_its_single_page(page, served, cli, log, other):
    """One visit: doubts, cursor, range, comparison, downloads; each figure is that of the command."""
    copy(log, served[0] / log.name)
    page.get_by_role('link', name='Look back').click()
    page.get_by_role('heading', name='Look back').wait_for()
    page.get_by_label('Log', exact=True).click()
    page.get_by_role('option', name=f'folder: {log.name}').click()
    page.locator('.verdict').wait_for()
    figures = figures_of(cli, log)
    assert figures['verdict'] in page.locator('.verdict').inner_text()
    assert 'bold' in page.locator('.verdict h2').inner_text() and page.locator('main b').count() == 0
    assert [one['doubt'] for one in figures['doubts']] == list(cells_of(page, 'Doubts, the worst first'))
    causes = cells_of(page, 'Energy by cause')
    assert causes['total'][0].replace(',', '') == f'{figures["energy_j"]:.1f}'
    assert causes['damping'][0].replace(',', '') == f'{figures["energy_damping_j"]:.1f}'

    ranges = 'Energy of the ranges, by cause'
    [whole] = cells_of(page, ranges).values()
    assert whole[2].replace(',', '') == f'{figures["energy_j"]:.1f}'
    assert whole[3] == f'{figures["mean_power_w"]:.2f}'
    page.wait_for_function("(one => !!one && !!getElement(one)?.chart)(document.querySelector('.chart'))")
    page.evaluate("getElement(document.querySelector('.chart')).chart.dispatchAction("
                  "{type: 'dataZoom', start: 50, end: 75})")
    half, most = (f'{share * figures["log_duration_s"]:.2f}' for share in (0.5, 0.75))
    page.wait_for_function(f'document.querySelector(\'[aria-label="{ranges}"] th[scope=row]\').innerText === '
                           f'"{half} to {most} s"')
    begin, end = page.get_by_label('From, s'), page.get_by_label('To, s')
    begin.fill('0')
    end.fill('10')
    page.wait_for_function(f'document.querySelector(\'[aria-label="{ranges}"] tbody\').innerText.includes("10.00 s")')
    [part] = cells_of(page, ranges).values()
    assert 0.0 < float(part[2]) < figures['energy_j']
    page.get_by_role('button', name='Keep this range').click()
    page.get_by_role('rowheader', name='0.00 to 10.00 s').nth(1).wait_for()
    assert (begin.input_value(), end.input_value()) == ('0', '10'), 'what was typed stays as it was typed'
    for typed, error in (('0', 'must end later than it begins'), ('late', "this is 'late'; must be from 0 to "),
                         ('1e9', f'must be from 0 to {figures["log_duration_s"]:g} s')):
        end.fill(typed)
        page.get_by_text(error).wait_for()
        assert len(cells_of(page, ranges)) == 1, 'the one that was kept'

    slider = page.get_by_role('slider', name='Time of the cursor')
    slider.focus()
    slider.press('End')
    end = f'{figures["log_duration_s"]:.2f} s'
    page.wait_for_function(f'document.querySelector(\'[aria-label="At the cursor"]\').innerText.includes("{end}")')
    assert cells_of(page, 'At the cursor')['energy so far'][0].startswith(f'{figures["energy_j"]:.1f} J')
    page.locator('path.cursor').wait_for(state='attached')
    assert re.fullmatch(r'up to \d+(\.\d+)? W\s+\d+(\.\d+)? W and more', page.locator('.ramp').inner_text())
    page.get_by_label('Colour', exact=True).click()
    page.get_by_role('option', name='speed over ground').click()
    page.locator('.ramp', has_text='kn').wait_for()

    found = json.loads(downloaded(page, 'The figures as JSON')[1])
    assert found.pop('source') == log.name and found == figures
    _, text = downloaded(page, 'The report as one page')
    assert figures['verdict'] in text and '/tmp' not in text and '<b>bold' not in text

    page.reload()
    page.locator('.verdict').wait_for()
    assert len(cells_of(page, ranges)) == 2
    page.set_input_files('input[type=file]', [str(other)])
    page.wait_for_function('document.querySelector(".verdict h2")?.innerText.startsWith("other")')
    page.get_by_label('Compare with').click()
    page.get_by_role('option', name=f'folder: {log.name}').click()
    page.get_by_role('heading', name='Compared').wait_for()
    assert 'm/s' not in page.locator('.tiles').inner_text()
    wanted = json.loads(cli('compare', other, log, '--json', '-')[1])
    row = cells_of(page, 'Two logs compared, by cause')['energy, J']
    assert row[:2] == [f'{run["energy_j"]:.1f}' for run in wanted['runs']]
    assert row[2] == f'{100.0 * wanted["changes"][0]["change_relative"]:+.1f} %'
    fits(page)


def test_a_battery_is_fitted_as_by_the_command_and_said_to_be_empty(page, cli, other):
    page.get_by_role('link', name='Look back').click()
    page.get_by_role('heading', name='Look back').wait_for()
    page.set_input_files('input[type=file]', [str(other)])
    page.locator('.verdict').wait_for()
    for label, wrong, words, right in (('Battery, as', 'large', 'must be the label of a battery', '0.02Wh'),
                                       ('Charge at the start', '120', "charge is '120'; must be from 0 to 100 %", '50'),
                                       ('Hotel load', '-1', "hotel is '-1'; must be a number of W from 0 on", '20')):
        page.get_by_label(label).fill(wrong)
        page.locator('.q-field', has=page.get_by_label(label)).get_by_text(words).wait_for()
        page.get_by_label(label).fill(right)
        page.locator('.verdict').wait_for()
    empty = page.locator('.warn li', has_text='it would have been empty after')
    assert empty.inner_text().endswith('another battery or charge (Battery, Charge at the start)?')
    page.locator('.tiles', has_text='of the battery used, all that it held').wait_for()
    found = json.loads(downloaded(page, 'The figures as JSON')[1])
    wanted = figures_of(cli, other, '--battery', '0.02Wh', '--charge', '50%', '--hotel', '20')
    assert found.pop('source') == other.name and found == wanted
    assert found['state_of_charge_used'] == 0.5
    fits(page)


def test_errors_stand_beside_their_fields(page, tmp_path, other):
    page.get_by_role('link', name='Look back').click()
    page.get_by_role('heading', name='Look back').wait_for()
    page.set_input_files('input[type=file]', [str(other)])
    page.locator('.verdict').wait_for()
    page.get_by_label('Wind, as').fill('<i>storm</i>')
    field = page.locator('.q-field', has=page.get_by_label('Wind, as'))
    field.get_by_text("wind is '<i>storm</i>': storm is a range").wait_for()
    assert page.locator('.verdict').count() == 0
    for path in ('/etc/passwd', '../../etc/passwd', '~/x.yaml'):
        page.get_by_label('Wind, as').fill(path)
        field.get_by_role('alert').get_by_text(path).wait_for()
        assert 'root' not in field.inner_text()
    page.get_by_label('Wind, as').fill('')
    page.locator('.verdict').wait_for()
    refused = tmp_path / 'trip.pdf'
    refused.write_text('x')
    page.set_input_files('input[type=file]', [str(refused)])
    page.get_by_text('Of the log before: what was dropped last was refused').wait_for()
    wrong = tmp_path / 'no_log.csv'
    wrong.write_text('a,b\n1,2\n')
    page.set_input_files('input[type=file]', [str(wrong)])
    page.locator('.q-field', has=page.get_by_label('Log', exact=True)).get_by_text('no_log.csv').first.wait_for()
    page.get_by_text(re.compile('no_log.csv: ')).wait_for()
    assert '/tmp' not in page.locator('main').inner_text()


def test_a_table_of_unknown_columns_is_read_by_a_map_that_is_dropped(page, tmp_path):
    table, columns = tmp_path / 'own.csv', tmp_path / 'own.yaml'
    table.write_text('q,a,b\n' + ''.join(f'{t},{0.5 * t},0\n' for t in range(60)))
    columns.write_text('columns: {time: {column: q, unit: s}, x: {column: a, unit: m}, y: {column: b, unit: m}}\n')
    page.get_by_role('link', name='Look back').click()
    page.get_by_role('heading', name='Look back').wait_for()
    page.set_input_files('input[type=file]', [str(table)])
    page.get_by_text(re.compile('own.csv: .*give it by Columns of a table')).wait_for()
    page.set_input_files('input[type=file]', [str(columns)])
    page.get_by_role('heading', name=re.compile('own: ')).wait_for()


def test_a_log_of_every_kind_may_be_dropped():
    from usv_energy.web.look_back_page import ENDINGS
    assert {Path(name).suffix for name in east_files.FILES} <= set(ENDINGS)


def test_after_cancel_no_report_of_another_log_stands(page, other, tmp_path):
    long = tmp_path / 'long.csv'    # Takes seconds, so that the button is pressed before its report is there.
    long.write_text('time,x,y,yaw,u\n' + ''.join(f'{n / 50},{n / 50},0,0,1\n' for n in range(400_000)))
    page.get_by_role('link', name='Look back').click()
    page.get_by_role('heading', name='Look back').wait_for()
    page.set_input_files('input[type=file]', [str(other)])
    page.locator('.verdict').wait_for()
    page.set_input_files('input[type=file]', [str(long)])
    page.get_by_role('button', name='Cancel').click()
    page.get_by_text('Cancelled: whatever is changed begins anew').wait_for()
    assert page.locator('.verdict').count() == 0
