"""
Test modules as they stand in their files: what they need to be imported, and whether all of their tests were collected.

A module whose tests all need a library or ROS says so at its head, `NEEDS = ('xarray', 'netCDF4')`, and imports it
plainly. Where it is absent the module is not imported, and each of its tests is skipped by name. `pytest.importorskip`
at the head of a module will not do: the pytest plugin of launch_testing, which every ROS has, imports modules itself
while collecting, and the exception then ends the collection of everything.
"""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# What all tests of a folder need. The folder of the messages' sources is no package that was built.
FOLDERS = {'node': ('rclpy', 'usv_energy_msgs'), 'launch': ('rclpy', 'usv_energy_msgs')}
REASONS = {
    'rclpy': 'needs ROS 2 (rclpy); ./run test has it',
    'usv_energy_msgs': 'needs the built interfaces (usv_energy_msgs); ./run test builds them',
    'launch_ros': 'needs launch_ros (a full ROS 2)',
}


def needed(tree, path):
    """Return the names of the packages that a module of tests says it needs, with those of its folder."""
    own = [ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign)
           and isinstance(node.targets[0], ast.Name) and node.targets[0].id == 'NEEDS']
    return *FOLDERS.get(path.parent.name, ()), *(own[0] if own else ())


def is_there(package):
    """Return whether a package can be imported; the repository's folder of messages, which are not built, cannot."""
    spec = find_spec(package)
    places = spec.submodule_search_locations or () if spec is not None else ()
    return spec is not None and (spec.origin is not None or not any(Path(place).parent == ROOT for place in places))


def test_names(tree):
    """Return (class or '', function) of each test in a module's syntax tree."""
    found, bodies = [], [('', tree.body)]
    while bodies:
        owner, body = bodies.pop()
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith('test'):
                found.append((owner, node.name))
            elif isinstance(node, ast.ClassDef) and node.name.startswith('Test'):
                bodies.append((node.name, node.body))
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                bodies += [(owner, getattr(node, part)) for part in ('body', 'orelse', 'finalbody')
                           if hasattr(node, part)]
    return found


def skipped_module(path, parent):
    """Return a collector of skipped tests for a module that needs what is not there, or None."""
    source = path.read_bytes()
    if b'NEEDS = ' not in source and path.parent.name not in FOLDERS:
        return None
    tree = ast.parse(source)
    absent = next((package for package in needed(tree, path) if not is_there(package)), None)
    if absent is None:
        return None
    reason = REASONS.get(absent, f'needs the library {absent}')
    return SkippedModule.from_parent(parent, path=path, names=test_names(tree), reason=reason)


class SkippedModule(pytest.Module):
    """A module of tests that cannot be imported here."""

    def __init__(self, names, reason, **kwargs):
        super().__init__(**kwargs)
        self._names, self._reason = names, reason

    def _getobj(self):
        return None

    def collect(self):
        return [SkippedTest.from_parent(self, name='::'.join(filter(None, name)), reason=self._reason)
                for name in self._names]


class SkippedTest(pytest.Item):
    """A test of such a module."""

    def __init__(self, reason, **kwargs):
        super().__init__(**kwargs)
        self.add_marker(pytest.mark.skip(reason=reason))

    def reportinfo(self):
        return self.path, 0, self.name

    def runtest(self):
        raise AssertionError(f'{self.nodeid} ran, but is to be skipped')


def looks_at_whole_folders(config):
    """Return whether all tests of some folders were asked for, rather than some tests or files."""
    option = config.option
    chosen = ('keyword', 'markexpr', 'deselect', 'ignore_glob', 'lf', 'stepwise')
    return not any(getattr(option, name, None) for name in chosen) and all(
        (config.invocation_params.dir / argument).is_dir() for argument in config.args)


class EveryTest(pytest.Item):
    """A test that fails where files of the folders that were asked for hold tests that were not collected."""

    @classmethod
    def of(cls, session):
        name = 'every_test_of_the_files_was_collected'
        return cls.from_parent(session, name=name, nodeid=f'test/whole_modules.py::{name}')

    def reportinfo(self):
        return Path(__file__), 0, self.name

    def runtest(self):
        collected = {(item.path, item.nodeid.partition('::')[2].partition('[')[0])
                     for item in self.session.items if item is not self}
        folders, ignored = ([(self.config.invocation_params.dir / name).resolve() for name in names]
                            for names in (self.config.args, self.config.option.ignore or ()))
        files = sorted({file for folder in folders for file in folder.rglob('test_*.py')
                        if file.is_relative_to(ROOT / 'test') and not any(map(file.is_relative_to, ignored))})
        lines = []
        for file in files:
            source = file.read_bytes()
            if b'class Test' not in source and all(
                    (file, name.decode()) in collected for name in re.findall(rb'def (test\w*)', source)):
                continue    # Nothing is lost; parsing all files takes seconds.
            names = test_names(ast.parse(source))
            lost = [name for name in names if (file, '::'.join(filter(None, name))) not in collected]
            if lost:
                lines.append(f'{file.relative_to(ROOT)}: {len(lost)} of {len(names)} tests, {lost[0][-1]} first')
        if lines:
            pytest.fail('these tests stand in files, but were not collected:\n' + '\n'.join(lines), pytrace=False)
