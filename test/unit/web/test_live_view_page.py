"""Live: a replayed log and a real port, from the form to figures that are those of `usv-energy live`."""

import json
import socket

import pytest
from autopilot_twin import AutopilotTwin, sailing
from page_width import fits

from usv_energy.web.live_views import tiles_of

NEEDS = ('nicegui', 'pymavlink')
HOME = '45.6078,9.5524'


@pytest.fixture(scope='module')
def tape(served):
    """Return the telemetry log of an autopilot that ran for 15 s, in the served folder; its name is markup."""
    twin = AutopilotTwin(9)
    for _ in range(150):
        twin.step()
    twin.close()
    return twin.write(served[0] / '<b>boat<b>.tlog')


def open_live(page):
    page.get_by_role('link', name='Live').click()
    page.get_by_role('heading', name='Live').wait_for()


def choose(page, field, option):
    page.get_by_label(field, exact=True).click()
    page.get_by_role('option', name=option, exact=True).click()


def test_a_log_is_replayed_to_the_figures_of_the_command(page, tape, cli):
    _, out, _ = cli('live', tape, '--boat', 'lutra_prop', '--home', HOME, '--charge', '80%', '--json', '-')
    wanted = json.loads(out.splitlines()[-1])
    open_live(page)
    choose(page, 'From', 'a telemetry log, replayed')
    choose(page, 'Telemetry log', f'folder: {tape.name}')
    choose(page, 'Pace', '100 times as fast')
    choose(page, 'Boat', 'lutra_prop')
    page.get_by_label('Home', exact=True).fill(HOME)
    page.get_by_label('Charge at the start, %').fill('80')
    page.get_by_role('button', name='Watch').click()
    page.get_by_text(f'{tape.name}, lutra_prop, at its end').wait_for()
    shown = dict(zip(page.locator('.tiles dt').all_inner_texts(), page.locator('.tiles dd').all_inner_texts()))
    expected = {tile.meaning: tile.value for tile in tiles_of(wanted, lambda speed: f'{speed / (1852 / 3600):.1f} kn')}
    assert shown == expected
    assert ' m/s' not in page.locator('main').inner_text()
    assert 'It gets home' in page.locator('.headline').inner_text()
    for mark in ('ring', 'home'):
        page.locator(f'path.{mark}').wait_for(state='attached')
    assert page.locator('main b').count() == 0
    fits(page)
    page.reload()
    page.get_by_text(f'{tape.name}, lutra_prop, at its end').wait_for()
    page.get_by_role('button', name='Stop').click()
    page.get_by_role('button', name='Watch').wait_for()
    assert page.locator('.headline').count() == 0


def test_a_port_is_watched_and_what_is_wrong_stands_beside_its_field(page):
    open_live(page)
    for field, text, words in (
            ('Port or connection', '/etc/passwd', 'must be a port of this machine'), ('Home', 'here', "home is 'here'"),
            ('Charge at the start, %', '120', 'must be from 0 to 100 %'), ('Wind', '/etc/passwd', 'wind is'),
            ('Battery', 'big', 'battery')):
        box = page.get_by_label(field, exact=True)
        before = box.input_value()
        box.fill(text)
        page.get_by_role('button', name='Watch').click()
        page.locator('.q-field', has=box).get_by_role('alert').get_by_text(words).wait_for()
        box.fill(before)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    page.get_by_label('Port or connection').fill(str(port))
    page.get_by_role('button', name='Watch').click()
    page.get_by_text('No boat was heard so far').wait_for()
    with sailing(port) as twin:
        page.get_by_role('heading', name='system 1').wait_for()
        page.locator('path.cursor').wait_for(state='attached')
    assert not twin.commands()
    page.get_by_role('button', name='Stop').click()
    page.get_by_role('button', name='Watch').wait_for()
