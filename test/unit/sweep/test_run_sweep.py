"""Running a sweep: its file, in any chunks, after kill -9, on Dask; what is data and what is an error."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import yaml

from usv_energy.engine.outcomes import LEFT_FLOW, REACHED, TIMED_OUT
from usv_energy.files.errors import InputError
from usv_energy.sim.runner import run_scenario
from usv_energy.sweep import run_sweep as sweeps
from usv_energy.sweep.chunks import FinishedChunks, opened_chunks
from usv_energy.sweep.results_file import boxes, open_results
from usv_energy.sweep.run_sweep import SweepOptions, chunks_folder, run_sweep
from usv_energy.sweep.sweep_file import read_sweep

xarray = pytest.importorskip('xarray')
pytest.importorskip('netCDF4')

SHORT = {'base': '6', 'waypoints': [{'x': 244.5, 'y': 95.0}]}      # 2 m to go: about 2 s
CONTENT = {'scenario': 'short.yaml', 'grid': {'speed.target': [0.8, 1.0, 1.2]}, 'monte_carlo': {
    'samples': 7, 'seed': 3, 'parameters': {
        'boat.damping.linear.d11': {'distribution': 'normal', 'mean': 16.0, 'std': 1.0, 'min': 10.0},
        'wind.speed': {'distribution': 'uniform', 'min': 0.0, 'max': 3.0}}}}
NUMPY = SweepOptions(backend='numpy')


@pytest.fixture
def files(tmp_path):
    """Return a folder with a sweep of 21 runs."""
    (tmp_path / 'short.yaml').write_text(yaml.safe_dump(SHORT))
    (tmp_path / 'sweep.yaml').write_text(yaml.safe_dump(CONTENT))
    return tmp_path


@pytest.fixture
def sweep(files):
    return read_sweep(str(files / 'sweep.yaml'))


def content(path):
    """Return all of a file but its date, as bytes: arrays, their attributes, the file's own."""
    with open_results(path) as dataset:
        arrays = {name: (array.dims, array.dtype.str, array.values.tobytes(), sorted(
            (key, str(value)) for key, value in array.attrs.items())) for name, array in dataset.variables.items()}
        return arrays, {key: value for key, value in dataset.attrs.items() if key not in ('date_created', 'history')}


def test_boxes_cover_a_range_once_and_in_order(rng):
    for _ in range(300):
        shape = tuple(rng.integers(1, 5, rng.integers(1, 5)))
        number = int(np.prod(shape))
        first, last = sorted(rng.integers(0, number + 1, 2))
        if first == last:
            continue
        index = np.arange(number).reshape(shape)
        found = list(boxes(int(first), int(last), shape))
        np.testing.assert_array_equal(np.concatenate([index[box].ravel() for box in found]), np.arange(first, last))
        assert len(found) <= 2 * len(shape) - 1


def test_every_run_is_the_scenario_s_own(sweep, files):
    out = files / 'out.nc'
    assert run_sweep(sweep, out, NUMPY) is True
    with open_results(out) as dataset:
        assert dataset['energy_total'].dims == ('speed_target', 'sample')
        for index in (0, 8, 20):
            run = run_scenario(sweep.cases(0, 21).scenario_of(index))
            at = np.unravel_index(index, (3, 7))
            assert float(dataset['energy_total'].values[at]) == pytest.approx(run.energy.total, rel=1e-9)
            assert float(dataset['duration'].values[at]) == pytest.approx(run.duration, rel=1e-9)
            causes = sum(float(dataset[f'energy_{cause}'].values[at]) for cause in (
                'thrust', 'unrecovered', 'losses', 'static_load'))
            assert causes == pytest.approx(run.energy.total, rel=1e-9)
        assert (dataset['outcome'] == REACHED).all()
        assert dataset['outcome'].attrs['flag_meanings'] == 'reached timed_out left_flow ran_away'
        assert {array.attrs['units'] for array in dataset.variables.values()} >= {'J', 's', 'm', 'm/s', 'N s/m', '1'}
        assert yaml.safe_load(dataset.attrs['sweep_yaml']) == CONTENT
        assert 'd11' in dataset.attrs['boat_yaml'] and dataset.attrs['seed'] == '3'
    assert not chunks_folder(out).exists()


@pytest.mark.parametrize('suffix', ['.nc', '.zarr'])
def test_the_file_does_not_depend_on_the_chunks(sweep, files, suffix):
    if suffix == '.zarr':
        pytest.importorskip('zarr')
    run_sweep(sweep, files / 'whole.nc', NUMPY)
    run_sweep(sweep, files / f'parts{suffix}', SweepOptions(backend='numpy', chunk=4))
    with open_results(files / 'whole.nc') as whole, open_results(files / f'parts{suffix}') as parts:
        for name in whole.variables:
            np.testing.assert_array_equal(whole[name].values, parts[name].values, err_msg=name)
        assert parts['outcome'].dtype == np.int8 and parts['outcome'].attrs['flag_meanings'].startswith('reached')
    if suffix == '.nc':
        assert content(files / 'whole.nc') == content(files / 'parts.nc')


