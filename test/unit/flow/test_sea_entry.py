"""The waves of a flow file: what they are, the drift that joins the current, and waves that would break."""

import math

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.flow_file import flow_from
from usv_energy.flow.sea import waves_of

REGULAR = {'kind': 'regular', 'height': 0.4, 'period': 3.0, 'direction_deg': 90.0}
IRREGULAR = {'kind': 'irregular', 'significant_height': 0.3, 'peak_period': 3.0, 'direction_deg': 0.0}
PLACES = np.array([0.0, 40.0]), np.array([0.0, -7.0])


def flow(tmp_path, waves, **more):
    return flow_from({'medium': 'water', 'waves': waves, **more}, tmp_path / 'sea.yaml')


def test_still_water_with_waves_carries_a_boat_by_their_drift(tmp_path):
    """a^2 omega k of 0.2 m and 3 s, deep: 0.03746 m/s, towards the waves' direction."""
    vx, vy, inside = flow(tmp_path, REGULAR).velocity(12.0, *PLACES)
    assert vx == pytest.approx([0.0, 0.0], abs=1e-12)
    assert vy == pytest.approx([0.03746, 0.03746], rel=1e-3)
    assert inside.all()


def test_the_drift_fades_twice_as_fast_as_the_waves(tmp_path):
    shallow, deep = (waves_of({**REGULAR, 'drift_depth': depth}, tmp_path).drift[1] for depth in (0.0, 0.5))
    assert deep / shallow == pytest.approx(math.exp(-2.0 * 0.5 * 2.0 * math.pi / 14.05179), rel=1e-6)


def test_the_drift_joins_the_current_and_turns_with_the_map(tmp_path):
    current = {'kind': 'uniform', 'speed': 0.3, 'direction_deg': 90.0}
    turned = flow(tmp_path, REGULAR, analytic=current, transform={'x': 5.0, 'y': 2.0, 'rotation_deg': 90.0})
    vx, vy, _ = turned.velocity(0.0, *PLACES)
    assert vx == pytest.approx([0.33746, 0.33746], rel=1e-4)
    assert vy == pytest.approx([0.0, 0.0], abs=1e-12)
    assert turned.drift == pytest.approx((0.03746, 0.0), rel=1e-3, abs=1e-12)  # Of it that of the waves


def test_waves_of_three_seconds_are_14_m_long_and_break_at_2_m(tmp_path):
    told = waves_of(REGULAR, tmp_path).describe()
    assert told['length_m'] == pytest.approx(14.052, rel=1e-4)
    assert told['celerity_m_per_s'] == pytest.approx(4.684, rel=1e-4)
    waves_of({**REGULAR, 'height': 1.99}, tmp_path)
    with pytest.raises(InputError, match=r'waves\.height is 1\.9954 m; waves of 3 s break above 2 m'):
        waves_of({**REGULAR, 'height': 1.9954}, tmp_path)


def test_shallow_water_breaks_waves_earlier(tmp_path):
    """Long waves break at 0.89 of the depth by Miche's formula: 0.142 * 2 pi h."""
    waves_of({**REGULAR, 'period': 60.0, 'depth': 1.0, 'height': 0.88}, tmp_path)
    with pytest.raises(InputError, match='break above'):
        waves_of({**REGULAR, 'period': 60.0, 'depth': 1.0, 'height': 0.90}, tmp_path)


def test_an_irregular_sea_says_its_crossing_period_and_its_seed(tmp_path):
    told = waves_of({**IRREGULAR, 'seed': 4}, tmp_path).describe()
    assert told['zero_crossing_period_s'] == pytest.approx(3.0 * 0.7774, rel=1e-4)
    assert told['seed'] == 4
    assert waves_of(IRREGULAR, tmp_path).sea.significant_height == pytest.approx(0.3)


def test_a_sea_too_steep_is_refused(tmp_path):
    with pytest.raises(InputError, match=r'waves\.significant_height is 1\.2 m; waves of 2\.33 s break above 0\.849 m'):
        waves_of({**IRREGULAR, 'significant_height': 1.2}, tmp_path)


def test_the_air_has_no_waves(tmp_path):
    with pytest.raises(InputError, match='waves go with water'):
        flow_from({'medium': 'air', 'waves': REGULAR}, tmp_path / 'air.yaml')


@pytest.mark.parametrize(('key', 'value', 'said'), [
    ('height', -0.1, r'waves\.height'), ('period', 0.0, r'waves\.period'), ('gamma', 3.3, 'gamma'),
    ('kind', 'freak', r'waves\.kind')])
def test_a_wrong_key_is_named(tmp_path, key, value, said):
    with pytest.raises(InputError, match=said):
        flow(tmp_path, {**REGULAR, key: value})
