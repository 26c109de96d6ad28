"""Texts of logs, boats and files stand in pages as they are: none of them becomes markup."""

from html.parser import HTMLParser

from usv_energy.show.page.page_parts import Tile
from usv_energy.web.html_parts import list_html, markup, table_html, tiles_html

NEEDS = ('nicegui',)
EVIL = '<img src=x onerror=alert(1)>"\'&\x1b[2J'


class Read(HTMLParser):
    """Collects tags, attributes and texts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.values = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.values += [value for _, value in attrs]

    def handle_data(self, data):
        self.texts.append(data)


def test_no_text_is_markup():
    for made in (table_html(EVIL, (EVIL, ''), [(EVIL, EVIL)], keys=[EVIL]), list_html([EVIL]),
                 tiles_html([Tile(EVIL, EVIL, 20)])):
        read = Read(made)
        assert 'img' not in read.tags
        assert any('<img src=x' in text for text in read.texts)
        assert '\x1b' not in made
    assert markup('\x1b[2J') == '\\x1b[2J'


def test_a_table_names_its_rows_and_columns():
    made = table_html('Energy', ('cause', 'J'), [('damping', '1.0'), ('total', '2.0')], keys=['damping'])
    read = Read(made)
    assert read.tags.count('th') == 4 and read.tags.count('td') == 2 and 'caption' in read.tags
    assert read.values.count('row') == 2 and read.values.count('col') == 2
    assert 'background: var(--c-damping)' in read.values
