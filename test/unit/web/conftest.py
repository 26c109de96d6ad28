from importlib.util import find_spec

import pytest
from served_folder import served_folder

PATIENCE = 120_000      # ms of any wait: an answer takes seconds of a processor, and many wait for that at times.
UNTOUCHED = 'wrong event specified: touchleave'     # Leaflet.draw says so in Firefox.


@pytest.fixture(scope='module')
def served(tmp_path_factory):
    """Serve a folder, and return it and the address of its pages."""
    if find_spec('nicegui') is None:
        pytest.skip("needs nicegui (pip install 'usv_energy[web]')")
    with served_folder(tmp_path_factory.mktemp('home')) as found:
        yield found


@pytest.fixture
def page(browser, served):
    """Return a page of Chromium at the address that is served; it must ask nobody else and report no error."""
    _, address = served
    context = browser.new_context(viewport={'width': 1400, 'height': 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
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
