"""A sweep on a cluster: the same file, whatever dies."""

import os
import signal

import pytest
from sweep_files import content

from usv_energy.engine.sweep.run_sweep import SweepOptions, run_sweep
from usv_energy.files.errors import InputError

NEEDS = ('xarray', 'netCDF4')


def test_dask_gives_the_same_file_and_a_killed_worker_costs_its_chunk_only(sweep, files):
    distributed = pytest.importorskip('distributed')
    run_sweep(sweep, files / 'whole.nc', SweepOptions(backend='python', chunk=2))
    seen, killed = [], []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=':0',
                                  silence_logs='CRITICAL') as cluster:
        def kill_one(runs, number):
            seen.append(runs)
            if runs == 4:
                worker = next(iter(cluster.workers.values()))
                killed.append(worker.pid)
                os.kill(worker.pid, signal.SIGKILL)

        run_sweep(sweep, files / 'dask.nc', SweepOptions(backend='python', chunk=2, dask=cluster.scheduler_address),
                  progress=kill_one)
    assert len(killed) == 1
    assert seen == [*range(0, 21, 2), 21], 'every chunk was taken in once'
    assert content(files / 'dask.nc') == content(files / 'whole.nc')


@pytest.mark.parametrize(('where', 'words'), [('remote', 'must be local, local:N, or the address'),
                                              ('tcp://127.0.0.1:9', 'no scheduler answers there')])
def test_a_cluster_that_is_none_is_refused(sweep, files, where, words, monkeypatch):
    pytest.importorskip('distributed')
    monkeypatch.setattr('usv_energy.engine.sweep.run_sweep.TIMEOUT', 1)
    with pytest.raises(InputError, match=words):
        run_sweep(sweep, files / 'out.nc', SweepOptions(backend='numpy', dask=where))
