"""A folder served by `usv-energy serve` in a process of its own, for tests with a browser."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager

ADDRESS = re.compile(r'http://\S+')


@contextmanager
def served_folder(home):
    """
    Serve a new folder in an empty one, and return it and the address of its pages.

    The home and the temporary folder of the process are its own, too.
    """
    folder = home / 'folder'
    folder.mkdir()
    (home / 'temporary').mkdir()
    environment = {**os.environ, 'HOME': str(home), 'TMPDIR': str(home / 'temporary')}
    process = subprocess.Popen([sys.executable, '-P', '-m', 'usv_energy.cli.main', 'serve', '--port', '0',
                                '--no-browser', '--folder', str(folder)], cwd=home, env=environment, text=True,
                               stderr=subprocess.PIPE)
    try:
        yield folder, ADDRESS.search(process.stderr.readline())[0]
    finally:
        process.terminate()
        process.communicate(timeout=300)
