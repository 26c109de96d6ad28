"""The command line as a process, and what a refusal looks like."""

import os
import subprocess
import sys

from places import ROOT

ENVIRONMENT = {**os.environ, 'PYTHONPATH': os.pathsep.join([str(ROOT), os.environ.get('PYTHONPATH', '')])}
COMMAND = [sys.executable, '-m', 'usv_energy.cli']
DEADLINE = 60.0


def assert_refused(result, *words):
    """Check that a run ended before it began, with one line that holds all the words."""
    status, out, err = result
    assert (status, out) == (2, '')
    assert err.startswith('usv-energy: error: ')
    assert err.count('\n') == 1
    for word in words:
        assert str(word) in err


def process(*arguments, **options):
    return subprocess.Popen([*COMMAND, *map(str, arguments)], env=ENVIRONMENT, text=True, **options)
