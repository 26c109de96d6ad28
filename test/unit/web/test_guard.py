"""Who may ask: hosts, origins, tokens, cookies, sizes; without the framework behind it."""

import asyncio

import pytest

from usv_energy.web.browser_session import MOST_SESSIONS, BrowserSessions
from usv_energy.web.guard import SESSION, Guard

PORT, TOKEN = 8080, 'right-token'
OWN = f'127.0.0.1:{PORT}'


@pytest.fixture
def guard(tmp_path):
    """Return a function from a token to a guard before an application that answers with its browser's session."""
    def made(token=None, most_bytes=1000):
        return Guard(application, BrowserSessions(tmp_path), token, PORT, most_bytes)
    return made


async def application(scope, receive, send):
    if scope['type'] == 'websocket':
        await send({'type': 'websocket.accept'})
        return
    while (message := await receive()).get('more_body'):
        pass
    status = 200 if message['type'] == 'http.request' else 499
    await send({'type': 'http.response.start', 'status': status, 'headers': []})
    await send({'type': 'http.response.body', 'body': scope[SESSION].id.encode()})


def ask(guard, path='/', method='GET', kind='http', query='', bodies=(b'',), **headers):
    """Return status, headers and body of the answer; of a WebSocket whether it is accepted."""
    given = {'host': OWN, **{name.replace('_', '-'): value for name, value in headers.items()}}
    scope = {'type': kind, 'path': path, 'method': method, 'query_string': query.encode(),
             'headers': [(name.encode(), value.encode()) for name, value in given.items()]}
    waiting = [{'type': 'http.request', 'body': body, 'more_body': number < len(bodies) - 1}
               for number, body in enumerate(bodies)]
    sent = []

    async def receive():
        return waiting.pop(0)

    async def send(message):
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    if kind == 'websocket':
        return sent[0]['type'] == 'websocket.accept'
    return sent[0]['status'], dict(sent[0]['headers']), b''.join(one.get('body', b'') for one in sent[1:])


def cookie_of(guard, **asked):
    """Return the cookie that a first visit gets."""
    status, headers, _ = ask(guard, **asked)
    assert status == 303
    return headers[b'set-cookie'].decode().partition(';')[0]


def test_a_browser_is_known_by_its_cookie(guard):
    own = guard()
    first, second = cookie_of(own), cookie_of(own)
    status, _, body = ask(own, cookie=first)
    assert status == 200 and first == f'usv_energy_{PORT}={body.decode()}'
    assert ask(own, cookie=second)[2] != body


def test_the_cookie_is_for_this_page_alone(guard):
    said = ask(guard())[1][b'set-cookie'].decode()
    assert {'HttpOnly', 'SameSite=Lax', 'Path=/'} <= set(said.split('; '))


@pytest.mark.parametrize('query', ['', 'token=', 'token=wrong', 'token=right-toke', 'token=right-tokenx',
                                   'token=wrong&token=right-token', 'token=%00', 'token=%E2%82%AC'])
def test_without_the_token_nobody_is_let_in(guard, query):
    status, headers, body = ask(guard(TOKEN), query=query)
    assert status == 403 and b'set-cookie' not in headers
    assert b'right-token' not in body


def test_with_the_token_a_browser_is_let_in_and_its_address_loses_it(guard):
    own = guard(TOKEN)
    status, headers, _ = ask(own, path='/look-back', query=f'token={TOKEN}')
    assert (status, headers[b'location']) == (303, b'/look-back')
    assert ask(own, cookie=headers[b'set-cookie'].decode().partition(';')[0])[0] == 200


