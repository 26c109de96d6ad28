"""
Commands that are killed while they write: python3 bench/killed.py --number 20

Each command runs to its end, here first, so that its libraries are read, and then as often as `--number` says in a
process and a folder of its own, where it is killed (SIGKILL) at a random moment. What lies there then must be whole:
each file is as the finished command leaves it, or absent; no process of its own may live on; and where something lies
there, the same command, given again, must write all. Exit status 1 if not.
"""

import argparse
import contextlib
import io
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test' / 'unit')]

from hostile_kinds import BOAT, BOLLARD, CELLS, COLUMNS, FACTS, TABLE  # noqa: E402
from hostile_recordings import helper, write_telemetry  # noqa: E402

from usv_energy.cli.main import main  # noqa: E402

MAKE = ['mission', 'make', 'lawnmower', '--at', '45', '9', '--size', '60', '40', '--spacing', '10', '--speed', '0.7']
FROM_TO = ['--from', '0', '0', '--to', '60', '40', '--current', '0.2,45']
COMMANDS: dict[str, list[str]] = {
    'mission make': [*MAKE, '--out', 'a.plan'],
    'mission convert': ['mission', 'convert', '../survey.plan', 'a.gpx'],
    'mission page': ['mission', '../survey.plan', *BOAT, '--out', 'a.html'],
    'mission json': ['mission', '../survey.plan', *BOAT, '--json', 'a.json'],
    'run': ['run', '3', '--out', 'results'],
    'run json': ['run', '3', '--json', 'a.json'],
    'maneuver': ['maneuver', 'a', *BOAT, '--out', 'results'],
    'boat check': ['boat', 'check', 'lutra_prop', '--out', 'check'],
    'boat make': ['boat', 'make', '../facts.yaml', '--out', 'a.yaml'],
    'acoustics': ['acoustics', 'thetis', '--out', 'a.png'],
    'range': ['range', *BOAT, '--no-band', '--out', 'a.png'],
    'map': ['map', 'energy', *BOAT, '--courses', '12', '--speeds', '0.5,0.8,1.1', '--out', 'a.nc'],
    'route': ['route', *BOAT, *FROM_TO, '--out', 'a.plan', 'a.geojson', 'a.html', '--origin', '45', '9'],
    'flow make': ['flow', 'make', 'samples'],
    'flow plot': ['flow', 'plot', 'river', '--out', 'a.png'],
    'analyze': ['analyze', '../a.csv', '--columns', '../a.yaml', *BOAT, '--out', 'report', '--samples'],
    'columns': ['analyze', '../b.csv', '--write-columns', 'a.yaml'],
    'compare': ['compare', '../b.csv', '../b.csv', '--out', 'a.png'],
    'battery': ['identify', 'battery', '../cells.csv', '--out', 'a.yaml'],
    'bollard': ['identify', 'bollard', '../bollard.csv', '--out', 'a.yaml', '--out', 'a.png'],
    'steady': ['identify', 'steady', '--out', 'results'],
    'closure': ['closure', '--json', 'a.json'],
    'map front': ['map', 'front', *BOAT, '--from', '0', '0', '--to', '60', '40', '--out', 'a.png'],
    'report bug': ['report-bug', '--out', 'a.txt', 'run', '3'],
    'overlay': ['overlay', '../b.csv', '../b.csv', '--no-align', '--simulated', '../b.csv', '--out', 'a.png'],
    'gazebo model': ['gazebo', 'model', *BOAT, '--out', 'models'],
    'gazebo world': ['gazebo', 'world', '--out', 'a.sdf'],
    'team': ['team', 'box', '--out', 'a.png'],
    'sweep': ['sweep', '../sweep.yaml', '--out', 'a.nc', '--backend', 'numpy', '--chunk', '4'],
    'live': ['live', '../a.tlog', *BOAT, '--json', 'a.jsonl', '--settings', 's.json'],
}
GROWS = {'.jsonl', '.bin'}      # Files of a live boat, which are written line by line.
DATED = re.compile(rb'\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?|[0-9a-f-]{36}|, after \d+\.\d s\.')


def prepare(folder: Path) -> None:
    """Write what the commands read."""
    import yaml
    sweep_files = helper('sweep_files')
    (folder / 'a.csv').write_text(TABLE)
    (folder / 'a.yaml').write_text(yaml.safe_dump(COLUMNS))
    (folder / 'cells.csv').write_text(CELLS)
    (folder / 'bollard.csv').write_text(BOLLARD)
    (folder / 'facts.yaml').write_text(FACTS)
    (folder / 'short.yaml').write_text(yaml.safe_dump(sweep_files.SHORT))
    (folder / 'sweep.yaml').write_text(yaml.safe_dump(sweep_files.CONTENT))
    helper('east_files').FILES['plotter.csv'](folder / 'b.csv')
    write_telemetry(folder)
    run([*MAKE, '--out', 'survey.plan'], folder)


