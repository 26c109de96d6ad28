"""A small HEC-RAS plan, written once, and a copy of it to damage."""

import shutil

import pytest
from hecras_files import RIVER

from usv_energy.flow.sample_files import write_hecras


@pytest.fixture(scope='session')
def plan(tmp_path_factory):
    path = tmp_path_factory.mktemp('hecras') / 'river.p01.hdf'
    write_hecras(path, RIVER)
    return path


@pytest.fixture
def copy(plan, tmp_path):
    return shutil.copy(plan, tmp_path / 'copy.p01.hdf')
