"""What every page is held to: whole HTML, nothing fetched, colours for light and dark, a browser that says nothing."""

import re
from html.parser import HTMLParser

from usv_energy.show.page.page_parts import VARIABLES

VOID = {'meta', 'link', 'br', 'img', 'input', 'hr'}
# The pairs of texts in a picture, of those that are shown, of which one covers a tenth of the other or more.
OVERLAPPING = '''
[...document.querySelectorAll("figure svg")].filter(s => s.getBoundingClientRect().width > 0).flatMap(svg => {
  const texts = [...svg.querySelectorAll("text")].map(t => [t.textContent.trim(), t.getBoundingClientRect()])
    .filter(([words, box]) => words && box.width > 0);
  return texts.flatMap(([words, a], i) => texts.slice(i + 1).filter(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 0 && high > 0 && wide * high > 0.1 * Math.min(a.width * a.height, b.width * b.height);
  }).map(([other]) => words + " / " + other)); })'''
# Texts in cells of a table, of those that are shown, that run over four lines or more with less than four letters each.
THREADS = '''
[...document.querySelectorAll("td, th")].filter(cell => cell.getBoundingClientRect().width > 0).filter(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
  return lines > 3 && cell.textContent.trim().length < 4 * lines; }).map(cell => cell.textContent.trim())'''
FETCHING = re.compile(r'(?:src|href)="(?!#|data:)|url\((?!#)|@import|<script(?! type="application/json")',
                      re.IGNORECASE)


class Tree(HTMLParser):
    """Sees that every element is closed in its turn, and gathers ids and what refers to them."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.refers, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if 'id' in given:
            self.ids.append(given['id'])
        self.refers += [value[1:] for key, value in attrs if key in ('href', 'xlink:href') and value.startswith('#')]
        self.refers += re.findall(r'url\(#([^)]*)\)', ' '.join(value or '' for _, value in attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def check_whole(page):
    """Assert that all elements are closed, every name stands once, and nothing refers to what is not there."""
    tree = Tree()
    tree.feed(page)
    assert tree.open == []
    assert len(tree.ids) == len(set(tree.ids))
    assert set(tree.refers) <= set(tree.ids)


def check_fetches_nothing(page):
    assert FETCHING.findall(page) == []
    assert "default-src 'none'" in page


def check_colours(page):
    """Assert that all colours of pictures and of the page's own elements have a light and a dark form."""
    pictures = ''.join(re.findall(r'<svg viewBox.*?</svg>', page, re.DOTALL))
    assert set(re.findall(r'#[0-9a-fA-F]{6}\b', pictures)) == set(), 'fixed colours do not go dark'
    used = set(re.findall(r'var\(--([\w-]+)\)', page)) - {'edge', 'field'}  # These two are set to others.
    style = re.search(r'<style>(.*?)</style>', page, re.DOTALL).group(1)
    dark = ''.join(re.findall(r'@media screen and \(prefers-color-scheme: dark\)(.*?)} }', style, re.DOTALL))
    light = re.sub(r'@media.*?} }', '', style, flags=re.DOTALL)
    for part in (light, dark):
        assert used <= set(re.findall(r'--([\w-]+):', part))
        assert set(VARIABLES.values()) <= set(re.findall(r'--([\w-]+):', part))


def check_in_browser(browser, path, width, scheme, pictures, media='screen'):
    """
    Assert that a page is shown without a request, a message, a scroll bar or small print, in the colours asked for.

    `pictures`: how many of them, one of each pair.
    """
    context = browser.new_context(viewport={'width': width, 'height': 800}, color_scheme=scheme)
    view = context.new_page()
    view.emulate_media(media=media, color_scheme=scheme)
    said, asked = [], []
    view.on('console', lambda message: said.append(message.text))
    view.on('pageerror', lambda error: said.append(str(error)))
    view.on('request', lambda request: asked.append(request.url))
    view.goto(path.as_uri())
    assert said == []
    assert asked == [path.as_uri()], 'the page itself and nothing else'
    assert view.evaluate('document.documentElement.scrollWidth') <= width
    shown = view.evaluate('[...document.querySelectorAll("figure svg")].map(s => s.getBoundingClientRect())'
                          '.filter(box => box.width > 0).map(box => [box.width, box.height])')
    assert len(shown) == pictures, 'one of each pair, and all of them'
    assert all(200 < w <= width and h > 150 for w, h in shown)
    smallest = view.evaluate(
        'Math.min(...[...document.querySelectorAll("figure svg text")].filter(t => t.getBoundingClientRect().width > 0)'
        '.map(t => parseFloat(getComputedStyle(t).fontSize) * t.ownerSVGElement.getBoundingClientRect().width / '
        't.ownerSVGElement.viewBox.baseVal.width))')
    assert smallest > 8.0, 'px: what is drawn can be read'
    assert view.evaluate(OVERLAPPING) == [], 'texts of a picture lie over each other'
    assert view.evaluate(THREADS) == [], 'letters of a table stand below each other'
    paper = view.evaluate('getComputedStyle(document.body).backgroundColor')
    dark = scheme == 'dark' and media == 'screen'
    assert (sum(map(int, re.findall(r'\d+', paper)[:3])) < 200) == dark
    context.close()
