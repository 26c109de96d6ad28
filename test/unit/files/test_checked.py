import os

import pytest

from usv_energy.files.checked import check, read_with_base
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import parsed_yaml, read_yaml


@pytest.fixture
def write(tmp_path):
    def write_file(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path
    return write_file


def message_of(function, *arguments):
    with pytest.raises(InputError) as caught:
        function(*arguments)
    return str(caught.value)


def test_a_mapping_is_read(write):
    assert read_yaml(write('a.yaml', 'a: {b: [1, 2.5, x]}')) == {'a': {'b': [1, 2.5, 'x']}}


def test_a_file_read_again_is_parsed_once_and_each_reader_has_a_document_of_its_own(write, monkeypatch):
    path = write('a.yaml', 'a: {b: [1, 2]}  # Of this test alone.\n')
    first = read_yaml(path)
    first['a']['b'].append(3)
    monkeypatch.delattr('yaml.load')
    assert read_yaml(path) == {'a': {'b': [1, 2]}}
    assert parsed_yaml(path.read_text(), path.with_name('b.yaml')) == {'a': {'b': [1, 2]}}


def test_a_file_that_changed_is_read_anew_though_its_size_and_time_are_the_same(write):
    path = write('a.yaml', 'a: 1\n')
    before = path.stat()
    assert read_yaml(path) == {'a': 1}
    write('a.yaml', 'a: 2\n')
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert read_yaml(path) == {'a': 2}


def test_a_fault_is_told_each_time_with_the_file_that_has_it(write):
    for name in ('a.yaml', 'b.yaml', 'a.yaml'):
        path = write(name, 'a: 1\na: 2\n')
        assert message_of(read_yaml, path) == f"{path}: line 2 is wrong YAML: the key 'a' is given twice"


@pytest.mark.parametrize('text', ['- ' * 5000, '[' * 5000], ids=['list', 'flow'])
def test_lists_in_lists_too_deep_are_refused(write, text):
    assert 'is wrong YAML' in message_of(read_yaml, write('deep.yaml', text))


@pytest.mark.parametrize('text', ['', '- 1\n- 2\n', 'word'])
def test_what_is_no_mapping_is_refused(write, text):
    path = write('a.yaml', text)
    assert message_of(read_yaml, path) == f'{path}: holds no mapping of keys to values'


def test_what_is_no_yaml_is_refused_with_its_line(write):
    path = write('a.yaml', 'a: 1\nb: [1, 2\nc: 3\n')
    message = message_of(read_yaml, path)
    assert message.startswith(f'{path}: line 3 is wrong YAML: ')


def test_what_is_no_text_is_refused_in_one_line(write):
    path = write('a.yaml', '\x05\x06')
    message = message_of(read_yaml, path)
    assert message.startswith(f'{path}: the text has the control character U+0005')
    assert '\n' not in message


def test_what_cannot_be_read_is_refused(tmp_path):
    (tmp_path / 'bytes.yaml').write_bytes(b'\xff\xfe\x00')
    assert 'bytes.yaml: holds no mapping' in message_of(read_yaml, tmp_path / 'bytes.yaml')
    for path in (tmp_path / 'missing.yaml', tmp_path):
        assert message_of(read_yaml, path).startswith(f'{path}: cannot be read: ')


def test_a_file_lies_over_its_base(write):
    """Mappings are merged key by key; quantities and lists are replaced as a whole."""
    write('below.yaml', 'a: {b: 1, c: 2}\nq: {value: 1, unit: m, source: here}\nlist: [1, 2, 3]\nkept: x\n')
    path = write('above.yaml', 'base: below\na: {c: 3, d: 4}\nq: {value: 2, unit: m}\nlist: [9]\nbare: {value: 1}\n')
    assert read_with_base('boats', path) == {
        'a': {'b': 1, 'c': 3, 'd': 4}, 'q': {'value': 2, 'unit': 'm'}, 'list': [9], 'kept': 'x', 'bare': {'value': 1}}


def test_a_bare_number_replaces_a_quantity_and_the_other_way_round(write):
    write('below.yaml', 'a: {value: 1, unit: m}\nb: 1\nc: {d: 1}\n')
    path = write('above.yaml', 'base: below\na: 5\nb: {value: 6, unit: m}\nc: {value: 7}\n')
    assert read_with_base('boats', path) == {'a': 5, 'b': {'value': 6, 'unit': 'm'}, 'c': {'value': 7}}


def test_null_takes_a_key_away_whether_the_base_has_it_or_not(write):
    write('below.yaml', 'a: {b: 1, c: 2}\nq: {value: 1, unit: m}\n')
    path = write('above.yaml', 'base: below\na: {b: null}\nq: null\nlosses: {efficiency: null, map: [1]}\nz: null\n')
    assert read_with_base('boats', path) == {'a': {'c': 2}, 'losses': {'map': [1]}}


def test_bases_of_bases_and_paths(write):
    write('sub/first.yaml', 'a: 1\nb: 1\nc: 1\n')
    write('sub/second.yaml', 'base: first\nb: 2\nc: 2\n')
    assert read_with_base('boats', write('third.yaml', 'base: sub/second.yaml\nc: 3\n')) == {'a': 1, 'b': 2, 'c': 3}


def test_a_shipped_file_may_be_a_base_and_so_may_a_shared_part(write):
    assert read_with_base('boats', write('a.yaml', 'base: lutra_prop\n'))['name'] == 'lutra_prop'
    assert read_with_base('scenarios', write('b.yaml', 'base: _thesis\n'))['boat'] == 'lutra_prop'


@pytest.mark.parametrize('files', [
    {'a.yaml': 'base: a.yaml'},
    {'a.yaml': 'base: b', 'b.yaml': 'base: c', 'c.yaml': 'base: a'},
    {'a.yaml': 'base: sub/b.yaml', 'sub/b.yaml': 'base: ../a.yaml'}], ids=['itself', 'three', 'two folders'])
def test_a_circle_of_bases_is_refused(write, files):
    paths = [write(name, text) for name, text in files.items()]
    assert 'the files name each other in a circle' in message_of(read_with_base, 'boats', paths[0])


def test_a_file_named_as_its_base_stands_on_the_shipped_one(write):
    assert read_with_base('boats', write('lutra_prop.yaml', 'base: lutra_prop\n'))['name'] == 'lutra_prop'


def test_a_key_given_twice_is_refused(write):
    path = write('twice.yaml', 'a: 1\nb:\n  c: 1\n  c: 2\n')
    assert message_of(read_yaml, path) == f"{path}: line 4 is wrong YAML: the key 'c' is given twice"


def test_a_number_that_yaml_takes_for_a_text_gets_a_hint(write):
    document = read_with_base('scenarios', write('a.yaml', 'base: "1"\nstop: {timeout: 1e3}\n'))
    assert "as 1.0e+9); must be a number" in message_of(check, document, 'scenario', 'a.yaml')


def test_a_missing_base_is_refused_by_name(write):
    path = write('a.yaml', 'base: lutra_porp')
    message = message_of(read_with_base, 'boats', path)
    assert message.startswith(f"{path}: base is 'lutra_porp': no boat named 'lutra_porp'")
    assert "Did you mean 'lutra_prop'?" in message
    path = write('b.yaml', 'base: nowhere/c.yaml')
    assert message_of(read_with_base, 'boats', path) == (
        f"{path}: base is 'nowhere/c.yaml': nowhere/c.yaml: there is no such file")


def test_a_file_with_the_keys_of_another_kind_is_called_what_it_is():
    boat = {'base': 'lutra_prop', 'name': 'mine', 'static_load': {'value': 6.0, 'unit': 'W'}}
    with pytest.raises(InputError, match=r"mine.yaml: unknown key .*\. It looks like a boat file$"):
        check(boat, 'scenario', 'mine.yaml')
    with pytest.raises(InputError, match=r"unknown key 'base'") as refused:
        check({**boat, 'bsae': 'lutra_prop'}, 'scenario', 'mine.yaml')
    assert 'It looks like' not in str(refused.value)
