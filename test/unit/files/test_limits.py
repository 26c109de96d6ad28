"""Limits of what is read: bombs, circles, depths, digits, magnitudes, and texts made safe to show."""

import time

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.limits import (
    DEPTH,
    PART_BYTES,
    UNPACKED_BYTES,
    Unpacked,
    check_bytes,
    check_magnitude,
    safe_cell,
    safe_name,
    safe_text,
)
from usv_energy.files.parsed_text import parsed_json, parsed_xml, parsed_yaml

LAUGHS = 'l0: &l0 [1,1,1,1,1,1,1,1,1,1]\n' + ''.join(
    f'l{n}: &l{n} [{", ".join([f"*l{n - 1}"] * 10)}]\n' for n in range(1, 9))
MERGES = 'l0: &l0 {a: 1}\n' + ''.join(
    f'l{n}: &l{n} {{<<: [{", ".join([f"*l{n - 1}"] * 10)}]}}\n' for n in range(1, 9))
LONG = f'a: &a {"x" * 1_000_000}\nb: [{", ".join(["*a"] * 20)}]\n'
CHAIN = 'l0: &l0 [1]\n' + ''.join(f'l{n}: &l{n} [*l{n - 1}]\n' for n in range(1, 2 * DEPTH))


@pytest.mark.parametrize('text, words', [
    (LAUGHS, 'more than 250000 entries'), (MERGES, 'more than 250000 entries'),
    (LONG, 'line 2: with its aliases it has more than 250000 entries'), (CHAIN, 'more than 64 deep'),
    ('a: &a [*a]', r'line 1: \*a stands within what it names'), ('a: &a {b: {c: *a}}', 'stands within what it names'),
    ('a: ' + '[' * 3000, 'more than 64 deep'), ('a: ' + '9' * 400, 'more than 18 digits'),
    ('a: ' + '1:' * 200 + '1.5', 'a number is too large'), ('a: -0x' + 'f' * 40, 'more than 18 digits'),
    ('a: ' + '9' * 100_000, 'more than 18 digits'),
    ('a: "\\uD800"', 'wrong YAML'), ('a: "\\e[31mred"', r'line 1 has the control character U\+001B'),
    ('a: "\\u202Ebackwards"', r'U\+202E'), ('? [1]\n: 2', 'wrong YAML'), ('a: *b', 'wrong YAML')])
def test_what_no_person_writes_is_refused_in_one_line_and_at_once(text, words, tmp_path):
    begin = time.process_time()
    with pytest.raises(InputError, match=words) as caught:
        parsed_yaml(text, tmp_path / 'a.yaml')
    assert str(caught.value).startswith(f'{tmp_path / "a.yaml"}:') and '\n' not in str(caught.value)
    assert time.process_time() - begin < 5.0


def test_aliases_of_usual_size_are_read(tmp_path):
    text = 'a: &a {x: 1, y: 2}\nb: [*a, *a]\nd: -123456789012345678\n'
    assert parsed_yaml(text, tmp_path) == {
        'a': {'x': 1, 'y': 2}, 'b': [{'x': 1, 'y': 2}] * 2, 'd': -123456789012345678}


def test_sixty_thousand_keys_are_read_in_the_time_of_their_number(tmp_path):
    """It took 11 s when each key was compared with all before; the limit allows for a slow machine."""
    begin = time.process_time()
    assert len(parsed_yaml(''.join(f'k{n}: 1\n' for n in range(60_000)), tmp_path)) == 60_000
    assert time.process_time() - begin < 8.0


@pytest.mark.parametrize('text, words', [
    ('[' * 70 + ']' * 70, 'more than 64 deep'), ('[' * 5000, 'wrong JSON'), ('{"a": ' + '1' * 400 + '}', '18 digits'),
    ('{"name": "\\ud800"}', r'half a character U\+D800'), ('{"a": 1, "b": 2, "a": 3}', "'a' is given twice"),
    ('[' + '0,' * 8_000_001 + '0]', 'more than 8000000 entries')])
def test_json_beyond_the_limits_is_refused(text, words, tmp_path):
    with pytest.raises(InputError, match=words):
        parsed_json(text, tmp_path / 'a.json')


