import numpy as np
import pytest

from usv_energy.analysis.motion.level_search import LevelSearch
from usv_energy.analysis.motion.measured_series import knots_of, measured
from usv_energy.analysis.motion.noise_levels import fitted_levels


@pytest.mark.parametrize('start', [(0.02, 0.05), (0.5, 0.005)])
def test_trial_by_trial_it_goes_to_the_likeliest_levels(rng, start):
    time = 0.1 * np.arange(200)
    knots, knot = knots_of(time, 1.0)
    series = [measured(0, time, (np.sin(0.5 * time) + 0.05 * rng.standard_normal(200))[:, None], knots, knot),
              measured(1, time, (0.5 * np.cos(0.5 * time) + 0.1 * rng.standard_normal(200))[:, None], knots, knot)]
    wanted = fitted_levels(knots, series, (0.02, 0.05))
    search = LevelSearch(start, 0.05)
    for _ in range(150):
        search.try_once(knots, series)
    np.testing.assert_allclose(search.levels.noise, wanted.noise, rtol=0.12)
    assert abs(np.log(search.levels.calm / wanted.calm)) < 1.5


def test_it_stays_where_the_system_can_be_solved():
    """Nothing but zeros: every noise would do, the smaller the likelier."""
    time = 0.1 * np.arange(50)
    knots, knot = knots_of(time, 1.0)
    series = [measured(order, time, np.zeros((50, 1)), knots, knot) for order in (0, 1)]
    search = LevelSearch((0.02, 0.05), 0.05)
    for _ in range(120):
        search.try_once(knots, series)
    assert min(search.levels.noise) > 1e-9
    assert np.isfinite(search.levels.calm)
