"""The site of docs/conf.py: made without a warning, every link of it leads somewhere, and it is searched offline."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import quote, unquote

import pytest
from doc_files import PAGES
from places import ROOT

NEEDS = ('sphinx', 'myst_parser', 'furo')
LOOKED_AT = ('docs/README.html', 'docs/ros.html', 'README.html')


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    """Return the folder of the site, made as `./run docs` makes it."""
    folder = tmp_path_factory.mktemp('site')
    made = subprocess.run([sys.executable, '-P', '-m', 'sphinx', '-q', '-W', '--keep-going', '-b', 'html',
                           '-d', str(folder / '.doctrees'), '-c', 'docs', '.', str(folder)],
                          capture_output=True, text=True, cwd=ROOT)
    assert made.returncode == 0, made.stderr
    assert made.stderr == ''
    return folder


class Links(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.targets, self.anchors = [], set()
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == 'id':
                self.anchors.add(value)
            if (name == 'src' or name == 'href') and value:
                self.targets.append(value)


def test_every_page_is_in_the_site_and_every_link_of_it_leads_somewhere(site):
    pages = {path: Links(path) for path in site.rglob('*.html')}
    assert {site / name.replace('.md', '.html') for name in PAGES} <= set(pages)
    wrong = []
    for path, page in pages.items():
        for target in page.targets:
            if re.match(r'(https?|mailto|data):', target):
                continue
            name, _, anchor = target.partition('#')
            there = (path.parent / unquote(name.partition('?')[0])).resolve() if name else path
            if not there.exists() or (anchor and there in pages and unquote(anchor) not in pages[there].anchors):
                wrong.append(f'{path.relative_to(site)}: {target}')
    assert wrong == []


def test_every_page_has_a_description_and_an_icon(site):
    pages = [path.read_text(encoding='utf-8') for path in site.rglob('*.html') if path.name != 'index.html']
    assert len(pages) >= len(PAGES)
    assert all('<meta name="description" content="Power' in page and '<link rel="icon" href="data:' in page
               for page in pages)


def test_nothing_of_the_site_is_loaded_from_elsewhere(site):
    loaded = re.compile(r'<(?:script|img|link rel="(?:stylesheet|icon)")[^>]*(?:src|href)="(?:https?:)?//[^"]*"')
    assert [(path.name, found) for path in site.rglob('*.html')
            if (found := loaded.findall(path.read_text(encoding='utf-8')))] == []


@pytest.mark.parametrize(('words', 'page'), [('milliampere', 'identify.html'), ('hotel load', 'boats.html')])
def test_the_site_is_searched_offline(site, browser, words, page):
    tab = browser.new_page()
    tab.goto(f'{site.as_uri()}/search.html?q={quote(words)}')
    tab.wait_for_selector('#search-results ul.search a', timeout=10_000)
    tab.wait_for_function("document.querySelector('.search-summary')?.textContent.includes('finished')", timeout=10_000)
    found = tab.eval_on_selector_all('#search-results ul.search a', 'links => links.map(one => one.href)')
    tab.close()
    assert any(page in link for link in found), found


@pytest.mark.parametrize('page', LOOKED_AT)
@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_the_site_is_of_use_to_those_who_cannot_see_it_well(site, browser, page, scheme):
    Axe = pytest.importorskip('axe_playwright_python.sync_playwright').Axe
    tab = browser.new_page(color_scheme=scheme)
    tab.goto(f'{site.as_uri()}/{page}')
    found = Axe().run(tab).response['violations']
    tab.close()
    assert [(one['id'], [node['html'] for node in one['nodes']][:3]) for one in found
            if one['impact'] in ('serious', 'critical')] == []