def test_a_character_written_as_two_halves_is_one():
    assert parsed_json('{"a": "\\ud83d\\udea4"}', 'a.json') == {'a': '\U0001f6a4'}


@pytest.mark.parametrize('content, words', [
    (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'entity'),
    (b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'entity'),
    (b'<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/x.dtd">%b;]><a/>', 'entity'),
    (b'<a>' + b'<b/>' * 1_000_001 + b'</a>', 'more than 1000000 elements'), (b'<a>' * 100, 'more than 64 deep'),
    (b'<a ' + b' '.join(b'b%d=""' % k for k in range(1001)) + b'/>', 'more than 1000 attributes'),
    (b'<a>\x1b[31m</a>', 'wrong XML')])
def test_xml_beyond_the_limits_is_refused(content, words, tmp_path):
    with pytest.raises(InputError, match=words):
        parsed_xml(content, tmp_path / 'a.gpx')


def test_a_device_without_end_is_read_to_the_limit_only():
    from pathlib import Path

    from usv_energy.files.parsed_text import read_yaml
    with pytest.raises(InputError, match=r'/dev/zero'):
        read_yaml(Path('/dev/zero'))


def test_a_file_too_large_is_refused_by_its_size(tmp_path):
    path = tmp_path / 'a'
    with path.open('wb') as file:
        file.truncate(2_000_000)
    check_bytes(path, 2_000_000, 'a test')
    with pytest.raises(InputError, match=r'has 2 MB; a test may have 1 MB at most'):
        check_bytes(path, 1_000_000, 'a test')


@pytest.mark.parametrize('value', [1e308, -1e16, 1e-320, 10 ** 400, float('nan'), float('-inf')])
def test_a_magnitude_that_no_quantity_has_is_refused(value):
    with pytest.raises(InputError, match=r'^f: a is '):
        check_magnitude(value, 'f: a')


@pytest.mark.parametrize('value', [0, 0.0, -0.0, 1e-12, 1e15, -3])
def test_a_magnitude_of_a_quantity_passes(value):
    check_magnitude(value, 'f: a')


def test_one_large_part_and_many_small_ones_are_a_bomb(tmp_path):
    with pytest.raises(InputError, match='a part of it has 67 MB'):
        Unpacked(tmp_path).check(PART_BYTES, PART_BYTES + 1)
    many = Unpacked(tmp_path)
    for _ in range(UNPACKED_BYTES // PART_BYTES):
        many.check(1000, PART_BYTES)
    with pytest.raises(InputError, match='more than 100 times its size'):
        many.check(1000, PART_BYTES)
    long = Unpacked(tmp_path)
    for _ in range(1000):       # 64 GB of a recording that compresses to a tenth.
        long.check(PART_BYTES // 10, PART_BYTES)


@pytest.mark.parametrize('text, safe', [
    ('\x1b[31mRED\x1b]0;title\x07', '\\x1b[31mRED\\x1b]0;title\\x07'), ('\x9b2J', '\\x9b2J'), ('\ud800', '\\ud800'),
    ('a\u202eb', 'a\\u202eb'), ('Gr\u00f6\u00dfe \U0001f6a4', 'Gr\u00f6\u00dfe \U0001f6a4'), ('a\tb\n', 'a\tb\n'),
    ('a\rb\r\n', 'a\\rb\r\n'), ('a\u200eb\u200f\u061c\u2028', 'a\\u200eb\\u200f\\u061c\\u2028')])
def test_nothing_is_left_that_a_terminal_obeys(text, safe):
    assert safe_text(text) == safe
    safe_text(text).encode()


def test_a_name_is_one_short_line():
    assert safe_name('a\nb\r\n\tc ') == 'a b c'
    assert len(safe_name('x' * 100_000)) == 200


@pytest.mark.parametrize('text', ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1+1', '\r\n=1'])
def test_no_cell_begins_as_a_formula(text):
    assert safe_cell(text).startswith("'")


def test_other_cells_stay():
    assert safe_cell('leg 1 = home') == 'leg 1 = home' and safe_cell('') == '' and safe_cell('\r=1') == '\\r=1'
