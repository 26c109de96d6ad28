"""A run of the tests that loses some of them fails, and one that lacks a library says so test by test."""

import ast
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from places import ROOT

# What launch_testing's plugin does with each module while collecting.
IMPORTING_PLUGIN = """
import pathlib
from _pytest.pathlib import import_path
def pytest_pycollect_makemodule(module_path, parent):
    import inspect
    more = {'consider_namespace_packages': False} if 'consider_namespace_packages' in inspect.signature(
        import_path).parameters else {}
    import_path(module_path, root=pathlib.Path.cwd(), **more)
"""
CLASS = 'class TestMore:\n    def test_c(self): pass\n'


@pytest.fixture
def run(tmp_path):
    """Return a function that runs pytest on modules of tests, and returns its exit code and outcomes by name."""
    (tmp_path / 'test').mkdir()
    for name in ('conftest.py', 'whole_modules.py'):
        shutil.copy(ROOT / 'test' / name, tmp_path / 'test')
    (tmp_path / 'importing.py').write_text(IMPORTING_PLUGIN)

    def run(*arguments, **modules):
        for name, text in modules.items():
            (tmp_path / 'test' / f'{name}.py').write_text(text)
        done = subprocess.run([sys.executable, '-m', 'pytest', '-p', 'importing', '--junit-xml=out.xml', *arguments],
                              cwd=tmp_path, capture_output=True, text=True, timeout=600)
        cases = ElementTree.parse(tmp_path / 'out.xml').iter('testcase')
        return done.returncode, {case.get('name'): next((child.get('message') for child in case), 'passed')
                                 for case in cases}
    return run


def test_a_run_that_loses_tests_fails_and_names_them(run):
    code, outcomes = run('test', test_a='def test_a(): pass\n',
                         test_b=f"import pytest\npytest.importorskip('no_such')\ndef test_b(): pass\n{CLASS}")
    assert code == 1, 'a failure, which colcon test-result counts'
    assert 'test/test_b.py: 2 of 2 tests, test_b first' in outcomes['every_test_of_the_files_was_collected']


def test_a_module_that_needs_what_is_absent_is_skipped_test_by_test(run):
    code, outcomes = run('test', test_a='def test_a(): pass\n',
                         test_b=f"import no_such\nNEEDS = ('no_such',)\ndef test_b(): pass\n{CLASS}")
    assert code == 0
    assert outcomes == {'test_a': 'passed', 'test_b': 'needs the library no_such',
                        'test_c': 'needs the library no_such', 'every_test_of_the_files_was_collected': 'passed'}


def test_what_is_ignored_is_not_missed_and_all_else_is(run):
    code, outcomes = run('test', '--ignore', 'test/test_b.py', test_a='def test_a(): pass\n',
                         test_b='def test_b(): pass\n')
    assert code == 0 and outcomes == {'test_a': 'passed', 'every_test_of_the_files_was_collected': 'passed'}
    code, outcomes = run('test', '--ignore', 'test/test_b.py', test_a='def test_a(): pass\n',
                         test_c="import pytest\npytest.importorskip('no_such')\ndef test_c(): pass\n")
    assert code and 'test/test_c.py: 1 of 1 tests' in outcomes['every_test_of_the_files_was_collected']


@pytest.mark.parametrize('arguments', [('test/test_a.py',), ('test', '-k', 'one'), ('test/test_a.py::test_one',)])
def test_a_run_of_some_tests_is_left_alone(run, arguments):
    code, outcomes = run(*arguments, test_b='def test_b(): pass\n',
                         test_a='def test_one(): pass\ndef test_two(): pass\n')
    assert code == 0 and 'every_test_of_the_files_was_collected' not in outcomes and outcomes['test_one'] == 'passed'


def test_no_module_of_tests_is_skipped_while_it_is_imported():
    """launch_testing's plugin would take that for a reason to collect nothing at all."""
    sources = [(path, path.read_bytes()) for path in (ROOT / 'test').rglob('test_*.py')]
    calls = [(path, node.lineno) for path, source in sources if b'skip' in source
             for statement in ast.parse(source).body
             if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)) for node in ast.walk(statement)
             if isinstance(node, ast.Call) and getattr(node.func, 'attr', '') in ('skip', 'importorskip')
             and getattr(getattr(node.func, 'value', None), 'id', '') == 'pytest']
    assert calls == []
