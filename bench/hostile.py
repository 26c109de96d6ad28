"""
Commands on files with faults in their structure: python3 bench/hostile.py --number 1000

Numbers, names, lists, keys, cells, messages and sizes of whole files are replaced by what no person writes and no
device records (`bench/hostile_faults.py`), for each kind of file (`bench/hostile_kinds.py`). Each command must end with
a status of its own (0, 2 or 3) and, where it refuses, at most two lines, within 10 s of processor time and 1 GB; and it
must show no control character. Exit status 1 if one does not. `test/unit/fuzz.py` has the faults of single bytes.
"""

import argparse
import contextlib
import io
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test' / 'unit')]

from hostile_kinds import KINDS, Kind  # noqa: E402

from usv_energy.cli.main import main  # noqa: E402

SECONDS, MEMORY, LINES = 10, 1 << 30, 2
BLOCK = 50      # Files read by one process, whose memory then goes back.
CRASH = 99


class TakesTooLong(BaseException):
    """Raised in a command that is past its time; none of its handlers takes it."""


def _give_up(number: int, frame: object) -> None:
    raise TakesTooLong(f'takes more than {SECONDS} s')


def shown_by(arguments: list[str]) -> tuple[int, str]:
    """Return a command's exit status and what it shows; CRASH and the last places of a traceback if it has one."""
    shown = io.StringIO()
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            return main(arguments), shown.getvalue()
    except SystemExit as stop:
        return (stop.code if isinstance(stop.code, int) else 1), shown.getvalue()
    except BaseException as error:
        at = ' > '.join(f'{Path(frame.filename).name}:{frame.lineno}'
                        for frame in traceback.extract_tb(error.__traceback__)[-4:])
        return CRASH, f'{at} {type(error).__name__}: {error}'
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def fault_of(status: int, text: str) -> str:
    """Return what is wrong with a command's exit status and text; '' if nothing is."""
    if status not in (0, 2, 3) or 'not enough memory' in text:
        return f'status {status}: {text[-400:]!r}'
    if status == 2 and text.count('\n') - text.count('\n  ') > LINES:     # A file's further faults are indented.
        return f'{text.count(chr(10))} lines: {text[:100]!r}'
    return f'shows a control character: {text[:200]!r}' if '\x1b' in text or '\x9b' in text else ''


def faulty(kind: Kind, whole: Path, folder: Path, rng: random.Random) -> list[str]:
    """Write the files of a kind, one of them with faults, into a folder, and return the arguments to read it."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder, symlinks=True)
    file = rng.choice(sorted(folder.glob(kind.file)))
    kind.change(file, rng)
    command = kind.fifth if kind.fifth and rng.random() < 0.2 else kind.command
    return [word.format(file=file, folder=folder) for word in command]


def block(name: str, seeds: range, whole: Path, folder: Path) -> Iterator[tuple[int, str]]:
    """Yield seeds and their faults, by a process of its own; one that ends is a fault of the seed that it was at."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException), os.fdopen(writing, 'w', encoding='utf-8', errors='replace') as out:
            used = int(Path('/proc/self/statm').read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            warnings.simplefilter('ignore', RuntimeWarning)     # As the command does in a process of its own.
            for seed in seeds:
                out.write(f'{seed}\n')
                out.flush()
                try:
                    try:
                        arguments = faulty(KINDS[name], whole, folder, random.Random(f'{name} {seed}'))
                    except MemoryError:     # Thousands of thousands of the same: another file takes its place.
                        arguments = faulty(KINDS[name], whole, folder, random.Random(f'{name} {seed} again'))
                    fault = fault_of(*shown_by(arguments)).replace(str(folder), '')
                except Exception as error:
                    fault = f'the bench itself: {error!r}'
                out.write(f'{fault!r}\n')
                out.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding='utf-8', errors='replace') as lines:
        told = [line.rstrip('\n') for line in lines]
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for at, fault in zip(told[::2], told[1::2]):
        if fault != "''":
            yield int(at), fault
    if len(told) < 2 * len(seeds):
        last = int(told[2 * ((len(told) - 1) // 2)]) if told else seeds[0]
        alone = last == seeds[0]    # If not, what was read before may have taken the memory: it gets its own process.
        if alone:
            yield last, f'the process ended, status {status}'
        if last + alone < seeds.stop:
            yield from block(name, range(last + alone, seeds.stop), whole, folder)


def _used() -> float:
    """Return the processor time of this process and its children that have ended, s."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def bench() -> int:
    """Run the bench, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[1])
    parser.add_argument('--number', type=int, default=100, help='faulty files of each kind (%(default)s)')
    parser.add_argument('--first', type=int, default=0, help='the first seed (%(default)s)')
    parser.add_argument('--kinds', nargs='+', choices=KINDS, default=list(KINDS), metavar='KIND', help=', '.join(KINDS))
    options = parser.parse_args()
    total, used = 0, _used()
    for name in options.kinds:
        faults: dict[str, list[int]] = {}
        with tempfile.TemporaryDirectory() as temporary:
            whole, folder = Path(temporary) / 'whole', Path(temporary) / 'faulty'
            whole.mkdir()
            with contextlib.redirect_stdout(io.StringIO()):
                KINDS[name].make(whole)
            shutil.copytree(whole, folder)
            file = sorted(folder.glob(KINDS[name].file))[0]
            for command in filter(None, (KINDS[name].command, KINDS[name].fifth)):     # Which import what they need.
                status, text = shown_by([word.format(file=file, folder=folder) for word in command])
                if status not in (0, 3):
                    faults[f'the whole file: status {status}: {text[-300:]!r}'] = [-1]
            for first in range(options.first, options.first + options.number, BLOCK):
                seeds = range(first, min(first + BLOCK, options.first + options.number))
                for seed, fault in block(name, seeds, whole, folder):
                    faults.setdefault(fault[:500], []).append(seed)
            total += len(faults)
        used, before = _used(), used
        print(f'{name}: {options.number} files, {sum(map(len, faults.values()))} faults, {used - before:.0f} s of '
              'processor time', flush=True)
        for fault, at in sorted(faults.items(), key=lambda one: -len(one[1]))[:8]:
            print(f'   {len(at)} ({", ".join(map(str, at[:3]))}): {fault}', flush=True)
    return int(total > 0)


if __name__ == '__main__':
    ended = bench()
    sys.stdout.flush()
    os._exit(ended)     # A process with pyproj and ecCodes, each with a PROJ of its own, aborts while it ends.
