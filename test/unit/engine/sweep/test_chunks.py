"""Finished chunks on disk: whole or not there, and one run at a time."""

import numpy as np
import pytest
from sweep_files import NUMPY

from usv_energy.engine.cases import Results
from usv_energy.engine.sweep.run_sweep import chunks_folder, opened_chunks, run_sweep
from usv_energy.files.errors import InputError

NEEDS = ('xarray', 'netCDF4')


def test_two_runs_do_not_share_a_folder(sweep, files):
    out = files / 'out.nc'
    with opened_chunks(chunks_folder(out), sweep.fingerprint, 21, 4, False), \
            pytest.raises(InputError, match='another run is at work'):
        run_sweep(sweep, out, NUMPY)


def test_what_is_finished_is_found_again_and_what_is_cut_short_is_not(tmp_path):
    columns = {name: np.array([1.0, 2.0, 3.0, 4.0]) for name in Results.COLUMNS}
    with opened_chunks(tmp_path / 'chunks', 'a', 10, 4, False) as finished:
        first, second, third = finished.chunks()
        assert (third.first, third.last) == (8, 10)
        finished.save(first, columns)
        finished.save(second, columns)
    with opened_chunks(tmp_path / 'chunks', 'a', 10, 3, False) as finished:
        assert finished.chunk == 4, 'a sweep that goes on keeps its chunks'
        assert finished.missing() == [third]
        np.testing.assert_array_equal(finished.load(second)['duration'], columns['duration'])
        path = finished.folder / 'runs_0000000004_0000000008.npz'
        path.write_bytes(path.read_bytes()[:-30])
        assert finished.missing() == [second, third]
        for wrong in (np.zeros(3), np.array([{}] * 4), np.array(['a'] * 4), None):     # Files that others made.
            others = {name: values for name, values in columns.items() if name != 'duration'}
            np.savez(path, **others, **({} if wrong is None else {'duration': wrong}))
            assert finished.missing() == [second, third]
    with pytest.raises(InputError, match='another sweep'), opened_chunks(tmp_path / 'chunks', 'b', 10, 4, False):
        pass
    with opened_chunks(tmp_path / 'chunks', 'b', 10, 5, True) as finished:
        assert len(finished.missing()) == 2
    assert not (tmp_path / 'chunks').exists(), 'nothing finished, nothing left'
