from contextlib import contextmanager
from importlib.util import find_spec

import numpy as np
import pytest
from needs import MINUTES_WITHOUT_NUMBA
from twin_boats import LUTRA, wrong_start
from twin_log import twin_log

from usv_energy.cli.main import main
from usv_energy.flow.sample_files import make_samples
from usv_energy.show.figure import picture
from usv_energy.studies.identify.rollout.identification import identify
from usv_energy.studies.identify.rollout.identification_result import FitSettings


@pytest.fixture
def cli(capsys):
    """Return a function that runs the command in this process and returns its exit status, stdout and stderr."""
    def run(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = stop.code
        return status, *capsys.readouterr()
    return run


@pytest.fixture
def yaml_file(tmp_path):
    """Return a function that writes a YAML file and returns its path."""
    def write(text, name='mine.yaml'):
        path = tmp_path / name
        path.write_text(f'{text}\n')
        return path
    return write


@pytest.fixture(scope='session')
def samples(tmp_path_factory):
    """Return the folder of the sample files of `usv-energy flow make`."""
    folder = tmp_path_factory.mktemp('samples')
    make_samples(folder)
    return folder


@pytest.fixture(scope='session')
def identified():
    """Return an identification of the Lutra Prop from three noisy logs in currents, one more to validate."""
    if find_spec('numba') is None:
        pytest.skip(MINUTES_WITHOUT_NUMBA)
    rng = np.random.default_rng(20210917)
    logs = [twin_log(LUTRA, rng, f'log {k}', 70.0, current=(0.1, -0.05)) for k in range(4)]
    settings = FitSettings(form='linear', leave_one_out=True)
    return identify(logs[:3], wrong_start(LUTRA), logs[3:], settings)


@pytest.fixture
def kept_figures(monkeypatch):
    """Return a function from a module of pictures to the list of figures that it draws from then on."""
    def keep(module):
        figures = []

        @contextmanager
        def kept(*arguments):
            with picture(*arguments) as figure:
                figures.append(figure)
                yield figure

        monkeypatch.setattr(module, 'picture', kept)
        return figures

    return keep
