"""
Do the tests notice? Makes random single-operator changes, one at a time, and counts those that a test fails for.

python3 bench/mutations.py --count 60 --seed 1 [--only usv_energy/physics] [--map FOLDER] [--json FILE]

Each change is made in a copy of the repository, and the tests of the file's own (test/unit/<room>/test_<file>.py) are
run; where they pass, with a map all that execute the line, fastest first; where these pass, or without a map, those of
WIDER. A map is made by --make-map FOLDER, which takes twice as long as the tests. A test that catches a change is run
without it, too, once. A change that alters nothing is told by mutation_equivalents.py, with the reason. By hand. Ctrl-C
tells what was found until then.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, NamedTuple

from forked_tests import fault_of, load_libraries
from mutants import Mutant, functions_of, mutants_of, mutated
from mutation_equivalents import reason_for
from test_map import TestMap, make_map

from usv_energy.files.errors import InputError
from usv_energy.files.json_file import STDOUT, check_target, write_json

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ('physics', 'boats', 'identify', 'analysis', 'logs')
# What else looks at a room, besides each file's own tests.
WIDER = {
    'physics': ('test/unit/physics', 'test/unit/sim/test_plant.py', 'test/unit/sim/test_runner.py',
                'test/unit/planning/test_steady_motion.py', 'test/unit/engine/test_numba_engine.py'),
    'boats': ('test/unit/boats', 'test/unit/sim/test_scenario_values.py', 'test/unit/commands/test_list.py'),
    'identify': ('test/unit/identify',),
    'analysis': ('test/unit/analysis', 'test/unit/commands/test_analyze.py', 'test/unit/commands/test_compare.py'),
    'logs': ('test/unit/logs', 'test/unit/commands/test_analyze.py')}
ENOUGH = 0.95  # Share of the changes, but for the equivalent ones, that are to be caught.
TIMEOUT = 600.0  # s; tests that take longer with a change have noticed it.


class Outcome(NamedTuple):
    """What came of a change: `caught` by the tests named, or `survived`, or `equivalent` for a reason."""

    path: str
    mutant: Mutant
    before: str
    state: str
    by: str
    seconds: float

    def words(self) -> str:
        """Return it as a line."""
        change = f'{self.mutant.old!r} -> {self.mutant.new!r}' if self.mutant.new else f'without {self.mutant.old!r}'
        return f'{self.state:10s} {self.path}:{self.mutant.line}:{self.mutant.begin + 1}  {change}  | {self.before}' \
            + (f'  ({self.by})' if self.by else '')


class FailsAnywayError(Exception):
    """A test fails without any change."""


def sites(only: list[str]) -> list[tuple[str, Mutant]]:
    """Return all changes that can be made, with the paths of their files; `only`: files and folders."""
    files = [path for room in ROOMS for path in sorted((ROOT / 'usv_energy' / room).rglob('*.py'))
             if path.name != '__init__.py']
    wanted = [(ROOT / one).resolve() for one in only]
    chosen = [path for path in files if not wanted or any(path == one or one in path.parents for one in wanted)]
    if not chosen:
        raise InputError(f'--only {" ".join(only)}: no file of {", ".join(ROOMS)} is there')
    return [(str(path.relative_to(ROOT)), mutant) for path in chosen for mutant in mutants_of(path.read_text())]


def own_tests(path: str) -> list[str]:
    """Return the tests of a file's own, as test/unit/test_mirror.py finds them."""
    from test_mirror import ELSEWHERE  # type: ignore[import-not-found]
    module = Path(path).relative_to('usv_energy').with_suffix('')
    folder = ROOT / 'test' / 'unit' / module.parent
    found = sorted(str(one.relative_to(ROOT)) for one in folder.glob(f'test_{module.name}*.py'))
    return found or [f'test/{ELSEWHERE[str(module)]}']


def copy_of_repository(folder: Path) -> None:
    """Copy what git tracks, and what it would."""
    listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                            capture_output=True, check=True, text=True).stdout
    for name in filter(None, listed.split('\0')):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