@pytest.mark.parametrize('path', ['//evil.example/', '/\\evil.example', '/%0d%0aSet-Cookie: a=b', '/\r\nx: y'])
def test_nobody_is_led_to_another_host(guard, path):
    place = ask(guard(), path=path)[1][b'location']
    assert place.startswith(b'/') and not place.startswith(b'//')
    assert set(place) <= set(b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_')


@pytest.mark.parametrize('cookie', ['', 'usv_energy_8080=', 'usv_energy_8080=made-up', 'usv_energy_8081=', 'a;;=b',
                                    'usv_energy_8080="'])
@pytest.mark.parametrize(('path', 'method'), [('/', 'POST'), ('/_nicegui/client/1/upload/2', 'POST'),
                                              ('/_nicegui/3/static/nicegui.js', 'GET'), ('/_nicegui_ws/', 'GET')])
def test_without_a_session_nothing_else_is_answered(guard, path, method, cookie):
    assert ask(guard(), path=path, method=method, cookie=cookie)[0] == 403
    assert not ask(guard(), kind='websocket', path='/_nicegui_ws/socket.io/', origin=f'http://{OWN}', cookie=cookie)


@pytest.mark.parametrize('host', ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', '', 'localhost.evil'])
def test_a_name_that_somebody_made_lead_here_is_refused(guard, host):
    own = guard()
    cookie = cookie_of(own)
    assert ask(own, host=host, cookie=cookie)[0] == 421
    assert not ask(own, kind='websocket', host=host, origin=f'http://{host}', cookie=cookie)


@pytest.mark.parametrize('host', ['localhost:8080', '192.168.2.2:8080', '[::1]:8080', 'blueos.local'])
def test_the_names_of_this_machine_are_taken(guard, host):
    own = guard()
    assert ask(own, host=host, cookie=cookie_of(own))[0] == 200


@pytest.mark.parametrize('origin', ['http://evil.example', 'null', 'http://127.0.0.1:8081', f'http://{OWN}.evil.example'])
def test_foreign_pages_may_not_ask(guard, origin):
    own = guard()
    cookie = cookie_of(own)
    assert ask(own, method='POST', cookie=cookie, origin=origin)[0] == 403
    assert not ask(own, kind='websocket', cookie=cookie, origin=origin)


def test_the_own_page_may_open_a_websocket_and_nobody_without_an_origin(guard):
    own = guard()
    cookie = cookie_of(own)
    assert ask(own, kind='websocket', cookie=cookie, origin=f'http://{OWN}')
    assert not ask(own, kind='websocket', cookie=cookie)


def test_a_link_of_another_page_leads_here_and_its_pictures_and_frames_do_not(guard):
    own = guard()
    cookie = cookie_of(own)
    for site in ('cross-site', 'same-site'):
        assert ask(own, cookie=cookie, sec_fetch_site=site, sec_fetch_mode='navigate',
                   sec_fetch_dest='document')[0] == 200
        for mode, goal in (('navigate', 'iframe'), ('no-cors', 'image'), ('cors', 'empty')):
            assert ask(own, cookie=cookie, sec_fetch_site=site, sec_fetch_mode=mode, sec_fetch_dest=goal)[0] == 403


def test_a_form_of_another_page_is_refused_though_it_navigates(guard):
    own = guard()
    assert ask(own, method='POST', cookie=cookie_of(own), origin='http://evil.example', sec_fetch_site='cross-site',
               sec_fetch_mode='navigate', sec_fetch_dest='document')[0] == 403


@pytest.mark.parametrize('length', ['1001', '-1', 'many', '99999999999999999999'])
def test_a_body_that_says_it_is_too_large_is_refused(guard, length):
    own = guard()
    assert ask(own, method='POST', cookie=cookie_of(own), content_length=length)[0] == 413


def test_a_body_that_does_not_say_its_size_is_cut(guard):
    own = guard()
    cookie = cookie_of(own)
    assert ask(own, method='POST', cookie=cookie, bodies=[b'x' * 400] * 2)[0] == 200
    assert ask(own, method='POST', cookie=cookie, bodies=[b'x' * 400] * 3)[0] == 499


def test_every_answer_forbids_what_other_hosts_hold(guard):
    own = guard()
    for _, headers, _ in (ask(own), ask(own, cookie=cookie_of(own)), ask(own, host='evil.example')):
        policy = headers[b'content-security-policy'].decode()
        assert "default-src 'self'" in policy and 'http' not in policy and '*' not in policy
        assert "frame-ancestors 'none'" in policy and headers[b'x-content-type-options'] == b'nosniff'


def test_a_page_that_is_open_is_not_forgotten_for_silent_browsers(tmp_path):
    sessions, seen = BrowserSessions(tmp_path), []

    async def fills(scope, receive, send):
        seen.extend(sessions.begin() for _ in range(2 * MOST_SESSIONS))
        seen.append(sessions.of(scope[SESSION].id))
        await application(scope, receive, send)

    own = Guard(fills, sessions, None, PORT, 1000)
    assert ask(own, kind='websocket', cookie=cookie_of(own), origin=f'http://{OWN}')
    assert seen[-1] is not None and seen[-1].folder.exists() and not seen[0].folder.exists()
    for _ in range(MOST_SESSIONS):
        sessions.begin()
    assert sessions.of(seen[-1].id) is None, 'once it is closed it goes as others do'


def test_sessions_are_few_and_the_oldest_goes_with_its_files(tmp_path):
    sessions = BrowserSessions(tmp_path)
    first, second = sessions.begin(), sessions.begin()
    first.dropped('a.plan', b'{}', ('.plan',))
    assert sessions.of(second.id) is second and sessions.of(first.id) is first
    for _ in range(MOST_SESSIONS - 1):
        sessions.begin()
    assert sessions.of(second.id) is None and sessions.of(first.id) is first
    assert not second.folder.exists() and (first.folder / 'a.plan').exists()
