"""The commands where what only POSIX or Linux has is missing, as on Windows and macOS: nothing needs it to start."""

import json
import os
import subprocess
import sys

import pytest
from places import ROOT

# What Windows lacks, and of the calls what macOS lacks; `select` and `signal` are there on both.
MODULES = ('fcntl', 'resource', 'pwd', 'grp', 'termios', 'tty', 'pty', 'curses', 'readline', 'syslog')
CALLS = (('os', 'sched_getaffinity'), ('os', 'fork'), ('os', 'forkpty'), ('os', 'getuid'), ('os', 'geteuid'),
         ('os', 'killpg'), ('os', 'getpgid'), ('os', 'setsid'), ('os', 'nice'), ('os', 'mkfifo'), ('os', 'statvfs'),
         ('signal', 'pthread_sigmask'), ('signal', 'setitimer'), ('signal', 'SIGALRM'), ('signal', 'SIGHUP'),
         ('signal', 'SIGPIPE'), ('signal', 'SIGUSR1'), ('time', 'CLOCK_BOOTTIME'))
# The libraries that come with Python and ours, imported first: what they need themselves is their own matter.
OTHERS = ('subprocess', 'multiprocessing', 'concurrent.futures.process', 'tempfile', 'numpy', 'scipy', 'h5py', 'yaml',
          'pyproj', 'jsonschema', 'jinja2', 'matplotlib.backends.backend_agg', 'logging.handlers', 'shutil', 'asyncio')
BEGIN = f"""\
import importlib, os, signal, sys, time
for name in {OTHERS}:
    importlib.import_module(name)
import multiprocessing
multiprocessing.get_all_start_methods = lambda: ['spawn']
for name in {MODULES}:
    sys.modules[name] = None
for module, name in {CALLS}:
    if hasattr(sys.modules[module], name):
        delattr(sys.modules[module], name)
"""
MODULES_OF_OURS = """
import pkgutil, json
import usv_energy
failed = {}
for found in pkgutil.walk_packages(usv_energy.__path__, 'usv_energy.'):
    if found.name.startswith(('usv_energy.ros', 'usv_energy.nodes')):
        continue
    try:
        importlib.import_module(found.name)
    except ImportError as error:
        failed[found.name] = error.name or str(error)
print(json.dumps(failed))
"""
COMMANDS = """
from usv_energy.cli.main import main
import contextlib, io
for line in sys.stdin.read().splitlines():
    with contextlib.redirect_stdout(io.StringIO()) as told:
        try:
            status = main(line.split())
        except SystemExit as end:
            status = end.code
    print(status, len(told.getvalue()), line)
"""
LINES = ['--help', 'range --boat blueboat --out range.png', 'run 3 --out out', 'analyze out/3_rep103 --out report',
         'mission make lawnmower --size 60 30 --spacing 15 --at 45.6 9.5 --speed 1.2 --out survey.plan',
         'mission survey.plan --boat blueboat --out survey.html', 'boat check lutra_prop', 'report-bug list',
         'live --help', 'serve --help']


def output(code, given, folder):
    done = subprocess.run([sys.executable, '-c', code], input=given, capture_output=True, text=True, cwd=folder,
                          env={**os.environ, 'PYTHONPATH': str(ROOT), 'MPLBACKEND': 'Agg'})
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_every_module_is_imported_without_them(tmp_path):
    """But for optional libraries that are not installed, and what is of ROS."""
    told, _ = output(BEGIN + MODULES_OF_OURS, '', tmp_path)
    failed = json.loads(told.splitlines()[-1])
    assert {name: lacks for name, lacks in failed.items() if lacks.partition('.')[0] in MODULES} == {}
    optional = {'gymnasium', 'nicegui', 'fastapi', 'starlette', 'dask', 'distributed', 'numba'}
    assert {lacks.partition('.')[0] for lacks in failed.values()} <= optional


def test_commands_run_without_them(tmp_path):
    told, errors = output(BEGIN + COMMANDS, '\n'.join(LINES), tmp_path)
    rows = [row.split(' ', 2) for row in told.splitlines()]
    assert [row for row in rows if row[0] not in ('0', '3')] == [], errors
    assert {row[2] for row in rows if int(row[1]) > 100} >= {line for line in LINES if 'make' not in line}
    assert 'Traceback' not in errors
    for name in ('range.png', 'report/report.html', 'survey.html'):
        assert (tmp_path / name).stat().st_size > 10_000


def test_a_sweep_locks_its_folder_as_windows_does(tmp_path, monkeypatch):
    """By msvcrt.locking, which raises OSError where another process has it."""
    from types import SimpleNamespace

    from usv_energy.engine.sweep import run_sweep
    from usv_energy.files.errors import InputError
    held = []

    def locking(number, mode, length):
        assert (mode, length) == (2, 1)
        if held:
            raise OSError(36, 'Resource deadlock avoided')
        held.append(number)
    monkeypatch.setattr(sys, 'platform', 'win32')
    monkeypatch.setitem(sys.modules, 'msvcrt', SimpleNamespace(locking=locking, LK_NBLCK=2))
    with run_sweep._locked(tmp_path):
        assert len(held) == 1
        with pytest.raises(InputError, match='another run is at work'), run_sweep._locked(tmp_path):
            pass
