"""Changes that alter nothing, as bench/mutations.py knows them: each is of a place that is there."""

import sys

import pytest
from places import ROOT

SOURCE = '''
def outer(x):
    y = x + 1.0

    def inner(z):
        return z - y

    return inner(x) * 2.0
'''


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / 'bench'))
    names = 'equivalent_places', 'equivalent_places_of_logs', 'mutants', 'mutation_equivalents'
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    import mutation_equivalents
    yield mutation_equivalents
    for name in names:
        sys.modules.pop(name, None)


def test_every_entry_tells_of_a_change_that_can_be_made(bench):
    """One whose line was rewritten hides nothing any more, and would hide what comes to look like it."""
    assert sorted(bench.stale_entries(ROOT)) == []


def test_an_entry_whose_line_is_gone_is_stale(bench, monkeypatch, tmp_path):
    (tmp_path / 'x.py').write_text(SOURCE)
    there, gone = ('x.py', 'y = x + 1.0', '+', '-'), ('x.py', 'y = x + 2.0', '+', '-')
    at, lost = ('x.py', 'inner', 'z <<->> y', '+'), ('y.py', 'inner', 'z <<->> y', '+')
    monkeypatch.setattr(bench, 'EQUIVALENT', dict.fromkeys((there, gone), 'a reason'))
    monkeypatch.setattr(bench, 'EQUIVALENT_AT', dict.fromkeys((at, lost), 'a reason'))
    monkeypatch.setattr(bench, 'files', set)
    assert bench.stale_entries(tmp_path) == {gone, lost}


def test_a_line_is_of_the_innermost_function_around_it(bench):
    assert bench.functions_of(SOURCE) == {2: 'outer', 3: 'outer', 4: 'outer', 5: 'inner', 6: 'inner', 7: 'outer',
                                          8: 'outer'}


def test_a_reason_is_that_of_the_change_s_own_place(bench, monkeypatch):
    """By the whole line and what it becomes, or by a function and a piece; another change of the line has none."""
    path = 'usv_energy/x.py'
    line = '    y = x + 1.0'
    swap, sign = bench.mutants_of(SOURCE)[:2]
    assert (swap.old, swap.new, sign.old, sign.new) == ('+', '-', '1.0', '(-1.0)')
    monkeypatch.setitem(bench.EQUIVALENT, (path, 'y = x + 1.0', '+', '-'), 'by line')
    monkeypatch.setitem(bench.EQUIVALENT_AT, (path, 'outer', 'x + <<1.0>>', '(-1.0)'), 'by place')
    assert bench.reason_for(path, line, 'outer', swap) == 'by line'
    assert bench.reason_for(path, line, 'outer', sign) == 'by place'
    assert bench.reason_for(path, line, 'inner', sign) == bench.reason_for('other.py', line, 'outer', swap) == ''