def run(arguments: list[str], folder: Path, after: float | None = None) -> tuple[int, float]:
    """
    Run a command in a folder, and return its exit status, negative for a signal, and its time, s.

    :param after: When it is killed, s; None: not at all.
    """
    folder.mkdir(exist_ok=True)
    begin = time.monotonic()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            os.setsid()
            os.chdir(folder)
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            os._exit(status_of(arguments))
        os._exit(99)
    if after is not None:
        ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while time.monotonic() < begin + after and os.waitid(os.P_PID, child, ended) is None:
            time.sleep(0.001)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    took = time.monotonic() - begin
    end = time.monotonic() + 10.0
    while (left := _session(child)) and time.monotonic() < end:
        time.sleep(0.02)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return (status if not left else 98), took


def status_of(arguments: list[str]) -> int:
    """Return the exit status of a command that runs in this process."""
    try:
        return main(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1


def _session(leader: int) -> list[int]:
    """Return the processes of a session that are alive."""
    shown = subprocess.run(['ps', '-o', 'pid=,stat=', '-s', str(leader)], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in shown.splitlines() if 'Z' not in line.split()[1]]


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder, without those that are hidden: parts of what is being written."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob('*')) if path.is_file()
            and not any(part.startswith('.') or part.endswith('.parts') for part in path.relative_to(folder).parts)}


def broken(name: str, content: bytes, whole: bytes) -> bool:
    """Return whether a file differs from the whole one in more than dates, a few bytes of which compress otherwise."""
    if content == whole or DATED.sub(b'', content) == DATED.sub(b'', whole):
        return False
    if Path(name).suffix in GROWS:
        return False
    return Path(name).suffix not in ('.nc', '.png') or abs(len(content) - len(whole)) > 0.02 * len(whole)


def bench() -> int:
    """Run the bench, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[1])
    parser.add_argument('--number', type=int, default=20, help='kills of each command (%(default)s)')
    parser.add_argument('--commands', nargs='+', choices=COMMANDS, default=list(COMMANDS), metavar='COMMAND',
                        help=', '.join(COMMANDS))
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        prepare(work)
        for name in options.commands:
            rng, faults, shown = random.Random(name), [], io.StringIO()
            (work / 'warm').mkdir()
            with contextlib.chdir(work / 'warm'), contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
                status_of(COMMANDS[name])
            shutil.rmtree(work / 'warm')
            status, took = run(COMMANDS[name], work / 'whole')
            whole = files_of(work / 'whole')
            if status not in (0, 3) or not whole:
                faults.append(f'the whole command: status {status}, {len(whole)} files')
            kills = leftovers = tries = 0
            while kills < options.number and tries < 5 * options.number:
                tries, after = tries + 1, rng.uniform(0.0, took)
                status, seconds = run(COMMANDS[name], work / 'killed', after)
                kills += status == -signal.SIGKILL
                if status in (0, 3):
                    took = min(took, seconds)   # What came first was slower, on a machine with other work.
                if status == 98:
                    faults.append(f'killed after {after:.3f} s of {took:.3f} s: a process lives on')
                there = files_of(work / 'killed')
                leftovers += any(part.startswith('.') for path in (work / 'killed').rglob('*')
                                 for part in path.relative_to(work / 'killed').parts)
                faults += [f'killed after {after:.3f} s of {took:.3f} s: {file} has {len(there[file])} bytes of '
                           f'{len(whole.get(file, b""))}' for file in there
                           if file not in whole or broken(file, there[file], whole[file])]
                if any((work / 'killed').iterdir()):
                    status, _ = run(COMMANDS[name], work / 'killed')
                    again = files_of(work / 'killed')
                    if status not in (0, 3) or set(again) != set(whole) or any(
                            broken(file, again[file], whole[file]) for file in whole):
                        faults.append(f'killed after {after:.3f} s of {took:.3f} s: the next run ends with status '
                                      f'{status}')
                shutil.rmtree(work / 'killed')
            shutil.rmtree(work / 'whole')
            failed += len(faults)
            print(f'{name}: {kills} kills in {took:.2f} s, {len(whole)} files, hidden parts left {leftovers} times, '
                  f'{len(faults)} faults', flush=True)
            for fault in dict.fromkeys(faults):
                print(f'   {fault}', flush=True)
    return int(failed > 0)


if __name__ == '__main__':
    sys.exit(bench())
