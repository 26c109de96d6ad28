"""A boat drawn jointly from its file: correlation, limits, and independence of chunks."""

import numpy as np
import pytest
import yaml
from sweep_files import CONTENT

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import UncertainNumber
from usv_energy.boats.correlation import joint_normals
from usv_energy.engine.sweep.results_file import open_results
from usv_energy.engine.sweep.run_sweep import SweepOptions, run_sweep
from usv_energy.engine.sweep.sweep_file import JointDraw, joint_draw, read_sweep
from usv_energy.files.errors import InputError

BOAT = """
base: lutra_prop
damping:
  linear: {d11: {value: 2.0, unit: N s/m, std: 2.0}}
  quadratic: {d11: {value: 10.0, unit: N s^2/m^2, std: 2.0}}
correlation: {numbers: [damping.linear.d11, damping.quadratic.d11], matrix: [[1, -0.99], [-0.99, 1]]}
"""
LINEAR, QUADRATIC = 'boat.damping.linear.d11', 'boat.damping.quadratic.d11'


@pytest.fixture
def joint(yaml_file):
    return joint_draw(read_boat(str(yaml_file(BOAT, 'doubtful.yaml'))))


def test_samples_hang_together_keep_their_limits_and_depend_on_their_number_alone(joint):
    assert joint.paths == (LINEAR, QUADRATIC)
    first, second = (joint.drawn(path, 3, 0, 2000) for path in joint.paths)
    assert first.min() >= 0.0 and np.corrcoef(first, second)[0, 1] < -0.97
    # A normal distribution of mean 2 and std 2, cut off at 0: Olive (2008), Applied Robust Statistics, 4.7.
    assert first.mean() == pytest.approx(2.0 + 2.0 * 0.2420 / 0.8413, abs=0.1)
    np.testing.assert_array_equal(joint.drawn(QUADRATIC, 3, 701, 705), second[701:705])
    assert not np.any(joint.drawn(LINEAR, 4, 0, 50) == first[:50])


def test_a_boat_of_which_all_is_known_has_nothing_to_draw():
    with pytest.raises(InputError, match='nothing to draw'):
        joint_draw(read_boat('lutra_prop'))
    hopeless = UncertainNumber('static_load', -100.0, 1.0, 1.0)
    joint = JointDraw(read_boat('lutra_prop'), (hopeless,), joint_normals(None, ['static_load']))
    with pytest.raises(InputError, match='hardly any boat'):
        joint.drawn('boat.static_load', 0, 0, 5)


def test_a_sweep_runs_them_and_keeps_what_was_drawn(files, yaml_file, tmp_path):
    pytest.importorskip('xarray')
    (files / 'doubtful.yaml').write_text(BOAT)
    content = {**CONTENT, 'boat': 'doubtful.yaml', 'monte_carlo': {'samples': 6, 'seed': 3, 'boat': 'as_known'}}
    del content['grid']
    path = files / 'joint.yaml'
    path.write_text(yaml.safe_dump(content))
    sweep = read_sweep(str(path))
    assert sweep.drawn_paths == (LINEAR, QUADRATIC) and sweep.shape == (6,)
    run_sweep(sweep, tmp_path / 'joint.nc', SweepOptions(chunk=4, backend='numpy'))
    with open_results(tmp_path / 'joint.nc') as data:
        np.testing.assert_array_equal(data['boat_damping_linear_d11'].values, sweep.drawn(LINEAR, 0, 6))
        assert np.unique(data['energy_total'].values).size == 6
