"""The short sweep of `sweep_files`, as files and read."""

import pytest
import yaml
from sweep_files import CONTENT, SHORT

from usv_energy.engine.sweep.sweep_file import read_sweep


@pytest.fixture
def files(tmp_path):
    """Return a folder with a sweep of 21 runs."""
    (tmp_path / 'short.yaml').write_text(yaml.safe_dump(SHORT))
    (tmp_path / 'sweep.yaml').write_text(yaml.safe_dump(CONTENT))
    return tmp_path


@pytest.fixture
def sweep(files):
    """Return the sweep, read."""
    return read_sweep(str(files / 'sweep.yaml'))
