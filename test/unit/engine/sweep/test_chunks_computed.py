"""A chunk's results are those of its runs, whatever else is computed."""

import numpy as np

from usv_energy.engine.sweep.run_sweep import Chunk, computed


def test_a_chunk_is_that_part_of_all_runs(sweep):
    _, whole = computed(sweep, Chunk(0, 0, 21), 'numpy', None)
    chunk, some = computed(sweep, Chunk(1, 9, 13), 'numpy', None)
    assert chunk.place == 1
    assert some['outcome'].dtype == np.int8
    for name, values in some.items():
        np.testing.assert_allclose(values, whole[name][9:13], rtol=1e-12, err_msg=name)
