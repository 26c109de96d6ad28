import pytest
from analyze_files import RUN

from usv_energy.show.run_folder import write_run


@pytest.fixture(scope='session')
def folder(tmp_path_factory):
    """Return the folder of a run, as `usv-energy run` writes it."""
    path = tmp_path_factory.mktemp('run')
    write_run(RUN, path, False, 'usv-energy')
    return path
