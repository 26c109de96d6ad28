"""The fuzzing itself: the same seed gives the same file, and faults of a reader are found."""

import pytest
from fuzz import assert_survives, fault_of, mutated

from usv_energy.files.errors import InputError

TABLE = b'time,x,y\n' + b''.join(b'%d,%d.5,%d\n' % (n, n, 2 * n) for n in range(50))


def test_a_seed_gives_its_file_and_hardly_another_the_same():
    assert [mutated(TABLE, seed) for seed in range(50)] == [mutated(TABLE, seed) for seed in range(50)]
    assert len({mutated(TABLE, seed) for seed in range(200)} - {TABLE}) > 180
    assert mutated(b'', 1) is not None


def test_faults_of_a_reader_are_found_and_input_errors_are_none(tmp_path):
    path = tmp_path / 'table.csv'
    path.write_bytes(TABLE)
    (tmp_path / 'mutated').mkdir()

    def strict(path):
        if path.read_bytes() != TABLE:
            raise InputError('another table')

    assert_survives(strict, [path], tmp_path / 'mutated', 50)
    with pytest.raises(AssertionError, match=r'seeds.*UnicodeDecodeError'):
        assert_survives(lambda path: path.read_text(encoding='utf-8'), [path], tmp_path / 'mutated', 50)


def test_a_reader_that_does_not_end_is_stopped(tmp_path, monkeypatch):
    def endless(path):
        while True:
            pass

    monkeypatch.setattr('fuzz.LONGEST', 0.1)
    assert 'takes more than 0.1 s' in fault_of(endless, tmp_path)
