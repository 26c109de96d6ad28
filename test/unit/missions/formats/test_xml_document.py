from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import parsed_xml
from usv_energy.missions.formats.documents import number_of_text, text_of

PATH = Path('a.gpx')
BOMB = '<!DOCTYPE g [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><g>&b;</g>'
FROM_OUTSIDE = '<!DOCTYPE g [<!ENTITY a SYSTEM "file:///etc/passwd">]><g>&a;</g>'


@pytest.mark.parametrize('text', [BOMB, FROM_OUTSIDE, BOMB.replace('ENTITY a', 'ENTITY % a')])
@pytest.mark.parametrize('encoding', ['utf-8', 'utf-16'])
def test_entities_are_refused(text, encoding):
    with pytest.raises(InputError, match=r"a\.gpx: declares the entity 'a'; a map needs none"):
        parsed_xml(text.encode(encoding), PATH)


@pytest.mark.parametrize('content', [
    b'', b'<a><b></a>', b'<a>&unknown;</a>', b'<?xml version="1.0" encoding="no-such"?><a/>'])
def test_what_is_no_xml_is_named(content):
    with pytest.raises(InputError, match=r'a\.gpx: is wrong XML: '):
        parsed_xml(content, PATH)


def test_names_lose_their_namespaces():
    root = parsed_xml(b'<g:gpx xmlns:g="urn:x"><g:name> A &amp; B </g:name></g:gpx>', PATH)
    assert (root.tag, text_of(root, 'name'), text_of(root, 'other')) == ('gpx', 'A & B', '')


def test_elements_in_one_another_without_end_are_refused():
    assert sum(1 for _ in parsed_xml(b'<a>' * 64 + b'</a>' * 64, PATH).iter()) == 64
    with pytest.raises(InputError, match='more than 64 deep'):
        parsed_xml(b'<a>' * 50_000 + b'</a>' * 50_000, PATH)


@pytest.mark.parametrize('text', [None, '', 'x', 'nan', 'inf', '1e999'])
def test_what_is_no_number_is_named(text):
    with pytest.raises(InputError, match=r'lat is .*; must be a finite number'):
        number_of_text(text, 'lat')
