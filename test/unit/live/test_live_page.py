"""The page of a live boat: view, settings that are checked and saved, what BlueOS asks; and who is refused."""

import http.client
import json
from urllib.parse import urlencode

import pytest

from usv_energy.files.errors import InputError
from usv_energy.live.live_page import FIELDS, FIXED, LivePage, checked_settings, read_settings


def refuse_whale(settings):
    if settings.get('boat') == 'whale':
        raise InputError('whale: there is no such boat <b>')


@pytest.fixture
def page(tmp_path):
    with LivePage(('127.0.0.1', 0), tmp_path / 'settings.json', refuse_whale, False) as one:
        yield one


def ask(page, method, path, form=None, **headers):
    link = http.client.HTTPConnection('127.0.0.1', page.port, timeout=10.0)
    body = None if form is None else urlencode(form)
    link.request(method, path, body, {name.title(): value for name, value in headers.items()})
    answer = link.getresponse()
    found = answer.status, answer.read().decode()
    link.close()
    return found


def test_the_boats_are_shown_as_text_and_as_json(page):
    assert 'no boat was heard so far' in ask(page, 'GET', '/')[1]
    page.show([{'namespace': 'system 7', 'age_s': 0.1, 'power_total_w': 42.0, 'problems': ['<script>']}])
    status, text = ask(page, 'GET', '/')
    assert status == 200 and 'system 7' in text and '42.0' in text
    assert '<script>' not in text and '&lt;script&gt;' in text
    assert json.loads(ask(page, 'GET', '/status')[1])[0]['power_total_w'] == 42.0
    assert ask(page, 'GET', '/etc/passwd')[0] == 404


def test_blueos_is_told_what_this_is(page):
    service = json.loads(ask(page, 'GET', '/register_service')[1])
    assert {'name', 'description', 'icon', 'company', 'version', 'webpage', 'api'} == set(service)


def test_settings_are_saved_and_read_again(page, tmp_path):
    given = {'boat': 'blueboat', 'home': '45.6, 9.5', 'wind': '6 m/s from NE', 'charge': ''}
    assert ask(page, 'POST', '/settings', given)[0] == 303
    assert page.changed
    assert page.take() == read_settings(tmp_path / 'settings.json') == {
        'boat': 'blueboat', 'home': '45.6, 9.5', 'wind': '6 m/s from NE'}
    assert not page.changed
    assert 'value="45.6, 9.5"' in ask(page, 'GET', '/settings')[1]


@pytest.mark.parametrize('given, words', [
    ({'boat': 'whale'}, 'there is no such boat &lt;b&gt;'), ({'boat': '../../etc/passwd'}, 'and no path'),
    ({'current': '/dev/zero'}, 'and no path'), ({'may_command': 'RTL'}, 'may_command is no setting')])
def test_wrong_settings_are_said_and_not_saved(page, tmp_path, given, words):
    status, text = ask(page, 'POST', '/settings', given)
    assert status == 400 and words in text.replace('&#39;', "'")
    assert not page.changed and not (tmp_path / 'settings.json').exists()


def test_the_form_of_another_page_is_not_taken(page):
    assert ask(page, 'POST', '/settings', {'boat': 'blueboat'}, origin='http://evil.example')[0] == 403
    there = {'origin': 'http://evil.example', 'host': 'evil.example'}  # A name that leads here.
    assert ask(page, 'POST', '/settings', {'boat': 'blueboat'}, **there)[0] == 403
    assert ask(page, 'POST', '/settings', {'boat': 'blueboat'}, host='blueos.local:8090')[0] == 303
    own = f'http://127.0.0.1:{page.port}'
    assert ask(page, 'POST', '/settings', {'boat': 'blueboat'}, origin=own)[0] == 303
    assert ask(page, 'POST', '/settings', {'boat': 'b' * 5000})[0] == 404


def test_settings_are_fixed_while_the_boat_may_be_commanded(tmp_path):
    with LivePage(('127.0.0.1', 0), tmp_path / 's.json', refuse_whale, True) as page:
        assert FIXED in ask(page, 'GET', '/settings')[1]
        assert ask(page, 'POST', '/settings', {'boat': 'blueboat'})[0] == 400 and not page.changed


def test_a_file_of_settings_that_is_none_is_refused(tmp_path):
    path = tmp_path / 's.json'
    path.write_text('{"boat": 3}')
    with pytest.raises(InputError, match='must be texts by the names boat'):
        read_settings(path)
    path.write_text('{')
    with pytest.raises(InputError, match='is wrong JSON'):
        read_settings(path)
    assert checked_settings(dict.fromkeys(FIELDS, ' '), 'x') == {}


def test_a_port_that_is_taken_is_said(page, tmp_path):
    with pytest.raises(InputError, match='cannot listen there'):
        LivePage(('127.0.0.1', page.port), tmp_path / 's.json', refuse_whale, False)
