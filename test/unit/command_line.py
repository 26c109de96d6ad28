"""The command line as a process, and what a refusal looks like."""

import os
import signal
import subprocess
import sys

from places import ROOT

ENVIRONMENT = {**os.environ, 'PYTHONPATH': os.pathsep.join([str(ROOT), os.environ.get('PYTHONPATH', '')])}
COMMAND = [sys.executable, '-m', 'usv_energy.cli.main']
DEADLINE = 600.0  # s of wall time; waited for only where a test fails.


def assert_refused(result, *words):
    """Check that a run ended before it began, with one line, and indented ones of further faults of a file."""
    status, out, err = result
    assert (status, out) == (2, '')
    assert err.startswith('usv-energy: error: ')
    assert err.count('\n') - err.count('\n  ') == 1
    for word in words:
        assert str(word) in err


class CommandProcess(subprocess.Popen):
    """A process that does not outlive its `with`, and that SIGINT reaches even where the tests ignore it (nohup)."""

    def __init__(self, *arguments, **options):
        super().__init__([*COMMAND, *map(str, arguments)], env=ENVIRONMENT, text=True,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **options)

    def __exit__(self, *error):
        self.kill()
        return super().__exit__(*error)


process = CommandProcess