class Tests:
    """The tests of a copy of the repository, and which of them are known to pass there without any change."""

    def __init__(self, folder: Path, timeout: float, without: list[str], only_own: bool,
                 test_map: TestMap | None = None) -> None:
        """Run those in a folder, up to some seconds for each change, but for some; `only_own`: without others."""
        self._folder, self._timeout, self._without, self._only_own = folder, timeout, without, only_own
        self._map = test_map
        self._passing: set[str] = set()

    def tried(self, path: str, mutant: Mutant) -> Outcome:
        """
        Return what comes of a change.

        :raises FailsAnywayError: Where the test that fails with it does so without.
        """
        source, begin = (ROOT / path).read_text(), time.perf_counter()
        line = source.splitlines()[mutant.line - 1]
        before = line.strip()
        if reason := reason_for(path, line, functions_of(source).get(mutant.line, ''), mutant):
            return Outcome(path, mutant, before, 'equivalent', reason, 0.0)
        groups = [own_tests(path), *([] if self._only_own else self._wider(path, mutant, source))]
        self._write(path, mutated(source, mutant))
        try:
            by = next(filter(None, map(self._fault_of, filter(None, groups))), '')
        finally:
            self._write(path, source)
        self._check_without_change(by, [test for group in groups for test in group])
        return Outcome(path, mutant, before, 'caught' if by else 'survived', by, time.perf_counter() - begin)

    def _wider(self, path: str, mutant: Mutant, source: str) -> list[list[str]]:
        """Return what else looks at a change: by a map the tests that execute the line, fastest first; then WIDER."""
        own = own_tests(path)
        room = [test for test in WIDER[Path(path).parts[1]] if test not in own]
        if self._map is None:
            return [room]
        mapped = [test for test in self._map.tests_of(path, mutant.line, source) if test.partition('::')[0] not in own]
        return [mapped, room]

    def _write(self, path: str, source: str) -> None:
        """Write a module without what python compiled of it, which it tells apart by seconds and size only."""
        (self._folder / path).write_text(source)
        Path(cache_from_source(str(self._folder / path))).unlink(missing_ok=True)

    def _fault_of(self, tests: list[str]) -> str:
        return fault_of(self._folder, tests, self._timeout, self._without, ROOT)

    def _check_without_change(self, by: str, every: list[str]) -> None:
        test = by.partition(' ')[2] if by.startswith(('FAILED', 'ERROR')) else ''
        if not by or by in self._passing:
            return
        fault = self._fault_of([test] if test else every)
        if fault:
            raise FailsAnywayError(fault)
        self._passing.add(by)


def summary_of(found: list[Outcome], seed: int, every: int) -> dict[str, Any]:
    """Return the figures, ready for JSON."""
    number = {state: sum(one.state == state for one in found) for state in ('caught', 'survived', 'equivalent')}
    return {'seed': seed, 'places': every, 'tried': len(found), **number,
            'changes': [{'file': one.path, **one.mutant._asdict(), 'source': one.before, 'state': one.state,
                         'by': one.by, 'seconds': round(one.seconds, 1)} for one in found]}


def main() -> int:
    """Make changes and print what came of them; status 1 where too few are caught, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--count', type=int, default=60, metavar='N', help='changes (%(default)s)')
    parser.add_argument('--seed', type=int, help='of the choice (default: another each time; it is told)')
    parser.add_argument('--only', nargs='+', default=[], metavar='PATH', help='files or folders of usv_energy')
    parser.add_argument('--line', type=int, help='only changes of this line, all of them')
    parser.add_argument('--timeout', type=float, default=TIMEOUT, metavar='S', help='of the tests of a change')
    parser.add_argument('--own', action='store_true', help="only the tests of a file's own")
    parser.add_argument('--map', type=Path, metavar='FOLDER', help='which tests execute a line: asked before WIDER')
    parser.add_argument('--make-map', type=Path, metavar='FOLDER', help='write that, an hour, and end')
    parser.add_argument('--without', nargs='+', default=[], metavar='TEST',
                        help='tests to leave out, as pytest names them: those that fail without any change')
    parser.add_argument('--json', metavar='FILE', help='write the figures to FILE, - for stdout')
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT / 'test' / 'unit'))
    try:
        check_target(args.json)
        places = sites(args.only)
        if args.make_map:
            make_map(ROOT, args.make_map, sorted({path for path, _ in places}))
            return 0
        test_map = TestMap(args.map) if args.map else None
    except InputError as error:
        print(f'mutations: error: {error}', file=sys.stderr)
        return 2
    seed = random.SystemRandom().randrange(10 ** 6) if args.seed is None else args.seed
    chosen = [one for one in places if one[1].line == args.line] if args.line else \
        random.Random(seed).sample(places, min(args.count, len(places)))
    print(f'seed {seed}: {len(chosen)} of {len(places)} changes', file=sys.stderr)
    found: list[Outcome] = []
    interrupted = False
    with tempfile.TemporaryDirectory(prefix='usv_energy_mutations_') as name:
        folder = Path(name)
        try:
            copy_of_repository(folder)
            load_libraries()
            tests = Tests(folder, args.timeout, args.without, args.own, test_map)
            for place, (path, mutant) in enumerate(chosen, 1):
                found.append(tests.tried(path, mutant))
                print(f'{place}/{len(chosen)} {found[-1].words()}', file=sys.stderr, flush=True)
        except FailsAnywayError as error:
            print(f'mutations: error: without any change: {error}', file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            interrupted = True
    return _told(summary_of(found, seed, len(places)), found, args.json, interrupted)


def _told(summary: dict[str, Any], found: list[Outcome], target: str | None, interrupted: bool) -> int:
    out = sys.stderr if target == STDOUT else sys.stdout
    for one in found:
        if one.state != 'caught':
            print(one.words(), file=out)
    counted = summary['caught'] + summary['survived']
    print(f'{summary["caught"]} of {counted} caught, {summary["equivalent"]} change nothing (seed {summary["seed"]})'
          + (', interrupted' if interrupted else ''), file=out)
    if target:
        write_json(summary, target)
    return 130 if interrupted else int(summary['caught'] < ENOUGH * counted)


if __name__ == '__main__':
    sys.exit(main())
