"""Running a sweep: its file, in any chunks, after kill -9, on Dask; what is data and what is an error."""

import signal
import subprocess
import sys

import numpy as np
import pytest
import yaml
from sweep_files import CONTENT, NUMPY, SHORT, content

from usv_energy.engine.run_state import LEFT_FLOW, REACHED, TIMED_OUT
from usv_energy.engine.sweep import run_sweep as sweeps
from usv_energy.engine.sweep.results_file import open_results
from usv_energy.engine.sweep.run_sweep import FinishedChunks, SweepOptions, chunks_folder, run_sweep
from usv_energy.engine.sweep.sweep_file import read_sweep
from usv_energy.files.errors import InputError
from usv_energy.sim.runner import run_scenario

NEEDS = ('xarray', 'netCDF4')


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
        assert dataset['outcome'].attrs['flag_meanings'] == 'reached timed_out left_flow ran_away battery_empty'
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
    command = [sys.executable, '-P', '-u', '-m', 'usv_energy.cli.main', 'sweep', str(files / 'sweep.yaml'),
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


@pytest.mark.parametrize(('column', 'value'), [('energy_total', np.nan), ('duration', np.inf), ('outcome', -100)])
def test_a_chunk_that_cannot_be_a_result_is_computed_again(sweep, files, column, value):
    broken_off(sweep, files / 'out.nc', after=2)
    chunks = FinishedChunks(chunks_folder(files / 'out.nc'), 21, 4)
    _, second, *rest = chunks.chunks()
    assert chunks.missing() == rest
    columns = chunks.load(second)
    assert (columns['outcome'] == 0).all() and np.isnan(columns['charge']).all(), 'a boat without cells has no charge'
    chunks.save(second, {**columns, column: np.full_like(columns[column], value)})
    assert chunks.missing() == [second, *rest]


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
