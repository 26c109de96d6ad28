"""Damaged flow files of every kind end in an InputError or are read; never in a traceback, never after seconds."""

import numpy as np
import pytest
from fuzz import assert_survives
from hecras_files import RIVER

from usv_energy.flow.flow_file import read_flow
from usv_energy.flow.readers import open_flow
from usv_energy.flow.sample_files import make_samples, write_bay, write_hecras

WIND = {'kind': 'speed_direction', 'unit': 'm/s', 'direction': 'from', 'partner': 'whole_direction.asc'}
X, Y = np.array([-70.0, 0.0, 3.0, 30.0, 60.0]), np.array([-7.0, 0.0, 3.0, 12.0, 50.0])


def use(flow):
    """Do with a flow what `usv-energy flow` does: say what is in it, draw its outline, ask for velocities."""
    try:
        flow.describe()
        flow.outline()
        for t in (0.0, 450.0):
            vx, vy, inside = flow.velocity(t, X, Y)
            assert (np.isfinite(vx) == inside).all() and (np.isfinite(vy) == inside).all()
    finally:
        flow.close()


def raw(reader, **options):
    return lambda path: use(open_flow(path, options, reader))


@pytest.fixture(scope='module')
def samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp('whole')
    make_samples(folder)
    write_hecras(folder / 'small.p01.hdf', RIVER)
    write_bay(folder / 'small.nc', steps=2)
    return folder


def test_flow_files(samples, fuzz_seeds):
    files = [samples / name for name in ('bay.yaml', 'ridge.yaml', 'tower.yaml')]
    folder = samples / 'mutated'
    folder.mkdir()
    for name in ('bay.nc', 'ridge_speed.asc', 'ridge_direction.asc', 'tower_z10m.csv'):
        (folder / name).symlink_to(samples / name)
    assert_survives(lambda path: use(read_flow(path)), files, folder, fuzz_seeds)


def test_esri_ascii_rasters(samples, tmp_path, fuzz_seeds):
    (tmp_path / 'whole_direction.asc').symlink_to(samples / 'ridge_direction.asc')
    assert_survives(raw('raster', **WIND), [samples / 'ridge_speed.asc'], tmp_path, fuzz_seeds)


def test_planes_of_paraview(samples, tmp_path, fuzz_seeds):
    assert_survives(raw('openfoam'), [samples / 'tower_z10m.csv'], tmp_path, fuzz_seeds)


def test_netcdf(samples, tmp_path, fuzz_seeds):
    pytest.importorskip('xarray')
    assert_survives(raw('netcdf'), [samples / 'small.nc'], tmp_path, fuzz_seeds)


def test_hec_ras_plans(samples, tmp_path, fuzz_seeds):
    assert_survives(raw('hecras'), [samples / 'small.p01.hdf'], tmp_path, fuzz_seeds)
