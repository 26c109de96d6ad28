"""Many runs as an xarray Dataset: wrong grids and samples are refused by name. What comes of them: test_api.py."""

import numpy as np
import pytest

from usv_energy.engine.sweep.sweep_summary import sweep_dataset
from usv_energy.files.errors import InputError
from usv_energy.sim.scenario import read_scenario

NEEDS = ('xarray',)


@pytest.mark.parametrize(('grid', 'samples', 'message'), [
    ({'curent.speed': np.array([0.1])}, {}, r'current\.speed'),
    ({}, {'current.speed': np.zeros(2), 'wind.speed': np.zeros(3)}, r'wind\.speed has the shape \(3,\).*\(2,\)'),
    ({}, {'current.speed': np.array(0.1)}, r'shape \(\)'),
    ({'current.speed': np.zeros((2, 2))}, {}, r'shape \(2, 2\)')])
def test_wrong_sweeps_are_refused_by_name(grid, samples, message):
    with pytest.raises(InputError, match=message):
        sweep_dataset(read_scenario('6'), grid, samples)


def test_all_combinations_are_run_in_the_order_of_the_dimensions():
    """The final place tells which run it was: each starts elsewhere, and times out at once."""
    grid = {'start.x': np.array([1.0, 2.0, 3.0]), 'stop.timeout': np.array(0.02)}
    data = sweep_dataset(read_scenario('5'), grid, {'start.y': np.array([10.0, 20.0])})
    assert data.x.dims == ('start_x', 'sample')
    np.testing.assert_allclose(data.x.values, np.array([1.0, 2.0, 3.0])[:, None] + np.zeros(2), atol=0.01)
    np.testing.assert_allclose(data.y.values, np.array([10.0, 20.0]) + np.zeros((3, 1)), atol=0.01)
