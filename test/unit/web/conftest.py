import os
import re
import subprocess
import sys

import pytest

UNTOUCHED = 'wrong event specified: touchleave'     # Leaflet.draw says so in Firefox.
TOKEN = re.compile(r'http://\S+')


@pytest.fixture(scope='module')
def served(tmp_path_factory):
    """
    Serve a folder by `usv-energy serve`, and return the folder and the address of its pages.

    The home and the temporary folder of the process are its own, too.
    """
    if sys.modules.get('nicegui') is None and not _is_there('nicegui'):
        pytest.skip("needs nicegui (pip install 'usv_energy[web]')")
    home = tmp_path_factory.mktemp('home')
    folder = home / 'folder'
    folder.mkdir()
    (home / 'temporary').mkdir()
    environment = {**os.environ, 'HOME': str(home), 'TMPDIR': str(home / 'temporary')}
    process = subprocess.Popen([sys.executable, '-P', '-m', 'usv_energy.cli.main', 'serve', '--port', '0',
                                '--no-browser', '--folder', str(folder)], cwd=home, env=environment, text=True,
                               stderr=subprocess.PIPE)
    try:
        yield folder, TOKEN.search(process.stderr.readline())[0]
    finally:
        process.terminate()
        process.communicate(timeout=20)


def _is_there(module):
    from importlib.util import find_spec
    return find_spec(module) is not None


@pytest.fixture
def page(browser, served):
    """Return a page of Chromium at the address that is served; it must ask nobody else and report no error."""
    _, address = served
    context = browser.new_context(viewport={'width': 1400, 'height': 900}, accept_downloads=True)
    view = context.new_page()
    said, foreign = [], []
    view.on('console', lambda message: said.append(message.text) if (
        message.type in ('error', 'warning') and message.text != UNTOUCHED) else None)
    view.on('pageerror', lambda error: said.append(str(error)))
    view.on('request', lambda request: foreign.append(request.url)
            if not request.url.startswith((address, address.replace('http', 'ws'), 'data:', 'blob:')) else None)
    view.goto(address)
    view.wait_for_selector('main')
    yield view
    context.close()
    assert said == []
    assert foreign == []
