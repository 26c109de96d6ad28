"""
Which tests execute a line, and how long each takes: a change of the line needs no others.

A folder holds the map: the sources as they were, and for each room of tests coverage's and pytest's own files.
"""

import difflib
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from coverage import CoverageData

from usv_energy.files.errors import InputError

# The rooms whose tests are mapped. Those on a graph, of Gazebo and of processes are too slow to be asked.
ROOMS_OF_TESTS = ('physics', 'boats', 'logs', 'analysis', 'identify', 'commands', 'planning', 'sim', 'show', 'routes',
                  'ros', 'engine', 'flow', 'bench', 'gazebo')


def make_map(root: Path, folder: Path, sources: list[str]) -> None:
    """
    Run the tests of a repository, and write which test executes what of some files.

    :param root: The repository.
    :param folder: Is made, for the map.
    :param sources: Paths of the files in the repository.
    """
    for path in sources:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / path, folder / path)
    settings = folder.resolve() / 'settings'
    settings.write_text('[run]\ninclude =\n' + ''.join(f'    */{path}\n' for path in sources))
    for room in ROOMS_OF_TESTS:
        print(f'which tests of test/unit/{room} execute what ...', file=sys.stderr, flush=True)
        subprocess.run([sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--cov', '--cov-report=',
                        f'--cov-config={settings}', '--cov-context=test',
                        f'--junitxml={settings.with_name(f"times.{room}.xml")}', f'test/unit/{room}'],
                       env={**os.environ, 'COVERAGE_FILE': str(settings.with_name(f'coverage.{room}'))}, cwd=root,
                       check=False, stdout=subprocess.DEVNULL)


class TestMap:
    """Which tests execute which lines of the files that were mapped."""

    __test__ = False

    def __init__(self, folder: Path) -> None:
        """
        Read a map.

        :raises InputError: Where the folder holds none.
        """
        self._folder = folder
        self._data = []
        for path in sorted(folder.glob('coverage.*')):
            self._data.append(CoverageData(str(path)))
            self._data[-1].read()
        if not self._data:
            raise InputError(f'--map {folder}: holds no map of tests')
        self._seconds = {test: took for path in folder.glob('times.*.xml') for test, took in _times(path)}
        self._lines = cache(self._lines_of)

    def seconds(self, test: str) -> float:
        """Return how long a test took, s; 1 s where nobody knows."""
        return self._seconds.get(test, 1.0)

    def tests_of(self, path: str, line: int, source: str) -> list[str]:
        """
        Return the tests that execute a line, fastest first.

        :param path: The file.
        :param line: Of the file as it is now, from 1. Of one of no function, or a new one, it is the tests of any line.
        :param source: The file as it is now.
        """
        then, lines = self._folder / path, self._lines(path)
        at = _line_then(then.read_text(), source, line) if then.is_file() else None
        found = lines.get(at, set()) if at is not None else set()
        return sorted(found or set().union(*lines.values()), key=self.seconds)

    def _lines_of(self, path: str) -> dict[int, set[str]]:
        lines: dict[int, set[str]] = defaultdict(set)
        for data in self._data:
            for file in data.measured_files():
                if file.endswith(f'/{path}'):
                    for line, contexts in data.contexts_by_lineno(file).items():
                        lines[line] |= {one.partition('|')[0] for one in contexts if one}
        return lines


def _line_then(then: str, now: str, line: int) -> int | None:
    """Return which line of a file of then a line of now is, None for a new one."""
    blocks = difflib.SequenceMatcher(None, then.splitlines(), now.splitlines(), autojunk=False).get_matching_blocks()
    return next((block.a + line - block.b for block in blocks if block.b < line <= block.b + block.size), None)


def _times(path: Path) -> Iterator[tuple[str, float]]:
    """Yield the tests of a report of pytest's, and how long each took, s."""
    for case in xml.etree.ElementTree.parse(path).iter('testcase'):
        module = case.get('classname', '').replace('.', '/')
        yield f'{module}.py::{case.get("name")}', float(case.get('time', 0.0))