def test_kill_9_costs_the_unfinished_chunk_only(sweep, files, monkeypatch):
    """A process is killed after its first chunks; the next computes the rest, and the file is an unbroken run's."""
    out = files / 'broken.nc'
    command = [sys.executable, '-P', '-u', '-m', 'usv_energy.cli', 'sweep', str(files / 'sweep.yaml'),
               '--out', str(out), '--chunk', '1', '--backend', 'python']
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith('1 of 21 runs'):
                break
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL and not out.exists()
    missing = FinishedChunks(chunks_folder(out), 21, 1).missing()
    assert 0 < len(missing) < 21
    computed = spied(monkeypatch)
    run_sweep(sweep, out, SweepOptions(backend='python', chunk=1))
    assert computed == [chunk.place for chunk in missing]
    run_sweep(sweep, files / 'whole.nc', SweepOptions(backend='python'))
    assert content(out) == content(files / 'whole.nc')


def spied(monkeypatch):
    """Return the list of chunks that are computed from now on."""
    computed, compute = [], sweeps.computed

    def spy(sweep, chunk, backend, threads):
        computed.append(chunk.place)
        return compute(sweep, chunk, backend, threads)

    monkeypatch.setattr(sweeps, 'computed', spy)
    return computed


def broken_off(sweep, out, after):
    """Run a sweep in chunks of 4 until some are done, then break off."""
    def stop(runs, number):
        if runs == 4 * after:
            raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep, out, SweepOptions(backend='numpy', chunk=4), progress=stop)


def test_a_broken_off_sweep_goes_on_with_its_own_chunks(sweep, files, monkeypatch):
    out = files / 'out.nc'
    broken_off(sweep, out, after=2)
    first, second = sorted(chunks_folder(out).glob('*.npz'))
    assert first.name == 'runs_0000000000_0000000004.npz'
    second.write_bytes(second.read_bytes()[:-40])
    seen = []
    computed = spied(monkeypatch)
    run_sweep(sweep, out, SweepOptions(backend='numpy', chunk=16),
              progress=lambda done, number: seen.append((done, number)))
    assert computed == [1, 2, 3, 4, 5], 'what was cut short is computed again; the size stays the first run\'s'
    assert (seen[0], seen[-1]) == ((4, 21), (21, 21))


def test_a_changed_sweep_is_refused_until_it_may_start_anew(sweep, files, monkeypatch):
    out = files / 'out.nc'
    broken_off(sweep, out, after=1)
    (files / 'short.yaml').write_text(yaml.safe_dump({**SHORT, 'stop': {'timeout': 50.0}}))
    changed = read_sweep(str(files / 'sweep.yaml'))
    with pytest.raises(InputError, match=r'holds chunks of another sweep.*--restart'):
        run_sweep(changed, out, NUMPY)
    computed = spied(monkeypatch)
    run_sweep(changed, out, SweepOptions(backend='numpy', restart=True))
    assert computed == [0]
    with pytest.raises(InputError, match=r'is there already, and not of this sweep.*--restart'):
        run_sweep(sweep, out, NUMPY)
    assert run_sweep(changed, out, NUMPY) is False and computed == [0], 'a file that is whole is left alone'


def test_two_runs_do_not_share_a_folder(sweep, files):
    out = files / 'out.nc'
    with opened_chunks(chunks_folder(out), sweep.fingerprint, 21, 4, False), \
            pytest.raises(InputError, match='another run is at work'):
        run_sweep(sweep, out, NUMPY)


def test_runs_that_fail_are_data(files):
    """A timeout before the goal, and a grid of the river that ends before the far bank."""
    (files / 'slow.yaml').write_text(yaml.safe_dump({
        'scenario': 'short.yaml', 'grid': {'stop.timeout': [0.5, 60.0], 'speed.target': [1.0]}}))
    (files / 'cross.yaml').write_text(yaml.safe_dump({
        'scenario': 'river/crossing_current', 'grid': {'speed.target': [1.3], 'waypoints.0.y': [78.0, 100.0]},
        'flow_grid': {'current': {'spacing': 4.0, 'extent': [180.0, 65.0, 300.0, 81.0]}}}))
    for name, expected in (('slow', [TIMED_OUT, REACHED]), ('cross', [REACHED, LEFT_FLOW])):
        run_sweep(read_sweep(str(files / f'{name}.yaml')), files / f'{name}.nc', NUMPY)
        with open_results(files / f'{name}.nc') as dataset:
            assert dataset['outcome'].values.ravel().tolist() == expected


@pytest.mark.parametrize(('name', 'words'), [('out.csv', 'must end in .nc'), ('none/out.nc', 'there is no folder')])
def test_a_file_that_cannot_be_written_is_refused_first(sweep, files, name, words, monkeypatch):
    computed = spied(monkeypatch)
    with pytest.raises(InputError, match=words):
        run_sweep(sweep, files / name, NUMPY)
    assert computed == []


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
    monkeypatch.setattr('usv_energy.sweep.dask_cluster.TIMEOUT', 1)
    with pytest.raises(InputError, match=words):
        run_sweep(sweep, files / 'out.nc', SweepOptions(backend='numpy', dask=where))
